"""How often `dsl compare` takes chance for a difference: two versions that are the same, played with other seeds.

    python benchmarks/false_alarms.py                        three games, 20 seeds each, at 5 %
    python benchmarks/false_alarms.py hall --seeds 200 --games 6000 --level 5

Versions that are alike, played with the same seeds, go the same way and differ by nothing; that is checked by the
tests. Here the second version gets seeds of its own, so that every number differs by chance, and it is counted in how
many comparisons anything at all is called real. At a level of 5 % that may be one in twenty; exit code 1 when it is
more often than so many seeds can show by chance (one time in a hundred).
"""

from __future__ import annotations

import argparse
import sys
from math import comb

from interpreter.analysis.simulate.compare import Version, compare
from interpreter.analysis.simulate.executors import Threads, cores
from interpreter.analysis.simulate.shards import make_job
from interpreter.runtime import load

_GAMES = ("hall", "kuhn_poker", "trading_race")
_SHARDS = 60


def alarms(name: str, seeds: int, games: int, level: float) -> tuple[int, int]:
    """In how many comparisons anything was called real, and how many numbers were judged in each."""
    rules = load(name)
    version = Version(rules, make_job(rules))
    size = max(1, games // _SHARDS)
    found = judged = 0
    for seed in range(seeds):
        first = seed * 2 * games
        comparison = compare(
            version,
            version,
            Threads(cores()),
            first_seed=first,
            size=size,
            shards=_SHARDS,
            level=level,
            apart=games,
        )
        judged = len(comparison.differences)
        found += bool(comparison.real)
        for each in comparison.real:
            print(f"  seed {seed}: {each.metric.title}, {each.mine:.4g} and {each.its:.4g}, tail {each.tail:.2g}")
    return found, judged


def most_by_chance(seeds: int, level: float) -> int:
    """The most alarms that so many seeds show by chance, but for one time in a hundred."""
    so_far = 0.0
    for count in range(seeds + 1):
        so_far += comb(seeds, count) * level**count * (1 - level) ** (seeds - count)
        if so_far >= 0.99:
            return count
    return seeds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_named", nargs="*", metavar="GAME", default=list(_GAMES))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--games", type=int, default=3000, help="of each version")
    parser.add_argument("--level", type=float, default=5.0, help="percent")
    asked = parser.parse_args()
    level, failed = asked.level / 100, False
    for name in asked.games_named:
        found, judged = alarms(name, asked.seeds, asked.games, level)
        most = most_by_chance(asked.seeds, level)
        failed = failed or found > most
        print(
            f"{name}: {found} of {asked.seeds} comparisons with a false alarm (at most {most}), {judged} numbers each"
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
