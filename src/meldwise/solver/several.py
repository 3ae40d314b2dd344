"""More than the best play: the best few, what each tile is good for, many positions."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import MappingProxyType

from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, TILES, Tile
from meldwise.solver.ahead import MOST, Asked, search_ahead
from meldwise.solver.best import (
    Answer,
    Play,
    answer_of,
    best_nonempty,
    check_arrangeable,
    least_floor,
    make_query,
    play_of,
)
from meldwise.solver.budget import Budget, check_count
from meldwise.solver.errors import PositionError
from meldwise.solver.objective import MOST_TILES, Objective
from meldwise.solver.oracle import query_can_play
from meldwise.solver.query import Query
from meldwise.solver.turn import Begun, Best, begin_turn, best_turn, played_in

__all__ = ["Outlook", "best_plays", "playable", "plays", "solve_together"]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the tiles of a hand are good for.

    Attributes:
        playable: for each face in hand whether some legal play uses it.
        most: the most tiles that can be played now.
        draws: for each tile that may still be drawn the most tiles that could be played
            with it next, if the table stays as it is.
    """

    playable: Mapping[Tile, bool]
    most: int
    draws: Mapping[Tile, int]

    def __reduce__(self) -> tuple[object, ...]:
        # A read-only view of a mapping cannot be pickled.
        return _outlook, (dict(self.playable), self.most, dict(self.draws))


def _outlook(able: dict[Tile, bool], most: int, draws: dict[Tile, int]) -> Outlook:
    return Outlook(MappingProxyType(able), most, MappingProxyType(draws))


def playable(position: Position, rules: Rules) -> Outlook:
    """Tells for each tile of the hand, and for each draw, what it is good for.

    >>> outlook = playable(Position.parse("r5-6-7 / r8 b9"), Rules())
    >>> [str(tile) for tile, able in outlook.playable.items() if able], outlook.most
    (['r8'], 1)
    >>> outlook.draws[Tile.parse("r9")]
    2

    Raises:
        PositionError: if it is no position of the rules' box.
        UnarrangeableError: if the table's tiles cannot be arranged into valid melds.
    """
    query, _ = make_query(position, rules, MOST_TILES)
    best = best_turn(query, position.opened, Budget(), 0)
    if best.gain is None:
        check_arrangeable(position, query)
    used = [0] * (FACES + 1) if best.gain is None else played_at(position, query, best)
    able: dict[Tile, bool] = {}
    for index, count in enumerate(query.high):
        if count:
            part = query.bounded({index: 1})
            able[TILES[index]] = bool(used[index]) or (
                best.gain is not None and part is not None and query_can_play(part, position.opened)
            )
    most = best.gain or 0
    draws: dict[Tile, int] = {}
    for index, tile in enumerate(TILES):
        box = rules.copies if index < FACES else rules.jokers
        if query.held[index] + query.high[index] < box:
            more = list(query.high)
            more[index] += 1
            low = [0] * (FACES + 1)
            # A play that is better than without the drawn tile uses it.
            low[index] = more[index]
            drawn = Query(rules, query.table, query.held, low, more, query.weights)
            draws[tile] = best_turn(drawn, position.opened, Budget(), most).gain or most
    return _outlook(able, most, draws)


def plays(
    position: Position, rules: Rules, k: int, objective: Objective = MOST_TILES
) -> Iterator[Play]:
    """The best plays that differ in the tiles played, the best first, at most ``k``.

    >>> found = plays(Position.parse("r5-6-7 / r8 r4"), Rules(), 5)
    >>> [" ".join(map(str, play.played)) for play in found]
    ['r4 r8', 'r8', 'r4']

    Raises:
        PositionError: if it is no position of the rules' box.
        UnarrangeableError: if the table's tiles cannot be arranged into valid melds.
        ObjectiveError: if ``k`` is negative.
    """
    check_count("k", k)
    query, _ = make_query(position, rules, objective)
    best = best_nonempty(query, position.opened, Budget(), objective.going_out)
    if best.gain is None:
        check_arrangeable(position, query)
    return _plays(position, query, objective, best, k)


