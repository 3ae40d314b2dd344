"""The commands that play nothing: games, rules, records, completion, and errors of all."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from meldwise.cli import store
from meldwise.cli.encoding import knows_shapes, speak_plainly
from meldwise.cli.exits import CliError
from meldwise.game.presets import BUILT_IN, Preset
from meldwise.game.rules import Rules
from tests.cli.conftest import Run


def test_help_and_version(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    for name in ("play", "watch", "record", "games", "rules", "completion"):
        assert name in result.stdout
    assert run("--version").stdout == "meldwise 0.1.0\n"


@pytest.mark.parametrize(
    "words",
    [
        ("play",),
        ("watch",),
        ("record",),
        ("record", "show"),
        ("record", "check"),
        ("record", "verify"),
        ("games",),
        ("games", "save"),
        ("games", "remove"),
        ("rules",),
    ],
)
def test_every_command_has_help_with_an_example(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words, "--help")
    assert result.exit_code == 0
    assert "  Examples:\n    meldwise " in result.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_MELDWISE_COMPLETE" in result.stdout


def test_completion_knows_commands_games_fields_and_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.shell_completion import BashComplete

    from meldwise.cli.app import cli

    def offers(*words: str) -> list[str]:
        complete = BashComplete(cli, {}, "meldwise", "_MELDWISE_COMPLETE")
        return [item.value for item in complete.get_completions(list(words[:-1]), words[-1])]

    assert offers("pl") == ["play"]
    assert offers("play", "--game", "ti") == ["tiles-50"]
    assert offers("rules", "--set", "joker_l") == ["joker_level="]
    assert offers("watch", "--level", "pl") == ["plain"]


def test_games_are_listed(run: Run) -> None:
    result = run("games")
    assert result.exit_code == 0
    for preset in BUILT_IN:
        assert preset.name in result.stdout
    data = json.loads(run("games", "--json").stdout)
    assert [game["name"] for game in data] == [preset.name for preset in BUILT_IN]
    assert data[4]["rules"]["opening_minimum"] == 50


def test_games_fit_a_narrow_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for words in (("games",), ("rules",), ("rules", "--fields")):
        assert max(map(len, run(*words).stdout.splitlines())) <= 40


def test_own_games_are_saved_found_and_removed(run: Run, data: Path) -> None:
    saved = run("games", "save", "friday", "--game", "50", "--set", "timer=60", "--title", "Friday")
    assert saved.exit_code == 0, saved.stderr
    assert (data / "games.toml").exists()
    assert "friday" in run("games").stdout
    rules = json.loads(run("rules", "--game", "Friday", "--json").stdout)
    assert (rules["game"], rules["rules"]["timer"]) == ("Friday", 60)
    assert run("games", "save", "friday").exit_code == 2
    assert run("games", "save", "friday", "--replace", "--set", "jokers=4").exit_code == 0
    assert run("games", "remove", "fridya").stderr.rstrip().endswith("Did you mean “friday”?")
    assert run("games", "remove", "friday").exit_code == 0
    assert run("rules", "--game", "friday").exit_code == 2


@pytest.mark.parametrize("name", ["Bad Name", "tiles-50", "rrr", "-x"])
def test_bad_names_of_own_games_are_refused(run: Run, name: str) -> None:
    result = run("games", "save", name)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


def test_a_broken_file_of_own_games_is_reported(run: Run, data: Path) -> None:
    data.mkdir()
    (data / "games.toml").write_text("[friday]\ntimer = 3\n", encoding="utf-8")
    result = run("games")
    assert result.exit_code == 3
    assert "games.toml: In the game friday: Time for a turn cannot be 3" in result.stderr


def test_games_of_other_distributions_are_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def plugged() -> list[tuple[str, Preset]]:
        return [("The plug-in “club”", Preset("club", "Club", Rules(opening_minimum=40)))]

    monkeypatch.setattr(store, "_plugged_in", plugged)
    assert "club" in run("games").stdout
    assert "40 points" in run("rules", "--game", "Club").stdout


def test_rules_are_told_and_given_as_data(run: Run) -> None:
    result = run("rules", "--game", "tiles-50", "--set", "timer=60")
    assert "at least 50" in result.stdout
    assert "60 seconds" in result.stdout
    data = json.loads(run("rules", "--json").stdout)
    assert data["joker_level"] == 3
    assert data["rules"]["hand_size"] == 14
    assert "opening_minimum=30" in run("rules", "--fields").stdout
    assert "timer" in json.loads(run("rules", "--fields", "--json").stdout)


def test_rules_come_from_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('game = "dutch"\ntimer = 30\njoker_level = "J1"\n', encoding="utf-8")
    data = json.loads(run("rules", "--rules-file", str(file), "--json").stdout)
    assert (data["rules"]["timer"], data["joker_level"]) == (30, 1)
    args = ("--rules-file", str(file), "--set", "timer=off", "--rounds", "3", "--json")
    data = json.loads(run("rules", *args).stdout)
    assert (data["rules"]["timer"], data["rules"]["match_length"]) == (None, 3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("timer = 3\n", "rules.toml:1: Time for a turn"),
        ("\nfoo = 3\n", "rules.toml:2: There is no rule named “foo”"),
        ("oops", "not valid TOML"),
        ("game = 3\n", "game must be the name"),
        ('game = "zzz"\n', "There is no game named “zzz”"),
        ("max_players = 6\n", "five or six players|Five or six players"),
    ],
)
def test_bad_rules_files_are_refused(run: Run, tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(text, encoding="utf-8")
    result = run("rules", "--rules-file", str(file))
    assert result.exit_code == 2
    assert any(part in result.stderr for part in reason.split("|"))
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("plya",), 2, "Did you mean “play”?"),
        (("zzz",), 2, "See: meldwise --help"),
        (("--zzz",), 2, "No such option"),
        (("rules", "--game", "tiles"), 2, "Did you mean “tiles-50”?"),
        (("rules", "--set", "timer"), 2, "FIELD=VALUE"),
        (("rules", "--set", "timre=60"), 2, "Did you mean “timer”?"),
        (("rules", "--set", "timer=5"), 2, "20 to 120"),
        (("rules", "--set", "timer=soon"), 2, "whole number"),
        (("rules", "--set", "direction=up"), 2, "clockwise"),
        (("rules", "--set", "joker_level=J7"), 2, "Joker level"),
        (("rules", "--set", "last_turns=maybe"), 2, "yes or no"),
        (("rules", "--set", "max_players=6"), 2, "large box"),
        (("rules", "--rounds", "0"), 2, "--rounds"),
        (("rules", "--rules-file", "/no/such.toml"), 3, "cannot be read"),
        (("play", "--players", "7"), 2, "--players"),
        (("play", "--players", "4", "--game", "world"), 2, "2 to 2 players"),
        (("play", "--level", "plane"), 2, "Did you mean “plain”?"),
        (("play", "--level", "plain:speed=3"), 2, "no option “speed”"),
        (("play", "--level", "plain", "--level", "plain"), 2, "2 --level for 1"),
        (("play", "--name", " "), 2, "1 to 30 characters"),
        (("play", "--my-seed", "x" * 201), 2, "200 bytes"),
        (("play", "--record", "/dev/null/x.toml"), 3, "cannot be written"),
        (("play", "--resume", "/no/such.toml"), 3, "cannot be read"),
        (("play", "--resume", "x.toml", "--game", "dutch"), 2, "--game does not go"),
        (("watch", "--matches", "0"), 2, "--matches"),
        (("watch", "--players", "5"), 2, "2 to 4 players"),
        (("watch", "--level", "zzz"), 2, "no computer player “zzz”"),
        (("record",), 2, "Usage|Missing command|Show, check"),
        (("record", "show"), 2, "FILE"),
        (("record", "check", "/no/such.toml"), 3, "cannot be read"),
        (("completion", "tcsh"), 2, "tcsh"),
        (("games", "remove", "zzz"), 2, "no game of your own"),
    ],
)
def test_bad_input_is_told_in_one_line(
    run: Run, words: tuple[str, ...], code: int, reason: str
) -> None:
    result = run(*words)
    assert result.exit_code == code, result.output
    assert any(part in result.stderr + result.stdout for part in reason.split("|")), result.stderr
    assert "Traceback" not in result.output
    if words != ("record",):
        assert result.stderr.count("\n") == 1, result.stderr


def test_errors_are_json_where_json_was_asked_for(run: Run) -> None:
    for words in (("rules", "--game", "tiles"), ("rules", "--set", "timer=5"), ("games", "--x")):
        result = run(*words, "--json")
        error = json.loads(result.stderr)["error"]
        assert error["message"]
        assert error["code"]
        assert result.stdout == ""


def test_an_error_of_its_own_shows_no_trace(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("meldwise.cli.games.load_games", broken)
    result = run("games")
    assert result.exit_code == 70
    assert "MELDWISE_DEBUG" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.fixture
def match(run: Run, tmp_path: Path) -> Path:
    result = run(
        "watch", "--seed", "a", "--records", str(tmp_path), "--rounds", "2", "--players", "3"
    )
    assert result.exit_code == 0, result.stderr
    return tmp_path / "match-0001.toml"


def test_a_good_record_is_shown_checked_and_verified(run: Run, match: Path) -> None:
    shown = run("record", "show", str(match))
    assert shown.exit_code == 0
    assert "opened with" in shown.stdout
    assert "The match is over" in shown.stdout
    second = run("record", "show", str(match), "--round", "2")
    assert "Round 2:" in second.stdout
    assert "Round 1:" not in second.stdout
    data = json.loads(run("record", "show", str(match), "--json").stdout)
    assert data["faults"] == []
    assert data["events"][0]["event"]["type"] == "ShuffleCommitted"
    assert run("record", "show", str(match), "--round", "9").exit_code == 2
    checked = run("record", "check", str(match))
    assert checked.exit_code == 0
    assert "good; 2 rounds" in checked.stdout
    assert json.loads(run("record", "check", str(match), "--json").stdout)["good"]
    verified = run("record", "verify", str(match))
    assert verified.exit_code == 0
    assert verified.stdout.count("the same") == 4
    assert json.loads(run("record", "verify", str(match), "--json").stdout)["good"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("format = 1", "format = 9", "unknown"),
        (" draw", " drew", "is not an action"),
        (" play ", " play r1-2-3-4-5-6-7-8-9-10-11-12-13 ", ""),
        ("scores = [", "scores = [1, ", "result"),
        ("-> ", "-> b1 b1 ", "other tiles"),
    ],
)
def test_faults_of_a_record_are_reported_with_their_lines(
    run: Run, match: Path, old: str, new: str, reason: str
) -> None:
    text = match.read_text(encoding="utf-8")
    assert old in text
    match.write_text(text.replace(old, new, 1), encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1
    result = run("record", "check", str(match))
    assert result.exit_code == 1
    assert reason in result.stdout
    if old != "scores = [":
        assert f"{match}:{line}: " in result.stdout
    data = json.loads(run("record", "check", str(match), "--json").stdout)
    assert not data["good"]
    assert data["faults"][0]["code"].startswith("record.")


def test_another_seed_does_not_verify(run: Run, match: Path) -> None:
    text = match.read_text(encoding="utf-8")
    at = text.index('server_seed = "') + len('server_seed = "')
    changed = text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]
    match.write_text(changed, encoding="utf-8")
    result = run("record", "verify", str(match))
    assert result.exit_code == 1
    assert "NOT the same" in result.stdout
    assert not json.loads(run("record", "verify", str(match), "--json").stdout)["good"]


def test_what_is_no_record_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text("nonsense", encoding="utf-8")
    assert run("record", "check", str(file)).exit_code == 1
    assert run("record", "show", str(file)).exit_code == 3
    assert run("record", "verify", str(file)).exit_code == 3
    file.write_bytes(b"\xff\xfe\x00")
    assert "not a text file" in run("record", "check", str(file)).stderr


def test_watch_sums_up(run: Run, tmp_path: Path) -> None:
    words = ("watch", "--seed", "b", "--matches", "2", "--rounds", "1")
    first = run(*words)
    assert first.exit_code == 0
    assert first.stdout.count("Match ") == 2
    assert "rounds a second" in first.stdout
    quiet = run(*words, "--quiet")
    assert "Match " not in quiet.stdout
    data = json.loads(run(*words, "--json").stdout)
    assert (data["matches"], data["rounds"], data["seed"]) == (2, 2, "b")
    assert sum(player["rounds_won"] for player in data["players"]) == 2
    folder = tmp_path / "games"
    assert run(*words, "--records", str(folder)).exit_code == 0
    one = (folder / "match-0001.toml").read_text(encoding="utf-8")
    assert run(*words, "--records", str(folder)).exit_code == 3
    other = tmp_path / "again"
    run(*words, "--records", str(other))
    assert (other / "match-0001.toml").read_text(encoding="utf-8") == one


def test_writing_is_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.toml"
    store.write_text(file, "one")

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CliError, match="No space left"):
        store.write_text(file, "two")
    assert file.read_text(encoding="utf-8") == "one"
    assert list(tmp_path.iterdir()) == [file]


def test_help_does_not_load_the_game() -> None:
    code = (
        "import sys\n"
        "from meldwise.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted(n for n in sys.modules if n.startswith(('meldwise.', 'rich'))))"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    modules = output.stdout.splitlines()[-1]
    assert "meldwise.game" not in modules
    assert "meldwise.players" not in modules
    assert "rich" not in modules


def test_python_m_meldwise_is_the_same() -> None:
    words = [sys.executable, "-m", "meldwise", "--version"]
    output = subprocess.run(words, capture_output=True, text=True, check=True)
    assert output.stdout == "meldwise 0.1.0\n"


def test_nobody_reads_the_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("meldwise.cli.games.load_games", broken)
    result = run("games")
    assert (result.exit_code, result.stderr) == (141, "")


def test_plug_ins_are_loaded_by_their_entry_points(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Entry:
        name = "club"

        def __init__(self, value: object) -> None:
            self.value = value

        def load(self) -> object:
            if isinstance(self.value, Exception):
                raise self.value
            return self.value

    found: list[Entry] = [Entry(Preset("club", "Club", Rules(opening_minimum=40)))]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: found)
    assert "club" in run("games").stdout
    for value in (ImportError("no such module"), Rules(), Preset("rrr", "Rrr", Rules())):
        found[:] = [Entry(value)]
        result = run("games")
        assert result.exit_code == 3
        assert "The plug-in “club”" in result.stderr


def test_an_encoding_that_lacks_signs_gets_plain_ones() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    assert not knows_shapes(stream)
    speak_plainly(stream)
    stream.write("“a” · é …")
    stream.flush()
    assert raw.getvalue() == b'"a" - ? ...'
    assert knows_shapes(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))


def test_doctor_says_which_kernel_runs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from meldwise.solver import kernel_info

    info = kernel_info()
    result = run("doctor")
    assert result.exit_code == 0
    assert ("the kernel is compiled" in result.output) is info.compiled
    data = json.loads(run("doctor", "--json").output)
    assert data["kernel"] == {"compiled": info.compiled, "reason": info.reason}
    assert "plain" in data["players"]
    assert "rrrummy" in data["games"]


def test_games_in_which_one_must_play_go_on_to_the_end(run: Run, tmp_path: Path) -> None:
    for must in ("always", "stock_empty"):
        words = ["watch", "--game", "dutch", "--set", f"must_play={must}", "--rounds", "1"]
        words += ["--matches", "2", "--seed", must, "--quiet", "--records", str(tmp_path / must)]
        assert run(*words).exit_code == 0
        for path in sorted((tmp_path / must).glob("*.toml")):
            checked = run("record", "check", str(path))
            assert checked.exit_code == 0, checked.output
