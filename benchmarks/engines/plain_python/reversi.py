"""Reversi as a programmer would write it for a program that plays it: what may be done, do it, who has won."""

from __future__ import annotations

from random import Random

SIZE = 8
WIDTH = SIZE + 2
EMPTY, BLACK, WHITE, EDGE = -1, 0, 1, 2
DIRECTIONS = (1, -1, WIDTH, -WIDTH, WIDTH + 1, WIDTH - 1, 1 - WIDTH, -1 - WIDTH)
SQUARES = [WIDTH * y + x for y in range(1, SIZE + 1) for x in range(1, SIZE + 1)]


class Reversi:
    """A game going on, on a board with an edge around it; it is over when neither player has a move."""

    def __init__(self) -> None:
        self.discs = [EDGE] * (WIDTH * WIDTH)
        for square in SQUARES:
            self.discs[square] = EMPTY
        middle = WIDTH * (SIZE // 2) + SIZE // 2
        self.discs[middle] = self.discs[middle + WIDTH + 1] = WHITE
        self.discs[middle + 1] = self.discs[middle + WIDTH] = BLACK
        self.free = [square for square in SQUARES if self.discs[square] == EMPTY]
        self.player = BLACK

    def moves(self) -> list[int]:
        """The squares where a disc outflanks others."""
        return [square for square in self.free if self.may_take(square)]

    def may_take(self, square: int) -> bool:
        """Does a disc of the player to move outflank any others there?"""
        discs, player = self.discs, self.player
        enemy = 1 - player
        for step in DIRECTIONS:
            at = square + step
            if discs[at] == enemy:
                while discs[at] == enemy:
                    at += step
                if discs[at] == player:
                    return True
        return False

    def play(self, square: int) -> None:
        """The player to move sets a disc and turns all that it outflanks; the turn passes."""
        discs, player = self.discs, self.player
        for step in DIRECTIONS:
            line = []
            at = square + step
            while discs[at] == 1 - player:
                line.append(at)
                at += step
            if discs[at] == player:
                for disc in line:
                    discs[disc] = player
        discs[square] = player
        self.free.remove(square)
        self.player = 1 - player

    def winner(self) -> int:
        """Whose discs are more, -1 if nobody's are."""
        lead = self.discs.count(BLACK) - self.discs.count(WHITE)
        return EMPTY if lead == 0 else BLACK if lead > 0 else WHITE


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of moves, and how many games nobody, the first, the second won."""
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        game, passes = Reversi(), 0
        while passes < 2:
            moves = game.moves()
            if moves:
                game.play(moves[int(random() * len(moves))])
                decisions += 1
                passes = 0
            else:
                game.player = 1 - game.player
                passes += 1
        ends[game.winner() + 1] += 1
    return decisions, ends
