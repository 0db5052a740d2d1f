"""A module of WebAssembly as it is kept and used: its text, and where in its memory things lie.

Apart from what makes it, so that a module that was kept can be used without any of that.
"""

from __future__ import annotations

from attrs import frozen

__all__ = ["STATE", "STOP", "TOLD", "Module", "SlotForm"]

TOLD = 8
"""Address of two numbers: where the options of the decision that waits begin and end."""
STOP = 16
"""Address of a number that is not 0 when a loop of games has to stop."""
STATE = 64
"""Address of the state."""


@frozen
class SlotForm:
    """Consecutive slots of one form in the state's record. `kind`: words, 0 for 32 bits; `signed`: may be below 0."""

    count: int
    address: int
    kind: int
    signed: bool


@frozen
class Module:
    """A module as text, and what is needed to use it."""

    text: str
    slots: tuple[SlotForm, ...]
    option_kind: int
    before_setup: int
    after_setup: int
    state_size: int
    decision: int  # the address of the decision that waits
    choice: int  # the address of the code chosen
    chance: int  # the address of the four words of chance
    tallies: int
    outcomes: int  # sets of winners told apart in the tallies
    scored: int  # players whose points are counted
    draws: bool  # is there chance at all?
    counters: int = 0
    counting: int = 0  # the address of what a module that counts keeps
