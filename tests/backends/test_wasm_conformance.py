"""The WebAssembly backend plays as the judge does: shipped games in every configuration, and programs by chance.

The long run is `python benchmarks/conformance.py` (CONTRIBUTING, nightly).
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from attrs import evolve

TESTS = Path(__file__).parents[1]
for folder in (TESTS / "games", TESTS / "ir"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from configurations import CASES, Case  # noqa: E402
from random_programs import random_function, random_machine  # noqa: E402

from interpreter.backends.api import Fault, Rollouts  # noqa: E402
from interpreter.backends.conformance import (  # noqa: E402
    Difference,
    compare_games,
    compare_lookahead,
    compare_playouts,
)
from interpreter.backends.lookahead import PlainLookahead  # noqa: E402
from interpreter.backends.python import PythonBackend  # noqa: E402
from interpreter.backends.wasm import WasmBackend  # noqa: E402
from interpreter.backends.wasm.backend import WasmLookahead  # noqa: E402
from interpreter.ir import code as c  # noqa: E402
from interpreter.ir.passes import guard, run_passes  # noqa: E402
from interpreter.runtime import load  # noqa: E402


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_shipped_games_play_alike(case: Case) -> None:
    program = case.load().program
    backend = WasmBackend(program)
    assert compare_games(program, backend, games=2, limit=120) > 0
    assert compare_playouts(program, backend, games=4, limit=250) > 0
    assert compare_lookahead(program, backend, games=1, limit=60, every=20 if program.layout.size < 1000 else 99) > 0


class TellsOthers(WasmBackend):
    """Plays its random games from another seed than it is told."""

    def lookahead(self) -> WasmLookahead:
        return OtherGames(super().lookahead()._instance)


class OtherGames(WasmLookahead):
    def rollouts(self, seed: int, games: int, limit: int) -> Rollouts:
        return super().rollouts(seed + 1, games, limit)


def test_other_random_games_are_told_apart() -> None:
    program = load("pig").program
    with pytest.raises(Difference, match="random games from there"):
        compare_lookahead(program, TellsOthers(program), games=1)


FAULTY = """language 1

game "Faulty"
    players 1

state left: 0..9 = 3

play
    repeat
        choose
            "Divide"
                set left to 9 div left
            "Less" when left > 0
                left - 1
"""


def test_a_fault_in_games_tried_out_is_told_and_leaves_the_state(tmp_path: Path) -> None:
    file = tmp_path / "faulty.rules"
    file.write_text(FAULTY)
    program = load(file).program
    backend = WasmBackend(program)
    state = backend.new_state(1)
    backend.run(state)
    before = list(state)
    codes = set()
    for one in (backend.lookahead(), PlainLookahead(PythonBackend(program))):
        for _ in range(2):
            one.begin(state)
            assert len(one.options()) == 2
            with pytest.raises(Fault) as caught:
                one.rollouts(3, 5, 1000)
            codes.add((caught.value.code, caught.value.span))
    assert {code for code, _ in codes} == {"D703"}
    assert state == before


@pytest.mark.parametrize("seed", range(60))
def test_machines_by_chance_play_alike(seed: int) -> None:
    program = run_passes(random_machine(seed))
    compare_games(program, WasmBackend(program), games=2, limit=15)


@pytest.mark.parametrize("seed", range(60))
def test_functions_by_chance_do_alike(seed: int) -> None:
    program = random_function(seed)
    call = c.Block((c.CallEffect("f", ()),), c.Stop())
    program = guard(evolve(program, blocks=[call]))
    results = []
    for backend in (PythonBackend(program), WasmBackend(program)):
        state = backend.new_state(seed)
        try:
            assert backend.run(state) is None
            results.append(state)
        except Fault as fault:
            results.append([fault.code])
    assert results[0] == results[1]
