"""Works out beforehand what does not depend on the state, and drops what can never happen.

A lowering writes the general form of everything (a filter of `yes`, an offset of 0, a loop over no players) and leaves
it to this pass to make it plain, so that neither the lowering nor the backends know special cases.

Invariant: a folded program behaves as before, faults included: an operation that can fault (a division, a shift, a
call) is dropped only where it would not have been evaluated.
"""

from __future__ import annotations

from attrs import evolve

from interpreter.ir import code as c
from interpreter.ir.flow import is_exit
from interpreter.ir.program import Program
from interpreter.ir.rewrite import children, rewrite_block, rewrite_function, visit_body

_WIDEST_SHIFT = 4096
"""Constants are not shifted further than this, lest a slip in the rules fills the memory here."""
_MOST_ITEMS = 64
"""A constant bit set of at most so many members becomes a loop over values."""

_OPPOSITE: dict[c.CompareOp, c.CompareOp] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def fold(program: Program) -> Program:
    """Folds constants and prunes branches in every function and block."""
    folder = _Folder(program)
    functions = {
        name: rewrite_function(function, folder.expr, folder.stmt) for name, function in program.functions.items()
    }
    functions = {name: evolve(f, body=_reachable(f.body)) for name, f in functions.items()}
    blocks = []
    for block in program.blocks:
        block = rewrite_block(block, folder.expr, folder.stmt)
        blocks.append(evolve(block, body=_reachable(block.body), end=folder.end(block.end)))
    return evolve(program, functions=functions, blocks=blocks)


def is_harmless(expr: c.Expr) -> bool:
    """Can leaving the expression out change nothing: no fault, no call, nothing that listens?"""
    match expr:
        case c.CallValue() | c.LoadAt() | c.FrameAt() | c.ArrayGet() | c.HasBit() | c.InList():
            return False
        case c.Binary(op="div" | "mod" | "<<" | ">>") | c.Binary(checked=True):
            return False
    return all(is_harmless(part) for part in children(expr) if isinstance(part, c.Expr))


def is_flag(expr: c.Expr) -> bool:
    """Is the value surely 0 or 1?"""
    match expr:
        case c.Compare() | c.And() | c.Or() | c.Not() | c.HasBit() | c.InList():
            return True
        case c.Int(value):
            return value in (0, 1)
        case c.Pick(_, then, otherwise):
            return is_flag(then) and is_flag(otherwise)
    return False


def opposite(expr: c.Expr) -> c.Expr:
    """The expression that is 1 where this one is 0, and 0 elsewhere."""
    match expr:
        case c.Int(value):
            return c.Int(int(not value))
        case c.Compare(op, left, right):
            return c.Compare(_OPPOSITE[op], left, right)
        case c.Not(inner) if is_flag(inner):
            return inner
    return c.Not(expr)


def _reachable(body: c.Body) -> c.Body:
    for i in range(1, len(body)):
        if is_exit(body[:i]):
            return body[:i]
    return body


