"""Writes the golden transcripts: ``python -m tests.golden.make``.

Each is a whole round as a record, and beside it all that happened, an event a line. The
situations are searched for: seeds are tried until one occurs in a round of plain players
who follow a small script.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from meldwise.game.actions import Action, Draw, Leave, Pass, Play, Return, StandIn, TimeOut
from meldwise.game.events import DrewForStart, Event, Penalised, Played
from meldwise.game.match import Seat
from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Table, format_table
from meldwise.game.presets import BUILT_IN
from meldwise.game.record import Record
from meldwise.game.record_text import format_record, read_record
from meldwise.game.replay import replay
from meldwise.game.round import Round
from meldwise.game.rules import Rules
from meldwise.game.scores import RoundEnd, RoundResult
from meldwise.game.session import Session
from meldwise.game.shuffle import Seeds
from meldwise.game.tiles import Tile, format_tiles
from meldwise.game.view import view_of
from meldwise.players.plain import PlainPlayer

HERE: Final = Path(__file__).parent
MOST_SEEDS: Final = 500

Script = Callable[[Session], Action | None]
"""What is done instead of the plain player's choice; None for its choice."""

Wanted = Callable[[Session, list[Event]], bool]


def by_choice(session: Session) -> Action | None:
    """Plain players, undisturbed."""
    return None


def some_turns(session: Session, events: list[Event]) -> bool:
    """A round of some length that somebody won."""
    state = session.match.round
    assert state is not None
    return state.turn > 12 and _result(session).end is RoundEnd.WON


@dataclass(frozen=True)
class Golden:
    """A transcript to be searched for."""

    name: str
    rules: Rules
    players: int
    script: Script = by_choice
    wanted: Wanted = some_turns
    seeds: tuple[str, ...] = field(default=())


# --- the events as text -----------------------------------------------------------------


def describe(event: Event) -> str:
    """An event as one line: its name, then its fields; words for people are made elsewhere."""
    parts = [
        f"{spec.name}={_text(getattr(event, spec.name))}" for spec in dataclasses.fields(event)
    ]
    return " ".join([type(event).__name__, *parts])


def _text(value: object) -> str:
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Tile):
        return str(value)
    if isinstance(value, Meld):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Seeds | RoundResult) or dataclasses.is_dataclass(value):
        names = [spec.name for spec in dataclasses.fields(value)]
        inner = [(name, getattr(value, name)) for name in names if not name.startswith("_")]
        return "{" + " ".join(f"{name}={_text(item)}" for name, item in inner if item != ()) + "}"
    if isinstance(value, tuple):
        if value and all(isinstance(item, Tile) for item in value):
            return "[" + format_tiles(value) + "]"
        if value and all(isinstance(item, Meld) for item in value):
            return "[" + format_table(value) + "]"
        return "[" + " ".join(map(_text, value)) + "]"
    return repr(value)


def transcript(events: Iterable[Event]) -> str:
    """The lines of some events."""
    return "".join(f"{describe(event)}\n" for event in events)


def replayed(record: Record) -> list[Event]:
    """All the events of a record's replay, which must be without fault."""
    found = replay(record)
    assert found.faults == (), found.faults
    return [event for step in found.steps for event in step.events]


# --- scripts ----------------------------------------------------------------------------


def _state(session: Session) -> Round:
    state = session.match.running
    assert state is not None
    return state


def _chosen(session: Session) -> Action:
    state = _state(session)
    return PlainPlayer().choose(view_of(session.match, state.seat))


def _invalid(state: Round) -> Table:
    """The table with one own tile laid down alone: never a legal end."""
    return (*state.table, Meld(Kind.RUN, state.hands[state.seat][:1]))


def never_play(session: Session) -> Action:
    """Draws and passes only."""
    state = _state(session)
    return Draw(state.seat) if state.stock else Pass(state.seat)


def invalid_with_two_left(session: Session) -> Action | None:
    """Ends the turn with an invalid table when two tiles are left in the stock."""
    state = _state(session)
    return Play(state.seat, _invalid(state)) if len(state.stock) == 2 else None


def time_out_with_a_play(session: Session) -> Action | None:
    """The time runs out on every play, so that the drafts stand."""
    choice = _chosen(session)
    return TimeOut(choice.seat, choice.table) if isinstance(choice, Play) else None


def time_out_with_an_invalid_table(session: Session) -> Action | None:
    """In turn 3 the time runs out on an invalid table, in turn 4 on nothing."""
    state = _state(session)
    if state.turn == 3:
        return TimeOut(state.seat, _invalid(state))
    return TimeOut(state.seat) if state.turn == 4 else None


def keep_the_joker(session: Session) -> Action | None:
    """Plays as if there were no joker in the hand, until it holds nothing else."""
    state = _state(session)
    view = view_of(session.match, state.seat)
    rest = tuple(tile for tile in view.hand if not tile.is_joker)
    return PlainPlayer().choose(replace(view, hand=rest)) if rest else None


