"""The settings of the server: one value, from flags, the environment and a file.

Flags come before the environment (``MELDWISE_PORT``, …), the environment before the file,
the file before the defaults.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from meldwise.game import toml
from meldwise.game.codes import Code
from meldwise.server.errors import ServerError

__all__ = ["PREFIX", "Settings", "default_database", "load_settings", "setting_help"]

PREFIX: Final = "MELDWISE_"
"""What the names of environment variables begin with."""


def default_database() -> str:
    """The file of SQLite in the user's data folder."""
    import platformdirs

    return str(Path(platformdirs.user_data_dir("meldwise", appauthor=False)) / "server.sqlite3")


def _option(text: str, default: Any, **metadata: Any) -> Any:
    if callable(default):
        return field(default_factory=default, metadata={"help": text, **metadata})
    return field(default=default, metadata={"help": text, **metadata})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; each field's help is what ``meldwise serve --help`` says.

    Raises:
        ServerError: on a value of the wrong kind or out of range.
    """

    host: str = _option("the address to listen at; 0.0.0.0 for a home network", "127.0.0.1")
    port: int = _option("the port to listen at", 8765, low=0, high=65535)
    database: str = _option(
        "a file of SQLite, or postgresql://user@host/name for many processes", default_database
    )
    public_url: str = _option(
        "the address that people use, if a proxy stands before the server", ""
    )
    trusted_proxies: str = _option(
        "addresses of proxies whose X-Forwarded-For is believed, apart by commas", ""
    )
    workers: int = _option(
        "processes in which computer players and hints think; 0 for none",
        lambda: max(1, (os.cpu_count() or 2) - 1),
        low=0,
        high=64,
    )
    computers: str = _option(
        "text names of the computer players on offer, apart by spaces, if not the usual ones", ""
    )
    sitter: str = _option("the computer player that sits in for people, if not the usual one", "")
    away_after: float = _option(
        "seconds without a connection after which a person is away", 3.0, low=0, high=60
    )
    most_tables: int = _option("unfinished tables of one guest", 50, low=1, high=100_000)
    most_connections: int = _option("connections of one guest", 20, low=1, high=10_000)
    requests_a_second: float = _option(
        "requests of one client in the long run", 20.0, low=0.1, high=1e6
    )
    requests_at_once: int = _option("requests of one client in a burst", 120, low=1, high=10**6)
    messages_a_second: float = _option(
        "messages of one connection in the long run", 30.0, low=0.1, high=1e6
    )
    messages_at_once: int = _option("messages of one connection in a burst", 120, low=1, high=10**6)
    guests_an_hour: int = _option("new guests from one address an hour", 120, low=1, high=10**7)
    largest_body: int = _option(
        "bytes of a request, but for an uploaded record", 65_536, low=1_024, high=10**8
    )
    largest_record: int = _option("bytes of an uploaded record", 2_000_000, low=1_024, high=10**8)
    largest_message: int = _option("bytes of a message", 32_768, low=1_024, high=10**7)
    metrics: bool = _option("whether /metrics is answered", True)
    log_level: str = _option(
        "debug, info, warning or error", "info", allowed=("debug", "info", "warning", "error")
    )
    log_format: str = _option(
        "text for people, json for programs", "text", allowed=("text", "json")
    )

    def __post_init__(self) -> None:
        for spec in fields(self):
            _check(spec, getattr(self, spec.name))

    @property
    def https(self) -> bool:
        """Whether people come by https."""
        return self.public_url.startswith("https://")


def setting_help() -> tuple[tuple[str, str, object, type], ...]:
    """The name, the help, the default and the kind of each setting, in order."""
    kinds = {"str": str, "int": int, "float": float, "bool": bool}
    found = []
    for spec in fields(Settings):
        default = None if spec.default is dataclasses.MISSING else spec.default
        found.append((spec.name, spec.metadata["help"], default, kinds[str(spec.type)]))
    return tuple(found)


def load_settings(
    flags: Mapping[str, object],
    environment: Mapping[str, str],
    file: Path | None = None,
) -> Settings:
    """The settings from flags, the environment and a TOML file.

    Args:
        flags: what was given on the command line; None for what was not.
        environment: the environment.
        file: a file of settings; None for the one that ``MELDWISE_CONFIG`` names, or none.

    Raises:
        ServerError: naming the setting that is unknown or has a bad value.
        OSError: if the file cannot be read.
    """
    known = {spec.name: spec for spec in fields(Settings)}
    values: dict[str, Any] = {}
    if file is None and (named := environment.get(f"{PREFIX}CONFIG")):
        file = Path(named)
    if file is not None:
        values |= _from_file(file, known)
    for name, spec in known.items():
        text = environment.get(f"{PREFIX}{name.upper()}")
        if text is not None:
            values[name] = _parse(spec, text)
    values |= {name: value for name, value in flags.items() if value is not None}
    return Settings(**values)


def _from_file(file: Path, known: Mapping[str, dataclasses.Field[Any]]) -> dict[str, Any]:
    try:
        data = toml.read(file.read_text(encoding="utf-8"))
    except (toml.TomlError, UnicodeDecodeError) as error:
        raise ServerError(
            Code.SERVER_SETTING, field="config", value=str(file), allowed=f"TOML ({error})"
        ) from None
    for name, value in data.items():
        if name not in known:
            raise ServerError(
                Code.SERVER_SETTING, field=name, value=value, allowed="only known settings"
            )
        if known[name].type == "float" and type(value) is int:
            data[name] = float(value)
    return data


def _parse(spec: dataclasses.Field[Any], text: str) -> object:
    try:
        if spec.type == "int":
            return int(text)
        if spec.type == "float":
            return float(text)
    except ValueError:
        _refuse(spec, text, "a number")
    if spec.type == "bool":
        plain = text.strip().lower()
        if plain in ("1", "yes", "true", "on"):
            return True
        if plain in ("0", "no", "false", "off"):
            return False
        _refuse(spec, text, "yes, no")
    return text


def _check(spec: dataclasses.Field[Any], value: object) -> None:
    kinds: dict[str, tuple[type, ...]] = {
        "str": (str,),
        "int": (int,),
        "float": (float, int),
        "bool": (bool,),
    }
    kind = str(spec.type)
    if not isinstance(value, kinds[kind]) or (kind != "bool" and isinstance(value, bool)):
        names = {"str": "a text", "int": "a whole number", "float": "a number", "bool": "yes, no"}
        _refuse(spec, value, names[kind])
    low, high = spec.metadata.get("low"), spec.metadata.get("high")
    ranged = isinstance(value, int | float) and low is not None and high is not None
    if ranged and not low <= value <= high:  # type: ignore[operator]
        _refuse(spec, value, f"{low} to {high}")
    allowed = spec.metadata.get("allowed")
    if allowed is not None and value not in allowed:
        _refuse(spec, value, ", ".join(allowed))


def _refuse(spec: dataclasses.Field[Any], value: object, allowed: str) -> None:
    raise ServerError(Code.SERVER_SETTING, field=spec.name, value=value, allowed=allowed)
