"""Changes of variables: stores within bounds, what is shown to all, what goes back to its start."""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.from_semantics import expressions, open_board, texts
from interpreter.ir.from_semantics.context import Scope
from interpreter.semantics import model
from interpreter.semantics.types import NumberType, SpaceType

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)


def set_variable(scope: Scope, node: model.SetVariable) -> None:
    """A store, clamped for a track, else checked against the bounds unless it cannot leave them."""
    variable = node.variable
    group = scope.low.slots.variables[id(variable)]
    value = expressions.argument(scope, node.value)
    index: c.Expr = ZERO
    if node.keys:
        keys = tuple(expressions.required(scope, key) for key in node.keys)
        index = scope.atom(expressions.index_of(scope, variable.keys, keys), "index")
    if node.value.type.optional and not variable.type.optional:
        value = scope.atom(value, "new")
        scope.emit(c.Check(c.Compare("!=", value, NONE), "D710", scope.low.span(node.span)))
    if variable.is_track:
        value = c.Binary("max", c.Int(variable.low), c.Binary("min", value, c.Int(variable.high)))
    value = scope.atom(value, "new")
    if not variable.is_track and not _fits(node.value, variable):
        low = c.Compare("<=", c.Int(variable.low), value)
        high = c.Compare("<=", value, c.Int(variable.high))
        scope.emit(c.Check(c.And(low, high), "D710", scope.low.span(node.span)))
    old: c.Expr = c.LoadAt(group.base, index) if node.keys else c.Load(group.base)
    if not variable.silent:
        texts.silent_event(scope, "set", node, variable.name, *((index,) if node.keys else ()), old, value)
    scope.emit(c.StoreAt(group.base, index, value) if node.keys else c.Store(group.base, value))
    if isinstance(variable.type, SpaceType) and value != NONE:
        board = scope.low.game.space_board(variable.type.name)
        if board.board.is_open:
            span = scope.low.span(node.span)
            kept = scope.body(lambda: open_board.keep_together(scope, board, NONE, value, span))
            scope.emit(c.If(c.Compare(">=", value, ZERO), kept) if variable.type.optional else kept[0])
    hidden = scope.low.slots.revealed.get(id(variable))
    if hidden is not None:
        scope.emit(c.StoreAt(hidden.base, index, ZERO) if node.keys else c.Store(hidden.base, ZERO))


def _fits(value: model.Expr, variable: model.Variable) -> bool:
    """Whether a value surely lies within the bounds of a variable."""
    if isinstance(value, model.Const):
        return variable.low <= value.value <= variable.high
    if isinstance(variable.type, NumberType):
        return (
            isinstance(value.type, NumberType)
            and isinstance(value, model.VariableRef | model.LocalRef | model.AttributeRef)
            and variable.low <= value.type.low
            and value.type.high <= variable.high
        )
    return variable.type.optional or not value.type.optional


def reveal(scope: Scope, node: model.Understood, variable: model.Variable, keys: tuple[model.Expr, ...]) -> None:
    """Everybody sees the slots from now on, until they are set again."""
    group = scope.low.slots.variables[id(variable)]
    hidden = scope.low.slots.revealed.get(id(variable))
    if hidden is None:
        return
    if keys:
        lowered = tuple(expressions.required(scope, key) for key in keys)
        index = scope.atom(expressions.index_of(scope, variable.keys, lowered), "index")
        scope.emit(c.StoreAt(hidden.base, index, ONE))
        texts.silent_event(scope, "reveal", node, variable.name, index, c.LoadAt(group.base, index))
        return
    scope.emit(c.Fill(hidden.base, hidden.count, 1))
    for offset in range(group.count):
        texts.silent_event(scope, "reveal", node, variable.name, c.Int(offset), c.Load(group.base + offset))


def reset(scope: Scope, variable: model.Variable) -> None:
    """All slots back to the start."""
    group = scope.low.slots.variables[id(variable)]
    if isinstance(variable.start, model.Const):
        scope.emit(c.Fill(group.base, group.count, variable.start.value))
        return
    value = scope.atom(expressions.expression(scope, variable.start), "start")
    for offset in range(group.count):
        scope.emit(c.Store(group.base + offset, value))


__all__ = ["reset", "reveal", "set_variable"]
