"""Odds: what may come of something that asks for chance, and how likely each outcome is.

Exact odds need no theory of dice. Whatever is studied is run again and again under a chance that is given: first
with every result at its lowest, then with the last result raised, and so on, like the wheels of a counter, a wheel
coming into being whenever one more result is asked for. So each way that chance can fall is met once, with its
probability, however the number of dice depends on earlier ones. Beyond a limit of runs the counter gives way to
sampling with a fixed generator, and the answer says so, with an interval for each share.

Invariant: exact shares add up to 1; the same question gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from math import prod, sqrt
from random import Random
from typing import Generic, TypeVar

from attrs import define, field, frozen

from interpreter.backends.api import State

__all__ = ["DEFAULT_LIMIT", "DEFAULT_SAMPLES", "Given", "Odds", "Share", "odds_of"]

DEFAULT_LIMIT = 60_000
"""Runs beyond which odds are sampled: about the outcomes of six dice."""
DEFAULT_SAMPLES = 20_000
_Z = 1.959964  # two-sided 95 %

T = TypeVar("T", bound=Hashable)


@frozen
class Share:
    """How likely one outcome is."""

    exact: Fraction
    """The probability, or for a sample the share of it."""
    low: float
    """Lower end of the interval (95 %, by Wilson); the probability itself when it is exact."""
    high: float
    """Upper end."""

    def with_(self, other: Share) -> Share:
        """The share of one outcome or another; the ends of a sampled interval are added, which is on the safe side."""
        return Share(self.exact + other.exact, self.low + other.low, min(1.0, self.high + other.high))


@frozen
class Odds(Generic[T]):
    """A distribution over outcomes."""

    shares: dict[T, Share]
    """Each outcome met, in the order of meeting."""
    is_exact: bool
    """Whether all ways that chance can fall were met."""
    runs: int
    """How many runs it took."""

    @property
    def is_certain(self) -> bool:
        """Whether chance had no say."""
        return self.is_exact and self.runs == 1


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


def odds_of(
    run: Callable[[Given], T], *, limit: int = DEFAULT_LIMIT, samples: int = DEFAULT_SAMPLES, seed: int = 0
) -> Odds[T]:
    """The odds of what `run` gives under the chance it is handed; `run` must have no other memory."""
    found: dict[T, Fraction] = {}
    results: list[int] = []
    for count in range(1, limit + 1):
        given = Given(results)
        outcome = run(given)
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(1, prod(given.asked))
        following = _next(results, given.asked)
        if following is None:
            shares = {key: Share(share, float(share), float(share)) for key, share in found.items()}
            return Odds(shares, True, count)
        results = following
    return _sampled(run, samples, Random(seed))


def _next(results: list[int], asked: list[int]) -> list[int] | None:
    """The next way that chance can fall, or None after the last."""
    wheels = (results + [0] * len(asked))[: len(asked)]
    while wheels and wheels[-1] + 1 >= asked[len(wheels) - 1]:
        wheels.pop()
    if not wheels:
        return None
    wheels[-1] += 1
    return wheels


def _sampled(run: Callable[[Given], T], samples: int, random: Random) -> Odds[T]:
    counts: dict[T, int] = {}
    for _ in range(samples):
        outcome = run(Given(random=random))
        counts[outcome] = counts.get(outcome, 0) + 1
    shares = {key: Share(Fraction(count, samples), *_wilson(count, samples)) for key, count in counts.items()}
    return Odds(shares, False, samples)


def _wilson(count: int, total: int) -> tuple[float, float]:
    share = count / total
    middle = share + _Z * _Z / (2 * total)
    spread = _Z * sqrt(share * (1 - share) / total + _Z * _Z / (4 * total * total))
    scale = 1 + _Z * _Z / total
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
