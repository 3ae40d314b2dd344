"""Whose page a request comes from: cookies go along with requests of any site's pages."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from meldwise.game.codes import Code
from meldwise.server.errors import ServerError

__all__ = ["check_origin"]


def check_origin(headers: Mapping[str, str], public_url: str) -> None:
    """Asks whether a request comes from a page of this server, or from no page at all.

    Args:
        headers: the headers of the request, their names in small letters.
        public_url: the address that people use; empty for the one that was asked.

    Raises:
        ServerError: if it comes from another site's page.
    """
    origin = headers.get("origin")
    if origin is None:
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise ServerError(Code.REQUEST_ORIGIN)
        return
    try:
        given = urlsplit(origin)
        allowed = {headers.get("host", "").lower()}
        if public_url:
            allowed.add(urlsplit(public_url).netloc.lower())
        good = given.scheme in ("http", "https") and given.netloc.lower() in allowed
    except ValueError:
        good = False
    if not good:
        raise ServerError(Code.REQUEST_ORIGIN)
