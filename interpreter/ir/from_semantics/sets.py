"""Sets: iterated by exactly one loop each, so that leaving or skipping a member is a plain `Break` or `Continue`.

`iterate` is the heart: every question about a set (how many, is there one, the first, a sum, its bit set) is a loop
with a short body. What can be told without a loop (the length of a deck, membership in a zone) is told without one.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir import code as c
from interpreter.ir.from_semantics import expressions, held_sets, printed_sets, relative, standing, unions
from interpreter.ir.from_semantics.context import Printed, Scope, element
from interpreter.semantics import model
from interpreter.semantics.types import DomainType, ListType, NumberType, SetType

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)


def iterate(
    scope: Scope, set_: model.Expr, write: Callable[[c.Expr], None], name: str = "it", any_order: bool = False
) -> None:
    """Emits one loop over a set; `write` emits the body for a member. With `any_order` the order does not matter."""
    match set_:
        case model.AllOf():
            var = scope.fresh(name)
            size = scope.low.size(element(set_.type))
            scope.emit(c.ForRange(var, ZERO, c.Int(size), scope.body(lambda: write(c.Var(var)))))
        case model.RangeSet(low=low, high=high):
            var = scope.fresh(name)
            start, end = expressions.required(scope, low), expressions.required(scope, high)
            above = c.Int(end.value + 1) if isinstance(end, c.Int) else c.Binary("+", end, ONE)
            scope.emit(c.ForRange(var, start, above, scope.body(lambda: write(c.Var(var)))))
        case model.ConstSet(values=values) if values and values == tuple(range(values[0], values[-1] + 1)):
            var = scope.fresh(name)
            body = scope.body(lambda: write(c.Var(var)))
            scope.emit(c.ForRange(var, c.Int(values[0]), c.Int(values[-1] + 1), body))
        case model.ConstSet(values=values):
            var = scope.fresh(name)
            array = scope.low.array("members", (values,))
            scope.emit(c.ForRow((var,), array, ZERO, scope.body(lambda: write(c.Var(var)))))
        case model.SetOf(items=items):
            _items(scope, items, write, name)
        case model.ZoneSet():
            _zone(scope, set_, write, name)
        case model.BoxSet(kind=kind):
            _at(scope, kind, ZERO, write, name)
        case model.PiecesOn():
            standing.each_piece_on(scope, set_, write, name, any_order)
        case model.SpacesOf() if any_order:
            standing.each_space_of(scope, set_, write)
        case model.Union():
            unions.each_of_both(scope, set_, write, name, any_order)
        case model.Neighbours(board=board, link=link, space=space):
            var = scope.fresh(name)
            array = scope.low.array(f"neighbours on {board.name}", board.board.neighbours(link))
            at = _present(scope, space)
            scope.emit(c.ForRow((var,), array, at, scope.body(lambda: write(c.Var(var)))))
        case model.AreaSet() if not relative.repeats(set_):
            relative.iterate(scope, set_, write, name)
        case model.Filter():
            _part(scope, set_, write, any_order)
        case model.RunSet():
            _run(scope, set_, write, name)
        case model.LocalRef(local=local) if isinstance(local.type, ListType):
            _list(scope, local, write, name)
        case _ if isinstance(set_.type, SetType) or is_kept(set_):
            var = scope.fresh(name)
            bits = mask(scope, set_)
            scope.emit(c.ForBits(var, bits, scope.body(lambda: write(c.Var(var)))))
        case _:
            raise TypeError(f"no set: {type(set_).__name__}")


def for_each(scope: Scope, set_: model.Expr, write: object, name: str) -> None:
    """A loop over a set taken beforehand, so that the body may change what made up the set."""
    if isinstance(set_, model.AllOf | model.ConstSet | model.RangeSet) or is_kept(set_):
        iterate(scope, set_, write, name)  # type: ignore[arg-type]
        return
    taken, var = scope.fresh(f"{name}s"), scope.fresh(name)
    scope.emit(c.NewList(taken))
    iterate(scope, set_, lambda member: scope.emit(c.Push(taken, member)), name)
    scope.emit(c.ForList(var, taken, scope.body(lambda: write(c.Var(var)))))  # type: ignore[operator]


def for_members(scope: Scope, set_: model.Expr, write: Callable[[c.Expr], None], name: str) -> None:
    """As `for_each`, but members come in their order, wherever they lie; what was put in order comes in that order."""
    if isinstance(set_.type, ListType) or isinstance(element(set_.type), NumberType):
        for_each(scope, set_, write, name)
    elif isinstance(set_, model.AllOf | model.ConstSet) or printed_sets.constant(scope.low, set_) is not None:
        iterate(scope, set_, write, name)
    else:
        bits, var = scope.assign(f"{name}s", mask(scope, set_)), scope.fresh(name)
        scope.emit(c.ForBits(var, bits, scope.body(lambda: write(c.Var(var)))))


def listed(set_: model.Expr) -> int | None:
    """How many members a set of listed ones has at most; None for other sets."""
    while isinstance(set_, model.Filter):
        set_ = set_.source
    if isinstance(set_, model.Union):
        sizes = [_most(set_.left), _most(set_.right)]
        return None if None in sizes else sum(size for size in sizes if size is not None)
    return len(set_.items) if isinstance(set_, model.SetOf) else None


def _most(set_: model.Expr) -> int | None:
    """How many members a part of a listed set has at most."""
    while isinstance(set_, model.Filter):
        set_ = set_.source
    match set_:
        case model.RangeSet(low=model.Const(value=low), high=model.Const(value=high)):
            return max(high - low + 1, 0)
        case model.ConstSet(values=values):
            return len(values)
    return listed(set_)


def exists(scope: Scope, set_: model.Expr) -> c.Expr:
    """Whether a set has a member."""
    if isinstance(set_, model.Union):
        return unions.either(scope, exists(scope, set_.left), lambda: exists(scope, set_.right))
    if isinstance(set_, model.SpacesOf) and isinstance(set_.pieces, model.PiecesOn):
        return exists(scope, set_.pieces)
    if is_bits(scope, set_):
        return c.Compare("!=", mask(scope, set_), ZERO)
    quick = _size(scope, set_)
    if quick is not None:
        return c.Compare(">", quick, ZERO)
    found = scope.assign("found", ZERO)
    iterate(scope, set_, lambda _: scope.emit(c.Assign(found.name, ONE), c.Break()), any_order=True)
    return found


def first(scope: Scope, set_: model.Expr) -> c.Expr:
    """The first member, or none."""
    found = scope.assign("first", NONE)
    iterate(scope, set_, lambda member: scope.emit(c.Assign(found.name, member), c.Break()))
    return found


def count(scope: Scope, set_: model.Expr) -> c.Expr:
    """How many members a set has."""
    quick = _size(scope, set_)
    if quick is not None:
        return quick
    total = scope.assign("count", ZERO)
    iterate(scope, set_, lambda _: scope.emit(c.Assign(total.name, c.Binary("+", total, ONE))), any_order=True)
    return total


def mask(scope: Scope, set_: model.Expr) -> c.Expr:
    """The bit set of a set over a domain."""
    match set_:
        case model.AllOf():
            return c.Int((1 << scope.low.size(element(set_.type))) - 1)
        case model.ConstSet(values=values):
            return c.Int(sum(1 << value for value in values))
        case _ if is_kept(set_):
            return expressions.expression(scope, set_)
        case model.AreaSet() if relative.repeats(set_):
            return _squares(scope, set_)
        case model.Neighbours(board=board, link=link, space=space):
            return standing.linked(scope, board, link, _present(scope, space))
        case model.NeighboursOfSet():
            return standing.linked_from_set(scope, set_)
        case model.Union():
            return unions.mask_of_both(scope, set_)
        case model.Filter():
            known = printed_sets.constant(scope.low, set_)
            if known is not None:
                _mark(scope, known)
                return c.Int(sum(1 << member for member in known.members))
            if set_.condition is None and isinstance(set_.type, SetType) and is_bits(scope, set_.source):
                return _without(scope, set_)
    bits = scope.assign("bits", ZERO)

    def add(member: c.Expr) -> None:
        scope.emit(c.Assign(bits.name, c.Binary("|", bits, c.Binary("<<", ONE, member))))

    iterate(scope, set_, add, any_order=True)
    return bits


def is_kept(set_: model.Expr) -> bool:
    """Whether a set is kept as a bit set: read, not found by looking."""
    match set_:
        case model.LocalRef() | model.AttributeRef() | model.VariableRef() | model.Current():
            return isinstance(set_.type, SetType)
        case model.CallExpr() | model.Conditional():
            return isinstance(set_.type, SetType | ListType)
    return False


def is_bits(scope: Scope, set_: model.Expr) -> bool:
    """Whether the bit set of a set is had without a look at each member."""
    match set_:
        case model.AllOf() | model.ConstSet():
            return isinstance(element(set_.type), DomainType)
        case model.Neighbours() | model.NeighboursOfSet():
            return True
        case model.Union(left=left, right=right):
            return is_bits(scope, left) and is_bits(scope, right)
        case model.Filter(source=source, condition=condition):
            if printed_sets.constant(scope.low, set_) is not None:
                return True
            return condition is None and isinstance(set_.type, SetType) and is_bits(scope, source)
    return is_kept(set_)


def _squares(scope: Scope, set_: model.AreaSet) -> c.Expr:
    """The bit set of the squares of a shape, which may come to a square twice."""
    bits = scope.assign("bits", ZERO)

    def add(square: c.Expr) -> None:
        scope.emit(c.Assign(bits.name, c.Binary("|", bits, c.Binary("<<", ONE, square))))

    relative.iterate(scope, set_, add, "square")
    return bits


def fold(scope: Scope, node: model.Fold) -> c.Expr:
    """A sum, or the highest or lowest value, over a set; 0 for nothing."""
    total = scope.assign(node.how, ZERO)
    seen = None if node.how == "sum" else scope.assign("any", ZERO)

    def add(member: c.Expr) -> None:
        with scope.standing_for(node.local, member):
            value = expressions.required(scope, node.body)
            if seen is None:
                scope.emit(c.Assign(total.name, c.Binary("+", total, value)))
                return
            value = scope.atom(value, "value")
            better = c.Compare(">" if node.how == "highest" else "<", value, total)
            scope.emit(c.If(c.Or(c.Not(seen), better), (c.Assign(total.name, value), c.Assign(seen.name, ONE))))

    iterate(scope, node.set, add, node.local.name, any_order=True)
    return total


def contains(scope: Scope, set_: model.Expr, member: c.Expr, optional: bool = False) -> c.Expr:
    """Whether a value is a member of a set; `optional` says that it may be none, which no set holds."""
    if optional:
        member = scope.atom(member, "member")
        return c.And(c.Compare("!=", member, NONE), contains(scope, set_, member))
    match set_:
        case model.AllOf():
            return c.Compare(">=", member, ZERO)
        case model.RangeSet(low=low, high=high):
            member = scope.atom(member, "number")
            start, end = expressions.required(scope, low), expressions.required(scope, high)
            return c.And(c.Compare(">=", member, start), c.Compare("<=", member, end))
        case model.SetOf(items=items):
            member = scope.atom(member, "member")
            result: c.Expr = ZERO
            for item in items:
                same = c.Compare("=", member, expressions.expression(scope, item))
                result = same if result == ZERO else c.Or(result, same)
            return result
        case model.BoxSet(kind=kind):
            return c.Compare("=", c.LoadAt(scope.low.slots.places[kind.name].base, member), ZERO)
        case model.PiecesOn():
            return standing.stands_on(scope, set_, scope.atom(member, "piece"))
        case model.SpacesOf():
            return standing.is_space_of(scope, set_, scope.atom(member, "space"))
        case model.NeighboursOfSet():
            return standing.is_linked_from_set(scope, set_, scope.atom(member, "space"))
        case model.Union(left=left, right=right):
            member = scope.atom(member, "member")
            return unions.either(scope, contains(scope, left, member), lambda: contains(scope, right, member))
        case model.ZoneSet(zone=zone):
            here = c.LoadAt(scope.low.slots.places[zone.kind.name].base, member)
            return c.Compare("=", here, zone_code(scope, zone, set_.owner))
        case model.Filter(local=local, source=source, excluded=excluded, condition=condition):
            member = scope.atom(member, "member")
            result = contains(scope, source, member)
            if excluded is not None:
                result = c.And(result, c.Not(_is_excluded(scope, excluded, member)))
            if condition is not None:
                with scope.standing_for(local, member), scope.into([]) as needed:
                    also = expressions.expression(scope, condition)
                if needed:
                    both = scope.assign("inside", result)
                    scope.emit(c.If(both, (*needed, c.Assign(both.name, also))))
                    return both
                result = c.And(result, also)
            return result
        case model.AreaSet():
            return relative.covers(scope, set_, member)
        case _ if is_bits(scope, set_):
            member = scope.atom(member, "member")
            held = mask(scope, set_)
            if isinstance(element(set_.type), NumberType):
                return c.And(c.Compare(">=", member, ZERO), c.HasBit(held, member))
            return c.HasBit(held, member)
    member = scope.atom(member, "member")
    found = scope.assign("found", ZERO)

    def look(other: c.Expr) -> None:
        scope.emit(c.If(c.Compare("=", other, member), (c.Assign(found.name, ONE), c.Break())))

    iterate(scope, set_, look)
    return found


def zone_code(scope: Scope, zone: model.Zone, owner: model.Expr | None) -> c.Expr:
    """The place code of a zone (of a player)."""
    first = scope.low.slots.zone_code[zone.name, 0]
    if owner is None:
        return c.Int(first)
    value = _present(scope, owner)
    return c.Int(first + value.value) if isinstance(value, c.Int) else c.Binary("+", c.Int(first), value)


def order_start(scope: Scope, zone: model.Zone, owner: model.Expr | None) -> tuple[int, c.Expr]:
    """Base slot of an ordered zone's length, and what to add to it for the owner."""
    group = scope.low.slots.orders[zone.name, 0]
    if owner is None:
        return group.base, ZERO
    value = _present(scope, owner)
    if isinstance(value, c.Int):
        return group.base + value.value * group.count, ZERO
    return group.base, scope.atom(c.Binary("*", value, c.Int(group.count)), "order")


