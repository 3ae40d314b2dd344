"""Looking at a finished match again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import problems
from tests.browser.conftest import DESK, PHONE, ROOT, Person, Server
from tests.browser.driver import QUICK, Player

COMPUTER = {"type": "computer", "player": "plain"}
DEALT = 3 * int(str(QUICK["hand_size"]))
# A match of four, as the record of it.
FOUR = ROOT / "tests" / "golden" / "preset-dutch-rummy.toml"


@dataclass(frozen=True)
class Match:
    """A finished match: its table, and its record."""

    table: str
    record: str


@pytest.fixture(scope="module")
def match(server: Server, browser: Browser) -> Match:
    """One match is enough to be looked at by all the tests."""
    context = browser.new_context(reduced_motion="reduce")
    player = Player(context.new_page(), server.url)
    player.sign_in("Ana")
    table = player.create([{"type": "mine"}, COMPUTER, COMPUTER])
    player.sit(table)
    player.play_round()
    record = player.page.request.get(f"{server.url}/api/v1/tables/{table}/record").text()
    context.close()
    return Match(table, record)


def hands(page: Page) -> int:
    return page.locator("[data-tile]").count()


def held(page: Page) -> int:
    """How many tiles all hands hold."""
    return sum(int(text.split()[0]) for text in page.locator(".rack span").all_inner_texts())


def now(page: Page) -> str:
    return page.locator(".now strong").inner_text()


def test_forward_back_and_a_link(server: Server, person: Person, match: Match) -> None:
    page = person()
    page.goto(f"{server.url}/#/replay/{match.table}")
    page.locator("[data-tile]").first.wait_for()
    assert now(page) == "Round 1 is dealt"
    assert hands(page) == DEALT, "all hands lie open"
    assert not problems(page)
    places = [now(page)]
    for _ in range(3):
        page.keyboard.press("ArrowDown")
        places.append(now(page))
    assert len(set(places)) > 1
    for expected in reversed(places[:-1]):
        page.keyboard.press("ArrowUp")
        assert now(page) == expected
    # A play of several tiles comes tile by tile: with each one a hand has one tile less.
    opening = page.get_by_role("button", name=re.compile("opens with [3-9]")).first
    opening.click()
    page.keyboard.press("ArrowUp")
    counts = [held(page)]
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        counts.append(held(page))
    assert [one - two for one, two in pairwise(counts)] == [1, 1, 1]
    page.keyboard.press("End")
    last = now(page)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    here = now(page)
    assert here != last
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Link to this position").click()
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"\?at=3$", link)
    other = person(PHONE, touch=True)
    other.goto(link)
    other.locator("[data-tile]").first.wait_for()
    assert now(other) == here
    assert not problems(other)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_it_plays_by_itself_and_stops_at_the_end(
    server: Server, person: Person, match: Match, size: tuple[int, int]
) -> None:
    page = person(size)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.url}/#/replay/{match.table}")
    page.locator("[data-tile]").first.wait_for()
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    if size == PHONE:
        # Hands lie behind the controls there, which take two rows, of 32 and 58 pixels at least.
        speed = page.get_by_role("combobox", name="Speed")
        speed.select_option("Quick")
        expect(speed).to_have_value("fast")
        expect(page.get_by_role("radio", name="Quick")).to_have_count(0)
        box = page.locator(".controls").bounding_box()
        assert box is not None
        assert box["height"] < 120
    else:
        page.get_by_role("radio", name="Quick").check()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible(timeout=20_000)
    # To have become a guest meanwhile is no reason to begin anew.
    assert len([url for url in asked if url.endswith("/replay")]) == 1


def test_a_record_file_is_shown_and_a_broken_one_is_explained(
    server: Server, person: Person, match: Match
) -> None:
    page = person()
    page.goto(f"{server.url}/#/replay")
    chooser = page.locator("input[type=file]")
    chooser.set_input_files(
        {"name": "x.toml", "mimeType": "text/plain", "buffer": b"this is no record"}
    )
    expect(page.get_by_role("alert").filter(has_text=re.compile(r"\w+"))).not_to_have_count(0)
    chooser.set_input_files(
        {"name": "match.toml", "mimeType": "text/plain", "buffer": match.record.encode()}
    )
    page.locator("[data-tile]").first.wait_for()
    assert now(page) == "Round 1 is dealt"
    assert hands(page) == DEALT


def test_four_hands_lie_open_above_the_controls(server: Server, person: Person) -> None:
    """In a usual window nothing of a dealt hand is under them before any scrolling."""
    page = person(DESK)
    page.goto(f"{server.url}/#/replay")
    page.locator("input[type=file]").set_input_files(FOUR)
    page.locator("[data-tile]").first.wait_for()
    assert page.locator(".rack").count() == 4
    page.wait_for_function(
        """() => {
            const controls = document.querySelector('.controls').getBoundingClientRect();
            const parts = [...document.querySelectorAll('.rack, [data-tile]')];
            return controls.bottom <= innerHeight
                && parts.every(one => one.getBoundingClientRect().bottom <= controls.top);
        }"""
    )
