"""Reading records of a real match, and reporting every fault with its line."""

from __future__ import annotations

from typing import Any

import pytest

from meldwise.game.actions import CommitShuffle, EndMatch
from meldwise.game.codes import Code
from meldwise.game.match import Seat
from meldwise.game.melds import Meld
from meldwise.game.record import parse_action
from meldwise.game.record_text import format_record, read_record
from meldwise.game.replay import check_deals, replay
from meldwise.game.rules import Rules
from meldwise.game.session import Session
from meldwise.game.shuffle import commitment_of
from tests.records import SESSION, TEXT, faults_of, line_of, without
from tests.rounds import finish_round, seeds

# --- faults ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "near"),
    [
        (lambda text: text.replace('game = "Friday"', 'game = "Friday'), "game ="),
        (lambda text: text.replace("[rules]", "[rules"), "[rules"),
        (lambda text: text.replace("base =", "base"), "base"),
        (lambda text: text.replace("format = 1", "format = 1\nformat = 1"), "format"),
    ],
)
def test_fault_syntax(change: Any, near: str) -> None:
    text = change(TEXT)
    ((code, line),) = faults_of(text)
    assert code is Code.RECORD_SYNTAX
    assert line is not None
    assert line - line_of(text, near) in (0, 1)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# nothing", "x = 1", "[rules]", "\x00", "{", "\ufeff"]
)
def test_fault_of_a_text_that_is_no_record(text: str) -> None:
    reading = read_record(text)
    assert reading.record is None
    assert reading.faults


def test_fault_of_a_file_that_breaks_off() -> None:
    for length in range(0, len(TEXT), 7):
        reading = read_record(TEXT[:length])
        assert reading.record is None or reading.faults == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("format = 1", "format = 2"),
        ("format = 1", "format = 0"),
        ('shuffle = "meldwise-shuffle-1"', 'shuffle = "meldwise-shuffle-2"'),
    ],
)
def test_fault_unknown_version(old: str, new: str) -> None:
    assert faults_of(TEXT.replace(old, new)) == [(Code.RECORD_VERSION, line_of(TEXT, old))]


@pytest.mark.parametrize("field", ["format", "shuffle", "game"])
def test_fault_missing_field_of_the_file(field: str) -> None:
    reading = read_record(without(TEXT, field))
    assert [(fault.code, fault.fields["field"]) for fault in reading.faults] == [
        (Code.RECORD_MISSING_FIELD, field)
    ]


def test_fault_missing_field_of_a_player_and_a_round() -> None:
    text = without(TEXT, 'name = "Ann"')
    assert faults_of(text) == [(Code.RECORD_MISSING_FIELD, line_of(text, "[[players]]"))]
    text = without(TEXT, "commitment")
    assert faults_of(text) == [(Code.RECORD_MISSING_FIELD, line_of(text, "[[rounds]]"))]
    text = TEXT[: TEXT.index("[rules]")] + TEXT[TEXT.index("[[players]]") :]
    assert [code for code, _ in faults_of(text)] == [Code.RECORD_MISSING_FIELD]


def test_fault_missing_seed_of_a_round_that_was_played() -> None:
    text = without(TEXT, "server_seed")
    assert faults_of(text)[0] == (Code.RECORD_MISSING_FIELD, line_of(text, "[[rounds]]"))


@pytest.mark.parametrize(
    ("start", "value"),
    [
        ("format", '"one"'),
        ("format", "true"),
        ("game", "7"),
        ("server_seed", "5"),
        ("server_seed", '"xyz"'),
        ("player_seeds", '"no list"'),
        ("player_seeds", "[1, 2]"),
        ("first", "0"),
        ("first", "7"),
        ("first", "1.5"),
        ("first", "true"),
        ("scores", '"1, 2"'),
        ("scores", '["1", "2"]'),
        ("scores", "[true, false]"),
        ("totals", "[1.5, 2]"),
        ("winners", "1"),
        ("commitment", "12"),
    ],
)
def test_fault_bad_value(start: str, value: str) -> None:
    number = line_of(TEXT, f"{start} =")
    lines = TEXT.split("\n")
    lines[number - 1] = f"{start} = {value}"
    assert (Code.RECORD_BAD_VALUE, number) in faults_of("\n".join(lines))


