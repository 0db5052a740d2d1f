"""What a bot is.

Invariant: a bot changes nothing of the session it is asked about, and knows no more of it than the player it plays for.
"""

from __future__ import annotations

from typing import Protocol

from interpreter.runtime.options import Option
from interpreter.runtime.session import Session

__all__ = ["Bot"]


class Bot(Protocol):
    """Decides for a player."""

    def choose(self, session: Session) -> Option:
        """One of the options of the decision that waits."""
        ...
