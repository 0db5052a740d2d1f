"""Sets of things, what is counted and summed over them, and walks across a board.

A set is a type's name, a zone, a range, a region, a walk, or a part of one of these. Its condition is asked of a
candidate: a local of its own that is called `it`, and by the binder's name where there is one.

Invariant: every set node has a set type or is an error node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from interpreter.boards.plane import GAP
from interpreter.diagnostics import Label
from interpreter.semantics import builtins
from interpreter.semantics.describe import in_words
from interpreter.semantics.fit import element_of, fits, is_error, join
from interpreter.semantics.model import (
    AllOf,
    BoardUse,
    Const,
    Expr,
    Filter,
    Fold,
    LineThrough,
    Local,
    RangeSet,
    Route,
    RunSet,
    SetOf,
    Slide,
    Union,
)
from interpreter.semantics.reporter import error_node
from interpreter.semantics.scopes import Scope
from interpreter.semantics.types import (
    FLAG,
    NUMBER,
    DirectionType,
    DomainType,
    ListType,
    NoneType,
    NumberType,
    SetType,
    SpaceType,
    TextType,
    Type,
)
from interpreter.syntax import ast

if TYPE_CHECKING:
    from interpreter.semantics.expressions import Expressions

__all__ = [
    "AllOf",
    "Filter",
    "aggregate",
    "also",
    "candidate_scope",
    "line",
    "literal",
    "of_filtered",
    "range_",
    "route",
    "run",
    "slide",
    "things",
    "things_expression",
    "whole",
]


def candidate_scope(r: Expressions, node: ast.Things, element: Type, scope: Scope) -> tuple[Local, Scope]:
    """A candidate for the members of a set, and the scope of what is asked of it."""
    name = node.binder.text if node.binder is not None else "it"
    span = node.binder.span if node.binder is not None else node.span
    local = Local(name=name, type=element, span=span)
    inside = scope.inner(candidate=local)
    if node.binder is not None:
        inside.add(local)
    return local, inside


def whole(r: Expressions, node: ast.Expr, scope: Scope, element: Type | None = None) -> Expr:
    """An expression that must be a set."""
    expected = SetType(element=element) if isinstance(element, DomainType) else None
    found = r.read(node, scope, expected)
    if element_of(found.type) is not None or is_error(found.type):
        return found
    return r.error("D227", f"expected a set, found {in_words(found.type)}", node.span)


def things(r: Expressions, node: ast.Things, scope: Scope) -> Expr:
    """`[binder in] base [except excluded] [where condition]` as a set."""
    return filtered(r, whole(r, node.base, scope), node, scope)


def filtered(r: Expressions, source: Expr, node: ast.Things, scope: Scope) -> Expr:
    """The part of a set that the exception and the condition of a node leave."""
    element = element_of(source.type)
    if element is None or (node.excluded is None and node.condition is None):
        return source
    excluded = None if node.excluded is None else _excluded(r, node.excluded, element, scope)
    local, inside = candidate_scope(r, node, element, scope)
    condition = None if node.condition is None else r.condition(node.condition, inside)
    type: Type = ListType(element=element) if isinstance(source.type, ListType) else SetType(element=element)
    return Filter(local=local, source=source, excluded=excluded, condition=condition, type=type, span=node.span)


def _excluded(r: Expressions, node: ast.Expr, element: Type, scope: Scope) -> Expr | None:
    found = r.only_piece(r.read(node, scope, element))
    inner = element_of(found.type) or found.type
    if fits(inner, element.or_none()):
        return None if is_error(found.type) else found
    r.error("D215", f"expected {in_words(element)} after `except`, found {in_words(found.type)}", node.span)
    return None


def things_expression(r: Expressions, node: ast.Things, scope: Scope, expected: Type | None) -> Expr:
    return things(r, node, scope)


def literal(r: Expressions, node: ast.SetLiteral, scope: Scope, expected: Type | None) -> Expr:
    """`{a, b}`."""
    wanted = element_of(expected) if expected is not None else None
    items: list[Expr] = []
    element: Type | None = wanted if isinstance(wanted, DomainType) else None
    for item in node.items:
        found = r.only_piece(r.read(item, scope, element))
        if isinstance(found.type, NoneType | TextType):
            found = r.mismatch("a member", found.type, item.span)
        items.append(found)
        if is_error(found.type):
            continue
        both = found.type if element is None else join(element, found.type)
        if both is None:
            label = Label(items[0].span, f"this is {in_words(items[0].type)}")
            r.error(
                "D216",
                f"expected {in_words(element or found.type)}, found {in_words(found.type)}",
                item.span,
                labels=(label,),
            )
            return error_node(node.span)
        element = both
    if element is None or any(is_error(item.type) for item in items):
        return error_node(node.span)
    return SetOf(items=tuple(items), type=SetType(element=element.required()), span=node.span)


def also(r: Expressions, node: ast.Also, scope: Scope, expected: Type | None) -> Expr:
    """`left also right`: two sets, or a set and one more member."""
    left = whole(r, node.left, scope, element_of(expected) if expected is not None else None)
    element = element_of(left.type)
    if element is None:
        return error_node(node.span)
    right = r.only_piece(r.read(node.right, scope, element))
    if is_error(right.type):
        return error_node(node.span)
    inner = element_of(right.type) or right.type
    both = None if isinstance(inner, NoneType) else join(element, inner)
    if both is None:
        message = f"expected {in_words(element)} after `also`, found {in_words(right.type)}"
        return r.error("D215", message, node.right.span)
    if inner is right.type:
        right = SetOf(items=(right,), type=SetType(element=both.required()), span=right.span)
    return Union(left=left, right=right, type=SetType(element=both.required()), span=node.span)


def range_(r: Expressions, node: ast.Range, scope: Scope, expected: Type | None) -> Expr:
    """`low..high`."""
    low, high = r.number(node.low, scope), r.number(node.high, scope)
    if not isinstance(low.type, NumberType) or not isinstance(high.type, NumberType):
        return error_node(node.span)
    if isinstance(low, Const) and isinstance(high, Const) and low.value > high.value:
        return r.error("D232", f"`{low.value}..{high.value}` holds nothing: the first number is the higher", node.span)
    element = NumberType(low=low.type.low, high=max(high.type.high, low.type.low))
    return RangeSet(low=low, high=high, type=SetType(element=element), span=node.span)


# ------------------------------------------------------------------------------------------- over sets


def of_filtered(r: Expressions, node: ast.OfFiltered, scope: Scope, expected: Type | None) -> Expr:
    """`count of pool where c`, `neighbours of s where c`."""
    rest = ast.Things(binder=None, base=node.base, excluded=node.excluded, condition=node.condition, span=node.span)
    if node.name.text in builtins.OVER_SETS and node.name.text not in r.names.functions:
        found = filtered(r, whole(r, node.base, scope), rest, scope)
        return error_node(node.span) if is_error(found.type) else builtins.over_set(r, node.name.text, found, node.span)
    called = ast.OfCall(name=node.name, arg=node.base, by=node.by, span=node.name.span.merge(node.base.span))
    return filtered(r, whole(r, called, scope), rest, scope)


def aggregate(r: Expressions, node: ast.Aggregate, scope: Scope, expected: Type | None) -> Expr:
    """`count of each x in S where c`, `sum of E for each x in S`."""
    name = node.name.text
    if name not in builtins.OVER_SETS:
        return r.unknown("value over a set", name, node.name.span, builtins.OVER_SETS)
    found = things(r, node.things, scope)
    element = element_of(found.type)
    if element is None:
        return error_node(node.span)
    if node.of is None:
        return builtins.over_set(r, name, found, node.span)
    if name not in ("sum", "highest", "lowest"):
        help = f"write `{name} of each x in ...`"
        return r.error("D212", f"`{name}` takes a set only", node.name.span, help=help)
    local, inside = candidate_scope(r, node.things, element, scope)
    body = r.number(node.of, inside)
    if is_error(body.type):
        return error_node(node.span)
    how: Literal["sum", "highest", "lowest"] = "sum" if name == "sum" else "highest" if name == "highest" else "lowest"
    return Fold(how=how, local=local, set=found, body=body, type=NUMBER, span=node.span)


# ------------------------------------------------------------------------------------------- across a board


def _start(r: Expressions, node: ast.Expr, scope: Scope, what: str) -> tuple[Expr, BoardUse | None]:
    found = r.only_piece(r.read(node, scope))
    if isinstance(found.type, SpaceType):
        return found, r.names.spaces[found.type.name]
    r.mismatch(what, found.type, node.span)
    return found, None


def _step(r: Expressions, node: ast.Slide | ast.Run, scope: Scope) -> tuple[Expr, BoardUse, Expr, Local, Expr] | None:
    start, board = _start(r, node.start, scope, "a space after `from`")
    if board is None:
        return None
    direction = r.value(node.direction, scope, DirectionType(name=board.name))
    local = Local(name="it", type=SpaceType(name=board.space), span=node.span)
    condition = r.condition(node.condition, scope.inner(candidate=local))
    return None if is_error(direction.type) else (start, board, direction, local, condition)


def slide(r: Expressions, node: ast.Slide, scope: Scope, expected: Type | None) -> Expr:
    step = _step(r, node, scope)
    if step is None:
        return error_node(node.span)
    start, board, direction, local, condition = step
    type = SpaceType(name=board.space)
    return Slide(
        board=board, start=start, direction=direction, local=local, condition=condition, type=type, span=node.span
    )


def run(r: Expressions, node: ast.Run, scope: Scope, expected: Type | None) -> Expr:
    step = _step(r, node, scope)
    if step is None:
        return error_node(node.span)
    start, board, direction, local, condition = step
    type = ListType(element=SpaceType(name=board.space))
    return RunSet(
        board=board, start=start, direction=direction, local=local, condition=condition, type=type, span=node.span
    )


def line(r: Expressions, node: ast.Line, scope: Scope, expected: Type | None) -> Expr:
    length = r.constant(node.length, "the length of a line", scope)
    through, board = _start(r, node.through, scope, "a space after `through`")
    if board is None:
        return error_node(node.span)
    local = Local(name="it", type=SpaceType(name=board.space), span=node.span)
    condition = r.condition(node.condition, scope.inner(candidate=local))
    if length is None:
        return error_node(node.span)
    if length < 1:
        return r.error("D232", f"a line of {length} spaces, expected 1 or more", node.length.span)
    if board.board.is_open and length > GAP:
        message = f"a line of {length} spaces on an open grid, expected at most {GAP}"
        help = f"so many columns stay free around the pieces; a longer line could go around the back of `{board.name}`"
        return r.error("D273", message, node.length.span, help=help)
    return LineThrough(
        board=board, length=length, through=through, local=local, condition=condition, type=FLAG, span=node.span
    )


def route(r: Expressions, node: ast.Route, scope: Scope, expected: Type | None) -> Expr:
    through = things(r, node.through, scope)
    element = element_of(through.type)
    if not isinstance(element, SpaceType):
        if not is_error(through.type):
            r.mismatch("spaces after `through`", through.type, node.through.span)
        return error_node(node.span)
    ends = [_end(r, end, element, scope) for end in (node.start, node.goal)]
    if any(is_error(end.type) for end in ends):
        return error_node(node.span)
    board = r.names.spaces[element.name]
    return Route(board=board, start=ends[0], goal=ends[1], through=through, type=FLAG, span=node.span)


def _end(r: Expressions, node: ast.Expr, element: SpaceType, scope: Scope) -> Expr:
    """One end of a route: a space, or a set of them."""
    found = r.read(node, scope, element)
    wanted = SetType(element=element)
    if isinstance(found.type, SpaceType):
        found = r.want(found, element)
        return found if is_error(found.type) else SetOf(items=(found,), type=wanted, span=node.span)
    return r.want(found, wanted)
