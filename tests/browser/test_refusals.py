"""Each refusal of the rules, in words and at the meld or tile that it speaks of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from meldwise.game.melds import Meld
from meldwise.game.position import Position, parse_table
from meldwise.game.presets import BUILT_IN
from meldwise.game.rules import FreedJokerGoes, Rules
from meldwise.game.turn import judge
from meldwise.i18n.problems import explain_problem
from tests.browser.conftest import DESK, PHONE, Person, Server
from tests.browser.staged import Staged

BASE = BUILT_IN[0].rules


def level(number: int) -> Rules:
    return BASE.with_joker_level(number)


# Rules, position, proposed table, the code, and the meld that the words stand at.
CASES = [
    (level(0), "r4-5-6 / b9 b10", "r4-5-6 b9-10", "meld.too_short", "b9-10"),
    (level(0), "r4-5-6 / b7", "run(r4,r5,r6,b7)", "meld.mixed_colours", "run(r4,r5,r6,b7)"),
    (level(0), "r4-5-6 / r9", "r4-5-6-9", "meld.not_consecutive", "r4-5-6-9"),
    (level(0), "r11-12-13 / *", "r11-12-13-*", "meld.above_thirteen", "r11-12-13-*"),
    (level(0), "r1-2-3 / *", "r*-1-2-3", "meld.below_one", "r*-1-2-3"),
    (level(0), "7rbk / r8", "set(r7,b7,k7,r8)", "meld.mixed_numbers", "set(r7,b7,k7,r8)"),
    (level(0), "7rbk / r7", "7rbkr", "meld.duplicate_colour", "7rbkr"),
    (level(0), "7rbky / *", "7rbky*", "meld.too_long", "7rbky*"),
    (level(0), "r4-5-6 / * *", "r4-5-6 run(*,*)", "meld.no_real_tile", "run(*,*)"),
    (
        replace(level(0), two_jokers_in_meld=False),
        "r4-5-6 / * *",
        "r4-5-6-*-*",
        "meld.two_jokers",
        "r4-5-6-*-*",
    ),
    (
        level(0),
        "r4-5-6 / b1 b2 b3 / unopened",
        "r4-5-6 b1-2-3",
        "turn.opening_below_minimum",
        None,
    ),
    (level(1), "7rbk* / b2 k2", "7rbk 2bk*", "joker.not_replaced", "7rbk"),
    (
        level(2),
        "r6-*-8 7rbky / b2 b4",
        "r6-7-8 7bky b2-*-4",
        "joker.not_from_hand",
        "r6-7-8",
    ),
    (level(3), "r5-6-*-8 / b5 k5", "r6-*-8 5rbk", "joker.meld_closed", "r6-*-8"),
    (
        level(4),
        "r4-*-6 b3-4-5 / r5 b7",
        "r4-5-6 b3-4-5-*-7",
        "joker.not_in_own_meld",
        "r4-5-6",
    ),
    (
        replace(level(3), freed_joker_goes=FreedJokerGoes.NEW_MELD),
        "r4-*-6 b3-4-5 / r5 b7",
        "r4-5-6 b3-4-5-*-7",
        "joker.not_in_new_meld",
        "r4-5-6",
    ),
    (
        replace(level(1), both_colours=True),
        "7rb* / k7 b2 k2",
        "7rbk 2bk*",
        "joker.both_colours",
        "7rbk",
    ),
]


@pytest.mark.parametrize(("size", "touch"), [(DESK, False), (PHONE, True)], ids=["desk", "phone"])
def test_a_refusal_says_why_at_the_meld(
    server: Server, person: Person, size: tuple[int, int], touch: bool
) -> None:
    page = person(size, touch)
    for rules, position, proposal, code, at in CASES:
        staged = Staged(page, position, rules, proposal)
        verdict = judge(Position.parse(position), parse_table(proposal), rules)
        problem = next(one for one in verdict.problems if one.code == code)
        sentence = explain_problem(problem)
        staged.open(server.url)
        # Before Done already: the line above the hand tells the first of the reasons.
        first = explain_problem(verdict.problems[0])
        page.locator(".line.bad", has_text=first).wait_for()
        page.locator("[data-action=done]").click()
        if at is None:
            page.locator(".line.bad", has_text=sentence).wait_for()
        else:
            callout = page.locator(".callout", has_text=sentence)
            callout.wait_for()
            words, meld = callout.bounding_box(), page.locator(f'[data-meld="{at}"]').bounding_box()
            assert words is not None
            assert meld is not None
            assert words["x"] >= 0, f"{code}: cut off"
            assert words["x"] + words["width"] <= size[0], f"{code}: cut off"
            assert words["x"] < meld["x"] + meld["width"], code
            assert meld["x"] < words["x"] + words["width"], code
            assert abs(words["y"] - meld["y"]) < words["height"] + meld["height"] + 20, code
        # Nothing vanished, and nothing was sent that would cost a penalty.
        assert page.locator(".meld").count() == len(parse_table(proposal)), code
        assert not [message for message in staged.sent if message["type"] == "play"], code


def test_the_table_is_not_yours_before_you_have_opened(server: Server, person: Person) -> None:
    page = person(PHONE, touch=True)
    staged = Staged(page, "r4-5-6 / r7 b1 b2 b3 / unopened", level(0))
    staged.open(server.url)
    page.locator('[data-meld="r4-5-6"] .tile').first.tap()
    page.locator(".callout", has_text="first open").wait_for()
    words = page.locator(".callout").bounding_box()
    assert words is not None
    assert words["x"] >= 0, "the first word is cut off"
    page.locator(".hand .tile").first.tap()
    page.locator('[data-meld="r4-5-6"] .tile').last.tap()
    page.locator(".callout", has_text="30 points").wait_for()
    assert page.locator(".hand .tile").count() == 4


def test_the_opening_counts_up_as_tiles_are_laid(server: Server, person: Person) -> None:
    page = person(DESK)
    staged = Staged(page, " / r10 r11 r12 b1 b2 b3 / unopened", level(0))
    staged.open(server.url)
    page.get_by_text("0 of 30").wait_for()
    for name in ("blue 1", "blue 2", "blue 3"):
        page.locator(f'.hand .tile[aria-label^="{name},"]').click()
    page.locator(".tray").click()
    page.get_by_text("6 of 30").wait_for()
    for name in ("red 10", "red 11", "red 12"):
        page.locator(f'.hand .tile[aria-label^="{name},"]').click()
    page.locator(".tray").click()
    page.get_by_text("39 of 30").wait_for()
    page.locator(".done.ready").wait_for()


def test_a_tile_of_the_table_stays_there_and_a_freed_joker_is_marked(
    server: Server, person: Person
) -> None:
    page = person(DESK)
    staged = Staged(page, "r4-*-6 b1-2-3 / r5 k9", level(3))
    staged.open(server.url)
    page.locator('[data-meld="b1-2-3"] .tile').first.click()
    rack = page.locator(".hand").bounding_box()
    assert rack is not None
    page.mouse.click(rack["x"] + rack["width"] - 8, rack["y"] + 20)
    page.get_by_text("so it stays there").first.wait_for()
    page.keyboard.press("Escape")
    page.locator('.hand .tile[aria-label^="red 5,"]').click()
    page.locator('[data-meld="r4-*-6"] .tile').nth(1).click()
    page.locator(".callout", has_text="must be placed again this turn").wait_for()
    assert page.locator('.meld.lone[data-meld="run(*)"] .homeless').count() == 1
    assert str(Meld.parse("r4-5-6")) in page.locator(".meld").evaluate_all(
        "all => all.map(one => one.dataset.meld)"
    )
