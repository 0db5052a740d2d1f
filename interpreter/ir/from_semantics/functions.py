"""Functions: values as sums of lines, relations as tests, tables as chains of tests, effects as bodies.

A value in halves is kept doubled, so that a half is a whole number: its amounts are doubled on the way in.
"""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.from_semantics import expressions, sets, statements
from interpreter.ir.from_semantics.context import Lowering, Scope
from interpreter.ir.program import FunctionCode
from interpreter.semantics import model
from interpreter.semantics.types import NumberType
from interpreter.semantics.walk import descend

ZERO, ONE = c.Int(0), c.Int(1)


def function(low: Lowering, node: model.Function) -> FunctionCode:
    """The code of one function that cannot be interrupted."""
    scope = Scope(low, node.name)
    parameters = tuple(scope.declare(local) for local in node.parameters)
    if node.form == "relation":
        _relation(scope, node)
    elif node.table is not None:
        _table(scope, node, node.table)
    elif node.body is not None:
        statements.block(scope, node.body)
    else:
        _value(scope, node)
    returns = "value" if node.body is None and not (node.table and node.result is None) else "nothing"
    return FunctionCode(
        low.function_name(node), parameters, tuple(scope.out), returns, title=node.name, span=node.span  # type: ignore[arg-type]
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ values


def line_amount(scope: Scope, line: model.ValueLine) -> c.Expr:
    """What a line adds, multiplies or bounds, `per` included and its condition not."""
    if line.per is None:
        return _amount(scope, line)
    if isinstance(line.per, model.Filter) and _uses(line.amount, line.per.local):
        return sets.fold(
            scope,
            model.Fold(
                how="sum", local=line.per.local, set=line.per, body=line.amount, type=line.amount.type, span=line.span
            ),
        )
    amount = _amount(scope, line)
    times = sets.count(scope, line.per)
    return times if amount == ONE else c.Binary("*", amount, times)


def _alone(scope: Scope, line: model.ValueLine) -> c.Expr:
    """A value that is one expression may be none."""
    return line_amount(scope, line) if line.per is not None else expressions.argument(scope, line.amount)


def _amount(scope: Scope, line: model.ValueLine) -> c.Expr:
    return (
        expressions.required(scope, line.amount)
        if isinstance(line.amount.type, NumberType)
        else (expressions.expression(scope, line.amount))
    )


def _uses(node: model.Expr, local: model.Local) -> bool:
    return any(isinstance(n, model.LocalRef) and n.local is local for n in descend(node))


def _value(scope: Scope, node: model.Function) -> None:
    lines = node.lines
    if len(lines) == 1 and lines[0].kind == "start" and lines[0].condition is None and not node.halves:
        scope.emit(c.Mark(scope.low.span(lines[0].span)))
        scope.emit(c.Return(_alone(scope, lines[0])))
        return
    total = scope.assign("total", ZERO)
    for line in lines:

        def write(line: model.ValueLine = line) -> None:
            scope.emit(c.Mark(scope.low.span(line.span)))
            scope.emit(c.Assign(total.name, apply_line(scope, line, total, node.halves)))

        if line.condition is None:
            write()
        else:
            expressions.condition(scope, line.condition, write)
    scope.emit(c.Return(total))


def apply_line(scope: Scope, line: model.ValueLine, total: c.Expr, halves: bool) -> c.Expr:
    """The total after a line."""
    amount = line_amount(scope, line)
    doubled = c.Binary("*", amount, c.Int(2)) if halves else amount
    match line.kind:
        case "start":
            return doubled
        case "+":
            return c.Binary("+", total, doubled)
        case "-":
            return c.Binary("-", total, doubled)
        case "times":
            return c.Binary("*", total, amount)
        case "at least":
            return c.Binary("max", total, doubled)
        case "at most":
            return c.Binary("min", total, doubled)
        case "divided by":
            return _divided(scope, line, total, amount, halves)
    raise TypeError(line.kind)


def _divided(scope: Scope, line: model.ValueLine, total: c.Expr, amount: c.Expr, halves: bool) -> c.Expr:
    if not isinstance(amount, c.Int) or amount.value == 0:
        amount = scope.atom(amount, "divisor")
        scope.emit(c.Check(c.Compare("!=", amount, ZERO), "D703", scope.low.span(line.span)))
    if line.rounded is None:
        return c.Binary("div", total, amount)
    unit = c.Binary("*", amount, c.Int(2)) if halves else amount
    if line.rounded == "down":
        whole: c.Expr = c.Binary("div", total, unit)
    else:
        whole = c.Binary("-", ZERO, c.Binary("div", c.Binary("-", ZERO, total), unit))
    return c.Binary("*", whole, c.Int(2)) if halves else whole


# ------------------------------------------------------------------------------------------------ relations


def _relation(scope: Scope, node: model.Function) -> None:
    whens = [case for case in node.cases if case.kind == "when"]
    unlesses = [case for case in node.cases if case.kind == "unless"]
    if len(whens) == 1 and not unlesses:
        scope.emit(c.Mark(scope.low.span(whens[0].span)))
        scope.emit(c.Return(expressions.expression(scope, whens[0].condition)))
        return
    for case in unlesses:

        def refuse(case: model.RelationLine = case) -> None:
            scope.emit(c.Mark(scope.low.span(case.span)), c.Return(ZERO))

        expressions.condition(scope, case.condition, refuse)
    for case in whens:

        def hold(case: model.RelationLine = case) -> None:
            scope.emit(c.Mark(scope.low.span(case.span)), c.Return(ONE))

        expressions.condition(scope, case.condition, hold)
    scope.emit(c.Return(ZERO if whens else ONE))


# ------------------------------------------------------------------------------------------------ tables


def _table(scope: Scope, node: model.Function, table: model.LookupTable) -> None:
    """Row by row, column by column; the checker has shown that every input meets a cell."""
    for row in table.rows:

        def columns(row: model.LookupRow = row) -> None:
            for heading, cell in zip(table.columns, row.cells, strict=True):

                def take(cell: model.LookupCell = cell) -> None:
                    scope.emit(c.Mark(scope.low.span(cell.span)))
                    if cell.body is not None:
                        statements.block(scope, cell.body)
                        scope.emit(c.Return(None))
                    elif cell.value is not None:
                        scope.emit(c.Return(expressions.expression(scope, cell.value)))

                if heading is None:
                    take()
                else:
                    expressions.condition(scope, heading, take)

        if row.condition is None:
            columns()
        else:
            expressions.condition(scope, row.condition, columns)
    scope.emit(c.Check(ZERO, "D706", scope.low.span(node.span)))
    scope.emit(c.Return(None if node.result is None else ZERO))


__all__ = ["apply_line", "function", "line_amount"]
