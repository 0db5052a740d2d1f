"""Ways and directions by counting round the ring of directions, and drawn shapes by tables of offsets.

Whether a square is covered by a shape is one look-up: a table over the offset of two squares holds, as bits, for which
shapes and facings it is. The squares of a shape come from a board with a border, on which an offset is one number
(`boards.offsets`). No table has an entry for each shape on each space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.boards import Board, Lattice, OffsetTable, lattice, offset_table, padded, turned
from interpreter.ir import code as c
from interpreter.ir.from_semantics import expressions
from interpreter.ir.from_semantics.context import Scope
from interpreter.semantics import model

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)


def expression(scope: Scope, node: model.Turned | model.Bearing | model.Toward) -> c.Expr:
    """A direction or a way; none where it is of nothing."""
    match node:
        case model.Turned(facing=facing, way=way, step=step):
            (first, second), missing = expressions.members(scope, (facing, way))
            steps = second if step == 1 else c.Binary("*", second, c.Int(step))
            found: c.Expr = c.Binary("mod", c.Binary("+", first, steps), _ring(node.board))
        case model.Bearing(facing=facing, direction=direction, step=step):
            (first, second), missing = expressions.members(scope, (facing, direction))
            found = c.Binary("mod", c.Binary("-", second, first), _ring(node.board))
            if step > 1:
                found = scope.atom(found, "steps")
                between = c.Compare("!=", c.Binary("mod", found, c.Int(step)), ZERO)
                found = c.Pick(between, NONE, c.Binary("div", found, c.Int(step)))
        case model.Toward(board=board, start=start, end=end):
            name = f"directions between spaces of {board.name}"
            table = offset_table(_lattice(board.board), _neighbours(board.board), NONE.value)
            if not table.keys:
                first, second = expressions.expression(scope, start), expressions.expression(scope, end)
                return _of_pair(scope, name, table, first, second, (start.type.optional, end.type.optional), NONE)
            (first, second), missing = expressions.members(scope, (start, end))
            found = _by_offset(scope, name, table, first, second)
    return found if missing == ZERO else c.Pick(missing, NONE, found)


def covers(scope: Scope, node: model.AreaSet, member: c.Expr) -> c.Expr:
    """Whether a shape covers a space, which is there."""
    name = f"shapes on {node.board.name}"
    cases = ((offset, 1 << case) for case, covered in enumerate(_offsets(node)) for offset in covered)
    table = offset_table(_lattice(node.board.board), cases, 0)
    if table.keys:
        (shape, space, facing), missing = expressions.members(scope, (node.shape, node.space, node.facing))
        bits = _by_offset(scope, name, table, space, member)
    else:
        (shape, facing), missing = expressions.members(scope, (node.shape, node.facing))
        space = expressions.expression(scope, node.space)
        bits = _of_pair(scope, name, table, space, member, (node.space.type.optional, False), ZERO)
    found = c.HasBit(bits, _case(shape, facing, len(node.board.board.directions)))
    return found if missing == ZERO else c.And(c.Not(missing), found)


def iterate(scope: Scope, node: model.AreaSet, write: Callable[[c.Expr], None], name: str) -> None:
    """One loop over the squares of a shape; one that goes round a small board may come to a square twice."""
    (shape, space, facing), missing = expressions.members(scope, (node.shape, node.space, node.facing))
    board, name_of = node.board.board, node.board.name
    border = padded(_lattice(board), _reach(node))
    rows = tuple(tuple(east + north * border.stride for east, north in covered) for covered in _offsets(node))
    ways = scope.low.array(f"squares of shapes on {name_of}", rows)
    spaces = scope.low.array(f"{name_of} with a border", border.spaces)
    places = scope.low.array(f"places on {name_of} with a border", border.places)
    offset, var = scope.fresh("offset"), scope.fresh(name)

    def loop() -> None:
        here = scope.atom(c.ArrayGet(places, space), "middle")

        def body() -> None:
            scope.emit(c.Assign(var, c.ArrayGet(spaces, c.Binary("+", here, c.Var(offset)))))
            if NONE.value in border.spaces:
                scope.emit(c.If(c.Compare(">=", c.Var(var), ZERO), scope.body(lambda: write(c.Var(var)))))
            else:
                write(c.Var(var))

        at = _case(shape, facing, len(board.directions))
        scope.emit(c.ForRow((offset,), ways, at, scope.body(body)))

    if missing == ZERO:
        loop()
    else:
        scope.emit(c.If(c.Not(missing), scope.body(loop)))


def repeats(node: model.AreaSet) -> bool:
    """Whether a shape may come to one square in two ways, since the board goes round and is no larger than it."""
    grid = _lattice(node.board.board)
    return grid.goes_round and 2 * _reach(node) >= min(grid.columns, grid.rows)


# ------------------------------------------------------------------------------------------- small things


def _ring(use: model.BoardUse) -> c.Int:
    return c.Int(len(use.board.directions))


def _lattice(board: Board) -> Lattice:
    found = lattice(board)
    assert found is not None, "a board without directions"
    return found


def _case(shape: c.Expr, facing: c.Expr, directions: int) -> c.Expr:
    """The number of a shape together with a facing."""
    if isinstance(shape, c.Int) and isinstance(facing, c.Int):
        return c.Int(shape.value * directions + facing.value)
    if isinstance(shape, c.Int):
        return c.Binary("+", c.Int(shape.value * directions), facing) if shape.value else facing
    return c.Binary("+", c.Binary("*", shape, c.Int(directions)), facing)


def _of_pair(
    scope: Scope,
    name: str,
    table: OffsetTable,
    first: c.Expr,
    second: c.Expr,
    optional: tuple[bool, bool],
    blank: c.Int,
) -> c.Expr:
    """What a table over pairs says of two spaces; where one may be none the table has a blank row or column for it."""
    size = round(len(table.values) ** 0.5)
    rows = [table.values[at : at + size] for at in range(0, size * size, size)]
    if optional[1]:
        rows = [(blank.value, *row) for row in rows]
    width = size + optional[1]
    if optional[0]:
        rows.insert(0, (blank.value,) * width)
    values = scope.low.array(name, tuple(value for row in rows for value in row))
    index: c.Expr = c.Binary("+", c.Binary("*", first, c.Int(width)), second)
    skipped = optional[0] * width + optional[1]
    return c.ArrayGet(values, c.Binary("+", index, c.Int(skipped)) if skipped else index)


def _by_offset(scope: Scope, name: str, table: OffsetTable, first: c.Expr, second: c.Expr) -> c.Expr:
    """What a table over offsets says of two spaces that are there."""
    values = scope.low.array(name, table.values)
    keys = scope.low.array(f"places for {name}", table.keys)
    apart = c.Binary("-", c.ArrayGet(keys, second), c.ArrayGet(keys, first))
    return c.ArrayGet(values, c.Binary("+", apart, c.Int(table.middle)))


def _neighbours(board: Board) -> Iterator[tuple[tuple[int, int], int]]:
    """For each direction the offset of its steps; a direction in which the board has no step has none."""
    columns = board.columns or len(board.spaces)
    for direction, steps in enumerate(board.step):
        start = next((space for space, to in enumerate(steps) if to >= 0), None)
        if start is not None:
            to = steps[start]
            yield (to % columns - start % columns, to // columns - start // columns), direction


def _offsets(node: model.AreaSet) -> list[list[tuple[int, int]]]:
    """For each shape and each facing the offsets of its squares, row by row from the south."""
    eighths = 8 // len(node.board.board.directions)
    return [
        sorted((turned(square, facing * eighths) for square in shape.squares), key=lambda offset: offset[::-1])
        for shape in node.shapes
        for facing in range(len(node.board.board.directions))
    ]


def _reach(node: model.AreaSet) -> int:
    return max((max(abs(right), abs(ahead)) for shape in node.shapes for right, ahead in shape.squares), default=0)


__all__ = ["covers", "expression", "iterate", "repeats"]
