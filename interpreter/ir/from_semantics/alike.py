"""Pieces that are alike: the same kind, place, attributes and fields. Options offer one of them.

Dice of one face are the common case: a player chooses "a six", not the third die.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir import code as c
from interpreter.ir.from_semantics import sets
from interpreter.ir.from_semantics.context import Scope, element
from interpreter.semantics import model
from interpreter.semantics.types import PieceType, Type

ZERO, ONE = c.Int(0), c.Int(1)
MOST_KEYS = 4096
"""Keys beyond which pieces are simply offered one by one."""


def key_of(scope: Scope, type_: Type, member: c.Expr) -> c.Expr:
    """A number that is the same for members that are alike; the member itself where none are."""
    parts = _parts(scope, type_, member)
    if parts is None:
        return member
    key: c.Expr = ZERO
    for value, size in parts:
        key = value if key == ZERO else c.Binary("+", c.Binary("*", key, c.Int(size)), value)
    return key


def has_alike(scope: Scope, type_: Type) -> bool:
    """Whether members of a domain can be alike."""
    return _parts(scope, type_, ZERO) is not None


def unless_alike(
    scope: Scope,
    set_: model.Expr,
    local: model.Local,
    write: Callable[[c.Expr], None],
    taken: c.Expr | None = None,
) -> None:
    """A loop over a set that leaves out members alike to an earlier one, and those in the bit set `taken`."""
    type_ = element(set_.type)
    alike = has_alike(scope, type_) and not _stand_apart(set_)
    seen = scope.assign("seen", ZERO) if alike else None

    def each(member: c.Expr) -> None:
        free = None if taken is None else c.Not(c.HasBit(taken, member))
        if seen is None:
            if free is None:
                write(member)
            else:
                scope.emit(c.If(free, scope.body(lambda: write(member))))
            return
        key = scope.atom(key_of(scope, type_, member), "key")
        new: c.Expr = c.Not(c.HasBit(seen, key))

        def first_of_its_like() -> None:
            scope.emit(c.Assign(seen.name, c.Binary("|", seen, c.Binary("<<", ONE, key))))
            write(member)

        scope.emit(c.If(new if free is None else c.And(free, new), scope.body(first_of_its_like)))

    sets.iterate(scope, set_, each, local.name)


def _stand_apart(set_: model.Expr) -> bool:
    """Do all members stand on spaces of a board? No two share one, so none is like another."""
    match set_:
        case model.PiecesOn():
            return True
        case model.Filter(local=local, source=source, condition=condition):
            asked = [] if condition is None else _all_of(condition)
            return _stand_apart(source) or any(_says_where(part, local) for part in asked)
    return False


def _all_of(condition: model.Expr) -> list[model.Expr]:
    """What has to hold, each for itself."""
    match condition:
        case model.Logic(op="and", left=left, right=right):
            return [*_all_of(left), *_all_of(right)]
    return [condition]


def _says_where(condition: model.Expr, local: model.Local) -> bool:
    match condition:
        case model.Compare(op="!=", left=model.SpaceOf(piece=model.LocalRef(local=piece)), right=model.Const(value=-1)):
            return piece is local
    return False


def _parts(scope: Scope, type_: Type, member: c.Expr) -> list[tuple[c.Expr, int]] | None:
    """What tells pieces of a kind apart, each with its number of values; None where none are alike."""
    if not isinstance(type_, PieceType):
        return None
    low = scope.low
    kind = low.game.kinds[type_.name]
    if not kind.alike or kind.count < 2:
        return None
    parts: list[tuple[c.Expr, int]] = []
    total = 1
    for variable in kind.fields.values():
        group = low.slots.variables[id(variable)]
        if len(variable.keys) != 1:
            return None
        value: c.Expr = c.LoadAt(group.base, member)
        if variable.low != 0:
            value = c.Binary("-", value, c.Int(variable.low))
        parts.append((value, variable.high - variable.low + 1))
    for attribute in kind.attributes.values():
        size = max(attribute.values, default=0) + 2
        array = low.array(f"{attribute.name} of {kind.name}", attribute.values)
        parts.append((c.Binary("+", c.ArrayGet(array, member), ONE), size))
    places = len(low.slots.place_codes[kind.name])
    parts.append((c.LoadAt(low.slots.places[kind.name].base, member), places))
    for _, size in parts:
        total *= size
    return parts if total <= MOST_KEYS else None


__all__ = ["has_alike", "key_of", "unless_alike"]
