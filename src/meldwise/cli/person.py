"""What the person at the terminal sees of a match, drawn from a view and a draft."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from meldwise.cli.draft import Draft
from meldwise.cli.screen import Piece, Style, flow, hand_pieces, table_lines, wrap
from meldwise.game.events import Event, Played
from meldwise.game.tiles import Tile
from meldwise.game.view import View
from meldwise.i18n import clean_text, explain_problem

__all__ = ["HandOrder", "board_lines", "player_lines", "verdict_lines"]


@dataclass
class HandOrder:
    """In which order the person keeps the hand.

    Attributes:
        mode: ``colour``, ``number`` or ``own``.
        own: the tiles in the person's own order, kept as they come and go.
    """

    mode: str = "colour"
    own: list[Tile] = field(default_factory=list)

    def arrange(self, hand: Sequence[Tile], first: Sequence[Tile]) -> None:
        """Puts some tiles of the hand in front, the others as they lay."""
        rest = self.ordered(hand)
        for tile in first:
            rest.remove(tile)
        self.own = [*first, *rest]
        self.mode = "own"

    def ordered(self, hand: Sequence[Tile]) -> list[Tile]:
        """The hand in order; with an own order, new tiles come last."""
        if self.mode == "number":
            return sorted(hand, key=lambda tile: (tile.is_joker, tile.number, tile.index))
        if self.mode == "colour":
            return sorted(hand)
        left = list(hand)
        known: list[Tile] = []
        for tile in self.own:
            if tile in left:
                left.remove(tile)
                known.append(tile)
        return [*known, *left]

    def remember(self, hand: Sequence[Tile]) -> None:
        """Takes note of a new hand, so that its new tiles keep their places at the end."""
        if self.mode == "own":
            self.own = self.ordered(hand)


def player_lines(view: View, style: Style, width: int) -> list[str]:
    """The players with their tiles and points; a sign stands before whose turn it is."""
    turn = view.round.seat if view.round is not None and view.round.result is None else None
    pieces: list[Piece] = []
    for seat, player in enumerate(view.players):
        points = f"{player.total:+d}" if player.total else "0"
        state = "" if player.opened else ", not opened"
        missed = f", misses {player.skips}" if player.skips else ""
        noun = "tile" if player.tiles == 1 else "tiles"
        text = (
            f"{clean_text(player.seat.name)}: {player.tiles} {noun}{state}{missed}, {points} points"
        )
        text = f"> {text}" if seat == turn else f"  {text}"
        pieces.append(style.bold(text) if seat == turn else Piece(text))
    if max(len(piece.plain) for piece in pieces) <= width:
        return flow(pieces, width, gap=2)
    return [line for piece in pieces for line in wrap(piece.plain, width, 4)]


def board_lines(
    view: View,
    game: str,
    draft: Draft,
    order: HandOrder,
    style: Style,
    width: int,
    *,
    news: Sequence[str] = (),
    last: Sequence[Event] = (),
    drawn: Sequence[Tile] = (),
    rounds: str = "",
) -> list[str]:
    """The whole board for the person's turn.

    Args:
        view: the match as the person may know it.
        game: the title of the game.
        draft: the table as it is arranged now.
        order: how the hand is sorted.
        style: what the terminal can show.
        width: how wide it is.
        news: what happened since the person's last turn, as sentences.
        last: the same as events, to mark what was played.
        drawn: the tiles that the person drew last.
        rounds: how many rounds there are, for the head line.
    """
    assert view.round is not None
    head = f"{game} · round {view.round.number}{rounds} · turn {view.round.turn}"
    head += f" · {view.round.stock} to draw"
    if view.round.turns_left is not None:
        head += f" · {view.round.turns_left} turns left"
    lines = [str(style.bold(line)) for line in wrap(head, width)]
    lines += player_lines(view, style, width)
    if news:
        lines.append("")
        for sentence in news:
            lines += wrap(sentence, width, 2)
    lines.append("")
    plays = [event for event in last if isinstance(event, Played)]
    keys = {meld.key for event in plays for meld in event.after}
    numbers = [row.number for row in draft.rows if row.meld.key in keys and draft.is_original(row)]
    tiles = [tile for event in plays for tile in event.tiles]
    if draft.rows:
        lines += table_lines(draft, style, width, numbers, tiles)
    else:
        lines.append("The table is empty.")
    lines.append("")
    lines += _draft_lines(draft, style, width)
    hand = order.ordered(tuple(draft.hand.elements()))
    words = {"colour": "by colour", "number": "by number", "own": "your order"}
    title = f"Hand ({len(hand)}, {words[order.mode]}):"
    pieces = [style.bold(title), *hand_pieces(hand, style, drawn)]
    lines += flow(pieces, width, indent=2, first=0)
    return lines


def _draft_lines(draft: Draft, style: Style, width: int) -> list[str]:
    lines: list[str] = []
    if draft.loose:
        pieces = [style.bold("Must be placed:")]
        pieces += [style.tile(tile) for tile in sorted(draft.loose.elements())]
        lines += flow(pieces, width, indent=2, first=0)
    verdict = draft.verdict
    if verdict.opening_total is not None:
        need = draft.rules.opening_minimum
        text = f"Opening: {verdict.opening_total} of {need} points"
        if not draft.played:
            text += "; the melds of the table are not yours to touch yet" if draft.rows else ""
        lines += wrap(f"{text}.", width, 2)
    if draft.changed:
        if verdict.legal:
            lines.append(str(style.bold("Ready: “done” ends the turn.")))
        elif draft.played or draft.loose:
            more = len(verdict.problems) - 1
            text = f"Not ready: {verdict_lines(draft)[0]}"
            if more:
                text += f" ({more} more: “check”)"
            lines += wrap(text, width, 2)
    return lines


def verdict_lines(draft: Draft) -> list[str]:
    """What the rules say of a draft, one sentence a line, melds by their numbers."""
    verdict = draft.verdict
    if verdict.legal:
        return ["The table is good: “done” ends the turn."]
    lines: list[str] = []
    for problem in verdict.problems:
        text = explain_problem(problem)
        if problem.place is not None and str(problem.code).startswith("meld."):
            text = f"Meld {draft.rows[problem.place].number}: {text}"
        lines.append(text)
    return lines
