"""What hands cost, and the scores of a round (rules, section 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from meldwise.game.rules import BlockedScore, Rules
from meldwise.game.tiles import Tile

__all__ = ["RoundEnd", "RoundResult", "blocked_winner", "hand_value", "score_blocked", "score_won"]


class RoundEnd(StrEnum):
    """How a round ended."""

    WON = "won"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The outcome of a round.

    Attributes:
        end: whether somebody emptied the hand, or nobody could go on.
        winner: the winning seat.
        scores: points of the round by seat.
        hands: the tiles left in each hand.
        opened: who had opened.
    """

    end: RoundEnd
    winner: int
    scores: tuple[int, ...]
    hands: tuple[tuple[Tile, ...], ...]
    opened: tuple[bool, ...]


def hand_value(hand: Iterable[Tile], rules: Rules) -> int:
    """The sum of a hand's numbers, each joker at ``joker_in_hand``."""
    return sum(rules.joker_in_hand if tile.is_joker else tile.number for tile in hand)


def blocked_winner(
    hands: Sequence[Sequence[Tile]],
    last_played: Sequence[int],
    last_turn: Sequence[int],
    rules: Rules,
) -> int:
    """The seat with the lowest hand; of several the one with fewer tiles, then who played last.

    If none of those has ever played, the one whose turn came last.

    Args:
        hands: the hands by seat.
        last_played: the number of each seat's last turn with a play; 0 for none.
        last_turn: the number of each seat's last turn; 0 for none.
        rules: the rules of the table.
    """
    return min(
        range(len(hands)),
        key=lambda seat: (
            hand_value(hands[seat], rules),
            len(hands[seat]),
            -last_played[seat],
            -last_turn[seat],
        ),
    )


def _costs(
    hands: Sequence[Sequence[Tile]], winner: int, opened: Sequence[bool], rules: Rules
) -> list[int]:
    """What each hand costs; losers who have not opened pay the surcharge as well."""
    costs = [hand_value(hand, rules) for hand in hands]
    for seat, has_opened in enumerate(opened):
        if seat != winner and not has_opened:
            costs[seat] += rules.unopened_surcharge
    return costs


def score_won(
    hands: Sequence[Sequence[Tile]], winner: int, opened: Sequence[bool], rules: Rules
) -> tuple[int, ...]:
    """Each loser minus the own hand, the winner plus their sum."""
    costs = _costs(hands, winner, opened, rules)
    total = sum(costs) - costs[winner]
    return tuple(total if seat == winner else -cost for seat, cost in enumerate(costs))


def score_blocked(
    hands: Sequence[Sequence[Tile]], winner: int, opened: Sequence[bool], rules: Rules
) -> tuple[int, ...]:
    """The scores of a round that nobody won, by ``blocked_score``.

    With *o* the others' costs and *w* the winner's own hand: ``rrrummy`` gives the winner
    sum(o) - w and each other -o; ``plain`` gives sum(o) and -o; ``box`` gives
    sum(o - w) and -(o - w).
    """
    costs = _costs(hands, winner, opened, rules)
    own = costs[winner]
    less = own if rules.blocked_score is BlockedScore.BOX else 0
    scores = [less - cost for cost in costs]
    scores[winner] = -sum(score for seat, score in enumerate(scores) if seat != winner)
    if rules.blocked_score is BlockedScore.RRRUMMY:
        scores[winner] -= own
    return tuple(scores)
