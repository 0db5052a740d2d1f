"""Bots by name: `random`, `greedy`, `mcts`, with what may follow after colons.

greedy:score          goes by the points right after the option
mcts:5000             tries out 5000 games at every decision
mcts:2s, mcts:500ms   thinks for so long
mcts:2s:points        plays for points, not for winning
"""

from __future__ import annotations

from interpreter.analysis.bots.bot import Bot
from interpreter.analysis.bots.budget import Budget, read_budget
from interpreter.analysis.bots.greedy import GreedyBot
from interpreter.analysis.bots.mcts import MctsBot
from interpreter.analysis.bots.random import RandomBot
from interpreter.analysis.bots.values import Aim

__all__ = ["BOTS", "SPELLINGS", "is_bot", "make_bot"]

BOTS = ("random", "greedy", "mcts")
"""Names of the bots."""
SPELLINGS = ("random", "greedy", "greedy:score", "mcts", "mcts:5000", "mcts:2s", "mcts:2s:points")
"""How bots may be named, for people."""


def make_bot(name: str, seed: int = 0) -> Bot:
    """The bot of a name; ValueError, with what was expected, for a name that no bot has.

    Bots of the same name and another seed choose otherwise where they choose by chance.
    """
    bot = _named(name, seed)
    if bot is None:
        raise ValueError(f"no bot {name!r}, expected one of {', '.join(SPELLINGS)}")
    return bot


def is_bot(name: str) -> bool:
    """Whether there is a bot of that name."""
    return _named(name, 0) is not None


def _named(name: str, seed: int) -> Bot | None:
    kind, *rest = name.split(":")
    if kind == "random" and not rest:
        return RandomBot(seed)
    if kind == "greedy" and rest in ([], ["score"]):
        return GreedyBot(seed, by_score=bool(rest))
    if kind == "mcts":
        aim: Aim = "win"
        if rest[-1:] == ["points"]:
            aim = "points"
            rest.pop()
        budget = Budget() if not rest else read_budget(rest[0])
        if budget is not None and len(rest) <= 1:
            return MctsBot(seed, budget, aim)
    return None
