"""Pictures of every screen, by day and by night, at four sizes, from a real server.

    python -m scripts.screenshots [--out build/screenshots] [--only replay,room] [--size 390x844]

Needs the built web client and Chromium, like the browser tests. The pictures are written as
`<size>/<light or dark>/<screen>.png`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.conftest import Server, chromium_flags, find_chromium, start_server

ROOT = Path(__file__).resolve().parents[1]
SIZES = ((390, 844), (844, 390), (1280, 800), (2560, 1440))
SCHEMES = ("light", "dark")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "screenshots")
    parser.add_argument("--only", default="", help="screens, apart by commas")
    parser.add_argument("--size", default="", help="one size, such as 390x844")
    parser.add_argument("--language", default="en")
    arguments = parser.parse_args()
    wanted = [name for name in arguments.only.split(",") if name]
    unknown = set(wanted) - set(SCREENS)
    if unknown:
        parser.error(
            f"no such screen: {', '.join(sorted(unknown))}; there are {', '.join(SCREENS)}"
        )
    sizes = [size for size in SIZES if arguments.size in ("", f"{size[0]}x{size[1]}")]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = start_server(Path(folder))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=chromium_flags())
        try:
            world = prepare(browser, server)
            for size in sizes:
                for scheme in SCHEMES:
                    target = arguments.out / f"{size[0]}x{size[1]}" / scheme
                    target.mkdir(parents=True, exist_ok=True)
                    with visitor(browser, world, size, scheme, arguments.language) as context:
                        for name in wanted or SCREENS:
                            take(context, world, name, target / f"{name}.png")
        finally:
            browser.close()
            server.stop()
    return 0


@dataclass
class World:
    """What there is to see: tables at each stage, and the cookies of who plays at them."""

    url: str
    cookies: list[Any]
    code: str
    room: str
    table: str
    device: str
    over: str


def prepare(browser: Browser, server: Server) -> World:
    """Makes the tables that the screens show."""
    with person(browser, server.url, "Wren") as wren, person(browser, server.url, "Alba") as alba:
        url, me, anybody = server.url, {"type": "mine"}, {"type": "open"}
        create(wren, url, [me, anybody], title="Friday evening", private=False)
        create(wren, url, [me, *computers(1), anybody], game="tiles-50", private=False)
        seats = [me, anybody, anybody, *computers(1)]
        room = create(alba, url, seats, title="Sunday with the family")
        command(wren, url, room["id"], {"type": "sit", "seat": 1})
        table = create(alba, url, [me, *computers(2)], start=True)
        play_on(alba, url, table["id"], 14)
        seats = [{"type": "mine", "name": name} for name in ("Alba", "Robin", "Sage")]
        device = create(alba, url, seats, start=True)
        play_on(alba, url, device["id"], 4)
        rules = {"match_length": 3, "hand_size": 10}
        over = create(alba, url, [me, *computers(3)], start=True, rules=rules)
        play_on(alba, url, over["id"])
        return World(
            url=server.url,
            cookies=alba.cookies(),
            code=room["code"],
            room=room["id"],
            table=table["id"],
            device=device["id"],
            over=over["id"],
        )


@contextmanager
def person(browser: Browser, url: str, name: str) -> Iterator[BrowserContext]:
    """Somebody signed in, without a screen."""
    context = browser.new_context(base_url=url)
    answer = context.request.post(f"{url}/api/v1/session", data={"name": name})
    assert answer.ok, answer.text()
    yield context
    context.close()


@contextmanager
def visitor(
    browser: Browser, world: World, size: tuple[int, int], scheme: str, language: str
) -> Iterator[BrowserContext]:
    """Alba, at a screen of a size."""
    small = min(size) < 500
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        has_touch=small,
        is_mobile=small,
        device_scale_factor=2 if small else 1,
        color_scheme="dark" if scheme == "dark" else "light",
        locale=language,
        service_workers="block",
    )
    context.add_cookies(world.cookies)
    context.add_init_script("localStorage['meldwise.settings'] ??= JSON.stringify({name: 'Alba'})")
    yield context
    context.close()


def computers(count: int) -> list[dict[str, str]]:
    return [{"type": "computer", "player": "plain"}] * count


def create(
    who: BrowserContext, url: str, seats: list[dict[str, str]], start: bool = False, **settings: Any
) -> dict[str, str]:
    """A table; its id and its code."""
    body = {
        "id": f"picture-{time.time_ns()}",
        "seats": seats,
        "start": start,
        "settings": {"game": "rrrummy", "pace": "none", **settings},
    }
    answer = who.request.post(f"{url}/api/v1/tables", data=body)
    assert answer.ok, answer.text()
    page = answer.json()
    return {"id": page["table"]["id"], "code": page["code"] or ""}


def state(who: BrowserContext, url: str, table: str) -> dict[str, Any]:
    answer = who.request.get(f"{url}/api/v1/tables/{table}/state")
    assert answer.ok, answer.text()
    found: dict[str, Any] = answer.json()["state"]
    return found


def command(who: BrowserContext, url: str, table: str, body: dict[str, Any]) -> dict[str, Any]:
    full = {"id": f"picture-{time.time_ns()}", "seen": 0, **body}
    answer = who.request.post(f"{url}/api/v1/tables/{table}/commands", data=full)
    found: dict[str, Any] = answer.json()
    return found


def play_on(who: BrowserContext, url: str, table: str, turns: int | None = None) -> None:
    """Plays turns of the own seats, or to the end: a best play of the hint's, or a draw."""
    # A round begins for people who are there.
    there = who.new_page()
    there.goto(f"{url}/#/table/{table}")
    there.locator("main").first.wait_for()
    done = 0
    until = time.monotonic() + 90
    while turns is None or done < turns:
        if time.monotonic() > until:
            raise TimeoutError(f"table {table} does not go on")
        now = state(who, url, table)
        match, mine = now["match"], now["mine"]
        if now["status"] == "over":
            break
        if match is None or match["round"] is None or match["round"]["over"]:
            for seat in mine:
                command(who, url, table, {"type": "be_ready", "seat": seat, "seen": now["seq"]})
        elif match["round"]["seat"] in mine:
            seat = match["round"]["seat"]
            hint = command(who, url, table, {"type": "hint", "seat": seat, "what": "play"})
            after = hint.get("table") or []
            melds = [{"kind": one["kind"], "tiles": one["tiles"]} for one in after]
            # A hand that goes out would leave nothing to see.
            goes_out = len(hint.get("played") or []) == now["seats"][seat]["tiles"]
            plays = melds and not (goes_out and turns is not None)
            body: dict[str, Any] = {"type": "play", "melds": melds} if plays else {"type": "draw"}
            if not plays and match["round"]["stock"] == 0:
                body = {"type": "pass"}
            command(who, url, table, {**body, "seat": seat, "seen": now["seq"]})
            done += 1
        time.sleep(0.05)
    there.close()


