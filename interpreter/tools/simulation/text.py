"""A simulation as text: what comes out, what is chosen, what is never used, what goes wrong.

Invariant: every number that is a mean or a share over games stands with its interval or with what it is counted from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from interpreter.analysis.simulate.simulation import Simulation
from interpreter.analysis.simulate.sites import Site
from interpreter.analysis.simulate.statistics import Estimate
from interpreter.runtime.names import number_text
from interpreter.tools.simulation import rows
from interpreter.tools.simulation.troubles import Trouble

__all__ = ["percent", "report", "table", "with_interval"]

_MEMBERS = 10
"""Things chosen for one binder of an option that are listed."""
_NAMED = 40
"""Places that are listed, of those that were never used."""
_WIDEST = 60


def report(simulation: Simulation, level: float, troubles: Sequence[Trouble] = (), seconds: float | None = None) -> str:
    """The whole report."""
    parts = [
        _head(simulation, seconds),
        _outcomes(simulation, level),
        _choices(simulation, level),
        _cards(simulation, level),
        _coverage(simulation),
        _troubles(troubles),
    ]
    return "\n".join("".join(line + "\n" for line in part) for part in map(list, parts) if part)


def _head(simulation: Simulation, seconds: float | None) -> Iterator[str]:
    rules, totals = simulation.rules, simulation.totals
    last = simulation.seed + simulation.games - 1
    yield f"{rules.title}: {totals.games:,} games, seeds {simulation.seed} to {last}, {rules.configuration.text()}"
    seats = (f"{player} {seat}" for player, seat in zip(rules.players, simulation.job.seats, strict=True))
    yield f"  who plays: {', '.join(seats)}"
    if totals.games < simulation.games:
        left = simulation.games - totals.games
        yield f"  not complete: {left:,} games of {simulation.games:,} are still to be played"
    if seconds is not None and seconds > 0:
        yield f"  played in {seconds:.1f} s, {totals.games / seconds:,.0f} games a second"


def _outcomes(simulation: Simulation, level: float) -> list[str]:
    lines = []
    for row in rows.outcomes(simulation, level):
        if row.key in ("faults", "endless") and not row.estimate.value:
            continue
        spread = rows.spread(simulation, row.key)
        more = ""
        if spread is not None:
            halves = row.key.startswith("score") and simulation.rules.program.score_halves
            least, low, middle, high, most = (_number(value, halves) for value in spread)
            more = f"middle {middle}, half of them {low} to {high}, all {least} to {most}"
        lines.append((row.title, *_cells(row.estimate, row.is_share), more))
    head = ("outcomes", "", _interval_head(level), "")
    seats = rows.seat_advantage(simulation, level)
    return [*table([head, *lines]), *([seats] if seats else [])]


def _interval_head(level: float) -> str:
    return f"{100 - 100 * level:g} % interval"


def _number(value: int, halves: bool) -> str:
    from fractions import Fraction

    return number_text(Fraction(value, 2) if halves else value)


def _choices(simulation: Simulation, level: float) -> list[str]:
    found = list(rows.choices(simulation, level))
    if not found:
        return []
    follows = _follows_head(simulation)
    head = ("choices", "offered", "taken", "in games", *follows, _interval_head(level) if follows else "")
    lines: list[tuple[str, ...]] = [head]
    where = None
    for row in found:
        if row.where != where:
            lines.append((f"  {row.where}",))
            where = row.where
        taken = percent(row.times / row.offered) if row.offered else "-"
        lines.append(
            (
                f"    {_cut(row.label)}",
                f"{row.offered:,}",
                taken,
                percent(row.games),
                *_following(simulation, row.follows),
            )
        )
        for binder in dict.fromkeys(each.binder for each in row.members):
            lines.extend(_members(simulation, row, binder))
    return list(table(lines))


def _members(simulation: Simulation, row: rows.ChoiceRow, binder: str) -> Iterator[tuple[str, ...]]:
    """What was chosen for one binder of an option, the commonest first."""
    chosen = sorted(
        (each for each in row.members if each.binder == binder and each.times), key=lambda each: -each.games
    )
    for each in chosen[:_MEMBERS]:
        share = percent(each.times / row.times) if row.times else "-"
        name = f"      {binder} = {_cut(each.name)}"
        yield (name, "", share, percent(each.games), *_following(simulation, each.follows))
    if len(chosen) > _MEMBERS:
        yield (f"      ... and {len(chosen) - _MEMBERS} more",)


def _follows_head(simulation: Simulation) -> tuple[str, ...]:
    if len(simulation.rules.players) > 1:
        return ("wins with it",)
    return ("score with it",) if simulation.rules.program.score else ()


def _following(simulation: Simulation, found: Estimate | None) -> tuple[str, ...]:
    if not _follows_head(simulation):
        return ()
    if found is None:
        return ("-", "")
    return _cells(found, len(simulation.rules.players) > 1)


def _cards(simulation: Simulation, level: float) -> list[str]:
    found = [row for row in rows.sites(simulation, level) if row.site.what in ("row", "card") and row.uses.times]
    if not found:
        return []
    follows = _follows_head(simulation)
    head = ("rows and cards", "", "in games", *follows, _interval_head(level) if follows else "")
    lines: list[tuple[str, ...]] = [head]
    ordered = sorted(found, key=lambda row: -row.games)
    for row in ordered[:_NAMED]:
        lines.append(
            (f"  {_cut(row.site.title)}", row.site.measure, percent(row.games), *_following(simulation, row.follows))
        )
    if len(ordered) > _NAMED:
        lines.append((f"  ... and {len(ordered) - _NAMED} more",))
    base = rows.baseline(simulation)
    if base is not None and follows:
        shown = percent(base) if len(simulation.rules.players) > 1 else f"{base:.4g}"
        lines.append((f"  all players in all games: {shown}",))
    return list(table(lines))


def _coverage(simulation: Simulation) -> Iterator[str]:
    all_sites = simulation.sites.sites
    unused = rows.dead(simulation)
    counts = []
    for what in ("option", "row", "card", "cell", "line", "statement"):
        of = [site for site in all_sites if site.what == what]
        if of:
            used = len(of) - sum(1 for site in unused if site.what == what)
            counts.append(f"{used} of {len(of)} {what}s")
    share = 1 - len(unused) / len(all_sites) if all_sites else 1.0
    yield f"coverage: {percent(share)} used ({', '.join(counts) or 'nothing to use'})"
    for site in unused[:_NAMED]:
        yield f"  {rows.place_of(simulation.rules, site.span)}: {never(site)}"
    if len(unused) > _NAMED:
        yield f"  ... and {len(unused) - _NAMED} more; `--format json` lists all"


def never(site: Site) -> str:
    """That a place was never used, in words."""
    if site.what == "option":
        return f"option `{site.title}` was never taken"
    if site.what in ("row", "card"):
        return f"{site.what} `{site.title}` was never {site.measure}"
    if site.what == "cell":
        return f"cell `{site.title}` was never read"
    text = f": {_cut(site.text)}" if site.text else ""
    of = f" of `{site.title}`" if site.title and site.title != site.text else ""
    return f"{site.what}{of} was never used{text}"


def _troubles(troubles: Sequence[Trouble]) -> Iterator[str]:
    for trouble in troubles:
        yield f"{trouble.title}: {trouble.games:,} {'game' if trouble.games == 1 else 'games'}"
        for way in trouble.ways:
            yield f"  {way}"


# ------------------------------------------------------------------------------------------------ layout


def percent(share: float) -> str:
    """A share in percent, with as many digits as tell something."""
    shown = 100 * share
    if 0 < shown < 1 or 99 < shown < 100:
        return f"{shown:.2g} %" if shown < 1 else f"{shown:.4g} %"
    return f"{shown:.1f} %"


def with_interval(estimate: Estimate, is_share: bool) -> str:
    """A number with its interval, in one phrase."""
    value, interval = _cells(estimate, is_share)
    return f"{value} ({interval})"


def _cells(estimate: Estimate, is_share: bool) -> tuple[str, str]:
    if is_share:
        low, high = 100 * estimate.low, 100 * estimate.high
        return percent(estimate.value), f"{low:.3g} to {high:.3g}"
    digits = _digits(estimate.high - estimate.low)
    return f"{estimate.value:.{digits}f}", f"{estimate.low:.{digits}f} to {estimate.high:.{digits}f}"


def _digits(width: float) -> int:
    """Digits after the point that an interval of such a width leaves a meaning."""
    digits = 0
    while digits < 4 and 0 < width < 10 ** (1 - digits):
        digits += 1
    return digits


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def table(lines: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows of cells in columns: the first to the left, the rest to the right, a last one that is long to the left."""
    listed = [tuple(line) for line in lines]
    columns = max((len(line) for line in listed), default=0)
    widths = [0] * columns
    for line in listed:
        if len(line) > 1:
            for at, cell in enumerate(line):
                widths[at] = max(widths[at], len(cell))
    for line in listed:
        cells = [
            cell.ljust(widths[at]) if at == 0 or (at >= 3 and at == len(line) - 1) else cell.rjust(widths[at])
            for at, cell in enumerate(line)
        ]
        yield "  ".join(cells).rstrip()
