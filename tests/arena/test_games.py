"""One game of the arena: fair deals, and players that err, crash or dawdle."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.arena import (
    ArenaError,
    ArenaWork,
    Game,
    Incident,
    IncidentKind,
    Plan,
    Seating,
    Timing,
    Unit,
)
from meldwise.arena.contest import Results
from meldwise.arena.games import play_game
from meldwise.arena.plan import deal_seed, player_seed
from meldwise.arena.summary import summarise
from meldwise.game.actions import AskRedeal, Draw, Pass, Play, RoundAction
from meldwise.game.codes import Code
from meldwise.game.errors import RulesError
from meldwise.game.melds import Kind, Meld
from meldwise.game.presets import GAMES
from meldwise.game.rules import InvalidEnd, MatchEnd, MustPlay, Rules
from meldwise.game.tiles import parse_tiles
from meldwise.game.view import View
from meldwise.players import Means, create_player
from meldwise.players.base import Player
from tests.arena.conftest import AddPlayer

EASY = GAMES.find("pup-rummy").rules


# --- who sits where -----------------------------------------------------------


@pytest.mark.parametrize(
    ("entrants", "players", "seating", "arrangements"),
    [
        (2, 2, Seating.PAIRS, [[(0, 1), (1, 0)]]),
        (2, 4, Seating.PAIRS, [[(0, 1, 0, 1), (1, 0, 1, 0)]]),
        (
            2,
            3,
            Seating.PAIRS,
            [[(0, 1, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (0, 1, 1)]],
        ),
        (2, 4, Seating.ALONE, [[(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]]),
        (3, 3, Seating.TOGETHER, [[(0, 1, 2), (2, 0, 1), (1, 2, 0)]]),
        (3, 2, Seating.PAIRS, [[(0, 1), (1, 0)], [(0, 2), (2, 0)], [(1, 2), (2, 1)]]),
        (3, 2, Seating.ALONE, [[(0, 1), (1, 0)], [(0, 2), (2, 0)]]),
    ],
)
def test_arrangements(
    entrants: int, players: int, seating: Seating, arrangements: list[list[tuple[int, ...]]]
) -> None:
    plan = Plan(("plain",) * entrants, EASY, players=players, seating=seating)
    found = [sorted(pairing.arrangements) for pairing in plan.pairings]
    assert found == [sorted(ways) for ways in arrangements]


@given(st.integers(2, 5), st.integers(2, 4), st.sampled_from(Seating))
def test_everybody_sits_everywhere_equally_often(
    entrants: int, players: int, seating: Seating
) -> None:
    if seating is Seating.TOGETHER and entrants < players:
        return
    plan = Plan(("plain",) * entrants, EASY, players=players, seating=seating)
    for pairing in plan.pairings:
        assert len(set(pairing.arrangements)) == len(pairing.arrangements)
        for who in pairing.entrants:
            seats = [
                sum(way[seat] == who for way in pairing.arrangements) for seat in range(players)
            ]
            assert len(set(seats)) == 1
            assert seats[0] > 0


def test_too_few_entrants_are_refused() -> None:
    with pytest.raises(ArenaError) as found:
        Plan(("plain", "plain"), EASY, players=3, seating=Seating.TOGETHER)
    assert found.value.code is Code.ARENA_ENTRANTS
    assert (found.value.fields["have"], found.value.fields["need"]) == (2, 3)


def test_a_match_by_time_is_refused_and_a_round_of_it_is_not() -> None:
    rules = replace(EASY, match_end=MatchEnd.TIME, match_length=600)
    with pytest.raises(ArenaError) as found:
        Plan(("plain", "plain"), rules, matches=True)
    assert found.value.code is Code.ARENA_MATCH_BY_TIME
    assert len(play_game(Plan(("plain", "plain"), rules), (0, 1), 0).rounds) == 1


def test_a_number_of_players_that_the_rules_forbid_is_refused() -> None:
    with pytest.raises(RulesError):
        Plan(("plain", "plain"), GAMES.find("world-championship").rules, players=4)


def test_labels_tell_equal_entrants_apart() -> None:
    plan = Plan(("plain", "greedy", "plain"), EASY)
    assert plan.labels == ("plain", "greedy", "plain (2)")


def test_seeds_are_all_different() -> None:
    deals = {deal_seed("a", deal, number) for deal in range(30) for number in range(1, 30)}
    players = {player_seed("a", deal, seat) for deal in range(30) for seat in range(4)}
    assert len(deals) == 30 * 29
    assert len(players) == 120
    assert all(0 <= seed < 2**63 for seed in players)
    assert deal_seed("a", 0) != deal_seed("b", 0)


# --- the same deal ------------------------------------------------------------


@dataclass
class Watcher:
    """Draws, and remembers its first view."""

    seen: list[View]
    seconds: float | None = None
    asked: int = 0

    def choose(self, view: View) -> RoundAction:
        if not self.asked:
            self.seen.append(view)
        self.asked += 1
        assert view.seat is not None
        assert view.round is not None
        return Draw(view.seat) if view.round.stock else Pass(view.seat)


def test_seats_are_exchanged_and_the_deal_stays(add_player: AddPlayer) -> None:
    seen: list[View] = []
    add_player("watcher", lambda _: Watcher(seen))
    plan = Plan(("watcher", "watcher"), EASY)
    ArenaWork(plan).do((0, 5), None)
    ArenaWork(plan).do((0, 6), None)
    hands = [(view.seat, view.hand) for view in seen]
    assert hands[:2] == hands[2:4]
    assert hands[4:6] == hands[6:8]
    assert hands[0] != hands[4]


def test_players_do_not_see_whom_they_meet(add_player: AddPlayer) -> None:
    seen: list[View] = []
    add_player("watcher", lambda _: Watcher(seen))
    play_game(Plan(("watcher", "greedy"), EASY), (0, 1), 0)
    assert [player.seat.computer for player in seen[0].players] == [None, None]
    assert "greedy" not in repr(seen[0])


def test_players_get_their_own_seeds_and_the_clock(add_player: AddPlayer) -> None:
    given: list[Means] = []

    def make(means: Means) -> Player:
        given.append(means)
        return create_player("plain")

    add_player("noted", make)
    ticks = count()
    clock = lambda: float(next(ticks))  # noqa: E731
    play_game(Plan(("noted", "noted"), EASY, seed="s"), (0, 1), 3, clock)
    assert [means.seed for means in given] == [player_seed("s", 3, seat) for seat in (0, 1)]
    assert all(means.clock is clock for means in given)


def test_a_game_is_the_same_every_time() -> None:
    plan = Plan(("greedy", "plain"), EASY, players=4)
    assert play_game(plan, (0, 1, 0, 1), 7) == play_game(plan, (0, 1, 0, 1), 7)
    assert play_game(plan, (0, 1, 0, 1), 7) != play_game(plan, (0, 1, 0, 1), 8)


def test_scores_of_a_won_round_add_up_to_nothing() -> None:
    game = play_game(Plan(("greedy", "greedy"), EASY, players=3), (0, 1, 0), 1)
    (outcome,) = game.rounds
    assert not outcome.blocked
    assert game.winners == (outcome.winner,)
    assert sum(outcome.scores) == 0
    assert outcome.left[outcome.winner] == 0
    assert min(tiles for seat, tiles in enumerate(outcome.left) if seat != outcome.winner) > 0
    assert outcome.opened[outcome.winner] >= 1
    assert sum(outcome.opened) <= outcome.turns


def test_matches_end_as_the_rules_say() -> None:
    rules = replace(EASY, match_length=3)
    game = play_game(Plan(("greedy", "greedy"), rules, matches=True), (0, 1), 0)
    assert len(game.rounds) == 3
    best = max(game.totals)
    assert game.winners == tuple(s for s, total in enumerate(game.totals) if total == best)
    royal = GAMES.find("royal-200").rules
    game = play_game(Plan(("greedy", "greedy"), royal, matches=True), (0, 1), 0)
    assert max(game.totals) >= 200
    assert max(sum(r.scores[game.winners[0]] for r in game.rounds[:-1]), 0) < 200


def test_a_tied_match_is_shared() -> None:
    game = Game((0, 1), (0, 1), ())
    assert game.share(0) == game.share(1) == 0.5


@pytest.mark.parametrize("deal", [0, 1, 2])
def test_results_survive_the_way_through_json(deal: int) -> None:
    plan = Plan(("greedy", "greedy"), EASY)
    ticks = count()
    game = play_game(plan, (0, 1), deal, lambda: next(ticks) / 1024)
    assert all(timing.moves > 0 for timing in game.timings)
    game = replace(game, incidents=(Incident(IncidentKind.CRASH, 1, 1, 7, "boom"),))
    data = json.loads(json.dumps({"games": [game.as_data()]}))
    (read,) = Unit.from_data((0, deal), data).games
    assert replace(read, timings=()) == replace(game, timings=())
    for one, other in zip(read.timings, game.timings, strict=True):
        assert one.bins == other.bins
        assert one.total == pytest.approx(other.total, abs=1e-6)


# --- players that do wrong ----------------------------------------------------


@dataclass
class Wrong:
    """Does the same wrong thing at every turn."""

    answer: Any
    seconds: float | None = None
    closed: list[bool] = field(default_factory=list)

    def choose(self, view: View) -> RoundAction:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(view) if callable(self.answer) else self.answer  # type: ignore[no-any-return]

    def close(self) -> None:
        self.closed.append(True)


def _of_another(view: View) -> RoundAction:
    assert view.seat is not None
    return Draw(1 - view.seat)


def _illegal(view: View) -> RoundAction:
    """Two tiles are no meld."""
    assert view.seat is not None
    assert view.round is not None
    return Play(view.seat, (*view.round.table, Meld(Kind.RUN, view.hand[:2])))


def _not_held(view: View) -> RoundAction:
    """Three tiles of a kind of which only two exist."""
    assert view.seat is not None
    return Play(view.seat, (Meld(Kind.RUN, parse_tiles("r1 r1 r1")),))


def _passing(view: View) -> RoundAction:
    assert view.seat is not None
    return Pass(view.seat)


WRONGS = [
    (RuntimeError("boom"), IncidentKind.CRASH, "RuntimeError: boom"),
    (RecursionError(), IncidentKind.CRASH, "RecursionError: "),
    (TimeoutError("no answer"), IncidentKind.TIMEOUT, "TimeoutError: no answer"),
    ("rubbish", IncidentKind.NONSENSE, "str"),
    (None, IncidentKind.NONSENSE, "NoneType"),
    (_of_another, IncidentKind.NONSENSE, "Draw"),
    (lambda view: Play(view.seat, cast(Any, 7)), IncidentKind.NONSENSE, None),
    (lambda view: Play(view.seat, cast(Any, ("r1", None))), IncidentKind.NONSENSE, None),
    (_not_held, IncidentKind.REFUSED, "action.illegal_play"),
    (_passing, IncidentKind.REFUSED, "action.stock_not_empty"),
    (_illegal, IncidentKind.ILLEGAL, None),
    (lambda view: AskRedeal(view.seat), IncidentKind.REFUSED, "action.no_redeal"),
]


@pytest.mark.parametrize(("answer", "kind", "detail"), WRONGS)
def test_who_errs_loses_the_turn_and_the_game_goes_on(
    add_player: AddPlayer, answer: Any, kind: IncidentKind, detail: str | None
) -> None:
    made: list[Wrong] = []

    def make(_means: Means) -> Player:
        made.append(Wrong(answer))
        return made[-1]

    add_player("wrong", make)
    game = play_game(Plan(("wrong", "greedy"), EASY), (0, 1), 2)
    (outcome,) = game.rounds
    assert game.winners == (1,)
    assert outcome.opened[0] == 0
    assert {incident.seat for incident in game.incidents} == {0}
    assert {incident.kind for incident in game.incidents} == {kind}
    # At each of its turns; to pass is no error once the stock is empty.
    begin = 1 if outcome.first == 0 else 2
    wrong = len(game.incidents)
    assert [i.turn for i in game.incidents] == list(range(begin, begin + 2 * wrong, 2))
    assert wrong >= (outcome.turns - 6) // 2
    if detail is not None:
        assert {incident.detail for incident in game.incidents} == {detail}
    # A hand that only ever draws grows by one a turn, or by three where that is the penalty.
    each = EASY.penalty_tiles if kind is IncidentKind.ILLEGAL else 1
    assert outcome.left[0] <= EASY.hand_size + each * len(game.incidents)
    assert made[0].closed == [True]


_HELLO = "import sys, json, time\ninput(); print('{\"meldwise\": 1}', flush=True)\n"


@pytest.mark.parametrize(
    ("code", "kind", "detail"),
    [
        (_HELLO + "input(); time.sleep(60)", IncidentKind.TIMEOUT, "player.silent"),
        (_HELLO + "input(); sys.exit('boom')", IncidentKind.CRASH, "player.ended"),
        ("import no_such_module", IncidentKind.CRASH, "player.ended"),
        (
            _HELLO + "while input(): print('7', flush=True)",
            IncidentKind.NONSENSE,
            "player.nonsense",
        ),
        (
            _HELLO + 'while input(): print(\'{"action": "play", "table": ["r1-2-3", \''
            '\'"r1-2-3", "r1-2-3"]}\', flush=True)',
            IncidentKind.REFUSED,
            "player.illegal",
        ),
    ],
)
def test_programs_that_hang_end_or_babble_lose_their_turns(
    tmp_path: Path, code: str, kind: IncidentKind, detail: str
) -> None:
    program = tmp_path / "program.toml"
    script = tmp_path / "program.py"
    script.write_text(code, encoding="utf-8")
    command = json.dumps([sys.executable, "-S", str(script)])
    program.write_text(f"command = {command}\nseconds = 0.3\nrestarts = 1\n", encoding="utf-8")
    plan = Plan((f"process:file={program}", "greedy"), EASY)
    game = play_game(plan, (0, 1), 2)
    assert game.winners == (1,)
    assert game.incidents[0].kind is kind
    told = [(i.seat, i.kind, i.detail) for i in game.incidents]
    if kind is IncidentKind.REFUSED:
        # It only chose badly, so that it is asked at every turn.
        assert len(told) > 2
    else:
        # Two starts, and a last word; the turns after that are lost without another one.
        assert len(told) == 3
        assert told.pop() == (0, IncidentKind.GIVEN_UP, "player.given_up")
    assert set(told) == {(0, kind, detail)}
    assert game.rounds[0].turns > 20


def test_an_illegal_play_is_refused_where_the_rules_refuse_it(add_player: AddPlayer) -> None:
    add_player("wrong", lambda _: Wrong(_illegal))
    rules = replace(EASY, invalid_end=InvalidEnd.REFUSE)
    game = play_game(Plan(("wrong", "greedy"), rules), (0, 1), 2)
    assert {incident.kind for incident in game.incidents} == {IncidentKind.REFUSED}
    assert 14 < game.rounds[0].left[0] <= 14 + len(game.incidents)


def test_a_player_that_cannot_be_made_loses_all_its_turns(add_player: AddPlayer) -> None:
    def make(means: Means) -> Player:
        raise OSError("no such program")

    add_player("absent", make)
    game = play_game(Plan(("absent", "greedy"), EASY), (0, 1), 0)
    assert game.winners == (1,)
    (incident,) = game.incidents
    assert (incident.kind, incident.turn) == (IncidentKind.CRASH, 0)
    assert incident.detail == "OSError: no such program"


def test_who_errs_where_one_must_play_is_played_for(add_player: AddPlayer) -> None:
    add_player("wrong", lambda _: Wrong(None))
    rules = replace(EASY, must_play=MustPlay.ALWAYS)
    game = play_game(Plan(("wrong", "greedy"), rules), (0, 1), 2)
    assert game.rounds[0].opened[0] > 0
    assert {incident.kind for incident in game.incidents} == {IncidentKind.NONSENSE}


def test_asking_for_one_deal_after_the_other_ends(add_player: AddPlayer) -> None:
    add_player("asks", lambda _: Wrong(lambda view: AskRedeal(view.seat)))
    add_player("draws", lambda _: Watcher([]))
    rules = replace(EASY, redeal_pairs=1)
    game = play_game(Plan(("asks", "draws"), rules), (0, 1), 0)
    kinds = {incident.kind for incident in game.incidents}
    assert IncidentKind.STALLED in kinds or IncidentKind.REFUSED in kinds
    assert game.rounds[0].turns > 20


def test_strange_texts_of_exceptions_are_written_out(add_player: AddPlayer) -> None:
    add_player("wrong", lambda _: Wrong(ValueError("\x1b[2J\n\ud800" + "x" * 500)))
    (first, *_) = play_game(Plan(("wrong", "greedy"), EASY), (0, 1), 2).incidents
    assert first.detail.startswith("ValueError: \\x1b[2J\\n\\ud800xxx")
    assert len(first.detail) == 200


def test_incidents_are_told_with_what_plays_them_again(add_player: AddPlayer) -> None:
    add_player("wrong", lambda _: Wrong(None))
    plan = Plan(("greedy", "wrong"), EASY)
    units = [Unit.from_data((0, deal), ArenaWork(plan).do((0, deal), None)) for deal in (4, 5)]
    summary = summarise(Results(plan, 2, 4, tuple(units)))
    noted = summary.incidents[0]
    assert (noted.entrant, noted.deal, noted.seats) == (1, 4, (0, 1))
    again = play_game(plan, noted.seats, noted.deal)
    assert again.incidents[0] == noted.incident
    assert summary.entrants[1].incidents == {IncidentKind.NONSENSE: len(summary.incidents)}
    assert summary.entrants[0].incidents == {}


# --- times --------------------------------------------------------------------


def test_times_are_counted_and_overruns_told(add_player: AddPlayer) -> None:
    now = [0.0]

    @dataclass
    class Slow:
        """Takes 1.1, 1.3, 1.1, … seconds of a budget of one."""

        seconds: float | None = 1.0
        turns: int = 0

        def choose(self, view: View) -> RoundAction:
            self.turns += 1
            now[0] += 1.3 if self.turns % 2 == 0 else 1.1
            assert view.seat is not None
            return Draw(view.seat)

    add_player("slow", lambda _: Slow())
    game = play_game(Plan(("slow", "greedy"), EASY), (0, 1), 2, lambda: now[0])
    slow, greedy = game.timings
    assert slow.budget == 1.0
    assert slow.worst == pytest.approx(1.3)
    assert slow.overruns == slow.moves // 2
    assert slow.mean == pytest.approx(slow.total / slow.moves)
    assert greedy.total == 0.0
    assert greedy.budget is None
    assert greedy.moves + slow.moves == game.rounds[0].turns


def test_quantiles_of_times_are_right_to_five_per_cent() -> None:
    timing = Timing()
    for number in range(1, 1001):
        timing.add(number / 1000)
    for share in (0.1, 0.5, 0.95):
        assert share <= timing.quantile(share) <= 1.051 * share
    assert timing.quantile(1.0) == timing.worst == 1.0
    assert timing.mean == pytest.approx(0.5005)


@given(st.lists(st.floats(1e-6, 1e3), max_size=50), st.lists(st.floats(1e-6, 1e3), max_size=50))
def test_times_can_be_added_up_in_parts(first: list[float], second: list[float]) -> None:
    whole, one, two = Timing(budget=0.5), Timing(budget=0.5), Timing()
    two.budget = 0.5
    for seconds in first:
        whole.add(seconds)
        one.add(seconds)
    for seconds in second:
        whole.add(seconds)
        two.add(seconds)
    one.include(two)
    assert one.bins == whole.bins
    assert (one.moves, one.worst, one.overruns) == (whole.moves, whole.worst, whole.overruns)
    assert one.total == pytest.approx(whole.total)


def test_rules_value_used_here_penalises() -> None:
    """What the test of an illegal play rests on."""
    assert EASY.invalid_end is InvalidEnd.PENALTY
    assert Rules().must_play is MustPlay.NEVER
