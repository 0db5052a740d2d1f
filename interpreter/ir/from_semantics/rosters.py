"""Rosters: filled where a player brought no list, then held against what they need.

What is on a list was put into the state before the set-up; a slot beside it says for which players. All rosters are
filled before the first need is asked, since a need may look at those of others.
"""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.from_semantics import expressions, sets
from interpreter.ir.from_semantics.context import Scope
from interpreter.ir.program import PLAYER
from interpreter.semantics import model

ZERO, ONE = c.Int(0), c.Int(1)


def muster(scope: Scope, node: model.Muster) -> None:
    """Every player in turn is `player` meanwhile."""
    slots = scope.low.slots
    count = c.Int(len(scope.low.game.players))
    before = scope.assign("before", c.Load(PLAYER))
    owner = c.Var(scope.fresh("owner"))

    def fill() -> None:
        scope.emit(c.Store(PLAYER, owner))
        listed = c.LoadAt(slots.listed[node.roster.name].base, owner)
        scope.emit(c.If(c.Not(listed), scope.body(lambda: _fill(scope, node, owner))))

    scope.emit(c.ForRange(owner.name, ZERO, count, scope.body(fill)))
    if node.needs:
        asked = c.Var(scope.fresh("owner"))

        def ask() -> None:
            scope.emit(c.Store(PLAYER, asked))
            for need in node.needs:
                _ask(scope, need)

        scope.emit(c.ForRange(asked.name, ZERO, count, scope.body(ask)))
    scope.emit(c.Store(PLAYER, before))


def _fill(scope: Scope, node: model.Muster, owner: c.Expr) -> None:
    members = scope.low.slots.variables[id(node.roster.members)]
    copies = node.roster.copies
    if copies is None:
        scope.emit(c.StoreAt(members.base, owner, sets.mask(scope, node.begins)))
        return
    counted = scope.low.slots.variables[id(copies)]
    size = scope.low.size(node.roster.element)
    first = scope.atom(c.Binary("*", owner, c.Int(size)), "first")
    each = scope.fresh("each")
    clear = c.StoreAt(counted.base, c.Binary("+", first, c.Var(each)), ZERO)
    scope.emit(c.ForRange(each, ZERO, c.Int(size), (clear,)))
    bits = scope.assign("bits", ZERO)

    def put(member: c.Expr) -> None:
        member = scope.atom(member, "member")
        amount: c.Expr = ONE
        if node.amount is not None and node.local is not None:
            with scope.standing_for(node.local, member):
                amount = scope.atom(expressions.required(scope, node.amount), "amount")
            within = c.And(c.Compare(">=", amount, ZERO), c.Compare("<=", amount, c.Int(node.roster.most)))
            scope.emit(c.Check(within, "D710", scope.low.span(node.amount.span)))
        scope.emit(c.StoreAt(counted.base, c.Binary("+", first, member), amount))
        there = c.Assign(bits.name, c.Binary("|", bits, c.Binary("<<", ONE, member)))
        scope.emit(there if amount == ONE else c.If(c.Compare(">", amount, ZERO), (there,)))

    sets.iterate(scope, node.begins, put)
    scope.emit(c.StoreAt(members.base, owner, bits))


def _ask(scope: Scope, need: model.RosterNeed) -> None:
    scope.emit(c.Mark(scope.low.span(need.span)))
    if need.local is None or need.among is None:
        scope.emit(c.Check(expressions.expression(scope, need.condition), "D719", scope.low.span(need.span)))
        return
    local = need.local

    def ask(member: c.Expr) -> None:
        with scope.standing_for(local, member):
            holds = expressions.expression(scope, need.condition)
        scope.emit(c.Check(holds, "D719", scope.low.span(need.span)))

    sets.iterate(scope, need.among, ask, local.name)


__all__ = ["muster"]
