"""No hidden tile is reachable from what leaves the host's hands."""

from __future__ import annotations

import dataclasses
import gc
import types
from collections.abc import Iterator
from enum import Enum
from random import Random

import pytest

from meldwise.game.actions import Play, TimeOut
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.events import Dealt, Drew, Event, Penalised, seen_by
from meldwise.game.match import Match, Seat
from meldwise.game.melds import Kind, Meld
from meldwise.game.round import Round
from meldwise.game.rules import Rules
from meldwise.game.session import Session
from meldwise.game.shuffle import Seeds
from meldwise.game.tiles import Tile
from meldwise.game.view import HandView, View, hand_of, view_of
from meldwise.players.plain import PlainPlayer
from tests.rounds import seeds

PLAIN = (str, bytes, int, float, bool, type(None))


# --- what can be reached ------------------------------------------------------------------


def reachable(root: object) -> list[object]:
    """Every object that can be reached from one, by fields, slots, items and closures.

    Classes, modules and functions of the package are where the walk ends, since what hangs
    on them (all faces of the box, caches of melds) is the same for everybody; but what a
    function has closed over is looked at.
    """
    seen: dict[int, object] = {}
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        waiting += _inside(value)
    return list(seen.values())


def _inside(value: object) -> Iterator[object]:
    if isinstance(value, (*PLAIN, type, types.ModuleType, Enum)):
        return
    if isinstance(value, types.FunctionType):
        yield from (cell.cell_contents for cell in value.__closure__ or ())
        yield from value.__defaults__ or ()
        return
    if isinstance(value, types.MethodType):
        yield value.__self__
        return
    # A slotted value refers to its fields, a container to its items, an object to its dict.
    for inner in gc.get_referents(value):
        if not isinstance(inner, type | types.ModuleType):
            yield inner


def plain(value: object) -> object:
    """A value as JSON has it, found by the public fields alone."""
    if isinstance(value, Tile | Meld):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, PLAIN):
        return value
    if dataclasses.is_dataclass(value):
        return {
            spec.name: plain(getattr(value, spec.name))
            for spec in dataclasses.fields(value)
            if not spec.name.startswith("_")
        }
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    raise AssertionError(f"{type(value)} in a view")


def texts(value: object) -> Iterator[str]:
    """All the texts of plain data."""
    if isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value


def _groups(value: object) -> Iterator[tuple[Tile, ...]]:
    """The tuples of tiles among reachable objects: hands, stocks and the like."""
    for item in reachable(value):
        if isinstance(item, tuple | list) and item and all(isinstance(x, Tile) for x in item):
            yield tuple(item)


# --- the positions that are looked at -------------------------------------------------------


def positions(rules: Rules, players: int, number: int) -> Iterator[tuple[Match, list[Event]]]:
    """Every state of a whole round with penalties in it, and the events that led there."""
    names = [Seat(name) for name in "ABCD"[:players]]
    session = Session.new("any", rules, names)
    events = list(session.start_round(seeds(players, number)))
    yield session.match, events
    random = Random(number)
    while (state := session.match.running) is not None:
        action = PlainPlayer().choose(view_of(session.match, state.seat))
        if random.random() < 0.1:
            wrong = (*state.table, Meld(Kind.SET, state.hands[state.seat][:2]))
            make = TimeOut if random.random() < 0.5 else Play
            action = make(state.seat, wrong)
        events = list(session.apply(action))
        yield session.match, events


RULES = [
    Rules(timer=60, match_length=2),
    Rules(timer=60, match_length=2, hand_size=24, penalty_skips=1, redeal_pairs=7),
    Rules(timer=60, match_length=1, hand_size=5, jokers=4, last_turns=True),
]


def _hidden(state: Round, seat: int | None) -> list[tuple[Tile, ...]]:
    """The hands and the stock that a viewer may not know."""
    return [hand for place, hand in enumerate(state.hands) if place != seat]


@pytest.mark.parametrize("number", range(len(RULES)))
def test_view_reaches_no_hidden_object(number: int) -> None:
    """Neither the match nor the round, a hand, the stock or a seed hangs on a view."""
    rules = RULES[number]
    looked = 0
    for match, _ in positions(rules, 2 + number, number):
        state = match.round
        assert state is not None
        looked += 1
        if state.result is not None or (looked > 5 and looked % 7):
            continue
        for seat in (None, *range(2 + number)):
            view = view_of(match, seat)
            if seat is not None and view.round is not None:
                assert hand_of(match, seat) == HandView(view.hand, view.round.may_redeal)
            found = reachable(view)
            kinds = {type(item) for item in found}
            assert Match not in kinds
            assert Round not in kinds
            assert Seeds not in kinds
            assert Session not in kinds
            there = {id(item) for item in found}
            for hand in _hidden(state, seat):
                assert id(hand) not in there
            assert not state.stock or id(state.stock) not in there
            assert state.seeds.server not in [item for item in found if isinstance(item, bytes)]
    assert looked > 20


@pytest.mark.parametrize("number", range(len(RULES)))
def test_view_holds_no_group_of_tiles_that_is_not_public(number: int) -> None:
    """Every tuple of tiles in a view is the own hand, or lay on the table, or was shown."""
    rules = RULES[number]
    players = 2 + number
    public: set[tuple[Tile, ...]] = set()
    looked = 0
    for match, events in positions(rules, players, 50 + number):
        state = match.round
        assert state is not None
        for event in events:
            if not isinstance(event, Dealt | Drew | Penalised):
                public |= {tuple(group) for group in _groups(event)}
        looked += 1
        if state.result is not None or (looked > 5 and looked % 7):
            continue
        for meld in state.table:
            public |= set(_groups(meld))
        for seat in (None, *range(players)):
            own = {state.hands[seat]} if seat is not None else set()
            for group in _groups(view_of(match, seat)):
                assert group in public | own, (seat, group)


