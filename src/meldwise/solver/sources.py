"""Which modules are compiled, under which names, and how a stale compiled file is told.

The build reads this file by itself, so it imports nothing of the package. A module's
declarations for others that are compiled, and what it uses of theirs, are in the ``.pxd``
file beside its source.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

__all__ = ["COMPILED", "compiled_name", "source_hash", "source_path"]

COMPILED: Final = (
    "meldwise.solver.kernel_options",
    "meldwise.solver.kernel_entries",
    "meldwise.solver.kernel_states",
    "meldwise.solver.kernel",
    "meldwise.solver.batch",
    "meldwise.players.search.turns",
    "meldwise.players.search.estimates",
    "meldwise.players.search.playouts",
    "meldwise.players.search.worlds",
)
"""The modules that are compiled; each stands behind those that it uses."""

_USED: Final = re.compile(rb"^from (meldwise\.[\w.]+)\._compiled_(\w+) cimport ", re.MULTILINE)


def compiled_name(module: str) -> str:
    """The name of a module's compiled form.

    >>> compiled_name("meldwise.solver.kernel")
    'meldwise.solver._compiled_kernel'
    """
    package, _, name = module.rpartition(".")
    return f"{package}._compiled_{name}"


def source_path(root: Path, module: str, suffix: str = ".py") -> Path:
    """Where a module's source, or a file beside it, lies under the folder of packages."""
    return root.joinpath(*module.split(".")).with_suffix(suffix)


def source_hash(root: Path, module: str) -> str:
    """The hash of a module's source, its declarations, and all compiled ones that it uses.

    Args:
        root: the folder that holds the package.
        module: the module's full name.
    """
    digest = hashlib.sha256(_text(source_path(root, module)))
    declarations = source_path(root, module, ".pxd")
    if declarations.is_file():
        text = _text(declarations)
        digest.update(text)
        for package, name in _USED.findall(text):
            digest.update(source_hash(root, f"{package.decode()}.{name.decode()}").encode())
    return digest.hexdigest()


def _text(path: Path) -> bytes:
    return path.read_bytes().replace(b"\r\n", b"\n")
