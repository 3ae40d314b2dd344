"""Judging the end of a turn (rules, sections 3 and 4).

Only the end is judged, from the table at the start, the hand, the proposed table, whether
the player has opened, and the rules. How the tiles came there does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from meldwise.game.codes import Code
from meldwise.game.jokers import JokerUse, explain_jokers, settle_jokers
from meldwise.game.melds import Meld
from meldwise.game.opening import opening_value
from meldwise.game.position import Position, Table
from meldwise.game.problems import Problem
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, TILES, Tile, count_tiles
from meldwise.game.values import quickly_made

__all__ = [
    "Compared",
    "JokerUse",
    "Verdict",
    "compare_tables",
    "judge",
    "judge_compared",
    "judge_settled",
    "melds_not_in",
    "settled_table",
]


@quickly_made
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


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of the melds of a table, each in the order of its table.

    Attributes:
        kept: the melds of the first table that lie in the second.
        gone: those that do not.
        new: the melds of the second table that did not lie in the first.
    """

    kept: Table
    gone: Table
    new: Table

    @property
    def settled(self) -> Table:
        """The second table with the melds that stayed in front."""
        return self.kept + self.new


def judge(position: Position, proposal: Sequence[Meld], rules: Rules) -> Verdict:
    """Judges a proposed table as the end of a turn; also the free check of a draft.

    Args:
        position: table at the start, hand, and whether the player has opened before.
        proposal: the melds as they would lie on the table.
        rules: the rules of the table.

    Returns:
        The verdict, with all that is wrong. Joker rules are judged once all else is right.
    """
    return judge_compared(position, proposal, compare_tables(position.table, proposal), rules)


def judge_compared(
    position: Position, proposal: Sequence[Meld], compared: Compared, rules: Rules
) -> Verdict:
    """As :func:`judge`, with the table and the proposal compared already."""
    problems = _meld_problems(proposal, rules)
    # Melds that stay as they are add the same tiles before and after.
    change: dict[int, int] = {}
    for melds, sign in ((compared.gone, -1), (compared.new, 1)):
        for meld in melds:
            for index in meld.key[1]:
                change[index] = change.get(index, 0) + sign
    hand = count_tiles(position.hand)
    played = [0] * (FACES + 1)
    missing: list[Tile] = []
    not_held: list[Tile] = []
    placed: list[Tile] = []
    for index in sorted(change):
        more = change[index]
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
    return compare_tables(start, proposal).settled


def judge_settled(
    position: Position, proposal: Sequence[Meld], compared: Compared, rules: Rules
) -> Verdict:
    """As :func:`judge_compared`, a legal play's jokers by their places in the settled table.

    Args:
        position: table at the start, hand, and whether the player has opened before.
        proposal: the melds as they would lie on the table.
        compared: the table and the proposal compared.
        rules: the rules of the table.
    """
    if position.opened or not rules.opening_table_moves:
        verdict = judge_compared(position, compared.settled, compared, rules)
        return verdict if verdict.legal else judge_compared(position, proposal, compared, rules)
    # What the opening comes to may depend on the order in which the proposal is read.
    verdict = judge_compared(position, proposal, compared, rules)
    if not verdict.jokers:
        return verdict
    return replace(verdict, jokers=judge(position, compared.settled, rules).jokers)


def melds_not_in(table: Iterable[Meld], other: Iterable[Meld]) -> Table:
    """The melds of a table that do not lie in another, however a set's tiles are ordered."""
    return compare_tables(other, table).new


def compare_tables(start: Iterable[Meld], end: Iterable[Meld]) -> Compared:
    """Which melds of a table lie in another, however a set's tiles are ordered."""
    after = list(end)
    keys = [meld.key for meld in after]
    left: dict[object, int] = {}
    for key in keys:
        left[key] = left.get(key, 0) + 1
    kept: list[Meld] = []
    gone: list[Meld] = []
    shared: dict[object, int] = {}
    for meld in start:
        key = meld.key
        count = left.get(key, 0)
        if count:
            left[key] = count - 1
            shared[key] = shared.get(key, 0) + 1
            kept.append(meld)
        else:
            gone.append(meld)
    new: list[Meld] = []
    for key, meld in zip(keys, after, strict=True):
        count = shared.get(key, 0)
        if count:
            shared[key] = count - 1
        else:
            new.append(meld)
    return Compared(tuple(kept), tuple(gone), tuple(new))


def _meld_problems(proposal: Sequence[Meld], rules: Rules) -> list[Problem]:
    problems: list[Problem] = []
    for place, meld in enumerate(proposal):
        if not meld.is_valid:
            problems += [problem.at(place) for problem in meld.problems]
        if not rules.two_jokers_in_meld and len(meld.joker_cells) > 1:
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
