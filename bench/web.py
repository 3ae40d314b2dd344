"""The web client: size of its script, time to the first table, and frames while dragging.

    python bench/web.py

Frames are counted in a headless browser that draws by processor alone, so that they are
compared with those of the same page when nothing is dragged, in the same run.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, Response, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from meldwise.game.presets import BUILT_IN
from tests.browser.conftest import PAGE, Server, find_chromium, free_port
from tests.browser.staged import Staged

FULL = (
    "r1-2-3-4-5 7rbky 11ykb k9-10-11-12-13 b1-2-3 y3-4-5-6 5rkb 13ryb r8-9-10-11 b5-6-7 k1-2-3 "
    "2rky y8-9-10 b10-11-12 3rkb 12rky r6-7-8 8ykb 1ryb 9ryk 6bky y11-12-13 4bkr 10rbk k6-7-8 "
    "13rkb 4yk* 12bk* 11rb7"
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
RECORD = """() => {
    window.frames_ = [];
    let last = performance.now();
    const step = now => {
        window.frames_.push(now - last);
        last = now;
        window.frame_ = requestAnimationFrame(step);
    };
    window.frame_ = requestAnimationFrame(step);
}"""
STOP = "() => { cancelAnimationFrame(window.frame_); return window.frames_.slice(5); }"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), free_port())
        server.start()
        try:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            try:
                first_table(browser, server)
                for size in ((1280, 800), (390, 844)):
                    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
                    frames(page, server, size)
            finally:
                browser.close()
        finally:
            server.stop()


def first_table(browser: Browser, server: Server) -> None:
    """From the first visit to a table with the hand on it, and the script that this takes."""
    times = []
    scripts: dict[str, set[str]] = {}
    for language in ("en", "en", "en", "en", "en", "fr", "ca", "nl"):
        page = browser.new_page(locale=language)
        fetched = scripts.setdefault(language, set())
        page.on("response", partial(_note_script, fetched))
        begun = time.perf_counter()
        page.goto(server.url)
        page.locator("[data-action=play]").wait_for()
        shown = time.perf_counter()
        page.locator("[data-action=play]").click()
        page.locator(".hand .tile").first.wait_for()
        times.append((shown - begun, time.perf_counter() - shown))
        page.close()
    packed = {
        file.name: len(gzip.compress(file.read_bytes(), 9)) for file in PAGE.parent.rglob("*.js")
    }
    for name in sorted(set().union(*scripts.values()), key=packed.__getitem__, reverse=True):
        print(f"  {packed[name] / 1000:5.1f} kB {name}")
    for language, names in scripts.items():
        total = sum(packed[name] for name in names) / 1000
        print(f"script of start and table, {language}: {total:.1f} kB compressed (at most 80)")
    start, table = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"start screen after {start * 1000:.0f} ms, table after {table * 1000:.0f} ms more")
    print(f"first table {'within' if start + table < 1 else 'NOT within'} a second")


def _note_script(fetched: set[str], answer: Response) -> None:
    name = answer.url.rsplit("/", 1)[1]
    if name.endswith(".js") and name != "sw.js":
        fetched.add(name)


def frames(page: Page, server: Server, size: tuple[int, int]) -> None:
    """The times between frames, at rest and while a tile is dragged over a full table."""
    melds = " ".join(word for word in FULL.split() if word != "11rb7")
    staged = Staged(page, f"{melds} / r12 r13 b8 b9 b13 y1 y2", BUILT_IN[0].rules)
    staged.open(server.url)
    page.locator(".meld").first.wait_for()
    tiles = page.locator(".tile").count()
    page.wait_for_timeout(500)
    page.evaluate(RECORD)
    page.wait_for_timeout(2000)
    rest = page.evaluate(STOP)
    box = page.locator(".hand .tile").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 15, box["y"] + 15)
    page.mouse.down()
    page.evaluate(RECORD)
    began = time.perf_counter()
    place = 0
    while time.perf_counter() - began < 4:
        place += 1
        page.mouse.move(size[0] * (0.1 + 0.8 * (place % 50) / 50), 90 + place * 7 % (size[1] - 300))
    dragging = page.evaluate(STOP)
    page.mouse.up()
    print(
        f"{size[0]} x {size[1]}, {tiles} tiles: at rest {_told(rest)}; dragging {_told(dragging)}; "
        f"ratio of the medians {statistics.median(dragging) / statistics.median(rest):.2f}"
    )


def _told(times: list[float]) -> str:
    late = sum(time > 25 for time in times) / len(times)
    return f"median {statistics.median(times):.1f} ms, {late:.1%} of {len(times)} over 25 ms"


if __name__ == "__main__":
    main()
