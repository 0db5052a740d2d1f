"""The state with which every game of a program begins, before set-up."""

from __future__ import annotations

from interpreter.backends.api import State
from interpreter.ir.program import DECISION, PC, Program


def initial_state(program: Program) -> State:
    """All slots but the words of chance; those that the program does not name are 0."""
    state = [*program.initial, *[0] * (program.layout.size - len(program.initial))]
    state[PC] = program.start
    state[DECISION] = -1
    return state


__all__ = ["initial_state"]
