"""Explanations as lines, each with the place in the rules that it comes from.

Invariant: whatever somebody asks to have explained, the answer is text or an error of the rules, never a fault of ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.backends.api import Fault
from interpreter.runtime.session import Session

if TYPE_CHECKING:
    from interpreter.runtime.why import Explanation

__all__ = ["explain_choice", "explain_value"]


def explain_value(session: Session, text: str) -> Iterator[str]:
    """How the value of an expression comes about."""
    try:
        explanation = session.why(text)
    except Fault as fault:
        raise session.fault(fault) from fault
    return _lines(explanation)


def explain_choice(session: Session, text: str) -> Iterator[str]:
    """Why a choice is not offered."""
    try:
        explanation = session.why_not(text)
    except Fault as fault:
        raise session.fault(fault) from fault
    return _lines(explanation)


def _lines(explanation: Explanation) -> Iterator[str]:
    yield f"{explanation.subject}: {explanation.total}"
    width = max((len(str(line)) for line in explanation.lines), default=0)
    for line in explanation.lines:
        # A part of what was asked stands in no file.
        place = "" if line.span.path.startswith("<") else f"    {line.span.path}:{line.span.start.line}"
        yield f"  {line!s:<{min(width, 90) if place else 0}}{place}"
