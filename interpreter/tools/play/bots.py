"""Bots at a seat.

The players themselves are in `interpreter.analysis.bots`. A bot's chance comes from the seed of the game, the seat and
the number of the step: so the same seed gives the same game, and a game that was saved and resumed goes on as it would
have, unless a bot was given a time to think. Invariant: asking a bot leaves the game as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.analysis.bots import ask, make_bot
from interpreter.runtime.options import Option
from interpreter.runtime.session import Session

if TYPE_CHECKING:
    from interpreter.tools.play.seats import Choose

__all__ = ["bot_named", "looks_ahead"]


def bot_named(name: str) -> Choose:
    """The bot of a name, as a function that chooses."""
    bot = make_bot(name)

    def choose(session: Session) -> Option:
        return ask(bot, session)

    return choose


def looks_ahead(name: str) -> bool:
    """Whether a bot is one that may take its time."""
    return name.partition(":")[0] == "mcts"
