"""Settings: where they come from, what they refuse, and what the page says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from meldwise.game.codes import Code
from meldwise.server.addresses import addresses_of
from meldwise.server.config import Settings, load_settings, setting_help
from meldwise.server.errors import ServerError
from meldwise.server.store.database import database_url, is_sqlite
from scripts.settings_page import PAGE, page


def test_page_is_up_to_date() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "run python -m scripts.settings_page"


def test_flags_then_environment_then_file(tmp_path: Path) -> None:
    file = tmp_path / "meldwise.toml"
    file.write_text('host = "h.file"\nport = 1\nworkers = 3\naway_after = 2\n', encoding="utf-8")
    environment = {"MELDWISE_CONFIG": str(file), "MELDWISE_PORT": "2", "MELDWISE_METRICS": "no"}
    found = load_settings({"port": None, "log_level": "error"}, environment)
    assert (found.host, found.port, found.workers) == ("h.file", 2, 3)
    assert (found.away_after, found.metrics, found.log_level) == (2.0, False, "error")
    assert load_settings({"port": 9}, environment).port == 9
    assert load_settings({}, {}) == Settings()


@pytest.mark.parametrize(
    ("environment", "field"),
    [
        ({"MELDWISE_PORT": "many"}, "port"),
        ({"MELDWISE_PORT": "70000"}, "port"),
        ({"MELDWISE_AWAY_AFTER": "soon"}, "away_after"),
        ({"MELDWISE_METRICS": "perhaps"}, "metrics"),
        ({"MELDWISE_LOG_LEVEL": "loud"}, "log_level"),
    ],
)
def test_bad_values_are_named(environment: dict[str, str], field: str) -> None:
    with pytest.raises(ServerError) as caught:
        load_settings({}, environment)
    assert caught.value.code is Code.SERVER_SETTING
    assert caught.value.fields["field"] == field


@pytest.mark.parametrize("text", ["colour = 1", "port = 'x'", "port = true", "no toml"])
def test_bad_files(tmp_path: Path, text: str) -> None:
    file = tmp_path / "meldwise.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ServerError) as caught:
        load_settings({}, {}, file)
    assert caught.value.code is Code.SERVER_SETTING


def test_every_setting_has_a_help() -> None:
    for name, text, _, _ in setting_help():
        assert text, name
        assert not text.endswith("."), name


@pytest.mark.parametrize(
    ("given", "driver", "database"),
    [
        ("/x/y.sqlite3", "sqlite+aiosqlite", "/x/y.sqlite3"),
        ("sqlite:////x/y.sqlite3", "sqlite+aiosqlite", "/x/y.sqlite3"),
        ("postgresql://u:p@h/n", "postgresql+asyncpg", "n"),
        ("postgres://h/n", "postgresql+asyncpg", "n"),
    ],
)
def test_addresses_of_databases(given: str, driver: str, database: str) -> None:
    url = database_url(given)
    assert (url.drivername, url.database) == (driver, database)
    assert is_sqlite(url) == driver.startswith("sqlite")


def test_other_databases_are_refused_without_their_password() -> None:
    with pytest.raises(ServerError) as caught:
        database_url("mysql://root:hunter2@h/n")
    assert caught.value.code is Code.SERVER_SETTING
    assert "hunter2" not in str(caught.value)


def test_printed_addresses() -> None:
    only: dict[str, Any] = {"port": 8000}
    assert addresses_of(Settings(**only)) == ["http://127.0.0.1:8000/"]
    assert addresses_of(Settings(host="::1", **only)) == ["http://[::1]:8000/"]
    everywhere = addresses_of(Settings(host="0.0.0.0", **only))
    assert everywhere[0] == "http://127.0.0.1:8000/"
    assert not [address for address in everywhere[1:] if "127." in address]
    named = Settings(public_url="https://play.example", **only)
    assert addresses_of(named)[-1] == "https://play.example/"
    assert named.https
