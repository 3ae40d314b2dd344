"""A real browser and a real server for each worker of the tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "src" / "meldwise" / "server" / "web" / "index.html"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

PHONE = (390, 844)
DESK = (1280, 800)


def find_chromium() -> str:
    """The browser's program; MELDWISE_CHROMIUM names another."""
    named = os.environ.get("MELDWISE_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        pytest.fail(
            "The browser tests need Chromium. On Debian: apt-get install chromium. "
            "Elsewhere set MELDWISE_CHROMIUM to its program.",
            pytrace=False,
        )
    return found


def chromium_flags() -> list[str]:
    """How the browser is started: nothing of its own on the network."""
    flags = [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")
    return flags


@dataclass
class Server:
    """A server in a process of its own, which can be stopped, killed and started again."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None
    options: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        limits = ["--guests-an-hour", "100000", "--requests-a-second", "10000"]
        limits += ["--requests-at-once", "100000", "--messages-a-second", "10000"]
        limits += ["--messages-at-once", "100000", "--workers", "1", "--log-level", "warning"]
        with (self.folder / "log.txt").open("ab") as log:
            command = [sys.executable, "-m", "meldwise", "serve", "--port", str(self.port)]
            command += ["--database", str(self.folder / "tables.sqlite3"), *limits, *self.options]
            self.process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
            )
        for _ in range(600):
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=2):
                    return
            except OSError:
                time.sleep(0.05)
        pytest.fail(f"The server did not start:\n{(self.folder / 'log.txt').read_text()}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not PAGE.is_file():
        pytest.fail("The web client is not built: run make web.", pytrace=False)
    running = start_server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test alone, which may stop it."""
    running = start_server(tmp_path)
    yield running
    running.stop()


def start_server(folder: Path) -> Server:
    """Starts a server that keeps its tables in a folder."""
    running = Server(folder, free_port())
    running.start()
    return running


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# For a module at a time: while it is there an event loop runs, beside which tests of the
# server in the same process could not run theirs.
@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = playwright.chromium.launch(executable_path=find_chromium(), args=chromium_flags())
    yield found
    found.close()


Person = Callable[..., Page]


@pytest.fixture
def person(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Makes a person: a page in a browser profile of its own that has seen nothing yet.

    MELDWISE_SCREENSHOTS names a folder for pictures of how each test ended.
    """
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def make(
        size: tuple[int, int] = DESK,
        touch: bool = False,
        scheme: str = "light",
        language: str = "en",
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=touch,
            is_mobile=touch,
            locale=language,
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(f"{error}"))
        page.on(
            "console",
            lambda said: (
                problems.append(said.text)
                if "Content Security Policy" in said.text or "Refused to" in said.text
                else None
            ),
        )
        return page

    yield make
    folder = os.environ.get("MELDWISE_SCREENSHOTS")
    for number, context in enumerate(contexts):
        for page in context.pages if folder else ():
            page.screenshot(path=f"{folder}/{request.node.name}-{number}.png")
        context.close()
    assert not problems, problems
