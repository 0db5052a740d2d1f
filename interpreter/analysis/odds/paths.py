"""What is done before something is asked: choices and effects, and how likely each state is after them.

Ways that chance can fall lead to the same states again and again: after three rolls of a die that are added up there
are 16 sums, not 216 sequences. Since nothing of a game lives outside of its state, states that are equal have an equal
future; their probabilities are added up after each step, and each is followed once. So the number of runs grows with
the number of states, not with the number of ways.

Invariant: the weights after a step add up to those before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Protocol

from attrs import define, frozen

from interpreter.analysis.odds.alike import alike_roll, multisets, roll_of
from interpreter.analysis.odds.chance import Budget, Given, ways
from interpreter.backends.api import Fault
from interpreter.diagnostics import IllegalChoice, InternalError
from interpreter.ir.program import RUNNING, STATUS
from interpreter.runtime import Rules, Session
from interpreter.runtime.options import Option
from interpreter.runtime.snippets import run_block
from interpreter.semantics.model import Block

__all__ = ["Begin", "Carry", "Chosen", "Situation", "Step", "Weights", "after", "session_of"]


@frozen
class Situation:
    """Where a game stands."""

    state: tuple[int, ...]
    last: Option | None = None
    """The option that was taken last, by which picks are called."""


Weights = Mapping[Situation, Fraction]


class Step(Protocol):
    """Something that is done."""

    def ways(self, rules: Rules, start: Situation, budget: Budget) -> Iterator[tuple[Situation, Fraction]]:
        """Every way that it can come out, with its probability; `TooManyWaysError` beyond the budget."""
        ...

    def once(self, rules: Rules, start: Situation, random: Random) -> Situation:
        """One way that it can come out."""
        ...


def session_of(rules: Rules, situation: Situation) -> Session:
    """A session that stands there."""
    session = Session(rules, list(situation.state), quiet=True)
    return session if situation.last is None else session.with_state(session.state, last=situation.last)


def after(rules: Rules, step: Step, weights: Weights, budget: Budget) -> dict[Situation, Fraction]:
    """How likely each situation is after a step."""
    found: dict[Situation, Fraction] = {}
    for situation, weight in weights.items():
        for end, share in step.ways(rules, situation, budget):
            found[end] = found.get(end, Fraction(0)) + weight * share
    return found


@define
class _Running:
    """A step that is one run of the engine from a situation."""

    def ways(self, rules: Rules, start: Situation, budget: Budget) -> Iterator[tuple[Situation, Fraction]]:
        """See `Step`."""
        yield from ways(lambda given: self._run(rules, start, given), budget)

    def once(self, rules: Rules, start: Situation, random: Random) -> Situation:
        """See `Step`."""
        return self._run(rules, start, Given(random=random))

    def _run(self, rules: Rules, start: Situation, given: Given) -> Situation:
        raise NotImplementedError


@define
class Begin(_Running):
    """The set-up, and play up to the first decision."""

    def _run(self, rules: Rules, start: Situation, given: Given) -> Situation:
        state = list(start.state)
        try:
            rules.backend.run(state, given)
        except Fault as fault:
            raise session_of(rules, start).fault(fault) from None
        return Situation(tuple(state))


@define
class Chosen(_Running):
    """An option, or a whole choice, is taken."""

    name: str
    _at: Situation | None = None
    _codes: tuple[int, ...] = ()
    _last: Option | None = None

    def _run(self, rules: Rules, start: Situation, given: Given) -> Situation:
        if self._at != start:
            session = session_of(rules, start)
            if start.state[STATUS] != RUNNING:
                raise IllegalChoice(f"`{self.name}` cannot be chosen: the game is over")
            choice = session.find(self.name)
            self._at, self._codes, self._last = start, choice.codes, choice.options[-1]
        state = list(start.state)
        try:
            for code in self._codes:
                rules.backend.apply(state, code, given)
        except Fault as fault:
            raise session_of(rules, start).fault(fault, self.name) from None
        return Situation(tuple(state), self._last)


@define
class Carry(_Running):
    """Effects are carried out, in which nobody decides anything."""

    block: Block
    alike: bool
    """Whether all that follows tells no pieces apart, so that orders of equal results need not be."""

    def ways(self, rules: Rules, start: Situation, budget: Budget) -> Iterator[tuple[Situation, Fraction]]:
        """See `Step`."""
        roll = roll_of(self.block) if self.alike else None
        found = None if roll is None else alike_roll(session_of(rules, start), roll)
        if found is None:
            yield from _Running.ways(self, rules, start, budget)
            return
        first = Given()
        self._run(rules, start, first)
        sides = set(first.asked)
        if len(first.asked) != found.count or len(sides) != 1:
            raise InternalError("a roll of alike pieces is no roll of so many equal dice", "analysis")
        for results, weight in multisets(found.count, sides.pop()):
            budget.spend()
            end = self._run(rules, start, Given(list(results)))
            yield Situation(tuple(found.in_order(list(end.state))), end.last), weight

    def _run(self, rules: Rules, start: Situation, given: Given) -> Situation:
        session = session_of(rules, start)
        try:
            run_block(session, self.block, given)
        except Fault as fault:
            raise session.fault(fault) from None
        return Situation(tuple(session.state), start.last)
