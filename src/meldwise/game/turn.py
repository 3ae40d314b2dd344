"""Judging the end of a turn (rules, sections 3 and 4).

Only the end is judged, from the table at the start, the hand, the proposed table, whether
the player has opened, and the rules. How the tiles came there does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from meldwise.game.codes import Code
from meldwise.game.jokers import JokerUse, explain_jokers, settle_jokers
from meldwise.game.melds import Meld
from meldwise.game.opening import opening_value
from meldwise.game.position import Position, Table
from meldwise.game.problems import Problem
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, TILES, Tile, count_tiles

__all__ = ["JokerUse", "Verdict", "judge", "melds_not_in", "settled_table"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of a proposed end of turn.

    Attributes:
        played: the tiles placed from the hand, in order of their index.
        opening_total: the value of the opening so far, in points; None for a player who has
            opened before. Where the opening turn may go on with table moves it is the value
            of what can be laid from the played tiles alone: the highest below the minimum,
            or some value that reaches it.
        jokers: what every joker of the proposed table does, if the play is legal.
        missing: tiles of the table that lie in no meld of the proposal, and so have to be
            placed before the turn can end; freed jokers among them.
        problems: all that is wrong; empty for a legal play.
    """

    played: tuple[Tile, ...]
    opening_total: int | None
    jokers: tuple[JokerUse, ...]
    missing: tuple[Tile, ...]
    problems: tuple[Problem, ...]

    @property
    def legal(self) -> bool:
        """Whether the proposal is a legal end of the turn."""
        return not self.problems

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes of the problems, in order."""
        return tuple(problem.code for problem in self.problems)


def judge(position: Position, proposal: Sequence[Meld], rules: Rules) -> Verdict:
    """Judges a proposed table as the end of a turn; also the free check of a draft.

    Args:
        position: table at the start, hand, and whether the player has opened before.
        proposal: the melds as they would lie on the table.
        rules: the rules of the table.

    Returns:
        The verdict, with all that is wrong. Joker rules are judged once all else is right.
    """
    problems = _meld_problems(proposal, rules)
    before = _counts_of(position.table)
    after = _counts_of(proposal)
    hand = count_tiles(position.hand)
    played = [0] * (FACES + 1)
    missing: list[Tile] = []
    not_held: list[Tile] = []
    placed: list[Tile] = []
    for index in range(FACES + 1):
        more = after[index] - before[index]
        if more > 0:
            played[index] = more
            placed += [TILES[index]] * more
            if more > hand[index]:
                not_held += [TILES[index]] * (more - hand[index])
        elif more < 0:
            missing += [TILES[index]] * -more
    if not_held:
        problems.append(Problem(code=Code.TURN_TILE_NOT_HELD, tiles=tuple(not_held)))
    if missing:
        problems.append(Problem(code=Code.TURN_TABLE_TILE_MISSING, tiles=tuple(missing)))
    if not placed:
        problems.append(Problem(code=Code.TURN_NOTHING_PLAYED, have=0, need=1))

    total: int | None = None
    uses: tuple[JokerUse, ...] | None = None
    if position.opened:
        if not problems:
            uses = settle_jokers(position.table, proposal, played, rules)
            if uses is None:
                problems += explain_jokers(position.table, proposal, played, rules)
    elif rules.opening_table_moves:
        total, uses = _judge_open_opening(position, proposal, played, rules, problems)
    else:
        total = _judge_opening(position, proposal, rules, problems)
        if not problems:
            uses = settle_jokers(position.table, proposal, played, rules)
    return Verdict(tuple(placed), total, uses or (), tuple(missing), tuple(problems))


def settled_table(start: Sequence[Meld], proposal: Iterable[Meld]) -> Table:
    """The proposed melds in the order in which they lie after the turn.

    Melds that nobody touched keep their places and come first; changed and new ones follow
    in the order of the proposal.
    """
    new = list(proposal)
    keys = [meld.key for meld in new]
    kept: list[Meld] = []
    for meld in start:
        if meld.key in keys:
            place = keys.index(meld.key)
            del keys[place], new[place]
            kept.append(meld)
    return (*kept, *new)


def melds_not_in(table: Iterable[Meld], other: Iterable[Meld]) -> Table:
    """The melds of a table that do not lie in another, however a set's tiles are ordered."""
    left = Counter(meld.key for meld in other)
    result: list[Meld] = []
    for meld in table:
        if left[meld.key]:
            left[meld.key] -= 1
        else:
            result.append(meld)
    return tuple(result)


