"""Writing to terminals and files that do not know all characters."""

from __future__ import annotations

import codecs
from typing import Final, TextIO

__all__ = ["knows_shapes", "speak_plainly"]

_HANDLER: Final = "meldwise-plain"
_PLAIN: Final = {
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "–": "-",
    "—": "-",
    "…": "...",
    "·": "-",
    "│": "|",
    "─": "-",
    "»": ">",
    "×": "x",
}


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Puts plain characters in the place of those that cannot be written."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_PLAIN.get(character, "?") for character in text), error.end


def speak_plainly(stream: TextIO) -> None:
    """Makes a stream write something readable for what its encoding lacks."""
    codecs.register_error(_HANDLER, _replace)
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors=_HANDLER)


def knows_shapes(stream: TextIO) -> bool:
    """Whether the shapes of the colours can be written to a stream."""
    try:
        "◆●■▲★".encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
