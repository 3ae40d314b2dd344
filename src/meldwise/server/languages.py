"""The languages of the server's sentences: each client is spoken to in its own."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.resources import files
from typing import Final

from meldwise.i18n import use_translations

__all__ = ["LANGUAGES", "best_language", "speaking"]

_DOMAIN: Final = "meldwise"


def _catalogues() -> tuple[str, ...]:
    folder = files("meldwise.i18n") / "locale"
    if not folder.is_dir():
        return ()
    return tuple(sorted(entry.name for entry in folder.iterdir() if entry.is_dir()))


LANGUAGES: Final[tuple[str, ...]] = ("en", *(name for name in _catalogues() if name != "en"))
"""The languages that there are catalogues of; English needs none."""


def best_language(wanted: str) -> str:
    """The language for an ``Accept-Language`` header or a user's own; English if in doubt."""
    scored: list[tuple[float, int, str]] = []
    for place, part in enumerate(wanted.split(",")[:20]):
        name, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            weight = 0.0
        scored.append((-weight, place, name.strip().lower()))
    for weight, _, name in sorted(scored):
        plain = name.partition("-")[0]
        if weight < 0 and plain in LANGUAGES:
            return plain
    return "en"


@lru_cache(maxsize=64)
def _translations(language: str) -> gettext.NullTranslations:
    plain = language.partition("-")[0].lower()
    folder = files("meldwise.i18n") / "locale"
    return gettext.translation(_DOMAIN, str(folder), [plain], fallback=True)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speaks a language until the block ends."""
    with use_translations(_translations(language)):
        yield
