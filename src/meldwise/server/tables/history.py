"""What a loaded table remembers of its log, for whoever comes back or asks twice."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from meldwise.game.events import RoundStarted
from meldwise.protocol import events as told
from meldwise.protocol import messages
from meldwise.server.tables import entries as log
from meldwise.server.tables import views
from meldwise.server.tables.state import StepEvent

__all__ = ["History", "Step"]

_STEPS: Final = 600
_LINES: Final = 60


@dataclass(frozen=True, slots=True)
class Step:
    """What one entry led to."""

    seq: int
    at: int
    events: tuple[StepEvent, ...]


class History:
    """The newest steps, the newest lines of chat, and every idempotency key."""

    def __init__(self) -> None:
        self._steps: deque[Step] = deque(maxlen=_STEPS)
        self._chat: deque[Step] = deque(maxlen=_LINES)
        self._keys: dict[tuple[str, str], int] = {}

    def keep(self, logged: log.Logged, events: tuple[StepEvent, ...]) -> Step:
        """Remembers an entry."""
        step = Step(logged.seq, logged.at, events)
        self._steps.append(step)
        if isinstance(logged.entry, log.SaidLine):
            self._chat.append(step)
        if logged.key is not None and logged.user is not None:
            self._keys[logged.user, logged.key] = logged.seq
        return step

    def done(self, user: str, key: str) -> int | None:
        """The number of the entry that a user's command made; None if it made none yet."""
        return self._keys.get((user, key))

    def told(self, mine: Sequence[int], seen: int | None) -> list[messages.Step]:
        """The steps after the one seen, or those of the round, for the holder of some seats."""
        after = self._round_began() if seen is None else seen
        return [_told(step, mine) for step in self._steps if step.seq > after]

    def chat(self, mine: Sequence[int]) -> list[messages.Step]:
        """The newest lines of chat."""
        return [_told(step, mine) for step in self._chat]

    def _round_began(self) -> int:
        """The number before that of the step in which the round began."""
        for step in reversed(self._steps):
            if any(isinstance(event, told.MatchStarted | RoundStarted) for event in step.events):
                return step.seq - 1
        return 0


def _told(step: Step, mine: Sequence[int]) -> messages.Step:
    return messages.Step(seq=step.seq, at=step.at, events=views.tell(step.events, mine))
