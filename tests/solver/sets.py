"""The published positions with their optima."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from meldwise.game.position import Position

FOLDER = Path(__file__).resolve().parents[2] / "bench" / "positions"


def lines(name: str, every: int = 1) -> list[tuple[Position, dict[str, Any]]]:
    """The positions of a file, or each so many-th, with what is known of them."""
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines()[::every]]
    return [(Position.parse(line["position"]), line) for line in found]
