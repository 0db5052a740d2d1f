"""A bot that chooses any option, each as likely.

It is the yardstick for other bots, and what simulations of a new game begin with. Invariant: the same seed and the same
decisions give the same choices.
"""

from __future__ import annotations

from random import Random

from interpreter.runtime.options import Option
from interpreter.runtime.session import Session

__all__ = ["RandomBot"]


class RandomBot:
    """Chooses any option."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def choose(self, session: Session) -> Option:
        return self._random.choice(session.options)
