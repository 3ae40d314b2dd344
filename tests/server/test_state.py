"""The state of a table under anything that people do: it is never stuck, and never differs."""

from __future__ import annotations

from random import Random

import pytest

from meldwise.game.errors import GameError
from meldwise.game.record_text import read_record
from meldwise.game.replay import replay
from meldwise.game.rules import Rules
from meldwise.game.view import view_of
from meldwise.players.plain import PlainPlayer
from meldwise.protocol import commands as ask
from meldwise.server.tables import entries as log
from meldwise.server.tables.commands import User, come_back, decide
from meldwise.server.tables.state import TableState, apply, beginning, oracle_for
from meldwise.server.tables.summary import record_text
from meldwise.server.tables.tasks import LAG, TaskKind, entries_of, next_task
from meldwise.server.tables.thinking import entry_of

MIXTURES = [
    Rules(match_length=1, leaver_grace=30),
    Rules(timer=20, match_length=2, leaver_grace=0, hand_size=6),
    Rules(match_end="time", match_length=60, leaver_grace=5, hand_size=5),  # type: ignore[arg-type]
    Rules(timer=120, match_length=1, must_play="stock_empty", invalid_end="refuse", hand_size=8),  # type: ignore[arg-type]
]


class World:
    """A table with a clock of its own, and people who do what they like."""

    def __init__(self, number: int) -> None:
        self.random = random = Random(number)
        self.rules = MIXTURES[number % len(MIXTURES)]
        self.now = 1_000_000
        self.entries: list[log.Logged] = []
        self.users = [User(f"u{place}", f"P{place}") for place in range(random.randint(1, 3))]
        plans = [log.SeatPlan(name=user.name, user=user.id) for user in self.users]
        if random.random() < 0.3:
            plans.append(log.SeatPlan(name="again", user="u0"))
        while len(plans) < 2 or (len(plans) < 4 and random.random() < 0.5):
            plans.append(log.SeatPlan(name=f"Plain {len(plans)}", player="plain"))
        created = log.Created(
            host="u0", code="C", secret=f"s{number}", seats=plans[:4],
            settings=log.StoredSettings(rules=self.rules, pace="quick"),
        )  # fmt: skip
        self.entries.append(log.Logged(seq=1, at=self.now, user="u0", key=None, entry=created))
        self.state = beginning("t", self.entries[0])

    def take(self, entries: list[log.Entry]) -> None:
        for entry in entries:
            self.now = max(self.now, self.state.at)
            logged = log.Logged(
                seq=self.state.seq + 1, at=self.now, user=None, key=None, entry=entry
            )
            self.state, _ = apply(self.state, logged)
            self.entries.append(logged)
        while (task := next_task(self.state)) is not None and task.due == 0:
            self.take(self.due_entries())

    def command(self, user: User, command: ask.Command) -> bool:
        try:
            self.take(decide(self.state, user, command, ("plain",)))
        except GameError:
            return False
        return True

    def due_entries(self) -> list[log.Entry]:
        task = next_task(self.state)
        assert task is not None
        match = self.state.match
        if task.kind is TaskKind.TIME_OUT:
            assert task.seat is not None
            return [log.TimedOut(seat=task.seat)]
        if task.kind is TaskKind.THINK:
            assert match is not None
            assert task.seat is not None
            return [entry_of(PlainPlayer().choose(view_of(match, task.seat)))]
        return entries_of(task, self.state, self.now, self.random.randbytes(32).hex(), "plain")

    def wait(self) -> None:
        """Time goes on until the next thing is done."""
        task = next_task(self.state)
        if task is not None:
            self.now = max(self.now, task.due)
            self.take(self.due_entries())

    def something_happens(self) -> None:
        random, user = self.random, self.random.choice(self.users)
        chosen = random.random()
        self.now += random.choice([0, 5, 400, 3_000, 9_000])
        if chosen < 0.06:
            self.take([log.WentAway(user=user.id)])
        elif chosen < 0.16:
            self.arrive(user)
        elif chosen < 0.19:
            self.command(user, ask.Leave(id="x", seen=0))
        elif chosen < 0.25:
            self.command(user, ask.Return(id="x", seen=0))
        elif chosen < 0.30:
            self.command(user, ask.Pause(id="x", seen=0, want=random.random() < 0.8))
        elif chosen < 0.38:
            self.command(user, ask.Resume(id="x", seen=0))
        elif chosen < 0.60:
            self.act(user)
        else:
            self.wait()

    def arrive(self, user: User) -> None:
        entries: list[log.Entry] = [log.Came(user=user.id)]
        if not self.state.people[user.id].chose_to_leave and self.state.started:
            entries += come_back(self.state, user.id)
        self.take(entries)

    def act(self, user: User) -> bool:
        """Does what the user can: is ready, or makes a move."""
        state, match = self.state, self.state.match
        if match is None or state.paused:
            return False
        for seat in state.seats_of(user.id):
            if state.has_left(seat):
                continue
            if state.awaiting_round and not any(place == seat for place, _ in state.ready):
                return self.command(user, ask.BeReady(id="x", seen=state.seq, seat=seat))
            if match.running is not None and match.running.seat == seat:
                action = PlainPlayer().choose(view_of(match, seat))
                self.take([entry_of(action)])
                return True
        return False


