"""Tests that every computer player has to pass, for whoever writes one.

One call, ``check_player(make)``, tries everything; a class of tests for pytest is made by
subclassing :class:`PlayerConformance` (see ``docs/players.md``).
"""

from meldwise.testing.conformance import (
    ConformanceError,
    Maker,
    PlayerConformance,
    check_budget,
    check_legal,
    check_player,
    check_repeatable,
    check_unseen_views,
    check_untouched_views,
)

__all__ = [
    "ConformanceError",
    "Maker",
    "PlayerConformance",
    "check_budget",
    "check_legal",
    "check_player",
    "check_repeatable",
    "check_unseen_views",
    "check_untouched_views",
]
