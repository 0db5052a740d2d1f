"""What stays the same in all turns of a loop is worked out once, before it.

The module's compiler does that for arithmetic, but must take every load from memory for something that may change. The
ranges know what a loop writes; so slots and arrays that a loop only reads are read before it, and so is all that is
made of them, as far out as it stays the same: through the loops of a function and of those it is printed in.

Only what surely has no fault is worked out before it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import define, field

from interpreter.backends.wasm.locals import type_of
from interpreter.ir import code as c
from interpreter.ir.ranges import Known, Range, assigned, written
from interpreter.ir.rewrite import rewrite_expr, variables, visit

if TYPE_CHECKING:
    from interpreter.backends.wasm.expressions import ExpressionPrinter

__all__ = ["Loop", "Loops", "outward"]

_LARGEST = 40
"""Operations of an expression that is taken out."""


@define
class Loop:
    """A loop that is being printed: by whom, what was known when it began, what it changes. `before` are the lines
    that go before it."""

    x: ExpressionPrinter
    stmt: c.Stmt
    kept: dict[Known, Range]
    variables: frozenset[str]
    groups: frozenset[int]
    depth: int
    before: list[str] = field(factory=list)
    locals: dict[tuple[c.Expr, int], str] = field(factory=dict)
    sets: dict[c.Expr, str] = field(factory=dict)

    @property
    def most_turns(self) -> int:
        """How often the body can be gone through; 0 where nothing is known of that."""
        flow = self.x.flow
        match self.stmt:
            case c.ForRange(_, c.Int(low), c.Int(high)):
                return high - low
            case c.ForBits(_, set_):
                range_ = flow.range(set_)
                return range_[1].bit_length() if range_ is not None else 0
        return 0

    def leaves_alone(self, expr: c.Expr) -> bool:
        """Has the expression one value during the whole loop, and no fault before it?"""
        ranges = self.x.ranges
        for node in visit(expr):
            if not self.variables.isdisjoint(variables(node)):
                return False
            match node:
                case c.Load(slot):
                    group = ranges.group_of(slot)
                case c.LoadAt():
                    group = ranges.group_at(node)
                case _:
                    continue
            if group in self.groups:
                return False
        flow = self.x.flow
        kept = flow.keep()
        flow.back(self.kept)
        safe = self.x.is_safe(expr)
        flow.back(kept)
        return safe


class Loops:
    """The loops around the place that is printed, of one function with all that is printed inside it."""

    def __init__(self) -> None:
        self.open: list[Loop] = []
        self.depth = 0

    @contextmanager
    def doubtful(self) -> Iterator[None]:
        """What is printed meanwhile is only worked out in some cases."""
        self.depth += 1
        yield
        self.depth -= 1

    def enter(self, x: ExpressionPrinter, stmt: c.Stmt) -> Loop:
        """A loop begins; the flow knows already what is true in all its turns."""
        loop = Loop(x, stmt, x.flow.keep(), assigned(stmt), written((stmt,), x.ranges), self.depth)
        self.open.append(loop)
        return loop

    def leave(self) -> None:
        self.open.pop()

    def taken_out(self, x: ExpressionPrinter, expr: c.Expr, kind: int) -> str | None:
        """The local that holds the value of an expression; None if it has to be worked out where it stands."""
        if not self.open or not _is_worth_it(expr):
            return None
        found: tuple[int, c.Expr] | None = None
        for number in reversed(range(len(self.open))):
            loop = self.open[number]
            moved = outward(x, loop, expr)
            if moved is None or self.depth > loop.depth or not loop.leaves_alone(moved):
                break
            expr, x = moved, loop.x
            found = number, expr
        return None if found is None else self._before(*found, kind)

    def _before(self, number: int, expr: c.Expr, kind: int) -> str:
        loop = self.open[number]
        local = loop.locals.get((expr, kind))
        if local is None:
            with self.ahead_of(loop):
                text = loop.x.number(expr, kind)
            local = loop.locals[expr, kind] = loop.x.locals.fresh(type_of(kind), "same")
            loop.before.append(f"(local.set {local} {text})")
        return f"(local.get {local})"

    @contextmanager
    def ahead_of(self, loop: Loop) -> Iterator[None]:
        """What is printed meanwhile goes before a loop that is open."""
        number = next(i for i, each in enumerate(self.open) if each is loop)
        inner, depth, kept = self.open[number:], self.depth, loop.x.flow.keep()
        del self.open[number:]
        self.depth = loop.depth
        loop.x.flow.back(loop.kept)
        yield
        loop.x.flow.back(kept)
        self.depth = depth
        self.open.extend(inner)


def outward(x: ExpressionPrinter, loop: Loop, expr: c.Expr, common: str = "") -> c.Expr | None:
    """An expression as the function of a loop would write it; None if it is about something of a function within.
    `common`: a variable that has one name everywhere."""

    def put(node: c.Expr) -> c.Expr:
        return x.given.get(node.name, node) if isinstance(node, c.Var) else node

    while x is not loop.x:
        names = {name for node in visit(expr) for name in variables(node)}
        if x.outer is None or not names <= x.given.keys() | {common}:
            return None
        expr, x = rewrite_expr(expr, put), x.outer
    return expr


def _is_worth_it(expr: c.Expr) -> bool:
    size = reads = 0
    for node in visit(expr):
        size += 1
        reads += isinstance(node, c.LoadAt | c.ArrayGet)
    return reads > 0 and size <= _LARGEST
