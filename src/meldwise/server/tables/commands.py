"""From a user's command to entries of the log, or to a refusal with its reason."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from meldwise.game.codes import Code
from meldwise.game.errors import ActionError, RulesError
from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Table, format_table
from meldwise.game.presets import GAMES, format_rules
from meldwise.game.rules import Rules
from meldwise.game.shuffle import Seeds
from meldwise.game.tiles import Tile
from meldwise.i18n import clean_text
from meldwise.protocol import commands as ask
from meldwise.protocol.values import DraftMeld
from meldwise.server.errors import ServerError
from meldwise.server.tables import entries as log
from meldwise.server.tables.computers import check_offered
from meldwise.server.tables.state import TableState

__all__ = [
    "User",
    "changed_settings",
    "clean_line",
    "come_back",
    "computer_name",
    "decide",
    "melds_of",
    "own_seat",
]


@dataclass(frozen=True, slots=True)
class User:
    """Who asks: the id, the name, and the language for sentences."""

    id: str
    name: str
    language: str = "en"


def decide(
    state: TableState, user: User, command: ask.Command, computers: tuple[str, ...] = ()
) -> list[log.Entry]:
    """The entries that a command amounts to; none for one that changes nothing.

    Drafts, checks, hints and rematches are not decided here.

    Args:
        state: the table.
        user: who asks.
        command: for what.
        computers: the computer players on offer.

    Raises:
        ServerError: if the user may not, or not now.
        GameError: if the rules refuse it.
    """
    if state.closed:
        raise ServerError(Code.TABLE_CLOSED)
    match command:
        case ask.Sit():
            return _sit(state, user, command)
        case ask.AddComputer():
            return _add_computer(state, user, command, computers)
        case ask.OpenSeat():
            return _open_seat(state, user, command.seat)
        case ask.Configure():
            _check_host(state, user)
            _check_waiting(state)
            settings = changed_settings(state.settings, command.settings)
            _check_seats(settings.rules, len(state.seats))
            return [log.Configured(settings=settings)]
        case ask.Start():
            return _start(state, user)
        case ask.Close():
            _check_host(state, user)
            _check_waiting(state)
            return [log.ClosedTable(reason="host")]
        case ask.BeReady():
            return _be_ready(state, user, command)
        case ask.Play() | ask.Draw() | ask.Pass() | ask.AskRedeal():
            return _move(state, user, command)
        case ask.Say():
            return _say(state, user, command)
        case ask.Pause():
            return _pause(state, user, command.want)
        case ask.Resume():
            _check_person(state, user)
            if not state.paused:
                raise ServerError(Code.TABLE_NOT_PAUSED)
            return [log.ResumedNow()]
        case ask.Leave():
            return _leave(state, user)
        case ask.Return():
            _check_person(state, user)
            return come_back(state, user.id)
        case _:
            raise AssertionError(command)


def come_back(state: TableState, user: str) -> list[log.Entry]:
    """The entries with which a user takes back seats, and a table waiting for that goes on."""
    if state.over:
        return []
    found: list[log.Entry] = [
        log.CameBack(seat=seat) for seat in state.seats_of(user) if state.has_left(seat)
    ]
    if state.paused == "absent":
        found.append(log.ResumedNow())
    return found


def changed_settings(settings: log.StoredSettings, changes: ask.TableChanges) -> log.StoredSettings:
    """Settings after some changes.

    Raises:
        RulesError: if the rules contradict each other, or there is no such game.
        ServerError: for a title that cannot be shown.
    """
    game, rules = settings.game, settings.rules
    if changes.game is not None:
        preset = GAMES.find(changes.game)
        game, rules = preset.name, preset.rules
    if changes.rules is not None:
        rules = Rules.from_dict(changes.rules, rules)
    if changes.game is None and changes.rules is not None:
        game = format_rules(rules).split()[0]
    values = {
        name: value
        for name in ("private", "spectators", "drafts_shown", "hints", "chat", "pace", "theme")
        if (value := getattr(changes, name)) is not None
    }
    if changes.title is not None:
        values["title"] = clean_line(changes.title, 60)
    current = {name: getattr(settings, name) for name in settings.__struct_fields__}
    return log.StoredSettings(**{**current, **values, "game": game, "rules": rules})


def clean_line(text: str, most: int) -> str:
    """A text on one line, in the composed form, cut to a length."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ServerError(Code.REQUEST_MALFORMED, reason="text") from None
    return clean_text(unicodedata.normalize("NFC", text))[:most].strip()


