"""What odds are asked of: a value, every place of a table, or what an effect changes.

Invariant: whatever is asked is understood completely before anything is worked out; nothing asked changes a state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Protocol

from attrs import frozen

from interpreter.analysis.odds.chance import Budget
from interpreter.analysis.odds.dice import DiceFault, WithDice, dice_for_each, with_dice
from interpreter.backends.api import Fault
from interpreter.diagnostics import Diagnostics, InvalidChoice, RulesError
from interpreter.ir.domains import domain_key
from interpreter.runtime import Rules, Session
from interpreter.runtime.names import number_text
from interpreter.runtime.snippets import value_of
from interpreter.semantics import domain_size, understand_effects, understand_expression, understand_odds
from interpreter.semantics import model as m
from interpreter.semantics.describe import plain_name
from interpreter.semantics.types import DomainType, FlagType, ListType, NumberType, RowType, SetType, Type
from interpreter.semantics.walk import called_from

__all__ = [
    "Asked",
    "NotUnderstoodError",
    "Outcome",
    "asked_values",
    "condition_of",
    "effect_of",
    "outcome_of_value",
]

_MOST_PLACES = 400
"""Places of a table that can be asked at once."""


class NotUnderstoodError(RulesError):
    """A text that means nothing in the game, with what is wrong with it."""

    def __init__(self, found: Diagnostics, text: str) -> None:
        super().__init__(found)
        self.text = text


@frozen
class Outcome:
    """One thing that can come out."""

    text: str
    """In words."""
    value: object
    """As plain data: a number, a flag, a name, None, or a tuple of those."""


def outcome_of_value(value: object) -> Outcome:
    """A value of the rules language as an outcome."""
    return Outcome(_text(value), value)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, int | Fraction):
        return number_text(value)
    if isinstance(value, tuple):
        return ", ".join(_text(each) for each in value) or "nothing"
    return str(value)


class Asked(Protocol):
    """One value that is asked about."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def expr(self) -> m.Expr:
        """What it is worked out from."""
        ...

    def weights(self, session: Session, budget: Budget) -> dict[Outcome, Fraction]:
        """How likely each outcome is in a state."""
        ...

    def once(self, session: Session, random: Random) -> Outcome:
        """One outcome in a state."""
        ...


@frozen(eq=False)
class _Value:
    """A value, in which dice may be rolled."""

    name: str
    expr: m.Expr
    dice: WithDice

    def weights(self, session: Session, budget: Budget) -> dict[Outcome, Fraction]:
        """See `Asked`."""
        try:
            found = self.dice.distribution(session, budget)
        except DiceFault as fault:
            raise self._raised(session, fault) from fault
        weights: dict[Outcome, Fraction] = {}
        for value, weight in found.items():
            outcome = _plain(session, self.expr, value)
            weights[outcome] = weights.get(outcome, Fraction(0)) + weight
        return weights

    def once(self, session: Session, random: Random) -> Outcome:
        """See `Asked`."""
        try:
            return _plain(session, self.expr, self.dice.once(session, random))
        except DiceFault as fault:
            raise self._raised(session, fault) from fault

    def _raised(self, session: Session, fault: DiceFault) -> Exception:
        """The error for an expression that has no value, with what the dice showed."""
        error = session.fault(fault.fault)
        if not fault.totals:
            return error
        said, at = [], 0
        spans = [each.span for each in self.dice.whole.inputs]
        for span, total in sorted(zip(spans, fault.totals, strict=True), key=lambda each: each[0].start):
            said.append(self.name[at : span.start.column - 1] + str(total))
            at = span.end.column - 1
        text = f"{''.join(said)}{self.name[at:]}"
        sink = Diagnostics()
        understand_expression(text, session.rules.game, sink)  # with numbers in it, more may be known to be wrong
        return InvalidChoice(f"`{text}`: {(*sink.errors, *error.diagnostics)[0].message}")


@frozen(eq=False)
class _Place:
    """One place of a table, or a value, relation or table for one combination of its inputs."""

    name: str
    expr: m.Expr
    inputs: tuple[m.Local, ...]
    values: tuple[int, ...]

    def weights(self, session: Session, budget: Budget) -> dict[Outcome, Fraction]:
        """See `Asked`."""
        return {self._outcome(session): Fraction(1)}

    def once(self, session: Session, random: Random) -> Outcome:
        """See `Asked`."""
        return self._outcome(session)

    def _outcome(self, session: Session) -> Outcome:
        try:
            return _plain(session, self.expr, value_of(session, self.expr, self.inputs, self.values))
        except Fault as fault:
            raise session.fault(fault) from fault


def _plain(session: Session, expr: m.Expr, value: int) -> Outcome:
    halves = isinstance(expr, m.CallExpr) and expr.function.halves
    type_ = SetType(element=expr.type.element) if isinstance(expr.type, ListType) else expr.type
    return outcome_of_value(session.names.plain(type_, value, session.state, halves=halves))


