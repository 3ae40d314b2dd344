"""What must not be lost: reloads, a server that is killed, time that runs out in mid-drag."""

from __future__ import annotations

import signal

from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Person, Server
from tests.browser.driver import Player

ALONE = [{"type": "mine"}, {"type": "computer", "player": "plain"}]


def seated(server: Server, page: Page) -> Player:
    """Somebody at a table with a computer player."""
    player = Player(page, server.url)
    player.sign_in("Ana")
    player.sit(player.create(ALONE))
    return player


def arrange(player: Player) -> None:
    """Leaves the table half arranged, and the hand in an order of its own."""
    assert player.wait_for_turn()
    page = player.page
    hand = player.hand
    page.locator(".small button").first.click()  # Sorts by colour.
    player.lay([hand[3], hand[9]])
    player.lay([hand[7]])
    first = page.locator(".hand .tile").first
    player.drag_onto(first, page.locator(".hand .tile").nth(5))
    page.locator(".line.bad").wait_for()


def test_a_reload_in_mid_turn_loses_nothing(server: Server, person: Person) -> None:
    player = seated(server, person(DESK))
    arrange(player)
    table, hand = player.shown_table(), player.shown_hand()
    assert len(table) >= 2
    player.page.reload()
    player.page.locator(".hand .tile").first.wait_for()
    player.page.wait_for_function(
        f"() => document.querySelectorAll('.meld').length === {len(table)}"
    )
    assert player.shown_table() == table
    assert player.shown_hand() == hand
    player.page.get_by_role("button", name="Reset").click()
    assert len(player.shown_hand()) == len(hand) + 3


def test_a_killed_server_comes_back_to_the_same_half_arranged_table(
    own_server: Server, person: Person
) -> None:
    player = seated(own_server, person(PHONE, touch=True))
    page = player.page
    arrange_by_taps(player)
    table, hand = player.shown_table(), player.shown_hand()
    own_server.stop(signal.SIGKILL)
    banner = page.get_by_text("The connection is lost")
    banner.wait_for()
    # One can go on arranging meanwhile.
    player.lay([player.hand[0]])
    own_server.start()
    banner.wait_for(state="detached")
    assert player.shown_table() == sorted([*table, *set(player.shown_table()) - set(table)])
    assert len(player.shown_hand()) == len(hand) - 1
    # What was arranged meanwhile may be on its way to the server: this browser has it as well.
    page.reload()
    page.locator(".hand .tile").first.wait_for()
    page.wait_for_function(f"() => document.querySelectorAll('.meld').length === {len(table) + 1}")
    assert len(player.shown_hand()) == len(hand) - 1
    player.press(page.get_by_role("button", name="Reset"))
    assert player.wait_for_turn()
    player.end("draw")


def test_what_is_arranged_while_the_server_is_away_survives_reloads(
    own_server: Server, person: Person
) -> None:
    player = seated(own_server, person(PHONE, touch=True))
    page = player.page
    # The page itself comes from the service worker once that has all of it.
    page.wait_for_function("() => navigator.serviceWorker.controller")
    arrange_by_taps(player)
    own_server.stop(signal.SIGKILL)
    page.get_by_text("The connection is lost").wait_for()
    player.lay([player.hand[0]])
    order = player.shown_hand()
    player.drag_onto(page.locator(".hand .tile").first, page.locator(".hand .tile").nth(5))
    table, hand = player.shown_table(), player.shown_hand()
    assert hand != order
    assert sorted(hand) == sorted(order)
    # The same table, from what this browser has, and one can go on with it.
    page.reload()
    expect_arranged(player, table, hand)
    page.get_by_text("The connection is lost").wait_for()
    player.lay([player.hand[1]])
    expect(page.locator(".meld")).to_have_count(len(table) + 1)
    table, hand = player.shown_table(), player.shown_hand()
    # A tab that is closed and opened again has nothing to show yet, and loses nothing either.
    address = page.url
    page.close()
    player = Player(page.context.new_page(), own_server.url)
    page = player.page
    page.goto(address)
    page.get_by_text("The connection is lost").wait_for()
    assert page.locator("[data-action]").count() == 0
    own_server.start()
    expect_arranged(player, table, hand)
    # Once the server has it, this browser needs not keep it.
    page.wait_for_function(
        "() => !Object.keys(localStorage).some(key => key.startsWith('meldwise.unsent.'))"
    )
    player.press(page.get_by_role("button", name="Reset"))
    assert player.wait_for_turn()
    player.end("draw")


def expect_arranged(player: Player, table: list[str], hand: list[str]) -> None:
    """Waits until the table is arranged like this, with this order of the hand."""
    # A client that has tried in vain for a while waits longer before it tries again.
    player.page.wait_for_function(
        f"() => document.querySelectorAll('.meld').length === {len(table)}"
    )
    assert player.shown_table() == table
    assert player.shown_hand() == hand


def arrange_by_taps(player: Player) -> None:
    assert player.wait_for_turn()
    hand = player.hand
    player.lay([hand[3], hand[9]])
    player.lay([hand[12]])
    player.page.locator(".line.bad").wait_for()


def test_time_that_runs_out_in_mid_drag_loses_no_tile(server: Server, person: Person) -> None:
    player = Player(person(DESK), server.url)
    page = player.page
    player.sign_in("Ana")
    player.sit(player.create(ALONE, rules={"timer": 20}))
    assert player.wait_for_turn()
    before = player.shown_hand()
    turn = player.round["turn"]
    tile = page.locator(".hand .tile").nth(4)
    start, surface = tile.bounding_box(), page.locator(".surface").bounding_box()
    assert start is not None
    assert surface is not None
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(surface["x"] + 300, surface["y"] + 200, steps=5)
    assert page.locator(".drag-ghost").count() == 1
    for _ in range(600):
        if player.round["turn"] > turn:
            break
        page.mouse.move(surface["x"] + 300 + _ % 7, surface["y"] + 200, steps=1)
        page.wait_for_timeout(50)
    assert player.round["turn"] > turn, "the time did not run out"
    page.get_by_text("Time was up").first.wait_for()
    page.mouse.up()
    page.wait_for_timeout(300)
    assert page.locator(".drag-ghost").count() == 0
    # One tile was drawn; the dragged one is where it was let go, or in the hand: not lost.
    total = page.locator(".hand .tile, .meld.own .tile").count()
    assert total == len(before) + 1
    assert player.seat == 0


def test_a_second_press_within_a_moment_does_nothing(server: Server, person: Person) -> None:
    player = seated(server, person(DESK))
    assert player.wait_for_turn()
    count = len(player.hand)
    player.page.locator("[data-action=draw]").dblclick()
    player.page.wait_for_timeout(700)
    assert len(player.hand) == count + 1


def test_draw_asks_first_when_own_tiles_lie_on_the_table(server: Server, person: Person) -> None:
    player = Player(person(DESK), server.url)
    page = player.page
    player.sign_in("Ana")
    player.sit(player.create(ALONE))
    assert player.wait_for_turn()
    count = len(player.hand)
    player.lay([player.hand[0]])
    page.locator("[data-action=draw]").click()
    page.get_by_role("button", name="Keep arranging").click()
    assert page.locator(".meld.own").count() == 1
    page.wait_for_timeout(600)
    page.locator("[data-action=draw]").click()
    page.locator("dialog").get_by_role("button", name="Draw").click()
    page.wait_for_function(f"() => document.querySelectorAll('.hand .tile').length === {count + 1}")
