"""A graph as an SVG picture, drawn here so that a picture needs no other program.

A flow lies in ranks. Edges from one rank to the next run in the gap between them. Edges that skip a rank go round the
left side and edges that lead back round the right, each on a lane of its own, so that none runs through a node or
along another. Words stand beside their edge on white paper: those of lanes outside of everything drawn before, those
in gaps where nothing else stands yet. A board keeps its own places; links are straight, and the picture is made wider
until the words of every link fit between the boxes.

Invariant: every node and edge is drawn once, no words lie on a node, and no name can break out of its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias
from xml.sax.saxutils import escape

from attrs import define, field, frozen

from interpreter.analysis.graph import Graph
from interpreter.analysis.layout import Places

__all__ = ["FILLS", "PAPER", "to_svg"]

FILLS = {
    "start": "#e8e8e8",
    "end": "#e8e8e8",
    "phase": "#cfe3ff",
    "step": "#e3f0ff",
    "decision": "#ffe9b8",
    "loop": "#f2f2f2",
    "effect": "#e2f5dc",
    "space": "#ffffff",
}
"""The colour of a node by its kind."""
PAPER = "#f7f4ea"
"""The colour of any other node."""

_CHARACTER, _LINE, _GAP_X, _MARGIN = 7.2, 16, 40.0, 24.0
_SMALL_CHARACTER, _SMALL_LINE = 6.2, 13
_GAP_Y, _LANE, _CORNER = 40.0, 16.0, 8.0
_WIDER, _MOST_ROUNDS = 1.15, 12

_PLAIN_LINKS = ("orth", "diag")
"""Links that every grid has, and that can be told by looking."""

_Points: TypeAlias = list[tuple[float, float]]


@frozen
class _Box:
    """A rectangle on the paper."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box, space: float = 0.0) -> bool:
        """Whether two rectangles are nearer to each other than that."""
        return (
            self.left < other.right + space
            and other.left < self.right + space
            and self.top < other.bottom + space
            and other.top < self.bottom + space
        )


@frozen
class _Words:
    """Words beside an edge."""

    label: str
    box: _Box
    anchor: Literal["start", "middle", "end"] = "middle"
    """To which side of the box they keep."""


@define
class _Drawing:
    """What is on the paper so far."""

    boxes: dict[str, _Box] = field(factory=dict)
    """The nodes."""
    lines: list[str] = field(factory=list)
    """Edges, as SVG."""
    words: list[_Words] = field(factory=list)
    """Words beside edges."""

    def is_free(self, box: _Box) -> bool:
        """Whether words may stand there."""
        nodes = any(box.meets(node, 3) for node in self.boxes.values())
        return not nodes and not any(box.meets(other.box, 2) for other in self.words)

    def line(self, path: str, *, arrow: bool = True) -> None:
        marker = ' marker-end="url(#arrow)"' if arrow else ""
        self.lines.append(f'<path d="{path}" fill="none" stroke="#666"{marker}/>')


def to_svg(graph: Graph[str], places: Places) -> str:
    """The graph as a picture; places are in nodes to the right and downwards."""
    is_board = any(data["kind"] == "space" for _, data in graph.nodes(data=True))
    drawing = _board(graph, places) if is_board else _flow(graph, places)
    return _written(graph, drawing)


# ---------------------------------------------------------------------------------------------------- boards


def _board(graph: Graph[str], places: Places) -> _Drawing:
    """Boxes where the board puts them; wider until the words of all links fit."""
    scale = 1.0
    for _ in range(_MOST_ROUNDS):
        drawing, fits = _board_at(graph, places, scale)
        if fits:
            break
        scale *= _WIDER
    return drawing


