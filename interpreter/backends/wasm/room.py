"""How long lists can become: one that has a bound gets all its room at once, and is not asked at every element."""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.ranges import Flow
from interpreter.ir.rewrite import visit_body

__all__ = ["most_pushed", "most_turns"]

MOST = 4096
"""Elements beyond which a list grows as it needs."""


def most_pushed(body: c.Body, flow: Flow) -> dict[str, int]:
    """The lists of a function that surely stay short, with the most elements they can get."""
    names = {node.list for node in visit_body(body) if isinstance(node, c.NewList)}
    bounds = {name: _pushes(body, name, flow) for name in names}
    return {name: bound for name, bound in bounds.items() if bound is not None and bound <= MOST}


def _pushes(body: c.Body, name: str, flow: Flow) -> int | None:
    """How often a body puts something into a list at most; None where nobody knows."""
    total = 0
    for stmt in body:
        match stmt:
            case c.Push(list_, _):
                total += list_ == name
            case c.If(_, then, otherwise) | c.IfEmpty(_, then, otherwise):
                first, second = _pushes(then, name, flow), _pushes(otherwise, name, flow)
                if first is None or second is None:
                    return None
                total += max(first, second)
            case c.ForRange() | c.ForRow() | c.ForItems() | c.ForBits() | c.ForList() | c.Forever():
                each = _pushes(stmt.body, name, flow)
                turns = 0 if each == 0 else most_turns(stmt, flow)
                if each is None or turns is None:
                    return None
                total += each * turns
    return total


def most_turns(stmt: c.Stmt, flow: Flow) -> int | None:
    """The most turns of a loop; None where nobody knows."""
    match stmt:
        case c.ForRange(_, low, high):
            least, most = flow.range(low), flow.range(high)
            return None if least is None or most is None else max(0, most[1] - least[0])
        case c.ForRow(_, array):
            rows = flow.ranges.program.arrays[array]
            return max((len(row) for row in rows if isinstance(row, tuple)), default=0)
        case c.ForItems(_, items):
            return len(items)
        case c.ForBits(_, set_):
            range_ = flow.range(set_)
            return None if range_ is None or range_[0] < 0 else range_[1].bit_length()
    return None
