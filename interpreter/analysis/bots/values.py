"""What games are worth to each player, as bots count it.

A game won alone is worth 1, a game lost 0; several winners, and all players of a draw, share the 1. Where there are
scores, the lead (the own points, less the mean of the others' points) counts as well, laid between the smallest and the
largest lead that was met so far: a little beside winning, so that there is something to play for when the game is as
good as won or lost; alone when a game is played by one for points, or when a bot is told to play for points.

A game that was given up at the limit is won by those who lead in points, and without scores a draw. A game for one is
won or not.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import define, field

from interpreter.backends.api import Rollouts
from interpreter.ir.program import Program

__all__ = ["Aim", "Scale", "Worth", "worth_of"]

Aim: TypeAlias = Literal["win", "points"]
"""What a bot plays for."""
Worth: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]
"""Shares of the victory and leads in points, by player; no leads in a game without scores."""

_LITTLE = 0.1
"""How much the lead counts beside winning."""


def worth_of(rollouts: Rollouts, players: int) -> Worth:
    """The mean over some games."""
    shares = [0.0] * players
    for (_, first), count in rollouts.ends.items():
        winners = [player for player in range(players) if first >> player & 1]
        if not winners and players > 1:
            winners = list(range(players))
        for player in winners:
            shares[player] += count / len(winners)
    games = rollouts.games
    if players == 1 or not rollouts.points:
        return tuple(share / games for share in shares), tuple(total / games for total in rollouts.points)
    total = sum(rollouts.points)
    leads = tuple((own - (total - own) / (players - 1)) / games for own in rollouts.points)
    return tuple(share / games for share in shares), leads


@define
class Scale:
    """Makes one number, from 0 to 1, of shares and leads; learns between what leads lie."""

    weight: float
    """How much the lead counts, from 0 to 1."""
    low: float = field(default=float("inf"), init=False)
    high: float = field(default=float("-inf"), init=False)

    @classmethod
    def of(cls, program: Program, aim: Aim) -> Scale:
        """The scale for a game."""
        if not program.score:
            return cls(0.0)
        return cls(1.0 if aim == "points" or len(program.players) == 1 else _LITTLE)

    def learn(self, worth: Worth) -> None:
        """Takes note of the leads of one result."""
        for lead in worth[1]:
            self.low = min(self.low, lead)
            self.high = max(self.high, lead)

    @property
    def middle(self) -> float:
        """A lead between those that were met."""
        return (self.low + self.high) / 2 if self.low <= self.high else 0.0

    def value(self, share: float, lead: float) -> float:
        """One number for a share of victory and a lead, or for their means."""
        if not self.weight:
            return share
        width = self.high - self.low
        place = (lead - self.low) / width if width > 0 else 0.5
        return (1 - self.weight) * share + self.weight * place
