"""Breakthrough as a programmer would write it for a program that plays it: what may be done, do it, who has won."""

from __future__ import annotations

from random import Random

SIZE = 8
EMPTY = -1


class Breakthrough:
    """A game going on: `winner` is -1 until somebody has won; the first player goes up."""

    def __init__(self) -> None:
        home = 2 * SIZE
        self.field = [0] * home + [EMPTY] * (SIZE * SIZE - 2 * home) + [1] * home
        self.pawns = [set(range(home)), set(range(SIZE * SIZE - home, SIZE * SIZE))]
        self.player = 0
        self.winner = EMPTY

    def moves(self) -> list[tuple[int, int]]:
        """From where to where: ahead onto an empty square, or diagonally ahead onto an empty or an enemy's."""
        field, player = self.field, self.player
        ahead = SIZE if player == 0 else -SIZE
        moves = []
        for pawn in self.pawns[player]:
            end = pawn + ahead
            if field[end] == EMPTY:
                moves.append((pawn, end))
            column = pawn % SIZE
            if column > 0 and field[end - 1] != player:
                moves.append((pawn, end - 1))
            if column < SIZE - 1 and field[end + 1] != player:
                moves.append((pawn, end + 1))
        return moves

    def play(self, start: int, end: int) -> None:
        """The player to move steps with a pawn and takes what is there; the turn passes unless that wins."""
        mine, theirs = self.pawns[self.player], self.pawns[1 - self.player]
        theirs.discard(end)
        mine.remove(start)
        mine.add(end)
        self.field[start] = EMPTY
        self.field[end] = self.player
        if end < SIZE or end >= SIZE * (SIZE - 1) or not theirs:
            self.winner = self.player
        else:
            self.player = 1 - self.player


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of moves, and how many games nobody, the first, the second won."""
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        game = Breakthrough()
        while game.winner == EMPTY:
            moves = game.moves()
            if not moves:
                game.winner = 1 - game.player
                break
            game.play(*moves[int(random() * len(moves))])
            decisions += 1
        ends[game.winner + 1] += 1
    return decisions, ends
