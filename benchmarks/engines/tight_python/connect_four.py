"""Connect four by hand: a grid with an edge around it, so that counting discs in a line needs no test of bounds.

Heights are kept, a full column leaves the list of moves, and nothing is copied while playing.
"""

from __future__ import annotations

from random import Random

COLUMNS, ROWS, IN_A_ROW = 7, 6, 4
EMPTY, EDGE = -1, -2
WIDTH = COLUMNS + 2
STEPS = (1, WIDTH, WIDTH + 1, WIDTH - 1)
"""From a cell to the next one of a row, a column and both diagonals."""
START = [
    EMPTY if 1 <= x <= COLUMNS and 1 <= y <= ROWS else EDGE for y in range(ROWS + 2) for x in range(WIDTH)
]  # fmt: skip
BOTTOM = [WIDTH + x for x in range(1, COLUMNS + 1)]


def is_won(grid: list[int], cell: int) -> bool:
    """Does the disc there stand in a line that is long enough?"""
    player = grid[cell]
    for step in STEPS:
        length = 1
        at = cell + step
        while grid[at] == player:
            length += 1
            at += step
        at = cell - step
        while grid[at] == player:
            length += 1
            at -= step
        if length >= IN_A_ROW:
            return True
    return False


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of discs dropped, and how many games nobody, the first, the second won."""
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        grid = START.copy()
        moves = BOTTOM.copy()  # of each column with room, the cell that a disc falls to
        player, winner = 0, EMPTY
        while moves:
            chosen = int(random() * len(moves))
            cell = moves[chosen]
            grid[cell] = player
            decisions += 1
            if is_won(grid, cell):
                winner = player
                break
            if grid[cell + WIDTH] == EMPTY:
                moves[chosen] = cell + WIDTH
            else:
                del moves[chosen]
            player = 1 - player
        ends[winner + 1] += 1
    return decisions, ends