def _board_at(graph: Graph[str], places: Places, scale: float) -> tuple[_Drawing, bool]:
    wide = max((_width(data["label"]) for _, data in graph.nodes(data=True)), default=60.0)
    tall = max((_height(data["label"]) for _, data in graph.nodes(data=True)), default=30.0)
    pitch_x, pitch_y = (wide + _GAP_X) * scale, (tall + _GAP_Y) * scale
    drawing = _Drawing()
    for node, (x, y) in places.items():
        drawing.boxes[node] = _node_box(graph.nodes[node]["label"], x * pitch_x, y * pitch_y)
    fits = True
    for start, end, data in graph.edges(data=True):
        (x1, y1), (x2, y2) = _centre(drawing.boxes[start]), _centre(drawing.boxes[end])
        if not data.get("both"):
            x1, y1 = _rim(drawing.boxes[start], x2, y2)
            x2, y2 = _rim(drawing.boxes[end], x1, y1)
        drawing.line(f"M {x1:.1f} {y1:.1f} L {x2:.1f} {y2:.1f}", arrow=not data.get("both"))
        if data["label"] and data["label"] not in _PLAIN_LINKS:
            middle = _words_box(data["label"], 0, 0)
            half_x, half_y = (middle.right - middle.left) / 2, (middle.bottom - middle.top) / 2
            for share in (0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74):
                at_x, at_y = x1 + (x2 - x1) * share, y1 + (y2 - y1) * share
                box = _Box(at_x - half_x, at_y - half_y, at_x + half_x, at_y + half_y)
                if drawing.is_free(box):
                    break
            else:
                fits = False
            drawing.words.append(_Words(data["label"], box))
    return drawing, fits


def _centre(box: _Box) -> tuple[float, float]:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def _rim(box: _Box, x: float, y: float) -> tuple[float, float]:
    """Where a line from the middle of a box towards a point leaves the box."""
    at_x, at_y = _centre(box)
    dx, dy = x - at_x, y - at_y
    half_x, half_y = (box.right - box.left) / 2 + 2, (box.bottom - box.top) / 2 + 2
    share = min(half_x / abs(dx) if dx else 1.0, half_y / abs(dy) if dy else 1.0, 1.0)
    return at_x + dx * share, at_y + dy * share


# ---------------------------------------------------------------------------------------------------- flows


@frozen
class _Detour:
    """An edge round a side: from a node through a lane to a node."""

    start: str
    end: str
    label: str
    side: int
    """-1 for the left, 1 for the right."""
    top: float
    bottom: float


def _flow(graph: Graph[str], places: Places) -> _Drawing:
    drawing = _Drawing()
    ranks: dict[int, list[str]] = {}
    for node, (_, y) in places.items():
        ranks.setdefault(round(y), []).append(node)
    rank = {node: number for number, nodes in ranks.items() for node in nodes}
    wide = max((_width(data["label"]) for _, data in graph.nodes(data=True)), default=60.0)
    top = 0.0
    for number in sorted(ranks):
        tall = max(_height(graph.nodes[node]["label"]) for node in ranks[number])
        for node in ranks[number]:
            x = places[node][0] * (wide + _GAP_X)
            drawing.boxes[node] = _node_box(graph.nodes[node]["label"], x, top + tall / 2)
        top += tall + _gap(graph, rank, number)
    detours: list[_Detour] = []
    for start, end, data in graph.edges(data=True):
        if rank[end] == rank[start] + 1:
            _step(drawing, start, end, data["label"])
        else:
            side = -1 if rank[end] > rank[start] else 1
            ends = sorted([_centre(drawing.boxes[start])[1], _centre(drawing.boxes[end])[1]])
            detours.append(_Detour(start, end, data["label"], side, *ends))
    for side in (-1, 1):
        _detours(drawing, [each for each in detours if each.side == side], side, ranks, rank)
    return drawing


def _gap(graph: Graph[str], rank: dict[str, int], number: int) -> float:
    """The way between a rank and the next: enough for the words that stand there, and for lines along it."""
    lines = [
        data["label"].count("\n") + 1
        for start, end, data in graph.edges(data=True)
        if rank[start] == number and rank[end] == number + 1 and data["label"]
    ]
    through = sum(rank[start] == number or rank[end] == number + 1 for start, end in graph.edges)
    return _GAP_Y + max(lines, default=0) * _SMALL_LINE + (4.0 * through if through > 2 else 0.0)


def _step(drawing: _Drawing, start: str, end: str, label: str) -> None:
    """An edge to the next rank."""
    (x1, _), (x2, _) = _centre(drawing.boxes[start]), _centre(drawing.boxes[end])
    y1, y2 = drawing.boxes[start].bottom, drawing.boxes[end].top - 2
    bend = (y2 - y1) / 2
    drawing.line(f"M {x1:.1f} {y1:.1f} C {x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}")
    if not label:
        return
    for beside in (0.0, 1.0, -1.0, 2.0, 3.0, 4.0):
        for share in (0.5, 0.6, 0.4, 0.7, 0.3):
            blend = 3 * share**2 - 2 * share**3  # how far to the side a curve has come at a share of its height
            x, y = x1 + (x2 - x1) * blend, y1 + (y2 - y1) * share
            box = _words_box(label, x + 5, y)
            width = box.right - box.left
            box = _Box(box.left + beside * width, box.top, box.right + beside * width, box.bottom)
            if drawing.is_free(box):
                drawing.words.append(_Words(label, box, "start"))
                return
    drawing.words.append(_Words(label, box, "start"))


