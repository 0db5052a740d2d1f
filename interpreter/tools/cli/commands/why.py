"""`dsl why`: explains a number in a saved game, or why an option is not offered there."""

from __future__ import annotations

import argparse

from interpreter.diagnostics import DslError, RulesError
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE, UsageFault
from interpreter.tools.cli.parser import Arguments, Command

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl why game.save "final score"                how the number comes about, line by line
dsl why game.save "Open the iron door"         why it is offered or not
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("save", metavar="SAVE", help="a saved game")
    parser.add_argument("what", metavar="EXPR_OR_OPTION", help="an expression, or the name of an option")


def _run(arguments: Arguments) -> int:
    from interpreter.tools.cli.saved import open_save
    from interpreter.tools.play.explained import explain_choice, explain_value
    from interpreter.tools.report import in_short

    session = open_save(arguments.save)
    if any(option.name == arguments.what for option in session.options):
        streams.write_out(f"`{arguments.what}` is offered to {session.player_name}\n")
        return FINE
    try:
        lines = list(explain_value(session, arguments.what))
    except DslError as fault:
        reason = in_short(fault.diagnostics[0]) if isinstance(fault, RulesError) else str(fault)
        if session.is_over:
            raise UsageFault(f"{reason}\nthe game is over, so no option is offered") from fault
        try:
            lines = list(explain_choice(session, arguments.what))
        except DslError as other:
            said = f"`{arguments.what}` is no expression and no option"
            raise UsageFault(f"{said}\nas an expression: {reason}\nas an option: {other}") from other
    streams.write_out("\n".join(lines) + "\n")
    return FINE


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
