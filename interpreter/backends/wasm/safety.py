"""What surely has no fault: it may be left out, worked out earlier, or twice.

What is not known here is taken to have one, so that a new operation is safe to add.
"""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.ranges import Flow, Range, may_leave, words

__all__ = ["is_inside", "is_safe"]

_NOTHING: Range = (0, 0)


def is_safe(flow: Flow, expr: c.Expr) -> bool:
    """Has the expression no call and no fault, by what is known at this point?"""
    match expr:
        case c.Int() | c.BlockNumber() | c.Var() | c.Load():
            return True
        case c.Not(inner) | c.PopCount(inner):
            return is_safe(flow, inner)
        case c.Compare(_, left, right):
            return is_safe(flow, left) and is_safe(flow, right)
        case c.Binary(op, left, right):
            return _is_sound(flow, op, left, right) and is_safe(flow, left) and is_safe(flow, right)
        case c.HasBit(set_, index):
            return _range(flow, index)[0] >= 0 and is_safe(flow, set_) and is_safe(flow, index)
        case c.LoadAt():
            return is_inside(flow, expr) and is_safe(flow, expr.index)
        case c.ArrayGet(array, index):
            at = _range(flow, index)
            return 0 <= at[0] <= at[1] < flow.ranges.rows[array] and is_safe(flow, index)
        case c.And(left, right) | c.Or(left, right):
            return is_safe(flow, left) and _is_safe_if(flow, left, isinstance(expr, c.And), right)
        case c.Pick(condition, then, otherwise):
            return (
                is_safe(flow, condition)
                and _is_safe_if(flow, condition, True, then)
                and _is_safe_if(flow, condition, False, otherwise)
            )
    return False


def is_inside(flow: Flow, place: c.LoadAt | c.StoreAt) -> bool:
    """Is it surely a slot of the group that is meant?"""
    low, high = _range(flow, place.index)
    group = flow.ranges.groups[flow.ranges.group_at(place)]
    return group.base <= place.base + low and place.base + high < group.base + group.count


def _is_safe_if(flow: Flow, condition: c.Expr, truth: bool, expr: c.Expr) -> bool:
    with flow.if_so(condition, truth):
        return is_safe(flow, expr)


def _is_sound(flow: Flow, op: c.BinaryOp, left: c.Expr, right: c.Expr) -> bool:
    """Does an operation surely have no fault of its own?"""
    a, b = _range(flow, left), _range(flow, right)
    match op:
        case "div" | "mod":
            return b[0] > 0
        case "<<":
            return b[0] >= 0 and b[1] <= (31 if words(a) == 0 else 63)
        case ">>":
            return b[0] >= 0
    return not may_leave(op, a, b)


def _range(flow: Flow, expr: c.Expr) -> Range:
    return flow.range(expr) or _NOTHING
