"""How long a bot may think: a number of games, or a time.

With a number of games a bot answers the same question alike on any machine; with a time it cannot.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

from attrs import frozen

__all__ = ["Budget", "read_budget"]

_TIME = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")


@frozen
class Budget:
    """A number of games that are tried out, or seconds; exactly one of them."""

    iterations: int | None = 1_000
    seconds: float | None = None

    def turns(self) -> Iterator[int]:
        """Numbers from 0 on, until the budget is used up; always the first one."""
        if self.seconds is None:
            yield from range(max(1, self.iterations or 1))
            return
        end = time.monotonic() + self.seconds
        turn = 0
        while True:
            yield turn
            turn += 1
            if time.monotonic() >= end:
                return


def read_budget(text: str) -> Budget | None:
    """`1000` is a number of games, `2s` and `500ms` a time; None for anything else."""
    if text.isdecimal() and 0 < int(text) <= 100_000_000:
        return Budget(int(text))
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    seconds = float(found[1]) / (1000 if found[2] == "ms" else 1)
    return Budget(None, seconds) if 0 < seconds <= 3600 else None
