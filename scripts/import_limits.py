"""A contract for import-linter: what packages may take from outside the project.

import-linter's own `forbidden` contract refuses a source package that does not
exist, and can only list what is forbidden, so that it cannot say "the standard
library and nothing else". This one skips absent packages and can say that. Names
are checked against the imports that the modules make themselves: a package that
imports another of the project's packages answers for its own imports only.
"""

from __future__ import annotations

import sys
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class ImportLimits(Contract):
    """Keep packages from importing certain modules from outside the project.

    Configuration options:
        - packages: Packages below the root package; absent ones are skipped.
        - forbidden: Top-level names that none of their modules may import.
        - standard_library_only: Whether third-party packages are forbidden too.
    """

    type_name = "import_limits"

    # import-linter replaces the fields of a contract by the values that it read.
    packages: Any = fields.SetField(subfield=fields.StringField())
    forbidden: Any = fields.SetField(subfield=fields.StringField())
    standard_library_only: Any = fields.BooleanField(required=False, default=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002
        found = [
            (details["importer"], details["line_number"], imported)
            for module in sorted(self._modules(graph))
            for imported in sorted(graph.find_modules_directly_imported_by(module))
            if self._is_limited(imported)
            for details in graph.get_import_details(importer=module, imported=imported)
        ]
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, line, imported in check.metadata["found"]:
            output.print_error(f"{importer} must not import {imported} (line {line})", bold=False)
        output.new_line()

    @property
    def _roots(self) -> list[str]:
        return list(self.session_options["root_packages"])

    def _modules(self, graph: ImportGraph) -> set[str]:
        modules: set[str] = set()
        for root in self._roots:
            for package in self.packages:
                name = f"{root}.{package}"
                if name in graph.modules:
                    modules |= {name} | graph.find_descendants(name)
        return modules

    def _is_limited(self, imported: str) -> bool:
        top = imported.partition(".")[0]
        if top in self._roots:
            return False
        if top in self.forbidden:
            return True
        return self.standard_library_only and top not in sys.stdlib_module_names
