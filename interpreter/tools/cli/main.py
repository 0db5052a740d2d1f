"""`dsl`: finds the command, runs it, and turns whatever happens into an exit code.

Commands are modules of `commands`, each imported only when it is asked for, because a shell waits for every
completion and every `--help`. This module therefore imports nothing heavy, and the table of commands below is all it
knows about them.

Invariant: `main` always gives one of the codes of `exits`, and a traceback is shown only on request
(`DSL_TRACEBACK=1`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from interpreter.diagnostics import DslError, InternalError
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE, INTERRUPTED, WRONG, UsageFault, stage_of
from interpreter.tools.cli.parser import Command, Parser, build

__all__ = ["COMMANDS", "command_parser", "entry", "main"]

COMMANDS = {
    "list": "list the games that ship",
    "check": "check rules files without starting a game",
    "fmt": "format rules files",
    "test": "run the tests of rules files and played examples",
    "play": "play a game in the terminal",
    "replay": "step through a saved game",
    "simulate": "play many games and tell what comes of them",
    "compare": "play two versions of a game and say which differences are real",
    "show": "show a table, value, kind, board or phase as resolved, with where each part comes from",
    "why": "explain a number, or why an option is not offered",
    "odds": "work out the odds of a value under the dice",
    "graph": "draw the phases, the board or the dependencies of a game",
    "explain": "explain the code of a finding",
    "new": "start a game or a board",
    "debug": "show a rules file at a stage of its way to a game",
    "bench": "measure random games per second",
    "completion": "print a completion script for a shell",
}
"""Every command with its one line, in the order of `dsl --help`. The module is `commands.NAME`."""

_EXAMPLES = """\
examples:
  dsl list                       the games that ship; `dsl play NAME` plays one
  dsl check rules examples       check every rules file in two folders
  dsl explain D101               what a finding means

environment:
  DSL_CACHE=off                  use nothing that earlier runs have worked out, and keep nothing
  DSL_BACKEND=wasm               what runs a game that is played (default: python)
  NO_COLOR=1                     no colours"""


def entry() -> NoReturn:
    """The console script."""
    streams.make_safe()
    code = main()
    try:
        sys.stdout.flush()
    except OSError:
        _forget_output()
    sys.exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and gives its exit code."""
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except SystemExit as leave:  # how argparse ends
        return leave.code if isinstance(leave.code, int) else WRONG
    except UsageFault as fault:
        if str(fault):
            streams.remark(f"error: {fault}")
        return fault.code
    except KeyboardInterrupt:
        streams.remark("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return WRONG
    except Exception as fault:
        return _fault(fault)


def _run(arguments: list[str]) -> int:
    name = next((word for word in arguments if not word.startswith("-")), None)
    if name is None or arguments[0].startswith("-"):
        return _without_command(arguments)
    if name not in COMMANDS:
        raise UsageFault(_unknown(name))
    parser, command = command_parser(name)
    return command.run(parser.parse_args(arguments[1:]))


def command_parser(name: str) -> tuple[Parser, Command]:
    """A command with its parser; imports its module."""
    command: Command = import_module(f"interpreter.tools.cli.commands.{name}").COMMAND
    return build(name, COMMANDS[name], command), command


def _without_command(arguments: list[str]) -> int:
    listed = "\n".join(f"  {name:<12} {summary}" for name, summary in COMMANDS.items())
    parser = Parser(
        "dsl",
        f"Rules as data for tabletop games.\n\ncommands:\n{listed}\n\n`dsl COMMAND --help` tells more.",
        _EXAMPLES,
        usage="dsl COMMAND ...",
    )
    parser.add_argument("--version", action="store_true", help="show the version and end")
    asked = parser.parse_args(arguments)
    if asked.version:
        streams.write_out(f"dsl {_version()}\n")
        return FINE
    sys.stderr.write(parser.format_help())
    return WRONG


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rulewright")
    except PackageNotFoundError:
        return "(not installed)"


def _unknown(name: str) -> str:
    from interpreter.diagnostics import nearest

    near = nearest(name, list(COMMANDS))
    offer = f"did you mean `dsl {near}`?" if near else "`dsl --help` lists them"
    return f"no command `{name}`: {offer}"


def _fault(fault: Exception) -> int:
    """Says whose fault it is, in one line; the way it happened only on request."""
    if os.environ.get("DSL_TRACEBACK"):
        import traceback

        traceback.print_exception(fault)
    if isinstance(fault, DslError) and not isinstance(fault, InternalError):
        streams.remark(f"error: {fault}")
        return WRONG
    stage = stage_of(fault)
    where = f" in {stage}" if stage else ""
    said = str(fault.args[0]) if isinstance(fault, InternalError) and fault.args else _described(fault)
    streams.remark(f"internal error{where}: {said}")
    streams.remark("this is a fault of dsl, not of the rules; DSL_TRACEBACK=1 shows where it happened")
    return WRONG


def _described(fault: Exception) -> str:
    first = str(fault).strip().partition("\n")[0]
    return f"{type(fault).__name__}: {first}" if first else type(fault).__name__


def _forget_output() -> None:
    """Nobody reads standard output any more: keeps the interpreter from complaining at its end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
