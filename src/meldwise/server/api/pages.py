"""The web client, from the files that the package carries; a plain page where it has none."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from litestar import MediaType, Response, get
from litestar.exceptions import NotFoundException
from litestar.static_files import create_static_files_router

__all__ = ["HANDLERS", "WEB"]

_SERVER: Final = Path(__file__).resolve().parent.parent

WEB: Final = _SERVER / "web"
"""Where the built web client lies, if it was built."""

_FOREVER: Final = "public, max-age=31536000, immutable"


@lru_cache(maxsize=1)
def _page() -> bytes:
    built = WEB / "index.html"
    return (built if built.is_file() else _SERVER / "page" / "index.html").read_bytes()


def _answer() -> Response[bytes]:
    return Response(
        _page(), media_type=MediaType.HTML, headers={"Cache-Control": "no-cache, must-revalidate"}
    )


@get(["/", "/t/{rest:path}"], include_in_schema=False)
async def index() -> Response[bytes]:
    """The page of the web client, which reads the address by itself."""
    return _answer()


@get("/sw.js", include_in_schema=False)
async def worker() -> Response[bytes]:
    """The service worker of the web client, asked anew each time so that it can change.

    Raises:
        NotFoundException: if the client was not built.
    """
    try:
        text = (WEB / "sw.js").read_bytes()
    except OSError:
        raise NotFoundException from None
    return Response(text, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


def _cached(response: Any) -> Any:
    response.headers["Cache-Control"] = _FOREVER
    return response


HANDLERS: list[Any] = [index, worker]
if (WEB / "assets").is_dir():
    # The names of these files change with what is in them.
    HANDLERS.append(
        create_static_files_router(
            path="/assets",
            directories=[WEB / "assets"],
            include_in_schema=False,
            after_request=_cached,
        )
    )
