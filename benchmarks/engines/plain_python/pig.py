"""Pig as a programmer would write it for a program that plays it: what may be done, do it, who has won."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

GOAL = 100
SIDES = 6
NOBODY = -1
ROLL, HOLD = "roll", "hold"


class Pig:
    """A game going on: `winner` is -1 until somebody has won."""

    def __init__(self, random: Callable[[], float]) -> None:
        self.random = random
        self.banked = [0, 0]
        self.pot = 0
        self.player = 0
        self.winner = NOBODY

    def moves(self) -> list[str]:
        """Rolling, or holding what there is."""
        return [ROLL, HOLD] if self.pot else [ROLL]

    def play(self, move: str) -> None:
        """The player to move rolls or holds."""
        if move == HOLD:
            self.banked[self.player] += self.pot
            if self.banked[self.player] >= GOAL:
                self.winner = self.player
            else:
                self.pass_on()
        else:
            die = 1 + int(self.random() * SIDES)
            if die == 1:
                self.pass_on()
            else:
                self.pot += die

    def pass_on(self) -> None:
        """It is the other player's turn."""
        self.pot = 0
        self.player = 1 - self.player


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of moves, and how many games nobody, the first, the second won."""
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        game = Pig(random)
        while game.winner == NOBODY:
            moves = game.moves()
            game.play(moves[int(random() * len(moves))])
            decisions += 1
        ends[game.winner + 1] += 1
    return decisions, ends
