"""How spaces of a regular board lie to one another: tables that say something of two spaces by how far apart they are.

On grids, paths and rings what matters between two spaces is often only the way from one to the other. A table over all
pairs of spaces answers at once, but grows with the square of the board; a table over all *offsets* (columns and rows
apart) grows with the board. A board that goes round is met under every offset that leads to the same space.

Invariant: every table given here says of two spaces what was asked for their offset, and its default elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from interpreter.boards.model import Board

__all__ = ["Lattice", "OffsetTable", "Offsets", "Padded", "lattice", "offset_table", "padded"]

MOST_PAIRS = 4096
"""Most pairs of spaces for which a table over pairs is made."""

Offset = tuple[int, int]
"""So many columns to the east and rows to the north."""
Offsets = Iterable[tuple[Offset, int]]
"""What a table holds for each offset."""


@frozen
class Lattice:
    """A board whose spaces lie in columns and rows; a path or ring is one row."""

    columns: int
    rows: int
    goes_round: bool
    """Whether what leaves it on one side comes in on the other."""

    def at(self, space: int, offset: Offset) -> int:
        """The space that lies so far from a space, or -1."""
        row, column = divmod(space, self.columns)
        column, row = column + offset[0], row + offset[1]
        if self.goes_round:
            return row % self.rows * self.columns + column % self.columns
        inside = 0 <= column < self.columns and 0 <= row < self.rows
        return row * self.columns + column if inside else -1


def lattice(board: Board) -> Lattice | None:
    """The columns and rows of a board; None for a map, which has no directions."""
    if not board.directions:
        return None
    goes_round = all(to >= 0 for steps in board.step for to in steps)
    return Lattice(board.columns or len(board.spaces), board.rows or 1, goes_round)


@frozen
class OffsetTable:
    """A table by two spaces: at `first * len(spaces) + second`, or, where `keys` are given, at
    `keys[second] - keys[first] + middle`."""

    values: tuple[int, ...]
    keys: tuple[int, ...] = ()
    middle: int = 0


def offset_table(grid: Lattice, offsets: Offsets, default: int) -> OffsetTable:
    """A table of what is said of offsets; bits of several for one pair of spaces are joined if the default is 0, and
    else the first counts."""
    size = grid.columns * grid.rows
    if size * size <= MOST_PAIRS:
        values = [default] * (size * size)
        for offset, value in offsets:
            for space in range(size):
                to = grid.at(space, offset)
                if to >= 0:
                    _put(values, space * size + to, value, default)
        return OffsetTable(tuple(values))
    stride = 2 * grid.columns - 1
    middle = (grid.rows - 1) * stride + grid.columns - 1
    values = [default] * (stride * (2 * grid.rows - 1))
    for (east, north), value in offsets:
        for column in _alike(east, grid.columns, grid.goes_round):
            for row in _alike(north, grid.rows, grid.goes_round):
                _put(values, row * stride + column + middle, value, default)
    keys = tuple(space // grid.columns * stride + space % grid.columns for space in range(size))
    return OffsetTable(tuple(values), keys, middle)


def _put(values: list[int], at: int, value: int, default: int) -> None:
    if default == 0:
        values[at] |= value
    elif values[at] == default:
        values[at] = value


def _alike(offset: int, size: int, goes_round: bool) -> list[int]:
    """The differences of two columns (or rows) that are so far apart."""
    if not goes_round:
        return [offset] if abs(offset) < size else []
    least = offset % size
    return [least] if least == 0 else [least, least - size]


@frozen
class Padded:
    """A board with a border, so that an offset is one number: `spaces[places[s] + east + north * stride]` is the space
    that lies so far from s, or -1."""

    spaces: tuple[int, ...]
    places: tuple[int, ...]
    stride: int


def padded(grid: Lattice, reach: int) -> Padded:
    """A board with a border of so many columns and rows."""
    stride = grid.columns + 2 * reach
    spaces = tuple(
        grid.at(0, (column - reach, row - reach)) for row in range(grid.rows + 2 * reach) for column in range(stride)
    )
    places = tuple(
        (space // grid.columns + reach) * stride + space % grid.columns + reach
        for space in range(grid.columns * grid.rows)
    )
    return Padded(spaces, places, stride)
