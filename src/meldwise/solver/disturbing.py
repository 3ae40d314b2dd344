"""The table for given tiles that disturbs the old one least: all branches of the joker rules."""

from __future__ import annotations

from collections.abc import Sequence

from meldwise.game.melds import Meld
from meldwise.game.position import Position
from meldwise.game.rules import FreedJokerGoes
from meldwise.game.turn import judge
from meldwise.solver.best import meld_of
from meldwise.solver.budget import Budget
from meldwise.solver.jokers import cases
from meldwise.solver.layout import LaidMeld
from meldwise.solver.moved import MELD_STAYS, take_places
from meldwise.solver.query import Branch, Query
from meldwise.solver.staying import settle
from meldwise.solver.turn import leaves, opens

__all__ = ["least_disturbed", "melds_of"]

MOST_LEAVES = 2_000
"""Beyond that many new melds for freed jokers a search ends as if its budget were used up."""

LAST_NODES = 20_000
"""What is spent on a table that is not proven where the search for a proven one has ended."""


def least_disturbed(
    position: Position, query: Query, first: list[Meld], budget: Budget
) -> tuple[list[Meld], bool]:
    """The legal table that disturbs the old one least, and whether that is proven.

    Args:
        position: the position; its player may use the table.
        query: what is asked, with all that is played fixed.
        first: some legal table.
        budget: what may be spent.
    """
    return _Search(position, query, first, budget).run()


def melds_of(laid: Sequence[LaidMeld]) -> list[Meld]:
    """Melds as they are laid."""
    return [meld_of(meld[0], meld[3]) for meld in laid]


class _Search:
    def __init__(self, position: Position, query: Query, first: list[Meld], budget: Budget) -> None:
        self.position = position
        self.query = query
        self.budget = budget
        self.best = first
        self.stays, _ = take_places(position.table, first)
        self.everything, _ = take_places(position.table, position.table)
        self.proven = True
        self.pruned = False

    def run(self) -> tuple[list[Meld], bool]:
        """Lets more and more melds change until a table is found that does with as many."""
        everything = self.everything
        changed = 0
        while self.stays < everything and not self.budget.used_up:
            allowed = changed * MELD_STAYS + MELD_STAYS - 1
            best = everything - self.stays
            self.pruned = False
            self._run(min(allowed, best - 1))
            if everything - self.stays <= allowed or best - 1 <= allowed or not self.pruned:
                return self.best, self.proven
            changed += 1 + changed // 4
        if self.stays < everything:
            # A quick look for something better than the first table that came along.
            self.proven = False
            self.budget = Budget(LAST_NODES)
            self._run(everything)
        return self.best, self.stays == everything

    def _run(self, allowed: int) -> None:
        """Looks for a table of which no more is lost than allowed."""
        query = self.query
        placing = query.rules.freed_joker_goes is not FreedJokerGoes.ANYWHERE
        for case in cases(query):
            # Where a freed joker has to go to a new meld, that is left out at first.
            melds = self._try(case.branch, allowed)
            if melds is None or self._accept(melds):
                continue
            if not placing or not case.freed:
                self.proven = False
                continue
            for count, branch in enumerate(leaves(query, case, longest=13)):
                if count == MOST_LEAVES or self.budget.used_up:
                    self.proven = False
                    break
                melds = self._try(branch, allowed)
                if melds is not None and not self._accept(melds):
                    self.proven = False

    def _try(self, branch: Branch, allowed: int) -> list[Meld] | None:
        """A table of a branch that disturbs less than the best so far."""
        query = self.query
        if not self.position.opened and not opens(query, query.high, branch):
            return None
        made = branch.problem(query)
        if made is None:
            return None
        found = settle(
            made[0],
            branch.melds,
            query.table,
            self.stays,
            self.everything,
            allowed,
            self.budget,
        )
        self.proven = self.proven and found.proven
        self.pruned = self.pruned or found.pruned
        return melds_of(found.melds) if found.melds is not None else None

    def _accept(self, melds: list[Meld]) -> bool:
        """Takes a table if it is legal."""
        if not judge(self.position, melds, self.query.rules).legal:
            return False
        self.best = melds
        self.stays, _ = take_places(self.position.table, melds)
        return True
