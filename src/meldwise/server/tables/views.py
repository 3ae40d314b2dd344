"""What clients are told: everything that leaves a table goes through here.

The match is seen through :mod:`meldwise.game.view` only, as a spectator for what all may
know and as each own seat for its hand; events through ``seen_by``. No function
here reads another hand, the stock or a seed from the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import msgspec

from meldwise.game import events as game
from meldwise.game.errors import ActionError, GameError
from meldwise.game.jokers import JokerUse
from meldwise.game.melds import Meld, readings
from meldwise.game.presets import GAMES, format_rules
from meldwise.game.problems import Problem
from meldwise.game.rules import Rules
from meldwise.game.scores import RoundResult
from meldwise.game.tiles import TILES, Tile
from meldwise.game.turn import Verdict
from meldwise.game.view import HandView, RoundView, View, hand_of, view_of
from meldwise.i18n import explain_error, explain_problem
from meldwise.protocol import events as told
from meldwise.protocol import messages, values
from meldwise.server.errors import plain_fields
from meldwise.server.tables import entries as log
from meldwise.server.tables.state import StepEvent, TableState

__all__ = [
    "failed",
    "game_title",
    "meld_data",
    "public_state",
    "rules_text",
    "settings_data",
    "state_data",
    "tell",
    "tell_more",
    "verdict_data",
    "with_hands",
    "worded",
]

_MOST_READING_TILES = 8
"""Longer groups have their readings left out: there the position of a joker is plain."""


_TEXTS: Final = tuple(map(str, TILES))


def tiles_data(tiles: Iterable[Tile]) -> list[str]:
    """Tiles as texts."""
    return [_TEXTS[tile.index] for tile in tiles]


def _jokers(meld: Meld) -> list[values.Joker]:
    found = []
    for cell in meld.joker_cells:
        role = meld.roles[cell]
        if role is not None:
            found.append(values.Joker(cell=cell, stands_for=tiles_data(role.tiles)))
    return found


@lru_cache(maxsize=8192)
def meld_data(meld: Meld) -> values.Meld:
    """A meld with what its jokers stand for; most melds stay from one move to the next."""
    kind: Any = str(meld.kind)
    return values.Meld(kind=kind, tiles=tiles_data(meld.cells), jokers=_jokers(meld))


def _melds(table: Iterable[Meld]) -> list[values.Meld]:
    return [meld_data(meld) for meld in table]


def settings_data(settings: log.StoredSettings) -> messages.Settings:
    """The settings of a table."""
    return messages.Settings(
        title=settings.title,
        game=settings.game,
        game_title=game_title(settings.rules, settings.game),
        rules=settings.rules,
        rules_text=rules_text(settings.rules),
        private=settings.private,
        spectators=settings.spectators,
        drafts_shown=settings.drafts_shown,
        hints=settings.hints,
        chat=settings.chat,
        pace=settings.pace,
        theme=settings.theme,
    )


@lru_cache(maxsize=256)
def rules_text(rules: Rules) -> str:
    """Rules in one line of notation."""
    return format_rules(rules)


@lru_cache(maxsize=256)
def game_title(rules: Rules, game: str) -> str:
    """The title of the game with exactly these rules, or of the one they are nearest to."""
    try:
        return GAMES.find(GAMES.name_of(rules) or game).title
    except GameError:
        return game


def state_data(state: TableState, mine: Sequence[int], now: int) -> messages.TableState:
    """The state of a table as the holder of some seats, or of none, may know it."""
    return with_hands(public_state(state, now), state, mine)


def public_state(state: TableState, now: int) -> messages.TableState:
    """The state of a table as everybody may know it."""
    match = state.match
    view = None if match is None else view_of(match, None)
    return messages.TableState(
        seq=state.seq,
        status=state.status,
        host=state.host,
        seats=[_seat(state, place, view) for place in range(len(state.seats))],
        mine=[],
        match=None if view is None else _match(view, 0 if match is None else match.next_round),
        clock=_clock(state, now),
        rematch=state.rematch,
    )


def _seat(state: TableState, place: int, view: View | None) -> messages.SeatState:
    seat = state.seats[place]
    person = state.people.get(seat.user) if seat.user is not None else None
    player = view.players[place] if view is not None else None
    until = None
    waits = state.status == "playing" and not state.solo
    if waits and person is not None and person.away_since is not None:
        until = person.away_since + state.rules.leaver_grace * 1000
    return messages.SeatState(
        kind="free" if seat.free else "computer" if seat.user is None else "person",
        name=seat.name,
        user=seat.user,
        player=seat.player,
        connected=seat.player is not None or (person is not None and person.connected),
        away_until=until if player is None or not player.seat.left else None,
        left=player is not None and player.seat.left,
        stand_in=None if player is None else player.seat.stand_in,
        ready=state.awaiting_round and any(ready == place for ready, _ in state.ready),
        wants_pause=seat.user in state.wants_pause,
        total=0 if player is None else player.total,
        tiles=0 if player is None else player.tiles,
        opened=player is not None and player.opened,
        skips=0 if player is None else player.skips,
    )


def _clock(state: TableState, now: int) -> messages.Clock:
    running = state.match is not None and state.match.running is not None
    timed = state.deadline is not None or state.left is not None
    what: Any = None
    if timed and not state.over:
        what = "turn" if running else "round"
    return messages.Clock(
        now=now, deadline=None if state.over else state.deadline, left=state.left, what=what
    )


def with_hands(
    public: messages.TableState, state: TableState, mine: Sequence[int]
) -> messages.TableState:
    """What everybody may know of a table, with the hands of some seats for their holder."""
    if not mine:
        return public
    match = public.match
    if match is not None and state.match is not None:
        hands = [_hand(hand_of(state.match, seat), seat) for seat in mine]
        match = msgspec.structs.replace(match, hands=hands)
    return msgspec.structs.replace(public, mine=list(mine), match=match)


def _hand(own: HandView, seat: int) -> values.Hand:
    return values.Hand(seat=seat, tiles=tiles_data(own.tiles), may_redeal=own.may_redeal)


def _match(view: View, next_round: int) -> messages.MatchState:
    return messages.MatchState(
        round=None if view.round is None else _round(view.round),
        next_round=next_round,
        hands=[],
        results=[_result(number, result) for number, result in enumerate(view.results, start=1)],
        commitment=view.commitment,
        winners=None if view.result is None else list(view.result.winners),
    )


def _round(view: RoundView) -> messages.RoundState:
    return messages.RoundState(
        number=view.number,
        first=view.first,
        seat=view.seat,
        turn=view.turn,
        table=_melds(view.table),
        stock=view.stock,
        passes=view.passes,
        turns_left=view.turns_left,
        over=view.result is not None,
    )


def _result(number: int, result: RoundResult) -> values.RoundResult:
    end: Any = str(result.end)
    return values.RoundResult(
        number=number,
        end=end,
        winner=result.winner,
        scores=list(result.scores),
        hands=[tiles_data(hand) for hand in result.hands],
        opened=list(result.opened),
    )


def tell(events: Iterable[StepEvent], mine: Sequence[int]) -> list[told.Event]:
    """What happened, as the holder of some seats, or of none, may know it."""
    return [
        _told(_seen(event, mine)) if isinstance(event, game.Event) else event for event in events
    ]


def tell_more(
    events: Iterable[StepEvent], public: Sequence[told.Event], mine: Sequence[int]
) -> list[told.Event]:
    """The same, for what has been told to all: only what some see more of is told anew."""
    return [
        _told(_seen(event, mine)) if mine and isinstance(event, _HIDING) else known
        for event, known in zip(events, public, strict=True)
    ]


def worded(events: Iterable[StepEvent]) -> bool:
    """Whether something that happened is told with sentences, to whom it concerns."""
    return any(isinstance(event, game.Penalised) for event in events)


_HIDING: Final = (game.Dealt, game.Drew, game.Penalised)


def _seen(event: game.Event, mine: Sequence[int]) -> game.Event:
    if isinstance(event, game.Dealt):
        own = {seat: event.seen_by(seat).hands[seat] for seat in mine if seat < len(event.hands)}
        public = event.seen_by(None)
        hands = tuple(own.get(seat) for seat in range(len(public.hands)))
        return replace(public, hands=hands)
    if isinstance(event, game.Drew | game.Penalised):
        return event.seen_by(event.seat if event.seat in mine else None)
    return game.seen_by(event, None)


def _told(event: game.Event) -> told.Event:
    match event:
        case game.ShuffleCommitted():
            return told.ShuffleCommitted(number=event.number, commitment=event.commitment)
        case game.DrewForStart():
            draws = [told.StartDraw(seat=seat, tile=str(tile)) for seat, tile in event.draws]
            return told.DrewForStart(draws=draws)
        case game.RoundStarted():
            return told.RoundStarted(number=event.number, first=event.first)
        case game.Dealt():
            hands = [None if hand is None else tiles_data(hand) for hand in event.hands]
            return told.Dealt(hands=hands, count=event.count, stock=event.stock, deal=event.deal)
        case game.RedealAsked():
            return told.RedealAsked(seat=event.seat)
        case game.TurnBegan():
            return told.TurnBegan(seat=event.seat, turn=event.turn)
        case game.Played():
            return _played(event)
        case game.Drew() | game.Penalised():
            return _drawn(event)
        case game.Passed():
            return told.Passed(seat=event.seat, cause=_cause(event.cause))
        case game.Skipped():
            return told.Skipped(seat=event.seat, left=event.left)
        case game.StockEmptied():
            return told.StockEmptied(last_turns=event.last_turns)
        case game.RoundEnded():
            return told.RoundEnded(result=_result(event.number, event.result))
        case game.SeedRevealed():
            return told.SeedRevealed(
                number=event.number,
                server=event.seeds.server.hex(),
                players=list(event.seeds.players),
            )
        case game.SeatLeft():
            return told.SeatLeft(seat=event.seat, chosen=True)
        case game.SeatTakenOver():
            return told.SeatTakenOver(seat=event.seat, player=event.player)
        case game.SeatReturned():
            return told.SeatReturned(seat=event.seat)
        case game.MatchEnded():
            return told.MatchEnded(
                totals=list(event.result.totals), winners=list(event.result.winners)
            )


def _cause(cause: game.Cause) -> Any:
    return str(cause)


def _played(event: game.Played) -> told.Played:
    return told.Played(
        seat=event.seat,
        tiles=tiles_data(event.tiles),
        before=_melds(event.before),
        after=_melds(event.after),
        opening=event.opening,
        jokers=[_joker_use(use) for use in event.jokers],
        left=event.left,
        cause=_cause(event.cause),
    )


def _drawn(event: game.Drew | game.Penalised) -> told.Event:
    tiles, cause = tiles_data(event.tiles), _cause(event.cause)
    if isinstance(event, game.Drew):
        return told.Drew(
            seat=event.seat, tiles=tiles, count=event.count, stock=event.stock, cause=cause
        )
    return told.Penalised(
        seat=event.seat,
        tiles=tiles,
        count=event.count,
        stock=event.stock,
        problems=[_problem(problem) for problem in event.problems],
        cause=cause,
    )


def _joker_use(use: JokerUse) -> values.JokerUse:
    return values.JokerUse(
        place=use.place,
        cell=use.cell,
        freed=use.freed,
        from_place=None if use.origin is None else use.origin[0],
        from_cell=None if use.origin is None else use.origin[1],
        replaced_by=tiles_data(use.replaced_by),
    )


def _problem(problem: Problem) -> values.Problem:
    return values.Problem(
        code=str(problem.code),
        message=explain_problem(problem),
        place=problem.place,
        cell=problem.cell,
        tiles=tiles_data(problem.tiles),
        wanted=tiles_data(problem.wanted),
        have=problem.have,
        need=problem.need,
    )


def verdict_data(verdict: Verdict, proposal: Sequence[Meld], need: int) -> values.Verdict:
    """A verdict on an arrangement; only the seat that asked is told it."""
    return values.Verdict(
        legal=verdict.legal,
        played=tiles_data(verdict.played),
        opening=verdict.opening_total,
        opening_need=None if verdict.opening_total is None else max(1, need),
        missing=tiles_data(verdict.missing),
        groups=[_group(meld) for meld in proposal],
        problems=[_problem(problem) for problem in verdict.problems],
        jokers=[_joker_use(use) for use in verdict.jokers],
    )


def _group(meld: Meld) -> values.Group:
    kind: Any = str(meld.kind)
    others: list[values.Meld] = []
    if meld.joker_cells and len(meld.cells) <= _MOST_READING_TILES:
        found = readings(meld.cells)
        others = [meld_data(other) for other in found if other.key != meld.key]
    return values.Group(
        kind=kind, valid=meld.is_valid, value=meld.value, jokers=_jokers(meld), readings=others
    )


def failed(error: GameError, to: str | None, need: int = 0) -> messages.Failed:
    """A refusal as a message, its sentence in the language in use."""
    verdict = error.verdict if isinstance(error, ActionError) else None
    return messages.Failed(
        to=to,
        code=str(error.code),
        fields=plain_fields(error.fields),
        message=explain_error(error),
        verdict=None if verdict is None else verdict_data(verdict, (), need),
    )
