"""Odds of what follows from an option that rolls dice right away.

The option is taken on copies of the game under every way that the dice can fall. What follows is told by the log as
far as the player may know it, so a game whose next step would bring a secret to light is not studied: the answer
would tell what nobody may know yet.

Invariant: the game itself is not touched, and nothing hidden from the player is in the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeVar

from interpreter.analysis.odds import Given, Odds, Share, odds_of, outcome_of_value
from interpreter.backends.api import Fault
from interpreter.diagnostics import RulesError
from interpreter.runtime.options import Option
from interpreter.runtime.session import Session
from interpreter.tools.cli.odds_text import odds_table
from interpreter.tools.play.discreet import HIDDEN_ANSWER, known_to

__all__ = ["odds_after", "odds_lines"]

_LIMIT = 8_000
_SAMPLES = 2_000
_MOST_OPTIONS = 20
_MOST_OUTCOMES = 12
_MOST_NEXT = 4
_FEW, _MANY = 20, 600
"""Games that look the same, tried for each outcome and for the game as it stands."""

T = TypeVar("T", bound=Hashable)


class _SecretError(Exception):
    """What follows would tell something hidden."""


def odds_lines(session: Session, options: Sequence[Option], viewer: int | None) -> Iterator[str]:
    """For each option that rolls dice right away, what may follow, the likeliest first."""
    told = False
    for option in options[:_MOST_OPTIONS]:
        found = _plain(_study(session, option, viewer, lambda after, was: _told(after, was, viewer)))
        if isinstance(found, str):
            yield f"{option.name}: {found}"
            told = True
        elif found is not None:
            told = True
            yield f"{option.name}:"
            if len(found.shares) > _MOST_OUTCOMES:
                yield f"  {len(found.shares)} different outcomes; `odds NUMBER EXPR` asks for one figure"
            else:
                yield from (f"  {line}" for line in odds_table(found))
    if len(options) > _MOST_OPTIONS:
        yield f"(only the first {_MOST_OPTIONS} options were studied; `odds N` asks for one)"
    if not told:
        yield "no option rolls dice right away"


def odds_after(session: Session, option: Option, text: str, viewer: int | None) -> Iterator[str]:
    """The odds of the value of an expression after an option."""

    def told(after: Session, most: int = _FEW) -> str:
        found = known_to(after, viewer, lambda each: _evaluated(each, text), most=most)
        if found is None:
            raise _SecretError
        return found

    try:
        told(session, _MANY)
    except _SecretError:
        yield HIDDEN_ANSWER
        return
    found = _study(session, option, viewer, lambda after, _: told(after))
    if isinstance(found, str):
        yield found
    elif found is None:
        yield f"{option.name} rolls no dice right away"
    else:
        yield f"{text} after {option.name}:"
        yield from (f"  {line}" for line in odds_table(found))


def _evaluated(session: Session, text: str) -> str:
    """The value of an expression in words; what has no value is an error of the rules, never a fault of ours."""
    try:
        return outcome_of_value(session.evaluate(text)).text
    except Fault as fault:
        raise session.fault(fault) from fault


def _told(after: Session, was: int, viewer: int | None) -> tuple[str, str]:
    """What the log says of an outcome, and what may be chosen next."""
    said = "; ".join(after.log(viewer)[was + 1 :])
    if after.outcome is not None:
        return said, after.outcome.text(after.rules.players)
    if after.player != viewer and after.sight.has_secrets:
        return said, f"{after.player_name} decides"
    names = ", ".join(option.name for option in after.options[:_MOST_NEXT])
    more = ", ..." if len(after.options) > _MOST_NEXT else ""
    return said, f"{after.player_name}: {names}{more}"


def _plain(odds: Odds[tuple[str, str]] | str | None) -> Odds[str] | str | None:
    """Outcomes told by the log where that tells them apart, else by what may be chosen next."""
    if odds is None or isinstance(odds, str):
        return odds
    at = 0 if len({said for said, _ in odds.shares}) > 1 else 1
    shares: dict[str, Share] = {}
    for outcome, share in odds.shares.items():
        name = outcome[at] or "nothing else happens"
        known = shares.get(name)
        shares[name] = share if known is None else known.with_(share)
    return Odds(shares, odds.is_exact, odds.runs)


def _study(
    session: Session, option: Option, viewer: int | None, tell: Callable[[Session, int], T]
) -> Odds[T] | str | None:
    """The odds; None when no dice fall; or why they cannot be told."""
    was = len(session.log(viewer))

    def run(given: Given) -> T:
        after = copy_with_chance(session, given)
        after.apply(option)
        if session.sight.has_secrets and session.sight.disclosed(session.state, after.state) is not None:
            raise _SecretError
        return tell(after, was)

    try:
        found = odds_of(run, limit=_LIMIT, samples=_SAMPLES)
    except _SecretError:
        return HIDDEN_ANSWER
    except RulesError as fault:
        return fault.diagnostics[0].message
    return None if found.is_certain else found


def copy_with_chance(session: Session, given: Given) -> Session:
    """A copy of a game whose dice are given."""
    copy = Session(session.rules, list(session.state), chance=given)
    copy.journal = session.journal.clone()
    return copy
