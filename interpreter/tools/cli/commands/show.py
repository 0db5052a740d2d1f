"""`dsl show`: a declaration as resolved, with the file and line that each part comes from."""

from __future__ import annotations

import argparse

from interpreter.diagnostics import did_you_mean
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE, UsageFault
from interpreter.tools.cli.parser import Arguments, Command, add_game_arguments

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl show dragons.rules                                 every name there is to show
dsl show dragons.rules treasures                       a table, drawn
dsl show dragons.rules "attack dice" --option expert   a value, with the lines that a variant adds
dsl show dragons.rules cave                            a board
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument("name", nargs="?", metavar="NAME", help="what to show; without it all names are listed")


def _run(arguments: Arguments) -> int:
    from interpreter.tools.cli.games import understand_game
    from interpreter.workspace.declared import declared_names, describe_named, is_named

    understood = understand_game(arguments)
    game = understood.game
    if arguments.name is None:
        streams.write_out("\n".join(declared_names(game)) + "\n")
        return FINE
    if not is_named(game, arguments.name):
        offer = did_you_mean(arguments.name, declared_names(game)) or "`dsl show RULES` lists all names"
        raise UsageFault(f"nothing is called `{arguments.name}`: {offer}")
    streams.write_out("\n".join(describe_named(game, arguments.name, understood.reader)) + "\n")
    return FINE


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
