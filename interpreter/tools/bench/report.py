"""Comparisons as JSON, as text for people, and as the table of the README.

The JSON is described in `benchmarks/README.md`; its `format_version` is raised when a key changes its meaning.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from interpreter.tools.bench.compared import Compared, Reached
from interpreter.tools.bench.sides import TITLES, Missing, Side
from interpreter.tools.bench.start_up import Started

__all__ = ["FORMAT_VERSION", "to_json", "to_markdown", "to_text"]

FORMAT_VERSION = 2
_NAME_WIDTH = 32
_BACKENDS = ("wasm", "python")


def to_json(compared: Sequence[Compared], seconds: float, beside: str | None) -> str:
    """For programs."""
    report = {
        "format_version": FORMAT_VERSION,
        "seconds": seconds,
        "beside": beside,
        "results": [_result(game, backend) for game in compared for backend in game.backends],
        "peers": [_peer(game, side) for game in compared for side in game.peers]
        + [_absent(game, missing) for game in compared for missing in game.missing],
        "goals": [_goal(game, each) for game in compared for each in game.reached],
    }
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def _result(game: Compared, backend: str) -> dict[str, object]:
    rate, started = game.rates[backend], game.backends[backend]
    return {
        "rules": game.rules,
        "backend": backend,
        "options": dict(game.options),
        "playouts_per_second": round(rate.playouts_per_second, 2),
        "decisions_per_second": round(rate.decisions_per_second or 0.0, 1),
        "compile_seconds": round(started.compile_seconds, 4),
        "cached_seconds": None if started.cached_seconds is None else round(started.cached_seconds, 4),
        "state_bytes": game.state_bytes,
        "playouts": rate.games,
        "unfinished": rate.unfinished,
        "ratios": {name: _rounded(game.ratio(backend, name)) for name in game.rates if name != backend},
    }


def _peer(game: Compared, side: Side) -> dict[str, object]:
    rate = game.rates[side.name]
    decisions = rate.decisions_per_second
    return {
        "rules": game.rules,
        "peer": side.name,
        "title": side.title,
        "playouts_per_second": round(rate.playouts_per_second, 2),
        "decisions_per_second": None if decisions is None else round(decisions, 1),
        "playouts": rate.games,
        "remark": side.remark or None,
        "missing": None,
    }


def _absent(game: Compared, missing: Missing) -> dict[str, object]:
    return {
        "rules": game.rules,
        "peer": missing.name,
        "title": TITLES[missing.name],
        "playouts_per_second": None,
        "decisions_per_second": None,
        "playouts": 0,
        "remark": None,
        "missing": missing.reason,
    }


def _goal(game: Compared, each: Reached) -> dict[str, object]:
    return {
        "rules": game.rules,
        "backend": game.best,
        "beside": each.goal.beside,
        "of": each.goal.of,
        "above": each.goal.above,
        "because": each.goal.because or None,
        "ratio": None if each.ratio is None else _rounded(each.ratio),
        "reached": each.is_reached,
    }


def _rounded(ratio: float | None) -> float | None:
    """Three digits that mean something."""
    return None if ratio is None else float(f"{ratio:.4g}")


def to_text(game: Compared) -> str:
    """One game, for people."""
    best = game.best
    lines = [
        f"{game.title}: {game.rules}",
        f"  {'':{_NAME_WIDTH}} {'playouts/s':>13} {'decisions/s':>13} {best + ' is':>13}",
    ]
    for side in game.sides:
        rate = game.rates.get(side.name)
        if rate is None:
            continue
        ratio = "" if side.name == best else f"{_short(game.ratio(best, side.name))} times"
        decisions = "-" if rate.decisions_per_second is None else f"{rate.decisions_per_second:,.0f}"
        lines.append(f"  {side.title:{_NAME_WIDTH}} {_pace(rate.playouts_per_second):>13} {decisions:>13} {ratio:>13}")
        if side.remark:
            lines.append(f"    there {side.remark}")
        if rate.unfinished:
            lines.append(f"    {rate.unfinished} games did not end")
    lines += [f"  {TITLES[each.name]:{_NAME_WIDTH}} missing: {each.reason}" for each in game.missing]
    lines += [f"  {_begun(name, started)}" for name, started in game.backends.items()]
    lines.append(f"  {game.state_bytes} bytes of state")
    lines += [f"  {_goal_text(game, each)}" for each in game.reached]
    return "\n".join(line.rstrip() for line in lines) + "\n\n"


def _begun(name: str, started: Started) -> str:
    cached = "" if started.cached_seconds is None else f", from the cache in {started.cached_seconds:.3f} s"
    return f"backend {name} begins after {started.compile_seconds:.3f} s{cached}"


def _goal_text(game: Compared, each: Reached) -> str:
    goal = each.goal
    told = {None: "not measured", True: "reached", False: "short"}[each.is_reached]
    ratio = "" if each.ratio is None else f": {_short(each.ratio)}"
    because = f" ({goal.because})" if goal.because else ""
    beside = TITLES.get(goal.beside, f"backend {goal.beside}")
    return f"goal: above {goal.above:g} times {beside} in {goal.of}{because}{ratio}, {told}"


def _pace(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def _short(ratio: float | None) -> str:
    """A ratio with as many digits as it deserves."""
    if ratio is None:
        return ""
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"


def to_markdown(compared: Sequence[Compared]) -> str:
    """The table of the README: how fast our backends are, and how many times faster than everybody else the best is."""
    best = compared[0].best
    backends = [name for name in _BACKENDS if any(name in game.rates for game in compared)]
    others = [name for name in (*backends, *TITLES) if name != best and any(name in game.rates for game in compared)]
    rows = [
        [
            "game",
            f"`{best}`: games/s",
            *(f"`{name}`: decisions/s" for name in backends),
            *(f"`{best}` : {TITLES.get(name, f'`{name}`')}" for name in others),
        ]
    ]
    for game in compared:
        paces = [game.rates[name].decisions_per_second or 0.0 for name in backends]
        ratios = [_short(game.ratio(best, name, _counted(name))) for name in others]
        rows.append([game.title, _figures(game.rates[best].playouts_per_second), *map(_figures, paces), *ratios])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(re.sub(r"\| +(?=\|)", "| ", line) for line in lines) + "\n"


def _counted(name: str) -> str:
    """What is counted beside a side: the same games are better compared by decisions, since games differ in length."""
    return "decisions" if name in _BACKENDS else "playouts"


def _figures(rate: float) -> str:
    """Three figures that mean something, in groups of three."""
    digits = max(0, len(str(int(rate))) - 3)
    return f"{round(rate / 10**digits) * 10**digits:,}"
