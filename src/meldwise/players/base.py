"""What a computer player is: a view goes in, an action comes out."""

from __future__ import annotations

from typing import Protocol

from meldwise.game.actions import RoundAction
from meldwise.game.view import View

__all__ = ["Player"]


class Player(Protocol):
    """A computer player. It sees what a person in its seat would see, and nothing more."""

    def choose(self, view: View) -> RoundAction:
        """Chooses what to do.

        Args:
            view: the match as the player's seat may know it; it is that seat's turn.

        Returns:
            An action of the seat that can be taken now.
        """
        ...
