"""A plane of squares without edges, for tiles and cards that are laid side by side on a table.

The spaces are finite all the same: columns and rows are joined in a ring, east of the last column lies the first. A
ring has no edge to run into however far the game drifts, but it has a far side, where what lies in the east would
touch what lies in the west. So nobody may ever get near it: the engine takes care that the pieces leave `GAP` columns
and `GAP` rows free all around, and remembers where. As long as nothing looks so far past them, the ring cannot be told
from a plane.

Names are those of a plane too: `e2n1` is two east and one north of the origin `e0n0`, `w3s2` three west, two south.

Invariant: spaces are numbered row by row from the southwest, as those of a square grid are.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from interpreter.boards.model import Board

__all__ = [
    "DEFAULT_SIZE", "GAP", "LEAST_SIZE", "column_label", "coordinates", "index_of", "nearby", "row_label", "window",
]  # fmt: skip

DEFAULT_SIZE = 64
"""Columns, and rows, where the rules do not say."""

LEAST_SIZE = 16
"""Fewest columns, and rows."""

GAP = 8
"""Columns, and rows, that the pieces leave free around them; nothing may look that far past them."""


def column_label(column: int) -> str:
    """The name of a column, `e2` or `w3`; 0 is that of the origin."""
    return f"e{column}" if column >= 0 else f"w{-column}"


def row_label(row: int) -> str:
    """The name of a row, `n2` or `s3`; 0 is that of the origin."""
    return f"n{row}" if row >= 0 else f"s{-row}"


def coordinates(size: int) -> range:
    """The columns, or rows, of a board that has so many, from the origin."""
    return range(-((size - 1) // 2), size // 2 + 1)


def index_of(board: Board, column: int, row: int) -> int:
    """The space of a column and row counted from the origin, however far."""
    west, south = (board.columns - 1) // 2, (board.rows - 1) // 2
    return (row + south) % board.rows * board.columns + (column + west) % board.columns


def nearby(board: Board, steps: int) -> tuple[int, ...]:
    """The spaces at most so many steps from the origin, row by row."""
    around = range(-steps, steps + 1)
    return tuple(index_of(board, column, row) for row in around for column in around)


def window(board: Board, spaces: Iterable[int], margin: int = 1) -> tuple[tuple[int, ...], ...]:
    """The rows, from the south, of the smallest part of the board that holds some spaces and a margin around them.

    Without any spaces it is the origin with its margin. Columns and rows are cut where most of them are free.
    """
    wanted = set(spaces) or {index_of(board, 0, 0)}
    columns = _part({space % board.columns for space in wanted}, board.columns, margin)
    rows = _part({space // board.columns for space in wanted}, board.rows, margin)
    return tuple(tuple(row * board.columns + column for column in columns) for row in rows)


def _part(taken: set[int], size: int, margin: int) -> tuple[int, ...]:
    """The numbers of a ring from before the first that is taken to behind the last, cut at the widest gap."""
    ordered = sorted(taken)
    gaps = {after: (after - before) % size or size for before, after in pairwise([ordered[-1], *ordered])}
    first, widest = max(gaps.items(), key=lambda gap: gap[1])
    length = min(size - widest + 1 + 2 * margin, size)
    return tuple((first - margin + at) % size for at in range(length))
