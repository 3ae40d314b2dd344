"""Whether a player can play at all, for the rule that who can play must."""

from __future__ import annotations

from meldwise.game.position import Position
from meldwise.game.rules import Rules
from meldwise.solver.best import check_arrangeable, make_query
from meldwise.solver.budget import Budget
from meldwise.solver.objective import MOST_TILES
from meldwise.solver.query import Query
from meldwise.solver.turn import best_turn, highest_opening

__all__ = ["SolverOracle", "can_play"]


def can_play(position: Position, rules: Rules) -> bool:
    """Whether there is any legal play, without looking for the best.

    >>> rules = Rules().with_joker_level(0)
    >>> can_play(Position.parse("r5-6-7 / r9 b9"), rules)
    False
    >>> can_play(Position.parse("r5-6-7 / r8 b9"), rules)
    True

    Raises:
        PositionError: if it is no position of the rules' box.
        UnarrangeableError: if the table's tiles cannot be arranged into valid melds.
    """
    query, _ = make_query(position, rules, MOST_TILES)
    able = query_can_play(query, position.opened)
    if not able:
        check_arrangeable(position, query)
    return able


def query_can_play(query: Query, opened: bool) -> bool:
    """As :func:`can_play`, for a query in which every tile has a positive weight."""
    if not opened and not query.rules.opening_table_moves and query.free:
        need = max(1, query.rules.opening_minimum)
        return highest_opening(query, Budget(), need) >= need
    floor = sum(map(int.__mul__, query.low, query.weights))
    floor = floor - 1 if floor else 0
    return best_turn(query, opened, Budget(), floor, floor + 1).gain is not None


class SolverOracle:
    """Answers for the rules that depend on whether a player can play.

    >>> SolverOracle().can_play(Position.parse("r5-6-7 / r8"), Rules())
    True
    """

    def can_play(self, position: Position, rules: Rules) -> bool:
        """Whether there is any legal play from a position.

        Raises:
            PositionError: if it is no position of the rules' box.
            UnarrangeableError: if the table's tiles cannot be arranged into valid melds.
        """
        return can_play(position, rules)