def computer_name(player: str, taken: Sequence[str]) -> str:
    """What a computer player is called at a table: its kind, with a number if need be."""
    plain = player.partition(":")[0].replace("-", " ").replace("_", " ").strip()
    name = plain[:1].upper() + plain[1:30]
    number = 1
    while (full := name if number == 1 else f"{name} {number}") in taken:
        number += 1
    return full


def own_seat(state: TableState, user: User, seat: int) -> int:
    """The seat, if the user holds it.

    Raises:
        ServerError: if not.
    """
    if seat >= len(state.seats) or state.seats[seat].user != user.id:
        raise ServerError(Code.TABLE_NOT_YOUR_SEAT, seat=seat)
    return seat


def melds_of(drafts: Sequence[DraftMeld]) -> Table:
    """The melds of a draft; what a group without a kind is follows from its cells."""
    return tuple(_meld_of(draft.kind, tuple(draft.tiles)) for draft in drafts)


@lru_cache(maxsize=8192)
def _meld_of(kind: str | None, tiles: tuple[str, ...]) -> Meld:
    """A group; most are the melds that were on the table before."""
    cells = tuple(Tile.parse(tile) for tile in tiles)
    if kind is not None:
        return Meld(Kind(kind), cells)
    as_set, as_run = Meld(Kind.SET, cells), Meld(Kind.RUN, cells)
    return as_run if len(as_run.problems) < len(as_set.problems) else as_set


def _check_host(state: TableState, user: User) -> None:
    if state.host != user.id:
        raise ServerError(Code.TABLE_NOT_HOST)


def _check_waiting(state: TableState) -> None:
    if state.started:
        raise ServerError(Code.TABLE_STARTED)


def _check_person(state: TableState, user: User) -> None:
    if not state.seats_of(user.id):
        raise ServerError(Code.TABLE_NO_SEAT)
    if not state.started:
        raise ServerError(Code.TABLE_NOT_STARTED)


def _check_seats(rules: Rules, seats: int) -> None:
    if seats > rules.max_players:
        raise RulesError(
            Code.RULES_PLAYER_COUNT, value=seats, low=rules.min_players, high=rules.max_players
        )


def _seat_exists(state: TableState, seat: int) -> None:
    if seat >= len(state.seats):
        raise ActionError(Code.ACTION_NO_SUCH_SEAT, seat=seat, seats=len(state.seats))


def _sit(state: TableState, user: User, command: ask.Sit) -> list[log.Entry]:
    _check_waiting(state)
    if user.id in state.banned:
        raise ServerError(Code.TABLE_KICKED)
    seat = command.seat
    if seat is None:
        seat = next((i for i, place in enumerate(state.seats) if place.free), None)
        if seat is None:
            raise ServerError(Code.TABLE_FULL)
    _seat_exists(state, seat)
    if not state.seats[seat].free:
        raise ServerError(Code.TABLE_SEAT_TAKEN, seat=seat)
    name = clean_line(command.name or user.name, 40) or user.name
    return [log.Sat(seat=seat, user=user.id, name=name)]


def _add_computer(
    state: TableState, user: User, command: ask.AddComputer, computers: tuple[str, ...]
) -> list[log.Entry]:
    _check_host(state, user)
    _check_waiting(state)
    _seat_exists(state, command.seat)
    if state.seats[command.seat].user is not None:
        raise ServerError(Code.TABLE_SEAT_TAKEN, seat=command.seat)
    check_offered(command.player, computers)
    taken = [seat.name for place, seat in enumerate(state.seats) if place != command.seat]
    name = computer_name(command.player, taken)
    return [log.ComputerSat(seat=command.seat, player=command.player, name=name)]


def _open_seat(state: TableState, user: User, seat: int) -> list[log.Entry]:
    _check_waiting(state)
    _seat_exists(state, seat)
    place = state.seats[seat]
    if place.user == user.id:
        return [log.Freed(seat=seat)]
    _check_host(state, user)
    if place.free:
        return []
    return [log.Freed(seat=seat, kicked=place.user is not None)]


