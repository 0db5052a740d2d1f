"""`dsl compare`: plays two versions of a game and says which differences are real.

By itself it takes the time it is given, some eight seconds, and plays as many games as fit; with `--games` it plays so
many, and the same command gives the same answer on any machine. A second file may be left out where an option makes
the second version.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from interpreter.tools.cli import streams
from interpreter.tools.cli.commands.simulate import add_playing, executor_of, level_of, limit_of, seats_for
from interpreter.tools.cli.exits import FINE, UsageFault
from interpreter.tools.cli.parser import Arguments, Command, add_configuration

if TYPE_CHECKING:
    from interpreter.analysis.simulate.compare import Comparison, Version
    from interpreter.analysis.simulate.executors import Executor

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl compare dragons.rules dragons-new.rules              eight seconds of random games
dsl compare dragons.rules --option-b expert              what an option changes
dsl compare dragons.rules dragons-new.rules --games 50000 --level 1
dsl compare dragons.rules dragons-new.rules --seat Ann=greedy --seconds 120
"""
_BEGUN = [time.perf_counter()]
"""When the command began, as near as this module can tell; taken by the first that runs."""
_SECONDS = 8.0
_SHARDS = 120
"""Shards of each version that the time is meant for, or that the games are divided into."""
_FEW = 600
"""Games that are better divided into fewer shards."""
_LARGEST = 500
"""Games of a shard."""
_THREADS = 4
"""Threads that play natively side by side; more get in each other's way."""
_LAST = 0.6
"""Seconds that are left for the answer."""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rules", metavar="A", help="a rules file, or the bare name of a game that ships")
    parser.add_argument("other", metavar="B", nargs="?", help="the other version (default: A)")
    add_configuration(parser)
    parser.add_argument(
        "--option-b",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="an option of B alone; `--option` is one of both; repeatable",
    )
    parser.add_argument("--games", type=int, metavar="N", help="games of each version, however long they take")
    parser.add_argument(
        "--seconds",
        type=float,
        default=_SECONDS,
        metavar="S",
        help=f"time for all without --games (default: {_SECONDS:g})",
    )
    add_playing(parser, "chance of any false alarm (default: 5)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file")


def _run(arguments: Arguments) -> int:
    from interpreter.analysis.simulate.executors import Threads, cores

    begin = _BEGUN.pop() if _BEGUN else time.perf_counter()
    level = level_of(arguments)
    if arguments.games is not None and arguments.games < 1:
        raise UsageFault("--games: expected a number above 0")
    if not 0 < arguments.seconds <= 86_400:
        raise UsageFault("--seconds: expected a number above 0")
    if arguments.other is None and not arguments.option_b:
        raise UsageFault("expected two rules files, or --option-b\nhelp: `dsl compare A B`")
    executor = executor_of(arguments)
    versions = _versions(arguments)
    if all(version.job.is_random for version in versions) and arguments.backend == "wasm" and not arguments.cluster:
        executor = Threads(min(arguments.jobs or cores(), _THREADS))
    found = _compared(arguments, versions, executor, level, begin + arguments.seconds - _LAST)
    _write(arguments, found, versions, time.perf_counter() - begin)
    return FINE


def _versions(arguments: Arguments) -> tuple[Version, Version]:
    from interpreter.analysis.simulate.compare import Version
    from interpreter.analysis.simulate.shards import make_job
    from interpreter.tools.cli.games import load_game

    found = []
    both = arguments.option
    for name, options in ((arguments.rules, both), (arguments.other or arguments.rules, [*both, *arguments.option_b])):
        asked = argparse.Namespace(**{**vars(arguments), "rules": name, "option": options})
        rules = load_game(asked)
        seats = seats_for(rules, arguments.seat)
        found.append(Version(rules, make_job(rules, seats, backend=arguments.backend, limit=limit_of(arguments))))
    mine, its = found
    if len(mine.rules.players) != len(its.rules.players):
        counts = f"{len(mine.rules.players)} and {len(its.rules.players)}"
        raise UsageFault(f"the versions are played by {counts} players: `--players` says how many")
    return mine, its


def _compared(
    arguments: Arguments, versions: tuple[Version, Version], executor: Executor, level: float, end: float
) -> Comparison:
    from interpreter.analysis.simulate.compare import LEAST, compare
    from interpreter.tools.simulation.progress import shown_progress
    from interpreter.tools.simulation.stopping import wish_to_stop

    if arguments.games is None:
        size, shards = _size_in_time(versions, end, arguments.jobs), None
    else:
        size = max(1, min(_LARGEST, arguments.games // _SHARDS))
        shards = max(1, arguments.games // size)
    with wish_to_stop() as wish, shown_progress("playing", None if shards is None else 2 * shards * size) as progress:

        def goes_on(done: int) -> bool:
            if wish.stops:
                return False
            return shards is not None or done < LEAST or time.perf_counter() < end

        return compare(
            *versions,
            executor,
            first_seed=arguments.seed,
            size=size,
            shards=shards,
            level=level,
            goes_on=goes_on,
            told=progress,
        )


def _size_in_time(versions: tuple[Version, Version], end: float, jobs: int | None) -> int:
    """Games of a shard so that there will be enough shards: after a few games that are not counted."""
    from interpreter.analysis.simulate.executors import cores
    from interpreter.analysis.simulate.shards import Player, Shard

    pace = 0.0
    for version in versions:
        player = Player(version.job)
        player.play(Shard(0, 0, 1))  # compiles
        games, start = 1, time.perf_counter()
        while time.perf_counter() - start < 0.02 and games < _LARGEST:
            player.play(Shard(0, games, games))
            games *= 2
        pace += (time.perf_counter() - start) / games
    left = max(1.0, end - time.perf_counter()) * (jobs or cores())
    fitting = left / pace
    return max(1, min(_LARGEST, int(fitting / (_SHARDS if fitting > _FEW else _SHARDS / 3))))


def _write(arguments: Arguments, found: Comparison, versions: tuple[Version, Version], seconds: float) -> None:
    from interpreter.tools.simulation.comparison import comparison_data, comparison_text

    if arguments.format == "json":
        streams.write_report(comparison_data(found, versions), arguments.output)
    else:
        text = comparison_text(found, versions, arguments.seed, seconds if arguments.games is None else None)
        streams.write_report(text, arguments.output)


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
