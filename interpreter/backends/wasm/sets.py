"""Wide numbers: sets of more than 64 members, which lie in memory.

Each is known by its place, an address that stays the same; what has to be done first to fill that place is its
set-up. Bit operations are printed word by word, through whole trees of them, so that only the result is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.backends.wasm.comparisons import SIGNS, mirrored_of, sign_of
from interpreter.backends.wasm.text import FRAME, ZERO, Place, any_of, bit_word, block, const, word_of
from interpreter.diagnostics import InternalError
from interpreter.ir import code as c

if TYPE_CHECKING:
    from interpreter.backends.wasm.expressions import ExpressionPrinter

UNROLLED = 8
"""Sets of at most so many words are worked on word by word; for wider ones there are loops."""


class Sets:
    """Prints the wide numbers among the expressions of a printer."""

    def __init__(self, printer: ExpressionPrinter) -> None:
        self.x = printer

    def words(self, expr: c.Expr, count: int) -> tuple[list[str], list[str | None]]:
        """Set-up, and the text of each of the lowest `count` words; None for a word that is 0."""
        kind = self.x.kind(expr)
        if isinstance(expr, c.Int):
            parts = [expr.value >> 64 * i & 2**64 - 1 for i in range(count)]
            return [], [const(part, 1) if part else None for part in parts]
        if kind <= 1:
            local = self.x.locals.fresh("i64", "word")
            texts: list[str | None] = [f"(local.get {local})", *[None] * (count - 1)]
            return [f"(local.set {local} {self.x.number(expr, 1)})"], texts
        match expr:
            case c.Binary("&" | "|" | "&~" as op, left, right):
                setup, first = self.words(left, count)
                more, second = self.words(right, count)
                return [*setup, *more], [word_of(op, x, y) for x, y in zip(first, second, strict=True)]
        place = self.place(expr, min(count, kind))
        return list(place.setup), [place.load(i) if i < kind else None for i in range(count)]

    def any_word(self, expr: c.Expr) -> tuple[list[str], str]:
        """All words joined by or: not 0 where the set is not empty."""
        kind = self.x.kind(expr)
        if kind > UNROLLED:
            place = self.place(expr, kind)
            return list(place.setup), f"(i64.extend_i32_u (call $any {place.address} {const(kind)}))"
        setup, parts = self.words(expr, kind)
        return setup, any_of(parts)

    def put(self, expr: c.Expr, place: Place, kind: int) -> list[str]:
        """Statements that write an expression to a place of `kind` words, whose own set-up is done."""
        if kind > UNROLLED:
            return self._put_by_loop(expr, place, kind)
        setup, parts = self.words(expr, kind)
        return [*setup, *(place.store(i, part or ZERO) for i, part in enumerate(parts))]

    def _put_by_loop(self, expr: c.Expr, place: Place, kind: int) -> list[str]:
        match expr:
            case c.Binary("&" | "|" | "&~" as op, left, right) if self.x.kind(expr) > 1:
                one, two = self.place(left, kind), self.place(right, kind)
                name = {"&": "and", "|": "or", "&~": "without"}[op]
                call = f"(call $set_{name} {place.address} {one.address} {two.address} {const(8 * kind)})"
                return [*one.setup, *two.setup, call]
        if self.x.kind(expr) <= 1:
            clear = f"(memory.fill {place.address} (i32.const 0) {const(8 * kind)})"
            local = self.x.locals.fresh("i64", "word")
            return [f"(local.set {local} {self.x.number(expr, 1)})", clear, place.store(0, f"(local.get {local})")]
        source = self.place(expr, kind)
        return [*source.setup, f"(memory.copy {place.address} {source.address} {const(8 * kind)})"]

    def put_extended(self, expr: c.Expr, room: Place, count: int) -> list[str]:
        kind = self.x.kind(expr)
        if kind <= 1 or count <= UNROLLED:
            return self.put(expr, room, count)
        source = self.place(expr, kind)
        return [
            *source.setup,
            f"(memory.fill {room.address} (i32.const 0) {const(8 * count)})",
            f"(memory.copy {room.address} {source.address} {const(8 * kind)})",
        ]

    def room(self, kind: int) -> Place:
        return Place((), FRAME, self.x.locals.room(kind))

    def variable_place(self, name: str) -> Place:
        """Where a wide variable lies."""
        known = self.x.locals.given(self.x.flow.space, name)
        if known is not None:  # a parameter: its address came in
            return Place((), f"(local.get {known})", 0)
        return Place((), FRAME, self.x.locals.place(self.x.flow.space, name, self.x.variable_kind(name)))

    def place(self, expr: c.Expr, count: int) -> Place:
        """Where at least `count` words of the expression can be read."""
        kind = self.x.kind(expr)
        if isinstance(expr, c.Int):
            return Place((), "(i32.const 0)", self.x.memory.wide(expr.value, max(count, 2)))
        if kind <= 1 or kind < count:
            room = self.room(count)
            return Place(tuple(self.put_extended(expr, room, count)), room.base, room.offset)
        match expr:
            case c.Var(name):
                return self.variable_place(name)
            case c.Load(slot):
                return Place((), "(i32.const 0)", self.x.memory.slot(slot)[0])
            case c.LoadAt():
                setup, text, offset = self.x.slot(expr)
                local = self.x.locals.fresh("i32", "place")
                return Place((*setup, f"(local.set {local} {text})"), f"(local.get {local})", offset)
            case c.ArrayGet(array, index):
                text, offset = self.x.element(array, index)
                local = self.x.locals.fresh("i32", "place")
                return Place((f"(local.set {local} {text})",), f"(local.get {local})", offset)
            case c.Pick(condition, then, otherwise):
                return self._pick_place(condition, then, otherwise, kind)
            case c.CallValue(function, arguments):
                setup, text = self.x.call(function, arguments)
                room = self.room(kind)
                copy = f"(memory.copy {room.address} {text} {const(8 * kind)})"
                return Place((*setup, copy), room.base, room.offset)
            case c.Binary("<<", left, right):
                return self._shifted_left(left, right, kind)
            case c.Binary(">>", left, right):
                return self.shifted_right(left, right, kind)
            case c.Binary("+" | "-" as op, left, right):
                one, two, room = self.place(left, kind), self.place(right, kind), self.room(kind)
                name = "add" if op == "+" else "subtract"
                call = f"(call $set_{name} {room.address} {one.address} {two.address} {const(8 * kind)})"
                return Place((*one.setup, *two.setup, call), room.base, room.offset)
            case c.Binary("&" | "|" | "&~"):
                room = self.room(kind)
                return Place(tuple(self.put(expr, room, kind)), room.base, room.offset)
        raise InternalError(f"no place for {type(expr).__name__}", "backends")

    def _pick_place(self, condition: c.Expr, then: c.Expr, otherwise: c.Expr, kind: int) -> Place:
        local = self.x.locals.fresh("i32", "place")
        if_ = self.x.condition(condition)
        texts = []
        for part, truth in ((then, True), (otherwise, False)):
            with self.x.flow.if_so(condition, truth):
                place = self.place(part, kind)
            texts.append(f"{' '.join(place.setup)} (local.set {local} {place.address})")
        return Place((f"(if {if_} (then {texts[0]}) (else {texts[1]}))",), f"(local.get {local})", 0)

    def _shifted_left(self, left: c.Expr, right: c.Expr, kind: int) -> Place:
        room = self.room(kind)
        if left == c.Int(1):
            call = f"(call $one_bit {room.address} {const(kind)} {self.x.number(right, 1)} {const(self.x.span)})"
            return Place((call,), room.base, room.offset)
        source = self.place(left, kind)
        call = (
            f"(call $shift_words_left {room.address} {source.address} {const(kind)} {self.x.number(right, 1)}"
            f" {const(self.x.span)})"
        )
        return Place((*source.setup, call), room.base, room.offset)

    def shifted_right(self, left: c.Expr, right: c.Expr, kind: int) -> Place:
        room, source = self.room(kind), self.place(left, kind)
        call = (
            f"(call $shift_words_right {room.address} {source.address} {const(kind)} {self.x.number(right, 1)}"
            f" {const(self.x.span)})"
        )
        return Place((*source.setup, call), room.base, room.offset)

    def copy(self, source: Place, room: Place, kind: int) -> list[str]:
        return [f"(memory.copy {room.address} {source.address} {const(8 * kind)})"]

    def compare(self, op: c.CompareOp, left: c.Expr, right: c.Expr, kind: int) -> str:
        for side, other, its in ((left, right, op), (right, left, mirrored_of(op))):
            if isinstance(other, c.Int) and other.value <= 0:  # what is wide is not below 0
                setup, parts = self.any_word(side)
                if other.value < 0:
                    return block([*setup, f"(drop {parts})"], const(int(its in ("!=", ">", ">="))), "i32")
                if its in ("=", "<="):
                    return block(setup, f"(i64.eqz {parts})", "i32")
                if its in ("!=", ">"):
                    return block(setup, f"(i64.ne {parts} (i64.const 0))", "i32")
        if min(self.x.range(left)[0], self.x.range(right)[0]) < 0:
            raise InternalError("a wide set is compared with a number below 0", "backends")
        if op in ("=", "!=") and kind <= UNROLLED:
            setup, first = self.words(left, kind)
            more, second = self.words(right, kind)
            differ = any_of([f"(i64.xor {x or ZERO} {y or ZERO})" for x, y in zip(first, second, strict=True)])
            text = f"(i64.eqz {differ})" if op == "=" else f"(i64.ne {differ} (i64.const 0))"
            return block([*setup, *more], text, "i32")
        one, two = self.place(left, kind), self.place(right, kind)
        call = f"(call $compare {one.address} {two.address} {const(kind)})"
        return block([*one.setup, *two.setup], f"(i32.{SIGNS[op]}{sign_of(op)} {call} (i32.const 0))", "i32")

    def change_bit(self, place: Place, index: c.Expr, kind: int, add: bool) -> list[str]:
        """Adds a member to a wide set in place, or takes it out."""
        text, setup = self.x.checked(index, 64 * kind)
        local = self.x.locals.fresh("i32", "bit")
        address = bit_word(place, local)
        there = self.x.locals.fresh("i32", "there")
        bit = f"(i64.shl (i64.const 1) (i64.extend_i32_u (local.get {local})))"
        old = f"(i64.load offset={place.offset} (local.get {there}))"
        new = f"(i64.or {old} {bit})" if add else f"(i64.and {old} (i64.xor {bit} (i64.const -1)))"
        return [
            *place.setup,
            *setup,
            f"(local.set {local} {text})",
            f"(local.set {there} {address})",
            f"(i64.store offset={place.offset} (local.get {there}) {new})",
        ]


__all__ = ["UNROLLED", "Sets"]
