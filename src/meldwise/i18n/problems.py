"""What is wrong with a meld or an end of turn, as a sentence."""

from __future__ import annotations

from typing import Final

from meldwise.game.codes import Code
from meldwise.game.problems import Problem
from meldwise.i18n.names import meld_name, tiles_name
from meldwise.i18n.translate import N_, capitalised, ngettext
from meldwise.i18n.translate import translate as _

__all__ = ["PROBLEM_CODES", "explain_problem"]

_SENTENCES: Final[dict[Code, str]] = {
    Code.MELD_EMPTY: N_("a meld has no tiles: lay at least three, or leave it out"),
    Code.MELD_NO_REAL_TILE: N_(
        "{meld}: jokers alone are no meld; at least one real tile has to lie with them"
    ),
    Code.MELD_MIXED_COLOURS: N_("{meld}: {tiles} has another colour, and a run has only one"),
    Code.MELD_NOT_CONSECUTIVE: N_("{meld}: {tiles} does not follow"),
    Code.MELD_BELOW_ONE: N_("{meld}: {tiles} would stand below 1, and nothing comes before a 1"),
    Code.MELD_ABOVE_THIRTEEN: N_("{meld}: {tiles} would stand beyond 13, and nothing follows a 13"),
    Code.MELD_MIXED_NUMBERS: N_("{meld}: {tiles} has another number, and a set has only one"),
    Code.MELD_DUPLICATE_COLOUR: N_(
        "{meld}: {tiles} is of a colour that is there already, and a set has each only once"
    ),
    Code.MELD_TWO_JOKERS: N_("{meld}: it holds {have} jokers, and these rules allow {need} a meld"),
    Code.TURN_NOTHING_PLAYED: N_(
        "no tile of the hand was placed: place at least one, or draw or pass instead"
    ),
    Code.TURN_TABLE_TILE_MISSING: N_(
        "{tiles} lay on the table and must lie in a meld again before the turn ends"
    ),
    Code.TURN_TILE_NOT_HELD: N_("{tiles}: neither in the hand nor on the table"),
    Code.TURN_TABLE_BEFORE_OPENING: N_(
        "{meld}: the melds of the table are untouchable until the turn after the opening; "
        "open with new melds from the hand"
    ),
    Code.TURN_MUST_PLAY: N_("a play is possible, and these rules ask whoever can play to do so"),
    Code.JOKER_NOT_REPLACED: N_(
        "{meld}: its joker was taken, and no tile replaces it; that would need {wanted}"
    ),
    Code.JOKER_NOT_FROM_HAND: N_(
        "{meld}: its joker has to be replaced by a tile from the hand, one for each joker: {wanted}"
    ),
    Code.JOKER_BOTH_COLOURS: N_(
        "{meld}: a set of three gives up its joker only for both missing tiles: {all_wanted}"
    ),
    Code.JOKER_MELD_CLOSED: N_(
        "{meld}: a meld that keeps its joker stays whole; add to it, join it to another, "
        "or replace its joker by {wanted} from the hand first"
    ),
    Code.JOKER_NOT_IN_NEW_MELD: N_(
        "{meld}: the joker taken from it has to go into a new meld in the same turn"
    ),
    Code.JOKER_NOT_IN_OWN_MELD: N_(
        "{meld}: the joker taken from it has to go into a new meld with at least two tiles "
        "from the hand and nothing else"
    ),
}
_COUNTED: Final = frozenset(
    {Code.MELD_TOO_SHORT, Code.MELD_TOO_LONG, Code.TURN_OPENING_BELOW_MINIMUM}
)
_MENDED_IN_PLACE: Final = frozenset(
    {
        Code.MELD_MIXED_COLOURS,
        Code.MELD_NOT_CONSECUTIVE,
        Code.MELD_MIXED_NUMBERS,
        Code.MELD_DUPLICATE_COLOUR,
    }
)

PROBLEM_CODES: Final = frozenset(_SENTENCES) | _COUNTED
"""The codes that a :class:`~meldwise.game.problems.Problem` can carry."""


def explain_problem(problem: Problem) -> str:
    """What is wrong, where, and what would mend it, in one sentence."""
    code = problem.code
    meld = _("the meld") if problem.meld is None else meld_name(problem.meld)
    have, need = problem.have or 0, problem.need or 0
    if code is Code.MELD_TOO_SHORT:
        text = ngettext(
            "{meld}: only {have} tile; a meld has at least {need}",
            "{meld}: only {have} tiles; a meld has at least {need}",
            have,
        )
    elif code is Code.MELD_TOO_LONG:
        text = ngettext(
            "{meld}: {have} tile; a set has at most {need}",
            "{meld}: {have} tiles; a set has at most {need}",
            have,
        )
    elif code is Code.TURN_OPENING_BELOW_MINIMUM:
        text = ngettext(
            "the new melds are worth {have} of the {need} points of the opening: "
            "{lack} point is lacking",
            "the new melds are worth {have} of the {need} points of the opening: "
            "{lack} points are lacking",
            need - have,
        )
    else:
        text = _(_SENTENCES[code])
    sentence = text.format(
        meld=meld,
        tiles=tiles_name(problem.tiles) or _("a tile"),
        wanted=tiles_name(problem.wanted, either=True) or _("a tile that it stands for"),
        all_wanted=tiles_name(problem.wanted) or _("those that it stands for"),
        have=have,
        need=need,
        lack=need - have,
    )
    if code in _MENDED_IN_PLACE and problem.wanted:
        sentence = _("{problem}; {wanted} would fit there").format(
            problem=sentence, wanted=tiles_name(problem.wanted, either=True)
        )
    return capitalised(sentence) + "."
