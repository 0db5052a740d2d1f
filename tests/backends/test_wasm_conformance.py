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

from interpreter.backends.api import Fault  # noqa: E402
from interpreter.backends.conformance import compare_games, compare_playouts  # noqa: E402
from interpreter.backends.python import PythonBackend  # noqa: E402
from interpreter.backends.wasm import WasmBackend  # noqa: E402
from interpreter.diagnostics import InternalError  # noqa: E402
from interpreter.ir import code as c  # noqa: E402
from interpreter.ir.passes import run_passes  # noqa: E402
from interpreter.ir.passes.place_locals import HIGH, LOW  # noqa: E402
from interpreter.ir.program import Layout, Program  # noqa: E402


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_shipped_games_play_alike(case: Case) -> None:
    program = case.load().program
    backend = WasmBackend(program)
    assert compare_games(program, backend, games=2, limit=120) > 0
    assert compare_playouts(program, backend, games=4, limit=250) > 0


def with_open_ranges(program: Program) -> Program:
    """Programs by chance do not keep what their slots declare."""
    groups = [evolve(g, low=LOW, high=HIGH) if g.what in ("variable", "frame") else g for g in program.layout.groups]
    return evolve(program, layout=Layout(program.layout.size, groups))


@pytest.mark.parametrize("seed", range(60))
def test_machines_by_chance_play_alike(seed: int) -> None:
    program = with_open_ranges(run_passes(random_machine(seed)))
    try:
        compare_games(program, WasmBackend(program), games=2, limit=15)
    except InternalError as error:
        assert "below 0" in str(error)  # a bit set that is no bit set: refused, not played wrongly


@pytest.mark.parametrize("seed", range(60))
def test_functions_by_chance_do_alike(seed: int) -> None:
    program = random_function(seed)
    call = c.Block((c.CallEffect("f", ()),), c.Stop())
    program = with_open_ranges(evolve(program, blocks=[call]))
    results = []
    for backend in (PythonBackend(program), WasmBackend(program)):
        state = backend.new_state(seed)
        try:
            assert backend.run(state) is None
            results.append(state)
        except Fault as fault:
            results.append([fault.code])
        except InternalError as error:
            assert "below 0" in str(error)
            return
    assert results[0] == results[1]
