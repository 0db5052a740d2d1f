"""Pig by hand: two totals and the points of the turn."""

from __future__ import annotations

from random import Random

GOAL = 100
SIDES = 6


def playouts(seed: int, games: int) -> tuple[int, list[int]]:
    """Plays so many random games: the number of choices, and how many games nobody, the first, the second won.

    Before the first roll of a turn there is nothing to bank; rolling is the only choice then, and counts as one.
    """
    random = Random(seed).random
    decisions, ends = 0, [0, 0, 0]
    for _ in range(games):
        banked = [0, 0]
        player, pot = 0, 0
        while True:
            decisions += 1
            if pot and random() < 0.5:
                banked[player] += pot
                if banked[player] >= GOAL:
                    break
                player, pot = 1 - player, 0
            else:
                die = 1 + int(random() * SIDES)
                if die == 1:
                    player, pot = 1 - player, 0
                else:
                    pot += die
        ends[player + 1] += 1
    return decisions, ends