def leave_and_return(session: Session) -> Action | None:
    """Seat 2 leaves before turn 3, a computer sits in before turn 6, it returns before 9."""
    turn = _state(session).turn
    seat = session.match.seats[1]
    if turn == 3 and not seat.left:
        return Leave(1)
    if turn == 6 and seat.left and seat.stand_in is None:
        return StandIn(1, "plain")
    if turn == 9 and seat.left:
        return Return(1)
    return None


# --- what is searched for -----------------------------------------------------------------


def _result(session: Session) -> RoundResult:
    return session.match.results[0]


def _blocked(session: Session, events: list[Event]) -> bool:
    return _result(session).end is RoundEnd.BLOCKED


def _short_penalty(session: Session, events: list[Event]) -> bool:
    return any(isinstance(event, Penalised) and event.count == 2 for event in events)


def _last_play(events: list[Event]) -> Played | None:
    return next((event for event in reversed(events) if isinstance(event, Played)), None)


def _won_with_a_joker(session: Session, events: list[Event]) -> bool:
    last = _last_play(events)
    return last is not None and last.left == 0 and all(tile.is_joker for tile in last.tiles)


def _won_in_the_opening(session: Session, events: list[Event]) -> bool:
    last = _last_play(events)
    return last is not None and last.left == 0 and last.opening is not None


def _redrawn(session: Session, events: list[Event]) -> bool:
    return sum(isinstance(event, DrewForStart) for event in events) > 1


_ONE: Final[Mapping[str, object]] = {"match_end": "rounds", "match_length": 1}
_BASE: Final = Rules.from_dict(_ONE)

GOLDEN: Final[tuple[Golden, ...]] = (
    *(
        Golden(
            f"preset-{preset.name}",
            # One round is a whole match here, whatever ends a match of the game.
            Rules.from_dict(_ONE, preset.rules),
            2 + number % min(3, preset.rules.max_players - 1),
            seeds=("sea", "", "a second seed", "Ωmega"),
        )
        for number, preset in enumerate(BUILT_IN)
    ),
    Golden("blocked", replace(_BASE, hand_size=26), 3, never_play, _blocked),
    Golden(
        "short-penalty",
        replace(_BASE, hand_size=25, opening_minimum=60),
        3,
        invalid_with_two_left,
        _short_penalty,
    ),
    Golden("time-out-valid", replace(_BASE, timer=60), 2, time_out_with_a_play),
    Golden(
        "time-out-invalid",
        replace(_BASE, timer=120),
        2,
        time_out_with_an_invalid_table,
    ),
    Golden(
        "joker-last",
        replace(_BASE, hand_size=7, opening_minimum=10),
        2,
        keep_the_joker,
        _won_with_a_joker,
    ),
    Golden(
        "won-in-the-opening",
        replace(_BASE, hand_size=3, opening_minimum=15),
        2,
        wanted=_won_in_the_opening,
    ),
    Golden("tie-in-the-draw", _BASE, 4, wanted=_redrawn),
    Golden("leaver", _BASE, 3, leave_and_return),
)


def seed_of(name: str, number: int) -> bytes:
    """The host's seed of one attempt."""
    return hashlib.sha256(f"golden {name} {number}".encode()).digest()


def attempt(golden: Golden, server: bytes) -> tuple[Session, list[Event]]:
    """One round under the script, from the host's seed."""
    seats = [Seat(name, "plain" if name != "Bo" else None) for name in ("Ann", "Bo", "Cy", "Di")]
    session = Session.new(golden.name, golden.rules, seats[: golden.players])
    players = (*golden.seeds, "", "", "", "")[: golden.players]
    events = list(session.start_round(Seeds(server, players)))
    while session.match.running is not None:
        events += session.apply(golden.script(session) or _chosen(session))
    return session, events


def search(golden: Golden) -> tuple[Session, list[Event]]:
    """The first round in which the situation occurs."""
    for number in range(MOST_SEEDS):
        session, events = attempt(golden, seed_of(golden.name, number))
        if golden.wanted(session, events):
            return session, events
    raise LookupError(golden.name)


def files(name: str) -> tuple[Path, Path]:
    """Where a transcript stands: the record and the events."""
    return HERE / f"{name}.toml", HERE / f"{name}.events.txt"


def made() -> Iterator[tuple[str, str, str]]:
    """Name, record and events of every transcript, made anew."""
    for golden in GOLDEN:
        session, events = search(golden)
        yield golden.name, format_record(session.record), transcript(events)


def main() -> None:
    """Rewrites every file."""
    for path in (*HERE.glob("*.toml"), *HERE.glob("*.events.txt")):
        path.unlink()
    for name, record, events in made():
        assert read_record(record).faults == ()
        for path, text in zip(files(name), (record, events), strict=True):
            path.write_text(text, encoding="utf-8")
        print(f"{name}: {len(events.splitlines())} events")


if __name__ == "__main__":
    main()
