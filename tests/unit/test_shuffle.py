"""The verifiable shuffle, against a second implementation written from its description."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldwise.game.codes import Code
from meldwise.game.errors import ShuffleError
from meldwise.game.round import start_round
from meldwise.game.rules import Rules
from meldwise.game.shuffle import (
    ALGORITHM,
    LONGEST_PLAYER_SEED,
    SEED_BYTES,
    Seeds,
    _below,
    box_of,
    check_commitment,
    commitment_of,
    shuffled,
)
from meldwise.game.tiles import TILES, Tile, format_tiles

SIX = Rules(max_players=6, copies=3, jokers=4)


# --- the second implementation ----------------------------------------------------------


def other_key(server: bytes, number: int, players: tuple[str, ...]) -> bytes:
    data = b"meldwise-shuffle-1 key\n" + server
    data += bytes([0, 0, number >> 8, number & 255]) + bytes([len(players)])
    for player in players:
        text = player.encode("utf-8")
        data += bytes([len(text) >> 8, len(text) & 255]) + text
    return hashlib.sha256(data).digest()


def other_shuffle(items: list[int], key: bytes, label: str) -> list[int]:
    """Fisher and Yates from the end, with 64-bit words of HMAC-SHA-256(key, label/block)."""
    items = list(items)
    stream: list[int] = []
    block = 0
    i = len(items) - 1
    while i > 0:
        if not stream:
            message = label.encode() + b"/" + block.to_bytes(4, "big")
            digest = hmac.new(key, message, hashlib.sha256).digest()
            stream = [int.from_bytes(digest[8 * n : 8 * n + 8], "big") for n in range(4)]
            block += 1
        word = stream.pop(0)
        limit = i + 1
        if word >= 2**64 // limit * limit:
            continue  # Beyond the last whole multiple: the word is skipped.
        j = word % limit
        items[i], items[j] = items[j], items[i]
        i -= 1
    return items


def other_box(copies: int, jokers: int) -> list[int]:
    return [face for face in range(52) for _ in range(copies)] + [52] * jokers


# --- the algorithm ----------------------------------------------------------------------


def test_algorithm_is_named_and_versioned() -> None:
    assert ALGORITHM == "meldwise-shuffle-1"
    assert (SEED_BYTES, LONGEST_PLAYER_SEED) == (32, 200)


@given(
    server=st.binary(min_size=32, max_size=32),
    number=st.integers(1, 1_000),
    players=st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=6
    ).map(tuple),
)
def test_key_is_that_of_the_description(
    server: bytes, number: int, players: tuple[str, ...]
) -> None:
    assert Seeds(server, players).key(number) == other_key(server, number, players)


@given(
    key=st.binary(min_size=32, max_size=32),
    label=st.sampled_from(["draw-1", "draw-2", "draw-11", "deal-1", "deal-2"]),
    rules=st.sampled_from([Rules(), SIX, Rules(jokers=0), Rules(jokers=4)]),
)
def test_shuffle_is_that_of_the_description(key: bytes, label: str, rules: Rules) -> None:
    order = other_shuffle(other_box(rules.copies, rules.jokers), key, label)
    assert [tile.index for tile in shuffled(box_of(rules), key, label)] == order


@pytest.mark.parametrize("rules", [Rules(), SIX])
def test_deal_is_that_of_the_description(rules: Rules) -> None:
    """Whole rounds: who draws what, the hands by seat, the stock, for 200 seeds."""
    for attempt in range(200):
        players = rules.min_players + attempt % (rules.max_players - 1)
        names = tuple(f"seed {attempt} of {seat}" for seat in range(players))
        server = hashlib.sha256(str(attempt).encode()).digest()
        number = 1 + attempt
        state, _ = start_round(rules, players, number, Seeds(server, names))
        key = other_key(server, number, names)
        box = other_box(rules.copies, rules.jokers)
        order = other_shuffle(box, key, "deal-1")
        for seat in range(players):
            mine = sorted(order[14 * seat : 14 * seat + 14])
            assert [tile.index for tile in state.hands[seat]] == mine
        assert [tile.index for tile in state.stock] == order[14 * players :]
        drawing = list(range(players))
        draws = 0
        while len(drawing) > 1:
            draws += 1
            drawn = other_shuffle(box, key, f"draw-{draws}")
            numbers = [0 if face == 52 else face % 13 + 1 for face in drawn[: len(drawing)]]
            best = max(numbers)
            drawing = [s for s, n in zip(drawing, numbers, strict=True) if n == best]
        assert drawing == [state.first]


def test_vectors() -> None:
    """Computed once with the second implementation above, and then written down."""
    zero = Seeds(bytes(32), ("", ""))
    key = zero.key(1)
    assert key == other_key(bytes(32), 1, ("", ""))
    assert commitment_of(bytes(32)) == (
        hashlib.sha256(b"meldwise-shuffle-1 commit\n" + bytes(32)).hexdigest()
    )
    assert key.hex() == KEY
    assert commitment_of(bytes(32)) == COMMITMENT
    assert format_tiles(shuffled(box_of(Rules()), key, "deal-1")[:10]) == DEAL
    assert format_tiles(shuffled(box_of(Rules()), key, "draw-1")[:2]) == DRAW


KEY = "b4f99277409fbbbf997521a84bd7834ae076645aa5c7f9a4c7b7d3692fbe7d58"
COMMITMENT = "ab7e6cc98cd0a6e5a2051d78aeca5acff02e0a22785eef3a133a36a4dfa3b892"
DEAL = "b5 y4 y8 r13 b2 y2 k2 r8 k4 r2"
DRAW = "y9 k8"


def _texts(faces: list[int]) -> str:
    return " ".join("*" if face == 52 else f"{'rykb'[face // 13]}{face % 13 + 1}" for face in faces)


def test_vectors_of_the_documentation() -> None:
    """Those of docs/shuffle.md, by the second implementation and by the first."""
    given_seeds = Seeds(bytes(range(32)), ("", "Ana é"))
    key = other_key(given_seeds.server, 1, given_seeds.players)
    deal = other_shuffle(other_box(2, 2), key, "deal-1")
    page = (Path(__file__).parents[2] / "docs" / "shuffle.md").read_text(encoding="utf-8")
    for value in (
        hashlib.sha256(b"meldwise-shuffle-1 commit\n" + given_seeds.server).hexdigest(),
        key.hex(),
        _texts(other_shuffle(other_box(2, 2), key, "draw-1")[:6]),
        _texts(deal[:14]),
        _texts(deal[14:28]),
        _texts(deal[28:34]),
        _texts(deal[-3:]),
    ):
        assert f"`{value}`" in page
    assert given_seeds.key(1) == key
    assert [tile.index for tile in shuffled(box_of(Rules()), key, "deal-1")] == deal


def test_box_by_index_with_the_copies_together() -> None:
    assert [tile.index for tile in box_of(Rules())] == other_box(2, 2)
    assert [tile.index for tile in box_of(SIX)] == other_box(3, 4)
    assert (len(box_of(Rules())), len(box_of(SIX))) == (106, 160)


def test_every_seed_the_round_and_the_label_change_the_order() -> None:
    server, other = bytes(32), b"\1" + bytes(31)
    keys = {
        Seeds(server, ("", "")).key(1),
        Seeds(other, ("", "")).key(1),
        Seeds(server, ("", "")).key(2),
        Seeds(server, ("a", "")).key(1),
        Seeds(server, ("", "a")).key(1),
        Seeds(server, ("", "", "")).key(1),
        Seeds(server, ("ab", "c")).key(1),
        Seeds(server, ("a", "bc")).key(1),
    }
    assert len(keys) == 8
    box = box_of(Rules())
    orders = {shuffled(box, Seeds(server, ()).key(1), f"deal-{n}") for n in range(20)}
    assert len(orders) == 20


def test_words_beyond_the_last_whole_multiple_are_skipped() -> None:
    """So rare (one in 2**57) that no seed shows it: 2**64 leaves 1 when divided by 3."""
    assert _below(3, iter([2**64 - 1, 5])) == 2
    assert _below(3, iter([2**64 - 2, 5])) == (2**64 - 2) % 3
    assert _below(4, iter([2**64 - 1, 6])) == 3  # Nothing is left, so nothing is skipped.


# --- is it even? ------------------------------------------------------------------------


def _chi_square(counts: Counter[int], cells: int) -> float:
    expected = sum(counts.values()) / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


def test_every_place_is_as_likely_for_every_tile() -> None:
    """Ten things, 4,000 orders: 90 degrees of freedom a place table; 3.5 deviations allowed."""
    things: list[Tile] = list(TILES[:10])
    first: Counter[int] = Counter()
    last: Counter[int] = Counter()
    pairs: Counter[int] = Counter()
    for number in range(4_000):
        order = shuffled(things, hashlib.sha256(f"even {number}".encode()).digest(), "deal-1")
        first[order[0].index] += 1
        last[order[-1].index] += 1
        pairs[order[3].index * 10 + order[7].index] += 1
    # 9 degrees of freedom: mean 9, deviation 4.24.
    assert _chi_square(first, 10) < 9 + 3.5 * 18**0.5
    assert _chi_square(last, 10) < 9 + 3.5 * 18**0.5
    # 90 possible pairs, 89 degrees of freedom.
    expected = 4_000 / 90
    chi = sum((pairs[a * 10 + b] - expected) ** 2 for a in range(10) for b in range(10) if a != b)
    assert chi / expected < 89 + 3.5 * 178**0.5


def test_every_tile_is_as_likely_to_be_dealt_first() -> None:
    counts: Counter[int] = Counter()
    for number in range(3_000):
        key = Seeds(hashlib.sha256(str(number).encode()).digest(), ("", "")).key(1)
        for tile in shuffled(box_of(Rules()), key, "deal-1")[:14]:
            counts[tile.index] += 1
    faces = 3_000 * 14 * 2 / 106
    chi = sum((counts[index] - faces) ** 2 / faces for index in range(53))
    # Drawn without replacement, so rather below the 52 of independent draws.
    assert chi < 52 + 3.5 * 104**0.5
    assert chi > 52 - 5 * 104**0.5


# --- commitments and seeds that are wrong -----------------------------------------------


@given(st.binary(min_size=32, max_size=32), st.integers(0, 255))
def test_commitment_is_to_one_seed(server: bytes, bit: int) -> None:
    commitment = commitment_of(server)
    assert (len(commitment), set(commitment) <= set("0123456789abcdef")) == (64, True)
    check_commitment(commitment, server)
    check_commitment(commitment.upper(), server)
    changed = (int.from_bytes(server, "big") ^ (1 << bit)).to_bytes(32, "big")
    with pytest.raises(ShuffleError) as caught:
        check_commitment(commitment, changed)
    assert caught.value.code is Code.SHUFFLE_COMMITMENT
    assert caught.value.fields["commitment"] == commitment


@pytest.mark.parametrize("text", ["", "0", "é", "0" * 63, "z" * 64])
def test_commitment_of_another_form_matches_nothing(text: str) -> None:
    with pytest.raises(ShuffleError) as caught:
        check_commitment(text, bytes(32))
    assert caught.value.code is Code.SHUFFLE_COMMITMENT


@pytest.mark.parametrize("size", [0, 31, 33])
def test_seed_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(ShuffleError) as caught:
        Seeds(bytes(size), ())
    assert caught.value.code is Code.SHUFFLE_BAD_SEED
    assert (caught.value.fields["have"], caught.value.fields["need"]) == (size, 32)


def test_seed_of_a_player_is_a_text_of_at_most_200_bytes() -> None:
    assert Seeds(bytes(32), ("é" * 100, "")).players[0] == "é" * 100
    for text in ("x" * 201, "é" * 101, "\ud800"):
        with pytest.raises(ShuffleError) as caught:
            Seeds(bytes(32), ("", text))
        assert caught.value.code is Code.SHUFFLE_BAD_SEED
        assert caught.value.fields["seat"] == 1
