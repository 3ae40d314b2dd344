"""Drags by finger, and drags that end in other ways than by letting go over a place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import CDPSession, Page

from meldwise.game.presets import BUILT_IN
from tests.browser.conftest import DESK, PHONE, Person, Server
from tests.browser.staged import Staged

RULES = BUILT_IN[0].rules
POSITION = "r4-5-6 b1-2-3-4-5-6-7-8 7rbk / k9 r7 b5 y7 k1 k2 k3"


@dataclass
class Finger:
    """One finger on the glass, by the browser's own touch events."""

    session: CDPSession

    @classmethod
    def of(cls, page: Page) -> Finger:
        return cls(page.context.new_cdp_session(page))

    def send(self, kind: str, x: float = 0, y: float = 0) -> None:
        points = [] if kind in ("touchEnd", "touchCancel") else [{"x": x, "y": y}]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.send("touchStart", *start)
        for step in range(1, 9):
            x = start[0] + (end[0] - start[0]) * step / 8
            y = start[1] + (end[1] - start[1]) * step / 8
            self.send("touchMove", x, y)


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def table(page: Page) -> list[str]:
    found: list[str] = page.locator(".meld").evaluate_all("all => all.map(one => one.dataset.meld)")
    return sorted(found)


def hand(page: Page) -> list[str]:
    found: list[str] = page.locator(".hand .tile").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label').split(',')[0])"
    )
    return found


def tile(name: str) -> str:
    return f'.tile[aria-label^="{name},"]'


def test_a_finger_drags_tiles_and_lifts_melds(server: Server, person: Person) -> None:
    page = person(PHONE, touch=True)
    Staged(page, POSITION, RULES).open(server.url)
    finger = Finger.of(page)
    before = hand(page)
    # A tile finds its place in a run; the finger is below the tile that it drags.
    x, y = middle(page, '[data-meld="r4-5-6"] .tile >> nth=2')
    finger.drag(middle(page, f".hand {tile('red 7')}"), (x + 12, y + 30))
    finger.send("touchEnd")
    page.locator('[data-meld="r4-5-6-7"]').wait_for()
    # A second 5 splits the run.
    x, y = middle(page, '[data-meld="b1-2-3-4-5-6-7-8"] .tile >> nth=4')
    finger.drag(middle(page, f".hand {tile('blue 5')}"), (x, y + 30))
    finger.send("touchEnd")
    page.locator('[data-meld="b1-2-3-4-5"]').wait_for()
    page.locator('[data-meld="b5-6-7-8"]').wait_for()
    # A long press lifts the whole meld.
    start = middle(page, '[data-meld="b5-6-7-8"] .tile')
    finger.send("touchStart", *start)
    page.locator(".drag-ghost").nth(3).wait_for()
    end = middle(page, '[data-meld="7rbk"] .tile')
    for step in range(1, 6):
        finger.send("touchMove", start[0], start[1] + (end[1] + 160 - start[1]) * step / 5)
    finger.send("touchEnd")
    page.locator(".drag-layer").wait_for(state="detached")
    assert table(page) == sorted(["r4-5-6-7", "b1-2-3-4-5", "b5-6-7-8", "7rbk"])
    # The rest of the hand lies as it lay.
    assert hand(page) == [name for name in before if name not in ("red 7", "blue 5")]


def test_a_drag_that_is_cut_short_changes_nothing(server: Server, person: Person) -> None:
    page = person(PHONE, touch=True)
    Staged(page, POSITION, RULES).open(server.url)
    finger = Finger.of(page)
    tiles, melds = hand(page), table(page)
    # How the drag ends, and whether the finger is still on the glass then.
    endings: list[tuple[Callable[[], object], bool]] = [
        (lambda: finger.send("touchCancel"), False),
        (lambda: page.set_viewport_size({"width": 844, "height": 390}), True),
        (lambda: page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]}), True),
        (lambda: page.keyboard.press("Escape"), True),
        (lambda: page.evaluate("window.dispatchEvent(new Event('blur'))"), True),
    ]
    for ending, down in endings:
        finger.drag(middle(page, f".hand {tile('red 7')}"), middle(page, ".surface"))
        page.locator(".drag-ghost").wait_for()
        ending()
        page.locator(".drag-layer").wait_for(state="detached")
        if down:
            finger.send("touchEnd")
        assert hand(page) == tiles
        assert table(page) == melds
        page.wait_for_timeout(60)
    # And the next drag works as ever.
    finger.drag(middle(page, f".hand {tile('red 7')}"), middle(page, ".tray"))
    x, y = middle(page, ".tray")
    finger.send("touchMove", x, y + 28)
    finger.send("touchEnd")
    page.locator('[data-meld="r7"]').wait_for()


def test_a_drag_never_sorts_the_hand(server: Server, person: Person) -> None:
    page = person(DESK)
    Staged(page, POSITION, RULES).open(server.url)
    tiles = hand(page)
    # Out over the table and back to where it was.
    x, y = middle(page, f".hand {tile('yellow 7')}")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(*middle(page, ".surface"), steps=5)
    page.mouse.move(x - 6, y + 4, steps=5)
    page.mouse.up()
    assert hand(page) == tiles
    # To another place: only that one moves.
    page.mouse.move(x, y)
    page.mouse.down()
    x, y = middle(page, f".hand {tile('black 9')}")
    page.mouse.move(x - 30, y, steps=5)
    page.mouse.up()
    assert hand(page) == ["yellow 7", *[name for name in tiles if name != "yellow 7"]]


def test_several_tiles_are_dragged_at_once_and_land_in_order(
    server: Server, person: Person
) -> None:
    page = person(DESK)
    Staged(page, POSITION, RULES).open(server.url)
    for name in ("black 3", "black 1", "black 2"):
        page.locator(f".hand {tile(name)}").click()
    page.mouse.move(*middle(page, f".hand {tile('black 1')}"))
    page.mouse.down()
    page.mouse.move(*middle(page, ".surface"), steps=5)
    assert page.locator(".drag-ghost").count() == 3
    page.mouse.up()
    page.locator('[data-meld="k1-2-3"]').wait_for()
    page.keyboard.press("Control+z")
    page.locator('[data-meld="k1-2-3"]').wait_for(state="detached")
    assert len(hand(page)) == 7