def _detours(
    drawing: _Drawing, edges: Sequence[_Detour], side: int, ranks: dict[int, list[str]], rank: dict[str, int]
) -> None:
    """Edges round one side, the shorter ones nearer."""
    everything = [*drawing.boxes.values(), *(words.box for words in drawing.words)]
    edge = max((side * (box.right if side > 0 else box.left) for box in everything), default=0.0) + _LANE
    lanes: list[list[_Detour]] = []
    for each in sorted(edges, key=lambda each: (each.bottom - each.top, each.top, each.start, each.end)):
        lane = next((lane for lane in lanes if all(_is_apart(each, other) for other in lane)), None)
        if lane is None:
            lanes.append(lane := [])
        lane.append(each)
    used: dict[str, int] = {}
    levels: dict[_Detour, tuple[float, float]] = {}
    ways: dict[_Detour, tuple[_Points, _Points]] = {}
    for each in (each for lane in lanes for each in lane):
        y1, leaves = _leaving(drawing, each.start, side, ranks[rank[each.start]], used, down=True)
        y2, arrives = _leaving(drawing, each.end, side, ranks[rank[each.end]], used, down=False)
        levels[each], ways[each] = (y1, y2), (leaves, arrives)
    crossing = [level for pair in levels.values() for level in pair]
    for lane in lanes:
        x = side * edge
        widest = 0.0
        for each in lane:
            (y1, y2), (leaves, arrives) = levels[each], ways[each]
            drawing.line(_round_path([*leaves, (x, y1), (x, y2), *reversed(arrives)]))
            if each.label:
                box = _words_on_lane(each.label, x, side, y1, y2, crossing)
                widest = max(widest, box.right - box.left)
                drawing.words.append(_Words(each.label, box, "start" if side > 0 else "end"))
        edge += _LANE + (widest + 6 if widest else 0.0)


def _words_on_lane(label: str, x: float, side: int, y1: float, y2: float, crossing: Sequence[float]) -> _Box:
    """The room for words outside of a lane, where no line comes across if that can be had."""
    found: list[_Box] = []
    for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
        box = _words_box(label, x + 6, y1 + (y2 - y1) * share)
        width = box.right - box.left
        if side < 0:
            box = _Box(x - 6 - width, box.top, x - 6, box.bottom)
        if not any(box.top - 2 < level < box.bottom + 2 for level in crossing):
            return box
        found.append(box)
    return found[0]


def _is_apart(one: _Detour, other: _Detour) -> bool:
    return one.bottom + 6 < other.top or other.bottom + 6 < one.top


def _leaving(
    drawing: _Drawing, node: str, side: int, row: Sequence[str], used: dict[str, int], *, down: bool
) -> tuple[float, _Points]:
    """How an edge comes from a node to its lane: the height of the lane's end, and the points before it.

    From the outermost node of a rank it goes straight to the side; from another one through the gap below (an edge
    that leaves) or above (one that arrives), since nodes stand beside it.
    """
    box = drawing.boxes[node]
    x, y = _centre(box)
    key = f"{side} {node}"
    used[key] = number = used.get(key, -1) + 1
    rim = box.right if side > 0 else box.left
    if all(other == node or side * (drawing.boxes[other].left - box.left) < 0 for other in row):
        shift = (0.0, 5.0, -5.0, 9.0, -9.0)[number % 5]
        return y + shift, [(rim + (0 if down else side * 2), y + shift)]
    away = 10.0 + 5.0 * (number % 4)
    at = x + side * (8.0 + 5.0 * (number % 4))
    level = box.bottom + away if down else box.top - away
    return level, [(at, box.bottom if down else box.top - 2), (at, level)]


def _round_path(points: Sequence[tuple[float, float]]) -> str:
    """A line through points, its corners rounded."""
    kept = [point for number, point in enumerate(points) if number == 0 or point != points[number - 1]]
    said = [f"M {kept[0][0]:.1f} {kept[0][1]:.1f}"]
    for before, corner, after in zip(kept, kept[1:], kept[2:], strict=False):
        first, second = _towards(corner, before), _towards(corner, after)
        said.append(
            f"L {first[0]:.1f} {first[1]:.1f} Q {corner[0]:.1f} {corner[1]:.1f} {second[0]:.1f} {second[1]:.1f}"
        )
    said.append(f"L {kept[-1][0]:.1f} {kept[-1][1]:.1f}")
    return " ".join(said)


