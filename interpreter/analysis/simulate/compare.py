"""What a change of the rules changes: two versions of a game, played with the same seeds, and what is really different.

Both play the same shards. For each number the difference between the two is taken shard by shard; if the change made
none, these differences lie around 0, whatever the games of a shard have to do with one another or with those of the
other version. So one test serves every number, rare ones and those with wild distributions too, and two versions that
play alike differ by exactly nothing.

How games end and go is judged apart from what is used in them, each at half of the level, and Holm's method within: so
the hundreds of places of a rules file do not drown the handful of numbers that everybody asks for first, and the chance
of any false alarm in the whole comparison stays below the level.

Invariant: shards are added in their order, so the same number of shards gives the same comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import count

from attrs import define, field, frozen

from interpreter.analysis.simulate.executors import Executor, Task
from interpreter.analysis.simulate.metrics import Metric, of_outcomes, of_uses
from interpreter.analysis.simulate.shards import Job, Shard, ShardResult
from interpreter.analysis.simulate.sites import sites_of
from interpreter.analysis.simulate.statistics import holm, mean_and_error, power, student_tail, student_value
from interpreter.analysis.simulate.totals import Totals
from interpreter.runtime.rules import Rules

__all__ = ["LEAST", "Comparison", "Difference", "Version", "compare"]

LEAST = 12
"""Shards of each version below which nothing is said."""
_FAMILIES = 2
"""Groups of numbers that share the level."""


@frozen
class Version:
    """One of the two."""

    rules: Rules
    job: Job

    def metrics(self) -> dict[str, Metric]:
        """The numbers that are told of it, by key."""
        return {
            metric.key: metric
            for metric in (*of_outcomes(self.rules.program), *of_uses(sites_of(self.rules, self.job)))
        }


@define
class _Sums:
    """Of one number: what both versions have together, and the differences of shards."""

    shards: int = 0
    total: float = 0.0
    squares: float = 0.0
    mine: list[int] = field(factory=lambda: [0, 0])
    its: list[int] = field(factory=lambda: [0, 0])


@frozen
class Difference:
    """A number of both versions, and what is to be said of it."""

    metric: Metric
    mine: float
    """In the first version."""
    its: float
    """In the second."""
    difference: float
    """How much more the second has, by shards."""
    low: float
    high: float
    """The interval of the difference, at the level at which it was judged."""
    tail: float
    """How likely such a difference is if there is none."""
    is_real: bool
    could_see: float
    """A difference of this size would have been found four times out of five."""


@frozen
class Comparison:
    """What came of it."""

    games: int
    """Of each version."""
    shards: int
    same: int
    """Shards in which every game went alike."""
    differences: tuple[Difference, ...]
    """The numbers that both versions have."""
    only_mine: tuple[str, ...]
    """What only the first has: titles of numbers, those about things chosen within an option apart."""
    only_its: tuple[str, ...]
    level: float
    totals: tuple[Totals, Totals]
    """All that came of both."""

    @property
    def real(self) -> tuple[Difference, ...]:
        """The differences that are real, the clearest first."""
        return tuple(sorted((each for each in self.differences if each.is_real), key=lambda each: each.tail))

    @property
    def is_enough(self) -> bool:
        """Were there enough shards to say anything?"""
        return self.shards >= LEAST


class _Comparing:
    def __init__(self, mine: Version, its: Version) -> None:
        self.metrics = mine.metrics(), its.metrics()
        self.common = [key for key in self.metrics[0] if key in self.metrics[1]]
        self.sums = {key: _Sums() for key in self.common}
        self.totals: list[Totals | None] = [None, None]
        self.shards = self.games = self.same = 0

    def add(self, mine: ShardResult, its: ShardResult) -> None:
        self.shards += 1
        self.games += mine.shard.games
        self.same += mine.digest == its.digest
        for at, result in enumerate((mine, its)):
            known = self.totals[at]
            if known is None:
                self.totals[at] = result.totals
            else:
                known.add(result.totals)
        for key, sums in self.sums.items():
            metric, other = self.metrics[0][key], self.metrics[1][key]
            a, b = metric.sums(mine.totals), other.sums(its.totals)
            for kept, (number, total, _) in ((sums.mine, a), (sums.its, b)):
                kept[0] += number
                kept[1] += total
            if a[0] and b[0]:
                difference = b[1] / (b[0] * other.scale) - a[1] / (a[0] * metric.scale)
                sums.shards += 1
                sums.total += difference
                sums.squares += difference * difference

    def result(self, level: float) -> Comparison:
        found: dict[str, Difference] = {}
        outcomes = [key for key in self.common if self.metrics[0][key].group == "outcome"]
        uses = [key for key in self.common if self.metrics[0][key].group != "outcome"]
        for family in (outcomes, uses):
            judged = [key for key in family if self._is_judged(key)]
            tails = [self._tail(key) for key in judged]
            for key, tail, (stands, own) in zip(judged, tails, holm(tails, level / _FAMILIES), strict=True):
                found[key] = self._difference(key, tail, stands, own)
        mine, its = self.totals
        assert mine is not None and its is not None
        only = [
            tuple(metric.title for key, metric in here.items() if key not in there and not metric.is_part)
            for here, there in (self.metrics, self.metrics[::-1])
        ]
        ordered = tuple(found[key] for key in self.common if key in found)
        return Comparison(self.games, self.shards, self.same, ordered, only[0], only[1], level, (mine, its))

    def _is_judged(self, key: str) -> bool:
        totals = [each for each in self.totals if each is not None]
        if key in ("lead changes", "comebacks") and not all(each.leads for each in totals):
            return False
        return self.sums[key].shards >= LEAST

    def _tail(self, key: str) -> float:
        sums = self.sums[key]
        mean, error = mean_and_error(sums.shards, sums.total, sums.squares)
        if mean == 0:
            return 1.0
        return student_tail(mean / error, sums.shards - 1) if error else 0.0

    def _difference(self, key: str, tail: float, stands: bool, own: float) -> Difference:
        sums, metric = self.sums[key], self.metrics[0][key]
        mean, error = mean_and_error(sums.shards, sums.total, sums.squares)
        half = student_value(own, sums.shards - 1) * error
        return Difference(
            metric=metric,
            mine=sums.mine[1] / sums.mine[0] / metric.scale,
            its=sums.its[1] / sums.its[0] / self.metrics[1][key].scale,
            difference=mean,
            low=mean - half,
            high=mean + half,
            tail=tail,
            is_real=stands,
            could_see=power(own, error, sums.shards - 1),
        )


def compare(
    mine: Version,
    its: Version,
    executor: Executor,
    *,
    first_seed: int,
    size: int,
    shards: int | None,
    level: float,
    goes_on: Callable[[int], bool] = lambda shards: True,
    told: Callable[[int], None] = lambda games: None,
    apart: int = 0,
) -> Comparison:
    """Plays both versions, shard by shard of `size` games, and says what is different.

    `shards`: how many; None for as many as `goes_on` (asked with how many there are) allows. `told` is told of games.
    `apart`: by how much the seeds of the second are higher, to see how often chance alone is taken for a difference.
    """
    comparing = _Comparing(mine, its)
    waiting: dict[int, dict[str, ShardResult]] = {}
    jobs: Mapping[str, Job] = {"mine": mine.job, "its": its.job}
    with closing(executor.play(jobs, _tasks(first_seed, size, shards, apart))) as playing:
        for done in playing:
            if done is not None:
                task, result = done
                waiting.setdefault(task.shard.number, {})[task.job] = result
                told(task.shard.games)
                while len(waiting.get(comparing.shards, ())) == len(jobs):
                    pair = waiting.pop(comparing.shards)
                    comparing.add(pair["mine"], pair["its"])
            if not goes_on(comparing.shards):
                break
    return comparing.result(level)


def _tasks(first_seed: int, size: int, shards: int | None, apart: int) -> Iterator[Task]:
    for number in range(shards) if shards is not None else count():
        seed = first_seed + number * size
        yield Task("mine", Shard(number, seed, size))
        yield Task("its", Shard(number, seed + apart, size))
