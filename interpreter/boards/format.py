"""The keys of a board file, as classes.

What every board has in common is structured by these classes; what the file names itself (attributes, spaces,
regions) stays a YAML node for `load` and `attributes` to read.

Invariant: a field here is a key of the file and the other way round.
"""

from __future__ import annotations

from attrs import frozen

from interpreter.boards.model import Family
from interpreter.source import Number, Text, YamlList, YamlMap

__all__ = ["FAMILY_KEYS", "BoardFile", "Size"]


@frozen
class Size:
    """The size of a grid."""

    columns: Number
    """Number of columns, from 1."""
    rows: Number
    """Number of rows, from 1."""


@frozen
class BoardFile:
    """A board file."""

    board: Text
    """Name of the board."""
    family: Family
    """How the spaces are laid out."""
    size: Size | None = None
    """Grids: columns and rows."""
    length: Number | None = None
    """Paths and rings: number of spaces."""
    reconstructed: tuple[str, ...] = ()
    """Notes on what the source does not say."""
    attributes: YamlMap | None = None
    """Declared attributes of spaces."""
    link_attributes: YamlMap | None = None
    """Declared attributes of links."""
    link_kinds: tuple[Text, ...] = ()
    """Declared kinds of links."""
    everywhere: YamlMap | None = None
    """Attributes of all spaces of which nothing else is said."""
    rows: tuple[YamlMap, ...] = ()
    """Grids: attributes of whole rows."""
    columns: tuple[YamlMap, ...] = ()
    """Grids: attributes of whole columns."""
    spaces: YamlMap | YamlList | None = None
    """Attributes of single spaces; on a map, the spaces themselves."""
    links: tuple[YamlMap, ...] = ()
    """Links beside those of the family."""
    regions: YamlMap | None = None
    """Named sets of spaces."""
    positions: YamlMap | None = None
    """Where to draw spaces: two numbers each."""


_EDGED = ("square grid", "hex grid", "path", "ring", "map")

FAMILY_KEYS: dict[str, tuple[str, ...]] = {
    "size": ("square grid", "hex grid", "open grid"),
    "rows": ("square grid", "hex grid"),
    "columns": ("square grid", "hex grid"),
    "length": ("path", "ring"),
    "links": _EDGED,
    "link kinds": _EDGED,
    "link attributes": _EDGED,
    "positions": _EDGED,
}
"""Keys that belong to some families only."""
