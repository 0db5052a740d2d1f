"""Whether the game can go on, and whether it can end.

For each statement the ways in which it can be left are worked out: to the next statement, out of a `repeat`, out of
the turn, the round or the phase, or to the end of the game. A `repeat` takes the ways of its body and turns `leave`
into "next"; `turns` have no way to the next statement at all; a called effect turns `end phase` into "next". What
calls itself is worked out until nothing changes, from "no way out" upwards, so that a loop has only the ways that
really lead out.

From this follows everything here: a `repeat` that cannot be left has no way out; a phase likewise; a play that cannot
end lacks the way to the end of the game; and what follows a statement without a way to the next never happens.
Conditions are not looked at, so what is reported holds whatever they are.

Invariant: of several findings with one cause only the innermost is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from attrs import evolve, frozen

from interpreter.diagnostics import Diagnostics, Label
from interpreter.semantics import walk
from interpreter.semantics.heads import head_of
from interpreter.semantics.model import (
    Block,
    Branch,
    CallStatement,
    Choose,
    DiceExpr,
    DrawGame,
    EachPlayer,
    End,
    ForEach,
    Function,
    Game,
    IfStatement,
    Leave,
    LookupTable,
    Loop,
    Nothing,
    RollPieces,
    Rounds,
    Say,
    ShuffleZone,
    Statement,
    Step,
    Turns,
    Understood,
    Wins,
)

__all__ = ["check_flow"]

Way = Literal["next", "leave", "phase", "turn", "round", "over"]
Ways = frozenset[Way]

_NEXT: Ways = frozenset({"next"})
_NOWHERE: Ways = frozenset()
_DECIDES = (Choose, DiceExpr, RollPieces, ShuffleZone, Leave, End, Wins, DrawGame)


def check_flow(game: Game, sink: Diagnostics) -> None:
    """Report what never ends, never happens, or leaves what it does not stand in.

    Where something leaves what it does not stand in, nothing is said of what follows from that.
    """
    found = Diagnostics()
    _check(game, found)
    misplaced = any(diagnostic.code == "D309" for diagnostic in found)
    sink.extend(each for each in found if not misplaced or each.code not in ("D302", "D308"))


def _check(game: Game, sink: Diagnostics) -> None:
    ways = _WaysOut()
    reporter = _Reporter(ways, sink)
    for block in game.setup:
        reporter.block(block, _Where())
    if game.play is not None:
        reporter.block(game.play, _Where())
    for function in walk.survey(game).functions:
        reporter.function(function)
    if game.play is not None and "over" not in ways.of_block(game.play) and not reporter.endless:
        sink.error(
            "D302",
            "the play can never end the game",
            head_of(game.play.statements[0]) if game.play.statements else game.play.span,
            "no `end game`, `wins` or `draw` is reached from here",
            help="say where the game ends, as in `end game`, `player wins` or `draw`",
        )


# ------------------------------------------------------------------------------------------- ways out


class _WaysOut:
    """In which ways each statement and each function can be left."""

    def __init__(self) -> None:
        self._of_function: dict[Function, Ways] = {}
        self._kept: dict[int, Ways] = {}

    def of_function(self, function: Function) -> Ways:
        """As its caller sees it: `end phase` inside leads on after the call."""
        if function not in self._of_function:
            self._of_function[function] = self._work_out(function)
        return self._of_function[function]

    def of_block(self, block: Block) -> Ways:
        found: Ways = _NOWHERE
        for statement in block.statements:
            out = self.of(statement)
            found |= out - _NEXT
            if "next" not in out:
                return found
        return found | _NEXT

    def of(self, statement: Statement) -> Ways:
        if id(statement) not in self._kept:
            self._kept[id(statement)] = self._of(statement)
        return self._kept[id(statement)]

    def _of(self, statement: Statement) -> Ways:
        match statement:
            case Leave():
                return frozenset({"leave"})
            case End(what="game") | Wins() | DrawGame():
                return frozenset({"over"})
            case End(what="phase"):
                return frozenset({"phase"})
            case End(what="turn"):
                return frozenset({"turn"})
            case End():
                return frozenset({"round"})
            case IfStatement():
                return self.of_block(statement.then) | self._or_next(statement.otherwise)
            case Loop():
                body = self.of_block(statement.body)
                goes_on = "leave" in body or statement.until is not None or statement.times is not None
                return (body - {"leave", "next"}) | (_NEXT if goes_on else _NOWHERE)
            case ForEach():
                return self.of_block(statement.body) | _NEXT
            case EachPlayer():
                return (self.of_block(statement.body) - {"turn"}) | _NEXT
            case Turns():
                return self.of_block(statement.body) - {"turn", "next"}
            case Rounds():
                body = self.of_block(statement.body) - {"round", "next"}
                return body if statement.times is None else body | _NEXT
            case Step():
                return self.of_block(statement.body)
            case Choose():
                return self._choose(statement)
            case CallStatement():
                return self.of_function(statement.function)
        return _NEXT

    def _or_next(self, block: Block | None) -> Ways:
        return _NEXT if block is None else self.of_block(block)

    def _choose(self, choose: Choose) -> Ways:
        found = _NOWHERE if choose.branches else _NEXT
        for branch in choose.branches:
            found |= self.of_block(branch.body)
        if choose.may or choose.must or choose.otherwise is not None:
            found |= self._or_next(choose.otherwise)
        return found

    def _work_out(self, function: Function) -> Ways:
        if function.body is not None:
            found = self.of_block(function.body)
        elif function.table is not None:
            cells = [cell.body for row in function.table.rows for cell in row.cells]
            found = frozenset().union(*(self._or_next(body) for body in cells)) if cells else _NEXT
        else:
            return _NEXT
        return (found - {"phase"}) | _NEXT if "phase" in found else found


# ------------------------------------------------------------------------------------------- reports


@frozen
class _Where:
    """What a statement stands in, within one body."""

    repeat: bool = False
    turn: bool = False
    round: bool = False
    phase: bool = False


class _Reporter:
    def __init__(self, ways: _WaysOut, sink: Diagnostics) -> None:
        self.ways = ways
        self.sink = sink
        self.endless = False
        """Whether something that never ends was reported, so that what follows from it need not be."""

    def function(self, function: Function) -> None:
        if function.body is not None:
            self.block(function.body, _Where(phase=True))
        elif function.table is not None:
            self._cells(function.table)
        if function.body is None or self.ways.of_function(function):
            return
        inner = [at for at in _statements(function.body) if not self.ways.of(at)]
        if any(isinstance(at, Loop) or self._is_idle(at) for at in inner):
            return
        unending = next((at for at in inner if isinstance(at, Turns | Rounds)), None)
        if unending is None:
            return
        name = "turns" if isinstance(unending, Turns) else "round"
        self.endless = True
        self.sink.error(
            "D313",
            f"{function.form} `{function.name}` can never be left",
            function.span,
            labels=[Label(head_of(unending), f"this `{name}` has no end")],
            help="leave it with `end phase`, or end the game in it",
        )

    def _cells(self, table: LookupTable) -> None:
        for row in table.rows:
            for cell in row.cells:
                if cell.body is not None:
                    self.block(cell.body, _Where(phase=True))

    def block(self, block: Block, where: _Where) -> None:
        ended: Statement | None = None
        for statement in block.statements:
            if ended is not None:
                self._never_happens(statement, ended)
                break
            ways = self.ways.of(statement)
            if "next" not in ways and (ways or isinstance(statement, Turns | Rounds)):
                ended = statement
        for statement in block.statements:
            self._statement(statement, where)

    def _never_happens(self, statement: Statement, ended: Statement) -> None:
        match ended:
            case Turns():
                reason = "`turns` go on until the game ends"
            case Rounds():
                reason = "a `round` without a number goes on until the game ends"
            case IfStatement() | Choose() | Step():
                reason = "every way through this ends before it"
            case CallStatement():
                reason = "this never comes back"
            case _:
                reason = "this ends before it"
        self.sink.error(
            "D308",
            "this can never happen",
            head_of(statement),
            labels=[Label(head_of(ended), reason)],
            help="remove it, or put it before what ends",
        )

    def _statement(self, statement: Statement, where: _Where) -> None:
        match statement:
            case Leave() if not where.repeat:
                self._outside(statement, "leave", "a `repeat`")
            case End(what="turn") if not where.turn:
                self._outside(statement, "end turn", "`turns` or `each player`")
            case End(what="round") if not where.round:
                self._outside(statement, "end round", "a `round`")
            case End(what="phase") if not where.phase:
                self._outside(statement, "end phase", "a phase or an effect")
            case Loop() | Turns() | Rounds():
                self._loop(statement)
        inside = _inside(statement, where)
        for block in _blocks(statement):
            self.block(block, inside)

    def _outside(self, statement: Statement, words: str, place: str) -> None:
        self.sink.error(
            "D309",
            f"`{words}` stands outside {place}",
            statement.span,
            help=f"write it inside {place}, in the same block of the rules",
        )

    def _loop(self, loop: Loop | Turns | Rounds) -> None:
        match loop:
            case Loop(times=None, until=None):
                stuck = [at for at in _statements(loop) if not self.ways.of(at)]
                if stuck and stuck[0] is loop and len(stuck) == 1:
                    self.endless = True
                    self.sink.error(
                        "D306",
                        "this `repeat` can never be left",
                        head_of(loop),
                        "nothing in it leaves it or ends anything",
                        help="add a `leave`, `repeat until ...` or `repeat ... times`",
                    )
            case Loop(times=None) if self._changes_nothing(loop.body):
                self.endless = True
                self.sink.error(
                    "D307",
                    "this `repeat` goes round for ever",
                    head_of(loop),
                    "nothing in it changes anything, so its `until` never becomes true",
                    help="change in it what `until` asks for",
                )
            case Turns() if self._is_idle(loop):
                self._idle(loop, "`turns` go")
            case Rounds(times=None) if self._is_idle(loop):
                self._idle(loop, "this `round` goes")

    def _idle(self, loop: Turns | Rounds, words: str) -> None:
        self.endless = True
        self.sink.error(
            "D307",
            f"{words} round for ever",
            head_of(loop),
            "no decision, no chance and no end is met in it",
            help="add a `choose`, or say where the game ends",
        )

    def _is_idle(self, statement: Statement) -> bool:
        """Whether `turns` or a `round` without a number meets nothing that could make a difference to its end."""
        unending = isinstance(statement, Turns) or (isinstance(statement, Rounds) and statement.times is None)
        return unending and not self._decides(statement)

    def _decides(self, node: Understood) -> bool:
        called = walk.called_from([node])
        nodes = [node, *(body for function in called for body in walk.bodies(function))]
        return any(isinstance(at, _DECIDES) for root in nodes for at in walk.descend(root))

    def _changes_nothing(self, block: Block) -> bool:
        quiet = (Say, Nothing, IfStatement, ForEach, Step, CallStatement)
        called = walk.called_from([block])
        nodes: list[Understood] = [block, *(body for function in called for body in walk.bodies(function))]
        return all(isinstance(at, quiet) for root in nodes for at in walk.find(root, Statement))


def _statements(node: Understood) -> Sequence[Statement]:
    return list(walk.find(node, Statement))


def _blocks(statement: Statement) -> Iterable[Block]:
    for part in walk.children(statement):
        if isinstance(part, Block):
            yield part
        elif isinstance(part, Branch):
            yield part.body


def _inside(statement: Statement, where: _Where) -> _Where:
    match statement:
        case Loop():
            return evolve(where, repeat=True)
        case EachPlayer() | Turns():
            return evolve(where, turn=True)
        case Rounds():
            return evolve(where, round=True)
    return where
