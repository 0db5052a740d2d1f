"""Prints small functions where they are called.

A call costs a few nanoseconds, about as much as what most functions of a game do; and within its caller a function
knows more: an input that is a space there needs no check here. The body is printed as a block that a `Return` leaves.

Invariant: no function is printed inside itself, and no function grows beyond a bound.
"""

from __future__ import annotations

from collections import Counter

from interpreter.backends.wasm.expressions import ExpressionPrinter, Inline
from interpreter.backends.wasm.locals import type_of
from interpreter.backends.wasm.plain import can_be_plain
from interpreter.backends.wasm.room import most_pushed
from interpreter.backends.wasm.statements import StatementPrinter
from interpreter.backends.wasm.text import block
from interpreter.backends.work import Work
from interpreter.ir import code as c
from interpreter.ir.calls import called
from interpreter.ir.flow import is_exit
from interpreter.ir.program import FunctionCode, Program
from interpreter.ir.ranges import Flow, Ranges, assigned, words
from interpreter.ir.rewrite import visit_body, visit_program

_SMALL = 120
"""Operations of a function that is printed wherever it is called."""
_ROOM = 1500
"""Operations that one function or block takes in."""
_WHOLE_ROOM = 60_000
"""Operations that all of them take in, ten times what the largest games need."""
_DEEPEST = 12
"""Bodies that are printed inside one another."""
_MANY = 400
"""Functions beyond which none is written as an expression: looking for that in all of them would take long."""


class Inliner:
    """Decides which functions are printed where they are called."""

    def __init__(self, program: Program, ranges: Ranges, work: Work) -> None:
        self.program, self.ranges = program, ranges
        calls = Counter(called(visit_program(program)))
        self.left = _WHOLE_ROOM
        self.sizes: dict[str, int] = {}
        self.plain: dict[str, FunctionCode] = {}
        for name, function in program.functions.items():
            if (
                name in work.functions
                or name in work.lists
                or name in work.too_deep
                or name not in ranges.used
                or function.returns == "list"
            ):
                continue
            kinds = [words(range_ or (0, 0)) for range_ in ranges.parameters[name]]
            if max(kinds, default=0) > 1 or words(ranges.results[name] or (0, 0)) > 1:
                continue  # what is wide is lent by its place
            if len(program.functions) <= _MANY and can_be_plain(function):
                self.plain[name] = function
            size = sum(not isinstance(node, c.Mark | c.Emit) for node in visit_body(function.body))
            if size <= _SMALL or calls[name] == 1:
                self.sizes[name] = size

    def begin(self) -> Inline:
        """What prints calls within one function or block."""
        return _Inline(self)

    def printed(self, x: ExpressionPrinter, name: str, arguments: tuple[c.Expr, ...]) -> str:
        function = self.program.functions[name]
        label = x.locals.label("back")
        flow = Flow(self.ranges, name, label)
        inner = ExpressionPrinter(flow, x.locals, x.memory, x.functions, x.inline, x.plain_functions, x.work)
        inner.span = x.span
        inner.loops, inner.outer = x.loops, x
        returns = None if function.returns != "value" else words(self.ranges.results[name] or (0, 0))
        lines: list[str] = []
        changed = frozenset(variable for stmt in function.body for variable in assigned(stmt))
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            kind = inner.variable_kind(parameter)
            if parameter not in changed and x.is_safe(argument):
                inner.given[parameter] = argument
            if isinstance(argument, c.Var) and parameter not in changed and x.variable_kind(argument.name) == kind:
                x.locals.give(label, parameter, x.variable(argument.name))
            else:
                lines.append(f"(local.set {inner.variable(parameter)} {x.number(argument, kind)})")
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            range_ = x.flow.range(argument)
            if range_ is not None:
                flow.set(parameter, range_)
            flow.given(parameter, argument, x.flow)
        printer = StatementPrinter(lines, inner, returns, label)
        printer.rooms = most_pushed(function.body, flow)
        printer.body(function.body)
        if returns is None:
            return f"(block {label} {' '.join(lines)})"
        end = "(unreachable)" if is_exit(function.body) else f"({type_of(returns)}.const 0)"
        return block([], f"(block {label} (result {type_of(returns)}) {' '.join(lines)} {end})", "")


class _Inline:
    """What has been printed within one function or block."""

    def __init__(self, inliner: Inliner) -> None:
        self.inliner = inliner
        self.left = _ROOM
        self.inside: list[str] = []

    def __call__(self, x: ExpressionPrinter, name: str, arguments: tuple[c.Expr, ...]) -> str | None:
        size = self.inliner.sizes.get(name)
        if size is None or size > min(self.left, self.inliner.left):
            return None
        if name in self.inside or len(self.inside) == _DEEPEST:
            return None
        self.left -= size
        self.inliner.left -= size
        self.inside.append(name)
        text = self.inliner.printed(x, name, arguments)
        self.inside.pop()
        return text


__all__ = ["Inliner"]
