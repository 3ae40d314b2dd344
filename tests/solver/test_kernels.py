"""The compiled and the interpreted kernel, and which of them runs."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import types
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import hatch_build
from bench.common.selfplay import positions
from meldwise.game.codes import Code
from meldwise.game.rules import Rules
from meldwise.solver import (
    HIGHEST_VALUE,
    MOST_TILES_THEN_VALUE,
    KernelError,
    best_play,
    best_plays,
    engine,
    kernel_info,
    sources,
    workspace,
)
from tests.solver.sets import lines

NAME = sources.compiled_name(engine.KERNEL)

try:
    compiled: types.ModuleType | None = importlib.import_module(NAME)
except ImportError:
    compiled = None

needs_compiled = pytest.mark.skipif(compiled is None, reason="nothing is compiled here")


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Lets a test choose the kernel anew, and leaves no trace of it."""
    monkeypatch.setattr(workspace, "_local", types.SimpleNamespace())
    engine._load.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    engine._load.cache_clear()


def answers(kernel: str, patch: pytest.MonkeyPatch) -> list[object]:
    patch.setenv(engine.VARIABLE, kernel)
    patch.setattr(workspace, "_local", types.SimpleNamespace())
    engine._load.cache_clear()
    free = Rules().with_joker_level(0)
    some: list[object] = [best_play(p, free) for p, _ in lines("synthetic", every=9)]
    some += best_plays([p for p, _ in lines("games", every=9)], free, threads=1)
    for level in range(5):
        rules = Rules().with_joker_level(level)
        for position in islice(positions(rules, 43), 0, 240, 16):
            some.append(best_play(position, rules, MOST_TILES_THEN_VALUE))
            some.append(best_play(position, rules, HIGHEST_VALUE, nodes=30))
    return some


@needs_compiled
def test_both_kernels_give_the_same_answers(fresh: pytest.MonkeyPatch) -> None:
    assert answers("require", fresh) == answers("pure", fresh)


def test_pure_runs_the_source(fresh: pytest.MonkeyPatch) -> None:
    fresh.setenv(engine.VARIABLE, "pure")
    info = kernel_info()
    assert (info.compiled, info.reason) == (False, "asked")
    assert not engine.kernel_module().is_compiled()


def test_the_source_runs_where_cython_is_not_installed() -> None:
    script = """
import sys
sys.modules["cython"] = None
from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.solver import best_play
print(best_play(Position.parse("r4-*-6 b7-8-9 / r5 k3 y3 b10"), Rules()).play)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, engine.VARIABLE: "pure"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "3yk* r4-5-6 b7-8-9-10 (r5 y3 k3 b10)\n"


def test_auto_runs_without_anything_compiled(fresh: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> types.ModuleType:
        if "._compiled_" in name:
            raise ImportError(name)
        return __import__(name, fromlist=["Kernel"])

    fresh.setattr(importlib, "import_module", absent)
    fresh.setenv(engine.VARIABLE, "auto")
    assert kernel_info() == engine.KernelInfo(compiled=False, reason="absent")
    engine._load.cache_clear()
    fresh.setenv(engine.VARIABLE, "require")
    with pytest.raises(KernelError) as caught:
        kernel_info()
    assert caught.value.code is Code.SOLVER_KERNEL_REQUIRED
    assert caught.value.fields["reason"] == "absent"


@needs_compiled
def test_a_stale_kernel_is_not_used(fresh: pytest.MonkeyPatch) -> None:
    fresh.setattr(engine, "source_hash", lambda _: "another")
    fresh.setenv(engine.VARIABLE, "auto")
    assert kernel_info() == engine.KernelInfo(compiled=False, reason="stale")
    engine._load.cache_clear()
    fresh.setenv(engine.VARIABLE, "require")
    with pytest.raises(KernelError) as caught:
        kernel_info()
    assert caught.value.fields["reason"] == "stale"


def test_an_unknown_mode_is_refused(fresh: pytest.MonkeyPatch) -> None:
    fresh.setenv(engine.VARIABLE, "fast")
    with pytest.raises(KernelError) as caught:
        kernel_info()
    assert caught.value.code is Code.SOLVER_KERNEL_MODE


# --- the build --------------------------------------------------------------


KERNEL, USER = "meldwise.solver.kernel", "meldwise.solver.user"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source tree with nothing but a kernel and a module that uses it."""
    for module in (KERNEL, USER):
        source = sources.source_path(tmp_path / "src", module)
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text('SOURCE_HASH = ""\n', encoding="utf-8")
    uses = sources.source_path(tmp_path / "src", USER, ".pxd")
    uses.write_text("from meldwise.solver._compiled_kernel cimport Kernel\n", encoding="utf-8")
    monkeypatch.setattr(hatch_build, "COMPILED", (KERNEL, USER))
    return tmp_path


