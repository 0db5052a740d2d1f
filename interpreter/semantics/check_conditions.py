"""Whether each condition asks anything.

A condition made of literals only, or one that compares a thing with itself, has one answer for ever; most often a
name was meant where a word like `yes` stands, or one name twice where two were meant. Options are no literals: what
hangs on them is constant in one configuration and not in the next. A relation that says `= yes` is left alone, since
variants add `unless` lines to it.

Invariant: what is reported has the same answer in every state of every configuration.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics import Diagnostics
from interpreter.semantics import walk
from interpreter.semantics.known_values import literal_value
from interpreter.semantics.model import (
    BindAssign,
    BindOrder,
    BindSome,
    Branch,
    Compare,
    Conditional,
    Const,
    Expr,
    Filter,
    Game,
    IfStatement,
    LineThrough,
    LocalRef,
    Logic,
    Loop,
    Marker,
    Not,
    RelationLine,
    RunSet,
    Slide,
    Understood,
    ValueLine,
    VariableRef,
)

__all__ = ["check_conditions"]


def check_conditions(game: Game, sink: Diagnostics) -> None:
    """Report conditions that are always yes or always no."""
    for node in walk.survey(game).nodes:
        for condition in _conditions(node):
            _check(condition, node, game, sink)


def _conditions(node: Understood) -> Iterator[Expr]:
    """The conditions that a node hangs on directly."""
    match node:
        case IfStatement() | Conditional() | Slide() | LineThrough() | RunSet() | Marker():
            yield node.condition
        case Filter() | ValueLine():
            if node.condition is not None:
                yield node.condition
        case Loop():
            if node.until is not None:
                yield node.until
        case RelationLine():
            if not isinstance(node.condition, Const):
                yield node.condition
        case Branch():
            if node.guard is not None:
                yield node.guard
        case BindSome() | BindOrder() | BindAssign():
            if node.such_that is not None:
                yield node.such_that


def _check(condition: Expr, node: Understood, game: Game, sink: Diagnostics) -> None:
    value = literal_value(condition, game)
    if value is not None:
        if not (isinstance(node, Branch) and value == 0):  # D311 says more
            _report(condition, value, sink)
        return
    for part in _parts(condition):
        value = literal_value(part, game)
        if value is None and isinstance(part, Compare) and part.left == part.right and _varies(part.left):
            value = int(part.op in ("=", "<=", ">="))
        if value is not None:
            _report(part, value, sink)


def _parts(condition: Expr) -> Iterator[Expr]:
    """The conditions that `and`, `or` and `not` join, those that are not joined themselves."""
    match condition:
        case Logic():
            yield from _parts(condition.left)
            yield from _parts(condition.right)
        case Not():
            yield from _parts(condition.inner)
        case _:
            yield condition


def _varies(expr: Expr) -> bool:
    return any(isinstance(node, LocalRef | VariableRef) for node in walk.descend(expr))


def _report(condition: Expr, value: int, sink: Diagnostics) -> None:
    answer = "yes" if value else "no"
    sink.warning(
        "D312",
        f"this condition is always {answer}",
        condition.span,
        help="remove the condition, or ask for something that can change",
    )
