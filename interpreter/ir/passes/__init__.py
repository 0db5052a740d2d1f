"""The passes over a program, in the order in which they run. One pass is one module is one function.

Folding comes first, since a branch that is gone may leave a block with a single way in; merging comes before placing,
since every block less is a variable less in the state; folding again tidies what placing made constant. What may grow
too large is looked for last, since a pass may not move an operation away from where its checks were worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from interpreter.ir.invariants import check_program
from interpreter.ir.passes.fold import fold
from interpreter.ir.passes.guard import guard
from interpreter.ir.passes.merge import merge
from interpreter.ir.passes.place_locals import place_locals
from interpreter.ir.program import Program

Pass = Callable[[Program], Program]

BEFORE_PLACING: tuple[Pass, ...] = (fold, merge)
"""Passes over a program whose machines still have variables of their own."""
AFTER_PLACING: tuple[Pass, ...] = (fold, merge, guard)
"""Passes over a program whose state is complete."""


def run_passes(
    program: Program, forced: Collection[str] = frozenset(), arrays: Mapping[str, int] | None = None
) -> Program:
    """A program ready for a backend, its invariants checked after every pass. Arguments as for `place_locals`."""
    check_program(program, "lowering", placed=False)
    for each in BEFORE_PLACING:
        program = each(program)
        check_program(program, each.__name__, placed=False)
    program = place_locals(program, forced, arrays)
    check_program(program, "place_locals")
    for each in AFTER_PLACING:
        program = each(program)
        check_program(program, each.__name__)
    return program


__all__ = ["AFTER_PLACING", "BEFORE_PLACING", "Pass", "fold", "guard", "merge", "place_locals", "run_passes"]
