"""What came of many games, put together: counts and nothing else.

Everything is a whole number and every distribution a count by value, so that parts may be added in any order, the sum
is the same whoever played which part, and it takes as much room for a thousand games as for a hundred million. The
games themselves are not kept here.

Invariant: adding is associative and commutative; `to_data` and `from_data` are inverse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from interpreter.backends.counted import SUMS, Counted, GameRecord, Uses
from interpreter.ir.program import RUNNING

__all__ = ["HUNDREDTHS", "Seen", "Totals", "Trouble"]

HUNDREDTHS = 100
"""Options per decision are counted in hundredths."""
_KEPT = 5
"""Games that are named for each trouble: those of the least seeds."""


@frozen
class Seen:
    """A game to be looked at."""

    seed: int
    decisions: int
    """Decisions that were taken in it."""


@define
class Trouble:
    """Games that went wrong in one way."""

    games: int = 0
    """How many."""
    examples: list[Seen] = field(factory=list)
    """Some of them."""

    def add(self, games: int, examples: Iterable[Seen]) -> None:
        self.games += games
        self.examples = sorted([*self.examples, *examples], key=lambda seen: seen.seed)[:_KEPT]


@define
class Totals:
    """What came of some games."""

    players: int
    """Players of a game."""
    counters: int
    """Counters of the program."""
    games: int = 0
    """Games that were begun."""
    decisions: int = 0
    """Decisions of those without a fault."""
    offered: int = 0
    """Options of all these decisions."""
    most: int = 0
    """Options of the decision with the most."""
    ends: Counter[tuple[int, int]] = field(factory=Counter)
    """Games by status and bit set of winners."""
    lengths: Counter[int] = field(factory=Counter)
    """Games that ended, by their decisions."""
    branching: Counter[int] = field(factory=Counter)
    """Games with a decision, by options per decision in hundredths."""
    scores: list[Counter[int]] = field(factory=list)
    """For each player, games that ended by score."""
    margins: Counter[int] = field(factory=Counter)
    """Games that ended by how far the best score is before the next."""
    changes: Counter[int] = field(factory=Counter)
    """Games that ended by how often somebody else came to be ahead."""
    led: int = 0
    """Games won in which somebody was ahead at half of them."""
    comebacks: int = 0
    """Those of them that none of those who were ahead won."""
    looked_at: int = 0
    """Games won of which it is known how likely that was at half of them."""
    turned: int = 0
    """Those of them in which somebody else was likelier to win then."""
    foreseen: Counter[int] = field(factory=Counter)
    """All of them by the chance that the winner had then, in thousandths."""
    uses: list[int] = field(factory=list)
    """The numbers of `Uses` of each counter, one after the other."""
    faults: dict[tuple[str, int], Trouble] = field(factory=dict)
    """Games with a fault, by its code and the number of its span."""
    endless: Trouble = field(factory=Trouble)
    """Games that reached the limit of decisions, or ran out without an end."""
    leads: bool = True
    """Is it known who was ahead, in all of them?"""

    def __attrs_post_init__(self) -> None:
        self.scores = self.scores or [Counter() for _ in range(self.players)]
        self.uses = self.uses or [0] * (SUMS * self.counters)

    @property
    def ended(self) -> int:
        """Games that ended by their rules."""
        return sum(count for (status, _), count in self.ends.items() if status != RUNNING)

    @property
    def faulty(self) -> int:
        """Games with a fault."""
        return sum(trouble.games for trouble in self.faults.values())

    def wins(self, player: int) -> int:
        """Games that a player won, alone or with others."""
        return sum(
            count for (status, winners), count in self.ends.items() if status != RUNNING and winners >> player & 1
        )

    @property
    def undecided(self) -> int:
        """Games that ended and that nobody won."""
        return sum(count for (status, winners), count in self.ends.items() if status != RUNNING and not winners)

    def of(self, counter: int) -> Uses:
        """How a counter was used."""
        return Uses(*self.uses[SUMS * counter : SUMS * (counter + 1)])

    def games_with(self, counter: int) -> int:
        """In how many games a counter was used."""
        return self.uses[SUMS * counter + 1]

    # ------------------------------------------------------------------ putting together

    def add_games(self, counted: Counted) -> None:
        """Adds what a backend counted."""
        self.games += len(counted.records) + len(counted.faults)
        self.leads = self.leads and counted.leads
        for record in counted.records:
            self._add_record(record)
        for fault in counted.faults:
            trouble = self.faults.setdefault((fault.code, fault.span), Trouble())
            trouble.add(1, [Seen(fault.seed, fault.decisions)])
        self.uses = [a + b for a, b in zip(self.uses, counted.uses, strict=True)]

    def _add_record(self, record: GameRecord) -> None:
        self.decisions += record.decisions
        self.offered += record.offered
        self.most = max(self.most, record.most)
        self.ends[record.status, record.winners if record.ended else 0] += 1
        if record.decisions:
            self.branching[HUNDREDTHS * record.offered // record.decisions] += 1
        if not record.ended:
            self.endless.add(1, [Seen(record.seed, record.decisions)])
            return
        self.lengths[record.decisions] += 1
        self.changes[record.changes] += 1
        if record.winners and record.ahead:
            self.led += 1
            self.comebacks += not record.winners & record.ahead
        for player, score in enumerate(record.scores):
            self.scores[player][score] += 1
        if len(record.scores) > 1:
            best, second = sorted(record.scores, reverse=True)[:2]
            self.margins[best - second] += 1

    def add_chances(self, winners: int, chances: Sequence[int]) -> None:
        """Adds how likely each player was to win at half of a game that was won."""
        won = [chance for player, chance in enumerate(chances) if winners >> player & 1]
        lost = [chance for player, chance in enumerate(chances) if not winners >> player & 1]
        if won and lost:
            self.looked_at += 1
            self.turned += max(won) < max(lost)
            self.foreseen[max(won)] += 1

    def add(self, other: Totals) -> None:
        """Adds what came of other games."""
        for name in ("games", "decisions", "offered", "led", "comebacks", "looked_at", "turned"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.most = max(self.most, other.most)
        self.leads = self.leads and other.leads
        for name in ("ends", "lengths", "branching", "margins", "changes", "foreseen"):
            getattr(self, name).update(getattr(other, name))
        for mine, its in zip(self.scores, other.scores, strict=True):
            mine.update(its)
        for key, trouble in other.faults.items():
            self.faults.setdefault(key, Trouble()).add(trouble.games, trouble.examples)
        self.endless.add(other.endless.games, other.endless.examples)
        self.uses = [a + b for a, b in zip(self.uses, other.uses, strict=True)]

    # ------------------------------------------------------------------ as data

    def to_data(self) -> dict[str, Any]:
        """As JSON can have it."""
        plain = {name: getattr(self, name) for name in ("players", "counters", "games", "decisions", "offered", "most")}
        counts = ("lengths", "branching", "margins", "changes", "foreseen")
        return {
            **plain,
            "ends": [[*end, count] for end, count in sorted(self.ends.items())],
            **{name: _pairs(getattr(self, name)) for name in counts},
            "scores": [_pairs(scores) for scores in self.scores],
            "led": self.led,
            "comebacks": self.comebacks,
            "looked_at": self.looked_at,
            "turned": self.turned,
            "leads": self.leads,
            "uses": self.uses,
            "faults": [[code, span, *_trouble(trouble)] for (code, span), trouble in sorted(self.faults.items())],
            "endless": _trouble(self.endless),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Totals:
        """From what `to_data` gave; raises KeyError, TypeError or ValueError for anything else."""
        plain = {name: int(data[name]) for name in ("players", "counters", "games", "decisions", "offered", "most")}
        counts = {name: _counter(data[name]) for name in ("lengths", "branching", "margins", "changes", "foreseen")}
        found = Totals(
            plain["players"],
            plain["counters"],
            ends=Counter({(int(status), int(winners)): int(count) for status, winners, count in data["ends"]}),
            scores=[_counter(pairs) for pairs in data["scores"]],
            led=int(data["led"]),
            comebacks=int(data["comebacks"]),
            looked_at=int(data["looked_at"]),
            turned=int(data["turned"]),
            leads=bool(data["leads"]),
            uses=[int(number) for number in data["uses"]],
            faults={(str(code), int(span)): _of_trouble(rest) for code, span, *rest in data["faults"]},
            endless=_of_trouble(data["endless"]),
        )
        for name in ("games", "decisions", "offered", "most"):
            setattr(found, name, plain[name])
        for name, counter in counts.items():
            setattr(found, name, counter)
        if len(found.uses) != SUMS * found.counters or len(found.scores) != found.players:
            raise ValueError("counts of another number than said")
        return found


def _pairs(counts: Counter[int]) -> list[list[int]]:
    return [[value, count] for value, count in sorted(counts.items())]


def _counter(pairs: Iterable[Iterable[int]]) -> Counter[int]:
    return Counter({int(value): int(count) for value, count in pairs})


def _trouble(trouble: Trouble) -> list[Any]:
    return [trouble.games, [[seen.seed, seen.decisions] for seen in trouble.examples]]


def _of_trouble(data: Iterable[Any]) -> Trouble:
    games, examples = data
    return Trouble(int(games), [Seen(int(seed), int(decisions)) for seed, decisions in examples])
