"""Signing in, and who one is."""

from __future__ import annotations

from typing import Any

from litestar import Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from meldwise.protocol import http
from meldwise.server.accounts import COOKIE, Accounts
from meldwise.server.api.context import Web, client_of, context_of, signed_in
from meldwise.server.api.document import REFUSALS
from meldwise.server.security import check_origin

__all__ = ["HANDLERS"]

_YEAR = 365 * 86_400


@post("/session", responses=REFUSALS, summary="Sign in as a guest", tags=["session"])
async def sign_in(request: Web, data: JSONBody[http.SignIn]) -> Response[http.SignedIn]:
    """Becomes a guest; the answer sets a cookie and tells the bearer token, this once."""
    context = context_of(request)
    check_origin(request.headers, context.settings.public_url)
    context.guests.check(client_of(request))
    signed = await context.accounts.sign_in(data)
    cookie = Cookie(
        key=COOKIE,
        value=context.accounts.cookie(signed.token),
        httponly=True,
        samesite="lax",
        secure=context.settings.https,
        max_age=_YEAR,
        path="/",
    )
    return Response(signed, status_code=201, cookies=[cookie])


@delete("/session", responses=REFUSALS, summary="Sign out", tags=["session"], status_code=204)
async def sign_out(request: Web) -> Response[None]:
    """Makes the token invalid and takes the cookie away."""
    user = await signed_in(request)
    await context_of(request).accounts.sign_out(user)
    gone = Cookie(key=COOKIE, value="", max_age=0, path="/", httponly=True, samesite="lax")
    return Response(None, status_code=204, cookies=[gone])


@get("/me", responses=REFUSALS, summary="Who one is", tags=["session"])
async def me(request: Web) -> http.User:
    """The signed-in user."""
    return Accounts.shown(await signed_in(request))


@patch("/me", responses=REFUSALS, summary="Change name or language", tags=["session"])
async def change_me(request: Web, data: JSONBody[http.UserChanges]) -> http.User:
    """Changes the signed-in user."""
    user = await signed_in(request)
    return await context_of(request).accounts.change(user, data)


HANDLERS: list[Any] = [sign_in, sign_out, me, change_me]
