"""The rules with each line, row and cell tinted by how often it was used and what followed, as HTML.

The tint tells in how many games a place was used; what was never used is marked. A bar at the left of a place tells
that those who used it did clearly better or worse than all; pointing at it tells the numbers. A place that goes over
several lines is tinted in its first, since its other lines have places of their own.

Invariant: without its tags the text of a line is the line as written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from attrs import frozen

from interpreter.analysis.simulate.simulation import Simulation
from interpreter.analysis.simulate.sites import without_comment
from interpreter.source import Files
from interpreter.tools.simulation import rows
from interpreter.tools.simulation.rows import SiteRow
from interpreter.tools.simulation.text import never, percent, with_interval

__all__ = ["STYLE", "tinted_files"]

STYLE = """
.rules { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.rules { border-collapse: collapse; width: 100%; }
.rules td { padding: 0 .6em; white-space: pre-wrap; vertical-align: top; }
.rules .n, .rules .u { color: #767b84; text-align: right; white-space: nowrap; user-select: none; }
.rules .u { min-width: 4.5em; }
.rules span { border-radius: 2px; }
.never { background: #f9d3cf; } span.never { text-decoration: underline wavy #c0392b 1px; }
.better { box-shadow: inset 3px 0 #2e8b57; } .worse { box-shadow: inset 3px 0 #c0392b; }
"""
_WHOLE = ("row", "card")
"""Sorts of places that are named by a cell and stand for their line."""


@frozen
class _Mark:
    """A part of a line, from a column to another (from 0, the end not included)."""

    start: int
    end: int
    row: SiteRow


def tinted_files(simulation: Simulation, level: float) -> Iterator[tuple[str, str]]:
    """Each file that has a place that can be used: its name and its lines."""
    files = simulation.rules.files or Files()
    base = rows.baseline(simulation)
    by_file: dict[str, dict[int, list[SiteRow]]] = {}
    for row in rows.sites(simulation, level):
        span = row.site.span
        by_file.setdefault(span.path, {}).setdefault(span.start.line, []).append(row)
    for path, by_line in by_file.items():
        source = files.get(path)
        if source is not None:
            numbered = enumerate(source.text.split("\n"), 1)
            body = "".join(_line(number, text, by_line.get(number, ()), simulation, base) for number, text in numbered)
            yield rows.file_of(simulation.rules, path), f'<table class="rules">{body}</table>'


def _line(number: int, text: str, found: Sequence[SiteRow], simulation: Simulation, base: float | None) -> str:
    whole = [row for row in found if row.site.what in _WHOLE]
    marks = [_mark(row, text, number) for row in found if row.site.what not in _WHOLE]
    marks.sort(key=lambda mark: (mark.start, -mark.end))
    inner = _nested(text, 0, len(text), marks, simulation, base)
    told = whole or [row for row in found if row.site.what != "cell"] or found
    most = max(told, key=lambda row: row.games, default=None)
    shown = "" if most is None else percent(most.games) if most.uses.times else "never"
    attributes = _attributes(whole[0], simulation, base) if len(whole) == 1 else ""
    return f'<tr><td class="n" id="L{number}">{number}</td><td class="u">{shown}</td><td{attributes}>{inner}</td></tr>'


def _mark(row: SiteRow, text: str, number: int) -> _Mark:
    span = row.site.span
    end = span.end.column - 1 if span.end.line == number else len(without_comment(text))
    return _Mark(min(span.start.column - 1, len(text)), min(end, len(text)), row)


def _nested(text: str, start: int, end: int, marks: Sequence[_Mark], simulation: Simulation, base: float | None) -> str:
    """The text between two columns, with the marks within it; a mark that reaches out of another is cut."""
    out, at = [], start
    waiting = list(marks)
    while waiting:
        mark = waiting.pop(0)
        if mark.start < at or mark.start >= end:
            continue
        stop = min(mark.end, end)
        inner = [each for each in waiting if each.start < stop]
        waiting = [each for each in waiting if each.start >= stop]
        out.append(escape(text[at : mark.start]))
        content = _nested(text, mark.start, stop, inner, simulation, base)
        out.append(f"<span{_attributes(mark.row, simulation, base)}>{content}</span>")
        at = stop
    out.append(escape(text[at:end]))
    return "".join(out)


def _attributes(row: SiteRow, simulation: Simulation, base: float | None) -> str:
    """How a place is tinted, and what is told when it is pointed at."""
    if not row.uses.times:
        return f' class="never" title="{escape(never(row.site))}"'
    told = [f"{row.site.measure} in {percent(row.games)} of games, {_times(row, simulation)} a game"]
    name = ""
    if row.follows is not None and base is not None and row.site.what != "cell":
        several = len(simulation.rules.players) > 1
        shown = with_interval(row.follows, several)
        told.append(f"{'wins' if several else 'score'} of those who did: {shown}; of all: {_base(base, several)}")
        name = "better" if row.follows.low > base else "worse" if row.follows.high < base else ""
    alpha = 0.08 + 0.34 * row.games
    style = f' style="background:rgba(59,110,165,{alpha:.2f})"'
    return (f' class="{name}"' if name else "") + style + f' title="{escape(chr(10).join(told))}"'


def _times(row: SiteRow, simulation: Simulation) -> str:
    played = simulation.totals.games - simulation.totals.faulty
    return f"{row.uses.times / played:.3g} times" if played else "never"


def _base(base: float, several: bool) -> str:
    return percent(base) if several else f"{base:.4g}"
