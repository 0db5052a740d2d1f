"""How the passes of this stage report, so that the same mistake is always said in the same words.

Every method appends a diagnostic and gives back an error node, so that a caller can report and return in one line.
Whatever is built upon an error node is not reported again.

Invariant: an error node is a constant of the error type, and exists only where a diagnostic was reported or where a
declaration was that it depends on.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Diagnostics, Label, Span, did_you_mean
from interpreter.semantics.describe import in_words
from interpreter.semantics.fit import fits
from interpreter.semantics.model import Const, Expr
from interpreter.semantics.symbols import Names
from interpreter.semantics.types import ERROR, ErrorType, NoneType, Type

__all__ = ["Reporter", "error_node", "phrase"]


def error_node(span: Span) -> Const:
    """The node that stands for something already reported."""
    return Const(type=ERROR, value=0, span=span)


def phrase(names: Iterable[str]) -> str:
    """Names in backticks, joined by commas."""
    return ", ".join(f"`{name}`" for name in names)


class Reporter:
    """Reports mistakes about the names and types of one game."""

    def __init__(self, names: Names) -> None:
        self.names = names

    @property
    def sink(self) -> Diagnostics:
        return self.names.sink

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        label: str = "",
        *,
        labels: Iterable[Label] = (),
        notes: Iterable[str] = (),
        help: str | None = None,
    ) -> Const:
        self.sink.error(code, message, span, label, labels=labels, notes=notes, help=help)
        return error_node(span)

    def mismatch(self, expected: str, found: Type, span: Span, *, help: str | None = None, label: str = "") -> Const:
        """Reports D215, unless what was found is an error already."""
        if isinstance(found, ErrorType):
            return error_node(span)
        return self.error("D215", f"expected {expected}, found {in_words(found)}", span, label, help=help)

    def want(self, value: Expr, expected: Type, *, labels: Iterable[Label] = ()) -> Expr:
        """The value where its type fits, else an error node after a report of D215."""
        if fits(value.type, expected):
            return value
        words = in_words(expected)
        help = None
        if isinstance(value.type, NoneType):
            help = "only what is declared with `or none` can be none"
        self.sink.error("D215", f"expected {words}, found {in_words(value.type)}", value.span, labels=labels, help=help)
        return error_node(value.span)

    def unknown(self, what: str, name: str, span: Span, candidates: Iterable[str], *, code: str = "D209") -> Const:
        """Reports a name that nothing has, with the nearest one; silent where its declaration was reported."""
        if name in self.names.broken:
            return error_node(span)
        notes = self.names.absent_player(name)
        help = None if notes else did_you_mean(name, candidates)
        return self.error(code, f"unknown {what} `{name}`", span, notes=notes, help=help)

    def lacks(self, what: str, name: str, span: Span, candidates: Iterable[str]) -> Const:
        """Reports D219: a thing that has nothing of a name, with the nearest it has."""
        if name in self.names.broken:
            return error_node(span)
        known = list(candidates)
        notes = () if not 0 < len(known) <= 8 else (f"it has {phrase(known)}",)
        return self.error("D219", f"{what} `{name}`", span, notes=notes, help=did_you_mean(name, known))

    def declared_here(self, name: str) -> tuple[Label, ...]:
        """A label on the declaration of a name, where it has one."""
        place = self.names.places.get(name)
        return (Label(place, f"`{name}` is declared here"),) if place is not None else ()
