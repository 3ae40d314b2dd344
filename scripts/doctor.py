#!/usr/bin/env python3
"""Say what this machine has and lacks for Meldwise, and what to do about it.

Usage: doctor.py [--quiet | --json]

    --quiet  print only what is missing and required
    --json   print everything as JSON

The exit code is 1 if something required is missing, else 0. Only the standard
library is used, in a syntax that Python 3.8 reads, so that an old Python can be
told that it is too old.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import locale
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

MINIMUM_PYTHON = (3, 11)
NEWER_PYTHONS = ["python3.%d" % minor for minor in range(16, MINIMUM_PYTHON[1] - 1, -1)]
MINIMUM_NODE = (20, 19)
MINIMUM_NPM = 11
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

OK, MISSING, OPTIONAL = "ok", "missing", "optional"


class Finding:
    """What was found about one thing.

    Attributes:
        name: What was looked at, for people.
        state: `ok`, `missing` (and required) or `optional` (missing, but not needed).
        text: What is there, or what is not and what follows from that.
        remedy: The command to run, or None.
    """

    def __init__(self, name: str, state: str, text: str, remedy: str | None = None) -> None:
        self.name = name
        self.state = state
        self.text = text
        self.remedy = remedy

    def as_dict(self) -> dict[str, str | None]:
        return {"name": self.name, "state": self.state, "text": self.text, "remedy": self.remedy}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Say what this machine has and lacks.")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--quiet", action="store_true", help="print only what is required and missing")
    how.add_argument("--json", action="store_true", help="print everything as JSON")
    options = parser.parse_args(arguments)

    findings = examine()
    missing = [finding for finding in findings if finding.state == MISSING]
    if options.json:
        print(json.dumps([finding.as_dict() for finding in findings], indent=2))
    else:
        for finding in missing if options.quiet else findings:
            print_finding(finding)
        if not options.quiet:
            print()
            print("Something required is missing." if missing else "Ready: run `make play`.")
    return 1 if missing else 0


def examine() -> list[Finding]:
    return [
        look_at_python(),
        look_at_venv(),
        look_at_make(),
        look_at_git(),
        look_at_compiler(),
        look_at_headers(),
        look_at_node(),
        look_at_browser(),
        look_at_colour(),
        look_at_locale(),
    ]


def print_finding(finding: Finding) -> None:
    marks = {OK: "ok      ", MISSING: "MISSING ", OPTIONAL: "optional"}
    print("%s  %-9s %s" % (marks[finding.state], finding.name, finding.text))
    if finding.remedy:
        print("%s  Run: %s" % (" " * 18, finding.remedy))


# --- required ---------------------------------------------------------------


def look_at_python() -> Finding:
    version = platform.python_version()
    if sys.version_info[:2] >= MINIMUM_PYTHON:
        return Finding("Python", OK, "%s (%s)" % (version, sys.executable))
    needed = "%d.%d" % MINIMUM_PYTHON
    text = "%s is too old: Meldwise needs Python %s or newer." % (version, needed)
    newer = next((name for name in NEWER_PYTHONS if version_of([name, "--version"])), None)
    if newer:
        return Finding("Python", MISSING, text + " There is a newer one.", "make PYTHON=%s" % newer)
    debian = debian_release()
    if debian is not None and debian < 12:
        text += " Debian has it from Debian 12 on."
        return Finding("Python", MISSING, text)
    return Finding("Python", MISSING, text, install("python3"))


def look_at_venv() -> Finding:
    lacking = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if not lacking:
        return Finding("venv", OK, "virtual environments can be made")
    text = "Python's %s is missing: no virtual environment can be made." % " and ".join(lacking)
    python = Path(sys.executable).resolve()
    if python.parent != Path("/usr/bin"):
        return Finding("venv", MISSING, text + " Use another Python: make PYTHON=...")
    package = "python3-venv"
    if python != Path("/usr/bin/python3").resolve():
        package = "python%d.%d-venv" % sys.version_info[:2]
    return Finding("venv", MISSING, text, install(package))


# --- optional ---------------------------------------------------------------


def look_at_make() -> Finding:
    if shutil.which("make"):
        return Finding("make", OK, version_of(["make", "--version"]))
    text = "no make: without it, `pip install .` in a virtual environment installs the game."
    return Finding("make", OPTIONAL, text, install("make"))


def look_at_git() -> Finding:
    if shutil.which("git"):
        return Finding("git", OK, version_of(["git", "--version"]))
    text = "no git: playing and testing work without it; sending changes does not."
    return Finding("git", OPTIONAL, text, install("git"))


def look_at_compiler() -> Finding:
    configured = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "").split()
    for name in [*configured[:1], "cc", "gcc", "clang"]:
        if shutil.which(name):
            return Finding("compiler", OK, version_of([name, "--version"]))
    text = "no C compiler: everything works without one, in plain Python and so more slowly."
    return Finding("compiler", OPTIONAL, text, install("gcc"))


def look_at_headers() -> Finding:
    folder = Path(sysconfig.get_paths()["include"])
    if (folder / "Python.h").exists():
        return Finding("headers", OK, "Python.h is in %s" % folder)
    text = "no Python headers: only compiling uses them; everything works without."
    return Finding("headers", OPTIONAL, text, install("python3-dev"))


def look_at_node() -> Finding:
    text = "`make` fetches one from PyPI into .venv to build the web client."
    if not shutil.which("node"):
        return Finding("Node", OPTIONAL, "no Node: " + text)
    version = version_of(["node", "--version"])
    numbers = version.lstrip("v").split(".")
    if tuple(int(number) for number in numbers[:2] if number.isdigit()) < MINIMUM_NODE:
        needed = "%d.%d" % MINIMUM_NODE
        return Finding("Node", OPTIONAL, "%s is older than %s: %s" % (version, needed, text))
    npm = version_of(["npm", "--version"]) if shutil.which("npm") else ""
    if not npm.split(".")[0].isdigit() or int(npm.split(".")[0]) < MINIMUM_NPM:
        text = "Node %s, but no npm %d or newer: %s" % (version, MINIMUM_NPM, text)
        return Finding("Node", OPTIONAL, text)
    return Finding("Node", OK, "%s, npm %s" % (version, npm))


def look_at_browser() -> Finding:
    named = os.environ.get("MELDWISE_CHROMIUM")
    found = named or next((name for name in BROWSERS if shutil.which(name)), None)
    if found:
        return Finding("Chromium", OK, found)
    text = "no Chromium: only the browser tests of `make test` need it."
    return Finding("Chromium", OPTIONAL, text, install("chromium"))


def look_at_colour() -> Finding:
    terminal = os.environ.get("TERM", "")
    if not sys.stdout.isatty():
        return Finding("terminal", OPTIONAL, "this output does not go to one: no colours here.")
    if os.environ.get("NO_COLOR"):
        return Finding("terminal", OK, "colours are switched off by NO_COLOR")
    if terminal in ("", "dumb", "unknown"):
        text = "TERM is %r: tiles are told apart by letters, without colours." % terminal
        return Finding("terminal", OPTIONAL, text, "export TERM=xterm-256color")
    many = os.environ.get("COLORTERM") in ("24bit", "truecolor")
    colours = "millions of colours" if many else "colours"
    size = shutil.get_terminal_size()
    text = "%s, %s, %d x %d" % (terminal, colours, size.columns, size.lines)
    return Finding("terminal", OK, text)


def look_at_locale() -> Finding:
    try:
        locale.setlocale(locale.LC_ALL, "")
        encoding = locale.nl_langinfo(locale.CODESET)
    except (AttributeError, locale.Error):
        encoding = locale.getpreferredencoding(False)
    if encoding.upper().replace("-", "") == "UTF8":
        return Finding("locale", OK, "UTF-8")
    text = "%s, not UTF-8: tiles are drawn with plain letters." % (encoding or "unknown")
    return Finding("locale", OPTIONAL, text, "export LC_ALL=C.UTF-8")


# --- helpers ----------------------------------------------------------------


def version_of(command: list[str]) -> str:
    """Return the first line that a command prints, or nothing if it fails."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return lines[0].strip() if lines else ""


def install(package: str) -> str | None:
    """Return the command that installs a Debian package, or None on other systems."""
    if not shutil.which("apt-get"):
        return None
    root = not hasattr(os, "geteuid") or os.geteuid() == 0
    return "%sapt-get install %s" % ("" if root else "sudo ", package)


def debian_release() -> int | None:
    try:
        return int(Path("/etc/debian_version").read_text(encoding="utf-8").split(".")[0])
    except (OSError, ValueError):
        return None


if __name__ == "__main__":
    sys.exit(main())
