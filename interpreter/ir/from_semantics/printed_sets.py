"""Filters that hang on printed figures: worked out while the program is made.

`Unit where class is Artillery` has the same members in every state of a game, since the class of a piece is printed.
Such a filter becomes a constant row, and so does the part of a longer filter that is printed: the loop goes over the
members that pass it and asks the rest. What is left may say that a printed figure equals something known only in play
(`owner is player`); then there is a row for each value of the figure, and the loop goes over one of them.

Parts of a condition are asked in their order, since one may keep the next from a fault (`x is not none and x.n > 3`).
So a part is asked beforehand only if no part before it can fault.

Invariant: a loop over what is given here meets the same members in the same order and the same faults as one over the
filter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from attrs import evolve

from interpreter.ir.from_semantics.context import Lowering, Printed
from interpreter.semantics import model
from interpreter.semantics.describe import domain_size
from interpreter.semantics.known_values import Inputs, known_set, known_value
from interpreter.semantics.types import DomainType, FlagType, NumberType, PieceType, SetType
from interpreter.semantics.walk import bodies, descend

_DEEPEST = 8
"""Values and relations are followed so far into each other."""


def printed(low: Lowering, set_: model.Filter, any_order: bool) -> Printed | None:
    """The filter with its printed part worked out; None where that would save nothing."""
    key = (id(set_), any_order)
    if key not in low.printed:
        low.printed[key] = (set_, _printed(low, set_, any_order))
    return low.printed[key][1]


def _printed(low: Lowering, set_: model.Filter, any_order: bool) -> Printed | None:
    game, inputs = low.game, Inputs(low.game)
    source = set_.source
    asked: list[model.Function] = []
    if isinstance(source, model.Filter):
        inner = printed(low, source, any_order)
        if inner is None or not inner.is_constant:
            return None
        asked += inner.asked
        members: Sequence[int] = inner.members
        parts = list(_joined(set_.condition))
    else:
        whole = _whole(game, set_, any_order)
        if whole is None:
            return None
        members, parts = whole
    every = len(members)
    excluded = set_.excluded
    if isinstance(excluded, model.Const):
        members, excluded = [member for member in members if member != excluded.value], None
    safe = excluded is None or cannot_fault(excluded)
    rest: list[model.Expr] = []
    key: tuple[model.Attribute, model.Expr] | None = None
    for part in parts:
        if safe and _is_printed(part, (set_.local,), 0):
            asking = (known_value(part, inputs.bind(set_.local, member)) for member in members)
            holds = list(takewhile(lambda known: known is not None, asking))
            if len(holds) == len(members):
                members = [member for member, yes in zip(members, holds, strict=True) if yes]
                asked += _called(part)
                continue
        if safe and key is None:
            key = _key(part, set_.local)
            if key is not None:
                continue
        rest.append(part)
        safe = safe and cannot_fault(part)
    if key is None and len(members) == every and excluded is set_.excluded and not asked:
        return None
    groups: tuple[tuple[int, ...], ...] = ()
    if key is not None:
        values = key[0].values
        size = domain_size(game, key[0].type)
        groups = tuple(tuple(member for member in members if values[member] == value) for value in range(size))
    kept = tuple(members)
    constant = model.ConstSet(values=kept, type=set_.type, span=source.span)
    left = evolve(set_, source=constant, excluded=excluded, condition=_all_of(rest))
    return Printed(kept, None if key is None else key[1], groups, left, tuple(dict.fromkeys(asked)))


def constant(low: Lowering, set_: model.Expr) -> Printed | None:
    """The filter if it is printed as a whole."""
    if not isinstance(set_, model.Filter) or not isinstance(set_.type, SetType):
        return None
    found = printed(low, set_, any_order=False)
    return found if found is not None and found.is_constant else None


def asked_beforehand(set_: model.Filter) -> Iterator[model.Attribute | model.Figure]:
    """The printed figures that a filter may ask for while the program is made, and never again in play."""
    for part in _joined(set_.condition):
        if not (_is_printed(part, (set_.local,), 0) or _key(part, set_.local) is not None):
            continue
        inside = [body for function in _called(part) for body in bodies(function)]
        for node in (node for root in (part, *inside) for node in descend(root)):
            if isinstance(node, model.AttributeRef):
                yield node.attribute
            elif isinstance(node, model.FigureRef):
                yield node.figure


def known_members(low: Lowering, set_: model.Expr) -> tuple[int, ...] | None:
    """The members of a set that is printed as a whole, or None; in no certain order."""
    return known_set(set_, Inputs(low.game)) if _is_printed_set(set_, (), 0) else None


def _whole(game: model.Game, set_: model.Filter, any_order: bool) -> tuple[Sequence[int], list[model.Expr]] | None:
    """The members of the source, and all that is asked of them."""
    source = set_.source
    parts = list(_joined(set_.condition))
    match source:
        case model.AllOf(type=SetType(element=DomainType() as element)):
            return range(domain_size(game, element)), parts
        case model.ConstSet(values=values, type=SetType(element=DomainType())):
            return values, parts
        case model.ZoneSet(zone=zone, owner=owner) if not zone.ordered and (owner is None or cannot_fault(owner)):
            if owner is None or not owner.type.optional:
                return _in_place(zone.kind, set_, parts)
        case model.BoxSet(kind=kind):
            return _in_place(kind, set_, parts)
        case model.PiecesOn(kind=kind, spaces=model.AllOf()) if any_order:
            return _in_place(kind, set_, parts)
    return None


def _in_place(
    kind: model.Kind, set_: model.Filter, parts: list[model.Expr]
) -> tuple[Sequence[int], list[model.Expr]] | None:
    """All pieces of a kind, asked whether they are at a place; only where something printed is asked of them too."""
    local = set_.local
    if not any(_is_printed(part, (local,), 0) or _key(part, local) is not None for part in parts):
        return None
    piece = model.LocalRef(local=local, type=PieceType(name=kind.name), span=set_.source.span)
    here = model.InSet(element=piece, set=set_.source, type=FlagType(), span=set_.source.span)
    return range(kind.count), [here, *parts]


# ------------------------------------------------------------------------------------------------ conditions


def _joined(node: model.Expr | None) -> Iterator[model.Expr]:
    if isinstance(node, model.Logic) and node.op == "and":
        yield from _joined(node.left)
        yield from _joined(node.right)
    elif node is not None:
        yield node


def _all_of(parts: Sequence[model.Expr]) -> model.Expr | None:
    whole: model.Expr | None = None
    for part in parts:
        whole = part if whole is None else model.Logic(op="and", left=whole, right=part, type=part.type, span=part.span)
    return whole


def _key(part: model.Expr, local: model.Local) -> tuple[model.Attribute, model.Expr] | None:
    """The printed figure of the candidate that a part compares with something that is the same for all candidates."""
    if not isinstance(part, model.Compare) or part.op != "=":
        return None
    for one, other in ((part.left, part.right), (part.right, part.left)):
        match one:
            case model.AttributeRef(attribute=attribute, subject=model.LocalRef(local=subject)) if subject is local:
                told = isinstance(attribute.type, DomainType) and not attribute.type.optional
                if told and not other.type.optional and cannot_fault(other) and not _speaks_of(other, local):
                    return attribute, other
    return None


def _speaks_of(node: model.Expr, local: model.Local) -> bool:
    return any(isinstance(at, model.LocalRef) and at.local is local for at in descend(node))


def _is_printed(node: model.Expr, known: tuple[model.Local, ...], depth: int) -> bool:
    """Whether `known_value` gives just what the program would, wherever it gives something."""

    def each(*parts: model.Expr) -> bool:
        return all(_is_printed(part, known, depth) for part in parts)

    match node:
        case model.Const():
            return True
        case model.LocalRef(local=local):
            return any(local is one for one in known)
        case model.AttributeRef(subject=subject):
            return each(subject) and not (subject.type.optional and isinstance(node.type, NumberType))
        case model.FigureRef(subject=subject, member=member):
            missing = subject.type.optional or member.type.optional
            return each(subject, member) and not (missing and isinstance(node.type, NumberType))
        case model.Arithmetic(op=op, left=left, right=right):
            if op in ("div", "mod") and not (isinstance(right, model.Const) and right.value != 0):
                return False
            return each(left, right) and not (left.type.optional or right.type.optional)
        case model.Compare(op=op, left=left, right=right):
            loose = left.type.optional or right.type.optional
            numbers = isinstance(left.type, NumberType) or isinstance(right.type, NumberType)
            return each(left, right) and not (loose and (numbers or op not in ("=", "!=")))
        case model.Logic(left=left, right=right):
            return each(left, right)
        case model.Not(inner=inner):
            return each(inner)
        case model.Conditional(condition=condition, then=then, otherwise=otherwise):
            return each(condition, then, otherwise)
        case model.InSet(element=element, set=set_):
            return each(element) and _is_printed_set(set_, known, depth)
        case model.Count(set=set_) | model.Exists(set=set_):
            return _is_printed_set(set_, known, depth)
        case model.NextSpace(space=space, direction=direction):
            return each(space, direction)
        case model.CallExpr(function=function, arguments=arguments):
            if not each(*arguments) or any(argument.type.optional for argument in arguments) or depth >= _DEEPEST:
                return False
            line = _only_line(function)
            return line is not None and _is_printed(line, function.parameters, depth + 1)
    return False


def _is_printed_set(node: model.Expr, known: tuple[model.Local, ...], depth: int) -> bool:
    match node:
        case model.ConstSet() | model.AllOf():
            return True
        case model.RangeSet(low=low, high=high):
            return all(_is_printed(end, known, depth) and not end.type.optional for end in (low, high))
        case model.SetOf(items=items):
            return all(_is_printed(item, known, depth) and not item.type.optional for item in items)
        case model.AttributeRef():
            return _is_printed(node, known, depth)
        case model.Filter(source=source, excluded=excluded, condition=condition, local=local):
            if excluded is not None:
                is_set = isinstance(excluded.type, SetType)
                if not (_is_printed_set if is_set else _is_printed)(excluded, known, depth):
                    return False
            inside = condition is None or _is_printed(condition, (*known, local), depth)
            return inside and _is_printed_set(source, known, depth)
    return False


def _only_line(function: model.Function) -> model.Expr | None:
    """What a value or relation of one line gives; None for those of several."""
    if function.form == "value" and len(function.lines) == 1 and not function.halves:
        line = function.lines[0]
        if line.kind == "start" and line.condition is None and line.per is None:
            return line.amount
    if function.form == "relation" and len(function.cases) == 1 and function.cases[0].kind == "when":
        return function.cases[0].condition
    return None


def _called(node: model.Expr) -> Iterator[model.Function]:
    for at in descend(node):
        if isinstance(at, model.CallExpr):
            yield at.function
            for body in bodies(at.function):
                for inner in descend(body):
                    if isinstance(inner, model.CallExpr):
                        yield from _called(inner)


def cannot_fault(node: model.Expr, depth: int = 0) -> bool:
    """Whether working out an expression surely never faults, whatever the state."""

    def each(*parts: model.Expr) -> bool:
        return all(cannot_fault(part, depth) for part in parts)

    match node:
        case model.Const() | model.LocalRef() | model.Current():
            return True
        case model.VariableRef(keys=keys):
            missing = any(key.type.optional for key in keys)
            return each(*keys) and not (missing and isinstance(node.type, NumberType))
        case model.AttributeRef(subject=subject):
            return each(subject) and not (subject.type.optional and isinstance(node.type, NumberType))
        case model.FigureRef(subject=subject, member=member):
            missing = subject.type.optional or member.type.optional
            return each(subject, member) and not (missing and isinstance(node.type, NumberType))
        case model.Arithmetic(op="+" | "-" | "*" | "min" | "max", left=left, right=right):
            return each(left, right) and not (left.type.optional or right.type.optional)
        case model.Compare(op=op, left=left, right=right):
            loose = left.type.optional or right.type.optional
            return each(left, right) and not (loose and op not in ("=", "!="))
        case model.Logic(left=left, right=right):
            return each(left, right)
        case model.Not(inner=inner):
            return each(inner)
        case model.Conditional(condition=condition, then=then, otherwise=otherwise):
            return each(condition, then, otherwise)
        case model.InSet(element=element, set=set_):
            return each(element, set_)
        case model.SpaceOf(piece=piece):
            return each(piece)
        case model.PieceOn(space=space) | model.Empty(space=space):
            return each(space)
        case model.NextSpace(space=space, direction=direction):
            return each(space, direction)
        case model.AllOf() | model.ConstSet() | model.BoxSet():
            return True
        case model.SetOf(items=items):
            return each(*items)
        case model.ZoneSet(owner=owner):
            return owner is None or (each(owner) and not owner.type.optional)
        case model.PiecesOn(spaces=spaces) | model.NeighboursOfSet(spaces=spaces):
            return each(spaces)
        case model.SpacesOf(pieces=pieces):
            return each(pieces)
        case model.Neighbours(space=space):
            return each(space) and not space.type.optional
        case model.Union(left=left, right=right):
            return each(left, right)
        case model.Filter(source=source, excluded=excluded, condition=condition):
            return each(source, *(part for part in (excluded, condition) if part is not None))
        case model.Count(set=set_) | model.Exists(set=set_) | model.First(set=set_):
            return each(set_)
        case model.Fold(set=set_, body=body):
            return each(set_, body) and not body.type.optional
        case model.RangeSet(low=low, high=high):
            return each(low, high) and not (low.type.optional or high.type.optional)
        case model.CallExpr(function=function, arguments=arguments):
            if depth >= _DEEPEST or function.table is not None or not each(*arguments):
                return False
            for parameter, argument in zip(function.parameters, arguments, strict=True):
                if argument.type.optional and not parameter.type.optional:
                    return False
            if any(line.kind == "divided by" or line.per is not None for line in function.lines):
                return False
            parts: list[model.Expr | None] = [part for line in function.lines for part in (line.amount, line.condition)]
            parts += [case.condition for case in function.cases]
            return all(part is None or cannot_fault(part, depth + 1) for part in parts)
    return False


__all__ = ["asked_beforehand", "cannot_fault", "constant", "known_members", "printed"]
