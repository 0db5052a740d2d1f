"""What of a machine's own bookkeeping a game needs to go on from a decision, and what of it is no secret.

The locals of a machine that outlive a block lie in the state, beside everything else, and nobody is shown them: most
are positions of loops, but one may hold the card on top of a deck. Whoever goes on from what a player may know, and
from nothing else, has to know which of them are still going to be read, and which of those cannot come from a secret.

A local is *needed* at a decision if it may be read before it is set again: the usual backward walk over the blocks, in
which a block that is left by a slot (`JumpSlot`) may go to any block whose number is kept somewhere.

It is *told* unless a value that was ever stored in it may come from a secret: from a slot that is hidden from anybody,
or from the code of a choice that not everybody may know; worked out from it, or stored where only such a value can have
sent control. What is kept between two picks of one choice belongs to the player who is asked, and is told in any case.

Invariant: for every decision the block to go on at, and the slots of all needed locals, told or not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import frozen

from interpreter.diagnostics import InternalError
from interpreter.ir import code as c
from interpreter.ir.calls import called, calls_of
from interpreter.ir.flow import roots, successors
from interpreter.ir.program import CHOICE, Program
from interpreter.ir.rewrite import variables, visit, visit_block, visit_body

__all__ = ["Needed", "needed_at_decisions"]


@frozen
class Needed:
    """What it takes to go on from one decision."""

    resume: int
    """The block that a choice goes on at."""
    told: frozenset[int]
    """Slots of locals that may be read and hold no secret."""
    untold: frozenset[int]
    """Slots of locals that may be read and may hold one."""


def needed_at_decisions(
    program: Program, secret: Collection[int], whispered: Collection[int] = ()
) -> tuple[Needed | None, ...]:
    """For each decision, by number; None for one that is never asked. `secret`: slots that are hidden from somebody;
    `whispered`: decisions of which not everybody may know what was chosen."""
    return _Analysis(program, frozenset(secret), frozenset(whispered)).needed()


class _Analysis:
    def __init__(self, program: Program, secret: frozenset[int], whispered: frozenset[int]) -> None:
        self.program = program
        self.secret = secret
        self.arrays: dict[int, range] = {}  # by any slot of a local, all slots of it
        for group in program.layout.groups:
            if group.what == "frame" and group.visible != "all":
                slots = range(group.base, group.base + group.count)
                self.arrays.update(dict.fromkeys(slots, slots))
        asks = [block.end for block in program.blocks if isinstance(block.end, c.Ask)]
        self.whispering = {ask.resume for ask in asks if ask.decision in whispered}
        self.following = Following(program)
        self.calls = calls_of(program)
        self.reads = self._through_calls(
            {name: set(self._read(visit_body(function.body))) for name, function in program.functions.items()}
        )

    def needed(self) -> tuple[Needed | None, ...]:
        live = self._live()
        untold = self._from_secrets()
        found: list[Needed | None] = [None] * len(self.program.decisions)
        for block in self.program.blocks:
            if isinstance(block.end, c.Ask):
                number, decision = block.end.decision, self.program.decisions[block.end.decision]
                firsts = live[block.end.resume] | self.reads[decision.actor] | self.reads[decision.options]
                slots = {slot for first in firsts for slot in self.arrays[first]}
                hidden = slots & untold - self._own_picks(number)
                if found[number] is not None:
                    raise InternalError(f"decision {number} is asked in two places", "ir")
                found[number] = Needed(block.end.resume, frozenset(slots - hidden), frozenset(hidden))
        return tuple(found)

    def _own_picks(self, number: int) -> set[int]:
        """Slots that are set between the picks of the choice that this decision goes on with."""
        decisions, blocks = self.program.decisions, self.program.blocks
        if decisions[number].form != "pick":
            return set()
        parent = decisions[number].parent
        family = {each for each, info in enumerate(decisions) if each == parent or info.parent == parent}
        asks = {at: end for at, end in enumerate(block.end for block in blocks) if isinstance(end, c.Ask)}
        begin = {end.resume for end in asks.values() if end.decision in family}
        ends = {at for at, end in asks.items() if end.decision in family - {parent}}
        between = self.following.between(begin, ends, set(asks) - ends)
        stores = (node for at in between for node in visit_block(blocks[at]))
        return {
            slot
            for node in stores
            if isinstance(node, c.Store | c.StoreAt | c.Fill)
            for slot in self.arrays.get(node.slot if isinstance(node, c.Store) else node.base, ())
        }

    # ------------------------------------------------------------------ what is read later

    def _read(self, nodes: Iterator[object]) -> Iterator[int]:
        """First slots of the locals that operations read."""
        for node in nodes:
            slot = -1
            if isinstance(node, c.Load):
                slot = node.slot
            elif isinstance(node, c.LoadAt):
                slot = node.base if node.home < 0 else node.home
            if slot in self.arrays:
                yield self.arrays[slot][0]

    def _through_calls(self, own: dict[str, set[int]]) -> dict[str, set[int]]:
        """What functions do, with what those do that they call."""
        changed = True
        while changed:
            changed = False
            for name, mine in own.items():
                before = len(mine)
                for other in self.calls[name]:
                    mine |= own[other]
                changed = changed or len(mine) != before
        return own

    def _live(self) -> list[set[int]]:
        """For each block the first slots of the locals that may be read from its beginning on."""
        blocks = self.program.blocks
        effects = [self._effects(block) for block in blocks]
        live: list[set[int]] = [set() for _ in blocks]
        changed = True
        while changed:
            changed = False
            for number in reversed(range(len(blocks))):
                after = set[int]().union(*(live[each] for each in self.following.of[number]))
                reads, sets = effects[number]
                now = reads | (after - sets)
                changed = changed or now != live[number]
                live[number] = now
        return live

    def _effects(self, block: c.Block) -> tuple[set[int], set[int]]:
        """What a block reads before it has set it, and what it sets for certain."""
        reads: set[int] = set()
        sets: set[int] = set()

        def look(node: c.Expr | c.Stmt | c.Terminator) -> None:
            reads.update(set(self._read(visit(node))) - sets)
            for function in called(visit(node)):
                reads.update(self.reads[function] - sets)

        for stmt in block.body:
            look(stmt)
            if isinstance(stmt, c.Store) and len(self.arrays.get(stmt.slot, ())) == 1:
                sets.add(stmt.slot)
            elif isinstance(stmt, c.Fill) and self.arrays.get(stmt.base) == range(stmt.base, stmt.base + stmt.count):
                sets.add(stmt.base)
        look(block.end)
        if isinstance(block.end, c.Ask):
            decision = self.program.decisions[block.end.decision]
            reads |= (self.reads[decision.actor] | self.reads[decision.options]) - sets
        return reads, sets

    # ------------------------------------------------------------------ what comes from secrets

    def _from_secrets(self) -> set[int]:
        """The slots of locals that a value worked out from a secret is ever stored in."""
        untold: set[int] = set()
        sent: set[int] = set()  # blocks to which a secret has sent control
        before = (-1, -1)
        while before != (len(untold), len(sent)):
            before = len(untold), len(sent)
            telling = self._telling(untold)
            for function in self.program.functions.values():
                _Taint(self, untold, telling, set(self._parameters(function.body))).body(function.body)
            for number, block in enumerate(self.program.blocks):
                taint = _Taint(self, untold, telling, set(), number in self.whispering)
                taint.body(block.body, number in sent)
                if isinstance(block.end, c.Branch) and taint.comes(block.end.condition):
                    sent |= self.following.only_one_way(number)
        return untold

    def _parameters(self, body: c.Body) -> Iterator[str]:
        """Variables that a function is given: those it reads and nothing in it sets. They may be anything."""
        nodes = list(visit_body(body))
        is_set = {name for node in nodes if not isinstance(node, c.Var) for name in variables(node)}
        yield from {node.name for node in nodes if isinstance(node, c.Var)} - is_set

    def _telling(self, untold: set[int]) -> set[str]:
        """Functions whose value may come from a secret."""
        own: dict[str, set[int]] = {}
        for name, function in self.program.functions.items():
            nodes = visit_body(function.body)
            own[name] = {1} if any(self.is_secret(node, untold) for node in nodes) else set()
        return {name for name, tells in self._through_calls(own).items() if tells}

    def is_secret(self, node: object, untold: Collection[int]) -> bool:
        """Whether an operation itself reads a secret."""
        slot = -1
        if isinstance(node, c.Load):
            slot = node.slot
        elif isinstance(node, c.LoadAt):
            slot = node.base if node.home < 0 else node.home
        return slot in self.secret or slot in untold


class Following:
    """Which block may follow which."""

    def __init__(self, program: Program) -> None:
        blocks = program.blocks
        back = set(roots(program))
        back.update(node.block for block in blocks for node in visit_block(block) if isinstance(node, c.BlockNumber))
        self.of: list[set[int]] = [
            back if isinstance(block.end, c.JumpSlot) else set(successors(block.end)) for block in blocks
        ]
        self.before: list[set[int]] = [set() for _ in blocks]
        for number, followers in enumerate(self.of):
            for each in followers:
                self.before[each].add(number)

    def between(self, begin: Collection[int], ends: Collection[int], walls: Collection[int]) -> set[int]:
        """Blocks on a way from one of the first to one of the last that goes through no wall."""
        return _reached(begin, self.of, {*walls, *ends}) & _reached(ends, self.before, {*walls, *begin})

    def only_one_way(self, fork: int) -> set[int]:
        """Blocks that only one of the ways from a fork leads to, before the fork comes again."""
        ways = [_reached({each}, self.of, {fork}) for each in self.of[fork]]
        return set[int]().union(*ways) - set[int].intersection(*ways) if ways else set()


def _reached(begin: Collection[int], steps: list[set[int]], walls: Collection[int]) -> set[int]:
    """Everything that can be reached; walls are, but nothing through them."""
    found: set[int] = set()
    waiting = list(begin)
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            if at not in walls:
                waiting.extend(steps[at])
    return found


class _Taint:
    """Follows what comes from secrets through one body."""

    def __init__(
        self,
        analysis: _Analysis,
        untold: set[int],
        telling: Collection[str],
        variables: set[str],
        whispered: bool = False,
    ) -> None:
        self.analysis, self.untold, self.telling = analysis, untold, telling
        self.variables = variables
        self.whispered = whispered  # the code chosen is a secret

    def comes(self, *exprs: c.Expr) -> bool:
        """Whether the value of an expression may come from a secret."""
        return any(
            self.analysis.is_secret(node, self.untold)
            or (isinstance(node, c.Load) and node.slot == CHOICE and self.whispered)
            or (isinstance(node, c.Var) and node.name in self.variables)
            or (isinstance(node, c.CallValue) and node.function in self.telling)
            for expr in exprs
            for node in visit(expr)
        )

    def body(self, body: c.Body, sent: bool = False) -> None:
        """Until nothing is added: what a loop sets may be read by what stands before it. `sent`: whether a secret has
        sent control here."""
        before = (-1, -1)
        while before != (len(self.variables), len(self.untold)):
            before = len(self.variables), len(self.untold)
            self._statements(body, sent)

    def _statements(self, body: c.Body, sent: bool) -> None:
        for stmt in body:
            self._statement(stmt, sent)

    def _statement(self, stmt: c.Stmt, sent: bool) -> None:
        match stmt:
            case c.Assign(var, value):
                self._set(var, sent, value)
            case c.Pop(list_, var):
                if sent or f"list {list_}" in self.variables:
                    self.variables.add(var)
            case c.Push(list_, value):
                self._set(f"list {list_}", sent, value)
            case c.Store(slot, value):
                self._store(slot, sent, value)
            case c.StoreAt(base, index, value, home):
                self._store(base if home < 0 else home, sent, index, value)
            case c.Fill(base):
                self._store(base, sent)
            case c.If(condition, then, otherwise):
                sent = sent or self.comes(condition)
                self._statements(then, sent)
                self._statements(otherwise, sent)
            case c.IfEmpty(list_, then, otherwise):
                sent = sent or f"list {list_}" in self.variables
                self._statements(then, sent)
                self._statements(otherwise, sent)
            case c.Forever(body):
                self._loop(body, (), sent, ())
            case c.ForRange(var, low, high, body):
                self._loop(body, (var,), sent, (low, high))
            case c.ForItems(var, items, body):
                self._loop(body, (var,), sent, items)
            case c.ForBits(var, set_, body):
                self._loop(body, (var,), sent, (set_,))
            case c.ForRow(names, _, index, body):
                self._loop(body, names, sent, (index,))
            case c.ForList(var, list_, body):
                self._loop(body, (var,), sent or f"list {list_}" in self.variables, ())

    def _loop(self, body: c.Body, names: tuple[str, ...], sent: bool, values: tuple[c.Expr, ...]) -> None:
        """A loop that a secret may end early has been sent on by it."""
        sent = sent or self.comes(*values) or self._ends_by_secret(body)
        if sent:
            self.variables.update(names)
        self._statements(body, sent)

    def _ends_by_secret(self, body: c.Body) -> bool:
        for stmt in body:
            for node in visit(stmt):
                if isinstance(node, c.If) and self.comes(node.condition):
                    inner = (each for part in (*node.then, *node.otherwise) for each in visit(part))
                    if any(isinstance(each, c.Break | c.Continue | c.Return) for each in inner):
                        return True
        return False

    def _set(self, name: str, sent: bool, *values: c.Expr) -> None:
        if sent or self.comes(*values):
            self.variables.add(name)

    def _store(self, slot: int, sent: bool, *values: c.Expr) -> None:
        if slot in self.analysis.arrays and (sent or self.comes(*values)):
            self.untold.update(self.analysis.arrays[slot])