def test_fault_bad_value_of_a_seed_of_the_wrong_length() -> None:
    number = line_of(TEXT, "server_seed")
    lines = TEXT.split("\n")
    lines[number - 1] = 'server_seed = "00"'
    assert faults_of("\n".join(lines)) == [(Code.SHUFFLE_BAD_SEED, number)]


def test_fault_bad_tile_in_a_hand() -> None:
    number = line_of(TEXT, "hands = [")
    lines = TEXT.split("\n")
    lines[number] = '  "r1 r99",'
    faults = faults_of("\n".join(lines))
    assert [code for code, _ in faults] == [Code.NOTATION_TILE]
    assert faults[0][1] in (number, number + 1)


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "1",
        "draw",
        "0 draw",
        "1 fly",
        "1 draw r7",
        "1 pass r7",
        "-1 draw",
        "1 stand-in",
        "1 stand-in a b",
        "1 leave now",
    ],
)
def test_fault_bad_action_line(line: str) -> None:
    lines = TEXT.split("\n")
    number = line_of(TEXT, 'actions = """', 1) + 3
    lines.insert(number - 1, line)
    assert faults_of("\n".join(lines)) == [(Code.RECORD_ACTION_SYNTAX, number)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("1 play r3-4-55", Code.NOTATION_MELD),
        ("1 play r3-4-5 from q", Code.NOTATION_MELD),
        ("1 draw -> r99", Code.NOTATION_TILE),
    ],
)
def test_fault_bad_notation_in_an_action_line(line: str, code: Code) -> None:
    lines = TEXT.split("\n")
    number = line_of(TEXT, 'actions = """', 2) + 2
    lines.insert(number - 1, line)
    assert faults_of("\n".join(lines)) == [(code, number)]


def test_fault_every_bad_line_is_reported() -> None:
    lines = TEXT.split("\n")
    first, second = (line_of(TEXT, 'actions = """', nth) + 1 for nth in (1, 2))
    lines[first] = "one"
    lines[second] = "two"
    lines[line_of(TEXT, "first") - 1] = "first = 99"
    assert faults_of("\n".join(lines)) == [
        (Code.RECORD_BAD_VALUE, line_of(TEXT, "first")),
        (Code.RECORD_ACTION_SYNTAX, first + 1),
        (Code.RECORD_ACTION_SYNTAX, second + 1),
    ]


def test_fault_bad_line_behind_a_text_with_unusual_line_ends() -> None:
    """Only a line feed ends a line of TOML: what else some programs split at does not."""
    text = TEXT.replace('name = "Ann"', 'name = "A\u2028n\x85n"')
    lines = text.split("\n")
    number = line_of(text, 'actions = """', 1) + 2
    lines.insert(number - 1, "nonsense")
    assert faults_of("\n".join(lines)) == [(Code.RECORD_ACTION_SYNTAX, number)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("no_such_rule = 1", Code.RULES_UNKNOWN_FIELD),
        ("penalty_tiles = 99", Code.RULES_OUT_OF_RANGE),
        ('direction = "up"', Code.RULES_BAD_VALUE),
        ("last_turns = 1", Code.RULES_BAD_VALUE),
        ("copies = 2.0", Code.RULES_BAD_VALUE),
    ],
)
def test_fault_unknown_or_bad_rule(line: str, code: Code) -> None:
    number = line_of(TEXT, "base =") + 1
    lines = TEXT.split("\n")
    lines.insert(number - 1, line)
    assert faults_of("\n".join(lines)) == [(code, number)]


def test_fault_unknown_game_as_base() -> None:
    text = TEXT.replace('base = "rrrummy"', 'base = "whist"')
    assert faults_of(text) == [(Code.RULES_UNKNOWN_GAME, line_of(text, "base ="))]


