"""Decisions: `choose`, `may` and `must`.

The things chosen in an option are locals of that option: each may be used by the choices after it, by its condition,
its label and its effects.

Invariant: the chooser is a player; every binder has a set to choose from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from interpreter.semantics import sets
from interpreter.semantics.fit import element_of, is_error
from interpreter.semantics.model import (
    BindAssign,
    Binder,
    BindOne,
    BindOrder,
    BindSome,
    Block,
    Branch,
    Choose,
    Const,
    Count,
    Current,
    Expr,
)
from interpreter.semantics.scopes import Scope
from interpreter.semantics.types import ERROR, NUMBER, PLAYER, ListType, MapType, NumberType, SetType, Type
from interpreter.syntax import ast

if TYPE_CHECKING:
    from interpreter.semantics.statements import Statements

__all__ = ["choose"]


def choose(r: Statements, node: ast.Choose, scope: Scope) -> Choose:
    """One decision."""
    if node.chooser is None:
        chooser: Expr = Current(what="player", type=PLAYER, span=node.span)
    else:
        chooser = r.value(node.chooser, scope, PLAYER)
    return Choose(
        may=node.word == "may",
        must=node.word == "must",
        chooser=chooser,
        branches=tuple(_branch(r, branch, scope) for branch in node.branches),
        otherwise=r.block(node.otherwise, scope) if node.otherwise is not None else None,
        secret=r.secretly,
        span=node.span,
    )


def _branch(r: Statements, node: ast.Branch, scope: Scope) -> Branch:
    inside = scope
    binders: list[Binder] = []
    for binder in node.binders:
        found, inside = _binder(r, binder, inside)
        binders.append(found)
    return Branch(
        label=r.template(node.label, inside),
        binders=tuple(binders),
        guard=r.condition(node.guard, inside) if node.guard is not None else None,
        body=r.block(node.body, inside) if node.body is not None else Block(statements=(), span=node.span),
        span=node.span,
    )


def _binder(r: Statements, node: ast.Binder, scope: Scope) -> tuple[Binder, Scope]:
    match node:
        case ast.BindSome():
            return _some(r, node, scope)
        case ast.BindAssign():
            return _assign(r, node, scope)
        case ast.BindOne(things=things):
            # The condition may call its candidate by the name that the chosen thing will have.
            found = sets.things(r, evolve(things, binder=things.binder or node.name), scope)
            local, inside = r.binder(node.name, element_of(found.type) or ERROR, scope)
            return BindOne(local=local, set=found, span=node.span), inside
        case _:
            raise TypeError(node)


def _some(r: Statements, node: ast.BindSome, scope: Scope) -> tuple[Binder, Scope]:
    """A subset, or an order of the whole set."""
    found = sets.things(r, node.things, scope)
    element = element_of(found.type)
    is_order = node.quantity.kind == "order"
    type: Type = ERROR if element is None else ListType(element=element) if is_order else SetType(element=element)
    low, high = _bounds(r, node.quantity, found, scope)
    local, inside = r.binder(node.name, type, scope)
    such_that = r.condition(node.such_that, inside) if node.such_that is not None else None
    if is_order:
        return BindOrder(local=local, set=found, such_that=such_that, span=node.span), inside
    return BindSome(local=local, set=found, low=low, high=high, such_that=such_that, span=node.span), inside


def _bounds(r: Statements, node: ast.Quantity, found: Expr, scope: Scope) -> tuple[Expr | None, Expr | None]:
    """The fewest and most that may be chosen; None for no bound."""
    match node.kind:
        case "any" | "order":
            return None, None
        case "some":
            return Const(type=NumberType(low=1, high=1), value=1, span=node.span), None
        case "all":
            return (None if is_error(found.type) else Count(set=found, type=NUMBER, span=node.span)), None
    low = r.number(node.low, scope) if node.low is not None else None
    high = r.number(node.high, scope) if node.high is not None and node.high is not node.low else None
    if node.kind == "exactly":
        high = low = low or high
    if isinstance(low, Const) and isinstance(high, Const) and low.value > high.value and not is_error(low.type):
        r.error("D232", f"at least {low.value} and at most {high.value} cannot be chosen", node.span)
    return low, high


def _assign(r: Statements, node: ast.BindAssign, scope: Scope) -> tuple[Binder, Scope]:
    """One of a set for each of another."""
    each = sets.things(r, node.each, scope)
    key = element_of(each.type) or ERROR
    name = node.each.binder or ast.Name("it", span=node.each.span)
    each_local, within = r.binder(name, key, scope)
    found = sets.things(r, node.things, within)
    value = element_of(found.type) or ERROR
    type: Type = ERROR if is_error(key) or is_error(value) else MapType(key=key, value=value)
    local, inside = r.binder(node.name, type, scope)
    such_that = r.condition(node.such_that, inside) if node.such_that is not None else None
    return BindAssign(
        local=local, each_local=each_local, each=each, set=found, such_that=such_that, span=node.span
    ), inside
