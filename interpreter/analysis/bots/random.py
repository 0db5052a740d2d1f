"""A bot that chooses any option, each as likely.

It is the yardstick for other bots, and what simulations of a new game begin with.
"""

from __future__ import annotations

from random import Random

from attrs import frozen

from interpreter.runtime.question import Question

__all__ = ["RandomBot"]


@frozen
class RandomBot:
    """Chooses any option."""

    seed: int = 0

    def choose(self, question: Question) -> int:
        return Random(question.seed ^ self.seed).choice(question.codes)
