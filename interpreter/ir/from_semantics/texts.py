"""Texts with values in them, and the events of the log."""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.from_semantics import expressions
from interpreter.ir.from_semantics.context import Scope
from interpreter.ir.program import EventInfo, Shown, TextTemplate
from interpreter.semantics import model


def event(scope: Scope, what: str, text: model.Template | None, node: model.Understood, *leading: c.Expr) -> None:
    """Emits an event whose text shows values worked out now; `leading` arguments come first (the winners)."""
    arguments: list[c.Expr] = list(leading)
    parts: list[str | Shown] = []
    for part in text.parts if text is not None else ():
        if isinstance(part, str):
            parts.append(part)
            continue
        halves = isinstance(part, model.CallExpr) and part.function.halves
        parts.append(Shown("", (len(arguments),), part.type, halves))
        arguments.append(expressions.argument(scope, part))
    number = scope.low.event(EventInfo(what, tuple(parts), node.span))
    scope.emit(c.Emit(number, tuple(arguments)))


def silent_event(scope: Scope, what: str, node: model.Understood, variable: str, *arguments: c.Expr) -> None:
    """Emits an event that has no text of its own; the log words it from `what` and `variable`."""
    scope.emit(c.Emit(scope.low.event(EventInfo(what, (), node.span, variable=variable)), arguments))


def plain(text: TextTemplate) -> str:
    """The fixed part of a text, values left out."""
    return "".join(part if isinstance(part, str) else "…" for part in text)


__all__ = ["event", "plain", "silent_event"]
