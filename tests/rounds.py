"""States of rounds and matches that tests build on, and whole matches of plain players."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from meldwise.game.actions import (
    Action,
    CommitShuffle,
    PlayOracle,
    RoundAction,
    StartRound,
)
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.events import Event
from meldwise.game.match import Match, Seat, start_match
from meldwise.game.position import Position, Table, parse_table
from meldwise.game.round import Round, start_round
from meldwise.game.rules import Rules
from meldwise.game.session import Session
from meldwise.game.shuffle import Seeds, box_of, commitment_of
from meldwise.game.tiles import Tile, parse_tiles
from meldwise.game.view import view_of
from meldwise.players.base import Player
from meldwise.players.plain import PlainPlayer

_E = TypeVar("_E")


def tiles(text: str) -> tuple[Tile, ...]:
    """Tiles in the order of a hand."""
    return tuple(sorted(parse_tiles(text)))


def table(text: str) -> Table:
    return parse_table(text)


def seeds(players: int, number: int = 0) -> Seeds:
    """Any seeds: the same for the same number."""
    return Seeds(hashlib.sha256(f"test {number}".encode()).digest(), ("",) * players)


def a_round(
    *hands: str,
    rules: Rules | None = None,
    table: str = "",
    stock: str = "",
    seat: int = 0,
    opened: Sequence[bool] | bool = True,
    turn: int = 9,
    played: Sequence[int] | None = None,
    turns: Sequence[int] | None = None,
    passes: int = 0,
) -> Round:
    """A round in the middle: hands, table and stock as stated, whatever the box holds."""
    count = len(hands)
    fresh, _ = start_round(rules or Rules(), count, 1, seeds(count), 0)
    flags = (opened,) * count if isinstance(opened, bool) else tuple(opened)
    return replace(
        fresh,
        hands=tuple(tiles(hand) for hand in hands),
        table=parse_table(table),
        stock=parse_tiles(stock),
        seat=seat,
        turn=turn,
        opened=flags,
        passes=passes,
        last_played=(0,) * count if played is None else tuple(played),
        last_turn=(0,) * count if turns is None else tuple(turns),
    )


def steps(state: Round, *actions: RoundAction, oracle: PlayOracle | None = None) -> Round:
    """The round after some actions."""
    for action in actions:
        state, _ = state.apply(action, oracle)
    return state


def only(events: Sequence[Event], kind: type[_E]) -> _E:
    """The one event of a kind."""
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, events
    return found[0]


def refused(state: Round | Match, action: Action, oracle: PlayOracle | None = None) -> ActionError:
    """The error that an action meets: the same when verified, asked for and taken."""
    errors: list[ActionError] = []
    for attempt in (state.verify, state.apply):
        try:
            attempt(action, oracle)  # type: ignore[arg-type]
        except ActionError as error:
            errors.append(error)
    assert len(errors) == 2, f"{action} was not refused"
    assert not state.can(action, oracle)  # type: ignore[arg-type]
    assert errors[0].code == errors[1].code
    assert errors[0].fields == errors[1].fields
    return errors[0]


def refusal(state: Round | Match, action: Action, oracle: PlayOracle | None = None) -> Code:
    """The code with which an action is refused."""
    return refused(state, action, oracle).code


class Oracle:
    """Says what it is told to of any position, and notes what it was asked."""

    def __init__(self, answer: bool) -> None:
        self.answer = answer
        self.asked: list[Position] = []

    def can_play(self, position: Position, rules: Rules) -> bool:
        self.asked.append(position)
        return self.answer


def a_match(rules: Rules | None = None, players: int = 2) -> Match:
    """A match before its first round."""
    return start_match(rules or Rules(), [Seat(name) for name in "ABCDEF"[:players]])


def begun(match: Match, number: int = 0, clock: int | None = None) -> Match:
    """The match with its next round dealt from the seeds of a number."""
    given = seeds(len(match.seats), number)
    match, _ = match.apply(CommitShuffle(commitment_of(given.server)))
    match, _ = match.apply(StartRound(given, clock))
    return match


def with_round(match: Match, state: Round) -> Match:
    """The match with another state of its running round."""
    assert match.round is not None
    return replace(match, round=replace(state, rules=match.rules, number=match.round.number))


def box_is_whole(state: Round) -> bool:
    """Whether hands, table and stock hold exactly the tiles of the box."""
    there = Counter(state.stock)
    for hand in state.hands:
        there.update(hand)
    for meld in state.table:
        there.update(meld.cells)
    return there == Counter(box_of(state.rules))


def play_round(
    session: Session,
    given: Seeds,
    players: Sequence[Player] | None = None,
    clock: int | None = None,
) -> None:
    """Plays a round of a session to its end with computer players."""
    session.start_round(given, clock)
    finish_round(session, players)


def finish_round(session: Session, players: Sequence[Player] | None = None) -> None:
    """Plays the running round of a session to its end with computer players."""
    plain = PlainPlayer()
    while (state := session.match.running) is not None:
        player = plain if players is None else players[state.seat]
        session.apply(player.choose(view_of(session.match, state.seat)))
