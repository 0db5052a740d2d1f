"""Rolls of pieces that nothing tells apart: each multiset of results is met once, not each order of them.

`roll pool` with seven dice can fall in 279,936 ways, but in 792 multisets. One way for each multiset, weighted by how
many orders it has, gives the same odds if the answer is the same for all orders of one multiset. That follows from two
things that are looked up here, never guessed.

*The pieces are exchangeable before the roll*: same place without an order, same figures, same fields, known to the
same players, and no variable names one of them. Then two orders of one multiset are two states that differ only in the
numbers of pieces, and an exchange of these numbers leads from one to the other.

*What is asked cannot tell numbers of pieces apart*: it is made of operations that read fields, count, add up, compare
and filter, and nowhere takes the first of several, names a piece by its number, or depends on an order. Such an
expression has the same value before and after an exchange of numbers, since each of its operations commutes with the
exchange. `_GENERIC` lists the operations for which that holds; anything else, and the roll is followed way by way.

Invariant: what is weighted here as one is one for everything that is asked afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial

from attrs import frozen

from interpreter.backends.api import State
from interpreter.ir.program import SlotGroup
from interpreter.runtime import Session
from interpreter.runtime.names import bits
from interpreter.runtime.snippets import value_of
from interpreter.semantics import model as m
from interpreter.semantics.types import NONE, DomainType, ListType, PieceType, SetType, Type
from interpreter.semantics.walk import bodies, called_from, children, descend

__all__ = ["AlikeRoll", "alike_roll", "is_generic", "multisets", "roll_of"]

_GENERIC: tuple[type[m.Understood], ...] = (
    m.Const, m.LocalRef, m.VariableRef, m.Current, m.AttributeRef, m.FigureRef, m.LinkAttribute, m.Arithmetic,
    m.Compare, m.Logic, m.Not, m.Conditional, m.CallExpr, m.AllOf, m.RangeSet, m.ConstSet, m.SetOf, m.ZoneSet,
    m.BoxSet, m.PiecesOn, m.SpacesOf, m.Union, m.Neighbours, m.NeighboursOfSet, m.Filter, m.Count, m.Exists, m.Fold,
    m.InSet, m.NextSpace, m.Turned, m.Bearing, m.Toward, m.Distance, m.PieceOn, m.IsKnown, m.Empty, m.SpaceOf,
    m.ValueLine, m.RelationLine, m.LookupTable, m.LookupRow, m.LookupCell, m.Template,
)  # fmt: skip
"""What commutes with an exchange of the numbers of pieces. `First`, lists and walks are not among them."""


def is_generic(nodes: Iterable[m.Understood]) -> bool:
    """Whether some expressions, with all they call, have the same value after an exchange of the numbers of pieces."""
    roots = list(nodes)
    if any(isinstance(root, m.Expr) and _names_a_piece(root.type) for root in roots):
        return False
    called = [body for function in called_from(roots) for body in bodies(function)]
    return all(_commutes(node) for root in (*roots, *called) for node in descend(root))


def _commutes(node: m.Understood) -> bool:
    if not isinstance(node, _GENERIC):
        return False
    match node:
        case m.Const(type=PieceType(), value=value):
            return value == NONE
        case m.ConstSet(type=SetType(element=PieceType())):
            return False
        case m.Compare(op=op, left=left):
            return op in ("=", "!=") or not isinstance(left.type, DomainType)
        case m.Arithmetic() | m.RangeSet():
            return not any(isinstance(part, m.Expr) and _names_a_piece(part.type) for part in children(node))
        case m.Fold(body=body):
            return not isinstance(body.type, DomainType)
        case m.Expr(type=ListType()):
            return not _names_a_piece(node.type)
    return True


def _names_a_piece(type_: Type) -> bool:
    element = type_.element if isinstance(type_, SetType | ListType) else type_
    return isinstance(element, PieceType)


def roll_of(block: m.Block) -> m.RollPieces | None:
    """The one statement of a block, where that rolls pieces found by an expression that tells none apart."""
    if len(block.statements) != 1 or not isinstance(block.statements[0], m.RollPieces):
        return None
    roll = block.statements[0]
    if len(roll.variable.keys) != 1 or isinstance(roll.set.type, ListType):
        return None
    called = [body for function in called_from([roll.set]) for body in bodies(function)]
    return roll if all(_commutes(node) for root in (roll.set, *called) for node in descend(root)) else None


@frozen(eq=False)
class AlikeRoll:
    """A roll of exchangeable pieces."""

    count: int
    """How many are rolled."""
    field: SlotGroup
    """Where what they show is kept."""
    classes: tuple[tuple[int, ...], ...]
    """All pieces of the kind that are exchangeable among each other, rolled or not."""

    def in_order(self, state: State) -> State:
        """The state with what exchangeable pieces show put in rising order: the same for all orders."""
        found = list(state)
        for pieces in self.classes:
            slots = [self.field.base + piece for piece in pieces]
            for slot, value in zip(slots, sorted(found[slot] for slot in slots), strict=True):
                found[slot] = value
        return found


def alike_roll(session: Session, roll: m.RollPieces) -> AlikeRoll | None:
    """The roll in the state of a session, where all pieces that it rolls are exchangeable; else None."""
    kind = session.sight.kinds.get(roll.kind.name)
    field = next((g for v, g in _variables(session) if v is roll.variable), None)
    if kind is None or field is None:
        return None
    rolled = set(bits(value_of(session, roll.set)))
    classes = tuple(_classes(session, roll.kind, field))
    if len(rolled) < 2 or sum(bool(rolled.intersection(pieces)) for pieces in classes) != 1:
        return None
    return AlikeRoll(len(rolled), field, classes) if rolled <= {p for pieces in classes for p in pieces} else None


def multisets(count: int, sides: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Each multiset of so many results from 0, in rising order, with its probability."""
    for results in combinations_with_replacement(range(sides), count):
        orders = factorial(count)
        for result in set(results):
            orders //= factorial(results.count(result))
        yield results, Fraction(orders, sides**count)


