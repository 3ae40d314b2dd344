"""Guests, their tokens, and the cookie that carries one.

A token is the user's id and 32 random bytes; only their hash is kept. The cookie holds the
token and a signature by a key of the server's own, so that a forged one is refused before
the database is asked. All comparisons take the same time whatever they find.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from typing import Final

from meldwise.game.codes import Code
from meldwise.protocol import http
from meldwise.server.errors import ServerError
from meldwise.server.languages import best_language
from meldwise.server.store.store import Store, StoredUser
from meldwise.server.tables.commands import User, clean_line

__all__ = ["COOKIE", "Accounts"]

COOKIE: Final = "meldwise_session"
_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
_LONGEST: Final = 200


class Accounts:
    """Signs people in and knows them again.

    Args:
        store: the database.
        key: the key that cookies are signed with.
    """

    def __init__(self, store: Store, key: bytes) -> None:
        self._store = store
        self._key = key

    async def sign_in(self, wanted: http.SignIn) -> http.SignedIn:
        """Makes a guest.

        Raises:
            ServerError: for a name that cannot be shown.
        """
        id = "u" + "".join(secrets.choice(_ALPHABET) for _ in range(13))
        secret = secrets.token_urlsafe(32)
        user = StoredUser(
            id=id,
            name=_name(wanted.name),
            language=best_language(wanted.language),
            token_hash=_hash(secret),
            account=None,
            created=time.time_ns() // 1_000_000,
        )
        await self._store.add_user(user)
        return http.SignedIn(user=_shown(user), token=f"{id}.{secret}")

    async def by_token(self, token: str) -> StoredUser:
        """The user of a bearer token.

        Raises:
            ServerError: if it is not valid.
        """
        id, _, secret = token.partition(".")
        user = await self._store.user(id) if 0 < len(token) <= _LONGEST else None
        known = user.token_hash if user is not None else ""
        # The same work for an unknown user as for a wrong secret.
        right = hmac.compare_digest(_hash(secret).encode(), known.encode())
        if user is None or not right:
            raise ServerError(Code.ACCOUNT_NO_SESSION)
        return user

    async def by_cookie(self, value: str) -> StoredUser:
        """The user of a cookie.

        Raises:
            ServerError: if it is not valid.
        """
        token, _, signature = value.rpartition(".")
        if not hmac.compare_digest(self._signature(token).encode(), signature.encode()):
            raise ServerError(Code.ACCOUNT_NO_SESSION)
        return await self.by_token(token)

    def cookie(self, token: str) -> str:
        """The value of the cookie that carries a token."""
        return f"{token}.{self._signature(token)}"

    async def change(self, user: StoredUser, changes: http.UserChanges) -> http.User:
        """Changes a user's name or language.

        Raises:
            ServerError: for a name that cannot be shown.
        """
        values: dict[str, str] = {}
        if changes.name is not None:
            values["name"] = _name(changes.name)
        if changes.language is not None:
            values["language"] = best_language(changes.language)
        if values:
            await self._store.change_user(user.id, **values)
        found = await self._store.user(user.id)
        assert found is not None
        return _shown(found)

    async def sign_out(self, user: StoredUser) -> None:
        """Makes the user's token invalid."""
        await self._store.change_user(user.id, token_hash="")

    def _signature(self, token: str) -> str:
        return hmac.new(self._key, token.encode(), hashlib.sha256).hexdigest()[:40]

    @staticmethod
    def shown(user: StoredUser) -> http.User:
        """The user as the person is told."""
        return _shown(user)

    @staticmethod
    def at_tables(user: StoredUser) -> User:
        """The user as tables know it."""
        return User(user.id, user.name, user.language)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _name(name: str) -> str:
    try:
        cleaned = clean_line(name, 40)
    except ServerError:
        cleaned = ""
    if not cleaned:
        raise ServerError(Code.ACCOUNT_BAD_NAME)
    return cleaned


def _shown(user: StoredUser) -> http.User:
    return http.User(
        id=user.id,
        name=user.name,
        language=user.language,
        guest=user.account is None,
        since=user.created,
    )
