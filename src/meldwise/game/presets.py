"""The named games, as settings of one :class:`~meldwise.game.rules.Rules` value.

A registry finds them by name or alias and takes further ones: a plug-in's, or the mixtures
that a user has saved in a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from meldwise.game import toml
from meldwise.game.codes import Code
from meldwise.game.errors import RulesError
from meldwise.game.rules import MatchEnd, Rules

__all__ = [
    "BUILT_IN",
    "GAMES",
    "Preset",
    "Registry",
    "format_presets",
    "format_rules",
    "parse_presets",
    "parse_rules",
]

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Preset:
    """A named game.

    Attributes:
        name: its short name in small letters, digits and dashes, such as ``tiles-50``.
        title: its name as shown to people.
        rules: its settings.
        aliases: other names that find it.
    """

    name: str
    title: str
    rules: Rules
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise RulesError(
                Code.RULES_BAD_VALUE,
                field="name",
                value=self.name,
                allowed="small letters, digits and dashes",
            )


_BASE: Final = Rules()

BUILT_IN: Final[tuple[Preset, ...]] = (
    Preset("pup-rummy", "Pup Rummy", _BASE.with_joker_level(0), ("pup",)),
    Preset("easy-rummy", "Easy Rummy", _BASE.with_joker_level(0), ("easy",)),
    Preset("dutch-rummy", "Dutch Rummy", _BASE.with_joker_level(2), ("dutch",)),
    Preset("rrrummy", "RRRummy", _BASE.with_joker_level(3), ("rrr", "standard")),
    Preset(
        "tiles-50",
        "Tiles 50",
        replace(_BASE.with_joker_level(4), opening_minimum=50),
        ("50", "tiles50"),
    ),
    Preset(
        "royal-200",
        "Royal 200",
        replace(_BASE.with_joker_level(0), match_end=MatchEnd.TARGET, match_length=200),
        ("200", "royal", "royal200"),
    ),
    Preset(
        "sabra",
        "Sabra",
        replace(_BASE.with_joker_level(3), opening_table_moves=True),
    ),
    Preset(
        "world-championship",
        "World Championship style",
        replace(_BASE.with_joker_level(3), max_players=2, joker_in_hand=50, unopened_surcharge=100),
        ("championship", "world"),
    ),
)
"""The games of section 2, the further presets by edition last."""


class Registry:
    """Named games, found by name, title or alias, whatever the capitals and dashes."""

    def __init__(self, presets: tuple[Preset, ...] = BUILT_IN) -> None:
        self._presets: dict[str, Preset] = {}
        self._names: dict[str, str] = {}
        for preset in presets:
            self.register(preset)

    def register(self, preset: Preset) -> None:
        """Adds a game.

        Raises:
            RulesError: if one of its names is another game's.
        """
        keys = {_plain(name) for name in (preset.name, preset.title, *preset.aliases)}
        for key in sorted(keys):
            if self._names.get(key, preset.name) != preset.name:
                raise RulesError(Code.RULES_NAME_TAKEN, value=key, game=self._names[key])
        if preset.name in self._presets and self._presets[preset.name] != preset:
            raise RulesError(Code.RULES_NAME_TAKEN, value=preset.name, game=preset.name)
        self._presets[preset.name] = preset
        self._names |= dict.fromkeys(keys, preset.name)

    def find(self, name: str) -> Preset:
        """The game of that name, title or alias.

        Raises:
            RulesError: if there is none; the field ``known`` lists the names.
        """
        try:
            return self._presets[self._names[_plain(name)]]
        except KeyError:
            raise RulesError(
                Code.RULES_UNKNOWN_GAME, value=name, known=tuple(self._presets)
            ) from None

    def name_of(self, rules: Rules) -> str | None:
        """The name of the first game with exactly these rules; None if it is a mixture."""
        return next((p.name for p in self._presets.values() if p.rules == rules), None)

    def __iter__(self) -> Iterator[Preset]:
        return iter(self._presets.values())

    def __len__(self) -> int:
        return len(self._presets)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


GAMES: Final = Registry()
"""The games that this process knows."""


def format_rules(rules: Rules) -> str:
    """One line of text: the built-in game that is nearest, and what differs from it.

    >>> format_rules(replace(GAMES.find("Tiles 50").rules, timer=120))
    'tiles-50 timer=120'
    """
    nearest = min(BUILT_IN, key=lambda preset: len(rules.differences(preset.rules)))
    changes = rules.differences(nearest.rules)
    return " ".join([nearest.name, *[f"{name}={_text(value)}" for name, value in changes.items()]])


def _text(value: str | int | bool | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "off" if value is None else str(value)


def parse_rules(text: str, games: Registry = GAMES) -> Rules:
    """Reads the text form: a game's name, then ``field=value`` for what differs.

    ``joker_level=J2`` stands for the five joker flags. Without a name the fields change
    the rules of RRRummy.

    Raises:
        RulesError: on an unknown game or field, a bad value or an impossible mixture.
    """
    words = text.split()
    base = _BASE
    if words and "=" not in words[0]:
        base = games.find(words.pop(0)).rules
    changes: dict[str, object] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise RulesError(Code.RULES_UNKNOWN_FIELD, field=word)
        name = name.replace("-", "_").lower()
        changes[name] = Rules.parse_value(name, value)
    return Rules.from_dict(changes, base)


def parse_presets(text: str, games: Registry = GAMES) -> tuple[Preset, ...]:
    """Reads a user's own mixtures from TOML: a table for each game.

    ::

        [friday]                      # the short name
        title = "Friday night"        # optional
        game = "tiles-50"             # what it builds on; RRRummy if left out
        timer = 60                    # then any fields of Rules, or joker_level

    Raises:
        RulesError: naming the game and the field; with ``line`` for broken TOML.
    """
    try:
        data = toml.read(text)
    except toml.TomlError as error:
        raise RulesError(Code.RULES_FILE, reason=error.reason, line=error.line) from error
    return tuple(_preset_from(name, table, games) for name, table in data.items())


def _preset_from(name: str, table: object, games: Registry) -> Preset:
    if not isinstance(table, Mapping):
        raise RulesError(Code.RULES_UNKNOWN_FIELD, field=name)
    values = dict(table)
    title = values.pop("title", name)
    base = values.pop("game", "rrrummy")
    try:
        for field, value in (("title", title), ("game", base)):
            if not isinstance(value, str) or not value.strip():
                raise RulesError(Code.RULES_BAD_VALUE, field=field, value=value, allowed="a text")
        if values.get("timer") in ("off", "none", False):
            values["timer"] = None
        return Preset(name, title, Rules.from_dict(values, games.find(base).rules))
    except RulesError as error:
        raise RulesError(error.code, **{**error.fields, "game": name}) from error


def format_presets(presets: tuple[Preset, ...]) -> str:
    """The TOML text of own mixtures; :func:`parse_presets` takes it back."""
    blocks: list[str] = []
    for preset in presets:
        nearest = min(BUILT_IN, key=lambda base: len(preset.rules.differences(base.rules)))
        lines = [f"[{preset.name}]", f"title = {toml.quoted(preset.title)}"]
        lines.append(f"game = {toml.quoted(nearest.name)}")
        for name, value in preset.rules.differences(nearest.rules).items():
            lines.append(f"{name} = {toml.format_value('off' if value is None else value)}")
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)
