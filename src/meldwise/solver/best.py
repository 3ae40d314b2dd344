"""The best play from a position, with its proof."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import add

from meldwise.game.codes import Code
from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Position, Table
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, JOKER, JOKER_INDEX, TILES, Tile, format_tiles
from meldwise.game.values import quickly_made
from meldwise.solver.budget import Budget, Clock
from meldwise.solver.core import ENOUGH, FLOOR
from meldwise.solver.errors import ObjectiveError, PositionError, UnarrangeableError
from meldwise.solver.jokers import free_jokers
from meldwise.solver.objective import MOST_TILES, Objective
from meldwise.solver.query import NOTHING, Query
from meldwise.solver.turn import Begun, Best, best_turn, played_in

__all__ = ["Answer", "Play", "best_play"]

NO_WEIGHTS = [0] * (FACES + 1)


@quickly_made
@dataclass(frozen=True, slots=True)
class Play:
    """A legal end of the turn.

    Attributes:
        table: all the melds as they lie at the end.
        played: the tiles placed from the hand, in order of their index.
        value: what the play is worth, a number for each sum of the objective.
    """

    table: Table
    played: tuple[Tile, ...]
    value: tuple[int, ...]

    def __str__(self) -> str:
        return f"{' '.join(map(str, self.table))} ({format_tiles(self.played)})"


@quickly_made
@dataclass(frozen=True, slots=True)
class Answer:
    """The best play found, and how good any could be.

    Attributes:
        play: the best play; None if there is none, or none was found within the budget.
        proven: whether no play is better, or, without a play, that there is none.
        gap: how much better a play could be than the one found, in the objective's first
            sum (in the first in which it could be better at all); 0 if proven. Without a
            play it says nothing and is 0.
        bound: what no play can beat, for the objective's sums taken as one with a factor
            for each; equal to the play's own total if proven.
        total: the play's own total in the same measure; None without a play.
        nodes: how many states were looked into.
    """

    play: Play | None
    proven: bool
    gap: int
    bound: int
    total: int | None
    nodes: int


def best_play(
    position: Position,
    rules: Rules,
    objective: Objective = MOST_TILES,
    *,
    nodes: int = 0,
    seconds: float | None = None,
    clock: Clock | None = None,
) -> Answer:
    """The provably best legal play of a turn.

    Doing nothing is no play: where every play has a negative value, the best of them is the
    answer all the same.

    >>> rules = Rules().with_joker_level(0)
    >>> position = Position.parse("r5-6-7 / r4 k9 b4 y4 r8")
    >>> answer = best_play(position, rules)
    >>> str(answer.play), answer.proven
    ('4ryb r5-6-7-8 (r4 r8 y4 b4)', True)

    Args:
        position: the table, the hand, and whether the player has opened.
        rules: the rules of the table.
        objective: what the play is to be best at.
        nodes: how many states of the search may be looked into; 0 for any number.
        seconds: how long it may take by ``clock``.
        clock: gives the time in seconds.

    Raises:
        PositionError: if it is no position of the rules' box.
        UnarrangeableError: if the table's tiles cannot be arranged into valid melds.
        ObjectiveError: on a budget that makes no sense.
    """
    budget = Budget(nodes, seconds, clock)
    query, factors = make_query(position, rules, objective)
    best = best_nonempty(query, position.opened, budget, objective.going_out)
    if best.gain is None:
        check_arrangeable(position, query)
    return answer_of(position, query, objective, factors, best, budget)


def make_query(
    position: Position, rules: Rules, objective: Objective
) -> tuple[Query, tuple[int, ...]]:
    """The position as counts, and the factor of each of the objective's sums.

    Raises:
        PositionError: if it is no position of the rules' box.
        ObjectiveError: if it is no objective.
    """
    if not isinstance(objective, Objective):
        raise ObjectiveError(Code.SOLVER_OBJECTIVE, field="objective", value=repr(objective)[:80])
    held = [0] * (FACES + 1)
    hand = [0] * (FACES + 1)
    try:
        for meld in position.table:
            for index in meld.key[1]:
                held[index] += 1
        for tile in position.hand:
            hand[tile.index] += 1
    except (AttributeError, TypeError) as error:
        raise PositionError(Code.SOLVER_NOT_A_POSITION, value=repr(position)[:80]) from error
    total = list(map(add, held, hand))
    if total[JOKER_INDEX] > rules.jokers or max(total[:FACES]) > rules.copies:
        for index, count in enumerate(total):
            most = rules.copies if index < FACES else rules.jokers
            if count > most:
                raise PositionError(
                    Code.SOLVER_TOO_MANY_TILES, tile=TILES[index], have=count, most=most
                )
    if held[JOKER_INDEX] > 0 and position.opened and not free_jokers(rules):
        for meld in position.table:
            if meld.joker_cells and not meld.is_valid:
                raise PositionError(Code.SOLVER_INVALID_MELD, meld=meld)
    weights, factors = objective.scaled(hand)
    if min(weights) <= 0 and any(n and w <= 0 for n, w in zip(hand, weights, strict=True)):
        # Of plays of the same value one that places something: nothing is no play.
        spread = len(position.hand) + 1
        weights = tuple([weight * spread + 1 for weight in weights])
        factors = tuple(factor * spread for factor in factors)
    return Query(rules, position.table, held, NO_WEIGHTS, hand, weights), factors


def best_nonempty(
    query: Query,
    opened: bool,
    budget: Budget,
    going_out: bool = False,
    floor: int = FLOOR,
    target: int = ENOUGH,
    begun: Begun | None = None,
) -> Best:
    """The best play that places at least one tile.

    ``begun`` may be the turn's first problem, searched ahead from :func:`least_floor`.
    """
    if going_out and any(query.high):
        whole = Query(query.rules, query.table, query.held, query.high, query.high, query.weights)
        out = best_turn(whole, opened, budget, floor, target)
        if out.gain is not None:
            return out
    if any(query.low):
        return best_turn(query, opened, budget, floor, target)
    least = least_floor(query)
    if least == 0:
        return best_turn(query, opened, budget, max(floor, 0), target, begun)
    best = best_turn(query, opened, budget, floor, target, begun)
    if best.gain is None or any(best.played or played_in(query, best.melds)) or not opened:
        return best
    # Each tile of the hand is tried as the first that is played.
    best = Best(None, FLOOR)
    bound = FLOOR
    high: dict[int, int] = {}
    for index, count in enumerate(query.high):
        if not count:
            continue
        part = query.bounded({index: 1}, high)
        high[index] = 0
        if part is not None:
            found = best_turn(part, opened, budget, floor, target)
            bound = max(bound, found.bound)
            if found.gain is not None:
                best, floor = found, found.gain
    best.bound = max(bound, floor)
    return best


def least_floor(query: Query) -> int:
    """Below what no play gains: where all gain something, a gain of nothing is not asked for."""
    if min(query.weights) > 0 or all(
        weight > 0 for weight, n in zip(query.weights, query.high, strict=True) if n
    ):
        return 0
    return FLOOR


def answer_of(
    position: Position,
    query: Query,
    objective: Objective,
    factors: tuple[int, ...],
    best: Best,
    budget: Budget,
) -> Answer:
    """The answer for the best play of a query."""
    if best.gain is None:
        return Answer(None, not budget.stopped, 0, best.bound, None, budget.spent)
    gap = 0
    proven = best.bound <= best.gain
    if not proven:
        for factor in factors:
            gap = (best.bound - best.gain) // factor
            if gap:
                break
    play = play_of(position, objective, query, best)
    return Answer(play, proven, gap, max(best.bound, best.gain), best.gain, budget.spent)


def play_of(position: Position, objective: Objective, query: Query, best: Best) -> Play:
    """The play that a search found."""
    table = [meld_of(meld[0], meld[3]) for meld in best.melds]
    if not position.opened and not query.rules.opening_table_moves:
        played: list[Tile] = sorted(tile for meld in table for tile in meld.cells)
        table = [*position.table, *table]
    else:
        counts = best.played or played_in(query, best.melds)
        played = [TILES[index] for index, n in enumerate(counts) if n for _ in range(n)]
    return Play(tuple(table), tuple(played), objective.value(played))


@lru_cache(maxsize=1 << 14)
def meld_of(is_run: bool, cells: tuple[int, ...]) -> Meld:
    """The meld of these cells, -1 for a joker."""
    kind = Kind.RUN if is_run else Kind.SET
    return Meld(kind, tuple([JOKER if cell < 0 else TILES[cell] for cell in cells]))


def check_arrangeable(position: Position, query: Query) -> None:
    """Makes sure that the table's tiles can lie in valid melds at all.

    Raises:
        UnarrangeableError: if they cannot, whatever is played from the hand.
    """
    if not position.opened or all(meld.is_valid for meld in position.table):
        return
    made = NOTHING.problem(Query(query.rules, (), query.held, NO_WEIGHTS, query.high, NO_WEIGHTS))
    if made is not None and made[0].solve(Budget()).gain is None:
        raise UnarrangeableError(Code.SOLVER_UNARRANGEABLE, table=position.table)
