"""The HTTP API against its own document, and the streams against anything at all."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from meldwise import protocol
from meldwise.client import Client, ComputerSeat, Mine
from meldwise.protocol import commands as ask
from meldwise.protocol import http, messages, values
from tests.server.support import FAST, Served, serving, settings_for


@dataclass
class Target:
    """A server on a thread of its own, with a user and a table in mid-round."""

    url: str
    token: str
    table: str
    served: Served

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def errors(self) -> float:
        return float(self.served.context.metrics.errors._value.get())


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder: Path = tmp_path_factory.mktemp("api")
    ready: list[Target] = []
    started, end = threading.Event(), threading.Event()

    async def work() -> None:
        config = settings_for(folder / "a.sqlite3", most_tables=100_000)
        async with serving(config) as served, Client(served.url) as client:
            await client.sign_in("Ana")
            page = await client.create_table(
                [Mine(), ComputerSeat(player="plain")], FAST, start=True
            )
            async with client.table(page.table.id) as table:
                await table.be_ready()
                await table.until(lambda _state: table.my_turn is not None)
            assert client.token is not None
            ready.append(Target(served.url, client.token, page.table.id, served))
            started.set()
            while not end.is_set():
                await asyncio.sleep(0.05)

    thread = threading.Thread(target=lambda: asyncio.run(work()))
    thread.start()
    assert started.wait(30)
    yield ready[0]
    end.set()
    thread.join(30)


@pytest.fixture(scope="module")
def document(target: Target) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{target.url}/api/v1/openapi.json").json()
    return found


def test_document_lists_all(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert "/api/v1/tables/{table}/commands" in document["paths"]
    schemas = document["components"]["schemas"]
    for kind in ask.Command.__args__:
        assert schemas[kind.__name__]["additionalProperties"] is False
    assert schemas["Sit"]["properties"]["seat"]["anyOf"][0] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 5,
    }


CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


PATHS = [
    *("/session", "/me", "/server", "/games", "/rules", "/tables", "/replays"),
    *("/tables/{table}", "/codes/{code}", "/tables/{table}/state", "/tables/{table}/commands"),
    *("/tables/{table}/record", "/tables/{table}/shuffle", "/tables/{table}/replay"),
]


@pytest.mark.parametrize("path", PATHS)
def test_api_keeps_to_its_document(target: Target, document: dict[str, Any], path: str) -> None:
    """Whatever is asked, the answer is one that the document names, and no error of ours."""
    before = target.errors
    only = {**document, "paths": {f"/api/v1{path}": document["paths"][f"/api/v1{path}"]}}
    loaded = schemathesis.openapi.from_dict(only)
    asked = 0
    for found in loaded.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]
        if operation.method.upper() == "DELETE":
            continue  # Signing out would end the other cases' sign-in.

        @settings(
            max_examples=12, deadline=None, derandomize=True, database=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy(), known=st.booleans())
        def check(case: Any, known: bool) -> None:
            nonlocal asked
            asked += 1
            if known and "table" in (case.path_parameters or {}):
                case.path_parameters["table"] = target.table
            answer = case.call(base_url=target.url, headers=target.headers)
            case.validate_response(answer, checks=list(CHECKS))

        check()
    assert asked >= 1
    assert target.errors == before


def test_paths_are_those_of_the_document(document: dict[str, Any]) -> None:
    assert {f"/api/v1{path}" for path in PATHS} == {
        path for path in document["paths"] if path.startswith("/api")
    }


def test_commands_over_http(target: Target) -> None:
    """Every kind of command, well-formed and at the same table, is answered with sense."""
    address = f"{target.url}/api/v1/tables/{target.table}/commands"
    for number, kind in enumerate(ask.Command.__args__):
        body: dict[str, Any] = {"type": kind.__struct_config__.tag, "id": f"c{number}", "seen": 99}
        fields = {field.name: field for field in msgspec.structs.fields(kind)}
        for name, value in {
            "seat": 5,
            "player": "nobody",
            "settings": {},
            "revision": 1,
            "melds": [],
            "what": "tiles",
        }.items():
            if name in fields and fields[name].required:
                body[name] = value
        if kind in (ask.Leave, ask.Pause):
            continue
        answer = httpx.post(address, json=body, headers=target.headers)
        assert answer.status_code in (200, 400, 403, 409), (body, answer.text)
        if answer.status_code != 200:
            refusal = msgspec.json.decode(answer.content, type=http.Refusal)
            assert refusal.message.endswith(".")


tile_texts = st.sampled_from(["r1", "r7", "b13", "*", "k5", "y9"])
groups = st.builds(
    values.DraftMeld,
    kind=st.sampled_from(["run", "set", None]),
    tiles=st.lists(tile_texts, max_size=6),
)
seats = st.integers(0, 5)
commands = st.one_of(
    st.builds(ask.Play, id=st.text("abc", min_size=1, max_size=4), seen=st.integers(0, 99),
              seat=seats, melds=st.lists(groups, max_size=5)),
    st.builds(ask.Check, id=st.just("x"), seen=st.just(0), seat=seats,
              melds=st.lists(groups, max_size=5)),
    st.builds(ask.KeepDraft, id=st.just("d"), seen=st.just(0), seat=seats,
              revision=st.integers(0, 2**53), melds=st.lists(groups, max_size=5),
              hand=st.lists(st.lists(tile_texts, max_size=5), max_size=3), check=st.booleans()),
    st.builds(ask.Say, id=st.text("abc", min_size=1, max_size=4), seen=st.just(0),
              text=st.text(max_size=40)),
    st.builds(ask.Sit, id=st.just("s"), seen=st.just(0), seat=seats),
    st.builds(ask.BeReady, id=st.just("r"), seen=st.just(0), seat=seats, seed=st.text(max_size=70)),
    st.builds(ask.Hint, id=st.just("h"), seen=st.just(0), seat=seats,
              what=st.sampled_from(["tiles", "play"])),
    st.builds(ask.Configure, id=st.just("c"), seen=st.just(0), settings=st.builds(
        ask.TableChanges, rules=st.dictionaries(st.text(max_size=8), st.integers(), max_size=2))),
)  # fmt: skip
json_data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=10,
)
anything = st.one_of(
    commands.map(lambda command: protocol.encode(command).decode()),
    json_data.map(json.dumps),
    st.text(max_size=60),
    st.binary(max_size=60),
    st.builds(
        lambda command, place, text: (
            (data := protocol.encode(command).decode())[: place % len(data)]
            + text
            + data[place % len(data) :]
        ),
        commands,
        st.integers(0, 10**4),
        st.text('{}[]":,0x\\u', max_size=3),
    ),
    st.integers(1_000, 3_000).map(lambda depth: "[" * depth),
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(texts=st.lists(anything, min_size=1, max_size=12))
def test_stream_takes_anything(target: Target, texts: list[str | bytes]) -> None:
    """Whatever comes, the server answers, stays, and keeps the connection until a limit."""
    before = target.errors
    address = f"{target.url.replace('http', 'ws')}/api/v1/tables/{target.table}/ws"
    with connect(address, additional_headers=target.headers, proxy=None) as socket:
        socket.send(protocol.encode(messages.Hello(version=protocol.VERSION)).decode())
        assert isinstance(protocol.decode_server(socket.recv(10)), messages.Welcome)
        for text in texts:
            socket.send(text)
        socket.send(protocol.encode(messages.Ping(echo=77)).decode())
        while True:
            message = protocol.decode_server(socket.recv(10))
            if isinstance(message, messages.Pong) and message.echo == 77:
                break
            if isinstance(message, messages.Failed):
                assert message.code not in ("server.error", "server.unreachable")
    assert target.errors == before


def opened(target: Target, *texts: str | bytes, **headers: str) -> tuple[list[Any], int]:
    """What comes when these are sent first, and the code with which the server closes."""
    address = f"{target.url.replace('http', 'ws')}/api/v1/tables/{target.table}/ws"
    found = []
    with connect(address, additional_headers=headers, proxy=None, max_size=None) as socket:
        with contextlib.suppress(ConnectionClosed):
            for text in texts:
                socket.send(text)
        with contextlib.suppress(ConnectionClosed):
            while True:
                found.append(protocol.decode_server(socket.recv(15)))
        assert socket.close_code is not None
        return found, socket.close_code


def hello(**fields: Any) -> str:
    return protocol.encode(messages.Hello(**{"version": protocol.VERSION, **fields})).decode()


def test_stream_is_closed_with_a_reason(target: Target) -> None:
    token = target.headers
    for texts, headers, code in (
        ((hello(),), {}, protocol.CLOSE_NO_SESSION),
        ((hello(token="u.wrong"),), {}, protocol.CLOSE_NO_SESSION),
        ((hello(version=99),), token, protocol.CLOSE_VERSION),
        (("nonsense",), token, protocol.CLOSE_MALFORMED),
        ((hello(),), {**token, "Cookie": "meldwise_session=a.b.c", "Authorization": ""},
         protocol.CLOSE_NO_SESSION),
        ((hello(token=target.token),), {"Origin": "http://evil.example"}, protocol.CLOSE_REFUSED),
        ((hello(), *["nonsense"] * 30), token, protocol.CLOSE_MALFORMED),
        ((hello(), "x" * 40_000), token, 1009),
    ):  # fmt: skip
        found, closed = opened(target, *texts, **headers)
        assert closed == code, texts
        if code != 1009:
            assert isinstance(found[-1], messages.Bye)
            assert found[-1].again is None


def test_no_table_is_told_apart(target: Target) -> None:
    other = Target(target.url, target.token, "nosuchtable", target.served)
    found, closed = opened(other, hello(), **target.headers)
    assert closed == protocol.CLOSE_NO_TABLE
    assert found == [messages.Bye(code="table.unknown", again=None)]


def test_garbage_is_answered_with_the_id_that_it_names(target: Target) -> None:
    address = f"{target.url.replace('http', 'ws')}/api/v1/tables/{target.table}/ws"
    with connect(address, additional_headers=target.headers, proxy=None) as socket:
        socket.send(hello())
        socket.recv(10)
        socket.send('{"type":"play","id":"mine","seat":"zero"}')
        message = protocol.decode_server(socket.recv(10))
        while not isinstance(message, messages.Failed):
            message = protocol.decode_server(socket.recv(10))
        assert (message.to, message.code) == ("mine", "request.malformed")


def test_every_answer_has_the_security_headers(target: Target) -> None:
    for path in ("/", "/api/v1/server", "/nowhere", "/api/v1/me"):
        headers = httpx.get(target.url + path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers
    assert "<title>" in httpx.get(target.url + "/").text
    assert "<title>" in httpx.get(target.url + "/t/abc/def").text


def test_cookie_and_origin(target: Target) -> None:
    """A cookie works for the server's own pages, and for no other site's."""
    with httpx.Client(base_url=f"{target.url}/api/v1") as browser:
        answer = browser.post("/session", json={"name": "  Beto\u202e \n X "})
        assert answer.status_code == 201
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "secure" not in cookie  # This server is not behind https.
        assert browser.get("/me").json()["name"] == "Beto X"
        changes = {"name": "Bea"}
        origin = target.url
        assert browser.patch("/me", json=changes, headers={"Origin": origin}).status_code == 200
        for headers in (
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site"},
        ):
            refused = browser.patch("/me", json=changes, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "request.origin")
            assert browser.post("/session", json={"name": "x"}, headers=headers).status_code == 403
        value = browser.cookies["meldwise_session"]
        browser.cookies.clear()
        browser.cookies.set("meldwise_session", value[:-1] + ("0" if value[-1] != "0" else "1"))
        assert browser.get("/me").status_code == 401
        browser.cookies.clear()
        browser.cookies.set("meldwise_session", value)
        assert browser.delete("/session", headers={"Origin": origin}).status_code == 204
        browser.cookies.clear()
        browser.cookies.set("meldwise_session", value)
        assert browser.get("/me").status_code == 401


def test_refusals_over_http(target: Target) -> None:
    base = f"{target.url}/api/v1"
    for method, path, body, status, code in (
        ("GET", "/nowhere", None, 404, "request.unknown"),
        ("PUT", "/me", {}, 405, "request.method"),
        ("GET", "/me", None, 401, "account.no_session"),
        ("POST", "/session", {"name": " \u200b "}, 400, "account.bad_name"),
        ("POST", "/session", {"name": "x", "more": 1}, 400, "request.malformed"),
        ("POST", "/rules", {"game": "chess"}, 400, "rules.unknown_game"),
        ("POST", "/rules", {"rules": {"timer": 7}}, 400, "rules.out_of_range"),
    ):
        answer = httpx.request(method, base + path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    for path, code in (
        (f"/tables/{target.table}/record", "table.record_secret"),
        (f"/tables/{target.table}/replay", "table.record_secret"),
        ("/tables/nosuchtable", "table.unknown"),
        ("/codes/NOPE", "table.unknown"),
    ):
        answer = httpx.get(base + path, headers=target.headers)
        assert answer.json()["code"] == code
    long = httpx.post(base + "/replays", content=b"x" * 3_000_000, headers=target.headers)
    assert (long.status_code, long.json()["code"]) == (413, "limit.size")
    short = httpx.post(base + "/rules", content=b" " * 70_000)
    assert (short.status_code, short.json()["fields"]) == (413, {"most": 65_536})


def test_what_is_nested_too_deeply_is_malformed(target: Target) -> None:
    base, errors = f"{target.url}/api/v1", target.errors
    deep = b'{"a":' * 10_000 + b"1" + b"}" * 10_000
    for method, path in (
        *(("POST", "/session"), ("PATCH", "/me"), ("POST", "/rules"), ("POST", "/tables")),
        ("POST", f"/tables/{target.table}/commands"),
    ):
        answer = httpx.request(method, base + path, content=deep, headers=target.headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "request.malformed")
    record = b"x = " + b"[" * 100_000 + b"]" * 100_000
    answer = httpx.post(base + "/replays", content=record, headers=target.headers)
    assert answer.status_code == 400, answer.text
    assert target.errors == errors


def test_shuffle_of_a_running_round_is_not_told(target: Target) -> None:
    address = f"{target.url}/api/v1/tables/{target.table}/shuffle"
    page = msgspec.json.decode(httpx.get(address, headers=target.headers).content,
                               type=http.ShufflePage)  # fmt: skip
    assert [(deal.server, deal.hands) for deal in page.rounds] == [(None, [])]
    assert len(page.rounds[0].commitment) == 64


def test_metrics_and_health(target: Target) -> None:
    assert httpx.get(f"{target.url}/healthz").json() == {"status": "ok"}
    assert httpx.get(f"{target.url}/readyz").json() == {"status": "ok"}
    text = httpx.get(f"{target.url}/metrics").text
    assert "meldwise_connections" in text
    assert "meldwise_command_seconds_bucket" in text
    assert target.token.partition(".")[0] not in text
    assert target.table not in text
