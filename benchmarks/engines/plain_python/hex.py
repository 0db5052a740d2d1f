"""Hex as a programmer would write it for a program that plays it: what may be done, do it, who has won."""

from __future__ import annotations

from random import Random

SIZE = 11
EMPTY = -1
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def beside(cell: int) -> list[int]:
    """The cells that touch a cell."""
    y, x = divmod(cell, SIZE)
    return [SIZE * (y + dy) + x + dx for dx, dy in STEPS if 0 <= x + dx < SIZE and 0 <= y + dy < SIZE]


BESIDE = [beside(cell) for cell in range(SIZE * SIZE)]
SOUTH = frozenset(range(SIZE))
NORTH = frozenset(range(SIZE * (SIZE - 1), SIZE * SIZE))
WEST = frozenset(range(0, SIZE * SIZE, SIZE))
EAST = frozenset(range(SIZE - 1, SIZE * SIZE, SIZE))
EDGES = ((SOUTH, NORTH), (WEST, EAST))
"""The two edges that each player joins."""


class Hex:
    """A game going on: `moves` are the free cells, `winner` is -1 until somebody has won."""

    def __init__(self) -> None:
        self.stones = [EMPTY] * (SIZE * SIZE)
        self.moves = list(range(SIZE * SIZE))
        self.player = 0
        self.winner = EMPTY

    def play(self, cell: int) -> None:
        """The player to move sets a stone; the turn passes unless that wins."""
        self.stones[cell] = self.player
        self.moves.remove(cell)
        if self.joins(cell):
            self.winner = self.player
        else:
            self.player = 1 - self.player

    def joins(self, cell: int) -> bool:
        """Does the group of the stone there reach both edges of its player? Walks over the group."""
        stones, player = self.stones, self.player
        group, waiting = {cell}, [cell]
        while waiting:
            for near in BESIDE[waiting.pop()]:
                if stones[near] == player and near not in group:
                    group.add(near)
                    waiting.append(near)
        return not any(group.isdisjoint(edge) for edge in EDGES[player])


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of moves, and how many games nobody, the first, the second won."""
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        game = Hex()
        while game.winner == EMPTY:
            moves = game.moves
            game.play(moves[int(random() * len(moves))])
            decisions += 1
        ends[game.winner + 1] += 1
    return decisions, ends
