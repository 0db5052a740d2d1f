"""Sets joined by `also`.

Zones without an order and the box are told by the place of a piece, so the union of several is one look at each piece.
Other sets of members are joined as bit sets. Only where the order counts (the first one, what options offer) the
members are listed: those of the first set, then those of the second that are not among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.ir import code as c
from interpreter.ir.from_semantics import sets
from interpreter.ir.from_semantics.context import Scope, element
from interpreter.semantics import model
from interpreter.semantics.types import DomainType

ZERO = c.Int(0)

Write = Callable[[c.Expr], None]


def each_of_both(scope: Scope, set_: model.Union, write: Write, name: str, any_order: bool) -> None:
    """One loop over the members of two sets."""
    places = _places(set_)
    if any_order and places is not None:
        _each_at(scope, places, write, name)
    elif any_order and isinstance(element(set_.type), DomainType):
        var = scope.fresh(name)
        bits = sets.mask(scope, set_)
        scope.emit(c.ForBits(var, bits, scope.body(lambda: write(c.Var(var)))))
    else:
        listed, var = scope.fresh(f"{name}s"), scope.fresh(name)
        scope.emit(c.NewList(listed))
        parts = list(_parts(set_))
        for number, part in enumerate(parts):
            new = all(are_apart(part, earlier) for earlier in parts[:number])

            def add(member: c.Expr, new: bool = new) -> None:
                push = c.Push(listed, member)
                scope.emit(push if new else c.If(c.Not(c.InList(listed, member)), (push,)))

            sets.iterate(scope, part, add)
        scope.emit(c.ForList(var, listed, scope.body(lambda: write(c.Var(var)))))


def _parts(set_: model.Expr) -> Iterator[model.Expr]:
    """The sets that are joined, in their order."""
    if isinstance(set_, model.Union):
        yield from _parts(set_.left)
        yield from _parts(set_.right)
    else:
        yield set_


def mask_of_both(scope: Scope, set_: model.Union) -> c.Expr:
    """The bit set of the members of two sets."""
    places = _places(set_)
    if places is None:
        left = scope.atom(sets.mask(scope, set_.left), "bits")
        return c.Binary("|", left, sets.mask(scope, set_.right))
    bits = scope.assign("bits", ZERO)

    def add(member: c.Expr) -> None:
        scope.emit(c.Assign(bits.name, c.Binary("|", bits, c.Binary("<<", c.Int(1), member))))

    _each_at(scope, places, add, "piece")
    return bits


def count_of_both(scope: Scope, set_: model.Union) -> c.Expr | None:
    """How many members two sets have together, where that is told by the two alone; None elsewhere."""
    if _places(set_) is not None:
        return None  # one look at each piece tells
    if are_apart(set_.left, set_.right):
        left = scope.atom(sets.count(scope, set_.left), "count")
        return c.Binary("+", left, sets.count(scope, set_.right))
    if isinstance(element(set_.type), DomainType):
        return c.PopCount(mask_of_both(scope, set_))
    return None


def either(scope: Scope, first: c.Expr, second: Callable[[], c.Expr]) -> c.Expr:
    """One or the other; what the second needs is only worked out where the first does not hold."""
    with scope.into([]) as needed:
        other = second()
    if not needed:
        return c.Or(first, other)
    found = scope.assign("either", first)
    scope.emit(c.If(c.Not(found), (*needed, c.Assign(found.name, other))))
    return found


def are_apart(one: model.Expr, other: model.Expr) -> bool:
    """Whether two sets surely have no member in common: a piece is at one place only."""
    if isinstance(one, model.Union):
        return are_apart(one.left, other) and are_apart(one.right, other)
    if isinstance(other, model.Union):
        return are_apart(one, other.left) and are_apart(one, other.right)
    here, there = _place(one), _place(other)
    if here is None or there is None:
        return False
    if here is not there:
        return True
    if not isinstance(one, model.ZoneSet) or not isinstance(other, model.ZoneSet):
        return False
    mine, theirs = one.owner, other.owner
    return isinstance(mine, model.Const) and isinstance(theirs, model.Const) and mine.value != theirs.value


def _place(set_: model.Expr) -> object:
    """The zone, board or box in which all members of a set are; None where that is not known."""
    while isinstance(set_, model.Filter):
        set_ = set_.source
    match set_:
        case model.ZoneSet(zone=zone):
            return zone
        case model.PiecesOn(board=board):
            return board
        case model.BoxSet(kind=kind):
            return kind
    return None


def _places(set_: model.Expr) -> list[model.ZoneSet | model.BoxSet] | None:
    """The zones without an order that a set is made of; None where it is made of something else."""
    match set_:
        case model.Union(left=left, right=right):
            first, second = _places(left), _places(right)
            return None if first is None or second is None else [*first, *second]
        case model.ZoneSet(zone=zone) if not zone.ordered:
            return [set_]
        case model.BoxSet():
            return [set_]
    return None


def _each_at(scope: Scope, places: list[model.ZoneSet | model.BoxSet], write: Write, name: str) -> None:
    """One loop over the pieces that are at one of some places."""
    first = places[0]
    kind = first.zone.kind if isinstance(first, model.ZoneSet) else first.kind
    codes = [
        scope.atom(sets.zone_code(scope, one.zone, one.owner) if isinstance(one, model.ZoneSet) else ZERO, "zone")
        for one in places
    ]
    piece = scope.fresh(name)

    def look() -> None:
        place = scope.assign("place", c.LoadAt(scope.low.slots.places[kind.name].base, c.Var(piece)))
        here: c.Expr = c.Compare("=", place, codes[0])
        for code in codes[1:]:
            here = c.Or(here, c.Compare("=", place, code))
        scope.emit(c.If(here, scope.body(lambda: write(c.Var(piece)))))

    scope.emit(c.ForRange(piece, ZERO, c.Int(kind.count), scope.body(look)))


__all__ = ["are_apart", "count_of_both", "each_of_both", "either", "mask_of_both"]
