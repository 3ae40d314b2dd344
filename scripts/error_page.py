"""Write docs/errors.md from the codes; the tests say whether it is up to date."""

from __future__ import annotations

from pathlib import Path

from meldwise.game.codes import MEANINGS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "errors.md"

INTRODUCTION = """\
# Codes of errors and refusals

Every error and every reason for a refusal has a code that keeps its meaning between
releases, and fields with the particulars. Sentences are made from them in the reader's
language; the ones below say what each code means. This page is written by
`scripts/error_page.py`.

A `GameError` has a `code` and `fields`; its subclasses are `NotationError`, `RulesError`,
`ShuffleError`, `ActionError` (with the `verdict` on a refused play) and `RecordError`. A
`Problem` of a verdict has a code and, where they apply, the meld, its place in the table,
the cell in it, the tiles that are wrong, the tiles that would mend it (`wanted`), and how
much there is (`have`) and should be (`need`). A `Fault` of a record has a code, a line and
fields.
"""

TITLES = {
    "seat": "Who sits where",
    "notation": "Reading text",
    "meld": "Melds",
    "turn": "The end of a turn",
    "joker": "Jokers on the table",
    "action": "Actions that cannot be taken",
    "rules": "Rules as a value",
    "shuffle": "The shuffle",
    "record": "Records",
    "player": "Computer players",
    "solver": "The solver",
    "account": "The server: who somebody is",
    "limit": "The server: limits",
    "request": "The server: requests",
    "server": "The server itself",
    "table": "The server: tables",
    "command": "The server: commands",
}


def page() -> str:
    """The text of the page."""
    lines = [INTRODUCTION]
    group = ""
    for code, meaning in MEANINGS.items():
        if code.split(".")[0] != group:
            group = code.split(".")[0]
            lines += ["", f"## {TITLES[group]}", "", "| code | meaning |", "|---|---|"]
        lines.append(f"| `{code}` | {meaning} |")
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
