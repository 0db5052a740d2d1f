"""Conditions that are joined by one word, those that cost little asked first.

`not engaged(u) and u.moves is not empty` looks at all neighbours of a unit before it looks at its card. Where nobody
can tell the difference, the card comes first: what is skipped then has no fault and writes nothing, which its text
shows, and what is asked earlier has no fault either.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from interpreter.ir import code as c
from interpreter.ir.chains import joined, parts_of
from interpreter.ir.rewrite import visit

if TYPE_CHECKING:
    from interpreter.backends.wasm.expressions import ExpressionPrinter

__all__ = ["in_order_of_cost"]

_CALL = re.compile(r"\(call ")
_HARMLESS_CALLS = ("$any ", "$count ", "$compare ", "$in_list")


def in_order_of_cost(x: ExpressionPrinter, expr: c.And | c.Or) -> str | None:
    """The text of a chain with those that call asked last; None if the order matters, or is right already."""
    parts = parts_of(expr, type(expr))
    dear = [part for part in parts if _calls(part)]
    if not dear or all(_calls(part) for part in parts[parts.index(dear[0]) :]):
        return None
    room = x.inline.left if x.inline else 0
    cheap = [part for part in parts if not _calls(part)]
    texts = _dear_texts(x, expr, parts) if _are_safe(x, expr, cheap) else None
    if texts is None or not all(_is_harmless(text) for text in texts):
        if x.inline:
            x.inline.left = room
        return None
    text = texts[-1]
    for each in reversed([x.flag(joined(cheap, type(expr))), *texts[:-1]]):
        branches = (text, "(i32.const 0)") if isinstance(expr, c.And) else ("(i32.const 1)", text)
        text = f"(if (result i32) {each} (then {branches[0]}) (else {branches[1]}))"
    return text


def _are_safe(x: ExpressionPrinter, expr: c.And | c.Or, parts: list[c.Expr]) -> bool:
    """Have some parts no fault, if nothing but those before is known?"""
    kept = x.flow.keep()
    safe = True
    for part in parts:
        safe = safe and x.is_safe(part)
        x.flow.suppose(part, isinstance(expr, c.And))
    x.flow.back(kept)
    return safe


def _dear_texts(x: ExpressionPrinter, expr: c.And | c.Or, parts: list[c.Expr]) -> list[str]:
    """The parts that call, each with what is known where it stood."""
    kept, texts = x.flow.keep(), []
    for part in parts:
        if _calls(part):
            with x.loops.doubtful():
                texts.append(x.flag(part))
        x.flow.suppose(part, isinstance(expr, c.And))
    x.flow.back(kept)
    return texts


def _calls(expr: c.Expr) -> bool:
    return any(isinstance(node, c.CallValue) for node in visit(expr))


def _is_harmless(text: str) -> bool:
    """Does code call nothing that may have a fault, and write nothing?"""
    writes = "store" in text or "(memory." in text
    return not writes and all(text.startswith(_HARMLESS_CALLS, at.end()) for at in _CALL.finditer(text))
