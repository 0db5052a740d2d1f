"""Players that are programs."""

from interpreter.analysis.bots.bot import Bot
from interpreter.analysis.bots.greedy import GreedyBot
from interpreter.analysis.bots.random import RandomBot

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "make_bot"]

BOTS = ("random", "greedy")
"""Names of the bots."""


def make_bot(name: str, seed: int = 0) -> Bot:
    """The bot of a name; ValueError for a name that no bot has."""
    if name == "random":
        return RandomBot(seed)
    if name == "greedy":
        return GreedyBot(seed)
    raise ValueError(f"no bot {name!r}, expected one of {', '.join(BOTS)}")
