"""Dice: drawn from the generator in the state, or given beforehand.

A run asks for chance through its watcher. Whatever the source, every result is recorded with the number of sides, so
that the log, undo, saves and played examples know exactly what fell.

Invariant: a result is kept from 0 as the program uses it, and written from 1 as a player reads it off a die.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from attrs import define, field

from interpreter.backends.api import State, draw
from interpreter.diagnostics import DslError

__all__ = ["ChanceSource", "DiceRanOutError", "Drawn", "Scripted", "ScriptedChanceError"]


class ScriptedChanceError(DslError):
    """Given dice do not fit what the game asks for: one is missing, out of range, or left over."""


class DiceRanOutError(ScriptedChanceError):
    """The game asks for one more result than was given."""


class ChanceSource(Protocol):
    """Where results come from."""

    def roll(self, state: State, sides: int) -> int:
        """One of 0..sides-1."""
        ...


@define
class Drawn:
    """From the generator in the state."""

    def roll(self, state: State, sides: int) -> int:
        return draw(state, sides)


@define
class Scripted:
    """Given results, as read off a die (from 1), in the order in which they are asked for.

    `then` supplies what is asked for after the last; without it a missing result is an error.
    """

    faces: list[int]
    """Results to come and gone."""
    then: ChanceSource | None = None
    """What supplies further results."""
    used: int = field(default=0, init=False)
    """How many have been used."""

    def add(self, faces: Iterable[int]) -> None:
        """Gives more results."""
        self.faces.extend(faces)

    @property
    def left(self) -> tuple[int, ...]:
        """Results not asked for yet."""
        return tuple(self.faces[self.used :])

    def roll(self, state: State, sides: int) -> int:
        if self.used >= len(self.faces):
            if self.then is not None:
                return self.then.roll(state, sides)
            raise DiceRanOutError(
                f"roll {self.used + 1} (of {sides} sides) is asked for, but only {_count(len(self.faces))} given"
            )
        face = self.faces[self.used]
        if not 1 <= face <= sides:
            raise ScriptedChanceError(f"roll {self.used + 1} is {face}, expected 1 to {sides}")
        self.used += 1
        return face - 1


def _count(number: int) -> str:
    return "no result was" if number == 0 else "1 result was" if number == 1 else f"{number} results were"
