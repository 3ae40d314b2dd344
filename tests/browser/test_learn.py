"""The six lessons, done by a learner; nothing is asked of the server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import problems
from tests.browser.conftest import DESK, PHONE, Person, Server

LAY = "new"
STEPS: list[list[tuple[str, str]]] = [
    [("red 4,red 5,red 6", LAY), ("black 9,blue 9,yellow 9", LAY)],
    [("yellow 10,yellow 11,yellow 12", LAY)],
    [("blue 4", "blue 5"), ("red 4", "red 3"), ("blue 8", "blue 7")],
    [("black 7,yellow 7,blue 7", LAY)],
    [("red 5", "joker"), ("joker,black 9,blue 9", LAY)],
]


def tile(page: Page | Locator, name: str) -> Locator:
    return page.locator(f'.tile:is([aria-label="{name}"], [aria-label^="{name},"])').first


def place(page: Page, tiles: str, to: str) -> None:
    for name in tiles.split(","):
        tile(page, name).click()
    if to == LAY:
        page.locator(".tray").click()
    else:
        tile(page.locator(".meld"), to).click()


@pytest.mark.parametrize(("size", "touch"), [(DESK, False), (PHONE, True)], ids=["desk", "phone"])
def test_the_lessons(server: Server, person: Person, size: tuple[int, int], touch: bool) -> None:
    page = person(size, touch)
    page.route("**/api/**", lambda route: route.abort())
    page.goto(f"{server.url}/#/tutorial")
    for number, moves in enumerate(STEPS, start=1):
        expect(page.get_by_text(f"Step {number} of 6")).to_be_visible()
        assert not problems(page), number
        for tiles, to in moves:
            place(page, tiles, to)
        page.locator("[data-action=done]").click()
        page.locator("[data-action=next]").click()
    expect(page.get_by_text("Step 6 of 6")).to_be_visible()
    page.locator("[data-action=draw]").click()
    expect(page.locator(".praise")).to_contain_text("A blue 10")
    page.locator("[data-action=next]").click()
    expect(page.get_by_role("heading", name="Now you know how to play")).to_be_visible()
    assert not problems(page)


def test_what_is_lacking_is_said(server: Server, person: Person) -> None:
    page = person()
    page.goto(f"{server.url}/#/tutorial/2")
    place(page, "red 2,black 2,blue 2", LAY)
    page.locator("[data-action=done]").click()
    expect(page.locator(".area-status")).to_contain_text("Not 30 yet.")
    assert page.locator("[data-action=next]").count() == 0
