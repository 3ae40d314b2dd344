"""The plain player: lays what its hand holds and adds to what lies on the table.

It opens when it can, lays new melds and adds tiles to melds on the table. It rearranges
nothing and never takes a joker from the table, so its plays are legal at every joker level.
A joker of its own it uses to open, to make a meld of two tiles, and at the end of a round
it adds it to any meld. Where the rules ask whoever can play to do so, it plays what the
solver finds if it sees nothing itself.
"""

from __future__ import annotations

from typing import Final

from meldwise.game.actions import AskRedeal, Draw, Pass, Play, RoundAction
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.melds import Meld
from meldwise.game.opening import find_opening
from meldwise.game.position import Position, Table
from meldwise.game.rules import MustPlay, Rules
from meldwise.game.tiles import JOKER_INDEX, Tile, count_tiles
from meldwise.game.turn import judge
from meldwise.game.view import View
from meldwise.players.hands import new_melds, one_joker_melds, take_melds

__all__ = ["PlainPlayer"]

_FEW_TILES: Final = 3
"""With so few tiles in a hand the round may end at any turn."""


class PlainPlayer:
    """A player of a beginner's means; see the module.

    Attributes:
        seconds: None, since it plays at once.
    """

    seconds: None = None

    def choose(self, view: View) -> RoundAction:
        """Chooses what to do; see :class:`~meldwise.players.base.Player`."""
        seat = view.seat
        if seat is None or view.round is None:
            raise ActionError(Code.ACTION_NO_SUCH_SEAT, seat=seat, seats=len(view.players))
        if view.round.may_redeal and not new_melds(view.hand):
            return AskRedeal(seat)
        table = _play(view.position, view.rules, _in_a_hurry(view))
        must = view.rules.must_play
        if table is None and (
            must is MustPlay.ALWAYS or (must is MustPlay.STOCK_EMPTY and not view.round.stock)
        ):
            table = _forced_play(view.position, view.rules)
        if table is not None:
            return Play(seat, table)
        return Draw(seat) if view.round.stock else Pass(seat)


def _forced_play(position: Position, rules: Rules) -> Table | None:
    """What the solver finds, where the rules ask whoever can play to do so; None if nothing."""
    from meldwise.solver import best_play

    play = best_play(position, rules).play
    return None if play is None else play.table


def _in_a_hurry(view: View) -> bool:
    """Whether the round may soon be over, so that a joker in hand would cost its price."""
    others = [player.tiles for seat, player in enumerate(view.players) if seat != view.seat]
    return view.round is None or not view.round.stock or min(others) <= _FEW_TILES


def _play(position: Position, rules: Rules, hurry: bool) -> Table | None:
    """The table after the play, or None to draw; in a hurry jokers go too."""
    hand = list(position.hand)
    new: list[Meld] = []
    if not position.opened:
        need = max(1, rules.opening_minimum)
        new += find_opening(count_tiles(hand), need, rules.two_jokers_in_meld)
        if sum(meld.value for meld in new) < need:
            return None
        take_melds(hand, new)
    more = new_melds(hand)
    take_melds(hand, more)
    table = [*position.table, *new, *more]
    if position.opened or rules.opening_table_moves:
        fixed = 0
    else:
        fixed = len(position.table)
    _add_tiles(hand, table, fixed)
    while meld := _meld_with_joker(hand):
        table.append(meld)
        take_melds(hand, [meld])
    if hurry or all(tile.is_joker for tile in hand):
        _add_jokers(hand, table, fixed, rules)
    _add_tiles(hand, table, fixed)
    if len(hand) == len(position.hand):
        return None
    verdict = judge(position, table, rules)
    return tuple(table) if verdict.legal else None


def _add_tiles(hand: list[Tile], table: list[Meld], fixed: int) -> None:
    """Adds tiles to the ends of runs and to sets, as long as one fits; leaves the first melds."""
    added = True
    while added:
        added = False
        for tile in [tile for tile in hand if not tile.is_joker]:
            for place in range(fixed, len(table)):
                longer = table[place].with_tile(tile)
                if longer is not None:
                    table[place] = longer
                    hand.remove(tile)
                    added = True
                    break


def _meld_with_joker(hand: list[Tile]) -> Meld | None:
    """The meld of the highest value from own tiles with one joker; None if there is none."""
    counts = count_tiles(hand)
    if not counts[JOKER_INDEX]:
        return None
    return max(one_joker_melds(counts), key=lambda meld: meld.value, default=None)


def _add_jokers(hand: list[Tile], table: list[Meld], fixed: int, rules: Rules) -> None:
    """Adds jokers to melds, as far as they fit."""
    for joker in [tile for tile in hand if tile.is_joker]:
        for place in range(fixed, len(table)):
            if table[place].joker_cells and not rules.two_jokers_in_meld:
                continue
            meld = table[place].with_tile(joker)
            if meld is not None:
                table[place] = meld
                hand.remove(joker)
                break
