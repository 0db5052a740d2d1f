"""Sets that are the same for all members of a loop, worked out once before it.

`s from Square where it in frontier` would ask the value `frontier` anew of every space, and `u from recruits, s from
frontier` anew for every unit. Where such a set does not speak of what the loop goes over and cannot fault, it is kept
in a variable as a bit set before the loop begins.

Invariant: what is worked out beforehand neither faults nor changes anything, so that it does no harm where the loop
would not have come to it.
"""

from __future__ import annotations

from collections.abc import Collection

from attrs import evolve

from interpreter.ir.from_semantics import sets
from interpreter.ir.from_semantics.context import Scope, element
from interpreter.ir.from_semantics.printed_sets import cannot_fault
from interpreter.semantics import model
from interpreter.semantics.types import DomainType, ListType, SetType
from interpreter.semantics.walk import descend


def hold(scope: Scope, set_: model.Expr, locals_: Collection[model.Local]) -> model.Expr:
    """A set, the costly part of which is kept beforehand where it is the same whatever the locals are."""
    if isinstance(set_, model.Filter):
        return evolve(set_, source=hold(scope, set_.source, locals_))
    if not isinstance(set_, model.CallExpr | model.NeighboursOfSet) or not isinstance(element(set_.type), DomainType):
        return set_
    if any(isinstance(at, model.LocalRef | model.MapGet) and at.local in locals_ for at in descend(set_)):
        return set_
    if not cannot_fault(set_):
        return set_
    local = model.Local(name="held", type=SetType(element=element(set_.type)), span=set_.span)
    scope.keep(local, scope.assign("held", sets.mask(scope, set_)))
    return model.LocalRef(local=local, type=local.type, span=set_.span)


def hold_asked(scope: Scope, set_: model.Filter) -> model.Filter:
    """A filter, the sets in which are kept beforehand where they are the same for all candidates."""
    excluded, condition = set_.excluded, set_.condition
    if excluded is not None and isinstance(excluded.type, SetType | ListType):
        excluded = hold(scope, excluded, (set_.local,))
    if condition is not None:
        condition = _asked(scope, condition, set_.local)
    return evolve(set_, excluded=excluded, condition=condition)


def _asked(scope: Scope, node: model.Expr, local: model.Local) -> model.Expr:
    match node:
        case model.Logic(left=left, right=right):
            return evolve(node, left=_asked(scope, left, local), right=_asked(scope, right, local))
        case model.Not(inner=inner):
            return evolve(node, inner=_asked(scope, inner, local))
        case model.InSet(set=set_) if not isinstance(set_, model.Filter):
            return evolve(node, set=hold(scope, set_, (local,)))
    return node


__all__ = ["hold", "hold_asked"]
