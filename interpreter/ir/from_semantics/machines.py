"""Bodies that can be interrupted: graphs of blocks.

Everything that cannot stop is written into the block at hand as in a function. What can stop (a decision, a call of
something that can stop), and what leaves a surrounding body (`leave`, `end turn`, `end phase`, the end of the game),
ends the block. Loops that can be interrupted keep their position in variables of the machine; such variables are placed
into the state afterwards.

A procedure is entered by storing the block to go back to in its own slot. Procedures do not call themselves (the
checker sees to it), so that one slot each is enough and the state stays flat.
"""

from __future__ import annotations

from attrs import define, field

from interpreter.ir import code as c
from interpreter.ir.from_semantics import changes, expressions, sets, statements
from interpreter.ir.from_semantics.context import Lowering, Scope, element
from interpreter.ir.program import PLAYER, ROUND, STATUS, Entry, SlotGroup
from interpreter.semantics import model
from interpreter.semantics.types import ListType, NumberType
from interpreter.semantics.walk import descend

ZERO, ONE, NONE = c.Int(0), c.Int(1), c.Int(-1)


@define
class Way:
    """A surrounding loop of the rules: where `leave`, `end turn` or `end round` lead.

    Whoever leaves an `each player` from within makes the player from `before` the one to move again.
    """

    kind: str
    target: int
    before: c.Expr | None = None


@define
class Procedure:
    """A phase, or an effect that can be interrupted: its first block and the slot with its way back."""

    function: model.Function
    entry: int
    back: int
    caller: tuple[int, Procedure | None] | None = None  # the block after a first call, and the caller


