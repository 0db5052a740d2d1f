"""Several sides of one game take turns in short slices, so that a machine that is busy for a while slows all alike.

First each side plays until it is warm and the number of games that fill a slice is known; that is not counted. Then all
play a slice each, again and again, until everybody has had the time that was asked for. What a slice counts is the
processor's time, so the ratios of one run are to be trusted more than the figures of two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, frozen

from interpreter.tools.bench.sides import Missing, PeerFault, Side, Slice

__all__ = ["Rate", "take_turns"]

_SLICE = 0.1
"""Seconds that a side plays before it is the next one's turn, if there are many to come."""
_SLICES = 10
"""How many turns everybody has, unless a single game takes longer."""


_WARM = 4
"""Which part of its time everybody plays beforehand, uncounted: engines that compile while they run need it."""


@frozen
class Rate:
    """How fast a side was."""

    games: int
    decisions: int | None
    """None where the side does not count them."""
    seconds: float
    """Of processor time."""
    unfinished: int

    @property
    def playouts_per_second(self) -> float:
        return self.games / self.seconds

    @property
    def decisions_per_second(self) -> float | None:
        return None if self.decisions is None else self.decisions / self.seconds


def take_turns(sides: Sequence[Side], seconds: float, seed: int) -> tuple[dict[str, Rate], list[Missing]]:
    """How fast each side is, by its name, and those that gave up. A side plays each game from a seed of its own."""
    least, warm = min(_SLICE, seconds / _SLICES), seconds / _WARM
    players = [_Player(side, seed) for side in sides]
    gone: list[Missing] = []
    _each(players, gone, lambda player: player.warm_up(least, warm))
    while any(player.seconds < seconds for player in players):
        _each(players, gone, lambda player: player.play() if player.seconds < seconds else None)
    return {player.side.name: player.rate for player in players}, gone


@define
class _Player:
    """A side while it plays, and what has been counted of it."""

    side: Side
    seed: int
    """Of the next game."""
    portion: int = 1
    """Games of a slice."""
    games: int = 0
    decisions: int | None = 0
    seconds: float = 0.0
    unfinished: int = 0

    def warm_up(self, least: float, warm: float) -> None:
        """Plays until it is warm and the games of a slice take long enough; at most ten times more each time, since the
        first games are the slowest."""
        played = 0.0
        while played < warm or played == 0:
            played += (seconds := self._slice().seconds)
            if seconds < least:
                self.portion *= min(10, max(2, int(least / max(seconds, 1e-9))))

    def play(self) -> None:
        """A slice that counts."""
        told = self._slice()
        self.games += told.games
        self.seconds += told.seconds
        self.unfinished += told.unfinished
        self.decisions = None if told.decisions is None or self.decisions is None else self.decisions + told.decisions

    def _slice(self) -> Slice:
        told = self.side.play(self.seed, self.portion)
        self.seed += self.portion
        return told

    @property
    def rate(self) -> Rate:
        return Rate(self.games, self.decisions, self.seconds, self.unfinished)


def _each(players: list[_Player], gone: list[Missing], play: Callable[[_Player], None]) -> None:
    """Lets all play; who fails is gone, from the list as well."""
    for player in list(players):
        try:
            play(player)
        except PeerFault as fault:
            gone.append(Missing(player.side.name, str(fault)))
            players.remove(player)
