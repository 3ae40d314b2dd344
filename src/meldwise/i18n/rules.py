"""The rules of a game in words, made from the value and not from the game's name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from meldwise.game.presets import Preset
from meldwise.game.rules import (
    BlockedScore,
    Direction,
    FirstPlayer,
    FreedJokerGoes,
    InvalidEnd,
    JokerPickup,
    MatchEnd,
    MustPlay,
    ReplacementFrom,
    Rules,
)
from meldwise.i18n.fields import LEVELS, field_name, value_name
from meldwise.i18n.translate import capitalised, ngettext
from meldwise.i18n.translate import translate as _

__all__ = ["RulesSection", "describe_rules", "game_difference"]


@dataclass(frozen=True, slots=True)
class RulesSection:
    """A part of the rules in words.

    Attributes:
        title: what it is about.
        sentences: what holds, each a full sentence or a few.
    """

    title: str
    sentences: tuple[str, ...]


def game_difference(preset: Preset) -> str:
    """What sets a game apart, in one line: its jokers, its opening, and what is unusual."""
    rules = preset.rules
    level = rules.joker_level
    if level is None:
        parts = [_("jokers of its own kind")]
        skipped = {"opening_minimum"}
    else:
        parts = [_("{text} (joker level J{level})").format(text=_(LEVELS[level]), level=level)]
        skipped = {"opening_minimum", *Rules().with_joker_level(level).differences(Rules())}
        skipped |= _JOKER_FIELDS
    parts.append(_("{points} points to open").format(points=rules.opening_minimum))
    changes = rules.differences(Rules())
    if {"match_end", "match_length"} & set(changes):
        parts.append(_match_end(rules))
        skipped |= {"match_end", "match_length"}
    if {"min_players", "max_players"} & set(changes):
        parts.append(_players(rules))
        skipped |= {"min_players", "max_players"}
    parts += [
        _("{name}: {value}").format(name=field_name(name), value=value_name(name, value))
        for name, value in changes.items()
        if name not in skipped
    ]
    return capitalised("; ".join(parts))


_JOKER_FIELDS: Final = frozenset(
    {
        "joker_pickup",
        "replacement_from",
        "closed_joker_melds",
        "freed_joker_goes",
        "both_colours",
    }
)


def describe_rules(rules: Rules) -> tuple[RulesSection, ...]:
    """The whole rules of a game in words, by section."""
    sections = (
        (_("The box and the players"), _box(rules)),
        (_("Melds"), _melds(rules)),
        (_("The beginning"), _beginning(rules)),
        (_("The opening"), _opening(rules)),
        (_("A turn"), _turn(rules)),
        (_("Jokers on the table"), _jokers(rules)),
        (_("An invalid end of turn"), _invalid(rules)),
        (_("The end of a round"), _round_end(rules)),
        (_("The match"), _match(rules)),
    )
    return tuple(RulesSection(title, tuple(lines)) for title, lines in sections)


def _players(rules: Rules) -> str:
    if rules.min_players == rules.max_players:
        return _("{count} players").format(count=rules.max_players)
    return _("{low} to {high} players").format(low=rules.min_players, high=rules.max_players)


def _box(rules: Rules) -> list[str]:
    jokers = ngettext("{count} joker", "{count} jokers", rules.jokers).format(count=rules.jokers)
    if not rules.jokers:
        jokers = _("no joker")
    return [
        _(
            "{size} tiles: the numbers 1 to 13 in red, yellow, black and blue, each "
            "{copies} times, and {jokers}."
        ).format(size=rules.box_size, copies=rules.copies, jokers=jokers),
        _("{players} play.").format(players=capitalised(_players(rules))),
    ]


def _melds(rules: Rules) -> list[str]:
    lines = [
        _("A run is three or more tiles of one colour whose numbers follow each other."),
        _("A 1 stands only before a 2, and nothing follows a 13."),
        _("A set is three or four tiles of one number, all of different colours."),
        _("A joker stands for any tile; a meld holds at least one real tile."),
    ]
    if rules.two_jokers_in_meld:
        lines.append(_("A meld may hold more than one joker."))
    else:
        lines.append(_("A meld holds at most one joker."))
    return lines


def _beginning(rules: Rules) -> list[str]:
    lines = [
        _(
            "Before the first round each player draws a tile, and the highest number begins; "
            "a joker counts as zero, and who ties draws again. The tiles go back."
        ),
        {
            FirstPlayer.DRAW: _("Every further round is drawn for in the same way."),
            FirstPlayer.WINNER: _("The winner of a round begins the next."),
            FirstPlayer.ROTATE: _("The next player in order begins the next round."),
        }[rules.first_player],
        _("Each player is dealt {count} tiles; the rest is the stock.").format(
            count=rules.hand_size
        ),
        {
            Direction.CLOCKWISE: _("Turns go clockwise, to the left."),
            Direction.ANTICLOCKWISE: _("Turns go anticlockwise, to the right."),
        }[rules.direction],
    ]
    if rules.redeal_pairs:
        lines.append(
            ngettext(
                "Whoever is dealt {count} pair of equal tiles may ask for a new deal before the "
                "first turn.",
                "Whoever is dealt {count} pairs of equal tiles may ask for a new deal before "
                "the first turn.",
                rules.redeal_pairs,
            ).format(count=rules.redeal_pairs)
        )
    else:
        lines.append(_("Dealt pairs give no right to a new deal."))
    return lines


def _opening(rules: Rules) -> list[str]:
    if rules.opening_minimum:
        first = _(
            "A player's first play of a round is the opening: one or more new melds from the "
            "own hand, in one turn, worth at least {points} points together."
        ).format(points=rules.opening_minimum)
    else:
        first = _(
            "A player's first play of a round is the opening: one or more new melds from the "
            "own hand, of any value (the minimum is 0)."
        )
    lines = [
        first,
        _("A tile counts its number, a joker what it stands for."),
        _("Before the opening no tile of the table may be used, moved or added to."),
    ]
    if rules.opening_table_moves:
        lines.append(
            _("Once the minimum is down, the same turn may go on with the tiles of the table.")
        )
    else:
        lines.append(_("The tiles of the table may be used from the next turn on."))
    return lines


def _turn(rules: Rules) -> list[str]:
    lines = [
        _(
            "In a turn a player places at least one own tile, rearranging the table freely; at "
            "its end every tile of the table lies in a valid meld, and none that was on the "
            "table goes to a hand."
        ),
        _("Who places nothing draws one tile, which waits for the next turn."),
        {
            MustPlay.NEVER: _("Nobody has to play who can."),
            MustPlay.STOCK_EMPTY: _("Once the stock is empty, who can play must."),
            MustPlay.ALWAYS: _("Who can play must."),
        }[rules.must_play],
    ]
    if rules.timer is None:
        lines.append(_("There is no limit of time."))
    else:
        lines.append(
            _(
                "A turn may take {seconds} seconds. When they are over, a table that is a legal "
                "end of the turn stands; if no own tile was placed, the player draws one; "
                "otherwise it is an invalid end."
            ).format(seconds=rules.timer)
        )
    lines.append(
        _(
            "For a player who leaves, a computer player sits in after {seconds} seconds; the "
            "result stays with the player who left."
        ).format(seconds=rules.leaver_grace)
    )
    return lines


def _jokers(rules: Rules) -> list[str]:
    level = rules.joker_level
    lines = [_("Only a player who has opened may take a joker from the table.")]
    if rules.joker_pickup is JokerPickup.ALWAYS:
        lines.append(
            _("A joker on the table may always be taken, moved and given another meaning.")
        )
    else:
        lines.append(
            _(
                "A joker on the table keeps its meaning, unless a tile that it stands for "
                "replaces it; then it is free."
            )
        )
    if rules.joker_pickup is JokerPickup.ALWAYS:
        lines.append(_("No tile has to replace it."))
    else:
        lines.append(
            {
                ReplacementFrom.ANYWHERE: _(
                    "The tile for the joker may come from the hand or from the table."
                ),
                ReplacementFrom.HAND: _(
                    "The tile for the joker must come from the hand, one for each joker."
                ),
            }[rules.replacement_from]
        )
        if rules.both_colours:
            lines.append(
                _("A set of three gives up its joker only for both the tiles that it lacks.")
            )
        else:
            lines.append(_("A set gives up its joker for any one tile that it lacks."))
    if rules.closed_joker_melds:
        lines.append(
            _(
                "A meld that keeps its joker stays whole: nothing is taken from it, split or "
                "shifted; adding to it and joining it to other melds is allowed."
            )
        )
    else:
        lines.append(_("Melds with a joker may be split and used like others."))
    lines.append(
        {
            FreedJokerGoes.ANYWHERE: _("A freed joker goes anywhere on the table, in that turn."),
            FreedJokerGoes.NEW_MELD: _("A freed joker goes into a new meld, in that turn."),
            FreedJokerGoes.NEW_OWN_MELD: _(
                "A freed joker goes into a new meld with at least two tiles from the hand and "
                "nothing else, in that turn."
            ),
        }[rules.freed_joker_goes]
    )
    if level is not None:
        lines.append(_("Together these are the rules of joker level J{level}.").format(level=level))
    else:
        lines.append(_("These joker rules are a mixture of their own."))
    return lines


def _invalid(rules: Rules) -> list[str]:
    tiles = ngettext("{count} tile", "{count} tiles", rules.penalty_tiles).format(
        count=rules.penalty_tiles
    )
    skips = ngettext("{count} turn", "{count} turns", rules.penalty_skips).format(
        count=rules.penalty_skips
    )
    if rules.penalty_skips:
        costs = _("draws {tiles}, or what is left, and misses {skips}").format(
            tiles=tiles, skips=skips
        )
    else:
        costs = _("draws {tiles}, or what is left").format(tiles=tiles)
    if rules.invalid_end is InvalidEnd.PENALTY:
        return [
            _(
                "When a turn ends with an invalid table, everything goes back to where it was, "
                "and the player {costs}."
            ).format(costs=costs)
        ]
    return [
        _("An invalid table is refused with the reason, and the turn goes on."),
        _(
            "Only when the time runs out on one, everything goes back, and the player {costs}."
        ).format(costs=costs),
    ]


def _round_end(rules: Rules) -> list[str]:
    lines = [
        _("Whoever has placed the last tile of the hand wins the round."),
        _(
            "Each loser scores minus the sum of the own hand, the winner plus all of these; a "
            "joker in hand counts {points}."
        ).format(points=rules.joker_in_hand),
    ]
    if rules.unopened_surcharge:
        lines.append(
            _("A loser who has not opened pays {points} points more.").format(
                points=rules.unopened_surcharge
            )
        )
    else:
        lines.append(_("Not having opened costs nothing besides."))
    if rules.last_turns:
        lines.append(
            _(
                "When the last tile is drawn, everybody has one last turn; then the round is "
                "blocked."
            )
        )
    else:
        lines.append(
            _(
                "When the stock is empty, who places nothing passes; when all pass in a row, "
                "the round is blocked."
            )
        )
    lines.append(
        _(
            "The lowest hand wins a blocked round; of equal ones that with fewer tiles, then "
            "that of who played last."
        )
    )
    lines.append(
        {
            BlockedScore.RRRUMMY: _(
                "Then each other player scores minus the own hand, and the winner the sum of "
                "these minus the own hand."
            ),
            BlockedScore.BOX: _(
                "Then each other player scores minus what the own hand is above the winner's, "
                "and the winner the sum of these."
            ),
            BlockedScore.PLAIN: _(
                "Then each other player scores minus the own hand, and the winner the sum of these."
            ),
        }[rules.blocked_score]
    )
    return lines


def _match_end(rules: Rules) -> str:
    length = rules.match_length
    if rules.match_end is MatchEnd.ROUNDS:
        return ngettext("{count} round", "{count} rounds", length).format(count=length)
    if rules.match_end is MatchEnd.TARGET:
        return _("first to {points} points").format(points=length)
    if length % 60:
        return _("{count} seconds").format(count=length)
    minutes = length // 60
    return ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)


def _match(rules: Rules) -> list[str]:
    length = _match_end(rules)
    lines = {
        MatchEnd.ROUNDS: _("The match lasts {length}.").format(length=length),
        MatchEnd.TIME: _(
            "The match lasts {length}; the round that is being played then is finished."
        ).format(length=length),
        MatchEnd.TARGET: _(
            "The match ends after the round in which somebody reaches {points} points; a tie at "
            "the top plays on."
        ).format(points=rules.match_length),
    }
    return [lines[rules.match_end], _("The highest score wins the match.")]
