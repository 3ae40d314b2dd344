"""Computer players against each other in numbers, and what can be said of the game by them."""

from __future__ import annotations

from meldwise.arena.errors import ArenaError
from meldwise.arena.estimates import Estimate, mean_of, proportion_of, wilson
from meldwise.arena.executors import Inline, LocalPool, available_cores
from meldwise.arena.games import ArenaWork, play_game
from meldwise.arena.plan import Pairing, Plan, Seating
from meldwise.arena.results import Game, Incident, IncidentKind, RoundOutcome, Timing, Unit
from meldwise.arena.run import Outcome, run_work
from meldwise.arena.sequential import Decision, Sequential, Standing
from meldwise.arena.store import Store

__all__ = [
    "ArenaError",
    "ArenaWork",
    "Decision",
    "Estimate",
    "Game",
    "Incident",
    "IncidentKind",
    "Inline",
    "LocalPool",
    "Outcome",
    "Pairing",
    "Plan",
    "RoundOutcome",
    "Seating",
    "Sequential",
    "Standing",
    "Store",
    "Timing",
    "Unit",
    "available_cores",
    "mean_of",
    "play_game",
    "proportion_of",
    "run_work",
    "wilson",
]
