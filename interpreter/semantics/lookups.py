"""Tables over one or two inputs, with conditions as heads of rows and columns.

A head is read as a rulebook prints it: a value (`3`, `rock`), a range (`2..4`, `5+`), `any`, or what is said of the
input (`Nimble and injured`), whose fields may be named alone. A cell gives a value, or says what happens.

Invariant: every row has one cell for each column; a table over one input has one column without a head.
"""

from __future__ import annotations

from interpreter.semantics.columns import Columns
from interpreter.semantics.describe import in_words
from interpreter.semantics.expressions import constant_number, plain
from interpreter.semantics.fit import is_error, join
from interpreter.semantics.model import (
    Compare,
    Expr,
    Function,
    InSet,
    Local,
    LocalRef,
    LookupCell,
    LookupRow,
    LookupTable,
    RangeSet,
)
from interpreter.semantics.scopes import Scope
from interpreter.semantics.types import FLAG, FlagType, NumberType, SetType, Type
from interpreter.syntax import ast, parse_condition

__all__ = ["Lookups"]


class Lookups(Columns):
    """Reads tables over inputs."""

    def read_lookup(self, node: ast.TableDeclaration, function: Function) -> LookupTable | None:
        """The table, or None after a report of its shape."""
        inputs = function.parameters
        columns = node.header.cells[1:]
        if len(inputs) > 2:
            message = f"table `{node.name.text}` has {len(inputs)} inputs, expected one or two"
            self.error("D284", message, node.name.span)
            return None
        if not columns:
            self.error("D282", f"table `{node.name.text}` has no columns of results", node.header.span)
            return None
        if len(inputs) == 1 and len(columns) > 1:
            self.error(
                "D284",
                f"table `{node.name.text}` has one input and {len(columns)} columns of results, expected one",
                node.header.span,
                help="write a table for each column, or a second input that the columns ask for",
            )
            return None
        if not node.rows:
            self.error("D208", f"table `{node.name.text}` has no rows", node.name.span)
            return None
        heads: tuple[Expr | None, ...] = (None,)
        if len(inputs) == 2:
            heads = tuple(self._head(cell, inputs[1], inputs) for cell in columns)
        rows = tuple(self._row(row, function, inputs) for row in node.rows)
        return LookupTable(match=node.match or "first", columns=heads, rows=rows, span=node.span)

    def _row(self, row: ast.Row, function: Function, inputs: tuple[Local, ...]) -> LookupRow:
        condition = self._head(row.cells[0], inputs[0], inputs)
        cells = tuple(self._cell(cell, function, inputs) for cell in row.cells[1:])
        return LookupRow(condition=condition, cells=cells, span=row.span)

    def _cell(self, cell: ast.Cell, function: Function, inputs: tuple[Local, ...]) -> LookupCell:
        scope = _scope(inputs)
        if function.result is None:
            self.parameters_to_fill = inputs
            body = self.effects_in(cell, scope)
            self.parameters_to_fill = ()
            return LookupCell(body=body, span=cell.span)
        if not cell.text:
            value: Expr = self.error("D283", f"expected {in_words(function.result)}, found an empty cell", cell.span)
            return LookupCell(value=value, span=cell.span)
        node = self.cell_expression(cell)
        if node is None:
            value = constant_number(0, cell.span)
        else:
            value = self.value(node, scope, function.result)
        return LookupCell(value=value, span=cell.span)

    # -- heads

    def _head(self, cell: ast.Cell, input: Local, inputs: tuple[Local, ...]) -> Expr | None:
        """What a head asks of an input; None for anything."""
        if not cell.text:
            self.error(
                "D283", f"expected a condition on `{input.name}`, found an empty cell", cell.span, help="`any` fits all"
            )
            return None
        source = self.source_of(cell)
        node = parse_condition(cell.text, source, cell.offset, self.sink)
        subject = LocalRef(local=input, type=input.type, span=cell.span)
        scope = Scope(candidate=input)
        for local in inputs:
            scope.add(local)
        match node:
            case None | ast.AnyInput():
                return None
            case ast.AtLeastInput(low=low):
                if not self._is_number(input.type, cell):
                    return None
                limit = constant_number(low, cell.span)
                return Compare(op=">=", left=subject, right=limit, type=FLAG, span=cell.span)
            case ast.RangeInput(low=first, high=last):
                if not self._is_number(input.type, cell):
                    return None
                return self._in_range(subject, self.number(first, scope), self.number(last, scope))
            case ast.Expr():
                return self._asked(node, subject, scope)
        return None

    def _is_number(self, type: Type, cell: ast.Cell) -> bool:
        if isinstance(type, NumberType):
            return True
        self.mismatch("a number as the input of a range", type, cell.span)
        return False

    def _in_range(self, subject: Expr, low: Expr, high: Expr) -> Expr:
        bounds = [bound.type for bound in (low, high)]
        both = join(*bounds)
        if both is None or is_error(both):
            return constant_number(0, subject.span)
        numbers = RangeSet(low=low, high=high, type=SetType(element=both), span=subject.span)
        return InSet(element=subject, set=numbers, type=FLAG, span=subject.span)

    def _asked(self, node: ast.Expr, subject: LocalRef, scope: Scope) -> Expr:
        """A head that is an expression: names joined by and, or, not; a value; or a condition."""
        inner = plain(node)
        match inner:
            case ast.And(left=left, right=right):
                return self.logic(
                    "and", self._asked(left, subject, scope), self._asked(right, subject, scope), node.span
                )
            case ast.Or(left=left, right=right):
                return self.logic(
                    "or", self._asked(left, subject, scope), self._asked(right, subject, scope), node.span
                )
            case ast.Not(inner=negated):
                return self.negation(self._asked(negated, subject, scope), node.span)
            case ast.NamedThing() | ast.NoneThere() if inner is not None:
                named = ast.NamedThing(name=ast.Name(subject.local.name, span=node.span), span=node.span)
                return self.read(ast.Is(left=named, right=inner, negated=False, span=node.span), scope)
        found = self.read(node, scope, subject.type)
        if isinstance(found.type, FlagType) and not isinstance(subject.type, FlagType):
            return found
        return self.equality(subject, found, node.span)


def _scope(inputs: tuple[Local, ...]) -> Scope:
    scope = Scope(candidate=inputs[0])
    for local in inputs:
        scope.add(local)
    return scope
