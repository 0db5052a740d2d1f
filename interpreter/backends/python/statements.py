"""Statements and terminators of a program as lines of Python.

Every line remembers the span of the rules it comes from (the last `Mark`, `Check` or `Forever` before it), so that a
fault that Python itself finds leads back to a place in the rules at no cost while playing. Unwatched text leaves marks
and events out, and whatever would be empty without them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from attrs import define, field

from interpreter.backends.counting import Lead, Tally
from interpreter.backends.marks import is_silent
from interpreter.backends.python.expressions import ADD, ExpressionPrinter
from interpreter.backends.work import LISTED, Loop, Work
from interpreter.diagnostics import InternalError
from interpreter.ir import code as c
from interpreter.ir.flow import is_exit
from interpreter.ir.program import CHOICE, DECISION, PC, DecisionInfo, Program
from interpreter.ir.rewrite import visit_body


@define
class Lines:
    """The text of a module as it grows; for each line the number of its span, -1 if not known."""

    text: list[str] = field(factory=list)
    spans: list[int] = field(factory=list)
    depth: int = 0
    span: int = -1

    def add(self, line: str = "") -> None:
        self.text.append("    " * self.depth + line if line else "")
        self.spans.append(self.span)


class StatementPrinter:
    """Prints the bodies of one function or block into `lines`."""

    def __init__(self, lines: Lines, expressions: ExpressionPrinter, work: Work, function: str = "") -> None:
        self.lines = lines
        self.expressions = expressions
        self.watched = expressions.watched
        self.work = work
        self.in_ring = function in work.rings
        self.too_deep = function in work.too_deep
        self.long_lists = function in work.lists

    def body(self, body: c.Body) -> None:
        """The statements one level deeper; never empty."""
        self.lines.depth += 1
        before = len(self.lines.text)
        self.statements(body)
        if len(self.lines.text) == before:
            self.lines.add("pass")
        self.lines.depth -= 1

    def statements(self, body: c.Body) -> None:
        for stmt in body:
            self.statement(stmt)

    def is_silent(self, body: c.Body) -> bool:
        """Would nothing be printed?"""
        if self.watched:
            return not body
        return is_silent(body)

    # ------------------------------------------------------------------ one statement

    def statement(self, stmt: c.Stmt) -> None:
        x, add = self.expressions, self.lines.add
        match stmt:
            case c.Assign(var, value):
                add(f"{x.variable(var)} = {x.value(value)}")
            case c.Store(slot, value):
                add(self._store(f"S[{slot}]", c.Load(slot), value))
            case c.StoreAt(base, index, value):
                add(self._store(x.slot(base, index), c.LoadAt(base, index), value))
            case c.Fill(base, count, value):
                add(f"S[{base}:{base + count}] = [{value}] * {count}")
            case c.If(condition, then, otherwise):
                if not self.is_silent((stmt,)):
                    self._if("if", x.condition(condition), x.negation(condition), then, otherwise)
            case c.IfEmpty(list_, then, otherwise):
                self._if("if", f"not {x.list(list_)}", x.list(list_), then, otherwise)
            case c.ForRange() | c.ForRow() | c.ForItems() | c.ForBits() | c.ForList() | c.Forever():
                self._loop(stmt)
            case c.Break():
                add("break")
            case c.Continue():
                add("continue")
            case c.Return(value):
                self.give_back("" if value is None else x.value(value))
            case c.CallEffect(function, arguments):
                add(x.call(function, arguments))
            case c.NewList(list_):
                add(f"{x.list(list_)} = []")
            case c.Push(list_, value):
                add(f"{x.list(list_)}.append({x.value(value)})")
                if self.long_lists:
                    self._count("1", LISTED)
                    self.ask()
            case c.Pop(list_, var):
                add(f"{x.variable(var)} = {x.list(list_)}.pop()")
            case c.ReturnList(list_):
                add(f"return {x.list(list_)}")
            case c.Chance(var, sides):
                add(f"{x.variable(var)} = {'T.chance' if self.watched else 'draw'}(S, {x.value(sides)})")
            case c.Check(condition, fault, span):
                self.lines.span = span
                add(f"if {x.negation(condition)}:")
                self._deeper(f"raise Fault({fault!r}, {span})")
            case c.Mark(span):
                self.lines.span = span
                if self.watched:
                    add(f"T.mark({span})")
            case c.Emit(event, arguments):
                if self.watched:
                    add(f"T.event({event}, {x.tuple(arguments)})")
            case Tally(counter, player):
                if self.watched:
                    add(f"T.tally({x.value(counter)}, {x.value(player)})")
            case Lead(leaders):
                if self.watched:
                    add(f"T.lead({x.value(leaders)})")
            case _:
                raise InternalError(f"no Python for {type(stmt).__name__}", "backends")

    def give_back(self, value: str) -> None:
        """Returns; a function that can come to call itself says first that it is left."""
        if not self.in_ring:
            self.lines.add(f"return {value}".rstrip())
            return
        result = self.expressions.names.name("result", "result")
        if value:
            self.lines.add(f"{result} = {value}")
        self.lines.add("METER.leave()")
        self.lines.add(f"return {result}" if value else "return")

    def _store(self, place: str, old: c.Expr, value: c.Expr) -> str:
        x = self.expressions
        match value:
            case c.Binary("+", left, c.Int(number), False) if left == old and number < 0:
                return f"{place} -= {-number}"
            case c.Binary("+" | "-" | "|" as op, left, right, False) if left == old:
                return f"{place} {op}= {x.value(right)}"
        return f"{place} = {x.value(value)}"

    def _if(self, word: str, condition: str, negation: str, then: c.Body, otherwise: c.Body) -> None:
        add = self.lines.add
        if self.is_silent(then) and otherwise and not self.is_silent(otherwise):
            condition, then, otherwise = negation, otherwise, ()
        span = self.lines.span
        add(f"{word} {condition}:")
        self.body(then)
        if self.is_silent(otherwise):
            return
        self.lines.span = span
        match otherwise:
            case _ if is_exit(then) and word == "if":
                self.statements(otherwise)
            case (c.If(inner, inner_then, inner_otherwise),):
                x = self.expressions
                self._if("elif", x.condition(inner), x.negation(inner), inner_then, inner_otherwise)
            case _:
                add("else:")
                self.body(otherwise)

    def _loop(self, stmt: c.ForRange | c.ForRow | c.ForItems | c.ForBits | c.ForList | c.Forever) -> None:
        x, add = self.expressions, self.lines.add
        each = self.work.loops.get(id(stmt), 0)
        match stmt:
            case c.ForRange(var, low, high, body):
                if each:
                    low, high = self._counted_range(low, high, each)
                first = "" if low == c.Int(0) else f"{x.value(low)}, "
                add(f"for {x.variable(var)} in range({first}{x.value(high)}):")
                self.turn(stmt)
            case c.ForRow(names, array, index, body):
                if each:
                    self._count("1", each * self.work.longest(array))
                row = f"{x.arrays[array]}[{x.value(index)}]"
                add(f"for {', '.join(x.variable(name) for name in names)} in {row}:")
                self.turn(stmt)
            case c.ForItems(var, items, body):
                if each:
                    self._count("1", each * len(items))
                add(f"for {x.variable(var)} in {x.tuple(items)}:")
                self.turn(stmt)
            case c.ForBits(var, set_, body):
                rest = x.names.fresh("rest")
                add(f"{rest} = {x.value(set_)}")
                if each:
                    self._count(f"{rest}.bit_count()", each)
                add(f"while {rest} > 0:")
                self.lines.depth += 1
                add(f"{x.variable(var)} = ({rest} & -{rest}).bit_length() - 1")
                add(f"{rest} &= {rest} - 1")
                self.lines.depth -= 1
                self.turn(stmt)
            case c.ForList(var, list_, body):
                if each:
                    self._count(f"len({x.list(list_)})", each)
                changed = any(isinstance(node, c.Push | c.Pop) and node.list == list_ for node in visit_body(body))
                add(f"for {x.variable(var)} in {f'tuple({x.list(list_)})' if changed else x.list(list_)}:")
                self.turn(stmt)
            case c.Forever(body, span):
                self.lines.span = span
                add("for _ in range(FUEL):")
                self.turn(stmt)
                add("else:")
                self._deeper(f'raise Fault("D702", {span})')

    def turn(self, stmt: Loop) -> None:
        """The body of a loop, and before it what is counted or asked at each turn."""
        self.lines.depth += 1
        if isinstance(stmt, c.Forever) and id(stmt) in self.work.loops:
            self._count("1", self.work.loops[id(stmt)])
        if id(stmt) in self.work.slow:
            self.ask()
        self.lines.depth -= 1
        self.body(stmt.body)

    def ask(self) -> None:
        """Asks whether too much was done."""
        self.lines.add("if METER.left < 0:")
        self._deeper(f"METER.ask({max(self.lines.span, 0)})")

    def begins(self, steps: int) -> None:
        """What a function or block counts and asks when it begins."""
        if self.too_deep:
            self.lines.add(f"METER.too_deep({max(self.lines.span, 0)})")
        if self.in_ring:
            self.lines.add(f"METER.enter({max(self.lines.span, 0)})")
        self._count("1", steps)
        self.ask()

    def _count(self, times: str, each: int) -> None:
        self.lines.add(f"METER.left -= {each if times == '1' else times if each == 1 else f'{times} * {each}'}")

    def _counted_range(self, low: c.Expr, high: c.Expr, each: int) -> tuple[c.Expr, c.Expr]:
        """Counts the turns of a loop over numbers; its bounds, each worked out once."""
        x = self.expressions

        def kept(bound: c.Expr, name: str) -> c.Expr:
            if isinstance(bound, c.Int | c.Var):
                return bound
            variable = c.Var(f"{name} of {len(self.lines.text)}")
            self.lines.add(f"{x.names.name('variable', variable.name, name)} = {x.value(bound)}")
            return variable

        low, high = kept(low, "first"), kept(high, "after")
        turns = x.value(high) if low == c.Int(0) else f"({x.value(high)} - {x.operand(low, ADD + 1)})"
        if isinstance(low, c.Int) and isinstance(high, c.Int):
            self._count("1", max(0, high.value - low.value) * each)
        else:
            self.lines.add(f"if {x.value(high)} > {x.value(low)}:")
            self.lines.depth += 1
            self._count(turns, each)
            self.lines.depth -= 1
        return low, high

    def _deeper(self, line: str) -> None:
        self.lines.depth += 1
        self.lines.add(line)
        self.lines.depth -= 1

    # ------------------------------------------------------------------ terminators

    def end(self, end: c.Terminator, program: Program, goto: Callable[[int], None]) -> None:
        """The last lines of a block; `goto` prints how to go on at another block."""
        x, add = self.expressions, self.lines.add
        match end:
            case c.Jump(target):
                goto(target)
            case c.Branch(condition, then, otherwise):
                span = self.lines.span
                add(f"if {x.condition(condition)}:")
                self._within(goto, then)
                self.lines.span = span
                goto(otherwise)
            case c.Ask():
                self._ask(program, end, goto)
            case c.JumpSlot(slot):
                add(f"return S[{slot}]")
            case c.Stop():
                add(f"S[{PC}] = S[{DECISION}] = -1")
                add("return None")
            case _:
                raise InternalError(f"no Python for {type(end).__name__}", "backends")

    def _ask(self, program: Program, end: c.Ask, goto: Callable[[int], None]) -> None:
        x, add = self.expressions, self.lines.add
        info = program.decisions[end.decision]
        options = x.names.fresh("options")
        add(f"{options} = {x.call(info.options, ())}")
        done = done_code(program, info) if end.skip else -1
        add(f"if not {options}:" if done < 0 else f"if not {options} or {options} == [{done}]:")
        self._within(goto, end.otherwise)
        if end.alone:
            add(f"if len({options}) == 1{_in_ranges(f'{options}[0]', end.alone, codes_of(info))}:")
            if self.watched:
                self._deeper(f"T.taken(S, {end.decision}, {options}[0])")
            self._deeper(f"S[{CHOICE}] = {options}[0]")
            self._within(goto, end.resume)
        add(f"S[{PC}] = {end.resume}")
        add(f"S[{DECISION}] = {end.decision}")
        add(f"return {options}")

    def _within(self, goto: Callable[[int], None], target: int) -> None:
        self.lines.depth += 1
        goto(target)
        self.lines.depth -= 1


def codes_of(decision: DecisionInfo) -> int:
    """How many codes the branches of a decision have; they begin at 0."""
    return max((branch.base + prod(branch.radix) for branch in decision.branches), default=0)


def _in_ranges(code: str, ranges: tuple[tuple[int, int], ...], codes: int) -> str:
    """A further condition: that a code lies in one of some ranges; nothing where these are all codes."""
    if ranges == ((0, codes),):
        return ""
    asked = " or ".join(f"{first} <= {code} < {after}" for first, after in ranges)
    return f" and ({asked})" if len(ranges) > 1 else f" and {asked}"


def done_code(program: Program, decision: DecisionInfo) -> int:
    """The code that means "done" or "pass"; -1 if a decision has none."""
    if decision.form == "pick":
        return program.decisions[decision.parent].branches[decision.branch].binders[decision.binder].size
    return decision.pass_code if decision.may else -1


__all__ = ["Lines", "StatementPrinter", "codes_of", "done_code"]
