"""Marks the calculations that may leave the numbers, so that every backend stops there and none goes on with another.

A game's numbers are small, and nearly always their ranges prove it; what they cannot exclude (a product of two numbers
that only play knows) is `checked`. Functions that play never calls (labels, reasons) have no ranges: there every
product is checked, and every sum but for small steps.

Invariant: what is not checked gives a number within 64 bits, in any game that a machine can play to its end.
"""

from __future__ import annotations

from collections.abc import Collection

from attrs import evolve

from interpreter.ir import code as c
from interpreter.ir.program import Program
from interpreter.ir.ranges import STEP, Range, Scope, infer, may_leave
from interpreter.ir.rewrite import OnExpr, rewrite_block, rewrite_function, same_expr


def guard(program: Program) -> Program:
    """The program with `checked` set where it has to be."""
    large: dict[Scope, set[c.Expr]] = {}

    def met(scope: Scope, expr: c.Binary, left: Range, right: Range) -> None:
        if may_leave(expr.op, left, right):
            large.setdefault(scope, set()).add(expr)

    used = infer(program, met).used
    return evolve(
        program,
        functions={
            name: rewrite_function(function, _checking(large.get(name, ())) if name in used else _careful)
            for name, function in program.functions.items()
        },
        blocks=[rewrite_block(block, _checking(large.get(at, ()))) for at, block in enumerate(program.blocks)],
    )


def _checking(large: Collection[c.Expr]) -> OnExpr:
    if not large:
        return same_expr
    return lambda expr: evolve(expr, checked=True) if isinstance(expr, c.Binary) and expr in large else expr


def _careful(expr: c.Expr) -> c.Expr:
    """What is checked where nothing is known of ranges."""
    match expr:
        case c.Binary("*") | c.Binary("<<", _, c.Var() | c.Binary()):
            return evolve(expr, checked=True)
        case c.Binary("+" | "-", left, right) if not (_is_small(left) or _is_small(right)):
            return evolve(expr, checked=True)
    return expr


def _is_small(expr: c.Expr) -> bool:
    return isinstance(expr, c.Int) and -STEP <= expr.value <= STEP


__all__ = ["guard"]
