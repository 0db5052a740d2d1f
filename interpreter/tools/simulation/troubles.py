"""Games that went wrong, saved so that anybody can look at them.

A fault, or a game that does not come to an end, is named with its place and with one save for each of a few games. A
save is an ordinary one: `dsl replay` steps through it, `dsl play --resume` goes on. A fault before the first decision
cannot be saved; then the seed is named.

Invariant: a save that is named was written, and the game in it leads where it is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from interpreter.analysis.simulate.reproduce import reproduce
from interpreter.analysis.simulate.simulation import Simulation
from interpreter.analysis.simulate.totals import Seen
from interpreter.diagnostics import page
from interpreter.runtime.saves import save
from interpreter.tools.report import shown_path
from interpreter.tools.simulation.rows import place_of

__all__ = ["Trouble", "save_troubles"]

_SAVED = 3
"""Games of one trouble that are saved."""


@frozen
class Trouble:
    """Games that went wrong in one way."""

    title: str
    """What went wrong, and where."""
    games: int
    """How often."""
    ways: tuple[str, ...]
    """How to see it, one line each."""
    saves: tuple[str, ...]
    """The saves that were written."""
    code: str
    """Of the diagnostic; empty for games without an end."""


def save_troubles(simulation: Simulation, folder: Path) -> list[Trouble]:
    """What went wrong, with saves in the folder, which is made only if there is something to save."""
    return list(_troubles(simulation, folder))


def _troubles(simulation: Simulation, folder: Path) -> Iterator[Trouble]:
    rules, totals = simulation.rules, simulation.totals
    for (code, number), trouble in sorted(totals.faults.items()):
        span = rules.program.spans[number] if 0 <= number < len(rules.program.spans) else None
        known = page(code)
        where = "" if span is None else f" at {place_of(rules, span)}"
        title = f"fault {code}{where}: {known.title if known is not None else 'the rules cannot go on here'}"
        ways, saves = _saved(simulation, folder, f"{code}-{number}", trouble.examples[:_SAVED], faulty=True)
        yield Trouble(title, trouble.games, ways, saves, code)
    if totals.endless.games:
        examples = totals.endless.examples[:_SAVED]
        ways, saves = _saved(simulation, folder, "endless", examples, faulty=False)
        stops = all(seen.decisions < simulation.job.limit for seen in examples)
        title = "play runs out without an end" if stops else f"no end after {simulation.job.limit:,} decisions"
        yield Trouble(title, totals.endless.games, ways, saves, "")


def _saved(
    simulation: Simulation, folder: Path, name: str, examples: list[Seen], *, faulty: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    rules, ways, saves = simulation.rules, [], []
    for seen in examples:
        found = reproduce(rules, simulation.job.seats, seen.seed, seen.decisions, faulty=faulty)
        if found is None:
            ways.append(
                f"seed {seen.seed}: before the first decision; `dsl play {_game(simulation)} --seed {seen.seed}`"
            )
            continue
        path = folder / f"{name}-seed-{seen.seed}.save"
        save(found.session, path)
        shown = shown_path(str(path))
        saves.append(shown)
        then = f"; `{found.leads_to}` leads to it" if found.leads_to else ""
        ways.append(f"{shown}: after {len(found.session.history.steps):,} decisions{then}")
    return tuple(ways), tuple(saves)


def _game(simulation: Simulation) -> str:
    """The game as it is named on a command line."""
    named = simulation.rules.configuration
    parts = [named.rules if re.fullmatch(r"[\w./-]+", named.rules) else f'"{named.rules}"']
    if named.players is not None:
        parts.append(f"--players {named.players}")
    if named.scenario is not None:
        parts.append(f'--scenario "{named.scenario}"')
    parts.extend(f"--option {name}={_word(value)}" for name, value in named.options)
    return " ".join(parts)


def _word(value: int | bool | str) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
