"""Where generated games get their choices from, and how what they write is put together.

A strategy that draws a thousand small things is slow when each of them is a strategy of its own, so all of a game is
drawn by one `Source`: numbers of small ranges, the first choice always the simplest, so that Hypothesis shrinks a
game to its shortest. Text of an expression carries invisible marks around each of its parts; with them the same game
can be written plainly or with brackets that change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from attrs import frozen
from hypothesis import strategies as st

__all__ = [
    "ADD", "AND", "ATOM", "BASE", "COMPARE", "FACTOR", "NOT", "OR", "TAIL", "TERM", "Draw", "E", "Source", "block",
    "made", "plainly", "with_brackets",
]  # fmt: skip

Draw = Callable[[st.SearchStrategy[int]], int]
_T = TypeVar("_T")

TAIL, OR, AND, NOT, COMPARE, BASE, ADD, TERM, FACTOR, ATOM = range(10)
"""How strongly an expression binds, as the reference lists it, from what binds least; a range stands behind `in`."""

_OPEN, _CLOSE = "\ue000", "\ue001"


@cache
def _range(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, high)


@frozen
class Source:
    """Draws what a game is made of."""

    draw: Draw

    def number(self, low: int, high: int) -> int:
        """A number of a range, the lowest the simplest."""
        return low if low >= high else self.draw(_range(low, high))

    def one(self, things: Sequence[_T]) -> _T:
        """One of some things, the first the simplest."""
        return things[self.number(0, len(things) - 1)]

    def chance(self, percent: int) -> bool:
        """Yes in so many of a hundred cases; no is the simplest."""
        return self.number(0, 99) >= 100 - percent

    def some(self, things: Sequence[_T], least: int, most: int) -> list[_T]:
        """Some different ones, in the order in which they stand."""
        wanted = self.number(least, min(most, len(things)))
        left = list(range(len(things)))
        taken = [left.pop(self.number(0, len(left) - 1)) for _ in range(wanted)]
        return [things[index] for index in sorted(taken)]


@frozen
class E:
    """A written expression and how strongly it binds."""

    text: str
    level: int

    def at(self, level: int) -> str:
        """The text where something that binds at least so strongly is wanted."""
        return self.text if self.level >= level else f"({self.text})"


def made(text: str, level: int) -> E:
    """An expression, its ends marked."""
    return E(f"{_OPEN}{text}{_CLOSE}", level)


def plainly(text: str) -> str:
    """The text without its marks."""
    return text.replace(_OPEN, "").replace(_CLOSE, "")


def with_brackets(text: str) -> str:
    """The text with brackets around each part of each expression."""
    return text.replace(_OPEN, "(").replace(_CLOSE, ")")


def block(lines: Sequence[str]) -> list[str]:
    """Lines one step to the right."""
    return [f"    {line}" for line in lines]
