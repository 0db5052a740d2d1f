r"""One row of a table, cut into cells.

A row is a single token for the grammar, since what a cell holds depends on its column. It is cut at bars; `\|` is a bar
within a cell. A `#` begins a comment unless it stands in a text of its cell.

Invariant: each cell's text is trimmed, and its offsets give that text in the row as written.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

__all__ = ["RowCell", "is_separator", "row_cells", "row_comment"]


class RowCell(NamedTuple):
    """One cell."""

    text: str
    """What it holds, without blanks around it and with its bars no longer escaped."""
    start: int
    """Offset in the row of its first character."""
    end: int
    """Offset in the row after its last character."""


def _cut(row: str) -> tuple[list[int], int]:
    """The offsets of the bars, and of the comment (the length of the row where there is none)."""
    bars: list[int] = []
    in_text = False
    at = 0
    while at < len(row):
        sign = row[at]
        if sign == "\\" and row[at + 1 : at + 2] == "|":
            at += 1
        elif sign == "|":
            bars.append(at)
            in_text = False
        elif sign == '"':
            in_text = not in_text
        elif sign == "#" and not in_text:
            return bars, at
        at += 1
    return bars, len(row)


def row_comment(row: str) -> int | None:
    """The offset of the row's comment, or None."""
    at = _cut(row)[1]
    return at if at < len(row) else None


def row_cells(row: str) -> tuple[list[RowCell], RowCell]:
    """The cells of a row that begins with a bar, and what stands after the last bar and before a comment."""
    bars, end = _cut(row)
    bounds = [*bars, end]
    cells = [_trimmed(row, first + 1, after) for first, after in pairwise(bounds)]
    return cells[:-1], cells[-1]


def _trimmed(row: str, start: int, end: int) -> RowCell:
    text = row[start:end]
    inner = text.strip()
    start += len(text) - len(text.lstrip()) if inner else min(1, len(text))
    return RowCell(inner.replace("\\|", "|"), start, start + len(inner))


def is_separator(cells: Sequence[str]) -> bool:
    """Whether a row of these cells only draws a line between heading and rows."""
    return bool(cells) and all(len(cell) > 1 and not cell.strip("-") for cell in cells)
