"""How much work a call may spend, in states looked into or by a clock that is passed in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from meldwise.game.codes import Code
from meldwise.solver.errors import ObjectiveError

__all__ = ["Budget", "check_count"]

Clock = Callable[[], float]

_MOST = 1 << 60

_FIRST_SLICE = 2_000
"""States looked into before the clock is read again, until its pace is known."""


def check_count(field: str, value: object, least: int = 0) -> None:
    """Makes sure that an argument is a whole number that a search can work with.

    Raises:
        ObjectiveError: if it is not.
    """
    if type(value) is not int or not least <= value <= _MOST:
        raise ObjectiveError(Code.SOLVER_BUDGET, field=field, value=value)


@dataclass(slots=True)
class Budget:
    """What one call may spend; without arguments it may spend what it needs.

    Attributes:
        nodes: how many states of the search may be looked into; 0 for any number.
        seconds: how long it may take by ``clock``; None for any time.
        clock: gives the time in seconds; needed for ``seconds``.
        spent: how many states were looked into.
        stopped: whether some search ended before its proof.
    """

    nodes: int = 0
    seconds: float | None = None
    clock: Clock | None = None
    spent: int = 0
    stopped: bool = False
    _began: float = 0.0

    def __post_init__(self) -> None:
        check_count("nodes", self.nodes)
        seconds: object = self.seconds
        if seconds is not None:
            if not isinstance(seconds, (int, float)) or not seconds > 0:
                raise ObjectiveError(Code.SOLVER_BUDGET, field="seconds", value=seconds)
            if self.clock is None:
                raise ObjectiveError(Code.SOLVER_BUDGET, field="clock", value=None)
            self._began = self.clock()

    @property
    def used_up(self) -> bool:
        """Whether nothing may be spent any more."""
        if self.nodes and self.spent >= self.nodes:
            return True
        if self.seconds is None or self.clock is None:
            return False
        return self.clock() - self._began >= self.seconds

    @property
    def has_time(self) -> bool:
        """Whether a search that a guess at the clock ended may go on."""
        return self.seconds is not None and not self.used_up

    def next_slice(self) -> int:
        """How many states the next search may look into: at least 1; 0 for any number."""
        if self.seconds is None and not self.nodes:
            return 0
        limit = max(1, self.nodes - self.spent) if self.nodes else 0
        if self.seconds is not None and self.clock is not None:
            passed = self.clock() - self._began
            left = max(0.0, self.seconds - passed)
            # The pace so far tells how many states fit in the time that is left.
            pace = self.spent / passed if self.spent >= _FIRST_SLICE and passed > 0 else 0.0
            timed = int(pace * left) if pace else _FIRST_SLICE
            timed = max(1, timed) if left else 1
            limit = min(limit, timed) if limit else timed
        return limit
