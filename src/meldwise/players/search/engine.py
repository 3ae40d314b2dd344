"""The compiled playouts and worlds of one player, with the arrays that they work on."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from meldwise.game.melds import Kind, Meld
from meldwise.game.rules import BlockedScore, Direction, JokerPickup, Rules
from meldwise.game.tiles import FACES
from meldwise.players.search.belief import Hidden
from meldwise.players.search.weights import HIDDEN, INPUTS, OF_HAND, OF_TABLE, weights_for
from meldwise.solver import kernel as interpreted
from meldwise.solver.engine import compiled_module
from meldwise.solver.sets import CODES, SetSpec, set_table
from meldwise.solver.workspace import Workspace

__all__ = ["BOARD", "CANDIDATES", "SEATS", "SLOTS", "TILES", "WORLDS", "Engine", "State"]

TILES: Final = FACES + 1
BOARD: Final = 4 * TILES
"""The numbers of a board: see :mod:`meldwise.players.search.turns`."""

SEATS: Final = 6
SLOTS: Final = 160
CANDIDATES: Final = 40
"""The most candidates that are tried at a move."""

WORLDS: Final = 1024
"""The most worlds that are drawn at a move."""

_PACKAGE: Final = "meldwise.players.search"
_BLOCKED: Final = {BlockedScore.RRRUMMY: 0, BlockedScore.BOX: 1, BlockedScore.PLAIN: 2}


def _ints(size: int) -> array[int]:
    return array("i", bytes(4 * size))


class _Arrays:
    """What the compiled code reads and writes; its names are those of its attributes."""

    def __init__(self) -> None:
        self.setting = _ints(16)
        for name in (
            "opened_now",
            "last_played_now",
            "last_turn_now",
            "skips_now",
            "totals",
            "keeps",
        ):
            setattr(self, name, _ints(SEATS))
        self.aim = array("d", [1.0, 0.0, 0.0])
        self.tables = _ints(CANDIDATES * BOARD)
        self.own = _ints(CANDIDATES * TILES)
        self.idle = _ints(CANDIDATES)
        self.others = _ints(WORLDS * SEATS * TILES)
        self.stocks = _ints(WORLDS * SLOTS)
        self.table = _ints(BOARD)
        self.hands = _ints(SEATS * TILES)
        for name in ("sizes", "opened", "last_played", "last_turn", "skips", "tried", "fresh"):
            setattr(self, name, _ints(SEATS))
        self.scores = _ints(SEATS)
        self.features = array("f", bytes(4 * SEATS * OF_HAND))
        self.common = array("f", bytes(4 * OF_TABLE))
        self.inner = array("f", bytes(4 * (INPUTS + 1) * HIDDEN))
        self.outer = array("f", bytes(4 * 2 * (HIDDEN + 1)))
        self.hidden = array("f", bytes(4 * HIDDEN))
        self.chances = array("d", bytes(8 * SEATS))
        self.costs = array("d", bytes(8 * SEATS))
        self.kept = _ints(TILES)
        self.values = array("d", bytes(8 * CANDIDATES * WORLDS))
        self.pool = _ints(SLOTS)
        self.slots = _ints(SEATS)
        self.forbidden = array("q", bytes(8 * SEATS * SLOTS))
        self.settled = _ints(SEATS)
        self.check = _ints(SEATS)
        self.check_tables = _ints(SEATS * BOARD)
        self.scratch = _ints(TILES)


@dataclass(frozen=True, slots=True)
class State:
    """What playouts begin from, besides tables and hands.

    Attributes:
        players: how many seats there are.
        seat: whose move it is.
        stock: how many tiles are left to draw.
        passes: how many turns in a row were passes.
        turns_left: how many turns are left under ``last_turns``; -1 before that.
        turn: the number of the turn.
        opened: who has opened.
        last_played: the number of each seat's last turn with a play; 0 for none.
        last_turn: the number of each seat's last turn; 0 for none.
        skips: how many turns of each seat are to be skipped.
        totals: points of the finished rounds by seat.
        keeps: who keeps jokers until the rest of the hand can go with them; nobody if empty.
    """

    players: int
    seat: int
    stock: int
    passes: int
    turns_left: int
    turn: int
    opened: tuple[bool, ...]
    last_played: tuple[int, ...]
    last_turn: tuple[int, ...]
    skips: tuple[int, ...]
    totals: tuple[int, ...]
    keeps: tuple[bool, ...] = ()


class Engine:
    """Plays candidates out in worlds.

    Attributes:
        rules: the rules of the table.
        fixed: whether playouts take a table's joker for the tile that it stands for.
        compiled: whether it runs compiled; interpreted it is some hundred times slower.
        arrays: what the compiled code reads and writes.
        turns: single turns of the seats.
        playouts: whole rounds.
        worlds: what the others may hold.
    """

    def __init__(self, rules: Rules, *, fixed: bool = False) -> None:
        """Makes an engine for a table.

        Args:
            rules: the rules of the table.
            fixed: whether playouts take a table's joker for the tile that it stands for,
                also where it may be moved at will.
        """
        self.rules = rules
        self.fixed = fixed or rules.joker_pickup is not JokerPickup.ALWAYS
        turns = compiled_module(f"{_PACKAGE}.turns")
        self.compiled: bool = turns.is_compiled()
        space = Workspace()
        space.arrays.tables[:CODES] = array(
            "B", set_table(SetSpec(two_jokers=rules.two_jokers_in_meld))
        )
        space.arrays.weight[:] = array("q", [1] * TILES)
        self.arrays: Any = _Arrays()
        # Compiled code takes the compiled kernel only, and interpreted code the other.
        kernel: Any = space.kernel if self.compiled else interpreted.Kernel(space.arrays)
        self.turns: Any = turns.Turns(kernel, max(1, rules.opening_minimum), self.fixed)
        self.estimates: Any = compiled_module(f"{_PACKAGE}.estimates").Estimates(self.arrays)
        self.playouts: Any = compiled_module(f"{_PACKAGE}.playouts").Playouts(
            self.arrays, self.turns, self.estimates, WORLDS
        )
        self._unseen = 0
        self.worlds: Any = compiled_module(f"{_PACKAGE}.worlds").Worlds(self.arrays, self.turns)

    def begin(self, state: State, aim: Sequence[float], depth: int = 0) -> None:
        """Sets what all playouts of a move begin from.

        Args:
            state: the round as it stands.
            aim: what winning the round, a point, and being first in points are worth.
            depth: after how many turns playouts end with an estimate, at the next quiet
                moment; 0 for never.
        """
        rules = self.rules
        step = 1 if rules.direction is Direction.CLOCKWISE else -1
        setting = [state.players, step, int(rules.last_turns), rules.joker_in_hand]
        setting += [rules.unopened_surcharge, _BLOCKED[rules.blocked_score]]
        setting += [int(rules.opening_table_moves), state.seat, state.stock, state.passes]
        setting += [state.turns_left, state.turn, depth, rules.copies, 0, 0]
        self.arrays.setting[: len(setting)] = array("i", setting)
        for name in ("opened", "last_played", "last_turn", "skips"):
            getattr(self.arrays, f"{name}_now")[: state.players] = array("i", getattr(state, name))
        self.arrays.totals[: state.players] = array("i", state.totals)
        keeps = state.keeps or (False,) * state.players
        self.arrays.keeps[: state.players] = array("i", keeps)
        self.arrays.aim[:] = array("d", aim)
        weights = weights_for(state.players, free=not self.fixed)
        split = (INPUTS + 1) * HIDDEN
        self.arrays.inner[:] = array("f", weights[:split])
        self.arrays.outer[:] = array("f", weights[split:])

    def stray(self, rate: int, until: int) -> None:
        """Lets seats hold tiles back, in the playouts that begin as was set last.

        Args:
            rate: in how many of a thousand turns.
            until: the last turn in which they do.
        """
        self.arrays.setting[14] = rate
        self.arrays.setting[15] = until

    def set_candidate(
        self, place: int, board: Sequence[int], hand: Sequence[int], *, idle: bool
    ) -> None:
        """Sets a candidate: the board and the own hand after it.

        Args:
            place: its place.
            board: the table.
            hand: 53 counts.
            idle: whether nothing is played: then a tile is drawn, or the turn is passed.
        """
        self.arrays.tables[place * BOARD : (place + 1) * BOARD] = array("i", board)
        self.arrays.own[place * TILES : (place + 1) * TILES] = array("i", hand)
        self.arrays.idle[place] = int(idle)

    def set_world(self, world: int, hands: Sequence[Sequence[int]], stock: Sequence[int]) -> None:
        """Sets a world by itself: the hands by seat as counts, and the stock's order."""
        for seat, hand in enumerate(hands):
            at = (world * SEATS + seat) * TILES
            self.arrays.others[at : at + TILES] = array("i", hand)
        at = world * SLOTS
        self.arrays.stocks[at : at + len(stock)] = array("i", stock)

    def set_pool(self, unseen: Sequence[int]) -> None:
        """Sets which tiles the others' hands and the stock hold together, as faces."""
        self.arrays.pool[: len(unseen)] = array("i", unseen)
        self._unseen = len(unseen)

    def set_hidden(self, seat: int, hidden: Hidden) -> None:
        """Sets what is known of a hand."""
        at = seat * SLOTS
        self.arrays.slots[seat] = len(hidden.slots)
        self.arrays.forbidden[at : at + len(hidden.slots)] = array("q", hidden.slots)
        self.arrays.settled[seat] = hidden.settled
        self.arrays.check[seat] = hidden.check
        if hidden.check:
            at = seat * BOARD
            self.arrays.check_tables[at : at + BOARD] = array("i", hidden.table)

    def draw(self, first: int, last: int, seat: int, players: int, loose: int) -> None:
        """Draws the worlds from ``first`` to before ``last``.

        Args:
            first: the first world.
            last: the one after the last world.
            seat: the seat whose hand is known.
            players: how many seats there are.
            loose: of a thousand worlds how many respect the counts only.
        """
        self.worlds.draw(first, last, self._unseen, seat, players, loose)

    def values(self, place: int, worlds: int) -> Sequence[float]:
        """What came of a candidate in the first worlds."""
        at = place * WORLDS
        values: array[float] = self.arrays.values[at : at + worlds]
        return values

    def board_of(self, table: Sequence[Meld]) -> list[int]:
        """A table as playouts take it; a joker in a set stands for the first tile it may."""
        board = [0] * BOARD
        for meld in table:
            closed = self.rules.closed_joker_melds and bool(meld.joker_cells)
            first = TILES if closed else 0
            faces: list[int] = []
            for tile, role in zip(meld.cells, meld.roles, strict=True):
                moves = role is None or not self.fixed
                faces.append(tile.index if moves or role is None else role.tiles[0].index)
                board[first + faces[-1]] += 1
            if closed and meld.kind is Kind.RUN:
                board[2 * TILES + faces[0]] += 1
                board[3 * TILES + faces[-1]] += 1
        return board
