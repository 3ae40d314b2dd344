"""Statistics of the game itself, from rounds in which the same player sits in every seat.

Each deal is played once for each seat that could begin, so that the luck of the tiles cancels
out of what beginning is worth. And once more with one tile of a hand changed for a joker of
the stock: the difference is what a joker is worth.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from meldwise.arena.estimates import Estimate, mean_of, proportion_of
from meldwise.arena.games import Host
from meldwise.arena.openings import BATCH, Openings, OpeningWork
from meldwise.arena.plan import deal_seed
from meldwise.arena.results import Data, Incident, Key, RoundOutcome, Timing
from meldwise.game.round import Round, start_round
from meldwise.game.rules import Rules
from meldwise.game.shuffle import Seeds, shuffled

__all__ = [
    "HANDS",
    "ROUNDS",
    "FullWork",
    "JokerRound",
    "JokersDealt",
    "SimulatedDeal",
    "Simulation",
    "SimulationWork",
    "with_joker",
]

Clock = Callable[[], float]


HANDS: Final = 0
"""The first number of a key of :class:`FullWork` that names a batch of hands."""

ROUNDS: Final = 1
"""That of one that names a deal to be played."""


@dataclass(frozen=True, slots=True)
class FullWork:
    """All the work of a simulation: hands, and rounds.

    Attributes:
        hands: what is done with batches of hands.
        rounds: what is done with deals.
    """

    hands: OpeningWork
    rounds: SimulationWork

    def do(self, key: Key, clock: Clock | None) -> Data:
        """Looks at a batch of hands, or plays a deal."""
        return (self.hands if key[0] == HANDS else self.rounds).do(key, clock)

    def as_dict(self) -> dict[str, object]:
        """What makes results comparable, as plain data."""
        work = self.rounds
        return {
            "player": work.player,
            "rules": work.rules.as_dict(),
            "players": work.players,
            "seed": work.seed,
            "batch": BATCH,
        }


@dataclass(frozen=True, slots=True)
class SimulationWork:
    """The work of a simulation; the second number of a key is a deal.

    Attributes:
        player: the text name of the player in every seat.
        rules: the rules of the table.
        players: how many sit at it.
        seed: what all deals and random choices follow from.
    """

    player: str
    rules: Rules
    players: int
    seed: str

    def do(self, key: Key, clock: Clock | None) -> Data:
        """Plays a deal: once for each seat that begins, and once with a joker swapped in."""
        deal = key[1]
        server = deal_seed(self.seed, deal)
        seat = deal % self.players
        base = deal // self.players % self.players
        hosts = [self._play(server, deal, first, clock, None) for first in range(self.players)]
        rounds = [host.rounds[0].as_data() for host in hosts]
        dealt, _ = start_round(
            self.rules, self.players, 1, Seeds(server, ("",) * self.players), base
        )
        joker: list[Any] = []
        if with_joker(dealt, seat) is not None:
            host = self._play(server, deal, base, clock, seat)
            hosts.append(host)
            joker = [seat, base, host.rounds[0].as_data()]
        timing = Timing()
        for timed in (timing for host in hosts for timing in host.timings):
            timing.include(timed)
        return {
            "rounds": rounds,
            "dealt": [sum(tile.is_joker for tile in hand) for hand in dealt.hands],
            "joker": joker,
            "timing": timing.as_data() if clock is not None else [],
            "incidents": [incident.as_data() for host in hosts for incident in host.incidents],
        }

    def _play(
        self, server: bytes, deal: int, first: int, clock: Clock | None, seat: int | None
    ) -> Host:
        """Plays a round that a seat begins, with a joker for another seat if one is given."""

        def change(state: Round) -> Round:
            state, _ = start_round(state.rules, state.players, state.number, state.seeds, first)
            return state if seat is None else with_joker(state, seat) or state

        host = Host(self.rules, [self.player] * self.players, clock)
        with host.players_for(self.seed, deal):
            host.play_round(server, change)
        return host


def with_joker(state: Round, seat: int) -> Round | None:
    """The deal with one tile of a hand changed for the first joker of the stock.

    Which tile goes follows from the seeds of the round; each is as likely, and it takes the
    joker's place in the stock. None if the hand holds a joker, or the stock has none.
    """
    hand = state.hands[seat]
    places = [place for place, tile in enumerate(state.stock) if tile.is_joker]
    if not places or any(tile.is_joker for tile in hand):
        return None
    given = shuffled(hand, state.seeds.key(state.number), f"joker-{seat}")[0]
    kept = list(hand)
    kept.remove(given)
    joker = state.stock[places[0]]
    stock = (*state.stock[: places[0]], given, *state.stock[places[0] + 1 :])
    hands = list(state.hands)
    hands[seat] = tuple(sorted((*kept, joker)))
    return replace(state, hands=tuple(hands), stock=stock)


@dataclass(frozen=True, slots=True)
class JokerRound:
    """A round that was played again with a joker.

    Attributes:
        seat: who got it.
        without: the round as it was dealt.
        joker: the round with the joker.
    """

    seat: int
    without: RoundOutcome
    joker: RoundOutcome


@dataclass(frozen=True, slots=True)
class SimulatedDeal:
    """A deal, played once for each seat that could begin.

    Attributes:
        deal: its number.
        rounds: the rounds, by the seat that began.
        dealt: how many jokers each seat was dealt.
        swapped: the same with a joker for one seat; None where that was not possible.
        timing: how long choices took; None where no time was kept.
        incidents: what the player did wrong.
    """

    deal: int
    rounds: tuple[RoundOutcome, ...]
    dealt: tuple[int, ...]
    swapped: JokerRound | None
    timing: Timing | None
    incidents: tuple[Incident, ...]

    @classmethod
    def from_data(cls, deal: int, data: Data) -> SimulatedDeal:
        """The deal of what :class:`SimulationWork` gave."""
        rounds = tuple(RoundOutcome.from_data(outcome) for outcome in data["rounds"])
        swapped = None
        if data["joker"]:
            seat, base, outcome = data["joker"]
            swapped = JokerRound(seat, rounds[base], RoundOutcome.from_data(outcome))
        return cls(
            deal,
            rounds,
            tuple(data["dealt"]),
            swapped,
            Timing.from_data(data["timing"]) if data["timing"] else None,
            tuple(Incident.from_data(incident) for incident in data["incidents"]),
        )


@dataclass(frozen=True, slots=True)
class JokersDealt:
    """How seats did that were dealt so many jokers.

    Attributes:
        jokers: how many.
        seats: how many seats there were.
        wins: their share of the wins.
        score: their points a round.
    """

    jokers: int
    seats: int
    wins: Estimate | None
    score: Estimate | None


@dataclass(frozen=True, slots=True)
class Simulation:
    """What was found about a game.

    Attributes:
        work: what was played.
        openings: what was found about hands.
        deals: the deals played, in the order of their numbers.
        rounds: how many rounds they make, those with a joker swapped in left out.
        turns: turns a round.
        lengths: how many rounds took how many turns, by fives.
        blocked: the share of blocked rounds.
        first_wins: how often the seat that began won.
        first_score: points a round of the seat that began.
        opening_turn: the turn of its own at which a player opened.
        openings_played: how often it was which turn; 0 for never.
        never_opened: how often a seat did not open.
        left: tiles left in a loser's hand.
        tiles_left: how often it was which number.
        jokers_dealt: how seats did by the jokers that they were dealt.
        joker_wins: how much more often a seat wins with a joker for another tile.
        joker_score: how many points more it makes.
        timing: how long choices took; None where no time was kept.
        incidents: how many things the player did wrong.
    """

    work: SimulationWork
    openings: Openings
    deals: tuple[SimulatedDeal, ...]
    rounds: int
    turns: Estimate | None
    lengths: dict[int, int]
    blocked: Estimate | None
    first_wins: Estimate | None
    first_score: Estimate | None
    opening_turn: Estimate | None
    openings_played: dict[int, int]
    never_opened: Estimate | None
    left: Estimate | None
    tiles_left: dict[int, int]
    jokers_dealt: tuple[JokersDealt, ...]
    joker_wins: Estimate | None
    joker_score: Estimate | None
    timing: Timing | None
    incidents: int

    @classmethod
    def of(
        cls, work: SimulationWork, openings: Openings, deals: Sequence[SimulatedDeal]
    ) -> Simulation:
        """Sums up deals."""
        rounds = [outcome for deal in deals for outcome in deal.rounds]
        swapped = [deal.swapped for deal in deals if deal.swapped is not None]
        opened = Counter(turn for outcome in rounds for turn in outcome.opened)
        left = Counter(tiles for outcome in rounds for tiles in _losing(outcome))
        timing = Timing()
        for deal in deals:
            if deal.timing is not None:
                timing.include(deal.timing)
        return cls(
            work=work,
            openings=openings,
            deals=tuple(deals),
            rounds=len(rounds),
            turns=_mean(deals, lambda outcome: [outcome.turns]),
            lengths=_sorted(Counter(5 * (outcome.turns // 5) for outcome in rounds)),
            blocked=_share(deals, lambda outcome: [outcome.blocked]),
            first_wins=_share(deals, lambda outcome: [outcome.winner == outcome.first]),
            first_score=_mean(deals, lambda outcome: [outcome.scores[outcome.first]]),
            opening_turn=_mean(deals, lambda outcome: [turn for turn in outcome.opened if turn]),
            openings_played=_sorted(opened),
            never_opened=_share(deals, lambda outcome: [not turn for turn in outcome.opened]),
            left=_mean(deals, _losing),
            tiles_left=_sorted(left),
            jokers_dealt=_jokers_dealt(deals),
            joker_wins=mean_of(
                [(_won(s.joker, s.seat) - _won(s.without, s.seat), 1) for s in swapped]
            ),
            joker_score=mean_of(
                [(s.joker.scores[s.seat] - s.without.scores[s.seat], 1) for s in swapped]
            ),
            timing=timing if timing.moves else None,
            incidents=sum(len(deal.incidents) for deal in deals),
        )


def _won(outcome: RoundOutcome, seat: int) -> int:
    return int(outcome.winner == seat)


def _losing(outcome: RoundOutcome) -> list[int]:
    return [tiles for seat, tiles in enumerate(outcome.left) if seat != outcome.winner]


def _jokers_dealt(deals: Sequence[SimulatedDeal]) -> tuple[JokersDealt, ...]:
    wins: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    scores: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    seats: Counter[int] = Counter()
    for deal in deals:
        for jokers in set(deal.dealt):
            own = [seat for seat, dealt in enumerate(deal.dealt) if dealt == jokers]
            size = len(own) * len(deal.rounds)
            won = sum(outcome.winner in own for outcome in deal.rounds)
            points = sum(outcome.scores[seat] for outcome in deal.rounds for seat in own)
            wins[jokers].append((won, size))
            scores[jokers].append((points, size))
            seats[jokers] += len(own)
    return tuple(
        JokersDealt(jokers, seats[jokers], proportion_of(wins[jokers]), mean_of(scores[jokers]))
        for jokers in sorted(seats)
    )


def _clusters(
    deals: Iterable[SimulatedDeal], values: Callable[[RoundOutcome], Sequence[float]]
) -> list[tuple[float, float]]:
    clusters = []
    for deal in deals:
        found = [value for outcome in deal.rounds for value in values(outcome)]
        clusters.append((float(sum(found)), float(len(found))))
    return clusters


def _mean(
    deals: Iterable[SimulatedDeal], values: Callable[[RoundOutcome], Sequence[float]]
) -> Estimate | None:
    return mean_of(_clusters(deals, values))


def _share(
    deals: Iterable[SimulatedDeal], values: Callable[[RoundOutcome], Sequence[float]]
) -> Estimate | None:
    return proportion_of(_clusters(deals, values))


def _sorted(counts: Counter[int]) -> dict[int, int]:
    return dict(sorted(counts.items()))
