"""Directions as they are seen by somebody who faces one: `turn`, `bearing`, `toward`, and the squares of a drawn shape.

Directions of a board and members of a clockwise enum are both numbered clockwise, so a way is a number of steps round
the ring of directions, and what is asked is reckoned with these numbers.

Invariant: a clockwise enum is only ever used with a board whose directions its members divide into equal parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from interpreter.boards.plane import GAP
from interpreter.diagnostics import Label, Span
from interpreter.semantics.fit import is_error
from interpreter.semantics.model import AreaSet, Bearing, BoardUse, Const, EnumDomain, Expr, Toward, Turned
from interpreter.semantics.reporter import error_node, phrase
from interpreter.semantics.scopes import Scope
from interpreter.semantics.types import NONE, DirectionType, EnumType, SetType, SpaceType, Type
from interpreter.syntax import ast

if TYPE_CHECKING:
    from interpreter.semantics.expressions import Expressions

__all__ = ["area", "bearing", "toward", "turn"]

_QUARTERS = (4, 8)
"""How many directions a board of squares has."""


def turn(r: Expressions, nodes: list[ast.Expr], scope: Scope, expected: Type | None, span: Span) -> Expr:
    """`turn(f, w)`."""
    facing = r.read(nodes[0], scope, expected if isinstance(expected, DirectionType) else _only_direction(r))
    way = r.read(nodes[1], scope, _only(enum for enum in _ways(r)))
    board = _board_of(r, facing, "a direction as the first input of `turn`")
    enum = _way_of(r, way)
    if board is None or enum is None:
        return error_node(span)
    step = _step(r, enum, board, span)
    if step is None:
        return error_node(span)
    size = len(board.board.directions)
    type = _optional(DirectionType(name=board.name), facing, way)
    if isinstance(facing, Const) and isinstance(way, Const):
        value = NONE if NONE in (facing.value, way.value) else (facing.value + way.value * step) % size
        return Const(type=type, value=value, span=span)
    return Turned(board=board, facing=facing, way=way, step=step, type=type, span=span)


def bearing(r: Expressions, nodes: list[ast.Expr], scope: Scope, expected: Type | None, span: Span) -> Expr:
    """`bearing(f, d)`, and with the enum of the answer `bearing(f, d, Way)`."""
    facing = r.read(nodes[0], scope, _only_direction(r))
    board = _board_of(r, facing, "a direction as the first input of `bearing`")
    if board is None:
        return error_node(span)
    direction = r.value(nodes[1], scope, DirectionType(name=board.name))
    if is_error(direction.type):
        return error_node(span)
    enum = _named_ways(r, nodes[2]) if len(nodes) > 2 else _meant_ways(r, board, expected, span)
    if enum is None:
        return error_node(span)
    step = _step(r, enum, board, span)
    if step is None:
        return error_node(span)
    type: Type = EnumType(name=enum.name)
    type = type.or_none() if step > 1 else _optional(type, facing, direction)
    if isinstance(facing, Const) and isinstance(direction, Const):
        steps = (direction.value - facing.value) % len(board.board.directions)
        between = NONE in (facing.value, direction.value) or steps % step != 0
        return Const(type=type, value=NONE if between else steps // step, span=span)
    return Bearing(board=board, facing=facing, direction=direction, step=step, type=type, span=span)


def toward(r: Expressions, nodes: list[ast.Expr], scope: Scope, expected: Type | None, span: Span) -> Expr:
    """`toward(a, b)`."""
    of = r.names.boards.get(expected.name) if isinstance(expected, DirectionType) else None
    start = r.read(nodes[0], scope, None if of is None else SpaceType(name=of.space))
    if not isinstance(start.type, SpaceType):
        return r.mismatch("a space as the first input of `toward`", start.type, start.span)
    board = r.names.spaces[start.type.name]
    end = r.value(nodes[1], scope, SpaceType(name=board.space))
    if is_error(end.type):
        return error_node(span)
    if not board.board.directions:
        label = Label(board.span, f"`{board.name}` is declared here")
        return r.error("D219", f"board `{board.name}` has no directions", span, labels=(label,))
    return Toward(board=board, start=start, end=end, type=DirectionType(name=board.name, optional=True), span=span)


def area(r: Expressions, nodes: list[ast.Expr], scope: Scope, expected: Type | None, span: Span) -> Expr:
    """`area(t, s, f)`, and `area(t, s)` for a shape as it is drawn."""
    drawn = [enum for enum in r.names.enums.values() if enum.shapes]
    shape = r.read(nodes[0], scope, _only(drawn))
    space = r.read(nodes[1], scope, _only_squares(r))
    if not isinstance(space.type, SpaceType):
        return r.mismatch("a space as the second input of `area`", space.type, space.span)
    board = r.names.spaces[space.type.name]
    enum = r.names.enums[shape.type.name] if isinstance(shape.type, EnumType) else None
    if enum is None or not enum.shapes:
        help = f"the shapes are {phrase(one.name for one in drawn)}" if drawn else "shapes are declared by `shapes`"
        return r.mismatch("a drawn shape as the first input of `area`", shape.type, shape.span, help=help)
    if not _has_squares(board):
        label = Label(board.span, f"`{board.name}` is declared here")
        message = f"shapes cover squares, and `{board.name}` is a {board.board.family}"
        return r.error("D293", message, space.span, labels=(label,))
    widest = max((max(abs(right), abs(ahead)) for one in enum.shapes for right, ahead in one.squares), default=0)
    if board.board.is_open and widest > GAP:
        message = f"a shape of `{enum.name}` covers squares {widest} steps off, expected at most {GAP} on an open grid"
        help = f"so many columns stay free around the pieces; a larger shape could reach the back of `{board.name}`"
        return r.error("D273", message, nodes[0].span, help=help)
    towards = DirectionType(name=board.name)
    facing = r.value(nodes[2], scope, towards) if len(nodes) > 2 else Const(type=towards, value=0, span=span)
    if is_error(facing.type):
        return error_node(span)
    type = SetType(element=SpaceType(name=board.space))
    return AreaSet(board=board, shapes=enum.shapes, shape=shape, space=space, facing=facing, type=type, span=span)


# ------------------------------------------------------------------------------------------- small questions


def _ways(r: Expressions) -> list[EnumDomain]:
    return [enum for enum in r.names.enums.values() if enum.clockwise]


def _only(enums: Iterable[EnumDomain]) -> Type | None:
    """The type to expect where only one could be meant."""
    found = list(enums)
    return EnumType(name=found[0].name) if len(found) == 1 else None


def _only_direction(r: Expressions) -> Type | None:
    """The directions to expect where only one board has any."""
    boards = [use for use in r.names.boards.values() if use.board.directions]
    return DirectionType(name=boards[0].name) if len(boards) == 1 else None


def _has_squares(board: BoardUse) -> bool:
    return board.board.columns > 0 and len(board.board.directions) in _QUARTERS


def _only_squares(r: Expressions) -> Type | None:
    """The spaces to expect where only one board has squares."""
    boards = [use for use in r.names.boards.values() if _has_squares(use)]
    return SpaceType(name=boards[0].space) if len(boards) == 1 else None


def _optional(type: Type, *parts: Expr) -> Type:
    return type.or_none() if any(part.type.optional for part in parts) else type


def _board_of(r: Expressions, facing: Expr, what: str) -> BoardUse | None:
    if isinstance(facing.type, DirectionType):
        return r.names.boards[facing.type.name]
    r.mismatch(what, facing.type, facing.span)
    return None


def _way_of(r: Expressions, way: Expr) -> EnumDomain | None:
    """The clockwise enum of a way; None after a report of D215."""
    enum = r.names.enums.get(way.type.name) if isinstance(way.type, EnumType) else None
    if enum is not None and enum.clockwise:
        return enum
    r.mismatch("a member of a clockwise enum", way.type, way.span, help=_how_to_declare(r))
    return None


def _how_to_declare(r: Expressions) -> str:
    known = _ways(r)
    return f"clockwise are {phrase(one.name for one in known)}" if known else "write `enum NAME clockwise: ...`"


def _named_ways(r: Expressions, node: ast.Expr) -> EnumDomain | None:
    """The clockwise enum that a third input names; None after a report."""
    enum = r.names.enums.get(node.name.text) if isinstance(node, ast.NamedThing) else None
    if enum is not None and enum.clockwise:
        return enum
    r.error("D215", "expected the name of a clockwise enum", node.span, help=_how_to_declare(r))
    return None


def _meant_ways(r: Expressions, board: BoardUse, expected: Type | None, span: Span) -> EnumDomain | None:
    """The clockwise enum that is expected, or the only one that goes with a board; None after a report of D211."""
    known = _ways(r)
    for enum in known:
        if expected is not None and expected.required() == EnumType(name=enum.name):
            return enum
    fitting = [enum for enum in known if len(board.board.directions) % len(enum.members) == 0] or known
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        r.error("D215", "`bearing` needs a clockwise enum, found none", span, help=_how_to_declare(r))
        return None
    labels = [Label(enum.span, f"`{enum.name}` is declared here") for enum in fitting]
    help = f"name it as a third input, as in `bearing(f, d, {fitting[0].name})`"
    r.error("D211", f"`bearing` can be a way of {phrase(one.name for one in fitting)}", span, labels=labels, help=help)
    return None


def _step(r: Expressions, enum: EnumDomain, board: BoardUse, span: Span) -> int | None:
    """How many directions lie from one way to the next; None after a report of D291."""
    ways, directions = len(enum.members), len(board.board.directions)
    if ways and directions % ways == 0:
        return directions // ways
    labels = (Label(enum.span, f"`{enum.name}` is declared here"), Label(board.span, f"so is `{board.name}`"))
    message = f"the {ways} ways of `{enum.name}` do not go with the {directions} directions of `{board.name}`"
    r.error("D291", message, span, labels=labels, help="their number divides that of the directions")
    return None