class _Folder:
    """Folds one operation whose parts are folded already."""

    def __init__(self, program: Program) -> None:
        self.arrays = program.arrays

    # ------------------------------------------------------------------ expressions

    def expr(self, expr: c.Expr) -> c.Expr:
        match expr:
            case c.Binary():
                return self._binary(expr)
            case c.Compare(op, c.Int(a), c.Int(b)):
                return c.Int(int(_compare(op, a, b)))
            case c.And(left, right) | c.Or(left, right):
                return self._both(expr, left, right)
            case c.Not(inner):
                return opposite(inner)
            case c.Pick(c.Int(value), then, otherwise):
                return then if value else otherwise
            case c.Pick(c.Not(condition), then, otherwise):
                return self.expr(c.Pick(condition, otherwise, then))
            case c.Pick(condition, c.Int(1), c.Int(0)):
                return _flag(condition)
            case c.Pick(condition, then, otherwise) if then == otherwise and is_harmless(condition):
                return then
            case c.HasBit(c.Int(members), c.Int(index)) if index >= 0:
                return c.Int(members >> index & 1)
            case c.PopCount(c.Int(members)) if members >= 0:
                return c.Int(members.bit_count())
            case c.LoadAt(base, c.Int(index)):
                return c.Load(base + index)
            case c.LoadAt(base, index, home):
                rest, offset = _split(index)
                return c.LoadAt(base + offset, rest, base if home < 0 else home) if offset else expr
            case c.ArrayGet(array, c.Int(index)):
                values = self.arrays.get(array, ())
                element = values[index] if 0 <= index < len(values) else None
                return c.Int(element) if isinstance(element, int) else expr
        return expr

    def _binary(self, expr: c.Binary) -> c.Expr:
        match expr:
            case c.Binary(op, c.Int(a), c.Int(b)):
                value = _calculate(op, a, b)
                return expr if value is None else c.Int(value)
            case c.Binary("+", c.Int() as number, other):
                return self._binary(c.Binary("+", other, number))
            case c.Binary("-", other, c.Int(b)) if b:
                return self._binary(c.Binary("+", other, c.Int(-b)))
            case c.Binary("+", c.Binary("+", other, c.Int(a)), c.Int(b)):
                return self._binary(c.Binary("+", other, c.Int(a + b)))
            case c.Binary("+" | "-" | "|" | "&~" | "<<" | ">>", other, c.Int(0)) | c.Binary("|", c.Int(0), other):
                return other
            case c.Binary("*" | "div", other, c.Int(1)) | c.Binary("*", c.Int(1), other):
                return other
            case c.Binary("min" | "max", left, right) if left == right:
                return left
        return expr

    def _both(self, expr: c.Expr, left: c.Expr, right: c.Expr) -> c.Expr:
        decides = 0 if isinstance(expr, c.And) else 1  # the truth of the left side that settles the matter
        if isinstance(left, c.Int):
            return c.Int(decides) if bool(left.value) == bool(decides) else _flag(right)
        if isinstance(right, c.Int) and bool(right.value) != bool(decides):
            return _flag(left)
        if isinstance(right, c.Int) and is_harmless(left):
            return c.Int(decides)
        return expr

    # ------------------------------------------------------------------ statements

    def stmt(self, stmt: c.Stmt) -> c.Body:
        match stmt:
            case c.If():
                return self._if(stmt)
            case c.IfEmpty(_, (), ()):
                return ()
            case c.IfEmpty(list_, then, otherwise):
                return (c.IfEmpty(list_, _reachable(then), _reachable(otherwise)),)
            case c.StoreAt(base, c.Int(index), value):
                return (c.Store(base + index, value),)
            case c.StoreAt(base, index, value, home):
                rest, offset = _split(index)
                return (c.StoreAt(base + offset, rest, value, base if home < 0 else home),) if offset else (stmt,)
            case c.Fill(base, count, value) if count <= 1:
                return (c.Store(base, c.Int(value)),) if count else ()
            case c.Assign(var, c.Var(name)) if var == name:
                return ()
            case c.Check(c.Int(value)) if value:
                return ()
            case c.ForRange() | c.ForRow() | c.ForItems() | c.ForBits() | c.ForList() | c.Forever():
                return self._loop(stmt)
        return (stmt,)

    def _if(self, stmt: c.If) -> c.Body:
        match stmt:
            case c.If(c.Int(value), then, otherwise):
                return then if value else otherwise
            case c.If(condition, (), ()):
                return () if is_harmless(condition) else (stmt,)
            case c.If(condition, (), otherwise):
                return self._if(c.If(opposite(condition), otherwise))
            case c.If(c.Not(condition), then, otherwise) if otherwise:
                return self._if(c.If(condition, otherwise, then))
            case c.If(condition, (c.If(inner, then, ()),), ()):
                return self._if(c.If(self.expr(c.And(condition, inner)), then))
        return (c.If(stmt.condition, _reachable(stmt.then), _reachable(stmt.otherwise)),)

    def _loop(self, stmt: c.ForRange | c.ForRow | c.ForItems | c.ForBits | c.ForList | c.Forever) -> c.Body:
        stmt = evolve(stmt, body=_without_last_continue(_reachable(stmt.body)))
        match stmt:
            case c.ForRange(_, c.Int(low), c.Int(high)) if low >= high:
                return ()
            case c.ForRow(_, array, c.Int(index)) if 0 <= index < len(rows := self.arrays.get(array, ())):
                if rows[index] == ():
                    return ()
            case c.ForItems(_, ()) | c.ForBits(_, c.Int(0)):
                return ()
            case c.ForItems(var, (item,), body) if not _leaves(body):
                return (c.Assign(var, item), *body)
            case c.ForBits(var, c.Int(members), body) if members > 0 and members.bit_count() <= _MOST_ITEMS:
                items = tuple(c.Int(i) for i in range(members.bit_length()) if members >> i & 1)
                return self._loop(c.ForItems(var, items, body))
        return (stmt,)

    # ------------------------------------------------------------------ terminators

    def end(self, end: c.Terminator) -> c.Terminator:
        match end:
            case c.Branch(c.Int(value), then, otherwise):
                return c.Jump(then if value else otherwise)
            case c.Branch(condition, then, otherwise) if then == otherwise and is_harmless(condition):
                return c.Jump(then)
            case c.Branch(c.Not(condition), then, otherwise):
                return c.Branch(condition, otherwise, then)
        return end


def _flag(expr: c.Expr) -> c.Expr:
    """The expression as 1 or 0."""
    if isinstance(expr, c.Int):
        return c.Int(int(expr.value != 0))
    return expr if is_flag(expr) else c.Compare("!=", expr, c.Int(0))


def _split(index: c.Expr) -> tuple[c.Expr, int]:
    """A constant offset off an index."""
    match index:
        case c.Binary("+", rest, c.Int(offset)):
            return rest, offset
    return index, 0


def _without_last_continue(body: c.Body) -> c.Body:
    return body[:-1] if body and isinstance(body[-1], c.Continue) else body


def _leaves(body: c.Body) -> bool:
    """Might the body leave or cut short the loop around it? (Also said of loops within it.)"""
    return any(isinstance(node, c.Break | c.Continue) for node in visit_body(body))


def _compare(op: c.CompareOp, a: int, b: int) -> bool:
    match op:
        case "=":
            return a == b
        case "!=":
            return a != b
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
    return a >= b


def _calculate(op: c.BinaryOp, a: int, b: int) -> int | None:
    """The value, or None where working it out now would fault or take long."""
    match op:
        case "+":
            return _number(a, b, a + b)
        case "-":
            return _number(a, b, a - b)
        case "*":
            return _number(a, b, a * b)
        case "div":
            return a // b if b else None
        case "mod":
            return a % b if b else None
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
        case "&":
            return a & b
        case "|":
            return a | b
        case "&~":
            return a & ~b
        case "<<":
            return a << b if 0 <= b <= _WIDEST_SHIFT else None
    return a >> b if 0 <= b <= _WIDEST_SHIFT else None


def _number(a: int, b: int, result: int) -> int | None:
    """What two numbers give, or None where it is too large for one; of a set nothing is asked."""
    numbers = max(abs(a), abs(b)) <= c.LIMIT
    return None if numbers and abs(result) > c.LIMIT else result


__all__ = ["fold", "is_flag", "is_harmless", "opposite"]
