"""What the history of a round tells about the hands that a seat does not see.

A player of most tiles keeps no tile that could have been added at its last turns. So each
tile of another hand is taken for a *slot* with the time it came at; a slot cannot hold what
could have been played alone at any of the seat's turns since then. Which slot a played tile
came from is drawn at random among those that could hold it. Of the last turn more is known:
the whole hand, as it then was, had no play, or no opening.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from meldwise.game.events import Cause, Dealt, Drew, Event, Passed, Penalised, Played, TurnBegan
from meldwise.game.melds import Meld
from meldwise.game.rules import Rules

__all__ = [
    "NO_OPENING",
    "NO_PLAY",
    "UNKNOWN",
    "Decision",
    "Hidden",
    "Ledger",
    "imagine",
    "read_history",
]

UNKNOWN: Final = 0
"""A turn that told nothing of the hand."""

NO_PLAY: Final = 1
"""What was left in hand after the turn had no play then."""

NO_OPENING: Final = 2
"""The hand could not open."""


@dataclass(slots=True)
class Decision:
    """A turn of a seat, as everybody saw it.

    Attributes:
        seat: whose turn it was.
        played: the faces that came from the hand.
        drawn: how many tiles were drawn.
        told: what it told of the hand: one of the three numbers above.
        table: the board at the end of the turn.
    """

    seat: int
    played: tuple[int, ...]
    drawn: int
    told: int
    table: tuple[int, ...]


@dataclass(slots=True)
class Ledger:
    """The turns of a round, and when each seat last had one.

    Attributes:
        size: tiles dealt to each player.
        decisions: all turns so far.
        last_played: the number of each seat's last turn with a play; 0 for none.
        last_turn: the number of each seat's last turn; 0 for none.
    """

    size: int
    last_played: list[int]
    last_turn: list[int]
    decisions: list[Decision] = field(default_factory=list)


@dataclass(slots=True)
class Hidden:
    """What is known of one hand.

    Attributes:
        slots: for each tile, the oldest first, the faces that it cannot be, as bits.
        settled: how many of them were there at the seat's last turn.
        check: what that turn told of them all together: one of the three numbers above.
        table: the board at the end of that turn.
        plays: how many tiles the seat has played since it opened.
        surprises: how many of them it should have played before.
    """

    slots: list[int]
    settled: int = 0
    check: int = UNKNOWN
    table: tuple[int, ...] = ()
    plays: int = 0
    surprises: int = 0


def read_history(
    history: Sequence[Event],
    players: int,
    rules: Rules,
    board_of: Callable[[Sequence[Meld]], list[int]],
) -> Ledger:
    """Reads the turns of a round.

    Args:
        history: what happened, as a seat may know it.
        players: how many seats there are.
        rules: the rules of the table.
        board_of: gives a table's board: see :mod:`meldwise.players.search.turns`.
    """
    ledger = Ledger(rules.hand_size, [0] * players, [0] * players)
    table = board_of(())
    opened = [False] * players
    turn = 0
    for event in history:
        match event:
            case Dealt():
                ledger.decisions.clear()
            case TurnBegan():
                turn = event.turn
            case Played():
                for sign, melds in ((-1, event.before), (1, event.after)):
                    for face, count in enumerate(board_of(melds)):
                        table[face] += sign * count
                told = NO_PLAY
                if not opened[event.seat] and not rules.opening_table_moves:
                    # What was left might have been added only at the next turn.
                    told = UNKNOWN
                opened[event.seat] = True
                faces = tuple(tile.index for tile in event.tiles)
                ledger.decisions.append(Decision(event.seat, faces, 0, told, tuple(table)))
                ledger.last_played[event.seat] = ledger.last_turn[event.seat] = turn
            case Drew() | Passed() | Penalised():
                told = NO_PLAY if opened[event.seat] else NO_OPENING
                if isinstance(event, Penalised) or event.cause is Cause.TIME_OUT:
                    told = UNKNOWN
                drawn = 0 if isinstance(event, Passed) else event.count
                ledger.decisions.append(Decision(event.seat, (), drawn, told, tuple(table)))
                ledger.last_turn[event.seat] = turn
            case _:
                pass
    return ledger


def imagine(
    ledger: Ledger, seat: int, random: Random, playable: Callable[[tuple[int, ...]], int]
) -> Hidden:
    """One way in which the tiles of a hand may have come to it.

    Args:
        ledger: the turns of the round.
        seat: whose hand it is.
        random: chooses which of its tiles were played.
        playable: for a board the faces that can be played alone, as bits.
    """
    slots = [0] * ledger.size
    hidden = Hidden(slots)
    opened = False
    for decision in ledger.decisions:
        if decision.seat != seat:
            continue
        for face in decision.played:
            able = [place for place, mask in enumerate(slots) if not mask >> face & 1]
            if opened:
                hidden.plays += 1
                hidden.surprises += not able
            slots.pop(random.choice(able) if able else random.randrange(len(slots)))
        opened = opened or bool(decision.played)
        hidden.settled, hidden.check, hidden.table = len(slots), decision.told, decision.table
        if decision.told == NO_PLAY and slots:
            mask = playable(decision.table)
            for place in range(len(slots)):
                slots[place] |= mask
        slots += [0] * decision.drawn
    return hidden
