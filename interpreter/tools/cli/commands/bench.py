"""`dsl bench`: uniformly random games and decisions per second, on one thread.

What is measured is the whole loop of a backend, from the seed to the end of the game, picking an option of every
decision at random; the time that a game takes to begin is told apart. A backend that plays random games by itself does
so, in growing portions. Games run until the time is up, so slow and fast games are measured for equally long.
"""

from __future__ import annotations

import argparse
import json
import time
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINE, UsageFault
from interpreter.tools.cli.parser import Arguments, Command, add_configuration

if TYPE_CHECKING:
    from interpreter.backends.api import Backend
    from interpreter.tools.cli.start_up import Started

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl bench rules/*.rules
dsl bench dragons.rules --format json --seconds 10
"""
_BACKENDS = ("python", "wasm")
_LONGEST = 100_000


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rules", nargs="+", metavar="RULES", help="rules files, or bare names of games that ship")
    add_configuration(parser)
    parser.add_argument("--backend", choices=_BACKENDS, action="append", help="default: every one; repeatable")
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="time for each (default: 2)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the first game (default: 0)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file")


def _run(arguments: Arguments) -> int:
    from interpreter.tools.cli.games import load_game
    from interpreter.tools.cli.start_up import start_up

    if not 0 < arguments.seconds <= 3600:
        raise UsageFault("--seconds: expected a number above 0")
    results = []
    for name in arguments.rules:
        arguments.rules = name
        for backend in arguments.backend or _BACKENDS:
            started = start_up(partial(load_game, arguments, backend))
            results.append(_measured(name, backend, started, arguments))
            if arguments.format == "text":
                streams.write_report(_text(results[-1]), None)
    if arguments.format == "json":
        report = json.dumps({"format_version": 1, "results": results}, indent=2) + "\n"
        streams.write_report(report, arguments.output)
    elif arguments.output is not None:
        streams.write_report("".join(map(_text, results)), arguments.output)
    return FINE


def _measured(name: str, backend: str, started: Started, arguments: Arguments) -> dict[str, object]:
    rules, cached = started.rules, started.cached_seconds
    games, decisions, unfinished, elapsed = _played(rules.backend, arguments.seed, arguments.seconds)
    return {
        "rules": name,
        "backend": backend,
        "options": dict(rules.options),
        "playouts_per_second": round(games / elapsed, 2),
        "decisions_per_second": round(decisions / elapsed, 1),
        "compile_seconds": round(started.compile_seconds, 4),
        "cached_seconds": None if cached is None else round(cached, 4),
        "state_bytes": 4 * rules.program.layout.size,
        "playouts": games,
        "unfinished": unfinished,
    }


def _played(engine: Backend, seed: int, seconds: float) -> tuple[int, int, int, float]:
    """Games, decisions, games that did not end, and how long they took."""
    from interpreter.backends.api import ManyGames

    random = Random(seed)
    games = decisions = unfinished = 0
    portion = 1
    begin = time.perf_counter()
    while (elapsed := time.perf_counter() - begin) < seconds or not games:
        if isinstance(engine, ManyGames):
            counted = engine.random_playouts(seed + games, portion, _LONGEST)
            games, decisions = games + portion, decisions + counted.decisions
            unfinished += counted.unfinished
            if time.perf_counter() - begin < seconds / 4:
                portion *= 2
            continue
        played = engine.playout(engine.new_state(seed + games), random.randrange, _LONGEST)
        unfinished += played < 0
        decisions += played if played >= 0 else _LONGEST
        games += 1
    return games, decisions, unfinished, elapsed


def _text(result: dict[str, object]) -> str:
    return (
        f"{result['rules']} ({result['backend']}): {result['playouts_per_second']} playouts/s, "
        f"{result['decisions_per_second']} decisions/s, compiled in {result['compile_seconds']} s, "
        + (f"from the cache in {result['cached_seconds']} s, " if result["cached_seconds"] is not None else "")
        + f"{result['state_bytes']} bytes of state"
        + (f", {result['unfinished']} did not end" if result["unfinished"] else "")
        + "\n"
    )


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
