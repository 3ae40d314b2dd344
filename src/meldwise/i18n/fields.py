"""What the fields of the rules and their values are called, and what they mean."""

from __future__ import annotations

from typing import Final

from meldwise.game.rules import (
    RANGES,
    BlockedScore,
    Direction,
    FirstPlayer,
    FreedJokerGoes,
    InvalidEnd,
    JokerPickup,
    MatchEnd,
    MustPlay,
    ReplacementFrom,
)
from meldwise.i18n.translate import N_, ngettext
from meldwise.i18n.translate import translate as _

__all__ = ["LEVELS", "describe_field", "field_meaning", "field_name", "value_name"]

_NAMES: Final[dict[str, str]] = {
    "min_players": N_("fewest players"),
    "max_players": N_("most players"),
    "copies": N_("tiles of each face"),
    "jokers": N_("jokers in the box"),
    "hand_size": N_("tiles dealt to each"),
    "first_player": N_("who begins a round"),
    "direction": N_("direction of turns"),
    "opening_minimum": N_("points for the opening"),
    "opening_table_moves": N_("table moves in the opening turn"),
    "joker_pickup": N_("taking a joker"),
    "replacement_from": N_("replacement of a joker from"),
    "closed_joker_melds": N_("melds with a joker stay whole"),
    "freed_joker_goes": N_("a freed joker goes"),
    "both_colours": N_("both colours free the joker of a set"),
    "two_jokers_in_meld": N_("two jokers in a meld"),
    "must_play": N_("who can play must"),
    "invalid_end": N_("an invalid end of turn"),
    "penalty_tiles": N_("tiles drawn as a penalty"),
    "penalty_skips": N_("turns missed as a penalty"),
    "last_turns": N_("one last turn each"),
    "redeal_pairs": N_("dealt pairs for a new deal"),
    "timer": N_("time for a turn"),
    "joker_in_hand": N_("cost of a joker in hand"),
    "unopened_surcharge": N_("cost of not having opened"),
    "blocked_score": N_("score of a blocked round"),
    "match_end": N_("end of the match"),
    "match_length": N_("length of the match"),
    "leaver_grace": N_("wait for a player who left"),
    "joker_level": N_("joker level"),
}

_MEANINGS: Final[dict[str, str]] = {
    "min_players": N_("the fewest players the game takes"),
    "max_players": N_("the most players; five or six need three tiles of each face"),
    "copies": N_("how often each numbered tile is in the box"),
    "jokers": N_("how many jokers are in the box"),
    "hand_size": N_("how many tiles each player is dealt"),
    "first_player": N_("who begins the rounds after the first, which is drawn for"),
    "direction": N_("in which direction turns go round the table"),
    "opening_minimum": N_("the points that the new melds of an opening must reach"),
    "opening_table_moves": N_(
        "whether table melds may be used in the opening turn once the minimum is down"
    ),
    "joker_pickup": N_("when a joker on the table may be taken to stand for something else"),
    "replacement_from": N_("where the tile that replaces a joker may come from"),
    "closed_joker_melds": N_("whether a meld that keeps its joker must stay whole"),
    "freed_joker_goes": N_("where a freed joker must be placed in the same turn"),
    "both_colours": N_("whether a set of three gives up its joker only for both missing colours"),
    "two_jokers_in_meld": N_("whether a meld may hold more than one joker"),
    "must_play": N_("when a player who can play has to"),
    "invalid_end": N_("what an invalid end of turn leads to"),
    "penalty_tiles": N_("how many tiles an invalid end of turn costs"),
    "penalty_skips": N_("how many turns it costs besides"),
    "last_turns": N_("whether everybody has one last turn after the last tile is drawn"),
    "redeal_pairs": N_("how many dealt pairs give the right to ask for a new deal; 0 for none"),
    "timer": N_("seconds for a turn, or off"),
    "joker_in_hand": N_("what a joker left in hand costs, in points"),
    "unopened_surcharge": N_("what a loser who has not opened pays besides, in points"),
    "blocked_score": N_("how a round is scored that nobody can finish"),
    "match_end": N_("what ends the match"),
    "match_length": N_("after how many rounds, seconds or points the match ends"),
    "leaver_grace": N_("seconds after which a computer player takes a leaver's seat"),
    "joker_level": N_("a name, J0 to J4, for the five joker rules together"),
}

