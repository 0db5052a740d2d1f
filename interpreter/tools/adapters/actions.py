"""Options as actions: numbers from 0, of which so many are offered at a time.

A program numbers the options of each decision; laid one after another, these codes number everything that can ever be
chosen. Where that is no more than `most` numbers, they are the actions: an action means the same in every state, as
learning by tables needs. A game with more (two cards, a square for each of them, ...) would have masks of millions of
noughts; there an action is a place in the list of options offered now, which has a fixed order.

Options are offered by what their player knows: the checker refuses rules whose options hang on another's secret, so the
mask tells nothing hidden.

Invariant: the options of one state have different actions, and each action offered gives its option back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import define, field

from interpreter.diagnostics import DslError
from interpreter.ir.program import Program
from interpreter.ir.ranges import highest_code

__all__ = ["MOST_ACTIONS", "Actions", "TooManyOptionsError"]

MOST_ACTIONS = 4096
"""Actions beyond which they are places in the list of options."""
_MOST_PLACES = 2048
"""Places of that list, unless more are asked for."""


class TooManyOptionsError(DslError):
    """More options are offered than an environment has actions for."""


@define(eq=False)
class Actions:
    """The actions of one game."""

    program: Program
    most: int | None = None
    """The most actions wished for; None is up to `MOST_ACTIONS` codes, else `_MOST_PLACES` places."""
    count: int = field(default=0, init=False)
    """How many actions there are."""
    meaning: Literal["codes", "places"] = field(default="codes", init=False)
    """What an action is."""
    _first: list[int] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        sizes = [highest_code(self.program, decision) + 1 for decision in self.program.decisions]
        self._first = [sum(sizes[:at]) for at in range(len(sizes))]
        self.count = max(1, sum(sizes))
        if self.count > (MOST_ACTIONS if self.most is None else self.most):
            self.meaning = "places"
            self.count = min(max(sizes), _MOST_PLACES) if self.most is None else self.most

    def of(self, decision: int, codes: Sequence[int]) -> list[int]:
        """The actions of the options of a decision, in the order of the options."""
        if self.meaning == "codes":
            first = self._first[decision] if codes else 0
            return [first + code for code in codes]
        if len(codes) > self.count:
            raise TooManyOptionsError(
                f"{len(codes)} options are offered at once, but there are {self.count} actions: "
                f"make the environment with `most_actions={len(codes)}` or more"
            )
        return list(range(len(codes)))

    def code(self, action: int, decision: int, codes: Sequence[int]) -> int | None:
        """The option that an action means now, or None where it is not offered."""
        if self.meaning == "places":
            return codes[action] if 0 <= action < len(codes) else None
        code = action - self._first[decision]
        return code if code in codes else None
