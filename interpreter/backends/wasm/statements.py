"""Statements and terminators of a program as WebAssembly text.

A loop is a `block` to leave it by, a `loop` to go round it, and an inner `block` to go on by where its body does so.
Lists lie on the stack of the module and grow there; a function gives its part of the stack back when it returns, one
that returns a list does not, since its list lies there (the next decision begins with an empty stack).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from attrs import evolve

from interpreter.backends.api import FUEL
from interpreter.backends.counting import Lead, Tally
from interpreter.backends.marks import is_silent
from interpreter.backends.wasm.counts import counted_text
from interpreter.backends.wasm.expressions import ENDLESS_LOOP, TOO_MUCH, ExpressionPrinter
from interpreter.backends.wasm.locals import type_of
from interpreter.backends.wasm.masks import Suppose, narrowed
from interpreter.backends.wasm.memory import size_of
from interpreter.backends.wasm.text import ZERO, Place, const
from interpreter.backends.work import LISTED
from interpreter.diagnostics import InternalError
from interpreter.ir import code as c
from interpreter.ir.flow import is_exit
from interpreter.ir.program import CHOICE, DECISION, PC, DecisionInfo, Program
from interpreter.ir.ranges import assigned, loop_ranges, words
from interpreter.ir.rewrite import visit_body

WAITS, OVER = -1, -2
"""What a block gives back instead of the number of the next one."""
LEAVE = "(call $leave)"
"""Stands where a function gives its part of the stack back, until it is known whether it has one."""
_N = TypeVar("_N", c.Stmt, c.Terminator)
_FIRST_ROOM = 64
"""Elements that a new list has room for."""


class StatementPrinter:
    """Prints the bodies of one function or block into `lines`."""

    def __init__(
        self, lines: list[str], expressions: ExpressionPrinter, returns: int | None = None, way_out: str = ""
    ) -> None:
        self.lines, self.x = lines, expressions
        self.way_out = way_out  # the label that a function printed inside another returns to
        self.flow, self.locals, self.memory = expressions.flow, expressions.locals, expressions.memory
        self.returns = returns
        self.rooms: dict[str, int] = {}  # of lists that have a bound
        self.long_lists = False  # may they become so long that it counts?
        self.loops: list[tuple[str, str]] = []

    def add(self, *lines: str) -> None:
        self.lines.extend(lines)

    def begins(self, steps: int | None) -> None:
        """What a function or block counts and asks when it begins."""
        if steps is not None:
            self._count(const(steps, 1))
            self._ask_how_much()

    def _count(self, steps: str) -> None:
        self.add(f"(global.set $left (i64.sub (global.get $left) {steps}))")

    def _ask_how_much(self) -> None:
        """Asks whether too much was done."""
        self.add(f"(if (i64.lt_s (global.get $left) (i64.const 0)) (then {self.x.fault(TOO_MUCH)}))")

    def _count_turns(self, stmt: c.Stmt, turns: str) -> None:
        """Counts the turns of a loop that begins; `turns` is an i64."""
        each = self.x.work.loops.get(id(stmt))
        if each is not None:
            self._count(turns if each == 1 else f"(i64.mul {turns} {const(each, 1)})")

    def body(self, body: c.Body) -> None:
        for stmt in body:
            self.statement(stmt)

    # ------------------------------------------------------------------ one statement

    def statement(self, stmt: c.Stmt) -> None:
        x, add = self.x, self.add
        stmt = self._plain(stmt)
        match stmt:
            case c.Assign(var, value):
                self._assign(var, value)
            case c.Store(slot, value):
                self._store(slot, value)
            case c.StoreAt():
                self._store_at(stmt)
            case c.Fill(base, count, value):
                self._fill(base, count, value)
            case c.If(condition, then, otherwise):
                if not is_silent((stmt,)):
                    self._if(condition, then, otherwise)
            case c.IfEmpty(name, then, otherwise):
                begin, end = x.list_local(name, "begin"), x.list_local(name, "end")
                self._branches(f"(i32.eq (local.get {begin}) (local.get {end}))", None, then, otherwise)
            case c.ForRange() | c.ForRow() | c.ForItems() | c.ForBits() | c.ForList() | c.Forever():
                self._loop(stmt)
            case c.Break():
                add(f"(br {self.loops[-1][0]})")
            case c.Continue():
                add(f"(br {self.loops[-1][1]})")
            case c.Return(value):
                self._return(value)
            case c.CallEffect(function, arguments):
                setup, text = x.call(function, arguments, copied=True)
                gives = self.flow.ranges.program.functions[function].returns == "value"
                add(*setup, f"(drop {text})" if gives else text)
                self.flow.wrote(self.flow.ranges.writes[function])
            case c.NewList(name):
                self._new_list(name)
            case c.Push(name, value):
                self._push(name, value)
            case c.Pop(name, var):
                self._pop(name, var)
            case c.ReturnList(name):
                begin, end = x.list_local(name, "begin"), x.list_local(name, "end")
                add(
                    f"(global.set $options (local.get {begin}))",
                    f"(global.set $options_end (local.get {end}))",
                    "(return)",
                )
            case c.Chance(var, sides):
                self._chance(var, sides)
            case c.Check(condition, fault, span):
                x.span = span
                if not (self.flow.truth(condition) and x.is_safe(condition)):
                    add(f"(if {x.negation(condition)} (then {x.fault(int(fault[1:]))}))")
                    self.flow.suppose(condition, True)
            case c.Mark(span):
                x.span = span
            case c.Emit():
                pass
            case Tally() | Lead():
                add(*counted_text(x, stmt))
            case Suppose(condition):
                self.flow.suppose(condition, True)
            case _:
                raise InternalError(f"no WebAssembly for {type(stmt).__name__}", "backends")

    def _plain(self, node: _N) -> _N:
        """A statement or terminator whose own expressions call as little as they can."""
        changes = {
            name: new
            for name in ("value", "index", "condition", "low", "high", "set", "sides", "arguments")
            if (old := getattr(node, name, None)) is not None and (new := self._rewritten(old)) is not old
        }
        if not changes:
            return node
        plain = evolve(node, **changes)
        self.x.work.is_now(node, plain)
        return plain

    def _rewritten(self, value: object) -> object:
        if isinstance(value, tuple):
            new = tuple(self.x.plain.rewritten(part) for part in value)
            return value if all(a is b for a, b in zip(new, value, strict=True)) else new
        return self.x.plain.rewritten(value) if isinstance(value, c.Expr) else value

    def _assign(self, var: str, value: c.Expr) -> None:
        x = self.x
        kind = x.variable_kind(var)
        if kind <= 1:
            self.add(f"(local.set {x.variable(var)} {x.number(value, kind)})")
        else:
            self._change(c.Var(var), value, x.sets.variable_place(var), kind)
        self.flow.set(var, self.flow.range(value), value)

    def _change(self, old: c.Expr, value: c.Expr, place: Place, kind: int) -> None:
        """Gives a wide variable or slot a value; one bit more or less is changed in place."""
        match value:
            case c.Binary("|" | "&~" as op, left, c.Binary("<<", c.Int(1), index)) if left == old:
                self.add(*self.x.sets.change_bit(place, index, kind, op == "|"))
            case _:
                self.add(*place.setup, *self.x.sets.put(value, place, kind))

    def _store(self, slot: int, value: c.Expr) -> None:
        address, kind = self.memory.slot(slot)
        if kind <= 1:
            self.add(f"({type_of(kind)}.store offset={address} (i32.const 0) {self.x.number(value, kind)})")
        else:
            self._change(c.Load(slot), value, Place((), "(i32.const 0)", address), kind)
        if slot == CHOICE:
            self.flow.codes = None
            self.flow.changed()
        self._wrote(slot)

    def _wrote(self, slot: int) -> None:
        self.flow.wrote(frozenset((self.flow.ranges.group_of(slot),)))

    def _store_at(self, stmt: c.StoreAt) -> None:
        x, value = self.x, stmt.value
        old = c.LoadAt(stmt.base, stmt.index, stmt.home)
        kind = x.kind(old)
        setup, text, offset = x.slot(stmt)
        if kind <= 1:
            type_ = type_of(kind)
            self.add(*setup, f"({type_}.store offset={offset} {text} {x.number(value, kind)})")
        else:
            local = self.locals.fresh("i32", "place")
            self.add(*setup, f"(local.set {local} {text})")
            self._change(old, value, Place((), f"(local.get {local})", offset), kind)
        self._wrote(stmt.base if stmt.home < 0 else stmt.home)

    def _fill(self, base: int, count: int, value: int) -> None:
        address, kind = self.memory.slot(base)
        last, _ = self.memory.slot(base + count - 1)
        if value in (0, -1) and last - address == size_of(kind) * (count - 1):
            self.add(f"(memory.fill {const(address)} {const(value & 255)} {const(size_of(kind) * count)})")
            self._wrote(base)
            return
        for slot in range(base, base + count):
            self._store(slot, c.Int(value))

    def _if(self, condition: c.Expr, then: c.Body, otherwise: c.Body) -> None:
        match then:
            case (*before, c.Push(name, value)) if (
                self.x.is_quick(value) and self.x.list_kind(name) <= 1 and is_silent((*before, *otherwise))
            ):
                self._push_if(condition, name, value)
                return
            case (*before, c.Assign(name, c.Binary("|", c.Var(same), c.Binary("<<", c.Int(1), index)))) if (
                name == same and self._is_bit_of_a_word(name, index) and is_silent((*before, *otherwise))
            ):
                kind = self.x.variable_kind(name)
                bit = f"({type_of(kind)}.shl {self._as_kind(condition, kind)} {self.x.number(index, kind)})"
                self._set_if(name, f"({type_of(kind)}.or (local.get {self.x.variable(name)}) {bit})")
                return
            case (*before, c.Assign(name, c.Binary("+", c.Var(same), c.Int(1)))) if (
                name == same and self.x.variable_kind(name) <= 1 and is_silent((*before, *otherwise))
            ):
                kind = self.x.variable_kind(name)
                more = self._as_kind(condition, kind)
                self._set_if(name, f"({type_of(kind)}.add (local.get {self.x.variable(name)}) {more})")
                return
        if is_silent(then) and otherwise and not is_silent(otherwise):
            condition, then, otherwise = c.Not(condition), otherwise, ()
        self._branches(self.x.condition(condition), condition, then, otherwise)

    def _is_bit_of_a_word(self, name: str, index: c.Expr) -> bool:
        kind = self.x.variable_kind(name)
        low, high = self.x.range(index)
        return kind <= 1 and low >= 0 and high < (64 if kind else 31) and self.x.is_quick(index)

    def _as_kind(self, condition: c.Expr, kind: int) -> str:
        """A condition as 1 or 0 of a kind."""
        return self.x._converted(self.x.flag(condition), 0, kind, (0, 1))

    def _set_if(self, name: str, text: str) -> None:
        self.add(f"(local.set {self.x.variable(name)} {text})")
        self.flow.forget((name,))

    def _branches(self, text: str, condition: c.Expr | None, then: c.Body, otherwise: c.Body) -> None:
        span, kept = self.x.span, self.flow.keep()
        if condition is not None:
            self.flow.suppose(condition, True)
        self.add(f"(if {text} (then")
        self.x.loops.depth += 1
        self.body(then)
        first = self.flow.keep()
        self.flow.back(kept)
        self.x.span = span
        if condition is not None:
            self.flow.suppose(condition, False)
        if not is_silent(otherwise):
            self.add(") (else")
            self.body(otherwise)
        self.x.loops.depth -= 1
        self.add("))")
        self.flow.meet_again(first, is_exit(then), is_exit(otherwise))

    def _return(self, value: c.Expr | None) -> None:
        x = self.x
        if self.way_out:
            text = "" if value is None or self.returns is None else f" {x.number(value, self.returns)}"
            self.add(f"(br {self.way_out}{text})")
        elif value is None or self.returns is None:
            self.add(LEAVE, "(return)")
        elif self.returns <= 1:
            local = self.locals.fresh(type_of(self.returns), "result")
            self.add(f"(local.set {local} {x.number(value, self.returns)})", LEAVE)
            self.add(f"(return (local.get {local}))")
        else:
            place = x.sets.place(value, self.returns)
            self.add(*place.setup, LEAVE, f"(return {place.address})")

    def _chance(self, var: str, sides: c.Expr) -> None:
        x = self.x
        if isinstance(sides, c.Int) and sides.value > 1:
            limit = 2**32 - 2**32 % sides.value
            text = f"(call $draw_below {const(sides.value)} {const(limit, 1)})"
        else:
            text = f"(call $draw {x.number(sides, 1)})"
        kind = x.variable_kind(var)
        self.add(f"(local.set {x.variable(var)} {text if kind == 0 else f'(i64.extend_i32_u {text})'})")
        range_ = self.flow.range(sides)
        self.flow.set(var, (0, max(0, min((range_ or (0, 1))[1], 2**32) - 1)))

    # ------------------------------------------------------------------ lists

    def _new_list(self, name: str) -> None:
        x = self.x
        begin, end, room = (x.list_local(name, what) for what in ("begin", "end", "room"))
        size = size_of(x.list_kind(name)) * (self.rooms[name] + 1 if name in self.rooms else _FIRST_ROOM)
        self.add(
            f"(if (i32.eqz (local.get {begin})) (then",
            f"(local.set {begin} (call $take {const(size)} {const(x.span)}))",
            f"(local.set {room} (i32.add (local.get {begin}) {const(size)}))))",
            f"(local.set {end} (local.get {begin}))",
        )

    def _push(self, name: str, value: c.Expr, step: str | None = None) -> None:
        x = self.x
        if self.long_lists:
            self._count(const(LISTED, 1))
            self._ask_how_much()
        begin, end, room = (x.list_local(name, what) for what in ("begin", "end", "room"))
        kind = x.list_kind(name)
        size = size_of(kind)
        if name not in self.rooms:
            self.add(
                f"(if (i32.eq (local.get {end}) (local.get {room})) (then",
                f"(local.set {begin} (call $grow (local.get {begin}) (local.get {end}) {const(x.span)}))",
                f"(local.set {end} (i32.add (local.get {begin}) (global.get $grown)))",
                f"(local.set {room} (i32.add (local.get {end}) (global.get $grown)))))",
            )
        place = Place((), f"(local.get {end})", 0)
        if kind <= 1:
            self.add(f"({type_of(kind)}.store (local.get {end}) {x.number(value, kind)})")
        else:
            self.add(*x.sets.put(value, place, kind))
        self.add(f"(local.set {end} (i32.add (local.get {end}) {step or const(size)}))")

    def _push_if(self, condition: c.Expr, name: str, value: c.Expr) -> None:
        """Which options there are cannot be foreseen: writing one too many is cheaper than jumping over it."""
        x = self.x
        taken = self.locals.fresh("i32", "taken")
        self.add(f"(local.set {taken} {x.flag(condition)})")
        self._push(name, value, f"(i32.shl (local.get {taken}) {const(size_of(x.list_kind(name)).bit_length() - 1)})")

    def _pop(self, name: str, var: str) -> None:
        x = self.x
        begin, end = (x.list_local(name, what) for what in ("begin", "end"))
        kind = x.list_kind(name)
        self.add(
            f"(if (i32.eq (local.get {begin}) (local.get {end})) (then {x.fault()}))",
            f"(local.set {end} (i32.sub (local.get {end}) {const(size_of(kind))}))",
        )
        self._take(var, f"(local.get {end})", 0, kind)
        self.flow.set(var, self.flow.ranges.lists.get(self.flow.scope, {}).get(name))

    def _take(self, var: str, base: str, offset: int, kind: int) -> None:
        """Gives a variable the element at an address."""
        x = self.x
        own = x.variable_kind(var)
        source = Place((), base, offset)
        if own <= 1:
            text = f"({type_of(min(kind, 1))}.load offset={offset} {base})"
            self.add(f"(local.set {x.variable(var)} {x._converted(text, min(kind, 1), own, (-1, 0))})")
            return
        place = x.sets.variable_place(var)
        if kind == 0:
            self.add(place.store(0, f"(i64.load32_u offset={offset} {base})"))
        for i in range(0 if kind else 1, own):
            self.add(place.store(i, source.load(i) if i < kind else ZERO))

    # ------------------------------------------------------------------ loops

    def _loop(self, stmt: c.ForRange | c.ForRow | c.ForItems | c.ForBits | c.ForList | c.Forever) -> None:
        match stmt:
            case c.ForRange():
                self._for_range(stmt)
            case c.ForRow(names, array, index):
                fewer = narrowed(self, stmt)
                if fewer is not None:
                    self.statement(fewer)
                else:
                    self._for_row(stmt, names, array, index)
            case c.ForItems():
                self._for_items(stmt)
            case c.ForBits():
                self._for_bits(stmt)
            case c.ForList(var, name):
                begin, end = self._snapshot(stmt, name)
                self._through(stmt, (var,), begin, end, self.x.list_kind(name))
            case c.Forever(_, span):
                self.x.span = span
                turns = self.locals.fresh("i32", "turns")
                self.add(f"(local.set {turns} {const(FUEL)})")
                fault = self.x.fault(ENDLESS_LOOP)

                def first(leave: str) -> None:
                    self._count_turns(stmt, const(1, 1))

                def step(again: str) -> None:
                    self.add(f"(local.set {turns} (i32.sub (local.get {turns}) (i32.const 1)))")
                    self.add(f"(br_if {again} (local.get {turns}))", fault)

                self._round(stmt, first, step)

    def _round(
        self,
        stmt: c.ForRange | c.ForRow | c.ForItems | c.ForBits | c.ForList | c.Forever,
        first: Callable[[str], None],
        step: Callable[[str], None],
    ) -> None:
        """A loop: `first` prints what begins a turn, `step` what ends it and goes on to the next. Entered only if
        there is a first turn."""
        bound = loop_ranges(self.flow, stmt)
        self.flow.loses(stmt)
        kept, span = self.flow.keep(), self.x.span
        start, loop = len(self.lines), self.x.loops.enter(self.x, stmt)
        for name, range_ in bound.items():
            self.flow.set(name, range_)
        leave, again, onward = (self.locals.label(name) for name in ("leave", "again", "onward"))
        self.add(f"(block {leave} (loop {again}")
        first(leave)
        if id(stmt) in self.x.work.slow:
            self._ask_how_much()
        continues = _continues(stmt.body)
        if continues:
            self.add(f"(block {onward}")
        self.loops.append((leave, onward))
        self.body(stmt.body)
        self.loops.pop()
        if continues:
            self.add(")")
        self.flow.back(kept)
        self.x.loops.leave()
        step(again)
        self.add("))")
        self.lines[start:start] = loop.before
        self.x.span = span

    def _for_range(self, stmt: c.ForRange) -> None:
        x, var = self.x, stmt.var
        own = x.variable_kind(var)
        kind = max(own, min(1, max(x.kind(stmt.low), x.kind(stmt.high))))
        if own > 1:
            raise InternalError("a loop over wide numbers", "backends")
        type_ = type_of(kind)
        separate = kind != own or var in _set_within(stmt.body)
        count = self.locals.fresh(type_, "count") if separate else x.variable(var)
        low, high = x.number(stmt.low, kind), x.number(stmt.high, kind)
        least, most = x.range(stmt.low), x.range(stmt.high)
        if isinstance(stmt.high, c.Int):
            end = const(stmt.high.value & (2**64 - 1 if kind else 2**32 - 1), kind)
            self.add(f"(local.set {count} {low})")
        else:
            local = self.locals.fresh(type_, "end")
            start = self.locals.fresh(type_, "start")
            end = f"(local.get {local})"
            self.add(f"(local.set {start} {low})", f"(local.set {local} {high})")
            self.add(f"(local.set {count} (local.get {start}))")
        certain = least[1] < most[0]
        if not certain:
            self.add(f"(if ({type_}.lt_s (local.get {count}) {end}) (then")
        if isinstance(stmt.low, c.Int) and isinstance(stmt.high, c.Int):
            self._count_turns(stmt, const(stmt.high.value - stmt.low.value, 1))
        else:
            bounds = (x._converted(text, kind, 1, (-1, 0)) for text in (end, f"(local.get {count})"))
            turns = f"(i64.sub {' '.join(bounds)})"
            self._count_turns(stmt, f"(call $many {turns})" if kind else turns)

        def first(leave: str) -> None:
            if separate:
                text = x._converted(f"(local.get {count})", kind, own, (-1, 0))
                self.add(f"(local.set {x.variable(var)} {text})")

        def step(again: str) -> None:
            self.add(f"(local.set {count} ({type_}.add (local.get {count}) {const(1, kind)}))")
            self.add(f"(br_if {again} ({type_}.lt_s (local.get {count}) {end}))")

        self._round(stmt, first, step)
        if not certain:
            self.add("))")

    def _for_row(self, stmt: c.ForRow, names: tuple[str, ...], array: str, index: c.Expr) -> None:
        x = self.x
        rows = self.memory.rows(array)
        if rows.count == 0:
            self.add(x.fault())
            return
        begin, end = self.locals.fresh("i32", "at"), self.locals.fresh("i32", "end")
        text, setup = x.checked(index, rows.count)
        self.add(*setup)
        if rows.length >= 0:
            if rows.length == 0:
                return
            self.add(f"(local.set {begin} (i32.add {const(rows.address)} {x._scaled(text, rows.length)}))")
            self.add(f"(local.set {end} (i32.add (local.get {begin}) {const(rows.length)}))")
            self._through(stmt, names, begin, end, rows.kind, certain=True)
            return
        row = self.locals.fresh("i32", "row")
        self.add(f"(local.set {row} {x._scaled(text, 8)})")
        self.add(f"(local.set {begin} (i32.load offset={rows.table} (local.get {row})))")
        self.add(f"(local.set {end} (i32.load offset={rows.table + 4} (local.get {row})))")
        self._through(stmt, names, begin, end, rows.kind)

    def _for_items(self, stmt: c.ForItems) -> None:
        x = self.x
        if not stmt.items:
            return
        kind = max(x.kind(item) for item in stmt.items)
        count = len(stmt.items)
        begin, end = self.locals.fresh("i32", "at"), self.locals.fresh("i32", "end")
        values = [item.value for item in stmt.items if isinstance(item, c.Int)]
        if len(values) == count:
            kind = max(words((value, value)) for value in values)
            self.add(f"(local.set {begin} {const(self.memory.add(values, kind))})")
        else:
            room = Place((), "(local.get $fp)", self.locals.room(kind, count))
            for i, item in enumerate(stmt.items):
                offset = room.offset + i * size_of(kind)
                if kind <= 1:
                    self.add(f"({type_of(kind)}.store offset={offset} {room.base} {x.number(item, kind)})")
                else:
                    self.add(*x.sets.put(item, Place((), room.base, offset), kind))
            self.add(f"(local.set {begin} {room.address})")
        self.add(f"(local.set {end} (i32.add (local.get {begin}) {const(size_of(kind) * count)}))")
        self._through(stmt, (stmt.var,), begin, end, kind, certain=True)

    def _snapshot(self, stmt: c.ForList, name: str) -> tuple[str, str]:
        """Where the loop begins and ends: the list, or a copy of it if the body changes it."""
        x = self.x
        begin, end = self.locals.fresh("i32", "at"), self.locals.fresh("i32", "end")
        first, last = x.list_local(name, "begin"), x.list_local(name, "end")
        if any(isinstance(node, c.Push | c.Pop | c.NewList) and node.list == name for node in visit_body(stmt.body)):
            size = f"(i32.sub (local.get {last}) (local.get {first}))"
            self.add(
                f"(local.set {begin} (call $take {size} {const(x.span)}))",
                f"(memory.copy (local.get {begin}) (local.get {first}) {size})",
                f"(local.set {end} (i32.add (local.get {begin}) {size}))",
            )
        else:
            self.add(f"(local.set {begin} (local.get {first}))", f"(local.set {end} (local.get {last}))")
        return begin, end

    def _through(
        self,
        stmt: c.ForRow | c.ForItems | c.ForList,
        names: tuple[str, ...],
        begin: str,
        end: str,
        kind: int,
        certain: bool = False,
    ) -> None:
        """Over numbers side by side in memory."""
        size = size_of(kind)
        differ = f"(i32.ne (local.get {begin}) (local.get {end}))"
        if not certain:
            self.add(f"(if {differ} (then")
        length = f"(i32.sub (local.get {end}) (local.get {begin}))"
        self._count_turns(stmt, f"(i64.extend_i32_u (i32.div_u {length} {const(size * len(names))}))")

        def first(leave: str) -> None:
            for i, name in enumerate(names):
                self._take(name, f"(local.get {begin})", i * size, kind)

        def step(again: str) -> None:
            self.add(f"(local.set {begin} (i32.add (local.get {begin}) {const(size * len(names))}))")
            self.add(f"(br_if {again} {differ})")

        self._round(stmt, first, step)
        if not certain:
            self.add("))")

    def _for_bits(self, stmt: c.ForBits) -> None:
        x = self.x
        kind = x.kind(stmt.set)
        if kind <= 1:
            self._for_bits_of_word(stmt, x.number(stmt.set, kind), kind, x.range(stmt.set)[0] < 0)
            return
        place = x.sets.place(stmt.set, kind)
        self.add(*place.setup)
        fixed = isinstance(stmt.set, c.Int | c.ArrayGet | c.Binary | c.CallValue)
        if not fixed:
            room = x.sets.room(kind)
            self.add(f"(memory.copy {room.address} {place.address} {const(8 * kind)})")
            place = room
        self._count_turns(stmt, f"(i64.extend_i32_u (call $count {place.address} {const(kind)}))")
        at, rest = self.locals.fresh("i32", "word"), self.locals.fresh("i64", "rest")
        self.add(f"(local.set {at} (i32.const 0))")
        self.add(f"(local.set {rest} {place.load(0)})")
        byte = f"(i32.shl (local.get {at}) (i32.const 3))"
        address = byte if place.base == "(i32.const 0)" else f"(i32.add {place.base} {byte})"
        found, search = self.locals.label("found"), self.locals.label("search")

        def first(leave: str) -> None:
            self.add(
                f"(block {found} (loop {search}",
                f"(br_if {found} (i64.ne (local.get {rest}) (i64.const 0)))",
                f"(local.set {at} (i32.add (local.get {at}) (i32.const 1)))",
                f"(br_if {leave} (i32.ge_u (local.get {at}) {const(kind)}))",
                f"(local.set {rest} (i64.load offset={place.offset} {address}))",
                f"(br {search})))",
            )
            index = f"(i32.wrap_i64 (i64.ctz (local.get {rest})))"
            text = f"(i32.add (i32.shl (local.get {at}) (i32.const 6)) {index})"
            self.add(f"(local.set {x.variable(stmt.var)} {x._converted(text, 0, x.variable_kind(stmt.var), (0, 0))})")
            self.add(f"(local.set {rest} (i64.and (local.get {rest}) (i64.sub (local.get {rest}) (i64.const 1))))")

        self._round(stmt, first, lambda again: self.add(f"(br {again})"))

    def _for_bits_of_word(self, stmt: c.ForBits, text: str, kind: int, signed: bool) -> None:
        x = self.x
        type_ = type_of(kind)
        rest = self.locals.fresh(type_, "rest")
        self.add(f"(local.set {rest} {text})")
        count = f"({type_}.popcnt (local.get {rest}))"
        self._count_turns(stmt, count if kind else f"(i64.extend_i32_u {count})")
        zero, one = const(0, kind), const(1, kind)
        more = f"({type_}.{'gt_s' if signed else 'ne'} (local.get {rest}) {zero})"
        self.add(f"(if {more} (then")

        def first(leave: str) -> None:
            index = x._converted(f"({type_}.ctz (local.get {rest}))", kind, x.variable_kind(stmt.var), (0, 0))
            self.add(f"(local.set {x.variable(stmt.var)} {index})")
            self.add(f"(local.set {rest} ({type_}.and (local.get {rest}) ({type_}.sub (local.get {rest}) {one})))")

        def step(again: str) -> None:
            self.add(f"(br_if {again} {more})")

        self._round(stmt, first, step)
        self.add("))")

    # ------------------------------------------------------------------ terminators

    def end(self, end: c.Terminator, program: Program, goto: Callable[[int], None]) -> None:
        """The last lines of a block; `goto` prints how to go on at another block."""
        end = self._plain(end)
        match end:
            case c.Jump(target):
                goto(target)
            case c.Branch(condition, then, otherwise):
                span = self.x.span
                self.add(f"(if {self.x.condition(condition)} (then")
                goto(then)
                self.add("))")
                self.x.span = span
                goto(otherwise)
            case c.Ask():
                self._ask(program, end, goto)
            case c.JumpSlot(slot):
                self.add(f"(return {self.x.number(c.Load(slot), 0)})")
            case c.Stop():
                self._store(PC, c.Int(-1))
                self._store(DECISION, c.Int(-1))
                self.add(f"(return {const(OVER)})")
            case _:
                raise InternalError(f"no WebAssembly for {type(end).__name__}", "backends")

    def _ask(self, program: Program, ask: c.Ask, goto: Callable[[int], None]) -> None:
        info = program.decisions[ask.decision]
        self.add(f"(call {self.x.functions[info.options]})")
        done = done_code(program, info) if ask.skip else -1
        begin, end = "(global.get $options)", "(global.get $options_end)"
        kind = words(self.flow.ranges.lists.get(info.options, {}).get(_returned(program, info.options), (0, 0)))
        type_ = type_of(kind)
        single = f"(i32.eq (i32.sub {end} {begin}) {const(size_of(kind))})"
        only = f"({type_}.load {begin})"
        none = f"(i32.eq {begin} {end})"
        if done >= 0:
            alone = f"(if (result i32) {single} (then ({type_}.eq {only} {const(done, kind)})) (else (i32.const 0)))"
            none = f"(i32.or {none} {alone})"
        self.add(f"(if {none} (then")
        goto(ask.otherwise)
        self.add("))")
        if ask.alone:
            self.add(f"(if {single} (then")
            for first, after in ask.alone:
                within = f"({type_}.lt_u ({type_}.sub {only} {const(first, kind)}) {const(after - first, kind)})"
                self.add(f"(if {within} (then")
                address, own = self.memory.slot(CHOICE)
                text = self.x._converted(only, kind, own, (0, 0))
                self.add(f"({type_of(own)}.store offset={address} (i32.const 0) {text})")
                goto(ask.resume)
                self.add("))")
            self.add("))")
        self._store(PC, c.Int(ask.resume))
        self._store(DECISION, c.Int(ask.decision))
        self.add(f"(return {const(WAITS)})")


def done_code(program: Program, decision: DecisionInfo) -> int:
    """The code that means "done" or "pass"; -1 if a decision has none."""
    if decision.form == "pick":
        return program.decisions[decision.parent].branches[decision.branch].binders[decision.binder].size
    return decision.pass_code if decision.may else -1


def _returned(program: Program, function: str) -> str:
    """The list that a function returns."""
    for node in visit_body(program.functions[function].body):
        if isinstance(node, c.ReturnList):
            return node.list
    raise InternalError(f"{function} returns no list", "backends")


def _continues(body: c.Body) -> bool:
    """Is there a `Continue` of the loop whose body this is?"""
    for stmt in body:
        match stmt:
            case c.Continue():
                return True
            case c.If(_, then, otherwise) | c.IfEmpty(_, then, otherwise):
                if _continues(then) or _continues(otherwise):
                    return True
    return False


def _set_within(body: c.Body) -> frozenset[str]:
    return frozenset(name for stmt in body for name in assigned(stmt))


__all__ = ["LEAVE", "OVER", "WAITS", "StatementPrinter", "done_code"]
