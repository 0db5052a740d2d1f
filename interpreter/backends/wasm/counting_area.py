"""Where a module that counts keeps what it counts; all of it is zero at first.

sums       for each counter, over all games, the eight numbers of `counted.Uses`
times      for each counter, how often in the game that is played
players    for each counter, the players on whose behalf in that game, as a bit set
records    for each game of a call, the numbers of `counted.GameRecord` and the score of each player
leads      who was ahead at each decision of the game
given      the options to take, by position, when a game is played again
"""

from __future__ import annotations

from attrs import frozen

from interpreter.backends.counted import GAMES, LONGEST, RECORDED, SUMS


@frozen
class CountingArea:
    """The plan of it: `base` is a multiple of 8."""

    base: int
    counters: int
    players: int

    @property
    def sums(self) -> int:
        return self.base

    @property
    def sums_size(self) -> int:
        return 8 * SUMS * self.counters

    @property
    def times(self) -> int:
        return self.sums + self.sums_size

    @property
    def users(self) -> int:
        """The bit sets of players."""
        return self.times + 4 * self.counters

    @property
    def records(self) -> int:
        return self.users + 4 * self.counters

    @property
    def record_size(self) -> int:
        return 8 * (RECORDED + self.players)

    @property
    def leads(self) -> int:
        return self.records + GAMES * self.record_size

    @property
    def given(self) -> int:
        return self.leads + 4 * (LONGEST + 2)

    @property
    def end(self) -> int:
        return self.given + 4 * (LONGEST + 2)


__all__ = ["CountingArea"]
