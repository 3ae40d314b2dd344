"""Which tiles of one number can be laid in sets, as tables that the kernel looks up.

A *code* counts the tiles of the four colours that go to sets, two bits a colour. A table
gives for each code the numbers of jokers with which exactly those tiles can be split into
sets. Jokers that keep a role in a set, and closed sets that only may grow, make tables of
their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

__all__ = ["CODES", "MOST_JOKERS", "PLAIN", "Cell", "SetSpec", "Sets", "set_table", "split_sets"]

CODES = 256
MOST_JOKERS = 4

Cell = int
"""A colour 0 to 3, or -1 for a joker."""

Sets = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class SetSpec:
    """What is special about the sets of a number.

    Attributes:
        kept: for each joker that keeps its role, the colours it stood for, as bits.
        closed: for each closed set its colours, as bits, and how many jokers it keeps.
        two_jokers: whether a set may hold more than one joker.
    """

    kept: tuple[int, ...] = ()
    closed: tuple[tuple[int, int], ...] = ()
    two_jokers: bool = True


PLAIN = SetSpec()


@lru_cache(maxsize=2)
def _plain(two_jokers: bool) -> dict[tuple[int, int], tuple[tuple[int, int], tuple[Cell, ...]]]:
    """Every code and number of jokers that plain sets can hold, with the last set added."""
    shapes = [
        (_code(colours), jokers, (*colours, *[-1] * jokers))
        for size in range(1, 5)
        for colours in combinations(range(4), size)
        for jokers in range(MOST_JOKERS)
        if 3 <= size + jokers <= 4 and (two_jokers or jokers < 2)
    ]
    empty = (0, 0)
    known: dict[tuple[int, int], tuple[tuple[int, int], tuple[Cell, ...]]] = {empty: (empty, ())}
    todo = [empty]
    for state in todo:
        code, used = state
        for more, jokers, cells in shapes:
            if used + jokers <= MOST_JOKERS and _fits(code, more):
                new = (code + more, used + jokers)
                if new not in known:
                    known[new] = (state, cells)
                    todo.append(new)
    return known


@lru_cache(maxsize=2)
def _plain_table(two_jokers: bool) -> bytes:
    table = bytearray(CODES)
    for code, jokers in _plain(two_jokers):
        table[code] |= 1 << jokers
    return bytes(table)


@lru_cache(maxsize=4096)
def set_table(spec: SetSpec) -> bytes:
    """For each code, the numbers of jokers as bits; kept jokers are not counted."""
    plain = _plain_table(spec.two_jokers)
    if not spec.kept and not spec.closed:
        return plain
    table = bytearray(CODES)
    for base, jokers in _bases(spec):
        for code, ways in enumerate(plain):
            if ways and _fits(code, base):
                table[code + base] |= (ways << jokers) & 0x1F
    return bytes(table)


@lru_cache(maxsize=1 << 14)
def split_sets(spec: SetSpec, code: int, jokers: int) -> Sets:
    """The sets that hold exactly these tiles and jokers, the special ones first."""
    known = _plain(spec.two_jokers)
    for (base, used), special in _bases(spec).items():
        state = (code - base, jokers - used)
        if not _within(base, code) or state not in known:
            continue
        sets = list(special)
        while state != (0, 0):
            state, cells = known[state]
            sets.append(cells)
        return tuple(sets)
    raise AssertionError("the kernel chose sets that cannot be laid")


@lru_cache(maxsize=4096)
def _bases(spec: SetSpec) -> dict[tuple[int, int], Sets]:
    """The ways to lay the special sets: further tiles and jokers used, and the sets."""
    bases: dict[tuple[int, int], Sets] = {(0, 0): ()}
    for mask, kept in spec.closed:
        colours = [colour for colour in range(4) if mask >> colour & 1]
        own = (*colours, *[-1] * kept)
        additions: list[tuple[int, int, tuple[Cell, ...]]] = []
        if kept < 2 or spec.two_jokers:
            additions.append((0, 0, own))
            if len(own) < 4:
                additions += [
                    (_code((colour,)), 0, (*own, colour))
                    for colour in range(4)
                    if not mask >> colour & 1
                ]
                if spec.two_jokers:
                    additions.append((0, 1, (*own, -1)))
        bases = _combine(bases, additions)
    return _lay_kept(spec, bases, spec.kept)


def _lay_kept(
    spec: SetSpec, bases: dict[tuple[int, int], Sets], kept: tuple[int, ...]
) -> dict[tuple[int, int], Sets]:
    """Lays the kept jokers, the first with any of the others, in sets that lack a colour."""
    if not kept:
        return bases
    found: dict[tuple[int, int], Sets] = {}
    for chosen in range(1 << (len(kept) - 1)):
        together = [kept[0]] + [mask for bit, mask in enumerate(kept[1:]) if chosen >> bit & 1]
        others = tuple(mask for bit, mask in enumerate(kept[1:]) if not chosen >> bit & 1)
        additions: list[tuple[int, int, tuple[Cell, ...]]] = []
        for size in range(1, 4):
            for colours in combinations(range(4), size):
                held = sum(1 << colour for colour in colours)
                if any(mask & ~held == 0 for mask in together):
                    continue
                for jokers in range(4):
                    inside = len(together) + jokers
                    if 3 <= size + inside <= 4 and (spec.two_jokers or inside < 2):
                        additions.append((_code(colours), jokers, (*colours, *[-1] * inside)))
        found |= _lay_kept(spec, _combine(bases, additions), others)
    return found


def _combine(
    bases: dict[tuple[int, int], Sets], additions: list[tuple[int, int, tuple[Cell, ...]]]
) -> dict[tuple[int, int], Sets]:
    return {
        (code + more, used + jokers): (*sets, cells)
        for (code, used), sets in bases.items()
        for more, jokers, cells in additions
        if _fits(code, more) and used + jokers <= MOST_JOKERS
    }


def _code(colours: tuple[int, ...]) -> int:
    return sum(1 << (2 * colour) for colour in colours)


def _fits(code: int, more: int) -> bool:
    return all((code >> shift & 3) + (more >> shift & 3) <= 3 for shift in (0, 2, 4, 6))


def _within(part: int, code: int) -> bool:
    return all((part >> shift & 3) <= (code >> shift & 3) for shift in (0, 2, 4, 6))
