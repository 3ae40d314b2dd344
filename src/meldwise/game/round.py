"""One round: who begins, the deal, turns, and how it ends (rules, section 2).

A :class:`Round` is an immutable value. ``verify`` raises a typed error if an action cannot
be taken, ``can`` answers yes or no, ``apply`` gives the next value and what happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, TypeVar

from meldwise.game.actions import (
    AskRedeal,
    Draw,
    Pass,
    Play,
    PlayOracle,
    RoundAction,
    TimeOut,
)
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError
from meldwise.game.events import (
    Cause,
    Dealt,
    Drew,
    DrewForStart,
    Event,
    Passed,
    Penalised,
    Played,
    RedealAsked,
    RoundEnded,
    RoundStarted,
    Skipped,
    StockEmptied,
    TurnBegan,
    seen_by,
)
from meldwise.game.melds import Meld
from meldwise.game.position import Position, Table
from meldwise.game.rules import Direction, InvalidEnd, MustPlay, Rules
from meldwise.game.scores import (
    RoundEnd,
    RoundResult,
    blocked_winner,
    score_blocked,
    score_won,
)
from meldwise.game.shuffle import Seeds, box_of, shuffled
from meldwise.game.tiles import Tile
from meldwise.game.turn import (
    Compared,
    Verdict,
    compare_tables,
    judge,
    judge_settled,
)
from meldwise.game.values import quickly_made

__all__ = ["Round", "dealt_pairs", "start_round"]

_T = TypeVar("_T")

_INDEX: Final = attrgetter("index")

_IMPOSSIBLE: Final = frozenset({Code.TURN_TILE_NOT_HELD, Code.MELD_EMPTY})
"""What no rearranging by hand could lead to: refused, never penalised."""


@quickly_made
@dataclass(frozen=True, slots=True)
class Round:
    """The whole state of a round, hidden tiles included; players see a view of it.

    Attributes:
        rules: the rules of the table.
        number: the number of the round in its match, from 1.
        seeds: what the order of the tiles follows from.
        first: the seat that began.
        hands: the tiles by seat, in order of their index.
        table: the melds on the table.
        stock: the tiles left to draw, the next one first.
        seat: whose turn it is.
        turn: the number of the turn, from 1.
        opened: who has opened.
        skips: how many turns of each seat are still to be skipped.
        passes: how many turns in a row were passes.
        turns_left: how many turns are left under ``last_turns``; None before that.
        last_played: the number of each seat's last turn with a play; 0 for none.
        last_turn: the number of each seat's last turn; 0 for none.
        deal: which deal of the round this is, from 1.
        history: what happened in the round, as a spectator may know it.
        result: the outcome; None while the round goes on.
    """

    rules: Rules
    number: int
    seeds: Seeds
    first: int
    hands: tuple[tuple[Tile, ...], ...]
    table: Table
    stock: tuple[Tile, ...]
    seat: int
    turn: int
    opened: tuple[bool, ...]
    skips: tuple[int, ...]
    passes: int
    turns_left: int | None
    last_played: tuple[int, ...]
    last_turn: tuple[int, ...]
    deal: int
    history: tuple[Event, ...]
    result: RoundResult | None = None

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.hands)

    @property
    def position(self) -> Position:
        """What the turn of the seat to move is judged from."""
        return self.position_of(self.seat)

    def position_of(self, seat: int) -> Position:
        """The table with one seat's hand, and whether it has opened."""
        return Position(self.table, self.hands[seat], self.opened[seat])

    def check_draft(self, seat: int, draft: Sequence[Meld]) -> Verdict:
        """Judges an arrangement without any consequence, also when it is not the seat's turn.

        Raises:
            ActionError: if there is no such seat.
        """
        self._check_seat(seat)
        return judge(self.position_of(seat), draft, self.rules)

    def verify(self, action: RoundAction, oracle: PlayOracle | None = None) -> None:
        """Asks whether an action can be taken now.

        An invalid :class:`Play` can be taken where the rules penalise it.

        Args:
            action: the action.
            oracle: tells whether one can play; needed only under ``must_play``.

        Raises:
            ActionError: with the reason; with the verdict for a refused play.
        """
        self._judged(action, oracle)

    def can(self, action: RoundAction, oracle: PlayOracle | None = None) -> bool:
        """Whether :meth:`verify` passes."""
        try:
            self.verify(action, oracle)
        except ActionError:
            return False
        return True

    def apply(
        self, action: RoundAction, oracle: PlayOracle | None = None
    ) -> tuple[Round, tuple[Event, ...]]:
        """The state after an action, and what happened.

        Raises:
            ActionError: as :meth:`verify`; this value is unchanged in any case.
        """
        judged = self._judged(action, oracle)
        if isinstance(action, AskRedeal):
            return self._redeal(action.seat)
        change = _Change(self)
        if isinstance(action, Draw):
            change.draw_one(Cause.CHOICE)
        elif isinstance(action, Pass):
            change.pass_turn(Cause.CHOICE)
        else:
            timed_out = isinstance(action, TimeOut)
            if judged is None or not judged[1].played:
                change.draw_or_pass(Cause.TIME_OUT if timed_out else Cause.NOTHING_PLAYED)
            elif judged[1].legal:
                change.play(*judged, Cause.TIME_OUT if timed_out else Cause.CHOICE)
            else:
                change.penalise(judged[1], Cause.TIME_OUT if timed_out else Cause.INVALID)
        change.end_turn()
        return change.finish()

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.players:
            raise ActionError(Code.ACTION_NO_SUCH_SEAT, seat=seat, seats=self.players)

    def _judged(
        self, action: RoundAction, oracle: PlayOracle | None
    ) -> tuple[Compared, Verdict] | None:
        """Verifies an action; if it proposes a table, what that changes, and the verdict."""
        if self.result is not None:
            raise ActionError(Code.ACTION_ROUND_OVER, number=self.number)
        self._check_seat(action.seat)
        if isinstance(action, AskRedeal):
            self._verify_redeal(action.seat)
            return None
        if action.seat != self.seat:
            raise ActionError(Code.ACTION_NOT_YOUR_TURN, seat=action.seat, turn=self.seat)
        if isinstance(action, Draw):
            if not self.stock:
                raise ActionError(Code.ACTION_STOCK_EMPTY)
            self._verify_idle(oracle)
            return None
        if isinstance(action, Pass):
            if self.stock:
                raise ActionError(Code.ACTION_STOCK_NOT_EMPTY, stock=len(self.stock))
            self._verify_idle(oracle)
            return None
        if isinstance(action, TimeOut):
            if self.rules.timer is None:
                raise ActionError(Code.ACTION_NO_TIMER)
            if action.draft is None:
                return None
        proposal = action.table if isinstance(action, Play) else _draft_of(action)
        compared = compare_tables(self.table, proposal)
        verdict = judge_settled(self.position, proposal, compared, self.rules)
        if not _IMPOSSIBLE.isdisjoint(verdict.codes):
            raise ActionError(Code.ACTION_ILLEGAL_PLAY, verdict=verdict)
        if isinstance(action, Play):
            if not verdict.played:
                self._verify_idle(oracle)
            elif not verdict.legal and self.rules.invalid_end is InvalidEnd.REFUSE:
                raise ActionError(Code.ACTION_ILLEGAL_PLAY, verdict=verdict)
        return compared, verdict

    def _verify_idle(self, oracle: PlayOracle | None) -> None:
        """Asks whether the seat to move may end the turn without a play."""
        must = self.rules.must_play
        if must is MustPlay.NEVER or (must is MustPlay.STOCK_EMPTY and self.stock):
            return
        if oracle is None:
            raise ActionError(Code.ACTION_NEEDS_ORACLE)
        if oracle.can_play(self.position, self.rules):
            raise ActionError(Code.TURN_MUST_PLAY)

    def _verify_redeal(self, seat: int) -> None:
        need = self.rules.redeal_pairs
        begun = self.turn > 1 or any(self.last_turn)
        pairs = dealt_pairs(self.hands[seat])
        if not need or begun or pairs < need:
            raise ActionError(Code.ACTION_NO_REDEAL, need=need, begun=begun)

    def _redeal(self, seat: int) -> tuple[Round, tuple[Event, ...]]:
        number = self.deal + 1
        hands, stock = _deal(self.rules, self.players, self.seeds.key(self.number), number)
        events: tuple[Event, ...] = (
            RedealAsked(seat),
            Dealt(hands, self.rules.hand_size, len(stock), number),
            TurnBegan(self.seat, self.turn),
        )
        after = replace(
            self,
            hands=hands,
            stock=stock,
            deal=number,
            history=self.history + tuple(seen_by(event, None) for event in events),
        )
        return after, events


