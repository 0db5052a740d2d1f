"""A bot that looks as far ahead as its time allows: Monte Carlo tree search.

In games in which everybody sees everything it grows one tree of positions (`tree`), in games with secrets trees of what
each player can tell apart (`information_sets`), in worlds dealt from what its player may know. Very small games with
secrets are played by the mixed strategies of `equilibrium`. A decision with one option is not thought about.

Invariant: with a number of games as its budget, the same question has the same answer.
"""

from __future__ import annotations

from random import Random

from attrs import field, frozen

from interpreter.analysis.bots.budget import Budget
from interpreter.analysis.bots.information_sets import InformationSets
from interpreter.analysis.bots.tree import Tree
from interpreter.analysis.bots.values import Aim, Scale
from interpreter.analysis.bots.workshop import Workshop, workshop_of
from interpreter.runtime.question import Question

__all__ = ["MctsBot"]


@frozen
class MctsBot:
    """Looks ahead by random games, and more where it promises more."""

    seed: int = 0
    budget: Budget = field(factory=Budget)
    aim: Aim = "win"
    """What it plays for where there are scores: to have more than the others, or to have many."""

    def choose(self, question: Question) -> int:
        if len(question.codes) == 1:
            return question.codes[0]
        workshop = workshop_of(question.rules)
        random = Random(question.seed ^ self.seed)
        scale = Scale.of(question.rules.program, self.aim)
        search = self._open if workshop.is_open else self._hidden
        return search(question, workshop, scale, random)

    def _open(self, question: Question, workshop: Workshop, scale: Scale, random: Random) -> int:
        tree = Tree(workshop, scale, random)
        tree.plant(workshop.dealer.deal(question).world(random))
        for _ in self.budget.turns():
            tree.grow()
            if tree.root.proven is not None:
                break
        return tree.best().code

    def _hidden(self, question: Question, workshop: Workshop, scale: Scale, random: Random) -> int:
        known = workshop.equilibrium(self.aim)
        strategy = None if known is None else known.strategy(question)
        if strategy is not None:
            return random.choices(list(strategy), list(strategy.values()))[0]
        sets = InformationSets(workshop, scale, random, workshop.dealer.deal(question), question.codes)
        for _ in self.budget.turns():
            sets.grow()
        return sets.best(question.player)
