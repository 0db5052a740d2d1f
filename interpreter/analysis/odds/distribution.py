"""A distribution: each outcome with its share, exact or sampled.

Invariant: exact shares are fractions that add up to 1; a sampled share always comes with its interval.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import sqrt
from typing import Generic, TypeVar

from attrs import frozen

__all__ = ["Odds", "Share", "exact_odds", "sampled_odds", "wilson"]

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
    """How many runs it took; of a sample, how many it has."""

    @property
    def is_certain(self) -> bool:
        """Whether chance had no say."""
        return self.is_exact and self.runs == 1


def exact_odds(weights: Mapping[T, Fraction], runs: int) -> Odds[T]:
    """The odds of outcomes with known weights, which need not add up to 1."""
    whole = sum(weights.values(), Fraction(0))
    shares = {outcome: weight / whole for outcome, weight in weights.items()}
    return Odds({outcome: Share(share, float(share), float(share)) for outcome, share in shares.items()}, True, runs)


def sampled_odds(counts: Mapping[T, int]) -> Odds[T]:
    """The odds of outcomes that were met so often."""
    total = sum(counts.values())
    shares = {key: Share(Fraction(count, total), *wilson(count, total)) for key, count in counts.items()}
    return Odds(shares, False, total)


def wilson(count: int, total: int) -> tuple[float, float]:
    """The interval (95 %) of a share of which `count` of `total` were met."""
    share = count / total
    middle = share + _Z * _Z / (2 * total)
    spread = _Z * sqrt(share * (1 - share) / total + _Z * _Z / (4 * total * total))
    scale = 1 + _Z * _Z / total
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
