"""How long does it take from the command to the first random game, over what Python itself takes to start?

    python benchmarks/start_up.py [GAME ...] [--runs N] [--backend NAME]

Each run is a process of its own that loads a game and plays one random game of it. *Cold* has an empty cache, *cached*
the one that the run before has left; both are compared to a Python that does nothing. Processor time is told beside the
time on the clock, since the former does not depend on who else uses the machine; the least of all runs counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

Times = tuple[float, float]
"""Seconds on the clock, and of the processor."""

PLAY = """
import sys, interpreter
from random import Random
backend = interpreter.load(sys.argv[1], backend=sys.argv[2]).backend
if sys.argv[2] == "wasm":
    backend.random_playouts(1, 1, 100_000)
else:
    backend.playout(backend.new_state(1), Random(1).randrange, 100_000)
"""


def timed(code: str, *arguments: str, cache: str) -> Times:
    """How long a process takes."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "LOCALAPPDATA": cache, "PYTHONPATH": str(ROOT)}
    environment.pop("DSL_CACHE", None)
    used, begin = children(), time.perf_counter()
    subprocess.run([sys.executable, "-c", code, *arguments], env=environment, check=True)
    return time.perf_counter() - begin, children() - used


def children() -> float:
    """Seconds of the processor that all ended processes of ours have used."""
    times = os.times()
    return times.children_user + times.children_system


def least(found: list[Times]) -> Times:
    return min(clock for clock, _ in found), min(used for _, used in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=["lords_of_war"], metavar="GAME", help="default: lords_of_war")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each sort (default: 5)")
    parser.add_argument("--backend", choices=("python", "wasm"), default="wasm", help="default: wasm")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        timed(PLAY, given.games[0], given.backend, cache=f"{folder}/first")  # Python's own files of our modules
        nothing = least([timed("pass", cache=folder) for _ in range(given.runs)])
        print(f"{'Python by itself':<28}{nothing[0]:>8.3f} s {nothing[1]:>8.3f} s of the processor")
        for game in given.games:
            cold, cached = [], []
            for run in range(given.runs):
                cold.append(timed(PLAY, game, given.backend, cache=f"{folder}/{game}{run}"))
                cached.append(timed(PLAY, game, given.backend, cache=f"{folder}/{game}{run}"))
            for name, found in (("cold", least(cold)), ("cached", least(cached))):
                clock, used = found[0] - nothing[0], found[1] - nothing[1]
                print(f"{f'{game}, {name}':<28}{clock:>8.3f} s {used:>8.3f} s of the processor")


if __name__ == "__main__":
    main()