def _plays(
    position: Position, query: Query, objective: Objective, best: Best, k: int
) -> Iterator[Play]:
    """Splits what is left each time by the first tile whose count differs (Lawler, 1972)."""
    if best.gain is None or k == 0:
        return
    count = 0
    heap: list[tuple[int, int, Query, Best]] = [(-best.gain, 0, query, best)]
    faces = [index for index, n in enumerate(query.high) if n]
    while heap:
        _, _, part, best = heapq.heappop(heap)
        yield play_of(position, objective, query, best)
        k -= 1
        if k == 0:
            return
        played = played_at(position, query, best)
        fixed: dict[int, int] = {}
        for index in faces:
            value = played[index]
            for low, high in (
                (fixed, {**fixed, index: value - 1}),
                ({**fixed, index: value + 1}, fixed),
            ):
                if high.get(index, 0) < 0:
                    continue
                further = part.bounded(low, high)
                if further is None:
                    continue
                found = best_nonempty(further, position.opened, Budget())
                if found.gain is not None:
                    count += 1
                    heapq.heappush(heap, (-found.gain, count, further, found))
            fixed[index] = value


def played_at(position: Position, query: Query, best: Best) -> list[int]:
    """How many of each tile a play of a position places."""
    if best.played is not None:
        return best.played
    if position.opened or query.rules.opening_table_moves:
        return played_in(query, best.melds)
    nothing = Query(query.rules, (), [0] * (FACES + 1), query.low, query.high, query.weights)
    return played_in(nothing, best.melds)


def best_plays(
    positions: Iterable[Position],
    rules: Rules,
    objective: Objective = MOST_TILES,
    *,
    threads: int = 2,
    nodes: int = 0,
) -> Iterator[Answer]:
    """The best play of many positions, in their order, over threads.

    The compiled kernel lets other threads run while it searches, a few dozen positions at a
    time. Positions are taken from the iterable as they are needed, a few hundred ahead.

    Args:
        positions: the positions.
        rules: the rules of all of them.
        objective: what the plays are to be best at.
        threads: how many threads work.
        nodes: how many states the search of each may look into; 0 for any number.

    Raises:
        PositionError: at the first position that is none of the rules' box, after the
            answers for those before it.
        UnarrangeableError: at the first table that cannot be arranged, likewise.
        ObjectiveError: at once if there is no thread, or on a budget that makes no sense.
    """
    check_count("threads", threads, least=1)
    check_count("nodes", nodes)
    return _best_plays(positions, rules, objective, threads, nodes)


def _best_plays(
    positions: Iterable[Position], rules: Rules, objective: Objective, threads: int, nodes: int
) -> Iterator[Answer]:
    def solve(part: Sequence[Position]) -> list[Answer | PositionError]:
        return solve_together(part, rules, objective, nodes)

    with ThreadPoolExecutor(threads) as pool:
        ahead = []
        for part in _parts(positions, MOST):
            ahead.append(pool.submit(solve, part))
            if len(ahead) > 2 * threads:
                yield from map(_raised, ahead.pop(0).result())
        for future in ahead:
            yield from map(_raised, future.result())


def _raised(answer: Answer | PositionError) -> Answer:
    if isinstance(answer, PositionError):
        raise answer
    return answer


def solve_together(
    positions: Sequence[Position], rules: Rules, objective: Objective, nodes: int
) -> list[Answer | PositionError]:
    """The best plays of a few positions, the first problem of each searched ahead.

    At most :data:`meldwise.solver.ahead.MOST` positions. Behind the first error nothing follows.
    """
    answers: list[Answer | PositionError] = []
    failed: PositionError | None = None
    queries: list[tuple[Query, tuple[int, ...]]] = []
    for position in positions:
        try:
            queries.append(make_query(position, rules, objective))
        except PositionError as error:
            failed = error
            break
    begun: list[Begun | None] = [None] * len(queries)
    if not objective.going_out:
        begun = [
            begin_turn(query, position.opened)
            for position, (query, _) in zip(positions, queries, strict=False)
        ]
        _search_ahead(begun, [least_floor(query) for query, _ in queries], nodes)
    for position, (query, factors), first in zip(positions, queries, begun, strict=False):
        budget = Budget(nodes)
        best = best_nonempty(query, position.opened, budget, objective.going_out, begun=first)
        try:
            if best.gain is None:
                check_arrangeable(position, query)
        except PositionError as error:
            failed = error
            break
        answers.append(answer_of(position, query, objective, factors, best, budget))
    return [*answers, failed] if failed is not None else answers


def _search_ahead(begun: Sequence[Begun | None], floors: Sequence[int], nodes: int) -> None:
    some = [(one, floor) for one, floor in zip(begun, floors, strict=True) if one is not None]
    asked = [Asked(one.problem, *one.limits(floor), nodes) for one, floor in some]
    for (one, _), searched in zip(some, search_ahead(asked), strict=True):
        one.searched = searched


def _parts(positions: Iterable[Position], size: int) -> Iterator[list[Position]]:
    part: list[Position] = []
    for position in positions:
        part.append(position)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
