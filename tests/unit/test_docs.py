"""What the pages say is true: their examples run, and the list of codes is whole."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from scripts.error_page import PAGE, page

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_examples_of_the_pages(path: Path) -> None:
    failed, _ = doctest.testfile(str(path), module_relative=False)
    assert failed == 0


def test_examples_are_found() -> None:
    examples = [doctest.DocTestParser().get_examples(path.read_text("utf-8")) for path in PAGES]
    assert sum(map(len, examples)) >= 5


def test_page_of_codes_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    targets = [part.partition(")")[0] for part in text.split("](")[1:]]
    for target in targets:
        if "://" not in target:
            assert (path.parent / target.partition("#")[0]).exists(), target
