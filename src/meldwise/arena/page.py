"""A page of results in one file: it asks nothing of the network, and its plots stand by tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

__all__ = ["Grid", "Section", "render_page"]

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --faint: #d5d9de;
  --soft: #57606a; --mark: #0b5cad; --band: #0b5cad33; --line: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --paper: #14181d;
  --faint: #343b44; --soft: #a6afb9; --mark: #6cb1f5; --band: #6cb1f544; --line: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .5rem; }
p { margin: .4rem 0; max-width: 45rem; } code { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--mark); }
table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--faint);
  vertical-align: top; }
td { white-space: nowrap; }
th { font-weight: 600; } th:first-child, td:first-child { text-align: left; }
svg { width: 100%; max-width: 45rem; height: auto; display: block; margin: .6rem 0; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg text.small { fill: var(--soft); font-size: 11px; paint-order: stroke;
  stroke: var(--paper); stroke-width: 4px; }
.grid { stroke: var(--faint); } .reference { stroke: var(--line); stroke-dasharray: 5 4; }
.range { stroke: var(--mark); stroke-width: 2; } .mark, .bar { fill: var(--mark); }
.band { fill: var(--band); } .line { fill: none; stroke: var(--mark); stroke-width: 2; }
@media print { body { max-width: none; } .scroll { overflow: visible; } }
"""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts.

    Attributes:
        caption: what it shows.
        heads: the names of the columns; the first column names the rows.
        rows: the rows.
    """

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page.

    Attributes:
        title: its heading.
        text: what is to be known about it; empty for nothing.
        plots: drawings, as SVG.
        grids: tables.
    """

    title: str
    text: str = ""
    plots: Sequence[str] = ()
    grids: Sequence[Grid] = ()


def render_page(title: str, facts: Sequence[tuple[str, str]], sections: Sequence[Section]) -> str:
    """The text of a page.

    Args:
        title: its heading.
        facts: what was done, as names and values.
        sections: its parts, in order.
    """
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        # Whatever a player's name might smuggle in, the page loads and runs nothing.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">",
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{escape(title)}</h1>",
        _grid(Grid("What was done", ("", ""), facts)),
    ]
    for section in sections:
        lines += ["<section>", f"<h2>{escape(section.title)}</h2>"]
        if section.text:
            lines.append(f"<p>{escape(section.text)}</p>")
        lines += section.plots
        lines += [_grid(grid) for grid in section.grids]
        lines.append("</section>")
    lines += ["</main>", "</body>", "</html>", ""]
    # What no file can hold, from a command line of odd bytes, is written out.
    return "\n".join(lines).encode("utf-8", "backslashreplace").decode()


def _grid(grid: Grid) -> str:
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in grid.heads)
    head = f"<thead><tr>{heads}</tr></thead>" if any(grid.heads) else ""
    rows = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in grid.rows
    )
    caption = escape(grid.caption)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{caption}">'
        f"<table><caption>{caption}</caption>{head}<tbody>{rows}</tbody></table></div>"
    )
