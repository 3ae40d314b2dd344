"""Tables over HTTP: the lobby, creating, and commands without a stream."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import get, post
from litestar.params import JSONBody, PathParameter

from meldwise.game.codes import Code
from meldwise.protocol import http, messages
from meldwise.protocol.commands import Command
from meldwise.server.accounts import Accounts
from meldwise.server.api.context import Web, context_of, signed_in
from meldwise.server.api.document import REFUSALS
from meldwise.server.errors import ServerError
from meldwise.server.tables.actor import TableActor
from meldwise.server.tables.commands import User
from meldwise.server.tables.summary import read_summary, summary_for, summary_of
from meldwise.server.tables.views import settings_data

__all__ = ["HANDLERS", "TableId"]

TableId = Annotated[str, PathParameter(pattern=r"^[a-z0-9]{1,32}$", description="The table's id.")]
InviteCode = Annotated[
    str, PathParameter(pattern=r"^[A-Za-z0-9]{1,16}$", description="The invite code.")
]


def table_page(actor: TableActor, user: User) -> http.TablePage:
    """A table as a user sees it from outside."""
    state = actor.state
    holds = bool(state.seats_of(user.id)) or state.host == user.id
    return http.TablePage(
        table=summary_for(summary_of(state), user.id),
        code=state.code if holds else None,
        settings=settings_data(state.settings),
    )


@get("/tables", responses=REFUSALS, summary="The lobby", tags=["tables"])
async def lobby(request: Web) -> http.LobbyPage:
    """The public tables, and the user's own."""
    user = await signed_in(request)
    context = context_of(request)
    public = await context.store.listed()
    own = await context.store.tables_of(user.id)
    return http.LobbyPage(
        open=[summary_for(read_summary(text), user.id) for text in public],
        mine=[summary_for(read_summary(text), user.id) for text in own],
        now=context.keeper.now(),
    )


@post("/tables", responses=REFUSALS, summary="Create a table", tags=["tables"])
async def create(request: Web, data: JSONBody[http.CreateTable]) -> http.TablePage:
    """Creates a table; the same one for the same id of the request."""
    user = Accounts.at_tables(await signed_in(request))
    actor = await context_of(request).keeper.create(user, data)
    return table_page(actor, user)


@get("/tables/{table:str}", responses=REFUSALS, summary="A table", tags=["tables"])
async def page(request: Web, table: TableId) -> http.TablePage:
    """A table by its id."""
    user = Accounts.at_tables(await signed_in(request))
    return table_page(await context_of(request).keeper.table(table), user)


@get("/codes/{code:str}", responses=REFUSALS, summary="A table by its code", tags=["tables"])
async def by_code(request: Web, code: InviteCode) -> http.TablePage:
    """A table by its invite code, in capitals or not."""
    user = Accounts.at_tables(await signed_in(request))
    context = context_of(request)
    found = await context.store.table_by_code(code.upper())
    if found is None:
        raise ServerError(Code.TABLE_UNKNOWN)
    return table_page(await context.keeper.table(found), user)


@get(
    "/tables/{table:str}/state",
    responses=REFUSALS,
    summary="All that one may know of a table",
    tags=["tables"],
)
async def state(request: Web, table: TableId) -> messages.Welcome:
    """The same as a stream's welcome, for clients without one."""
    user = Accounts.at_tables(await signed_in(request))
    actor = await context_of(request).keeper.table(table)
    actor.check_may_watch(user)
    return actor.welcome_message(user, None)


@post(
    "/tables/{table:str}/commands",
    responses=REFUSALS,
    summary="Command a table",
    tags=["tables"],
    status_code=200,
)
async def command(
    request: Web, table: TableId, data: JSONBody[Command]
) -> messages.Reply | messages.Verdicted | messages.Hinted:
    """The same commands as on a stream, one a request."""
    user = Accounts.at_tables(await signed_in(request))
    actor = await context_of(request).keeper.table(table)
    return await actor.command(user, data)


HANDLERS: list[Any] = [lobby, create, page, by_code, state, command]
