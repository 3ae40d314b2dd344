"""How the runs of one colour can go on at a number, told apart by the old runs' places.

Everything here is local: an old run is known by its rank among those that reach the number,
so that what was worked out once holds for all colours, numbers and positions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from meldwise.solver.moved import JOKER_STAYS, MELD_STAYS, TILE_STAYS

__all__ = ["START", "Move", "Moves", "Old", "Piece", "Run", "Situation", "State", "Way", "follow"]

FREE, DONE = -1, -2
"""Labels of a run that takes no old run's place yet, and of one that can take none any more."""


class Run(NamedTuple):
    """An open run, which has to go on at the next number.

    Attributes:
        need: how many more cells it must get at least.
        flavour: whether it holds a joker (where one is allowed), or jokers only (where so
            many are about that it could hold nothing else).
        label: the rank of the old run whose place it takes, ``FREE`` or ``DONE``.
        same: whether it is that old run so far.
        rest: the cells to come of the piece it is in, True for a joker.
        whole: whether it ends with that piece.
    """

    need: int
    flavour: bool
    label: int
    same: bool
    rest: tuple[bool, ...]
    whole: bool


class State(NamedTuple):
    """A colour after a number: its open runs, and the old ones whose place is gone."""

    runs: tuple[Run, ...]
    spent: tuple[int, ...]


START = State((), ())


class Old(NamedTuple):
    """An old run at a number: whether its cell is a joker, its first, its last."""

    joker: bool
    starts: bool
    ends: bool


class Piece(NamedTuple):
    """A part of a run that stays whole, or a whole run: its cells, True for a joker."""

    cells: tuple[bool, ...]
    whole: bool


class Situation(NamedTuple):
    """A colour at a number.

    Attributes:
        olds: the old runs that reach the number, earlier ones first.
        later: whether further ones start later.
        starting: the pieces that start here.
        room: how many cells can lie at the next number at most, pieces under way left out.
        last: whether there is no next number.
        single: whether a run may hold one joker only.
        flavoured: whether runs have to be told apart by jokers.
    """

    olds: tuple[Old, ...]
    later: bool
    starting: tuple[Piece, ...]
    room: int
    last: bool
    single: bool
    flavoured: bool


class Move(NamedTuple):
    """What one run does at a number: None before is a new run, None after an end."""

    before: Run | None
    joker: bool
    label: int
    after: Run | None


Moves = tuple[Move, ...]


class Way(NamedTuple):
    """A state that can follow, with what stays on the way, what is lost for good, and how."""

    state: State
    gain: int
    loss: int
    moves: Moves


@lru_cache(maxsize=1 << 17)
def follow(state: State, situation: Situation, tiles: int, jokers: int) -> tuple[Way, ...]:
    """All states that can follow when so many tiles and jokers go to a colour's runs."""
    return _Follow(state, situation).ways(tiles, jokers)


def _worth(joker: bool) -> int:
    return TILE_STAYS + JOKER_STAYS if joker else TILE_STAYS


