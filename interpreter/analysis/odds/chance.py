"""Chance that is given: every way that it can fall, each met once.

Exact odds need no theory of dice. Whatever is studied is run again and again under a chance that is given: first
with every result at its lowest, then with the last result raised, and so on, like the wheels of a counter, a wheel
coming into being whenever one more result is asked for. So each way that chance can fall is met once, with its
probability, however the number of dice depends on earlier ones.

How many ways there are shows only at the end. A few random runs tell beforehand: the product of the sides that a
random run asks for is on average the number of ways (Knuth's estimate of the size of a tree). Where that is far beyond
the budget, nothing is begun.

Invariant: the weights of all ways add up to 1; the same question gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from math import prod
from random import Random
from typing import TypeVar

from attrs import define, field

from interpreter.analysis.odds.distribution import Odds, exact_odds, sampled_odds
from interpreter.backends.api import State

__all__ = ["DEFAULT_LIMIT", "DEFAULT_SAMPLES", "Budget", "Given", "TooManyWaysError", "odds_of", "ways"]

DEFAULT_LIMIT = 60_000
"""Runs beyond which odds are sampled: about the outcomes of six dice."""
DEFAULT_SAMPLES = 20_000
_PROBES = 24
"""Random runs that tell how many ways there are."""
_CLEARLY = 8
"""An estimate so many times beyond the budget is believed."""

T = TypeVar("T", bound=Hashable)
A = TypeVar("A")


class TooManyWaysError(Exception):
    """Chance can fall in more ways than may be followed."""


@define
class Budget:
    """How many ways may be followed."""

    limit: int
    """So many."""
    spent: int = 0
    """How many were."""

    def spend(self, ways: int = 1) -> None:
        """Counts ways; raises `TooManyWaysError` beyond the limit."""
        self.spent += ways
        if self.spent > self.limit:
            raise TooManyWaysError

    @property
    def left(self) -> int:
        """How many more may be followed."""
        return self.limit - self.spent


@define
class Given:
    """Chance that follows a list, then gives the lowest result; or, with a generator, anything.

    It is a source for sessions (`roll`) and a watcher for backends.
    """

    results: list[int] = field(factory=list)
    """Results to give, from 0."""
    random: Random | None = None
    """Where results come from when odds are sampled."""
    asked: list[int] = field(factory=list, init=False)
    """Sides of each result asked for."""

    def roll(self, state: State, sides: int) -> int:
        """One of 0..sides-1."""
        at = len(self.asked)
        self.asked.append(sides)
        if self.random is not None:
            return self.random.randrange(sides)
        return self.results[at] if at < len(self.results) else 0

    def chance(self, state: State, sides: int) -> int:
        """As `roll`."""
        return self.roll(state, sides)

    def event(self, event: int, arguments: tuple[int, ...]) -> None:
        """Nothing is told."""

    def mark(self, span: int) -> None:
        """Nothing is counted."""

    def taken(self, state: State, decision: int, code: int) -> None:
        """Nobody was asked."""


def ways(run: Callable[[Given], A], budget: Budget) -> Iterator[tuple[A, Fraction]]:
    """What `run` gives under each way that chance can fall, with the probability of that way.

    `run` must have no other memory. Raises `TooManyWaysError` beyond the budget, at once where that can be foreseen.
    """
    results: list[int] = []
    while True:
        budget.spend()
        given = Given(results)
        outcome = run(given)
        if not results and prod(given.asked) > _CLEARLY * budget.left:
            probes = [Given(random=Random(seed)) for seed in range(_PROBES)]
            for probe in probes:
                run(probe)
            if sum(prod(probe.asked) for probe in probes) > _CLEARLY * budget.left * _PROBES:
                raise TooManyWaysError
        yield outcome, Fraction(1, prod(given.asked))
        following = _next(results, given.asked)
        if following is None:
            return
        results = following


def odds_of(
    run: Callable[[Given], T], *, limit: int = DEFAULT_LIMIT, samples: int = DEFAULT_SAMPLES, seed: int = 0
) -> Odds[T]:
    """The odds of what `run` gives under the chance it is handed; `run` must have no other memory.

    Beyond `limit` runs the counter gives way to sampling with a fixed generator, and the answer says so.
    """
    budget = Budget(limit)
    found: dict[T, Fraction] = {}
    try:
        for outcome, weight in ways(run, budget):
            found[outcome] = found.get(outcome, Fraction(0)) + weight
    except TooManyWaysError:
        random = Random(seed)
        counts: dict[T, int] = {}
        for _ in range(samples):
            outcome = run(Given(random=random))
            counts[outcome] = counts.get(outcome, 0) + 1
        return sampled_odds(counts)
    return exact_odds(found, budget.spent)


def _next(results: list[int], asked: list[int]) -> list[int] | None:
    """The next way that chance can fall, or None after the last."""
    wheels = (results + [0] * len(asked))[: len(asked)]
    while wheels and wheels[-1] + 1 >= asked[len(wheels) - 1]:
        wheels.pop()
    if not wheels:
        return None
    wheels[-1] += 1
    return wheels
