"""A table at any position, with a server that is only played: its verdicts are the real ones."""

from __future__ import annotations

import json
import time
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from meldwise import protocol
from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Position, parse_table
from meldwise.game.rules import Rules
from meldwise.game.tiles import Tile
from meldwise.game.turn import judge
from meldwise.server.tables.views import verdict_data

SEAT = {
    "kind": "person",
    "name": "Ana",
    "user": "u1",
    "player": None,
    "connected": True,
    "away_until": None,
    "left": False,
    "stand_in": None,
    "ready": False,
    "wants_pause": False,
    "total": 0,
    "tiles": 14,
    "opened": True,
    "skips": 0,
}


class Staged:
    """Plays the server of one table whose turn it is at a given position."""

    def __init__(self, page: Page, position: str, rules: Rules, proposal: str = "") -> None:
        self.page = page
        self.position = Position.parse(position)
        self.rules = rules
        self.proposal = proposal
        self.sent: list[dict[str, Any]] = []
        self.socket: WebSocketRoute | None = None

    def open(self, url: str) -> None:
        """Shows the table in the page."""
        self.page.request.post(f"{url}/api/v1/session", data={"name": "Ana"})
        self.page.goto("about:blank")
        self.page.unroute_all()
        self.page.route_web_socket("**/ws", self._connect)
        self.page.goto(f"{url}/#/table/staged{time.time_ns()}")
        self.page.locator(".hand .tile, .meld .tile").first.wait_for()

    def _connect(self, socket: WebSocketRoute) -> None:
        self.socket = socket
        socket.on_message(self._answer)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.socket is not None
        self.socket.send(json.dumps(message))

    def _answer(self, text: str | bytes) -> None:
        message = json.loads(text)
        self.sent.append(message)
        kind = message["type"]
        if kind == "hello":
            self._send(self.welcome())
        elif kind == "ping":
            now = int(time.time() * 1000)
            self._send({"type": "pong", "echo": message["echo"], "now": now})
        elif kind in ("keep_draft", "check"):
            self._send(self.verdict(message))
        else:
            self._send({"type": "reply", "to": message["id"], "seq": 10, "repeated": False})

    def verdict(self, message: dict[str, Any]) -> dict[str, Any]:
        """What the rules engine says of an arrangement."""
        melds = tuple(
            Meld(Kind(meld["kind"]), tuple(map(Tile.parse, meld["tiles"])))
            for meld in message["melds"]
        )
        verdict = judge(self.position, melds, self.rules)
        data = verdict_data(verdict, melds, self.rules.opening_minimum)
        plain = json.loads(protocol.encode(data))
        return {"type": "verdict", "to": message["id"], "seat": 0, "verdict": plain}

    def welcome(self) -> dict[str, Any]:
        rules = self.rules.as_dict()
        table = [_wire(meld) for meld in self.position.table]
        hand = [str(tile) for tile in self.position.hand]
        me = {**SEAT, "opened": self.position.opened, "tiles": len(hand)}
        other = {**SEAT, "kind": "computer", "name": "Bruna", "user": None, "player": "plain"}
        draft = {"seat": 0, "round": 1, "turn": 3, "revision": 5, "hand": [hand]}
        melds = [
            {"kind": meld.kind.value, "tiles": [str(tile) for tile in meld.cells]}
            for meld in parse_table(self.proposal)
        ]
        return {
            "type": "welcome",
            "table": "staged",
            "code": "K7X2",
            "user": "u1",
            "settings": {
                "title": "",
                "game": "rrrummy",
                "game_title": "RRRummy",
                "rules": rules,
                "rules_text": "",
                "private": True,
                "spectators": True,
                "drafts_shown": False,
                "hints": True,
                "chat": "all",
                "pace": "natural",
                "theme": "",
            },
            "state": {
                "seq": 9,
                "status": "playing",
                "host": "u1",
                "mine": [0],
                "rematch": None,
                "clock": {
                    "now": int(time.time() * 1000),
                    "deadline": None,
                    "left": None,
                    "what": "turn",
                },
                "seats": [me, other],
                "match": {
                    "next_round": 2,
                    "results": [],
                    "winners": None,
                    "commitment": "5f" * 32,
                    "hands": [{"seat": 0, "tiles": hand, "may_redeal": False}],
                    "round": {
                        "number": 1,
                        "first": 0,
                        "seat": 0,
                        "turn": 3,
                        "stock": 40,
                        "passes": 0,
                        "turns_left": None,
                        "over": False,
                        "table": table,
                    },
                },
            },
            "drafts": [{**draft, "melds": melds}] if self.proposal else [],
            "history": [],
            "chat": [],
            "watchers": 0,
        }


def _wire(meld: Meld) -> dict[str, Any]:
    jokers = [
        {"cell": cell, "stands_for": [str(tile) for tile in role.tiles]}
        for cell, role in enumerate(meld.roles)
        if role is not None
    ]
    return {
        "kind": meld.kind.value,
        "tiles": [str(tile) for tile in meld.cells],
        "jokers": jokers,
    }
