"""What was decided so far, and how far it may be taken back.

Every step (an option taken) keeps the state before it, so undoing is putting a list back. A barrier is a step that may
not be taken back any more: a die was rolled, something became known to somebody, or another player has decided since.
It stands for good: taking back a later step does not lower it, else players could look at a card and return it.

Invariant: `floor` never falls, and the steps before it stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field, frozen

from interpreter.runtime.options import Option

__all__ = ["History", "Step"]


@frozen
class Step:
    """One option taken."""

    number: int
    """Its number in the game, from 1."""
    player: int
    """Who decided."""
    decision: int
    """Number of the decision in the program."""
    code: int
    """Code of the option."""
    name: str
    """Name of the option."""
    whole: str
    """Name of the whole choice, if this step completed it; else empty."""
    chance: tuple[tuple[int, int], ...]
    """Dice that fell from here to the next decision: sides and result, from 1."""
    gesture: int
    """Steps of one whole choice given at once share a number."""
    turn: tuple[int, int, int]
    """Who decided, whose turn it was, and in which round."""
    last: Option | None = field(repr=False)
    """The option that was taken before this one."""
    before: tuple[int, ...] = field(repr=False)
    """The state in which it was taken."""
    log_length: int = field(repr=False)
    """How long the log was."""


@define
class History:
    """The steps of a game, and the barrier."""

    steps: list[Step] = field(factory=list)
    """All steps that stand."""
    floor: int = 0
    """So many steps cannot be taken back."""
    reason: str = ""
    """Why not."""

    def add(self, step: Step, barrier: str | None) -> None:
        """Appends a step; `barrier` says why it cannot be taken back, if so."""
        if self.steps and self.steps[-1].player != step.player and len(self.steps) > self.floor:
            self.floor, self.reason = len(self.steps), "another player decided"
        self.steps.append(step)
        if barrier is not None:
            self.floor, self.reason = len(self.steps), barrier

    def last_gesture(self) -> int:
        """How many steps remain when the last gesture is taken back, as far as the barrier allows."""
        if not self.steps:
            return 0
        keep = len(self.steps)
        gesture = self.steps[-1].gesture
        while keep > self.floor and self.steps[keep - 1].gesture == gesture:
            keep -= 1
        return keep

    def last_turn(self) -> int:
        """How many steps remain when the last turn is taken back, as far as the barrier allows."""
        if not self.steps:
            return 0
        keep = len(self.steps)
        turn = self.steps[-1].turn
        while keep > self.floor and self.steps[keep - 1].turn == turn:
            keep -= 1
        return keep

    def cut(self, keep: int) -> Step:
        """Takes back all steps but the first `keep`; gives the earliest one taken back."""
        earliest = self.steps[keep]
        del self.steps[keep:]
        return earliest

    def clone(self) -> History:
        """The same history, to go on by itself."""
        return History(list(self.steps), self.floor, self.reason)

    def names(self) -> Sequence[str]:
        """The names of the choices made, whole ones once."""
        return [step.whole or step.name for step in self.steps if step.whole or step is self.steps[-1]]
