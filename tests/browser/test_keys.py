"""The keys of the table, one by one."""

from __future__ import annotations

from playwright.sync_api import Page

from meldwise.game.presets import BUILT_IN
from tests.browser.conftest import DESK, Person, Server
from tests.browser.driver import Player
from tests.browser.staged import Staged

POSITION = "r4-5-6 b1-2-3-4-5-6-7-8 / k9 r7 b9 r8"


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''"))


def table(page: Page) -> list[str]:
    found: list[str] = page.locator(".meld").evaluate_all("all => all.map(one => one.dataset.meld)")
    return sorted(found)


def test_everything_can_be_done_with_keys(server: Server, person: Person) -> None:
    page = person(DESK)
    keyboard = page.keyboard
    Staged(page, POSITION, BUILT_IN[0].rules).open(server.url)
    walker = Player(page, server.url, "keys")

    # Pick in the hand, place at the table.
    walker.walk_to(page.locator('.hand .tile[aria-label^="red 7,"]'))
    keyboard.press("Space")
    walker.walk_to(page.locator('[data-meld="r4-5-6"] .tile').last)
    keyboard.press("Enter")
    assert table(page) == sorted(["r4-5-6-7", "b1-2-3-4-5-6-7-8"])
    # The focus goes along with the tile, and Backspace takes it back.
    walker.walk_to(page.locator('[data-meld="r4-5-6-7"] .tile').last)
    keyboard.press("Backspace")
    assert table(page) == sorted(["r4-5-6", "b1-2-3-4-5-6-7-8"])
    # Cut a run in two, lift one part, and join it to the other again.
    walker.walk_to(page.locator('.meld .tile[aria-label^="blue 5"]'))
    keyboard.press("s")
    assert table(page) == sorted(["r4-5-6", "b1-2-3-4", "b5-6-7-8"])
    walker.walk_to(page.locator('.meld .tile[aria-label^="blue 5"]'))
    keyboard.press("m")
    assert page.locator('.tile[aria-pressed="true"]').count() == 4
    walker.walk_to(page.locator('[data-meld="b1-2-3-4"] .tile').first)
    keyboard.press("Enter")
    assert table(page) == sorted(["r4-5-6", "b1-2-3-4-5-6-7-8"])
    # Undo steps back, Escape puts down, N lays anew.
    keyboard.press("Control+z")
    assert table(page) == sorted(["r4-5-6", "b1-2-3-4", "b5-6-7-8"])
    walker.walk_to(page.locator('.hand .tile[aria-label^="black 9,"]'))
    keyboard.press("Space")
    keyboard.press("Escape")
    assert page.locator('.tile[aria-pressed="true"]').count() == 0
    keyboard.press("Space")
    keyboard.press("n")
    assert "k9" in table(page)
    assert focused(page).startswith("black 9")


def test_the_focus_goes_along_before_the_next_key_can_come(server: Server, person: Person) -> None:
    page = person(DESK)
    Staged(page, POSITION, BUILT_IN[0].rules).open(server.url)
    walker = Player(page, server.url, "keys")
    walker.walk_to(page.locator('.hand .tile[aria-label^="black 9,"]'))
    page.keyboard.press("Space")
    found = page.evaluate(
        """async () => {
            const key = new KeyboardEvent("keydown", { key: "n", bubbles: true });
            document.activeElement.dispatchEvent(key);
            // What changes the page has run then, and no frame has been drawn.
            for (let turn = 0; turn < 20; turn++) await Promise.resolve();
            return document.activeElement.getAttribute("aria-label") ?? "";
        }"""
    )
    assert found.startswith("black 9")
    assert "k9" in table(page)


def test_a_screen_reader_is_told_what_is_where(server: Server, person: Person) -> None:
    page = person(DESK)
    Staged(page, "r4-*-6 7rb* / k9 r7", BUILT_IN[0].rules).open(server.url)
    assert page.get_by_role("group", name="red 4 to 6").count() == 1
    assert page.get_by_role("button", name="joker, stands for red 5").count() == 1
    assert page.get_by_role("button", name="stands for yellow 7 or black 7").count() == 1
    assert page.get_by_role("button", name="red 7, 2 of 2 in your hand").count() == 1
    assert page.get_by_role("region", name="Your hand, 2 tiles").count() == 1
    assert page.get_by_role("list", name="Players").get_by_text("to move").count() == 1
