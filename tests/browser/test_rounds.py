"""Whole rounds against computer players, each by one way of moving tiles."""

from __future__ import annotations

import pytest

from tests.browser.conftest import DESK, PHONE, Person, Server
from tests.browser.driver import Player

COMPUTERS = [{"type": "mine"}, *[{"type": "computer", "player": "plain"}] * 3]


@pytest.mark.parametrize(
    ("how", "size", "touch"),
    [("drag", DESK, False), ("tap", PHONE, True), ("keys", DESK, False)],
    ids=["drag with a mouse", "taps on a phone", "keyboard"],
)
def test_a_whole_round(
    server: Server, person: Person, how: str, size: tuple[int, int], touch: bool
) -> None:
    player = Player(person(size, touch), server.url, how)
    player.sign_in("Ana")
    player.sit(player.create(COMPUTERS))
    player.play_round()
    assert player.state["status"] == "over"
    results = player.state["match"]["results"]
    page = player.page
    page.locator("dialog[open]").wait_for()
    totals = page.locator("tfoot td").all_inner_texts()
    assert sorted(totals) == sorted(
        str(score).replace("-", "\u2212") for score in results[0]["scores"]
    )
    page.get_by_role("button", name="Check the shuffle").click()
    page.get_by_text("dealt as was committed to").wait_for()


def test_play_now_leads_to_a_table_by_one_press(server: Server, person: Person) -> None:
    page = person(PHONE, touch=True)
    page.goto(server.url)
    page.locator("[data-action=play]").tap()
    page.locator(".hand .tile").first.wait_for()
    assert page.locator(".hand .tile").count() == 14
    assert page.locator(".seat").count() >= 2
