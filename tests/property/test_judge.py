"""What holds of every judgement, whatever the position, the proposal and the rules."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from meldwise.game.melds import Kind, Meld, readings
from meldwise.game.position import Position, Table
from meldwise.game.rules import Rules
from meldwise.game.tiles import JOKER, Colour, Tile, count_tiles
from meldwise.game.turn import Verdict, judge
from tests import strategies as our
from tests.differential.layouts import layouts, to_melds
from tests.differential.situations import random_case

LEVELS = [Rules().with_joker_level(level) for level in range(5)]

nonsense = st.lists(our.any_melds, max_size=6).map(tuple)


@st.composite
def proposals(draw: st.DrawFn, position: Position) -> Table:
    """Proposals near the table: some tiles of the hand added, melds joined, split, lost."""
    melds = [list(meld.cells) for meld in position.table]
    kinds = [meld.kind for meld in position.table]
    hand = list(position.hand)
    for _ in range(draw(st.integers(0, 6))):
        step = draw(st.integers(0, 3))
        if step == 0 and hand and melds:
            cells = melds[draw(st.integers(0, len(melds) - 1))]
            cells.insert(draw(st.sampled_from((0, len(cells)))), hand.pop())
        elif step == 1 and hand:
            size = draw(st.integers(1, len(hand)))
            found = readings(hand[:size])
            if found:
                chosen = draw(st.sampled_from(found))
                melds.append(list(chosen.cells))
                kinds.append(chosen.kind)
                del hand[:size]
        elif step == 2 and melds:
            cells = melds[draw(st.integers(0, len(melds) - 1))]
            if cells and hand:
                place = draw(st.integers(0, len(cells) - 1))
                cells[place], hand[0] = hand[0], cells[place]
        elif step == 3 and melds:
            place = draw(st.integers(0, len(melds) - 1))
            cut = draw(st.integers(0, len(melds[place])))
            melds.append(melds[place][cut:])
            kinds.append(kinds[place])
            del melds[place][cut:]
    return tuple(Meld(kind, tuple(cells)) for kind, cells in zip(kinds, melds, strict=True))


@st.composite
def small_cases(draw: st.DrawFn) -> tuple[Position, Table, Rules]:
    """Situations of the differential test with one of their end tables, all valid melds."""
    situation, _ = random_case(f"property:{draw(st.integers(0, 100_000))}")
    size = draw(st.integers(1, len(situation.hand)))
    placed = situation.hand[:size]
    on_table = [face for _, faces in situation.table for face in faces]
    ends = sorted(layouts([*on_table, *placed])) or [situation.table]
    end = to_melds(ends[draw(st.integers(0, len(ends) - 1))])
    return situation.position, end, draw(our.joker_rules())


@st.composite
def cases(draw: st.DrawFn) -> tuple[Position, Table, Rules]:
    """Positions, proposals and rules."""
    position = draw(our.positions())
    return position, draw(st.one_of(proposals(position), nonsense)), draw(our.joker_rules())


all_cases = st.one_of(cases(), small_cases())


def _judge(case: tuple[Position, Table, Rules]) -> Verdict:
    return judge(*case)


@given(all_cases)
def test_judge_never_raises_and_its_problems_are_json(
    case: tuple[Position, Table, Rules],
) -> None:
    verdict = _judge(case)
    assert verdict.legal is (verdict.problems == ())
    for problem in verdict.problems:
        data = problem.as_dict()
        assert json.loads(json.dumps(data)) == data
        assert data["code"] in {str(code) for code in verdict.codes}


@given(our.positions(), nonsense, our.rules())
def test_judge_takes_nonsense_under_any_rules(
    position: Position, proposal: Table, rules: Rules
) -> None:
    judge(position, proposal, rules)
    judge(replace(position, table=proposal[:0]), proposal, rules)


@given(all_cases)
def test_judge_is_a_function_of_its_arguments(case: tuple[Position, Table, Rules]) -> None:
    assert _judge(case) == _judge(case)


@given(all_cases)
def test_played_tiles_of_a_legal_play_come_from_the_hand(
    case: tuple[Position, Table, Rules],
) -> None:
    position, proposal, _ = case
    verdict = _judge(case)
    if not verdict.legal:
        return
    played, hand = Counter(verdict.played), Counter(position.hand)
    assert verdict.played
    assert verdict.missing == ()
    assert played <= hand
    before = Counter(tile for meld in position.table for tile in meld.cells)
    after = Counter(tile for meld in proposal for tile in meld.cells)
    assert after - before == played
    assert before <= after
    assert all(meld.is_valid for meld in proposal)


@given(all_cases)
def test_each_joker_of_a_legal_play_is_accounted_for(
    case: tuple[Position, Table, Rules],
) -> None:
    position, proposal, _ = case
    verdict = _judge(case)
    if not verdict.legal:
        return
    cells = [(place, cell) for place, meld in enumerate(proposal) for cell in meld.joker_cells]
    assert sorted((use.place, use.cell) for use in verdict.jokers) == cells
    origins = [use.origin for use in verdict.jokers if use.origin is not None]
    table = [(p, cell) for p, meld in enumerate(position.table) for cell in meld.joker_cells]
    assert sorted(origins) == table
    assert verdict.played.count(JOKER) == len(cells) - len(table)
    for use in verdict.jokers:
        assert use.role == proposal[use.place].roles[use.cell]


def _recoloured(meld: Meld, colours: list[Colour]) -> Meld:
    return Meld(meld.kind, tuple(_recolour(tile, colours) for tile in meld.cells))


def _recolour(tile: Tile, colours: list[Colour]) -> Tile:
    return tile if tile.colour is None else Tile.of(colours[tile.colour], tile.number)


@given(all_cases, st.permutations(list(Colour)))
def test_permuting_the_colours_changes_nothing(
    case: tuple[Position, Table, Rules], colours: list[Colour]
) -> None:
    position, proposal, rules = case
    other = Position(
        tuple(_recoloured(meld, colours) for meld in position.table),
        tuple(_recolour(tile, colours) for tile in position.hand),
        position.opened,
    )
    twin = judge(other, tuple(_recoloured(meld, colours) for meld in proposal), rules)
    assert twin.legal is _judge(case).legal


@given(all_cases, st.randoms(use_true_random=False))
def test_order_of_melds_and_of_set_tiles_changes_nothing(
    case: tuple[Position, Table, Rules], random: object
) -> None:
    from random import Random

    assert isinstance(random, Random)
    position, proposal, rules = case

    def shuffled(melds: Table) -> Table:
        new: list[Meld] = []
        for meld in melds:
            cells = list(meld.cells)
            if meld.kind is Kind.SET:
                random.shuffle(cells)
            new.append(Meld(meld.kind, tuple(cells)))
        random.shuffle(new)
        return tuple(new)

    hand = list(position.hand)
    random.shuffle(hand)
    other = Position(shuffled(position.table), tuple(hand), position.opened)
    twin = judge(other, shuffled(proposal), rules)
    verdict = _judge(case)
    assert twin.legal is verdict.legal
    assert twin.played == verdict.played


@given(all_cases)
def test_lower_joker_level_accepts_what_a_higher_one_accepts(
    case: tuple[Position, Table, Rules],
) -> None:
    position, proposal, rules = case
    answers = [judge(position, proposal, rules.with_joker_level(level)).legal for level in range(5)]
    assert answers == sorted(answers, reverse=True)


@given(all_cases)
def test_each_flag_only_forbids(case: tuple[Position, Table, Rules]) -> None:
    position, proposal, rules = case
    if not judge(position, proposal, rules).legal:
        return
    free = {"both_colours": False, "two_jokers_in_meld": True, "closed_joker_melds": False}
    changes: list[dict[str, object]] = [{name: value} for name, value in free.items()]
    changes += [
        {"freed_joker_goes": "anywhere"},
        {"opening_minimum": 0},
        {"replacement_from": "anywhere"},
    ]
    if rules.freed_joker_goes == "new_own_meld":
        changes.append({"freed_joker_goes": "new_meld"})
    for change in changes:
        milder = Rules.from_dict(change, rules)
        assert judge(position, proposal, milder).legal, change


@given(all_cases)
def test_further_tiles_in_hand_change_nothing(case: tuple[Position, Table, Rules]) -> None:
    position, proposal, rules = case
    if judge(position, proposal, rules).legal:
        richer = replace(position, hand=(*position.hand, JOKER, Tile.parse("r1")))
        assert judge(richer, proposal, rules).legal


@given(our.positions(opened=True), our.joker_rules())
def test_leaving_the_table_as_it_is_plays_nothing(position: Position, rules: Rules) -> None:
    verdict = judge(position, position.table, rules)
    assert not verdict.legal
    assert verdict.played == ()
    assert verdict.missing == ()


@given(our.tables(), our.valid_melds(0), our.joker_rules())
def test_a_new_meld_from_the_hand_is_always_a_play(table: Table, meld: Meld, rules: Rules) -> None:
    if not rules.two_jokers_in_meld and any(len(m.joker_cells) > 1 for m in table):
        return
    assert judge(Position(table, meld.cells, True), (*table, meld), rules).legal
    unopened = judge(Position(table, meld.cells, False), (*table, meld), rules)
    assert unopened.legal is (meld.value >= rules.opening_minimum)


@given(our.tables())
def test_strategy_keeps_to_the_box(table: Table) -> None:
    counts = count_tiles(tile for meld in table for tile in meld.cells)
    assert all(count <= 2 for count in counts)
    assert all(meld.is_valid for meld in table)
