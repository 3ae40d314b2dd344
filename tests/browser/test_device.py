"""Around one device: nothing of a hand is in the page while the curtain is down."""

from __future__ import annotations

import re
import signal

from playwright.sync_api import Page, expect

from tests.browser.axe import problems
from tests.browser.conftest import PHONE, Person, Server
from tests.browser.driver import Player

TWO = [{"type": "mine", "name": "Ana"}, {"type": "mine", "name": "Ben"}]


def curtain(page: Page) -> str:
    """Waits for the curtain; the name on it. No tile is in the page."""
    page.locator("[data-curtain]").wait_for()
    assert page.locator(".tile, .face, [data-piece]").count() == 0
    return page.locator("[data-curtain] h1").inner_text().removesuffix("’s turn")


def lift(page: Page) -> None:
    page.wait_for_timeout(750)
    page.locator("[data-curtain] button").click()
    page.locator(".hand .tile").first.wait_for()


def at_a_table(server: Server, person: Person) -> Player:
    player = Player(person(PHONE, touch=True), server.url)
    player.sign_in("Ana")
    table = player.create(TWO, rules={"hand_size": 14})
    player.page.goto(f"{server.url}/#/table/{table}")
    return player


def test_set_up_with_names(server: Server, person: Person) -> None:
    page = person()
    page.goto(server.url)
    page.get_by_role("button", name="Around this device").click()
    page.get_by_role("button", name=re.compile("^Seat 2")).click()
    page.get_by_label("Name", exact=True).fill("Ben")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Start playing").click()
    assert curtain(page)
    assert not problems(page)
    lift(page)
    assert not problems(page)


def test_the_hand_is_shown_to_the_one_whose_turn_it_is(server: Server, person: Person) -> None:
    page = at_a_table(server, person).page
    first = curtain(page)
    lift(page)
    hand = page.locator(".hand .tile").evaluate_all("all => all.map(one => one.ariaLabel)")
    page.locator("[data-action=draw]").click()
    second = curtain(page)
    assert {first, second} == {"Ana", "Ben"}
    # What was drawn is not told to the next.
    expect(page.locator("[data-curtain] li").last).to_have_text(f"{first} drew a tile.")
    assert not any(name.split(",")[0] in page.locator("body").inner_text() for name in hand)
    lift(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="What happened").click()
    log = page.locator("dialog[open]").inner_text()
    assert f"{first} drew a tile." in log
    assert not re.search(r"drew [^.]*(red|blue|black|yellow|joker)", log)


def test_a_press_that_comes_twice_lifts_nothing(server: Server, person: Person) -> None:
    page = at_a_table(server, person).page
    curtain(page)
    lift(page)
    page.locator("[data-action=draw]").click()
    page.locator("[data-curtain] button").click()
    page.wait_for_timeout(200)
    assert curtain(page)


def test_the_curtain_falls_when_the_page_is_hidden_left_or_loaded_anew(
    server: Server, person: Person
) -> None:
    page = at_a_table(server, person).page
    name = curtain(page)
    lift(page)
    # The page has to be covered when the handlers are through: then the picture is taken.
    left = page.evaluate(
        """() => {
            const hidden = {value: 'hidden', configurable: true};
            Object.defineProperty(document, 'visibilityState', hidden);
            document.dispatchEvent(new Event('visibilitychange'));
            delete document.visibilityState;
            return document.querySelectorAll('.tile, .face').length;
        }"""
    )
    assert left == 0
    assert curtain(page) == name
    lift(page)
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pagehide'))")
    assert curtain(page) == name
    lift(page)
    page.reload()
    assert curtain(page) == name
    lift(page)
    page.goto(f"{server.url}/#/lobby")
    page.locator("main h1").wait_for()
    page.go_back()
    assert curtain(page) == name


def test_an_arrangement_is_there_again_behind_the_curtain(server: Server, person: Person) -> None:
    player = at_a_table(server, person)
    page = player.page
    curtain(page)
    lift(page)
    page.locator(".hand .tile").first.tap()
    page.locator(".hand .tile").nth(3).tap()
    page.locator(".tray").tap()
    laid = player.shown_table()
    order = player.shown_hand()
    assert laid
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    curtain(page)
    lift(page)
    assert player.shown_table() == laid
    assert player.shown_hand() == order
    page.reload()
    curtain(page)
    lift(page)
    page.locator(".meld").first.wait_for()
    assert player.shown_table() == laid


def test_what_one_arranges_while_the_server_is_away_the_next_never_sees(
    own_server: Server, person: Person
) -> None:
    player = at_a_table(own_server, person)
    page = player.page
    name = curtain(page)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    lift(page)
    own_server.stop(signal.SIGKILL)
    page.get_by_text("The connection is lost").wait_for()
    page.locator(".hand .tile").first.tap()
    page.locator(".hand .tile").nth(3).tap()
    page.locator(".tray").tap()
    laid, order = player.shown_table(), player.shown_hand()
    assert laid
    page.reload()
    assert curtain(page) == name
    lift(page)
    assert player.shown_table() == laid
    assert player.shown_hand() == order
    # Behind the curtain it reaches the server as well.
    page.reload()
    assert curtain(page) == name
    own_server.start()
    page.wait_for_function(
        "() => !Object.keys(localStorage).some(key => key.startsWith('meldwise.unsent.'))"
    )
    assert curtain(page) == name
    lift(page)
    assert player.shown_table() == laid
    page.locator("[data-action=draw]").tap()
    page.locator("dialog").get_by_role("button", name="Draw").tap()
    for again in (False, True):
        if again:
            page.reload()
        assert curtain(page) != name
        lift(page)
        assert player.shown_table() == []
        assert page.locator(".hand .tile").count() == 14
