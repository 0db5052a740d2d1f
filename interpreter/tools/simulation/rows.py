"""What every report of a simulation says, as rows: worked out once, laid out by text, page and data alike.

Invariant: a number here is the one that every form shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from interpreter.analysis.simulate.metrics import expected, follows, is_dead, of_outcomes
from interpreter.analysis.simulate.simulation import Simulation
from interpreter.analysis.simulate.sites import Choice, Site
from interpreter.analysis.simulate.statistics import Estimate, quantile, share_of
from interpreter.backends.counted import Uses
from interpreter.diagnostics import Span
from interpreter.runtime.rules import Rules
from interpreter.tools.report import shown_path

__all__ = [
    "ChoiceRow",
    "MemberRow",
    "OutcomeRow",
    "SiteRow",
    "choices",
    "dead",
    "outcomes",
    "place_of",
    "sites",
    "spread",
]


@frozen
class OutcomeRow:
    """A number about how games end and go."""

    key: str
    title: str
    is_share: bool
    estimate: Estimate


@frozen
class MemberRow:
    """One of the things chosen within an option."""

    binder: str
    name: str
    times: int
    games: float
    """The share of games in which it was chosen."""
    follows: Estimate | None


@frozen
class ChoiceRow:
    """An option of a decision."""

    label: str
    where: str
    span: Span
    times: int
    """How often it was taken."""
    offered: int
    """How many decisions offered it."""
    games: float
    """The share of games in which it was taken."""
    follows: Estimate | None
    """How its users did."""
    members: tuple[MemberRow, ...]
    is_pass: bool


@frozen
class SiteRow:
    """A place of the rules."""

    site: Site
    uses: Uses
    games: float
    """The share of games in which it was used."""
    follows: Estimate | None


def outcomes(simulation: Simulation, level: float) -> Iterator[OutcomeRow]:
    """How games end and go."""
    totals = simulation.totals
    for metric in of_outcomes(simulation.rules.program):
        found = metric.estimate(totals, level)
        if metric.key in ("lead changes", "comebacks") and not totals.leads:
            continue
        if found is not None:
            yield OutcomeRow(metric.key, metric.title, metric.is_share, found)


def choices(simulation: Simulation, level: float) -> Iterator[ChoiceRow]:
    """Every option, and what was chosen within it."""
    totals, program = simulation.totals, simulation.rules.program
    for choice in simulation.sites.choices:
        uses = totals.of(choice.taken)
        if choice.is_pass and not totals.of(choice.offered).times:
            continue
        yield ChoiceRow(
            label=choice.label,
            where=choice.where,
            span=choice.span,
            times=uses.times,
            offered=totals.of(choice.offered).times,
            games=_share(simulation, uses),
            follows=follows(uses, program, level),
            members=tuple(_members(simulation, choice, level)),
            is_pass=choice.is_pass,
        )


def _members(simulation: Simulation, choice: Choice, level: float) -> Iterator[MemberRow]:
    totals, program = simulation.totals, simulation.rules.program
    for name, members in choice.binders:
        for member in members:
            uses = totals.of(member.counter)
            found = follows(uses, program, level)
            yield MemberRow(name, member.name, uses.times, _share(simulation, uses), found)


def sites(simulation: Simulation, level: float) -> Iterator[SiteRow]:
    """Every place of the rules that can be used, in reading order."""
    totals, program = simulation.totals, simulation.rules.program
    for site in simulation.sites.sites:
        uses = site.uses(totals)
        yield SiteRow(site, uses, _share(simulation, uses), follows(uses, program, level))


def dead(simulation: Simulation) -> list[Site]:
    """The places that were never used, options and rows before lines, cells last."""
    order = ("option", "card", "row", "line", "statement", "cell")
    found = [site for site in simulation.sites.sites if is_dead(site, simulation.totals)]
    return sorted(found, key=lambda site: order.index(site.what))


def _share(simulation: Simulation, uses: Uses) -> float:
    played = simulation.totals.games - simulation.totals.faulty
    return min(1.0, uses.games / played) if played else 0.0


def spread(simulation: Simulation, key: str) -> tuple[int, int, int, int, int] | None:
    """The least value, the quarters and the greatest of a distribution that was counted; None where none was."""
    totals = simulation.totals
    if key == "length":
        counts = totals.lengths
    elif key.startswith("score "):
        counts = totals.scores[int(key.removeprefix("score "))]
    else:
        return None
    if not counts:
        return None
    quarters = (quantile(counts, share) for share in (0.25, 0.5, 0.75))
    return (min(counts), *quarters, max(counts))  # type: ignore[return-value]


def seat_advantage(simulation: Simulation, level: float) -> str:
    """Whether it matters where one sits, in a sentence; empty in a game for one. All seats together are judged at the
    level. Seats that are taken by different bots are not the same, so nothing is said of them."""
    totals, players = simulation.totals, simulation.rules.players
    if len(players) < 2 or len(set(simulation.job.seats)) > 1 or not totals.ended:
        return ""
    even = sum(totals.wins(player) for player in range(len(players))) / (totals.ended * len(players))
    found = []
    for player, name in enumerate(players):
        estimate = share_of(totals.wins(player), totals.ended, level / len(players))
        if estimate is not None and not estimate.low <= even <= estimate.high:
            found.append(f"{name} wins {'more' if estimate.value > even else 'less'} often")
    shown = f"{100 * even:.1f} %"
    return f"seats: {', '.join(found) if found else 'none is better than another'} (even would be {shown} each)"


def baseline(simulation: Simulation) -> float | None:
    """What would follow if nothing made a difference."""
    return expected(simulation.totals, simulation.rules.program)


def place_of(rules: Rules, span: Span) -> str:
    """Where something stands, as a path from the current folder with line and column."""
    return f"{file_of(rules, span.path)}:{span.start.line}:{span.start.column}"


def file_of(rules: Rules, path: str) -> str:
    """A file of a game as a path from the current folder."""
    root = None if rules.files is None else rules.files.root
    if root is not None and (Path(root) / path).is_file():
        return shown_path(str(Path(root) / path))
    return shown_path(path)
