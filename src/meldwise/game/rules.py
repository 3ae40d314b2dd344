"""The rules of a table as one frozen, validated value (rules, sections 2 to 4).

A named game is a setting of these fields (see :mod:`meldwise.game.presets`); nothing in the
engine asks for a game's name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from meldwise.game.codes import Code
from meldwise.game.errors import RulesError
from meldwise.game.tiles import FACES

__all__ = [
    "JOKER_LEVELS",
    "RANGES",
    "BlockedScore",
    "Direction",
    "FirstPlayer",
    "FreedJokerGoes",
    "InvalidEnd",
    "JokerPickup",
    "MatchEnd",
    "MustPlay",
    "ReplacementFrom",
    "Rules",
]


class JokerPickup(StrEnum):
    """When a joker on the table may be taken to stand for something else."""

    ALWAYS = "always"
    AFTER_REPLACEMENT = "after_replacement"


class ReplacementFrom(StrEnum):
    """Where the tile that replaces a joker may come from."""

    ANYWHERE = "anywhere"
    HAND = "hand"


class FreedJokerGoes(StrEnum):
    """Where a freed joker has to be placed in the same turn."""

    ANYWHERE = "anywhere"
    NEW_MELD = "new_meld"
    NEW_OWN_MELD = "new_own_meld"


class FirstPlayer(StrEnum):
    """Who begins a round after the first; the first is always drawn for."""

    DRAW = "draw"
    WINNER = "winner"
    ROTATE = "rotate"


class Direction(StrEnum):
    """In which direction turns go round; clockwise is to the left, by rising seat."""

    CLOCKWISE = "clockwise"
    ANTICLOCKWISE = "anticlockwise"


class MustPlay(StrEnum):
    """When a player who can play has to."""

    NEVER = "never"
    STOCK_EMPTY = "stock_empty"
    ALWAYS = "always"


class InvalidEnd(StrEnum):
    """What an invalid end of turn leads to."""

    PENALTY = "penalty"
    REFUSE = "refuse"


class BlockedScore(StrEnum):
    """How a blocked round is scored; see :mod:`meldwise.game.scores`."""

    RRRUMMY = "rrrummy"
    BOX = "box"
    PLAIN = "plain"


class MatchEnd(StrEnum):
    """What ends a match; ``match_length`` counts rounds, seconds or points."""

    ROUNDS = "rounds"
    TIME = "time"
    TARGET = "target"


RANGES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "min_players": (2, 6),
        "max_players": (2, 6),
        "copies": (2, 3),
        "jokers": (0, 4),
        "hand_size": (3, 30),
        "opening_minimum": (0, 100),
        "penalty_tiles": (0, 10),
        "penalty_skips": (0, 3),
        "timer": (20, 120),
        "joker_in_hand": (0, 100),
        "unopened_surcharge": (0, 500),
        "redeal_pairs": (0, 7),
        "leaver_grace": (0, 3600),
    }
)
"""The least and the greatest value of each numeric field but ``match_length``."""

MATCH_LENGTHS: Final[Mapping[MatchEnd, tuple[int, int]]] = MappingProxyType(
    {MatchEnd.ROUNDS: (1, 1_000), MatchEnd.TIME: (60, 86_400), MatchEnd.TARGET: (1, 100_000)}
)
"""The least and the greatest ``match_length`` for each way to end a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Every rule of a table; the defaults are those of the game RRRummy.

    Attributes:
        min_players: the fewest players.
        max_players: the most players; five or six need ``copies`` 3.
        copies: how many of each face the box holds: 2 (106 tiles with two jokers) or 3
            (160 with four).
        jokers: how many jokers the box holds.
        hand_size: tiles dealt to each player.
        first_player: who begins the rounds after the first.
        direction: in which direction turns go round.
        opening_minimum: the least sum of the new melds of an opening, in points.
        opening_table_moves: whether the opening turn may go on with table moves once the
            minimum is down.
        joker_pickup: when a table joker may be taken.
        replacement_from: where a replacing tile comes from.
        closed_joker_melds: whether a meld that keeps its joker stays whole.
        freed_joker_goes: where a freed joker is placed.
        both_colours: whether a three-tile set gives up its joker only for both the
            colours that it lacks.
        two_jokers_in_meld: whether a meld may hold more than one joker.
        must_play: when a player who can play has to.
        invalid_end: what an invalid end of turn leads to.
        penalty_tiles: tiles drawn for an invalid end of turn.
        penalty_skips: turns skipped besides.
        last_turns: whether everybody has one last turn after the last tile is drawn.
        redeal_pairs: how many dealt pairs give the right to ask for a new deal; 0 for none.
        timer: seconds for a turn; None for no limit.
        joker_in_hand: what a joker left in hand costs, in points.
        unopened_surcharge: what a loser who has not opened pays besides, in points.
        blocked_score: how a blocked round is scored.
        match_end: what ends a match.
        match_length: after how many rounds, seconds or points.
        leaver_grace: seconds after which a computer player takes a leaver's seat.

    Raises:
        RulesError: on a value of the wrong kind or out of range, and on an impossible
            mixture; the code says which.
    """

    min_players: int = 2
    max_players: int = 4
    copies: int = 2
    jokers: int = 2
    hand_size: int = 14
    first_player: FirstPlayer = FirstPlayer.DRAW
    direction: Direction = Direction.CLOCKWISE
    opening_minimum: int = 30
    opening_table_moves: bool = False
    joker_pickup: JokerPickup = JokerPickup.AFTER_REPLACEMENT
    replacement_from: ReplacementFrom = ReplacementFrom.HAND
    closed_joker_melds: bool = True
    freed_joker_goes: FreedJokerGoes = FreedJokerGoes.ANYWHERE
    both_colours: bool = False
    two_jokers_in_meld: bool = True
    must_play: MustPlay = MustPlay.NEVER
    invalid_end: InvalidEnd = InvalidEnd.PENALTY
    penalty_tiles: int = 3
    penalty_skips: int = 0
    last_turns: bool = False
    redeal_pairs: int = 0
    timer: int | None = None
    joker_in_hand: int = 30
    unopened_surcharge: int = 0
    blocked_score: BlockedScore = BlockedScore.RRRUMMY
    match_end: MatchEnd = MatchEnd.ROUNDS
    match_length: int = 5
    leaver_grace: int = 60

    def __post_init__(self) -> None:
        for spec in fields(self):
            value = _checked(spec.name, getattr(self, spec.name))
            object.__setattr__(self, spec.name, value)
        low, high = MATCH_LENGTHS[self.match_end]
        if not low <= self.match_length <= high:
            _refuse_range("match_length", self.match_length, low, high)
        self._check_mixture()

    def _check_mixture(self) -> None:
        if self.min_players > self.max_players:
            raise RulesError(Code.RULES_PLAYERS_RANGE, field="min_players", value=self.min_players)
        if self.max_players > 4 and self.copies < 3:
            raise RulesError(Code.RULES_BOX_PLAYERS, field="copies", value=self.copies)
        wanted = self.hand_size * self.max_players
        if wanted > self.box_size:
            raise RulesError(
                Code.RULES_BOX_TOO_SMALL, field="hand_size", have=self.box_size, need=wanted
            )
        if self.joker_pickup is JokerPickup.ALWAYS:
            if self.closed_joker_melds:
                raise RulesError(Code.RULES_CLOSED_PICKUP, field="closed_joker_melds", value=True)
            if self.replacement_from is not ReplacementFrom.ANYWHERE or self.both_colours:
                name = "both_colours" if self.both_colours else "replacement_from"
                raise RulesError(
                    Code.RULES_PICKUP_NEEDS_NO_REPLACEMENT, field=name, value=getattr(self, name)
                )

    @property
    def box_size(self) -> int:
        """How many tiles the box holds, jokers included."""
        return FACES * self.copies + self.jokers

    @property
    def joker_level(self) -> int | None:
        """The level 0 to 4 that the joker flags amount to; None for another mixture."""
        for level, settings in JOKER_LEVELS.items():
            if all(getattr(self, name) == value for name, value in settings.items()):
                return level
        return None

    def with_joker_level(self, level: int) -> Rules:
        """The same rules with the joker flags of a level 0 to 4 (rules, section 4).

        Raises:
            RulesError: if there is no such level.
        """
        if level not in JOKER_LEVELS:
            _refuse_range("joker_level", level, 0, max(JOKER_LEVELS))
        return replace(self, **JOKER_LEVELS[level])

    def check_players(self, players: int) -> None:
        """Asks whether that many may play.

        Raises:
            RulesError: if they may not.
        """
        if not self.min_players <= players <= self.max_players:
            raise RulesError(
                Code.RULES_PLAYER_COUNT,
                value=players,
                low=self.min_players,
                high=self.max_players,
            )

    def as_dict(self) -> dict[str, str | int | bool | None]:
        """All fields as plain data for JSON; :meth:`from_dict` takes it back."""
        return {
            spec.name: str(value)
            if isinstance(value := getattr(self, spec.name), StrEnum)
            else value
            for spec in fields(self)
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object], base: Rules | None = None) -> Rules:
        """Rules from plain data; what is not named comes from ``base`` or the defaults.

        ``joker_level`` is understood as a name for the five joker flags, and is set before
        any of them that stand beside it.

        Raises:
            RulesError: on an unknown field, a bad value, or an impossible mixture.
        """
        values: dict[str, Any] = (base or cls()).as_dict()
        if (level := data.get("joker_level")) is not None:
            if isinstance(level, str) and level.upper().removeprefix("J") in "01234":
                level = int(level.upper().removeprefix("J") or -1)
            if type(level) is not int or level not in JOKER_LEVELS:
                raise RulesError(
                    Code.RULES_BAD_VALUE, field="joker_level", value=level, allowed="0, 1, 2, 3, 4"
                )
            values |= JOKER_LEVELS[level]
        for name, value in data.items():
            if name == "joker_level":
                continue
            if name not in values:
                raise RulesError(Code.RULES_UNKNOWN_FIELD, field=name)
            values[name] = value
        return cls(**values)

    def differences(self, base: Rules) -> dict[str, str | int | bool | None]:
        """The fields, as plain data, in which these rules differ from others."""
        other = base.as_dict()
        return {name: value for name, value in self.as_dict().items() if value != other[name]}

    @staticmethod
    def parse_value(name: str, text: str) -> str | int | bool | None:
        """Reads one field's value as it is written in text forms.

        ``yes``/``no``, ``true``/``false`` and ``on``/``off`` are understood for a switch,
        ``off`` for no timer, and a dash for an underscore.

        Raises:
            RulesError: if there is no such field, or it takes no such value.
        """
        kinds = {spec.name: spec.type for spec in fields(Rules)}
        plain = text.strip().lower()
        if name == "joker_level":
            return plain.upper()
        if name not in kinds:
            raise RulesError(Code.RULES_UNKNOWN_FIELD, field=name)
        if name == "timer" and plain in ("off", "none", "no"):
            return None
        if kinds[name] == "bool":
            if plain in ("yes", "true", "on", "1"):
                return True
            if plain in ("no", "false", "off", "0"):
                return False
            raise RulesError(Code.RULES_BAD_VALUE, field=name, value=text, allowed="yes, no")
        if name in _ENUMS:
            return plain.replace("-", "_")
        try:
            return int(plain)
        except ValueError:
            raise RulesError(
                Code.RULES_BAD_VALUE, field=name, value=text, allowed="a whole number"
            ) from None


_ENUMS: Final[Mapping[str, type[StrEnum]]] = MappingProxyType(
    {
        "first_player": FirstPlayer,
        "direction": Direction,
        "joker_pickup": JokerPickup,
        "replacement_from": ReplacementFrom,
        "freed_joker_goes": FreedJokerGoes,
        "must_play": MustPlay,
        "invalid_end": InvalidEnd,
        "blocked_score": BlockedScore,
        "match_end": MatchEnd,
    }
)

_J0: Final[dict[str, Any]] = {
    "joker_pickup": JokerPickup.ALWAYS,
    "replacement_from": ReplacementFrom.ANYWHERE,
    "closed_joker_melds": False,
    "freed_joker_goes": FreedJokerGoes.ANYWHERE,
    "both_colours": False,
}
_J1: Final = _J0 | {"joker_pickup": JokerPickup.AFTER_REPLACEMENT}
_J2: Final = _J1 | {"replacement_from": ReplacementFrom.HAND}
_J3: Final = _J2 | {"closed_joker_melds": True}
_J4: Final = _J3 | {"freed_joker_goes": FreedJokerGoes.NEW_OWN_MELD}

JOKER_LEVELS: Final[Mapping[int, Mapping[str, Any]]] = MappingProxyType(
    {level: MappingProxyType(flags) for level, flags in enumerate((_J0, _J1, _J2, _J3, _J4))}
)
"""The joker flags of the levels J0 to J4 (rules, section 4)."""


def _checked(name: str, value: Any) -> object:
    if name in _ENUMS:
        try:
            return _ENUMS[name](value)
        except ValueError:
            allowed = ", ".join(_ENUMS[name])
            raise RulesError(
                Code.RULES_BAD_VALUE, field=name, value=value, allowed=allowed
            ) from None
    if name == "timer" and value is None:
        return None
    if name in _SWITCHES:
        if isinstance(value, bool):
            return value
        raise RulesError(Code.RULES_BAD_VALUE, field=name, value=value, allowed="true, false")
    if type(value) is not int:
        raise RulesError(Code.RULES_BAD_VALUE, field=name, value=value, allowed="a whole number")
    if name in RANGES:
        low, high = RANGES[name]
        if not low <= value <= high:
            _refuse_range(name, value, low, high)
    return value


def _refuse_range(name: str, value: int, low: int, high: int) -> None:
    raise RulesError(Code.RULES_OUT_OF_RANGE, field=name, value=value, low=low, high=high)


_SWITCHES: Final = frozenset(spec.name for spec in dataclasses.fields(Rules) if spec.type == "bool")
