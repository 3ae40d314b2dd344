"""Compiles the solver's kernel and the translations, and builds the web client.

A build hook of hatchling, and a script that does the first two in the source tree:

    python hatch_build.py

The kernel needs a compiler, the web client Node. The kernel's source runs interpreted too, so
that a failure there is said and not fatal, unless the environment has MELDWISE_KERNEL=require.
With MELDWISE_KERNEL=pure nothing is compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import io
import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
SOURCE = Path("src/meldwise/solver/kernel.py")
MODULE = "meldwise.solver._compiled"


class KernelHook(BuildHookInterface[Any]):
    """Compiles the kernel and builds the web client, and takes them into the wheel.

    The web client goes into the source distribution too, so that installing from it needs no
    Node. An editable installation leaves it to the Makefile.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before anything is built or installed."""
        translations = _load(Path(self.root) / "scripts" / "translations.py")
        if translations is not None:
            translations.compile_all(Path(self.root))
        if version != "editable":
            web = _load(Path(self.root) / "scripts" / "web.py")
            if web is not None:
                web.build_for_package(Path(self.root), self.app.display_warning)
        if self.target_name != "wheel":
            return
        compiled = build(Path(self.root), self.app.display_warning)
        if compiled is not None:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            build_data["artifacts"].append(compiled.relative_to(self.root).as_posix())


def _load(path: Path) -> ModuleType | None:
    """A script beside this one as a module; None if this is a source distribution.

    A source distribution has no scripts: what they make is in it.
    """
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location(f"meldwise_build_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(root: Path, say: Any) -> Path | None:
    """Compiles the kernel, if that is wanted and has not been done for its source.

    Args:
        root: the source tree.
        say: takes one line for people.

    Returns:
        The compiled file; None if there is none, after saying why.
    """
    mode = os.environ.get("MELDWISE_KERNEL", "auto").strip().lower()
    folder = (root / SOURCE).parent
    if mode == "pure":
        say("The solver's kernel is not compiled: MELDWISE_KERNEL=pure.")
        return None
    text = (root / SOURCE).read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    for old in _compiled_files(folder):
        if old.read_bytes().find(digest.encode()) >= 0:
            return old
    log = io.StringIO()
    with tempfile.TemporaryDirectory(prefix="meldwise-kernel-") as scratch:
        try:
            with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
                named = text.replace('SOURCE_HASH = ""', f'SOURCE_HASH = "{digest}"', 1)
                made = _compile(named, Path(scratch))
        # Whatever a compiler, its headers or setuptools may raise: SystemExit among them.
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}".strip().splitlines()[0]
            if mode == "require":
                print(log.getvalue(), file=sys.stderr)
                raise RuntimeError(f"The solver's kernel cannot be compiled. {reason}") from error
            say(f"The solver's kernel is not compiled and will be slower. {reason}")
            return None
        for old in _compiled_files(folder):
            old.unlink()
        return Path(shutil.copy2(made, folder))


def suffix() -> str:
    """How the name of a compiled module ends for this Python."""
    return sysconfig.get_config_var("EXT_SUFFIX") or ".so"


def _compiled_files(folder: Path) -> list[Path]:
    """What was compiled for this Python."""
    return list(folder.glob(f"_compiled{suffix()}"))


def _compile(text: str, folder: Path) -> Path:
    """Compiles a source in a folder that is to be thrown away; returns the compiled file."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    # The package's folders make Cython give the module its full name.
    package = folder / "meldwise" / "solver"
    package.mkdir(parents=True)
    for place in (package.parent, package):
        (place / "__init__.py").touch()
    source = package / "_compiled.py"
    source.write_text(text, encoding="utf-8")
    flags = [] if sys.platform == "win32" else ["-O3", "-fwrapv", "-w"]
    before = Path.cwd()
    try:
        os.chdir(folder)
        extensions = cythonize(  # type: ignore[no-untyped-call]
            [Extension(MODULE, [source.relative_to(folder).as_posix()], extra_compile_args=flags)],
            quiet=True,
        )
        command = build_ext(Distribution({"name": "meldwise", "ext_modules": extensions}))
        command.build_lib = str(folder / "lib")
        command.build_temp = str(folder / "temp")
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
    made: str = command.get_ext_fullpath(MODULE)
    return folder / made


def main() -> None:
    """Compiles the kernel and the translations in the source tree."""
    build(ROOT, lambda line: print(line, file=sys.stderr))
    translations = _load(ROOT / "scripts" / "translations.py")
    if translations is not None:
        translations.compile_all(ROOT)


if __name__ == "__main__":
    main()
