"""Counts the steps of generated Python between two decisions, where `backends.work` says that they have to be counted.

Invariant: `left` below 0 is found at the next place where it is asked, and is a fault there.
"""

from __future__ import annotations

from typing import NoReturn

from interpreter.backends.api import DEEPEST, WORK, Fault

__all__ = ["Meter"]

TOO_MUCH = "D707"
"""Fault: more to be worked out than `api.WORK` steps."""
RECURSION = "D704"
"""Fault: functions that call one another deeper than `api.DEEPEST`."""


class Meter:
    """What is left to spend until the next decision, and how deep functions have called themselves."""

    def __init__(self) -> None:
        self.left = WORK
        self.depth = 0

    def begin(self) -> tuple[int, int]:
        """Everything may be spent again; what was left before."""
        before = self.left, self.depth
        self.left, self.depth = WORK, 0
        return before

    def back(self, before: tuple[int, int]) -> None:
        self.left, self.depth = before

    def ask(self, span: int) -> None:
        """Was it too much?"""
        if self.left < 0:
            raise Fault(TOO_MUCH, span)

    def enter(self, span: int) -> None:
        """A function begins that can come to call itself."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.too_deep(span)

    def too_deep(self, span: int) -> NoReturn:
        """A function does not begin, for what it calls may go deeper than is allowed."""
        raise Fault(RECURSION, span)

    def leave(self) -> None:
        self.depth -= 1
