"""`dsl bench`: uniformly random games and decisions per second, beside whatever other engines know the game.

What is measured is the whole loop of a side, from the seed to the end of the game, picking an option of every decision
at random; the time that a game takes to begin is told apart. All sides of a game take turns.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINDINGS, FINE, UsageFault
from interpreter.tools.cli.parser import Arguments, Command, add_configuration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.backends.api import Fault
    from interpreter.tools.bench.compared import Compared
    from interpreter.tools.bench.peers_file import GamePeers
    from interpreter.tools.cli.games import Ended

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl bench rules/*.rules
dsl bench dragons.rules --format json --seconds 10
dsl bench hex pig --beside benchmarks/peers.yaml --format markdown
"""
_DESCRIPTION = """\
Other engines that know a game play it, too, in turns with our backends: those that a file
names (`--beside`; benchmarks/README.md says how). They are programs, and are run. Where the
current folder has no such file, as with an installed dsl, nothing is compared."""
_BACKENDS = ("python", "wasm")
_BESIDE = Path("benchmarks", "peers.yaml")
_NOBODY = "nobody"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rules", nargs="+", metavar="RULES", help="rules files, or bare names of games that ship")
    add_configuration(parser)
    parser.add_argument("--backend", choices=_BACKENDS, action="append", help="default: every one; repeatable")
    parser.add_argument(
        "--beside",
        metavar="FILE",
        help=f"which other engines know a game; `{_NOBODY}`: none"
        f" (default: {_BESIDE.as_posix()}, where the current folder has it)",
    )
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="time for each side (default: 2)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first game (default: 0)")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default: text")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file")


def _run(arguments: Arguments) -> int:
    from interpreter.tools.bench import report

    if not 0 < arguments.seconds <= 3600:
        raise UsageFault("--seconds: expected a number above 0")
    beside, peers = _peers(arguments)
    compared = []
    for name in arguments.rules:
        arguments.rules = name
        compared.append(_compare(arguments, peers))
        if arguments.format == "text" and arguments.output is None:
            streams.write_out(report.to_text(compared[-1]))
    if arguments.format == "json":
        streams.write_report(report.to_json(compared, arguments.seconds, beside), arguments.output)
    elif arguments.format == "markdown":
        streams.write_report(report.to_markdown(compared), arguments.output)
    elif arguments.output is not None:
        streams.write_report("".join(map(report.to_text, compared)), arguments.output)
    return FINE


def _peers(arguments: Arguments) -> tuple[str | None, Sequence[GamePeers]]:
    """The file of peers as it is named, and the games in it."""
    from interpreter.diagnostics import Diagnostics
    from interpreter.tools.bench.peers_file import load_peers
    from interpreter.tools.cli.games import Ended
    from interpreter.tools.report import FORMATS
    from interpreter.workspace import Lines, WorkspaceFiles

    if arguments.beside == _NOBODY or (arguments.beside is None and not _BESIDE.is_file()):
        return None, ()
    path = Path(arguments.beside or _BESIDE)
    sink, files = Diagnostics(), WorkspaceFiles(root=path.absolute().parent)
    peers = load_peers(path, sink, files)
    if sink.has_errors:
        lines = Lines()
        lines.gather(files)
        streams.write_out(FORMATS["text"](list(sink), lines, colour=streams.has_colour(arguments.color)))
        raise Ended(FINDINGS)
    return path.as_posix(), peers


def _compare(arguments: Arguments, known: Sequence[GamePeers]) -> Compared:
    """One game, with all that know it; a fault of its rules ends the command."""
    from interpreter.backends.api import Fault

    try:
        return _measured(arguments, known)
    except Fault as fault:
        raise _fault_of(fault, arguments) from fault


def _measured(arguments: Arguments, known: Sequence[GamePeers]) -> Compared:
    from interpreter.tools.bench.backend_sides import backend_side
    from interpreter.tools.bench.compared import Compared
    from interpreter.tools.bench.peers import configured_otherwise, peers_of, sides_of
    from interpreter.tools.bench.sides import Missing, Side
    from interpreter.tools.bench.start_up import start_up
    from interpreter.tools.bench.turns import take_turns
    from interpreter.tools.cli.games import load_game, rules_path

    started = {name: start_up(partial(load_game, arguments, name)) for name in arguments.backend or _BACKENDS}
    rules = next(iter(started.values())).rules
    peers = peers_of(known, rules_path(arguments.rules))
    otherwise = "" if peers is None else configured_otherwise(peers, rules)
    others = [] if peers is None else sides_of(peers, otherwise)
    try:
        sides = [backend_side(name, each.rules.backend) for name, each in started.items()]
        sides += [each for each in others if isinstance(each, Side)]
        rates, gone = take_turns(sides, arguments.seconds, arguments.seed)
    finally:
        for each in others:
            if isinstance(each, Side):
                each.close()
    return Compared(
        rules=arguments.rules,
        title=rules.title,
        options=rules.options,
        state_bytes=4 * rules.program.layout.size,
        backends=started,
        sides=tuple(sides),
        rates=rates,
        missing=(*(each for each in others if isinstance(each, Missing)), *gone),
        goals=() if peers is None or otherwise else peers.goals,
    )


def _fault_of(fault: Fault, arguments: Arguments) -> Ended:
    """Shows where the rules failed in one of many games."""
    from interpreter.runtime.limits import fault_error
    from interpreter.tools.cli.games import load_game, report, rules_path
    from interpreter.workspace import WorkspaceFiles

    rules = load_game(arguments)
    configuration = rules.configuration.text()
    found = fault_error(fault, rules.program, configuration=configuration, seed=None, decisions=())
    note = f"in a random game of {configuration}"
    files = WorkspaceFiles(root=rules_path(arguments.rules).absolute().parent)
    return report([evolve(each, notes=(note,)) for each in found.diagnostics], files, arguments.color)


COMMAND = Command(_add_arguments, _run, _EXAMPLE, _DESCRIPTION)
