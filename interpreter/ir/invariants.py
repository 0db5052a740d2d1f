"""What must hold of a program between two passes, checked by name, so that a slip is found where it was made.

Not a check of the user's rules: anything found here is our own fault and raises `InternalError` with the stage after
which it was found. Invariant: a program that passes can be printed by any backend without further questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import prod
from typing import NoReturn

from interpreter.diagnostics import InternalError
from interpreter.ir import code as c
from interpreter.ir.program import BranchInfo, Condition, FunctionCode, Program, Shown
from interpreter.ir.rewrite import Node, children, variables, visit, visit_block, visit_body

_LOOPS = (c.ForRange, c.ForRow, c.ForItems, c.ForBits, c.ForList, c.Forever)
_PLAIN = frozenset(
    (c.Int, c.Var, c.Binary, c.Compare, c.And, c.Or, c.Not, c.Pick, c.HasBit, c.PopCount, c.If, c.Assign)
)
"""Operations that fit together whatever they hold: most of a program, so they are told apart first."""
_READING = frozenset((c.Var, c.InList, c.ReturnList, c.Push, c.Pop, c.IfEmpty, c.ForList))
"""Operations that read a variable or a list."""


def check_program(program: Program, stage: str, placed: bool = True) -> None:
    """Raises `InternalError` unless everything in a program fits together. `placed`: locals of machines lie in the
    state, so that blocks may be read one by one."""
    _Checker(program, stage, placed).check()


class _Checker:
    def __init__(self, program: Program, stage: str, placed: bool) -> None:
        self.program, self.stage, self.placed = program, stage, placed
        self.where = ""
        self._seen_arrays: set[tuple[str, int]] = set()

    def fail(self, message: str) -> NoReturn:
        raise InternalError(f"{self.where}: {message}", self.stage)

    def need(self, condition: bool, message: str) -> None:
        if not condition:
            self.fail(message)

    def check(self) -> None:
        self._layout()
        for name, function in self.program.functions.items():
            self.where = f"function {name}"
            self.need(function.name == name, f"is called {function.name}")
            for node in visit_body(function.body):
                if type(node) not in _PLAIN:
                    self._operation(node)
            _Body(self, function).check(function.body, set(function.parameters))
        for number, block in enumerate(self.program.blocks):
            self.where = f"block {number}"
            for node in visit_block(block):
                if type(node) not in _PLAIN:
                    self._operation(node)
            self._end(block.end)
            body = _Body(self, None)
            known = body.check(block.body, set())
            for node in visit(block.end):
                body.read(node, known)
        self._entries()
        self._decisions()
        self._events()

    # ------------------------------------------------------------------ tables

    def _layout(self) -> None:
        self.where = "layout"
        end = 0
        for group in sorted(self.program.layout.groups, key=lambda group: group.base):
            self.need(group.base >= end, f"{group.what} {group.name} overlaps what lies before it")
            end = group.base + group.count
            self.need(end <= self.program.layout.size, f"{group.what} {group.name} lies outside")
        self.need(len(self.program.initial) <= self.program.layout.size, "more slots at the start than there are")

    def _entries(self) -> None:
        self.where = "start"
        self._target(self.program.start)
        for name, entry in self.program.entries.items():
            self.where = f"entry {name}"
            self._target(entry.block)
            for slot, block in entry.stores:
                self._slots(slot, 1)
                self._target(block)

    def _decisions(self) -> None:
        for number, decision in enumerate(self.program.decisions):
            self.where = f"decision {number}"
            self._function(decision.options, 0, "list")
            self._function(decision.actor, 0, "value")
            taken = [(decision.pass_code, 1)] if decision.may else []
            for branch in decision.branches:
                self._branch(branch)
                taken.append((branch.base, prod(branch.radix)))
            taken.sort()
            for (base, count), (following, _) in pairwise(taken):
                self.need(base + count <= following, f"code {following} stands for two options")
            self.need(not taken or taken[0][0] >= 0, "a code is negative")
            if decision.form == "pick":
                self.need(0 <= decision.parent < len(self.program.decisions), f"no decision {decision.parent}")
                branches = self.program.decisions[decision.parent].branches
                self.need(0 <= decision.branch < len(branches), f"no branch {decision.branch}")
                self.need(0 <= decision.binder < len(branches[decision.branch].binders), f"no binder {decision.binder}")
        self.where = "names"
        for names in self.program.names.values():
            self._template(names, 1)
        self.where = "facings"
        for function in self.program.facings.values():
            self._function(function, 1, "value")
        self.where = "markers"
        for marker in (marker for markers in self.program.markers.values() for marker in markers):
            self._function(marker.function, 1, "value")
            self._template(marker.text, 1)
        if self.program.score:
            self.where = "score"
            self._function(self.program.score, 1, "value")

    def _branch(self, branch: BranchInfo) -> None:
        self._template(branch.label, len(branch.binders))
        for condition in branch.conditions:
            self._shown(condition, len(branch.binders))
        for binder in branch.binders:
            self.need(binder.slot == -1 or 0 <= binder.slot < self.program.layout.size, f"no slot {binder.slot}")

    def _events(self) -> None:
        for number, event in enumerate(self.program.events):
            self.where = f"event {number}"
            for part in event.text:
                self.need(isinstance(part, str | Shown) and not getattr(part, "function", ""), "calls a function")

    def _template(self, template: Iterable[str | Shown], inputs: int) -> None:
        for part in template:
            if isinstance(part, Shown):
                self._shown(part, inputs)

    def _shown(self, part: Shown | Condition, inputs: int) -> None:
        self.need(all(0 <= position < inputs for position in part.needs), f"{part.function} needs another binder")
        if part.function:
            self._function(part.function, len(part.needs), "value")

    # ------------------------------------------------------------------ operations

    def _operation(self, node: Node) -> None:
        match node:
            case c.BlockNumber(block):
                self._target(block)
            case c.Load(slot) | c.Store(slot):
                self._slots(slot, 1)
            case c.LoadAt(base) | c.StoreAt(base):
                # a folded offset may take the base out of the state, and the index bring it back
                self.need(abs(base) <= 2**31, f"no slot {base}")
            case c.Fill(base, count, _):
                self._slots(base, count)
            case c.ArrayGet(array):
                self._numbers(array)
            case c.ForRow(names, array):
                self._rows(array, len(names))
            case c.CallValue(function, arguments):
                self._function(function, len(arguments), "value")
            case c.CallEffect(function, arguments):
                self._function(function, len(arguments), "nothing", "value")
            case c.Check(_, _, span) | c.Mark(span) | c.Forever(_, span):
                self.need(0 <= span < len(self.program.spans), f"no span {span}")
            case c.Emit(event, arguments):
                self.need(0 <= event < len(self.program.events), f"no event {event}")
                for part in self.program.events[event].text:
                    if isinstance(part, Shown):
                        self.need(max(part.needs, default=-1) < len(arguments), f"event {event} lacks arguments")
            case c.FrameVar() | c.FrameAt() | c.FrameAssign() | c.FrameStoreAt():
                self.need(not self.placed, f"{node.name} has no place")

    def _end(self, end: c.Terminator) -> None:
        match end:
            case c.Jump(target):
                self._target(target)
            case c.Branch(_, then, otherwise):
                self._target(then)
                self._target(otherwise)
            case c.Ask(decision, resume, otherwise):
                self.need(0 <= decision < len(self.program.decisions), f"no decision {decision}")
                self._target(resume)
                self._target(otherwise)
            case c.JumpSlot(slot):
                self._slots(slot, 1)

    def _target(self, block: int) -> None:
        self.need(0 <= block < len(self.program.blocks), f"no block {block}")

    def _slots(self, base: int, count: int) -> None:
        self.need(0 <= base <= base + count <= self.program.layout.size, f"no slots {base} to {base + count - 1}")

    def _array(self, name: str) -> tuple[object, ...]:
        self.need(name in self.program.arrays, f"no array {name}")
        return self.program.arrays[name]

    def _numbers(self, name: str) -> None:
        values = self._array(name)
        if (name, 0) not in self._seen_arrays:
            self._seen_arrays.add((name, 0))
            self.need(all(isinstance(value, int) for value in values), f"array {name} is not of numbers")

    def _rows(self, name: str, width: int) -> None:
        rows = self._array(name)
        if (name, width) in self._seen_arrays:
            return
        self._seen_arrays.add((name, width))
        for row in rows:
            self.need(isinstance(row, tuple), f"array {name} has no rows")
            for element in row if isinstance(row, tuple) else ():
                size = len(element) if isinstance(element, tuple) else 1
                self.need(size == width, f"array {name} has elements of {size} for {width}")

    def _function(self, name: str, arguments: int, *returns: str) -> None:
        function = self.program.functions.get(name)
        if function is None:
            self.fail(f"no function {name}")
        self.need(len(function.parameters) == arguments, f"{name} takes {len(function.parameters)}, not {arguments}")
        self.need(function.returns in returns, f"{name} returns {function.returns}")


class _Body:
    """Follows a body in order: loops around loop exits, returns of the right kind, variables set before they are read.

    A variable counts as set once any path may have set it, so nothing is reported that could be right.
    """

    def __init__(self, checker: _Checker, function: FunctionCode | None) -> None:
        self.checker, self.function = checker, function
        self.depth = 0

    def check(self, body: c.Body, known: set[str]) -> set[str]:
        """Checks the statements; `known` are the variables and lists that may be set, and grow."""
        for stmt in body:
            self._statement(stmt, known)
        return known

    def read(self, node: Node, known: set[str]) -> None:
        match node:
            case c.Var(name) if self.function is not None or self.checker.placed:
                self.checker.need(name in known, f"{name} is read before it is set")
            case c.InList(name) | c.ReturnList(name) | c.Push(name) | c.Pop(name) | c.IfEmpty(name):
                self.checker.need(_listed(name) in known, f"list {name} is used before it is made")
            case c.ForList(_, name):
                self.checker.need(_listed(name) in known, f"list {name} is used before it is made")

    def _statement(self, stmt: c.Stmt, known: set[str]) -> None:
        loop = isinstance(stmt, _LOOPS)
        if loop:
            for inner in visit(stmt):
                if isinstance(inner, c.Stmt):
                    known.update(_sets(inner))  # an earlier turn may have done it
        for node in _own(stmt):
            if type(node) in _READING:
                self.read(node, known)
        known.update(_sets(stmt))
        match stmt:
            case c.Break() | c.Continue():
                self.checker.need(self.depth > 0, "leaves a loop outside of any")
            case c.Return(value):
                self.checker.need(self.function is not None, "returns from a block")
                if self.function is not None and self.function.returns != "list":
                    right = (value is not None) == (self.function.returns == "value")
                    self.checker.need(right, f"returns the wrong thing for {self.function.returns}")
                else:
                    self.checker.fail("returns no list")
            case c.ReturnList():
                right = self.function is not None and self.function.returns == "list"
                self.checker.need(right, "returns a list")
        self.depth += loop
        for body in _bodies(stmt):
            self.check(body, known)
        self.depth -= loop


def _own(stmt: c.Stmt) -> Iterator[Node]:
    """The statement itself and its expressions, without the statements within it."""
    yield stmt
    for part in children(stmt):
        if isinstance(part, c.Expr):
            yield from visit(part)


def _bodies(stmt: c.Stmt) -> Iterator[c.Body]:
    match stmt:
        case c.If(_, then, otherwise) | c.IfEmpty(_, then, otherwise):
            yield then
            yield otherwise
        case c.ForRange() | c.ForRow() | c.ForItems() | c.ForBits() | c.ForList() | c.Forever():
            yield stmt.body


def _sets(node: Node) -> Iterator[str]:
    match node:
        case c.NewList(name):
            yield _listed(name)
        case c.Stmt():
            yield from variables(node)


def _listed(name: str) -> str:
    """The name of a list among those of variables."""
    return f"[{name}]"


__all__ = ["check_program"]
