"""Pictures of graphs: every edge can be seen, no words lie on a node or on each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree

import networkx
import pytest

import interpreter
from interpreter.analysis.graph import flow_graph
from interpreter.analysis.layout import in_layers, on_board
from interpreter.source import shipped_games
from interpreter.tools.cli.graph_svg import _board, _Box, _Drawing, _flow, to_svg
from interpreter.workspace.declared import text_reader

NAMES = [path.stem for path in shipped_games()]


def flow(edges: dict[tuple[str, str], str]) -> networkx.DiGraph[str]:
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for (start, end), label in edges.items():
        for node in (start, end):
            graph.add_node(node, label=node, kind="step")
        graph.add_edge(start, end, label=label)
    return graph


def points(line: str) -> Iterator[tuple[float, float]]:
    """Points of a path, control points too: a curve stays within them."""
    numbers = [float(word) for word in re.findall(r"-?\d+\.\d", line.partition('d="')[2].partition('"')[0])]
    yield from zip(numbers[::2], numbers[1::2], strict=True)


def crosses(line: str, box: _Box) -> bool:
    inner = _Box(box.left + 3, box.top + 3, box.right - 3, box.bottom - 3)
    at = list(points(line))
    for (x1, y1), (x2, y2) in pairwise(at):
        for step in range(51):
            x, y = x1 + (x2 - x1) * step / 50, y1 + (y2 - y1) * step / 50
            if inner.left < x < inner.right and inner.top < y < inner.bottom:
                return True
    return False


def check(drawing: _Drawing) -> None:
    boxes = list(drawing.boxes.values())
    assert not any(one.meets(other) for at, one in enumerate(boxes) for other in boxes[at + 1 :])
    for at, words in enumerate(drawing.words):
        assert not any(words.box.meets(box) for box in boxes), words.label
        assert not any(words.box.meets(other.box) for other in drawing.words[at + 1 :]), words.label


def test_edges_that_skip_a_rank_go_round_the_left_and_those_back_round_the_right() -> None:
    edges = {("a", "b"): "", ("b", "c"): "", ("c", "d"): "", ("a", "c"): "skips one", ("a", "d"): "skips two",
             ("d", "a"): "back", ("c", "b"): "again\nand again", ("b", "b"): "self"}  # fmt: skip
    graph = flow(edges)
    drawing = _flow(graph, in_layers(graph))
    check(drawing)
    assert len(drawing.lines) == len(edges)
    for line in drawing.lines:
        assert not any(crosses(line, box) for box in drawing.boxes.values()), line
    left = min(box.left for box in drawing.boxes.values())
    right = max(box.right for box in drawing.boxes.values())
    by_label = {words.label: words.box for words in drawing.words}
    assert all(by_label[label].right < left for label in ("skips one", "skips two"))
    assert all(by_label[label].left > right for label in ("back", "again\nand again", "self"))


@pytest.mark.parametrize("game", NAMES)
def test_flows_and_boards_of_games(dsl, game: str) -> None:
    for what in ("phases", "deps", "board"):
        done = dsl("graph", game, what)
        if done.code == 0:
            ElementTree.fromstring(done.out)
    assert done.code == 0 or "has no board" in done.err


@pytest.mark.parametrize("game", NAMES)
def test_nothing_runs_through_a_phase_of_a_game(game: str) -> None:
    rules = interpreter.load(game)
    graph = flow_graph(rules.game, text_reader(rules.files).text)
    drawing = _flow(graph, in_layers(graph))
    check(drawing)
    for line in drawing.lines:
        assert not any(crosses(line, box) for box in drawing.boxes.values()), line


def test_links_of_a_map_keep_their_words_clear_of_the_spaces() -> None:
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for at, name in enumerate(("Amber", "Birch", "Clover")):
        graph.add_node(name, label=name, kind="space", x=at, y=at % 2)
    graph.add_edge("Amber", "Birch", label="a road of three days, toll 12", both=True)
    graph.add_edge("Birch", "Clover", label="by sea")
    graph.add_edge("Amber", "Clover", label="over the hills")
    check(_board(graph, on_board(graph)))
    assert to_svg(graph, on_board(graph)).count('fill="#fff"/>') == 4
