"""A simulation as one page that can be sent around: numbers, plots, and the rules tinted by their use.

The page is one HTML file without scripts that refers to nothing outside of itself; whatever comes from a rules file is
text in it and never markup. Invariant: the numbers are those of the text report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from interpreter.analysis.simulate.simulation import Simulation
from interpreter.analysis.simulate.statistics import Estimate
from interpreter.tools.simulation import rows
from interpreter.tools.simulation.plots import Plot, plots
from interpreter.tools.simulation.text import never, percent, with_interval
from interpreter.tools.simulation.tinted import STYLE, tinted_files
from interpreter.tools.simulation.troubles import Trouble

__all__ = ["page"]

_MEMBERS = 15
"""Things chosen for one binder of an option that are listed."""
_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1d2026; background: #fff; }
body { max-width: 76em; margin: 2em auto; padding: 0 1.5em; }
h1 { margin-bottom: .1em; } h2 { margin-top: 2em; border-bottom: 1px solid #d6d9de; }
.plots { display: flex; flex-wrap: wrap; gap: 1em; } figure { margin: 0; flex: 1 1 30em; max-width: 46em; }
figcaption { font-weight: 600; } svg { width: 100%; height: auto; }
.numbers { border-collapse: collapse; } .numbers td, .numbers th { padding: .15em .8em; text-align: right; }
.numbers td { white-space: nowrap; } .numbers tr:nth-child(even) { background: #f5f6f8; }
.numbers td:first-child, .numbers th:first-child { text-align: left; white-space: normal; }
.numbers .part td:first-child { padding-left: 2.4em; color: #4a4f58; }
.numbers .where td { font-weight: 600; padding-top: .6em; }
.muted { color: #767b84; } .legend span { padding: .1em .5em; margin-right: .6em; } code { font-size: .95em; }
"""


def page(simulation: Simulation, level: float, troubles: Sequence[Trouble]) -> str:
    """The whole page."""
    title = escape(simulation.rules.title)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}: {simulation.totals.games:,} games</title>",
        f"<style>{_STYLE}{STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        *_head(simulation, level),
        "<h2>What comes out</h2>",
        *_outcomes(simulation, level),
        '<div class="plots">',
        *(_figure(plot) for plot in plots(simulation, level)),
        "</div>",
        *_troubles(troubles),
        *_choices(simulation, level),
        *_cards(simulation, level),
        *_never(simulation),
        *_rules(simulation, level),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _head(simulation: Simulation, level: float) -> Iterator[str]:
    rules, totals = simulation.rules, simulation.totals
    seats = ", ".join(f"{player} {seat}" for player, seat in zip(rules.players, simulation.job.seats, strict=True))
    last = simulation.seed + simulation.games - 1
    yield (
        f'<p class="muted">{totals.games:,} games of {_code(rules.configuration.text())}, seeds {simulation.seed} to '
        f"{last}; {escape(seats)}. Intervals hold in {100 - 100 * level:g} of 100 cases.</p>"
    )
    if not simulation.is_complete:
        yield f"<p><strong>Not complete:</strong> {simulation.games - totals.games:,} games are still to be played.</p>"


def _figure(plot: Plot) -> str:
    return f"<figure><figcaption>{escape(plot.title)}</figcaption>{plot.svg}</figure>"


def _code(text: str) -> str:
    return f"<code>{escape(text.replace('`', ''))}</code>"