def _start(state: TableState, user: User) -> list[log.Entry]:
    _check_host(state, user)
    _check_waiting(state)
    state.rules.check_players(sum(not seat.free for seat in state.seats))
    return [log.Started()]


def _be_ready(state: TableState, user: User, command: ask.BeReady) -> list[log.Entry]:
    seat = own_seat(state, user, command.seat)
    if not state.awaiting_round:
        raise ServerError(Code.TABLE_NOT_COMMITTED)
    Seeds(bytes(32), (command.seed,))  # refuses a seed that is too long in bytes
    if any(place == seat for place, _ in state.ready):
        return []
    return [log.MadeReady(seat=seat, seed=command.seed)]


def _move(
    state: TableState, user: User, command: ask.Play | ask.Draw | ask.Pass | ask.AskRedeal
) -> list[log.Entry]:
    if state.match is None:
        raise ServerError(Code.TABLE_NOT_STARTED)
    seat = own_seat(state, user, command.seat)
    if state.paused:
        raise ServerError(Code.TABLE_PAUSED)
    if state.has_left(seat):
        raise ActionError(Code.ACTION_SEAT_LEFT, seat=seat)
    if command.seen < state.match_seq:
        raise ServerError(Code.COMMAND_STALE, seen=command.seen, seq=state.match_seq)
    # Whether the rules allow it is asked when the entry is applied, before it is written.
    match command:
        case ask.Play():
            table = tuple(meld for meld in melds_of(command.melds) if meld.cells)
            return [log.PlayedTable(seat=seat, table=format_table(table))]
        case ask.Draw():
            return [log.DrewTile(seat=seat)]
        case ask.Pass():
            return [log.Passed(seat=seat)]
        case ask.AskRedeal():
            return [log.AskedRedeal(seat=seat)]


def _say(state: TableState, user: User, command: ask.Say) -> list[log.Entry]:
    text = clean_line(command.text, 300)
    if bool(text) == bool(command.phrase):
        raise ServerError(Code.TABLE_NOTHING_SAID)
    allowed = state.settings.chat
    if user.id in state.banned or allowed == "none" or (text and allowed == "phrases"):
        raise ServerError(Code.TABLE_NO_CHAT)
    seats = state.seats_of(user.id)
    if not seats and not state.settings.spectators and state.started:
        raise ServerError(Code.TABLE_NO_SPECTATORS)
    return [
        log.SaidLine(
            user=user.id,
            name=user.name,
            seat=seats[0] if seats else None,
            text=text,
            phrase=command.phrase,
        )
    ]


def _pause(state: TableState, user: User, want: bool) -> list[log.Entry]:
    _check_person(state, user)
    if not state.settings.private:
        raise ServerError(Code.TABLE_NO_PAUSE)
    if state.paused:
        raise ServerError(Code.TABLE_PAUSED)
    if state.over:
        raise ActionError(Code.ACTION_MATCH_OVER)
    if (user.id in state.wants_pause) == want:
        return []
    found: list[log.Entry] = [log.WantedPause(user=user.id, want=want)]
    wants = state.wants_pause | {user.id}
    there = {
        other
        for other, person in state.people.items()
        if person.connected and not all(map(state.has_left, state.seats_of(other)))
    }
    if want and there <= wants:
        found.append(log.PausedNow(reason="agreed"))
    return found


def _leave(state: TableState, user: User) -> list[log.Entry]:
    seats = state.seats_of(user.id)
    if not seats or state.over:
        return []
    found: list[log.Entry]
    if state.started:
        found = [log.Left(seat=seat, chosen=True) for seat in seats if not state.has_left(seat)]
        if found and state.solo and not state.paused:
            found.append(log.PausedNow(reason="absent"))
        return found
    found = [log.Freed(seat=seat) for seat in seats]
    others = [seat.user for seat in state.seats if seat.user not in (None, user.id)]
    if state.host == user.id:
        if others and others[0] is not None:
            found.append(log.HostPassed(user=others[0]))
        else:
            found.append(log.ClosedTable(reason="abandoned"))
    return found
