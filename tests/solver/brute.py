"""All end tables of a small position, each judged: slow, and independent of the solver."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

from meldwise.game.melds import Meld
from meldwise.game.position import Position
from meldwise.game.rules import FreedJokerGoes, JokerPickup, ReplacementFrom, Rules
from meldwise.game.tiles import FACES, JOKER, JOKER_INDEX, TILES, Tile, count_tiles
from meldwise.game.turn import judge

Counts = tuple[int, ...]


def end_tables(counts: list[int]) -> Iterator[tuple[Meld, ...]]:
    """Every way to lay exactly the tiles counted in valid melds."""
    first = next((index for index in range(FACES) if counts[index]), None)
    if first is None:
        if not counts[JOKER_INDEX]:
            yield ()
        return
    for meld in _melds_with_first(first, counts):
        for tile in meld.cells:
            counts[tile.index] -= 1
        for rest in end_tables(counts):
            yield (meld, *rest)
        for tile in meld.cells:
            counts[tile.index] += 1


def _melds_with_first(first: int, counts: list[int]) -> Iterator[Meld]:
    """The melds whose first real tile, by index, is ``first``."""
    colour, number = divmod(first, 13)
    number += 1
    jokers = counts[JOKER_INDEX]

    def runs(cells: list[Tile], start: int, used: int) -> Iterator[Meld]:
        if len(cells) >= 3:
            yield Meld.run(cells)
        following = start + len(cells)
        if following > 13:
            return
        face = colour * 13 + following - 1
        if counts[face]:
            yield from runs([*cells, TILES[face]], start, used)
        if used < jokers:
            yield from runs([*cells, JOKER], start, used + 1)

    for before in range(min(jokers, number - 1) + 1):
        yield from runs([JOKER] * before + [TILES[first]], number - before, before)
    others = [c * 13 + number - 1 for c in range(colour + 1, 4) if counts[c * 13 + number - 1]]
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            for used in range(jokers + 1):
                if 3 <= 1 + size + used <= 4:
                    yield Meld.set([TILES[i] for i in (first, *chosen)] + [JOKER] * used)


def legal_plays(position: Position, rules: Rules) -> dict[Counts, tuple[Meld, ...]]:
    """For all tiles that some legal play places, as counts, one such end table."""
    hand = count_tiles(position.hand)
    held = count_tiles(tile for meld in position.table for tile in meld.cells)
    plain = not position.opened and not rules.opening_table_moves
    found: dict[Counts, tuple[Meld, ...]] = {}
    faces = [index for index in range(FACES + 1) if hand[index]]
    for chosen in product(*[range(hand[index] + 1) for index in faces]):
        if not any(chosen):
            continue
        played = [0] * (FACES + 1)
        for index, count in zip(faces, chosen, strict=True):
            played[index] = count
        base = (0,) * (FACES + 1) if plain else held
        counts = [a + b for a, b in zip(base, played, strict=True)]
        seen = set()
        for melds in end_tables(counts):
            key = tuple(sorted(str(meld.key) + str(meld) for meld in melds))
            if key in seen:
                continue
            seen.add(key)
            table = (*position.table, *melds) if plain else melds
            if judge(position, table, rules).legal:
                found[tuple(played)] = table
                break
    return found


def all_flags() -> list[dict[str, object]]:
    """Every combination of the joker flags that rules allow."""
    found: list[dict[str, object]] = [
        {
            "joker_pickup": JokerPickup.ALWAYS,
            "replacement_from": ReplacementFrom.ANYWHERE,
            "closed_joker_melds": False,
            "both_colours": False,
            "freed_joker_goes": goes,
        }
        for goes in FreedJokerGoes
    ]
    found += [
        {
            "joker_pickup": JokerPickup.AFTER_REPLACEMENT,
            "replacement_from": source,
            "closed_joker_melds": closed,
            "both_colours": both,
            "freed_joker_goes": goes,
        }
        for source in ReplacementFrom
        for closed in (False, True)
        for both in (False, True)
        for goes in FreedJokerGoes
    ]
    return found


def small_position(random: Random, jokers: int = 2, copies: int = 2) -> Position:
    """A small table, mostly with jokers, and a hand that has to do with it."""
    low = random.randint(1, 9)
    numbers = range(low, min(13, low + random.randint(3, 5)) + 1)
    left = {
        colour * 13 + number - 1: copies
        for number in numbers
        for colour in random.sample(range(4), 4)
    }
    table: list[Meld] = []
    jokers_left = jokers
    for _ in range(random.randint(1, 3)):
        cells: list[int] = []
        if random.random() < 0.55 and len(numbers) >= 3:
            length = random.randint(3, min(5, len(numbers)))
            colour = random.randrange(4)
            start = random.choice(range(numbers[0], numbers[-1] - length + 2))
            cells = [colour * 13 + start + step - 1 for step in range(length)]
            make = Meld.run
        else:
            number = random.choice(numbers)
            chosen = random.sample(range(4), random.choice((3, 3, 4)))
            cells = [colour * 13 + number - 1 for colour in chosen]
            make = Meld.set
        tiles = [TILES[cell] for cell in cells]
        for place in random.sample(range(len(tiles)), len(tiles)):
            real = sum(not tile.is_joker for tile in tiles)
            if jokers_left and random.random() < 0.35 and real > 1:
                tiles[place] = JOKER
                jokers_left -= 1
        need = count_tiles(tiles)
        if any(need[index] > left.get(index, 0) for index in range(FACES)):
            jokers_left += need[JOKER_INDEX]
            continue
        for index in range(FACES):
            if need[index]:
                left[index] -= need[index]
        table.append(make(tiles))
    hand: list[Tile] = []
    wanted = [
        tile
        for meld in table
        for role in meld.roles
        if role
        for tile in role.tiles
        if left.get(tile.index, 0)
    ]
    size = random.randint(1, 5)
    while len(hand) < size:
        if jokers_left and random.random() < 0.12:
            hand.append(JOKER)
            jokers_left -= 1
            continue
        pool = wanted if wanted and random.random() < 0.45 else [TILES[i] for i in left]
        tile = random.choice(pool)
        if left[tile.index]:
            left[tile.index] -= 1
            hand.append(tile)
        elif not any(left.values()):
            break
    return Position(tuple(table), tuple(hand))
