"""Open grids: names around the origin, a ring that has no edge, the part of it that is worth drawing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.boards import Board, board_from_source, open_grid
from interpreter.boards.plane import index_of, nearby, window
from interpreter.diagnostics import Diagnostics
from interpreter.source import from_text

SMALL = open_grid(16, 17)


def read(text: str) -> tuple[Board | None, list[tuple[str, int]]]:
    sink = Diagnostics()
    board = board_from_source(from_text("board.yaml", text), sink)
    return board, [(found.code, found.span.start.line if found.span else 0) for found in sink]


def test_names_count_from_the_origin() -> None:
    board = open_grid()
    (origin,) = board.regions["origin"]
    assert board.spaces[origin].name == "e0n0"
    assert (board.spaces[0].name, board.spaces[-1].name) == ("w31s31", "e32n32")
    at = board.index("w3s2")
    assert at is not None and dict(board.spaces[at].attributes) == {"column": -3, "row": -2}
    assert at == index_of(board, -3, -2) == index_of(board, 61, 62)


def test_there_is_no_edge() -> None:
    assert all(len(set(reached)) == 8 for reached in SMALL.neighbours())
    assert all(len(set(reached)) == 4 for reached in SMALL.neighbours("diag"))
    assert -1 not in SMALL.step_table("northwest")


def test_the_same_board_is_made_once() -> None:
    assert open_grid(16, 20, "field") is open_grid(16, 20, "field")


@pytest.mark.parametrize(("columns", "rows"), [(15, 64), (64, 2), (128, 64)])
def test_wrong_sizes(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        open_grid(columns, rows)


def names(rows: tuple[tuple[int, ...], ...]) -> list[list[str]]:
    return [[SMALL.spaces[space].name for space in row] for row in rows]


def test_the_window_of_nothing_is_the_origin() -> None:
    assert names(window(SMALL, (), 0)) == [["e0n0"]]
    assert names(window(SMALL, (), 1))[0] == ["w1s1", "e0s1", "e1s1"]


def test_the_window_may_lie_across_the_seam() -> None:
    spaces = [index_of(SMALL, 7, 0), index_of(SMALL, 9, 1)]
    assert names(window(SMALL, spaces, 0)) == [["e7n0", "e8n0", "w7n0"], ["e7n1", "e8n1", "w7n1"]]


@given(st.sets(st.integers(0, 16 * 17 - 1), max_size=6), st.integers(0, 9))
def test_a_window_holds_what_is_wanted_once(spaces: set[int], margin: int) -> None:
    rows = window(SMALL, spaces, margin)
    shown = [space for row in rows for space in row]
    assert set(shown) >= spaces
    assert len(set(shown)) == len(shown)
    for row in rows:
        assert all(SMALL.step_table("east")[a] == b for a, b in pairwise(row))
    assert all(SMALL.step_table("north")[a[0]] == b[0] for a, b in pairwise(rows))


def test_spaces_near_the_origin() -> None:
    assert len(nearby(SMALL, 2)) == 25
    assert names((nearby(SMALL, 1)[:3],)) == [["w1s1", "e0s1", "e1s1"]]


# ------------------------------------------------------------------------------------------- from files

FILE = """board: Table
family: open grid
attributes:
  start: 0..6
  holy: flag
everywhere: {start: 0}
spaces:
  w1n0: {start: 1}
  e1n0: {start: 2, holy: true}
regions:
  beginnings: [w1n0, e1n0]
"""


def test_a_file_gives_figures_to_all_spaces_at_once() -> None:
    board, found = read(FILE)
    assert found == []
    assert board is not None and len(board.spaces) == 4096
    marked = {space.name: space.attributes["start"] for space in board.spaces if space.attributes["start"]}
    assert marked == {"w1n0": 1, "e1n0": 2}
    assert [board.spaces[at].name for at in board.regions["beginnings"]] == ["w1n0", "e1n0"]


def test_what_is_said_of_a_row_overrules_what_is_said_of_all() -> None:
    text = "board: X\nfamily: square grid\nsize: {columns: 2, rows: 2}\neverywhere: {depth: 1}\n"
    board, found = read(text + "rows: [{row: 2, depth: 4}]\nspaces: {b2: {depth: 5}}\n")
    assert found == [] and board is not None
    assert [space.attributes["depth"] for space in board.spaces] == [1, 1, 4, 5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("size: {columns: 12, rows: 64}\n", [("D511", 3)]),
        ("size: {columns: 128, rows: 64}\n", [("D512", 3)]),
        ("rows: [{row: 1, depth: 2}]\n", [("D521", 3)]),
        ("links: [{between: [e0n0, e5n0]}]\n", [("D521", 3)]),
        ("link kinds: [road]\n", [("D521", 3)]),
        ("positions: {e0n0: [0, 0]}\n", [("D521", 3)]),
        ("spaces: {a1: {depth: 2}}\n", [("D510", 3)]),
        ("regions: {middle: {rows: 1..2}}\n", [("D505", 3)]),
        ("everywhere: [depth]\n", [("D505", 3)]),
        ("everywhere: {column: 3}\n", [("D523", 3)]),
    ],
)
def test_mistakes_in_files(text: str, expected: list[tuple[str, int]]) -> None:
    _, found = read("board: X\nfamily: open grid\n" + text)
    assert found == expected
