"""Dice within an expression: `strength + roll 2d6 >= 9`.

Every roll stands in the expression once, so the parts of an expression that hold different dice are independent: the
distribution of `a + b` follows from those of `a` and of `b`, and nothing else of the dice matters. So an expression is
cut wherever two parts with dice meet, each part is worked out alone, and what is combined is values, not ways that dice
can fall: `max(roll d6, max(roll d6, ...))` of ten dice takes 333 evaluations, not 60 million. Dice of one roll are
summed beforehand: `roll 3d6` has 16 sums.

A part that is never needed may fail when it is worked out by itself (`if roll d6 = 1 then 0 else 6 div (roll d6 - 1)`
in a rule where it does not matter). Then the expression is asked whole, for each combination of its dice.

Invariant: the distribution is that of the whole expression with every die falling once, independently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

from attrs import evolve, fields, frozen

from interpreter.analysis.odds.chance import Budget
from interpreter.backends.api import Fault
from interpreter.runtime import Session
from interpreter.runtime.snippets import value_of
from interpreter.semantics.model import Expr, Local, LocalRef, RolledDice, Understood
from interpreter.semantics.types import DomainType, FlagType, HalvesType, NumberType
from interpreter.semantics.walk import children, descend, find

__all__ = ["DiceFault", "WithDice", "dice_for_each", "with_dice"]

_BODIES = ("body", "condition")
"""Fields of a node that are worked out anew for each member of a set."""


class DiceFault(Exception):  # noqa: N818 - a fault of the rules file, not an error of ours
    """The expression has no value where its dice fall so."""

    def __init__(self, totals: tuple[int, ...], fault: Fault) -> None:
        super().__init__(totals, fault)
        self.totals = totals
        self.fault = fault


@frozen(eq=False)
class _Part:
    """Something whose value depends on independent parts: `expr` of `inputs`, each as `sources` says."""

    expr: Expr
    inputs: tuple[Local, ...]
    sources: tuple[_Part | RolledDice, ...]


@frozen(eq=False)
class WithDice:
    """An expression with dice, ready to be asked in many states."""

    whole: _Part
    """The expression of all its dice."""
    cut: _Part
    """The same, cut where independent parts meet."""

    def distribution(self, session: Session, budget: Budget) -> dict[int, Fraction]:
        """How likely each value is now; raises `DiceFault`, or `TooManyWaysError` beyond the budget."""
        if self.cut is not self.whole:
            try:
                return _distribution(session, self.cut, budget)
            except Fault:
                pass  # perhaps of a part that is not needed
        found: dict[int, Fraction] = {}
        for totals, weight in _combined(_sources(session, self.whole, budget)):
            budget.spend(bool(totals))
            value = self._value(session, totals)
            found[value] = found.get(value, Fraction(0)) + weight
        return found

    def once(self, session: Session, random: Random) -> int:
        """The value for dice that fell once; raises `DiceFault`."""
        totals = tuple(
            sum(random.randint(1, die.faces) for _ in range(die.count))
            for die in self.whole.sources
            if isinstance(die, RolledDice)
        )
        return self._value(session, totals)

    def _value(self, session: Session, totals: tuple[int, ...]) -> int:
        try:
            return value_of(session, self.whole.expr, self.whole.inputs, totals)
        except Fault as fault:
            raise DiceFault(totals, fault) from fault


def with_dice(expr: Expr, dice: Sequence[RolledDice]) -> WithDice:
    """An expression cut into independent parts, where each of its dice stands in it once."""
    whole = _Part(expr, tuple(die.local for die in dice), tuple(dice))
    by_local = {id(die.local): die for die in dice}
    used = [id(node.local) for node in find(expr, LocalRef) if id(node.local) in by_local]
    if len(dice) < 2 or sorted(used) != sorted(by_local):
        return WithDice(whole, whole)
    return WithDice(whole, _as_part(_cut(expr, by_local)))


def dice_for_each(expr: Expr, dice: Sequence[RolledDice]) -> Iterator[RolledDice]:
    """The dice that stand where something is worked out for each member of a set: how many fall is not said there."""
    by_local = {id(die.local): die for die in dice}
    for node in descend(expr):
        if isinstance(getattr(node, "local", None), Local) and not isinstance(node, LocalRef):
            for name in _BODIES:
                body = getattr(node, name, None)
                if isinstance(body, Understood):
                    inside = (ref for ref in find(body, LocalRef) if id(ref.local) in by_local)
                    yield from (by_local[id(ref.local)] for ref in inside)


def _cut(expr: Expr, dice: Mapping[int, RolledDice]) -> _Part | RolledDice:
    if isinstance(expr, LocalRef) and id(expr.local) in dice:
        return dice[id(expr.local)]
    kept = [child for child in children(expr) if any(id(ref.local) in dice for ref in find(child, LocalRef))]
    inputs: list[Local] = []
    sources: list[_Part | RolledDice] = []
    changed: dict[int, Understood] = {}
    for child in kept:
        part = _cut(child, dice) if isinstance(child, Expr) else _whole(child, dice)
        if isinstance(part, RolledDice):
            inputs.append(part.local)
            sources.append(part)
        elif len(kept) > 1 and isinstance(child, Expr) and _is_single(child):
            local = Local(name="part", type=child.type, span=child.span)
            inputs.append(local)
            sources.append(part)
            changed[id(child)] = LocalRef(local=local, type=child.type, span=child.span)
        else:
            inputs.extend(part.inputs)
            sources.extend(part.sources)
            changed[id(child)] = part.expr
    return _Part(_replaced(expr, changed), tuple(inputs), tuple(sources))


def _whole(node: Understood, dice: Mapping[int, RolledDice]) -> _Part:
    """A part that is no expression, such as a row of a table, is not cut."""
    found = tuple(dice[id(ref.local)] for ref in find(node, LocalRef) if id(ref.local) in dice)
    return _Part(node, tuple(die.local for die in found), found)  # type: ignore[arg-type]


def _as_part(found: _Part | RolledDice) -> _Part:
    assert isinstance(found, _Part), "an expression of two dice is none of them"
    return found


def _is_single(expr: Expr) -> bool:
    """Whether a value is one number in the program, so that it can be handed on."""
    return isinstance(expr.type, NumberType | HalvesType | FlagType | DomainType)


def _replaced(expr: Expr, changed: Mapping[int, Understood]) -> Expr:
    """The node with some of its parts replaced."""
    news: dict[str, Any] = {}
    for item in fields(type(expr)):
        value = getattr(expr, item.name)
        if id(value) in changed:
            news[item.name] = changed[id(value)]
        elif isinstance(value, tuple) and any(id(each) in changed for each in value):
            news[item.name] = tuple(changed.get(id(each), each) for each in value)
    return evolve(expr, **news) if news else expr


def _distribution(session: Session, part: _Part, budget: Budget) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for values, weight in _combined(_sources(session, part, budget)):
        budget.spend()
        value = value_of(session, part.expr, part.inputs, values)
        found[value] = found.get(value, Fraction(0)) + weight
    return found


def _sources(session: Session, part: _Part, budget: Budget) -> list[Mapping[int, Fraction]]:
    return [
        _sums(source.count, source.faces) if isinstance(source, RolledDice) else _distribution(session, source, budget)
        for source in part.sources
    ]


def _combined(known: Sequence[Mapping[int, Fraction]]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every combination of independent values, with its probability."""
    for chosen in product(*(each.items() for each in known)):
        weight = Fraction(1)
        for _, share in chosen:
            weight *= share
        yield tuple(value for value, _ in chosen), weight


@cache
def _sums(count: int, faces: int) -> Mapping[int, Fraction]:
    """How likely each sum of some dice is."""
    counts = {0: 1}
    for _ in range(count):
        following: dict[int, int] = {}
        for total, number in counts.items():
            for face in range(1, faces + 1):
                following[total + face] = following.get(total + face, 0) + number
        counts = following
    return {total: Fraction(number, faces**count) for total, number in counts.items()}
