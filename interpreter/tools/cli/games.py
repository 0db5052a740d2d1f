"""From a RULES argument to a game: found, configured, understood or ready to play.

Whoever is wrong is told in the same way by every command. Rules with errors are reported like `dsl check` would, on
standard output, and end with 1. An option, scenario or number of players that the game does not have is a mistake of
the caller: one line on standard error, and 2.

Invariant: what is given back has no errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from interpreter.diagnostics import Diagnostic, Diagnostics, RulesError, Severity, did_you_mean
from interpreter.source import shipped_games
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINDINGS, WRONG, UsageFault
from interpreter.tools.report import FORMATS
from interpreter.workspace import Lines, WorkspaceFiles, find_rules

if TYPE_CHECKING:
    from interpreter.runtime import Rules
    from interpreter.semantics import Project
    from interpreter.semantics.model import Game
    from interpreter.workspace.declared import Reader

__all__ = ["Ended", "Understood", "given_options", "load_game", "read_game", "rules_path", "understand_game"]

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
    shipped = [path.stem for path in shipped_games()]
    offer = did_you_mean(name, shipped) or "`dsl list` names the games that ship"
    raise UsageFault(f"no rules file `{name}`: {offer}")


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
    from interpreter.semantics import Configuration, understand

    project, files = read_game(arguments.rules, arguments.color)
    players, options = given_options(arguments)
    sink = Diagnostics()
    game = understand(project, Configuration(players, options, arguments.scenario), sink)
    if game is None or sink.has_errors:
        raise report(sink, files, arguments.color)
    return Understood(game, project, files)


def load_game(arguments: argparse.Namespace) -> Rules:
    """The game that the arguments of a command name, ready to play."""
    from interpreter.runtime import load

    path = rules_path(arguments.rules)
    players, options = given_options(arguments)
    name = arguments.rules if not Path(arguments.rules).is_file() else str(path)
    try:
        return load(name, players=players, options=options, scenario=arguments.scenario)
    except RulesError as fault:
        understand_game(arguments)  # says the same with paths as the caller knows them
        raise report(fault.diagnostics, WorkspaceFiles(root=path.absolute().parent), arguments.color) from fault


def report(found: Iterable[Diagnostic], files: WorkspaceFiles, color: str) -> Ended:
    """Shows what is wrong; gives the exception that ends the command."""
    errors = [each for each in found if each.severity is Severity.ERROR]
    if errors and all(each.code in _CONFIGURATION for each in errors):
        for each in errors:
            streams.remark(f"error[{each.code}]: {each.message}")
            for note in each.notes:
                streams.remark(f"note: {note}")
            if each.help:
                streams.remark(f"help: {each.help}")
        return Ended(WRONG)
    lines = Lines()
    lines.gather(files)
    streams.write_out(FORMATS["text"](errors, lines, colour=streams.has_colour(color)))
    count = "1 error" if len(errors) == 1 else f"{len(errors)} errors"
    streams.remark(f"{count}: this game cannot be played; `dsl check` says more")
    return Ended(FINDINGS)