@define
class Machine:
    """All blocks of a program, being written."""

    low: Lowering
    scope: Scope
    at: int = -1
    stop: int = -1
    ways: list[Way] = field(factory=list)
    procedures: dict[int, Procedure] = field(factory=dict)
    waiting: list[Procedure] = field(factory=list)
    inside: Procedure | None = None
    where: str = "play"
    secret: bool = False

    @classmethod
    def of(cls, low: Lowering) -> Machine:
        machine = cls(low, Scope(low, "play", machine=True))
        machine.stop = low.block("stop")
        return machine

    # ------------------------------------------------------------------ blocks

    def block(self, label: str = "") -> int:
        return self.low.block(label or self.where)

    def begin(self, block: int) -> None:
        """What follows is written into a block."""
        self.at = block
        self.scope.out = []

    def end(self, terminator: c.Terminator) -> None:
        """The block at hand is finished; nothing more is written into it."""
        if self.at >= 0:
            self.low.blocks[self.at] = c.Block(tuple(self.scope.out), terminator, self.low.blocks[self.at].label)
        self.at = -1
        self.scope.out = []

    def jump(self, target: int) -> None:
        self.end(c.Jump(target))

    # ------------------------------------------------------------------ statements

    def body(self, node: model.Block) -> None:
        for statement in node.statements:
            if self.at < 0:
                return  # unreachable: the checker says so
            self.statement(statement)

    def statement(self, node: model.Statement) -> None:
        if not self.needs_blocks(node):
            statements.statement(self.scope, node)
            self._mind_the_end(node)
            return
        if not isinstance(node, model.Step):
            self.scope.emit(c.Mark(self.low.span(node.span)))
        match node:
            case model.IfStatement():
                self._if(node)
            case model.Loop():
                self._loop(node)
            case model.ForEach():
                self._for_each(node)
            case model.EachPlayer():
                self._each_player(node)
            case model.Turns():
                self._turns(node)
            case model.Rounds():
                self._rounds(node)
            case model.Step(name=name, body=body):
                before, self.where = self.where, name
                self.body(body)
                self.where = before
            case model.CallStatement():
                self._call(node)
            case model.Choose():
                from interpreter.ir.from_semantics.decisions import choose

                choose(self, node)
            case model.Leave():
                self._leave("repeat")
            case model.End(what="turn"):
                self._leave("turn")
            case model.End(what="round"):
                self._leave("round")
            case model.End(what="phase"):
                self._end_phase()
            case model.End() | model.Wins() | model.DrawGame():
                statements.finish(self.scope, node)
                self.jump(self.stop)
            case _:
                raise TypeError(type(node).__name__)

    def needs_blocks(self, node: model.Understood) -> bool:
        """Whether a statement can stop, or leads out of itself. A step always: it is a place in the graph."""
        return isinstance(node, model.Step) or self._can_stop(node) or self._leads_out(node, frozenset())

    def _can_stop(self, node: model.Understood) -> bool:
        return any(
            isinstance(n, model.Choose) or (isinstance(n, model.CallStatement) and id(n.function) in self.low.machines)
            for n in descend(node)
        )

    def _leads_out(self, node: model.Understood, around: frozenset[str]) -> bool:
        match node:
            case model.Leave():
                return "repeat" not in around
            case model.End(what=what):
                return what in ("game", "phase") or what not in around
            case model.Wins() | model.DrawGame():
                return True
            case model.CallStatement(function=function):
                return bool(around) and id(function) in self.low.enders
            case model.Loop(body=body):
                return self._leads_out(body, around | {"repeat"})
            case model.EachPlayer(body=body) | model.Turns(body=body):
                return self._leads_out(body, around | {"turn"})
            case model.Rounds(body=body):
                return self._leads_out(body, around | {"round"})
            case model.ForEach(body=body):
                return self._leads_out(body, around | {"set"})
            case model.Step(body=body):
                return self._leads_out(body, around)
            case model.IfStatement(then=then, otherwise=otherwise):
                inner = around | {"if"}
                return self._leads_out(then, inner) or (otherwise is not None and self._leads_out(otherwise, inner))
            case model.Block(statements=statements_):
                return any(self._leads_out(s, around) for s in statements_)
        return False

    def _mind_the_end(self, node: model.Statement) -> None:
        """Behind a call that can end the game, look whether it did."""
        if isinstance(node, model.CallStatement) and id(node.function) in self.low.enders:
            on = self.block()
            self.end(c.Branch(c.Load(STATUS), self.stop, on))
            self.begin(on)
        elif any(isinstance(n, model.CallStatement) and id(n.function) in self.low.enders for n in descend(node)):
            raise TypeError("a call that can end the game within a statement without blocks")

    def _if(self, node: model.IfStatement) -> None:
        test = expressions.expression(self.scope, node.condition)
        then, after = self.block(), self.block()
        otherwise = self.block() if node.otherwise is not None else after
        self.end(c.Branch(test, then, otherwise))
        self.begin(then)
        self.body(node.then)
        self.jump(after)
        if node.otherwise is not None:
            self.begin(otherwise)
            self.body(node.otherwise)
            self.jump(after)
        self.begin(after)

    def _inside(self, kind: str, target: int, body: model.Block, before: c.Expr | None = None) -> None:
        self.ways.append(Way(kind, target, before))
        self.body(body)
        self.ways.pop()

    def _loop(self, node: model.Loop) -> None:
        head, after = self.block(), self.block()
        left = None
        if node.times is not None:
            left = self.scope.assign("left", expressions.required(self.scope, node.times))
        self.jump(head)
        self.begin(head)
        if left is not None:
            on = self.block()
            self.end(c.Branch(c.Compare("<=", left, ZERO), after, on))
            self.begin(on)
            self.scope.emit(c.Assign(left.name, c.Binary("-", left, ONE)))
        if node.until is not None:
            over, on = expressions.expression(self.scope, node.until), self.block()
            self.end(c.Branch(over, after, on))
            self.begin(on)
        self._inside("repeat", after, node.body)
        self.jump(head)
        self.begin(after)

    def _for_each(self, node: model.ForEach) -> None:
        size = sets.listed(node.set) if isinstance(element(node.set.type), NumberType) else None
        if isinstance(node.set.type, ListType):
            size = self.low.size(element(node.set.type))
        if size is not None:
            self._for_each_of_list(node, size)
            return
        name = self.scope.declare(node.local)
        head, on, after = self.block(), self.block(), self.block()
        if isinstance(element(node.set.type), NumberType) and isinstance(node.set, model.RangeSet):
            low = expressions.required(self.scope, node.set.low)
            at = self.scope.assign(f"{name} next", low)
            high = self.scope.assign(f"{name} last", expressions.required(self.scope, node.set.high))
            self.jump(head)
            self.begin(head)
            self.end(c.Branch(c.Compare(">", at, high), after, on))
            self.begin(on)
            self.scope.emit(c.Assign(name, at), c.Assign(at.name, c.Binary("+", at, ONE)))
        else:
            left = self.scope.assign(f"{name} left", sets.mask(self.scope, node.set))
            self.jump(head)
            self.begin(head)
            self.end(c.Branch(c.Compare("=", left, ZERO), after, on))
            self.begin(on)
            self.take_lowest(left, name)
        self._inside("set", after, node.body)
        self.jump(head)
        self.begin(after)

    def _for_each_of_list(self, node: model.ForEach, size: int) -> None:
        """A list, or listed numbers, are copied into the frame, so that the body may change what made them up."""
        name = self.scope.declare(node.local)
        array = self.low.unique(f"{name} list")
        self.low.frame_arrays[array] = size
        count, at = self.scope.assign(f"{name} count", ZERO), self.scope.assign(f"{name} next", ZERO)

        def keep(member: c.Expr) -> None:
            self.scope.emit(c.FrameStoreAt(array, count, member))
            self.scope.emit(c.Assign(count.name, c.Binary("+", count, ONE)))

        sets.iterate(self.scope, node.set, keep, name)
        head, on, after = self.block(), self.block(), self.block()
        self.jump(head)
        self.begin(head)
        self.end(c.Branch(c.Compare("<", at, count), on, after))
        self.begin(on)
        self.scope.emit(c.Assign(name, c.FrameAt(array, at)), c.Assign(at.name, c.Binary("+", at, ONE)))
        self._inside("set", after, node.body)
        self.jump(head)
        self.begin(after)

    def take_lowest(self, left: c.Var, name: str) -> None:
        """The lowest member of a bit set goes into a variable and out of the set."""
        member = self.scope.fresh("member")
        self.scope.emit(c.ForBits(member, left, (c.Assign(name, c.Var(member)), c.Break())))
        gone = c.Binary("<<", ONE, c.Var(name))
        self.scope.emit(c.Assign(left.name, c.Binary("&~", left, gone)))

    def _each_player(self, node: model.EachPlayer) -> None:
        count = len(self.low.game.players)
        before = self.scope.assign("player before", c.Load(PLAYER))
        start = ZERO if node.start is None else expressions.required(self.scope, node.start)
        at = self.scope.assign("player next", start)
        left = self.scope.assign("players left", c.Int(count))
        head, on, after = self.block(), self.block(), self.block()
        self.jump(head)
        self.begin(head)
        self.end(c.Branch(c.Compare("=", left, ZERO), after, on))
        self.begin(on)
        self.scope.emit(c.Store(PLAYER, at))
        self.scope.emit(c.Assign(at.name, c.Binary("mod", c.Binary("+", at, ONE), c.Int(count))))
        self.scope.emit(c.Assign(left.name, c.Binary("-", left, ONE)))
        self.scope.restore_player.append(before)
        was, self.secret = self.secret, self.secret or node.secretly
        self._inside("turn", head, node.body, before)
        self.secret = was
        self.scope.restore_player.pop()
        self.jump(head)
        self.begin(after)
        self.scope.emit(c.Store(PLAYER, before))

    def _turns(self, node: model.Turns) -> None:
        if node.start is not None:
            self.scope.emit(c.Store(PLAYER, expressions.required(self.scope, node.start)))
        head, following = self.block("turn"), self.block("next turn")
        self.jump(head)
        self.begin(head)
        self._inside("turn", following, node.body)
        self.jump(following)
        self.begin(following)
        statements.next_turn(self.scope, node)
        self.jump(head)

    def _rounds(self, node: model.Rounds) -> None:
        head, after = self.block("round"), self.block()
        inner = self.inside is not None or any(way.kind == "round" for way in self.ways)
        before = self.scope.assign("round before", c.Load(ROUND)) if inner else None
        self.scope.emit(c.Store(ROUND, ZERO))
        self.jump(head)
        self.begin(head)
        if node.times is not None:
            on = self.block()
            over = c.Compare(">=", c.Load(ROUND), expressions.required(self.scope, node.times))
            self.end(c.Branch(over, after, on))
            self.begin(on)
        self.scope.emit(c.Store(ROUND, c.Binary("+", c.Load(ROUND), ONE)))
        self._inside("round", head, node.body)
        self.jump(head)
        self.begin(after)
        if before is not None:
            self.scope.emit(c.Store(ROUND, before))

    def _leave(self, kind: str) -> None:
        before: c.Expr | None = None
        for way in reversed(self.ways):
            if way.kind == kind:
                if before is not None:
                    self.scope.emit(c.Store(PLAYER, before))
                self.jump(way.target)
                return
            before = way.before or before
        raise TypeError(f"no {kind} around")

    def _end_phase(self) -> None:
        if self.scope.restore_player:
            self.scope.emit(c.Store(PLAYER, self.scope.restore_player[0]))
        self.end(c.JumpSlot(self.inside.back) if self.inside is not None else c.Jump(self.stop))

    # ------------------------------------------------------------------ procedures

    def procedure(self, function: model.Function) -> Procedure:
        known = self.procedures.get(id(function))
        if known is None:
            group = SlotGroup(f"back from {function.name}", "frame", self.low.slots.free, 1, 0, 2**31 - 1)
            self.low.slots.add(group)
            known = Procedure(function, self.block(function.name), group.base)
            self.procedures[id(function)] = known
            self.waiting.append(known)
        return known

    def _call(self, node: model.CallStatement) -> None:
        procedure = self.procedure(node.function)
        values = list(expressions.inputs(self.scope, node.function.parameters, node.arguments))
        values = [self.scope.atom(value, "input") for value in values] if len(values) > 1 else values
        for local, value in zip(node.function.parameters, values, strict=True):
            self.scope.emit(c.Assign(self.low.machine_local(local), value))
        after = self.block()
        if procedure.caller is None:
            procedure.caller = (after, self.inside)
        self.scope.emit(c.Store(procedure.back, c.BlockNumber(after)))
        self.jump(procedure.entry)
        self.begin(after)

    def write_procedures(self) -> None:
        """Writes every procedure that was called, and those that these call."""
        while self.waiting:
            procedure = self.waiting.pop(0)
            self.inside, self.where, self.ways = procedure, procedure.function.name, []
            self.scope.restore_player = []
            self.begin(procedure.entry)
            function = procedure.function
            for variable in self.low.game.variables:
                if variable.reset_by is function:
                    changes.reset(self.scope, variable)
            if function.body is not None:
                self.body(function.body)
            elif function.table is not None:
                self._table(function.table)
            if self.at >= 0:
                self.end(c.JumpSlot(procedure.back))

    def _table(self, table: model.LookupTable) -> None:
        """A table whose cells can stop: a chain of branches."""
        done = self.block()
        for row in table.rows:
            next_row = self.block()
            self._unless(row.condition, next_row)
            for heading, cell in zip(table.columns, row.cells, strict=True):
                next_cell = self.block()
                self._unless(heading, next_cell)
                if cell.body is not None:
                    self.body(cell.body)
                if self.at >= 0:
                    self.jump(done)
                self.begin(next_cell)
            self.jump(next_row)
            self.begin(next_row)
        self.scope.emit(c.Check(ZERO, "D706", self.low.span(table.span)))
        self.jump(done)
        self.begin(done)

    def _unless(self, condition: model.Expr | None, target: int) -> None:
        if condition is None:
            return
        test, on = expressions.expression(self.scope, condition), self.block()
        self.end(c.Branch(test, on, target))
        self.begin(on)

    def entries(self) -> dict[str, Entry]:
        """Where each phase begins, with the ways back that a first call along the play would have stored."""
        found: dict[str, Entry] = {}
        for procedure in self.procedures.values():
            if procedure.function.form != "phase" or procedure.caller is None:
                continue
            stores: list[tuple[int, int]] = []
            at: Procedure | None = procedure
            while at is not None and at.caller is not None:
                after, caller = at.caller
                stores.append((at.back, after))
                at = caller
            found[procedure.function.name] = Entry(procedure.entry, tuple(stores))
        return found


__all__ = ["Machine", "Procedure"]
