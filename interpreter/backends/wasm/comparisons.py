"""Comparisons: their signs in WebAssembly, and what is known of them from ranges alone."""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.ranges import Range

SIGNS: dict[c.CompareOp, str] = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
OPPOSITE: dict[c.CompareOp, c.CompareOp] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def sign_of(op: c.CompareOp) -> str:
    """The ending of an instruction that compares numbers with a sign."""
    return "" if op in ("=", "!=") else "_s"


def mirrored_of(op: c.CompareOp) -> c.CompareOp:
    """The comparison with its sides changed."""
    mirrored: dict[c.CompareOp, c.CompareOp] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    return mirrored.get(op, op)


def certain(op: c.CompareOp, a: Range, b: Range) -> bool | None:
    """What a comparison gives for all values of two ranges; None if that differs."""
    match op:
        case "=":
            return False if a[1] < b[0] or b[1] < a[0] else True if a == b and a[0] == a[1] else None
        case "!=":
            known = certain("=", a, b)
            return None if known is None else not known
        case "<":
            return True if a[1] < b[0] else False if a[0] >= b[1] else None
        case "<=":
            return True if a[1] <= b[0] else False if a[0] > b[1] else None
        case ">":
            return certain("<", b, a)
    return certain("<=", b, a)


__all__ = ["OPPOSITE", "SIGNS", "certain", "mirrored_of", "sign_of"]
