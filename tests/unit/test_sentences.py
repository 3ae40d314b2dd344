"""Sentences: there is one for every code, every event and every rule, and all are for people."""

from __future__ import annotations

import gettext
import re
from dataclasses import fields, replace
from typing import Any, get_args

import pytest

from meldwise.game.codes import Code
from meldwise.game.errors import ActionError, GameError, NotationError, RulesError
from meldwise.game.events import (
    Cause,
    Dealt,
    Drew,
    DrewForStart,
    Event,
    MatchEnded,
    MatchResult,
    Passed,
    Penalised,
    Played,
    RedealAsked,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    SeatReturned,
    SeatTakenOver,
    SeedRevealed,
    ShuffleCommitted,
    Skipped,
    StockEmptied,
    TurnBegan,
)
from meldwise.game.melds import Meld
from meldwise.game.position import Position, parse_table
from meldwise.game.presets import BUILT_IN
from meldwise.game.problems import Problem
from meldwise.game.record import Fault
from meldwise.game.record_text import read_record
from meldwise.game.rules import RANGES, MatchEnd, Rules
from meldwise.game.scores import RoundEnd, RoundResult
from meldwise.game.shuffle import Seeds
from meldwise.game.tiles import TILES, parse_tiles
from meldwise.game.turn import JokerUse, judge
from meldwise.i18n import (
    describe_field,
    describe_rules,
    explain_error,
    explain_fault,
    explain_problem,
    field_name,
    game_difference,
    meld_name,
    tell_event,
    tile_name,
    use_translations,
)
from meldwise.i18n.problems import PROBLEM_CODES

NAMES = ("Ana", "Beto", "Carla")
RAW = re.compile(
    r"None|True|False|[A-Z][a-z]+\.[A-Z_]{2,}|parse\(|[{}<>]|\w+_\w+=|frozenset|Tile|Meld\(|\?|  "
)

FIELDS: dict[str, Any] = {
    "text": "r14",
    "readings": "r4-5-* or r*-4-5",
    "seat": 1,
    "seats": 3,
    "number": 2,
    "differ": ("seed",),
    "tile": TILES[7],
    "have": 2,
    "need": 3,
    "clock": 50,
    "before": 60,
    "length": 600,
    "field": "timer",
    "value": 7,
    "allowed": "a whole number",
    "low": 20,
    "high": 120,
    "reason": "it ends too early",
    "unit": "bytes",
    "actual": "ab12",
    "commitment": "cd34",
    "known": ("plain", "keen"),
    "stated": (3, -3),
    "player": "plane",
    "option": "speed",
    "program": "/usr/bin/keen",
    "file": "keen.toml",
    "seconds": 3,
    "most": 10,
    "method": "PUT",
    "what": "the database",
}


def fine(sentence: str) -> bool:
    """Whether a text is a sentence for people: nothing of the program shows in it."""
    assert sentence[0].isupper() or sentence[0] in "“0123456789", sentence
    assert sentence.rstrip(")").endswith("."), sentence
    assert not RAW.search(sentence), sentence
    assert ".." not in sentence, sentence
    return True


@pytest.mark.parametrize("code", Code)
def test_every_code_has_a_sentence_as_an_error(code: Code) -> None:
    assert fine(explain_error(GameError(code, **FIELDS)))


@pytest.mark.parametrize("code", Code)
def test_every_code_has_a_sentence_as_a_fault(code: Code) -> None:
    text = explain_fault(Fault(code, 12, FIELDS))
    assert text.startswith("Line 12: ")
    assert fine(text.removeprefix("Line 12: "))


@pytest.mark.parametrize("code", sorted(PROBLEM_CODES))
def test_every_problem_has_a_sentence(code: Code) -> None:
    whole = Problem(
        code=code,
        meld=Meld.parse("r4-*-7"),
        place=1,
        cell=2,
        tiles=parse_tiles("r7"),
        wanted=parse_tiles("r5 r6"),
        have=2,
        need=3,
    )
    assert fine(explain_problem(whole))
    assert fine(explain_problem(replace(whole, wanted=())))


def test_all_codes_of_problems_in_the_engine_are_known() -> None:
    prefixes = ("meld.", "turn.", "joker.")
    assert {code for code in Code if code.startswith(prefixes)} <= PROBLEM_CODES


