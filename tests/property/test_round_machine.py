"""Random matches under random rules: legal and illegal actions in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from meldwise.game.actions import (
    Action,
    AskRedeal,
    CommitShuffle,
    Draw,
    EndMatch,
    Leave,
    Pass,
    Play,
    Return,
    RoundAction,
    StandIn,
    StartRound,
    TimeOut,
)
from meldwise.game.codes import Code
from meldwise.game.errors import ActionError, GameError, ShuffleError
from meldwise.game.events import Drew, Event, Penalised, Played
from meldwise.game.match import Match, Seat
from meldwise.game.melds import Kind, Meld
from meldwise.game.position import Position, Table
from meldwise.game.record_text import format_record, read_record
from meldwise.game.replay import check_deals, replay
from meldwise.game.round import Round
from meldwise.game.rules import MatchEnd, MustPlay, Rules
from meldwise.game.session import Session
from meldwise.game.shuffle import Seeds, commitment_of
from meldwise.game.tiles import TILES, Tile
from meldwise.game.view import view_of
from meldwise.players.plain import PlainPlayer
from tests import strategies as our
from tests.rounds import box_is_whole

PLAIN = PlainPlayer()


class Fixed:
    """An oracle that answers at random, and the same to the same question."""

    def can_play(self, position: Position, rules: Rules) -> bool:
        return sum(tile.index for tile in position.hand) % 3 == 0


@st.composite
def short_matches(draw: st.DrawFn) -> Rules:
    """Any mixture, with lengths at which rounds and matches end within a test."""
    rules = draw(our.rules())
    if draw(st.integers(0, 3)):
        rules = replace(
            rules,
            hand_size=draw(st.integers(3, 5) | st.integers(3, 9)),
            opening_minimum=draw(st.integers(0, 12) | st.integers(0, 30)),
        )
    if rules.match_end is not MatchEnd.TIME:
        rules = replace(rules, match_length=draw(st.integers(2, 12)))
    return rules


# --- random proposals -------------------------------------------------------------------


def arranged(state: Round, seat: int, random: Random) -> Table:
    """A table as somebody might leave it: sometimes legal, mostly nonsense."""
    melds = [list(meld.cells) for meld in state.table]
    kinds = [meld.kind for meld in state.table]
    hand = list(state.hands[seat])
    random.shuffle(hand)
    for _ in range(random.choice((0, 1, 1, 2, 3, 5))):
        choice = random.randrange(8)
        if choice == 0 and hand:
            melds.append([hand.pop() for _ in range(min(len(hand), random.randint(1, 4)))])
            kinds.append(random.choice(list(Kind)))
        elif choice <= 2 and hand and melds:
            cells = random.choice(melds)
            cells.insert(random.randint(0, len(cells)), hand.pop())
        elif choice == 3 and melds:
            place = random.randrange(len(melds))
            if len(melds[place]) > 1:
                cut = random.randint(1, len(melds[place]) - 1)
                melds.append(melds[place][cut:])
                melds[place] = melds[place][:cut]
                kinds.append(kinds[place])
        elif choice == 4 and len(melds) > 1:
            cells, other = random.sample(melds, 2)
            if cells:
                other.insert(random.randint(0, len(other)), cells.pop(random.randrange(len(cells))))
        elif choice == 5 and melds:
            # A tile of the table goes to the hand, to be placed again or not.
            cells = random.choice(melds)
            if cells:
                hand.append(cells.pop(random.randrange(len(cells))))
        elif choice == 6 and melds and random.random() < 0.3:
            random.choice(melds).append(random.choice(TILES))  # Mostly not held.
        elif choice == 7:
            order = list(range(len(melds)))
            random.shuffle(order)
            melds = [melds[place] for place in order]
            kinds = [kinds[place] for place in order]
    if random.random() > 0.1:
        kinds = [kind for kind, cells in zip(kinds, melds, strict=True) if cells]
        melds = [cells for cells in melds if cells]
    return tuple(Meld(kind, tuple(cells)) for kind, cells in zip(kinds, melds, strict=True))


def rearranged(table: Table, random: Random) -> Table:
    """The table with long runs cut in two and in another order: legal where jokers are free."""
    melds: list[Meld] = []
    for meld in table:
        if meld.kind is Kind.RUN and len(meld.cells) >= 6 and random.random() < 0.5:
            cut = random.randint(3, len(meld.cells) - 3)
            melds += [Meld(Kind.RUN, meld.cells[:cut]), Meld(Kind.RUN, meld.cells[cut:])]
        else:
            melds.append(meld)
    random.shuffle(melds)
    return tuple(melds)


def plain_choice(match: Match) -> RoundAction:
    assert match.running is not None
    return PLAIN.choose(view_of(match, match.running.seat))


def random_action(match: Match, random: Random) -> Action:
    """An action of the running round: the plain player's, mostly, or anything else."""
    state = match.running
    assert state is not None
    seat = state.seat
    choice = random.randrange(20)
    if choice < 9:
        return plain_choice(match)
    if choice < 11:
        action = plain_choice(match)
        return Play(seat, rearranged(action.table, random)) if isinstance(action, Play) else action
    if choice < 14:
        return Play(seat, arranged(state, seat, random))
    if choice == 14:
        return Draw(seat)
    if choice == 15:
        return Pass(seat)
    if choice == 16:
        return TimeOut(seat, random.choice((None, state.table, arranged(state, seat, random))))
    if choice == 17:
        action = plain_choice(match)
        return TimeOut(seat, action.table if isinstance(action, Play) else None)
    if choice == 18:
        return AskRedeal(random.randrange(-1, state.players + 1))
    other = random.randrange(-1, state.players + 1)
    wrong: Sequence[Action] = (
        Draw(other),
        Pass(other),
        Play(other, arranged(state, seat, random)),
        TimeOut(other),
        Leave(other),
        StandIn(other, "plain"),
        Return(other),
        EndMatch(random.randrange(200)),
        CommitShuffle("0" * 64),
        StartRound(Seeds(bytes(32), ("",) * state.players)),
    )
    return random.choice(wrong)


