"""Connect four as a programmer would write it for a program that plays it: what may be done, do it, who has won.

Lists, a win check around the last disc, no tricks (no bit boards, no tables worked out beforehand) and no carelessness
either: heights are kept, a full column leaves the list of moves, and nothing is copied while playing.
"""

from __future__ import annotations

from random import Random

COLUMNS, ROWS, IN_A_ROW = 7, 6, 4
EMPTY = -1
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class ConnectFour:
    """A game going on: `moves` are the columns with room, `winner` is -1 until somebody has won."""

    def __init__(self) -> None:
        self.grid = [[EMPTY] * ROWS for _ in range(COLUMNS)]
        self.heights = [0] * COLUMNS
        self.player = 0
        self.winner = EMPTY
        self.moves = list(range(COLUMNS))

    def play(self, column: int) -> None:
        """The player to move drops a disc; the turn passes unless that wins."""
        row = self.heights[column]
        self.grid[column][row] = self.player
        self.heights[column] = row + 1
        if row + 1 == ROWS:
            self.moves.remove(column)
        if self.is_won(column, row):
            self.winner = self.player
            self.moves = []
        else:
            self.player = 1 - self.player

    def is_won(self, column: int, row: int) -> bool:
        """Does the disc there stand in a line that is long enough?"""
        grid, player = self.grid, self.grid[column][row]
        for step_x, step_y in DIRECTIONS:
            length = 1
            for sign in (1, -1):
                x, y = column + sign * step_x, row + sign * step_y
                while 0 <= x < COLUMNS and 0 <= y < ROWS and grid[x][y] == player:
                    length += 1
                    x += sign * step_x
                    y += sign * step_y
            if length >= IN_A_ROW:
                return True
        return False


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of moves, and how many games nobody, the first, the second won."""
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        game = ConnectFour()
        while moves := game.moves:
            game.play(moves[int(random() * len(moves))])
            decisions += 1
        ends[game.winner + 1] += 1
    return decisions, ends
