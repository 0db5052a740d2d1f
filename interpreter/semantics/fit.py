"""Which type fits where, and the arithmetic of bounds.

Two numbers are of one type whatever their bounds; a domain type fits only itself. `none` fits where a type is optional.
An optional value is accepted where one is needed: that it is there is a matter of play, and a fault when it is not. An
order counts as the set of its members.

Invariant: everything fits the error type and the error type fits everything, so that a mistake is reported once.
"""

from __future__ import annotations

from typing import Literal

from attrs import evolve

from interpreter.semantics.types import (
    NUMBER_HIGH,
    NUMBER_LOW,
    DomainType,
    ErrorType,
    ListType,
    MapType,
    NoneType,
    NumberType,
    SetType,
    Type,
)

__all__ = ["arithmetic_type", "element_of", "fits", "is_error", "join"]


def is_error(type: Type) -> bool:
    return isinstance(type, ErrorType)


def element_of(type: Type) -> Type | None:
    """The type of the members of a set or an order; None for what is neither."""
    return type.element if isinstance(type, SetType | ListType) else None


def fits(found: Type, expected: Type) -> bool:
    """Whether a value of one type may stand where another is expected."""
    if isinstance(found, ErrorType) or isinstance(expected, ErrorType):
        return True
    if isinstance(found, NoneType):
        return expected.optional or isinstance(expected, NoneType)
    if isinstance(expected, SetType):
        element = element_of(found)
        return element is not None and fits(element, expected.element)
    if isinstance(expected, ListType):
        return isinstance(found, ListType) and fits(found.element, expected.element)
    if isinstance(expected, MapType):
        return isinstance(found, MapType) and fits(found.key, expected.key) and fits(found.value, expected.value)
    if found.__class__ is not expected.__class__:
        return False
    return not isinstance(found, DomainType) or found.name == getattr(expected, "name", "")


def join(first: Type, second: Type) -> Type | None:
    """The type of a value that is one of two; None where they have nothing in common."""
    if isinstance(first, ErrorType):
        return second
    if isinstance(second, ErrorType):
        return first
    if isinstance(first, NoneType):
        return second.or_none()
    if isinstance(second, NoneType):
        return first.or_none()
    optional = first.optional or second.optional
    if isinstance(first, NumberType) and isinstance(second, NumberType):
        return NumberType(optional=optional, low=min(first.low, second.low), high=max(first.high, second.high))
    if fits(second, first):
        return evolve(first, optional=optional)
    return evolve(second, optional=optional) if fits(first, second) else None


def arithmetic_type(op: Literal["+", "-", "*", "div", "mod", "min", "max"], left: Type, right: Type) -> NumberType:
    """The bounds of a result from the bounds of its parts, never wider than those of a number."""
    a, b = left, right
    if not isinstance(a, NumberType) or not isinstance(b, NumberType):
        return NumberType()
    match op:
        case "+":
            low, high = a.low + b.low, a.high + b.high
        case "-":
            low, high = a.low - b.high, a.high - b.low
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            low, high = min(corners), max(corners)
        case "min":
            low, high = min(a.low, b.low), min(a.high, b.high)
        case "max":
            low, high = max(a.low, b.low), max(a.high, b.high)
        case "div" if b.low > 0:
            corners = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
            low, high = min(corners), max(corners)
        case "mod" if b.low > 0:
            low, high = 0, b.high - 1
        case _:
            low, high = NUMBER_LOW, NUMBER_HIGH
    low, high = (min(max(bound, NUMBER_LOW), NUMBER_HIGH) for bound in (low, high))
    return NumberType(low=low, high=high)
