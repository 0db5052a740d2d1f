"""The board as a networkx graph, and what a graph can tell about it.

Graphs are for checking and layout, never for play: what play needs is in the tables of the model. networkx is
imported inside the functions, so that using a board does not cost its import.

Invariant: `validate` only warns, since a board in several parts may be meant; whatever would break a table was
refused while reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from interpreter.boards.model import Board
from interpreter.diagnostics import Diagnostics, Span

if TYPE_CHECKING:
    import networkx

__all__ = ["to_networkx", "validate"]

_MOST_REPORTED = 20


def to_networkx(board: Board) -> networkx.MultiDiGraph[int]:
    """The board as a graph.

    Nodes are space indexes with `name`, `x`, `y` and the attributes. Every link is an edge, its key the kind and the
    direction where it has one, with `kind`, `direction` (a name or None) and the link's attributes.
    """
    import networkx

    graph: networkx.MultiDiGraph[int] = networkx.MultiDiGraph(name=board.name)
    for space in board.spaces:
        graph.add_node(space.index, **{**space.attributes, "name": space.name, "x": space.x, "y": space.y})
    for kind, table in board.links.items():
        for space_index, links in enumerate(table):
            for link in links:
                direction = board.directions[link.direction] if link.direction >= 0 else None
                key = kind if direction is None else f"{kind} {direction}"
                data = {**link.attributes, "kind": kind, "direction": direction}
                graph.add_edge(space_index, link.to, key=key, **data)
    return graph


def validate(board: Board, sink: Diagnostics, places: Mapping[int, Span] | None = None) -> None:
    """Warns of spaces that no way of links, either way round, joins to the largest part of the board (D517).

    `places` gives where a space stands in the file; the board's own place is blamed for the others.
    """
    if board.family != "map" or len(board.spaces) < 2:  # the links of a family leave no space out
        return
    import networkx

    graph = to_networkx(board)
    places = places or {}
    parts = sorted(networkx.weakly_connected_components(graph), key=lambda part: (-len(part), min(part)))
    for index in sorted(index for part in parts[1:] for index in part)[:_MOST_REPORTED]:
        name = board.spaces[index].name
        sink.warning("D517", f"no way of links joins `{name}` to the rest of the board", places.get(index, board.span))