def _counts_of(table: Iterable[Meld]) -> list[int]:
    counts = [0] * (FACES + 1)
    for meld in table:
        for index in meld.key[1]:
            counts[index] += 1
    return counts


def _meld_problems(proposal: Sequence[Meld], rules: Rules) -> list[Problem]:
    problems: list[Problem] = []
    for place, meld in enumerate(proposal):
        if not meld.is_valid:
            problems += [problem.at(place) for problem in meld.problems]
        if len(meld.joker_cells) > 1 and not rules.two_jokers_in_meld:
            problems.append(
                Problem(
                    code=Code.MELD_TWO_JOKERS,
                    meld=meld,
                    place=place,
                    cell=meld.joker_cells[1],
                    tiles=(meld.cells[meld.joker_cells[1]],),
                    have=len(meld.joker_cells),
                    need=1,
                )
            )
    return problems


def _judge_opening(
    position: Position, proposal: Sequence[Meld], rules: Rules, problems: list[Problem]
) -> int:
    """The plain reading: the table stays as it is and the new melds reach the minimum."""
    left = [meld.key for meld in proposal]
    for place, meld in enumerate(position.table):
        if meld.key in left:
            left.remove(meld.key)
        else:
            problems.append(
                Problem(
                    code=Code.TURN_TABLE_BEFORE_OPENING, meld=meld, place=place, tiles=meld.cells
                )
            )
    total = 0
    for meld in proposal:
        if meld.key in left:
            left.remove(meld.key)
            total += meld.value
    _check_minimum(total, rules, problems)
    return total


def _check_minimum(total: int, rules: Rules, problems: list[Problem]) -> None:
    need = max(1, rules.opening_minimum)
    if total < need and all(p.code is not Code.TURN_NOTHING_PLAYED for p in problems):
        problems.append(Problem(code=Code.TURN_OPENING_BELOW_MINIMUM, have=total, need=need))


def _judge_open_opening(
    position: Position,
    proposal: Sequence[Meld],
    played: list[int],
    rules: Rules,
    problems: list[Problem],
) -> tuple[int, tuple[JokerUse, ...] | None]:
    """The other reading: an opening, judged alone, then table moves with the tiles left.

    The tiles of the opening are on the table by then, so none of them replaces a joker from
    the hand or lies beside a freed joker as an own tile.
    """
    hand = count_tiles(position.hand)
    own = [min(count, held) for count, held in zip(played, hand, strict=True)]
    need = max(1, rules.opening_minimum)
    total = opening_value(own, need, rules.two_jokers_in_meld)
    if total < need:
        _check_minimum(total, rules, problems)
    if problems:
        return total, None
    best = 0

    def opens_with_the_rest(reserved: list[int]) -> bool:
        nonlocal best
        if any(reserved):
            rest = [count - bound for count, bound in zip(own, reserved, strict=True)]
            value = opening_value(rest, need, rules.two_jokers_in_meld)
        else:
            value = total
        best = max(best, value)
        return value >= need

    uses = settle_jokers(position.table, proposal, played, rules, opens_with_the_rest)
    if uses is not None:
        return best, uses
    problems += explain_jokers(position.table, proposal, played, rules)
    if not problems:
        problems.append(Problem(code=Code.TURN_OPENING_BELOW_MINIMUM, have=best, need=need))
    return best if best else total, None
