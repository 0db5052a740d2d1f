"""From a RULES argument to a game: found, configured, understood or ready to play.

Whoever is wrong is told in the same way by every command. Rules with errors are reported like `dsl check` would, on
standard output, and end with 1. An option, scenario or number of players that the game does not have is a mistake of
the caller: one line on standard error, and 2.

Invariant: what is given back has no errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from interpreter.diagnostics import Diagnostic, Diagnostics, RulesError, Severity
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINDINGS, WRONG, UsageFault
from interpreter.tools.report import FORMATS, in_short
from interpreter.workspace import Lines, WorkspaceFiles, find_rules, nearest_path

if TYPE_CHECKING:
    from interpreter.runtime import Rules
    from interpreter.runtime.rules import Configuration
    from interpreter.semantics import Project
    from interpreter.semantics.model import Game
    from interpreter.workspace.declared import Reader

__all__ = [
    "Ended",
    "Understood",
    "given_options",
    "load_configuration",
    "load_game",
    "nothing_at",
    "read_game",
    "rules_path",
    "tell_missing",
    "understand_game",
]

OptionValue = int | bool | str
_CONFIGURATION = ("D801", "D802", "D803", "D804", "D805", "D806", "D807", "D808", "D811")
"""Findings about what the caller chose, not about the rules."""


class Ended(UsageFault):
    """Everything has been said already; only the exit code is left."""

    def __init__(self, code: int) -> None:
        super().__init__("", code)


@frozen
class Understood:
    """A game understood in one configuration, with its files."""

    game: Game
    project: Project
    files: WorkspaceFiles

    @property
    def reader(self) -> Reader:
        """Reads the text behind spans."""
        from interpreter.workspace.declared import project_reader

        return project_reader(self.files, self.project)


def rules_path(name: str) -> Path:
    """The file that a RULES argument means."""
    found = find_rules(name)
    if found is not None:
        return found
    if Path(name).is_dir():
        raise UsageFault(f"`{name}` is a folder: name one rules file")
    raise UsageFault(nothing_at(name, "rules file"))


def nothing_at(name: str, what: str = "file") -> str:
    """That nothing is where a path leads, and the nearest name."""
    near = nearest_path(name)
    if near is not None:
        return f"no {what} `{name}`: did you mean `{near}`?"
    is_bare = Path(name).name == name and not Path(name).suffix
    return f"no {what} `{name}`" + (": `dsl list` names the games that ship" if is_bare else "")


def tell_missing(missing: Sequence[str], found: Sequence[Path]) -> None:
    """Says which paths lead nowhere; ends the command where nothing else was named."""
    for name in missing:
        streams.remark(f"error: {nothing_at(name)}")
    if missing and not found:
        raise Ended(WRONG)


def given_options(arguments: argparse.Namespace) -> tuple[int | None, dict[str, OptionValue]]:
    """The number of players and the options that were given; `--option players=3` counts as the former."""
    players: int | None = arguments.players
    options: dict[str, OptionValue] = {}
    for given in arguments.option:
        name, equals, value = given.partition("=")
        name = name.strip()
        if not name or (equals and not value.strip()):
            raise UsageFault(f"--option `{given}`: expected NAME or NAME=VALUE")
        if name == "players" and equals:
            if not value.strip().isdigit():
                raise UsageFault(f"--option `{given}`: expected a number of players")
            players = int(value)
        else:
            options[name] = _value(value.strip()) if equals else True
    return players, options


def _value(text: str) -> OptionValue:
    if text.lower() in ("yes", "no"):
        return text.lower() == "yes"
    return int(text) if text.lstrip("-").isdigit() else text


def read_game(name: str, color: str = "auto") -> tuple[Project, WorkspaceFiles]:
    """The project of a RULES argument: parsed, not understood."""
    from interpreter.semantics import read_project

    path = rules_path(name)
    sink = Diagnostics()
    files = WorkspaceFiles(root=path.absolute().parent)
    project = read_project(path.absolute(), sink, files)
    if project is None or sink.has_errors:
        raise report(sink, files, color)
    return project, files


def understand_game(arguments: argparse.Namespace) -> Understood:
    """The game that the arguments of a command name, in their configuration."""
    from interpreter.semantics import Configuration
    from interpreter.semantics.understand import understand

    project, files = read_game(arguments.rules, arguments.color)
    players, options = given_options(arguments)
    sink = Diagnostics()
    game = understand(project, Configuration(players, options, arguments.scenario), sink)
    if game is None or sink.has_errors:
        raise report(sink, files, arguments.color, project)
    return Understood(game, project, files)


def load_game(arguments: argparse.Namespace, backend: str | None = None) -> Rules:
    """The game that the arguments of a command name, ready to play; `backend` as for `load`."""
    from interpreter.runtime import load

    path = rules_path(arguments.rules)
    players, options = given_options(arguments)
    name = arguments.rules if not Path(arguments.rules).is_file() else str(path)
    try:
        return load(name, players=players, options=options, scenario=arguments.scenario, backend=backend)
    except RulesError as fault:
        understand_game(arguments)  # says the same with paths as the caller knows them
        raise report(fault.diagnostics, WorkspaceFiles(root=path.absolute().parent), arguments.color) from fault


def load_configuration(named: Configuration, color: str = "auto") -> Rules:
    """A game as it was loaded before, ready to play."""
    from interpreter.runtime import load

    path = rules_path(named.rules)
    try:
        return load(named.rules, players=named.players, options=dict(named.options), scenario=named.scenario)
    except RulesError as fault:
        raise report(fault.diagnostics, WorkspaceFiles(root=path.absolute().parent), color) from fault


def report(found: Iterable[Diagnostic], files: WorkspaceFiles, color: str, project: Project | None = None) -> Ended:
    """Shows what is wrong; gives the exception that ends the command. The project says what could be chosen."""
    errors = [each for each in found if each.severity is Severity.ERROR]
    if errors and all(each.code in _CONFIGURATION for each in errors):
        for each in errors:
            streams.remark(f"error[{each.code}]: {in_short(each, _choices(each, project))}")
        return Ended(WRONG)
    lines = Lines()
    lines.gather(files)
    streams.write_out(FORMATS["text"](errors, lines, colour=streams.has_colour(color)))
    count = "1 error" if len(errors) == 1 else f"{len(errors)} errors"
    streams.remark(f"{count}: this game cannot be played; `dsl check` says more")
    return Ended(FINDINGS)


def _choices(found: Diagnostic, project: Project | None) -> str | None:
    """What the game lets one choose, where an unknown name was given and none is near."""
    if found.help is not None or project is None:
        return found.help
    if found.code == "D801":
        names = [*(each.name.text for each in project.options), *(each.name.text for each in project.variants)]
        return f"this game has {', '.join(f'`{name}`' for name in names)}" if names else "this game has no options"
    if found.code == "D804" and project.scenarios:
        return f"this game has {', '.join(f'`{each.name.text}`' for each in project.scenarios)}"
    return None
