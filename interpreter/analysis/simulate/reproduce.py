"""Plays the game of a seed once more, as a session that can be saved and looked at.

A game with a fault is played up to the decision whose choice led to it, so that the save opens, and whoever goes on
meets the fault. Invariant: the session has made the choices that were counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from interpreter.analysis.simulate.shards import RANDOM, chooser
from interpreter.backends.api import Backend
from interpreter.diagnostics import RulesError
from interpreter.ir.program import Program
from interpreter.runtime.load import make_backend
from interpreter.runtime.rules import Rules
from interpreter.runtime.session import Session

__all__ = ["Reproduced", "reproduce"]

_LONGEST = 2_000
"""Decisions after which a game without an end is saved: what goes round in a ring does so by then."""


@frozen
class Reproduced:
    """A game that was played again."""

    session: Session
    """It waits at a decision."""
    leads_to: str
    """The option that leads to the fault; empty where there is none."""


def reproduce(rules: Rules, seats: Sequence[str], seed: int, decisions: int, *, faulty: bool) -> Reproduced | None:
    """The game of a seed after so many decisions, before the last of them if that led to a fault; None if the fault is
    met before the first decision."""
    if any(seat != RANDOM for seat in seats):
        rules = _with_quick_backend(rules)
    try:
        session = rules.start(seed)
    except RulesError:
        return None
    choose = chooser(seats, seed)
    for _ in range(min(decisions, _LONGEST) - faulty):
        session.apply(session.options[choose(session)])
    if not faulty:
        return Reproduced(session, "")
    if session.is_over or decisions > _LONGEST:
        return Reproduced(session, "")
    return Reproduced(session, session.options[choose(session)].name)


def _with_quick_backend(rules: Rules) -> Rules:
    def make(program: Program) -> Backend:
        return make_backend("wasm", program)

    backend = make_backend("wasm", rules.program)
    return Rules(rules.program, backend, make, rules.configuration, rules.options, lambda: rules.game, rules.files)
