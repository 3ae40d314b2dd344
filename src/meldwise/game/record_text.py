"""The text of a record: a reader that reports every fault with its line, a strict writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from meldwise.game import toml
from meldwise.game.codes import Code
from meldwise.game.errors import GameError, RulesError
from meldwise.game.events import MatchResult
from meldwise.game.match import Seat
from meldwise.game.presets import BUILT_IN, Registry
from meldwise.game.record import FORMAT, Fault, Record, RecordedAction, RoundRecord, parse_action
from meldwise.game.rules import Rules
from meldwise.game.shuffle import ALGORITHM, Seeds
from meldwise.game.tiles import Tile, format_tiles, parse_tiles

__all__ = ["Reading", "format_record", "read_record"]

_T = TypeVar("_T")

_LONGEST: Final = 20_000_000
_GAMES: Final = Registry()
"""The built-in games only: a record does not depend on what else is registered."""

_MOST_PLAYERS: Final = 6
_TOP: Final = ("format", "shuffle", "game", "rules", "players", "actions", "rounds", "result")
_ROUND: Final = (
    "commitment",
    "server_seed",
    "player_seeds",
    "clock",
    "first",
    "hands",
    "actions",
    "scores",
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of a text.

    Attributes:
        record: the record; None if it is not whole.
        faults: all that is wrong, in the order of the file.
    """

    record: Record | None
    faults: tuple[Fault, ...]


def read_record(text: str) -> Reading:
    """Reads a record. Whatever is wrong comes back as faults; nothing is raised.

    The actions are read, not taken: see :func:`meldwise.game.replay.replay`.
    """
    if len(text) > _LONGEST:
        return Reading(None, (Fault(Code.RECORD_SYNTAX, None, {"reason": "longer than 20 MB"}),))
    try:
        data = toml.read(text)
    except toml.TomlError as error:
        return Reading(None, (Fault(Code.RECORD_SYNTAX, error.line, {"reason": error.reason}),))
    reader = _Reader(text, data)
    record = reader.record()
    faults = tuple(sorted(reader.faults, key=lambda fault: fault.line or 0))
    return Reading(record if not faults else None, faults)


