"""Statements that cannot be interrupted, written into a function or into a block of a machine.

`leave`, `end turn` and `end round` leave loops of the rules; a loop over a set in between is left first and says so in
a variable, which is tested behind it. `end phase` and the end of the game return from the function; whoever called an
effect that can end the game looks at the status behind the call.
"""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.from_semantics import changes, expressions, knowledge, pieces, rosters, sets, texts
from interpreter.ir.from_semantics.context import BY_SCORE, LoopFrame, Scope
from interpreter.ir.program import DRAWN, ENDED, PLAYER, ROUND, STATUS, WINNERS, WON
from interpreter.semantics import model
from interpreter.semantics.types import ListType, SetType

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
            changes.set_variable(scope, node)
        case model.SetCurrent(what=what, value=value):
            slot = PLAYER if what == "player" else ROUND
            scope.emit(c.Store(slot, expressions.expression(scope, value)))
        case model.MovePiece() | model.MoveSet() | model.Draw() | model.PlaceFromBox():
            pieces.moving(scope, node)
        case model.RollPieces():
            pieces.roll(scope, node)
        case model.ShuffleZone(zone=zone, owner=owner):
            pieces.shuffle(scope, zone, owner)
        case model.ShowFaces():
            pieces.show_faces(scope, node)
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
            changes.reveal(scope, node, variable, keys)
        case model.RevealPieces():
            knowledge.reveal(scope, node)
        case model.CallStatement(function=function, arguments=arguments):
            values = expressions.inputs(scope, function.parameters, arguments)
            scope.emit(c.CallEffect(scope.low.function_name(function), values))
            if id(function) in scope.low.enders and not scope.machine:
                scope.emit(c.If(c.Load(STATUS), (c.Return(None),)))
        case model.Muster():
            rosters.muster(scope, node)
        case model.Nothing():
            pass
        case _:
            raise TypeError(f"cannot be written without a machine: {type(node).__name__}")


# ------------------------------------------------------------------------------------------------ loops


def _looping(scope: Scope, node: model.Statement) -> None:
    match node:
        case model.ForEach(local=local, set=set_, body=body):
            with scope.loop("inner") as frame:

                def each(member: c.Expr) -> None:
                    with scope.standing_for(local, member):
                        block(scope, body)

                sets.for_members(scope, set_, each, local.name)
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
                        over = c.Compare(">=", c.Load(ROUND), expressions.required(scope, times))
                        scope.emit(c.If(over, (c.Break(),)))
                    scope.emit(c.Store(ROUND, c.Binary("+", c.Load(ROUND), ONE)))
                    block(scope, body)

                scope.emit(c.Forever(_loop_body(scope, frame, round_), scope.low.span(node.span)))
                scope.emit(c.Store(ROUND, before))
        case model.Turns(start=start, body=body):
            with scope.loop("turn") as frame:
                first = ZERO if start is None else expressions.required(scope, start)
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
        count = expressions.required(scope, times)
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
    first = ZERO if start is None else scope.atom(expressions.required(scope, start), "first player")
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
    """The game is over: status, winners, reason."""
    match node:
        case model.Wins(winners=winners, reason=reason):
            won = scope.atom(_winners(scope, winners), "winners")
            texts.event(scope, "win", reason, node, won)
            scope.emit(c.Store(STATUS, c.Int(WON)), c.Store(WINNERS, won))
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


def _winners(scope: Scope, node: model.Expr) -> c.Expr:
    """Who wins, as a bit set: one player or several; nobody is a fault."""
    if not isinstance(node.type, SetType | ListType):
        winner = expressions.required(scope, node)
        return c.Int(1 << winner.value) if isinstance(winner, c.Int) else c.Binary("<<", c.Int(1), winner)
    won = scope.atom(expressions.argument(scope, node), "winners")
    if not isinstance(won, c.Int) or won.value == 0:
        scope.emit(c.Check(c.Compare("!=", won, c.Int(0)), "D705", scope.low.span(node.span)))
    return won


__all__ = ["block", "finish", "next_turn", "statement"]
