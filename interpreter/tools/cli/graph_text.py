"""A graph as DOT or Mermaid text, for those who have a program that draws it.

What is a decision, a phase or an end is told by the shape as well as by the colour. Invariant: every node and edge is
in the text once, and no name, however odd, can break out of its place in it.
"""

from __future__ import annotations

from interpreter.analysis.graph import Graph
from interpreter.tools.cli.graph_svg import FILLS, PAPER

__all__ = ["to_dot", "to_mermaid"]

_DOT_SHAPES = {"decision": "hexagon", "start": "ellipse", "end": "ellipse", "loop": "ellipse", "phase": "folder"}
_MERMAID_SHAPES = {"decision": "{{{}}}", "start": "([{}])", "end": "([{}])", "loop": "({})", "phase": "[[{}]]"}


def to_dot(graph: Graph[str]) -> str:
    """The graph in the language of Graphviz."""
    lines = [f"digraph {_dot(graph.graph.get('name', 'graph'))} {{", "  node [shape=box];"]
    for node, data in graph.nodes(data=True):
        shape = _DOT_SHAPES.get(data["kind"])
        fill = FILLS.get(data["kind"], PAPER)
        style = f', style=filled, fillcolor="{fill}"' + (f", shape={shape}" if shape else "")
        place = f', pos="{data["x"]},{data["y"]}!"' if data.get("x") is not None else ""
        lines.append(f"  {_dot(node)} [label={_dot(data['label'])}{style}{place}];")
    for start, end, data in graph.edges(data=True):
        look = [f"label={_dot(data['label'])}"] if data["label"] else []
        look += ["dir=none"] if data.get("both") else []
        lines.append(f"  {_dot(start)} -> {_dot(end)}" + (f" [{', '.join(look)}]" if look else "") + ";")
    return "\n".join([*lines, "}"]) + "\n"


def to_mermaid(graph: Graph[str]) -> str:
    """The graph as a Mermaid flowchart."""
    names = {node: f"n{number}" for number, node in enumerate(graph)}
    lines = ["flowchart TD"]
    for node, data in graph.nodes(data=True):
        shape = _MERMAID_SHAPES.get(data["kind"], "[{}]")
        lines.append(f"  {names[node]}" + shape.replace("{}", _mermaid(data["label"]), 1))
    for start, end, data in graph.edges(data=True):
        arrow = "---" if data.get("both") else "-->"
        said = f"|{_mermaid(data['label'])}|" if data["label"] else ""
        lines.append(f"  {names[start]} {arrow}{said} {names[end]}")
    return "\n".join(lines) + "\n"


def _dot(text: str) -> str:
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _mermaid(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace('"', "#quot;").replace("<", "&lt;").replace(">", "&gt;")
    return '"' + escaped.replace("\n", "<br/>") + '"'
