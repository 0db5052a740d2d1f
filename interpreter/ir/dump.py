"""A program as text, for people and for golden tests: `dsl debug ir`.

The text is stable: it depends on nothing but the program, has one operation a line, and shortens only constant arrays.
It is not read back. Invariant: two programs with the same text behave the same, apart from elements of long arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from interpreter.ir import code as c
from interpreter.ir.program import BinderInfo, BranchInfo, Condition, DecisionInfo, FunctionCode, Program, Shown

_LONGEST = 100
"""Arrays are shown up to about this many characters."""


def dump(program: Program) -> str:
    """The whole program, from its layout to its decisions."""
    return "\n".join(_program(program)) + "\n"


def dump_function(function: FunctionCode) -> str:
    """One function."""
    return "\n".join(_function(function)) + "\n"


def _program(program: Program) -> Iterator[str]:
    yield f"program {program.title!r} for {', '.join(program.players)}"
    yield ""
    yield f"layout {program.layout.size}"
    for group in program.layout.groups:
        last = group.base + group.count - 1
        slots = f"{group.base}" if group.count == 1 else f"{group.base}..{last}"
        hidden = "" if group.visible == "all" else f" seen by {group.visible}"
        yield f"  {slots} {group.what} {group.name} {group.low}..{group.high}{hidden}"
    if any(program.initial):
        yield f"  at first {', '.join(_runs(program.initial))}"
    if program.arrays:
        yield ""
        yield "arrays"
        for name, values in program.arrays.items():
            yield f"  {name}: {_shortened(values)}"
    for function in program.functions.values():
        yield ""
        yield from _function(function)
    for number, block in enumerate(program.blocks):
        yield ""
        yield f"block {number}{' ' if block.label else ''}{block.label}{' (start)' if number == program.start else ''}"
        yield from _body(block.body, 1)
        yield f"  {_end(block.end)}"
    for name, entry in program.entries.items():
        yield ""
        back = "".join(f", [{slot}] = block {block}" for slot, block in entry.stores)
        yield f"entry {name}: block {entry.block}{back}"
    for number, decision in enumerate(program.decisions):
        yield ""
        yield from _decision(number, decision)
    if program.events:
        yield ""
        yield "events"
        for number, event in enumerate(program.events):
            yield f"  {number} {event.what}: {_template(event.text)}"
    if program.facings:
        yield ""
        yield "facings"
        for (type_, board), name in program.facings.items():
            yield f"  {type_} on {board}: {name}"
    if program.markers:
        yield ""
        yield "markers"
        for kind, markers in program.markers.items():
            for marker in markers:
                yield f"  {kind} {_template(marker.text)} when {marker.function}"
    if program.score:
        yield ""
        yield f"score {program.score}{' in halves' if program.score_halves else ''}"


def _runs(values: tuple[int, ...]) -> Iterator[str]:
    """Slots that are not 0, those of the same value together."""
    slot = 0
    for value, run in groupby(values):
        count = len(list(run))
        if value:
            yield f"{slot}: {value}" if count == 1 else f"{slot}..{slot + count - 1}: {value}"
        slot += count


def _shortened(values: tuple[object, ...]) -> str:
    text = ", ".join(str(value) for value in values)
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST].rpartition(', ')[0]}, ... ({len(values)})"


# ------------------------------------------------------------------------------------------------ decisions


def _decision(number: int, decision: DecisionInfo) -> Iterator[str]:
    passing = f", may pass as {decision.pass_code}" if decision.may else ""
    secret = ", secret" if decision.secret else ""
    yield f"decision {number} {decision.form} in {decision.where}{passing}{secret}"
    yield f"  actor {decision.actor}, options {decision.options}"
    if decision.form == "pick":
        yield f"  picks for decision {decision.parent}, branch {decision.branch}, binder {decision.binder}"
    for branch in decision.branches:
        yield from _branch(branch)


def _branch(branch: BranchInfo) -> Iterator[str]:
    yield f"  branch from {branch.base}: {_template(branch.label)}"
    for binder in branch.binders:
        yield f"    {_binder(binder)}"
    for condition in branch.conditions:
        yield f"    when {_called(condition)}: {condition.text}"


def _binder(binder: BinderInfo) -> str:
    first = f" from {binder.first}" if binder.first else ""
    slot = f" in [{binder.slot}]" if binder.slot >= 0 else ""
    return f"{binder.form} {binder.name} of {binder.size}{first}{slot}"


def _template(template: tuple[str | Shown, ...]) -> str:
    return "".join(part if isinstance(part, str) else f"{{{_called(part)}}}" for part in template)


def _called(part: Shown | Condition) -> str:
    needs = ", ".join(str(position) for position in part.needs)
    return f"{part.function}({needs})" if part.function else needs


# ------------------------------------------------------------------------------------------------ code


def _function(function: FunctionCode) -> Iterator[str]:
    yield f"function {function.name}({', '.join(function.parameters)}) gives {function.returns}"
    yield from _body(function.body, 1)


def _body(body: c.Body, depth: int) -> Iterator[str]:
    for stmt in body:
        yield from _statement(stmt, depth)


def _statement(stmt: c.Stmt, depth: int) -> Iterator[str]:
    indent = "  " * depth
    match stmt:
        case c.If(condition, then, otherwise):
            yield f"{indent}if {_expr(condition)}"
            yield from _branches(then, otherwise, depth)
        case c.IfEmpty(list_, then, otherwise):
            yield f"{indent}if {list_} is empty"
            yield from _branches(then, otherwise, depth)
        case c.ForRange() | c.ForRow() | c.ForItems() | c.ForBits() | c.ForList() | c.Forever():
            yield f"{indent}{_loop(stmt)}"
            yield from _body(stmt.body, depth + 1)
        case _:
            yield f"{indent}{_plain(stmt)}"


def _branches(then: c.Body, otherwise: c.Body, depth: int) -> Iterator[str]:
    yield from _body(then, depth + 1)
    if otherwise:
        yield f"{'  ' * depth}else"
        yield from _body(otherwise, depth + 1)


def _loop(stmt: c.ForRange | c.ForRow | c.ForItems | c.ForBits | c.ForList | c.Forever) -> str:
    match stmt:
        case c.ForRange(var, low, high):
            return f"for {var} from {_expr(low)} below {_expr(high)}"
        case c.ForRow(names, array, index):
            return f"for {', '.join(names)} in {array}[{_expr(index)}]"
        case c.ForItems(var, items):
            return f"for {var} in {_exprs(items)}"
        case c.ForBits(var, members):
            return f"for {var} in bits of {_expr(members)}"
        case c.ForList(var, list_):
            return f"for {var} in list {list_}"
        case c.Forever(_, span):
            return f"forever @{span}"


def _plain(stmt: c.Stmt) -> str:
    match stmt:
        case c.Assign(var, value):
            return f"{var} = {_expr(value)}"
        case c.FrameAssign(name, value):
            return f"frame {name} = {_expr(value)}"
        case c.FrameStoreAt(name, index, value):
            return f"frame {name}[{_expr(index)}] = {_expr(value)}"
        case c.Store(slot, value):
            return f"[{slot}] = {_expr(value)}"
        case c.StoreAt(base, index, value):
            return f"[{base} + {_operand(index)}] = {_expr(value)}"
        case c.Fill(base, count, value):
            return f"[{base}..{base + count - 1}] = {value}"
        case c.Break():
            return "break"
        case c.Continue():
            return "continue"
        case c.Return(value):
            return "return" if value is None else f"return {_expr(value)}"
        case c.CallEffect(function, arguments):
            return f"{function}({_exprs(arguments)})"
        case c.NewList(list_):
            return f"list {list_}"
        case c.Push(list_, value):
            return f"push {list_}, {_expr(value)}"
        case c.Pop(list_, var):
            return f"{var} = pop {list_}"
        case c.ReturnList(list_):
            return f"return list {list_}"
        case c.Chance(var, sides):
            return f"{var} = chance {_expr(sides)}"
        case c.Check(condition, fault, span):
            return f"check {_expr(condition)} else {fault} @{span}"
        case c.Mark(span):
            return f"mark @{span}"
        case c.Emit(event, arguments):
            return f"event {event}({_exprs(arguments)})"
    raise TypeError(f"no text for {type(stmt).__name__}")


def _end(end: c.Terminator) -> str:
    match end:
        case c.Jump(target):
            return f"jump {target}"
        case c.Branch(condition, then, otherwise):
            return f"branch {_expr(condition)}: {then} else {otherwise}"
        case c.Ask(decision, resume, otherwise, skip, alone):
            ranges = ", ".join(f"{first}..{after - 1}" for first, after in alone)
            told = f"{' skip' if skip else ''}{f' alone {ranges}' if alone else ''}"
            return f"ask {decision}: {resume} else {otherwise}{told}"
        case c.JumpSlot(slot):
            return f"jump [{slot}]"
        case c.Stop():
            return "stop"
    raise TypeError(f"no text for {type(end).__name__}")


def _exprs(exprs: tuple[c.Expr, ...]) -> str:
    return ", ".join(_expr(expr) for expr in exprs)


def _operand(expr: c.Expr) -> str:
    text = _expr(expr)
    return f"({text})" if isinstance(expr, c.Binary | c.Compare | c.And | c.Or | c.Not | c.Pick | c.InList) else text


def _expr(expr: c.Expr) -> str:
    match expr:
        case c.Int(value):
            return str(value)
        case c.BlockNumber(block):
            return f"block {block}"
        case c.Var(name):
            return name
        case c.FrameVar(name):
            return f"frame {name}"
        case c.FrameAt(name, index):
            return f"frame {name}[{_expr(index)}]"
        case c.Load(slot):
            return f"[{slot}]"
        case c.LoadAt(base, index):
            return f"[{base} + {_operand(index)}]"
        case c.ArrayGet(array, index):
            return f"{array}[{_expr(index)}]"
        case c.Binary(op, left, right) | c.Compare(op, left, right):
            return f"{_operand(left)} {op} {_operand(right)}"
        case c.And(left, right):
            return f"{_operand(left)} and {_operand(right)}"
        case c.Or(left, right):
            return f"{_operand(left)} or {_operand(right)}"
        case c.Not(inner):
            return f"not {_operand(inner)}"
        case c.Pick(condition, then, otherwise):
            return f"{_operand(then)} if {_operand(condition)} else {_operand(otherwise)}"
        case c.HasBit(members, index):
            return f"bit({_expr(members)}, {_expr(index)})"
        case c.PopCount(members):
            return f"count({_expr(members)})"
        case c.InList(list_, value):
            return f"{_operand(value)} in {list_}"
        case c.CallValue(function, arguments):
            return f"{function}({_exprs(arguments)})"
    raise TypeError(f"no text for {type(expr).__name__}")


__all__ = ["dump", "dump_function"]
