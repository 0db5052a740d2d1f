"""Bots at a seat.

The players themselves are in `interpreter.analysis.bots`. Here one is made anew for every decision, from the seed of
the game, the seat and the number of the step: so the same seed gives the same game, and a game that was saved and
resumed goes on as it would have. Invariant: asking a bot leaves the game as it is.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from interpreter.analysis.bots import make_bot
from interpreter.runtime.options import Option
from interpreter.runtime.session import Session

if TYPE_CHECKING:
    from interpreter.tools.play.seats import Choose

__all__ = ["bot_named"]


def bot_named(name: str) -> Choose:
    """The bot of a name, as a function that chooses."""

    def choose(session: Session) -> Option:
        return make_bot(name, _seed(session)).choose(session)

    return choose


def _seed(session: Session) -> int:
    """A number for the decision that waits."""
    where = f"{session.seed}/{session.player}/{len(session.history.steps)}"
    return int.from_bytes(blake2b(where.encode(), digest_size=8).digest())
