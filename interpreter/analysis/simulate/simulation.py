"""A simulation: which games are to be played, which have been, and what came of them so far.

It can stop between any two shards and go on later, even elsewhere: what came so far and which shards it comes from is
all there is to know. As data (`to_data`, format version 1):

    {"format": "rulewright simulation", "format_version": 1,
     "rules": {"path": "hall", "title": "...", "fingerprint": "..."},
     "configuration": {"players": null, "options": {}, "scenario": null},
     "seats": ["random"], "backend": "wasm", "limit": 10000,
     "seed": 0, "games": 10000, "shard": 625, "done": [[0, 16]],
     "totals": {...}}

`done` has the shards that were played, as pairs of the first and the one after the last; `totals` is what
`Totals.to_data` says.

Invariant: the totals are those of the shards that are done, each once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

from attrs import define, field

from interpreter.analysis.simulate.executors import Executor, Task
from interpreter.analysis.simulate.shards import Job, Shard, ShardResult, make_job, seeds_in_shards
from interpreter.analysis.simulate.sites import Sites, sites_of
from interpreter.analysis.simulate.totals import Totals
from interpreter.backends.counted import LONGEST
from interpreter.diagnostics import DslError
from interpreter.runtime.rules import Configuration, Rules

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "Simulation",
    "SimulationError",
    "go_on",
    "read_configuration",
    "simulation_of",
]

FORMAT = "rulewright simulation"
FORMAT_VERSION = 1
_JOB = "games"


class SimulationError(DslError):
    """What is to go on is no simulation, or one of other rules."""


@define
class Simulation:
    """Games of one configuration, of consecutive seeds."""

    rules: Rules
    job: Job
    seed: int
    """The first."""
    games: int
    """How many are to be played."""
    shard: int
    """Games of a shard."""
    totals: Totals = field(init=False)
    """What came of those that were played."""
    done: set[int] = field(factory=set, init=False)
    """Numbers of the shards that were played."""
    sites: Sites = field(init=False)
    """What the counters stand for."""

    def __attrs_post_init__(self) -> None:
        self.totals = Totals(len(self.job.seats), self.job.counted()[1].size)
        self.sites = sites_of(self.rules, self.job)

    @property
    def is_complete(self) -> bool:
        """Were all games played?"""
        return next(self.waiting(), None) is None

    def waiting(self) -> Iterator[Shard]:
        """The shards that are to be played still."""
        shards = seeds_in_shards(self.job, self.seed, self.games, self.shard)
        return (shard for shard in shards if shard.number not in self.done)

    def play(self, executor: Executor) -> Generator[ShardResult | None, None, None]:
        """Plays on, and gives what came of each shard once it is part of the totals; None as the executor does."""
        with closing(executor.play({_JOB: self.job}, (Task(_JOB, shard) for shard in self.waiting()))) as playing:
            for done in playing:
                if done is None:
                    yield None
                    continue
                _, result = done
                self.totals.add(result.totals)
                self.done.add(result.shard.number)
                yield result

    def to_data(self) -> dict[str, Any]:
        """As JSON can have it."""
        named = self.rules.configuration
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "rules": {
                "path": named.rules,
                "title": self.rules.title,
                "fingerprint": self.rules.program.fingerprint,
            },
            "configuration": {
                "players": named.players,
                "options": dict(named.options),
                "scenario": named.scenario,
            },
            "seats": list(self.job.seats),
            "backend": self.job.backend,
            "limit": self.job.limit,
            "seed": self.seed,
            "games": self.games,
            "shard": self.shard,
            "done": _ranges(self.done),
            "totals": self.totals.to_data(),
        }


def simulation_of(job: Job, rules: Rules, seed: int, games: int) -> Simulation:
    """A simulation that has not begun."""
    first = next(seeds_in_shards(job, seed, games))
    return Simulation(rules, job, seed, games, first.games)


def read_configuration(data: Mapping[str, Any]) -> Configuration:
    """How the game of a simulation was loaded; raises `SimulationError` if the data is none."""
    if data.get("format") != FORMAT:
        raise SimulationError(f'this is no simulation: expected `"format": "{FORMAT}"`')
    if data.get("format_version") != FORMAT_VERSION:
        raise SimulationError(f"it has format version {data.get('format_version')!r}, expected {FORMAT_VERSION}")
    try:
        named, options = data["configuration"], data["configuration"]["options"]
        players, scenario = named["players"], named["scenario"]
        return Configuration(str(data["rules"]["path"]), players, tuple(sorted(options.items())), scenario)
    except (KeyError, TypeError, AttributeError) as error:
        raise SimulationError(f"it is damaged: {error} is missing or of another kind than expected") from None


def go_on(data: Mapping[str, Any], rules: Rules, *, keeps: bool, games: int | None = None) -> Simulation:
    """The simulation of some data, under the rules it was made with; `games` if it shall become longer."""
    if data["rules"].get("fingerprint") != rules.program.fingerprint:
        raise SimulationError("the rules have changed since: begin anew")
    try:
        job = make_job(rules, data["seats"], backend=data["backend"], limit=data["limit"], keeps=keeps)
        if min(data["games"], data["shard"]) < 1 or not 0 < job.limit <= LONGEST:
            raise ValueError("a number")
        found = Simulation(rules, job, data["seed"], max(data["games"], games or 0), data["shard"])
        totals = Totals.from_data(data["totals"])
        done = {number for first, after in data["done"] for number in range(first, after)}
    except (KeyError, TypeError, ValueError) as error:
        raise SimulationError(f"it is damaged: {error} is missing or of another kind than expected") from None
    if (totals.players, totals.counters) != (found.totals.players, found.totals.counters):
        raise SimulationError("it was made by another version of this program: begin anew")
    if data["games"] % data["shard"] and found.games > data["games"]:
        raise SimulationError(f"its last shard is not full: it can be {data['games']} games and no more")
    found.totals, found.done = totals, done
    return found


def _ranges(numbers: Iterable[int]) -> list[list[int]]:
    """Numbers as pairs of the first and the one after the last."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number:
            found[-1][1] = number + 1
        else:
            found.append([number, number + 1])
    return found
