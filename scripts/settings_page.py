"""Write the table of settings in docs/server.md; the tests say whether it is up to date."""

from __future__ import annotations

from pathlib import Path

from meldwise.server.config import PREFIX, setting_help

PAGE = Path(__file__).resolve().parent.parent / "docs" / "server.md"
BEGIN = "<!-- settings: written by scripts/settings_page.py -->\n"
END = "<!-- end of settings -->\n"


def table() -> str:
    """The table of settings."""
    lines = ["", "| flag | variable | what it is | if not given |", "|---|---|---|---|"]
    for name, text, default, kind in setting_help():
        flag = f"`--{name.replace('_', '-')}`"
        if kind is bool:
            flag += f", `--no-{name.replace('_', '-')}`"
        lines.append(f"| {flag} | `{PREFIX}{name.upper()}` | {text} | {_shown(name, default)} |")
    return "\n".join(lines) + "\n\n"


def _shown(name: str, default: object) -> str:
    if name == "database":
        return "`server.sqlite3` in your data folder"
    if name == "workers":
        return "one fewer than there are processors, at least one"
    if isinstance(default, bool):
        return "yes" if default else "no"
    return f"`{default}`" if default != "" else "none"


def page(text: str) -> str:
    """A page with its table of settings brought up to date."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table() + END + after


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