def _size(scope: Scope, set_: model.Expr) -> c.Expr | None:
    """The size of a set where it is known without a loop."""
    match set_:
        case model.AllOf():
            return c.Int(scope.low.size(element(set_.type)))
        case model.ConstSet(values=values):
            return c.Int(len(values))
        case model.ZoneSet(zone=zone) if zone.ordered:
            base, offset = order_start(scope, zone, set_.owner)
            return c.Load(base) if offset == ZERO else c.LoadAt(base, offset)
        case model.Union():
            return unions.count_of_both(scope, set_)
        case model.SpacesOf(pieces=model.PiecesOn() as pieces):
            return count(scope, pieces)
        case _ if is_bits(scope, set_):
            return c.PopCount(mask(scope, set_))
    return None


def _part(scope: Scope, set_: model.Filter, write: Callable[[c.Expr], None], any_order: bool) -> None:
    """A loop over the part of a set that a filter leaves; what is printed is worked out beforehand."""
    known = printed_sets.printed(scope.low, set_, any_order)
    if known is None:
        asked = held_sets.hold_asked(scope, set_)
        name = set_.local.name
        iterate(scope, set_.source, lambda member: _filtered(scope, asked, member, write), name, any_order)
        return
    _mark(scope, known)
    rows = (known.members,) if known.key is None else known.groups
    at = ZERO if known.key is None else expressions.expression(scope, known.key)
    var = scope.fresh(set_.local.name)
    array = scope.low.array("members", rows)
    rest = held_sets.hold_asked(scope, known.rest)
    body = scope.body(lambda: _filtered(scope, rest, c.Var(var), write))
    scope.emit(c.ForRow((var,), array, at, body))


