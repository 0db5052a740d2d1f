"""Boards as text."""

from hypothesis import given
from hypothesis import strategies as st

from interpreter.boards import Space, area_map, draw, draw_boxed, hex_grid, open_grid, path, ring, square_grid
from interpreter.boards.plane import index_of


def test_square_grid() -> None:
    board = square_grid(3, 2)
    assert draw(board, lambda index: ".") == "  a b c\n2 . . . 2\n1 . . . 1\n  a b c"
    text = draw(board, lambda index: board.spaces[index].name, row_one="top")
    assert text == "  a  b  c\n1 a1 b1 c1 1\n2 a2 b2 c2 2\n  a  b  c"


def test_hex_grid_leans() -> None:
    board = hex_grid(3, 3)
    assert draw(board, lambda index: ".") == "  3 . . .\n 2 . . .\n1 . . .\n a b c"
    assert draw(board, lambda index: ".", row_one="top") == " a b c\n1 . . .\n 2 . . .\n  3 . . ."


def test_tracks_are_one_line() -> None:
    assert draw(path(3), str) == "0 - 1 - 2"
    assert draw(path(3), lambda index: "x" if index == 1 else "") == ". - x - ."
    assert draw(ring(3), str) == "0 - 1 - 2 - (to the start)"


def test_map_lists_neighbours() -> None:
    board = area_map((Space(0, "Here"), Space(1, "There")))
    assert draw(board, lambda index: "ship" if index else "") == "Here:\nThere [ship]:"


def test_of_an_open_grid_the_part_is_drawn_where_anything_stands() -> None:
    board = open_grid(16, 16)
    taken = {index_of(board, 7, 0): "X", index_of(board, 9, 1): "OO"}
    assert draw(board, lambda index: taken.get(index, "."), around=taken).split("\n") == [
        "   e6 e7 e8 w7 w6",
        "n2 .  .  .  .  .  n2",
        "n1 .  .  .  OO .  n1",
        "n0 .  X  .  .  .  n0",
        "s1 .  .  .  .  .  s1",
        "   e6 e7 e8 w7 w6",
    ]
    assert draw(board, lambda index: ".", row_one="top") == (
        "   w1 e0 e1\ns1 .  .  .  s1\nn0 .  .  .  n0\nn1 .  .  .  n1\n   w1 e0 e1"
    )


def test_a_part_of_an_open_grid_is_turned_and_boxed_like_a_square_grid() -> None:
    board = open_grid(16, 16)
    taken = {index_of(board, -1, 0): "X", index_of(board, 0, 0): "O"}
    assert draw(board, lambda index: taken.get(index, "."), up=2, around=taken).split("\n") == [
        "   e1 e0 w1 w2",
        "s1 .  .  .  .  s1",
        "n0 .  O  X  .  n0",
        "n1 .  .  .  .  n1",
        "   e1 e0 w1 w2",
    ]
    boxed = draw_boxed(board, lambda index: (taken.get(index, ""),), up=1, around=taken)
    assert len(boxed.places) == 12
    assert boxed.lines[0] == "    n1 n0 s1"
    line, column = boxed.places[index_of(board, -1, 0)]
    assert boxed.lines[line][column] == "X"


@given(st.integers(1, 12), st.integers(1, 12), st.sampled_from(["bottom", "top"]), st.booleans())
def test_every_space_is_drawn_once(columns: int, rows: int, row_one: str, hexes: bool) -> None:
    board = hex_grid(columns, rows) if hexes else square_grid(columns, rows)
    text = draw(board, lambda index: f"<{index}>", row_one=row_one)  # type: ignore[arg-type]
    assert all(text.count(f"<{space.index}>") == 1 for space in board.spaces)
    assert all(line == line.rstrip() for line in text.split("\n"))
