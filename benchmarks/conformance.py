"""Holds the WebAssembly backend against the judge, for as many games as the machine can.

    python benchmarks/conformance.py [--games N] [--machines N] [NAME...]

Every shipped game in every configuration of `tests/games/configurations.py`, and machines of operations made by
chance. NAME is a game (`hall`) or a configuration (`hall.elven`). Exit code 1 when there is a difference. The short
run is `tests/backends/test_wasm_conformance.py`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
for folder in (ROOT, ROOT / "tests" / "games", ROOT / "tests" / "ir"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from configurations import CASES  # noqa: E402
from random_programs import random_machine  # noqa: E402

from interpreter.analysis.simulate.shards import make_job  # noqa: E402
from interpreter.backends.conformance import (  # noqa: E402
    Difference,
    compare_counts,
    compare_games,
    compare_lookahead,
    compare_playouts,
)
from interpreter.backends.python.counting import PythonCounting  # noqa: E402
from interpreter.backends.wasm import WasmBackend  # noqa: E402
from interpreter.backends.wasm.counting import WasmCounting  # noqa: E402
from interpreter.diagnostics import InternalError  # noqa: E402
from interpreter.ir.passes import run_passes  # noqa: E402


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Do both backends play alike?")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--games", type=int, default=200, help="of each configuration (default: 200)")
    parser.add_argument("--machines", type=int, default=2000, help="programs made by chance (default: 2000)")
    parser.add_argument("--seed", type=int, default=0, help="of the first machine (default: 0)")
    given = parser.parse_args(arguments)
    differences = 0
    for case in CASES:
        if given.names and case.game not in given.names and case.title not in given.names:
            continue
        rules = case.load()
        program = rules.program
        backend = WasmBackend(program)
        counting = make_job(rules).counted()
        try:
            compared = compare_games(program, backend, games=given.games, limit=2000)
            compared += compare_playouts(program, backend, games=given.games, limit=2000)
            compared += compare_lookahead(program, backend, games=max(1, given.games // 10))
            judge, other = (each(*counting, leads=True) for each in (PythonCounting, WasmCounting))
            compared += compare_counts(judge, other, games=max(4, given.games // 10), limit=500)
            print(f"{case.title}: {compared} decisions alike", flush=True)
        except Difference as difference:
            differences += 1
            print(f"{case.title}: {difference}", flush=True)
    machines = 0 if given.names else given.machines
    for seed in range(given.seed, given.seed + machines):
        program = run_passes(random_machine(seed))
        try:
            compare_games(program, WasmBackend(program), games=3, limit=30)
        except (Difference, InternalError) as difference:
            differences += 1
            print(f"machine {seed}: {difference}", flush=True)
    print(f"{machines} machines; {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
