"""Statements that cannot be interrupted, written into a function or into a block of a machine.

`leave`, `end turn` and `end round` leave loops of the rules; a loop over a set in between is left first and says so in
a variable, which is tested behind it. `end phase` and the end of the game return from the function; whoever called an
effect that can end the game looks at the status behind the call.
"""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.domains import first_number
from interpreter.ir.from_semantics import expressions, sets, texts
from interpreter.ir.from_semantics.context import BY_SCORE, LoopFrame, Scope
from interpreter.ir.program import DRAWN, ENDED, PLAYER, ROUND, STATUS, WINNER, WON, EventInfo, FunctionCode
from interpreter.semantics import model
from interpreter.semantics.describe import domain_size
from interpreter.semantics.types import NumberType

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)


def block(scope: Scope, node: model.Block) -> None:
    """All statements of a block."""
    for statement_ in node.statements:
        statement(scope, statement_)


def statement(scope: Scope, node: model.Statement) -> None:
    """One statement that cannot be interrupted."""
    if not isinstance(node, model.Step | model.Nothing):
        scope.emit(c.Mark(scope.low.span(node.span)))
    match node:
        case model.SetLocal(local=local, value=value):
            lowered = expressions.argument(scope, value)
            scope.emit(c.Assign(scope.declare(local), lowered))
        case model.SetVariable():
            set_variable(scope, node)
        case model.SetCurrent(what=what, value=value):
            slot = PLAYER if what == "player" else ROUND
            scope.emit(c.Store(slot, expressions.expression(scope, value)))
        case model.MovePiece() | model.MoveSet() | model.Draw() | model.PlaceFromBox():
            _moving(scope, node)
        case model.RollPieces():
            _roll(scope, node)
        case model.ShuffleZone(zone=zone, owner=owner):
            _shuffle(scope, zone, owner)
        case model.ShowFaces():
            _show_faces(scope, node)
        case model.IfStatement(condition=condition, then=then, otherwise=otherwise):
            test = expressions.expression(scope, condition)
            else_body = scope.body(lambda: block(scope, otherwise)) if otherwise is not None else ()
            scope.emit(c.If(test, scope.body(lambda: block(scope, then)), else_body))
        case model.Loop() | model.ForEach() | model.EachPlayer() | model.Rounds() | model.Turns():
            _looping(scope, node)
        case model.Step(body=body):
            block(scope, body)
        case model.Leave() | model.End() | model.Wins() | model.DrawGame():
            _ending(scope, node)
        case model.Say(text=text):
            texts.event(scope, "say", text, node)
        case model.Reveal(variable=variable, keys=keys):
            reveal(scope, node, variable, keys)
        case model.CallStatement(function=function, arguments=arguments):
            values = tuple(expressions.argument(scope, value) for value in arguments)
            scope.emit(c.CallEffect(scope.low.function_name(function), values))
            if id(function) in scope.low.enders and not scope.machine:
                scope.emit(c.If(c.Load(STATUS), (c.Return(None),)))
        case model.Nothing():
            pass
        case _:
            raise TypeError(f"cannot be written without a machine: {type(node).__name__}")


# ------------------------------------------------------------------------------------------------ variables


def set_variable(scope: Scope, node: model.SetVariable) -> None:
    """A store, clamped for a track, else checked against the bounds unless it cannot leave them."""
    variable = node.variable
    group = scope.low.slots.variables[id(variable)]
    value = expressions.argument(scope, node.value)
    index: c.Expr = ZERO
    if node.keys:
        keys = tuple(expressions.expression(scope, key) for key in node.keys)
        index = scope.atom(expressions.index_of(scope, variable.keys, keys), "index")
        for key in node.keys:
            if key.type.optional:
                scope.emit(c.Check(c.Compare(">=", index, ZERO), "D705", scope.low.span(node.span)))
    if variable.is_track:
        value = c.Binary("max", c.Int(variable.low), c.Binary("min", value, c.Int(variable.high)))
    value = scope.atom(value, "new")
    if not variable.is_track and not _fits(node.value, variable):
        low = c.Compare("<=", c.Int(variable.low), value)
        high = c.Compare("<=", value, c.Int(variable.high))
        scope.emit(c.Check(c.And(low, high), "D710", scope.low.span(node.span)))
    old: c.Expr = c.LoadAt(group.base, index) if node.keys else c.Load(group.base)
    texts.silent_event(scope, "set", node, variable.name, *((index,) if node.keys else ()), old, value)
    scope.emit(c.StoreAt(group.base, index, value) if node.keys else c.Store(group.base, value))
    hidden = scope.low.slots.revealed.get(id(variable))
    if hidden is not None:
        scope.emit(c.StoreAt(hidden.base, index, ZERO) if node.keys else c.Store(hidden.base, ZERO))


