"""Pieces: moved, drawn, taken out of the box, rolled, shuffled.

All moves of a kind go through one function of the program, so that places, orders of zones and occupants of spaces
never disagree. What must not be (a space that is taken, a full zone, an empty box) is a fault at the statement that
did it.
"""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.domains import first_number
from interpreter.ir.from_semantics import expressions, open_board, sets
from interpreter.ir.from_semantics.context import Scope
from interpreter.ir.program import EventInfo, FunctionCode
from interpreter.semantics import model
from interpreter.semantics.describe import domain_size

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)


def place_code(scope: Scope, kind: model.Kind, place: model.AnyPlace) -> c.Expr:
    """The number of a place for pieces of a kind."""
    match place:
        case model.BoxPlace():
            return ZERO
        case model.ZonePlace(zone=zone, owner=owner):
            return sets.zone_code(scope, zone, owner)
        case model.SpacePlace(board=board, space=space):
            first = c.Int(scope.low.slots.space_code[kind.name, board.name])
            at = expressions.expression(scope, space)
            if space.type.optional:
                at = scope.atom(at, "space")
                scope.emit(c.Check(c.Compare(">=", at, ZERO), "D705", scope.low.span(place.span)))
            return c.Binary("+", first, at)


def move(
    scope: Scope, kind: model.Kind, piece: c.Expr, code: c.Expr, node: model.Understood, place: model.AnyPlace
) -> None:
    """One piece goes to a place, whose code was worked out before."""
    _room(scope, kind, piece, code, place, scope.low.span(node.span))
    name = f"move {kind.name}"
    if name not in scope.low.functions:
        scope.low.functions[name] = _mover(scope, kind, node)
    scope.emit(c.CallEffect(name, (piece, code)))


def _mover(scope: Scope, kind: model.Kind, node: model.Understood) -> FunctionCode:
    """Takes a piece out of the order or off the space where it is, and puts it on top of its new place."""
    slots = scope.low.slots
    places = slots.places[kind.name].base
    piece, to, old = c.Var("piece"), c.Var("to"), c.Var("old")
    out: list[c.Stmt] = [c.Assign("old", c.LoadAt(places, piece))]
    number = scope.low.event(EventInfo("move", (), node.span, variable=kind.name))
    zones = {name for name, zone in scope.low.game.zones.items() if zone.kind is kind}
    orders = [(slots.zone_code[key], group) for key, group in slots.orders.items() if key[0] in zones]
    boards = [(name, first) for (owner, name), first in slots.space_code.items() if owner == kind.name]
    stays: c.Expr = c.Compare("=", old, to)
    for code, _ in orders:  # within an ordered zone a piece that is moved comes to lie on top
        stays = c.And(stays, c.Compare("!=", to, c.Int(code)))
    out.append(c.If(stays, (c.Return(None),)))
    for code, group in orders:
        at, length = c.Var("at"), c.Load(group.base)
        shift = (
            c.Assign("gone", ZERO),
            c.ForRange(
                "at",
                ONE,
                c.Binary("+", length, ONE),
                (
                    c.If(
                        c.Var("gone"),
                        (c.StoreAt(group.base, c.Binary("-", at, ONE), c.LoadAt(group.base, at)),),
                        (c.If(c.Compare("=", c.LoadAt(group.base, at), piece), (c.Assign("gone", ONE),)),),
                    ),
                ),
            ),
            c.StoreAt(group.base, length, ZERO),
            c.Store(group.base, c.Binary("-", length, ONE)),
        )
        put = (
            c.Store(group.base, c.Binary("+", length, ONE)),
            c.StoreAt(group.base, length, piece),
        )
        out.append(c.If(c.Compare("=", old, c.Int(code)), shift))
        out.append(c.If(c.Compare("=", to, c.Int(code)), put))
    for name, first in boards:
        size = c.Int(first + len(scope.low.game.boards[name].board.spaces))
        base = slots.occupants[name].base
        offset = slots.occupant_base[name, kind.name]
        number_here = piece if offset == 0 else c.Binary("+", piece, c.Int(offset))
        was = c.Binary("-", old, c.Int(first))
        becomes = c.Binary("-", to, c.Int(first))
        out.append(
            c.If(c.And(c.Compare(">=", old, c.Int(first)), c.Compare("<", old, size)), (c.StoreAt(base, was, NONE),))
        )
        out.append(
            c.If(
                c.And(c.Compare(">=", to, c.Int(first)), c.Compare("<", to, size)),
                (c.StoreAt(base, becomes, number_here),),
            )
        )
    out.append(c.StoreAt(places, piece, to))
    out.append(c.Emit(number, (piece, old, to)))
    known = slots.known.get(kind.name)
    if known is not None:  # after the event, which those who knew the piece are told by its name
        forget: c.Stmt = c.StoreAt(known.base, piece, ZERO)
        out.append(c.If(c.Compare("!=", old, to), (forget,)) if orders else forget)
    return FunctionCode(f"move {kind.name}", ("piece", "to"), tuple(out), "nothing", title=f"move {kind.name}")


