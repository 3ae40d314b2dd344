"""Worlds hold the unseen tiles, and respect what others' turns told of their hands."""

from __future__ import annotations

from collections import Counter
from random import Random

from meldwise.game.actions import Draw, Play
from meldwise.game.position import parse_table
from meldwise.game.presets import GAMES
from meldwise.game.round import Round
from meldwise.game.tiles import TILES, Tile
from meldwise.players.search.belief import (
    NO_OPENING,
    NO_PLAY,
    UNKNOWN,
    Hidden,
    Ledger,
    imagine,
    read_history,
)
from meldwise.players.search.engine import BOARD, SEATS, SLOTS, Engine
from tests.rounds import a_round

FREE = GAMES.find("pup-rummy").rules


def faces(text: str) -> list[int]:
    return [Tile.parse(word).index for word in text.split()]


def hands_of(engine: Engine, worlds: int, seat: int) -> list[Counter[str]]:
    hands = []
    for world in range(worlds):
        at = (world * SEATS + seat) * 53
        counts = engine.arrays.others[at : at + 53]
        hands.append(Counter({str(TILES[face]): n for face, n in enumerate(counts) if n}))
    return hands


def drawn(unseen: list[int], hidden: dict[int, Hidden], loose: int = 0) -> Engine:
    engine = Engine(FREE)
    for seat, known in hidden.items():
        engine.set_hidden(seat, known)
    engine.set_pool(unseen)
    engine.worlds.seed(7)
    engine.draw(0, 40, 0, len(hidden) + 1, loose)
    return engine


def test_a_world_deals_out_exactly_the_unseen_tiles() -> None:
    unseen = faces("r1 r1 r2 k7 k8 b13 y4 y4 b2 k2")
    engine = drawn(unseen, {1: Hidden([0] * 3), 2: Hidden([0] * 4)})
    dealt = set()
    for world, (one, two) in enumerate(
        zip(hands_of(engine, 40, 1), hands_of(engine, 40, 2), strict=True)
    ):
        assert (one.total(), two.total()) == (3, 4)
        stock = engine.arrays.stocks[world * SLOTS : world * SLOTS + 3]
        every = one + two + Counter(str(TILES[face]) for face in stock)
        assert every == Counter(str(TILES[face]) for face in unseen)
        dealt.add(str(sorted(one)))
    assert len(dealt) > 10


def test_the_same_seed_draws_the_same_worlds() -> None:
    unseen = faces("r1 r1 r2 k7 k8 b13 y4 y4 b2 k2")
    first, second = (drawn(unseen, {1: Hidden([0] * 5)}) for _ in range(2))
    assert first.arrays.others == second.arrays.others
    assert first.arrays.stocks == second.arrays.stocks


def test_a_slot_does_not_hold_what_it_cannot() -> None:
    unseen = faces("r1 r1 r2 k7 k8 b13 y4 y4 b2 k2")
    (red,) = set(faces("r1"))
    known = Hidden([1 << red, 1 << red, 0])
    assert all(hand["r1"] <= 1 for hand in hands_of(drawn(unseen, {1: known}), 40, 1))
    loose = hands_of(drawn(unseen, {1: known}, loose=1000), 40, 1)
    assert any(hand["r1"] == 2 for hand in loose)


def test_who_did_not_open_could_not() -> None:
    # Any three of the four tens open; with two of them in hand nothing does.
    unseen = faces("r10 y10 k10 b10 r1 r3 y5 k7 b1 b3")
    known = Hidden([0] * 5, settled=5, check=NO_OPENING, table=(0,) * BOARD)
    for hand in hands_of(drawn(unseen, {1: known}), 40, 1):
        assert sum(hand[tile] for tile in ("r10", "y10", "k10", "b10")) < 3


def test_who_drew_had_no_play_on_the_table() -> None:
    counts = [0] * BOARD
    for face in faces("r5 r6 r7"):
        counts[face] = 1
    # Two and two can be added to neither end; b1 b2 b3 is a new meld.
    unseen = faces("b1 b2 b3 k9 k11 y13 y2 r1 r2 r10")
    known = Hidden([0] * 4, settled=4, check=NO_PLAY, table=tuple(counts))
    for hand in hands_of(drawn(unseen, {1: known}), 40, 1):
        assert not {"b1", "b2", "b3"} <= set(hand)


# --- what the history tells ---------------------------------------------------


def told_by(state: Round, *turns: str) -> Ledger:
    """What is read after draws (an empty text) and plays (the table at their end)."""
    size = len(state.hands[0])
    for text in turns:
        action = Play(state.seat, parse_table(text)) if text else Draw(state.seat)
        state, _ = state.apply(action)
    ledger = read_history(state.history, 2, FREE, Engine(FREE).board_of)
    ledger.size = size
    return ledger


def a_deal() -> Round:
    """Before the opening of the first seat; the other one never opens."""
    return a_round("r10 y10 k10 b10 b5", "k1 k2", rules=FREE, opened=False, stock="k9 k8 k7 k6 k5")


def blue_ten(_: tuple[int, ...]) -> int:
    """Of any table says that b10 can be added to it, and nothing else."""
    return 1 << Tile.parse("b10").index


def test_history_is_read_turn_by_turn() -> None:
    decisions = told_by(a_deal(), "10ryk", "", "").decisions
    assert [decision.seat for decision in decisions] == [0, 1, 0]
    assert [decision.drawn for decision in decisions] == [0, 1, 1]
    assert sorted(decisions[0].played) == sorted(faces("r10 y10 k10"))
    # What is left after an opening might have been added at the next turn only.
    assert [decision.told for decision in decisions] == [UNKNOWN, NO_OPENING, NO_PLAY]
    assert sum(decisions[2].table[:53]) == 3


def test_a_hand_that_drew_holds_nothing_that_could_be_added() -> None:
    hidden = imagine(told_by(a_deal(), "10ryk", "", ""), 0, Random(1), blue_ten)
    # What was drawn at the end of the turn may be anything.
    assert hidden.slots == [blue_ten(()), blue_ten(()), 0]
    assert (hidden.settled, hidden.check) == (2, NO_PLAY)


def test_a_tile_that_came_later_is_no_surprise() -> None:
    ledger = told_by(a_deal(), "10ryk", "", "", "", "10rykb")
    hidden = imagine(ledger, 0, Random(1), blue_ten)
    # It may have been the tile that was drawn the turn before.
    assert (hidden.plays, hidden.surprises, len(hidden.slots)) == (1, 0, 2)


def test_a_tile_that_was_held_back_is_a_surprise() -> None:
    ledger = told_by(a_deal(), "10ryk", "", "", "", "10rykb")

    def anything(_: tuple[int, ...]) -> int:
        return (1 << 53) - 1

    for decision in ledger.decisions:
        decision.drawn = 0
    hidden = imagine(ledger, 0, Random(1), anything)
    assert (hidden.plays, hidden.surprises) == (1, 1)