_VALUES: Final[dict[str, dict[str, str]]] = {
    "first_player": {
        FirstPlayer.DRAW: N_("drawn for"),
        FirstPlayer.WINNER: N_("the winner of the last"),
        FirstPlayer.ROTATE: N_("each in turn"),
    },
    "direction": {
        Direction.CLOCKWISE: N_("clockwise"),
        Direction.ANTICLOCKWISE: N_("anticlockwise"),
    },
    "joker_pickup": {
        JokerPickup.ALWAYS: N_("always"),
        JokerPickup.AFTER_REPLACEMENT: N_("after replacement"),
    },
    "replacement_from": {
        ReplacementFrom.ANYWHERE: N_("anywhere"),
        ReplacementFrom.HAND: N_("the hand"),
    },
    "freed_joker_goes": {
        FreedJokerGoes.ANYWHERE: N_("anywhere"),
        FreedJokerGoes.NEW_MELD: N_("into a new meld"),
        FreedJokerGoes.NEW_OWN_MELD: N_("into a new meld of own tiles"),
    },
    "must_play": {
        MustPlay.NEVER: N_("never"),
        MustPlay.STOCK_EMPTY: N_("once the stock is empty"),
        MustPlay.ALWAYS: N_("always"),
    },
    "invalid_end": {InvalidEnd.PENALTY: N_("a penalty"), InvalidEnd.REFUSE: N_("refused")},
    "blocked_score": {
        BlockedScore.RRRUMMY: N_("others' hands minus the own"),
        BlockedScore.BOX: N_("differences from the lowest hand"),
        BlockedScore.PLAIN: N_("others' hands"),
    },
    "match_end": {
        MatchEnd.ROUNDS: N_("by rounds"),
        MatchEnd.TIME: N_("by time"),
        MatchEnd.TARGET: N_("by points"),
    },
}

LEVELS: Final = (
    N_("jokers may be taken and moved freely"),
    N_("a joker may be taken once any tile replaces it"),
    N_("a joker may be taken once a tile from the hand replaces it"),
    N_(
        "a joker may be taken once a tile from the hand replaces it, "
        "and a meld that keeps its joker stays whole"
    ),
    N_(
        "a joker may be taken once a tile from the hand replaces it, and goes into a new meld "
        "of own tiles; a meld that keeps its joker stays whole"
    ),
)
"""What each joker level amounts to, still to be translated."""

_SECONDS: Final = frozenset({"timer", "leaver_grace"})


def field_name(name: str) -> str:
    """What a field of the rules is called by people; empty for an unknown one."""
    return _(_NAMES[name]) if name in _NAMES else ""


def field_meaning(name: str) -> str:
    """What a field of the rules means; empty for an unknown one."""
    return _(_MEANINGS[name]) if name in _MEANINGS else ""


def describe_field(name: str) -> str:
    """What a field of the rules means, and what it can be; empty for an unknown one."""
    if name not in _MEANINGS:
        return ""
    text = _(_MEANINGS[name])
    if name in _VALUES:
        return _("{text}: {values}").format(text=text, values=", ".join(map(str, _VALUES[name])))
    if name == "match_length" or name == "joker_level":
        return text
    if name in RANGES:
        low, high = RANGES[name]
        return _("{text}: {low} to {high}").format(text=text, low=low, high=high)
    return _("{text}: yes or no").format(text=text)


def value_name(name: str, value: str | int | bool | None) -> str:
    """A value of a field in words; texts that are no value of it come back unchanged."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value is None:
        return _("no limit") if name == "timer" else _("nothing")
    if name in _VALUES and str(value) in _VALUES[name]:
        return _(_VALUES[name][str(value)])
    if name in _SECONDS and isinstance(value, int):
        return ngettext("{count} second", "{count} seconds", value).format(count=value)
    return str(value)
