"""A graph as SVG, DOT or Mermaid text.

The SVG is drawn here, so that a picture needs no other program; the two languages are for those who have one. What is
a decision, a phase or an end is told by the shape as well as by the colour. Invariant: every node and edge is in the
text once, and no name, however odd, can break out of its place in it.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from interpreter.analysis.graph import Graph
from interpreter.analysis.layout import Places

__all__ = ["to_dot", "to_mermaid", "to_svg"]

_FILLS = {
    "start": "#e8e8e8",
    "end": "#e8e8e8",
    "phase": "#cfe3ff",
    "step": "#e3f0ff",
    "decision": "#ffe9b8",
    "loop": "#f2f2f2",
    "effect": "#e2f5dc",
    "space": "#ffffff",
}
_PAPER = "#f7f4ea"
_DOT_SHAPES = {"decision": "hexagon", "start": "ellipse", "end": "ellipse", "loop": "ellipse", "phase": "folder"}
_MERMAID_SHAPES = {"decision": "{{{}}}", "start": "([{}])", "end": "([{}])", "loop": "({})", "phase": "[[{}]]"}
_CHARACTER, _LINE, _GAP_X, _GAP_Y, _MARGIN = 7.2, 16, 40, 64, 24


def to_dot(graph: Graph[str]) -> str:
    """The graph in the language of Graphviz."""
    lines = [f"digraph {_dot(graph.graph.get('name', 'graph'))} {{", "  node [shape=box];"]
    for node, data in graph.nodes(data=True):
        shape = _DOT_SHAPES.get(data["kind"])
        fill = _FILLS.get(data["kind"], _PAPER)
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


def to_svg(graph: Graph[str], places: Places) -> str:
    """The graph as a picture; places are in nodes, columns as wide as the widest label."""
    wide = max((_width(data["label"]) for _, data in graph.nodes(data=True)), default=60.0)
    tall = max((_height(data["label"]) for _, data in graph.nodes(data=True)), default=30.0)
    pitch_x, pitch_y = wide + _GAP_X, tall + _GAP_Y
    centre = {
        node: (_MARGIN + wide / 2 + x * pitch_x, _MARGIN + tall / 2 + y * pitch_y) for node, (x, y) in places.items()
    }
    right = max((x for x, _ in centre.values()), default=0.0) + wide / 2
    body: list[str] = []
    reach = right
    for number, (start, end, data) in enumerate(graph.edges(data=True)):
        path, label_at, extent = _path(centre, start, end, graph, right, number)
        reach = max(reach, extent)
        marker = "" if data.get("both") else ' marker-end="url(#arrow)"'
        body.append(f'<path d="{path}" fill="none" stroke="#666"{marker}/>')
        body += _edge_label(data["label"], label_at)
        reach = max(reach, label_at[0] + _width(data["label"]) if data["label"] else 0)
    for node, data in graph.nodes(data=True):
        body += _node(data, centre[node])
    height = max((y for _, y in centre.values()), default=0.0) + tall / 2 + _MARGIN
    title = escape(str(graph.graph.get("name", "")))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{reach + _MARGIN:.0f}" height="{height:.0f}" '
        'font-family="sans-serif" font-size="13">',
        f"<title>{title}</title>",
        '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M 0 0 L 10 5 L 0 10 z" fill="#666"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#fff"/>',
        *body,
        "</svg>",
    ]) + "\n"  # fmt: skip


def _path(
    centre: Places, start: str, end: str, graph: Graph[str], right: float, number: int
) -> tuple[str, tuple[float, float], float]:
    """The line of an edge, where its words stand, and how far right it reaches."""
    x1, y1 = centre[start]
    x2, y2 = centre[end]
    from_data, to_data = graph.nodes[start], graph.nodes[end]
    if from_data["kind"] == "space":
        return f"M {x1:.1f} {y1:.1f} L {x2:.1f} {y2:.1f}", ((x1 + x2) / 2, (y1 + y2) / 2), max(x1, x2)
    low, top = _height(from_data["label"]) / 2, _height(to_data["label"]) / 2
    if y2 > y1:
        a, b = y1 + low, y2 - top - 2
        bend = (b - a) / 2
        curve = f"M {x1:.1f} {a:.1f} C {x1:.1f} {a + bend:.1f} {x2:.1f} {b - bend:.1f} {x2:.1f} {b:.1f}"
        return curve, (x1 + (x2 - x1) * 0.35, a + (b - a) * 0.4), max(x1, x2)
    # Upwards: round the right side, each at its own distance, so that no two lie on each other.
    side = right + 18 + 10 * (number % 12)
    x1 += _width(from_data["label"]) / 2
    x2 += _width(to_data["label"]) / 2 + 2
    curve = f"M {x1:.1f} {y1:.1f} C {side:.1f} {y1:.1f} {side:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    return curve, ((x1 + 3 * side) / 4, (y1 + y2) / 2), side


def _node(data: dict[str, str], at: tuple[float, float]) -> list[str]:
    x, y = at
    lines = data["label"].split("\n")
    wide, tall = _width(data["label"]), _height(data["label"])
    rounded = 4 if data["kind"] in ("phase", "step", "space") else 14
    fill = _FILLS.get(data["kind"], _PAPER)
    if data["kind"] == "decision":
        edge = 10
        points = [(-wide / 2, 0), (-wide / 2 + edge, -tall / 2), (wide / 2 - edge, -tall / 2),
                  (wide / 2, 0), (wide / 2 - edge, tall / 2), (-wide / 2 + edge, tall / 2)]  # fmt: skip
        listed = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)
        shape = f'<polygon points="{listed}" fill="{fill}" stroke="#333"/>'
    else:
        shape = (
            f'<rect x="{x - wide / 2:.1f}" y="{y - tall / 2:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
            f'rx="{rounded}" fill="{fill}" stroke="#333"/>'
        )
    first = y - (len(lines) - 1) * _LINE / 2 + 4.5
    return [
        shape,
        *(
            f'<text x="{x:.1f}" y="{first + number * _LINE:.1f}" text-anchor="middle">{escape(line)}</text>'
            for number, line in enumerate(lines)
        ),
    ]


def _edge_label(label: str, at: tuple[float, float]) -> list[str]:
    return [
        f'<text x="{at[0] + 4:.1f}" y="{at[1] + number * 13:.1f}" font-size="11" fill="#444">{escape(line)}</text>'
        for number, line in enumerate(label.split("\n") if label else [])
    ]


def _width(label: str) -> float:
    return max(44.0, max(map(len, label.split("\n")), default=0) * _CHARACTER + 24)


def _height(label: str) -> float:
    return (label.count("\n") + 1) * _LINE + 14.0


def _dot(text: str) -> str:
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _mermaid(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace('"', "#quot;").replace("<", "&lt;").replace(">", "&gt;")
    return '"' + escaped.replace("\n", "<br/>") + '"'