@pytest.mark.parametrize("number", range(len(RULES)))
def test_events_tell_each_seat_its_own_tiles_only(number: int) -> None:
    rules = RULES[number]
    players = 2 + number
    penalties = 0
    for match, events in positions(rules, players, 100 + number):
        state = match.round
        assert state is not None
        for event in events:
            for seat in (None, *range(players)):
                told = seen_by(event, seat)
                assert type(told) is type(event)
                if isinstance(event, Dealt):
                    assert isinstance(told, Dealt)
                    for place, hand in enumerate(told.hands):
                        assert hand == (event.hands[place] if place == seat else None)
                    assert list(_groups(told)) == ([] if seat is None else [event.hands[seat]])
                elif isinstance(event, Drew | Penalised):
                    penalties += isinstance(event, Penalised)
                    if seat == event.seat:
                        assert told == event
                    else:
                        assert isinstance(told, Drew | Penalised)
                        assert not [item for item in reachable(told) if isinstance(item, Tile)]
                        # How many is public.
                        assert (told.count, told.stock) == (event.count, event.stock)
                else:
                    assert told == event
    assert penalties > 0


@pytest.mark.parametrize("number", range(len(RULES)))
def test_view_as_plain_data_names_no_hidden_tile(number: int) -> None:
    """As JSON: the number of tiles named is that of the public ones and the own hand."""
    rules = RULES[number]
    players = 2 + number
    for match, _ in positions(rules, players, 150 + number):
        state = match.round
        assert state is not None
        if state.result is not None:
            continue
        for seat in (None, *range(players)):
            view = view_of(match, seat)
            data = plain(view)
            assert isinstance(data, dict)
            assert state.seeds.server.hex() not in set(texts(data))
            own = [] if seat is None else [str(tile) for tile in state.hands[seat]]
            assert data["hand"] == own
            shown = data["round"]
            assert isinstance(shown, dict)
            assert shown["stock"] == len(state.stock)
            assert shown["seeds"] is None
            assert shown["result"] is None
            assert [player["tiles"] for player in data["players"]] == [
                len(hand) for hand in state.hands
            ]
            for event in view.round.history if view.round is not None else ():
                assert event == seen_by(event, None)


def test_view_is_the_same_whatever_is_hidden() -> None:
    """Exchanging the hidden tiles changes nothing that a seat or a spectator sees."""
    for match, _ in positions(RULES[0], 3, 7):
        state = match.round
        assert state is not None
        if state.result is not None:
            break
        for seat in (None, 0, 1, 2):
            others = [place for place in range(3) if place != seat]
            pool = [tile for place in others for tile in state.hands[place]] + list(state.stock)
            Random(state.turn).shuffle(pool)
            hands = list(state.hands)
            for place in others:
                size = len(hands[place])
                hands[place], pool = tuple(sorted(pool[:size])), pool[size:]
            changed = dataclasses.replace(
                state, hands=tuple(hands), stock=tuple(pool), seeds=seeds(3, 12345)
            )
            other = dataclasses.replace(match, round=changed)
            assert view_of(other, seat) == view_of(match, seat)


def test_view_of_a_refused_play_is_the_players_own_concern() -> None:
    """The error of an illegal play names tiles of the table and of the own hand only."""
    match, _ = next(positions(Rules(invalid_end="refuse"), 2, 3))  # type: ignore[arg-type]
    state = match.running
    assert state is not None
    wrong = (Meld(Kind.SET, state.hands[state.seat][:2]),)
    with pytest.raises(ActionError) as caught:
        match.apply(Play(state.seat, wrong))
    verdict = caught.value.verdict
    assert verdict is not None
    there = {id(item) for item in reachable(verdict)}
    assert id(state.hands[1 - state.seat]) not in there
    assert id(state.stock) not in there


def test_view_reveals_all_after_the_round() -> None:
    last: Match | None = None
    for match, _ in positions(RULES[0], 2, 11):
        last = match
    assert last is not None
    assert last.round is not None
    for seat in (None, 0, 1):
        view = view_of(last, seat)
        assert view.round is not None
        assert view.round.seeds == last.round.seeds
        assert view.round.result is not None
        assert view.round.result.hands == last.round.hands
        assert view.results == last.results


def test_view_says_whose_turn_it_is() -> None:
    match, _ = next(positions(RULES[0], 2, 12))
    assert match.round is not None
    turn = match.round.seat
    views: list[View] = [view_of(match, seat) for seat in (0, 1)]
    assert [view.my_turn for view in views] == [turn == 0, turn == 1]
    assert views[0].position == match.round.position_of(0)
    assert not view_of(match, None).my_turn
    with pytest.raises(ActionError) as caught:
        _ = view_of(match, None).position
    assert caught.value.code is Code.ACTION_NO_SUCH_SEAT
    for seat in (-1, 2):
        with pytest.raises(ActionError) as caught:
            view_of(match, seat)
        assert caught.value.code is Code.ACTION_NO_SUCH_SEAT
