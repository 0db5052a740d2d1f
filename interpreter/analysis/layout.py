"""Places for the nodes of a graph: in layers for what flows, as they lie for boards.

Layers follow the usual four steps. Edges that close a circle (found by depth-first search from the roots) are set
aside; the rest is layered by longest way; nodes within a layer are ordered by the mean place of their neighbours,
swept down and up a few times; and each layer is centred. No node is moved afterwards: small graphs of phases do not
repay more.

Invariant: two nodes never share a place, and the same graph gives the same places.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import networkx

__all__ = ["Places", "in_layers", "on_board"]

Places = dict[str, tuple[float, float]]
"""For each node its place: to the right, and downwards. One unit is one node."""

_SWEEPS = 6


def in_layers(graph: networkx.DiGraph[str]) -> Places:
    """Places in layers from top to bottom; columns and layers from 0."""
    back = _closing_edges(graph)
    forward: networkx.DiGraph[str] = networkx.DiGraph()
    forward.add_nodes_from(graph)
    forward.add_edges_from((start, end) for start, end in graph.edges if start != end and (start, end) not in back)
    depth: dict[str, int] = {}
    for node in networkx.topological_sort(forward):
        depth[node] = max((depth[before] + 1 for before in forward.predecessors(node)), default=0)
    layers: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for node in graph:
        layers[depth[node]].append(node)
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for layer in layers if down else reversed(layers):
            at = {node: place for each in layers for place, node in enumerate(each)}
            near = forward.predecessors if down else forward.successors
            means = {node: _mean(near(node), at, at[node]) for node in layer}
            ranked = sorted((means[node], at[node], node) for node in layer)
            layer[:] = [node for _, _, node in ranked]
    widest = max(map(len, layers), default=0)
    return {
        node: (place + (widest - len(layer)) / 2, float(number))
        for number, layer in enumerate(layers)
        for place, node in enumerate(layer)
    }


def on_board(graph: networkx.DiGraph[str]) -> Places:
    """The places that the nodes name; around a circle when any of them names none."""
    nodes: Mapping[str, Mapping[str, Any]] = graph.nodes
    if all(data.get("x") is not None and data.get("y") is not None for data in nodes.values()):
        top = max((float(data["y"]) for data in nodes.values()), default=0.0)
        left = min((float(data["x"]) for data in nodes.values()), default=0.0)
        return {node: (float(data["x"]) - left, top - float(data["y"])) for node, data in nodes.items()}
    size = max(1.0, len(graph) / 6)
    turn = 2 * math.pi / max(1, len(graph))
    return {
        node: (size + size * math.sin(turn * at), size - size * math.cos(turn * at)) for at, node in enumerate(graph)
    }


def _closing_edges(graph: networkx.DiGraph[str]) -> set[tuple[str, str]]:
    """Edges to a node that is still open in a depth-first search."""
    closing: set[tuple[str, str]] = set()
    done: set[str] = set()
    roots = [node for node in graph if graph.in_degree(node) == 0]
    for root in [*roots, *graph]:
        if root in done:
            continue
        open_: dict[str, None] = {root: None}
        stack = [(root, iter(list(graph.successors(root))))]
        while stack:
            node, following = stack[-1]
            for end in following:
                if end in open_:
                    closing.add((node, end))
                elif end not in done:
                    open_[end] = None
                    stack.append((end, iter(list(graph.successors(end)))))
                    break
            else:
                stack.pop()
                open_.pop(node)
                done.add(node)
    return closing


def _mean(neighbours: Iterable[str], at: Mapping[str, int], alone: int) -> float:
    """The mean place of some nodes; `alone` when there are none."""
    places = [at[node] for node in neighbours]
    return sum(places) / len(places) if places else alone
