"""Reversi by hand: a board with an edge around it, looked along in eight directions from every empty square."""

from __future__ import annotations

from random import Random

SIZE = 8
WIDTH = SIZE + 2
EMPTY, EDGE = -1, -2
BLACK, WHITE = 0, 1
STEPS = (1, -1, WIDTH, -WIDTH, WIDTH + 1, WIDTH - 1, -WIDTH + 1, -WIDTH - 1)
INSIDE = [WIDTH * y + x for y in range(1, SIZE + 1) for x in range(1, SIZE + 1)]
MIDDLE = WIDTH * (SIZE // 2) + SIZE // 2
"""The lower left of the four squares that are taken at the start."""


def beginning() -> list[int]:
    """The board with its first four discs."""
    board = [EDGE] * (WIDTH * WIDTH)
    for square in INSIDE:
        board[square] = EMPTY
    board[MIDDLE] = board[MIDDLE + WIDTH + 1] = WHITE
    board[MIDDLE + 1] = board[MIDDLE + WIDTH] = BLACK
    return board


def may_take(board: list[int], square: int, player: int) -> bool:
    """Does a disc there outflank any others?"""
    enemy = 1 - player
    for step in STEPS:
        at = square + step
        if board[at] == enemy:
            at += step
            while board[at] == enemy:
                at += step
            if board[at] == player:
                return True
    return False


def take(board: list[int], square: int, player: int) -> None:
    """Puts a disc down and turns all that it outflanks."""
    enemy = 1 - player
    for step in STEPS:
        at = square + step
        while board[at] == enemy:
            at += step
        if board[at] == player:
            at -= step
            while at != square:
                board[at] = player
                at -= step
    board[square] = player


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of discs set, and how many games nobody, the first, the second won."""
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        board = beginning()
        free = [square for square in INSIDE if board[square] == EMPTY]
        player, passed = BLACK, False
        while True:
            moves = [square for square in free if may_take(board, square, player)]
            if moves:
                square = moves[int(random() * len(moves))]
                take(board, square, player)
                free.remove(square)
                decisions += 1
            elif passed:
                break
            passed = not moves
            player = 1 - player
        black, white = board.count(BLACK), board.count(WHITE)
        ends[0 if black == white else 1 if black > white else 2] += 1
    return decisions, ends
