"""The look of `--help`, and the arguments that several commands share.

A command describes itself in a `Command`: its arguments, an example, and what to run. Help is laid out by our own
formatter, since the standard one changes its look between versions of Python and with the width of the terminal.

Invariant: the help of a command depends on nothing but the command.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable
from typing import NoReturn

from attrs import frozen

from interpreter.tools.cli.exits import WRONG

__all__ = ["Arguments", "Command", "Parser", "add_game_arguments", "build"]

Arguments = argparse.Namespace
"""What was asked for."""

_WIDTH = 100


@frozen
class Command:
    """One command of `dsl`."""

    add_arguments: Callable[[argparse.ArgumentParser], None]
    """Adds the arguments."""
    run: Callable[[Arguments], int]
    """Does it; gives the exit code."""
    example: str
    """Calls with what they do, shown under the help."""
    description: str = ""
    """More than the one line of the list, or nothing."""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Lays out help in one width, a value named once for the short and the long form of an option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=_WIDTH)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


class Parser(argparse.ArgumentParser):
    """A parser that offers the nearest option and never guesses an abbreviation."""

    def __init__(self, prog: str, description: str, epilog: str, usage: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            usage=usage,
            formatter_class=_Formatter,
            allow_abbrev=False,
            add_help=False,
        )
        self.add_argument("-h", "--help", action="help", help="show this and end")

    def error(self, message: str) -> NoReturn:
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown != message:
            message = f"unknown argument: {unknown}"
            known = [name for action in self._actions for name in action.option_strings]
            near = difflib.get_close_matches(unknown.split()[0].split("=")[0], known, 1)
            if near:
                message += f" (did you mean {near[0]}?)"
        self.exit(WRONG, f"error: {message}\nhelp: `{self.prog} --help` lists what is taken\n")


def build(name: str, summary: str, command: Command) -> Parser:
    """The parser of one command."""
    description = summary[0].upper() + summary[1:] + "."
    if command.description:
        description += "\n\n" + command.description
    parser = Parser(f"dsl {name}", description, "examples:\n" + _indented(command.example))
    command.add_arguments(parser)
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colour the output (default: auto)"
    )
    return parser


def _indented(text: str) -> str:
    return "\n".join("  " + line if line else "" for line in text.strip("\n").split("\n"))


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """RULES, and how it is to be played: for every command that plays or explains one configuration of a game."""
    parser.add_argument("rules", metavar="RULES", help="a rules file, or the bare name of a game that ships")
    add_configuration(parser)


def add_configuration(parser: argparse.ArgumentParser) -> None:
    """Players, options, variants and the scenario."""
    parser.add_argument("--players", type=int, metavar="N", help="number of players")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="set an option or take a variant; repeatable; without a value: yes",
    )
    parser.add_argument("--scenario", metavar="NAME", help="the scenario to play")