class Matches(RuleBasedStateMachine):
    """One match: its session, and what must hold after every action."""

    rounds = 0
    actions = 0
    refused = 0

    @initialize(rules=short_matches(), players=st.integers(2, 6), seed=st.integers(0, 2**32))
    def sit_down(self, rules: Rules, players: int, seed: int) -> None:
        players = max(rules.min_players, min(players, rules.max_players))
        names = [Seat(f"player {number}") for number in range(players)]
        self.oracle = Fixed()
        self.session = Session.new("any game", rules, names, self.oracle)
        self.random = Random(seed)
        self.clock = 0
        self.checked: Match | None = None

    # --- taking actions

    def take(self, action: Action) -> bool:
        """Takes an action, if it can be taken; verify, can and apply have to agree."""
        match, record = self.session.match, self.session.record
        code: Code | None = None
        try:
            match.verify(action, self.oracle)
        except (ActionError, ShuffleError) as error:
            code = error.code
        assert match.can(action, self.oracle) is (code is None)
        events: tuple[Event, ...] = ()
        refusal: Code | None = None
        try:
            events = self.session.apply(action)
        except GameError as error:
            refusal = error.code
        if refusal is not None:
            assert refusal == code
            assert self.session.match is match
            assert self.session.record is record
            type(self).refused += 1
            return False
        assert code is None, f"{action} was taken, and verify refuses it"
        type(self).actions += 1
        type(self).rounds += len(self.session.match.results) - len(match.results)
        self.check_step(match, action, events)
        return True

    def check_step(self, before: Match, action: Action, events: tuple[Event, ...]) -> None:
        """What an action of a round may change."""
        if before.running is None or not isinstance(action, Play | Draw | Pass | TimeOut):
            return
        state, after = before.running, self.session.match.round
        assert after is not None
        seat = state.seat
        assert action.seat == seat
        for other in range(state.players):
            if other != seat:
                assert after.hands[other] == state.hands[other]
        plays = [event for event in events if isinstance(event, Played)]
        draws = [event for event in events if isinstance(event, Drew | Penalised)]
        assert len(plays) + len(draws) <= 1
        if plays:
            assert after.stock == state.stock
            assert len(after.hands[seat]) < len(state.hands[seat])
        else:
            assert after.table == state.table
            count = draws[0].count if draws else 0
            taken = state.stock[:count]
            assert after.stock == state.stock[count:]
            assert after.hands[seat] == tuple(sorted((*state.hands[seat], *taken)))
        if isinstance(action, Draw):
            assert draws[0].count == 1
        if not state.rules.penalty_skips:
            self.check_next(state, after, bool(plays))
        for event in draws:
            most = 1 if isinstance(event, Drew) else state.rules.penalty_tiles
            assert event.count == min(most, len(state.stock))

    def check_next(self, state: Round, after: Round, played: bool) -> None:
        """Whose turn it is next and whether the round is over, where no turns are skipped."""
        players, seat = state.players, state.seat
        passes = 0 if played or state.stock else state.passes + 1
        left = None if state.turns_left is None else state.turns_left - 1
        if left is None and state.rules.last_turns and state.stock and not after.stock:
            left = players
        if played and not after.hands[seat]:
            assert after.result is not None
            assert (after.result.end, after.result.winner) == ("won", seat)
        elif passes == players or left == 0:
            assert after.result is not None
            assert after.result.end == "blocked"
        else:
            step = 1 if state.rules.direction == "clockwise" else players - 1
            assert after.result is None
            assert (after.seat, after.turn) == ((seat + step) % players, state.turn + 1)
            assert (after.passes, after.turns_left) == (passes, left)

    @precondition(lambda self: self.session.match.running is None)
    @rule(clock=st.integers(0, 40), early=st.booleans(), seed=st.text(max_size=5))
    def begin_round(self, clock: int, early: bool, seed: str) -> None:
        self.clock += clock
        server = self.random.randbytes(32)
        size = len(self.session.match.seats)
        if self.session.match.commitment is None:
            if not early:
                assert not self.take(StartRound(Seeds(server, ("",) * size), self.clock))
            self.server = server
            self.take(CommitShuffle(commitment_of(server)))
        wrong = bytes(32)
        assert not self.take(StartRound(Seeds(wrong, ("",) * size), self.clock))
        if not self.take(StartRound(Seeds(self.server, (seed, *[""] * (size - 1))), self.clock)):
            self.take(EndMatch(self.clock))

    @precondition(lambda self: self.session.match.running is not None)
    @rule(count=st.integers(10, 80))
    def play_on(self, count: int) -> None:
        for _ in range(count):
            if self.session.match.running is None:
                break
            if not self.take(random_action(self.session.match, self.random)):
                self.take(Draw(self.session.match.running.seat))
            self.whole()

    @precondition(lambda self: self.session.match.running is not None)
    @rule()
    def play_to_the_end(self) -> None:
        """Plain players, until the round is over or nobody may go on."""
        for _ in range(400):
            state = self.session.match.running
            if state is None:
                break
            action = plain_choice(self.session.match)
            if not self.take(action) and not self.take(TimeOut(state.seat)):
                # Must play, cannot, and has no clock to end the turn.
                self.take(Play(state.seat, (*state.table, _alone(state))))
                if self.session.match.running is state:
                    break
        self.whole()

    @rule(seat=st.integers(-1, 6), which=st.integers(0, 2))
    def come_and_go(self, seat: int, which: int) -> None:
        actions: tuple[Action, ...] = (Leave(seat), StandIn(seat, "plain"), Return(seat))
        self.take(actions[which])

    @precondition(lambda self: self.session.match.running is None)
    @rule(seat=st.integers(-1, 6), which=st.integers(0, 5))
    def act_between_rounds(self, seat: int, which: int) -> None:
        actions: tuple[Action, ...] = (
            Draw(seat),
            Pass(seat),
            Play(seat, ()),
            TimeOut(seat),
            AskRedeal(seat),
            CommitShuffle("no hex"),
        )
        assert not self.take(actions[which])

    @rule()
    def look_at_the_record(self) -> None:
        self.check_record()

    # --- what always holds

    @invariant()
    def whole(self) -> None:
        state = self.session.match.round
        if state is None or self.session.match is self.checked:
            return
        self.checked = self.session.match
        assert box_is_whole(state)
        assert all(meld.is_valid for meld in state.table)
        assert all(list(hand) == sorted(hand) for hand in state.hands)
        assert state.passes == 0 or not state.stock
        if state.result is None:
            assert all(state.hands)
            assert state.passes < state.players
        else:
            assert self.session.match.results[-1] == state.result
            self.check_scores(state)

    def check_scores(self, state: Round) -> None:
        """Section 2's sums, whatever the flags."""
        result = state.result
        assert result is not None
        if result.end == "won":
            assert sum(result.scores) == 0
            assert not state.hands[result.winner]
        else:
            costs = [_cost(hand, state.rules) for hand in state.hands]
            assert costs[result.winner] == min(costs)
            own = costs[result.winner] if state.rules.blocked_score == "rrrummy" else 0
            assert sum(result.scores) == -own

    def check_record(self) -> None:
        """The record is written, read and replayed, and leads to the same match."""
        text = format_record(self.session.record)
        reading = read_record(text)
        assert reading.faults == ()
        assert reading.record is not None
        assert format_record(reading.record) == text
        found = replay(reading.record, self.oracle)
        assert found.faults == ()
        assert found.match == self.session.match
        checks = check_deals(reading.record)
        begun = len(self.session.match.firsts)
        assert [check.good for check in checks[:begun]] == [True] * begun

    def teardown(self) -> None:
        if hasattr(self, "session"):
            self.check_record()


