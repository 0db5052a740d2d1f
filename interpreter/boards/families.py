"""The families of boards that need no list of spaces: grids, paths and rings.

A grid is numbered row by row from row 1, so the index of a space follows from its column and row, and its name is
the letter of the column and the number of the row: `a1`, `h8`, and after `z` comes `aa`. North is where the row
number grows. A hex grid is a rhombus of hexagons in axial steps: east is one column on, northeast one row on,
northwest one row on and one column back. An open grid has no edges (`plane`).

Invariant: every board made here fulfils the invariant of `model`, and its links of a direction are exactly its
steps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from interpreter.boards.model import MAX_SPACES, AttributeType, Board, Family, Link, Space, Value
from interpreter.boards.plane import DEFAULT_SIZE, LEAST_SIZE, column_label, coordinates, row_label

__all__ = [
    "area_map", "column_name", "column_number", "hex_grid", "open_grid", "path", "ring", "space_name", "square_grid",
]  # fmt: skip

# Clockwise. The first half are the unordered axes, along which lines are counted.
_COMPASS: dict[str, tuple[int, int]] = {
    "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
    "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1),
}  # fmt: skip
_HEX_COMPASS: dict[str, tuple[int, int]] = {
    "northeast": (0, 1), "east": (1, 0), "southeast": (1, -1),
    "southwest": (0, -1), "west": (-1, 0), "northwest": (-1, 1),
}  # fmt: skip

_COLUMN = re.compile(r"[a-z]{1,3}")


def column_name(column: int) -> str:
    """The letters of a column, from 1: `a` to `z`, then `aa`."""
    letters = ""
    while column > 0:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def column_number(letters: str) -> int | None:
    """The column of letters, from 1; None for what is not a column's letters."""
    if not _COLUMN.fullmatch(letters):
        return None
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number


def space_name(column: int, row: int) -> str:
    """The name of a space of a grid, column and row from 1."""
    return f"{column_name(column)}{row}"


def square_grid(columns: int, rows: int, name: str = "board") -> Board:
    """A grid of squares: links `orth` (common side) and `diag` (common corner), eight directions, four edge regions."""
    return _grid("square grid", _COMPASS, columns, rows, name)


def hex_grid(columns: int, rows: int, name: str = "board") -> Board:
    """A rhombus of hexagons: link `orth`, six directions, four edge regions."""
    return _grid("hex grid", _HEX_COMPASS, columns, rows, name)


@lru_cache(maxsize=8)
def open_grid(columns: int = DEFAULT_SIZE, rows: int = DEFAULT_SIZE, name: str = "board") -> Board:
    """A plane without edges (see `plane`): links and directions of a square grid, the region `origin`.

    It is large, never changed, and the same in all configurations of a game, so one that was made is kept.
    """
    if min(columns, rows) < LEAST_SIZE:
        raise ValueError(f"an open grid of {columns} columns and {rows} rows, expected {LEAST_SIZE} or more")
    _check_size(columns * rows, 1)
    places = [(column, row) for row in coordinates(rows) for column in coordinates(columns)]
    spaces = tuple(
        Space(
            index,
            column_label(column) + row_label(row),
            {"column": column, "row": row},
            x=float(column),
            y=float(row),
        )
        for index, (column, row) in enumerate(places)
    )
    every = [(column, row) for row in range(rows) for column in range(columns)]
    step = tuple(
        tuple((row + up) % rows * columns + (column + right) % columns for column, row in every)
        for right, up in _COMPASS.values()
    )
    east, north = coordinates(columns), coordinates(rows)
    return Board(
        name=name,
        family="open grid",
        spaces=spaces,
        links={"orth": _links(step, range(0, 8, 2), len(spaces)), "diag": _links(step, range(1, 8, 2), len(spaces))},
        directions=tuple(_COMPASS),
        opposite=tuple((direction + 4) % 8 for direction in range(8)),
        step=step,
        regions={"origin": (places.index((0, 0)),)},
        attributes={
            "column": AttributeType("number", low=east[0], high=east[-1]),
            "row": AttributeType("number", low=north[0], high=north[-1]),
        },
        columns=columns,
        rows=rows,
    )


