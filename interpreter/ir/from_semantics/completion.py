"""Whether a choice of several things can still be completed, and the picks that keep it so.

Bounds on the number are answered by counting. A `such that` needs a search: a function that tries the further picks in
order and stops at the first way that holds. It is bounded like every loop, and only rules that ask for it pay for it.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir import code as c
from interpreter.ir.from_semantics import expressions, sets
from interpreter.ir.from_semantics.alike import has_alike, key_of, unless_alike
from interpreter.ir.from_semantics.context import Scope, element
from interpreter.ir.program import FunctionCode
from interpreter.semantics import model
from interpreter.semantics.walk import descend

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)


def can_begin(scope: Scope, binder: model.Binder) -> c.Expr:
    """Whether a binder can be completed from nothing, with the earlier binders as they are in the scope."""
    match binder:
        case model.BindOne(set=set_):
            return sets.exists(scope, set_)
        case model.BindSome(set=set_, low=low, such_that=such_that):
            if such_that is not None:
                return _search_some(scope, binder, ZERO, NONE, ZERO)
            if low is None:
                return ONE
            least = expressions.required(scope, low)
            if least == ZERO:
                return ONE
            if least == ONE:
                return sets.exists(scope, set_)
            return c.Compare(">=", sets.count(scope, set_), least)
        case model.BindOrder(such_that=such_that):
            if such_that is None:
                return ONE
            return _search_order(scope, binder, scope.low.machine_local(binder.local), ZERO, ZERO)
        case model.BindAssign(such_that=such_that) if such_that is not None:
            array = scope.low.machine_local(binder.local)
            return _search_assign(scope, binder, array, sets.mask(scope, binder.each))
        case model.BindAssign():
            stuck = scope.assign("stuck", ZERO)

            def each(member: c.Expr) -> None:
                with scope.standing_for(binder.each_local, member):
                    some = sets.exists(scope, binder.set)
                scope.emit(c.If(c.Not(some), (c.Assign(stuck.name, ONE), c.Break())))

            sets.iterate(scope, binder.each, each, binder.each_local.name)
            return c.Not(stuck)
    raise TypeError(type(binder).__name__)


# ------------------------------------------------------------------------------------------------ subsets


def offer_some(scope: Scope, binder: model.BindSome, size: int, picked: c.Expr, last: c.Expr, count: c.Expr) -> None:
    """Offers the next members of a subset, and "done" when enough are picked."""
    least = ZERO if binder.low is None else scope.atom(expressions.required(scope, binder.low), "least")

    def offer(member: c.Expr) -> None:
        push = c.Push("options", member)
        if binder.such_that is not None:
            with_it = c.Binary("|", picked, c.Binary("<<", ONE, member))
            key = key_of(scope, element(binder.set.type), member)
            possible = _search_some(scope, binder, with_it, key, c.Binary("+", count, ONE))
            scope.emit(c.If(possible, (push,)))
        elif isinstance(least, c.Int) and least.value <= 1:
            scope.emit(push)
        else:
            after = _count_after(scope, binder, picked, member)
            enough = c.Compare(">=", c.Binary("+", c.Binary("+", count, ONE), after), least)
            scope.emit(c.If(enough, (push,)))

    _candidates(scope, binder, picked, last, offer)
    done: c.Stmt = c.Push("options", c.Int(size))
    if binder.such_that is not None:
        with scope.standing_for(binder.local, picked):
            holds = expressions.expression(scope, binder.such_that)
        done = c.If(holds, (done,))
    scope.emit(done if least == ZERO else c.If(c.Compare(">=", count, least), (done,)))


def _candidates(
    scope: Scope, binder: model.BindSome, picked: c.Expr, last: c.Expr, write: Callable[[c.Expr], None]
) -> None:
    """Members not picked that come at or after the last one picked; of members alike the first."""
    type_ = element(binder.set.type)
    alike = has_alike(scope, type_)
    seen = scope.assign("seen", ZERO) if alike else None

    def each(member: c.Expr) -> None:
        key = scope.atom(key_of(scope, type_, member), "key")
        free = c.Not(c.HasBit(picked, member))
        inside = c.And(free, c.Compare(">=" if alike else ">", key, last))
        if seen is None:
            scope.emit(c.If(inside, scope.body(lambda: write(member))))
            return

        def fresh() -> None:
            scope.emit(c.Assign(seen.name, c.Binary("|", seen, c.Binary("<<", ONE, key))))
            write(member)

        scope.emit(c.If(c.And(inside, c.Not(c.HasBit(seen, key))), scope.body(fresh)))

    sets.iterate(scope, binder.set, each, binder.local.name)


def _count_after(scope: Scope, binder: model.BindSome, picked: c.Expr, member: c.Expr) -> c.Expr:
    """How many members could still be picked after one."""
    type_ = element(binder.set.type)
    key = scope.atom(key_of(scope, type_, member), "key")
    total = scope.assign("after", ZERO)

    def each(other: c.Expr) -> None:
        here = scope.atom(key_of(scope, type_, other), "key")
        later = c.Or(c.Compare(">", here, key), c.And(c.Compare("=", here, key), c.Compare("!=", other, member)))
        free = c.And(c.Not(c.HasBit(picked, other)), later)
        scope.emit(c.If(free, (c.Assign(total.name, c.Binary("+", total, ONE)),)))

    sets.iterate(scope, binder.set, each, "other")
    return total


def _search_some(scope: Scope, binder: model.BindSome, picked: c.Expr, last: c.Expr, count: c.Expr) -> c.Expr:
    """A call of the search for a subset that holds, given what is picked; made on first use."""
    low = scope.low
    name = f"can complete {binder.local.name} at {low.span(binder.span)}"
    outer = tuple(scope.read(local) for local in _others(scope, binder))
    if name not in low.functions:
        low.functions[name] = FunctionCode(name, (), (), "value")  # stands for itself while it is written
        inner = Scope(low, name)
        others = tuple(inner.declare(local) for local in _others(scope, binder))
        parameters = tuple(inner.fresh(parameter) for parameter in ("picked", "last", "count"))
        taken, after, number = (c.Var(p) for p in parameters)
        least = ZERO if binder.low is None else expressions.required(inner, binder.low)

        def holds() -> None:
            with inner.standing_for(binder.local, taken):
                expressions.condition(inner, binder.such_that or _never(binder), lambda: inner.emit(c.Return(ONE)))

        inner.emit(c.If(c.Compare(">=", number, least), inner.body(holds)))
        if binder.high is not None:
            most = expressions.required(inner, binder.high)
            inner.emit(c.If(c.Compare(">=", number, most), (c.Return(ZERO),)))

        def further(member: c.Expr) -> None:
            key = key_of(inner, element(binder.set.type), member)
            with_it = c.Binary("|", taken, c.Binary("<<", ONE, member))
            found = c.CallValue(name, (*(c.Var(o) for o in others), with_it, key, c.Binary("+", number, ONE)))
            inner.emit(c.If(found, (c.Return(ONE),)))

        _candidates(inner, binder, taken, after, further)
        inner.emit(c.Return(ZERO))
        low.functions[name] = FunctionCode(name, (*others, *parameters), tuple(inner.out), "value", title=name)
    return scope.atom(c.CallValue(name, (*outer, picked, last, count)), "possible")


def _never(binder: model.Binder) -> model.Expr:
    raise TypeError(f"no condition for {binder.local.name}")


def _others(scope: Scope, binder: model.Binder) -> list[model.Local]:
    """The locals from outside that a binder's set and condition read."""
    inner = {id(binder.local)}
    parts = tuple(
        part
        for part in (getattr(binder, name, None) for name in ("set", "each", "such_that", "low", "high"))
        if part is not None
    )
    if isinstance(binder, model.BindAssign):
        inner.add(id(binder.each_local))
    for node in (inner for part in parts for inner in descend(part)):
        if isinstance(node, model.Filter | model.Fold | model.RunSet | model.Slide | model.LineThrough):
            inner.add(id(node.local))
    found: dict[int, model.Local] = {}
    for node in (inner for part in parts for inner in descend(part)):
        if isinstance(node, model.LocalRef) and id(node.local) not in inner:
            found[id(node.local)] = node.local
    return list(found.values())


