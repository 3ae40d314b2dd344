"""The file of results: added to, gone on with, and refused when it does not fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from meldwise.arena import ArenaError, Store
from meldwise.game.codes import Code

SETTINGS = {"entrants": ["a", "b"], "seed": "s", "number": 2}


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def refused(path: Path, kind: str = "arena", **changes: object) -> ArenaError:
    before = path.read_bytes()
    with pytest.raises(ArenaError) as found:
        Store(path, kind, {**SETTINGS, **changes})
    assert path.read_bytes() == before
    return found.value


def test_what_is_added_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "store.jsonl"
    with Store(path, "arena", SETTINGS) as store:
        store.add((0, 3), {"x": 1})
        store.add((1, 0), {"x": [2, None]})
        store.sync()
    with Store(path, "arena", SETTINGS) as store:
        assert store.results == {(0, 3): {"x": 1}, (1, 0): {"x": [2, None]}}
        store.add((0, 4), {})
    assert json.loads(lines_of(path)[0]) == {
        "format": "meldwise-arena",
        "version": 1,
        "kind": "arena",
        "settings": SETTINGS,
    }
    assert lines_of(path)[1:] == ['[0,3,{"x":1}]', '[1,0,{"x":[2,null]}]', "[0,4,{}]"]


@pytest.mark.parametrize("torn", [b"[", b'[0,5,{"x":', b'[0,5,{"x":1}]'])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "store.jsonl"
    with Store(path, "arena", SETTINGS) as store:
        store.add((0, 3), {"x": 1})
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    with Store(path, "arena", SETTINGS) as store:
        assert set(store.results) == {(0, 3)}
        store.add((0, 6), {})
    assert path.read_bytes() == whole + b"[0,6,{}]\n"


def test_a_torn_first_line_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "store.jsonl"
    Store(path, "arena", SETTINGS).close()
    path.write_bytes(path.read_bytes()[:20])
    Store(path, "arena", SETTINGS).close()
    assert len(lines_of(path)) == 1


def test_a_store_of_other_settings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.jsonl"
    Store(path, "arena", SETTINGS).close()
    error = refused(path, seed="t", entrants=["a"])
    assert error.code is Code.ARENA_STORE_SETTINGS
    assert error.fields["differ"] == ("entrants", "seed")
    assert refused(path, "simulation").fields["differ"] == ("kind",)


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.jsonl"
    Store(path, "arena", SETTINGS).close()
    path.write_text(path.read_text("utf-8").replace('"version":1', '"version":2'), "utf-8")
    error = refused(path)
    assert error.code is Code.ARENA_STORE_VERSION
    assert (error.fields["have"], error.fields["need"]) == ("2", 1)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("something else\n", 1),
        ("something else", 1),
        ('{"format":"other","version":1,"kind":"arena","settings":{}}\n', 1),
        ("[]\n", 1),
        ("@rubbish\n[0,1,{}]\n", 2),
        ("@[0,1]\n", 2),
        ('@["a",1,{}]\n', 2),
        ("@[0,1,{}]\n[0,2,7]\n[0,3,{}]\n", 3),
    ],
)
def test_what_is_no_store_is_refused_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "store.jsonl"
    Store(path, "arena", SETTINGS).close()
    header = path.read_text(encoding="utf-8")
    path.write_text(text.replace("@", header), encoding="utf-8")
    error = refused(path)
    assert error.code is Code.ARENA_STORE_BROKEN
    assert error.fields["line"] == line


def test_a_store_in_use_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.jsonl"
    with Store(path, "arena", SETTINGS):
        assert refused(path).code is Code.ARENA_STORE_BUSY
    Store(path, "arena", SETTINGS).close()