def _mark(scope: Scope, known: Printed) -> None:
    """What was asked beforehand counts as used."""
    for function in known.asked:
        for line in (*function.lines, *function.cases):
            scope.emit(c.Mark(scope.low.span(line.span)))


def _without(scope: Scope, set_: model.Filter) -> c.Expr:
    """The bit set of a set but for what is excluded."""
    whole, excluded = mask(scope, set_.source), set_.excluded
    if excluded is None:
        return whole
    whole = scope.atom(whole, "bits")
    if isinstance(excluded.type, SetType | ListType):
        return c.Binary("&~", whole, mask(scope, excluded))
    left_out = expressions.expression(scope, excluded)
    if not scope.may_be_none(excluded.type, left_out):
        return c.Binary("&~", whole, c.Binary("<<", ONE, left_out))
    left_out = scope.atom(left_out, "excluded")
    return c.Pick(c.Compare("<", left_out, ZERO), whole, c.Binary("&~", whole, c.Binary("<<", ONE, left_out)))


def _filtered(scope: Scope, set_: model.Filter, member: c.Expr, write: Callable[[c.Expr], None]) -> None:
    def inner() -> None:
        if set_.condition is None:
            write(member)
        else:
            expressions.condition(scope, set_.condition, lambda: write(member))

    with scope.standing_for(set_.local, member):
        if set_.excluded is None:
            inner()
        else:
            out = c.Not(_is_excluded(scope, set_.excluded, member))
            scope.emit(c.If(out, scope.body(inner)))