# ------------------------------------------------------------------------------------------------ orders


def offer_order(scope: Scope, binder: model.BindOrder, array: str, picked: c.Expr, count: c.Expr) -> None:
    """Offers the members not yet placed in the order; with `such that`, those that still lead to one that holds."""

    def offer(member: c.Expr) -> None:
        push = c.Push("options", member)
        if binder.such_that is None:
            scope.emit(push)
            return
        scope.emit(c.FrameStoreAt(array, count, member))
        with_it = c.Binary("|", picked, c.Binary("<<", ONE, member))
        possible = _search_order(scope, binder, array, with_it, c.Binary("+", count, ONE))
        scope.emit(c.FrameStoreAt(array, count, NONE), c.If(possible, (push,)))

    unless_alike(scope, binder.set, binder.local, offer, picked)


def _search_order(scope: Scope, binder: model.BindOrder, array: str, picked: c.Expr, count: c.Expr) -> c.Expr:
    """Tries the further members in the array itself and takes them out again."""
    low = scope.low
    name = f"can complete {binder.local.name} at {low.span(binder.span)}"
    outer = tuple(scope.read(local) for local in _others(scope, binder))
    if name not in low.functions:
        low.functions[name] = FunctionCode(name, (), (), "value")
        inner = Scope(low, name)
        others = tuple(inner.declare(local) for local in _others(scope, binder))
        given = tuple(c.Var(other) for other in others)
        taken, number = c.Var(inner.fresh("picked")), c.Var(inner.fresh("count"))
        left = inner.assign("left", ZERO)

        def further(member: c.Expr) -> None:
            def free() -> None:
                inner.emit(c.Assign(left.name, ONE), c.FrameStoreAt(array, number, member))
                with_it = c.Binary("|", taken, c.Binary("<<", ONE, member))
                found = inner.assign("ok", c.CallValue(name, (*given, with_it, c.Binary("+", number, ONE))))
                inner.emit(c.FrameStoreAt(array, number, NONE), c.If(found, (c.Return(ONE),)))

            inner.emit(c.If(c.Not(c.HasBit(taken, member)), inner.body(free)))

        sets.iterate(inner, binder.set, further, "member")
        inner.emit(c.If(left, (c.Return(ZERO),)))
        inner.emit(c.Return(expressions.expression(inner, binder.such_that or _never(binder))))
        parameters = (*others, taken.name, number.name)
        low.functions[name] = FunctionCode(name, parameters, tuple(inner.out), "value", title=name)
    return scope.assign("possible", c.CallValue(name, (*outer, picked, count)))


