"""`dsl replay`: a saved game again, step by step, both ways, or all at once.

At a terminal it steps: Enter goes on, `back` goes back, a number goes there. Otherwise it prints the choices and what
came of them. `--verify` plays the save under the rules as they are now and names the first decision that goes
differently.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from interpreter.diagnostics import RulesError
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINDINGS, FINE, UsageFault
from interpreter.tools.cli.parser import Arguments, Command

if TYPE_CHECKING:
    from interpreter.runtime import Session
    from interpreter.runtime.saves import Save

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl replay game.save                 step through it, or print it when piped
dsl replay game.save --to 12         the table after 12 decisions
dsl replay game.save --verify        exit 1 if the rules now give another game
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("save", metavar="SAVE", help="a saved game")
    parser.add_argument("--to", type=int, metavar="N", help="show the table after N decisions and end")
    parser.add_argument("--verify", action="store_true", help="only check that the rules still give the same game")
    parser.add_argument("--plain", action="store_true", help="plain lines, no drawing")


def _run(arguments: Arguments) -> int:
    from interpreter.runtime.saves import DivergenceError, SaveError, replay
    from interpreter.tools.cli.saved import read_save_file, rules_error_text

    save = read_save_file(arguments.save)
    try:
        if arguments.verify:
            return _verify(save)
        if arguments.to is not None:
            if arguments.to < 0:
                raise UsageFault("--to: expected a number of decisions, 0 or more")
            _show(replay(save, to=arguments.to), arguments)
            return FINE
        session = replay(save)
    except DivergenceError as fault:
        streams.write_out(f"{fault}\n")
        return FINDINGS
    except SaveError as fault:
        raise UsageFault(str(fault)) from fault
    except RulesError as fault:
        raise UsageFault(f"the rules of this save cannot be loaded:\n{rules_error_text(fault)}", FINDINGS) from fault
    if streams.is_interactive(sys.stdin) and streams.is_interactive(sys.stdout):
        _step_through(session, arguments)
    else:
        for line in session.log(None):
            streams.write_out(line + "\n")
        _show_end(session)
    return FINE


def _verify(save: Save) -> int:
    from interpreter.runtime.saves import verify

    divergence = verify(save)
    if divergence is not None:
        streams.write_out(f"{divergence}\n")
        return FINDINGS
    count = len(save.decisions)
    streams.write_out(f"{count} {'decision goes' if count == 1 else 'decisions go'} the same way\n")
    return FINE


def _show(session: Session, arguments: Arguments) -> None:
    from interpreter.tools.play.match import tabletop
    from interpreter.tools.play.screen import screen_for
    from interpreter.tools.play.sheet import sheet_of

    screen = screen_for(plain=arguments.plain, colour=streams.has_colour(arguments.color))
    screen.sheet(sheet_of(tabletop(session, None), screen.columns))
    number = len(session.history.steps)
    if session.is_over:
        _show_end(session)
    else:
        streams.write_out(f"after {number} decisions; next: {session.player_name}, {session.prompt}\n")


def _show_end(session: Session) -> None:
    if session.outcome is not None:
        streams.write_out(session.outcome.text(session.rules.players) + "\n")


def _step_through(session: Session, arguments: Arguments) -> None:
    """Both ways through the states that the steps kept."""
    steps = session.history.steps
    states = [list(step.before) for step in steps] + [session.snapshot()]
    at = 0
    while True:
        here = session.with_state(list(states[at]))
        here.history.steps = steps[:at]
        _show(here, arguments)
        if at:
            streams.write_out(f"{session.rules.players[steps[at - 1].player]}: {steps[at - 1].name}\n")
        try:
            answer = input(f"{at}/{len(steps)} (Enter next, b back, NUMBER, q) ").strip().lower()
        except EOFError:
            return
        if answer in ("q", "quit"):
            return
        if answer.isdigit():
            at = min(int(answer), len(steps))
        elif answer.startswith("b"):
            at = max(0, at - 1)
        elif at == len(steps):
            return
        else:
            at += 1


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
