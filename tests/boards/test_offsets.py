"""Turns of squares, and tables that speak of two spaces by how far apart they are."""

from hypothesis import given
from hypothesis import strategies as st

from interpreter.boards import Lattice, hex_grid, lattice, offset_table, padded, path, ring, square_grid, turned

SQUARES = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
GRIDS = st.builds(Lattice, st.integers(1, 12), st.integers(1, 12), st.booleans())
"""Of up to 144 spaces: some small enough for a table over pairs, some not."""


@given(SQUARES)
def test_two_eighths_are_a_quarter(square: tuple[int, int]) -> None:
    right, ahead = square
    assert turned(turned(square, 1), 1) == turned(square, 2) == (ahead, -right)
    assert turned(square, 4) == (-right, -ahead)
    assert turned(square, 8) == turned(square, 0) == square


@given(st.integers(0, 6), st.integers(0, 7))
def test_a_turn_maps_a_ring_onto_itself(size: int, eighths: int) -> None:
    middle = range(-size, size + 1)
    ring_ = {(x, y) for x in middle for y in middle if max(abs(x), abs(y)) == size}
    assert {turned(square, eighths) for square in ring_} == ring_


def test_straight_ahead_comes_to_lie_on_the_diagonal() -> None:
    assert turned((0, 3), 1) == (3, 3)
    assert turned((0, 3), 3) == (3, -3)
    assert turned((-1, 1), 1) == (0, 1)


@given(GRIDS, st.lists(st.tuples(SQUARES, st.sampled_from([1, 2, 4, 8])), max_size=12))
def test_a_table_of_bits_says_what_leads_from_one_space_to_another(
    grid: Lattice, offsets: list[tuple[tuple[int, int], int]]
) -> None:
    table = offset_table(grid, offsets, 0)
    spaces = range(grid.columns * grid.rows)
    assert bool(table.keys) == (len(spaces) ** 2 > 4096)
    for first in spaces:
        wanted = dict.fromkeys(spaces, 0)
        for offset, bit in offsets:
            to = grid.at(first, offset)
            if to >= 0:
                wanted[to] |= bit
        for second in spaces:
            at = table.keys[second] - table.keys[first] + table.middle if table.keys else first * len(spaces) + second
            assert table.values[at] == wanted[second]


@given(GRIDS, st.integers(0, 9), st.data())
def test_an_offset_is_one_number_on_a_board_with_a_border(grid: Lattice, reach: int, data: st.DataObject) -> None:
    border = padded(grid, reach)
    east, north = (data.draw(st.integers(-reach, reach)) for _ in range(2))
    for space in range(grid.columns * grid.rows):
        assert border.spaces[border.places[space] + east + north * border.stride] == grid.at(space, (east, north))


def test_which_boards_go_round() -> None:
    assert lattice(ring(5)) == Lattice(5, 1, True)
    assert lattice(path(5)) == Lattice(5, 1, False)
    assert lattice(square_grid(3, 2)) == Lattice(3, 2, False)
    assert lattice(hex_grid(2, 3)) == Lattice(2, 3, False)
