"""The answer to a question about odds.

What is asked comes after what is done: choices and effects in their order, and, if so asked, the set-up before them.
Conditions leave only the cases in which they hold at the end. All ways that chance can fall are followed (`paths`,
`dice`, `alike`) as long as they are no more than the limit. Beyond it whole games are sampled with a fixed generator,
and the answer says so.

Invariant: an exact answer has no rounding in it; a sampled one says how many cases it has seen; the session asked is
not changed.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Literal

from attrs import frozen

from interpreter.analysis.odds.alike import is_generic, roll_of
from interpreter.analysis.odds.asked import Asked, Outcome, asked_values, condition_of, effect_of
from interpreter.analysis.odds.chance import DEFAULT_LIMIT, DEFAULT_SAMPLES, Budget, TooManyWaysError
from interpreter.analysis.odds.changes import changes
from interpreter.analysis.odds.distribution import Odds, Share, exact_odds, sampled_odds, wilson
from interpreter.analysis.odds.paths import Begin, Carry, Chosen, Situation, Step, after, session_of
from interpreter.backends.api import Fault
from interpreter.diagnostics import InvalidChoice
from interpreter.runtime import Rules, Session
from interpreter.runtime.snippets import value_of
from interpreter.semantics.model import Block, Expr

__all__ = ["Answer", "Part", "Question", "answer"]

_ENOUGH = 500
"""Samples that are worth telling when the sampling is interrupted."""


@frozen
class Question:
    """What is asked."""

    text: str
    """A value, a table, or effects."""
    steps: tuple[tuple[Literal["choose", "after"], str], ...] = ()
    """What is done before: an option is chosen, effects are carried out."""
    given: tuple[str, ...] = ()
    """What must hold at the end; cases in which it does not are left out."""
    with_setup: bool = False
    """Whether it is asked from the beginning, so that the chance of the set-up counts too."""


@frozen
class Part:
    """One distribution of an answer."""

    name: str
    """What it is the distribution of."""
    odds: Odds[Outcome]
    """The distribution."""


@frozen
class Answer:
    """The answer."""

    kind: Literal["value", "table", "effect"]
    """What was asked about."""
    parts: tuple[Part, ...]
    """One for a value or an effect, one for each place of a table."""
    is_exact: bool
    """Whether every way that chance can fall was followed."""
    runs: int
    """How many ways were followed, or how many cases were sampled."""
    condition: Share | None
    """How likely what is given was; None without a condition."""
    stopped: bool = False
    """Whether the sampling was interrupted."""


def answer(
    session: Session, question: Question, *, limit: int = DEFAULT_LIMIT, samples: int = DEFAULT_SAMPLES, seed: int = 0
) -> Answer:
    """The odds of what is asked, in the game as it stands.

    Raises `RulesError` for what cannot be understood and for faults of the rules, other `DslError` for what cannot be
    asked or chosen.
    """
    work = _understood(session, question)
    try:
        return work.exact(Budget(limit))
    except TooManyWaysError:
        return work.sampled(samples, Random(seed))


def _understood(session: Session, question: Question) -> _Work:
    rules = session.rules
    conditions = [condition_of(rules, text) for text in question.given]
    asked = asked_values(rules, question.text)
    effect = None if asked is not None else effect_of(rules, question.text)
    blocks = [effect_of(rules, text) if how == "after" else None for how, text in question.steps]
    told = [*conditions, *(each.expr for each in asked or ())]
    generic = effect is None and is_generic(told)
    steps: list[Step] = []
    for (_, text), block in reversed(list(zip(question.steps, blocks, strict=True))):
        steps.insert(0, Chosen(text) if block is None else Carry(block, generic))
        generic = generic and block is not None and roll_of(block) is not None
    start = Situation(tuple(session.state))
    if question.with_setup:
        start = Situation(tuple(rules.start_at_set_up(session.seed or 0).state))
        steps.insert(0, Begin())
    return _Work(rules, question, start, tuple(steps), tuple(conditions), asked, effect)


@frozen(eq=False)
class _Work:
    """A question that was understood."""

    rules: Rules
    question: Question
    start: Situation
    steps: tuple[Step, ...]
    conditions: tuple[Expr, ...]
    asked: tuple[Asked, ...] | None
    effect: Block | None

    def exact(self, budget: Budget) -> Answer:
        """Follows every way."""
        weights: dict[Situation, Fraction] = {self.start: Fraction(1)}
        for step in self.steps:
            weights = after(self.rules, step, weights, budget)
        if self.effect is not None:
            return self._exact_effect(self.effect, weights, budget)
        assert self.asked is not None
        found: list[dict[Outcome, Fraction]] = [{} for _ in self.asked]
        held = Fraction(0)
        for situation, weight in weights.items():
            session = session_of(self.rules, situation)
            if not self._holds(session):
                continue
            held += weight
            for at, each in enumerate(self.asked):
                _add(found[at], each.weights(session, budget), weight)
        self._require(held > 0, "in no case")
        parts = [
            Part(each.name, exact_odds(shares, budget.spent)) for each, shares in zip(self.asked, found, strict=True)
        ]
        return Answer(self._kind(), tuple(parts), True, budget.spent, self._share(held))

    def _exact_effect(self, effect: Block, weights: dict[Situation, Fraction], budget: Budget) -> Answer:
        found: dict[Outcome, Fraction] = {}
        held = Fraction(0)
        for situation, weight in weights.items():
            for end, share in Carry(effect, False).ways(self.rules, situation, budget):
                session = session_of(self.rules, end)
                if self._holds(session):
                    held += weight * share
                    told = changes(session, list(situation.state))
                    _add(found, {Outcome(told, told): share}, weight)
        self._require(held > 0, "in no case")
        part = Part(self.question.text, exact_odds(found, budget.spent))
        return Answer("effect", (part,), True, budget.spent, self._share(held))

    def sampled(self, samples: int, random: Random) -> Answer:
        """Plays so many cases; an interruption leaves those played so far, if they are worth telling."""
        counts: list[dict[Outcome, int]] = [{} for _ in self.asked or (self.effect,)]
        played = held = 0
        stopped = False
        try:
            while played < samples:
                outcomes = self._case(random)
                played += 1
                if outcomes is not None:
                    held += 1
                    for at, outcome in enumerate(outcomes):
                        counts[at][outcome] = counts[at].get(outcome, 0) + 1
        except KeyboardInterrupt:
            if held < _ENOUGH:
                raise
            stopped = True
        self._require(held > 0, f"in none of {played} sampled cases")
        names = [each.name for each in self.asked] if self.asked is not None else [self.question.text]
        parts = [Part(name, sampled_odds(found)) for name, found in zip(names, counts, strict=True)]
        share = Share(Fraction(held, played), *wilson(held, played)) if self.conditions else None
        return Answer(self._kind(), tuple(parts), False, held, share, stopped)

    def _case(self, random: Random) -> list[Outcome] | None:
        """The outcomes of one case, or None where a condition does not hold in it."""
        situation = self.start
        for step in self.steps:
            situation = step.once(self.rules, situation, random)
        if self.effect is not None:
            before, situation = situation, Carry(self.effect, False).once(self.rules, situation, random)
        session = session_of(self.rules, situation)
        if not self._holds(session):
            return None
        if self.asked is None:
            told = changes(session, list(before.state))
            return [Outcome(told, told)]
        return [each.once(session, random) for each in self.asked]

    def _holds(self, session: Session) -> bool:
        try:
            return all(value_of(session, condition) for condition in self.conditions)
        except Fault as fault:
            raise session.fault(fault) from fault

    def _require(self, is_met: bool, when: str) -> None:
        if not is_met:
            raise InvalidChoice(f"what is given holds {when}: {' and '.join(self.question.given)}")

    def _share(self, held: Fraction) -> Share | None:
        return Share(held, float(held), float(held)) if self.conditions else None

    def _kind(self) -> Literal["value", "table", "effect"]:
        if self.asked is None:
            return "effect"
        return "value" if len(self.asked) == 1 and self.asked[0].name == self.question.text else "table"


def _add(found: dict[Outcome, Fraction], shares: dict[Outcome, Fraction], weight: Fraction) -> None:
    for outcome, share in shares.items():
        found[outcome] = found.get(outcome, Fraction(0)) + weight * share