def _is_excluded(scope: Scope, excluded: model.Expr, member: c.Expr) -> c.Expr:
    if isinstance(excluded.type, SetType | ListType):
        return contains(scope, excluded, member)
    left_out = expressions.expression(scope, excluded)
    same = c.Compare("=", member, left_out)
    if excluded.type.optional and isinstance(excluded.type, NumberType):
        return c.And(c.Compare("!=", left_out, NONE), same)
    return same


def _items(scope: Scope, items: tuple[model.Expr, ...], write: Callable[[c.Expr], None], name: str) -> None:
    """The members that are listed in braces, in their order, each once; none is no member."""
    var = scope.fresh(name)
    lowered = [expressions.expression(scope, item) for item in items]
    known = [item.value for item in lowered if isinstance(item, c.Int)]
    if len(known) == len(lowered):
        constant = tuple(c.Int(value) for value in sorted(set(known)))
        scope.emit(c.ForItems(var, constant, scope.body(lambda: write(c.Var(var)))))
        return
    listed = tuple(scope.atom(item, "item") for item in lowered)
    there = [
        c.Compare("!=", value, NONE) if item.type.optional else ONE for item, value in zip(items, listed, strict=True)
    ]
    if len(listed) == 1:
        body = scope.body(lambda: write(c.Var(var)))
        scope.emit(c.ForItems(var, listed, (c.If(there[0], body),) if there[0] != ONE else body))
        return
    # again and again the lowest one that is above the last
    last, least, found = scope.fresh("last"), scope.fresh("least"), scope.fresh("any")
    scope.emit(c.Assign(last, c.Int(_BELOW)))

    def body_() -> None:
        scope.emit(c.Assign(found, ZERO), c.Assign(least, ZERO))
        for value, is_there in zip(listed, there, strict=True):
            lower = c.Or(c.Not(c.Var(found)), c.Compare("<", value, c.Var(least)))
            above = c.And(c.Compare(">", value, c.Var(last)), lower)
            test = above if is_there == ONE else c.And(is_there, above)
            scope.emit(c.If(test, (c.Assign(least, value), c.Assign(found, ONE))))
        scope.emit(c.If(c.Not(c.Var(found)), (c.Break(),)))
        scope.emit(c.Assign(last, c.Var(least)), c.Assign(var, c.Var(least)))
        write(c.Var(var))

    turn = scope.fresh("turn")
    scope.emit(c.ForRange(turn, ZERO, c.Int(len(listed)), scope.body(body_)))


