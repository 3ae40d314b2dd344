"""Contests: the same results however they come about, and what is said of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path

import pytest

from meldwise.arena import Decision, Inline, Plan, Seating, Sequential, Store, Unit
from meldwise.arena.contest import Contest, Results
from meldwise.arena.report import contest_data, contest_page
from meldwise.arena.results import Game, RoundOutcome
from meldwise.arena.run import Work
from meldwise.arena.summary import summarise
from meldwise.game.presets import GAMES

EASY = GAMES.find("pup-rummy").rules
PLAN = Plan(("greedy", "plain"), EASY, "Pup Rummy", seed="contest")


def played(contest: Contest, executor: Callable[[], Executor] = Inline) -> Results:
    contest.play(executor, 1)
    return contest.results()


def test_results_are_those_of_the_seed(tmp_path: Path) -> None:
    whole = played(Contest(PLAN, 6))
    assert whole == played(Contest(PLAN, 6))
    assert whole.complete
    assert [unit.key for unit in whole.units] == [(0, deal) for deal in range(6)]
    later = played(Contest(PLAN, 2, first_deal=4))
    assert later.units == whole.units[4:]


def test_going_on_with_a_store_gives_the_same(tmp_path: Path) -> None:
    whole = played(Contest(PLAN, 6))
    path = tmp_path / "store.jsonl"
    with Store(path, "arena", PLAN.as_dict()) as store:
        contest = Contest(PLAN, 6, store=store)
        contest.play(Inline, 1, progress=lambda unit: unit.deal < 2)
        partly = contest.results()
        assert not partly.complete
        assert partly.units == whole.units[:3]
    with Store(path, "arena", PLAN.as_dict()) as store:
        contest = Contest(PLAN, 6, store=store)
        assert contest.units_done == 3
        assert contest.left == [(0, 3), (0, 4), (0, 5)]
        assert played(contest).units == whole.units


def test_more_deals_can_be_asked_of_a_store(tmp_path: Path) -> None:
    path = tmp_path / "store.jsonl"
    with Store(path, "arena", PLAN.as_dict()) as store:
        played(Contest(PLAN, 2, store=store))
    with Store(path, "arena", PLAN.as_dict()) as store:
        contest = Contest(PLAN, 4, store=store)
        assert contest.left == [(0, 2), (0, 3)]
        assert played(contest).units == played(Contest(PLAN, 4)).units
        fewer = Contest(PLAN, 1, store=store)
        assert fewer.left == []
        assert len(fewer.results().units) == 1


def test_all_pairings_play_the_same_deals() -> None:
    plan = Plan(("greedy", "plain", "greedy"), EASY)
    results = played(Contest(plan, 2))
    assert [unit.key for unit in results.units] == [
        (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1),
    ]  # fmt: skip
    first = [unit.games[0].rounds[0].first for unit in results.units]
    assert first[0::2] == [first[0]] * 3


# --- the sequential test ------------------------------------------------------


def fake(deal: int, chance: float) -> Unit:
    """A deal of which the first entrant wins both games or one, by chance."""
    both = random.Random(deal).random() < chance
    rounds = (RoundOutcome(0, 0, False, 10, (5, -5), (1, 1), (0, 3)),)
    lost = (RoundOutcome(0, 0, False, 10, (5, -5), (1, 1), (0, 3)),)
    games = (Game((0, 1), (0,), rounds), Game((1, 0), (1 if both else 0,), lost))
    return Unit(0, deal, games)


def test_the_deal_that_decides_does_not_depend_on_the_order_of_the_results(
    tmp_path: Path,
) -> None:
    units = [fake(deal, 0.6) for deal in range(300)]
    found = []
    for order in range(4):
        path = tmp_path / f"{order}.jsonl"
        shuffled = list(units)
        if order:
            random.Random(order).shuffle(shuffled)
        with Store(path, "arena", PLAN.as_dict()) as store:
            for unit in shuffled:
                store.add(unit.key, {"games": [game.as_data() for game in unit.games]})
        with Store(path, "arena", PLAN.as_dict()) as store:
            contest = Contest(PLAN, 300, store=store, sequential=Sequential(0, 100))
            assert contest.left == []
            found.append(contest.results())
    assert found[0].standing is not None
    assert found[0].standing.decision is Decision.STRONGER
    assert len(found[0].units) == found[0].standing.deals < 300
    assert found[0].complete
    assert all(results == found[0] for results in found)


def test_a_test_that_decides_ends_the_playing() -> None:
    contest = Contest(PLAN, 400, sequential=Sequential(0, 100))
    results = played(contest)
    assert results.standing is not None
    assert results.standing.decision is Decision.STRONGER
    assert len(results.units) == results.standing.deals
    assert contest.units_done < 60
    assert contest.left == []


# --- what is said -------------------------------------------------------------


def outcome(
    winner: int, turns: int, scores: tuple[int, ...], left: tuple[int, ...]
) -> RoundOutcome:
    return RoundOutcome(0, winner, False, turns, scores, (2, 4), left)


def two_deals() -> Results:
    """Worked out by hand: the first entrant wins both games of one deal, and one of the other."""
    units = (
        Unit(
            0,
            0,
            (
                Game((0, 1), (0,), (outcome(0, 20, (12, -12), (0, 3)),)),
                Game((1, 0), (1,), (outcome(1, 24, (-8, 8), (2, 0)),)),
            ),
        ),
        Unit(
            0,
            1,
            (
                Game((0, 1), (0,), (outcome(0, 30, (20, -20), (0, 5)),)),
                Game((1, 0), (0,), (outcome(0, 31, (4, -4), (0, 1)),)),
            ),
        ),
    )
    return Results(PLAN, 2, 0, units)


def test_a_summary_worked_out_by_hand() -> None:
    summary = summarise(two_deals())
    first, second = summary.entrants
    (pair,) = summary.pairs
    assert (summary.games, summary.rounds, pair.deals, pair.games) == (4, 4, 2, 4)
    assert summary.anchor == 0
    assert first.wins is not None
    assert second.wins is not None
    assert (first.wins.value, second.wins.value, first.wins.count) == (0.75, 0.25, 2)
    assert first.fair == second.fair == pair.fair == 0.5
    assert first.score is not None
    assert first.score.value == (12 + 8 + 20 - 4) / 4
    assert pair.ahead is not None
    assert pair.ahead.value == (24 + 16 + 40 - 8) / 4
    # The sums of the deals are 40 and 32 of 2 each: 20 and 16, mean 18, standard error 2.
    assert pair.ahead.margin == pytest.approx(2 * 12.7062, rel=1e-4)
    assert summary.turns is not None
    assert summary.turns.value == 105 / 4
    assert summary.lengths == {20: 2, 30: 2}
    assert summary.first_wins is not None
    assert summary.first_wins.value == 0.75
    assert first.left is not None
    assert first.left.value == 1
    assert first.tiles_left == {1: 1}
    assert second.tiles_left == {2: 1, 3: 1, 5: 1}
    assert first.openings == {2: 2, 4: 2}
    assert first.opened is not None
    assert first.opened.value == 3
    assert first.scores == {-10: 1, 0: 1, 10: 1, 20: 1}
    assert first.turns is not None
    assert first.turns.value == (20 + 24 + 30) / 3
    assert first.timing is None


def test_elo_is_measured_from_whom_one_wants() -> None:
    summary = summarise(two_deals(), anchor=1)
    assert summary.entrants[1].elo is not None
    assert summary.entrants[1].elo.value == 0
    assert summary.entrants[0].elo is not None
    assert summary.entrants[0].elo.value > 0


def test_nothing_played_can_be_told() -> None:
    summary = summarise(Results(PLAN, 2, 0, ()))
    data = contest_data(summary)
    assert data["games"] == 0
    assert data["pairs"][0]["wins"] is None
    assert data["complete"] is False
    assert "<h2>Wins</h2>" in contest_page(summary)


def test_data_of_one_deal_has_no_infinite_numbers() -> None:
    summary = summarise(Results(PLAN, 1, 0, two_deals().units[:1]))
    data = contest_data(summary)
    assert data["pairs"][0]["ahead"] == {"value": 20.0, "low": None, "high": None, "of": 1}
    assert "unknown" in contest_page(summary)


def test_one_against_three_and_together() -> None:
    alone = Plan(("greedy", "plain"), EASY, players=4, seating=Seating.ALONE)
    summary = summarise(played(Contest(alone, 1)))
    assert summary.pairs[0].games == 4
    assert summary.pairs[0].fair == 0.25
    assert summary.entrants[1].fair == 0.75
    together = Plan(("greedy", "plain", "greedy"), EASY, players=3, seating=Seating.TOGETHER)
    summary = summarise(played(Contest(together, 1)))
    assert summary.pairs[0].games == 3
    shares = [entrant.wins.value for entrant in summary.entrants if entrant.wins is not None]
    assert sum(shares) == pytest.approx(1)


def test_work_is_what_workers_take() -> None:
    from meldwise.arena import ArenaWork

    work: Work = ArenaWork(PLAN)
    assert set(work.do((0, 0), None)) == {"games"}