def test_a_problem_names_what_would_mend_it() -> None:
    verdict = judge(Position.parse("/ r4 r5 r7 b1"), parse_table("r4-5-7"), Rules())
    assert explain_problem(verdict.problems[0]) == (
        "Red 4-5-7: red 7 does not follow; red 6 would fit there."
    )
    text = explain_problem(Problem(code=Code.TURN_OPENING_BELOW_MINIMUM, have=29, need=30))
    assert text.endswith("1 point is lacking.")


def test_an_error_says_where() -> None:
    with pytest.raises(NotationError) as found:
        parse_tiles("r4 x")
    assert "character 4" in explain_error(found.value)
    with pytest.raises(RulesError) as wrong:
        Rules.from_dict({"timer": 3})
    assert explain_error(wrong.value) == (
        "Time for a turn cannot be 3 seconds: it goes from 20 to 120."
    )


def test_an_illegal_play_tells_all_that_is_wrong() -> None:
    position = Position.parse("r4-5-6 / r7 b1 / opened")
    verdict = judge(position, parse_table("run(r4,r5) run(b1)"), Rules())
    text = explain_error(ActionError(Code.ACTION_ILLEGAL_PLAY, verdict=verdict))
    assert "Red 6" in text
    assert "only 1 tile" in text
    assert fine(text)


def test_faults_of_a_broken_record_are_told_with_their_lines() -> None:
    reading = read_record('format = 1\nshuffle = "x"\ngame = 3\n[rules]\ntimer = 7\n')
    texts = [explain_fault(fault) for fault in reading.faults]
    assert any(text.startswith("Line 2: The format “x” is unknown") for text in texts)
    assert any(text.startswith("Line 5: Time for a turn cannot be 7") for text in texts)
    assert all(fine(re.sub(r"^Line \d+: ", "", text)) for text in texts)


def _events() -> dict[type, list[Event]]:
    result = RoundResult(RoundEnd.WON, 0, (20, -5, -15), ((), (), ()), (True, True, False))
    seeds = Seeds(bytes(32), ("", "", ""))
    played = Played(
        0,
        parse_tiles("r8"),
        parse_table("r5-6-7"),
        parse_table("r5-6-7-8"),
        None,
        (),
        5,
        Cause.CHOICE,
    )
    use = JokerUse(0, 0, Meld.parse("7rb*").roles[2])
    freed = JokerUse(0, 0, Meld.parse("r4-*-6").roles[1], (0, 1), True, parse_tiles("r5"))
    problem = Problem(code=Code.TURN_NOTHING_PLAYED)
    listed: list[Event] = [
        ShuffleCommitted(1, "ab" * 32),
        DrewForStart(((0, TILES[3]), (1, TILES[52]))),
        RoundStarted(2, 1),
        Dealt((parse_tiles("r1 r1 *"), None, None), 14, 64, 1),
        Dealt((None, None, None), 14, 64, 2),
        RedealAsked(0),
        TurnBegan(2, 17),
        played,
        replace(played, opening=36, left=0, cause=Cause.TIME_OUT, jokers=(use, freed)),
        replace(played, jokers=(replace(freed, replaced_by=()),)),
        replace(played, before=parse_table("8bky"), after=parse_table("8bk* r8-9-10")),
        *(Drew(0, (), 1, 20, cause) for cause in Cause),
        Drew(0, parse_tiles("r7"), 1, 20, Cause.CHOICE),
        *(Passed(1, cause) for cause in Cause),
        Penalised(1, (), 3, 20, (), Cause.INVALID),
        Penalised(1, parse_tiles("r1"), 1, 0, (problem,), Cause.TIME_OUT),
        Penalised(1, (), 0, 0, (), Cause.INVALID),
        Skipped(1, 0),
        Skipped(1, 2),
        StockEmptied(None),
        StockEmptied(3),
        RoundEnded(1, result),
        RoundEnded(1, replace(result, end=RoundEnd.BLOCKED)),
        SeedRevealed(1, seeds),
        SeatLeft(1),
        SeatTakenOver(1, "plain"),
        SeatReturned(1),
        MatchEnded(MatchResult((1, 2, 0), (1,))),
        MatchEnded(MatchResult((2, 2, 0), (0, 1))),
    ]
    events: dict[type, list[Event]] = {}
    for event in listed:
        events.setdefault(type(event), []).append(event)
    return events


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_every_event_has_a_sentence(kind: type) -> None:
    for event in _events()[kind]:
        assert fine(tell_event(event, NAMES))


