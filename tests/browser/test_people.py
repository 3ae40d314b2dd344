"""Several browsers at one table, and what each of them is told."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.browser.conftest import DESK, PHONE, Person, Server
from tests.browser.driver import Player

TILE = re.compile(r"(?:[rykb](?:1[0-3]|[1-9])|\*)\Z")

# Where tiles that everybody sees stand in a message; a * is any index.
PUBLIC = [
    "state.match.round.table.*.tiles.*",
    "state.match.round.table.*.jokers.*.stands_for.*",
    "events.*.draws.*.tile",
    "events.*.tiles.*",
    "events.*.before.*.tiles.*",
    "events.*.before.*.jokers.*.stands_for.*",
    "events.*.after.*.tiles.*",
    "events.*.after.*.jokers.*.stands_for.*",
    "events.*.jokers.*.replaced_by.*",
]
OWN = [
    "state.match.hands.*.tiles.*",
    "drafts.*.melds.*.tiles.*",
    "drafts.*.hand.*.*",
    "verdict",
]


def test_two_people_play_a_match_and_are_told_nothing_they_should_not_know(
    server: Server, person: Person
) -> None:
    ana = Player(person(DESK), server.url, "drag")
    ben = Player(person(PHONE, touch=True), server.url, "tap")
    ana.sign_in("Ana")
    computers = [{"type": "computer", "player": "plain"}] * 2
    table = ana.create(
        [{"type": "mine"}, {"type": "open"}, *computers],
        start=False,
        rules={"match_length": 2},
        drafts_shown=True,
    )
    ana.page.goto(f"{server.url}/#/room/{table}")
    link = ana.page.get_by_label("Link", exact=True).input_value()
    ben.page.goto(link)
    ben.page.get_by_label("Your name at the table").fill("Ben")
    ben.press(ben.page.get_by_role("button", name="Come in"))
    ana.page.get_by_text("Everybody is here.").wait_for()
    ana.press(ana.page.get_by_role("button", name="Start the game"))
    for player in (ana, ben):
        player.page.locator(".hand .tile").first.wait_for()
        assert player.page.url.endswith(f"/#/table/{table}")
    players = [ana, ben]
    for number in (1, 2):
        play_round(players)
        if number == 1:
            for player in players:
                player.press(player.page.get_by_role("button", name="Next round"))
            for player in players:
                player.page.locator("dialog[open]").wait_for(state="detached")
    for player in players:
        player.page.locator("dialog[open]").wait_for()
        assert player.state["status"] == "over"
        told = [line for frame in player.frames for line in secrets(json.loads(frame), player.seat)]
        assert not told, told[:5]
        assert len(player.frames) > 20

    ana.press(ana.page.get_by_role("button", name="Again"))
    ben.page.get_by_text("A new game with the same seats is open.").wait_for()
    ben.press(ben.page.get_by_role("button", name="Join in"))
    ana.page.get_by_text("Everybody is here.").wait_for()
    ana.press(ana.page.get_by_role("button", name="Start the game"))
    for player in players:
        player.page.locator(".hand .tile").first.wait_for()
        assert table not in player.page.url


def play_round(players: list[Player]) -> None:
    for _ in range(200):
        player = players[0]
        if player.round["over"]:
            return
        for player in players:
            if player.round["seat"] == player.seat and not player.round["over"]:
                if player.wait_for_turn():
                    player.play_turn()
                break
        else:
            player.page.wait_for_timeout(30)
        # Whoever did not move hears of it too.
        for other in players:
            other.page.wait_for_timeout(10)
    raise AssertionError("the round does not end")


def secrets(message: dict[str, Any], seat: int) -> list[str]:
    """Every tile in a message that its receiver should not know, with its place."""
    if message["type"] in ("verdict", "hint", "reply", "failed", "pong", "watchers"):
        return []
    found: list[str] = []
    state = message.get("state") or {}
    over = (((state.get("match") or {}).get("round")) or {}).get("over")
    for hand in (state.get("match") or {}).get("hands", []):
        if hand["seat"] != seat:
            found.append(f"hand of seat {hand['seat']}")
    steps = [*message.get("history", []), *message.get("chat", [])]
    if "events" in message:
        steps.append(message)
    for step in steps:
        for event in step["events"]:
            kind = event["type"]
            other = event.get("seat") != seat
            if kind in ("drew", "penalised") and other and event["tiles"]:
                found.append(f"{kind} {event['tiles']}")
            if kind == "penalised" and other and event["problems"]:
                found.append(f"problems {event['problems']}")
            if kind == "dealt":
                found += [
                    f"dealt hand of seat {place}"
                    for place, hand in enumerate(event["hands"])
                    if hand is not None and place != seat
                ]
            if kind == "round_ended" and not over:
                found.append("hands before the end")
    if message["type"] == "draft":
        draft = message["draft"]
        if draft["seat"] != seat and draft["hand"]:
            found.append(f"hand beside a draft {draft['hand']}")
    for path, text in tiles_in(message, ""):
        if message["type"] == "draft" or any(fits(path, allowed) for allowed in PUBLIC + OWN):
            continue
        if re.match(r"(history|chat)\.\d+\.events", path):
            continue
        if re.match(r"events\.\d+\.(hands|result)", path):
            continue
        if re.match(r"state\.match\.results\.", path):
            continue
        found.append(f"{path} = {text}")
    return found


def tiles_in(value: Any, path: str) -> list[tuple[str, str]]:
    """Every text that names a tile, with the path to it."""
    if isinstance(value, dict):
        return [
            one
            for key, inner in value.items()
            for one in tiles_in(inner, f"{path}.{key}" if path else key)
        ]
    if isinstance(value, list):
        return [
            one for place, inner in enumerate(value) for one in tiles_in(inner, f"{path}.{place}")
        ]
    return [(path, value)] if isinstance(value, str) and TILE.match(value) else []


def fits(path: str, pattern: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", r"\d+"), path) is not None
