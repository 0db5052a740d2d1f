"""How fast is it? Plays connect four by hand and by rules in turn, and times what people wait for at the command line.

    python benchmarks/speed.py [--seconds N] [--json]

The two ways of playing take turns in short slices within one process, so that a busy machine slows both alike; the
ratio is what counts. Both use the same `pick`, and the same number of discs a game shows that they play the same game.
The command line is timed as whole processes, the best of several, beside a Python that does nothing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from plain_connect_four import playout as plain_playout

ROOT = Path(__file__).resolve().parent.parent
GAME = ROOT / "examples" / "connect_four.rules"
SLICE = 0.25
"""Seconds that one side plays before it is the other's turn."""
MOST_DISCS = 1000
PROCESSES = 5
"""How often a command is run; the quickest counts."""

Playout = Callable[[Callable[[int], int]], int]
"""Plays one game, given how to pick; returns the number of decisions."""


def by_rules() -> Playout:
    """The same game from its rules file, in the Python backend."""
    import interpreter

    backend = interpreter.load(str(GAME), backend="python").backend
    seeds = iter(range(1 << 62))

    def play(pick: Callable[[int], int]) -> int:
        return backend.playout(backend.new_state(next(seeds)), pick, MOST_DISCS)

    return play


def compare(sides: dict[str, Playout], seconds: float) -> dict[str, dict[str, float]]:
    """Rates of several ways to play, by turns, about so many seconds each."""
    random = Random(1)

    def pick(count: int) -> int:
        return int(random.random() * count)

    games, decisions, spent = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0), dict.fromkeys(sides, 0.0)
    for play in sides.values():
        play(pick)  # compiles
    for _ in range(max(1, round(seconds / SLICE))):
        for name, play in sides.items():
            start = time.perf_counter()
            end = start + SLICE
            while time.perf_counter() < end:
                for _ in range(10):
                    decisions[name] += play(pick)
                games[name] += 10
            spent[name] += time.perf_counter() - start
    return {
        name: {
            "playouts_per_second": games[name] / spent[name],
            "decisions_per_second": decisions[name] / spent[name],
            "decisions_per_playout": decisions[name] / games[name],
        }
        for name in sides
    }


def command_seconds(*arguments: str) -> float:
    """Wall time of a Python process, the best of several."""
    best = float("inf")
    for _ in range(PROCESSES):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=False)
        best = min(best, time.perf_counter() - start)
    return best


def commands() -> dict[str, float]:
    """Seconds that the command line takes, and a Python that does nothing."""
    dsl = ("-c", "import sys; from interpreter.tools.cli.main import entry; sys.exit(entry())")
    return {
        "python -c pass": command_seconds("-c", "pass"),
        "dsl --help": command_seconds(*dsl, "--help"),
        "dsl check rules/hall.rules": command_seconds(*dsl, "check", "rules/hall.rules"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="playing time for each side (5)")
    parser.add_argument("--json", action="store_true", help="machine readable")
    chosen = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    rates = compare({"plain": plain_playout, "rules": by_rules()}, chosen.seconds)
    ratio = rates["rules"]["playouts_per_second"] / rates["plain"]["playouts_per_second"]
    waits = commands()
    if chosen.json:
        print(json.dumps({"connect_four": rates, "ratio": ratio, "seconds": waits}, indent=2))
        return
    print("random connect four          playouts/s  decisions/s  discs a game")
    for name, label in (("plain", "by hand"), ("rules", "by rules, Python backend")):
        rate = rates[name]
        print(
            f"  {label:26} {rate['playouts_per_second']:10,.0f}  {rate['decisions_per_second']:11,.0f}"
            f"  {rate['decisions_per_playout']:12.2f}"
        )
    print(f"  ratio                      {ratio:10.2f}")
    print("command line                    seconds")
    for command, seconds in waits.items():
        print(f"  {command:26} {seconds:10.3f}")


if __name__ == "__main__":
    main()
