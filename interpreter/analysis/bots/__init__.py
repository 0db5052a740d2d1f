"""Players that are programs."""

from interpreter.analysis.bots.bot import Bot, ask
from interpreter.analysis.bots.budget import Budget
from interpreter.analysis.bots.greedy import GreedyBot
from interpreter.analysis.bots.mcts import MctsBot
from interpreter.analysis.bots.named import BOTS, SPELLINGS, is_bot, make_bot
from interpreter.analysis.bots.random import RandomBot

__all__ = ["BOTS", "SPELLINGS", "Bot", "Budget", "GreedyBot", "MctsBot", "RandomBot", "ask", "is_bot", "make_bot"]
