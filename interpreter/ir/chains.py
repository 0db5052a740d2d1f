"""Conditions that are joined by one word: as a list of parts, and back."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.ir import code as c

__all__ = ["joined", "parts_of"]


def parts_of(condition: c.Expr, word: type[c.And] | type[c.Or]) -> list[c.Expr]:
    """The parts, in the order in which they are asked; an expression of another sort is its only part."""
    if isinstance(condition, word):
        return [*parts_of(condition.left, word), *parts_of(condition.right, word)]
    return [condition]


def joined(parts: Sequence[c.Expr], word: type[c.And] | type[c.Or]) -> c.Expr:
    """One condition of one part or more."""
    whole = parts[0]
    for part in parts[1:]:
        whole = word(whole, part)
    return whole
