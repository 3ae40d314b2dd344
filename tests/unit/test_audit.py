"""What `make audit` makes of the answers of pip-audit and npm."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from scripts.audit import Findings, of_npm, of_python, report

WEAK = {
    "name": "a",
    "version": "1.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"], "aliases": [], "description": ""}],
}
FINE = {"name": "b", "version": "2.0", "vulns": []}
SKIPPED = {"name": "c", "skip_reason": "Dependency not found on PyPI"}


def npm(vulnerabilities: Mapping[str, object]) -> str:
    metadata = {"dependencies": {"total": 7}}
    return json.dumps({"vulnerabilities": vulnerabilities, "metadata": metadata})


def test_answers_of_pip_audit() -> None:
    found = of_python("run.txt", json.dumps({"dependencies": [WEAK, FINE, SKIPPED]}), "")
    assert found.looked_up == 2
    assert found.weak == ["run.txt: a 1.0: PYSEC-1, mended in 1.1"]
    assert found.unknown == ["run.txt: c"]


@pytest.mark.parametrize("printed", ["", "[]", "{}", '{"message": "405 Method Not Allowed"}'])
def test_no_answer_is_not_a_good_one(printed: str) -> None:
    complained = "Traceback\n  File\nConnectionError: no route\n"
    for found in (of_python("run.txt", printed, complained), of_npm(printed, complained)):
        assert found.looked_up == 0
        assert found.unknown[0].endswith(": ConnectionError: no route")
        assert report(found) == 2


def test_answers_of_npm() -> None:
    known = {"left": {"range": "<2", "severity": "high", "fixAvailable": True}}
    assert of_npm(npm({}), "") == Findings(looked_up=7)
    assert of_npm(npm(known), "").weak == ["web/package-lock.json: left <2: high, mended"]


def test_a_weakness_counts_for_more_than_what_is_not_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert report(Findings(looked_up=3)) == 0
    assert report(Findings(3, ["run.txt: a 1.0: PYSEC-1"], ["run.txt: c"])) == 1
    assert "run.txt: a 1.0: PYSEC-1" in capsys.readouterr().out
