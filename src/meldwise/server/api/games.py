"""What a setup form is made of: games, rules in words, and computer players."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, Literal, get_args

from litestar import get, post
from litestar.params import JSONBody

from meldwise import __version__, protocol
from meldwise.game.presets import GAMES, format_rules
from meldwise.game.rules import JOKER_LEVELS, MATCH_LENGTHS, RANGES, Rules
from meldwise.i18n import (
    describe_level,
    describe_rules,
    field_meaning,
    field_name,
    game_difference,
    level_name,
    value_name,
)
from meldwise.i18n.translate import N_, capitalised, translate
from meldwise.players.levels import DEFAULT_LEVEL
from meldwise.protocol import events, http
from meldwise.server.api.context import Web, context_of, language_of
from meldwise.server.api.document import REFUSALS
from meldwise.server.languages import LANGUAGES, speaking
from meldwise.server.tables.commands import computer_name

__all__ = ["HANDLERS", "rule_fields"]

_GROUPS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "box": (
        N_("The box and the players"),
        ("min_players", "max_players", "copies", "jokers", "hand_size"),
    ),
    "beginning": (N_("The beginning"), ("first_player", "direction", "redeal_pairs")),
    "opening": (N_("The opening"), ("opening_minimum", "opening_table_moves")),
    "turn": (N_("A turn"), ("timer", "must_play", "leaver_grace")),
    "jokers": (
        N_("Jokers on the table"),
        (
            "joker_pickup",
            "replacement_from",
            "closed_joker_melds",
            "freed_joker_goes",
            "both_colours",
            "two_jokers_in_meld",
        ),
    ),
    "invalid": (N_("An invalid end of turn"), ("invalid_end", "penalty_tiles", "penalty_skips")),
    "round_end": (
        N_("The end of a round"),
        ("last_turns", "joker_in_hand", "unopened_surcharge", "blocked_score"),
    ),
    "match": (N_("The match"), ("match_end", "match_length")),
}

Unit = Literal["tiles", "points", "seconds", "players", "turns", "pairs", ""]

_UNITS: Final[dict[str, Unit]] = {
    "min_players": "players",
    "max_players": "players",
    "copies": "tiles",
    "jokers": "tiles",
    "hand_size": "tiles",
    "opening_minimum": "points",
    "penalty_tiles": "tiles",
    "penalty_skips": "turns",
    "redeal_pairs": "pairs",
    "timer": "seconds",
    "joker_in_hand": "points",
    "unopened_surcharge": "points",
    "leaver_grace": "seconds",
}


def rule_fields() -> list[http.RuleField]:
    """The rules as a form shows them, in the language in use."""
    kinds = {spec.name: spec.type for spec in fields(Rules)}
    defaults = Rules().as_dict()
    return [
        _field(name, group, str(kinds[name]), defaults[name])
        for group, (_, names) in _GROUPS.items()
        for name in names
    ]


def _field(name: str, group: str, kind: str, default: str | int | bool | None) -> http.RuleField:
    low, high = RANGES.get(name, (None, None))
    ranges = {}
    if name == "match_length":
        ranges = {str(end): list(limits) for end, limits in MATCH_LENGTHS.items()}
    choices = []
    shown: Literal["integer", "optional_integer", "switch", "choice"] = "integer"
    if kind == "bool":
        shown = "switch"
    elif kind == "int | None":
        shown = "optional_integer"
    elif kind != "int":
        shown = "choice"
        values = type(getattr(Rules(), name))
        choices = [
            http.Choice(value=str(value), label=value_name(name, str(value))) for value in values
        ]
    return http.RuleField(
        name=name,
        group=group,
        kind=shown,
        label=capitalised(field_name(name)),
        help=capitalised(field_meaning(name)) + ".",
        low=low,
        high=high,
        unit=_UNITS.get(name, ""),
        choices=choices,
        ranges=ranges,
        default=default,
    )


@get("/server", responses=REFUSALS, summary="What server this is", tags=["games"])
async def server(request: Web) -> http.ServerPage:
    """The server's version, time and limits."""
    context = context_of(request)
    return http.ServerPage(
        name="meldwise",
        version=__version__,
        protocol=protocol.VERSION,
        now=context.keeper.now(),
        languages=list(LANGUAGES),
        most_seats=6,
        most_tables=context.settings.most_tables,
    )


@get("/games", responses=REFUSALS, summary="Games, rules and computer players", tags=["games"])
async def games(request: Web) -> http.GamesPage:
    """Everything that a setup form is made of, in the language that is asked for."""
    with speaking(language_of(request)):
        return http.GamesPage(
            games=[
                http.Game(
                    name=game.name,
                    title=game.title,
                    rules=game.rules,
                    summary=game_difference(game),
                )
                for game in GAMES
            ],
            groups=[
                http.RuleGroup(name=name, title=translate(title))
                for name, (title, _) in _GROUPS.items()
            ],
            fields=rule_fields(),
            joker_levels=[
                {name: _plain(value) for name, value in flags.items()}
                for flags in JOKER_LEVELS.values()
            ],
            computers=[
                http.ComputerLevel(
                    player=name,
                    label=level_name(name) if describe_level(name) else computer_name(name, ()),
                    description=describe_level(name),
                    usual=name == DEFAULT_LEVEL,
                )
                for name in context_of(request).keeper.computers
            ],
            phrases=list(get_args(events.Phrase)),
        )


def _plain(value: Any) -> str | int | bool | None:
    return value if value is None or isinstance(value, bool | int) else str(value)


@post(
    "/rules",
    responses=REFUSALS,
    summary="Check rules, and tell them in words",
    tags=["games"],
    status_code=200,
)
async def rules(request: Web, data: JSONBody[http.DescribeRules]) -> http.RulesPage:
    """The rules of a game with some changes: checked, in notation, and in words."""
    found = Rules.from_dict(data.rules, GAMES.find(data.game).rules)
    with speaking(language_of(request)):
        sections = [
            http.RulesSectionText(title=section.title, sentences=list(section.sentences))
            for section in describe_rules(found)
        ]
    return http.RulesPage(rules=found, text=format_rules(found), sections=sections)


HANDLERS: list[Any] = [server, games, rules]
