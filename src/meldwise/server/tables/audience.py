"""The open connections to a table in this process, and what they are told."""

from __future__ import annotations

from contextlib import nullcontext

from meldwise import protocol
from meldwise.protocol import messages
from meldwise.protocol.values import Draft
from meldwise.server.languages import speaking
from meldwise.server.tables import entries as log
from meldwise.server.tables import views
from meldwise.server.tables.client import TableClient
from meldwise.server.tables.drafts import DraftBook
from meldwise.server.tables.state import StepEvent, TableState

__all__ = ["Audience"]


class Audience:
    """Who listens at a table.

    Attributes:
        clients: the open connections.
        elsewhere: the users who are connected to other processes.
    """

    def __init__(self) -> None:
        self.clients: set[TableClient] = set()
        self.elsewhere: frozenset[str] = frozenset()
        self._watchers = 0

    @property
    def users(self) -> set[str]:
        """The users who are connected."""
        return {client.user.id for client in self.clients}

    def tell(
        self,
        logged: log.Logged,
        state: TableState,
        events: tuple[StepEvent, ...],
        now: int,
    ) -> None:
        """Tells everybody what an entry led to, each what they may know.

        A message is put together once for each kind of listener, from what all may know.

        Args:
            logged: the entry.
            state: the state after it.
            events: what happened.
            now: the time in milliseconds.
        """
        if not self.clients:
            return
        changed = isinstance(logged.entry, log.Configured)
        settings = views.settings_data(state.settings) if changed else None
        sent: dict[tuple[tuple[int, ...], str, bool], bytes] = {}
        public = views.public_state(state, now)
        told = views.tell(events, ())
        worded = views.worded(events)
        for client in self.clients:
            mine = state.seats_of(client.user.id)
            own = logged.key is not None and logged.user == client.user.id
            language = client.user.language if worded and mine else ""
            kind = (mine, language, own)
            if kind not in sent:
                with speaking(language) if language else nullcontext():
                    seen = views.tell_more(events, told, mine)
                update = messages.Update(
                    seq=logged.seq,
                    at=logged.at,
                    events=seen,
                    state=views.with_hands(public, state, mine),
                    settings=settings,
                    command=logged.key if own else None,
                )
                sent[kind] = protocol.encode(update)
            client.send(sent[kind])

    def show_draft(
        self, drafts: DraftBook, draft: Draft, state: TableState, sender: TableClient | None
    ) -> None:
        """Shows a draft to the seat's other connections, and to others if they may see it."""
        for client in self.clients:
            if client is sender:
                continue
            mine = state.seats_of(client.user.id)
            shown = drafts.for_eyes(state, draft, mine)
            if shown is not None:
                client.send(protocol.encode(messages.Drafted(draft=shown)))

    def watchers(self, state: TableState) -> int:
        """How many people hold no seat, in all processes."""
        return sum(not state.seats_of(user) for user in self.users | self.elsewhere)

    def tell_watchers(self, state: TableState) -> None:
        """Tells everybody how many watch, if that has changed."""
        count = self.watchers(state)
        if count == self._watchers:
            return
        self._watchers = count
        message = protocol.encode(messages.Watchers(count=count))
        for client in self.clients:
            client.send(message)
