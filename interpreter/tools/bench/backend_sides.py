"""Our own backends as sides. A backend that plays random games by itself does so."""

from __future__ import annotations

from random import Random

from interpreter.backends.api import Backend, ManyGames
from interpreter.tools.bench.sides import LONGEST, Side, Slice, timed

__all__ = ["backend_side"]


def backend_side(name: str, backend: Backend) -> Side:
    """A backend that plays; a fault of the rules leaves it as the backend's `Fault`."""
    itself = backend if isinstance(backend, ManyGames) else None

    def play_many(seed: int, games: int) -> tuple[int, int]:
        assert itself is not None
        outcomes = itself.random_playouts(seed, games, LONGEST)
        return outcomes.decisions, outcomes.unfinished

    def play_each(seed: int, games: int) -> tuple[int, int]:
        chance = Random(seed).random
        decisions = unfinished = 0
        for number in range(games):
            played = backend.playout(backend.new_state(seed + number), lambda count: int(chance() * count), LONGEST)
            decisions += played if played >= 0 else LONGEST
            unfinished += played < 0
        return decisions, unfinished

    played = play_many if itself is not None else play_each

    def play(seed: int, games: int) -> Slice:
        return timed(games, lambda: played(seed, games))

    return Side(name, f"backend {name}", play)
