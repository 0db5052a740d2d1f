"""A simulation as JSON: all that is needed to go on, and what came of it so far in words that programs can read.

The document is that of `Simulation.to_data` with one key more:

    "results": {"level": 0.05, "complete": true,
      "outcomes": [{"key", "title", "is_share", "value", "low", "high", "count"}],
      "choices": [{"where", "label", "path", "line", "column", "offered", "taken", "in_games", "follows",
                   "members": [{"binder", "name", "taken", "in_games", "follows"}]}],
      "sites": [{"what", "title", "measure", "path", "line", "column", "times", "in_games", "follows"}],
      "never_used": [{"what", "title", "measure", "path", "line", "column", "message"}],
      "troubles": [{"code", "title", "games", "saves"}]}

`level` is the chance that an interval misses. `follows` is what happened to those who used it: the share of games that
they won, in a game for one their mean score, as {"value", "low", "high", "count"}, or null.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interpreter.analysis.simulate.simulation import Simulation, SimulationError
from interpreter.analysis.simulate.statistics import Estimate
from interpreter.diagnostics import Span
from interpreter.runtime.rules import Rules
from interpreter.tools.simulation import rows
from interpreter.tools.simulation.text import never
from interpreter.tools.simulation.troubles import Trouble

__all__ = ["document", "read_document"]


def document(simulation: Simulation, level: float, troubles: Sequence[Trouble]) -> str:
    """The whole document."""
    results = {
        "level": level,
        "complete": simulation.is_complete,
        "outcomes": [
            {"key": row.key, "title": row.title, "is_share": row.is_share, **row.estimate.to_data()}
            for row in rows.outcomes(simulation, level)
        ],
        "choices": [_choice(simulation.rules, row) for row in rows.choices(simulation, level)],
        "sites": [_site(simulation.rules, row) for row in rows.sites(simulation, level)],
        "never_used": [
            {
                "what": site.what,
                "title": site.title,
                "measure": site.measure,
                **_place(simulation.rules, site.span),
                "message": never(site),
            }
            for site in rows.dead(simulation)
        ],
        "troubles": [
            {"code": each.code, "title": each.title, "games": each.games, "saves": list(each.saves)}
            for each in troubles
        ],
    }
    return json.dumps({**simulation.to_data(), "results": results}, ensure_ascii=False, indent=1) + "\n"


def _choice(rules: Rules, row: rows.ChoiceRow) -> dict[str, Any]:
    return {
        "where": row.where,
        "label": row.label,
        **_place(rules, row.span),
        "offered": row.offered,
        "taken": row.times,
        "in_games": row.games,
        "follows": _estimate(row.follows),
        "members": [
            {
                "binder": each.binder,
                "name": each.name,
                "taken": each.times,
                "in_games": each.games,
                "follows": _estimate(each.follows),
            }
            for each in row.members
        ],
    }


def _site(rules: Rules, row: rows.SiteRow) -> dict[str, Any]:
    return {
        "what": row.site.what,
        "title": row.site.title,
        "measure": row.site.measure,
        **_place(rules, row.site.span),
        "times": row.uses.times,
        "in_games": row.games,
        "follows": _estimate(row.follows),
    }


def _place(rules: Rules, span: Span) -> dict[str, Any]:
    return {"path": rows.file_of(rules, span.path), "line": span.start.line, "column": span.start.column}


def _estimate(found: Estimate | None) -> dict[str, float | int] | None:
    return None if found is None else found.to_data()


def read_document(path: Path) -> dict[str, Any]:
    """What a simulation in a file needs to go on; raises `SimulationError`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SimulationError(f"cannot read `{path.as_posix()}`: {reason}") from None
    except (ValueError, RecursionError):
        raise SimulationError(f"`{path.as_posix()}` is no simulation: expected JSON") from None
    if not isinstance(data, dict):
        raise SimulationError(f"`{path.as_posix()}` is no simulation")
    return data
