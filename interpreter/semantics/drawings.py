"""Drawn shapes: from signs to squares.

A drawing is seen by somebody who stands on its `@` and looks up. `x` is a square of the shape and `.` is none; an `X`
in the place of the `@` says that the square where one stands belongs to the shape, too.

Invariant: a drawing gives a shape, and whatever is wrong with it is reported once at the line to blame.
"""

from __future__ import annotations

from interpreter.semantics.model import Shape
from interpreter.semantics.reporter import Reporter
from interpreter.syntax import ast

__all__ = ["MOST_SQUARES", "read_drawing"]

MOST_SQUARES = 25
"""Most columns, and most lines, of a drawing."""

_SIGNS = "`x`, `.`, `@` or `X`"


def read_drawing(r: Reporter, node: ast.Drawing) -> Shape:
    """The shape of a drawing. Reports D292 for what is none."""
    name, rows = node.name.text, node.rows
    if not _has_form(r, node):
        return Shape(frozenset())
    stands = [(column, at) for at, row in enumerate(rows) for column, sign in enumerate(row.squares) if sign in "@X"]
    if not stands:
        help = "write `@` for the square from which it is seen, or `X` where that belongs to the shape, too"
        r.error("D292", f"shape `{name}` has no `@`", node.name.span, help=help)
        return Shape(frozenset())
    for _, at in stands[1:]:
        r.error("D292", f"shape `{name}` is seen from a second square", rows[at].span, help="leave one `@` or `X`")
    right, down = stands[0]
    squares = frozenset(
        (column - right, down - at)
        for at, row in enumerate(rows)
        for column, sign in enumerate(row.squares)
        if sign in "xX"
    )
    if not squares:
        r.error("D292", f"shape `{name}` has no squares", node.name.span, help="write `x` for each square of it")
    return Shape(squares)


def _has_form(r: Reporter, node: ast.Drawing) -> bool:
    """Whether a drawing has known signs only, in lines of one length, and not too many."""
    known = True
    for row in node.rows:
        wrong = next((sign for sign in row.squares if sign not in "x.@X"), None)
        if wrong is not None:
            r.error("D292", f"expected {_SIGNS} in a drawing, found `{wrong}`", row.span)
            known = False
    if not known:
        return False
    first = len(node.rows[0].squares)
    for row in node.rows[1:]:
        if len(row.squares) != first:
            message = f"this line has {len(row.squares)} squares, the first one of `{node.name.text}` has {first}"
            r.error("D292", message, row.span, help="write `.` for a square that is not part of it")
            return False
    if max(first, len(node.rows)) > MOST_SQUARES:
        message = f"a drawing of {first} by {len(node.rows)} squares, expected at most {MOST_SQUARES} each way"
        r.error("D292", message, node.name.span)
        return False
    return True
