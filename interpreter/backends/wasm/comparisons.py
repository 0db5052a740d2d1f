"""Comparisons: their signs in WebAssembly, and what is known of them from ranges alone."""

from __future__ import annotations

from interpreter.ir import code as c

SIGNS: dict[c.CompareOp, str] = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
OPPOSITE: dict[c.CompareOp, c.CompareOp] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def sign_of(op: c.CompareOp) -> str:
    """The ending of an instruction that compares numbers with a sign."""
    return "" if op in ("=", "!=") else "_s"


def mirrored_of(op: c.CompareOp) -> c.CompareOp:
    """The comparison with its sides changed."""
    mirrored: dict[c.CompareOp, c.CompareOp] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    return mirrored.get(op, op)


__all__ = ["OPPOSITE", "SIGNS", "mirrored_of", "sign_of"]