def asked_values(rules: Rules, text: str) -> tuple[Asked, ...] | None:
    """The value of an expression, or every place of a table that is named alone; None where an effect is meant.

    Raises `NotUnderstoodError` with what is wrong with the expression, `InvalidChoice` where it cannot be asked.
    """
    places = tuple(_places(rules, text))
    if places:
        return places
    sink = Diagnostics()
    found = understand_odds(text, rules.game, sink)
    if found is None:
        if understand_effects(text, rules.game, Diagnostics()) is not None:
            return None
        raise NotUnderstoodError(sink, text)
    expr, dice = found
    for die in dice_for_each(expr, dice):
        where = "stands where it would be rolled for each of several things"
        raise InvalidChoice(f"`{die.local.name}` {where}: ask after an effect that rolls")
    return (_Value(text, expr, with_dice(expr, dice)),)


def condition_of(rules: Rules, text: str) -> m.Expr:
    """The condition that a text means; raises `NotUnderstoodError` or `InvalidChoice`."""
    sink = Diagnostics()
    expr = understand_expression(text, rules.game, sink)
    if expr is None:
        raise NotUnderstoodError(sink, text)
    if not isinstance(expr.type, FlagType):
        raise InvalidChoice(f"`{text}` is no condition: expected something that holds or not")
    return expr


def effect_of(rules: Rules, text: str) -> m.Block:
    """The effects that a text names; raises `NotUnderstoodError` or `InvalidChoice`."""
    sink = Diagnostics()
    block = understand_effects(text, rules.game, sink)
    if block is None:
        raise NotUnderstoodError(sink, text)
    for function in called_from([block]):
        if function.form == "phase":
            raise InvalidChoice(f"phase `{function.name}` is played, not carried out: name an effect")
        if function.suspends:
            raise InvalidChoice(f"effect `{function.name}` asks somebody: use --choose with what is chosen")
    return block


# ------------------------------------------------------------------------------------------------ tables


def _places(rules: Rules, text: str) -> Iterator[_Place]:
    wanted = plain_name(text).casefold()
    game = rules.game
    for function in game.functions.values():
        if plain_name(function.name).casefold() == wanted and function.parameters and function.result is not None:
            yield from _of_function(rules, function, function.name)
            return
    for rows in game.rows.values():
        for first, count in _meant(rows, wanted):
            functions = {name: each for name, each in rows.functions.items() if each.result is not None}
            if not functions:
                raise InvalidChoice(f"table `{text}` has nothing but fixed figures: `dsl show` shows them")
            for member in range(first, first + count):
                for column, function in functions.items():
                    yield _place(function, f"{rows.members[member]}.{column}", (member,))
            return


def _meant(rows: m.RowDomain, wanted: str) -> Iterator[tuple[int, int]]:
    """The rows that a name means: those of one table, or of all tables of the type."""
    for table in rows.tables:
        if plain_name(table.name).casefold() == wanted:
            yield table.first, table.count
    if plain_name(rows.name).casefold() == wanted:
        yield 0, len(rows.members)


def _of_function(rules: Rules, function: m.Function, name: str) -> Iterator[_Place]:
    ranges = [_members(rules, local.type) for local in function.parameters]
    if any(each is None for each in ranges):
        needs = ", ".join(local.name for local in function.parameters)
        raise InvalidChoice(f"`{name}` needs {needs}: name them, as in `{name}(...)`")
    found = [each for each in ranges if each is not None]
    if prod(map(len, found)) > _MOST_PLACES:
        raise InvalidChoice(f"`{name}` has more than {_MOST_PLACES} combinations of inputs: name some of them")
    for values in product(*found):
        words = ", ".join(
            _name(rules, local.type, value) for local, value in zip(function.parameters, values, strict=True)
        )
        yield _place(function, f"{name}({words})", values)


def _place(function: m.Function, name: str, values: tuple[int, ...]) -> _Place:
    assert function.result is not None
    inputs = tuple(m.Local(name=each.name, type=each.type, span=each.span) for each in function.parameters)
    arguments = tuple(m.LocalRef(local=each, type=each.type, span=each.span) for each in inputs)
    call = m.CallExpr(function=function, arguments=arguments, type=function.result, span=function.span)
    return _Place(name, call, inputs, values)


def _members(rules: Rules, type_: Type) -> Sequence[int] | None:
    """The values of a type of which there are few; None for any number, a set, a piece by its number."""
    if isinstance(type_, FlagType):
        return (0, 1)
    if isinstance(type_, NumberType):
        return range(type_.low, type_.high + 1) if type_.high - type_.low < _MOST_PLACES else None
    if isinstance(type_, DomainType) and (isinstance(type_, RowType) or domain_key(type_) in rules.program.names):
        return range(domain_size(rules.game, type_))
    return None


def _name(rules: Rules, type_: Type, value: int) -> str:
    return rules.names.value(type_, value, list(rules.program.initial))