class _Reader:
    """Takes a parsed file apart, noting faults and going on."""

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.text_lines = text.split("\n")
        self.lines = toml.field_lines(text)
        self.tables: dict[toml.FieldPath, dict[str, int]] = {}
        for (*table, name), line in self.lines.items():
            self.tables.setdefault(tuple(table), {})[str(name)] = line
        self.data = data
        self.faults: list[Fault] = []
        self.seat_extras: list[dict[str, object]] = []

    def record(self) -> Record | None:
        data = self.data
        version = self.take(data, (), "format", int)
        if version is not None and version != FORMAT:
            self.fault(Code.RECORD_VERSION, ("format",), value=version, known=FORMAT)
            return None
        algorithm = self.take(data, (), "shuffle", str)
        if algorithm is not None and algorithm != ALGORITHM:
            self.fault(Code.RECORD_VERSION, ("shuffle",), value=algorithm, known=ALGORITHM)
        game = self.take(data, (), "game", str)
        rules = self.rules(self.take(data, (), "rules", dict))
        seats = self.seats(self.take(data, (), "players", list))
        entries = self.take(data, (), "rounds", list, default=[])
        rounds = tuple(
            self.round(entry, ("rounds", index)) for index, entry in enumerate(entries or [])
        )
        result, clock = self.result(data.get("result"))
        known = ("totals", "winners", "clock")
        entry = data.get("result")
        result_extra = (
            {k: v for k, v in entry.items() if k not in known} if isinstance(entry, dict) else {}
        )
        actions = self.actions(data, ())
        extra = {name: value for name, value in data.items() if name not in _TOP}
        if self.faults or rules is None or game is None:
            return None
        try:
            rules.check_players(len(seats))
        except RulesError as error:
            self.fault(error.code, ("players",), **error.fields)
            return None
        return Record(
            game=game,
            rules=rules,
            seats=seats,
            actions=actions,
            rounds=rounds,
            result=result,
            clock=clock,
            extra=extra,
            seat_extras=tuple(self.seat_extras) if any(self.seat_extras) else (),
            result_extra=result_extra,
            lines=self.lines_in(("result",)),
        )

    def fault(self, code: Code, path: toml.FieldPath, **fields: object) -> None:
        self.faults.append(Fault(code, self.line_of(path), fields))

    def line_of(self, path: toml.FieldPath) -> int | None:
        """The line of a field, or of what is around it if it shows none."""
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return None

    def lines_in(self, path: toml.FieldPath) -> dict[str, int]:
        """The lines of a table's fields, and of the table itself under the empty name."""
        return self.tables.get(path, {}) | ({"": self.lines[path]} if path in self.lines else {})

    def take(
        self,
        data: Mapping[str, Any],
        path: toml.FieldPath,
        name: str,
        kind: type[_T],
        default: _T | None = None,
    ) -> _T | None:
        """A field of the right kind; notes a fault and gives None otherwise."""
        place = (*path, name)
        if name not in data:
            if default is None:
                self.fault(Code.RECORD_MISSING_FIELD, place, field=_dotted(place))
            return default
        value = data[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fault(
                Code.RECORD_BAD_VALUE,
                place,
                field=_dotted(place),
                value=_short(value),
                need=kind.__name__,
            )
            return None
        return value

    def rules(self, data: dict[str, Any] | None) -> Rules | None:
        if data is None:
            return None
        values = dict(data)
        base = values.pop("base", "rrrummy")
        try:
            if not isinstance(base, str):
                raise RulesError(Code.RULES_BAD_VALUE, field="base", value=base, allowed="a game")
            if values.get("timer") == "off":
                values["timer"] = None
            return Rules.from_dict(values, _GAMES.find(base).rules)
        except RulesError as error:
            name = error.fields.get("field", "base")
            self.fault(error.code, ("rules", str(name)), **error.fields)
            return None

    def seats(self, entries: list[Any] | None) -> tuple[Seat, ...]:
        seats: list[Seat] = []
        for index, entry in enumerate(entries or []):
            path = ("players", index)
            if not isinstance(entry, dict):
                self.fault(Code.RECORD_BAD_VALUE, path, field=_dotted(path), value=_short(entry))
                continue
            name = self.take(entry, path, "name", str)
            computer = self.take(entry, path, "computer", str) if "computer" in entry else None
            try:
                seats.append(Seat(name or "", computer))
            except GameError as error:
                self.fault(error.code, path, **error.fields)
            known = ("name", "computer")
            self.seat_extras.append({k: v for k, v in entry.items() if k not in known})
        return tuple(seats)

    def round(self, entry: object, path: toml.FieldPath) -> RoundRecord:
        if not isinstance(entry, dict):
            self.fault(Code.RECORD_BAD_VALUE, path, field=_dotted(path), value=_short(entry))
            return RoundRecord("")
        commitment = self.take(entry, path, "commitment", str) or ""
        hands = self.optional(entry, path, "hands", _hands)
        scores = self.optional(entry, path, "scores", _numbers)
        first = self.optional(entry, path, "first", _seat)
        clock = self.optional(entry, path, "clock", _number)
        return RoundRecord(
            commitment=commitment,
            seeds=self.seeds(entry, path),
            clock=clock,
            first=first,
            hands=hands,
            actions=self.actions(entry, path),
            scores=scores,
            extra={name: value for name, value in entry.items() if name not in _ROUND},
            lines=self.lines_in(path),
        )

    def seeds(self, entry: dict[str, Any], path: toml.FieldPath) -> Seeds | None:
        if "server_seed" not in entry:
            return None
        server = self.optional(entry, path, "server_seed", _hex)
        players = self.optional(entry, path, "player_seeds", _texts)
        if server is None:
            return None
        try:
            return Seeds(server, players or ())
        except GameError as error:
            self.fault(error.code, (*path, "server_seed"), **error.fields)
            return None

    def result(self, entry: object) -> tuple[MatchResult | None, int | None]:
        if entry is None:
            return None, None
        if not isinstance(entry, dict):
            self.fault(Code.RECORD_BAD_VALUE, ("result",), field="result", value=_short(entry))
            return None, None
        path = ("result",)
        totals = self.optional(entry, path, "totals", _numbers)
        winners = self.optional(entry, path, "winners", _seats)
        clock = self.optional(entry, path, "clock", _number)
        if totals is None or winners is None:
            return None, clock
        return MatchResult(totals, winners), clock

    def optional(
        self,
        entry: dict[str, Any],
        path: toml.FieldPath,
        name: str,
        read: Callable[[Any], _T],
    ) -> _T | None:
        """A field that may be missing, read by a function that raises on a bad value."""
        if name not in entry:
            return None
        place = (*path, name)
        try:
            return read(entry[name])
        except GameError as error:
            self.fault(error.code, place, field=_dotted(place), **error.fields)
        except (ValueError, TypeError):
            self.fault(
                Code.RECORD_BAD_VALUE, place, field=_dotted(place), value=_short(entry[name])
            )
        return None

    def actions(self, entry: dict[str, Any], path: toml.FieldPath) -> tuple[RecordedAction, ...]:
        place = (*path, "actions")
        value = entry.get("actions", "")
        if not isinstance(value, str):
            self.fault(
                Code.RECORD_BAD_VALUE, place, field=_dotted(place), value=_short(value), need="str"
            )
            return ()
        line = self.line_of(place) or 0
        if line and self.text_lines[line - 1].rstrip().endswith(('"""', "'''")):
            line += 1
        actions: list[RecordedAction] = []
        for number, text in enumerate(value.split("\n"), start=line):
            plain = text.partition("#")[0].strip()
            if not plain:
                continue
            try:
                actions.append(parse_action(plain, number if line else 0))
            except GameError as error:
                self.faults.append(
                    Fault(error.code, number if line else None, {"text": plain[:80]}, error)
                )
        return tuple(actions)


def _hands(value: Any) -> tuple[tuple[Tile, ...], ...]:
    return tuple(parse_tiles(text) for text in _texts(value))


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError
    return tuple(value)


def _numbers(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise TypeError
    return tuple(_number(item, least=None) for item in value)


def _number(value: Any, least: int | None = 0) -> int:
    if type(value) is not int:
        raise TypeError
    if least is not None and value < least:
        raise ValueError
    return value


def _seat(value: Any) -> int:
    number = _number(value, 1)
    if number > _MOST_PLAYERS:
        raise ValueError
    return number - 1


def _seats(value: Any) -> tuple[int, ...]:
    return tuple(number - 1 for number in _numbers(value))


def _hex(value: Any) -> bytes:
    return bytes.fromhex(value)


def _dotted(path: toml.FieldPath) -> str:
    """A path as people count: ``rounds[1].seed``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += f".{part}" if text else part
    return text


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def format_record(record: Record) -> str:
    """The text of a record; :func:`read_record` takes it back.

    Fields that this program does not know are written back where they stood.
    """
    nearest = min(BUILT_IN, key=lambda preset: len(record.rules.differences(preset.rules)))
    lines = [
        "# A match of tile rummy, recorded by Meldwise.",
        f"format = {FORMAT}",
        f"shuffle = {toml.quoted(ALGORITHM)}",
        f"game = {toml.quoted(record.game)}",
        *_action_lines(record.actions),
        *_simple(record.extra),
        "",
        "[rules]",
        f"base = {toml.quoted(nearest.name)}",
    ]
    for name, value in record.rules.differences(nearest.rules).items():
        lines.append(f"{name} = {toml.format_value('off' if value is None else value)}")
    for place, seat in enumerate(record.seats):
        lines += ["", "[[players]]", f"name = {toml.quoted(seat.name)}"]
        if seat.computer is not None:
            lines.append(f"computer = {toml.quoted(seat.computer)}")
        if record.seat_extras:
            lines += _simple(record.seat_extras[place])
    for entry in record.rounds:
        lines += ["", "[[rounds]]", *_round_lines(entry)]
    if record.result is not None or record.clock is not None or record.result_extra:
        lines += ["", "[result]"]
        if record.result is not None:
            lines.append(f"totals = {toml.format_value(record.result.totals)}")
            winners = [seat + 1 for seat in record.result.winners]
            lines.append(f"winners = {toml.format_value(winners)}")
        if record.clock is not None:
            lines.append(f"clock = {record.clock}")
        lines += _simple(record.result_extra)
    return "\n".join(lines) + "\n"


def _round_lines(entry: RoundRecord) -> list[str]:
    lines = [f"commitment = {toml.quoted(entry.commitment)}"]
    if entry.seeds is not None:
        lines.append(f"server_seed = {toml.quoted(entry.seeds.server.hex())}")
        lines.append(f"player_seeds = {toml.format_value(entry.seeds.players)}")
    if entry.clock is not None:
        lines.append(f"clock = {entry.clock}")
    if entry.first is not None:
        lines.append(f"first = {entry.first + 1}")
    if entry.hands is not None:
        hands = [f"  {toml.quoted(format_tiles(hand))}," for hand in entry.hands]
        lines += ["hands = [", *hands, "]"]
    if entry.scores is not None:
        lines.append(f"scores = {toml.format_value(entry.scores)}")
    return [*lines, *_simple(entry.extra), *_action_lines(entry.actions)]


def _action_lines(actions: tuple[RecordedAction, ...]) -> list[str]:
    if not actions:
        return []
    return ['actions = """', *[str(action) for action in actions], '"""']


def _simple(extra: Mapping[str, object]) -> list[str]:
    return [
        f"{toml.format_key(name)} = {toml.format_value(value)}" for name, value in extra.items()
    ]