def can_go_on(state: TableState) -> bool:
    """Whether somebody who is there can do something, or the table does something by itself."""
    if state.over or state.closed or state.paused or next_task(state) is not None:
        return True
    match = state.match
    assert match is not None
    there = [
        seat
        for seat, place in enumerate(state.seats)
        if place.user and state.people[place.user].connected and not state.has_left(seat)
    ]
    if match.running is not None:
        return match.running.seat in there
    return any(seat not in {ready for ready, _ in state.ready} for seat in there)


@pytest.mark.parametrize("number", range(24))
def test_a_table_is_never_stuck(number: int) -> None:
    """After anything at all the table goes on by itself, or somebody there can go on."""
    world = World(number)
    for user in world.users:
        if world.random.random() < 0.8:
            world.arrive(user)
    assert world.command(world.users[0], ask.Start(id="x", seen=0))
    for _ in range(250):
        if world.state.over:
            break
        world.something_happens()
        assert can_go_on(world.state), world.state
    # Everybody comes back and plays: the match comes to its end.
    for user in world.users:
        world.arrive(user)
        world.command(user, ask.Return(id="x", seen=0))
        world.command(user, ask.Resume(id="x", seen=0))
    for _ in range(3_000):
        if world.state.over:
            break
        if not any(world.act(user) for user in world.users):
            world.wait()
    assert world.state.over, world.state
    # Any process that reads the log comes to the same state.
    again = beginning("t", world.entries[0])
    for logged in world.entries[1:]:
        text = log.encode_entry(logged.entry)
        assert log.decode_entry(text) == logged.entry
        again, _ = apply(again, logged)
    assert again == world.state
    reading = read_record(record_text(world.entries))
    assert reading.record is not None
    found = replay(reading.record, oracle_for(world.rules))
    assert not found.faults
    assert found.match.result == world.state.match.result  # type: ignore[union-attr]


@pytest.mark.parametrize("number", range(0, 24, 3))
def test_with_nobody_there_a_table_ends_or_waits(number: int) -> None:
    """When all have gone, computer players end the match; alone, the table waits for one."""
    world = World(number)
    for user in world.users:
        world.arrive(user)
    assert world.command(world.users[0], ask.Start(id="x", seen=0))
    for user in world.users:
        world.take([log.WentAway(user=user.id)])
    for _ in range(3_000):
        if next_task(world.state) is None:
            break
        world.wait()
    if world.state.solo:
        assert world.state.paused == "absent"
    else:
        assert world.state.over


def test_times_are_those_of_the_log() -> None:
    world = World(1)
    assert world.rules.timer == 20
    for user in world.users:
        world.arrive(user)
    world.command(world.users[0], ask.Start(id="x", seen=0))
    while world.state.match is None or world.state.match.running is None:
        if not any(world.act(user) for user in world.users):
            world.wait()
    began = world.state.since
    assert world.state.deadline == began + 20_000
    task = next_task(world.state)
    assert task is not None
    if task.kind is TaskKind.TIME_OUT:
        assert task.due == began + 20_000 + LAG
    world.now = began + 5_000
    world.take([log.PausedNow(reason="agreed")])
    paused = world.state
    assert (paused.deadline, paused.left) == (None, 15_000)
    assert next_task(world.state) is None
    world.now += 1_000_000
    clock = world.state.clock(world.now)
    world.take([log.ResumedNow()])
    assert world.state.deadline == world.now + 15_000
    assert world.state.clock(world.now) == clock
