"""A bot that looks one decision ahead.

For every option it plays a few games to their end at random, all options in the same few games that could be the real
one: what is hidden from its player, the generator too, is dealt anew for each. It takes the option that does best on
average, by winning first, alone or with others, and by points second. Picks that complete an option are made at random
while looking ahead, and are looked at one by one when they are asked.

Where there are many options only some are tried, so that a decision takes about the same time in every game.

Invariant: nothing hidden from the player is read: only states made by `runtime.leak` are played on.
"""

from __future__ import annotations

from random import Random

from interpreter.backends.api import Fault, State
from interpreter.ir.program import RUNNING, STATUS, WINNERS
from interpreter.runtime.leak import shuffled_state
from interpreter.runtime.options import Option
from interpreter.runtime.outcome import scores_of
from interpreter.runtime.session import Session

__all__ = ["GreedyBot"]

_LIMIT = 2_000
"""Decisions after which a game that is played to its end is given up."""


class GreedyBot:
    """Looks one decision ahead by random games."""

    def __init__(self, seed: int = 0, *, playouts: int = 8, most: int = 200) -> None:
        self._random = Random(seed)
        self._playouts = playouts
        self._most = most

    def choose(self, session: Session) -> Option:
        options = session.options
        player = session.player
        if len(options) == 1 or player is None:
            return options[0]
        tried = list(options)
        if len(tried) > self._most:
            tried = self._random.sample(tried, self._most)
        worlds = [shuffled_state(session.sight, session.state, player, self._random) for _ in range(self._playouts)]
        values = [sum(self._value(session, world, option, player) for world in worlds) for option in tried]
        best = max(values)
        return self._random.choice([option for option, value in zip(tried, values, strict=True) if value == best])

    def _value(self, session: Session, world: State, option: Option, player: int) -> float:
        """How a random game after an option ends for the player, from -1 to 1."""
        backend = session.rules.backend
        state = list(world)
        try:
            if option.code not in backend.options(state):
                return 0.0  # only where rules let an option depend on what its player may not know
            backend.apply(state, option.code)
            if state[STATUS] == RUNNING:
                backend.playout(state, self._random.randrange, _LIMIT)
        except Fault:
            return -1.0
        return self._worth(session, state, player)

    @staticmethod
    def _worth(session: Session, state: State, player: int) -> float:
        points = [float(score) for score in scores_of(session.rules.program, session.rules.backend, state)]
        won = state[WINNERS]
        ahead = 0.0 if won == 0 else 1.0 if won >> player & 1 else -1.0
        if not points:
            return ahead
        most = max((abs(score) for score in points), default=0.0) or 1.0
        margin = points[player] if len(points) == 1 else (points[player] - sum(points) / len(points)) / most
        return ahead + 0.1 * margin