_BELOW = -(10**12)
"""A number below all that a set may hold."""


def _zone(scope: Scope, set_: model.ZoneSet, write: Callable[[c.Expr], None], name: str) -> None:
    zone = set_.zone
    if zone.ordered:
        base, offset = order_start(scope, zone, set_.owner)
        at, var = scope.fresh("at"), scope.fresh(name)
        length = scope.atom(c.Load(base) if offset == ZERO else c.LoadAt(base, offset), "length")

        def body() -> None:
            from_top = c.Binary("-", length, c.Var(at))
            index: c.Expr = from_top if offset == ZERO else c.Binary("+", offset, from_top)
            scope.emit(c.Assign(var, c.LoadAt(base, index)))
            write(c.Var(var))

        scope.emit(c.ForRange(at, ZERO, length, scope.body(body)))
        return
    _at(scope, zone.kind, scope.atom(zone_code(scope, zone, set_.owner), "zone"), write, name)


def _at(scope: Scope, kind: model.Kind, place: c.Expr, write: Callable[[c.Expr], None], name: str) -> None:
    """A loop over the pieces of a kind that are at a place."""
    var = scope.fresh(name)
    here = c.Compare("=", c.LoadAt(scope.low.slots.places[kind.name].base, c.Var(var)), place)
    inside = scope.body(lambda: scope.emit(c.If(here, scope.body(lambda: write(c.Var(var))))))
    scope.emit(c.ForRange(var, ZERO, c.Int(kind.count), inside))


