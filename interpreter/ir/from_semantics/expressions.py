"""Expressions: each becomes an operation without effect, after statements that work out what a single operation cannot
(loops over sets, walks, chance).

A part of `and`, `or` or `if` that needs such statements is moved into a branch, so that nothing is worked out, rolled
or faulted that the rules would not reach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.ir import code as c
from interpreter.ir.from_semantics import geometry, knowledge, relative, sets
from interpreter.ir.from_semantics.context import Scope
from interpreter.ir.program import PLAYER, ROUND, STATUS, WINNERS
from interpreter.semantics import model
from interpreter.semantics.types import DomainType, FlagType, ListType, NumberType, SetType, Type

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)


def expression(scope: Scope, node: model.Expr) -> c.Expr:
    """The value of an expression; statements it needs go to the scope."""
    match node:
        case model.Const(value=value):
            return c.Int(value)
        case model.LocalRef(local=local):
            return scope.read(local)
        case model.VariableRef():
            return _variable(scope, node)
        case model.Current(what="finished"):
            return c.Compare("!=", c.Load(STATUS), ZERO)
        case model.Current(what="winner"):
            won = c.Load(WINNERS)  # the one bit there is: as many are below it
            return c.Pick(c.Compare("=", c.PopCount(won), ONE), c.PopCount(c.Binary("-", won, ONE)), NONE)
        case model.Current(what=what):
            return c.Load({"player": PLAYER, "round number": ROUND, "winners": WINNERS}[what])
        case model.AttributeRef(attribute=attribute, subject=subject):
            array = scope.low.array(f"{attribute.name} of {getattr(attribute.key, 'name', '')}", attribute.values)
            return _of_subject(scope, node, subject, lambda index: c.ArrayGet(array, index))
        case model.FigureRef():
            return _figure(scope, node)
        case model.Arithmetic(op=op, left=left, right=right):
            return _arithmetic(scope, node.span, op, required(scope, left), required(scope, right))
        case model.Compare():
            return _compare(scope, node)
        case model.Logic(op=op, left=left, right=right):
            return _logic(scope, op, left, right)
        case model.Not(inner=inner):
            return c.Not(expression(scope, inner))
        case model.Conditional():
            return _conditional(scope, node)
        case model.CallExpr():
            return _call(scope, node)
        case model.DiceExpr(count=count, faces=faces):
            return _dice(scope, count, faces)
        case model.MapGet(local=local, key=key):
            return c.FrameAt(scope.low.machine_local(local), expression(scope, key))
        case model.Count(set=set_):
            return sets.count(scope, set_)
        case model.Exists(set=set_):
            return sets.exists(scope, set_)
        case model.First(set=set_):
            return sets.first(scope, set_)
        case model.Fold():
            return sets.fold(scope, node)
        case model.InSet(element=element, set=set_):
            member = expression(scope, element)
            return sets.contains(scope, set_, member, scope.may_be_none(element.type, member))
        case model.LinkAttribute() | model.Slide() | model.LineThrough() | model.Route() | model.NextSpace():
            return geometry.expression(scope, node)
        case model.Distance() | model.PieceOn() | model.Empty() | model.SpaceOf():
            return geometry.expression(scope, node)
        case model.Turned() | model.Bearing() | model.Toward():
            return relative.expression(scope, node)
        case model.IsKnown():
            return knowledge.is_known(scope, node)
        case _ if isinstance(node.type, SetType):
            return sets.mask(scope, node)
    raise TypeError(f"no expression: {type(node).__name__}")


def argument(scope: Scope, node: model.Expr) -> c.Expr:
    """A value handed to a function; a set, or the spaces of a run, goes as a bit set."""
    if isinstance(node.type, SetType | ListType):
        return sets.mask(scope, node)
    return expression(scope, node)


def required(scope: Scope, node: model.Expr) -> c.Expr:
    """A number or a member that has to be there: none is a fault."""
    value = expression(scope, node)
    if not scope.may_be_none(node.type, value):
        return value
    value = scope.atom(value, "found")
    scope.emit(c.Check(c.Compare("!=", value, NONE), "D705", scope.low.span(node.span)))
    return value


def inputs(scope: Scope, parameters: Sequence[model.Local], arguments: Sequence[model.Expr]) -> tuple[c.Expr, ...]:
    """What is handed to a function; where it takes no none, none is a fault."""
    return tuple(
        argument(scope, value)
        if parameter.type.optional or isinstance(value.type, SetType | ListType)
        else required(scope, value)
        for parameter, value in zip(parameters, arguments, strict=True)
    )


def condition(scope: Scope, node: model.Expr, write: Callable[[], None]) -> None:
    """Emits what `write` emits, under a condition."""
    value = expression(scope, node)
    if value == ONE:
        write()
    elif value != ZERO:
        scope.emit(c.If(value, scope.body(write)))


def index_of(scope: Scope, keys: tuple[Type, ...], values: tuple[c.Expr, ...]) -> c.Expr:
    """The number of a combination of keys, the last one running fastest."""
    index: c.Expr = ZERO
    for key, value in zip(keys, values, strict=True):
        scaled = index if index == ZERO else c.Binary("*", index, c.Int(scope.low.size(key)))
        index = value if scaled == ZERO else c.Binary("+", scaled, value)
    return index


def _variable(scope: Scope, node: model.VariableRef) -> c.Expr:
    group = scope.low.slots.variables[id(node.variable)]
    if not node.keys:
        return c.Load(group.base)
    keys, missing = members(scope, node.keys)
    return _unless(scope, node, missing, c.LoadAt(group.base, index_of(scope, node.variable.keys, keys)))


def _of_subject(scope: Scope, node: model.Expr, subject: model.Expr, get: Callable[[c.Expr], c.Expr]) -> c.Expr:
    """Something of a member. Of none: none, or no; a number of none is a fault."""
    index = expression(scope, subject)
    if not scope.may_be_none(subject.type, index):
        return get(index)
    index = scope.atom(index, "subject")
    if isinstance(node.type, NumberType):
        scope.emit(c.Check(c.Compare(">=", index, ZERO), "D705", scope.low.span(node.span)))
        return get(index)
    nothing = ZERO if isinstance(node.type, FlagType | SetType) else NONE
    return c.Pick(c.Compare("<", index, ZERO), nothing, get(index))


def _figure(scope: Scope, node: model.FigureRef) -> c.Expr:
    """A figure of a row for a member, in an array of rows times members; for no member it is a blank, which has a
    column of its own. Of no row it is none, no or a fault."""
    figure, size = node.figure, scope.low.size(node.figure.by)
    values, first = figure.values, 0
    if node.member.type.optional:
        blank = -1 if isinstance(figure.type, DomainType) else 0
        rows = (figure.values[at : at + size] for at in range(0, len(figure.values), size))
        values, size, first = tuple(value for row in rows for value in (blank, *row)), size + 1, 1
    array = scope.low.array(f"{figure.name} of {getattr(figure.key, 'name', '')}", values)
    (row,), missing = members(scope, (node.subject,))
    member = expression(scope, node.member)
    start: c.Expr = c.Binary("*", row, c.Int(size))
    index = c.Binary("+", c.Binary("+", start, c.Int(first)) if first else start, member)
    return _unless(scope, node, missing, c.ArrayGet(array, index))


def members(scope: Scope, nodes: Sequence[model.Expr]) -> tuple[tuple[c.Expr, ...], c.Expr]:
    """Members that something is kept for, and whether one of them is none."""
    values = []
    missing: c.Expr = ZERO
    for node in nodes:
        value = expression(scope, node)
        if scope.may_be_none(node.type, value):
            value = scope.atom(value, "index")
            none = c.Compare("<", value, ZERO)
            missing = none if missing == ZERO else c.Or(missing, none)
        values.append(value)
    return tuple(values), missing


def _unless(scope: Scope, node: model.Expr, missing: c.Expr, found: c.Expr) -> c.Expr:
    """Something of members, one of which may be missing: then it is none, or no; a number is a fault."""
    if missing == ZERO:
        return found
    if isinstance(node.type, NumberType):
        scope.emit(c.Check(c.Not(missing), "D705", scope.low.span(node.span)))
        return found
    return c.Pick(missing, ZERO if isinstance(node.type, FlagType | SetType) else NONE, found)


def _call(scope: Scope, node: model.CallExpr) -> c.Expr:
    """A value, relation or table. A column of none is, like any figure of nothing, no, none or a fault."""
    function, arguments = node.function, node.arguments
    name = scope.low.function_name(function)
    if len(arguments) == 1 and arguments[0].type.optional and scope.low.is_column(function):
        return _of_subject(scope, node, arguments[0], lambda row: c.CallValue(name, (row,)))
    return c.CallValue(name, inputs(scope, function.parameters, arguments))


def _compare(scope: Scope, node: model.Compare) -> c.Expr:
    """None is no number: it equals none, and is neither more nor less than anything."""
    if node.op not in ("=", "!="):
        return c.Compare(node.op, required(scope, node.left), required(scope, node.right))
    for one, against in ((node.left, node.right), (node.right, node.left)):
        if isinstance(one, model.SpaceOf) and isinstance(against, model.Const) and against.value == NONE.value:
            stands = geometry.stands(scope, one)
            return c.Not(stands) if node.op == "=" else stands
    left, right = expression(scope, node.left), expression(scope, node.right)
    found: c.Expr = c.Compare(node.op, left, right)
    sides = ((node.left.type, left, node.right.type), (node.right.type, right, node.left.type))
    for type, value, other in sides:
        # where none is kept as a number that the other side may be
        if not isinstance(type, NumberType) or not isinstance(other, NumberType):
            continue
        if type.optional and not other.optional and other.low <= NONE.value:
            there = c.Compare("!=", value, NONE)
            found = c.And(there, found) if node.op == "=" else c.Or(c.Not(there), found)
    return found


def _arithmetic(scope: Scope, span: object, op: str, left: c.Expr, right: c.Expr) -> c.Expr:
    if op in ("div", "mod") and not (isinstance(right, c.Int) and right.value != 0):
        right = scope.atom(right, "divisor")
        scope.emit(c.Check(c.Compare("!=", right, ZERO), "D703", scope.low.span(span)))  # type: ignore[arg-type]
    return c.Binary(op, left, right)  # type: ignore[arg-type]


def _logic(scope: Scope, op: str, left: model.Expr, right: model.Expr) -> c.Expr:
    first = expression(scope, left)
    with scope.into([]) as needed:
        second = expression(scope, right)
    if not needed:
        return c.And(first, second) if op == "and" else c.Or(first, second)
    both = scope.assign("both" if op == "and" else "either", first)
    needed.append(c.Assign(both.name, second))
    scope.emit(c.If(both if op == "and" else c.Not(both), tuple(needed)))
    return both


def _conditional(scope: Scope, node: model.Conditional) -> c.Expr:
    test = expression(scope, node.condition)
    with scope.into([]) as needed_then:
        then = argument(scope, node.then)
    with scope.into([]) as needed_else:
        otherwise = argument(scope, node.otherwise)
    if not needed_then and not needed_else:
        return c.Pick(test, then, otherwise)
    name = scope.fresh("choice")
    needed_then.append(c.Assign(name, then))
    needed_else.append(c.Assign(name, otherwise))
    scope.emit(c.If(test, tuple(needed_then), tuple(needed_else)))
    return c.Var(name)


def _dice(scope: Scope, count: int, faces: int) -> c.Expr:
    total: c.Expr = c.Int(count)
    for _ in range(count):
        die = scope.fresh("die")
        scope.emit(c.Chance(die, c.Int(faces)))
        total = c.Binary("+", total, c.Var(die))
    return scope.assign("rolled", total)


__all__ = ["argument", "condition", "expression", "index_of", "inputs", "members", "required"]
