"""The PyPI package ``rummikub-solver``, asked for the most tiles at J0."""

from __future__ import annotations

from typing import Any

from meldwise.game.position import Position


class Package:
    """Its rule set and a state for each position."""

    def __init__(self) -> None:
        import rummikub_solver as package

        self.package: Any = package
        self.rules: Any = package.RuleSet()
        if self.rules.tile_count != 53:
            raise RuntimeError("the package's tiles are not the box's")

    def state(self, position: Position) -> Any:
        """The package's own form of a position, made before the clock runs."""
        # Its tiles count from 1, colour by colour, the joker last, as ours from 0.
        table = [tile.index + 1 for meld in position.table for tile in meld.cells]
        hand = [tile.index + 1 for tile in position.hand]
        state = self.rules.new_game()
        state.initial = False
        state.add_table(*table)
        state.add_rack(*hand)
        return state

    def most_tiles(self, state: Any) -> int | None:
        """The most tiles that can be placed by it; None for nothing."""
        found = self.rules.solve(state, self.package.SolverMode.TILE_COUNT)
        return len(found.tiles) if found else None
