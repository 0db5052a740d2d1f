"""From the text of a generated game to the game, and through it: what all properties of generated games share.

A game is played to its end or for so many decisions, with choices from a seed. A fault of the rules (a number that
leaves its range, a full zone) may happen in a game made by chance, so it ends the game and is no error; it is counted
(`event`), so that a run shows if faults become the rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from hypothesis import event, note
from strategies.games import GameText

from interpreter.diagnostics import RulesError, Severity
from interpreter.runtime import Rules, Session, load
from interpreter.workspace.check_files import check_files

__all__ = ["DECISIONS", "begun", "errors_in", "faults_of", "loaded", "played", "written"]

DECISIONS = 40
"""Decisions of a game, at most."""


def written(folder: Path, game: GameText) -> Path:
    """The file of a game."""
    note(game.shown)
    for name, text in game.parts.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / "game.rules"
    path.write_text(game.text, encoding="utf-8")
    return path


def errors_in(path: Path) -> list[str]:
    """What a check says is wrong, warnings apart."""
    return [str(found) for found in check_files([path]).diagnostics if found.severity is Severity.ERROR]


def loaded(folder: Path, game: GameText) -> Rules:
    """The game, ready to play."""
    return load(written(folder, game))


def faults_of(error: RulesError) -> str:
    """The codes of an error, which must be those of faults in play."""
    codes = ", ".join(diagnostic.code for diagnostic in error.diagnostics)
    assert codes.startswith("D7"), str(error)
    event(f"fault {codes}")
    return codes


def begun(rules: Rules, seed: int) -> Session | None:
    """The game at its first decision; None where a fault comes before."""
    try:
        return rules.start(seed)
    except RulesError as error:
        faults_of(error)
        return None


def played(session: Session, seed: int, most: int = DECISIONS) -> Iterator[Session]:
    """The session at each decision, choices taken by chance; stops at the end, at a fault, or after so many."""
    random = Random(seed)
    yield session
    for _ in range(most):
        if session.is_over:
            return
        try:
            session.apply(random.randrange(len(session.options)))
        except RulesError as error:
            faults_of(error)
            return
        yield session
