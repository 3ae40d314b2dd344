"""What a computer player is: a view goes in, an action comes out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from meldwise.game.actions import RoundAction
from meldwise.game.view import View
from meldwise.players.errors import PlayerError

__all__ = ["Means", "Player", "problem_count", "problem_since"]


@dataclass(frozen=True, slots=True)
class Means:
    """What a player is given besides its options, since it knows no clock and no chance.

    Attributes:
        seed: what all its random choices follow from: the same seed, options and views
            give the same actions, as long as no budget in time ends a search.
        clock: gives the time in seconds; None where no time is kept, and then a player
            with a budget in time cannot be made.
    """

    seed: int = 0
    clock: Callable[[], float] | None = None


class Player(Protocol):
    """A computer player. It sees what a person in its seat would see, and nothing more.

    A player may remember what it saw, but has to answer a view of any match that it has
    not seen before; it plays one seat at a time.
    """

    @property
    def seconds(self) -> float | None:
        """The time that a choice may take, in seconds; None for a player without a budget."""
        ...

    def choose(self, view: View) -> RoundAction:
        """Chooses what to do.

        Args:
            view: the match as the player's seat may know it; it is that seat's turn.

        Returns:
            An action of the seat that can be taken now.
        """
        ...


def problem_count(player: Player) -> int:
    """How often a player's own program went wrong; 0 for players without one.

    An adapter to a program counts its problems by code in an attribute ``problems`` and keeps
    the last one in ``last_problem``, as
    :class:`~meldwise.players.process.ProcessPlayer` does.
    """
    problems = getattr(player, "problems", None)
    return problems.total() if isinstance(problems, Counter) else 0


def problem_since(player: Player, count: int) -> PlayerError | None:
    """What went wrong last with a player's own program; None if nothing has.

    Args:
        player: the player.
        count: what :func:`problem_count` was before.
    """
    if problem_count(player) <= count:
        return None
    problem = getattr(player, "last_problem", None)
    return problem if isinstance(problem, PlayerError) else None
