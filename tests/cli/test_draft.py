"""Drafts and moves: what each move of tiles means, without any terminal."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.cli.draft import Draft, History
from meldwise.cli.grammar import Command, Move, read_line
from meldwise.cli.moves import MoveError, Outcome
from meldwise.game.position import Position, format_table
from meldwise.game.presets import GAMES
from meldwise.game.rules import Rules
from meldwise.game.tiles import format_tiles


def start(text: str, rules: Rules | None = None) -> Draft:
    return Draft.start(Position.parse(text), rules or GAMES.find("pup").rules)


def outcomes(draft: Draft, line: str) -> list[Outcome]:
    move = read_line(line)
    assert isinstance(move, Move)
    return move.apply(draft)


def after(draft: Draft, *lines: str) -> Draft:
    for line in lines:
        found = outcomes(draft, line)
        assert len(found) == 1, [outcome.text for outcome in found]
        draft = found[0].draft
    return draft


def table(draft: Draft) -> str:
    return format_table(draft.table)


def held(draft: Draft) -> str:
    return format_tiles(sorted(draft.hand.elements()))


def loose(draft: Draft) -> str:
    return format_tiles(sorted(draft.loose.elements()))


@pytest.mark.parametrize(
    ("line", "laid"),
    [
        ("r4 5 6", "r4-5-6"),
        ("r6 r4 r5", "r4-5-6"),
        ("r4-5-6", "r4-5-6"),
        ("r6-5-4", "r4-5-6"),
        ("R4,R5,R6", "r4-5-6"),
        ("lay r4 5 6", "r4-5-6"),
        ("new r4 5 6", "r4-5-6"),
        ("run(r4,r5,r6)", "r4-5-6"),
        ("4ryk", "4ryk"),
        ("4 r y k", "4ryk"),
        ("r4 y4 k4", "4ryk"),
        ("r4-*-6", "r4-*-6"),
        ("r4-j-6", "r4-*-6"),
        ("r4 * 6", "r4-*-6"),
        ("r4-5-* 4yk*", "r4-5-* 4yk*"),
    ],
)
def test_a_new_meld_is_typed_in_any_way(line: str, laid: str) -> None:
    draft = after(start("/ r4 r5 r6 y4 k4 * *"), line)
    assert table(draft) == laid


def test_an_ambiguous_joker_is_asked_for() -> None:
    draft = start("/ r5 r6 *")
    assert [table(o.draft) for o in outcomes(draft, "r5 6 *")] == ["r*-5-6", "r5-6-*"]
    assert "stands for red 7" in outcomes(draft, "r5 6 *")[1].text
    assert [table(o.draft) for o in outcomes(start("/ r7 * *"), "r7 * *")] == [
        "r*-*-7",
        "r*-7-*",
        "r7-*-*",
        "7r**",
    ]


def test_with_one_joker_a_meld_readings_with_two_fall_away() -> None:
    rules = Rules.from_dict({"two_jokers_in_meld": False})
    with pytest.raises(MoveError, match="allow 1 a meld"):
        outcomes(start("/ r7 * *", rules), "7r**")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("r4 5 7", "does not follow"),
        ("r4-5-7", "red 6 would fit"),
        ("4rr y4", "not a tile|does not hold|do not hold"),
        ("r4 y4 r5", "does not follow|another"),
        ("r4 b9", "no meld begins like this"),
        ("* *", "jokers alone"),
        ("k9 9 9", "do not hold"),
        ("r14", "not a tile"),
        ("x5", "not a tile"),
        ("r4 5 q", "“q” is not a tile"),
        ("dome", "Did you mean “done”"),
        ("add r4", "add r7 3"),
        ("add r4 x", "not the number of a meld"),
        ("add r4 99", "There is no meld 99"),
        ("r4 > 9", "There is no meld 9"),
        ("take", "take r7 3"),
        ("take k9 1", "has no black 9"),
        ("take r4 77777", "not the number"),
        ("move r4 1", "not the number"),
        ("move 1", "Name the tiles"),
        ("move b1 1 1", "not to its own"),
        ("split 1", "begins the second part"),
        ("split 1 b1", "first tile"),
        ("split 1 r9", "has no red 9"),
        ("swap r4 1", "has no joker"),
        ("swap * 2", "has no joker"),
        ("join 1", "Name the two melds"),
        ("join 1 1", "not to itself"),
        ("join 1 2", "make no meld together"),
        ("play", "Name the melds"),
        ("play r4-5-6 from r1-2-3", "There is no red 1-2-3"),
        ("play zz from 1", "not a meld"),
        ("play r4-5-6 from 1 1", "named twice"),
        ("table", "Name the melds"),
        ("undo 3", "stands alone"),
        ("lay", "Name the tiles"),
        ("add r9 1", "do not hold"),
        ("add r4 1", "it takes blue 5"),
        ("add r4 2", "it takes red 13|it takes"),
    ],
)
def test_bad_input_gets_a_reason_and_changes_nothing(line: str, reason: str) -> None:
    draft = start("b1-2-3-4 13ykb / r4 r5 r6 r7 y4 b9 * *")
    before = table(draft), held(draft)
    with pytest.raises(MoveError, match=reason):
        outcomes(draft, line)
    assert (table(draft), held(draft)) == before


@pytest.mark.parametrize(
    ("position", "line", "result"),
    [
        ("r4-5-6 / r7", "add r7 1", "r4-5-6-7"),
        ("r4-5-6 / r3 r7 r8", "r3 r8 r7 > 1", "r3-4-5-6-7-8"),
        ("r4-5-6 / *", "r4-5-6-*", None),
        ("r4-5-6 / r7", "r7 to 1", "r4-5-6-7"),
        ("r4-5-6 / r7", "r7 onto meld 1", "r4-5-6-7"),
        ("7rb* / k7", "add k7 to 1", "7rb*k"),
        ("r4-*-6 / r7", "add r7 1", "r4-*-6-7"),
        ("r4-5-6 / r8 *", "add r8 * 1", "r4-5-6-*-8"),
        ("r1-2-3-4-5-6-7-8 / r5", "add r5 1", "r1-2-3-4-5 r5-6-7-8"),
        ("r3-4-5-*-7-8 / r5", "add r5 1", "r3-4-5 r5-*-7-8"),
        ("r11-12-13 / *", "add * 1", "r*-11-12-13"),
    ],
)
def test_tiles_find_their_place_in_a_meld(position: str, line: str, result: str | None) -> None:
    if result is None:
        with pytest.raises(MoveError):
            outcomes(start(position), line)
    else:
        assert table(after(start(position), line)) == result


def test_a_joker_at_either_end_is_asked_for() -> None:
    found = outcomes(start("r4-5-6 / *"), "add * 1")
    assert sorted(table(o.draft) for o in found) == ["r*-4-5-6", "r4-5-6-*"]


def test_a_tile_that_a_joker_stands_for_is_asked_about() -> None:
    found = outcomes(start("r4-*-6 / r5"), "add r5 1")
    assert [table(o.draft) for o in found] == ["r4-5-6", "r*-4-5-6", "r4-5-6-*"]
    assert loose(found[0].draft) == "*"


def test_swapping_frees_the_joker() -> None:
    draft = after(start("r4-*-6 / r5 b3 k3"), "swap r5 1")
    assert (table(draft), loose(draft)) == ("r4-5-6", "*")
    assert not draft.verdict.legal
    draft = after(draft, "b3 k3 *")
    assert draft.verdict.legal
    with pytest.raises(MoveError, match="stands for red 5"):
        outcomes(start("r4-*-6 / r9"), "swap r9 1")
    both = after(start("7rb* / k7 y7"), "swap k7 y7 1")
    assert (table(both), loose(both)) == ("7rbky", "*")


def test_what_the_rules_will_not_allow_is_said_early() -> None:
    rules = GAMES.find("rrrummy").rules
    draft = start("r4-*-6 r2-3-4-5 / r5 b1", rules)
    assert "stay whole" in outcomes(draft, "take r4 1")[0].text
    assert "from the hand" not in outcomes(draft, "swap r5 1")[0].text
    draft = after(start("r4-*-6 r2-3-4-5 / b1", rules), "take r5 2")
    assert "has to come from the hand" in outcomes(draft, "swap r5 1")[0].text


def test_taking_own_tiles_returns_them_and_table_tiles_are_loose() -> None:
    draft = after(start("r4-5-6 / r7 r8"), "add r7 8 1", "take r8 1")
    assert (table(draft), held(draft), loose(draft)) == ("r4-5-6-7", "r8", "")
    draft = after(draft, "take r4 from 1")
    assert (table(draft), loose(draft)) == ("r5-6-7", "r4")
    draft = after(draft, "take 1")
    assert (table(draft), held(draft), loose(draft)) == ("", "r7 r8", "r4 r5 r6")
    assert draft.next_number == 2


def test_taking_from_the_middle_of_a_run_leaves_two() -> None:
    draft = after(start("r1-2-3-4-5-6-7 / b1"), "r4 < 1")
    assert (table(draft), loose(draft)) == ("r1-2-3 r5-6-7", "r4")
    assert [row.number for row in draft.rows] == [1, 2]


def test_taking_one_of_two_jokers_is_asked_for() -> None:
    found = outcomes(start("r4-*-6-*-8 / b1"), "take * 1")
    assert sorted(table(o.draft) for o in found) == ["r4 r6-*-8", "r4-*-6 r8"]


def test_moving_splitting_and_joining() -> None:
    draft = start("8rbky r5-6-7 / r4")
    assert table(after(draft, "move r8 1 2")) == "8bky r5-6-7-8"
    assert table(after(draft, "move r8 from 1 to 2", "split 2 r7")) == "8bky r5-6 r7-8"
    assert table(after(draft, "move r8 1 2", "split r7 2", "join 2 3")) == "8bky r5-6-7-8"
    assert table(after(draft, "move r8 1 new")) == "8bky r5-6-7 r8"
    assert table(after(draft, "move r8 1 new", "join 2 3")) == "8bky r5-6-7-8"


def test_a_play_is_typed_as_in_a_record() -> None:
    draft = start("8bky 8rbky / r8 r6 r7")
    assert table(after(draft, "play 8rbky from 8bky")) == "8rbky 8rbky"
    assert table(after(draft, "play r6-7-8 8bky from 2")) == "8bky r6-7-8 8bky"
    assert table(after(draft, "table 8bky r6-7-8 8bky")) == "8bky r6-7-8 8bky"
    with pytest.raises(MoveError, match="do not hold"):
        outcomes(draft, "play r6-7-8-9 from 1")


def test_beginnings_of_melds_grow() -> None:
    draft = after(start("/ r5 b5 k5 r6 *"), "r5")
    assert not draft.verdict.legal
    assert table(after(draft, "add b5 1", "add k5 1")) == "5rbk"
    assert table(after(draft, "add r6 1")) == "r5-6"


def test_numbers_of_melds_stay_during_a_turn() -> None:
    draft = after(start("r1-2-3 b1-2-3 k1-2-3 / y1"), "take 2")
    assert [row.number for row in draft.rows] == [1, 3]
    draft = after(draft, "b1 2 3")
    assert [row.number for row in draft.rows] == [1, 3, 4]
    assert not draft.changed


def test_before_the_opening_the_table_is_out_of_reach() -> None:
    draft = start("r4-5-6 / r7 b1 b2 b3 / unopened")
    for line in ("add r7 1", "take r4 1", "split 1 r5", "play r4-5-6-7 from 1"):
        with pytest.raises(MoveError, match="untouchable"):
            outcomes(draft, line)
    draft = after(draft, "b1 2 3", "take b3 2", "add b3 2")
    assert draft.verdict.opening_total == 6
    open_rules = GAMES.find("sabra").rules
    assert after(start("r4-5-6 / r7 / unopened", open_rules), "add r7 1").changed


def test_what_is_own_is_marked() -> None:
    draft = after(start("r4-5-6 / r4 r7 b4 k4"), "add r7 1", "r4 b4 k4")
    assert draft.fresh_cells() == {1: frozenset({3}), 2: frozenset({0, 1, 2})}


def test_steps_can_be_undone_and_done_again() -> None:
    history = History(start("r4-5-6 / r7 r8"))
    assert not history.undo()
    assert not history.reset()
    for line in ("add r7 1", "add r8 1"):
        history.push(after(history.draft, line))
    assert history.undo()
    assert table(history.draft) == "r4-5-6-7"
    assert history.redo()
    assert not history.redo()
    assert history.reset()
    assert table(history.draft) == "r4-5-6"
    assert history.undo()
    assert table(history.draft) == "r4-5-6-7-8"
    history.undo()
    history.push(after(history.draft, "take r7 1"))
    assert not history.redo()


def test_words_are_commands() -> None:
    assert read_line("") == Command("show")
    assert read_line(" D ") == Command("done")
    assert read_line("sort number") == Command("sort", "number")
    assert read_line("?") == Command("help")


WORDS = (
    *("r4", "r5", "r6", "b5", "k5", "*", "r8", "1", "2", "3", "4", "new", "from", "to", ">", "<"),
    *("add", "take", "move", "split", "swap", "join", "play", "table", "5rbk", "r4-5-6", "r5-*-7"),
)
LINES = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))


@given(st.lists(LINES, max_size=12))
def test_whatever_is_typed_no_tile_is_lost(lines: list[str]) -> None:
    draft = start("r4-5-6-7-8 5rbk r1-*-3 / r4 r5 r6 b5 k5 * r9 y1")
    everything = Counter(draft.position.hand)
    for meld in draft.position.table:
        everything += Counter(meld.cells)
    for line in lines:
        try:
            move = read_line(line)
            found = move.apply(draft) if isinstance(move, Move) else []
        except MoveError:
            continue
        for outcome in found:
            draft = outcome.draft
            assert outcome.text
            now = draft.hand + draft.loose
            for meld in draft.table:
                now += Counter(meld.cells)
            assert now == everything
            assert len({row.number for row in draft.rows}) == len(draft.rows)
            assert max((row.number for row in draft.rows), default=0) < draft.next_number
