"""What may be said of the whole from a part: intervals for shares and means, and which differences are real.

Shares have Wilson's interval. A mean has the normal one, since there are many games. Differences between two rules
files are judged by shards that were played with the same seeds: the mean of their differences over its standard error
has Student's t distribution if nothing is different, whatever the games have to do with one another. Its tail is taken
from the normal one by Wallace's approximation (1959), which is right to a few units in the fourth digit from about ten
shards on and asks for no further package.

Many differences are judged at once, and one of a hundred is far out by chance. Holm's method (1979) keeps the chance of
any false alarm among them below the level, whatever they have to do with one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, inf, log, sqrt
from statistics import NormalDist

from attrs import frozen

__all__ = [
    "Estimate",
    "holm",
    "mean_and_error",
    "mean_of",
    "mean_of_sums",
    "power",
    "quantile",
    "share_of",
    "student_tail",
    "student_value",
]

_NORMAL = NormalDist()


@frozen
class Estimate:
    """A number with the interval that it lies in."""

    value: float
    low: float
    high: float
    count: int
    """From how many games, or whatever was counted."""

    def to_data(self) -> dict[str, float | int]:
        return {"value": self.value, "low": self.low, "high": self.high, "count": self.count}


def share_of(part: int, whole: int, level: float) -> Estimate | None:
    """A share with Wilson's interval, `level` the chance that it is missed; None of nothing."""
    if whole <= 0:
        return None
    z = _NORMAL.inv_cdf(1 - level / 2)
    share, spread = part / whole, z * z / whole
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / whole + spread / (4 * whole)) / (1 + spread)
    low = 0.0 if part == 0 else max(0.0, middle - half)
    high = 1.0 if part == whole else min(1.0, middle + half)
    return Estimate(share, low, high, whole)


def mean_of(counts: Mapping[int, int], level: float, scale: float = 1.0) -> Estimate | None:
    """The mean of values that were counted, each divided by `scale`; None of nothing."""
    whole = sum(counts.values())
    total = sum(value * count for value, count in counts.items())
    squares = sum(value * value * count for value, count in counts.items())
    return mean_of_sums(whole, total, squares, level, scale)


def mean_of_sums(count: int, total: int, squares: int, level: float, scale: float = 1.0) -> Estimate | None:
    """The same from the sum of the values and of their squares."""
    if count <= 0:
        return None
    mean = total / count
    variance = max(0, squares * count - total * total) / (count * max(1, count - 1))
    half = _NORMAL.inv_cdf(1 - level / 2) * sqrt(variance / count)
    return Estimate(mean / scale, (mean - half) / scale, (mean + half) / scale, count)


def quantile(counts: Mapping[int, int], share: float) -> int:
    """The least value that at least such a share of what was counted does not exceed."""
    whole = sum(counts.values())
    so_far = 0
    for value in sorted(counts):
        so_far += counts[value]
        if so_far >= share * whole:
            return value
    raise ValueError("a quantile of nothing")


# ------------------------------------------------------------------------------------------------ differences


def student_tail(t: float, freedom: int) -> float:
    """The chance that Student's t is as far from 0 as this, on either side; `freedom` at least 1."""
    if t == 0:
        return 1.0
    if t == inf:
        return 0.0
    z = sqrt(freedom * log(1 + t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return 2 * _NORMAL.cdf(-z)


def student_value(tail: float, freedom: int) -> float:
    """The t that is exceeded on either side with such a chance: the inverse of `student_tail`."""
    z = -_NORMAL.inv_cdf(tail / 2) * (8 * freedom + 3) / (8 * freedom + 1)
    return sqrt(freedom * (exp(z * z / freedom) - 1))


def holm(tails: Sequence[float], level: float) -> list[tuple[bool, float]]:
    """For each of many chances whether it stands, and the level at which it was judged, in their order."""
    order = sorted(range(len(tails)), key=lambda at: tails[at])
    found = [(False, level)] * len(tails)
    stands = True
    for rank, at in enumerate(order):
        own = level / (len(tails) - rank)
        stands = stands and tails[at] <= own
        found[at] = (stands, own)
    return found


def mean_and_error(count: int, total: float, squares: float) -> tuple[float, float]:
    """The mean of differences and its standard error, from their number, sum and sum of squares; at least two."""
    mean = total / count
    variance = max(0.0, squares - total * mean) / (count - 1)
    return mean, sqrt(variance / count)


def power(level: float, error: float, freedom: int, chance: float = 0.8) -> float:
    """How large a difference has to be to be found with such a chance."""
    return (student_value(level, freedom) + _NORMAL.inv_cdf(chance)) * error
