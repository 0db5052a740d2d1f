"""Plots of a simulation, as SVG to be put into a page.

Made by matplotlib without a display and without its global state, so that they come out the same wherever they are
made. Invariant: a plot refers to nothing outside of itself, and its names clash with those of no other plot.
"""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from math import gcd
from typing import Any

from attrs import frozen

from interpreter.analysis.simulate.simulation import Simulation
from interpreter.analysis.simulate.statistics import Estimate
from interpreter.analysis.simulate.totals import HUNDREDTHS
from interpreter.tools.extras import needed
from interpreter.tools.simulation import rows

__all__ = ["Plot", "needs_plots", "plots"]

_WIDE, _HIGH = 6.4, 3.0
_BINS = 60
_MOST = 24
"""Lines of a plot of choices."""
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_BLUE, _GREY, _ORANGE = "#3b6ea5", "#8a8f98", "#c8702a"
_COLOURS = (_BLUE, _ORANGE, "#2e8b57", "#8e5ea2", "#b5a642", "#555b66")


@frozen
class Plot:
    """A plot with its heading."""

    title: str
    svg: str


def needs_plots() -> None:
    """Ends the command if plots cannot be made."""
    needed("matplotlib.figure", "simulate")


def plots(simulation: Simulation, level: float) -> list[Plot]:
    """All plots that this simulation has something for."""
    return list(_plots(simulation, level))


def _plots(simulation: Simulation, level: float) -> Iterator[Plot]:
    totals, program = simulation.totals, simulation.rules.program
    players = simulation.rules.players
    halves = 2 if program.score_halves else 1
    outcomes = {row.key: row for row in rows.outcomes(simulation, level)}
    wins = [
        (row.title, row.estimate) for key, row in outcomes.items() if key == "nobody wins" or key.startswith("win ")
    ]
    if len(players) > 1 and wins:
        even = 100 * (1 - outcomes["nobody wins"].estimate.value) / len(players) if "nobody wins" in outcomes else None
        yield Plot("Who wins, in percent", _intervals("wins", wins, 100, even))
    scores = [(name, counts) for name, counts in zip(players, totals.scores, strict=True) if counts]
    if scores:
        yield Plot("Score", _histogram("scores", scores, halves))
    if totals.lengths:
        yield Plot("Decisions of a game", _histogram("lengths", [("", totals.lengths)], 1))
    if totals.branching:
        yield Plot("Options per decision, by game", _histogram("branching", [("", totals.branching)], HUNDREDTHS))
    if totals.margins:
        yield Plot("Lead of the best over the next at the end", _histogram("margins", [("", totals.margins)], halves))
        if totals.leads:
            yield Plot("Times that the lead changes", _histogram("changes", [("", totals.changes)], 1))
    base = rows.baseline(simulation)
    share = len(players) > 1
    scale = 100 if share else 1
    what = "Wins" if share else "Score"
    for title, found in (
        (f"{what} of those who took an option", _choices(simulation, level)),
        (f"{what} of those who used a row or card", _cards(simulation, level)),
    ):
        if len(found) > 1:
            yield Plot(title, _intervals(title, found, scale, None if base is None else scale * base))


def _choices(simulation: Simulation, level: float) -> list[tuple[str, Estimate]]:
    found = [row for row in rows.choices(simulation, level) if row.follows is not None and not row.is_pass]
    found.sort(key=lambda row: -row.games)
    return [(f"{row.label} ({row.where})", row.follows) for row in found[:_MOST] if row.follows is not None]


def _cards(simulation: Simulation, level: float) -> list[tuple[str, Estimate]]:
    found = [row for row in rows.sites(simulation, level) if row.site.what in ("row", "card") and row.uses.times]
    found.sort(key=lambda row: -row.games)
    return [(row.site.title, row.follows) for row in found[:_MOST] if row.follows is not None]


# ------------------------------------------------------------------------------------------------ drawing


def _intervals(name: str, lines: Sequence[tuple[str, Estimate]], scale: float, base: float | None) -> str:
    """Numbers with their intervals, one below the other, and a line at what would be if nothing made a difference."""

    def draw(axes: Any) -> None:
        places = range(len(lines))
        values = [scale * estimate.value for _, estimate in lines]
        below = [max(0.0, value - scale * estimate.low) for value, (_, estimate) in zip(values, lines, strict=True)]
        above = [max(0.0, scale * estimate.high - value) for value, (_, estimate) in zip(values, lines, strict=True)]
        axes.errorbar(values, places, xerr=[below, above], fmt="o", color=_BLUE, ecolor=_BLUE, capsize=3, markersize=4)
        if base is not None:
            axes.axvline(base, color=_ORANGE, linewidth=1, linestyle="--")
        axes.set_yticks(list(places), [_short(title) for title, _ in lines])
        axes.set_ylim(len(lines) - 0.5, -0.5)
        axes.grid(axis="x", color="#e4e6ea")

    return _svg(name, draw, 0.9 + 0.28 * len(lines))


def _histogram(name: str, series: Sequence[tuple[str, Counter[int]]], scale: float) -> str:
    """Distributions, each as a share of games."""

    def draw(axes: Any) -> None:
        least = min(min(counts) for _, counts in series)
        most = max(max(counts) for _, counts in series)
        unit = gcd(*(value - least for _, counts in series for value in counts)) or 1  # bars of equally many values
        step = unit * max(1, -(-((most - least) // unit + 1) // _BINS))
        edges = [least + step * at for at in range((most - least) // step + 2)]
        for colour, (title, counts) in zip(cycle(_COLOURS), series, strict=False):
            heights = [0] * (len(edges) - 1)
            for value, count in counts.items():
                heights[(value - least) // step] += count
            whole = sum(counts.values())
            shares = [100 * height / whole for height in heights]
            places = [(edge - unit / 2) / scale for edge in edges]
            filled = len(series) == 1
            axes.stairs(shares, places, fill=filled, color=colour, label=_short(title) or None)
        if len(series) > 1:
            axes.legend(frameon=False)
        axes.set_ylabel("% of games")
        axes.grid(axis="y", color="#e4e6ea")

    return _svg(name, draw, _HIGH)


def _svg(name: str, draw: Callable[[Any], None], height: float) -> str:
    matplotlib = needed("matplotlib", "simulate")
    figures = needed("matplotlib.figure", "simulate")
    settings = {
        "svg.hashsalt": name,
        "svg.fonttype": "none",
        "font.size": 9,
        "text.parse_math": False,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": _GREY,
        "axes.axisbelow": True,
    }
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a font that lacks a character: the page has others
        figure = figures.Figure(figsize=(_WIDE, height), layout="constrained")
        draw(figure.subplots())
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = out.getvalue()
    return _METADATA.sub("", text[text.index("<svg") :])


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 44 else text[:43] + "…"