def test_fault_number_of_players() -> None:
    text = TEXT + '\n[[players]]\nname = "C"\n[[players]]\nname = "D"\n[[players]]\nname = "E"\n'
    assert [code for code, _ in faults_of(text)] == [Code.RULES_PLAYER_COUNT]


def test_fault_illegal_action_is_reported_and_not_applied() -> None:
    number = line_of(TEXT, 'actions = """', 1) + 2
    lines = TEXT.split("\n")
    turn = int(lines[number - 1].split()[0])
    lines.insert(number - 1, f"{3 - turn} draw")
    reading = read_record("\n".join(lines))
    assert reading.record is not None
    found = replay(reading.record)
    assert [(fault.code, fault.line) for fault in found.faults] == [
        (Code.RECORD_ILLEGAL_ACTION, number)
    ]
    cause = found.faults[0].cause
    assert cause is not None
    assert cause.code is Code.ACTION_NOT_YOUR_TURN
    # Leave, stand-in, commit, start and the one draw before it were taken; not more.
    assert len(found.steps) == 5
    assert found.match.round is not None
    assert found.match.round.turn == 2


def test_fault_play_from_a_meld_that_is_not_there() -> None:
    number = line_of(TEXT, 'actions = """', 1) + 1
    lines = TEXT.split("\n")
    lines[number - 1] = f"{lines[number - 1].split()[0]} play r1-2-3-4 from r1-2-3"
    assert faults_of("\n".join(lines)) == [(Code.RECORD_ILLEGAL_ACTION, number)]


def test_fault_tiles_differ_in_a_draw() -> None:
    lines = TEXT.split("\n")
    number = next(n for n, line in enumerate(lines, start=1) if "->" in line)
    plain, _, drawn_text = lines[number - 1].partition(" -> ")
    lines[number - 1] = f"{plain} -> {'r1' if drawn_text != 'r1' else 'r2'}"
    assert faults_of("\n".join(lines)) == [(Code.RECORD_TILES_DIFFER, number)]


def test_fault_tiles_differ_in_the_deal() -> None:
    lines = TEXT.split("\n")
    number = line_of(TEXT, "hands = [")
    lines[number] = '  "r1 r1 y1 y1 k1",'
    text = "\n".join(lines)
    faults = faults_of(text)
    assert [code for code, _ in faults] == [Code.RECORD_TILES_DIFFER]
    assert faults[0][1] in (line_of(TEXT, "[[rounds]]"), number, number + 1)
    record = read_record(text).record
    assert record is not None
    assert [check.hands for check in check_deals(record)] == [False, True]


def test_fault_commitment_wrong() -> None:
    entry = SESSION.record.rounds[1]
    text = TEXT.replace(entry.commitment, commitment_of(bytes(32)))
    faults = faults_of(text)
    assert faults[0][0] is Code.RECORD_COMMITMENT
    assert faults[0][1] in (line_of(text, "[[rounds]]", 1), line_of(text, "commitment", 1))
    record = read_record(text).record
    assert record is not None
    assert [check.commitment for check in check_deals(record)] == [True, False]


def test_fault_another_seed_than_was_committed_to() -> None:
    entry = SESSION.record.rounds[0]
    assert entry.seeds is not None
    text = TEXT.replace(entry.seeds.server.hex(), "00" * 32)
    assert faults_of(text)[0][0] is Code.RECORD_COMMITMENT


def test_fault_changed_seed_of_a_player() -> None:
    text = TEXT.replace('player_seeds = ["", ""]', 'player_seeds = ["x", ""]', 1)
    assert Code.RECORD_TILES_DIFFER in [code for code, _ in faults_of(text)]


def test_fault_scores_of_a_round_wrong() -> None:
    lines = TEXT.split("\n")
    lines[line_of(TEXT, "scores") - 1] = "scores = [1, -1]"
    faults = faults_of("\n".join(lines))
    assert [code for code, _ in faults] == [Code.RECORD_RESULT]
    assert faults[0][1] in (line_of(TEXT, "[[rounds]]"), line_of(TEXT, "scores"))


