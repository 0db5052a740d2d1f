"""What a bot is: somebody who is asked a question, and answers it.

A question holds what the player who is asked may know and nothing else (`runtime.question`), so a bot cannot cheat: it
never comes near a session or a state of a game. Whatever it wants to try out it plays on copies made from the question.

Invariant: the same bot answers the same question alike, unless it was given a time instead of a number of games.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from interpreter.runtime.options import Option
from interpreter.runtime.question import Question, question_of
from interpreter.runtime.session import Session

__all__ = ["Bot", "ask"]


@runtime_checkable
class Bot(Protocol):
    """Decides for a player."""

    def choose(self, question: Question) -> int:
        """One of the codes that a question offers."""
        ...


def ask(bot: Bot, session: Session) -> Option:
    """The option that a bot chooses in a session, for the player who decides; ValueError when the game is over."""
    code = bot.choose(question_of(session))
    return next(option for option in session.options if option.code == code)
