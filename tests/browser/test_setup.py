"""Setting a table, and coming to it by link, by code and by list."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import problems
from tests.browser.conftest import PHONE, Person, Server


def test_a_table_for_a_friend_who_comes_by_the_link(server: Server, person: Person) -> None:
    host = person()
    # Of the two ways of sharing the browser here has none of its own.
    host.add_init_script("navigator.share = async what => { window.shared_ = what; }")
    host.goto(server.url)
    host.get_by_role("button", name="With friends").click()
    host.get_by_role("button", name=re.compile("^Seat 1")).click()
    host.get_by_label("Name", exact=True).fill("Ana")
    assert not problems(host)
    host.get_by_role("button", name="Done").click()
    host.get_by_role("button", name="Open the table").click()
    code = host.locator("[aria-labelledby=share-code]")
    code.wait_for()
    link = host.get_by_label("Link", exact=True).input_value()
    assert re.search(r"/#/join/\w+$", link)
    assert code.inner_text().replace(" ", "") == link.rsplit("/", 1)[1]
    host.get_by_role("button", name="Invite").click()
    assert host.evaluate("shared_.url") == link
    host.evaluate("() => { navigator.share = () => Promise.reject(new Error('no share')); }")
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.get_by_role("button", name="Invite").click()
    expect(host.get_by_text("copied")).to_be_visible()
    assert host.evaluate("navigator.clipboard.readText()") == link

    friend = person(PHONE, touch=True)
    friend.goto(link)
    friend.get_by_label("Your name at the table").fill("Bea")
    assert not problems(friend)
    friend.get_by_role("button", name="Come in").tap()
    expect(host.locator("li.person", has_text="Bea")).to_be_visible()
    expect(friend.get_by_text("Ana starts the game.")).to_be_visible()
    expect(host.get_by_text("Everybody is here.")).to_be_visible()
    host.get_by_role("button", name="Start the game").click()
    for page in (host, friend):
        page.wait_for_url(re.compile("#/table/"))
        page.locator(".hand .tile").first.wait_for()


def test_a_newcomer_is_at_a_table_with_two_presses(server: Server, person: Person) -> None:
    page = person()
    page.goto(server.url)
    page.get_by_role("button", name="With friends").click()
    page.get_by_role("button", name="Open the table").click()
    page.locator("[aria-labelledby=share-code]").wait_for()
    assert page.locator("li.person strong").inner_text() != "Guest"


def test_the_host_fills_a_seat_changes_the_rules_and_frees_a_seat(
    server: Server, person: Person
) -> None:
    page = person()
    page.goto(f"{server.url}/#/setup/friends")
    page.get_by_role("button", name="Add a seat").click()
    page.get_by_role("button", name="Open the table").click()
    free = page.locator("li.free")
    expect(free).to_have_count(2)
    free.first.get_by_role("button", name="Computer").click()
    assert not problems(page)
    page.get_by_role("button", name="Give the seat").click()
    expect(free).to_have_count(1)
    page.get_by_role("button", name="Settings of the table").click()
    page.locator("dialog[open]").get_by_role("radio", name=re.compile("^Tiles 50")).check()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("header p")).to_have_text("Tiles 50")
    page.get_by_role("button", name=re.compile("^Free the seat of")).click()
    expect(free).to_have_count(2)
    expect(page.get_by_role("button", name="Start the game")).to_be_disabled()


def _rule(page: Page, group: str, name: str) -> None:
    page.locator("details summary", has_text=group).click()
    page.get_by_label(name, exact=True).first.wait_for()


def test_an_impossible_rule_is_said_at_the_rule(server: Server, person: Person) -> None:
    page = person()
    page.goto(f"{server.url}/#/setup/alone")
    _rule(page, "The box and the players", "Tiles dealt to each")
    field = page.get_by_role("textbox", name="Tiles dealt to each")
    field.fill("27")
    field.press("Enter")
    fault = page.locator(".rule", has=field).get_by_role("alert")
    expect(fault).to_contain_text("make the hands smaller")
    assert field.get_attribute("aria-invalid") == "true"
    start = page.get_by_role("button", name="Start playing")
    expect(start).to_be_disabled()
    assert not problems(page)
    page.locator(".rule", has=field).get_by_role("button", name="As in RRRummy").click()
    expect(fault).to_have_count(0)
    expect(start).to_be_enabled()
    start.click()
    page.locator(".hand .tile").first.wait_for()


def test_an_own_mixture_is_kept_taken_out_and_taken_in(server: Server, person: Person) -> None:
    page = person()
    page.goto(f"{server.url}/#/setup/alone")
    page.get_by_role("radio", name=re.compile("^Tiles 50")).check()
    _rule(page, "The opening", "Points for the opening")
    page.get_by_role("button", name="More: Points for the opening").click()
    page.get_by_role("button", name="Your mixtures").click()
    page.get_by_label("Keep these rules as").fill("Friday")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.reload()
    own = page.get_by_role("radio", name=re.compile("^Friday"))
    expect(page.get_by_text("Tiles 50 with 1 change of yours")).to_be_visible()
    own.check()
    page.get_by_role("button", name="Your mixtures").click()
    expect(page.locator("dialog code")).to_have_text("tiles-50 opening_minimum=55")
    page.get_by_role("button", name="Forget Friday").click()
    text = page.get_by_label("Mixtures as text, one a line")
    text.fill("Friday: tiles-50 opening_minimum=55\nSunday: nowhere")
    page.get_by_role("button", name="Take in").click()
    expect(page.locator("dialog [role=alert]")).to_contain_text("Line 2")
    assert not problems(page)
    page.keyboard.press("Escape")
    own.check()
    page.get_by_role("button", name="Start playing").click()
    page.locator(".hand .tile").first.wait_for()
    expect(page.get_by_text("worth 55 points")).to_be_visible()


def test_a_code_is_read_as_people_write_it(server: Server, person: Person) -> None:
    page = person()
    page.goto(f"{server.url}/#/lobby")
    page.get_by_label("Code or link of a table").fill("no such code")
    page.get_by_role("button", name="Join").click()
    page.get_by_label("Your name at the table").fill("Cleo")
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_role("alert").filter(has_text="There is no table")).to_be_visible()


def test_an_open_table_is_found_in_the_list(server: Server, person: Person) -> None:
    host = person()
    host.goto(f"{server.url}/#/setup/friends")
    host.get_by_label("On the list of open tables").check()
    host.get_by_role("button", name="Open the table").click()
    host.locator("[aria-labelledby=share-code]").wait_for()
    name = host.locator("li.person strong").first.inner_text()
    guest = person(PHONE, touch=True)
    guest.goto(f"{server.url}/#/lobby")
    guest.locator("a.card", has_text=name).filter(has_text="Sit down").first.tap()
    expect(guest.get_by_text("starts the game")).to_be_visible()
    guest.get_by_role("button", name="Leave").tap()
    expect(host.locator("li.free")).to_have_count(1)
