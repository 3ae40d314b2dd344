"""Arranging out of turn, watching, chatting, and what is seen of others' turns."""

from __future__ import annotations

from tests.browser.conftest import DESK, PHONE, Person, Server
from tests.browser.driver import Player

PAIR = [{"type": "mine"}, {"type": "open"}]


def two(server: Server, person: Person, **settings: object) -> tuple[Player, Player]:
    """Two people at a table, the one to move first."""
    ana = Player(person(DESK), server.url)
    ben = Player(person(PHONE, touch=True), server.url)
    ana.sign_in("Ana")
    ben.sign_in("Ben")
    table = ana.create(PAIR, start=False, **settings)
    for player, command in ((ben, "sit"), (ana, "start")):
        answer = player.page.request.post(
            f"{server.url}/api/v1/tables/{table}/commands",
            data={"type": command, "id": command, "seen": 0},
        )
        assert answer.ok, answer.text()
    ana.page.goto(f"{server.url}/#/table/{table}")
    ben.sit(table)
    ana.page.locator(".hand .tile").first.wait_for()
    ana.page.wait_for_timeout(200)
    return (ana, ben) if ana.round["seat"] == ana.seat else (ben, ana)


def test_what_is_tried_out_of_turn_is_private_and_stays_for_the_own_turn(
    server: Server, person: Person
) -> None:
    mover, other = two(server, person, drafts_shown=True)
    other.lay([other.hand[0]])
    other.page.get_by_text("Only you see this").wait_for()
    other.lay([other.hand[5], other.hand[9]])
    tried, hand = other.shown_table(), other.shown_hand()
    assert len(tried) >= 2
    other.page.wait_for_timeout(500)
    assert mover.shown_table() == []
    mover.wait_for_turn()
    mover.end("draw")
    other.wait_for_turn()
    assert other.shown_table() == tried
    assert other.shown_hand() == hand
    other.press(other.page.get_by_role("button", name="Reset"))
    assert len(other.shown_hand()) == len(other.hand)


def test_a_turn_is_seen_while_it_is_arranged_where_the_table_shows_it(
    server: Server, person: Person
) -> None:
    mover, other = two(server, person, drafts_shown=True)
    mover.wait_for_turn()
    mover.lay([mover.hand[0], mover.hand[1]])
    laid = mover.shown_table()
    other.page.locator(".meld").first.wait_for()
    other.page.wait_for_timeout(300)
    assert other.shown_table() == laid
    mover.press(mover.page.get_by_role("button", name="Reset"))
    other.page.locator(".meld").first.wait_for(state="detached")


def test_people_chat_in_words_and_phrases_and_a_watcher_sees_no_hand(
    server: Server, person: Person
) -> None:
    first, second = two(server, person)
    page = first.page
    first.press(page.get_by_role("button", name="Chat"))
    page.get_by_label("Say something").fill("What a hand!")
    page.keyboard.press("Enter")
    first.press(page.get_by_role("button", name="Good luck!"))
    second.page.get_by_text("2 new messages").wait_for()
    second.press(second.page.get_by_role("button", name="Chat"))
    second.page.locator("dialog li", has_text="What a hand!").wait_for()
    second.page.locator("dialog li", has_text="Good luck!").wait_for()
    watcher = person(DESK)
    watcher.goto(first.page.url)
    watcher.get_by_text("You are watching").wait_for()
    assert watcher.locator(".hand .tile").count() == 0
    assert watcher.locator(".seat").count() == 2


def test_the_next_to_move_hears_what_was_played(server: Server, person: Person) -> None:
    mover, other = two(server, person)
    mover.wait_for_turn()
    name = mover.state["seats"][mover.seat]["name"]
    mover.end("draw")
    spoken = other.page.locator("[data-announcer=polite]", has_text=f"{name} drew a tile.")
    spoken.wait_for(state="attached")
    other.page.locator("[data-announcer=urgent]", has_text="Your turn").wait_for(state="attached")
