"""What became of the jokers of a turn, and which joker rule a refused one breaks.

:mod:`meldwise.game.joker_search` finds a reading of the turn that the rules allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from meldwise.game.codes import Code
from meldwise.game.joker_search import Counts, Joker, JokerSearch, Settled
from meldwise.game.melds import Meld, Role
from meldwise.game.problems import Problem
from meldwise.game.rules import FreedJokerGoes, ReplacementFrom, Rules
from meldwise.game.tiles import TILES, Tile
from meldwise.game.values import quickly_made

__all__ = ["JokerUse", "explain_jokers", "settle_jokers"]


@quickly_made
@dataclass(frozen=True, slots=True)
class JokerUse:
    """What one joker of the proposed table does.

    Attributes:
        place: the index of its meld in the proposed table.
        cell: its cell there.
        role: what it stands for now; None in an invalid meld.
        origin: the place and cell it had at the start of the turn; None from the hand.
        freed: whether it was taken from the table to stand for something else.
        replaced_by: the tiles from the hand that freed it, where the rules ask for them.
    """

    place: int
    cell: int
    role: Role | None
    origin: tuple[int, int] | None = None
    freed: bool = False
    replaced_by: tuple[Tile, ...] = ()


def settle_jokers(
    start: Sequence[Meld],
    end: Sequence[Meld],
    played: Counts,
    rules: Rules,
    accept: Callable[[Counts], bool] | None = None,
) -> tuple[JokerUse, ...] | None:
    """Finds a reading of the turn that the joker rules allow.

    Args:
        start: the table at the start of the turn, valid melds.
        end: the proposed table, valid melds with all the tiles of ``start``.
        played: counts by tile index (53) of the tiles that come from the hand.
        rules: the rules of the table.
        accept: a further condition on the counts of own tiles that the reading binds.

    Returns:
        What every joker of the proposed table does; None if no reading is allowed.
    """
    search = JokerSearch(start, end, played, rules)
    if accept is None and not search.after:
        # Every joker of the start lies in the proposal, so there is none at all.
        return ()
    found = search.settle(accept)
    return None if found is None else _uses(search, found)


def explain_jokers(
    start: Sequence[Meld], end: Sequence[Meld], played: Counts, rules: Rules
) -> tuple[Problem, ...]:
    """The joker rule that a refused proposal breaks, with the jokers that break it.

    The rules are put in force one after the other; the first that refuses is named.
    """
    lenient = replace(
        rules,
        closed_joker_melds=False,
        replacement_from=ReplacementFrom.ANYWHERE,
        both_colours=False,
        freed_joker_goes=FreedJokerGoes.ANYWHERE,
    )
    goes = {
        FreedJokerGoes.ANYWHERE: Code.JOKER_NOT_REPLACED,
        FreedJokerGoes.NEW_MELD: Code.JOKER_NOT_IN_NEW_MELD,
        FreedJokerGoes.NEW_OWN_MELD: Code.JOKER_NOT_IN_OWN_MELD,
    }
    stages: list[tuple[Code, dict[str, Any]]] = [
        (Code.JOKER_NOT_REPLACED, {}),
        (Code.JOKER_BOTH_COLOURS, {"both_colours": rules.both_colours}),
        (Code.JOKER_NOT_FROM_HAND, {"replacement_from": rules.replacement_from}),
        (Code.JOKER_MELD_CLOSED, {"closed_joker_melds": rules.closed_joker_melds}),
        (goes[rules.freed_joker_goes], {"freed_joker_goes": rules.freed_joker_goes}),
    ]
    for code, settings in stages:
        lenient = replace(lenient, **settings)
        search = JokerSearch(start, end, played, lenient)
        if search.settle() is not None:
            continue
        guilty = _guilty(search)
        return tuple(_problem(code, search, search.before[index]) for index in guilty)
    return ()


def _guilty(search: JokerSearch) -> list[int]:
    """The jokers any one of which breaks the rules, or all of them if no single one does.

    Letting an innocent joker off can help too, if it takes the guilty one's place; then
    fewer of the others can stay what they were.
    """
    kept: dict[int, int] = {}
    for index in range(len(search.before)):
        found = search.settle(exempt=index)
        if found is not None:
            kept[index] = sum(not pair.freed and not pair.exempt for pair in found.pairs)
    if not kept:
        return list(range(len(search.before)))
    return [index for index, count in kept.items() if count == max(kept.values())]


def _problem(code: Code, search: JokerSearch, joker: Joker) -> Problem:
    meld = search.start[joker.place]
    return Problem(
        code=code,
        meld=meld,
        place=joker.place,
        cell=joker.cell,
        tiles=(meld.cells[joker.cell],),
        wanted=joker.role.tiles,
    )


def _uses(search: JokerSearch, found: Settled) -> tuple[JokerUse, ...]:
    """What every joker of the proposal does, by place and cell."""
    origin = {(pair.target.place, pair.target.cell): pair for pair in found.pairs}
    result: list[JokerUse] = []
    for joker in search.after:
        pair = origin.get((joker.place, joker.cell))
        if pair is None:
            result.append(JokerUse(joker.place, joker.cell, joker.role))
            continue
        tiles = found.hand.get(pair.joker.place, ()) if pair.freed else ()
        result.append(
            JokerUse(
                joker.place,
                joker.cell,
                joker.role,
                origin=(pair.joker.place, pair.joker.cell),
                freed=pair.freed,
                replaced_by=tuple([TILES[index] for index in tiles]),
            )
        )
    return tuple(result)
