"""Grids, paths and rings: the tables agree with each other."""

import pickle
from itertools import pairwise
from math import atan2, tau

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.boards import Board, column_name, hex_grid, open_grid, path, ring, space_name, square_grid
from interpreter.boards.families import column_number

SIDE = st.integers(1, 9)
BOARDS = st.one_of(
    st.builds(square_grid, SIDE, SIDE),
    st.builds(hex_grid, SIDE, SIDE),
    st.builds(path, st.integers(1, 30)),
    st.builds(ring, st.integers(3, 30)),
    st.builds(open_grid, st.integers(16, 18), st.integers(16, 18)),
)


@given(BOARDS)
def test_opposite_steps_lead_back(board: Board) -> None:
    for direction, back in enumerate(board.opposite):
        assert board.opposite[back] == direction
        for space, to in enumerate(board.step[direction]):
            assert to == -1 or board.step[back][to] == space


@given(BOARDS)
def test_neighbours_are_symmetric_and_never_the_space_itself(board: Board) -> None:
    for kind in (None, *board.links):
        table = board.neighbours(kind)
        for space, reached in enumerate(table):
            assert space not in reached
            assert len(set(reached)) == len(reached)
            assert all(space in table[to] for to in reached)


@given(BOARDS)
def test_links_with_a_direction_are_the_steps(board: Board) -> None:
    links = {
        (space, link.direction, link.to)
        for table in board.links.values()
        for space, leaving in enumerate(table)
        for link in leaving
    }
    steps = {
        (space, direction, to)
        for direction, table in enumerate(board.step)
        for space, to in enumerate(table)
        if to >= 0
    }
    assert links == steps


@given(BOARDS)
def test_names_are_unique_and_found(board: Board) -> None:
    assert [board.index(space.name) for space in board.spaces] == list(range(len(board.spaces)))
    assert board.index("nowhere") is None


@given(BOARDS)
def test_attributes_are_within_their_types(board: Board) -> None:
    for space in board.spaces:
        for name, kind in board.attributes.items():
            value = space.attributes[name]
            assert isinstance(value, int)
            assert kind.low <= value <= kind.high


@given(SIDE, SIDE)
def test_distances_of_grids_follow_from_coordinates(columns: int, rows: int) -> None:
    square, hexes = square_grid(columns, rows), hex_grid(columns, rows)
    orthogonal, any_way, steps = square.distance_table("orth"), square.distance_table(), hexes.distance_table()
    for a in range(columns * rows):
        for b in range(columns * rows):
            right, up = b % columns - a % columns, b // columns - a // columns
            assert orthogonal[a][b] == abs(right) + abs(up)
            assert any_way[a][b] == max(abs(right), abs(up))
            assert steps[a][b] == max(abs(right), abs(up), abs(right + up))


@given(BOARDS, st.integers(1, 5))
def test_lines_are_straight_and_counted_once(board: Board, length: int) -> None:
    lines = board.lines(length)
    assert len({frozenset(line) for line in lines}) == len(lines)
    for line in lines:
        assert len(set(line)) == length
        ways = [table for table in board.step if all(table[a] == b for a, b in pairwise(line))]
        assert ways


@given(BOARDS)
def test_rays_walk_to_the_end(board: Board) -> None:
    for direction, name in enumerate(board.directions):
        for space in board.spaces:
            ray = board.rays(space.index, name)
            assert space.index not in ray
            last = board.step[direction][ray[-1] if ray else space.index]
            assert last in (-1, space.index)


@pytest.mark.parametrize(
    ("columns", "rows", "length", "count"), [(7, 6, 4, 69), (3, 3, 3, 8), (15, 15, 5, 572), (2, 2, 3, 0), (3, 2, 1, 6)]
)
def test_number_of_lines(columns: int, rows: int, length: int, count: int) -> None:
    assert len(square_grid(columns, rows).lines(length)) == count


def test_directions_of_a_square_grid() -> None:
    board = square_grid(3, 12)
    start = board.index("b2")
    assert start is not None
    reached = {name: board.spaces[board.step_table(name)[start]].name for name in board.directions}
    assert reached == {
        "north": "b3",
        "northeast": "c3",
        "east": "c2",
        "southeast": "c1",
        "south": "b1",
        "southwest": "a1",
        "west": "a2",
        "northwest": "a3",
    }
    assert [len(board.neighbours(kind)[start]) for kind in ("orth", "diag", None)] == [4, 4, 8]
    with pytest.raises(KeyError):
        board.step_table("up")


def test_directions_of_a_hex_grid() -> None:
    board = hex_grid(3, 3)
    start = board.index("b2")
    assert start is not None
    reached = {name: board.spaces[board.step_table(name)[start]].name for name in board.directions}
    assert reached == {
        "east": "c2",
        "northeast": "b3",
        "northwest": "a3",
        "west": "a2",
        "southwest": "b1",
        "southeast": "c1",
    }


def test_edges() -> None:
    board = square_grid(3, 2)
    names = {name: [board.spaces[index].name for index in spaces] for name, spaces in board.regions.items()}
    assert names == {
        "north edge": ["a2", "b2", "c2"],
        "south edge": ["a1", "b1", "c1"],
        "east edge": ["c1", "c2"],
        "west edge": ["a1", "a2"],
    }


@given(st.integers(1, 4096))
def test_column_names_count_back(column: int) -> None:
    assert column_number(column_name(column)) == column


def test_column_names() -> None:
    assert [column_name(column) for column in (1, 26, 27, 52, 53, 702, 703)] == [
        "a",
        "z",
        "aa",
        "az",
        "ba",
        "zz",
        "aaa",
    ]
    assert space_name(28, 3) == "ab3"
    assert column_number("A") is None


def test_sizes_out_of_range_are_our_own_fault() -> None:
    for make in (lambda: square_grid(0, 3), lambda: hex_grid(65, 64), lambda: ring(2), lambda: path(0)):
        with pytest.raises(ValueError):
            make()


def test_boards_compare_by_content_and_can_be_sent_on() -> None:
    board = square_grid(3, 3)
    board.distance_table()
    assert board == square_grid(3, 3)
    assert pickle.loads(pickle.dumps(board)) == board


@given(st.one_of(st.builds(square_grid, SIDE, SIDE), st.builds(hex_grid, SIDE, SIDE)))
def test_directions_of_grids_go_clockwise(board: Board) -> None:
    """By the angle of a step as it is drawn, from the first direction on."""
    angles = []
    for steps in board.step:
        moved = [(board.spaces[space], board.spaces[to]) for space, to in enumerate(steps) if to >= 0]
        angles += [atan2(float(b.x or 0) - float(a.x or 0), float(b.y or 0) - float(a.y or 0)) for a, b in moved[:1]]
    around = [angle % tau for angle in angles]
    assert around == sorted(around)


@given(BOARDS)
def test_the_opposite_direction_is_half_way_round(board: Board) -> None:
    size = len(board.directions)
    assert board.opposite == tuple((direction + size // 2) % size for direction in range(size))
