"""Functions without loops as expressions, written into the place of their calls.

What a relation with a few lines says is one condition. Written as one, with the inputs put in, it can be sorted (the
cheap parts first), taken out of loops, and folded by what is known at the place of the call. Only what surely has no
fault is moved; a call that may fault stays where it is and keeps its place in the order.

Invariant: an expression that is given back has the value of the call, and the same faults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import evolve, field, frozen

from interpreter.ir import code as c
from interpreter.ir.chains import joined, parts_of
from interpreter.ir.passes.fold import is_flag, opposite
from interpreter.ir.program import FunctionCode
from interpreter.ir.ranges import Flow
from interpreter.ir.rewrite import children, rewrite_expr, variables, visit, visit_body

__all__ = ["Plain", "can_be_plain"]

_LARGEST = 80
"""Operations of an expression that takes the place of a call."""
_DEEPEST = 8
"""Calls that are written into one another."""
_REPEATED = 16
"""Operations of a value that is written down several times rather than kept."""

IsSafe = Callable[[c.Expr], bool]


class _NoExpressionError(Exception):
    """The function is something else at this place."""


def can_be_plain(function: FunctionCode) -> bool:
    """Might calls of the function be expressions?"""
    return function.returns == "value" and all(
        isinstance(node, c.Expr | c.Mark | c.Emit | c.Assign | c.If | c.Return | c.Check)
        for node in visit_body(function.body)
    )


@frozen
class Plain:
    """Rewrites the expressions of one place. `flow` is what is known there, `is_safe` says what has no fault there."""

    functions: Mapping[str, FunctionCode]
    flow: Flow
    is_safe: IsSafe
    inside: list[str] = field(factory=list)

    def rewritten(self, expr: c.Expr) -> c.Expr:
        """The expression with calls replaced where that can be done."""
        if not any(isinstance(node, c.CallValue) for node in visit(expr)):
            return expr
        return self._rewritten(expr)

    def _rewritten(self, expr: c.Expr) -> c.Expr:
        flow = self.flow
        match expr:
            case c.And(left, right) | c.Or(left, right):
                left = self._rewritten(left)
                with flow.if_so(left, isinstance(expr, c.And)):
                    right = self._rewritten(right)
                return evolve(expr, left=left, right=right)
            case c.Pick(condition, then, otherwise):
                condition = self._rewritten(condition)
                with flow.if_so(condition, True):
                    then = self._rewritten(then)
                with flow.if_so(condition, False):
                    otherwise = self._rewritten(otherwise)
                return c.Pick(condition, then, otherwise)
            case c.CallValue(name, arguments):
                arguments = tuple(self._rewritten(argument) for argument in arguments)
                call = c.CallValue(name, arguments)
                return self._of_call(call) or call
        changes = {
            name: self._rewritten(value)
            for name in ("left", "right", "inner", "index", "set", "value")
            if isinstance(value := getattr(expr, name, None), c.Expr)
        }
        return evolve(expr, **changes) if changes else expr

    def _of_call(self, call: c.CallValue) -> c.Expr | None:
        function = self.functions.get(call.function)
        if function is None or call.function in self.inside or len(self.inside) >= _DEEPEST:
            return None
        if not all(self.is_safe(argument) for argument in call.arguments):
            return None
        inputs = dict(zip(function.parameters, call.arguments, strict=True))
        self.inside.append(call.function)
        try:
            return self._checked(self._value(function.body, inputs))
        except _NoExpressionError:
            return None
        finally:
            self.inside.pop()

    def _checked(self, expr: c.Expr) -> c.Expr:
        if sum(1 for _ in visit(expr)) > _LARGEST:
            raise _NoExpressionError
        return expr

    # ------------------------------------------------------------------ bodies

    def _value(self, body: c.Body, known: Mapping[str, c.Expr]) -> c.Expr:
        """What a body returns, its variables being known."""
        flow = self.flow
        for i, stmt in enumerate(body):
            match stmt:
                case c.Mark() | c.Emit():
                    continue
                case c.Assign(var, value):
                    value = self._put(value, known)
                    rest = body[i + 1 :]
                    if not self.is_safe(value) and not _is_asked_at_once(var, rest):
                        raise _NoExpressionError
                    if _uses(var, rest) > 1 and sum(1 for _ in visit(value)) > _REPEATED:
                        raise _NoExpressionError
                    known = {**known, var: value}
                case c.Check(condition):
                    condition = self._safe(condition, known)
                    if not flow.truth(condition):
                        raise _NoExpressionError
                case c.Return(value) if value is not None:
                    return self._put(value, known)
                case c.If(condition, then, otherwise):
                    condition = self._put(condition, known)
                    rest = body[i + 1 :]
                    settled = flow.truth(condition) if self.is_safe(condition) else None
                    if settled is not None:
                        return self._value((then if settled else otherwise) + rest, known)
                    with flow.if_so(condition, True):
                        first = self._value(then + rest, _told(known, condition, 1))
                    with flow.if_so(condition, False):
                        second = self._value(otherwise + rest, _told(known, condition, 0))
                    return self._checked(_choice(condition, first, second))
                case _:
                    raise _NoExpressionError
        return c.Int(0)

    def _safe(self, expr: c.Expr, known: Mapping[str, c.Expr]) -> c.Expr:
        """An expression with what is known put in, which may be left out or worked out twice."""
        expr = self._put(expr, known)
        if not self.is_safe(expr):
            raise _NoExpressionError
        return expr

    def _put(self, expr: c.Expr, known: Mapping[str, c.Expr]) -> c.Expr:
        """An expression with what is known put in; its calls stay, all else has no fault."""

        def put(node: c.Expr) -> c.Expr:
            match node:
                case c.Var(name):
                    return known.get(name, node)
                case c.Pick(condition, then, otherwise) if self.is_safe(condition):
                    settled = self.flow.truth(condition)
                    return node if settled is None else then if settled else otherwise
            return node

        expr = self._rewritten(rewrite_expr(expr, put))
        if not self._is_safe_but_for_calls(expr):
            raise _NoExpressionError
        return expr

    def _is_safe_but_for_calls(self, expr: c.Expr) -> bool:
        match expr:
            case c.CallValue(_, arguments):
                return all(self.is_safe(argument) for argument in arguments)
            case c.And(left, right) | c.Or(left, right):
                first = self._is_safe_but_for_calls(left)
                with self.flow.if_so(left, isinstance(expr, c.And)):
                    return first and self._is_safe_but_for_calls(right)
            case c.Not(inner):
                return self._is_safe_but_for_calls(inner)
            case c.Compare(_, left, right):
                return self._is_safe_but_for_calls(left) and self._is_safe_but_for_calls(right)
        return self.is_safe(expr)


def _choice(condition: c.Expr, then: c.Expr, otherwise: c.Expr) -> c.Expr:
    """`then` if the condition is so, else `otherwise`; of yes and no as a condition."""
    if (then, otherwise) == (c.Int(1), c.Int(0)):
        return condition if is_flag(condition) else c.Compare("!=", condition, c.Int(0))
    if isinstance(then, c.Int) and is_flag(then) and is_flag(otherwise):
        return _either(condition, otherwise) if then.value else c.And(opposite(condition), otherwise)
    if isinstance(otherwise, c.Int) and is_flag(otherwise) and is_flag(then):
        return _either(opposite(condition), then) if otherwise.value else c.And(condition, then)
    return c.Pick(condition, then, otherwise)


def _either(left: c.Expr, right: c.Expr) -> c.Expr:
    """One or the other; what both ask first is asked once."""
    if isinstance(left, c.And) and isinstance(right, c.And):
        first, second = parts_of(left, c.And), parts_of(right, c.And)
        if first[0] == second[0] and not any(isinstance(node, c.CallValue) for node in visit(first[0])):
            return c.And(first[0], _either(joined(first[1:], c.And), joined(second[1:], c.And)))
    return c.Or(left, right)


def _told(known: Mapping[str, c.Expr], condition: c.Expr, truth: int) -> Mapping[str, c.Expr]:
    """What is known where a condition is so, or not."""
    if not is_flag(condition):
        return known
    return {name: c.Int(truth) if value == condition else value for name, value in known.items()}


def _uses(var: str, body: c.Body) -> int:
    return sum(name == var for node in visit_body(body) if isinstance(node, c.Var) for name in variables(node))


def _is_asked_at_once(var: str, body: c.Body) -> bool:
    """Is the variable read once only, and before anything else that may have a fault?"""
    if _uses(var, body) != 1:
        return False
    for stmt in body:
        match stmt:
            case c.Mark() | c.Emit():
                continue
            case c.If(expr) | c.Assign(_, expr) | c.Return(expr) if expr is not None:
                return _first(expr) == c.Var(var)
        return False
    return False


def _first(expr: c.Expr) -> c.Expr:
    """What is worked out first, but for constants and slots."""
    for part in children(expr):
        if isinstance(part, c.Expr) and not isinstance(part, c.Int | c.Load):
            return _first(part)
    return expr
