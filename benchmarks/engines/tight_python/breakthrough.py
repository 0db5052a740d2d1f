"""Breakthrough by hand: a list of squares, a list of the pawns of each side, and where each square leads to."""

from __future__ import annotations

from random import Random

SIZE = 8
SQUARES = SIZE * SIZE
EMPTY = -1


def ahead(player: int, square: int) -> int:
    """The square straight ahead; there is one for every pawn, since the far row ends the game."""
    return square + SIZE if player == 0 else square - SIZE


def aside(player: int, square: int) -> tuple[int, ...]:
    """The one or two squares diagonally ahead."""
    return tuple(ahead(player, square) + step for step in (-1, 1) if 0 <= square % SIZE + step < SIZE)


AHEAD = [[ahead(player, square) for square in range(SQUARES)] for player in (0, 1)]
ASIDE = [[aside(player, square) for square in range(SQUARES)] for player in (0, 1)]
PAWNS = (range(2 * SIZE), range(SQUARES - 2 * SIZE, SQUARES))
"""Where the pawns of each side begin; the first goes up."""


def playout(random: Random) -> tuple[int, int]:
    """One random game: the number of moves, and who won."""
    pick = random.random
    field = [EMPTY] * SQUARES
    pawns = (list(PAWNS[0]), list(PAWNS[1]))
    for player in (0, 1):
        for square in pawns[player]:
            field[square] = player
    player, decisions = 0, 0
    while True:
        mine, straight, diagonal = pawns[player], AHEAD[player], ASIDE[player]
        moves = []
        for start in mine:
            end = straight[start]
            if field[end] == EMPTY:
                moves.append((start, end))
            for end in diagonal[start]:
                if field[end] != player:
                    moves.append((start, end))
        if not moves:
            return decisions, 1 - player
        start, end = moves[int(pick() * len(moves))]
        decisions += 1
        if field[end] != EMPTY:
            pawns[1 - player].remove(end)
        field[start], field[end] = EMPTY, player
        mine[mine.index(start)] = end
        if not SIZE <= end < SQUARES - SIZE or not pawns[1 - player]:
            return decisions, player
        player = 1 - player


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of moves, and how many games nobody, the first, the second won."""
    random = Random(seed)
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        moves, winner = playout(random)
        decisions += moves
        ends[winner + 1] += 1
    return decisions, ends
