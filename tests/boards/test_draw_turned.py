"""Boards turned before a viewer, and grids in boxes."""

from hypothesis import given
from hypothesis import strategies as st

from interpreter.boards import draw, draw_boxed, hex_grid, path, quarters, ring, square_grid


def test_a_square_grid_is_turned_by_quarters() -> None:
    board = square_grid(3, 2)
    names = [draw(board, lambda index: board.spaces[index].name, up=up).split("\n") for up in range(4)]
    assert names[0] == ["  a  b  c", "2 a2 b2 c2 2", "1 a1 b1 c1 1", "  a  b  c"]
    assert names[1] == ["  2  1", "c c2 c1 c", "b b2 b1 b", "a a2 a1 a", "  2  1"]
    assert names[2] == ["  c  b  a", "1 c1 b1 a1 1", "2 c2 b2 a2 2", "  c  b  a"]
    assert names[3] == ["  1  2", "a a1 a2 a", "b b1 b2 b", "c c1 c2 c", "  1  2"]


def test_other_boards_are_turned_by_halves() -> None:
    assert draw(hex_grid(3, 3), lambda index: str(index), up=2) == "  1 2 1 0\n 2 5 4 3\n3 8 7 6\n c b a"
    assert draw(path(3), str, up=2) == "2 - 1 - 0"


def test_the_direction_on_top_says_how_to_turn() -> None:
    square, hexes, line = square_grid(2, 2), hex_grid(2, 2), path(3)
    assert [quarters(square, at) for at in range(8)] == [0, 0, 1, 0, 2, 0, 3, 0]
    assert [quarters(hexes, at) for at in range(6)] == [0, 0, 2, 2, 0, 0]
    assert [quarters(line, at) for at in range(2)] == [0, 2]
    assert [quarters(ring(3), at) for at in range(2)] == [0, 0]


def test_boxes() -> None:
    boxed = draw_boxed(square_grid(2, 2), lambda at: ("ab", str(at)) if at else (), up=2)
    assert boxed.lines == (
        "   b  a",
        "  ┌──┬──┐",
        "  │ab│  │",
        "1 │1 │  │ 1",
        "  ├──┼──┤",
        "  │ab│ab│",
        "2 │3 │2 │ 2",
        "  └──┴──┘",
        "   b  a",
    )
    assert boxed.places == {1: (2, 3), 0: (2, 6), 3: (5, 3), 2: (5, 6)}


@given(st.integers(1, 9), st.integers(1, 12), st.integers(0, 3))
def test_every_box_is_where_it_is_said_to_be(columns: int, rows: int, up: int) -> None:
    board = square_grid(columns, rows)
    boxed = draw_boxed(board, lambda at: (f"<{at}>", "", board.spaces[at].name), up=up)
    for space in board.spaces:
        line, column = boxed.places[space.index]
        assert boxed.lines[line][column:].startswith(f"<{space.index}>")
        assert boxed.lines[line + 2][column:].startswith(space.name)
    assert all(line == line.rstrip() for line in boxed.lines)
