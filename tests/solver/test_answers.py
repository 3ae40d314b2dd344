"""Answers, errors, budgets and objectives."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from meldwise.game.codes import MEANINGS, Code
from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.game.tiles import JOKER, Tile
from meldwise.game.turn import judge
from meldwise.solver import (
    GOING_OUT,
    HIGHEST_VALUE,
    MOST_TILES,
    Objective,
    ObjectiveError,
    PositionError,
    SolverOracle,
    UnarrangeableError,
    arrange,
    best_play,
    best_plays,
    can_play,
    playable,
    plays,
)
from meldwise.solver.budget import Budget
from meldwise.solver.core import Problem
from tests.solver.sets import lines

FREE = Rules().with_joker_level(0)


def test_every_code_of_the_solver_has_a_meaning() -> None:
    codes = [code for code in Code if code.startswith("solver.")]
    assert codes
    assert all(MEANINGS[code] for code in codes)


def test_nothing_to_play_is_proven() -> None:
    answer = best_play(Position.parse("r5-6-7 / r9 b9"), FREE)
    assert answer.play is None
    assert answer.proven
    assert answer.total is None
    assert not SolverOracle().can_play(Position.parse("r5-6-7 / r9 b9"), FREE)


def test_a_tile_can_be_held_back() -> None:
    keep = Objective.weighing({Tile.parse("r8"): -5}, default=1)
    position = Position.parse("r5-6-7 / r8 r4")
    play = best_play(position, FREE, keep).play
    assert play is not None
    assert play.played == (Tile.parse("r4"),)


def test_a_play_that_costs_is_a_play_all_the_same() -> None:
    costs = Objective.weighing({}, default=-2)
    play = best_play(Position.parse("r5-6-7 / r8 r4"), FREE, costs).play
    assert play is not None
    assert play.value == (-2,)


def test_going_out_comes_first() -> None:
    # Two of the three are worth less than the third alone with these weights.
    position = Position.parse("r5-6-7 b7-8-9 / r8 r4 b6")
    costs = Objective(((-1,) * 53,), going_out=True)
    play = best_play(position, FREE, costs).play
    assert play is not None
    assert len(play.played) == 3
    assert GOING_OUT.going_out


def test_joker_weights_count() -> None:
    position = Position.parse("r5-6-7 / r9 *")
    assert best_play(position, FREE, HIGHEST_VALUE).play.value == (39,)  # type: ignore[union-attr]
    stingy = Objective.weighing({JOKER: -1}, default=1)
    play = best_play(position, FREE, stingy).play
    assert play is not None
    assert play.value == (0,)


def test_an_opening_leaves_the_table_alone() -> None:
    position = Position.parse("r5-6-7 / r8 r10 r11 r12 / unopened")
    play = best_play(position, FREE).play
    assert play is not None
    assert str(play) == "r5-6-7 r10-11-12 (r10 r11 r12)"
    moves = replace(FREE, opening_table_moves=True)
    play = best_play(position, moves).play
    assert play is not None
    assert len(play.played) == 4
    assert judge(position, play.table, moves).legal


def test_fewer_tiles_can_be_the_only_opening() -> None:
    # Five tiles with the joker low are worth 27; four with it high are worth 36.
    position = Position.parse("/ r1 r2 b4 b5 b6 r12 r13 * / unopened")
    play = best_play(position, replace(FREE, opening_minimum=35)).play
    assert play is not None
    assert judge(position, play.table, replace(FREE, opening_minimum=35)).legal


@pytest.mark.parametrize("solve", [best_play, can_play, playable])
def test_more_tiles_than_the_box_holds_are_refused(solve: object) -> None:
    for text in ("r5-6-7 / r5 r5", "r4-*-6 / * *"):
        with pytest.raises(PositionError) as caught:
            solve(Position.parse(text), FREE)  # type: ignore[operator]
        assert caught.value.code is Code.SOLVER_TOO_MANY_TILES


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(PositionError) as caught:
        best_play(Position(("r5-6-7",), ()), FREE)  # type: ignore[arg-type]
    assert caught.value.code is Code.SOLVER_NOT_A_POSITION


def test_a_joker_without_a_role_is_refused_where_roles_count() -> None:
    position = Position.parse("run(r5,*,b9) r10-11-12 / r8")
    with pytest.raises(PositionError) as caught:
        best_play(position, Rules())
    assert caught.value.code is Code.SOLVER_INVALID_MELD


def test_a_table_in_disorder_is_arranged_or_said_to_be_unarrangeable() -> None:
    good = Position.parse("run(r5,b6,r7) run(b5,r6,b7) / r8")
    play = best_play(good, FREE).play
    assert play is not None
    assert judge(good, play.table, FREE).legal
    with pytest.raises(UnarrangeableError) as caught:
        best_play(Position.parse("run(r5,b9,k1) / r8"), FREE)
    assert caught.value.code is Code.SOLVER_UNARRANGEABLE
    # It can be arranged, but not while something is played.
    assert best_play(Position.parse("run(r5,r7,r6) / k9"), FREE).play is None


def test_objectives_are_checked() -> None:
    with pytest.raises(ObjectiveError):
        Objective(((1, 2, 3),))
    with pytest.raises(ObjectiveError):
        Objective.weighing({JOKER: 10_000_000})
    with pytest.raises(ObjectiveError):
        MOST_TILES.then(MOST_TILES).then(MOST_TILES).then(MOST_TILES)

    for wrong in ({"r5": 2}, {Tile.parse("r5"): 2.5}):
        with pytest.raises(ObjectiveError):
            Objective.weighing(wrong)  # type: ignore[arg-type]
    with pytest.raises(ObjectiveError):
        best_play(Position.parse("r5-6-7 / r8"), FREE, "tiles")  # type: ignore[arg-type]
    assert Objective([[1] * 53]) == MOST_TILES  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "budget",
    [
        {"nodes": -1},
        {"nodes": 1.5},
        {"nodes": "many"},
        {"nodes": 10**30},
        {"seconds": 0.0, "clock": lambda: 0.0},
        {"seconds": float("nan"), "clock": lambda: 0.0},
        {"seconds": "long", "clock": lambda: 0.0},
        {"seconds": 1.0},
    ],
)
def test_budgets_are_checked(budget: dict[str, object]) -> None:
    with pytest.raises(ObjectiveError) as caught:
        best_play(Position.parse("r5-6-7 / r8"), FREE, **budget)  # type: ignore[arg-type]
    assert caught.value.code is Code.SOLVER_BUDGET


def test_counts_are_checked_at_once() -> None:
    position = Position.parse("r5-6-7 / r8")
    for threads in (0, 1.5):
        with pytest.raises(ObjectiveError):
            best_plays([position], FREE, threads=threads)  # type: ignore[arg-type]
    with pytest.raises(ObjectiveError):
        best_plays([position], FREE, nodes=-1)
    with pytest.raises(ObjectiveError):
        plays(position, FREE, -1)


@pytest.mark.parametrize("wrong", ["r5-6-7 / r5 r5", "run(r5,b9,k1) / r8"])
def test_a_batch_answers_what_lies_before_an_error(wrong: str) -> None:
    good = Position.parse("r5-6-7 / r8")
    found = best_plays([good, good, Position.parse(wrong), good], FREE)
    assert next(found) == next(found) == best_play(good, FREE)
    with pytest.raises(PositionError):
        next(found)


def test_an_opening_leaves_a_table_in_disorder_as_it_is() -> None:
    position = Position.parse("run(r5,b6,r7) / r10 r11 r12 / unopened")
    found = arrange(position, FREE, position.hand)
    assert (found.kept, found.tiles_moved, len(found.steps)) == ((0,), 0, 1)


def test_answers_can_be_sent_to_other_processes() -> None:
    position = Position.parse("r5-6-7 / r8 b9")
    for answer in (
        best_play(position, FREE),
        playable(position, FREE),
        arrange(position, FREE, (Tile.parse("r8"),)),
    ):
        assert pickle.loads(pickle.dumps(answer)) == answer


def test_a_clock_that_runs_out_leaves_the_best_so_far() -> None:
    hard = max(
        (position for position, _ in lines("adversarial")),
        key=lambda position: best_play(position, FREE).nodes,
    )
    full = best_play(hard, FREE)
    ticks = iter(range(1_000_000))
    short = best_play(hard, FREE, seconds=1.0, clock=lambda: float(next(ticks)))
    assert short.nodes < full.nodes
    assert not short.proven
    assert short.gap > 0 or short.play is None
    assert short.bound >= (full.total or 0)


def test_a_slow_clock_lets_the_search_finish() -> None:
    hard = max(
        (position for position, _ in lines("adversarial")),
        key=lambda position: best_play(position, FREE).nodes,
    )
    ticks = iter(range(1_000_000))
    answer = best_play(hard, FREE, seconds=1000.0, clock=lambda: float(next(ticks)))
    assert answer.proven
    assert answer.total == best_play(hard, FREE).total
    assert answer.nodes > 2_000


def test_a_search_that_has_enough_ends_though_there_is_time() -> None:
    may = [1] * 13 + [0] * 40
    problem = Problem([0] * 53, may, [1] * 53, 0, 0, 1)
    ticks = iter(range(1_000_000))
    budget = Budget(seconds=1000.0, clock=lambda: float(next(ticks)))
    found = problem.solve(budget, floor=4, target=4)
    assert found.gain is None
    assert found.bound == 13
    assert not budget.used_up
    assert problem.solve(budget, floor=4).gain == 13


def test_only_tiles_that_can_be_played_are_arranged() -> None:
    position = Position.parse("r5-6-7 / r9 r8")
    for tiles in ((Tile.parse("r9"),), (Tile.parse("k1"),), ()):
        with pytest.raises(PositionError) as caught:
            arrange(position, FREE, tiles)
        assert caught.value.code is Code.SOLVER_NOT_THESE_TILES


def test_an_arrangement_tells_its_steps() -> None:
    position = Position.parse("r5-6-7-8 b8-9-10-11 k1-2-3 / k8")
    found = arrange(position, FREE, (Tile.parse("k8"),))
    assert found.kept == (2,)
    assert found.proven
    assert (found.jokers_moved, found.tiles_moved) == (0, 2)
    assert [str(step) for step in found.steps] == [
        "r5-6-7: keep r5 r6 r7 from meld 1",
        "b9-10-11: keep b9 b10 b11 from meld 2",
        "8rkb: r8 from meld 1, b8 from meld 2, k8 from hand",
    ]


def test_an_arranged_opening_keeps_the_whole_table() -> None:
    position = Position.parse("r5-6-7 / r10 r11 r12 / unopened")
    found = arrange(position, FREE, position.hand)
    assert found.kept == (0,)
    assert found.proven
    assert [str(step) for step in found.steps] == ["r10-11-12: r10 r11 r12 from hand"]


def test_an_arrangement_that_is_cut_short_claims_nothing() -> None:
    position, _ = max(lines("synthetic"), key=lambda line: len(line[0].table))
    play = best_play(position, FREE).play
    assert play is not None
    full = arrange(position, FREE, play.played, nodes=0)
    short = arrange(position, FREE, play.played, nodes=1)
    assert full.proven
    assert not short.proven
    assert judge(position, short.table, FREE).legal
    assert len(short.kept) <= len(full.kept)
    with pytest.raises(ObjectiveError):
        arrange(position, FREE, play.played, nodes=-1)


def test_steps_follow_the_best_way_to_take_places() -> None:
    # Both parts of the old run could take its place: the longer one does.
    position = Position.parse("r1-2-3-4-5-6-7-8 / r4")
    found = arrange(position, FREE, position.hand)
    assert (found.kept, found.jokers_moved, found.tiles_moved) == ((), 0, 3)
    assert [str(step) for step in found.steps] == [
        "r4-5-6-7-8: keep r4 r5 r6 r7 r8 from meld 1",
        "r1-2-3-4: r1 r2 r3 from meld 1, r4 from hand",
    ]


def test_a_joker_that_stays_outweighs_tiles_that_move() -> None:
    position = Position.parse("r4-*-6 r7-8-9 / r10 b5 k5")
    found = arrange(position, FREE, (Tile.parse("r10"),))
    assert found.jokers_moved == 0
    assert found.kept == (0,)