def _run(scope: Scope, set_: model.RunSet, write: Callable[[c.Expr], None], name: str) -> None:
    from interpreter.ir.from_semantics import open_board
    from interpreter.ir.from_semantics.geometry import step

    at = scope.assign(name, expressions.required(scope, set_.start))
    direction = scope.atom(expressions.required(scope, set_.direction), "direction")
    ahead = scope.fresh("ahead") if set_.board.board.is_open else at.name

    def body() -> None:
        scope.emit(c.Assign(ahead, step(scope, set_.board, at, direction)))
        scope.emit(c.If(c.Compare("<", c.Var(ahead), ZERO), (c.Break(),)))
        with scope.standing_for(set_.local, c.Var(ahead)):
            goes_on = expressions.expression(scope, set_.condition)
        scope.emit(c.If(c.Not(goes_on), (c.Break(),)))
        if set_.board.board.is_open:
            open_board.stay_on_sheet(scope, set_.board, at, c.Var(ahead), scope.low.span(set_.span))
            scope.emit(c.Assign(at.name, c.Var(ahead)))
        write(at)

    turn = scope.fresh("turn")
    most = len(set_.board.board.spaces) - 1  # on a ring it stops before it comes back to its start
    scope.emit(c.ForRange(turn, ZERO, c.Int(most), scope.body(body)))


def _list(scope: Scope, local: model.Local, write: Callable[[c.Expr], None], name: str) -> None:
    """An order that was chosen: its members lie in a frame array, as many as the domain of the list has at most; the
    rest is -1."""
    array = scope.low.machine_local(local)
    at, var = scope.fresh("at"), scope.fresh(name)

    def body() -> None:
        scope.emit(c.Assign(var, c.FrameAt(array, c.Var(at))))
        scope.emit(c.If(c.Compare("<", c.Var(var), ZERO), (c.Break(),)))
        write(c.Var(var))

    scope.emit(c.ForRange(at, ZERO, c.Int(scope.low.frame_arrays[array]), scope.body(body)))


def _present(scope: Scope, space: model.Expr) -> c.Expr:
    """A space, or the owner of a zone, that must be there: none is a fault."""
    at = expressions.expression(scope, space)
    if scope.may_be_none(space.type, at):
        at = scope.atom(at, "space")
        scope.emit(c.Check(c.Compare(">=", at, ZERO), "D705", scope.low.span(space.span)))
    return at


__all__ = [
    "contains", "count", "exists", "first", "fold", "for_each", "for_members", "is_bits", "is_kept", "iterate",
    "listed", "mask", "order_start", "zone_code",
]  # fmt: skip
