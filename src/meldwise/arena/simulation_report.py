"""What was found about a game as plain data for JSON, as tables, and as a page."""

from __future__ import annotations

from typing import Any, Final

from meldwise.arena.estimates import Estimate
from meldwise.arena.page import Grid, Section, render_page
from meldwise.arena.plots import Point, curve, histogram, intervals
from meldwise.arena.report import estimate_data
from meldwise.arena.simulation import Simulation
from meldwise.arena.wording import as_number, as_percent, as_seconds, number, percent
from meldwise.game.presets import format_rules

__all__ = ["FORMAT", "VERSION", "simulation_data", "simulation_grids", "simulation_page"]

FORMAT: Final = "meldwise-simulation"
"""What the data says it is."""

VERSION: Final = 1
"""The version of the data's form; ``docs/arena.md`` describes it."""

_CURVE_ENDS: Final = 0.999
"""The curve of openings goes on until so many hands can open."""


def simulation_data(
    simulation: Simulation, game: str, seconds: float | None = None
) -> dict[str, Any]:
    """All that was found, as plain data.

    Everything but what is under ``times`` follows from the settings alone.

    Args:
        simulation: what was found.
        game: the title of the game.
        seconds: the time that the machine took; None if it is not known.
    """
    work, openings = simulation.work, simulation.openings
    timing = simulation.timing
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game,
        "rules": work.rules.as_dict(),
        "player": work.player,
        "players": work.players,
        "seed": work.seed,
        "hands": {
            "count": openings.hands,
            "can_open_at_once": estimate_data(openings.at_once),
            "by_jokers": [
                {"jokers": jokers, "hands": hands, "can_open_at_once": estimate_data(chance)}
                for jokers, (hands, chance) in openings.by_jokers.items()
            ],
            "draws": estimate_data(openings.draws),
            "draws_of_others": estimate_data(openings.draws_of_others),
            "tiles_needed": {str(tiles): count for tiles, count in openings.tiles.items()},
        },
        "rounds": {
            "deals": len(simulation.deals),
            "count": simulation.rounds,
            "turns": estimate_data(simulation.turns),
            "lengths": _text_keys(simulation.lengths),
            "blocked": estimate_data(simulation.blocked),
            "first_player_wins": estimate_data(simulation.first_wins),
            "first_player_score": estimate_data(simulation.first_score),
            "opening_turn": estimate_data(simulation.opening_turn),
            "opening_turns": _text_keys(simulation.openings_played),
            "never_opened": estimate_data(simulation.never_opened),
            "tiles_left_when_losing": estimate_data(simulation.left),
            "tiles_left": _text_keys(simulation.tiles_left),
            "incidents": simulation.incidents,
        },
        "jokers": {
            "dealt": [
                {
                    "jokers": dealt.jokers,
                    "seats": dealt.seats,
                    "wins": estimate_data(dealt.wins),
                    "score": estimate_data(dealt.score),
                }
                for dealt in simulation.jokers_dealt
            ],
            "worth_in_wins": estimate_data(simulation.joker_wins),
            "worth_in_points": estimate_data(simulation.joker_score),
        },
        "times": {
            "seconds": None if seconds is None else round(seconds, 3),
            "moves": 0 if timing is None else timing.moves,
            "mean": None if timing is None else round(timing.mean, 6),
        },
    }


def _text_keys(counts: dict[int, int]) -> dict[str, int]:
    return {str(value): count for value, count in counts.items()}


def _points(simulation: Simulation) -> list[Point]:
    openings = simulation.openings
    points = []
    for tiles in range(openings.hand_size, openings.hand_size + 60):
        chance = openings.within(tiles)
        if chance is None:
            break
        points.append(Point(tiles, chance))
        if chance.value >= _CURVE_ENDS:
            break
    return points


def simulation_grids(simulation: Simulation) -> list[Grid]:
    """What was found, as tables."""
    return [
        *_hand_grids(simulation),
        *(_round_grids(simulation) if simulation.rounds else []),
        *(_joker_grids(simulation) if simulation.rounds else []),
    ]


def _hand_grids(simulation: Simulation) -> list[Grid]:
    openings = simulation.openings
    if not openings.hands:
        return []
    half, most = openings.quantile(0.5), openings.quantile(0.95)
    facts = [
        ("Hands looked at", str(openings.hands)),
        ("Can open with the tiles dealt", as_percent(openings.at_once)),
        *[
            (f"… of hands with {jokers} {'joker' if jokers == 1 else 'jokers'}", as_percent(chance))
            for jokers, (_, chance) in openings.by_jokers.items()
        ],
        ("Draws before an opening", as_number(openings.draws, 2)),
        ("… of hands that cannot open at once", as_number(openings.draws_of_others, 2)),
        ("Tiles with which half of all hands can open", "–" if half is None else str(half)),
        ("… and 95 %", "–" if most is None else str(most)),
    ]
    return [Grid("Being able to open", ("", ""), facts)]


