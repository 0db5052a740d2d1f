"""Odds: what may come of something that asks for chance, and how likely each outcome is."""

from interpreter.analysis.odds.asked import NotUnderstoodError, Outcome, outcome_of_value
from interpreter.analysis.odds.chance import DEFAULT_LIMIT, DEFAULT_SAMPLES, Given, odds_of
from interpreter.analysis.odds.distribution import Odds, Share
from interpreter.analysis.odds.question import Answer, Part, Question, answer

__all__ = [
    "DEFAULT_LIMIT",
    "DEFAULT_SAMPLES",
    "Answer",
    "Given",
    "NotUnderstoodError",
    "Odds",
    "Outcome",
    "Part",
    "Question",
    "Share",
    "answer",
    "odds_of",
    "outcome_of_value",
]
