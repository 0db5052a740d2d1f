"""A board as plain text, for terminals, logs and tests.

The caller says what stands in each space; this module says where the spaces are. Every cell gets the width of the
widest one, so the columns stay straight whatever stands in them.

Invariant: every space is drawn once, and no line ends in a blank.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from interpreter.boards.families import column_name
from interpreter.boards.model import Board

__all__ = ["draw"]


def draw(board: Board, cell: Callable[[int], str], *, row_one: Literal["bottom", "top"] = "bottom") -> str:
    """The board as text without a line feed at its end; `cell` gives what stands in the space of an index.

    Square grids have row numbers on both sides and column letters above and below; hex grids lean, half a cell a row;
    paths and rings are one line; maps are a list of `Name: neighbours`, with what stands there between brackets.
    """
    texts = [cell(space.index).replace("\n", " ") for space in board.spaces]
    if board.family == "square grid":
        lines = _square(board, texts, row_one)
    elif board.family == "hex grid":
        lines = _hex(board, texts, row_one)
    elif board.family == "map":
        lines = _map(board, texts)
    else:
        lines = [_track(board, texts)]
    return "\n".join(line.rstrip() for line in lines)


def _rows(board: Board, row_one: str) -> list[int]:
    rows = list(range(1, board.rows + 1))
    return rows if row_one == "top" else rows[::-1]


def _width(board: Board, texts: list[str]) -> int:
    return max(len(column_name(board.columns)), *(len(text) for text in texts))


def _cells(board: Board, texts: list[str], row: int, width: int) -> str:
    first = (row - 1) * board.columns
    return " ".join(text.center(width) for text in texts[first : first + board.columns])


def _letters(board: Board, width: int) -> str:
    return " ".join(column_name(column).center(width) for column in range(1, board.columns + 1))


def _square(board: Board, texts: list[str], row_one: str) -> list[str]:
    width, margin = _width(board, texts), len(str(board.rows))
    letters = " " * (margin + 1) + _letters(board, width)
    body = [f"{row:>{margin}} {_cells(board, texts, row, width)} {row}" for row in _rows(board, row_one)]
    return [letters, *body, letters]


def _hex(board: Board, texts: list[str], row_one: str) -> list[str]:
    width, margin = _width(board, texts), len(str(board.rows))
    # With an odd width the pitch is even, so that half a cell is a whole number of characters.
    width += 1 - width % 2
    half = (width + 1) // 2
    lean = [half * (row - 1) for row in _rows(board, row_one)]
    body = [
        f"{' ' * indent}{row:>{margin}} {_cells(board, texts, row, width)}"
        for row, indent in zip(_rows(board, row_one), lean, strict=True)
    ]
    letters = _letters(board, width)
    # The letters follow the lean of the row beside them.
    if row_one == "top":
        return [" " * max(0, margin + 1 - half) + letters, *body]
    return [*body, " " * max(0, margin + 1 - half) + letters]


def _track(board: Board, texts: list[str]) -> str:
    line = " - ".join(text or "." for text in texts)
    return f"{line} - (to the start)" if board.family == "ring" else line


def _map(board: Board, texts: list[str]) -> list[str]:
    neighbours = board.neighbours()
    lines = []
    for space, text in zip(board.spaces, texts, strict=True):
        standing = f" [{text}]" if text else ""
        names = ", ".join(board.spaces[to].name for to in neighbours[space.index])
        lines.append(f"{space.name}{standing}: {names}")
    return lines
