"""What interrupts a game: pauses, leaving and returning, a new deal, another match."""

from __future__ import annotations

import re
import time

from playwright.sync_api import expect

from tests.browser.axe import problems
from tests.browser.conftest import DESK, Person, Server
from tests.browser.driver import Player
from tests.browser.test_trying import two

ALONE = [{"type": "mine"}, {"type": "computer", "player": "plain"}]
SOUNDS = """
    window.sounds_ = [];
    for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
        const start = kind.prototype.start;
        kind.prototype.start = function (...when) {
            sounds_.push(`${kind.name} ${this.context.state}`);
            return start.apply(this, when);
        };
    }
    const connect = AudioNode.prototype.connect;
    AudioNode.prototype.connect = function (to, ...more) {
        if (to instanceof AudioDestinationNode) sounds_.push('heard');
        return connect.call(this, to, ...more);
    };
"""


def choose(player: Player, item: str) -> None:
    player.press(player.page.get_by_role("button", name="Menu"))
    player.press(player.page.locator("dialog[open]").get_by_role("button", name=item, exact=True))


def until(condition: str, player: Player, seat: int, wanted: object) -> None:
    """Waits until a seat's state is as wanted."""
    limit = time.monotonic() + 30
    while player.state["seats"][seat][condition] != wanted:
        assert time.monotonic() < limit, f"{condition} stays {player.state['seats'][seat]}"
        player.page.wait_for_timeout(50)


def test_a_pause_is_asked_for_and_agreed_to_and_a_leaver_comes_back_to_the_seat(
    server: Server, person: Person
) -> None:
    mover, other = two(server, person, rules={"leaver_grace": 10})
    mover.wait_for_turn()
    name = mover.state["seats"][mover.seat]["name"]
    choose(mover, "Ask for a pause")
    expect(other.page.get_by_role("main").get_by_text(f"{name} asks for a pause.")).to_be_visible()
    assert not problems(other.page)
    other.press(other.page.get_by_role("button", name="Agree"))
    for player in (mover, other):
        expect(player.page.locator(".notice")).to_contain_text("The game is paused.")
    expect(mover.page.locator("[data-action=draw]")).to_have_attribute("aria-disabled", "true")
    mover.page.reload()
    mover.press(mover.page.get_by_role("button", name="Go on"))
    other.page.locator(".notice").wait_for(state="detached")
    mover.wait_for_turn()

    seat, hand = mover.seat, sorted(map(str, mover.hand))
    choose(mover, "Leave the game")
    mover.press(mover.page.get_by_role("button", name="Leave", exact=True))
    mover.press(mover.page.get_by_role("button", name=re.compile("^RRRummy")).first)
    expect(mover.page.locator(".notice")).to_contain_text("You have left.")
    expect(mover.page.locator("[data-action=draw]")).to_have_attribute("aria-disabled", "true")
    until("left", other, seat, True)
    mover.press(mover.page.get_by_role("button", name="Take the seat back"))
    until("left", other, seat, False)
    mover.wait_for_turn()
    assert sorted(map(str, mover.hand)) == hand
    choose(mover, "Leave the game")
    mover.press(mover.page.get_by_role("button", name="Leave", exact=True))
    until("stand_in", other, seat, "regular")
    other.wait_for_turn()


def test_a_hand_of_pairs_is_dealt_anew_whoever_begins(server: Server, person: Person) -> None:
    rules = {"redeal_pairs": 1, "hand_size": 26}
    _, other = two(server, person, rules=rules)
    while not other.state["match"]["hands"][0]["may_redeal"]:
        # One hand of 26 in twenty has no pair.
        _, other = two(server, person, rules=rules)
    before = sorted(map(str, other.hand))
    other.lay([other.hand[0]])
    other.press(other.page.get_by_role("button", name="New deal"))
    other.page.locator(".meld").wait_for(state="detached")
    assert len(other.shown_hand()) == 26
    assert sorted(map(str, other.hand)) != before


def test_sounds_are_made_and_can_be_switched_off(server: Server, person: Person) -> None:
    player = Player(person(DESK), server.url)
    page = player.page
    page.add_init_script(SOUNDS)
    player.sign_in("Ana")
    player.sit(player.create(ALONE))
    player.wait_for_turn()
    player.press(page.locator(".hand .tile").first)
    page.wait_for_function("sounds_.length >= 4")
    made = page.evaluate("sounds_")
    assert {"AudioBufferSourceNode running", "OscillatorNode running", "heard"} <= set(made)
    choose(player, "Sounds off")
    page.keyboard.press("Escape")
    count = len(page.evaluate("sounds_"))
    player.press(page.locator(".hand .tile").first)
    player.press(page.locator(".tray, .surface").first)
    assert len(page.evaluate("sounds_")) == count
