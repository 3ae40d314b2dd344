"""What has happened, as sentences: what a screen reader or a log says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from meldwise.game.events import (
    Cause,
    Dealt,
    Drew,
    DrewForStart,
    Event,
    MatchEnded,
    Passed,
    Penalised,
    Played,
    RedealAsked,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    SeatReturned,
    SeatTakenOver,
    SeedRevealed,
    ShuffleCommitted,
    Skipped,
    StockEmptied,
    TurnBegan,
)
from meldwise.game.melds import Meld
from meldwise.game.scores import RoundEnd
from meldwise.game.tiles import Tile
from meldwise.i18n.names import clean_text, list_of, meld_name, role_name, tile_name, tiles_name
from meldwise.i18n.problems import explain_problem
from meldwise.i18n.translate import capitalised, ngettext
from meldwise.i18n.translate import translate as _

__all__ = ["tell_event"]


def tell_event(event: Event, names: Sequence[str]) -> str:
    """What happened, in a sentence or a few, on one line.

    Args:
        event: the event as the reader may know it: see
            :func:`~meldwise.game.events.seen_by`.
        names: the players' names by seat.
    """
    return clean_text(_tell(event, names))


def _tell(event: Event, names: Sequence[str]) -> str:
    match event:
        case ShuffleCommitted(number, commitment):
            return _("The shuffle of round {number} is committed to: {commitment}.").format(
                number=number, commitment=commitment
            )
        case DrewForStart(draws):
            drew = [
                _("{name} drew {tile}").format(name=names[seat], tile=tile_name(tile))
                for seat, tile in draws
            ]
            return _("For who begins, {draws}.").format(draws=list_of(drew))
        case RoundStarted(number, first):
            return _("Round {number}: {name} begins.").format(number=number, name=names[first])
        case Dealt():
            return _dealt(event, names)
        case RedealAsked(seat):
            return _("{name} asked for a new deal.").format(name=names[seat])
        case TurnBegan(seat, turn):
            return _("Turn {turn}: {name}.").format(turn=turn, name=names[seat])
        case Played():
            return _played(event, names)
        case Drew():
            return _drew(event, names)
        case Passed(seat, cause):
            text = _("{name} passed.").format(name=names[seat])
            return _after(cause, text)
        case Penalised():
            return _penalised(event, names)
        case Skipped(seat, left):
            text = _("{name} misses this turn.").format(name=names[seat])
            if left:
                more = ngettext(
                    "{count} more is to be missed.", "{count} more are to be missed.", left
                )
                text = f"{text} {more.format(count=left)}"
            return text
        case StockEmptied(last_turns):
            text = _("The last tile is drawn.")
            if last_turns:
                more = ngettext(
                    "{count} turn is left.", "{count} turns are left.", last_turns
                ).format(count=last_turns)
                text = f"{text} {more}"
            return text
        case RoundEnded():
            return _round_ended(event, names)
        case SeedRevealed(number, seeds):
            return _("The seed of round {number} was {seed}.").format(
                number=number, seed=seeds.server.hex()
            )
        case SeatLeft(seat):
            return _("{name} has left.").format(name=names[seat])
        case SeatTakenOver(seat, player):
            return _("The computer player {player} sits in for {name}.").format(
                player=player, name=names[seat]
            )
        case SeatReturned(seat):
            return _("{name} is back.").format(name=names[seat])
        case MatchEnded(result):
            totals = _scores(result.totals, names)
            winners = [names[seat] for seat in result.winners]
            if len(winners) == 1:
                pattern = _("The match is over: {winners} won. {totals}.")
            else:
                pattern = _("The match is over: a tie between {winners}. {totals}.")
            return pattern.format(winners=list_of(winners), totals=totals)
        case _:
            assert_never(event)


def _after(cause: Cause, text: str) -> str:
    if cause is Cause.TIME_OUT:
        return _("The time ran out: {text}").format(text=text)
    if cause is Cause.NOTHING_PLAYED:
        return _("No tile was placed: {text}").format(text=text)
    return text


def _dealt(event: Dealt, names: Sequence[str]) -> str:
    text = _("Everybody gets {count} tiles; {stock} are left to draw.").format(
        count=event.count, stock=event.stock
    )
    if event.deal > 1:
        text = _("New deal. {text}").format(text=text)
    known = [
        _("{name} holds {tiles}.").format(name=names[seat], tiles=tiles_name(hand))
        for seat, hand in enumerate(event.hands)
        if hand
    ]
    return " ".join([text, *known])


def _drew(event: Drew, names: Sequence[str]) -> str:
    name = names[event.seat]
    if event.tiles:
        text = _("{name} drew {tiles}.").format(name=name, tiles=tiles_name(event.tiles))
    else:
        text = ngettext("{name} drew a tile.", "{name} drew {count} tiles.", event.count)
        text = text.format(name=name, count=event.count)
    return _after(event.cause, text)


def _penalised(event: Penalised, names: Sequence[str]) -> str:
    name = names[event.seat]
    if event.count:
        text = ngettext(
            "{name} drew {count} tile as a penalty",
            "{name} drew {count} tiles as a penalty",
            event.count,
        ).format(name=name, count=event.count)
    else:
        text = _("{name} had no tile to draw as a penalty").format(name=name)
    if event.tiles:
        text = _("{text} ({tiles})").format(text=text, tiles=tiles_name(event.tiles))
    if event.cause is Cause.TIME_OUT:
        text = _("The time ran out on an unfinished table, and it was put back: {text}.").format(
            text=text
        )
    else:
        text = _("The end of the turn was invalid and was put back: {text}.").format(text=text)
    return " ".join([text, *map(explain_problem, event.problems)])


def _scores(scores: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(
        _("{name} {score}").format(name=name, score=f"{score:+d}" if score else "0")
        for name, score in zip(names, scores, strict=True)
    )


def _round_ended(event: RoundEnded, names: Sequence[str]) -> str:
    result = event.result
    if result.end is RoundEnd.WON:
        pattern = _("Round {number} is over: {name} has no tile left and wins. {scores}.")
    else:
        pattern = _(
            "Round {number} is over: nobody can go on, and the lowest hand, that of {name}, "
            "wins. {scores}."
        )
    return pattern.format(
        number=event.number, name=names[result.winner], scores=_scores(result.scores, names)
    )


def _played(event: Played, names: Sequence[str]) -> str:
    """What was laid, added and rearranged, from the melds before and after."""
    left = Counter(event.tiles)
    before = list(event.before)
    rest: list[Meld] = []
    parts: list[str] = []
    for meld in event.after:
        old = next((other for other in before if _extends(other, meld, left)), None)
        if old is None:
            rest.append(meld)
            continue
        before.remove(old)
        added = Counter(meld.cells) - Counter(old.cells)
        left -= added
        parts.append(
            _("added {tiles} to {meld}").format(
                tiles=tiles_name(added.elements()), meld=meld_name(old)
            )
        )
    changed: list[Meld] = []
    laid: list[str] = []
    for meld in rest:
        cells = Counter(meld.cells)
        if cells <= left:
            left -= cells
            laid.append(meld_name(meld))
        else:
            changed.append(meld)
    if laid:
        parts.insert(0, _("laid {melds}").format(melds=list_of(laid)))
    if changed:
        parts.append(_rearranged(before, changed, left))
    name = names[event.seat]
    if event.opening is not None:
        text = _("{name} opened with {points} points: {parts}.").format(
            name=name, points=event.opening, parts=list_of(parts)
        )
    else:
        text = _("{name} {parts}.").format(name=name, parts=list_of(parts))
    if event.cause is Cause.TIME_OUT:
        text = _("The time ran out, and the play stands: {text}").format(text=text)
    return " ".join([text, *_jokers(event), *_tiles_left(event)])


def _extends(old: Meld, new: Meld, hand: Counter[Tile]) -> bool:
    if old.kind is not new.kind:
        return False
    before, after = Counter(old.cells), Counter(new.cells)
    return before < after and after - before <= hand and _jokers_stay(old, new)


def _jokers_stay(old: Meld, new: Meld) -> bool:
    """Whether the roles of the jokers of a meld are among those of a longer one."""
    numbers = [role.number for role in new.roles if role is not None]
    return all(role is None or role.number in numbers for role in old.roles)


def _rearranged(before: Sequence[Meld], after: Sequence[Meld], own: Counter[Tile]) -> str:
    old = list_of([meld_name(meld) for meld in before])
    new = list_of([meld_name(meld) for meld in after])
    if not before:
        return _("laid {new}").format(new=new)
    text = _("made {new} from {old}").format(new=new, old=old)
    if own:
        text = _("{text} with {tiles}").format(text=text, tiles=tiles_name(own.elements()))
    return text


def _jokers(event: Played) -> list[str]:
    sentences: list[str] = []
    for use in event.jokers:
        if use.role is None or (use.origin is not None and not use.freed):
            continue
        role = role_name(use.role)
        if use.freed and use.replaced_by:
            text = _("The joker that {tiles} replaced stands for {role}.").format(
                tiles=tiles_name(use.replaced_by), role=role
            )
        elif use.freed:
            text = _("A joker was moved and stands for {role}.").format(role=role)
        else:
            text = _("The new joker stands for {role}.").format(role=role)
        sentences.append(text)
    return sentences


def _tiles_left(event: Played) -> list[str]:
    if event.left == 0:
        return [_("That was the last tile.")]
    if event.left > 3:
        return []
    text = ngettext("{count} tile is left.", "{count} tiles are left.", event.left)
    return [capitalised(text.format(count=event.left))]