def test_fault_result_of_the_match_wrong() -> None:
    for start, value in (("totals", "[1, -1]"), ("winners", "[1, 2]")):
        lines = TEXT.split("\n")
        lines[line_of(TEXT, start) - 1] = f"{start} = {value}"
        assert [code for code, _ in faults_of("\n".join(lines))] == [Code.RECORD_RESULT]


def test_fault_first_wrong() -> None:
    lines = TEXT.split("\n")
    number = line_of(TEXT, "first")
    lines[number - 1] = "first = 2" if lines[number - 1] == "first = 1" else "first = 1"
    assert [code for code, _ in faults_of("\n".join(lines))] == [Code.RECORD_RESULT]


def test_fault_round_that_begins_before_the_last_is_over() -> None:
    lines = TEXT.split("\n")
    last = line_of(TEXT, '"""', 1) - 1  # The end of the first round's actions.
    del lines[last - 1]
    text = "\n".join(lines)
    codes = [code for code, _ in faults_of(text)]
    assert Code.RECORD_UNFINISHED in codes


def test_fault_clock_that_ends_a_match_by_rounds() -> None:
    text = TEXT + "clock = 100\n"
    assert [code for code, _ in faults_of(text)] == [Code.RECORD_ILLEGAL_ACTION]


def test_match_by_time_is_ended_by_its_clock() -> None:
    rules = Rules.from_dict({"match_end": "time", "match_length": 60, "hand_size": 3})
    session = Session.new("X", rules, [Seat("A"), Seat("B")])
    session.start_round(seeds(2), 0)
    finish_round(session)
    session.apply(EndMatch(61))
    record = read_record(format_record(session.record)).record
    assert record == session.record
    assert record is not None
    found = replay(record)
    assert found.faults == ()
    assert found.match == session.match
    assert found.match.clock == 61


def test_fault_scores_of_a_round_that_was_not_dealt() -> None:
    session = Session.new("X", Rules(), [Seat("A"), Seat("B")])
    session.apply(CommitShuffle(commitment_of(bytes(32))))
    text = format_record(session.record) + "scores = [10, -10]\n"
    assert [code for code, _ in faults_of(text)] == [Code.RECORD_RESULT]


def test_fault_names_the_line_of_what_is_stated_wrongly() -> None:
    """The field itself where it stands on a line of its own, not the table around it."""
    for start, value in (
        ("scores", "scores = [1, -1]"),
        ("totals", "totals = [1, -1]"),
        ("commitment", f'commitment = "{commitment_of(bytes(32))}"'),
    ):
        lines = TEXT.split("\n")
        number = line_of(TEXT, start)
        lines[number - 1] = value
        assert number in [line for _, line in faults_of("\n".join(lines))], start


# --- what is too much -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["format", "game", "players", "rounds", "result", "rules", "x"])
def test_deep_nesting_is_a_fault_and_no_crash(name: str) -> None:
    text = name + ".a" * 3_000 + " = 1\n"
    assert read_record(text).record is None
    assert read_record(text).faults


def test_deep_nesting_of_an_unknown_field_is_a_fault_or_written_back() -> None:
    text = "x" + ".a" * 3_000 + " = 1\n" + TEXT
    reading = read_record(text)
    if reading.record is not None:
        assert read_record(format_record(reading.record)).record == reading.record


def test_meld_in_a_line_may_be_any() -> None:
    meld = Meld.parse("run(r4,b5,*)")
    assert parse_action("1 timeout run(r4,b5,*)").after == (meld,)
    assert parse_action("1 timeout run()").after == (Meld.parse("run()"),)


@pytest.mark.parametrize("table_name", ["[[players]]", "[result]"])
def test_unknown_fields_of_other_tables_are_kept_or_reported(table_name: str) -> None:
    text = TEXT.replace(table_name, f'{table_name}\nwhim = "blue"', 1)
    reading = read_record(text)
    if reading.record is None:
        assert reading.faults
    else:
        assert 'whim = "blue"' in format_record(reading.record)
