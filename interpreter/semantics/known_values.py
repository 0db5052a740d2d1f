"""What is known before play: the value of an expression, the members of a set, the members of a type.

The checks of tables and of the box need figures that hold in every game: printed attributes, numbers, and inputs that
the check itself tries one after another. This is a small evaluator for these. It never guesses: what depends on the
state, on chance or on a player is None, and so is everything made of it, save where the known half decides (`no and
...`).

Invariant: a value that is not None is the value in every game of this configuration, given the inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from interpreter.semantics.describe import domain_size, member_names
from interpreter.semantics.model import (
    AllOf,
    Arithmetic,
    AttributeRef,
    Bearing,
    CallExpr,
    Compare,
    Conditional,
    Const,
    ConstSet,
    Count,
    Exists,
    Expr,
    FigureRef,
    Filter,
    First,
    Function,
    Game,
    InSet,
    Local,
    LocalRef,
    Logic,
    Neighbours,
    NeighboursOfSet,
    NextSpace,
    Not,
    RangeSet,
    SetOf,
    Toward,
    Turned,
    Union,
    Variable,
    VariableRef,
)
from interpreter.semantics.types import NONE, DomainType, FlagType, NumberType, SetType, Type

__all__ = ["Inputs", "is_literal", "known_set", "known_value", "literal_value", "member_name", "members_of_type"]

_MAX_MEMBERS = 4096
_MAX_DEPTH = 8
_MAX_TRIED = 20_000
"""Members tried for one question, in filters within filters; what takes more is not known before play."""


@frozen
class Inputs:
    """What is taken as given: locals, and the fields of the one thing that is tried."""

    game: Game
    locals: Mapping[Local, int] = {}
    fields: Mapping[Variable, int] = {}
    """Values of fields of the member bound to `owner`."""
    owner: Local | None = None
    depth: int = 0
    tried: list[int] = field(factory=lambda: [0], eq=False)
    """How many members were tried so far, in one number that all who ask for the same question share."""

    def bind(self, local: Local, value: int) -> Inputs:
        self.tried[0] += 1
        return Inputs(self.game, {**self.locals, local: value}, self.fields, self.owner, self.depth, self.tried)

    def enter(self, function: Function, arguments: Sequence[int]) -> Inputs:
        given = dict(zip(function.parameters, arguments, strict=True))
        return Inputs(self.game, given, depth=self.depth + 1, tried=self.tried)


# ------------------------------------------------------------------------------------------- types


def members_of_type(type_: Type, game: Game) -> Sequence[int] | None:
    """Every value of a type, `none` last where it fits; None when they are too many or unknown."""
    values: Sequence[int]
    if isinstance(type_, FlagType):
        values = (0, 1)
    elif isinstance(type_, NumberType):
        if type_.high - type_.low >= _MAX_MEMBERS:
            return None
        values = range(type_.low, type_.high + 1)
    else:
        size = domain_size(game, type_)
        if not 0 < size <= _MAX_MEMBERS:
            return None
        values = range(size)
    return (*values, NONE) if type_.optional else values


def member_name(type_: Type, value: int, game: Game) -> str:
    """How a value of a type is written in the rules."""
    if type_.optional and value == NONE:
        return "none"
    if isinstance(type_, NumberType):
        return str(value)
    names = member_names(game, type_)
    return names[value] if 0 <= value < len(names) else str(value)


# ------------------------------------------------------------------------------------------- expressions


def known_value(expr: Expr, inputs: Inputs) -> int | None:
    """The value of an expression, or None when it is not known before play."""
    match expr:
        case Const():
            return expr.value
        case LocalRef():
            return inputs.locals.get(expr.local)
        case VariableRef(keys=(LocalRef(local=local),)) if local is inputs.owner:
            return inputs.fields.get(expr.variable)
        case AttributeRef():
            subject = known_value(expr.subject, inputs)
            if subject is None or not 0 <= subject < len(expr.attribute.values):
                return None
            return expr.attribute.values[subject]
        case FigureRef():
            return _figure(expr, inputs)
        case Arithmetic():
            left, right = known_value(expr.left, inputs), known_value(expr.right, inputs)
            return None if left is None or right is None else _arithmetic(expr.op, left, right)
        case Compare():
            left, right = known_value(expr.left, inputs), known_value(expr.right, inputs)
            return None if left is None or right is None else _compare(expr.op, left, right)
        case Logic():
            return _logic(expr, inputs)
        case Not():
            inner = known_value(expr.inner, inputs)
            return None if inner is None else 1 - inner
        case Conditional():
            condition = known_value(expr.condition, inputs)
            if condition is None:
                return None
            return known_value(expr.then if condition else expr.otherwise, inputs)
        case InSet():
            return _in_set(expr, inputs)
        case Count() | Exists() | First():
            members = known_set(expr.set, inputs)
            if members is None:
                return None
            if isinstance(expr, First):
                return members[0] if members else NONE
            return len(members) if isinstance(expr, Count) else int(bool(members))
        case NextSpace():
            space, direction = known_value(expr.space, inputs), known_value(expr.direction, inputs)
            if space is None or direction is None:
                return None
            return NONE if NONE in (space, direction) else expr.board.board.step[direction][space]
        case Turned() | Bearing() | Toward():
            return _relative(expr, inputs)
        case CallExpr():
            return _call(expr, inputs)
    return None


def known_set(expr: Expr, inputs: Inputs) -> tuple[int, ...] | None:
    """The members of a set, or None when they are not known before play."""
    match expr:
        case ConstSet():
            return expr.values
        case AllOf(type=SetType(element=element)):
            members = members_of_type(element.required(), inputs.game)
            return None if members is None else tuple(members)
        case RangeSet():
            low, high = known_value(expr.low, inputs), known_value(expr.high, inputs)
            if low is None or high is None or high - low >= _MAX_MEMBERS:
                return None
            return tuple(range(low, high + 1))
        case SetOf():
            items = [known_value(item, inputs) for item in expr.items]
            return None if None in items else tuple(sorted({item for item in items if item is not None}))
        case Neighbours():
            space = known_value(expr.space, inputs)
            if space is None or space < 0:
                return None
            return tuple(sorted(expr.board.board.neighbours(expr.link)[space]))
        case NeighboursOfSet():
            starts = known_set(expr.spaces, inputs)
            links = expr.board.board.neighbours(expr.link)
            return None if starts is None else tuple(sorted({to for start in starts for to in links[start]}))
        case Union():
            left, right = known_set(expr.left, inputs), known_set(expr.right, inputs)
            return None if left is None or right is None else tuple(dict.fromkeys((*left, *right)))
        case Filter():
            return _filtered(expr, inputs)
        case AttributeRef():
            bits = known_value(expr, inputs)
            return None if bits is None else tuple(at for at in range(bits.bit_length()) if bits >> at & 1)
    return None


def _figure(expr: FigureRef, inputs: Inputs) -> int | None:
    subject, member = known_value(expr.subject, inputs), known_value(expr.member, inputs)
    if subject is None or member is None or subject < 0:
        return None
    if member < 0:
        return NONE if isinstance(expr.figure.type, DomainType) else 0
    return expr.figure.values[subject * domain_size(inputs.game, expr.figure.by) + member]


def _relative(expr: Turned | Bearing | Toward, inputs: Inputs) -> int | None:
    match expr:
        case Turned():
            parts = (expr.facing, expr.way)
        case Bearing():
            parts = (expr.facing, expr.direction)
        case Toward():
            parts = (expr.start, expr.end)
    first, second = (known_value(part, inputs) for part in parts)
    if first is None or second is None:
        return None
    if NONE in (first, second):
        return NONE
    size = len(expr.board.board.directions)
    match expr:
        case Turned():
            return (first + second * expr.step) % size
        case Bearing():
            way, between = divmod((second - first) % size, expr.step)
            return NONE if between else way
        case Toward():
            steps = expr.board.board.step
            return next((way for way in range(size) if steps[way][first] == second), NONE)


def _filtered(expr: Filter, inputs: Inputs) -> tuple[int, ...] | None:
    if inputs.tried[0] > _MAX_TRIED:
        return None
    members = known_set(expr.source, inputs)
    if members is None:
        return None
    if expr.excluded is not None:
        if isinstance(expr.excluded.type, SetType):
            without = known_set(expr.excluded, inputs)
        else:
            value = known_value(expr.excluded, inputs)
            without = None if value is None else (value,)
        if without is None:
            return None
        members = tuple(member for member in members if member not in without)
    if expr.condition is None:
        return members
    kept = []
    for member in members:
        holds = known_value(expr.condition, inputs.bind(expr.local, member))
        if holds is None or inputs.tried[0] > _MAX_TRIED:
            return None
        if holds:
            kept.append(member)
    return tuple(kept)


def _arithmetic(op: str, left: int, right: int) -> int | None:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
        case "div":
            return left // right if right else None
        case "mod":
            return left % right if right else None
    return None


def _compare(op: str, left: int, right: int) -> int:
    return int(
        {
            "=": left == right,
            "!=": left != right,
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
        }[op]
    )


def _logic(expr: Logic, inputs: Inputs) -> int | None:
    deciding = 0 if expr.op == "and" else 1
    left = known_value(expr.left, inputs)
    if left == deciding:
        return left
    right = known_value(expr.right, inputs)
    if right == deciding:
        return right
    return None if left is None or right is None else 1 - deciding


def _in_set(expr: InSet, inputs: Inputs) -> int | None:
    element = known_value(expr.element, inputs)
    if element is None:
        return None
    if isinstance(expr.set, RangeSet):
        low, high = known_value(expr.set.low, inputs), known_value(expr.set.high, inputs)
        return None if low is None or high is None else int(low <= element <= high)
    members = known_set(expr.set, inputs)
    return None if members is None else int(element in members)


def _call(expr: CallExpr, inputs: Inputs) -> int | None:
    """Relations and plain values of known inputs; anything longer is left unknown."""
    function = expr.function
    arguments = [known_value(argument, inputs) for argument in expr.arguments]
    given = [argument for argument in arguments if argument is not None]
    if len(given) < len(arguments) or inputs.depth >= _MAX_DEPTH:
        return None
    inside = inputs.enter(function, given)
    if function.form == "relation":
        return _related(function, inside)
    if function.form == "value" and len(function.lines) == 1 and not function.halves:
        line = function.lines[0]
        if line.kind == "start" and line.condition is None and line.per is None:
            return known_value(line.amount, inside)
    return None


def _related(function: Function, inputs: Inputs) -> int | None:
    """One `when` must hold (where there is one), and no `unless` may."""
    needed = [known_value(case.condition, inputs) for case in function.cases if case.kind == "when"]
    barred = [known_value(case.condition, inputs) for case in function.cases if case.kind == "unless"]
    if any(value == 1 for value in barred) or (needed and all(value == 0 for value in needed)):
        return 0
    if None in barred or (needed and 1 not in needed):
        return None
    return 1


# ------------------------------------------------------------------------------------------- literals


def is_literal(expr: Const, game: Game) -> bool:
    """Whether a constant stands in the rules as such, and is not an option, which another table may set otherwise.

    The model keeps the value of an option where its name stood; the length of the text tells the two apart, and where
    an option's name is as short as the value, the answer is no.
    """
    if isinstance(expr.type, FlagType):
        text = "yes" if expr.value else "no"
    elif isinstance(expr.type, NumberType):
        text = str(expr.value)
    else:
        return False
    start, end = expr.span.start, expr.span.end
    if start.line != end.line or end.column - start.column != len(text):
        return False
    return all(len(name) > len(text) for name in game.options)


def literal_value(expr: Expr, game: Game) -> int | None:
    """The value of an expression made of literals only, so that no option, player or state can change it."""
    match expr:
        case Const():
            return expr.value if is_literal(expr, game) else None
        case Arithmetic() | Compare():
            left, right = literal_value(expr.left, game), literal_value(expr.right, game)
            if left is None or right is None:
                return None
            return _arithmetic(expr.op, left, right) if isinstance(expr, Arithmetic) else _compare(expr.op, left, right)
        case Not():
            inner = literal_value(expr.inner, game)
            return None if inner is None else 1 - inner
        case Logic():
            deciding = 0 if expr.op == "and" else 1
            values = (literal_value(expr.left, game), literal_value(expr.right, game))
            if deciding in values:
                return deciding
            return None if None in values else 1 - deciding
    return None
