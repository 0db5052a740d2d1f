"""How long a game takes from its files, and from the user's cache, until random games can begin.

Python's own start, our modules and the tables of the grammar are the same for every game, and are there before anything
is timed; `python benchmarks/start_up.py` times whole processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from attrs import frozen

from interpreter.source import store

if TYPE_CHECKING:
    from interpreter.runtime import Rules

__all__ = ["Started", "start_up"]

_ALL_OF_IT = (
    "interpreter.boards",
    "interpreter.ir.from_semantics",
    "interpreter.ir.ranges",
    "interpreter.semantics.understand",
    "interpreter.backends.python.backend",
    "interpreter.backends.wasm.backend",
    "interpreter.backends.wasm.generate",
)
"""What is imported late, with what it imports itself."""


@frozen
class Started:
    """A game that random games can be played of, and what that took."""

    rules: Rules
    """The game, with its backend."""
    compile_seconds: float
    """From the files, without anything that was kept."""
    cached_seconds: float | None
    """From what an earlier run has kept; None where nothing can be kept."""


def start_up(load: Callable[[], Rules]) -> Started:
    """Loads a game from its files, then from the cache (which has it then)."""
    from interpreter.syntax.grammar import grammar

    for module in _ALL_OF_IT:
        import_module(module)
    grammar()
    with store.bypassed():
        rules, compiled = _timed(load)
    rules, _ = _timed(load)
    cached = None
    if rules.program.digest:
        rules, cached = _timed(load)
    return Started(rules, compiled, cached)


def _timed(load: Callable[[], Rules]) -> tuple[Rules, float]:
    from interpreter.runtime.load import forget

    forget()
    begin = time.perf_counter()
    rules = load()
    backend = rules.backend
    backend.playout(backend.new_state(0), lambda count: 0, 1)  # this compiles what is compiled late
    return rules, time.perf_counter() - begin