def _alone(state: Round) -> Meld:
    return Meld(Kind.RUN, state.hands[state.seat][:1])


def _cost(hand: tuple[Tile, ...], rules: Rules) -> int:
    return sum(rules.joker_in_hand if tile.is_joker else tile.number for tile in hand)


Matches.TestCase.settings = settings(stateful_step_count=35)
TestMatches = Matches.TestCase


@given(short_matches(), st.integers(2, 6), st.integers(0, 2**32))
def test_rounds_with_a_wrong_turn_now_and_then(rules: Rules, players: int, seed: int) -> None:
    """More whole rounds than the machine plays: three in a row, mostly by plain players."""
    rules = replace(rules, match_end=MatchEnd.ROUNDS, match_length=3, must_play=MustPlay.NEVER)
    players = max(rules.min_players, min(players, rules.max_players))
    random = Random(seed)
    session = Session.new("any game", rules, [Seat(str(number)) for number in range(players)])
    while session.match.result is None:
        if session.match.running is None:
            session.start_round(Seeds(random.randbytes(32), ("",) * players))
        match = session.match
        if random.random() < 0.15:
            try:
                session.apply(random_action(match, random))
            except GameError:
                assert session.match is match
        else:
            session.apply(plain_choice(match))  # Always an action that can be taken.
        assert session.match.round is not None
        assert box_is_whole(session.match.round)
    reading = read_record(format_record(session.record))
    assert reading.record is not None
    found = replay(reading.record)
    assert found.faults == ()
    assert found.match == session.match


def test_the_machine_played_whole_rounds() -> None:
    """Runs after the machine, where both run in one process."""
    if Matches.actions:
        assert Matches.rounds > 30
        assert Matches.refused > 200