def path(length: int, name: str = "board") -> Board:
    """Spaces `p1` to `pn` in a row: link `along`, directions `forward` and `back`."""
    return _track("path", length, name)


def ring(length: int, name: str = "board") -> Board:
    """Spaces `p1` to `pn` in a circle, at least three: link `along`, directions `forward` and `back`."""
    return _track("ring", length, name)


def area_map(spaces: tuple[Space, ...], name: str = "board") -> Board:
    """Any spaces, with no links yet: the caller gives them."""
    _check_size(len(spaces), 1)
    return Board(name=name, family="map", spaces=spaces)


def _check_size(spaces: int, least: int) -> None:
    """Sizes from files are checked where they are read; a wrong one here is our own fault."""
    if not least <= spaces <= MAX_SPACES:
        raise ValueError(f"a board of {spaces} spaces, expected {least} to {MAX_SPACES}")


def _grid(family: Family, compass: Mapping[str, tuple[int, int]], columns: int, rows: int, name: str) -> Board:
    if columns < 1 or rows < 1:
        raise ValueError(f"a grid of {columns} columns and {rows} rows")
    _check_size(columns * rows, 1)
    places = [(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    slant = 0.5 if family == "hex grid" else 0.0
    spaces = tuple(
        Space(index, space_name(column, row), {"column": column, "row": row}, x=column + slant * row, y=float(row))
        for index, (column, row) in enumerate(places)
    )

    def index_at(column: int, row: int) -> int:
        inside = 1 <= column <= columns and 1 <= row <= rows
        return (row - 1) * columns + column - 1 if inside else -1

    step = tuple(tuple(index_at(column + right, row + up) for column, row in places) for right, up in compass.values())
    half = len(compass) // 2
    kinds = {"orth": range(0, 8, 2), "diag": range(1, 8, 2)} if len(compass) == 8 else {"orth": range(6)}
    return Board(
        name=name,
        family=family,
        spaces=spaces,
        links={kind: _links(step, directions, len(spaces)) for kind, directions in kinds.items()},
        directions=tuple(compass),
        opposite=tuple((direction + half) % len(compass) for direction in range(len(compass))),
        step=step,
        regions={
            "north edge": tuple(index_at(column, rows) for column in range(1, columns + 1)),
            "south edge": tuple(index_at(column, 1) for column in range(1, columns + 1)),
            "east edge": tuple(index_at(columns, row) for row in range(1, rows + 1)),
            "west edge": tuple(index_at(1, row) for row in range(1, rows + 1)),
        },
        attributes={
            "column": AttributeType("number", low=1, high=columns),
            "row": AttributeType("number", low=1, high=rows),
        },
        columns=columns,
        rows=rows,
    )


def _track(family: Family, length: int, name: str) -> Board:
    _check_size(length, 3 if family == "ring" else 1)
    spaces = tuple(_step(index, length, family) for index in range(length))
    forward = [index + 1 for index in range(length)]
    back = [index - 1 for index in range(length)]
    forward[-1] = 0 if family == "ring" else -1
    back[0] = length - 1 if family == "ring" else -1
    step = (tuple(forward), tuple(back))
    return Board(
        name=name,
        family=family,
        spaces=spaces,
        links={"along": _links(step, range(2), length)},
        directions=("forward", "back"),
        opposite=(1, 0),
        step=step,
        regions={"first": (0,), "last": (length - 1,)} if family == "path" else {"first": (0,)},
        attributes={"position": AttributeType("number", low=1, high=length)},
    )


def _step(index: int, length: int, family: Family) -> Space:
    attributes: dict[str, Value] = {"position": index + 1}
    if family == "path":
        return Space(index, f"p{index + 1}", attributes, x=float(index + 1), y=1.0)
    # A ring is drawn as a flat loop, out along the lower side and home along the upper one.
    lower = (length + 1) // 2
    x, y = (index + 1, 1) if index < lower else (length - index, 2)
    return Space(index, f"p{index + 1}", attributes, x=float(x), y=float(y))


def _links(step: tuple[tuple[int, ...], ...], directions: range, spaces: int) -> tuple[tuple[Link, ...], ...]:
    return tuple(
        tuple(Link(step[direction][space], direction) for direction in directions if step[direction][space] >= 0)
        for space in range(spaces)
    )
