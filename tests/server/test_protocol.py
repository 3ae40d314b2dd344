"""The protocol page and the TypeScript types say what the definitions say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from meldwise import protocol
from meldwise.protocol import commands, events, http, messages, values
from scripts.typescript_types import FILE, text

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"<!-- (\w+) -->\n```json\n(.*?)\n```", PAGE, re.DOTALL)
STRUCTS: dict[str, Any] = {
    name: getattr(module, name)
    for module in (values, events, commands, messages, http)
    for name in module.__all__
}


def test_typescript_types_are_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "run python -m scripts.typescript_types"


def test_page_has_examples() -> None:
    assert len(EXAMPLES) >= 11
    assert PAGE.count("```json") == len(EXAMPLES)


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_example_of_the_page(name: str, example: str) -> None:
    """Each example is read as the struct it claims to be, and says all that it can say."""
    kind = STRUCTS[name]
    value = msgspec.json.decode(example, type=kind)
    data = msgspec.json.decode(example)
    if issubclass(kind, values.Request):
        assert msgspec.convert(data, kind) == value
    else:
        assert msgspec.to_builtins(value) == data


def test_page_names_every_command_and_close_code() -> None:
    for kind in commands.Command.__args__:
        tag = kind.__struct_config__.tag
        assert f"`{tag}`" in PAGE, tag
    for name, value in vars(protocol).items():
        if name.startswith("CLOSE_"):
            assert f"| {value} |" in PAGE, name


def test_a_tile_is_one_of_its_53_texts() -> None:
    texts = [f"{colour}{number}" for colour in "rykb" for number in range(1, 14)] + ["*"]
    decoder = msgspec.json.Decoder(values.Tile)
    for tile in texts:
        assert decoder.decode(msgspec.json.encode(tile)) == tile
    for wrong in ("r0", "r14", "g1", "R1", "r01", "r1 ", "j", "**", ""):
        with pytest.raises(msgspec.ValidationError):
            decoder.decode(msgspec.json.encode(wrong))


def test_tags_are_unique_in_each_union() -> None:
    for union in (messages.ClientMessage, messages.ServerMessage, events.Event):
        tags = [kind.__struct_config__.tag for kind in union.__args__]
        assert len(tags) == len(set(tags))


def test_what_clients_send_is_read_strictly() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        protocol.decode_client('{"type":"ping","echo":1,"more":2}')
    with pytest.raises(msgspec.ValidationError):
        protocol.decode_client('{"type":"draw","id":"no spaces","seen":0,"seat":0}')
    with pytest.raises(msgspec.ValidationError):
        protocol.decode_command(
            '{"type":"check","id":"a","seen":0,"seat":0,"melds":[{"tiles":["r14"]}]}'
        )
    with pytest.raises(msgspec.ValidationError):
        protocol.decode_command('{"type":"hello","version":1}')


def test_what_the_server_sends_may_grow() -> None:
    """A client of today reads the messages of a later server of the same version."""
    message = protocol.decode_server('{"type":"pong","echo":7,"now":1,"later":[1,2]}')
    assert message == messages.Pong(echo=7, now=1)
