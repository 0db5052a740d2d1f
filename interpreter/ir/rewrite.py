"""Visiting and rewriting operations, whatever their class.

Passes are written against these two movements, so that a new operation needs no change in a pass that does not care
about it: the children of a node are found by its fields. Nothing is changed in place; a node whose children stayed the
same is kept as it is, so a pass over a large program copies only what it touches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import attrs

from interpreter.ir import code as c
from interpreter.ir.code import Block, Body, Expr, Stmt, Terminator
from interpreter.ir.program import FunctionCode, Program

Node = Expr | Stmt | Terminator
_N = TypeVar("_N", Expr, Stmt, Terminator)


class _Fields(dict[type[Any], tuple[str, ...]]):
    """By class of operation the fields that hold operations."""

    def __missing__(self, cls: type[Any]) -> tuple[str, ...]:
        found = (field.name for field in attrs.fields(cls) if "Expr" in str(field.type) or "Body" in str(field.type))
        self[cls] = names = tuple(found)
        return names


_FIELDS = _Fields()


def children(node: Node) -> Iterator[Expr | Stmt]:
    """The expressions and statements directly within a node, in order of evaluation."""
    for name in _FIELDS[type(node)]:
        value = getattr(node, name)
        if isinstance(value, tuple):
            yield from value
        elif value is not None:
            yield value


def visit(node: Node) -> Iterator[Node]:
    """The node and everything within it, outer before inner, in order."""
    return _visited([node])


def _visited(waiting: list[Node]) -> Iterator[Node]:
    """Nodes, the last first, each followed by everything within it."""
    take, wait = waiting.pop, waiting.append
    while waiting:
        node = take()
        yield node
        for name in reversed(_FIELDS[type(node)]):
            value = getattr(node, name)
            if isinstance(value, tuple):
                waiting.extend(reversed(value))
            elif value is not None:
                wait(value)


def visit_body(body: Body) -> Iterator[Node]:
    return _visited([*reversed(body)])


def visit_block(block: Block) -> Iterator[Node]:
    return _visited([block.end, *reversed(block.body)])


def visit_program(program: Program) -> Iterator[Node]:
    """Every operation of a program: functions, then blocks."""
    for function in program.functions.values():
        yield from visit_body(function.body)
    for block in program.blocks:
        yield from visit_block(block)


def variables(node: Node) -> Iterator[str]:
    """The variables that an operation itself names, lists apart."""
    match node:
        case c.Var(name) | c.FrameVar(name) | c.FrameAt(name) | c.FrameAssign(name) | c.FrameStoreAt(name):
            yield name
        case c.ForRow(vars=names):
            yield from names
        case c.Assign() | c.ForRange() | c.ForItems() | c.ForBits() | c.ForList() | c.Pop() | c.Chance():
            yield node.var


OnExpr = Callable[[Expr], Expr]
"""Gets an expression whose parts are rewritten already."""
OnStmt = Callable[[Stmt], Body]
"""Gets a statement whose parts are rewritten already; what it returns takes its place."""


def same_stmt(stmt: Stmt) -> Body:
    """Leaves a statement alone."""
    return (stmt,)


def same_expr(expr: Expr) -> Expr:
    """Leaves an expression alone."""
    return expr


def rewrite_expr(expr: Expr, on_expr: OnExpr) -> Expr:
    """Rewrites an expression from the inside out."""
    return on_expr(_rebuilt(expr, on_expr, same_stmt))


def rewrite_body(body: Body, on_expr: OnExpr, on_stmt: OnStmt = same_stmt) -> Body:
    """Rewrites statements, inner before outer, one after the other."""
    out: list[Stmt] = []
    for stmt in body:
        out.extend(on_stmt(_rebuilt(stmt, on_expr, on_stmt)))
    return body if len(out) == len(body) and all(a is b for a, b in zip(out, body, strict=True)) else tuple(out)


def rewrite_end(end: Terminator, on_expr: OnExpr) -> Terminator:
    """Rewrites the expressions of a terminator."""
    return _rebuilt(end, on_expr, same_stmt)


def rewrite_block(block: Block, on_expr: OnExpr, on_stmt: OnStmt = same_stmt) -> Block:
    body, end = rewrite_body(block.body, on_expr, on_stmt), rewrite_end(block.end, on_expr)
    return block if body is block.body and end is block.end else Block(body, end, block.label)


def rewrite_function(function: FunctionCode, on_expr: OnExpr, on_stmt: OnStmt = same_stmt) -> FunctionCode:
    body = rewrite_body(function.body, on_expr, on_stmt)
    return function if body is function.body else attrs.evolve(function, body=body)


def _rebuilt(node: _N, on_expr: OnExpr, on_stmt: OnStmt) -> _N:
    changes: dict[str, Any] = {}
    for name in _FIELDS[type(node)]:
        value = getattr(node, name)
        if isinstance(value, Expr):
            new: Any = rewrite_expr(value, on_expr)
        elif isinstance(value, tuple) and value and isinstance(value[0], Stmt):
            new = rewrite_body(value, on_expr, on_stmt)
        elif isinstance(value, tuple) and value and isinstance(value[0], Expr):
            new = tuple(rewrite_expr(part, on_expr) for part in value)
            if all(a is b for a, b in zip(new, value, strict=True)):
                continue
        else:
            continue
        if new is not value:
            changes[name] = new
    return attrs.evolve(node, **changes) if changes else node


__all__ = [
    "Node",
    "OnExpr",
    "OnStmt",
    "children",
    "rewrite_block",
    "rewrite_body",
    "rewrite_end",
    "rewrite_expr",
    "rewrite_function",
    "same_expr",
    "same_stmt",
    "variables",
    "visit",
    "visit_block",
    "visit_body",
    "visit_program",
]
