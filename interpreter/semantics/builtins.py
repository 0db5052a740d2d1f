"""The values that every game has: `count of pool`, `next(s, north)`, `opponent of p`.

They are one table, so that reading, completion and documentation agree on what there is. A built-in is called in
brackets or, with one input, by `of`. None has a body in the program: each becomes an operation on sets or boards.

Invariant: every handler gives a typed node or reports.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from attrs import evolve, frozen

from interpreter.diagnostics import Span
from interpreter.semantics import names_in, relative
from interpreter.semantics.fit import element_of, is_error
from interpreter.semantics.model import (
    AllOf,
    Arithmetic,
    Attribute,
    AttributeRef,
    BoardUse,
    Const,
    ConstSet,
    Count,
    Distance,
    Expr,
    First,
    Fold,
    IsKnown,
    Local,
    LocalRef,
    Neighbours,
    NeighboursOfSet,
    NextSpace,
    SpacesOf,
)
from interpreter.semantics.reporter import error_node
from interpreter.semantics.scopes import Scope
from interpreter.semantics.types import (
    FLAG,
    NUMBER,
    PLAYER,
    DirectionType,
    EnumType,
    HalvesType,
    NumberType,
    PieceType,
    PlayerType,
    RowType,
    SetType,
    SpaceType,
    Type,
)
from interpreter.syntax import ast

if TYPE_CHECKING:
    from interpreter.semantics.expressions import Expressions

__all__ = ["BUILTINS", "OVER_SETS", "Builtin", "call", "over_set"]

_Handler = Callable[["Expressions", list[ast.Expr], Scope, Span, "ast.Name | None"], Expr]
_Relative = Callable[["Expressions", list[ast.Expr], Scope, "Type | None", Span], Expr]


@frozen
class Builtin:
    """A value that every game has."""

    name: str
    """Its name."""
    inputs: str
    """Its inputs in words."""
    least: int
    """Fewest inputs."""
    most: int
    """Most inputs."""
    help: str
    """What it gives, for documentation and completion."""
    handler: _Handler | None
    """Reads a call."""
    by_link: bool = False
    """Whether `by` may name a kind of link."""
    relative: _Relative | None = None
    """Reads a call that depends on the type that is expected, instead of `handler`."""


OVER_SETS = ("count", "sum", "highest", "lowest", "first", "top")
"""The built-ins that take a set: `name of S where c` is `name of (S where c)` for them."""


def call(
    r: Expressions,
    builtin: Builtin,
    nodes: list[ast.Expr],
    by: ast.Name | None,
    scope: Scope,
    expected: Type | None,
    span: Span,
) -> Expr:
    """A call of a built-in."""
    if not builtin.least <= len(nodes) <= builtin.most:
        wanted = "1 input" if builtin.least == 1 else f"{builtin.least} inputs"
        if builtin.most == builtin.least + 1:
            wanted = f"{builtin.least} or {builtin.most} inputs"
        notes = (f"`{builtin.name}({builtin.inputs})`: {builtin.help}",)
        return r.error("D214", f"`{builtin.name}` needs {wanted}, found {len(nodes)}", span, notes=notes)
    if by is not None and not builtin.by_link:
        return r.error("D212", f"`by {by.text}` belongs after `neighbours of`", by.span)
    if builtin.relative is not None:
        return builtin.relative(r, nodes, scope, expected, span)
    assert builtin.handler is not None
    return builtin.handler(r, nodes, scope, span, by)


def over_set(r: Expressions, name: str, found: Expr, span: Span) -> Expr:
    """`count`, `sum`, `highest`, `lowest`, `first` or `top` of a set that was read."""
    element = element_of(found.type)
    if element is None:
        return r.mismatch(f"a set after `{name} of`", found.type, found.span)
    match name:
        case "count":
            size = r.names.size(element) if isinstance(found, AllOf) else None
            if isinstance(found, ConstSet):
                size = len(found.values)
            if size is not None:
                return Const(type=NumberType(low=size, high=size), value=size, span=span)
            return Count(set=found, type=NumberType(low=0, high=r.names.size(element) or NUMBER.high), span=span)
        case "first" | "top":
            return First(set=found, type=element.or_none(), span=span)
    if not isinstance(element, NumberType):
        help = f"write `{name} of ... for each x in ...`"
        return r.mismatch(f"a set of numbers after `{name} of`", found.type, found.span, help=help)
    local = Local(name="it", type=element, span=span)
    body = LocalRef(local=local, type=element, span=span)
    how: Literal["sum", "highest", "lowest"] = "sum" if name == "sum" else "highest" if name == "highest" else "lowest"
    return Fold(how=how, local=local, set=found, body=body, type=NUMBER, span=span)


def _over_set(name: str) -> _Handler:
    def handler(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
        return over_set(r, name, r.read(nodes[0], scope), span)

    return handler


def _number(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
    found = r.read(nodes[0], scope)
    match found.type:
        case EnumType(name=name):
            first, size = r.names.enums[name].first, len(r.names.enums[name].members)
        case RowType(name=name):
            first, size = 1, len(r.names.rows[name].members)
        case PlayerType():
            first, size = 1, len(r.names.players)
        case _:
            return r.mismatch("a member of an enum after `number of`", found.type, found.span)
    type = NumberType(low=first, high=first + size - 1)
    if isinstance(found, Const):
        return Const(
            type=NumberType(low=found.value + first, high=found.value + first), value=found.value + first, span=span
        )
    offset = Const(type=NumberType(low=first, high=first), value=first, span=span)
    return Arithmetic(op="+", left=found, right=offset, type=type, span=span)


def _halves(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
    found = r.read(nodes[0], scope)
    if not isinstance(found.type, HalvesType):
        return r.mismatch("a value in halves after `halves of`", found.type, found.span)
    return evolve(found, type=NUMBER)


def _extreme(op: Literal["min", "max"]) -> _Handler:
    def handler(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
        result = r.number(nodes[0], scope)
        for node in nodes[1:]:
            result = r.arithmetic(op, result, r.number(node, scope), span)
        return result

    return handler


def _abs(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
    found = r.number(nodes[0], scope)
    zero = Const(type=NumberType(low=0, high=0), value=0, span=span)
    return r.arithmetic("max", found, r.arithmetic("-", zero, found, span), span)


def _board_of(r: Expressions, space: Expr, what: str, element: Type | None = None) -> BoardUse | None:
    """The board of a space, or of the members of a set."""
    type = element or space.type
    if isinstance(type, SpaceType):
        return r.names.spaces[type.name]
    r.mismatch(what, space.type, space.span)
    return None


def _next(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
    space = r.read(nodes[0], scope)
    board = _board_of(r, space, "a space as the first input of `next`")
    if board is None:
        return error_node(span)
    direction = r.value(nodes[1], scope, DirectionType(name=board.name))
    if is_error(direction.type):
        return error_node(span)
    type = SpaceType(name=board.space, optional=True)
    return NextSpace(board=board, space=space, direction=direction, type=type, span=span)


def _link_kind(r: Expressions, board: BoardUse, by: ast.Name | None) -> tuple[str | None, bool]:
    """The kind of link that is named, and whether all is well."""
    if by is None:
        return None, True
    if by.text not in board.board.links:
        r.lacks(f"board `{board.name}` has no links", by.text, by.span, board.board.links)
        return None, False
    return by.text, True


def _neighbours(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
    found = r.read(nodes[0], scope)
    element = element_of(found.type)
    board = _board_of(r, found, "a space or spaces after `neighbours of`", element)
    if board is None:
        return error_node(span)
    link, known = _link_kind(r, board, by)
    if not known:
        return error_node(span)
    type = SetType(element=SpaceType(name=board.space))
    if element is not None:
        return NeighboursOfSet(board=board, link=link, spaces=found, type=type, span=span)
    return Neighbours(board=board, link=link, space=found, type=type, span=span)


def _spaces(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
    found = r.read(nodes[0], scope)
    element = element_of(found.type)
    if not isinstance(element, PieceType):
        return r.mismatch("a set of pieces after `spaces of`", found.type, nodes[0].span)
    board = names_in.only_board(r, "spaces of", span)
    if board is None:
        return error_node(span)
    kind = r.names.kinds[element.name]
    type = SetType(element=SpaceType(name=board.space))
    return SpacesOf(kind=kind, board=board, pieces=found, type=type, span=span)


def _directions(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
    node = nodes[0]
    board = r.names.boards.get(node.name.text) if isinstance(node, ast.NamedThing) else None
    if board is None:
        if isinstance(node, ast.NamedThing):
            return r.unknown("board", node.name.text, node.span, r.names.boards)
        return r.error("D215", "expected a board after `directions of`", node.span)
    type = SetType(element=DirectionType(name=board.name))
    return ConstSet(values=tuple(range(len(board.board.directions))), type=type, span=span)


def _distance(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
    start = r.read(nodes[0], scope)
    board = _board_of(r, start, "a space as the first input of `distance`")
    if board is None:
        return error_node(span)
    end = r.value(nodes[1], scope, SpaceType(name=board.space))
    type = NumberType(low=-1, high=max(len(board.board.spaces) - 1, 0))
    return (
        error_node(span)
        if is_error(end.type)
        else Distance(board=board, link=None, start=start, end=end, type=type, span=span)
    )


def _known(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
    piece = r.only_piece(r.read(nodes[0], scope))
    player = r.value(nodes[1], scope, PLAYER)
    if is_error(piece.type) or is_error(player.type):
        return error_node(span)
    if not isinstance(piece.type, PieceType):
        return r.mismatch("a piece as the first input of `known`", piece.type, piece.span)
    return IsKnown(kind=r.names.kinds[piece.type.name], piece=piece, player=player, type=FLAG, span=span)


def _of_player(name: str, step: Callable[[int, int], int]) -> _Handler:
    def handler(r: Expressions, nodes: list[ast.Expr], scope: Scope, span: Span, by: ast.Name | None) -> Expr:
        player = r.value(nodes[0], scope, PLAYER)
        number = len(r.names.players)
        if is_error(player.type):
            return error_node(span)
        if name == "opponent" and number != 2:
            message = f"`opponent of` needs two players, found {number}"
            return r.error("D226", message, span, help="`Player except p` is everybody else")
        values = tuple(step(index, number) for index in range(number))
        if isinstance(player, Const):
            return Const(type=PLAYER, value=values[player.value], span=span)
        attribute = Attribute(name=name, key=PLAYER, type=PLAYER, values=values)
        type = PLAYER.or_none() if player.type.optional else PLAYER
        return AttributeRef(attribute=attribute, subject=player, type=type, span=span)

    return handler


def _relative(name: str, inputs: str, least: int, help: str, reads: _Relative, most: int = 0) -> Builtin:
    return Builtin(name, inputs, least, most or least, help, None, relative=reads)


_MANY = 16

BUILTINS: dict[str, Builtin] = {
    builtin.name: builtin
    for builtin in (
        Builtin("count", "set", 1, 1, "how many members a set has", _over_set("count")),
        Builtin("sum", "numbers", 1, 1, "the sum of a set of numbers", _over_set("sum")),
        Builtin("highest", "numbers", 1, 1, "the highest of a set of numbers, 0 of none", _over_set("highest")),
        Builtin("lowest", "numbers", 1, 1, "the lowest of a set of numbers, 0 of none", _over_set("lowest")),
        Builtin("first", "set", 1, 1, "the first member of a set, or none", _over_set("first")),
        Builtin("top", "zone", 1, 1, "the piece on top of a zone, or none", _over_set("top")),
        Builtin("number", "member", 1, 1, "the number of a member of an enum, of a row or of a player", _number),
        Builtin("halves", "value", 1, 1, "twice a value that is in halves", _halves),
        Builtin("min", "a, b", 2, _MANY, "the lowest of some numbers", _extreme("min")),
        Builtin("max", "a, b", 2, _MANY, "the highest of some numbers", _extreme("max")),
        Builtin("abs", "a", 1, 1, "a number without its sign", _abs),
        Builtin("next", "space, direction", 2, 2, "the next space in a direction, or none", _next),
        Builtin(
            "neighbours", "spaces", 1, 1, "the spaces linked from a space, or from some", _neighbours, by_link=True
        ),
        Builtin("spaces", "pieces", 1, 1, "the spaces on which some pieces stand", _spaces),
        Builtin("directions", "board", 1, 1, "the directions of a board", _directions),
        Builtin("distance", "a, b", 2, 2, "the fewest links from a space to another, -1 for no way", _distance),
        _relative(
            "turn", "facing, way", 2, "the direction that a way lies in for one who faces a direction", relative.turn
        ),
        _relative(
            "bearing",
            "facing, direction",
            2,
            "the way in which a direction lies for one who faces another",
            relative.bearing,
            3,
        ),
        _relative("toward", "a, b", 2, "the direction in which a space lies next to a space, or none", relative.toward),
        _relative(
            "area", "shape, space, facing", 2, "the squares that a shape covers, turned by a facing", relative.area, 3
        ),
        Builtin("known", "piece, player", 2, 2, "whether a player may see which piece it is where it lies", _known),
        Builtin("opponent", "player", 1, 1, "the other of two players", _of_player("opponent", lambda i, n: 1 - i)),
        Builtin(
            "next player", "player", 1, 1, "the next in turn order", _of_player("next player", lambda i, n: (i + 1) % n)
        ),
    )
}
"""Every built-in by name."""
