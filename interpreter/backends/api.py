"""What every backend offers, and what it may raise.

A state is a plain `list[int]` of `program.layout.size` numbers; whoever holds one may copy, hash and save it at any
moment. A backend keeps no game of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, runtime_checkable

from attrs import frozen

from interpreter.ir.code import LIMIT
from interpreter.ir.program import Program
from interpreter.ir.ranges import WIDEST

FUEL = 100_000
"""Blocks between two decisions, and turns of one loop, beyond which a game is taken to hang."""
WORK = 250_000_000
"""Steps between two decisions beyond which a game asks too much; `backends.work` says what is counted."""
DEEPEST = 500
"""How deep functions may call one another in a ring."""

State = list[int]


class Fault(Exception):  # noqa: N818 - a fault of the rules file, not an error of ours
    """The rules did something that they may not: `code` of the diagnostic, number of the span in the program."""

    def __init__(self, code: str, span: int) -> None:
        super().__init__(code, span)
        self.code = code
        self.span = span


class TooLarge(ArithmeticError):  # noqa: N818
    """A calculation gave more than a number or a set can be."""


def number(value: int) -> int:
    """A result that is checked to be a number."""
    if -LIMIT <= value <= LIMIT:
        return value
    raise TooLarge


def moved(members: int, by: int) -> int:
    """A bit set shifted to the left, checked to stay one."""
    if by < WIDEST:
        result = members << by
        if result.bit_length() <= WIDEST:
            return result
    raise TooLarge


class Watcher(Protocol):
    """Follows a run. `chance` supplies chance (from the state, or given); the others only listen."""

    def chance(self, state: State, sides: int) -> int: ...

    def event(self, event: int, arguments: tuple[int, ...]) -> None: ...

    def mark(self, span: int) -> None: ...

    def taken(self, state: State, decision: int, code: int) -> None:
        """An only option was taken without asking anybody; the state is the one before it."""
        ...


class Backend(Protocol):
    """One program, ready to run."""

    program: Program

    def new_state(self, seed: int) -> State:
        """A state before set-up: everything in the box, every variable at its start."""
        ...

    def run(self, state: State, watcher: Watcher | None = None) -> Sequence[int] | None:
        """Goes on from the program counter to the next decision: its option codes, or None when the game is over."""
        ...

    def apply(self, state: State, code: int, watcher: Watcher | None = None) -> Sequence[int] | None:
        """Takes an option of the decision that waits (not checked), then runs."""
        ...

    def options(self, state: State) -> Sequence[int]:
        """The codes of the decision that waits, in a fixed order; empty when the game is over."""
        ...

    def call(self, function: str, state: State, *arguments: int, watcher: Watcher | None = None) -> int:
        """The value of a function of the program (0 for an effect)."""
        ...

    def playout(self, state: State, pick: Callable[[int], int], limit: int) -> int:
        """Plays to the end, each decision an option of position `pick(number of options)`; returns the number of
        decisions, or -1 when `limit` was reached first."""
        ...


@frozen
class Outcomes:
    """What came of many games. `ends`: how often by status and bit set of winners; `decisions` of all games."""

    games: int
    decisions: int
    unfinished: int
    ends: dict[tuple[int, int], int]


@frozen
class Rollouts:
    """What came of many games from one state."""

    games: int
    """How many were played."""
    decisions: int
    """Decisions of all of them."""
    ends: dict[tuple[int, int], int]
    """How often by status, `RUNNING` for a game given up at the limit, and bit set of the players who stood first: the
    winners; where scores decide, or of a game given up, those with the most points; nobody if there are none."""
    points: tuple[int, ...]
    """The sum of the last scores of each player, as the program counts them; empty in a game without scores."""


class Lookahead(Protocol):
    """A game that is tried out, from any state and as often as one likes. It goes on in a copy of its own: no state of
    anybody else changes. A fault of the rules leaves it to be begun anew."""

    def begin(self, state: State) -> None:
        """Stands where a state stands: at the decision that waits, or where play goes on to the next one."""
        ...

    def options(self) -> list[int]:
        """The codes of the decision that waits; empty when the game is over."""
        ...

    def actor(self) -> int:
        """Who decides; -1 when the game is over."""
        ...

    def decision(self) -> int:
        """The number of the decision that waits; -1 when the game is over."""
        ...

    def take(self, code: int) -> bool:
        """Takes an option (not checked) and goes on; whether a decision waits."""
        ...

    def state(self) -> State:
        """A copy of where it stands."""
        ...

    def keep(self) -> Hashable:
        """Where it stands, but for the generator: equal where games stand alike; `go_back` takes it."""
        ...

    def go_back(self, kept: Hashable, seed: int) -> None:
        """Stands again where it stood, at a decision that waits, with the generator begun anew."""
        ...

    def rollouts(self, seed: int, games: int, limit: int) -> Rollouts:
        """Plays so many games to their end from here, every option and every result of chance equally likely, each at
        most `limit` decisions long; the same seed, the same games. Afterwards it has to be begun anew."""
        ...


@runtime_checkable
class ManyGames(Protocol):
    """A backend that plays uniformly random games by itself."""

    def random_playouts(self, seed: int, games: int, limit: int) -> Outcomes:
        """Plays so many games from the start, each at most `limit` decisions long; the same seed, the same games."""
        ...

    def lookahead(self) -> Lookahead:
        """A new game to be tried out."""
        ...

    def rollouts(self, state: State, seed: int, games: int, limit: int) -> Rollouts:
        """`Lookahead.rollouts` from a state."""
        ...


def draw(state: State, sides: int) -> int:
    """One of 0..sides-1 from the generator in the state (xoshiro128**, rejection of the uneven rest)."""
    from interpreter.ir.program import RNG

    if sides <= 1:
        return 0
    limit = 0x100000000 - 0x100000000 % sides
    while True:
        s0, s1, s2, s3 = state[RNG : RNG + 4]
        x = s1 * 5 & 0xFFFFFFFF
        result = (x << 7 | x >> 25) * 9 & 0xFFFFFFFF
        t = s1 << 9 & 0xFFFFFFFF
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        s3 = (s3 << 11 | s3 >> 21) & 0xFFFFFFFF
        state[RNG : RNG + 4] = s0, s1, s2, s3
        if result < limit:
            return result % sides


def seeded(seed: int) -> tuple[int, int, int, int]:
    """Four words of generator state from any whole number (splitmix)."""
    words = []
    z = seed & 0xFFFFFFFFFFFFFFFF
    for _ in range(4):
        z = (z + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        x = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        x = (x ^ x >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        words.append((x ^ x >> 31) & 0xFFFFFFFF)
    return (words[0], words[1], words[2], words[3] | 1)