def test_events_are_told_as_people_do() -> None:
    event = _events()[Played][0]
    assert tell_event(event, NAMES) == "Ana added red 8 to red 5-6-7."
    assert isinstance(event, Played)
    laid = replace(
        event,
        tiles=parse_tiles("r8 r9 * b8 k8 y8"),
        before=(),
        after=parse_table("r8-9-* 8bky"),
        opening=51,
        jokers=(JokerUse(0, 2, Meld.parse("r8-9-*").roles[2]),),
    )
    assert tell_event(laid, NAMES) == (
        "Ana opened with 51 points: laid red 8-9-joker and 8s blue-black-yellow. "
        "The new joker stands for red 10."
    )
    moved = replace(
        event,
        tiles=parse_tiles("r3"),
        before=parse_table("r4-5-6-7 8rbky"),
        after=parse_table("8bky r3-4-5-6-7-8"),
    )
    assert tell_event(moved, NAMES) == (
        "Ana made 8s blue-black-yellow and red 3-4-5-6-7-8 "
        "from red 4-5-6-7 and 8s red-blue-black-yellow with red 3."
    )


def test_names_of_tiles_and_melds() -> None:
    assert [tile_name(tile) for tile in parse_tiles("r7 y1 k13 b2 *")] == [
        "red 7",
        "yellow 1",
        "black 13",
        "blue 2",
        "joker",
    ]
    assert meld_name(Meld.parse("r4-*-6")) == "red 4-joker-6"
    assert meld_name(Meld.parse("7rb*")) == "7s red-blue-joker"
    assert meld_name(Meld.parse("run(r4,b5)")) == "the run red 4, blue 5"
    assert meld_name(Meld.parse("set(*,*)")) == "a meld of 2 jokers only"
    assert meld_name(Meld.parse("set()")) == "an empty meld"


def _text(rules: Rules) -> str:
    return "\n".join(line for part in describe_rules(rules) for line in part.sentences)


@pytest.mark.parametrize("preset", BUILT_IN, ids=lambda preset: preset.name)
def test_the_rules_of_each_game_are_told(preset: Any) -> None:
    for part in describe_rules(preset.rules):
        assert part.sentences
        for sentence in part.sentences:
            assert fine(sentence)
    assert fine(game_difference(preset) + ".")


def _other(name: str, rules: Rules) -> Rules | None:
    """The rules with one field changed to anything else that they take."""
    value = getattr(rules, name)
    options: list[object] = [not value] if isinstance(value, bool) else []
    if hasattr(type(value), "__members__"):
        options += [other for other in type(value) if other != value]
    low, high = RANGES.get(name, (1, 600))
    options += [low, high, low + 1, 90]
    for option in options:
        if option != value:
            try:
                return Rules.from_dict({name: option}, rules)
            except RulesError:
                continue
    return None


@pytest.mark.parametrize("name", [spec.name for spec in fields(Rules)])
def test_every_field_of_the_rules_is_told(name: str) -> None:
    base = Rules(copies=3, jokers=3).with_joker_level(1)
    changed = _other(name, base)
    assert changed is not None
    assert _text(changed) != _text(base)
    assert field_name(name)
    assert describe_field(name)


def test_every_way_to_end_a_match_is_told() -> None:
    texts = {
        _text(replace(Rules(), match_end=end, match_length=length))
        for end, length in ((MatchEnd.TIME, 600), (MatchEnd.TIME, 601), (MatchEnd.TARGET, 100))
    }
    assert len(texts) == 3


def test_another_language_needs_no_other_code() -> None:
    class Shouting(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return message.upper() if "{" not in message else message

    with use_translations(Shouting()):
        assert tile_name(TILES[6]) == "RED 7"
    assert tile_name(TILES[6]) == "red 7"
