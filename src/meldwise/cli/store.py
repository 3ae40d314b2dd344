"""The user's own files: saved games, the last answers, records; and writing them safely."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meldwise.cli.exits import CliError, Exit

if TYPE_CHECKING:
    from meldwise.game.presets import Preset, Registry

__all__ = [
    "data_folder",
    "games_file",
    "load_answers",
    "load_games",
    "own_games",
    "read_text",
    "save_answers",
    "save_own_games",
    "write_text",
]

PRESET_ENTRY_POINTS = "meldwise.presets"
"""The group in which other distributions name their games; each entry is a ``Preset``."""


def data_folder() -> Path:
    """The folder for the user's own files; ``MELDWISE_DATA`` names another."""
    if own := os.environ.get("MELDWISE_DATA"):
        return Path(own)
    from platformdirs import user_data_path

    return user_data_path("meldwise", appauthor=False)


def games_file() -> Path:
    """The file with the user's own games."""
    return data_folder() / "games.toml"


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        CliError: if it cannot be read, or is not text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CliError(f"{path} is not a text file.", Exit.FILE, key="file") from None
    except OSError as error:
        raise CliError(
            f"{path} cannot be read: {error.strerror or error}.", Exit.FILE, key="file"
        ) from None


def write_text(path: Path, text: str) -> None:
    """Writes a file whole or not at all: beside it first, then in its place.

    Raises:
        CliError: if it cannot be written.
    """
    scratch: str | None = None
    try:
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with open(handle, "w", encoding="utf-8") as file:  # noqa: PTH123 - a descriptor
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(scratch).chmod(_mode_for(path))
        Path(scratch).replace(path)
    except OSError as error:
        raise CliError(
            f"{path} cannot be written: {error.strerror or error}.", Exit.FILE, key="file"
        ) from None
    finally:
        if scratch is not None:
            with contextlib.suppress(OSError):
                Path(scratch).unlink()


def _mode_for(path: Path) -> int:
    """The mode of the file that is replaced, or that of a new file."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def own_games() -> tuple[Preset, ...]:
    """The games that the user has saved.

    Raises:
        CliError: if their file cannot be read.
    """
    path = games_file()
    if not path.exists():
        return ()
    from meldwise.game.errors import RulesError
    from meldwise.game.presets import parse_presets
    from meldwise.i18n import explain_error

    try:
        return parse_presets(read_text(path))
    except RulesError as error:
        raise CliError(f"{path}: {explain_error(error)}", Exit.FILE, key=str(error.code)) from None


def save_own_games(presets: tuple[Preset, ...]) -> None:
    """Writes the user's games.

    Raises:
        CliError: if the file cannot be written.
    """
    from meldwise.game.presets import format_presets

    write_text(games_file(), format_presets(presets))


def load_games() -> Registry:
    """All games: the built-in ones, those of other distributions, and the user's own.

    Raises:
        CliError: if the user's file cannot be read, or a game is broken or named twice.
    """
    from meldwise.game.errors import RulesError
    from meldwise.game.presets import Registry
    from meldwise.i18n import explain_error

    games = Registry()
    for source, preset in (*_plugged_in(), *((str(games_file()), own) for own in own_games())):
        try:
            games.register(preset)
        except RulesError as error:
            raise CliError(
                f"{source}: {explain_error(error)}", Exit.FILE, key=str(error.code)
            ) from None
    return games


def _plugged_in() -> Iterator[tuple[str, Preset]]:
    from importlib.metadata import entry_points

    from meldwise.game.presets import Preset

    for entry in entry_points(group=PRESET_ENTRY_POINTS):
        source = f"The plug-in “{entry.name}”"
        try:
            preset = entry.load()
        except Exception as error:
            raise CliError(f"{source} cannot be loaded: {error}.", Exit.FILE) from error
        if not isinstance(preset, Preset):
            raise CliError(f"{source} is not a game: it must be a Preset.", Exit.FILE)
        yield source, preset


def load_answers() -> dict[str, Any]:
    """What the user answered last time; empty if nothing is known."""
    import json

    try:
        data = json.loads((data_folder() / "answers.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def save_answers(answers: dict[str, Any]) -> None:
    """Remembers the answers for next time; that it cannot is no reason to stop."""
    import json

    with contextlib.suppress(CliError):
        known = load_answers() | answers
        write_text(data_folder() / "answers.json", json.dumps(known, indent=2) + "\n")
