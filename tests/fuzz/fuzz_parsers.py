"""Fuzzing of every parser: ``python -m tests.fuzz.fuzz_parsers --seconds 600``.

With atheris, where it is installed, else by random changes of valid texts. Only typed
errors may come out, what was read has to round-trip, and no input may take two seconds.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Final

from meldwise.game.errors import GameError, RecordError
from meldwise.game.melds import Meld
from meldwise.game.position import Position, format_table, parse_table
from meldwise.game.presets import (
    BUILT_IN,
    Registry,
    format_presets,
    format_rules,
    parse_presets,
    parse_rules,
)
from meldwise.game.record import parse_action
from meldwise.game.record_text import format_record, read_record
from meldwise.game.replay import check_deals, replay
from meldwise.game.tiles import Tile, format_tiles, parse_tiles
from meldwise.players.registry import create_player

LONGEST_SECONDS: Final = 2.0
GOLDEN: Final = Path(__file__).parent.parent / "golden"


class TooLongError(Exception):
    """An input that takes more than two seconds."""


class NoRoundTripError(Exception):
    """What was read is not what comes back from its text."""


def _same(one: object, other: object) -> None:
    if one != other:
        raise NoRoundTripError(f"{one!r} became {other!r}")


# --- the parsers, each with a round trip of what it read ----------------------------------


def _tile(text: str) -> None:
    tile = Tile.parse(text)
    _same(Tile.parse(str(tile)), tile)


def _tiles(text: str) -> None:
    tiles = parse_tiles(text)
    _same(parse_tiles(format_tiles(tiles)), tiles)


def _meld(text: str) -> None:
    meld = Meld.parse(text)
    _same(Meld.parse(str(meld)), meld)
    _ = (meld.problems, meld.value, meld.roles)


def _table(text: str) -> None:
    table = parse_table(text)
    _same(parse_table(format_table(table)), table)


def _position(text: str) -> None:
    position = Position.parse(text)
    _same(Position.parse(str(position)), position)


def _rules(text: str) -> None:
    rules = parse_rules(text)
    _same(parse_rules(format_rules(rules)), rules)


def _presets(text: str) -> None:
    presets = parse_presets(text)
    _same(
        [
            (preset.name, preset.title, preset.rules)
            for preset in parse_presets(format_presets(presets))
        ],
        [(preset.name, preset.title, preset.rules) for preset in presets],
    )
    registry = Registry()
    for preset in presets:
        registry.register(preset)


def _action(text: str) -> None:
    line = parse_action(text)
    _same(parse_action(str(line)), line)


def _record(text: str) -> None:
    reading = read_record(text)
    if reading.record is None:
        if not reading.faults:
            raise NoRoundTripError("neither a record nor a fault")
        raise RecordError(reading.faults[0].code)
    written = format_record(reading.record)
    # Not compared as values: a number in an unknown field may be nan.
    again = read_record(written).record
    if again is None:
        raise NoRoundTripError(f"{written!r} is not read")
    _same(format_record(again), written)
    replay(reading.record)
    check_deals(reading.record)


def _player(text: str) -> None:
    create_player(text)


@dataclass(frozen=True)
class Target:
    """A parser and valid texts for it."""

    parse: Callable[[str], None]
    texts: tuple[str, ...]


def _records() -> tuple[str, ...]:
    """Short records: the golden ones with most of their actions left out."""
    found: list[str] = []
    for path in sorted(GOLDEN.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        head, _, tail = text.rpartition('actions = """\n')
        actions, _, rest = tail.partition('"""')
        kept = "".join(actions.splitlines(keepends=True)[:12])
        found.append(f'{head}actions = """\n{kept}"""{rest}')
    return tuple(found)


