"""A match at the terminal, from the first deal to the end or the person's leave."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from meldwise.cli.draft import Draft, History
from meldwise.cli.grammar import HELP, Command, Move, read_line
from meldwise.cli.host import Host
from meldwise.cli.moves import MoveError, Outcome
from meldwise.cli.person import HandOrder, board_lines, player_lines, verdict_lines
from meldwise.cli.screen import Piece, flow, hand_pieces, wrap
from meldwise.cli.store import save_answers
from meldwise.cli.terminal import Terminal, TimeUp
from meldwise.game.actions import AskRedeal, Draw, Pass, Play, Return, RoundAction, TimeOut
from meldwise.game.errors import ActionError, GameError
from meldwise.game.events import (
    Dealt,
    Drew,
    Event,
    Penalised,
    RoundEnded,
    SeedRevealed,
    ShuffleCommitted,
    TurnBegan,
    seen_by,
)
from meldwise.game.rules import InvalidEnd, MatchEnd
from meldwise.game.tiles import Tile, parse_tiles
from meldwise.i18n import clean_text, describe_rules, explain_error, tell_event
from meldwise.players.pace import Pace

__all__ = ["Quit", "Table"]

_TOO_MANY = 30
"""More readings than this are not listed."""


class Quit(Exception):  # noqa: N818 - a wish, not an error
    """The person wants to stop."""


class Table:
    """The person's place at a table: what is shown, what is typed, whose turn it is.

    Args:
        host: the match.
        terminal: the person's terminal.
        seat: the person's seat.
        order: how the hand is sorted.
        pace: how much time computer players take.
    """

    def __init__(
        self,
        host: Host,
        terminal: Terminal,
        seat: int,
        order: HandOrder,
        pace: Pace = Pace.NONE,
    ) -> None:
        self.host = host
        self.pace = pace
        self.terminal = terminal
        self.seat = seat
        self.order = order
        self.names = host.names
        self._recent: list[Event] = []
        self._drawn: tuple[Tile, ...] = ()

    # --- the match --------------------------------------------------------------------

    def run(self) -> None:
        """Plays on until the match is over.

        Raises:
            Quit: if the person stops.
            InputEnded: if there is nothing more to read.
        """
        if self.host.session.match.seats[self.seat].left:
            self.host.act(Return(self.seat))
        self._recall()
        while self.host.session.match.result is None:
            if self.host.session.match.running is None:
                if self.host.time_is_up:
                    self._tell_end(self.host.end_by_time())
                    continue
                self._begin_round()
            self._play_round()

    def _recall(self) -> None:
        """After a resume: what happened since the person's last turn."""
        state = self.host.session.match.running
        if state is not None:
            events = state.history
            turns = [place for place, event in enumerate(events) if self._is_my_turn(event)]
            past = turns[-2] + 1 if len(turns) > 1 and state.seat == self.seat else 0
            if not past and turns and state.seat != self.seat:
                past = turns[-1] + 1
            self._recent = list(events[past:])

    def _is_my_turn(self, event: Event) -> bool:
        return isinstance(event, TurnBegan) and event.seat == self.seat

    def _begin_round(self) -> None:
        number = self.host.session.match.next_round
        commitment, server = self.host.commit()
        committed = ShuffleCommitted(number, commitment)
        self._say()
        self._paragraph(tell_event(committed, self.names))
        self._recent = [committed]
        self._drawn = ()
        self._note(self.host.deal(server))

    def _play_round(self) -> None:
        while (state := self.host.session.match.running) is not None:
            if state.seat == self.seat:
                self._my_turn()
            else:
                redeal = self.host.view(self.seat).round
                if redeal is not None and redeal.may_redeal and self._wants_redeal():
                    self._act(AskRedeal(self.seat))
                    continue
                events = self.host.computer_turn(self.pace)
                for problem in self.host.new_problems():
                    self._say()
                    self._paragraph(problem)
                self._note(events)

    def _wants_redeal(self) -> bool:
        view = self.host.view(self.seat)
        self._say()
        pieces = hand_pieces(self.order.ordered(view.hand), self.terminal.style)
        for line in flow([Piece("Your hand:"), *pieces], self.terminal.width, indent=2, first=0):
            self._say(line)
        return self._yes("You may ask for a new deal. Do you want one?")

    def _note(self, events: Sequence[Event]) -> None:
        """Keeps what happened for the next drawing; tells the end of a round at once."""
        # The board shows the hand that is dealt; words for it would be too many.
        seen = [seen_by(event, None if isinstance(event, Dealt) else self.seat) for event in events]
        for event in seen:
            if isinstance(event, Dealt):
                self._recent = [e for e in self._recent if not isinstance(e, Dealt)]
            if isinstance(event, Drew | Penalised) and event.seat == self.seat:
                self._drawn = event.tiles
        self._recent += seen
        if any(isinstance(event, RoundEnded) for event in seen):
            self._tell_end(seen)

    # --- the end of a round -----------------------------------------------------------

    def _tell_end(self, events: Sequence[Event]) -> None:
        news = self._recent if any(isinstance(e, RoundEnded) for e in events) else events
        self._say()
        for event in news:
            if isinstance(event, SeedRevealed):
                self._tell_seed(event)
            elif not isinstance(event, TurnBegan | Dealt | ShuffleCommitted):
                if isinstance(event, RoundEnded):
                    self._tell_hands(event)
                self._paragraph(tell_event(event, self.names))
        self._recent = []
        match = self.host.session.match
        if match.result is None and match.results:
            view = self.host.view(self.seat)
            for line in player_lines(view, self.terminal.style, self.terminal.width):
                self._say(line)
            answer = self._ask("Enter begins the next round; “quit” stops: ")
            if answer.strip().lower() in ("q", "quit", "exit"):
                raise Quit

    def _tell_hands(self, event: RoundEnded) -> None:
        self._say()
        for seat, hand in enumerate(event.result.hands):
            if hand:
                pieces = [Piece(f"{self.names[seat]} had")]
                pieces += hand_pieces(sorted(hand), self.terminal.style)
                for line in flow(pieces, self.terminal.width, indent=2, first=0):
                    self._say(line)

    def _tell_seed(self, event: SeedRevealed) -> None:
        self._paragraph(tell_event(event, self.names))
        if self.host.path is not None:
            self._paragraph(f"Check the deal: meldwise record verify {_quoted(self.host.path)}")

    # --- the person's turn ------------------------------------------------------------

    def _my_turn(self) -> None:
        view = self.host.view(self.seat)
        assert view.round is not None
        self.order.remember(view.hand)
        history = History(Draft.start(view.position, view.rules))
        deadline = None
        if view.rules.timer is not None:
            deadline = time.monotonic() + view.rules.timer
        news = [event for event in self._recent if not isinstance(event, TurnBegan)]
        message: list[str] = []
        if view.round.may_redeal:
            message = ["You may ask for a new deal: “redeal”."]
        draw_board = True
        try:
            while True:
                if draw_board:
                    self._draw(history.draft, news, message)
                else:
                    self._paragraphs(message)
                action, message, draw_board = self._step(history, self._prompt(deadline), deadline)
                if action is not None and self._try(action, message):
                    return
        except TimeUp:
            self._say()
            draft = history.draft
            self._try(TimeOut(self.seat, draft.table if draft.changed else None), message)

    def _prompt(self, deadline: float | None) -> str:
        name = self.names[self.seat]
        return f"{name}> " if deadline is None else f"{name} ({{left}} s)> "

    def _try(self, action: RoundAction, message: list[str]) -> bool:
        """Takes an action; if it cannot be taken, the reason becomes the message."""
        try:
            self._act(action)
        except ActionError as error:
            message[:] = [explain_error(error)]
            return False
        return True

    def _act(self, action: RoundAction) -> None:
        events = self.host.act(action)
        self._recent = []
        self._drawn = ()
        self._note(events)

    def _step(
        self, history: History, prompt: str, deadline: float | None
    ) -> tuple[RoundAction | None, list[str], bool]:
        """Reads a line and does it.

        Gives the action that ends the turn, what to say, and whether to draw the board again.
        """
        text = self._ask(prompt, deadline)
        try:
            line = read_line(text)
            if isinstance(line, Move):
                outcome = self._choose(line.apply(history.draft), deadline)
                if outcome is None:
                    return None, ["Nothing was changed."], True
                history.push(outcome.draft)
                return None, [outcome.text], True
            return self._command(line, history, deadline)
        except MoveError as error:
            return None, [str(error)], False

    def _choose(self, outcomes: list[Outcome], deadline: float | None) -> Outcome | None:
        """Asks which of several readings is meant; None for none of them."""
        if len(outcomes) == 1:
            return outcomes[0]
        if not outcomes or len(outcomes) > _TOO_MANY:
            raise MoveError("This can be read in too many ways: write the meld as r4-*-6 or 7rb*.")
        self._say("This can be read in several ways:")
        for number, outcome in enumerate(outcomes, start=1):
            for row in wrap(f"  {number}: {outcome.text}", self.terminal.width, 5):
                self._say(row if row.startswith(" ") else f"  {row}")
        answer = self._ask(f"Which one, 1 to {len(outcomes)}? (Enter for none) ", deadline).strip()
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:4]) <= len(outcomes):
            return outcomes[int(answer[:4]) - 1]
        return None

    def _command(
        self, line: Command, history: History, deadline: float | None
    ) -> tuple[RoundAction | None, list[str], bool]:
        draft = history.draft
        match line.name:
            case "undo":
                done = history.undo()
                return None, ["Undone." if done else "There is nothing to undo."], done
            case "redo":
                done = history.redo()
                return None, ["Done again." if done else "There is nothing to redo."], done
            case "reset":
                done = history.reset()
                text = "All is back where it was." if done else "Nothing has been moved."
                return None, [text], done
            case "check":
                return None, verdict_lines(draft), False
            case "done":
                return self._done(draft, deadline)
            case "draw":
                return self._drawing(draft, deadline)
            case "pass":
                return Pass(self.seat), [], False
            case "redeal":
                return AskRedeal(self.seat), [], False
            case "quit":
                raise Quit
            case "show":
                return None, [], True
            case "sort" | "arrange":
                return self._sort(line, draft)
            case "log":
                self._tell_log()
            case "rules":
                self._tell_rules()
            case _:
                self._tell_help()
        return None, [], False

    def _done(
        self, draft: Draft, deadline: float | None
    ) -> tuple[RoundAction | None, list[str], bool]:
        verdict = draft.verdict
        play = Play(self.seat, draft.table)
        if verdict.legal:
            return play, [], True
        reasons = verdict_lines(draft)
        rules = self.host.rules
        if not verdict.played:
            view = self.host.view(self.seat).round
            end = (
                "“draw” takes a tile" if view is not None and view.stock else "“pass” ends the turn"
            )
            return None, [f"You have not placed a tile of your own yet; {end}."], False
        if rules.invalid_end is InvalidEnd.REFUSE:
            return None, ["The turn cannot end like this:", *reasons], False
        self._paragraphs(["The table is not valid:", *reasons])
        noun = "tile" if rules.penalty_tiles == 1 else "tiles"
        question = (
            "If you end the turn all the same, everything goes back and you draw "
            f"{rules.penalty_tiles} {noun}. End it?"
        )
        if self._yes(question, deadline):
            return play, [], True
        return None, ["The turn goes on."], False

    def _drawing(
        self, draft: Draft, deadline: float | None
    ) -> tuple[RoundAction | None, list[str], bool]:
        view = self.host.view(self.seat).round
        if view is not None and not view.stock:
            return None, ["There is nothing left to draw: “pass” ends the turn."], False
        count = draft.played.total()
        if count:
            noun = "tile" if count == 1 else "tiles"
            question = f"You have placed {count} {noun}: take back what you laid, and draw?"
            if not self._yes(question, deadline):
                return None, ["The turn goes on."], False
        return Draw(self.seat), [], True

    def _sort(self, line: Command, draft: Draft) -> tuple[RoundAction | None, list[str], bool]:
        modes = {"": "colour", "colour": "colour", "color": "colour", "runs": "colour"}
        modes |= {"run": "colour", "number": "number", "numbers": "number", "sets": "number"}
        modes |= {"set": "number", "own": "own", "c": "colour", "n": "number"}
        if line.name == "sort":
            if line.rest not in modes:
                raise MoveError("Sort by colour or by number: “sort colour”, “sort number”.")
            if modes[line.rest] == "own":
                self.order.arrange(draft.position.hand, ())
            self.order.mode = modes[line.rest]
        else:
            try:
                tiles = parse_tiles(line.rest)
                self.order.arrange(draft.position.hand, tiles)
            except GameError as error:
                raise MoveError(explain_error(error)) from None
            except ValueError:
                raise MoveError("You do not hold all these tiles.") from None
        save_answers({"sort": self.order.mode if self.order.mode != "own" else "colour"})
        return None, [], True

    # --- showing ----------------------------------------------------------------------

    def _draw(self, draft: Draft, news: Sequence[Event], message: Sequence[str]) -> None:
        view = self.host.view(self.seat)
        rounds = ""
        if view.rules.match_end is MatchEnd.ROUNDS:
            rounds = f" of {view.rules.match_length}"
        told = [tell_event(event, self.names) for event in news]
        self.terminal.clear()
        for line in board_lines(
            view,
            clean_text(self.host.session.record.game),
            draft,
            self.order,
            self.terminal.style,
            self.terminal.width,
            news=told,
            last=news,
            drawn=self._drawn,
            rounds=rounds,
        ):
            self._say(line)
        self._paragraphs(message)

    def _tell_log(self) -> None:
        state = self.host.session.match.round
        self._say()
        for event in () if state is None else state.history:
            if not isinstance(event, TurnBegan):
                self._paragraph(tell_event(event, self.names))

    def _tell_rules(self) -> None:
        for section in describe_rules(self.host.rules):
            self._say()
            self._say(str(self.terminal.style.bold(section.title)))
            for sentence in section.sentences:
                self._paragraph(f"- {sentence}")

    def _tell_help(self) -> None:
        width = self.terminal.width
        column = 26 if width >= 60 else 8
        for title, entries in HELP:
            self._say()
            for line in wrap(title, width):
                self._say(str(self.terminal.style.bold(line)) if entries else line)
            for typed, does in entries:
                first = f"  {typed}".ljust(column)
                if len(first) > column:
                    self._say(first)
                    first = " " * column
                rows = flow(
                    [Piece(word) for word in does.split()], width, indent=column, first=len(first)
                )
                self._say(first + rows[0].lstrip())
                for row in rows[1:]:
                    self._say(row)

    def _paragraph(self, text: str) -> None:
        for line in wrap(text, self.terminal.width, 2):
            self._say(line)

    def _paragraphs(self, texts: Sequence[str]) -> None:
        for text in texts:
            self._paragraph(text)

    def _say(self, text: str = "") -> None:
        self.terminal.say(text)

    def _ask(self, prompt: str, deadline: float | None = None) -> str:
        return self.terminal.ask(prompt, deadline)

    def _yes(self, question: str, deadline: float | None = None) -> bool:
        *lines, last = wrap(f"{question} (y/N)", self.terminal.width - 2)
        for line in lines:
            self._say(line)
        return self._ask(f"{last} ", deadline).strip().lower() in ("y", "yes")


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))
