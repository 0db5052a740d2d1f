"""What a board is once it is read: spaces, links, directions and regions as frozen arrays.

Everything is an index or a table of indexes, since a compiled program bakes the tables in and never meets a name, a
graph library or a YAML node. Names are kept beside, for people. Tables that cost time (distances, lines) are made
when first asked for and kept.

Invariant: `spaces[i].index == i`; every index in a link, step, region or `space` attribute is that of a space, or
-1 in a step table; names of spaces are unique; every direction has an opposite, and where a step leads to a space
its opposite leads back; every space has a value for every attribute, None only where the attribute is optional.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from interpreter.diagnostics import Span

__all__ = ["MAX_SPACES", "AttributeType", "Board", "Family", "Link", "Space", "Value"]

MAX_SPACES = 4096
"""Most spaces on one board."""

Family: TypeAlias = Literal["square grid", "hex grid", "open grid", "path", "ring", "map"]
"""How the spaces of a board are laid out."""

Value: TypeAlias = int | bool | str | None
"""The value of an attribute: a number, a flag, a word, the index of a space, or nothing."""


@frozen
class AttributeType:
    """What values an attribute of spaces or links takes."""

    kind: Literal["number", "flag", "name", "space"]
    """Number within `low..high`, flag, one of `words`, or the index of a space."""
    low: int = 0
    """Lowest number."""
    high: int = 0
    """Highest number."""
    words: tuple[str, ...] = ()
    """The words of a `name` attribute, in the order of the file."""
    optional: bool = False
    """Whether it may be nothing (None). A flag never is: it is `no` where it is not given."""


@frozen
class Space:
    """A place on the board."""

    index: int
    """Its number, from 0."""
    name: str
    """Its name for people."""
    attributes: Mapping[str, Value] = field(factory=dict)
    """Its values, one for each attribute of the board."""
    x: float | None = None
    """Where to draw it, to the right; None where the board does not say."""
    y: float | None = None
    """Where to draw it, upwards (row 1 is lowest)."""


@frozen
class Link:
    """A way from one space to a neighbour; the way back is a link of its own."""

    to: int
    """Index of the neighbour."""
    direction: int = -1
    """Index of its direction, or -1."""
    attributes: Mapping[str, Value] = field(factory=dict)
    """Its values, one for each link attribute of the board; empty for the links that a family makes."""


# Equality is by content; there is no hash, since it holds mappings.
@frozen(unsafe_hash=False)
class Board:
    """A board, ready to be compiled."""

    name: str
    """Its name for people."""
    family: Family
    """How it is laid out."""
    spaces: tuple[Space, ...]
    """Its spaces, by index."""
    links: Mapping[str, tuple[tuple[Link, ...], ...]] = field(factory=dict)
    """For each kind of link, for each space, the links that leave it."""
    directions: tuple[str, ...] = ()
    """Names of its directions, clockwise, so that turning is counting on."""
    opposite: tuple[int, ...] = ()
    """For each direction, the index of the opposite one."""
    step: tuple[tuple[int, ...], ...] = ()
    """For each direction, for each space, the space that one step leads to, or -1."""
    regions: Mapping[str, tuple[int, ...]] = field(factory=dict)
    """Named sets of spaces, indexes rising."""
    attributes: Mapping[str, AttributeType] = field(factory=dict)
    """The attributes of its spaces."""
    link_attributes: Mapping[str, AttributeType] = field(factory=dict)
    """The attributes of its links."""
    columns: int = 0
    """Columns of a grid, else 0."""
    rows: int = 0
    """Rows of a grid, else 0."""
    span: Span | None = None
    """Where it was read; None for a board made by code."""
    reconstructed: tuple[str, ...] = ()
    """What was filled in because the source does not say it."""
    _kept: dict[Any, Any] = field(factory=dict, init=False, eq=False, repr=False)

    @property
    def is_open(self) -> bool:
        """Whether it has no edges: a plane, of which the spaces are as much as is needed at once (`plane`)."""
        return self.family == "open grid"

    def index(self, name: str) -> int | None:
        """The index of the space of that name, or None."""
        if "names" not in self._kept:
            self._kept["names"] = {space.name: space.index for space in self.spaces}
        found: int | None = self._kept["names"].get(name)
        return found

    def direction(self, name: str) -> int | None:
        """The index of the direction of that name, or None."""
        return self.directions.index(name) if name in self.directions else None

    def step_table(self, direction: str | int) -> tuple[int, ...]:
        """For each space, where one step in a direction leads, or -1. KeyError for a direction that is not there."""
        at = self.direction(direction) if isinstance(direction, str) else direction
        if at is None or not 0 <= at < len(self.directions):
            raise KeyError(direction)
        return self.step[at]

    def neighbours(self, kind: str | None = None) -> tuple[tuple[int, ...], ...]:
        """For each space, the spaces that one link of a kind (None: of any kind) leads to, each once, in link order."""
        key = ("neighbours", kind)
        if key not in self._kept:
            kinds = list(self.links) if kind is None else [kind]
            self._kept[key] = tuple(
                tuple(dict.fromkeys(link.to for name in kinds for link in self.links[name][space.index]))
                for space in self.spaces
            )
        table: tuple[tuple[int, ...], ...] = self._kept[key]
        return table

    def distances_from(self, space: int, kind: str | None = None) -> tuple[int, ...]:
        """For each space, the fewest links of a kind (None: of any kind) from a space to it, or -1."""
        key = ("distances", kind, space)
        if key not in self._kept:
            self._kept[key] = _breadth_first(self.neighbours(kind), space)
        found: tuple[int, ...] = self._kept[key]
        return found

    def distance_table(self, kind: str | None = None) -> tuple[tuple[int, ...], ...]:
        """For each space, its `distances_from`: n x n numbers, made on first use."""
        return tuple(self.distances_from(space.index, kind) for space in self.spaces)

    def rays(self, space: int, direction: str | int) -> tuple[int, ...]:
        """The spaces met when walking from a space in a direction to the end of the board; the start is not one."""
        table = self.step_table(direction)
        met: list[int] = []
        at = table[space]
        while at >= 0 and at != space:
            met.append(at)
            at = table[at]
        return tuple(met)

    def lines(self, length: int) -> tuple[tuple[int, ...], ...]:
        """All straight lines of so many spaces, each set of spaces once, in the earlier of its directions."""
        key = ("lines", length)
        if key not in self._kept:
            found: dict[frozenset[int], tuple[int, ...]] = {}
            for direction, back in enumerate(self.opposite):
                if direction <= back:
                    for space in self.spaces:
                        line = self._line(space.index, direction, length)
                        if line:
                            found.setdefault(frozenset(line), line)
            self._kept[key] = tuple(found.values())
        kept: tuple[tuple[int, ...], ...] = self._kept[key]
        return kept

    def _line(self, space: int, direction: int, length: int) -> tuple[int, ...]:
        """The line of so many different spaces from a space on, or nothing where the board ends before."""
        table = self.step[direction]
        line: list[int] = []
        at = space
        while len(line) < length:
            if at < 0 or (line and at == space):
                return ()
            line.append(at)
            at = table[at]
        return tuple(line)


def _breadth_first(neighbours: tuple[tuple[int, ...], ...], start: int) -> tuple[int, ...]:
    distances = [-1] * len(neighbours)
    distances[start] = 0
    waiting = deque((start,))
    while waiting:
        at = waiting.popleft()
        for to in neighbours[at]:
            if distances[to] < 0:
                distances[to] = distances[at] + 1
                waiting.append(to)
    return tuple(distances)
