"""Computer players by name: ``casual``, or with options ``name:key=value,key=value``.

Other distributions add players through the entry-point group ``meldwise.players``; each
entry is a factory that takes the options as a mapping of texts, and the player's means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from meldwise.game.codes import Code
from meldwise.players.base import Means, Player
from meldwise.players.errors import PlayerError
from meldwise.players.greedy import OBJECTIVES, GreedyPlayer
from meldwise.players.habits import PERSONS
from meldwise.players.person import PersonPlayer
from meldwise.players.plain import PlainPlayer

__all__ = ["ENTRY_POINTS", "create_player", "player_names", "refuse_options"]

ENTRY_POINTS: Final = "meldwise.players"
"""The group in which distributions name their players."""

Factory = Callable[[Mapping[str, str], Means], Player]

_TEXT: Final = re.compile(r"([\w.-]+)(?::([\w.-]+=[^,=]*(?:,[\w.-]+=[^,=]*)*))?")


def _plain(options: Mapping[str, str], _means: Means) -> Player:
    refuse_options("plain", options, ())
    return PlainPlayer()


def _greedy(options: Mapping[str, str], _means: Means) -> Player:
    allowed = {"objective": tuple(OBJECTIVES), "jokers": ("play", "keep")}
    refuse_options("greedy", options, tuple(allowed))
    for option, value in options.items():
        if value not in allowed[option]:
            raise PlayerError(
                Code.PLAYER_BAD_VALUE,
                player="greedy",
                option=option,
                value=value[:80],
                allowed=", ".join(allowed[option]),
            )
    objective = OBJECTIVES[options.get("objective", "tiles")]
    return GreedyPlayer(objective, keeps_jokers=options.get("jokers") == "keep")


def _searching(name: str) -> Factory:
    def make(options: Mapping[str, str], means: Means) -> Player:
        from meldwise.players.search import create

        return create(name, options, means)

    return make


_NO_MEANS: Final = Means()


def _process(options: Mapping[str, str], _means: Means) -> Player:
    refuse_options("process", options, ("file",))
    if "file" not in options:
        raise PlayerError(
            Code.PLAYER_BAD_VALUE, player="process", option="file", value="", allowed="a TOML file"
        )
    from meldwise.players.process import ProcessPlayer, read_program

    return ProcessPlayer(read_program(Path(options["file"])))


def _person(name: str) -> Factory:
    def make(options: Mapping[str, str], means: Means) -> Player:
        refuse_options(name, options, ())
        return PersonPlayer(PERSONS[name], means.seed)

    return make


_BUILT_IN: Final[dict[str, Factory]] = {
    **{name: _person(name) for name in PERSONS},
    "greedy": _greedy,
    "plain": _plain,
    "process": _process,
    "search": _searching("search"),
    "expert": _searching("expert"),
    "master": _searching("master"),
}


def refuse_options(name: str, options: Mapping[str, str], known: tuple[str, ...]) -> None:
    """Refuses options that a player does not know.

    Raises:
        PlayerError: naming the first of them.
    """
    for option in options:
        if option not in known:
            raise PlayerError(Code.PLAYER_BAD_OPTION, player=name, option=option, known=known)


def create_player(text: str, means: Means = _NO_MEANS) -> Player:
    """Makes the computer player of a text name.

    Args:
        text: the name, with options or without.
        means: the seed and the clock that it may use.

    Raises:
        PlayerError: if there is no such player, or it does not take these options.
    """
    match = _TEXT.fullmatch(text.strip())
    factory = _factory(match[1]) if match else None
    if match is None or factory is None:
        raise PlayerError(Code.PLAYER_UNKNOWN, player=text[:80], known=tuple(player_names()))
    pairs = (pair.partition("=") for pair in (match[2] or "").split(",") if pair)
    return factory({name: value for name, _, value in pairs}, means)


def player_names() -> Iterator[str]:
    """The names of all players that can be made, the built-in ones first."""
    yield from _BUILT_IN
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name not in _BUILT_IN:
            yield entry.name


def _factory(name: str) -> Factory | None:
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    for entry in entry_points(group=ENTRY_POINTS, name=name):
        factory: Factory = entry.load()
        return factory
    return None