def test_a_missing_compiler_is_said_and_not_fatal(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(names: list[str], folder: Path) -> list[Path]:
        raise SystemExit("error: command 'cc' failed: No such file or directory")

    said: list[str] = []
    monkeypatch.setattr(hatch_build, "_compile", fails)
    monkeypatch.delenv(engine.VARIABLE, raising=False)
    assert hatch_build.build(tree, said.append) == []
    assert len(said) == 1
    assert "Not compiled" in said[0]
    assert KERNEL in said[0]
    assert USER in said[0]
    assert "command 'cc' failed" in said[0]


def test_require_makes_a_missing_compiler_fatal(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(names: list[str], folder: Path) -> list[Path]:
        raise OSError("no compiler")

    monkeypatch.setattr(hatch_build, "_compile", fails)
    monkeypatch.setenv(engine.VARIABLE, "require")
    with pytest.raises(RuntimeError, match="no compiler"):
        hatch_build.build(tree, print)


def test_pure_compiles_nothing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setenv(engine.VARIABLE, "pure")
    monkeypatch.delattr(hatch_build, "_compile")
    assert hatch_build.build(tree, said.append) == []
    assert said == ["The solver's kernel is not compiled: MELDWISE_KERNEL=pure."]


def test_what_is_compiled_carries_the_hash_of_its_sources(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def compiles(names: list[str], folder: Path) -> list[Path]:
        made.extend(name.rpartition(".")[2] for name in names)
        return [sources.source_path(folder, name) for name in names]

    def rebuilt() -> list[str]:
        made.clear()
        hatch_build.build(tree, print)
        for module in (KERNEL, USER):
            compiled = tree / "src" / Path(*sources.compiled_name(module).split("."))
            text = compiled.with_suffix(hatch_build.suffix()).read_text(encoding="utf-8")
            assert f'SOURCE_HASH = "{sources.source_hash(tree / "src", module)}"' in text
        return list(made)

    monkeypatch.setattr(hatch_build, "_compile", compiles)
    monkeypatch.delenv(engine.VARIABLE, raising=False)
    assert rebuilt() == ["_compiled_kernel", "_compiled_user"]
    # The same sources are not compiled again; changed ones are, and what uses them.
    assert rebuilt() == []
    user = sources.source_path(tree / "src", USER)
    user.write_text('SOURCE_HASH = ""\n# changed\n', encoding="utf-8")
    assert rebuilt() == ["_compiled_user"]
    kernel = sources.source_path(tree / "src", KERNEL)
    kernel.write_text('SOURCE_HASH = ""\n# changed\n', encoding="utf-8")
    assert rebuilt() == ["_compiled_kernel", "_compiled_user"]


@needs_compiled
def test_what_was_compiled_is_known_by_its_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not compiled again, and gets into a wheel."""
    monkeypatch.delattr(hatch_build, "_compile")
    monkeypatch.delenv(engine.VARIABLE, raising=False)
    root = Path(hatch_build.__file__).parent
    said: list[str] = []
    compiled = {path.name for path in hatch_build.build(root, said.append)}
    assert len(compiled) == len(sources.COMPILED)
    assert not said


def test_require_makes_a_missing_hash_fatal(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def compiles(names: list[str], folder: Path) -> list[Path]:
        made = [sources.source_path(folder, name) for name in names]
        for file in made:
            file.write_text("compressed", encoding="utf-8")
        return made

    monkeypatch.setattr(hatch_build, "_compile", compiles)
    monkeypatch.setenv(engine.VARIABLE, "require")
    with pytest.raises(RuntimeError, match="without the hash"):
        hatch_build.build(tree, print)


def test_each_part_of_the_kernel_counts_for_what_uses_it(tmp_path: Path) -> None:
    root = Path(engine.__file__).parents[2]
    own = [module for module in sources.COMPILED if module.startswith("meldwise.solver.")]
    for module in own:
        for suffix in (".py", ".pxd"):
            copy = sources.source_path(tmp_path, module, suffix)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(sources.source_path(root, module, suffix).read_bytes())
    for changed, module in enumerate(own):
        before = [sources.source_hash(tmp_path, other) for other in own]
        source = sources.source_path(tmp_path, module)
        source.write_bytes(source.read_bytes() + b"# changed\n")
        after = [sources.source_hash(tmp_path, other) for other in own]
        assert [a != b for a, b in zip(before, after, strict=True)] == [
            place >= changed for place in range(len(own))
        ]
