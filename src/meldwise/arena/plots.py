"""Small plots as SVG: they bring their own titles and descriptions, and no colours of their own.

The colours are variables of the page's style, so that one drawing serves light and dark. No
plot tells anything by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from meldwise.arena.estimates import Estimate

__all__ = ["Point", "curve", "histogram", "intervals", "ticks"]

_WIDTH: Final = 640
_LABELS: Final = 180
_RIGHT: Final = 20
_ROW: Final = 34
_HEIGHT: Final = 220
_LEFT: Final = 52
_TOP: Final = 12
_BOTTOM: Final = 40

Form = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a curve with its interval."""

    x: float
    estimate: Estimate


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers that divide a range: steps of 1, 2 or 5 times a power of ten.

    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    span = high - low
    if span <= 0:
        return [low]
    power = 10 ** math.floor(math.log10(span / most))
    step = next(power * size for size in (1, 2, 5, 10) if span / (power * size) <= most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def intervals(
    name: str,
    title: str,
    description: str,
    rows: Sequence[tuple[str, Estimate | None]],
    form: Form,
    reference: float | None = None,
) -> str:
    """Values with their intervals, one a row.

    Args:
        name: an identifier that no other plot of the page has.
        title: what is shown.
        description: what a reader who does not see it should know.
        rows: a label and a value for each.
        form: writes a value.
        reference: where a line is drawn, such as the share of equals.
    """
    known = [estimate for _, estimate in rows if estimate is not None]
    ends = [end for e in known for end in (e.low, e.value, e.high) if math.isfinite(end)]
    ends += [] if reference is None else [reference]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    margin = 0.05 * (high - low) or 0.5
    low, high = low - margin, high + margin
    height = _TOP + _ROW * len(rows) + _BOTTOM
    bottom = height - _BOTTOM

    def at(value: float) -> float:
        value = min(max(value, low), high)
        return _LABELS + (value - low) / (high - low) * (_WIDTH - _LABELS - _RIGHT)

    parts = [_axis_below(ticks(low, high), at, bottom, form)]
    if reference is not None:
        x = at(reference)
        parts.append(
            f'<line class="reference" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}"/>'
        )
    for number, (label, estimate) in enumerate(rows):
        y = _TOP + _ROW * (number + 0.5)
        text = escape(label if len(label) <= 26 else f"{label[:25]}…")
        parts.append(f'<text x="{_LABELS - 10}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
        if estimate is None:
            continue
        x1, x2, x = at(estimate.low), at(estimate.high), at(estimate.value)
        parts.append(f'<line class="range" x1="{x1:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
        above = f'<text x="{x:.1f}" y="{y - 9:.1f}" text-anchor="middle" class="small">'
        parts.append(f"{above}{escape(form(estimate.value))}</text>")
    return _svg(name, title, description, height, parts)


def histogram(
    name: str, title: str, description: str, counts: Mapping[int, int], step: int, axis: str
) -> str:
    """How often each value came.

    Args:
        name: an identifier that no other plot of the page has.
        title: what is shown.
        description: what a reader who does not see it should know.
        counts: how often, by the lowest value of a bin.
        step: how wide a bin is.
        axis: what the values are.
    """
    total = sum(counts.values()) or 1
    first, last = (min(counts), max(counts) + step) if counts else (0, step)
    most = max(counts.values(), default=1) / total
    bottom = _HEIGHT - _BOTTOM

    def across(value: float) -> float:
        return _LEFT + (value - first) / (last - first) * (_WIDTH - _LEFT - _RIGHT)

    def up(share: float) -> float:
        return bottom - share / most * (bottom - _TOP)

    wide = across(first + step) - across(first)
    parts = [_axis_left(ticks(0, most, 4), up, lambda share: f"{100 * share:g} %")]
    for value, count in sorted(counts.items()):
        y = up(count / total)
        box = f'x="{across(value) + 0.5:.1f}" y="{y:.1f}" width="{max(0.5, wide - 1):.1f}"'
        parts.append(f'<rect class="bar" {box} height="{bottom - y:.1f}"/>')
    if last - first <= 12 * step:
        for value in range(first, last, step):
            x = across(value + step / 2)
            parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{value}</text>')
    else:
        marks = [mark for mark in ticks(first, last, 8) if mark == int(mark)]
        # A value of a bin one wide stands in the middle of its bar.
        shift = 0.5 if step == 1 else 0.0
        parts.append(_axis_below(marks, lambda v: across(min(v + shift, last)), bottom, _whole))
    parts.append(_caption(axis))
    return _svg(name, title, description, _HEIGHT, parts)


def curve(
    name: str, title: str, description: str, points: Sequence[Point], form: Form, axis: str
) -> str:
    """A value that changes with another one, with a band for its interval.

    Args:
        name: an identifier that no other plot of the page has.
        title: what is shown.
        description: what a reader who does not see it should know.
        points: from left to right.
        form: writes a value.
        axis: what is on the lower axis.
    """
    first, last = (points[0].x, points[-1].x) if len(points) > 1 else (0.0, 1.0)
    tops = [p.estimate.high for p in points if math.isfinite(p.estimate.high)]
    lows = [p.estimate.low for p in points if math.isfinite(p.estimate.low)]
    low, high = min([0.0, *lows]), max([*tops, 1e-9])
    bottom = _HEIGHT - _BOTTOM

    def across(value: float) -> float:
        return _LEFT + (value - first) / (last - first) * (_WIDTH - _LEFT - _RIGHT)

    def up(value: float) -> float:
        value = min(max(value, low), high)
        return bottom - (value - low) / (high - low) * (bottom - _TOP)

    parts = [_axis_left(ticks(low, high, 5), up, form)]
    if points:
        there = [f"{across(p.x):.1f},{up(p.estimate.high):.1f}" for p in points]
        back = [f"{across(p.x):.1f},{up(p.estimate.low):.1f}" for p in reversed(points)]
        line = " ".join(f"{across(p.x):.1f},{up(p.estimate.value):.1f}" for p in points)
        parts.append(f'<polygon class="band" points="{" ".join([*there, *back])}"/>')
        parts.append(f'<polyline class="line" points="{line}"/>')
    parts.append(_axis_below(ticks(first, last, 10), across, bottom, _whole))
    parts.append(_caption(axis))
    return _svg(name, title, description, _HEIGHT, parts)


def _whole(value: float) -> str:
    return f"{value:g}"


def _caption(axis: str) -> str:
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    return f'<text x="{middle:.0f}" y="{_HEIGHT - 6}" text-anchor="middle">{escape(axis)}</text>'


def _axis_below(
    marks: Sequence[float], at: Callable[[float], float], bottom: float, form: Form
) -> str:
    parts = []
    for mark in marks:
        x = at(mark)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}"/>')
        label = escape(form(mark))
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{label}</text>')
    return "".join(parts)


def _axis_left(marks: Sequence[float], up: Callable[[float], float], form: Form) -> str:
    parts = []
    for mark in marks:
        y = up(mark)
        parts.append(
            f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>'
        )
        label = escape(form(mark))
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    return "".join(parts)


def _svg(name: str, title: str, description: str, height: float, parts: Sequence[str]) -> str:
    name = escape(name)
    return (
        f'<svg role="img" viewBox="0 0 {_WIDTH} {height:g}" '
        f'aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-desc">{escape(description)}</desc>{"".join(parts)}</svg>'
    )
