"""Uniformly random games per second, side by side: the backends, OpenSpiel where it is installed, and plain Python.

    python benchmarks/side_by_side.py [--seconds N] [--json] [NAME...]

All sides of a game take turns in short slices within one process on one thread, and are timed by the time that the
process had, so that a busy machine slows all alike; the ratios are what counts. NAME is one of the six small games, or
any other shipped game, which is then played by the backends only.

OpenSpiel (`pip install open_spiel`) is measured at its best: its C++ games in its own C++ loop, reached by a search of
one simulation whose leaf is valued by many random games. Plain Python is `plain_connect_four.py`, written by hand.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from plain_connect_four import playout as plain_playout  # noqa: E402

from interpreter.backends.python import PythonBackend  # noqa: E402
from interpreter.backends.wasm import WasmBackend  # noqa: E402
from interpreter.ir.program import Program  # noqa: E402
from interpreter.runtime import load  # noqa: E402

SPIEL: dict[str, tuple[str, dict[str, int]]] = {
    "tic_tac_toe": ("tic_tac_toe", {}),
    "connect_four": ("connect_four", {}),
    "breakthrough": ("breakthrough", {}),
    "hex": ("hex", {"board_size": 11}),
    "reversi": ("othello", {}),
    "pig": ("pig", {}),
}
"""The six games, and what OpenSpiel calls them."""
SLICE = 0.1
"""Seconds that one side plays before it is the next one's turn."""
LONGEST = 100_000

Side = Callable[[int, int], int]
"""Plays so many games from a seed on; the number of decisions, -1 if it is not known."""


def by_wasm(program: Program) -> Side:
    backend = WasmBackend(program)
    return lambda seed, games: backend.random_playouts(seed, games, LONGEST).decisions


def by_python(program: Program) -> Side:
    backend = PythonBackend(program)

    def play(seed: int, games: int) -> int:
        pick = Random(seed).random
        return sum(
            backend.playout(backend.new_state(seed + i), lambda count: int(pick() * count), LONGEST)
            for i in range(games)
        )

    return play


def by_hand(seed: int, games: int) -> int:
    pick = Random(seed).random
    return sum(plain_playout(lambda count: int(pick() * count)) for _ in range(games))


def by_open_spiel(name: str) -> Side | None:
    """OpenSpiel's C++ loop; None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    spiel: Any = pyspiel
    title, parameters = SPIEL[name]
    game = spiel.load_game(title, parameters)
    state = game.new_initial_state()

    def play(seed: int, games: int) -> int:
        evaluator = spiel.RandomRolloutEvaluator(games, seed)
        spiel.MCTSBot(game, evaluator, 2.0, 1, 10, False, seed, False).step(state)
        return -1

    return play


def sides_of(name: str) -> dict[str, Side]:
    program = load(name, backend="python").program
    sides: dict[str, Side] = {"wasm": by_wasm(program), "python": by_python(program)}
    spiel = by_open_spiel(name) if name in SPIEL else None
    if spiel is not None:
        sides["open_spiel"] = spiel
    if name == "connect_four":
        sides["plain_python"] = by_hand
    return sides


def compare(sides: dict[str, Side], seconds: float) -> dict[str, dict[str, float]]:
    """Rates of several sides, by turns, about so many seconds each."""
    games, decisions = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0)
    spent, portion = dict.fromkeys(sides, 0.0), dict.fromkeys(sides, 1)
    for play in sides.values():
        play(1, 1)  # compiles
    seed = 2
    while min(spent.values()) < seconds:
        for name, play in sides.items():
            start = time.process_time()
            decisions[name] += play(seed, portion[name])
            elapsed = time.process_time() - start
            games[name] += portion[name]
            spent[name] += elapsed
            if elapsed < SLICE:
                portion[name] *= 2
            seed += 1
    return {
        name: {
            "playouts_per_second": games[name] / spent[name],
            "decisions_per_second": max(decisions[name] / spent[name], 0.0),
        }
        for name in sides
    }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Random games per second, side by side.")
    parser.add_argument("names", nargs="*", metavar="NAME", default=list(SPIEL))
    parser.add_argument("--seconds", type=float, default=1.0, help="for each side of each game (default: 1)")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    results = {}
    for name in given.names:
        rates = results[name] = compare(sides_of(name), given.seconds)
        if not given.json:
            wasm = rates["wasm"]["playouts_per_second"]
            others = ", ".join(
                f"{side} {rate['playouts_per_second']:,.0f} (1 : {wasm / rate['playouts_per_second']:.2f})"
                for side, rate in rates.items()
                if side != "wasm"
            )
            pace = rates["wasm"]["decisions_per_second"]
            print(f"{name}: wasm {wasm:,.0f} playouts/s, {pace:,.0f} decisions/s; {others}", flush=True)
    if given.json:
        print(json.dumps({"format_version": 1, "results": results}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
