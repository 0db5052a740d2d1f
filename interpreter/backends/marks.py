"""Where code of a program stands in the rules, and what of it is there for a watcher only."""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.passes.fold import is_harmless
from interpreter.ir.program import FunctionCode, Program
from interpreter.ir.rewrite import visit_block


def first_span(block: c.Block) -> int:
    """The number of the first span in a block, -1 if it has none."""
    for node in visit_block(block):
        if isinstance(node, c.Mark | c.Check | c.Forever):
            return node.span
    return -1


def span_of(program: Program, function: FunctionCode) -> int:
    """The number of the span at which a function begins, -1 if none is known."""
    for stmt in function.body:
        if isinstance(stmt, c.Mark | c.Check | c.Forever):
            return stmt.span
    return program.spans.index(function.span) if function.span in program.spans else -1


def is_silent(body: c.Body) -> bool:
    """Does a body nothing but tell a watcher?"""
    return all(
        isinstance(stmt, c.Mark | c.Emit)
        or (
            isinstance(stmt, c.If)
            and is_harmless(stmt.condition)
            and is_silent(stmt.then)
            and is_silent(stmt.otherwise)
        )
        for stmt in body
    )


__all__ = ["first_span", "is_silent", "span_of"]
