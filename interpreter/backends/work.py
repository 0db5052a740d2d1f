"""How much work the parts of a program can be at most, and where it has to be counted while a game runs.

A rules file from a stranger may ask for more than any machine can do: loops in loops in loops, lists of millions,
values that call others that call others. Counting every turn would slow every game down by a fifth; so what is surely
short is not counted, and what is counted is counted all at once, when it begins.

Two costs are reckoned of every body, in steps (statements, and what they call). The *whole* cost is the most that it
can be: a loop costs its most turns times its body, a branch its dearer half. The *uncounted* cost is what of it nobody
counts: a loop that may cost more than `QUICK` counts itself, turns times the uncounted cost of its body, and so do
functions and blocks. Whether too much was done is only asked where it can have become too much since it was last
asked: at each turn of a loop that may cost more than `SLOW` as a whole, and on entering such functions and blocks.

Things in a list take memory besides time. In a function that may push more than `MANY`, each counts for `LISTED`.

Invariant: a fault comes at the latest when `api.WORK` steps were counted and `SLOW` more were done, or for blocks
without loops `FUEL` times `QUICK`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import define, field

from interpreter.backends.api import DEEPEST, FUEL, WORK
from interpreter.ir import code as c
from interpreter.ir.calls import calls_of
from interpreter.ir.program import Program, SlotGroup
from interpreter.ir.rewrite import children, visit

__all__ = ["LISTED", "QUICK", "SLOW", "Loop", "Turns", "Work", "declared_turns", "in_rings", "work_of"]

QUICK = 512
"""Steps that are done without being counted."""
SLOW = 10_000_000
"""Steps that may be done before anybody asks whether they are too many."""
MANY = 1 << 16
"""Things in a list that are not counted."""
LISTED = 1024
"""Steps that a thing in a list of many counts for."""
_SEARCH = 64
"""Steps that a search in a list counts for."""
_BOUND = 1 << 62
"""Costs end here."""
_MOST = WORK + 1
"""What is counted at once ends here."""

Loop = c.ForRange | c.ForRow | c.ForItems | c.ForBits | c.ForList | c.Forever
Turns = Callable[[str | int, Loop], int | None]
"""The most turns of a loop in a function or block; None where they are not known."""


@define
class Work:
    """What has to be counted and asked."""

    loops: dict[int, int] = field(factory=dict)
    """By `id` of a loop the steps of one turn: counted before it, times its turns; of a `Forever` at each turn."""
    slow: set[int] = field(factory=set)
    """Loops (by `id`) at whose turns is asked whether it was too much."""
    functions: dict[str, int] = field(factory=dict)
    """Functions at whose beginning so many steps are counted, and asked."""
    blocks: dict[int, int] = field(factory=dict)
    """Blocks likewise."""
    lists: set[str] = field(factory=set)
    """Functions whose lists may become long: each push counts for `LISTED`, and asks."""
    rings: set[str] = field(factory=set)
    """Functions that can come to call themselves; they are among `functions`."""
    too_deep: set[str] = field(factory=set)
    """Functions that call others that call others and so on, `api.DEEPEST` times: they are not begun."""
    program: Program | None = None
    kept: list[object] = field(factory=list)  # so that no `id` is given twice

    def longest(self, array: str) -> int:
        """The most elements of a row."""
        rows = self.program.arrays[array] if self.program is not None else ()
        return max((len(row) for row in rows if isinstance(row, tuple)), default=0)

    def is_now(self, old: object, new: object) -> None:
        """A loop is written in another way."""
        if id(old) in self.loops or id(old) in self.slow:
            self.kept.append(new)
            if id(old) in self.slow:
                self.slow.add(id(new))
            if id(old) in self.loops:
                self.loops[id(new)] = self.loops[id(old)]

    def is_anything(self) -> bool:
        return bool(self.loops or self.functions or self.blocks or self.lists or self.too_deep)


def work_of(program: Program, turns: Turns) -> Work:
    """What has to be counted of a program."""
    return _Costs(program, turns).work()


Cost = tuple[int, int]
"""The whole cost and the uncounted cost."""
_NOTHING: Cost = (0, 0)


def _sum(costs: Iterable[Cost]) -> Cost:
    whole = uncounted = 0
    for more, rest in costs:
        whole += more
        uncounted += rest
    return min(whole, _BOUND), min(uncounted, _BOUND)


def _dearer(one: Cost, other: Cost) -> Cost:
    return max(one[0], other[0]), max(one[1], other[1])


class _Costs:
    def __init__(self, program: Program, turns: Turns) -> None:
        self.program, self.turns = program, turns
        self.found = Work(program=program)
        self.found.rings = in_rings(program)
        self.known: dict[str, Cost] = dict.fromkeys(self.found.rings, (_BOUND, 1))

    def work(self) -> Work:
        program, found = self.program, self.found
        heights: dict[str, int] = {}
        for name, called in _callees_first(program):
            heights[name] = 1 + max((heights.get(each, 0) for each in called), default=0)
            if heights[name] > DEEPEST:
                found.too_deep.add(name)
            body = program.functions[name].body
            if self._pushes(name, body) > MANY:
                found.lists.add(name)
            whole, uncounted = self.body(name, body)
            if name in found.rings or whole > SLOW or uncounted > QUICK:
                found.functions[name] = min(uncounted, _MOST)
                uncounted = 1
            self.known[name] = whole, uncounted
        for number, block in enumerate(program.blocks):
            whole, uncounted = _sum((self.body(number, block.body), self._end(block.end)))
            if whole > QUICK:
                found.blocks[number] = min(uncounted, _MOST)
        return found

    def _pushes(self, scope: str, body: c.Body) -> int:
        total = 0
        for stmt in body:
            match stmt:
                case c.Push():
                    total += 1
                case c.If(_, then, otherwise) | c.IfEmpty(_, then, otherwise):
                    total += max(self._pushes(scope, then), self._pushes(scope, otherwise))
                case c.ForRange() | c.ForRow() | c.ForItems() | c.ForBits() | c.ForList() | c.Forever():
                    each = self._pushes(scope, stmt.body)
                    total += each and each * self._turns(scope, stmt)
        return min(total, _BOUND)

    def _turns(self, scope: str | int, stmt: Loop) -> int:
        if isinstance(stmt, c.Forever):
            return FUEL
        known = self.turns(scope, stmt)
        return _BOUND if known is None else known

    # ------------------------------------------------------------------ costs

    def body(self, scope: str | int, body: c.Body) -> Cost:
        return _sum(self.statement(scope, stmt) for stmt in body)

    def statement(self, scope: str | int, stmt: c.Stmt) -> Cost:
        match stmt:
            case c.Mark() | c.Emit():
                return _NOTHING
            case c.If(_, then, otherwise) | c.IfEmpty(_, then, otherwise):
                return _sum((self._parts(stmt), _dearer(self.body(scope, then), self.body(scope, otherwise))))
            case c.ForRange() | c.ForRow() | c.ForItems() | c.ForBits() | c.ForList() | c.Forever():
                return _sum((self._parts(stmt), self._loop(scope, stmt)))
            case c.CallEffect(function):
                return _sum((self._parts(stmt), self.known[function]))
            case c.Fill(_, count):
                return 1 + count // _SEARCH, 1 + count // _SEARCH
        return self._parts(stmt)

    def _loop(self, scope: str | int, stmt: Loop) -> Cost:
        whole, uncounted = _sum((self.body(scope, stmt.body), (1, 1)))
        turns = self._turns(scope, stmt)
        if turns * whole > SLOW:
            self.found.slow.add(id(stmt))
        if turns * uncounted > QUICK:
            self.found.loops[id(stmt)] = min(uncounted, _MOST)
            return min(turns * whole, _BOUND), 1
        return min(turns * whole, _BOUND), turns * uncounted

    def _parts(self, stmt: c.Stmt) -> Cost:
        return _sum([(1, 1), *(self._expr(part) for part in children(stmt) if isinstance(part, c.Expr))])

    def _expr(self, expr: c.Expr) -> Cost:
        calls = [self.known[node.function] for node in visit(expr) if isinstance(node, c.CallValue)]
        searches = sum(isinstance(node, c.InList) for node in visit(expr))
        return _sum([(len(calls) + _SEARCH * searches,) * 2, *calls])

    def _end(self, end: c.Terminator) -> Cost:
        match end:
            case c.Branch(condition):
                return self._expr(condition)
            case c.Ask(decision):
                return self.known[self.program.decisions[decision].options]
        return _NOTHING


# ------------------------------------------------------------------------------------------------ who calls whom


def _callees_first(program: Program) -> Iterator[tuple[str, set[str]]]:
    """All functions with those that they call, each behind them (but for rings)."""
    calls = calls_of(program)
    seen: set[str] = set()
    for start in calls:
        waiting = [(start, False)]
        while waiting:
            name, done = waiting.pop()
            if done:
                yield name, calls[name]
            elif name not in seen:
                seen.add(name)
                waiting.append((name, True))
                waiting.extend((called, False) for called in sorted(calls[name]))


def in_rings(program: Program) -> set[str]:
    """The functions that can come to call themselves."""
    calls = calls_of(program)
    rings: set[str] = set()
    done: set[str] = set()
    for start in calls:
        if start in done:
            continue
        seen: set[str] = set()
        waiting = [*calls[start]]
        while waiting:
            name = waiting.pop()
            if name not in seen and name not in done:
                seen.add(name)
                waiting.extend(calls[name])
        if start in seen:
            rings.add(start)
        elif not seen & set(calls):
            done.add(start)
    return rings


# ------------------------------------------------------------------------------------------------ turns


def declared_turns(program: Program) -> Turns:
    """The most turns of loops by what stands in the program itself: constants, arrays, and what slots are declared to
    hold. Quick to find, where ranges are not needed for anything else."""
    groups = sorted(program.layout.groups, key=lambda group: group.base)

    def turns(scope: str | int, stmt: Loop) -> int | None:
        match stmt:
            case c.ForRange(_, low, high):
                first, last = _extent(low, groups), _extent(high, groups)
                return None if first is None or last is None else max(0, last[1] - first[0])
            case c.ForRow(_, array):
                return max((len(row) for row in program.arrays[array] if isinstance(row, tuple)), default=0)
            case c.ForItems(_, items):
                return len(items)
            case c.ForBits(_, c.Int(members)):
                return members.bit_count()
        return None

    return turns


def _extent(expr: c.Expr, groups: Iterable[SlotGroup]) -> tuple[int, int] | None:
    match expr:
        case c.Int(value):
            return value, value
        case c.Load(slot):
            for group in groups:
                if group.base <= slot < group.base + group.count and group.what in ("order", "variable"):
                    return group.low, group.high
    return None
