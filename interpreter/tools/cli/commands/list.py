"""`dsl list`: the games that ship, with what can be chosen for each; read without understanding them."""

from __future__ import annotations

import argparse
import json

from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE
from interpreter.tools.cli.parser import Arguments, Command

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl list                  every game with its options
dsl list --format json
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _run(arguments: Arguments) -> int:
    from interpreter.tools.cli.catalogue import catalogue

    games = catalogue()
    if arguments.format == "json":
        data = {"format_version": 1, "games": [game.as_data() for game in games]}
        streams.write_out(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    else:
        streams.write_out("".join(game.as_text() for game in games))
    return FINE


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
