"""`dsl odds`: the exact distribution of a value under the dice.

Three questions. An expression with dice in it (`roll 2d6 + 1`) is worked out by letting every die show every face. A
value after chance (`--choose OPTION`, `--after EFFECT`) is worked out by playing on under every way that the dice can
fall. Whatever has more ways than the limit is sampled, and the answer says so.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING

from interpreter.diagnostics import Diagnostics, DslError, RulesError
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE, WRONG, UsageFault
from interpreter.tools.cli.parser import Arguments, Command, add_game_arguments

if TYPE_CHECKING:
    from interpreter.analysis.odds import Odds
    from interpreter.runtime import Session

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl odds dragons.rules "roll 2d6"                          two dice
dsl odds dragons.rules "strength + roll d6 >= 9" --state game.save
dsl odds dragons.rules gold --choose "Enter the cave"      a value after a choice
dsl odds dragons.rules gold --after "find treasure"        a value after an effect
dsl odds dragons.rules "find treasure"                     what an effect changes
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument("expr", metavar="EXPR", help="a value in the words of the rules, dice as `roll 2d6`")
    parser.add_argument("--state", metavar="SAVE", help="ask in a saved game (default: the first decision)")
    parser.add_argument("--choose", action="append", default=[], metavar="OPTION", help="first choose this; repeatable")
    parser.add_argument("--after", metavar="EFFECT", help="first carry out this effect")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the game asked in (default: 0)")
    parser.add_argument("--limit", type=int, metavar="N", help="ways that dice may fall before odds are sampled")


def _run(arguments: Arguments) -> int:
    from interpreter.analysis.odds import DEFAULT_LIMIT
    from interpreter.tools.cli.odds_questions import is_effect, odds_of_dice, odds_of_effect, odds_of_play
    from interpreter.tools.cli.odds_text import mean_of, odds_table

    limit = DEFAULT_LIMIT if arguments.limit is None else max(1, arguments.limit)
    session = _session(arguments)
    try:
        if arguments.after is None and is_effect(session, arguments.expr):
            odds = odds_of_effect(session, arguments.expr, arguments.choose, limit)
        elif arguments.choose or arguments.after:
            odds = odds_of_play(session, arguments.expr, arguments.choose, arguments.after, limit)
        else:
            odds = odds_of_dice(session, arguments.expr, limit)
    except RulesError as fault:
        return _report(fault, arguments.expr)
    except DslError as fault:
        raise UsageFault(str(fault)) from fault
    for line in odds_table(odds):
        streams.write_out(line + "\n")
    _write_mean(odds, mean_of(odds))
    return FINE


def _session(arguments: Arguments) -> Session:
    from interpreter.tools.cli.games import load_game
    from interpreter.tools.cli.saved import open_save

    if arguments.state is not None:
        return open_save(arguments.state)
    return load_game(arguments).start(seed=arguments.seed)


def _write_mean(odds: Odds[str], mean: Fraction | None) -> None:
    if mean is not None and len(odds.shares) > 1:
        exact = f"{mean.numerator}/{mean.denominator} = " if odds.is_exact and mean.denominator > 1 else ""
        streams.write_out(f"mean {exact}{float(mean):.4g}\n")


def _report(fault: RulesError, text: str) -> int:
    from interpreter.source import Files, from_text
    from interpreter.tools.report import FORMATS

    files = Files()
    for found in Diagnostics(fault.diagnostics):
        if found.span is not None and found.span.path.startswith("<"):
            files.add(from_text(found.span.path, text))
    streams.remark(FORMATS["text"](fault.diagnostics, files))
    return WRONG


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
