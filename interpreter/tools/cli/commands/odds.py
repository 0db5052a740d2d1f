"""`dsl odds`: the exact distribution of a value, of the places of a table, or of what an effect changes.

Steps (`--choose OPTION`, `--after EFFECT`) come in the order in which they are given, under every way that the dice can
fall. Whatever has more ways than the limit is sampled, and the answer says so.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.diagnostics import DslError, RulesError
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE, INTERRUPTED, WRONG, UsageFault
from interpreter.tools.cli.parser import Arguments, Command, add_game_arguments

if TYPE_CHECKING:
    from interpreter.runtime import Session

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl odds dragons.rules "roll 2d6"                          two dice
dsl odds dragons.rules "strength + roll d6 >= 9" --state game.save
dsl odds dragons.rules gold --choose "Enter the cave"      a value after a choice
dsl odds dragons.rules gold --after "find treasure"        a value after an effect
dsl odds dragons.rules "damage" --after "roll pool"        every place of a table
dsl odds dragons.rules "find treasure"                     what an effect changes
dsl odds dragons.rules gold --setup --given "health > 3"   from the set-up on, where that holds
"""


class _AddStep(argparse.Action):
    """Keeps steps of both kinds in the order in which they are given."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        how = (option_string or "").removeprefix("--")
        namespace.steps = [*namespace.steps, (how, values)]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument(
        "expr", metavar="EXPR", help="a value in the words of the rules, dice as `roll 2d6`; or a table"
    )
    parser.add_argument("--state", metavar="SAVE", help="ask in a saved game (default: the first decision)")
    parser.add_argument("--setup", action="store_true", help="ask from the beginning: the chance of the set-up counts")
    parser.add_argument(
        "--choose", action=_AddStep, dest="steps", default=[], metavar="OPTION", help="first choose this; repeatable"
    )
    parser.add_argument(
        "--after", action=_AddStep, dest="steps", default=[], metavar="EFFECT", help="first carry this out; repeatable"
    )
    parser.add_argument(
        "--given", action="append", default=[], metavar="CONDITION", help="only cases in which this holds; repeatable"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the game asked in (default: 0)")
    parser.add_argument("--limit", type=int, metavar="N", help="ways that dice may fall before odds are sampled")
    parser.add_argument("--samples", type=int, metavar="N", help="cases that are sampled then")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file")


def _run(arguments: Arguments) -> int:
    from interpreter.analysis.odds import DEFAULT_LIMIT, DEFAULT_SAMPLES, Question, answer
    from interpreter.tools.cli.odds_json import answer_json
    from interpreter.tools.cli.odds_text import answer_lines

    limit = DEFAULT_LIMIT if arguments.limit is None else max(1, arguments.limit)
    samples = DEFAULT_SAMPLES if arguments.samples is None else max(1, arguments.samples)
    if arguments.setup and arguments.state is not None:
        raise UsageFault("--setup asks from the beginning, --state in a saved game: take one of them")
    session = _session(arguments)
    question = Question(arguments.expr, tuple(arguments.steps), tuple(arguments.given), arguments.setup)
    try:
        found = answer(session, question, limit=limit, samples=samples, seed=arguments.seed)
    except RulesError as fault:
        return _report(fault)
    except DslError as fault:
        raise UsageFault(str(fault)) from fault
    if arguments.format == "json":
        streams.write_report(answer_json(arguments.rules, question, found), arguments.output)
    else:
        streams.write_report("".join(f"{line}\n" for line in answer_lines(found)), arguments.output)
    return INTERRUPTED if found.stopped else FINE


def _session(arguments: Arguments) -> Session:
    from interpreter.tools.cli.games import load_game, rules_path
    from interpreter.tools.cli.saved import open_save

    if arguments.state is not None:
        session = open_save(arguments.state)
        kept = session.rules.configuration.rules
        if rules_path(kept).absolute() != rules_path(arguments.rules).absolute():
            raise UsageFault(f"`{arguments.state}` is a game of `{kept}`, not of `{arguments.rules}`")
        return session
    return load_game(arguments).start(seed=arguments.seed)


def _report(fault: RulesError) -> int:
    """Says what is wrong, at its place in the text that was given."""
    from interpreter.analysis.odds import NotUnderstoodError
    from interpreter.source import Files, from_text
    from interpreter.tools.report import FORMATS

    files = Files()
    if isinstance(fault, NotUnderstoodError):
        for found in fault.diagnostics:
            if found.span is not None and found.span.path.startswith("<"):
                files.add(from_text(found.span.path, fault.text))
    streams.remark(FORMATS["text"](fault.diagnostics, files))
    return WRONG


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
