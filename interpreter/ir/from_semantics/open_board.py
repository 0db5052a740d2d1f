"""Open grids: what keeps a ring of spaces from being told from a plane (`boards.plane`).

The ring is thought of as cut open along one column and one row, which makes it a sheet. Where the cuts are is kept in
two slots of the state, and no piece lies within half of `GAP` of one. So a piece that comes onto the board is usually
far from the cuts, and nothing needs to be done. Where it is not, all pieces are looked over, with the spaces that
states and fields remember, and the sheet is cut anew in the middle of what is free around them; if that is less than
`GAP` columns or rows, the pieces lie too far apart. On the sheet every space has its place: a distance between two
of them is that of the plane, and a slide that comes to a cut would never have ended.

Invariant: code for a board with edges is untouched by all this.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.boards.plane import GAP
from interpreter.ir import code as c
from interpreter.ir.from_semantics import expressions
from interpreter.ir.from_semantics.context import Scope
from interpreter.ir.program import FunctionCode
from interpreter.semantics import model
from interpreter.semantics.types import SpaceType

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)
MARGIN = GAP // 2
"""Columns, and rows, between a cut and the pieces on either side of it."""


def keep_together(scope: Scope, board: model.BoardUse, piece: c.Expr, space: c.Expr, span: int) -> None:
    """A fault if the pieces on an open grid would lie too far apart, with one of them on a space.

    `piece` is its number among the occupants of the board, which is not looked for where it is now; none for a space
    that is only remembered.
    """
    name = f"room on {board.name}"
    if name not in scope.low.functions:
        scope.low.functions[name] = _keeper(scope, board, name)
    scope.emit(c.Check(c.CallValue(name, (piece, space)), "D717", span))


def stay_on_sheet(scope: Scope, board: model.BoardUse, at: c.Expr, ahead: c.Expr, span: int) -> None:
    """A fault if the step of a slide from one space to the next leads over a cut: nothing has stopped it."""
    for place in (_column, _row):
        step = scope.atom(c.Binary("-", place(scope, board, ahead), place(scope, board, at)), "step")
        is_near = c.And(c.Compare("<=", NONE, step), c.Compare("<=", step, ONE))
        scope.emit(c.Check(is_near, "D718", span))


def distance(scope: Scope, node: model.Distance) -> c.Expr:
    """The fewest links between two spaces."""
    start = scope.atom(expressions.required(scope, node.start), "start")
    end = scope.atom(expressions.required(scope, node.end), "end")

    def apart(place: Callable[[Scope, model.BoardUse, c.Expr], c.Expr]) -> c.Expr:
        across = scope.atom(c.Binary("-", place(scope, node.board, start), place(scope, node.board, end)), "across")
        return scope.atom(c.Binary("max", across, c.Binary("-", ZERO, across)), "apart")

    across, along = apart(_column), apart(_row)
    if node.link == "orth":
        return c.Binary("+", across, along)
    farther = c.Binary("max", across, along)
    if node.link == "diag":
        return c.Pick(c.Binary("mod", c.Binary("+", across, along), c.Int(2)), NONE, farther)
    return farther


def line(scope: Scope, node: model.LineThrough) -> c.Expr:
    """Is there a straight line through a space? Along each axis the spaces that fulfil the condition are counted."""
    at = scope.atom(expressions.expression(scope, node.through), "space")
    found = scope.assign("found", ZERO)
    if node.through.type.optional:
        inside = scope.body(lambda: _lines_through(scope, node, at, found))
        scope.emit(c.If(c.Compare(">=", at, ZERO), inside))
    else:
        _lines_through(scope, node, at, found)
    return found


def _lines_through(scope: Scope, node: model.LineThrough, at: c.Expr, found: c.Var) -> None:
    from interpreter.ir.from_semantics.geometry import step

    half = len(node.board.board.directions) // 2
    axis, way, turn, length, here = (scope.fresh(name) for name in ("axis", "way", "turn", "length", "here"))

    def holds(space: c.Expr) -> c.Expr:
        with scope.standing_for(node.local, space):
            return expressions.expression(scope, node.condition)

    def one_step() -> None:
        scope.emit(c.Assign(here, step(scope, node.board, c.Var(here), c.Var(way))))
        scope.emit(c.If(c.Not(holds(c.Var(here))), (c.Break(),)))
        scope.emit(c.Assign(length, c.Binary("+", c.Var(length), ONE)))

    def one_way() -> None:
        scope.emit(c.Assign(here, at))
        scope.emit(c.ForRange(turn, ONE, c.Int(node.length), scope.body(one_step)))

    def one_axis() -> None:
        scope.emit(c.Assign(length, ONE))
        ways = (c.Var(axis), c.Binary("+", c.Var(axis), c.Int(half)))
        scope.emit(c.ForItems(way, ways, scope.body(one_way)))
        enough = c.Compare(">=", c.Var(length), c.Int(node.length))
        scope.emit(c.If(enough, (c.Assign(found.name, ONE), c.Break())))

    begins = holds(at)
    axes = scope.body(lambda: scope.emit(c.ForRange(axis, ZERO, c.Int(half), scope.body(one_axis))))
    scope.emit(c.If(begins, axes))


# ------------------------------------------------------------------------------------------------ the sheet


def _column(scope: Scope, board: model.BoardUse, space: c.Expr) -> c.Expr:
    """How many columns of the sheet lie west of a space."""
    columns = c.Int(board.board.columns)
    here = c.Binary("mod", space, columns)
    return c.Binary("mod", c.Binary("-", here, c.Load(scope.low.slots.cuts[board.name].base)), columns)


def _row(scope: Scope, board: model.BoardUse, space: c.Expr) -> c.Expr:
    """How many rows of the sheet lie south of a space."""
    here = c.Binary("div", space, c.Int(board.board.columns))
    cut = c.Load(scope.low.slots.cuts[board.name].base + 1)
    return c.Binary("mod", c.Binary("-", here, cut), c.Int(board.board.rows))


def _keeper(scope: Scope, board: model.BoardUse, name: str) -> FunctionCode:
    """Is there room for a piece on a space? The sheet is cut anew where that is needed."""
    columns, rows = board.board.columns, board.board.rows
    column, row = c.Var("column"), c.Var("row")
    extremes = (("west", "min", "column"), ("east", "max", "column"), ("south", "min", "row"), ("north", "max", "row"))
    out: list[c.Stmt] = [
        c.Assign("column", _column(scope, board, c.Var("space"))),
        c.Assign("row", _row(scope, board, c.Var("space"))),
        c.If(c.And(_is_inside(column, columns), _is_inside(row, rows)), (c.Return(ONE),)),
        *(c.Assign(edge, c.Var(place)) for edge, _, place in extremes),
    ]
    taken: c.Body = (
        c.Assign("column", _column(scope, board, c.Var("at"))),
        c.Assign("row", _row(scope, board, c.Var("at"))),
        *(c.Assign(edge, c.Binary(op, c.Var(edge), c.Var(place))) for edge, op, place in extremes),  # type: ignore[arg-type]
    )
    out += _pieces(scope, board, taken)
    out += _remembered(scope, board, taken)
    for low, high, size in (("west", "east", columns), ("south", "north", rows)):
        apart = c.Binary("-", c.Var(high), c.Var(low))
        out.append(c.If(c.Compare(">=", apart, c.Int(size - GAP)), (c.Return(ZERO),)))
    base = scope.low.slots.cuts[board.name].base
    for slot, low, high, size in ((base, "west", "east", columns), (base + 1, "south", "north", rows)):
        apart = c.Binary("-", c.Var(high), c.Var(low))
        before = c.Binary("div", c.Binary("-", c.Int(size - 1), apart), c.Int(2))
        moved = c.Binary("-", c.Binary("+", c.Load(slot), c.Var(low)), before)
        out.append(c.Store(slot, c.Binary("mod", moved, c.Int(size))))
    out.append(c.Return(ONE))
    return FunctionCode(name, ("piece", "space"), tuple(out), "value", title=name)


def _is_inside(place: c.Expr, size: int) -> c.Expr:
    """Whether a column or row of the sheet is clear of both its ends."""
    return c.And(c.Compare("<=", c.Int(MARGIN), place), c.Compare("<", place, c.Int(size - MARGIN)))


def _pieces(scope: Scope, board: model.BoardUse, taken: c.Body) -> list[c.Stmt]:
    """Does something for the space `at` of each piece on the board but the one that moves."""
    slots = scope.low.slots
    each, at = c.Var("each"), c.Var("at")
    out: list[c.Stmt] = []
    for (on, kind), first in slots.occupant_base.items():
        if on != board.name:
            continue
        number = each if first == 0 else c.Binary("+", each, c.Int(first))
        stays = c.Compare("!=", number, c.Var("piece"))
        inside = c.And(c.Compare(">=", at, ZERO), c.Compare("<", at, c.Int(len(board.board.spaces))))
        here = c.Binary("-", c.LoadAt(slots.places[kind].base, each), c.Int(slots.space_code[kind, on]))
        look = (c.Assign("at", here), c.If(c.And(inside, stays), taken))
        out.append(c.ForRange("each", ZERO, c.Int(scope.low.game.kinds[kind].count), look))
    return out


def _remembered(scope: Scope, board: model.BoardUse, taken: c.Body) -> list[c.Stmt]:
    """Does something for each space `at` of the board that a state or field holds."""
    out: list[c.Stmt] = []
    for variable in scope.low.game.variables:
        if isinstance(variable.type, SpaceType) and variable.type.name == board.space:
            group = scope.low.slots.variables[id(variable)]
            look = (
                c.Assign("at", c.LoadAt(group.base, c.Var("each"))),
                c.If(c.Compare(">=", c.Var("at"), ZERO), taken),
            )
            out.append(c.ForRange("each", ZERO, c.Int(group.count), look))
    return out


__all__ = ["distance", "keep_together", "line", "stay_on_sheet"]
