"""Who stood better at half of a game, whatever the game: asked of random games that go on from there.

Not every game has scores, and scores in the middle may tell little. So some games are looked at once more: they are
played to half of their decisions, and from there to the end at random, many times. That tells each player's chance at
half, and so how often a game turned afterwards and how far it was settled by then.

Which games are looked at depends on their seeds alone. Invariant: what is found depends on the seed, the choices and
nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.api import Backend, Fault
from interpreter.backends.counted import GameRecord, picks
from interpreter.backends.lookahead import lookahead

__all__ = ["PER_MILLE", "Halfway", "is_looked_at"]

PER_MILLE = 1000
"""Chances are kept in thousandths."""
_GAMES = 40
"""Random games from the middle of one."""
_EVERY = 50
"""One of so many games of random players is looked at; of bots, all are."""


def is_looked_at(seed: int, *, is_random: bool) -> bool:
    """Is the game of a seed one of those that are looked at?"""
    return not is_random or seed % _EVERY == 0


class Halfway:
    """Looks at games of one program."""

    def __init__(self, backend: Backend, limit: int) -> None:
        self._backend = backend
        self._look = lookahead(backend)
        self._limit = limit

    def chances(self, record: GameRecord, positions: Sequence[int] | None) -> tuple[int, ...] | None:
        """Each player's chance at half of a game, in thousandths; None where a random game from there meets a fault.

        `positions` of the options that were taken; None if all were picked by the generator of the seed.
        """
        look, random = self._look, picks(record.seed)
        try:
            look.begin(self._backend.new_state(record.seed))
            for number in range(record.decisions // 2):
                codes = look.options()
                at = random.below(len(codes)) if positions is None else positions[number]
                look.take(codes[at])
            found = look.rollouts(record.seed, _GAMES, self._limit)
        except Fault:
            return None
        shares = [0.0] * len(self._backend.program.players)
        for (_, first), count in found.ends.items():
            winners = [player for player in range(len(shares)) if first >> player & 1]
            for player in winners:
                shares[player] += count / len(winners)
        return tuple(round(PER_MILLE * share / _GAMES) for share in shares)