def _fits(value: model.Expr, variable: model.Variable) -> bool:
    """Whether a value surely lies within the bounds of a variable."""
    if isinstance(value, model.Const):
        return variable.low <= value.value <= variable.high
    if isinstance(variable.type, NumberType):
        return (
            isinstance(value.type, NumberType)
            and isinstance(value, model.VariableRef | model.LocalRef | model.AttributeRef)
            and variable.low <= value.type.low
            and value.type.high <= variable.high
        )
    return variable.type.optional or not value.type.optional


def reveal(scope: Scope, node: model.Understood, variable: model.Variable, keys: tuple[model.Expr, ...]) -> None:
    """Everybody sees the slots from now on, until they are set again."""
    group = scope.low.slots.variables[id(variable)]
    hidden = scope.low.slots.revealed.get(id(variable))
    if hidden is None:
        return
    if keys:
        lowered = tuple(expressions.expression(scope, key) for key in keys)
        index = scope.atom(expressions.index_of(scope, variable.keys, lowered), "index")
        scope.emit(c.StoreAt(hidden.base, index, ONE))
        texts.silent_event(scope, "reveal", node, variable.name, index, c.LoadAt(group.base, index))
        return
    scope.emit(c.Fill(hidden.base, hidden.count, 1))
    for offset in range(group.count):
        texts.silent_event(scope, "reveal", node, variable.name, c.Int(offset), c.Load(group.base + offset))


def reset(scope: Scope, variable: model.Variable) -> None:
    """All slots back to the start."""
    group = scope.low.slots.variables[id(variable)]
    if isinstance(variable.start, model.Const):
        scope.emit(c.Fill(group.base, group.count, variable.start.value))
        return
    value = scope.atom(expressions.expression(scope, variable.start), "start")
    for offset in range(group.count):
        scope.emit(c.Store(group.base + offset, value))


# ------------------------------------------------------------------------------------------------ pieces


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
        case model.ZonePlace(zone=zone) if zone.at_most is not None:
            inside, each = scope.assign("inside", ZERO), scope.fresh("each")
            here = c.Compare("=", c.LoadAt(places, c.Var(each)), code)
            counted = (c.If(here, (c.Assign(inside.name, c.Binary("+", inside, ONE)),)),)
            scope.emit(c.ForRange(each, ZERO, c.Int(kind.count), counted))
            scope.emit(c.Check(c.Or(c.Compare("<", inside, c.Int(zone.at_most)), stays), "D716", span))


def _moving(scope: Scope, node: model.Statement) -> None:
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
            for_each(scope, set_, lambda piece: move(scope, kind, piece, code, node, place), kind.name.lower())
        case model.Draw(count=count, source=source, place=place):
            _draw(scope, node, count, source, place)
        case model.PlaceFromBox(count=count, kind=kind, owner=owner, place=place):
            code = scope.atom(place_code(scope, kind, place), "place")
            mine = None if owner is None else scope.atom(expressions.expression(scope, owner), "owner")
            for _ in range(count):
                _out_of_box(scope, node, kind, mine, code, place)


def _draw(
    scope: Scope, node: model.Statement, count: model.Expr, source: model.ZonePlace, place: model.AnyPlace
) -> None:
    zone, kind = source.zone, source.zone.kind
    code = scope.atom(place_code(scope, kind, place), "place")
    times = expressions.expression(scope, count)
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


def _roll(scope: Scope, node: model.RollPieces) -> None:
    group = scope.low.slots.variables[id(node.variable)]
    sides = domain_size(scope.low.game, node.variable.type.required())
    low = first_number(node.variable.type)
    number = scope.low.event(EventInfo("roll", (), node.span, variable=node.kind.name))

    def roll(piece: c.Expr) -> None:
        face = scope.fresh("face")
        scope.emit(c.Chance(face, c.Int(sides)))
        value: c.Expr = c.Var(face) if low == 0 else c.Binary("+", c.Var(face), c.Int(low))
        scope.emit(c.StoreAt(group.base, piece, value))
        scope.emit(c.Emit(number, (piece, c.LoadAt(group.base, piece))))

    if isinstance(node.set, model.Filter):
        for_each(scope, node.set, roll, "die")
    else:
        sets.iterate(scope, node.set, roll, "die")