def _variables(session: Session) -> Iterator[tuple[m.Variable, SlotGroup]]:
    groups = [group for group in session.rules.program.layout.groups if group.what == "variable"]
    return zip(session.rules.game.variables, groups, strict=False)


def _classes(session: Session, kind: m.Kind, field: SlotGroup) -> Iterator[tuple[int, ...]]:
    """The pieces of a kind by what tells them apart, save what `field` keeps; without those that something names."""
    found = session.sight.kinds[kind.name]
    state = session.state
    named = _named(session, kind)
    ordered = {place for _, place in found.orders}
    alike: dict[tuple[int, ...], list[int]] = {}
    for piece in range(found.count):
        place = state[found.base + piece]
        if piece in named or found.places[place].kind == "space" or found.places[place] in ordered:
            continue
        key = [place, *(attribute.values[piece] for attribute in kind.attributes.values())]
        for group in found.fields:
            if group is not field:
                stride = group.count // found.count
                key.extend(state[group.base + piece * stride : group.base + (piece + 1) * stride])
        if found.known is not None:
            key.append(state[found.known.base + piece])
        alike.setdefault(tuple(key), []).append(piece)
    yield from (tuple(pieces) for pieces in alike.values())


def _named(session: Session, kind: m.Kind) -> set[int]:
    """The pieces of a kind that some variable names, alone or in a set."""
    named: set[int] = set()
    for variable, group in _variables(session):
        values = session.state[group.base : group.base + group.count]
        element = variable.type.element if isinstance(variable.type, SetType) else variable.type
        if isinstance(element, PieceType) and element.name == kind.name:
            for value in values:
                named.update(bits(value) if isinstance(variable.type, SetType) else [value])
        for at, key in enumerate(variable.keys):
            if isinstance(key, PieceType) and key.name == kind.name and at > 0:
                return set(range(kind.count))  # kept for something else and a piece: hard to look through
    return named
