"""What is asked twice is worked out once.

    when next(last_enemy(p, s, d), d) is not none and last_enemy(p, s, d) is not s

asks the same value two times, as people write it. A call that has no effect is kept in a variable where the same call
follows before anything it reads can have changed. Only a call that is worked out in any case, and before all that may
have a fault, is kept.

Invariant: the program does the same as before, and has the same faults.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve

from interpreter.ir import code as c
from interpreter.ir.program import FunctionCode, Program
from interpreter.ir.rewrite import children, rewrite_body, variables, visit, visit_body

__all__ = ["share_calls"]

_NO_EFFECT = (
    c.Expr, c.Assign, c.If, c.IfEmpty, c.ForRange, c.ForRow, c.ForItems, c.ForBits, c.ForList, c.Forever, c.Break,
    c.Continue, c.Return, c.NewList, c.Push, c.Pop, c.ReturnList, c.Check, c.Mark, c.Emit,
)  # fmt: skip


def share_calls(program: Program) -> Program:
    """The program with repeated calls kept in variables."""
    sharing = _Sharing(_without_effects(program.functions))
    return evolve(
        program,
        functions={name: evolve(f, body=sharing.body(f.body)) for name, f in program.functions.items()},
        blocks=[evolve(block, body=sharing.body(block.body)) for block in program.blocks],
    )


def _without_effects(functions: Mapping[str, FunctionCode]) -> set[str]:
    """The functions that give a value and change nothing, themselves or by what they call."""
    pure = {
        name
        for name, f in functions.items()
        if f.returns == "value" and all(isinstance(node, _NO_EFFECT) for node in visit_body(f.body))
    }
    while True:
        impure = {
            name
            for name in pure
            if any(isinstance(n, c.CallValue) and n.function not in pure for n in visit_body(functions[name].body))
        }
        if not impure:
            return pure
        pure -= impure


class _Sharing:
    def __init__(self, pure: set[str]) -> None:
        self.pure = pure
        self.made = 0

    def body(self, body: c.Body) -> c.Body:
        if not any(isinstance(node, c.CallValue) for node in visit_body(body)):
            return body
        out: list[c.Stmt] = []
        rest = list(body)
        while rest:
            call = self._first_call(rest[0])
            reach = 0 if call is None else _reach(call, rest)
            if call is not None and _count(call, rest[:reach]) > 1:
                name = f"shared {self.made}"
                self.made += 1
                out.append(c.Assign(name, call))
                rest[:reach] = _put(call, c.Var(name), rest[:reach])
                continue
            out.append(self._within(rest.pop(0)))
        return tuple(out)

    def _within(self, stmt: c.Stmt) -> c.Stmt:
        changes = {
            name: self.body(inner)
            for name in ("then", "otherwise", "body")
            if isinstance(inner := getattr(stmt, name, None), tuple) and inner
        }
        return evolve(stmt, **changes) if changes else stmt

    def _first_call(self, stmt: c.Stmt) -> c.CallValue | None:
        """The call that a statement begins with, but for what can have no fault."""
        match stmt:
            case c.If(expr) | c.Assign(_, expr) | c.Return(expr) | c.Check(expr) | c.Push(_, expr) if expr is not None:
                for node in _in_order(expr):
                    if isinstance(node, c.CallValue):
                        return node if node.function in self.pure else None
                    if not isinstance(node, c.Int | c.Var | c.Load | c.Compare | c.Not) and not (
                        isinstance(node, c.Binary) and node.op in ("+", "-", "*")
                    ):
                        return None
        return None


def _in_order(expr: c.Expr) -> Iterator[c.Expr]:
    """What is worked out in any case, in that order."""
    match expr:
        case c.And(left, _) | c.Or(left, _):
            yield from _in_order(left)
        case c.Pick(condition):
            yield from _in_order(condition)
        case _:
            for part in children(expr):
                if isinstance(part, c.Expr):
                    yield from _in_order(part)
            yield expr


def _reach(call: c.CallValue, body: list[c.Stmt]) -> int:
    """How many statements read what the call would give now."""
    names = {name for node in visit(call) for name in variables(node)}
    for i, stmt in enumerate(body):
        for node in visit(stmt):
            if isinstance(node, c.Stmt) and (not isinstance(node, _NO_EFFECT) or names.intersection(variables(node))):
                return i + int(i == 0 and isinstance(stmt, c.Assign))
    return len(body)


def _put(call: c.CallValue, var: c.Expr, body: list[c.Stmt]) -> c.Body:
    return rewrite_body(tuple(body), lambda node: var if node == call else node)


def _count(call: c.CallValue, body: list[c.Stmt]) -> int:
    return sum(node == call for stmt in body for node in visit(stmt) if isinstance(node, c.CallValue))