# --- the screens ----------------------------------------------------------------


def _rules_of_setup(page: Page) -> None:
    page.locator("details summary").nth(4).click()
    page.locator("details[open]").scroll_into_view_if_needed()
    page.mouse.wheel(0, 160)


def _settings(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()


def _lift(page: Page) -> None:
    page.wait_for_timeout(900)
    page.locator("[data-curtain] button").click()


SCREENS: dict[str, tuple[str, Callable[[Page], Any] | None]] = {
    "start": ("", None),
    "settings": ("", _settings),
    "setup": ("setup/friends", None),
    "setup-alone": ("setup/alone", None),
    "setup-device": ("setup/device", None),
    "setup-rules": ("setup/friends", _rules_of_setup),
    "lobby": ("lobby", None),
    "join": ("join/{code}", None),
    "room": ("room/{room}", None),
    "table": ("table/{table}", None),
    "curtain": ("table/{device}", None),
    "device": ("table/{device}", _lift),
    "result": ("table/{over}", None),
    "replay": ("replay/{over}?at=60", None),
    "replay-open": ("replay", None),
    "tutorial": ("tutorial/4", None),
    "rules": ("rules/tiles-50", None),
}


# What is there when a screen that fetches something has it.
READY = {"replay": ".scene", "result": "dialog[open]", "table": ".hand .tile"}


def take(context: BrowserContext, world: World, name: str, target: Path) -> None:
    """Opens a screen anew and takes its picture."""
    path, then = SCREENS[name]
    page = context.new_page()
    if name == "join":
        # Only somebody without a name is asked for one.
        page.add_init_script("localStorage['meldwise.settings'] = '{}'")
    page.goto(f"{world.url}/#/{path.format(**vars(world))}")
    page.locator("main").first.wait_for()
    page.locator(READY.get(name, "main")).first.wait_for()
    page.wait_for_timeout(900)
    if then is not None:
        then(page)
        page.wait_for_timeout(700)
    page.evaluate("document.fonts.ready")
    page.screenshot(path=target)
    page.close()


if __name__ == "__main__":
    sys.exit(main())
