"""Boards: spaces, links, directions and regions, read from YAML or made by a family."""

from interpreter.boards.draw import Boxed, draw, draw_boxed, quarters
from interpreter.boards.families import (
    area_map,
    column_name,
    hex_grid,
    open_grid,
    path,
    ring,
    space_name,
    square_grid,
)
from interpreter.boards.load import board_from_source, load_board
from interpreter.boards.model import MAX_SPACES, AttributeType, Board, Family, Link, Space, Value
from interpreter.boards.offsets import Lattice, OffsetTable, Padded, lattice, offset_table, padded
from interpreter.boards.turning import turned
from interpreter.boards.validate import to_networkx, validate

__all__ = [
    "MAX_SPACES",
    "AttributeType",
    "Board",
    "Boxed",
    "Family",
    "Lattice",
    "Link",
    "OffsetTable",
    "Padded",
    "Space",
    "Value",
    "area_map",
    "board_from_source",
    "column_name",
    "draw",
    "draw_boxed",
    "hex_grid",
    "lattice",
    "load_board",
    "offset_table",
    "open_grid",
    "padded",
    "path",
    "quarters",
    "ring",
    "space_name",
    "square_grid",
    "to_networkx",
    "turned",
    "validate",
]
