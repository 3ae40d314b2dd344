"""Compiles the modules that searches run in and the translations, and builds the web client.

A build hook of hatchling, and a script that does the first two in the source tree:

    python hatch_build.py

The web client needs Node, the modules a compiler: which they are says
src/meldwise/solver/sources.py. Their sources run interpreted too, so that a failure there is
said and not fatal, unless the environment has MELDWISE_KERNEL=require. With
MELDWISE_KERNEL=pure nothing is compiled.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import runpy
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
SOURCES = runpy.run_path(str(ROOT / "src/meldwise/solver/sources.py"))
COMPILED: tuple[str, ...] = SOURCES["COMPILED"]
compiled_name: Callable[[str], str] = SOURCES["compiled_name"]
source_hash: Callable[[Path, str], str] = SOURCES["source_hash"]
source_path: Callable[..., Path] = SOURCES["source_path"]


class KernelHook(BuildHookInterface[Any]):
    """Compiles the modules and builds the web client, and takes them into the wheel.

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
        for compiled in build(Path(self.root), self.app.display_warning):
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


def build(root: Path, say: Callable[[str], object]) -> list[Path]:
    """Compiles the modules for which that is wanted and has not been done.

    Args:
        root: the source tree.
        say: takes one line for people.

    Returns:
        The compiled files: all of them, or after saying why those that were there before.
    """
    mode = os.environ.get("MELDWISE_KERNEL", "auto").strip().lower()
    if mode == "pure":
        say("The solver's kernel is not compiled: MELDWISE_KERNEL=pure.")
        return []
    source = root / "src"
    stale = [module for module in COMPILED if not _is_compiled(source, module)]
    log = io.StringIO()
    if stale:
        try:
            with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
                _build_all(source, stale)
        # Whatever a compiler, its headers or setuptools may raise: SystemExit among them.
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}".strip().splitlines()[0]
            names = ", ".join(stale)
            if mode == "require":
                print(log.getvalue(), file=sys.stderr)
                raise RuntimeError(f"Cannot be compiled: {names}. {reason}") from error
            say(f"Not compiled, and slower for it: {names}. {reason}")
    found = [module for module in COMPILED if _is_compiled(source, module)]
    if mode == "require" and len(found) < len(COMPILED):
        names = ", ".join(module for module in COMPILED if module not in found)
        raise RuntimeError(f"Compiled, but without the hash of the source: {names}.")
    return [_place(source, module) for module in found]


def suffix() -> str:
    """How the name of a compiled module ends for this Python."""
    return sysconfig.get_config_var("EXT_SUFFIX") or ".so"


def _place(source: Path, module: str) -> Path:
    """Where a module's compiled form lies."""
    return source_path(source, compiled_name(module), suffix())


def _is_compiled(source: Path, module: str) -> bool:
    """Whether a module was compiled as it is now."""
    place = _place(source, module)
    return place.is_file() and source_hash(source, module).encode() in place.read_bytes()


def _build_all(source: Path, modules: list[str]) -> None:
    """Compiles modules and puts them into the source tree: all of them, or none."""
    with tempfile.TemporaryDirectory(prefix="meldwise-kernel-") as scratch:
        folder = Path(scratch)
        # The package's folders make Cython give the modules their full names.
        for other in COMPILED:
            declarations = source_path(source, other, ".pxd")
            copy = source_path(folder, compiled_name(other), ".pxd")
            for package in (copy.parent, *copy.parent.parents):
                if package.is_relative_to(folder) and package != folder:
                    package.mkdir(parents=True, exist_ok=True)
                    (package / "__init__.py").touch()
            if declarations.is_file():
                shutil.copy(declarations, copy)
        for module in modules:
            text = source_path(source, module).read_text(encoding="utf-8")
            digest = source_hash(source, module)
            named = text.replace('SOURCE_HASH = ""', f'SOURCE_HASH = "{digest}"', 1)
            source_path(folder, compiled_name(module)).write_text(named, encoding="utf-8")
        made = _compile([compiled_name(module) for module in modules], folder)
        for module, compiled in zip(modules, made, strict=True):
            place = _place(source, module)
            # A running program may have the old file open: its name goes to the new one.
            fresh = place.with_name(f"{place.name}.new")
            shutil.copy2(compiled, fresh)
            fresh.replace(place)


def _compile(names: list[str], folder: Path) -> list[Path]:
    """Compiles modules in a folder that is to be thrown away; returns the compiled files."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    flags = [] if sys.platform == "win32" else ["-O3", "-fwrapv", "-w"]
    before = Path.cwd()
    try:
        os.chdir(folder)
        extensions = cythonize(  # type: ignore[no-untyped-call]
            [
                Extension(
                    name,
                    [source_path(Path(), name).as_posix()],
                    # Cython would compress its texts, and with them the hash that is looked for.
                    define_macros=[("CYTHON_COMPRESS_STRINGS", "0")],
                    extra_compile_args=flags,
                )
                for name in names
            ],
            quiet=True,
        )
        command = build_ext(Distribution({"name": "meldwise", "ext_modules": extensions}))
        command.build_lib = str(folder / "lib")
        command.build_temp = str(folder / "temp")
        command.parallel = os.cpu_count() or 1
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
    return [folder / command.get_ext_fullpath(name) for name in names]


def main() -> None:
    """Compiles the modules and the translations in the source tree."""
    build(ROOT, lambda line: print(line, file=sys.stderr))
    translations = _load(ROOT / "scripts" / "translations.py")
    if translations is not None:
        translations.compile_all(ROOT)


if __name__ == "__main__":
    main()
