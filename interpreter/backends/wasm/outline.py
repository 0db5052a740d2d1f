"""Searches get functions of their own, so that the rest of a function is an expression.

"Is there some ... with ..." is lowered as a loop that sets a flag and is left. A function that holds such a loop cannot
be written as an expression, and so whatever calls it has to do all of it in order. With the loop in a function of its
own the rest often is an expression (`plain`), whose cheap parts can be asked first.

Invariant: the program does the same as before, and faults at the same places of the rules.
"""

from __future__ import annotations

from attrs import evolve

from interpreter.backends.marks import is_silent
from interpreter.ir import code as c
from interpreter.ir.program import FunctionCode, Program
from interpreter.ir.rewrite import variables, visit, visit_body

__all__ = ["outline"]

_MOST_INPUTS = 4


def outline(program: Program) -> Program:
    """The program with its searches outside of the functions that make them."""
    functions: dict[str, FunctionCode] = {}
    for name, function in program.functions.items():
        if function.returns == "value":
            found: list[FunctionCode] = []
            body = _body(function, function.body, found)
            if found:
                function = evolve(function, body=body)
                functions.update((each.name, each) for each in found)
        functions[name] = function
    return evolve(program, functions=functions)


def _body(function: FunctionCode, body: c.Body, found: list[FunctionCode], mark: int = -1) -> c.Body:
    out: list[c.Stmt] = []
    for stmt in body:
        match stmt:
            case c.Mark(span) | c.Check(span=span):
                mark = span
                out.append(stmt)
            case c.If(condition, then, otherwise):
                first, second = (_body(function, branch, found, mark) for branch in (then, otherwise))
                out.append(c.If(condition, first, second))
            case c.ForRange() | c.ForRow() | c.ForBits():
                out.append(_search(function, stmt, found, mark) or stmt)
            case _:
                out.append(stmt)
    return tuple(out)


def _search(
    function: FunctionCode, loop: c.ForRange | c.ForRow | c.ForBits, found: list[FunctionCode], mark: int
) -> c.Stmt | None:
    """The call that takes the place of a search; None if the loop is something else."""
    flags = set(_found(loop.body))
    if len(flags) != 1:
        return None
    (flag,) = flags
    inner = {name for node in visit(loop) if isinstance(node, c.Stmt) for name in variables(node)}
    if any(
        isinstance(node, c.CallEffect | c.Chance | c.Push | c.Pop | c.NewList | c.InList | c.ForList | c.Return)
        for node in visit(loop)
    ):
        return None
    # the flag is 0 before, and nothing else of the loop is read behind it
    starts = [node for node in visit_body(function.body) if isinstance(node, c.Assign) and node.var == flag]
    if len(starts) != 2 or starts[0].value != c.Int(0) or starts[1].value != c.Int(1):
        return None
    within = {id(node) for node in visit(loop)}
    for node in visit_body(function.body):
        if id(node) not in within and (inner - {flag}).intersection(variables(node)):
            return None
    free = {name for node in visit(loop) if isinstance(node, c.Expr) for name in variables(node)} - inner
    inputs = tuple(sorted(free))
    if len(inputs) > _MOST_INPUTS or free & _sets(loop):
        return None  # a set of many words would have to be lent
    name = f"{function.name}: search {len(found) + 1}"
    body: c.Body = (c.Assign(flag, c.Int(0)), loop, c.Return(c.Var(flag)))
    if mark >= 0:
        body = (c.Mark(mark), *body)
    found.append(FunctionCode(name, inputs, body, "value", span=function.span))
    return c.Assign(flag, c.CallValue(name, tuple(c.Var(each) for each in inputs)))


def _found(body: c.Body) -> list[str]:
    """The flags that a loop sets before it is left; of a loop that does anything else as well, none or several."""
    if not body:
        return []
    *before, last = body
    match last:
        case c.If(_, (*marks, c.Assign(flag, c.Int(1)), c.Break()), ()) if is_silent(tuple(marks)):
            pass
        case c.If(_, then, ()):
            return _found(then) if all(isinstance(stmt, c.Assign | c.Mark | c.Check) for stmt in before) else []
        case _:
            return []
    return [flag] if all(isinstance(stmt, c.Assign | c.Mark | c.Check) for stmt in before) else []


def _sets(loop: c.Stmt) -> set[str]:
    """The variables that are used as sets."""
    sets: set[str] = set()
    for node in visit(loop):
        match node:
            case c.ForBits(_, set_) | c.HasBit(set_) | c.PopCount(set_) | c.Binary("&" | "|" | "&~", set_):
                sets.update(name for each in visit(set_) for name in variables(each))
                if isinstance(node, c.Binary):
                    sets.update(name for each in visit(node.right) for name in variables(each))
    return sets
