"""A person at a table, by mouse, by touch or by keyboard, as the screen shows it."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Any

from playwright.sync_api import Locator, Page

from meldwise.game.melds import Kind, Meld
from meldwise.game.opening import find_opening
from meldwise.game.tiles import Tile, count_tiles

COLOURS = {"r": "red", "y": "yellow", "k": "black", "b": "blue"}
# Large hands and a small stock make short rounds with many plays.
QUICK = {
    "hand_size": 20,
    "opening_minimum": 6,
    "timer": None,
    "match_length": 1,
    "match_end": "rounds",
}
BETWEEN_PRESSES = 0.55
"""A second press within half a second does nothing."""


def name_of(tile: Tile) -> str:
    """What a screen reader is told of a tile."""
    text = str(tile)
    return "joker" if text == "*" else f"{COLOURS[text[0]]} {text[1:]}"


class Player:
    """One browser at one table. ``how`` is drag, tap or keys."""

    def __init__(self, page: Page, url: str, how: str = "tap") -> None:
        self.page = page
        self.url = url
        self.how = how
        self.state: dict[str, Any] = {}
        self.frames: list[str] = []
        self._pressed = 0.0
        page.on("websocket", lambda socket: socket.on("framereceived", self._heard))

    def _heard(self, frame: str | bytes) -> None:
        text = frame if isinstance(frame, str) else frame.decode()
        self.frames.append(text)
        message = json.loads(text)
        if message["type"] in ("welcome", "update"):
            self.state = message["state"]

    # --- coming to a table ------------------------------------------------------

    def sign_in(self, name: str) -> None:
        answer = self.page.request.post(f"{self.url}/api/v1/session", data={"name": name})
        assert answer.status == 201, answer.text()

    def create(self, seats: list[dict[str, Any]], start: bool = True, **settings: Any) -> str:
        rules = {**QUICK, **settings.pop("rules", {})}
        body = {
            "id": f"test-{time.time_ns()}",
            "seats": seats,
            "start": start,
            "settings": {"game": "rrrummy", "rules": rules, "pace": "none", **settings},
        }
        answer = self.page.request.post(f"{self.url}/api/v1/tables", data=body)
        assert answer.status == 201, answer.text()
        return str(answer.json()["table"]["id"])

    def sit(self, table: str) -> None:
        """Opens the table's screen and waits until the round is there."""
        self.page.goto(f"{self.url}/#/table/{table}")
        self.page.locator(".hand .tile").first.wait_for()

    # --- what is seen -----------------------------------------------------------

    @property
    def seat(self) -> int:
        return int(self.state["mine"][0])

    @property
    def round(self) -> dict[str, Any]:
        found: dict[str, Any] = self.state["match"]["round"]
        return found

    @property
    def hand(self) -> list[Tile]:
        hands = self.state["match"]["hands"]
        return [Tile.parse(text) for hand in hands for text in hand["tiles"]]

    @property
    def table(self) -> list[Meld]:
        return [
            Meld(Kind(meld["kind"]), tuple(map(Tile.parse, meld["tiles"])))
            for meld in self.round["table"]
        ]

    @property
    def opened(self) -> bool:
        return bool(self.state["seats"][self.seat]["opened"])

    def shown_hand(self) -> list[str]:
        """The names of the tiles in the hand, in the order in which they lie."""
        found: list[str] = self.page.locator(".hand .tile").evaluate_all(
            "tiles => tiles.map(tile => tile.getAttribute('aria-label').split(',')[0])"
        )
        return found

    def shown_table(self) -> list[str]:
        """The melds on the screen in the notation, sorted."""
        return sorted(
            self.page.locator(".meld").evaluate_all("all => all.map(one => one.dataset.meld)")
        )

    def own(self, tile: Tile) -> Locator:
        return self.page.locator(f'.hand .tile[aria-label^="{name_of(tile)},"]').first

    def meld(self, text: str) -> Locator:
        return self.page.locator(f'.meld[data-meld="{text}"]').first

    def wait_for_turn(self) -> bool:
        """Waits until it is this person's turn; says whether it is, or the round is over."""
        self.page.wait_for_function(
            """() => document.querySelector('[data-action=draw]')
                       ?.getAttribute('aria-disabled') === 'false'
                     || document.querySelector('dialog[open]')"""
        )
        return self.page.locator("dialog[open]").count() == 0

    # --- arranging --------------------------------------------------------------

    def lay(self, tiles: list[Tile]) -> None:
        """Lays tiles of the hand as a new meld."""
        if self.how == "drag":
            before = self.shown_table()
            self.drag_onto(self.own(tiles[0]), self.page.locator(".tray"))
            for tile in tiles[1:]:
                # The same meld may lie there twice: the newest one comes last.
                (group,) = Counter(self.shown_table()) - Counter(before)
                aim = self.page.locator(f'.meld.own[data-meld="{group}"]').last
                self.drag_onto(self.own(tile), aim.locator(".tile").last)
        elif self.how == "tap":
            for tile in tiles:
                self.press(self.unpicked(tile))
            self.press(self.page.locator(".tray"))
        else:
            for tile in tiles:
                self.walk_to(self.unpicked(tile))
                self.page.keyboard.press("Space")
            self.page.keyboard.press("n")

    def unpicked(self, tile: Tile) -> Locator:
        """A tile of the hand that is not picked yet, so that twins can be picked both."""
        return self.page.locator(
            f'.hand .tile[aria-label^="{name_of(tile)},"][aria-pressed="false"]'
        ).first

    def add(self, tile: Tile, meld: str) -> None:
        """Adds a tile of the hand to a meld of the table."""
        aim = self.meld(meld).locator(".tile").last
        if self.how == "drag":
            self.drag_onto(self.own(tile), aim)
        elif self.how == "tap":
            self.press(self.own(tile))
            self.press(aim)
        else:
            self.walk_to(self.own(tile))
            self.page.keyboard.press("Space")
            self.walk_to(aim)
            self.page.keyboard.press("Enter")

    def press(self, what: Locator) -> None:
        if self.page.evaluate("navigator.maxTouchPoints > 0"):
            what.tap()
        else:
            what.click()

    def drag_onto(self, what: Locator, aim: Locator) -> None:
        box = aim.bounding_box()
        assert box is not None
        self.drag(what, box["width"] * 0.8, box["height"] / 2, box)

    def drag(self, what: Locator, x: float, y: float, box: Any) -> None:
        start = what.bounding_box()
        assert start is not None
        mouse = self.page.mouse
        mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        mouse.down()
        mouse.move(box["x"] + x, box["y"] + y, steps=4)
        mouse.up()

    def walk_to(self, what: Locator) -> None:
        """Goes to a tile by arrow keys alone, from wherever the focus is."""
        wanted = what.get_attribute("data-stop")
        here = "document.activeElement?.dataset?.stop ?? ''"
        if not self.page.evaluate(here):
            self.tab_to("document.activeElement?.dataset?.stop")
        for key in ("ArrowRight", "ArrowLeft"):
            for _ in range(160):
                now = self.page.evaluate(here)
                if now == wanted:
                    return
                self.page.keyboard.press(key)
                if self.page.evaluate(here) == now:
                    break
        raise AssertionError(f"the arrows do not lead to {wanted}")

    def tab_to(self, condition: str, back: bool = False) -> None:
        for _ in range(40):
            if self.page.evaluate(f"Boolean({condition})"):
                return
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"Tab does not lead to {condition}")

    # --- ending a turn ----------------------------------------------------------

    def end(self, action: str) -> None:
        """Presses Done or Draw, and waits until that was done."""
        time.sleep(max(0.0, BETWEEN_PRESSES - (time.monotonic() - self._pressed)))
        turn = (self.round["number"], self.round["turn"])
        if self.how == "keys":
            self.tab_to(f"document.activeElement?.dataset?.action === '{action}'", back=True)
            self.page.keyboard.press("Enter")
        else:
            self.press(self.page.locator(f"[data-action={action}]"))
        self._pressed = time.monotonic()
        for _ in range(400):
            if self.round["over"] or (self.round["number"], self.round["turn"]) != turn:
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"{action} did not end the turn: {self.status()}")

    def status(self) -> str:
        return self.page.locator(".status, .hint").first.inner_text()

    def play_turn(self) -> None:
        """Lays what can be laid without moving anything of the table, or draws."""
        need = 1 if self.opened else QUICK["opening_minimum"]
        new = find_opening(count_tiles(self.hand), 1000)
        laid = False
        left = list(self.hand)
        if sum(meld.value for meld in new) >= int(str(need)):
            for meld in new:
                self.lay(list(meld.cells))
                laid = True
                for tile in meld.cells:
                    left.remove(tile)
        if self.opened:
            melds = {str(meld): meld for meld in self.table}
            for tile in list(left):
                if tile.is_joker:
                    continue
                for text, meld in melds.items():
                    grown = meld.with_tile(tile)
                    if grown is None or meld.joker_cells:
                        continue
                    self.add(tile, text)
                    del melds[text]
                    laid = True
                    break
        if laid:
            self.page.locator(".done.ready").wait_for()
            self.end("done")
        else:
            self.end("draw")

    def play_round(self, most: int = 120) -> int:
        """Plays until the round is over; returns the number of turns."""
        for turns in range(most):
            if not self.wait_for_turn():
                return turns
            self.play_turn()
        raise AssertionError("the round does not end")
