"""Hypothesis strategies for the values of the game."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import strategies as st

from meldwise.game.errors import RulesError
from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Position, Table
from meldwise.game.rules import (
    RANGES,
    BlockedScore,
    Direction,
    FirstPlayer,
    FreedJokerGoes,
    InvalidEnd,
    JokerPickup,
    MatchEnd,
    MustPlay,
    ReplacementFrom,
    Rules,
)
from meldwise.game.tiles import JOKER, NUMBERS, TILES, Colour, Tile

real_tiles = st.sampled_from(TILES[:-1])
tiles = st.one_of(real_tiles, st.just(JOKER), real_tiles)
"""Any tile; the joker more often than in the box."""

colours = st.sampled_from(list(Colour))
kinds = st.sampled_from(list(Kind))


@st.composite
def runs(draw: st.DrawFn, jokers: int = 2) -> Meld:
    """Valid runs with at most that many jokers."""
    length = draw(st.integers(3, 7) | st.integers(3, NUMBERS))
    start = draw(st.integers(1, NUMBERS - length + 1))
    colour = draw(colours)
    cells = [Tile.of(colour, start + step) for step in range(length)]
    _put_jokers(draw, cells, jokers)
    return Meld.run(cells)


@st.composite
def sets(draw: st.DrawFn, jokers: int = 2) -> Meld:
    """Valid sets with at most that many jokers, the tiles in any order."""
    number = draw(st.integers(1, NUMBERS))
    chosen = draw(st.permutations(list(Colour)))[: draw(st.integers(3, 4))]
    cells = [Tile.of(colour, number) for colour in chosen]
    _put_jokers(draw, cells, jokers)
    return Meld.set(cells)


def _put_jokers(draw: st.DrawFn, cells: list[Tile], jokers: int) -> None:
    places = draw(st.sets(st.integers(0, len(cells) - 1), max_size=min(jokers, len(cells) - 1)))
    for place in places:
        cells[place] = JOKER


def valid_melds(jokers: int = 2) -> st.SearchStrategy[Meld]:
    """Runs and sets that break no rule of section 1."""
    return st.one_of(runs(jokers), sets(jokers))


any_melds = st.one_of(
    valid_melds(), st.builds(Meld, kinds, st.lists(tiles, max_size=15).map(tuple))
)
"""Melds, many of them nonsense."""


@st.composite
def tables(draw: st.DrawFn, rules: Rules | None = None, most: int = 5) -> Table:
    """Tables of valid melds from one box: never more copies of a tile than it has."""
    rules = rules or Rules()
    left = Counter(dict.fromkeys(TILES, rules.copies))
    left[JOKER] = rules.jokers
    melds: list[Meld] = []
    for _ in range(draw(st.integers(0, most))):
        meld = draw(valid_melds(1 if not rules.two_jokers_in_meld else 2))
        need = Counter(meld.cells)
        if all(count <= left[tile] for tile, count in need.items()):
            left.subtract(need)
            melds.append(meld)
    return tuple(melds)


@st.composite
def positions(draw: st.DrawFn, rules: Rules | None = None, opened: bool | None = None) -> Position:
    """Positions from one box; the hand tends to match the jokers of the table."""
    rules = rules or Rules()
    table = draw(tables(rules))
    box = Counter(dict.fromkeys(TILES[:-1], rules.copies))
    box[JOKER] = rules.jokers
    box.subtract(Counter(tile for meld in table for tile in meld.cells))
    roles = [role for meld in table for role in meld.roles if role is not None]
    matching = sorted({tile for role in roles for tile in role.tiles})
    liked = st.one_of(tiles, st.sampled_from(matching)) if matching else tiles
    hand: list[Tile] = []
    for tile in draw(st.lists(liked, max_size=10)):
        if box[tile] > 0:
            box[tile] -= 1
            hand.append(tile)
    status = draw(st.booleans()) if opened is None else opened
    return Position(table, tuple(hand), status)


_RANGES = {name: st.integers(low, high) for name, (low, high) in RANGES.items()}

_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **_RANGES,
    "timer": st.none() | _RANGES["timer"],
    "first_player": st.sampled_from(FirstPlayer),
    "direction": st.sampled_from(Direction),
    "opening_table_moves": st.booleans(),
    "joker_pickup": st.sampled_from(JokerPickup),
    "replacement_from": st.sampled_from(ReplacementFrom),
    "closed_joker_melds": st.booleans(),
    "freed_joker_goes": st.sampled_from(FreedJokerGoes),
    "both_colours": st.booleans(),
    "two_jokers_in_meld": st.booleans(),
    "must_play": st.sampled_from(MustPlay),
    "invalid_end": st.sampled_from(InvalidEnd),
    "last_turns": st.booleans(),
    "blocked_score": st.sampled_from(BlockedScore),
    "match_end": st.sampled_from(MatchEnd),
    "match_length": st.integers(60, 1_000),
}


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    """Any possible mixture: some fields changed at a time, impossible ones left out."""
    values: dict[str, Any] = {}
    for name in draw(st.lists(st.sampled_from(sorted(_FIELDS)), unique=True)):
        changed = {**values, name: draw(_FIELDS[name])}
        if changed.get("match_end") and "match_length" not in changed:
            changed["match_length"] = draw(_FIELDS["match_length"])
        try:
            Rules(**changed)
        except RulesError:
            continue
        values = changed
    return Rules(**values)


@st.composite
def joker_rules(draw: st.DrawFn) -> Rules:
    """Rules that differ in the flags of section 4 and the opening only."""
    if draw(st.booleans()):
        base = Rules().with_joker_level(draw(st.integers(0, 4)))
    else:
        always = draw(st.booleans())
        base = Rules(
            joker_pickup=JokerPickup.ALWAYS if always else JokerPickup.AFTER_REPLACEMENT,
            replacement_from=ReplacementFrom.ANYWHERE
            if always
            else draw(st.sampled_from(ReplacementFrom)),
            closed_joker_melds=not always and draw(st.booleans()),
            freed_joker_goes=draw(st.sampled_from(FreedJokerGoes)),
            both_colours=not always and draw(st.booleans()),
        )
    values = base.as_dict()
    values["opening_table_moves"] = draw(st.booleans())
    values["opening_minimum"] = draw(st.sampled_from((0, 9, 30, 50)))
    values["two_jokers_in_meld"] = draw(st.booleans())
    return Rules.from_dict(values)
