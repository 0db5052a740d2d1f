"""The word that a statement begins with, as the place to blame.

A statement that holds others spans many lines; underlining them all would point at nothing. Its first word tells it.

Invariant: the place lies at the start of the statement, on one line.
"""

from __future__ import annotations

from interpreter.diagnostics import Position, Span
from interpreter.semantics.model import (
    Choose,
    EachPlayer,
    ForEach,
    IfStatement,
    Loop,
    Rounds,
    Statement,
    Step,
    Turns,
)

__all__ = ["head_of"]

_WORDS: dict[type[Statement], str] = {
    Choose: "choose",
    EachPlayer: "each player",
    ForEach: "for each",
    IfStatement: "if",
    Loop: "repeat",
    Rounds: "round",
    Step: "step",
    Turns: "turns",
}


def head_of(statement: Statement) -> Span:
    """The first word of a statement that holds others; all of any other statement."""
    if isinstance(statement, Step) and statement.body.statements and statement.span.start == statement.body.span.start:
        return head_of(statement.body.statements[0])  # what a variant adds is a step without a heading of its own
    word = _WORDS.get(type(statement))
    if isinstance(statement, Choose) and (statement.may or statement.must):
        word = "may" if statement.may else "must"
    if word is None:
        return statement.span
    start = statement.span.start
    end = Position(start.line, start.column + len(word), start.byte + len(word))
    return Span(statement.span.path, start, min(end, statement.span.end))
