"""Writing TOML, and finding the line of a field: what the standard reader lacks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final

__all__ = ["FieldPath", "TomlError", "field_lines", "format_key", "format_value", "quoted", "read"]

FieldPath = tuple[str | int, ...]

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_FIELD: Final = re.compile(r"\s*([A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')\s*=\s*(.*)$")
_LINE_OF: Final = re.compile(r"line (\d+), column (\d+)")
_DEEPEST: Final = 50
_MOST_DOTS: Final = 1_000_000
"""Of the squares of the dots on each line: the time that dotted keys take to read."""
_TOO_DEEP: Final = "nested too deeply"
_MULTILINE: Final = ('"""', "'''")


class TomlError(ValueError):
    """Text that is not TOML.

    Attributes:
        reason: what the reader says.
        line: where, from 1; None if it does not say.
    """

    def __init__(self, reason: str, line: int | None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def read(text: str) -> dict[str, Any]:
    """Reads TOML.

    Raises:
        TomlError: on anything that is not TOML, however it is broken.
    """
    if sum(line.count(".") ** 2 for line in text.split("\n")) > _MOST_DOTS:
        raise TomlError(_TOO_DEEP, None)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise TomlError(_TOO_DEEP, None) from None
    except ValueError as error:  # Also numbers of too many digits.
        place = _LINE_OF.search(str(error))
        line = int(place[1]) if place else None
        if line is None and "end of document" in str(error):
            line = text.count("\n") + 1
        raise TomlError(str(error), line) from error
    _check_depth(data)
    return data


def _check_depth(data: dict[str, Any]) -> None:
    """Refuses nesting that whoever walks through the data would stumble over."""
    level: list[Any] = [data]
    for _ in range(_DEEPEST):
        inner: list[Any] = []
        for item in level:
            values = item.values() if isinstance(item, dict) else item
            inner += [value for value in values if isinstance(value, dict | list)]
        if not inner:
            return
        level = inner
    raise TomlError(_TOO_DEEP, None)


def field_lines(text: str) -> dict[FieldPath, int]:
    """The line, from 1, of each table and field, as far as they stand on lines of their own.

    The path of a field in an array of tables has the table's index in it, such as
    ``("rounds", 0, "seed")``. Text after the start of a multi-line string is not looked at.
    """
    lines: dict[FieldPath, int] = {}
    counts: dict[str, int] = {}
    path: FieldPath = ()
    inside: str | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        if inside is not None:
            if inside in line:
                inside = None
            continue
        if line.lstrip().startswith("["):
            name, _, rest = line.strip().lstrip("[").partition("]")
            name = name.strip().strip("\"'")
            path = (name,)
            if rest.startswith("]"):
                path = (name, counts.get(name, 0))
                counts[name] = counts.get(name, 0) + 1
            lines.setdefault(path, number)
        elif field := _FIELD.match(line):
            lines.setdefault((*path, field[1].strip("\"'")), number)
            for quotes in _MULTILINE:
                if field[2].startswith(quotes) and quotes not in field[2][3:]:
                    inside = quotes
    return lines


def quoted(text: str) -> str:
    """A text as a basic string on one line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in escaped) + '"'


def format_key(key: str) -> str:
    """A key, quoted where it must be."""
    return key if _BARE_KEY.fullmatch(key) else quoted(key)


def format_value(value: object) -> str:
    """Any value that :mod:`tomllib` reads, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        return (
            "{" + ", ".join(f"{format_key(k)} = {format_value(v)}" for k, v in value.items()) + "}"
        )
    if isinstance(value, Iterable):
        return "[" + ", ".join(format_value(item) for item in value) + "]"
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat() if isoformat is not None else value)
