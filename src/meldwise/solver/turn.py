"""The best play for a query: all branches of the joker rules, and the opening turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from operator import sub

from meldwise.game.opening import opening_value
from meldwise.game.rules import FreedJokerGoes
from meldwise.game.tiles import FACES, JOKER_INDEX, NUMBERS
from meldwise.solver.budget import Budget
from meldwise.solver.core import ENOUGH, FLOOR, Problem, Searched
from meldwise.solver.jokers import Case, cases
from meldwise.solver.layout import LaidMeld
from meldwise.solver.newmelds import NewMelds
from meldwise.solver.query import NOTHING, Branch, Query

__all__ = [
    "Begun",
    "Best",
    "begin_turn",
    "best_of_table",
    "best_opening",
    "best_turn",
    "highest_opening",
    "leaves",
    "opens",
    "played_in",
    "worth_of",
]


_NO_TILES = [0] * (FACES + 1)
_NUMBERS = (*[index % NUMBERS + 1 for index in range(FACES)], 0)
_JOKER_GAINS = list(range(1, NUMBERS + 1))


@dataclass(slots=True)
class Best:
    """The best play for a query.

    Attributes:
        gain: what it gains; None if there is no play above the floor.
        bound: what no play can beat.
        melds: the whole table at its end, the untouched melds of a plain opening left out.
        branch: how the table's jokers are dealt with.
        played: how many of each tile are played, where that was counted.
    """

    gain: int | None
    bound: int
    melds: tuple[LaidMeld, ...] = ()
    branch: Branch | None = None
    played: list[int] | None = None


@dataclass(slots=True)
class Begun:
    """The first problem of a turn, so that it can be searched ahead with others.

    Attributes:
        problem: the problem.
        gained: what its forced tiles gain.
        case: the way to deal with the table's jokers that it belongs to; None for a plain
            opening.
        further: the ways after that.
        searched: what its search has come to, if it was done.
    """

    problem: Problem
    gained: int
    case: Case | None = None
    further: Iterable[Case] = ()
    searched: Searched | None = None

    def limits(self, floor: int) -> tuple[int, int]:
        """The floor and the target of its search, for a floor of the whole turn."""
        return max(FLOOR, floor - self.gained), ENOUGH - max(0, self.gained)


def begin_turn(query: Query, opened: bool) -> Begun | None:
    """The first problem of a turn, where it does not follow from others."""
    if not opened:
        if query.rules.opening_table_moves:
            return None
        made = NOTHING.problem(_own(query))
        return Begun(*made) if made is not None else None
    further = cases(query)
    case = next(further, None)
    if case is None:
        return None
    if case.freed and query.rules.freed_joker_goes is not FreedJokerGoes.ANYWHERE:
        return None
    made = case.branch.problem(query)
    return Begun(*made, case, further) if made is not None else None


def best_turn(
    query: Query,
    opened: bool,
    budget: Budget,
    floor: int = FLOOR,
    target: int = ENOUGH,
    begun: Begun | None = None,
) -> Best:
    """The best play that gains more than ``floor``; it may place nothing at all.

    Args:
        query: what is asked.
        opened: whether the player has opened before.
        budget: what may be spent.
        floor: only plays that gain more are of interest.
        target: what is enough: the search stops there, proven or not.
        begun: the turn's first problem, if it was searched ahead from the same floor.
    """
    if opened:
        return best_of_table(query, budget, floor, target, begun)
    if query.rules.opening_table_moves:
        return _best_open_opening(query, budget, floor, target)
    return best_opening(query, budget, floor, target, begun)


def best_of_table(
    query: Query,
    budget: Budget,
    floor: int = FLOOR,
    target: int = ENOUGH,
    begun: Begun | None = None,
) -> Best:
    """The best play of a player who may use the table."""
    best = Best(None, FLOOR)
    bound = FLOOR
    placing = query.rules.freed_joker_goes is not FreedJokerGoes.ANYWHERE
    ways = cases(query)
    if begun is not None and begun.case is not None:
        ways = chain((begun.case,), begun.further)
    for case in ways:
        if placing and case.freed:
            found = _best_with_new_melds(query, case, budget, floor, target)
        else:
            first = begun if begun is not None and begun.case is case else None
            found = _solve(query, case.branch, budget, floor, target, first)
        if found.bound > bound:
            bound = found.bound
        if found.gain is not None:
            best, floor = found, found.gain
            if floor >= target:
                break
    best.bound = max(bound, floor)
    return best


def _solve(
    query: Query,
    branch: Branch,
    budget: Budget,
    floor: int,
    target: int,
    begun: Begun | None = None,
) -> Best:
    searched = None
    if begun is not None:
        problem, gained, searched = begun.problem, begun.gained, begun.searched
    else:
        made = branch.problem(query)
        if made is None:
            return Best(None, FLOOR)
        problem, gained = made
    start = max(FLOOR, floor - gained)
    enough = max(start + 1, min(ENOUGH, target - gained))
    found = problem.solve(budget, start, enough, searched)
    if found.gain is None:
        return Best(None, found.bound + gained)
    if branch is NOTHING and found.placed:
        played = list(map(sub, found.placed, query.held))
        return Best(found.gain + gained, found.bound + gained, found.layout, branch, played)
    melds = (*branch.melds, *found.layout)
    return Best(found.gain + gained, found.bound + gained, melds, branch)


def _best_with_new_melds(query: Query, case: Case, budget: Budget, floor: int, target: int) -> Best:
    """Puts the freed jokers into new melds one by one, each time bounded by the rest free.

    The melds of the table that the rest free would give are tried first; then the others,
    spot by spot, each spot bounded by all that has a joker there.
    """
    loose = _solve(query, case.branch, budget, floor, ENOUGH)
    if loose.gain is None:
        return loose
    enough = min(target, loose.bound)
    best = Best(None, FLOOR)
    bound = floor
    melds = NewMelds(query, case)
    likely = melds.within(loose.melds)
    for rough, some in chain([(None, likely)], melds.by_spot()):
        if rough is not None:
            limit = _solve(query, rough, budget, floor, floor + 1)
            if limit.bound <= floor:
                continue
        for further, complete in melds.of(some):
            if complete:
                found = _solve(query, further, budget, floor, enough)
            else:
                deeper = Case(further, case.fates, case.freed)
                found = _best_with_new_melds(query, deeper, budget, floor, enough)
            bound = max(bound, found.bound)
            if found.gain is not None:
                best, floor = found, found.gain
                if floor >= enough:
                    best.bound = loose.bound if floor < loose.bound else floor
                    return best
            if budget.used_up:
                budget.stopped = True
                best.bound = loose.bound
                return best
    best.bound = max(floor, min(bound, loose.bound))
    return best


def _own(query: Query) -> Query:
    """The query without a table."""
    return Query(query.rules, (), _NO_TILES, query.low, query.high, query.weights)


def best_opening(
    query: Query,
    budget: Budget,
    floor: int = FLOOR,
    target: int = ENOUGH,
    begun: Begun | None = None,
) -> Best:
    """The best opening from the own hand, the table left as it is (the plain reading)."""
    need = max(1, query.rules.opening_minimum)
    searched = None
    if begun is not None:
        problem, gained, searched = begun.problem, begun.gained, begun.searched
    else:
        made = NOTHING.problem(_own(query))
        if made is None:
            return Best(None, FLOOR)
        problem, gained = made
    # Most often the best play without the minimum reaches it.
    found = problem.solve(budget, max(FLOOR, floor - gained), target - gained, searched)
    if found.gain is not None and worth_of(found.layout) < need:
        problem.need = need
        found = problem.solve(budget, max(FLOOR, floor - gained), target - gained)
    if found.gain is None:
        return Best(None, found.bound + gained)
    return Best(found.gain + gained, found.bound + gained, found.layout, NOTHING, found.placed)


def highest_opening(query: Query, budget: Budget, enough: int = ENOUGH) -> int:
    """The highest value of an opening from the hand, jokers as what they stand for.

    Args:
        query: what is asked.
        budget: what may be spent.
        enough: the search stops at an opening of that value.
    """
    problem = Problem(_NO_TILES, query.high, _NUMBERS, query.high[JOKER_INDEX])
    problem.two_jokers = query.rules.two_jokers_in_meld
    problem.joker_gains = _JOKER_GAINS
    return problem.solve(budget, 0, enough).gain or 0


def worth_of(melds: tuple[LaidMeld, ...]) -> int:
    """The value of melds, jokers as what they stand for."""
    total = 0
    for is_run, number, _, cells in melds:
        size = len(cells)
        total += number * size + (size * (size - 1) // 2 if is_run else 0)
    return total


def _best_open_opening(query: Query, budget: Budget, floor: int, target: int) -> Best:
    """The other reading: an opening from the own hand, then table moves in the same turn.

    The tiles played have to hold an opening beside those that the joker rules bind. Where
    the best play does not, some tile that it leaves in hand has to be played: each of them
    is tried, and forbidden in the tries after it.
    """
    need = max(1, query.rules.opening_minimum)
    best = Best(None, FLOOR)
    bound = FLOOR
    for case in cases(query):
        for found in _opening_case(query, case, need, budget, floor, target):
            if found.bound > bound:
                bound = found.bound
            if found.gain is not None and found.gain > floor:
                best, floor = found, found.gain
        if floor >= target:
            break
    best.bound = max(bound, floor)
    return best


def _opening_case(
    query: Query, case: Case, need: int, budget: Budget, floor: int, target: int
) -> Iterator[Best]:
    if query.rules.freed_joker_goes is FreedJokerGoes.ANYWHERE or not case.freed:
        yield from _opening_branch(query, case.branch, need, budget, floor, target)
        return
    for branch in leaves(query, case):
        for found in _opening_branch(query, branch, need, budget, floor, target):
            yield found
            if found.gain is not None:
                floor = max(floor, found.gain)


def leaves(query: Query, case: Case, longest: int | None = None) -> Iterator[Branch]:
    """All the branches of a case, its freed jokers placed where they have to be.

    Args:
        query: what is asked.
        case: what becomes of the table's jokers.
        longest: the most cells of a new run that a freed joker goes to; None for as many as
            can matter to which tiles can be played.
    """
    for further, complete in NewMelds(query, case, longest).all():
        if complete:
            yield further
        else:
            yield from leaves(query, Case(further, case.fates, case.freed), longest)


def _opening_branch(
    query: Query, branch: Branch, need: int, budget: Budget, floor: int, target: int
) -> Iterator[Best]:
    todo = [query]
    while todo:
        part = todo.pop()
        if _opens(query, part.high, branch) < need:
            continue
        found = _solve(part, branch, budget, floor, ENOUGH)
        if found.gain is None or budget.used_up:
            yield Best(None, found.bound)
            continue
        played = played_in(query, found.melds)
        if _opens(query, played, branch) >= need:
            floor = found.gain
            yield found
            if floor >= target:
                return
            continue
        high: dict[int, int] = {}
        for index, count in enumerate(played):
            if count < part.high[index]:
                further = part.bounded({index: count + 1}, high)
                if further is not None:
                    todo.append(further)
                high[index] = count


def opens(query: Query, played: list[int], branch: Branch) -> bool:
    """Whether the tiles played hold an opening beside those bound by the joker rules."""
    return _opens(query, played, branch) >= max(1, query.rules.opening_minimum)


def _opens(query: Query, counts: list[int], branch: Branch) -> int:
    """What the tiles counted are worth as an opening, those bound by the rules left out."""
    rest = list(counts)
    for index, count in branch.reserved.items():
        rest[index] -= count
        if rest[index] < 0:
            return -1
    need = max(1, query.rules.opening_minimum)
    return opening_value(rest, need, query.rules.two_jokers_in_meld)


def played_in(query: Query, melds: tuple[LaidMeld, ...]) -> list[int]:
    """How many of each tile a table holds beyond those it held at the start."""
    played = [-count for count in query.held]
    for _, _, _, cells in melds:
        for cell in cells:
            played[cell if cell >= 0 else JOKER_INDEX] += 1
    return played