def _room(scope: Scope, kind: model.Kind, piece: c.Expr, code: c.Expr, place: model.AnyPlace, span: int) -> None:
    """Faults where a piece is to go onto a space that is taken or into a zone that is full."""
    slots = scope.low.slots
    places = slots.places[kind.name].base
    stays = c.Compare("=", c.LoadAt(places, piece), code)
    match place:
        case model.SpacePlace(board=board):
            space = c.Binary("-", code, c.Int(slots.space_code[kind.name, board.name]))
            free = c.Compare("<", c.LoadAt(slots.occupants[board.name].base, space), ZERO)
            scope.emit(c.Check(c.Or(free, stays), "D711", span))
            if board.board.is_open:
                offset = slots.occupant_base[board.name, kind.name]
                number = piece if offset == 0 else c.Binary("+", piece, c.Int(offset))
                open_board.keep_together(scope, board, number, space, span)
        case model.ZonePlace(zone=zone) if zone.at_most is not None:
            inside, each = scope.assign("inside", ZERO), scope.fresh("each")
            here = c.Compare("=", c.LoadAt(places, c.Var(each)), code)
            counted = (c.If(here, (c.Assign(inside.name, c.Binary("+", inside, ONE)),)),)
            scope.emit(c.ForRange(each, ZERO, c.Int(kind.count), counted))
            scope.emit(c.Check(c.Or(c.Compare("<", inside, c.Int(zone.at_most)), stays), "D716", span))


def moving(scope: Scope, node: model.Statement) -> None:
    match node:
        case model.MovePiece(kind=kind, piece=piece, place=place):
            moved = scope.atom(expressions.expression(scope, piece), "piece")
            code = place_code(scope, kind, place)
            if not piece.type.optional:
                move(scope, kind, moved, code, node, place)
                return
            body = scope.body(lambda: move(scope, kind, moved, code, node, place))
            scope.emit(c.If(c.Compare(">=", moved, ZERO), body))
        case model.MoveSet(kind=kind, set=set_, place=place):
            code = scope.atom(place_code(scope, kind, place), "place")
            sets.for_each(scope, set_, lambda piece: move(scope, kind, piece, code, node, place), kind.name.lower())
        case model.Draw(count=count, source=source, place=place):
            _draw(scope, node, count, source, place)
        case model.PlaceFromBox(count=count, kind=kind, owner=owner, place=place):
            code = scope.atom(place_code(scope, kind, place), "place")
            mine = None if owner is None else scope.atom(expressions.required(scope, owner), "owner")
            for _ in range(count):
                _out_of_box(scope, node, kind, mine, code, place)


def _draw(
    scope: Scope, node: model.Statement, count: model.Expr, source: model.ZonePlace, place: model.AnyPlace
) -> None:
    zone, kind = source.zone, source.zone.kind
    code = scope.atom(place_code(scope, kind, place), "place")
    times = expressions.required(scope, count)
    turn, taken = scope.fresh("turn"), scope.fresh("drawn")

    def body() -> None:
        if zone.ordered:
            base, offset = sets.order_start(scope, zone, source.owner)
            length = scope.assign("length", c.Load(base) if offset == ZERO else c.LoadAt(base, offset))
            scope.emit(c.If(c.Compare("=", length, ZERO), (c.Break(),)))
            index: c.Expr = length if offset == ZERO else c.Binary("+", offset, length)
            scope.emit(c.Assign(taken, c.LoadAt(base, index)))
        else:
            set_ = model.ZoneSet(zone=zone, owner=source.owner, type=count.type, span=node.span)
            scope.emit(c.Assign(taken, sets.first(scope, set_)))
            scope.emit(c.If(c.Compare("<", c.Var(taken), ZERO), (c.Break(),)))
        move(scope, kind, c.Var(taken), code, node, place)

    scope.emit(c.ForRange(turn, ZERO, times, scope.body(body)))