def start_round(
    rules: Rules, players: int, number: int, seeds: Seeds, first: int | None = None
) -> tuple[Round, tuple[Event, ...]]:
    """Draws for who begins unless that is given, and deals.

    Args:
        rules: the rules of the table.
        players: how many seats there are.
        number: the number of the round in its match, from 1.
        seeds: what the order of the tiles follows from.
        first: the seat that begins; None to draw for it.

    Raises:
        RulesError: if the rules do not allow that many players.
        ActionError: if there is no such first seat.
    """
    rules.check_players(players)
    key = seeds.key(number)
    events: list[Event] = []
    if first is None:
        first, events = _draw_for_start(rules, players, key)
    elif not 0 <= first < players:
        raise ActionError(Code.ACTION_NO_SUCH_SEAT, seat=first, seats=players)
    hands, stock = _deal(rules, players, key, 1)
    events += [
        RoundStarted(number, first),
        Dealt(hands, rules.hand_size, len(stock), 1),
        TurnBegan(first, 1),
    ]
    state = Round(
        rules=rules,
        number=number,
        seeds=seeds,
        first=first,
        hands=hands,
        table=(),
        stock=stock,
        seat=first,
        turn=1,
        opened=(False,) * players,
        skips=(0,) * players,
        passes=0,
        turns_left=None,
        last_played=(0,) * players,
        last_turn=(0,) * players,
        deal=1,
        history=tuple(seen_by(event, None) for event in events),
    )
    return state, tuple(events)


