"""A newer build while a page is open: the page says so, and changes as a whole."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.browser.conftest import PAGE, Person


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """The built client alone, in a folder that a test may change; and its address."""
    folder = tmp_path / "web"
    shutil.copytree(PAGE.parent, folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def build_anew(folder: Path) -> None:
    """What another build changes: the page, the worker's version, and every file's name."""
    names = {
        file.name: re.sub(r"-([\w-]{8})\.", r"-new\1.", file.name)
        for file in (folder / "assets").iterdir()
    }
    for file in [*folder.glob("*.html"), *folder.glob("*.js"), *(folder / "assets").iterdir()]:
        if file.suffix in (".html", ".js", ".css"):
            text = file.read_text(encoding="utf-8")
            for old, new in names.items():
                text = text.replace(old, new)
            if file.name == "sw.js":
                text, count = re.subn(r"[\"'`][0-9a-f]{12}[\"'`]", '"anotherbuild"', text)
                assert count
            text = text.replace("Meldwise</title>", "Meldwise two</title>")
            file.write_text(text, encoding="utf-8")
        if file.parent.name == "assets" and names[file.name] != file.name:
            file.rename(file.with_name(names[file.name]))


def test_a_new_build_is_announced_and_taken_whole(site: tuple[Path, str], person: Person) -> None:
    folder, url = site
    page = person()
    page.goto(url)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    scripts = "[...document.scripts].map(one => one.src).join()"
    assert "-new" not in page.evaluate(scripts)
    build_anew(folder)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator(".toast", has_text="There is a new version.").wait_for()
    # The open page goes on with its own files, of which the server has none any more.
    assert "-new" not in page.evaluate(scripts)
    old = page.evaluate("document.querySelector('script[src]').src")
    assert page.request.get(old).status == 404
    assert page.evaluate("address => fetch(address).then(answer => answer.status)", old) == 200
    with page.expect_event("load"):
        page.get_by_role("button", name="With friends").click()
    page.get_by_role("heading", level=1).wait_for()
    fetched = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    ours = [name for name in fetched if re.search(r"/assets/.*\.(js|css)$", name)]
    assert ours
    assert all("-new" in name for name in ours), ours