TARGETS: Final[dict[str, Target]] = {
    "tile": Target(_tile, ("r7", "K13", " b1 ", "*", "j")),
    "tiles": Target(_tiles, ("r4 b13*, k1-2", "r1 2 3 y4-5-6 * *", "r10b10y10k10", "")),
    "meld": Target(_meld, ("r4-*-6", "7rb*", "run(r4,b5)", "set(*)", "R10-11-12-13", "run()")),
    "table": Target(_table, ("r4-*-6 7ryk run(r4, b5); 8rbky,", "", "set(r1 r1 *) b1-2-3")),
    "position": Target(
        _position, ("r4-*-6 7ryk / r7 * / unopened", "/ r1 / opened", "7ryk / b7", " / ")
    ),
    "rules": Target(
        _rules,
        (
            "rrrummy timer=60 must-play=always",
            "tiles-50 joker_level=J2 hand_size=7",
            "timer=off both_colours=yes closed_joker_melds=no",
            "Royal200 match_end=time match_length=600",
        ),
    ),
    "presets": Target(
        _presets,
        (
            '[friday]\ntitle = "Friday night"\ngame = "tiles-50"\ntimer = 60\njoker_level = 2\n',
            "[a-b]\ncopies = 3\njokers = 4\nmax_players = 6\nlast_turns = true\n",
            format_presets(BUILT_IN[:2]),
        ),
    ),
    "action": Target(
        _action,
        (
            "2 play r3-4-5 8rbky from 8bky",
            "1 draw -> r7",
            "3 timeout run(r4,b5) from r4-5-6 -> r1 * k13",
            "1 stand-in plain",
            "4 leave",
        ),
    ),
    "record": Target(_record, _records()),
    "player": Target(_player, ("plain", "plain:level=3,depth=2", "x:y=z")),
}

HEAVY: Final[tuple[tuple[str, str], ...]] = (
    ("record", "a = [\n[" + " " * 4_000 + "\n1]]\n"),
    ("record", "format" + ".a" * 3_000 + " = 1\n"),
    ("record", "x" + ".a" * 20_000 + " = 1\n"),
    ("presets", "a" + ".a" * 20_000 + " = 1\n"),
    ("record", "[[rounds]]\n" * 10_000),
    ("record", "".join("a" + ".a" * 1_000 + f".b{number} = 1\n" for number in range(200))),
    ("record", "a = " + "[" * 20_000 + "]" * 20_000),
    ("record", "a = " + "9" * 200_000),
    ("tiles", "r1 " * 60_000),
    ("tiles", "r" + "-" * 100_000 + "x"),
    ("meld", "r" + "*-" * 900 + "*"),
    ("meld", "run(" + "r1," * 600 + ")"),
    ("table", "(" * 100_000),
    ("table", "(r1" * 50_000),
    ("table", "run(" + " " * 100_000),
    ("position", "/" * 100_000),
    ("rules", "a=" * 100_000),
    ("rules", "timer=" + "9" * 100_000),
    ("action", "1 play " + "r1-2-3 from " * 20_000),
    ("action", "1 play " + "(" * 50_000),
    ("player", "plain:" + "a=b," * 50_000),
)
"""Inputs made to be slow or deep."""


# --- changing texts -------------------------------------------------------------------------

_PIECES: Final = (
    *("*", "-", ",", ";", "/", "(", ")", "->", "from", "run(", "set(", "=", "\n", " ", "\t", "#"),
    *('"', '"""', "'", "'''", "[", "]", "[[", "]]", "{", "}", ".", "\\", "\\u0041", "\r\n"),
    *("r", "y", "k", "b", "1", "13", "14", "0", "-1", "1e9", "0x1f", "nan", "inf", "true"),
    *("1979-05-27", "07:32:00", "99999999999999999999", "é", "K", "ſ", "٣", "²", "\x00", "\u2028"),
    *("[rules]", "[[rounds]]", "[[players]]", "format = 1", "timer = 60", "joker_level = 2"),
)


def changed(text: str, other: str, random: Random, most: int) -> str:
    """A text with a few changes at random; ``other`` lends pieces of its own."""
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        start = random.randint(0, len(text))
        end = min(len(text), start + random.choice((0, 1, 1, 2, 5, 20)))
        choice = random.randrange(6)
        if choice == 0:
            middle = ""
        elif choice == 1:
            middle = random.choice(_PIECES)
        elif choice == 2:
            middle = chr(random.choice((random.randrange(128), random.randrange(0xD800))))
        elif choice == 3:
            from_other = random.randint(0, len(other))
            middle = other[from_other : from_other + random.randint(1, 30)]
        elif choice == 4:
            piece = text[start:end] or random.choice(_PIECES)
            middle = piece * random.choice((2, 3, 10, most))
        else:
            lines = text.split("\n")
            random.shuffle(lines)
            text = "\n".join(lines)
            continue
        text = text[:start] + middle + text[end:]
        if len(text) > 200_000:
            break
    return text


