"""Asks the package indexes whether weaknesses are known of what the locks name.

    python scripts/audit.py

Python's locks are looked up with pip-audit, which the Makefile installs into the folder
`audit` beside this Python's `bin`, and the web client's with `npm audit`. Both need the
network, so that no check and no test does this. Ends with 0 if nothing is known, 1 if
something is, and 2 if it could not be found out for all.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.web import WebError, npm_command  # noqa: E402

LOCKS = ("run", "build", "dev", "uv", "node", "bench", "audit")


@dataclass(slots=True)
class Findings:
    """What is known of some packages.

    Attributes:
        looked_up: how many were looked up.
        weak: a line for each weakness.
        unknown: a line for each package, or lot of them, that could not be looked up.
    """

    looked_up: int = 0
    weak: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def add(self, other: Findings) -> None:
        """Takes the findings of others along."""
        self.looked_up += other.looked_up
        self.weak += other.weak
        self.unknown += other.unknown


def of_python(lock: str, printed: str, complained: str) -> Findings:
    """What pip-audit found.

    Args:
        lock: the file that it looked through.
        printed: its JSON.
        complained: what it wrote to standard error.
    """
    try:
        packages = json.loads(printed)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Findings(unknown=[f"{lock}: {_last(complained)}"])
    found = Findings()
    for package in packages:
        if "skip_reason" in package:
            found.unknown.append(f"{lock}: {package['name']}")
            continue
        found.looked_up += 1
        found.weak += [
            f"{lock}: {package['name']} {package['version']}: {weakness['id']},"
            f" mended in {', '.join(weakness['fix_versions']) or 'no version yet'}"
            for weakness in package["vulns"]
        ]
    return found


def of_npm(printed: str, complained: str) -> Findings:
    """What npm audit found: its JSON, and what it wrote to standard error."""
    lock = "web/package-lock.json"
    try:
        answer: dict[str, Any] = json.loads(printed)
        weak = answer["vulnerabilities"]
        count = answer["metadata"]["dependencies"]["total"]
    except (ValueError, KeyError, TypeError):
        return Findings(unknown=[f"{lock}: {_last(complained)}"])
    return Findings(
        looked_up=count,
        weak=[
            f"{lock}: {name} {known['range']}: {known['severity']},"
            f" {'mended' if known['fixAvailable'] else 'not mended yet'}"
            for name, known in sorted(weak.items())
        ],
    )


def _last(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip()[:200] if lines else "no answer"


def _ask(command: list[str], folder: Path = ROOT) -> tuple[str, str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def report(found: Findings) -> int:
    """Prints the findings; the exit code."""
    for line in found.weak:
        print(line)
    print(f"{found.looked_up} packages looked up, {len(found.weak)} weaknesses known.")
    if found.unknown:
        print("\nCould not be looked up, perhaps since there is no network, or a mirror of the")
        print("index without advisories: nothing is known of these, good or bad.")
        for line in found.unknown[:5]:
            print(f"  {line}")
        if len(found.unknown) > 5:
            print(f"  and {len(found.unknown) - 5} more")
    return 1 if found.weak else 2 if found.unknown else 0


def main() -> int:
    found = Findings()
    program = Path(sys.prefix) / "audit" / "bin" / "pip-audit"
    for name in LOCKS:
        lock = f"requirements/{name}.txt"
        words = ["--disable-pip", "--require-hashes", "--progress-spinner", "off", "-f", "json"]
        found.add(of_python(lock, *_ask([str(program), *words, "-r", lock])))
    try:
        npm = npm_command(ROOT)
    except WebError as error:
        found.add(Findings(unknown=[f"web/package-lock.json: {error}"]))
    else:
        words = ["audit", "--package-lock-only", "--json"]
        found.add(of_npm(*_ask([*npm, *words], ROOT / "web")))
    return report(found)


if __name__ == "__main__":
    sys.exit(main())
