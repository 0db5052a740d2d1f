"""Hex by hand: groups of stones as trees whose roots are compared, with the four edges of the board as stones."""

from __future__ import annotations

from random import Random

SIZE = 11
CELLS = SIZE * SIZE
EMPTY = -1
SOUTH, NORTH, WEST, EAST = range(CELLS, CELLS + 4)
EDGES = ((SOUTH, NORTH), (WEST, EAST))
"""The two edges that each player joins."""
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def beside(cell: int) -> list[int]:
    """The cells and edges that touch a cell."""
    y, x = divmod(cell, SIZE)
    around = [(x + dx, y + dy) for dx, dy in STEPS]
    cells = [SIZE * b + a for a, b in around if 0 <= a < SIZE and 0 <= b < SIZE]
    at_edge = ((y == 0, SOUTH), (y == SIZE - 1, NORTH), (x == 0, WEST), (x == SIZE - 1, EAST))
    return cells + [edge for is_there, edge in at_edge if is_there]


BESIDE = [beside(cell) for cell in range(CELLS)]


def root(group: list[int], stone: int) -> int:
    """The stone that stands for a whole group; ways to it are halved as they are walked."""
    while (above := group[stone]) != stone:
        group[stone] = above = group[above]
        stone = above
    return stone


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of stones set, and how many games nobody, the first, the second won."""
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        stones = [EMPTY] * CELLS + [0, 0, 1, 1]
        group = list(range(CELLS + 4))
        free = list(range(CELLS))
        player = 0
        while True:
            cell = free.pop(int(random() * len(free)))
            stones[cell] = player
            for near in BESIDE[cell]:
                if stones[near] == player:
                    group[root(group, near)] = root(group, cell)
            first, second = EDGES[player]
            if root(group, first) == root(group, second):
                break
            player = 1 - player
        decisions += CELLS - len(free)
        ends[player + 1] += 1
    return decisions, ends
