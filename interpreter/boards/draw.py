"""A board as plain text, for terminals, logs and tests.

The caller says what stands in each space; this module says where the spaces are. Every cell gets the width of the
widest one, so the columns stay straight whatever stands in them. A grid may be turned, so that whoever sits at another
side of the table has it before their eyes as it lies before them.

Invariant: every space of a board with edges is drawn once, and no line ends in a blank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from attrs import frozen

from interpreter.boards.families import column_name
from interpreter.boards.model import Board
from interpreter.boards.plane import column_label, coordinates, row_label, window

__all__ = ["Boxed", "draw", "draw_boxed", "quarters"]

NORTH, EAST, SOUTH, WEST = range(4)
"""Quarters: which side of the board lies away from the viewer."""


@frozen
class _Layout:
    """The spaces of a grid as they lie before a viewer, line by line from the top, with what stands at the edges."""

    lines: tuple[tuple[int, ...], ...]
    beside: tuple[str, ...]
    above: tuple[str, ...]


@frozen
class Boxed:
    """A grid drawn in boxes."""

    lines: tuple[str, ...]
    places: Mapping[int, tuple[int, int]]
    """For each space the line and the column at which the inside of its box begins."""


def draw(
    board: Board,
    cell: Callable[[int], str],
    *,
    row_one: Literal["bottom", "top"] = "bottom",
    up: int = NORTH,
    around: Iterable[int] = (),
) -> str:
    """The board as text without a line feed at its end; `cell` gives what stands in the space of an index.

    Square grids have row numbers on both sides and column letters above and below; hex grids lean, half a cell a row;
    paths and rings are one line; maps are a list of `Name: neighbours`, with what stands there between brackets.
    `up` is the quarter that lies on top, as given by `quarters`; only square grids know all four. Of an open grid the
    part is drawn that holds the spaces `around`, with one free space on every side; without any, its origin.
    """
    texts = [cell(space.index).replace("\n", " ") for space in board.spaces]
    if board.family in ("square grid", "open grid"):
        lines = _square(texts, _layout(board, row_one, up, around))
    elif board.family == "hex grid":
        lines = _hex(board, texts, row_one, up)
    elif board.family == "map":
        lines = _map(board, texts)
    else:
        lines = [_track(board, texts, up)]
    return "\n".join(line.rstrip() for line in lines)


def draw_boxed(
    board: Board, cell: Callable[[int], Sequence[str]], *, up: int = NORTH, around: Iterable[int] = ()
) -> Boxed:
    """A square grid in boxes, for cells of several lines, all of one height and width: a frame round every space.

    Of an open grid the part that holds the spaces `around`, as `draw` draws it.
    """
    layout = _layout(board, "bottom", up, around)
    cells = {space: tuple(cell(space)) for line in layout.lines for space in line}
    height = max(len(inside) for inside in cells.values())
    width = max(len(text) for texts in (layout.above, *cells.values()) for text in texts)
    margin = max(len(text) for text in layout.beside)
    blank = " " * (margin + 1)
    edge = (blank + " " + " ".join(text.center(width) for text in layout.above)).rstrip()
    rules = [
        blank + left + between.join("─" * width for _ in layout.above) + right
        for left, between, right in ("┌┬┐", "├┼┤", "└┴┘")
    ]
    lines, places = [edge, rules[0]], {}
    for number, (spaces, beside) in enumerate(zip(layout.lines, layout.beside, strict=True)):
        if number:
            lines.append(rules[1])
        for column, space in enumerate(spaces):
            places[space] = (len(lines), margin + 2 + column * (width + 1))
        for at in range(height):
            inside = "│".join((cells[space][at] if at < len(cells[space]) else "").ljust(width) for space in spaces)
            shown = beside if at == height // 2 else ""
            lines.append(f"{shown:>{margin}} │{inside}│ {shown}".rstrip())
    return Boxed((*lines, rules[2], edge), places)


def quarters(board: Board, direction: int) -> int:
    """The quarter that lies on top when a direction does; north for one that no quarter turn brings there."""
    if board.family in ("square grid", "open grid"):
        return direction // 2 if direction >= 0 and direction % 2 == 0 else NORTH
    if board.family == "hex grid":
        return SOUTH if board.directions[direction] in ("southeast", "southwest") and direction >= 0 else NORTH
    return SOUTH if board.family == "path" and direction == board.direction("back") else NORTH


def _layout(board: Board, row_one: str, up: int, around: Iterable[int] = ()) -> _Layout:
    shown = _shown(board, around)
    rows, columns = range(len(shown)), range(len(shown[0]))
    if row_one == "top":
        lines = [[(column, row) for column in columns] for row in rows]
    elif up == EAST:
        lines = [[(column, row) for row in reversed(rows)] for column in reversed(columns)]
    elif up == SOUTH:
        lines = [[(column, row) for column in reversed(columns)] for row in rows]
    elif up == WEST:
        lines = [[(column, row) for row in rows] for column in columns]
    else:
        lines = [[(column, row) for column in columns] for row in reversed(rows)]
    letters = [_column(board, shown[0][column]) for column, _ in lines[0]]
    numbers = [_row(board, shown[row][0]) for _, row in lines[0]]
    sideways = row_one != "top" and up in (EAST, WEST)
    return _Layout(
        tuple(tuple(shown[row][column] for column, row in line) for line in lines),
        tuple(
            _column(board, shown[0][line[0][0]]) if sideways else _row(board, shown[line[0][1]][0]) for line in lines
        ),
        tuple(numbers if sideways else letters),
    )


def _shown(board: Board, around: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """The spaces that are drawn, in rows from the south."""
    if board.is_open:
        return window(board, around)
    first = range(0, len(board.spaces), board.columns)
    return tuple(tuple(range(at, at + board.columns)) for at in first)


def _column(board: Board, space: int) -> str:
    """What stands above the column of a space."""
    column = space % board.columns
    return column_label(coordinates(board.columns)[column]) if board.is_open else column_name(column + 1)


def _row(board: Board, space: int) -> str:
    """What stands before the row of a space."""
    row = space // board.columns
    return row_label(coordinates(board.rows)[row]) if board.is_open else str(row + 1)


def _width(board: Board, texts: list[str]) -> int:
    return max(len(column_name(board.columns)), *(len(text) for text in texts))


def _cells(texts: Sequence[str], width: int) -> str:
    return " ".join(text.center(width) for text in texts)


def _square(texts: Sequence[str], layout: _Layout) -> list[str]:
    cells = [texts[space] for line in layout.lines for space in line]
    width = max(len(text) for text in (*layout.above, *cells))
    margin = max(len(text) for text in layout.beside)
    edge = " " * (margin + 1) + _cells(layout.above, width)
    body = [
        f"{beside:>{margin}} {_cells([texts[space] for space in spaces], width)} {beside}"
        for spaces, beside in zip(layout.lines, layout.beside, strict=True)
    ]
    return [edge, *body, edge]


def _hex(board: Board, texts: list[str], row_one: str, up: int) -> list[str]:
    layout = _layout(board, row_one, SOUTH if up == SOUTH else NORTH)
    width, margin = _width(board, texts), len(str(board.rows))
    # With an odd width the pitch is even, so that half a cell is a whole number of characters.
    width += 1 - width % 2
    half = (width + 1) // 2
    downwards = row_one == "top"
    body = []
    for number, (spaces, beside) in enumerate(zip(layout.lines, layout.beside, strict=True)):
        indent = half * (number if downwards else board.rows - 1 - number)
        body.append(f"{' ' * indent}{beside:>{margin}} {_cells([texts[space] for space in spaces], width)}")
    # The letters follow the lean of the row beside them.
    letters = " " * max(0, margin + 1 - half) + _cells(layout.above, width)
    return [letters, *body] if downwards else [*body, letters]


def _track(board: Board, texts: list[str], up: int) -> str:
    line = " - ".join(text or "." for text in (reversed(texts) if up == SOUTH else texts))
    return f"{line} - (to the start)" if board.family == "ring" else line


def _map(board: Board, texts: list[str]) -> list[str]:
    neighbours = board.neighbours()
    lines = []
    for space, text in zip(board.spaces, texts, strict=True):
        standing = f" [{text}]" if text else ""
        names = ", ".join(board.spaces[to].name for to in neighbours[space.index])
        lines.append(f"{space.name}{standing}: {names}")
    return lines
