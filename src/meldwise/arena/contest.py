"""Playing a plan: from seeds, through workers and a store, to results in a fixed order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Final

from meldwise.arena.games import ArenaWork
from meldwise.arena.plan import Plan
from meldwise.arena.results import Data, Key, Unit
from meldwise.arena.run import Outcome, run_work
from meldwise.arena.sequential import Decision, Sequential, Standing
from meldwise.arena.store import Store

__all__ = ["KIND", "Contest", "Results", "unit_scores"]

Clock = Callable[[], float]

KIND: Final = "arena"
"""The kind of work in the header of a store."""


@dataclass(frozen=True, slots=True)
class Results:
    """What a contest came to.

    Attributes:
        plan: what was played.
        deals: how many deals were wanted of each pairing.
        first_deal: the number of the first deal.
        units: the deals that were played, by pairing and number.
        failed: units that killed whoever played them, with the last error.
        losses: how often workers were lost, and their work handed out again.
        standing: where the sequential test came to; None without one.
    """

    plan: Plan
    deals: int
    first_deal: int
    units: tuple[Unit, ...]
    failed: dict[Key, str] = field(default_factory=dict)
    losses: int = 0
    standing: Standing | None = None

    @property
    def complete(self) -> bool:
        """Whether all deals were played, or the test has decided."""
        decided = self.standing is not None and self.standing.decision is not Decision.OPEN
        return decided or len(self.units) == self.deals * len(self.plan.pairings)


def unit_scores(units: dict[Key, Unit], first: int, entrant: int = 0) -> Iterator[float]:
    """An entrant's mean share of the wins of each deal, up to the first deal that is missing."""
    deal = first
    while (unit := units.get((0, deal))) is not None:
        yield sum(game.share(entrant) for game in unit.games) / len(unit.games)
        deal += 1


class Contest:
    """A plan that is being played.

    A sequential test looks at the deals in the order of their numbers, as far as they are
    there without a gap; what was played beyond the deal that decided is left out. So the
    results do not depend on who was quicker.

    Attributes:
        plan: what is played.
        deals: how many deals of each pairing.
        first_deal: the number of the first of them.
    """

    def __init__(
        self,
        plan: Plan,
        deals: int,
        *,
        first_deal: int = 0,
        store: Store | None = None,
        sequential: Sequential | None = None,
    ) -> None:
        """Begins, or goes on with what the store has.

        Args:
            plan: what is played.
            deals: how many deals of each pairing.
            first_deal: the number of the first of them.
            store: where results are kept.
            sequential: a test between the two entrants that may end it early.
        """
        self.plan = plan
        self.deals = deals
        self.first_deal = first_deal
        self._store = store
        self._test = sequential
        self._standing: Standing | None = None
        self._outcome = Outcome()
        self._units: dict[Key, Unit] = {}
        self._wanted = [
            (pairing, deal)
            for deal in range(first_deal, first_deal + deals)
            for pairing in range(len(plan.pairings))
        ]
        for key in self._wanted if store is not None else ():
            if store is not None and key in store.results:
                self._units[key] = Unit.from_data(key, store.results[key])
        self._looked_at = 0
        self._consider()

    @property
    def left(self) -> list[Key]:
        """What is still to be played."""
        if self._decided:
            return []
        return [key for key in self._wanted if key not in self._units]

    @property
    def units_done(self) -> int:
        """How many deals of pairings have been played."""
        return len(self._units)

    @property
    def standing(self) -> Standing | None:
        """How far the sequential test is."""
        return self._standing

    def play(
        self,
        executor: Callable[[], Executor],
        jobs: int,
        *,
        clock: Clock | None = None,
        progress: Callable[[Unit], bool] | None = None,
        most: int | None = None,
    ) -> None:
        """Plays what is left.

        Args:
            executor: gives an executor, and a new one after it has broken.
            jobs: how many workers it has.
            clock: gives the time in seconds; it has to be picklable.
            progress: is called with each result as it comes; False ends the playing.
            most: how many deals of pairings are played at most; None for all.

        Raises:
            ArenaError: if workers keep dying.
            OSError: if the store cannot be written.
        """

        def done(key: Key, data: Data) -> bool:
            if self._store is not None:
                self._store.add(key, data)
            unit = self._units[key] = Unit.from_data(key, data)
            go_on = progress is None or progress(unit)
            # Each look goes through all deals, so the looks get rarer as there are more.
            if len(self._units) >= 1.02 * self._looked_at:
                self._consider()
            return go_on and not self._decided

        self._outcome = run_work(
            ArenaWork(self.plan), self.left[:most], executor, jobs, done=done, clock=clock
        )

    @property
    def _decided(self) -> bool:
        return self._standing is not None and self._standing.decision is not Decision.OPEN

    def _consider(self) -> None:
        if self._test is not None and not self._decided:
            self._looked_at = len(self._units)
            scores = unit_scores(self._units, self.first_deal)
            self._standing = self._test.judge(scores, self.plan.pairings[0].arrangements)

    def results(self) -> Results:
        """What has been played so far, in the order of pairings and deals."""
        self._consider()
        end = self.first_deal + self.deals
        if self._decided and self._standing is not None:
            end = self.first_deal + self._standing.deals
        units = [unit for key, unit in sorted(self._units.items()) if key[1] < end]
        return Results(
            self.plan,
            self.deals,
            self.first_deal,
            tuple(units),
            dict(sorted(self._outcome.failed.items())),
            self._outcome.losses,
            self._standing,
        )
