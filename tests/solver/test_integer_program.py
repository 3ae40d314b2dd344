"""The solver against an integer program solved by HiGHS."""

from __future__ import annotations

from bench.common.agreement import disagreements


def test_solver_and_integer_program_agree() -> None:
    counts, wrong = disagreements(240, seed=11)
    assert wrong == []
    assert counts["playable"] > 100
