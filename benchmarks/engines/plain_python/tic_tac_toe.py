"""Three in a row as a programmer would write it for a program that plays it: what may be done, do it, who has won."""

from __future__ import annotations

from random import Random

SIZE = 3
EMPTY = -1
ROWS = [[SIZE * y + x for x in range(SIZE)] for y in range(SIZE)]
COLUMNS = [[SIZE * y + x for y in range(SIZE)] for x in range(SIZE)]
DIAGONALS = [[SIZE * i + i for i in range(SIZE)], [SIZE * i + SIZE - 1 - i for i in range(SIZE)]]
THROUGH = [
    [line for line in (*ROWS, *COLUMNS, *DIAGONALS) if square in line] for square in range(SIZE * SIZE)
]  # fmt: skip
"""The lines through each square."""


class TicTacToe:
    """A game going on: `moves` are the free squares, none once it is over; `winner` is -1 until somebody has won."""

    def __init__(self) -> None:
        self.marks = [EMPTY] * (SIZE * SIZE)
        self.moves = list(range(SIZE * SIZE))
        self.player = 0
        self.winner = EMPTY

    def play(self, square: int) -> None:
        """The player to move marks a square; the turn passes unless that wins."""
        self.marks[square] = self.player
        self.moves.remove(square)
        if self.has_line(square):
            self.winner = self.player
            self.moves = []
        else:
            self.player = 1 - self.player

    def has_line(self, square: int) -> bool:
        """Does a line through the square belong to the player to move?"""
        marks, player = self.marks, self.player
        for a, b, c in THROUGH[square]:  # noqa: SIM110 - quicker than a generator
            if marks[a] == marks[b] == marks[c] == player:
                return True
        return False


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of moves, and how many games nobody, the first, the second won."""
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        game = TicTacToe()
        while moves := game.moves:
            game.play(moves[int(random() * len(moves))])
            decisions += 1
        ends[game.winner + 1] += 1
    return decisions, ends