class _Follow:
    def __init__(self, state: State, situation: Situation) -> None:
        self.state = state
        self.at = situation
        self.found: dict[State, Way] = {}
        held = {run.label for run in state.runs}
        self.labels = tuple(
            rank
            for rank in range(len(situation.olds))
            if rank not in held and rank not in state.spent
        )
        # The ranks of those that reach further, among themselves.
        left = [rank for rank, old in enumerate(situation.olds) if not old.ends]
        self.rank = {rank: place for place, rank in enumerate(left)}

    def ways(self, tiles: int, jokers: int) -> tuple[Way, ...]:
        self._go(0, tiles, jokers, self.at.starting, self.labels, (), 0)
        return tuple(self.found.values())

    def _go(
        self,
        step: int,
        tiles: int,
        jokers: int,
        starting: tuple[Piece, ...],
        labels: tuple[int, ...],
        moves: Moves,
        gain: int,
    ) -> None:
        runs = self.state.runs
        before: Run | None = None
        if step < len(runs):
            before = runs[step]
            inside = sum(bool(run.rest) for run in runs[step:])
            if len(runs) - step > tiles + jokers + len(starting) + inside:
                return
        elif not tiles and not jokers and not starting:
            self._close(moves, gain)
            return
        for piece, joker, left in self._gets(before, tiles, jokers, starting):
            for label, same, worth in self._labels(before, joker, labels):
                further = labels
                if label in labels:
                    further = tuple([other for other in labels if other != label])
                for after, more in self._after(before, piece, joker, label, same):
                    move = Move(before, joker, label, after)
                    self._go(step + 1, *left, further, (*moves, move), gain + worth + more)

    def _gets(
        self, before: Run | None, tiles: int, jokers: int, starting: tuple[Piece, ...]
    ) -> list[tuple[Piece | None, bool, tuple[int, int, tuple[Piece, ...]]]]:
        """What a run can get: the piece it comes from, the cell, and what is left."""
        if before is not None and before.rest:
            piece = Piece(before.rest, before.whole)
            return [(piece, before.rest[0], (tiles, jokers, starting))]
        full = self.at.single and before is not None and before.flavour
        found: list[tuple[Piece | None, bool, tuple[int, int, tuple[Piece, ...]]]] = []
        if tiles:
            found.append((None, False, (tiles - 1, jokers, starting)))
        if jokers and not full:
            found.append((None, True, (tiles, jokers - 1, starting)))
        for place, piece in enumerate(starting):
            if before is not None and (piece.whole or (full and True in piece.cells)):
                continue
            rest = (*starting[:place], *starting[place + 1 :])
            found.append((piece, piece.cells[0], (tiles, jokers, rest)))
        # New runs are alike: what they get is chosen in one order only.
        return found[:1] if before is None else found

    def _labels(
        self, before: Run | None, joker: bool, labels: tuple[int, ...]
    ) -> list[tuple[int, bool, int]]:
        """Whose place a run takes with its cell, whether it is the same, and what stays."""
        olds = self.at.olds
        label = FREE if before is None else before.label
        if label >= 0:
            fits = olds[label].joker == joker
            same = fits and before is not None and before.same
            return [(label, same, _worth(joker) if fits else 0)]
        found = [(label, False, 0)]
        if label == FREE:
            for rank in labels:
                if olds[rank].joker == joker:
                    same = before is None and olds[rank].starts
                    found.append((rank, same, _worth(joker)))
        return found

    def _after(
        self, before: Run | None, piece: Piece | None, joker: bool, label: int, same: bool
    ) -> list[tuple[Run | None, int]]:
        """How a run can be after its cell: ended or going on, and what its end gains."""
        flavour = False
        if self.at.flavoured:
            had = before is not None and before.flavour
            if self.at.single:
                flavour = had or joker or (piece is not None and True in piece.cells)
            else:
                flavour = (before is None or had) and joker and piece is None
        ends = label >= 0 and self.at.olds[label].ends
        whole = MELD_STAYS if ends and same else 0
        if label >= 0:
            label = DONE if ends else self.rank[label]
        same = same and not ends
        if piece is not None and len(piece.cells) > 1:
            return [(Run(0, flavour, label, same, piece.cells[1:], piece.whole), 0)]
        need = 0
        if piece is None:
            need = 2 if before is None else before.need - 1
        found: list[tuple[Run | None, int]] = []
        if need <= 0 and (self.at.single or not flavour):
            found.append((None, whole))
        if not self.at.last and not (piece is not None and piece.whole):
            found.append((Run(max(1, need), flavour, label, same, (), False), 0))
        return found

    def _close(self, moves: Moves, gain: int) -> None:
        """Notes the state that a choice of moves leads to."""
        runs = [move.after for move in moves if move.after is not None]
        if sum(not run.rest for run in runs) > self.at.room:
            return
        held = {run.label for run in runs}
        gone = {*self.state.spent, *[move.label for move in moves]}
        spent = [self.rank[rank] for rank in gone if rank in self.rank]
        spent = sorted(rank for rank in spent if rank not in held)
        if not self.at.later and len(spent) + len(held & {*self.rank.values()}) == len(self.rank):
            # No old run's place is left to take.
            moves = tuple(
                [
                    move._replace(after=move.after._replace(label=DONE))
                    if move.after is not None and move.after.label == FREE
                    else move
                    for move in moves
                ]
            )
            runs = [move.after for move in moves if move.after is not None]
        new = State(tuple(sorted(runs)), tuple(spent))
        known = self.found.get(new)
        if known is None or known.gain < gain:
            whole = gain // MELD_STAYS
            olds = self.at.olds
            loss = sum([_worth(old.joker) for old in olds]) - gain + whole * MELD_STAYS
            could = sum(old.starts for old in olds) + sum(run.same for run in self.state.runs)
            loss += (could - whole - sum(run.same for run in runs)) * MELD_STAYS
            self.found[new] = Way(new, gain, loss, moves)
