"""Searches among the neighbours of many spaces: what can be said of a neighbour alone is said once for all spaces.

    some e in Unit on (neighbours of s) where e.side is not u.side and ...      for every s of a set

looks at the same spaces again and again. Whether an enemy of `u` stands on a space does not depend on `s`; so one bit
set of all such spaces is made before the loop over `s`, and the search only goes over the members that are also
neighbours of `s`. That changes which spaces are looked at and in which order, so nothing of the search may have a
fault, or count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from interpreter.backends.marks import is_silent
from interpreter.backends.wasm.hoist import Loop, outward
from interpreter.ir import code as c
from interpreter.ir.chains import joined, parts_of
from interpreter.ir.program import Program
from interpreter.ir.rewrite import rewrite_expr, visit_program

if TYPE_CHECKING:
    from interpreter.backends.wasm.expressions import ExpressionPrinter
    from interpreter.backends.wasm.statements import StatementPrinter

__all__ = ["Suppose", "narrowed", "with_masks"]

_MEMBERS = 64
"""Spaces of a board whose sets are one word."""
_FEWEST_TURNS = 8
_SHORTEST = 3
"""Elements that rows have on average, below which looking at all of them is as good."""


def with_masks(program: Program) -> Program:
    """The program with the rows that loops go over as bit sets too, where these are one word."""
    masks = {}
    for name in sorted({node.array for node in visit_program(program) if isinstance(node, c.ForRow)}):
        rows = [row for row in program.arrays[name] if isinstance(row, tuple)]
        elements = [element for row in rows for element in row]
        numbers = [element for element in elements if isinstance(element, int) and 0 <= element < len(rows)]
        if len(rows) <= _MEMBERS and elements == numbers and len(numbers) >= _SHORTEST * len(rows):
            masks[_mask(name)] = tuple(sum(1 << each for each in set(row) if isinstance(each, int)) for row in rows)
    return evolve(program, arrays={**program.arrays, **masks})


@frozen
class Suppose(c.Stmt):
    """What is so at a place. Only here: it is printed as nothing, and tells the flow."""

    condition: c.Expr


def narrowed(printer: StatementPrinter, stmt: c.ForRow) -> c.Stmt | None:
    """What takes the place of a search: a loop over the members that matter, or a look at their set. The set is made
    in the lines before the loop around it. None if there is no such loop, or nothing to be said before."""
    x = printer.x
    loops, array = x.loops, _mask(stmt.array)
    search = _search(stmt.body)
    if array not in x.ranges.program.arrays or search is None or not loops.open or len(stmt.vars) != 1:
        return None
    loop, spaces = loops.open[-1], x.ranges.rows[array]
    mask = c.ArrayGet(array, stmt.index)
    row = outward(x, loop, stmt.index)
    if loops.depth > loop.depth or loop.most_turns < _FEWEST_TURNS or not x.is_safe(mask):
        return None
    if row is not None and loop.leaves_alone(row):
        return None
    common = f"space {loop.x.locals.labels}"
    condition = _of_space(x, stmt, search, common, spaces)
    if condition is None:
        return None
    parts = parts_of(condition, c.And)
    loop.x.flow.variables[common] = 0, spaces - 1
    early: c.Expr | None = None
    late: list[int] = []
    for number, part in enumerate(parts):
        moved = outward(x, loop, part, common)
        wider = moved if early is None or moved is None else c.And(early, moved)
        if wider is not None and loop.leaves_alone(wider):
            early = wider
        else:
            late.append(number)
    if early is None:
        return None
    members = c.Binary("&", mask, _made(x, loop, early, common, spaces))
    *lets, last = stmt.body
    assert isinstance(last, c.If)
    if not late:
        return c.If(c.Compare("!=", members, c.Int(0)), last.then[:-1])
    own = parts_of(search[1], c.And)
    if len(own) != len(parts):
        return c.ForBits(stmt.vars[0], members, stmt.body)
    known = tuple(Suppose(part) for number, part in enumerate(own) if number not in late)
    rest = joined([own[number] for number in late], c.And)
    return c.ForBits(stmt.vars[0], members, (*lets, *known, c.If(rest, last.then)))


def _search(body: c.Body) -> tuple[list[c.Assign], c.Expr] | None:
    """The variables and the condition of a loop that does nothing but look whether there is something."""
    lets = [stmt for stmt in body[:-1] if isinstance(stmt, c.Assign)]
    match body[-1:]:
        case (c.If(condition, (*marks, c.Assign(_, c.Int(1)), c.Break()), ()),) if is_silent(tuple(marks)) and all(
            isinstance(stmt, c.Assign | c.Mark) for stmt in body[:-1]
        ):
            return lets, condition
    return None


def _of_space(
    x: ExpressionPrinter, stmt: c.ForRow, search: tuple[list[c.Assign], c.Expr], common: str, spaces: int
) -> c.Expr | None:
    """The condition of a search as one of the space alone, which is called `common`; None if looking at a space can be
    told from not looking at it (there may be a fault, or it counts), since others are looked at, in another order."""
    known: dict[str, c.Expr] = {stmt.vars[0]: c.Var(common)}

    def put(node: c.Expr) -> c.Expr:
        return known.get(node.name, node) if isinstance(node, c.Var) else node

    lets, condition = search
    safe = True
    kept = x.flow.keep()
    x.flow.loses(stmt)
    x.flow.set(stmt.vars[0], (0, spaces - 1))
    for let in lets:
        value = x.plain.rewritten(let.value)
        safe = safe and x.is_safe(value)
        x.flow.set(let.var, x.flow.range(value), value)
        known[let.var] = rewrite_expr(value, put)
    condition = x.plain.rewritten(condition)
    safe = safe and x.is_safe(condition)
    x.flow.back(kept)
    return rewrite_expr(condition, put) if safe else None


def _made(x: ExpressionPrinter, loop: Loop, early: c.Expr, common: str, spaces: int) -> c.Expr:
    """The variable with the set of the spaces of which `early` is true, made before the loop."""
    from interpreter.backends.wasm.statements import StatementPrinter

    outer, name = loop.x, f"all {common}"
    outer.flow.variables[name] = 0, 2**_MEMBERS - 1
    bit = c.Binary("|", c.Var(name), c.Binary("<<", c.Int(1), c.Var(common)))
    each = c.ForRange(common, c.Int(0), c.Int(spaces), (c.If(early, (c.Assign(name, bit),)),))
    with x.loops.ahead_of(loop):
        StatementPrinter(loop.before, outer).body((c.Assign(name, c.Int(0)), each))
    if x is not outer:
        x.flow.variables[name] = 0, 2**_MEMBERS - 1
        x.locals.give(x.flow.space, name, outer.variable(name))
    return c.Var(name)


def _mask(array: str) -> str:
    return f"{array}, as sets"
