"""The screens around the table: each in the languages and sizes that are hardest on it."""

from __future__ import annotations

import pytest

from tests.browser.conftest import DESK, PHONE, Person, Server
from tests.browser.driver import Player
from tests.browser.test_screens import NARROW, look

SCREENS = (
    "setup/alone",
    "setup/friends",
    "setup/device",
    "lobby",
    "join",
    "rules/tiles-50",
    "replay",
)
COMPUTER = {"type": "computer", "player": "plain"}


@pytest.mark.parametrize(
    ("size", "language"),
    [(DESK, "en"), (PHONE, "nl"), (NARROW, "fr"), (NARROW, "ca")],
    ids=["desk", "phone", "narrow-french", "narrow-catalan"],
)
def test_screens_without_a_table(
    server: Server, person: Person, size: tuple[int, int], language: str
) -> None:
    page = person(size, size != DESK, language=language)
    for path in SCREENS:
        page.goto(f"{server.url}/#/{path}")
        page.locator("main h1").wait_for()
        page.wait_for_function(f"() => document.documentElement.lang === '{language}'")
        page.wait_for_load_state("networkidle")
        if path.startswith("setup"):
            page.locator(".place").first.wait_for()
            for group in page.locator("details summary").all():
                group.click()
        look(page, path)


def test_the_waiting_room(server: Server, person: Person) -> None:
    host = Player(person(NARROW, touch=True), server.url)
    host.sign_in("Somebody with a name of length")
    table = host.create([{"type": "mine"}, COMPUTER, {"type": "open"}], start=False)
    host.page.goto(f"{server.url}/#/room/{table}")
    host.page.locator("svg[role=img]").wait_for()
    look(host.page, "the waiting room")
    assert host.page.locator(".tile, .rack").count() == 0
    host.page.get_by_role("button", name="Settings of the table").click()
    host.page.locator("dialog[open] .rule").first.wait_for()
    look(host.page, "its settings")


def test_a_language_is_changed_for_what_the_server_says_too(server: Server, person: Person) -> None:
    page = person()
    page.goto(f"{server.url}/#/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Nederlands").check()
    page.goto(f"{server.url}/#/rules/rrrummy")
    page.get_by_text("Een rij is drie of meer stenen van één kleur").wait_for()


def test_the_client_opens_without_a_network_and_keeps_nothing_of_the_server(
    server: Server, person: Person
) -> None:
    page = person()
    page.goto(server.url)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.locator("[data-action=play]").wait_for()
    kept = page.evaluate(
        """async () => {
            const names = await caches.keys();
            const all = await Promise.all(names.map(name => caches.open(name)));
            const found = await Promise.all(all.map(cache => cache.keys()));
            return found.flat().map(request => new URL(request.url).pathname);
        }"""
    )
    assert "/" in kept
    assert not [path for path in kept if path.startswith("/api")]
    page.context.set_offline(True)
    page.reload()
    page.locator("[data-action=play]").wait_for()
    page.goto(f"{server.url}/#/tutorial")
    page.locator(".hand .tile").first.wait_for()
    page.context.set_offline(False)
