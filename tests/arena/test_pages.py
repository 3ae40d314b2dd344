"""Plots and pages: whole, accessible, and harmless whatever the names."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from meldwise.arena import Incident, IncidentKind, Plan, Unit
from meldwise.arena.contest import Results
from meldwise.arena.estimates import Estimate
from meldwise.arena.page import Grid, Section, render_page
from meldwise.arena.plots import Point, curve, histogram, intervals, ticks
from meldwise.arena.report import contest_data, contest_page
from meldwise.arena.results import Game, RoundOutcome, Timing
from meldwise.arena.summary import summarise
from meldwise.game.presets import GAMES

EVIL = '<script>alert("x")</script>&\ud800'


class Checked(HTMLParser):
    """Reads a page, and sees that every element is closed and none loads or runs anything."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.labelled: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        assert not {"src", "href", "onload", "onclick", "style"} & set(values)
        if values.get("id"):
            self.ids.append(str(values["id"]))
        self.labelled += str(values.get("aria-labelledby") or "").split()
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Checked:
    """The page, found to be whole."""
    checked = Checked()
    checked.feed(page)
    checked.close()
    assert checked.open == []
    assert len(checked.ids) == len(set(checked.ids))
    assert set(checked.labelled) <= set(checked.ids)
    assert "script" not in checked.tags
    assert "link" not in checked.tags
    assert "img" not in checked.tags
    assert not re.search(r"https?://|url\(|@import", page)
    return checked


def results(first: str = "greedy", second: str = EVIL) -> Results:
    plan = Plan((first, second), GAMES.find("pup-rummy").rules, EVIL, seed=EVIL)
    outcome = RoundOutcome(0, 0, False, 20, (12, -12), (1, 0), (0, 3))
    timing = Timing()
    timing.add(0.5)
    wrong = Incident(IncidentKind.CRASH, 1, 1, 3, EVIL)
    game = Game((0, 1), (0,), (outcome,), (wrong,), (timing, timing))
    units = (Unit(0, 0, (game, game)), Unit(0, 1, (game, game)))
    return Results(plan, 3, 0, units, {(0, 2): EVIL}, 1)


def test_a_page_is_whole_and_harmless() -> None:
    page = contest_page(summarise(results()), 12.5)
    page.encode("utf-8")
    checked = read(page)
    assert "<script>" not in page
    assert "Content-Security-Policy" in page
    assert '<script>alert("x")</script>' in checked.text
    for title in ("Wins", "Ratings", "Points", "Length of a round", "Opening", "Tiles left",
                  "Time a move", "Incidents"):  # fmt: skip
        assert f"<h2>{title}</h2>" in page
    # Eight parts: each plot has its title and description, and a table stands beside it.
    assert checked.tags.count("svg") == checked.tags.count("desc") >= 8
    for section in page.split("<section>")[1:]:
        assert "<table>" in section


def test_data_can_be_written_and_read() -> None:
    data = contest_data(summarise(results()), 12.5)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["format"] == "meldwise-arena-results"
    assert data["version"] == 1
    assert data["entrants"][1]["incidents"] == {"crash": 4}
    assert data["incidents"][0]["detail"] == EVIL
    assert data["failed"] == [{"pairing": 0, "deal": 2, "reason": EVIL}]
    assert data["times"]["losses"] == 1
    assert data["times"]["entrants"][0]["moves"] == 4


def test_data_without_times_is_the_same_for_the_same_games() -> None:
    data, later = contest_data(summarise(results()), 12.5), contest_data(summarise(results()), 99)
    assert data.pop("times") != later.pop("times")
    assert data == later


@pytest.mark.parametrize(
    ("low", "high", "most", "marks"),
    [
        (0, 1, 6, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (3, 47, 5, [10, 20, 30, 40]),
        (-120, 130, 6, [-100, -50, 0, 50, 100]),
        (5, 5, 6, [5]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, most: int, marks: list[float]) -> None:
    assert ticks(low, high, most) == pytest.approx(marks)


def numbers(svg: str, tag: str, name: str) -> list[float]:
    root = ElementTree.fromstring(svg)
    return [float(element.attrib[name]) for element in root.iter(tag) if name in element.attrib]


def test_a_histogram_draws_shares_to_scale() -> None:
    svg = histogram("h", "T", "D", {0: 1, 10: 3}, 10, "points")
    heights = numbers(svg, "rect", "height")
    assert heights[1] == pytest.approx(3 * heights[0], abs=0.2)
    assert "75" not in svg.split("<desc")[0]


def test_intervals_are_drawn_to_scale_and_clipped_where_unknown() -> None:
    rows = [
        ("a", Estimate(0.5, 0.4, 0.6, 10)),
        ("b", Estimate(0.6, float("-inf"), float("inf"), 1)),
        ("c", None),
    ]
    svg = intervals("i", "T", "D", rows, lambda value: f"{value:.1f}", 0.5)
    first, second = numbers(svg, "circle", "cx")
    root = ElementTree.fromstring(svg)
    ranges = [e for e in root.iter("line") if e.attrib.get("class") == "range"]
    low, high = float(ranges[0].attrib["x1"]), float(ranges[0].attrib["x2"])
    assert first - low == pytest.approx(high - first, abs=0.2)
    assert high == pytest.approx(second, abs=0.2)
    assert 0 <= float(ranges[1].attrib["x1"]) < float(ranges[1].attrib["x2"]) <= 640


def test_a_curve_rises_with_its_values() -> None:
    points = [Point(x, Estimate(x / 10, x / 10 - 0.01, x / 10 + 0.01, 5)) for x in range(1, 6)]
    svg = curve("c", "T", "D", points, lambda value: f"{value:.1f}", "x")
    root = ElementTree.fromstring(svg)
    (line,) = root.iter("polyline")
    heights = [float(pair.split(",")[1]) for pair in line.attrib["points"].split()]
    assert heights == sorted(heights, reverse=True)


@pytest.mark.parametrize(
    "svg",
    [
        histogram("h", EVIL, EVIL, {}, 5, EVIL),
        intervals("i", EVIL, EVIL, [], str),
        intervals("i", EVIL, EVIL, [(EVIL * 3, Estimate(1, 1, 1, 1))], str),
        curve("c", EVIL, EVIL, [], str, EVIL),
        curve("c", EVIL, EVIL, [Point(1, Estimate(0, 0, 0, 1))], str, EVIL),
        histogram("h", "T", "D", dict.fromkeys(range(-300, 300), 1), 1, "x"),
    ],
)
def test_plots_of_little_or_odd_things_are_whole(svg: str) -> None:
    read(render_page("T", [], [Section("S", plots=[svg])]))


def test_a_page_of_texts() -> None:
    page = render_page("T & U", [("a", "b")], [Section("S", "x < y", [], [Grid("C", ("1",), [])])])
    checked = read(page)
    assert "x < y" in checked.text
    assert page.startswith("<!DOCTYPE html>")
    assert '<html lang="en">' in page
