"""Decisions: who decides, what is offered, and what a choice does.

A branch's leading single things are chosen together with the branch: one code stands for the branch and those things.
A subset, an order or an assignment is picked one member at a time, each pick a decision of its own whose code is the
member (one more code means "done"). A pick is offered only if the whole can still be completed. Subsets are picked in
rising order, so that each has one way to be picked; pieces that are alike are offered once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from interpreter.ir import code as c
from interpreter.ir.domains import first_number
from interpreter.ir.from_semantics import completion, expressions, held_sets, sets
from interpreter.ir.from_semantics.alike import key_of, unless_alike
from interpreter.ir.from_semantics.context import Lowering, Scope, element
from interpreter.ir.from_semantics.machines import Machine
from interpreter.ir.program import (
    CHOICE,
    BinderInfo,
    BranchInfo,
    Condition,
    DecisionInfo,
    FunctionCode,
    Shown,
)
from interpreter.semantics import model
from interpreter.semantics.types import SetType
from interpreter.semantics.walk import descend

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)


def choose(machine: Machine, node: model.Choose) -> None:
    """Writes a decision and everything that follows from it."""
    low = machine.low
    number = len(low.decisions)
    low.decisions.append(None)  # type: ignore[arg-type]
    infos, base = [], 0
    for branch in node.branches:
        info = _branch_info(machine, number, branch, base)
        infos.append(info)
        base += _codes(info)
    pass_code = base if node.may else -1
    actor = _function(low, f"who {number}", (), lambda s: s.emit(c.Return(expressions.required(s, node.chooser))))
    placed = tuple(_with_condition_placed(branch) for branch in node.branches)
    options = _options(low, f"options {number}", placed, infos, pass_code)
    low.decisions[number] = DecisionInfo(
        "choose", actor, options, tuple(infos), node.span, machine.where,
        may=node.may, pass_code=pass_code, secret=node.secret or machine.secret,
    )  # fmt: skip
    chosen, otherwise, after = machine.block("chosen"), machine.block(), machine.block()
    _go_on_if_nothing_to_pick(machine, node, chosen)
    machine.end(c.Ask(number, chosen, otherwise, alone=_alone(infos) if node.must else ()))
    machine.begin(chosen)
    code: c.Expr = machine.scope.assign("code", c.Load(CHOICE))
    machine.scope.emit(c.Store(CHOICE, ZERO))
    for index, (branch, info) in enumerate(zip(placed, infos, strict=True)):
        last = index == len(infos) - 1 and not node.may
        following = -1 if last else machine.block("chosen")
        if not last:
            here = machine.block("chosen")
            machine.end(c.Branch(c.Compare("<", code, c.Int(info.base + _codes(info))), here, following))
            machine.begin(here)
        _decode(machine, branch, info, code)
        _picks(machine, node, number, index, branch, info, actor)
        machine.scope.emit(c.Mark(low.span(branch.span)))
        machine.body(branch.body)
        if machine.at >= 0:
            machine.jump(after)
        if not last:
            machine.begin(following)
    if node.may:
        machine.jump(otherwise)
    machine.begin(otherwise)
    if node.otherwise is not None:
        machine.body(node.otherwise)
    if machine.at >= 0:
        machine.jump(after)
    machine.begin(after)


def _alone(infos: Sequence[BranchInfo]) -> tuple[tuple[int, int], ...]:
    """The codes that are a choice in full, so that an only option needs no asking: branches from which nothing is
    picked one after another."""
    ranges: list[tuple[int, int]] = []
    for info in infos:
        if len(info.radix) < len(info.binders):
            continue
        first, after = info.base, info.base + _codes(info)
        if ranges and ranges[-1][1] == first:
            ranges[-1] = ranges[-1][0], after
        else:
            ranges.append((first, after))
    return tuple(ranges)


def _go_on_if_nothing_to_pick(machine: Machine, node: model.Choose, chosen: int) -> None:
    """A decision that offers nothing but to pick nothing is not asked: the choice is the empty one."""
    branch = node.branches[0]
    if len(node.branches) > 1 or node.may or branch.guard is not None or len(branch.binders) != 1:
        return
    binder = branch.binders[0]
    if not isinstance(binder, model.BindSome) or binder.low is not None or binder.such_that is not None:
        return
    some = sets.exists(machine.scope, binder.set)
    if binder.high is not None:
        some = c.And(some, c.Compare(">", expressions.required(machine.scope, binder.high), ZERO))
    ask = machine.block()
    machine.end(c.Branch(some, ask, chosen))
    machine.begin(ask)


# ------------------------------------------------------------------------------------------------ description


def _with_condition_placed(branch: model.Branch) -> model.Branch:
    """The branch with each part of its condition where all that it speaks of is known: a part that speaks of what is
    chosen limits the last of the things it speaks of."""
    binders = list(branch.binders)
    left: list[model.Expr] = []
    for part in _joined(branch.guard):
        spoken = {id(n.local) for n in descend(part) if isinstance(n, model.LocalRef | model.MapGet)}
        at = max((i for i, binder in enumerate(binders) if id(binder.local) in spoken), default=-1)
        if at < 0:
            left.append(part)
        else:
            binders[at] = _limited(binders[at], part)
    return evolve(branch, binders=tuple(binders), guard=_all_of(left))


def _joined(node: model.Expr | None) -> list[model.Expr]:
    if isinstance(node, model.Logic) and node.op == "and":
        return [*_joined(node.left), *_joined(node.right)]
    return [] if node is None else [node]


def _all_of(parts: Sequence[model.Expr]) -> model.Expr | None:
    whole: model.Expr | None = None
    for part in parts:
        whole = part if whole is None else model.Logic(op="and", left=whole, right=part, type=part.type, span=part.span)
    return whole


def _limited(binder: model.Binder, condition: model.Expr) -> model.Binder:
    """A binder of which a condition must hold."""
    match binder:
        case model.BindOne(local=local, set=set_):
            limited = model.Filter(
                local=local, source=set_, condition=condition, type=SetType(element=local.type), span=set_.span
            )
            return evolve(binder, set=limited)
        case model.BindSome() | model.BindOrder() | model.BindAssign():
            parts = [condition] if binder.such_that is None else [binder.such_that, condition]
            return evolve(binder, such_that=_all_of(parts))
    raise TypeError(type(binder).__name__)


def leading(branch: model.Branch) -> Sequence[model.BindOne]:
    """The single things at the front of a branch, chosen together with it."""
    ones: list[model.BindOne] = []
    for binder in branch.binders:
        if not isinstance(binder, model.BindOne):
            break
        ones.append(binder)
    return ones


def _codes(info: BranchInfo) -> int:
    total = 1
    for size in info.radix:
        total *= size
    return total


def _branch_info(machine: Machine, decision: int, branch: model.Branch, base: int) -> BranchInfo:
    low = machine.low
    binders: list[BinderInfo] = []
    radix: list[int] = []
    for binder in branch.binders:
        match binder:
            case model.BindOne(local=local):
                size = low.size(local.type)
                info = BinderInfo(local.name, "one", local.type, size, first_number(local.type))
                if len(radix) == len(binders):
                    radix.append(size)
            case model.BindSome(local=local):
                info = BinderInfo(local.name, "some", local.type, low.size(element(local.type)))
            case model.BindOrder(local=local):
                info = BinderInfo(local.name, "order", local.type, low.size(element(local.type)))
            case model.BindAssign(local=local, set=set_):
                info = BinderInfo(local.name, "assign", local.type, low.size(element(set_.type)))
            case _:
                raise TypeError(type(binder).__name__)
        low.chosen[decision, base, len(binders)] = binder.local
        binders.append(info)
    label = _label(low, f"label {decision}", branch)
    conditions = tuple(_conditions(low, f"condition {decision}", branch))
    return BranchInfo(label, tuple(binders), base, tuple(radix), branch.span, conditions)


def _label(low: Lowering, name: str, branch: model.Branch) -> tuple[str | Shown, ...]:
    positions = {id(binder.local): i for i, binder in enumerate(branch.binders)}
    parts: list[str | Shown] = []
    for part in branch.label.parts:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, model.LocalRef) and id(part.local) in positions:
            parts.append(Shown("", (positions[id(part.local)],), part.type))
        else:
            needs, function = _of_binders(low, name, branch, part)
            halves = isinstance(part, model.CallExpr) and part.function.halves
            parts.append(Shown(function, needs, part.type, halves))
    return tuple(parts)


def _of_binders(low: Lowering, name: str, branch: model.Branch, node: model.Expr) -> tuple[tuple[int, ...], str]:
    """A function for an expression over the binders of a branch, with the positions of those it needs."""
    used = {id(n.local) for n in descend(node) if isinstance(n, model.LocalRef | model.MapGet)}
    needs = tuple(i for i, binder in enumerate(branch.binders) if id(binder.local) in used)
    locals_ = tuple(branch.binders[i].local for i in needs)
    return needs, _function(low, low.unique(name), locals_, lambda s: s.emit(c.Return(expressions.argument(s, node))))


def _conditions(low: Lowering, name: str, branch: model.Branch) -> list[Condition]:
    """The parts of the guard and of the filters, for telling why an option is not offered."""
    found: list[Condition] = []

    def add(node: model.Expr) -> None:
        if isinstance(node, model.Logic) and node.op == "and":
            add(node.left)
            add(node.right)
            return
        needs, function = _of_binders(low, name, branch, node)
        found.append(Condition(function, needs, "", node.span))

    if branch.guard is not None:
        add(branch.guard)
    for binder in leading(branch):
        set_ = binder.set
        while isinstance(set_, model.Filter):
            if set_.condition is not None:
                add(_with_local(set_.condition, set_.local, binder.local))
            set_ = set_.source
        inside = model.InSet(
            element=model.LocalRef(local=binder.local, type=binder.local.type, span=binder.span),
            set=set_, type=binder.local.type, span=set_.span,
        )  # fmt: skip
        if not isinstance(set_, model.AllOf):
            add(inside)
    return found


def _with_local(node: model.Expr, old: model.Local, new: model.Local) -> model.Expr:
    """The expression with one local in place of another."""
    import attrs

    def change(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(change(item) for item in value)
        if isinstance(value, model.LocalRef) and value.local is old:
            return attrs.evolve(value, local=new)
        if isinstance(value, model.Understood):
            changes: dict[str, Any] = {
                a.name: change(getattr(value, a.name))
                for a in attrs.fields(type(value))
                if isinstance(getattr(value, a.name), tuple | model.Understood)
            }
            return attrs.evolve(value, **changes)
        return value

    changed = change(node)
    assert isinstance(changed, model.Expr)
    return changed


def _function(low: Lowering, name: str, locals_: Sequence[model.Local], write: Callable[[Scope], object]) -> str:
    """A function made for a decision: binders as inputs, everything else from the state."""
    scope = Scope(low, name)
    parameters = tuple(scope.declare(local) for local in locals_)
    write(scope)
    low.functions[name] = FunctionCode(name, parameters, tuple(scope.out), "value", title=name)
    return name


# ------------------------------------------------------------------------------------------------ options


def _options(
    low: Lowering, name: str, branches: Sequence[model.Branch], infos: Sequence[BranchInfo], pass_code: int
) -> str:
    scope = Scope(low, name)
    scope.emit(c.NewList("options"))
    for branch, info in zip(branches, infos, strict=True):

        def offer(branch: model.Branch = branch, info: BranchInfo = info) -> None:
            first, *others = leading(branch) or (None,)
            binders = [] if first is None else [first]
            locals_ = [binder.local for binder in branch.binders]
            binders += [evolve(one, set=held_sets.hold(scope, one.set, locals_)) for one in others if one is not None]
            _combine(scope, branch, info, binders, c.Int(info.base), _codes(info))

        if branch.guard is None:
            offer()
        else:
            expressions.condition(scope, branch.guard, offer)
    if pass_code >= 0:
        scope.emit(c.IfEmpty("options", (), (c.Push("options", c.Int(pass_code)),)))
    scope.emit(c.ReturnList("options"))
    low.functions[name] = FunctionCode(name, (), tuple(scope.out), "list", title=name)
    return name


def _combine(
    scope: Scope, branch: model.Branch, info: BranchInfo, binders: list[model.BindOne], code: c.Expr, stride: int
) -> None:
    """Loops over the first of the binders, with the rest inside; the innermost offers the code."""
    if not binders:
        _if_possible(scope, branch, lambda: scope.emit(c.Push("options", code)))
        return
    binder = binders[0]
    inner = stride // scope.low.size(binder.local.type)

    def member(value: c.Expr) -> None:
        first = first_number(binder.local.type)
        index = value if first == 0 else c.Binary("-", value, c.Int(first))
        scaled = index if inner == 1 else c.Binary("*", index, c.Int(inner))
        total = scaled if code == ZERO else c.Binary("+", code, scaled)
        with scope.standing_for(binder.local, value):
            _combine(scope, branch, info, binders[1:], total, inner)

    unless_alike(scope, binder.set, binder.local, member)


def _if_possible(scope: Scope, branch: model.Branch, write: Callable[[], None]) -> None:
    """Offers a branch only if what is picked afterwards can be completed, as far as that is known beforehand."""
    rest = branch.binders[len(leading(branch)) :]
    if not rest:
        write()
        return
    possible = completion.can_begin(scope, rest[0])
    if possible == ONE:
        write()
    else:
        scope.emit(c.If(possible, scope.body(write)))


def _decode(machine: Machine, branch: model.Branch, info: BranchInfo, code: c.Expr) -> None:
    scope = machine.scope
    stride = _codes(info)
    value: c.Expr = code if info.base == 0 else c.Binary("-", code, c.Int(info.base))
    for index, (binder, size) in enumerate(zip(leading(branch), info.radix, strict=True)):
        stride //= size
        part = value if stride == 1 else c.Binary("div", value, c.Int(stride))
        if index > 0:
            part = c.Binary("mod", part, c.Int(size))
        first = info.binders[index].first
        scope.emit(c.Assign(scope.declare(binder.local), part if first == 0 else c.Binary("+", part, c.Int(first))))


# ------------------------------------------------------------------------------------------------ picks


def _picks(
    machine: Machine, node: model.Choose, parent: int, index: int, branch: model.Branch, info: BranchInfo, actor: str
) -> None:
    for position in range(len(leading(branch)), len(branch.binders)):
        binder = branch.binders[position]

        def decision(options: str, position: int = position) -> int:
            machine.low.decisions.append(
                DecisionInfo(
                    "pick", actor, options, (info,), node.span, machine.where,
                    secret=node.secret or machine.secret, parent=parent, branch=index, binder=position,
                )
            )  # fmt: skip
            return len(machine.low.decisions) - 1

        match binder:
            case model.BindOne():
                _pick_one(machine, binder, decision)
            case model.BindSome():
                _pick_some(machine, binder, decision)
            case model.BindOrder():
                _pick_order(machine, binder, decision)
            case model.BindAssign():
                _pick_assign(machine, binder, decision)


def _pick_one(machine: Machine, binder: model.BindOne, decision: Callable[[str], int]) -> None:
    low, scope = machine.low, machine.scope
    name = low.unique("options of pick")
    first = first_number(binder.local.type)

    def write(s: Scope) -> None:
        def offer(value: c.Expr) -> None:
            s.emit(c.Push("options", value if first == 0 else c.Binary("-", value, c.Int(first))))

        unless_alike(s, binder.set, binder.local, offer)

    _pick_function(low, name, write)
    chosen, nothing = machine.block("picked"), machine.block("picked")
    machine.end(c.Ask(decision(name), chosen, nothing))
    machine.begin(nothing)
    scope.emit(c.Check(ZERO, "D714", low.span(binder.span)))
    machine.jump(machine.stop)
    machine.begin(chosen)
    value: c.Expr = c.Load(CHOICE)
    scope.emit(c.Assign(scope.declare(binder.local), value if first == 0 else c.Binary("+", value, c.Int(first))))
    scope.emit(c.Store(CHOICE, ZERO))


def _pick_some(machine: Machine, binder: model.BindSome, decision: Callable[[str], int]) -> None:
    low, scope = machine.low, machine.scope
    size = low.size(element(binder.set.type))
    picked = c.Var(scope.declare(binder.local))
    last, count = c.Var(low.unique("last picked")), c.Var(low.unique("picked so far"))
    scope.emit(c.Assign(picked.name, ZERO), c.Assign(last.name, NONE), c.Assign(count.name, ZERO))
    limit = None
    if binder.high is not None:
        limit = scope.assign("most", expressions.required(scope, binder.high))
    head, done, chosen = machine.block("pick"), machine.block(), machine.block("picked")
    machine.jump(head)
    machine.begin(head)
    if limit is not None:
        on = machine.block("pick")
        machine.end(c.Branch(c.Compare(">=", count, limit), done, on))
        machine.begin(on)
    name = low.unique("options of picks")
    low.forced |= {picked.name, last.name, count.name}
    _pick_function(
        low,
        name,
        lambda s: completion.offer_some(s, binder, size, *(c.FrameVar(v.name) for v in (picked, last, count))),
    )
    enough = done if binder.low is None and binder.such_that is None else machine.block("picked")
    machine.end(c.Ask(decision(name), chosen, enough, skip=True))
    if enough != done:
        machine.begin(enough)
        _check_enough(machine, binder, count)
        machine.jump(done)
    machine.begin(chosen)
    code = scope.assign("code", c.Load(CHOICE))
    more = machine.block("picked")
    scope.emit(c.Store(CHOICE, ZERO))
    machine.end(c.Branch(c.Compare("=", code, c.Int(size)), done, more))
    machine.begin(more)
    scope.emit(c.Assign(picked.name, c.Binary("|", picked, c.Binary("<<", ONE, code))))
    scope.emit(c.Assign(last.name, key_of(scope, element(binder.set.type), code)))
    scope.emit(c.Assign(count.name, c.Binary("+", count, ONE)))
    machine.jump(head)
    machine.begin(done)


def _check_enough(machine: Machine, binder: model.BindSome, count: c.Expr) -> None:
    """Where no more can be picked, what is picked must do."""
    scope, span = machine.scope, machine.low.span(binder.span)
    if binder.low is not None:
        scope.emit(c.Check(c.Compare(">=", count, expressions.required(scope, binder.low)), "D714", span))
    if binder.such_that is not None:
        scope.emit(c.Check(expressions.expression(scope, binder.such_that), "D714", span))


def _pick_order(machine: Machine, binder: model.BindOrder, decision: Callable[[str], int]) -> None:
    low, scope = machine.low, machine.scope
    scope.declare(binder.local)
    array = low.machine_local(binder.local)
    picked, count = c.Var(low.unique("picked")), c.Var(low.unique("picked so far"))
    scope.emit(c.Assign(picked.name, ZERO), c.Assign(count.name, ZERO))
    _clear(machine, array)
    head, done, chosen = machine.block("pick"), machine.block(), machine.block("picked")
    name = low.unique("options of picks")
    low.forced |= {picked.name, count.name}
    _pick_function(
        low, name, lambda s: completion.offer_order(s, binder, array, c.FrameVar(picked.name), c.FrameVar(count.name))
    )
    machine.jump(head)
    machine.begin(head)
    whole = done if binder.such_that is None else machine.block("picked")
    machine.end(c.Ask(decision(name), chosen, whole))
    if binder.such_that is not None:
        machine.begin(whole)
        span = low.span(binder.span)
        scope.emit(c.Check(c.Compare(">=", count, sets.count(scope, binder.set)), "D714", span))
        scope.emit(c.Check(expressions.expression(scope, binder.such_that), "D714", span))
        machine.jump(done)
    machine.begin(chosen)
    code = scope.assign("code", c.Load(CHOICE))
    scope.emit(c.Store(CHOICE, ZERO), c.FrameStoreAt(array, count, code))
    scope.emit(c.Assign(picked.name, c.Binary("|", picked, c.Binary("<<", ONE, code))))
    scope.emit(c.Assign(count.name, c.Binary("+", count, ONE)))
    machine.jump(head)
    machine.begin(done)


def _pick_assign(machine: Machine, binder: model.BindAssign, decision: Callable[[str], int]) -> None:
    low, scope = machine.low, machine.scope
    scope.declare(binder.local)
    array = low.machine_local(binder.local)
    name_of_each = scope.declare(binder.each_local)
    _clear(machine, array)
    left = c.Var(low.unique("left to assign"))
    scope.emit(c.Assign(left.name, sets.mask(scope, binder.each)))
    head, on, done = machine.block("pick"), machine.block("pick"), machine.block()
    chosen, nothing = machine.block("picked"), machine.block("picked")
    low.forced |= {left.name, name_of_each}
    machine.jump(head)
    machine.begin(head)
    machine.end(c.Branch(c.Compare("=", left, ZERO), done, on))
    machine.begin(on)
    machine.take_lowest(left, name_of_each)
    name = low.unique("options of picks")
    first = first_number(element(binder.set.type))
    _pick_function(low, name, lambda s: completion.offer_assign(s, binder, array, c.FrameVar(left.name), first))
    machine.end(c.Ask(decision(name), chosen, nothing))
    machine.begin(nothing)
    scope.emit(c.Check(ZERO, "D714", low.span(binder.span)))
    machine.jump(machine.stop)
    machine.begin(chosen)
    value: c.Expr = c.Load(CHOICE)
    value = value if first == 0 else c.Binary("+", value, c.Int(first))
    scope.emit(c.FrameStoreAt(array, c.Var(name_of_each), value), c.Store(CHOICE, ZERO))
    machine.jump(head)
    machine.begin(done)


def _clear(machine: Machine, array: str) -> None:
    """A list or map of the frame holds nothing."""
    each = machine.scope.fresh("at")
    nothing = (c.FrameStoreAt(array, c.Var(each), NONE),)
    machine.scope.emit(c.ForRange(each, ZERO, c.Int(machine.low.frame_arrays[array]), nothing))


def _pick_function(low: Lowering, name: str, write: Callable[[Scope], None]) -> None:
    scope = Scope(low, name)
    scope.emit(c.NewList("options"))
    write(scope)
    scope.emit(c.ReturnList("options"))
    low.functions[name] = FunctionCode(name, (), tuple(scope.out), "list", title=name)


__all__ = ["choose", "leading"]
