"""Games that are tried out on any backend: for the judge, and for whoever has no loop of its own.

The same as a backend does inside that plays many games by itself, and slower by far. The games come from a generator of
64 bits that every loop of random games has.

Invariant: the same state, seed and number of games give the same `Rollouts` as in any other backend.
"""

from __future__ import annotations

from collections.abc import Hashable

from interpreter.backends.api import Backend, Lookahead, ManyGames, Rollouts, State, seeded
from interpreter.ir.code import Chance
from interpreter.ir.program import DECISION, DRAWN, RNG, STATUS, WINNERS, WON, Program
from interpreter.ir.rewrite import visit_program

__all__ = ["PlainLookahead", "Xorshift", "has_chance", "lookahead", "seed_of_games"]


def lookahead(backend: Backend) -> Lookahead:
    """A game to be tried out on a backend: inside of it where it can."""
    return backend.lookahead() if isinstance(backend, ManyGames) else PlainLookahead(backend)


class PlainLookahead:
    """Implements `api.Lookahead` on any backend."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._program = backend.program
        self._draws = has_chance(backend.program)
        self._state: State = []
        self._options: list[int] = []

    def begin(self, state: State) -> None:
        self._state = list(state)
        options = self._backend.options(self._state) if state[DECISION] >= 0 else self._backend.run(self._state)
        self._options = list(options or ())

    def options(self) -> list[int]:
        return list(self._options)

    def actor(self) -> int:
        decision = self._state[DECISION]
        if decision < 0:
            return -1
        return self._backend.call(self._program.decisions[decision].actor, self._state)

    def decision(self) -> int:
        return self._state[DECISION]

    def take(self, code: int) -> bool:
        self._options = list(self._backend.apply(self._state, code) or ())
        return bool(self._options)

    def state(self) -> State:
        return list(self._state)

    def keep(self) -> Hashable:
        return (*self._state[:RNG], *self._state[RNG + 4 :])

    def go_back(self, kept: Hashable, seed: int) -> None:
        assert isinstance(kept, tuple)
        self.begin([*kept[:RNG], *seeded(seed), *kept[RNG:]])

    def rollouts(self, seed: int, games: int, limit: int) -> Rollouts:
        random = Xorshift(seed_of_games(seed))
        decisions = 0
        ends: dict[tuple[int, int], int] = {}
        points = [0] * (len(self._program.players) if self._program.score else 0)
        kept = self._state
        for _ in range(games):
            state = list(kept)
            if self._draws:
                words = [random.next() >> 32 for _ in range(4)]
                state[RNG : RNG + 4] = *words[:3], words[3] | 1
            played = self._backend.playout(state, lambda count: (random.next() >> 32) * count >> 32, limit)
            decisions += played if played >= 0 else limit
            scores = [self._backend.call(self._program.score, state, player) for player in range(len(points))]
            points = [total + score for total, score in zip(points, scores, strict=True)]
            end = state[STATUS], _first(state, scores)
            ends[end] = ends.get(end, 0) + 1
        return Rollouts(games, decisions, ends, tuple(points))


def _first(state: State, scores: list[int]) -> int:
    """Who stands first: the winners, or those with the most points."""
    if not scores or state[STATUS] in (WON, DRAWN):
        return state[WINNERS]
    most = max(scores)
    return sum(1 << player for player, score in enumerate(scores) if score == most)


def has_chance(program: Program) -> bool:
    """Whether anything is left to chance."""
    return any(isinstance(node, Chance) for node in visit_program(program))


def seed_of_games(seed: int) -> int:
    """With which 64 bits a loop of random games begins (splitmix)."""
    z = seed + 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    x = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    x = (x ^ x >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return x ^ x >> 31 | 1


class Xorshift:
    """The generator of random games: 64 bits, shifts of 13, 7 and 17."""

    def __init__(self, state: int) -> None:
        self.state = state

    def next(self) -> int:
        x = self.state
        x ^= x << 13 & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 7
        x ^= x << 17 & 0xFFFFFFFFFFFFFFFF
        self.state = x
        return x

    def below(self, count: int) -> int:
        """One of 0..count-1."""
        return (self.next() >> 32) * count >> 32