def _numbers(head: Sequence[str], lines: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """A table; each line has a class and cells."""
    yield '<table class="numbers"><tr>' + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"
    for name, cells in lines:
        kind = f' class="{name}"' if name else ""
        yield f"<tr{kind}>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
    yield "</table>"


def _outcomes(simulation: Simulation, level: float) -> Iterator[str]:
    lines = []
    for row in rows.outcomes(simulation, level):
        if row.key in ("faults", "endless") and not row.estimate.value:
            continue
        lines.append(("", (row.title, with_interval(row.estimate, row.is_share))))
    yield from _numbers(("", f"{100 - 100 * level:g} % interval"), lines)
    seats = rows.seat_advantage(simulation, level)
    if seats:
        yield f"<p>{escape(seats)}</p>"


def _troubles(troubles: Sequence[Trouble]) -> Iterator[str]:
    if troubles:
        yield "<h2>What goes wrong</h2>"
        for trouble in troubles:
            ways = "".join(f"<li>{_code(way)}</li>" for way in trouble.ways)
            yield f"<p>{escape(trouble.title)}: {trouble.games:,} games</p><ul>{ways}</ul>"


def _follows(simulation: Simulation, found: Estimate | None) -> str:
    return "-" if found is None else with_interval(found, len(simulation.rules.players) > 1)


def _follows_head(simulation: Simulation) -> str:
    return "wins of those who took it" if len(simulation.rules.players) > 1 else "score of those games"


def _choices(simulation: Simulation, level: float) -> Iterator[str]:
    found = list(rows.choices(simulation, level))
    if not found:
        return
    yield "<h2>What is chosen</h2>"
    lines: list[tuple[str, Sequence[str]]] = []
    where = None
    for row in found:
        if row.where != where:
            lines.append(("where", (row.where, "", "", "", "")))
            where = row.where
        taken = percent(row.times / row.offered) if row.offered else "-"
        cells = (row.label, f"{row.offered:,}", taken, percent(row.games), _follows(simulation, row.follows))
        lines.append(("", cells))
        for binder in dict.fromkeys(each.binder for each in row.members):
            lines.extend(_members(simulation, row, binder))
    yield from _numbers(("option", "offered", "taken", "in games", _follows_head(simulation)), lines)


def _members(simulation: Simulation, row: rows.ChoiceRow, binder: str) -> Iterator[tuple[str, Sequence[str]]]:
    """What was chosen for one binder of an option, the commonest first."""
    chosen = [each for each in row.members if each.binder == binder and each.times]
    chosen.sort(key=lambda each: -each.games)
    for each in chosen[:_MEMBERS]:
        share = percent(each.times / row.times) if row.times else "-"
        cells = (f"{binder} = {each.name}", "", share, percent(each.games), _follows(simulation, each.follows))
        yield "part", cells
    if len(chosen) > _MEMBERS:
        yield "part", (f"and {len(chosen) - _MEMBERS} more", "", "", "", "")


def _cards(simulation: Simulation, level: float) -> Iterator[str]:
    found = [row for row in rows.sites(simulation, level) if row.site.what in ("row", "card") and row.uses.times]
    if not found:
        return
    yield "<h2>Rows and cards</h2>"
    base = rows.baseline(simulation)
    if base is not None:
        several = len(simulation.rules.players) > 1
        yield f'<p class="muted">Of all players in all games: {percent(base) if several else f"{base:.4g}"}.</p>'
    lines = [
        ("", (row.site.title, row.site.measure, percent(row.games), _follows(simulation, row.follows)))
        for row in sorted(found, key=lambda row: -row.games)
    ]
    yield from _numbers(("", "", "in games", _follows_head(simulation)), lines)


def _never(simulation: Simulation) -> Iterator[str]:
    unused, all_sites = rows.dead(simulation), simulation.sites.sites
    share = 1 - len(unused) / len(all_sites) if all_sites else 1.0
    yield "<h2>What is never used</h2>"
    yield f"<p>{percent(share)} of {len(all_sites)} places of the rules were used in these games.</p>"
    if unused:
        places = (f"{_code(rows.place_of(simulation.rules, site.span))} {escape(never(site))}" for site in unused)
        yield "<ul>" + "".join(f"<li>{place}</li>" for place in places) + "</ul>"


def _rules(simulation: Simulation, level: float) -> Iterator[str]:
    yield "<h2>The rules, by use</h2>"
    yield (
        '<p class="legend"><span style="background:rgba(59,110,165,.10)">seldom</span>'
        '<span style="background:rgba(59,110,165,.42)">in every game</span><span class="never">never</span>'
        '<span class="better">those who used it did clearly better than all</span>'
        '<span class="worse">clearly worse</span>'
        '<span class="muted">The second column says in how many games a line was used; point at a place for more.'
        "</span></p>"
    )
    for name, body in tinted_files(simulation, level):
        yield f"<h3>{_code(name)}</h3>{body}"
