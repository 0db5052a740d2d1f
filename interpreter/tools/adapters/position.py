"""One game in progress, for programs that play many: no log, no undo, no names unless they are asked for.

Invariant: a decision waits and somebody decides, or the game is over and nobody does.
"""

from __future__ import annotations

from fractions import Fraction
from io import StringIO
from os import environ
from pathlib import Path

from interpreter.backends.api import Fault, State
from interpreter.backends.lookahead import lookahead
from interpreter.ir.program import DECISION
from interpreter.runtime import Outcome, Rules, Session, load
from interpreter.runtime.options import options_of
from interpreter.runtime.outcome import outcome_of, scores_of
from interpreter.runtime.rules import OptionValue

__all__ = ["Position", "rules_for"]


def rules_for(
    rules: Rules | str | Path,
    players: int | None,
    options: dict[str, OptionValue] | None,
    scenario: str | None,
) -> Rules:
    """The game that an environment is made of: as it is, or loaded for speed."""
    if isinstance(rules, Rules):
        return rules
    backend = environ.get("DSL_BACKEND") or "wasm"
    return load(rules, players=players, options=options, scenario=scenario, backend=backend)


class Position:
    """One game in progress."""

    rules: Rules
    """The game."""
    codes: list[int]
    """The options, in order; empty when the game is over."""
    player: int
    """Who decides; -1 when the game is over."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.codes = []
        self.player = -1
        self._game = lookahead(rules.backend)
        self._state: State | None = None
        self._before: State = []

    def begin(self, seed: int) -> None:
        """A new game, run to its first decision."""
        self.stand(self.rules.backend.new_state(seed))

    def stand(self, state: State) -> None:
        """Goes on from a state."""
        self._before = state
        try:
            self._game.begin(state)
        except Fault as fault:
            raise self._session(state).fault(fault) from None
        self._arrive()

    def take(self, code: int) -> None:
        """Takes one of the options; raises `RulesError` for a fault of the rules."""
        self._before = self.state
        try:
            self._game.take(code)
        except Fault as fault:
            raise self._session(self._before).fault(fault) from None
        self._arrive()

    def _arrive(self) -> None:
        self._state = None
        self.codes = self._game.options()
        self.player = self._game.actor() if self.codes else -1

    @property
    def state(self) -> State:
        """The numbers that are the game; not to be changed."""
        if self._state is None:
            self._state = self._game.state()
        return self._state

    @property
    def decision(self) -> int:
        """The number of the decision that waits; -1 when the game is over."""
        return self.state[DECISION] if self.codes else -1

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return outcome_of(self.rules.program, self.rules.backend, self.state)

    @property
    def scores(self) -> tuple[int | Fraction, ...]:
        """The points of each player now; empty in a game without scores."""
        return scores_of(self.rules.program, self.rules.backend, self.state)

    def names(self) -> tuple[str, ...]:
        """The options in words."""
        return tuple(o.name for o in options_of(self.rules.program, self.rules.names, self.state, self.codes))

    def session(self) -> Session:
        """The same as a session, for bots and for looking at it."""
        return self._session(self.state)

    def text(self, viewer: int | None) -> str:
        """What a player sees, as lines of text."""
        from interpreter.tools.play.screen import PlainScreen
        from interpreter.tools.play.sheet import sheet_of
        from interpreter.tools.play.tabletop import Tabletop

        rules, out = self.rules, StringIO()
        table = Tabletop(rules.game, rules.program, rules.backend, rules.names, rules.sight, list(self.state), viewer)
        PlainScreen(out).sheet(sheet_of(table))
        return out.getvalue().lstrip("\n")

    def _session(self, state: State) -> Session:
        return Session(self.rules, list(state), quiet=True)
