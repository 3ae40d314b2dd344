"""Every screen as it looks: nothing serious for axe, and nothing wider than the window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from meldwise.game.presets import BUILT_IN
from tests.browser.axe import problems
from tests.browser.conftest import DESK, PHONE, Person, Server
from tests.browser.driver import Player
from tests.browser.staged import Staged

TABLE = "r4-5-6-7 7rbk 11ykb* b1-2-3 k9-10-11-12 / r8 r9 k4 y7 b5 b6 * k13 r2 y10 b8 k1 r12 b13"
NARROW = (320, 640)


def look(page: Page, where: str) -> None:
    assert not problems(page), where
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, f"{where} is {wide} pixels too wide"
    outside = page.locator(".actions button, .tool, .hand .tile").evaluate_all(
        """all => all.filter(one => {
            const box = one.getBoundingClientRect();
            return box.width && (box.left < -1 || box.right > window.innerWidth + 1);
        }).map(one => one.textContent)"""
    )
    assert not outside, f"{where}: out of sight: {outside}"


@pytest.mark.parametrize(("size", "touch"), [(DESK, False), (PHONE, True)], ids=["desk", "phone"])
def test_the_start(server: Server, person: Person, size: tuple[int, int], touch: bool) -> None:
    page = person(size, touch)
    page.goto(server.url)
    page.locator("[data-action=play]").wait_for()
    look(page, "the start")
    page.get_by_role("button", name="Settings").click()
    page.locator("dialog[open]").wait_for()
    look(page, "the settings")


@pytest.mark.parametrize(("size", "touch"), [(DESK, False), (PHONE, True)], ids=["desk", "phone"])
def test_the_table(server: Server, person: Person, size: tuple[int, int], touch: bool) -> None:
    page = person(size, touch)
    staged = Staged(page, TABLE, BUILT_IN[3].rules)
    staged.open(server.url)
    look(page, "the table")
    for name in ("red 9", "black 4"):
        page.locator(f'.hand .tile[aria-label^="{name},"]').click()
    look(page, "picked tiles")
    page.locator(".tray").click()
    page.locator(".line.bad").wait_for()
    page.wait_for_timeout(600)
    page.locator("[data-action=done]").click()
    page.locator(".callout").first.wait_for()
    look(page, "refusals")
    page.wait_for_timeout(600)
    page.locator("[data-action=draw]").click()
    page.locator("dialog[open]").wait_for()
    look(page, "the question before drawing")
    page.keyboard.press("Escape")
    openings: list[Callable[[], None]] = [
        lambda: page.get_by_role("button", name="Menu").click(),
        lambda: page.get_by_role("button", name="Chat").click(),
    ]
    for place, opening in enumerate(openings):
        opening()
        page.locator("dialog[open]").wait_for()
        look(page, f"panel {place}")
        page.keyboard.press("Escape")
    for name in ("Rules of this table", "What happened", "Keys", "Leave the game"):
        page.get_by_role("button", name="Menu").click()
        page.locator("dialog[open]").get_by_role("button", name=name).click()
        page.locator("dialog[open] h2", has_text=name if "happened" in name else "").wait_for()
        look(page, name)
        page.keyboard.press("Escape")


@pytest.mark.parametrize(("size", "touch"), [(DESK, False), (PHONE, True)], ids=["desk", "phone"])
def test_a_hint(server: Server, person: Person, size: tuple[int, int], touch: bool) -> None:
    """First the tiles that can be played, then the play step by step, which can be ended."""
    page = person(size, touch)
    player = Player(page, server.url)
    player.sign_in("Ana")
    player.sit(player.create([{"type": "mine"}, {"type": "computer", "player": "plain"}]))
    show = page.get_by_role("button", name="Show the play")
    for _ in range(60):
        assert player.wait_for_turn(), "the round ended without a tile that can be played"
        player.press(page.get_by_role("button", name="Hint"))
        page.locator(".hint").wait_for()
        look(page, "the playable tiles")
        if show.count():
            break
        player.press(page.get_by_role("button", name="Close the hint"))
        player.end("draw")
    player.press(show)
    step = page.get_by_role("button", name="Do this step")
    step.wait_for()
    look(page, "the first step")
    while step.count():
        player.press(step)
    page.get_by_text("That is the whole play.").wait_for()
    look(page, "the whole play")
    assert page.locator(".meld.own, .meld.changed").count() >= 1
    page.locator(".done.ready").wait_for()
    player.end("done")


def test_the_end_of_a_match(server: Server, person: Person) -> None:
    player = Player(person(PHONE, touch=True), server.url)
    player.sign_in("Ana")
    computers = [{"type": "computer", "player": "plain"}] * 2
    player.sit(
        player.create([{"type": "mine"}, *computers], rules={"max_players": 3, "hand_size": 26})
    )
    player.play_round()
    player.page.get_by_role("button", name="Check the shuffle").tap()
    player.page.get_by_text("dealt as was committed to").wait_for()
    look(player.page, "the result")


@pytest.mark.parametrize("language", ["fr", "ca", "nl"])
def test_each_language_on_a_narrow_screen(server: Server, person: Person, language: str) -> None:
    page = person(NARROW, touch=True, language=language)
    page.goto(server.url)
    page.wait_for_function(f"() => document.documentElement.lang === '{language}'")
    look(page, "the start")
    staged = Staged(page, TABLE, BUILT_IN[3].rules)
    staged.open(server.url)
    look(page, "the table")
    widths = page.locator(".tile").evaluate_all(
        "tiles => tiles.map(tile => tile.getBoundingClientRect().width)"
    )
    assert min(widths) >= 26


def test_two_hundred_percent_zoom(server: Server, person: Person) -> None:
    """Zoomed twice, a window of 1280 by 800 has 640 by 400 pixels of CSS."""
    page = person((640, 400))
    staged = Staged(page, TABLE, BUILT_IN[3].rules)
    staged.open(server.url)
    look(page, "the table")
    page.locator(".hand .tile").last.click()
    page.locator('[data-meld="b1-2-3"] .tile').last.click()
    assert page.locator(".meld.own, .meld.changed").count() >= 1