def _shuffle(scope: Scope, zone: model.Zone, owner: model.Expr | None) -> None:
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


def _show_faces(scope: Scope, node: model.ShowFaces) -> None:
    zone, kind = node.zone, node.zone.kind
    group = scope.low.slots.variables[id(node.variable)]
    set_ = model.ZoneSet(zone=zone, owner=node.owner, type=node.variable.type, span=node.span)
    for_each(scope, set_, lambda piece: move(scope, kind, piece, ZERO, node, model.BoxPlace(span=node.span)), "piece")
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


# ------------------------------------------------------------------------------------------------ loops


def for_each(scope: Scope, set_: model.Expr, write: object, name: str) -> None:
    """A loop over a set taken beforehand, so that the body may change what made up the set."""
    if isinstance(set_, model.AllOf | model.ConstSet | model.RangeSet):
        sets.iterate(scope, set_, write, name)  # type: ignore[arg-type]
        return
    taken, var = scope.fresh(f"{name}s"), scope.fresh(name)
    scope.emit(c.NewList(taken))
    sets.iterate(scope, set_, lambda member: scope.emit(c.Push(taken, member)), name)
    scope.emit(c.ForList(var, taken, scope.body(lambda: write(c.Var(var)))))  # type: ignore[operator]


def _looping(scope: Scope, node: model.Statement) -> None:
    match node:
        case model.ForEach(local=local, set=set_, body=body):
            with scope.loop("inner") as frame:

                def each(member: c.Expr) -> None:
                    with scope.standing_for(local, member):
                        block(scope, body)

                for_each(scope, set_, each, local.name)
        case model.Loop(times=times, until=until, body=body):
            with scope.loop("repeat") as frame:
                _repeat(scope, node, times, until, body, frame)
        case model.EachPlayer(start=start, body=body):
            with scope.loop("turn") as frame:
                _each_player(scope, start, body, frame)
        case model.Rounds(times=times, body=body):
            with scope.loop("round") as frame:
                before = scope.assign("round before", c.Load(ROUND))
                scope.emit(c.Store(ROUND, ZERO))

                def round_() -> None:
                    if times is not None:
                        over = c.Compare(">=", c.Load(ROUND), expressions.expression(scope, times))
                        scope.emit(c.If(over, (c.Break(),)))
                    scope.emit(c.Store(ROUND, c.Binary("+", c.Load(ROUND), ONE)))
                    block(scope, body)

                scope.emit(c.Forever(_loop_body(scope, frame, round_), scope.low.span(node.span)))
                scope.emit(c.Store(ROUND, before))
        case model.Turns(start=start, body=body):
            with scope.loop("turn") as frame:
                first = ZERO if start is None else expressions.expression(scope, start)
                scope.emit(c.Store(PLAYER, first))
                again = scope.assign("again", ZERO)

                def turn() -> None:
                    following = scope.body(lambda: next_turn(scope, node))
                    scope.emit(c.If(c.Not(again), (c.Assign(again.name, ONE),), following))
                    block(scope, body)

                scope.emit(c.Forever(_loop_body(scope, frame, turn), scope.low.span(node.span)))
        case _:
            raise TypeError(type(node).__name__)
    _after_loop(scope, frame)


def next_turn(scope: Scope, node: model.Turns) -> None:
    """Whose turn it is after the current player's: as the rules say, else in turn order."""
    if node.next is None:
        count = len(scope.low.game.players)
        if count > 1:
            scope.emit(c.Store(PLAYER, c.Binary("mod", c.Binary("+", c.Load(PLAYER), ONE), c.Int(count))))
        return
    scope.emit(c.Mark(scope.low.span(node.next.span)))
    player = expressions.expression(scope, node.next)
    if not isinstance(player, c.Int):
        player = scope.atom(player, "next player")
        scope.emit(c.Check(c.Compare(">=", player, ZERO), "D715", scope.low.span(node.next.span)))
    scope.emit(c.Store(PLAYER, player))