# ------------------------------------------------------------------------------------------------ assignments


def offer_assign(scope: Scope, binder: model.BindAssign, array: str, left: c.Expr, first: int) -> None:
    """Offers what the member at hand may be given; with `such that`, what still leads to an assignment that holds."""
    at = scope.read(binder.each_local)

    def offer(value: c.Expr) -> None:
        push = c.Push("options", value if first == 0 else c.Binary("-", value, c.Int(first)))
        if binder.such_that is None:
            scope.emit(push)
            return
        scope.emit(c.FrameStoreAt(array, at, value))
        possible = _search_assign(scope, binder, array, left)
        scope.emit(c.FrameStoreAt(array, at, NONE), c.If(possible, (push,)))

    unless_alike(scope, binder.set, binder.local, offer)


def _search_assign(scope: Scope, binder: model.BindAssign, array: str, left: c.Expr) -> c.Expr:
    low = scope.low
    name = f"can complete {binder.local.name} at {low.span(binder.span)}"
    outer = tuple(scope.read(local) for local in _others(scope, binder))
    if name not in low.functions:
        low.functions[name] = FunctionCode(name, (), (), "value")
        inner = Scope(low, name)
        others = tuple(inner.declare(local) for local in _others(scope, binder))
        given = tuple(c.Var(other) for other in others)
        remaining, member, low_ = (c.Var(inner.fresh(name_)) for name_ in ("left", "member", "lowest"))
        ends = inner.body(
            lambda: inner.emit(c.Return(expressions.expression(inner, binder.such_that or _never(binder))))
        )
        inner.emit(c.If(c.Compare("=", remaining, ZERO), ends))
        inner.emit(c.ForBits(low_.name, remaining, (c.Assign(member.name, low_), c.Break())))
        rest = inner.assign("rest", c.Binary("&~", remaining, c.Binary("<<", ONE, member)))

        def further(value: c.Expr) -> None:
            inner.emit(c.FrameStoreAt(array, member, value))
            found = inner.assign("ok", c.CallValue(name, (*given, rest)))
            inner.emit(c.FrameStoreAt(array, member, NONE), c.If(found, (c.Return(ONE),)))

        with inner.standing_for(binder.each_local, member):
            sets.iterate(inner, binder.set, further, "value")
        inner.emit(c.Return(ZERO))
        low.functions[name] = FunctionCode(name, (*others, remaining.name), tuple(inner.out), "value", title=name)
    return scope.assign("possible", c.CallValue(name, (*outer, left)))


__all__ = ["can_begin", "offer_assign", "offer_order", "offer_some"]
