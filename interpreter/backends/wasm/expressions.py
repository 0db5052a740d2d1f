"""Expressions of a program as WebAssembly text.

A number that fits a machine word is a value on WebAssembly's stack, `i32` or `i64` by its range; wider ones are the
matter of `sets`.

Bounds are checked where the ranges do not prove them. Invariant: text for a kind of number leaves exactly one value of
that type, whatever set-up it contains.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from interpreter.backends.wasm.comparisons import OPPOSITE, SIGNS
from interpreter.backends.wasm.hoist import Loops
from interpreter.backends.wasm.locals import Locals, type_of
from interpreter.backends.wasm.memory import Memory, size_of
from interpreter.backends.wasm.order import in_order_of_cost
from interpreter.backends.wasm.plain import Plain
from interpreter.backends.wasm.safety import is_inside, is_safe
from interpreter.backends.wasm.sets import UNROLLED, Sets
from interpreter.backends.wasm.text import ZERO, Place, bit_word, block, const
from interpreter.backends.work import Work
from interpreter.diagnostics import InternalError
from interpreter.ir import code as c
from interpreter.ir.passes.fold import is_flag
from interpreter.ir.program import FunctionCode
from interpreter.ir.ranges import LARGE, Flow, Range, certain, may_leave, words
from interpreter.ir.rewrite import visit

_GUESSED = 14
"""Operations that are worked out in vain rather than jumped over."""
_NEAR = 8
"""Elements before the state that still lie in the memory."""
CHECKED = {"+": "sum", "-": "difference", "*": "multiply"}
"""Functions that fault where the result is no number."""
_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or"}
ARITHMETIC, RECURSION, ENDLESS_LOOP, ENDLESS, TOO_MUCH = 703, 704, 702, 701, 707
"""Numbers of the codes of faults found here."""


class Inline(Protocol):
    """Prints bodies of functions in the place of their calls, as long as room is `left`."""

    left: int

    def __call__(self, x: ExpressionPrinter, name: str, arguments: tuple[c.Expr, ...]) -> str | None:
        """The text of the body; None if the function has to be called."""
        ...


class ExpressionPrinter:
    """Prints expressions at one point of a scope; `span` is that of the rules there."""

    def __init__(
        self,
        flow: Flow,
        locals_: Locals,
        memory: Memory,
        functions: dict[str, str],
        inline: Inline | None = None,
        plain: Mapping[str, FunctionCode] | None = None,
        work: Work | None = None,
    ) -> None:
        self.flow, self.locals, self.memory, self.functions = flow, locals_, memory, functions
        self.inline = inline
        self.plain_functions = plain or {}
        self.work = work or Work()  # what has to be counted
        self.plain = Plain(self.plain_functions, flow, self.is_safe)
        self.loops = Loops()
        self.outer: ExpressionPrinter | None = None  # of the function that this one is printed in
        self.given: dict[str, c.Expr] = {}  # inputs that stay what the caller gave
        self.ranges = flow.ranges
        self.span = 0
        self.guessing = 0
        self.sets = Sets(self)

    # ------------------------------------------------------------------ kinds

    def range(self, expr: c.Expr) -> Range:
        return self.flow.range(expr) or (0, 0)

    def kind(self, expr: c.Expr) -> int:
        """How wide the expression is where it comes from."""
        match expr:
            case c.Var(name):
                return self.variable_kind(name)
            case c.Load(slot):
                return self.memory.slot(slot)[1]
            case c.LoadAt():
                return self.memory.groups[self.ranges.group_at(expr)].kind
            case c.ArrayGet(array):
                return self.memory.array(array).kind
            case c.CallValue(function):
                return words(self.ranges.results[function] or (0, 0))
        return words(self.range(expr))

    def variable_kind(self, name: str) -> int:
        return words(self.flow.variables.get(name, (0, 0)))

    def variable(self, name: str) -> str:
        """The local of a variable that is not wide."""
        return self.locals.named(self.flow.space, name, type_of(self.variable_kind(name)))

    def fault(self, code: int = ARITHMETIC) -> str:
        return f"(call $fault {const(code)} {const(self.span)}) (unreachable)"

    # ------------------------------------------------------------------ truth

    def condition(self, expr: c.Expr) -> str:
        """An i32 that is not 0 where the expression is not."""
        match expr:
            case c.Int(value):
                return const(int(value != 0))
            case c.Compare(op, left, right):
                return self._compare(op, left, right)
            case c.And(left, right) | c.Or(left, right):
                return self._both(expr, left, right)
            case c.Not(inner):
                return self.negation(inner)
            case c.Pick(condition, then, otherwise):
                return self._pick(condition, then, otherwise, self.condition, "i32")
        kind = self.kind(expr)
        if kind == 0:
            return self.number(expr, 0)
        if kind == 1:
            return f"(i64.ne {self.number(expr, 1)} (i64.const 0))"
        setup, parts = self.sets.any_word(expr)
        return block(setup, f"(i64.ne {parts} (i64.const 0))", "i32")

    def negation(self, expr: c.Expr) -> str:
        """1 where the expression is 0, else 0."""
        match expr:
            case c.Int(value):
                return const(int(value == 0))
            case c.Compare(op, left, right):
                return self._compare(OPPOSITE[op], left, right)
            case c.Not(inner):
                return self.flag(inner)
        if self.kind(expr) == 1 and not is_flag(expr):
            return f"(i64.eqz {self.number(expr, 1)})"
        return f"(i32.eqz {self.condition(expr)})"

    def flag(self, expr: c.Expr) -> str:
        """1 or 0."""
        match expr:
            case c.Int() | c.Compare() | c.Not():
                return self.condition(expr)
            case c.And(left, right) | c.Or(left, right):
                return self._both(expr, left, right)
        if is_flag(expr) or (self.kind(expr) == 0 and self.range(expr)[0] >= 0 and self.range(expr)[1] <= 1):
            return self.condition(expr)
        return f"(i32.ne {self.condition(expr)} (i32.const 0))"

    def _both(self, expr: c.And | c.Or, left: c.Expr, right: c.Expr) -> str:
        and_ = isinstance(expr, c.And)
        local = self.loops.taken_out(self, expr, 0)
        if local is not None:
            return local
        ordered = in_order_of_cost(self, expr)
        if ordered is not None:
            return ordered
        if isinstance(right, c.And | c.Or) and type(right) is type(expr) and self._is_guess(right.left):
            first_two = c.And(left, right.left) if and_ else c.Or(left, right.left)
            return self._both(expr, first_two, right.right)
        first = self.flag(left)
        if self._is_guess(right):
            self.guessing += 1
            second = self.flag(right)
            self.guessing -= 1
            return f"(i32.{'and' if and_ else 'or'} {first} {second})"
        with self.loops.doubtful(), self.flow.if_so(left, and_):
            second = self.flag(right)
        if self.is_quick(right):
            return f"(i32.{'and' if and_ else 'or'} {first} {second})"
        if and_:
            return f"(if (result i32) {first} (then {second}) (else (i32.const 0)))"
        return f"(if (result i32) {first} (then (i32.const 1)) (else {second}))"

    def _is_guess(self, expr: c.Expr) -> bool:
        """Is it a comparison of a few numbers that may be looked up in vain? What lies beside an array may be read if
        the answer is not used, as long as it lies in the memory."""
        size = 0
        for node in visit(expr):
            size += 1
            match node:
                case c.LoadAt():
                    group = self.ranges.groups[self.ranges.group_at(node)]
                    fits = self._lies_near(node.index, node.base - group.base)
                case c.ArrayGet(_, index):
                    fits = self._lies_near(index, 0)
                case c.Binary("+" | "-" | "*" as op, left, right):
                    fits = not may_leave(op, self.range(left), self.range(right))
                case c.Compare() | c.Int() | c.Var() | c.Load():
                    fits = True
                case _:
                    return False
            if not fits or self.kind(node) > 1:
                return False
        return size <= _GUESSED and isinstance(expr, c.Compare)

    def _lies_near(self, index: c.Expr, shift: int) -> bool:
        low, high = self.range(index)
        return low + shift >= -_NEAR and high + shift <= 1000

    def is_quick(self, expr: c.Expr) -> bool:
        """Is it cheaper worked out than jumped over, and without a fault?"""
        match expr:
            case c.Compare(_, left, right):
                return self._is_atom(left) and self._is_atom(right)
        return self._is_atom(expr)

    def _is_atom(self, expr: c.Expr) -> bool:
        match expr:
            case c.Int() | c.Var() | c.Load():
                return self.kind(expr) <= 1
            case c.Binary("+" | "-" as op, left, right) if not may_leave(op, self.range(left), self.range(right)):
                return self.kind(expr) <= 1 and self._is_atom(left) and self._is_atom(right)
        return False

    def _compare(self, op: c.CompareOp, left: c.Expr, right: c.Expr) -> str:
        a, b = self.range(left), self.range(right)
        known = certain(op, a, b)
        if known is not None and self.is_safe(left) and self.is_safe(right):
            return const(int(known))
        kind = max(self.kind(left), self.kind(right))
        if kind > 1:
            return self.sets.compare(op, left, right, kind)
        unsigned = a[1] > LARGE[1] or b[1] > LARGE[1]
        if unsigned and min(a[0], b[0]) < 0:
            raise InternalError("a set of 64 members is compared with a number below 0", "backends")
        type_ = type_of(kind)
        if right == c.Int(0) and op == "=":
            return f"({type_}.eqz {self.number(left, kind)})"
        sign = SIGNS[op] if op in ("=", "!=") else f"{SIGNS[op]}_{'u' if unsigned else 's'}"
        return f"({type_}.{sign} {self.number(left, kind)} {self.number(right, kind)})"

    def is_safe(self, expr: c.Expr) -> bool:
        """Can it be left out, or be worked out earlier: no call, no fault?"""
        return is_safe(self.flow, expr)

    # ------------------------------------------------------------------ numbers of one word

    def number(self, expr: c.Expr, kind: int) -> str:
        """The value as `i32` (kind 0) or `i64` (kind 1); of a wider one the lowest bits."""
        if self.flow.range(expr) is None:
            return "(unreachable)"
        if isinstance(expr, c.LoadAt | c.ArrayGet | c.Binary | c.Pick):
            local = self.loops.taken_out(self, expr, kind)
            if local is not None:
                return local
        match expr:
            case c.Int(value) | c.BlockNumber(value):
                mask = value & (2**64 - 1 if kind else 2**32 - 1)
                return const(mask, kind)
            case c.Binary("+" | "-" | "*" | "&" | "|" | "&~" as op, left, right):
                if may_leave(op, self.range(left), self.range(right)):
                    text = f"(call ${CHECKED[op]} {self.number(left, 1)} {self.number(right, 1)} {const(self.span)})"
                    return self._converted(text, 1, kind, self.range(expr))
                if kind == 0 or words(self.range(expr)) > 0 or self.kind(left) or self.kind(right):
                    return self._wrapping(op, left, right, kind)
                return self._converted(self._wrapping(op, left, right, 0), 0, 1, self.range(expr))
        own = self.kind(expr)
        if own > 1:
            return self._converted(self._low_word(expr), 1, kind, LARGE)
        return self._converted(self._natural(expr, own), own, kind, self.range(expr))

    def _wrapping(self, op: str, left: c.Expr, right: c.Expr, kind: int) -> str:
        """Operations whose low bits depend on low bits only."""
        type_ = type_of(kind)
        first, second = self.number(left, kind), self.number(right, kind)
        if op == "&~":
            if isinstance(right, c.Int):
                return f"({type_}.and {first} {const(~right.value & (2**64 - 1 if kind else 2**32 - 1), kind)})"
            return f"({type_}.and {first} ({type_}.xor {second} {const(-1, kind)}))"
        if op == "*" and isinstance(right, c.Int) and right.value > 0 and not right.value & (right.value - 1):
            return f"({type_}.shl {first} {const(right.value.bit_length() - 1, kind)})"
        return f"({type_}.{_ARITHMETIC[op]} {first} {second})"

    def _converted(self, text: str, kind: int, wanted: int, range_: Range) -> str:
        if kind == wanted:
            return text
        if kind == 1:
            return f"(i32.wrap_i64 {text})"
        return f"(i64.extend_i32_{'u' if range_[0] >= 0 else 's'} {text})"

    def _low_word(self, expr: c.Expr) -> str:
        match expr:
            case c.Binary("&" | "|" | "&~"):
                setup, parts = self.sets.words(expr, 1)
                return block(setup, parts[0] or ZERO, "i64")
        place = self.sets.place(expr, 1)
        return block(place.setup, place.load(0), "i64")

    def _natural(self, expr: c.Expr, kind: int) -> str:
        """An expression that is not wide, as wide as it comes."""
        match expr:
            case c.Var(name):
                return f"(local.get {self.variable(name)})"
            case c.Load(slot):
                address, _ = self.memory.slot(slot)
                return f"({type_of(kind)}.load offset={address} (i32.const 0))"
            case c.LoadAt():
                setup, text, offset = self.slot(expr)
                return block(setup, f"({type_of(kind)}.load offset={offset} {text})", type_of(kind))
            case c.ArrayGet(array, index):
                if self.memory.is_identity(array) and self.is_safe(expr):
                    return self.number(index, kind)
                text, offset = self.element(array, index)
                return f"({type_of(kind)}.load offset={offset} {text})"
            case c.Binary(op, left, right):
                return self._binary(op, left, right, kind)
            case c.Compare() | c.And() | c.Or() | c.Not():
                return self.flag(expr)
            case c.Pick(condition, then, otherwise):
                return self._pick(condition, then, otherwise, lambda part: self.number(part, kind), type_of(kind))
            case c.HasBit(set_, index):
                return self._has_bit(set_, index)
            case c.PopCount(set_):
                return self._count(set_)
            case c.InList(list_, value):
                return self._in_list(list_, value)
            case c.CallValue(function, arguments):
                setup, text = self.call(function, arguments)
                return block(setup, text, type_of(kind))
        raise InternalError(f"no WebAssembly for {type(expr).__name__}", "backends")

    def _binary(self, op: c.BinaryOp, left: c.Expr, right: c.Expr, own: int) -> str:
        a, b = self.range(left), self.range(right)
        if op == "<<":
            return self._shift_left(left, right, own)
        kind = max(own, self.kind(left), self.kind(right))
        if op == ">>" and self.kind(left) > 1:
            place = self.sets.shifted_right(left, right, self.kind(left))
            return self._converted(block(place.setup, place.load(0), "i64"), 1, own, LARGE)
        if kind > 1:
            raise InternalError(f"`{op}` of wide sets", "backends")
        type_ = type_of(kind)
        first, second = self.number(left, kind), self.number(right, kind)
        unsigned = a[0] >= 0 and b[0] >= 0
        match op:
            case "min" | "max":
                x, y = self.locals.fresh(type_), self.locals.fresh(type_)
                sign = f"{'lt' if op == 'min' else 'gt'}_{'u' if unsigned else 's'}"
                text = (
                    f"(select (local.tee {x} {first}) (local.tee {y} {second})"
                    f" ({type_}.{sign} (local.get {x}) (local.get {y})))"
                )
            case "div" | "mod" if unsigned and b[0] > 0:
                text = self._divide(op, a, right, first, second, type_)
            case "div" | "mod" if isinstance(right, c.Int) and right.value > 0:
                text = self._divide_signed(op, right.value, first, type_)
            case "div" | "mod":
                name = f"${'quotient' if op == 'div' else 'rest'}_{type_}"
                text = f"(call {name} {first} {second} {const(self.span)})"
            case ">>":
                most = 31 if kind == 0 else 63
                sign = "u" if a[0] >= 0 else "s"
                if b[0] >= 0 and b[1] <= most:
                    text = f"({type_}.shr_{sign} {first} {second})"
                else:
                    wide = [self.number(side, 1) for side in (left, right)]
                    text = f"(call $shift_right_{sign} {wide[0]} {wide[1]} {const(self.span)})"
                    return self._converted(text, 1, own, self.range(left))
            case _:
                raise InternalError(f"no WebAssembly for `{op}`", "backends")
        return self._converted(text, kind, own, (0, 0) if unsigned else LARGE)

    def _divide(self, op: str, a: Range, right: c.Expr, first: str, second: str, type_: str) -> str:
        match right:
            case c.Int(value) if not value & (value - 1):
                if op == "div":
                    return f"({type_}.shr_u {first} {const(value.bit_length() - 1, int(type_ == 'i64'))})"
                return f"({type_}.and {first} {const(value - 1, int(type_ == 'i64'))})"
            case c.Int(value) if op == "mod" and a[1] < 2 * value and type_ == "i32":
                x = self.locals.fresh(type_)  # one subtraction at most
                return (
                    f"(select (i32.sub (local.tee {x} {first}) {second}) (local.get {x})"
                    f" (i32.ge_u (local.get {x}) {second}))"
                )
        return f"({type_}.{'div' if op == 'div' else 'rem'}_u {first} {second})"

    def _divide_signed(self, op: str, by: int, first: str, type_: str) -> str:
        """Division by a constant above 0 of what may be below 0."""
        kind = int(type_ == "i64")
        if not by & (by - 1):
            if op == "div":
                return f"({type_}.shr_s {first} {const(by.bit_length() - 1, kind)})"
            return f"({type_}.and {first} {const(by - 1, kind)})"
        x, rest = self.locals.fresh(type_), self.locals.fresh(type_)
        remainder = f"({type_}.rem_s (local.tee {x} {first}) {const(by, kind)})"
        below = f"({type_}.lt_s (local.tee {rest} {remainder}) {const(0, kind)})"
        if op == "mod":
            more = f"(select {const(by, kind)} {const(0, kind)} {below})"
            return f"(block (result {type_}) (local.set {x} {more}) ({type_}.add (local.get {x}) (local.get {rest})))"
        less = below if not kind else f"(i64.extend_i32_u {below})"
        local = self.locals.fresh(type_)
        quotient = f"({type_}.div_s (local.get {x}) {const(by, kind)})"
        return f"(block (result {type_}) (local.set {local} {less}) ({type_}.sub {quotient} (local.get {local})))"

    def _shift_left(self, left: c.Expr, right: c.Expr, own: int) -> str:
        type_ = type_of(own)
        index = self.range(right)
        most = 31 if own == 0 else 63
        shift = self.number(right, own) if self.kind(right) <= own else self.number(right, 0)
        if self.kind(right) > own:
            shift = self._converted(self.number(right, 1), 1, own, LARGE)
        if index[0] < 0 or index[1] > most:
            text, setup = self.checked(right, most + 1)
            shift = self._converted(block(setup, text, "i32"), 0, own, (0, 0))
        return f"({type_}.shl {self.number(left, own)} {shift})"

    def _pick(self, condition: c.Expr, then: c.Expr, otherwise: c.Expr, text: object, type_: str) -> str:
        assert callable(text)
        settled = self.flow.truth(condition)
        if settled is not None and self.is_safe(condition):
            chosen: str = text(then if settled else otherwise)
            return chosen
        if_ = self.condition(condition)
        with self.loops.doubtful(), self.flow.if_so(condition, True):
            first = text(then)
        with self.loops.doubtful(), self.flow.if_so(condition, False):
            second = text(otherwise)
        if self._is_atom(then) and self._is_atom(otherwise):
            return f"(select {first} {second} {if_})"
        return f"(if (result {type_}) {if_} (then {first}) (else {second}))"

    def checked(self, index: c.Expr, count: int) -> tuple[str, list[str]]:
        """An index as i32, and the fault if it is not in 0..count-1."""
        low, high = self.range(index)
        if low >= 0 and high < count:
            return self.number(index, 0), []
        kind = min(self.kind(index), 1)
        type_ = type_of(kind)
        local = self.locals.fresh(type_, "at")
        check = (
            f"(if ({type_}.ge_u (local.tee {local} {self.number(index, kind)}) {const(count, kind)})"
            f" (then {self.fault()}))"
        )
        return self._converted(f"(local.get {local})", kind, 0, (0, 0)), [check]

    # ------------------------------------------------------------------ slots and arrays

    def slot(self, place: c.LoadAt | c.StoreAt) -> tuple[list[str], str, int]:
        """Set-up, text and offset of the address of slot `base + index`."""
        base, index = place.base, place.index
        range_ = self.range(index)
        number = self.ranges.group_at(place)
        group, area = self.ranges.groups[number], self.memory.groups[number]
        shift = base - group.base
        size = size_of(area.kind)
        if self.guessing and not is_inside(self.flow, place):
            text = self._scaled(f"(i32.add {self.number(index, 0)} {const(shift)})", size)
            return [], f"(i32.add {text} {const(area.address)})", 0
        if is_inside(self.flow, place):
            if range_[0] >= 0:
                return [], self._scaled(self.number(index, 0), size), area.address + shift * size
            text = self._scaled(f"(i32.add {self.number(index, 0)} {const(shift)})", size)
            return [], text, area.address
        moved = c.Binary("+", index, c.Int(shift)) if shift else index
        text, setup = self.checked(moved, area.count)
        if isinstance(place, c.LoadAt) and setup:
            # code may read beside a group and not use it: a fault is only what lies outside of the state
            kind = min(self.kind(moved), 1)
            local = self.locals.fresh(type_of(kind), "at")
            slot = self._converted(f"(local.get {local})", kind, 1, LARGE)
            setup = [
                f"(if ({type_of(kind)}.ge_u (local.tee {local} {self.number(moved, kind)}) {const(area.count, kind)})"
                f" (then (call $beside (i64.add {slot} {const(group.base, 1)}) {const(self.span)})"
                f" (local.set {local} {const(0, kind)})))"
            ]
            text = self._converted(f"(local.get {local})", kind, 0, (0, 0))
        return setup, self._scaled(text, size), area.address

    def element(self, array: str, index: c.Expr) -> tuple[str, int]:
        """Text and offset of the address of an element of a constant array."""
        area = self.memory.array(array)
        low, high = self.range(index)
        if self.guessing and not 0 <= low <= high < area.count:
            text = self._scaled(self.number(index, 0), size_of(area.kind))
            return f"(i32.add {text} {const(area.address)})", 0
        text, setup = self.checked(index, area.count)
        return self._scaled(block(setup, text, "i32"), size_of(area.kind)), area.address

    def _scaled(self, text: str, size: int) -> str:
        if not size & (size - 1):
            return f"(i32.shl {text} {const(size.bit_length() - 1)})"
        return f"(i32.mul {text} {const(size)})"

    # ------------------------------------------------------------------ bits

    def _has_bit(self, set_: c.Expr, index: c.Expr) -> str:
        kind = self.kind(set_)
        low, high = self.range(index)
        if kind <= 1:
            bits = 64 if kind else 32
            if low >= 0 and high < bits:
                type_ = type_of(kind)
                if isinstance(set_, c.Int | c.ArrayGet | c.Var | c.Load | c.LoadAt) or self.range(set_)[0] >= 0:
                    shifted = f"({type_}.shr_u {self.number(set_, kind)} {self._index_as(index, kind)})"
                    text = f"({type_}.and {shifted} {const(1, kind)})"
                    return self._converted(text, kind, 0, (0, 1))
            sign = "u" if self.range(set_)[0] >= 0 else "s"
            text = f"(call $shift_right_{sign} {self.number(set_, 1)} {self.number(index, 1)} {const(self.span)})"
            return f"(i32.wrap_i64 (i64.and {text} (i64.const 1)))"
        place = self.sets.place(set_, kind)
        if isinstance(index, c.Int) and 0 <= index.value < 64 * kind:
            text = f"(i64.and (i64.shr_u {place.load(index.value // 64)} {const(index.value % 64, 1)}) (i64.const 1))"
            return block(place.setup, f"(i32.wrap_i64 {text})", "i32")
        if low < 0 or high >= 64 * kind:
            call = f"(call $has_bit {place.address} {const(kind)} {self.number(index, 1)} {const(self.span)})"
            return block(place.setup, call, "i32")
        local = self.locals.fresh("i32", "bit")
        address = bit_word(place, local)
        text = (
            f"(i32.wrap_i64 (i64.and (i64.shr_u (i64.load offset={place.offset} {address})"
            f" (i64.extend_i32_u (local.get {local}))) (i64.const 1)))"
        )
        return block([*place.setup, f"(local.set {local} {self.number(index, 0)})"], text, "i32")

    def _index_as(self, index: c.Expr, kind: int) -> str:
        own = min(self.kind(index), 1)
        return self._converted(self.number(index, own), own, kind, (0, 0))

    def _count(self, set_: c.Expr) -> str:
        kind = self.kind(set_)
        if kind == 0:
            return f"(i32.popcnt {self.number(set_, 0)})"
        if kind == 1:
            return f"(i32.wrap_i64 (i64.popcnt {self.number(set_, 1)}))"
        if kind > UNROLLED:
            place = self.sets.place(set_, kind)
            return block(place.setup, f"(call $count {place.address} {const(kind)})", "i32")
        setup, parts = self.sets.words(set_, kind)
        counts = [f"(i64.popcnt {part})" for part in parts if part is not None]
        total = counts[0] if counts else ZERO
        for count in counts[1:]:
            total = f"(i64.add {total} {count})"
        return block(setup, f"(i32.wrap_i64 {total})", "i32")

    # ------------------------------------------------------------------ calls and lists

    def call(self, function: str, arguments: tuple[c.Expr, ...], copied: bool = False) -> tuple[list[str], str]:
        """Set-up and text of a call. `copied`: what is called may change the state, so nothing is lent from there."""
        if self.inline is not None:
            text = self.inline(self, function, arguments)
            if text is not None:
                return [], text
        setup: list[str] = []
        texts: list[str] = []
        for argument, range_ in zip(arguments, self.ranges.parameters[function], strict=True):
            kind = words(range_ or (0, 0))
            if kind <= 1:
                texts.append(self.number(argument, kind))
                continue
            place = self.sets.place(argument, kind)
            if copied and isinstance(argument, c.Load | c.LoadAt | c.Pick):
                room = self.sets.room(kind)
                place = Place((*place.setup, *self.sets.copy(place, room, kind)), room.base, room.offset)
            setup.extend(place.setup)
            texts.append(place.address)
        return setup, f"(call {self.functions[function]} {' '.join(texts)})"

    def list_kind(self, name: str) -> int:
        return words(self.ranges.lists.get(self.flow.scope, {}).get(name, (0, 0)))

    def list_local(self, name: str, what: str) -> str:
        """A local of a list: where it begins, ends, and where its room ends."""
        self.locals.framed = True
        return self.locals.named(self.flow.space, f"[{name}] {what}", "i32")

    def _in_list(self, name: str, value: c.Expr) -> str:
        kind = self.list_kind(name)
        if kind > 1:
            raise InternalError("a list of wide sets is searched", "backends")
        begin, end = (self.list_local(name, what) for what in ("begin", "end"))
        range_ = self.range(value)
        if kind == 0 and words(range_):
            # the list has 32-bit numbers only: what does not fit is not in it
            local = self.locals.fresh("i64", "value")
            short = f"(i64.extend_i32_s (i32.wrap_i64 (local.tee {local} {self.number(value, 1)})))"
            fits = f"(i64.eq {short} (local.get {local}))"
            found = f"(call $in_list_i32 (local.get {begin}) (local.get {end}) (i32.wrap_i64 (local.get {local})))"
            return f"(if (result i32) {fits} (then {found}) (else (i32.const 0)))"
        return f"(call $in_list_{type_of(kind)} (local.get {begin}) (local.get {end}) {self.number(value, kind)})"


__all__ = [
    "ARITHMETIC",
    "ENDLESS",
    "ENDLESS_LOOP",
    "RECURSION",
    "TOO_MUCH",
    "ExpressionPrinter",
]
