"""What happened at a table, as a client may know it: a union tagged by ``type``.

Hidden tiles are left out: ``tiles`` of what others drew is empty, ``hands`` of others are
None. The events of one step come together, in order, in an :class:`~meldwise.protocol.Update`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from meldwise.protocol.values import (
    Cause,
    JokerUse,
    Meld,
    Message,
    Millis,
    Problem,
    RoundResult,
    Tile,
)

__all__ = [
    "Away",
    "Back",
    "Closed",
    "ComputerSeated",
    "Dealt",
    "Drew",
    "DrewForStart",
    "Event",
    "HostChanged",
    "MatchEnded",
    "MatchStarted",
    "Passed",
    "PauseWanted",
    "Paused",
    "Penalised",
    "Phrase",
    "Played",
    "Ready",
    "RedealAsked",
    "Rematched",
    "Resumed",
    "RoundEnded",
    "RoundStarted",
    "Said",
    "SeatLeft",
    "SeatOpened",
    "SeatReturned",
    "SeatTakenOver",
    "Seated",
    "SeedRevealed",
    "SettingsChanged",
    "ShuffleCommitted",
    "Skipped",
    "StartDraw",
    "StockEmptied",
    "TurnBegan",
]

Phrase = Literal[
    "hello",
    "good_luck",
    "well_played",
    "thanks",
    "sorry",
    "one_moment",
    "your_turn",
    "so_close",
    "good_game",
    "again",
    "goodbye",
]
"""The quick phrases; each client says them in its own language."""


class Seated(Message, frozen=True, tag="seated"):
    """Somebody sat down; ``user`` may hold several seats."""

    seat: int
    user: str
    name: str


class ComputerSeated(Message, frozen=True, tag="computer_seated"):
    """A computer player was given a seat."""

    seat: int
    name: str
    player: str


class SeatOpened(Message, frozen=True, tag="seat_opened"):
    """A seat became free before the match; ``kicked`` if the host did it to a person."""

    seat: int
    kicked: bool


class HostChanged(Message, frozen=True, tag="host_changed"):
    """Another user is the host now."""

    user: str


class SettingsChanged(Message, frozen=True, tag="settings_changed"):
    """The host changed the table's settings; the update holds the new ones."""


class MatchStarted(Message, frozen=True, tag="match_started"):
    """The match began: nobody else can sit down."""


class ShuffleCommitted(Message, frozen=True, tag="shuffle_committed"):
    """The server has committed to the seed of a round; clients may add seeds now."""

    number: int
    commitment: str


class Ready(Message, frozen=True, tag="ready"):
    """A seat is ready for the round; ``seed`` is what it adds to the shuffle."""

    seat: int
    seed: str


class StartDraw(Message, frozen=True):
    """A tile that a seat drew for who begins."""

    seat: int
    tile: Tile


class DrewForStart(Message, frozen=True, tag="drew_for_start"):
    """Tiles drawn for who begins; the highest number does, ties draw again."""

    draws: list[StartDraw]


class RoundStarted(Message, frozen=True, tag="round_started"):
    """A round has begun; ``first`` is the seat that begins."""

    number: int
    first: int


class Dealt(Message, frozen=True, tag="dealt"):
    """Hands were dealt: ``count`` tiles each, ``stock`` left; a later ``deal`` is a new one."""

    hands: list[list[Tile] | None]
    count: int
    stock: int
    deal: int


class RedealAsked(Message, frozen=True, tag="redeal_asked"):
    """A seat with enough dealt pairs has asked for a new deal."""

    seat: int


class TurnBegan(Message, frozen=True, tag="turn_began"):
    """It is this seat's turn."""

    seat: int
    turn: int


class Played(Message, frozen=True, tag="played"):
    """A legal play.

    Attributes:
        seat: who played.
        tiles: what came from the hand.
        before: the melds that were changed, as they lay before.
        after: the new and changed melds.
        opening: the value of the opening; None unless this was it.
        jokers: what the jokers on the table do.
        left: tiles left in the hand.
        cause: choice, or a time-out that found a legal draft.
    """

    seat: int
    tiles: list[Tile]
    before: list[Meld]
    after: list[Meld]
    opening: int | None
    jokers: list[JokerUse]
    left: int
    cause: Cause


