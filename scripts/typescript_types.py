"""Write web/src/net/protocol.ts from meldwise.protocol; the tests say if it is up to date."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect as shapes

import meldwise.protocol as protocol
from meldwise.game.codes import Code
from meldwise.game.rules import Rules
from meldwise.protocol import commands, events, http, messages, values

FILE = Path(__file__).resolve().parent.parent / "web" / "src" / "net" / "protocol.ts"

HEADER = """\
// Written by scripts/typescript_types.py from meldwise.protocol: do not edit.
//
// Fields marked with ? may be left out of what a client sends. docs/protocol.md explains
// how the messages are used.
"""

ALIASES = {
    "Tile": "string",
    "Millis": "number",
}
"""Named plain types, for readers; a tile is one of its 53 texts."""

MODULES = (values, events, commands, messages, http)
UNIONS = {
    "Event": events.Event,
    "Command": commands.Command,
    "ClientMessage": messages.ClientMessage,
    "ServerMessage": messages.ServerMessage,
    "NewSeat": http.NewSeat,
}


def text() -> str:
    """The text of the file."""
    parts = [HEADER]
    parts.append(f"export const VERSION = {protocol.VERSION};")
    parts.append(f'export const SUBPROTOCOL = "{protocol.SUBPROTOCOL}";')
    parts += [
        f"export const {name} = {getattr(protocol, name)};"
        for name in sorted(vars(protocol))
        if name.startswith("CLOSE_")
    ]
    parts.append("")
    parts += [f"export type {name} = {kind};" for name, kind in ALIASES.items()]
    parts.append("")
    phrases = ", ".join(f'"{phrase}"' for phrase in get_args(events.Phrase))
    parts.append(f"export const PHRASES = [{phrases}] as const;")
    parts.append("export type Phrase = (typeof PHRASES)[number];")
    parts.append("")
    parts.append("/** The codes of errors and refusals, explained in docs/errors.md. */")
    parts.append("export const CODES = [")
    parts += [f'  "{code}",' for code in Code]
    parts.append("] as const;")
    parts.append("export type Code = (typeof CODES)[number];")
    for kind in _structs():
        parts.append("")
        parts += _interface(kind)
    for name, union in UNIONS.items():
        parts.append("")
        parts.append(f"export type {name} =")
        members = [kind.__name__ for kind in _members(union)]
        parts += [f"  | {member}" for member in members]
        parts[-1] += ";"
    return "\n".join(parts) + "\n"


def _members(union: Any) -> Iterator[type]:
    for kind in get_args(union):
        if get_args(kind):
            yield from _members(kind)
        else:
            yield kind


def _structs() -> list[type]:
    found: list[type] = [Rules]
    for module in MODULES:
        for name, kind in vars(module).items():
            if name in module.__all__ and isinstance(kind, type):
                own = issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__
                if own and kind not in (values.Message, values.Request):
                    found.append(kind)
    names = [kind.__name__ for kind in found]
    clashes = {name for name in names if names.count(name) > 1}
    for kind in found:
        if kind.__name__ in clashes and kind.__module__ == commands.__name__:
            kind.__typescript_name__ = f"{kind.__name__}Command"  # type: ignore[attr-defined]
    return found


def _name(kind: type) -> str:
    return str(kind.__dict__.get("__typescript_name__", kind.__name__))


def _interface(kind: type) -> Iterator[str]:
    summary, fields = _documentation(kind)
    yield from _comment(summary, "")
    yield f"export interface {_name(kind)} {{"
    info = shapes.type_info(kind)
    assert isinstance(info, shapes.StructType | shapes.DataclassType)
    if isinstance(info, shapes.StructType) and info.tag is not None:
        yield f'  {info.tag_field}: "{info.tag}";'
    asked = issubclass(kind, values.Request) or kind is values.DraftMeld
    for field in info.fields:
        if field.name in fields:
            yield from _comment(fields[field.name], "  ")
        mark = "?" if asked and not field.required else ""
        yield f"  {field.encode_name}{mark}: {_type(field.type)};"
    yield "}"


def _documentation(kind: type) -> tuple[str, dict[str, str]]:
    """The text of a docstring, and that of each attribute."""
    doc = inspect.cleandoc(kind.__doc__ or "")
    head, _, rest = doc.partition("Attributes:\n")
    fields: dict[str, str] = {}
    name = ""
    for line in rest.partition("\nRaises:")[0].splitlines():
        if match := re.match(r"    (\w+): (.*)", line):
            name = match[1]
            fields[name] = match[2]
        elif name and line.strip():
            fields[name] += " " + line.strip()
    return " ".join(head.split()), fields


def _comment(words: str, indent: str) -> Iterator[str]:
    words = re.sub(r":\w+:`~?([^`]*)`", lambda m: m[1].rpartition(".")[2], words)
    words = re.sub(r"\bNone\b", "null", words).replace("``", "`").replace("*/", "*\u200b/")
    line = f"{indent}/** {words} */"
    if len(line) <= 100:
        yield line
        return
    yield f"{indent}/**"
    current = f"{indent} *"
    for word in words.split():
        if len(current) + 1 + len(word) > 100:
            yield current
            current = f"{indent} *"
        current += f" {word}"
    yield current
    yield f"{indent} */"


def _type(info: shapes.Type) -> str:
    match info:
        case shapes.Metadata():
            return _type(info.type)
        case shapes.StrType():
            return "string"
        case shapes.IntType() | shapes.FloatType():
            return "number"
        case shapes.BoolType():
            return "boolean"
        case shapes.NoneType():
            return "null"
        case shapes.AnyType():
            return "unknown"
        case shapes.LiteralType():
            if set(info.values) == set(get_args(events.Phrase)):
                return "Phrase"
            if set(info.values) == set(get_args(values.Tile)):
                return "Tile"
            return " | ".join(f'"{value}"' for value in info.values)
        case shapes.EnumType():
            return " | ".join(f'"{value.value}"' for value in info.cls)
        case shapes.ListType():
            item = _type(info.item_type)
            return f"({item})[]" if " | " in item else f"{item}[]"
        case shapes.DictType():
            return f"Record<string, {_type(info.value_type)}>"
        case shapes.StructType() | shapes.DataclassType():
            return _name(info.cls)
        case shapes.UnionType():
            kinds = {kind.cls for kind in info.types if isinstance(kind, shapes.StructType)}
            for name, union in UNIONS.items():
                if kinds == set(_members(union)):
                    return name
            return " | ".join(map(_type, sorted(info.types, key=_null_last)))
        case _:
            raise TypeError(info)


def _null_last(info: shapes.Type) -> bool:
    return isinstance(info, shapes.NoneType)


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text(), encoding="utf-8")
