"""What came of games that were counted: a record of each, and the uses of each counter over all of them.

Everything is a whole number, so that results can be put together in any order and are the same whoever played which
part. Invariant: a game is in the records or among the faults, never in both, and only the former is in the uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from attrs import field, frozen

from interpreter.backends.api import Fault
from interpreter.backends.lookahead import Xorshift
from interpreter.ir.program import RUNNING

__all__ = [
    "GAMES",
    "LONGEST",
    "RECORDED",
    "SUMS",
    "Counted",
    "CountingBackend",
    "FaultyGame",
    "GameRecord",
    "LeadFault",
    "Uses",
    "picks",
]

GAMES = 1_000
"""Games of one call at most."""
LONGEST = 100_000
"""Decisions of one game at most."""
SUMS = 8
"""Numbers of `Uses`."""
RECORDED = 7
"""Numbers of `GameRecord` beside the seed and the scores."""


@frozen(slots=True)
class GameRecord:
    """One game."""

    seed: int
    """What its chance came from."""
    decisions: int
    """Decisions that somebody was asked for."""
    offered: int
    """Options of all of them together."""
    most: int
    """Options of the decision with the most."""
    status: int
    """How it ended; `RUNNING` when the limit of decisions came first, or play ran out without an end."""
    winners: int
    """Who won, as a bit set."""
    changes: int
    """How often somebody else came to be ahead; 0 where that is not known."""
    ahead: int
    """Who was ahead at half of the decisions, as a bit set; 0 for nobody, or where that is not known."""
    scores: tuple[int, ...]
    """Of each player, as the program keeps them (halves doubled); empty in a game without scores or end."""

    @property
    def ended(self) -> bool:
        """Did it end by its rules?"""
        return self.status != RUNNING


@frozen(slots=True)
class Uses:
    """How a counter was used. A *user* is a player in a game in which it counted on their behalf."""

    times: int = 0
    """How often."""
    games: int = 0
    """In how many games."""
    users: int = 0
    """By how many users."""
    ended: int = 0
    """How many users came to the end of their game."""
    wins: int = 0
    """How many of these won."""
    score: int = 0
    """The scores of these together."""
    square_low: int = 0
    """The squares of their scores together, lower 32 bits."""
    square_high: int = 0
    """The same, the other bits."""

    @property
    def squares(self) -> int:
        """The squares of the scores together; a score beyond 31 bits counts as one of 31."""
        return (self.square_high << 32) + self.square_low


@frozen(slots=True)
class FaultyGame:
    """A game that the rules did not get to an end."""

    seed: int
    decisions: int
    """Decisions that were taken; the last of them led to the fault."""
    code: str
    """Of the diagnostic."""
    span: int
    """Number of the span in the program."""


@frozen(slots=True)
class Counted:
    """What came of some games."""

    records: tuple[GameRecord, ...]
    """The games, by seed."""
    faults: tuple[FaultyGame, ...]
    """The games with a fault, by seed."""
    uses: tuple[int, ...] = field(repr=False)
    """The numbers of `Uses` of each counter, one after the other."""
    leads: bool
    """Is it known who was ahead?"""


def picks(seed: int) -> Xorshift:
    """What picks the options of the random game of a seed: the fifth word of `api.seeded`, which nothing else uses."""
    z = seed + 5 * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    x = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    x = (x ^ x >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return Xorshift(x ^ x >> 31 | 1)


class CountingBackend(Protocol):
    """Plays a counting program."""

    def random_games(self, first_seed: int, games: int, limit: int) -> Counted:
        """Plays the games of so many seeds, at most `GAMES`, every option equally likely."""
        ...

    def given_game(self, seed: int, positions: Sequence[int]) -> Counted:
        """Plays the game of a seed, taking the options at these positions; it may end before its end."""
        ...


class LeadFault(Exception):  # noqa: N818 - the scores of a game that is not over may have no value
    """It cannot be asked who is ahead; the fault is one that the rules have no part in."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