def _repeat(
    scope: Scope,
    node: model.Statement,
    times: model.Expr | None,
    until: model.Expr | None,
    body: model.Block,
    frame: LoopFrame,
) -> None:
    if times is not None:
        turn = scope.fresh("turn")
        count = expressions.expression(scope, times)
        scope.emit(c.ForRange(turn, ZERO, count, _loop_body(scope, frame, lambda: block(scope, body))))
        return

    def turn_() -> None:
        if until is not None:
            expressions.condition(scope, until, lambda: scope.emit(c.Break()))
        block(scope, body)

    scope.emit(c.Forever(_loop_body(scope, frame, turn_), scope.low.span(node.span)))


def _each_player(scope: Scope, start: model.Expr | None, body: model.Block, frame: LoopFrame) -> None:
    before = scope.assign("player before", c.Load(PLAYER))
    count = len(scope.low.game.players)
    first = ZERO if start is None else scope.atom(expressions.expression(scope, start), "first player")
    turn = scope.fresh("turn")
    scope.restore_player.append(before)
    frame.before = before

    def each() -> None:
        at: c.Expr = c.Var(turn)
        if first != ZERO:
            at = c.Binary("mod", c.Binary("+", first, c.Var(turn)), c.Int(count))
        scope.emit(c.Store(PLAYER, at))
        block(scope, body)

    scope.emit(c.ForRange(turn, ZERO, c.Int(count), _loop_body(scope, frame, each)))
    scope.restore_player.pop()
    scope.emit(c.Store(PLAYER, before))


def _loop_body(scope: Scope, frame: LoopFrame, write: object) -> c.Body:
    with scope.into([]) as out:
        write()  # type: ignore[operator]
    if frame.exit_var:
        out.insert(0, c.Assign(frame.exit_var, ZERO))
    return tuple(out)


def _exit(scope: Scope, kind: str, goes_on: bool) -> None:
    """Leaves (or goes on with) the innermost loop of a kind, through the loops inside it."""
    inner: list[LoopFrame] = []
    for frame in reversed(scope.loops):
        if frame.kind == kind:
            break
        inner.append(frame)
    else:
        raise TypeError(f"no {kind} around")
    if not inner:
        scope.emit(c.Continue() if goes_on else c.Break())
        return
    crossed = [between.before for between in inner if between.before is not None]
    if crossed:
        scope.emit(c.Store(PLAYER, crossed[-1]))
    if not frame.exit_var:
        frame.exit_var = scope.fresh("exit")
    scope.emit(c.Assign(frame.exit_var, c.Int(2 if goes_on else 1)), c.Break())
    for between in inner:
        if frame not in between.passing:
            between.passing.append(frame)


def _after_loop(scope: Scope, frame: LoopFrame) -> None:
    for target in frame.passing:
        var = c.Var(target.exit_var)
        if scope.loops and scope.loops[-1] is target:
            scope.emit(c.If(c.Compare("=", var, c.Int(2)), (c.Continue(),)))
            scope.emit(c.If(c.Compare("=", var, ONE), (c.Break(),)))
        else:
            scope.emit(c.If(var, (c.Break(),)))


def _ending(scope: Scope, node: model.Statement) -> None:
    match node:
        case model.Leave():
            _exit(scope, "repeat", goes_on=False)
        case model.End(what="turn"):
            _exit(scope, "turn", goes_on=True)
        case model.End(what="round"):
            _exit(scope, "round", goes_on=True)
        case model.End(what="phase"):
            if scope.restore_player:
                scope.emit(c.Store(PLAYER, scope.restore_player[0]))
            scope.emit(c.Return(None))
        case _:
            finish(scope, node)
            scope.emit(c.Return(None))


def finish(scope: Scope, node: model.Statement) -> None:
    """The game is over: status, winner, reason."""
    match node:
        case model.Wins(player=player, reason=reason):
            winner = scope.atom(expressions.expression(scope, player), "winner")
            texts.event(scope, "win", reason, node, winner)
            scope.emit(c.Store(STATUS, c.Int(WON)), c.Store(WINNER, winner))
        case model.DrawGame(reason=reason):
            texts.event(scope, "draw", reason, node)
            scope.emit(c.Store(STATUS, c.Int(DRAWN)))
        case model.End(reason=reason):
            if scope.low.game.score is not None and len(scope.low.game.players) > 1:
                scope.emit(c.CallEffect(BY_SCORE, ()))
            texts.event(scope, "end", reason, node)
            scope.emit(c.Store(STATUS, c.Int(ENDED)))
        case _:
            raise TypeError(type(node).__name__)


__all__ = [
    "block", "finish", "for_each", "move", "next_turn", "place_code", "reset", "reveal", "set_variable", "statement",
]  # fmt: skip