def dealt_pairs(hand: Sequence[Tile]) -> int:
    """How many pairs of equal tiles there are in a hand; two jokers are a pair."""
    return sum(count // 2 for count in Counter(hand).values())


def _draw_for_start(rules: Rules, players: int, key: bytes) -> tuple[int, list[Event]]:
    """Each draws a tile, the highest number begins; a joker is zero and ties draw again."""
    events: list[Event] = []
    drawing = list(range(players))
    attempt = 1
    while len(drawing) > 1:
        order = shuffled(box_of(rules), key, f"draw-{attempt}")
        draws = tuple(zip(drawing, order, strict=False))
        events.append(DrewForStart(draws))
        highest = max(tile.number for _, tile in draws)
        drawing = [seat for seat, tile in draws if tile.number == highest]
        attempt += 1
    return drawing[0], events


def _deal(
    rules: Rules, players: int, key: bytes, number: int
) -> tuple[tuple[tuple[Tile, ...], ...], tuple[Tile, ...]]:
    """The hands by seat, each in order of index, and the stock."""
    order = shuffled(box_of(rules), key, f"deal-{number}")
    size = rules.hand_size
    hands = tuple(tuple(sorted(order[seat * size : (seat + 1) * size])) for seat in range(players))
    return hands, order[players * size :]


def _draft_of(action: Play | TimeOut) -> Table:
    """The proposed table of a time-out; an empty place for a new meld is no meld."""
    if isinstance(action, Play):
        return action.table
    return tuple(meld for meld in action.draft or () if meld.cells)


class _Change:
    """The change that one turn makes, collected and then turned into the next value."""

    def __init__(self, before: Round) -> None:
        self.before = before
        self.rules = before.rules
        self.seat = before.seat
        self.hands = list(before.hands)
        self.stock = before.stock
        self.table = before.table
        self.opened = before.opened
        self.skips = list(before.skips)
        self.passes = before.passes
        self.turns_left = before.turns_left
        self.last_played = before.last_played
        self.last_turn = _with(before.last_turn, before.seat, before.turn)
        self.turn = before.turn
        self.events: list[Event] = []
        self.result: RoundResult | None = None

    def draw_one(self, cause: Cause) -> None:
        tiles = self._take(1)
        self.passes = 0
        self.events.append(Drew(self.seat, tiles, len(tiles), len(self.stock), cause))

    def pass_turn(self, cause: Cause) -> None:
        self.passes += 1
        self.events.append(Passed(self.seat, cause))

    def draw_or_pass(self, cause: Cause) -> None:
        if self.stock:
            self.draw_one(cause)
        else:
            self.pass_turn(cause)

    def penalise(self, verdict: Verdict, cause: Cause) -> None:
        """Draws the penalty; with an empty stock the turn counts as a pass."""
        self.passes = 0 if self.stock else self.passes + 1
        tiles = self._take(self.rules.penalty_tiles)
        self.skips[self.seat] += self.rules.penalty_skips
        self.events.append(
            Penalised(self.seat, tiles, len(tiles), len(self.stock), verdict.problems, cause)
        )

    def play(self, compared: Compared, verdict: Verdict, cause: Cause) -> None:
        self.table = compared.settled
        placed: dict[int, int] = {}
        for tile in verdict.played:
            placed[tile.index] = placed.get(tile.index, 0) + 1
        hand: list[Tile] = []
        for tile in self.hands[self.seat]:
            if placed.get(tile.index):
                placed[tile.index] -= 1
            else:
                hand.append(tile)
        self.hands[self.seat] = tuple(hand)
        self.passes = 0
        self.last_played = _with(self.last_played, self.seat, self.turn)
        opening = verdict.opening_total
        self.opened = _with(self.opened, self.seat, True)
        self.events.append(
            Played(
                seat=self.seat,
                tiles=verdict.played,
                before=compared.gone,
                after=compared.new,
                opening=opening,
                jokers=verdict.jokers,
                left=len(hand),
                cause=cause,
            )
        )

    def end_turn(self) -> None:
        """Ends the round if it is won or blocked, else finds who is next."""
        players = len(self.hands)
        if not self.hands[self.seat]:
            scores = score_won(self.hands, self.seat, self.opened, self.rules)
            self._end_round(RoundEnd.WON, self.seat, scores)
            return
        if self.turns_left is not None:
            self.turns_left -= 1
        elif not self.stock and self.before.stock:
            if self.rules.last_turns:
                self.turns_left = players
            self.events.append(StockEmptied(self.turns_left))
        step = 1 if self.rules.direction is Direction.CLOCKWISE else -1
        while self.passes < players and self.turns_left != 0:
            self.seat = (self.seat + step) % players
            if not self.skips[self.seat]:
                self.turn += 1
                self.events.append(TurnBegan(self.seat, self.turn))
                return
            self.skips[self.seat] -= 1
            self.events.append(Skipped(self.seat, self.skips[self.seat]))
            self.passes = 0  # Whoever is skipped has not passed.
            if self.turns_left is not None:
                self.turns_left -= 1
        winner = blocked_winner(self.hands, self.last_played, self.last_turn, self.rules)
        scores = score_blocked(self.hands, winner, self.opened, self.rules)
        self._end_round(RoundEnd.BLOCKED, winner, scores)

    def finish(self) -> tuple[Round, tuple[Event, ...]]:
        before = self.before
        # Not replace(): it looks up every field by its name, each turn.
        after = Round(
            rules=before.rules,
            number=before.number,
            seeds=before.seeds,
            first=before.first,
            deal=before.deal,
            hands=tuple(self.hands),
            table=self.table,
            stock=self.stock,
            seat=self.seat,
            turn=self.turn,
            opened=self.opened,
            skips=tuple(self.skips),
            passes=self.passes,
            turns_left=self.turns_left,
            last_played=self.last_played,
            last_turn=self.last_turn,
            history=before.history + tuple([seen_by(event, None) for event in self.events]),
            result=self.result,
        )
        return after, tuple(self.events)

    def _take(self, count: int) -> tuple[Tile, ...]:
        tiles = self.stock[:count]
        self.stock = self.stock[count:]
        hand = sorted((*self.hands[self.seat], *tiles), key=_INDEX)
        self.hands[self.seat] = tuple(hand)
        return tiles

    def _end_round(self, end: RoundEnd, winner: int, scores: tuple[int, ...]) -> None:
        self.result = RoundResult(end, winner, scores, tuple(self.hands), self.opened)
        self.events.append(RoundEnded(self.before.number, self.result))


def _with(values: tuple[_T, ...], place: int, value: _T) -> tuple[_T, ...]:
    return (*values[:place], value, *values[place + 1 :])