def _towards(corner: tuple[float, float], point: tuple[float, float]) -> tuple[float, float]:
    """A point a little way from a corner towards another."""
    dx, dy = point[0] - corner[0], point[1] - corner[1]
    length = (dx * dx + dy * dy) ** 0.5
    share = min(_CORNER, length / 2) / length if length else 0.0
    return corner[0] + dx * share, corner[1] + dy * share


# ---------------------------------------------------------------------------------------------------- text


def _written(graph: Graph[str], drawing: _Drawing) -> str:
    boxes = [*drawing.boxes.values(), *(words.box for words in drawing.words)]
    reach = [float(number) for line in drawing.lines for number in _horizontal(line)]
    left = min([*(box.left for box in boxes), *reach], default=0.0) - _MARGIN
    right = max([*(box.right for box in boxes), *reach], default=0.0) + _MARGIN
    top = min((box.top for box in boxes), default=0.0) - _MARGIN
    bottom = max((box.bottom for box in boxes), default=0.0) + _MARGIN
    wide, tall = right - left, bottom - top
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{tall:.0f}" '
        f'viewBox="{left:.1f} {top:.1f} {wide:.1f} {tall:.1f}" font-family="sans-serif" font-size="13">',
        f"<title>{escape(str(graph.graph.get('name', '')))}</title>",
        '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M 0 0 L 10 5 L 0 10 z" fill="#666"/></marker></defs>',
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="#fff"/>',
        *drawing.lines,
        *(line for words in drawing.words for line in _words(words)),
        *(line for node, data in graph.nodes(data=True) for line in _node(data, drawing.boxes[node])),
        "</svg>",
    ]) + "\n"  # fmt: skip


def _horizontal(line: str) -> Iterator[str]:
    """The x of every point of a path."""
    numbers = [word for word in line.partition('d="')[2].partition('"')[0].split() if not word.isalpha()]
    yield from numbers[::2]


def _words(words: _Words) -> Iterator[str]:
    """Words beside an edge, on white paper so that no line runs through them."""
    box = words.box
    wide, tall = box.right - box.left, box.bottom - box.top
    yield f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="#fff"/>'
    x = {"start": box.left + 2, "middle": (box.left + box.right) / 2, "end": box.right - 2}[words.anchor]
    look = f'font-size="11" fill="#444" text-anchor="{words.anchor}"'
    for number, line in enumerate(words.label.split("\n")):
        y = box.top + (number + 1) * _SMALL_LINE - 2
        yield f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(line)}</text>'


def _words_box(label: str, left: float, middle: float) -> _Box:
    """The room that words need to the right of a point."""
    wide = max(map(len, label.split("\n"))) * _SMALL_CHARACTER + 4
    tall = (label.count("\n") + 1) * _SMALL_LINE + 2
    return _Box(left, middle - tall / 2, left + wide, middle + tall / 2)


def _node(data: dict[str, str], box: _Box) -> Iterator[str]:
    x, y = _centre(box)
    wide, tall = box.right - box.left, box.bottom - box.top
    fill = FILLS.get(data["kind"], PAPER)
    if data["kind"] == "decision":
        edge = 10
        points = [(-wide / 2, 0), (-wide / 2 + edge, -tall / 2), (wide / 2 - edge, -tall / 2),
                  (wide / 2, 0), (wide / 2 - edge, tall / 2), (-wide / 2 + edge, tall / 2)]  # fmt: skip
        listed = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)
        yield f'<polygon points="{listed}" fill="{fill}" stroke="#333"/>'
    else:
        rounded = 4 if data["kind"] in ("phase", "step", "space") else 14
        yield (
            f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
            f'rx="{rounded}" fill="{fill}" stroke="#333"/>'
        )
    lines = data["label"].split("\n")
    first = y - (len(lines) - 1) * _LINE / 2 + 4.5
    for number, line in enumerate(lines):
        yield f'<text x="{x:.1f}" y="{first + number * _LINE:.1f}" text-anchor="middle">{escape(line)}</text>'


def _node_box(label: str, x: float, y: float) -> _Box:
    wide, tall = _width(label), _height(label)
    return _Box(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)


def _width(label: str) -> float:
    return max(44.0, max(map(len, label.split("\n")), default=0) * _CHARACTER + 24)


def _height(label: str) -> float:
    return (label.count("\n") + 1) * _LINE + 14.0