def _round_grids(simulation: Simulation) -> list[Grid]:
    fair = 1 / simulation.work.players
    facts = [
        ("Rounds", f"{simulation.rounds} of {len(simulation.deals)} deals"),
        ("Turns a round", as_number(simulation.turns)),
        ("Blocked rounds", as_percent(simulation.blocked)),
        (f"Wins of who begins (fair: {percent(fair)})", as_percent(simulation.first_wins)),
        ("Points a round of who begins", as_number(simulation.first_score)),
        ("Turn of its own at which a player opens", as_number(simulation.opening_turn)),
        ("Seats that do not open", as_percent(simulation.never_opened)),
        ("Tiles left in a loser's hand", as_number(simulation.left)),
    ]
    return [Grid("Rounds", ("", ""), facts)]


def _joker_grids(simulation: Simulation) -> list[Grid]:
    dealt = Grid(
        "By the jokers that a seat was dealt",
        ("Jokers", "Seats", "Wins", "Points a round"),
        [
            (str(one.jokers), str(one.seats), as_percent(one.wins), as_number(one.score))
            for one in simulation.jokers_dealt
        ],
    )
    worth = Grid(
        "A joker of the stock for another tile of the hand dealt",
        ("", ""),
        [
            ("Deals", str(0 if simulation.joker_wins is None else simulation.joker_wins.count)),
            ("More wins, in per cent of rounds", _hundredfold(simulation.joker_wins)),
            ("More points a round", as_number(simulation.joker_score)),
        ],
    )
    return [dealt, worth]


def _hundredfold(estimate: Estimate | None) -> str:
    if estimate is None:
        return as_number(None)
    value, low, high = (100 * end for end in (estimate.value, estimate.low, estimate.high))
    return as_number(Estimate(value, low, high, estimate.count))


def simulation_page(simulation: Simulation, game: str, seconds: float | None = None) -> str:
    """A page that shows what was found: plots, and the same in tables.

    Args:
        simulation: what was found.
        game: the title of the game.
        seconds: the time that the machine took; None if it is not known.
    """
    work = simulation.work
    facts = [
        ("Game", game or format_rules(work.rules)),
        ("Rules", format_rules(work.rules)),
        ("Player in every seat", work.player),
        ("At a table", str(work.players)),
        ("Seed", work.seed),
    ]
    if seconds is not None:
        facts.append(("Machine time", as_seconds(seconds)))
    sections = [_opening_section(simulation)] if simulation.openings.hands else []
    if simulation.rounds:
        sections += [
            _length_section(simulation),
            _played_openings_section(simulation),
            _left_section(simulation),
            _jokers_section(simulation),
        ]
    return render_page(f"The game in numbers: {game}", facts, sections)


def _opening_section(simulation: Simulation) -> Section:
    points = _points(simulation)
    said = "; ".join(f"{point.x:g} tiles: {percent(point.estimate.value)}" for point in points)
    return Section(
        "Being able to open",
        "Tiles are drawn from a whole box; the solver says exactly whether they hold an opening.",
        [
            curve(
                "openings",
                "Hands that can open, by the number of tiles",
                said,
                points,
                lambda share: f"{100 * share:.0f} %",
                "tiles",
            )
        ],
        [
            *_hand_grids(simulation),
            Grid(
                "The chance to be able to open",
                ("Tiles", "Hands"),
                [(f"{point.x:g}", as_percent(point.estimate)) for point in points],
            ),
        ],
    )


def _length_section(simulation: Simulation) -> Section:
    return _counted(
        "Length of a round",
        "lengths",
        "turns in a round",
        simulation.lengths,
        5,
        _round_grids(simulation),
    )


def _played_openings_section(simulation: Simulation) -> Section:
    opened = {turn: count for turn, count in simulation.openings_played.items() if turn}
    return _counted("Opening", "played", "turn of its own at which a player opened", opened, 1)


def _left_section(simulation: Simulation) -> Section:
    return _counted("Tiles left", "left", "tiles in the hand of who lost", simulation.tiles_left, 1)


def _counted(
    title: str,
    name: str,
    axis: str,
    counts: dict[int, int],
    step: int,
    grids: list[Grid] | None = None,
) -> Section:
    total = sum(counts.values()) or 1
    rows = [
        (str(value) if step == 1 else f"{value} to {value + step - 1}", percent(count / total))
        for value, count in counts.items()
    ]
    said = "; ".join(f"{value}: {share}" for value, share in rows)
    return Section(
        title,
        "",
        [histogram(name, title, said, counts, step, axis)],
        [*(grids or []), Grid("How often each came", (axis.capitalize(), "Share"), rows)],
    )


def _jokers_section(simulation: Simulation) -> Section:
    fair = 1 / simulation.work.players
    rows = [(f"{one.jokers} dealt", one.wins) for one in simulation.jokers_dealt]
    said = "; ".join(f"{label}: {as_percent(wins)}" for label, wins in rows)
    plots = [intervals("jokers", "Wins by the jokers dealt", said, rows, percent, fair)]
    worth = [("a joker for a tile", simulation.joker_score)]
    said = f"A joker for another tile is worth {as_number(simulation.joker_score)} points a round."
    plots.append(intervals("joker", "Points that a joker is worth", said, worth, number, 0.0))
    return Section(
        "Jokers",
        "How seats did by the jokers that they were dealt; and the same deals with a joker of "
        "the stock for another tile of one hand.",
        plots,
        _joker_grids(simulation),
    )