class Drew(Message, frozen=True, tag="drew"):
    """A turn that ended with ``count`` tiles from the stock."""

    seat: int
    tiles: list[Tile]
    count: int
    stock: int
    cause: Cause


class Passed(Message, frozen=True, tag="passed"):
    """A turn without a play while the stock was empty."""

    seat: int
    cause: Cause


class Penalised(Message, frozen=True, tag="penalised"):
    """An invalid end of turn: all was put back, tiles were drawn; reasons for own eyes only."""

    seat: int
    tiles: list[Tile]
    count: int
    stock: int
    problems: list[Problem]
    cause: Cause


class Skipped(Message, frozen=True, tag="skipped"):
    """A seat's turn was skipped; ``left`` more are to be skipped."""

    seat: int
    left: int


class StockEmptied(Message, frozen=True, tag="stock_emptied"):
    """The last tile was drawn; ``last_turns`` are left if the rules count them."""

    last_turns: int | None


class RoundEnded(Message, frozen=True, tag="round_ended"):
    """The round is over, with all hands."""

    result: RoundResult


class SeedRevealed(Message, frozen=True, tag="seed_revealed"):
    """The seeds that the round's tiles followed from; ``server`` in 64 hex digits."""

    number: int
    server: str
    players: list[str]


class MatchEnded(Message, frozen=True, tag="match_ended"):
    """The match is over; several winners share a tie."""

    totals: list[int]
    winners: list[int]


class Away(Message, frozen=True, tag="away"):
    """A seat's player lost the connection; at ``until`` a computer player sits in."""

    seat: int
    until: Millis | None


class Back(Message, frozen=True, tag="back"):
    """A seat's player is connected again."""

    seat: int


class SeatLeft(Message, frozen=True, tag="seat_left"):
    """A player has left the match, by own will or by staying away."""

    seat: int
    chosen: bool


class SeatTakenOver(Message, frozen=True, tag="seat_taken_over"):
    """A computer player sits in for the one who left."""

    seat: int
    player: str


class SeatReturned(Message, frozen=True, tag="seat_returned"):
    """The player who had left is back."""

    seat: int


class PauseWanted(Message, frozen=True, tag="pause_wanted"):
    """A seat asks for a pause, or no longer does."""

    seat: int
    want: bool


class Paused(Message, frozen=True, tag="paused"):
    """The clock stands: everybody agreed, or nobody is there to play on."""

    reason: Literal["agreed", "absent"]


class Resumed(Message, frozen=True, tag="resumed"):
    """The clock runs again."""


class Said(Message, frozen=True, tag="said"):
    """A line of chat: a text or a quick phrase, from a seat or a spectator (seat None)."""

    user: str
    name: str
    seat: int | None
    text: str
    phrase: Phrase | None


class Rematched(Message, frozen=True, tag="rematched"):
    """There is a new table with the same seats."""

    table: str


class Closed(Message, frozen=True, tag="closed"):
    """The table is closed."""

    reason: Literal["host", "abandoned"]


Event: TypeAlias = (
    Seated
    | ComputerSeated
    | SeatOpened
    | HostChanged
    | SettingsChanged
    | MatchStarted
    | ShuffleCommitted
    | Ready
    | DrewForStart
    | RoundStarted
    | Dealt
    | RedealAsked
    | TurnBegan
    | Played
    | Drew
    | Passed
    | Penalised
    | Skipped
    | StockEmptied
    | RoundEnded
    | SeedRevealed
    | MatchEnded
    | Away
    | Back
    | SeatLeft
    | SeatTakenOver
    | SeatReturned
    | PauseWanted
    | Paused
    | Resumed
    | Said
    | Rematched
    | Closed
)
