"""What came of one game: how fast everybody was, who is missing, and how far the goals are reached."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from interpreter.runtime.rules import OptionValue
from interpreter.tools.bench.peers_file import Goal
from interpreter.tools.bench.sides import Missing, Side
from interpreter.tools.bench.start_up import Started
from interpreter.tools.bench.turns import Rate

__all__ = ["Compared", "Reached"]


@frozen
class Reached:
    """A goal, and how far it is reached."""

    goal: Goal
    ratio: float | None
    """None where one of both did not play."""

    @property
    def is_reached(self) -> bool | None:
        """None where it cannot be said."""
        return None if self.ratio is None else self.ratio > self.goal.above


@frozen
class Compared:
    """One game."""

    rules: str
    """As the caller named it."""
    title: str
    options: Mapping[str, OptionValue]
    """All options with the values in force."""
    state_bytes: int
    """How large a state is, a number of 4 bytes for each slot."""
    backends: Mapping[str, Started]
    """Our backends by name, and how long each took to begin."""
    sides: tuple[Side, ...]
    """All that played, backends first."""
    rates: Mapping[str, Rate]
    """How fast they were, by name."""
    missing: tuple[Missing, ...]
    """Who else would know the game."""
    goals: tuple[Goal, ...]

    @property
    def peers(self) -> tuple[Side, ...]:
        """The other engines that played."""
        return tuple(side for side in self.sides if side.name not in self.backends and side.name in self.rates)

    @property
    def best(self) -> str:
        """The backend that goals and tables speak of: the fastest."""
        return max(self.backends, key=lambda name: self.rates[name].playouts_per_second)

    def ratio(self, name: str, to: str, of: str = "playouts") -> float | None:
        """How many times faster one side is than another; None where one of both did not play or does not count."""
        mine, theirs = self.rates.get(name), self.rates.get(to)
        if mine is None or theirs is None:
            return None
        if of == "playouts":
            return mine.playouts_per_second / theirs.playouts_per_second
        if mine.decisions_per_second is None or not theirs.decisions_per_second:
            return None
        return mine.decisions_per_second / theirs.decisions_per_second

    @property
    def reached(self) -> list[Reached]:
        """The goals; one beside the only backend that played is not measured."""
        return [
            Reached(goal, None if goal.beside == self.best else self.ratio(self.best, goal.beside, goal.of))
            for goal in self.goals
        ]