def inputs(random: Random, most: int) -> Iterator[tuple[str, str]]:
    """Target and text, without end."""
    names = list(TARGETS)
    while True:
        name = random.choice(names)
        texts = TARGETS[name].texts
        yield name, changed(random.choice(texts), random.choice(texts), random, most)


def attempt(name: str, text: str) -> bool:
    """Gives a text to a parser; whether it was read. Anything but a typed error is raised."""
    try:
        TARGETS[name].parse(text)
    except GameError as error:
        str(error)
        repr(error)
        return False
    return True


# --- the command ----------------------------------------------------------------------------


class Findings:
    """What was found, each kind once."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()

    def note(self, name: str, text: str, error: BaseException) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        # A recursion ends anywhere, and a time-out too: the parser alone tells them apart.
        loose = isinstance(error, RecursionError | TooLongError)
        place = (
            "" if loose or not frames else f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"
        )
        kind = f"{name} {type(error).__name__} {place}"
        self.kinds[kind] += 1
        if self.kinds[kind] == 1:
            shown = text if len(text) < 400 else f"{text[:200]!s}… ({len(text)} characters)"
            print(f"FOUND {kind}: {str(error)[:200]!r}\n  input: {shown!r}", flush=True)


def _alarm(number: int, frame: FrameType | None) -> None:
    raise TooLongError(f"more than {LONGEST_SECONDS} s")


def timed(name: str, text: str, findings: Findings) -> bool:
    """One attempt with a limit; notes what is wrong."""
    signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS)
    try:
        return attempt(name, text)
    except Exception as error:
        signal.setitimer(signal.ITIMER_REAL, 0)
        findings.note(name, text, error)
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def by_changes(seconds: float, seed: int, findings: Findings) -> None:
    """Fuzzes by random changes for a time."""
    end = time.monotonic() + seconds
    tried: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for name, text in inputs(Random(seed), 2_000):
        if time.monotonic() > end:
            break
        tried[name] += 1
        read[name] += timed(name, text, findings)
    for name, count in sorted(tried.items()):
        print(f"{name}: {count} texts, {read[name]} of them valid")


def by_atheris(atheris: Any, seconds: int, findings: Findings) -> None:
    """Fuzzes with coverage for a time; does not return."""
    names = list(TARGETS)
    atheris.instrument_all()
    folder = Path(tempfile.mkdtemp(prefix="meldwise-fuzz-"))
    for place, name in enumerate(names):
        for number, text in enumerate(TARGETS[name].texts):
            (folder / f"{name}-{number}").write_bytes(bytes([place]) + text.encode())

    def one(data: bytes) -> None:
        if not data:
            return
        name = names[data[0] % len(names)]
        text = data[1:].decode("utf-8", "replace")
        start = time.perf_counter()
        try:
            attempt(name, text)
        except Exception as error:
            findings.note(name, text, error)
        if time.perf_counter() - start > LONGEST_SECONDS:
            findings.note(name, text, TooLongError(f"{time.perf_counter() - start:.1f} s"))

    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # The fuzzer has an alarm of its own.
    options = [
        f"-max_total_time={seconds}",
        "-max_len=8192",
        "-timeout=60",
        "-print_final_stats=1",
        f"-artifact_prefix={folder}/",
    ]
    atheris.Setup([sys.argv[0], *options, str(folder)], one)
    atheris.Fuzz()


def main() -> int:
    """Runs the fuzzing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=("auto", "atheris", "changes"), default="auto")
    options = parser.parse_args()
    findings = Findings()
    signal.signal(signal.SIGALRM, _alarm)
    for name, text in HEAVY:
        timed(name, text, findings)
    atheris = None
    if options.engine != "changes":
        try:
            atheris = importlib.import_module("atheris")
        except ImportError:
            if options.engine == "atheris":
                raise
    if atheris is not None:
        print("fuzzing with atheris")
        by_atheris(atheris, options.seconds, findings)
    else:
        print("fuzzing by changes of valid texts")
        by_changes(options.seconds, options.seed, findings)
    print(f"{len(findings.kinds)} kinds of findings")
    return 1 if findings.kinds else 0


if __name__ == "__main__":
    raise SystemExit(main())