def _out_of_box(
    scope: Scope,
    node: model.Statement,
    kind: model.Kind,
    owner: c.Expr | None,
    code: c.Expr,
    place: model.AnyPlace,
) -> None:
    base = scope.low.slots.places[kind.name].base
    found, piece = scope.assign("found", NONE), scope.fresh(kind.name.lower())
    fits: c.Expr = c.Compare("=", c.LoadAt(base, c.Var(piece)), ZERO)
    if owner is not None and "owner" in kind.attributes:
        array = scope.low.array(f"owner of {kind.name}", kind.attributes["owner"].values)
        fits = c.And(fits, c.Compare("=", c.ArrayGet(array, c.Var(piece)), owner))
    take = (c.If(fits, (c.Assign(found.name, c.Var(piece)), c.Break())),)
    scope.emit(c.ForRange(piece, ZERO, c.Int(kind.count), take))
    scope.emit(c.Check(c.Compare(">=", found, ZERO), "D712", scope.low.span(node.span)))
    move(scope, kind, found, code, node, place)


def roll(scope: Scope, node: model.RollPieces) -> None:
    group = scope.low.slots.variables[id(node.variable)]
    sides = domain_size(scope.low.game, node.variable.type.required())
    low = first_number(node.variable.type)
    number = scope.low.event(EventInfo("roll", (), node.span, variable=node.kind.name))

    def roll_one(piece: c.Expr) -> None:
        face = scope.fresh("face")
        scope.emit(c.Chance(face, c.Int(sides)))
        value: c.Expr = c.Var(face) if low == 0 else c.Binary("+", c.Var(face), c.Int(low))
        scope.emit(c.StoreAt(group.base, piece, value))
        scope.emit(c.Emit(number, (piece, c.LoadAt(group.base, piece))))

    if isinstance(node.set, model.Filter):
        sets.for_each(scope, node.set, roll_one, "die")
    else:
        sets.iterate(scope, node.set, roll_one, "die")


def shuffle(scope: Scope, zone: model.Zone, owner: model.Expr | None) -> None:
    if not zone.ordered:
        return  # pieces without an order lie as they lie
    base, offset = sets.order_start(scope, zone, owner)
    length = scope.assign("length", c.Load(base) if offset == ZERO else c.LoadAt(base, offset))
    done, other = scope.fresh("done"), scope.fresh("other")
    left = c.Binary("-", length, c.Var(done))
    last = left if offset == ZERO else c.Binary("+", offset, left)
    chosen: c.Expr = c.Binary("+", c.Var(other), ONE)
    chosen = chosen if offset == ZERO else c.Binary("+", offset, chosen)
    body = (
        c.Chance(other, left),
        c.Assign("kept", c.LoadAt(base, last)),
        c.StoreAt(base, last, c.LoadAt(base, chosen)),
        c.StoreAt(base, chosen, c.Var("kept")),
    )
    scope.emit(c.ForRange(done, ZERO, c.Binary("-", length, ONE), body))
    known = scope.low.slots.known.get(zone.kind.name)
    if known is not None:
        at = scope.fresh("at")
        index: c.Expr = c.Binary("+", c.Var(at), ONE)
        index = index if offset == ZERO else c.Binary("+", offset, index)
        forget = c.StoreAt(known.base, c.LoadAt(base, index), ZERO)
        scope.emit(c.ForRange(at, ZERO, length, (forget,)))


def show_faces(scope: Scope, node: model.ShowFaces) -> None:
    zone, kind = node.zone, node.zone.kind
    group = scope.low.slots.variables[id(node.variable)]
    set_ = model.ZoneSet(zone=zone, owner=node.owner, type=node.variable.type, span=node.span)
    sets.for_each(
        scope, set_, lambda piece: move(scope, kind, piece, ZERO, node, model.BoxPlace(span=node.span)), "piece"
    )
    code = scope.atom(sets.zone_code(scope, zone, node.owner), "zone")
    for face in node.faces:
        piece = scope.assign("shown", NONE)
        each = scope.fresh("piece")
        boxed = c.Compare("=", c.LoadAt(scope.low.slots.places[kind.name].base, c.Var(each)), ZERO)
        scope.emit(
            c.ForRange(each, ZERO, c.Int(kind.count), (c.If(boxed, (c.Assign(piece.name, c.Var(each)), c.Break())),))
        )
        scope.emit(c.Check(c.Compare(">=", piece, ZERO), "D712", scope.low.span(node.span)))
        move(scope, kind, piece, code, node, model.ZonePlace(zone=zone, owner=node.owner, span=node.span))
        scope.emit(c.StoreAt(group.base, piece, expressions.expression(scope, face)))


__all__ = ["move", "moving", "place_code", "roll", "show_faces", "shuffle"]
