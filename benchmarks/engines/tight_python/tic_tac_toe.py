"""Three in a row by hand: a list of nine marks and, for each square, the pairs of squares that complete a line."""

from __future__ import annotations

from random import Random

SIZE = 3
EMPTY = -1


def lines() -> list[tuple[int, ...]]:
    """Every row, column and diagonal."""
    side = range(SIZE)
    rows = [tuple(SIZE * y + x for x in side) for y in side]
    columns = [tuple(SIZE * y + x for y in side) for x in side]
    return [*rows, *columns, tuple(SIZE * i + i for i in side), tuple(SIZE * i + SIZE - 1 - i for i in side)]


PAIRS = [[tuple(s for s in line if s != square) for line in lines() if square in line] for square in range(SIZE * SIZE)]
"""For each square, the other two squares of each line through it."""


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of marks set, and how many games nobody, the first, the second won."""
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        marks = [EMPTY] * (SIZE * SIZE)
        free = list(range(SIZE * SIZE))
        player, winner = 0, EMPTY
        while free and winner == EMPTY:
            square = free.pop(int(random() * len(free)))
            marks[square] = player
            for a, b in PAIRS[square]:
                if marks[a] == player == marks[b]:
                    winner = player
                    break
            player = 1 - player
        decisions += SIZE * SIZE - len(free)
        ends[winner + 1] += 1
    return decisions, ends
