"""What a bot needs to try games out: made once for a game, kept for all its questions.

Invariant: nothing in it depends on how any real game stands.
"""

from __future__ import annotations

import atexit
from random import Random
from threading import local

from attrs import define, field

from interpreter.analysis.bots.dealer import Dealer
from interpreter.analysis.bots.equilibrium import Equilibrium, equilibrium_of
from interpreter.analysis.bots.values import Aim, Scale, Worth, worth_of
from interpreter.backends.api import Fault, Lookahead
from interpreter.backends.lookahead import has_chance, lookahead
from interpreter.runtime.load import make_backend
from interpreter.runtime.rules import Rules

__all__ = ["Workshop", "workshop_of"]

_DECISIONS, _AT_ONCE = 60, 16
"""About so many decisions are played at random at once, in one game at least and not too many."""
_KEPT = 4
"""Games whose workshops are kept."""
_LONGEST = 5_000
"""Decisions after which a game that is tried out is given up."""


@define(eq=False)
class Workshop:
    """One game, to be tried out."""

    rules: Rules
    lookahead: Lookahead = field(init=False)
    """Plays games at native speed, whatever backend the real game has."""
    dealer: Dealer = field(init=False)
    """Deals what is hidden."""
    is_open: bool = field(init=False)
    """Whether everybody sees everything."""
    has_chance: bool = field(init=False)
    """Whether anything is left to chance."""
    secret: frozenset[int] = field(init=False)
    """Decisions that are made in secret."""
    _equilibria: dict[Aim, Equilibrium | None] = field(factory=dict, init=False)
    limit: int = _LONGEST
    """Decisions after which a game that is tried out is given up."""

    def __attrs_post_init__(self) -> None:
        self.lookahead = lookahead(make_backend("wasm", self.rules.program))
        self.dealer = Dealer(self.rules, self.lookahead)
        self.is_open = not self.rules.sight.has_secrets
        self.has_chance = has_chance(self.rules.program)
        decisions = self.rules.program.decisions
        self.secret = frozenset(
            number
            for number, decision in enumerate(decisions)
            if (decisions[decision.parent] if decision.form == "pick" else decision).secret
        )

    def played(self, random: Random, games: int, scale: Scale) -> Worth:
        """What random games are worth from where the lookahead stands; it has to be begun anew afterwards."""
        try:
            return worth_of(self.lookahead.rollouts(random.getrandbits(60), games, self.limit), self.players)
        except Fault:
            return self.fault(scale)

    def games_at_once(self) -> int:
        """How many games are played from a position that is met: more where games are short, so that the time goes into
        playing and not into keeping books."""
        try:
            decisions = self.lookahead.rollouts(1, 4, self.limit).decisions
        except Fault:
            return 1
        return max(1, min(_AT_ONCE, 4 * _DECISIONS // max(1, decisions)))

    def equilibrium(self, aim: Aim) -> Equilibrium | None:
        """The mixed strategies of the game, if it is small enough to have them found."""
        if aim not in self._equilibria:
            self._equilibria[aim] = equilibrium_of(self.rules, self.lookahead, aim)
        return self._equilibria[aim]

    def fault(self, scale: Scale) -> Worth:
        """What a game is worth in which the rules went wrong: something in the middle, lest it is sought or shunned."""
        share = 1 / max(2, self.players)
        return (share,) * self.players, (scale.middle,) * (self.players if self.rules.program.score else 0)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.rules.players)


_made = local()


@atexit.register
def _clear() -> None:
    """While Python takes itself apart, `wasmtime` cannot let go of its modules without complaint."""
    _made.__dict__.clear()


def workshop_of(rules: Rules) -> Workshop:
    """The workshop of a game: one for each thread, kept for the games that were asked about last."""
    kept: list[Workshop] = _made.__dict__.setdefault("kept", [])
    found = next((each for each in kept if each.rules is rules), None)
    if found is None:
        found = Workshop(rules)
        kept.insert(0, found)
        del kept[_KEPT:]
    return found
