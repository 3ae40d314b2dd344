"""The translate functions, in the manner of gettext.

The catalogue in use is a context variable: a server can speak to each of its clients in a
language of its own.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

__all__ = ["N_", "capitalised", "ngettext", "translate", "use_translations"]

_ENGLISH: Final = gettext.NullTranslations()
_current: Final[ContextVar[gettext.NullTranslations | None]] = ContextVar(
    "translations", default=None
)


def translate(text: str) -> str:
    """The text in the language in use; the English text itself is the key."""
    return (_current.get() or _ENGLISH).gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    """One of two texts by a count, in the language in use."""
    return (_current.get() or _ENGLISH).ngettext(one, many, count)


def N_(text: str) -> str:  # noqa: N802 - the customary name, which extraction looks for
    """Marks a text for translation without translating it yet."""
    return text


def capitalised(text: str) -> str:
    """The text with its first letter as a capital, the rest as it is."""
    return text[:1].upper() + text[1:]


@contextmanager
def use_translations(translations: gettext.NullTranslations) -> Iterator[None]:
    """Puts a catalogue in use for the running context, until the block ends."""
    token = _current.set(translations)
    try:
        yield
    finally:
        _current.reset(token)
