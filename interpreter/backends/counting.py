"""A program that counts what is used of it, for both backends.

Uses are counted by a program of the same game: two statements are added to it, `Tally` (a counter goes up, on behalf
of a player) and `Lead` (who is ahead at a decision). Each `Mark` gets a counter; each decision gets a function that
tells, from the code chosen, which option was taken and which members were chosen for its binders; the options of a
decision say beforehand which of them were offered. So a backend has to know the two statements and nothing else, and
both count the same by construction; what a counter stands for is told by `Counters`.

Only what play can reach is counted: functions that explain or show are not, nor is what the log tells. Who is ahead is
asked of a copy of the scores without counters, since asking is not using.

Invariant: a counting program makes the same states as the one it was made from, the program counter of a state that
waits apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import define, evolve, field, frozen

from interpreter.ir import code as c
from interpreter.ir.calls import called, calls_of, reachable
from interpreter.ir.domains import domain_key
from interpreter.ir.program import CHOICE, DECISION, PLAYER, BinderInfo, DecisionInfo, FunctionCode, Program, SlotGroup
from interpreter.ir.rewrite import rewrite_block, rewrite_body, rewrite_function, visit_block
from interpreter.semantics.types import ListType, MapType, SetType, Type

__all__ = ["ASKING", "MOST_MEMBERS", "PASSING", "Cards", "Counters", "Lead", "Tally", "counted", "reached"]

MOST_MEMBERS = 2048
"""A binder over more members than these is not counted member by member."""
ASKING = -1
"""Said before it is worked out who is ahead, so that a fault there is known for what it is."""
PASSING = -1
"""The number of the branch that stands for passing."""


@frozen
class Tally(c.Stmt):
    """A counter goes up by one on behalf of a player; a number that no player has is nobody."""

    counter: c.Expr
    player: c.Expr


@frozen
class Lead(c.Stmt):
    """Those who are ahead when a decision was taken, as a bit set; 0 when all are level, `ASKING` before they are
    worked out."""

    leaders: c.Expr


@frozen
class Cards:
    """Things that are counted under one name, whichever option a player chooses them by."""

    name: str
    """The name of the type."""
    size: int
    """How many there are."""
    of: Mapping[str, tuple[int, ...]]
    """By key of a domain, the thing that each of its members stands for."""


@define
class Counters:
    """What the counters of a program stand for, by number."""

    size: int = 0
    """How many counters there are."""
    marks: dict[int, int] = field(factory=dict)
    """The counter of a mark, by number of its span."""
    options: dict[tuple[int, int], int] = field(factory=dict)
    """How often an option was taken, by number of its decision and of its branch, `PASSING` for passing."""
    offered: dict[tuple[int, int], int] = field(factory=dict)
    """How many decisions offered it."""
    members: dict[tuple[int, int, int], int] = field(factory=dict)
    """How often each member was chosen for a binder: the first of as many counters as the binder has members, by
    number of the decision, the branch and the binder."""
    chosen: dict[str, int] = field(factory=dict)
    """How often each card was chosen, by name of the cards: the first of their counters."""
    moved: dict[str, int] = field(factory=dict)
    """How often each card was moved after the first decision: the first of their counters."""
    reads: dict[str, int] = field(factory=dict)
    """How often each element of an array was read: the first of its counters, by name of the array."""

    def take(self, count: int = 1) -> int:
        """Numbers for so many new counters; the first of them."""
        first = self.size
        self.size += count
        return first


def counted(
    program: Program, cards: Sequence[Cards] = (), arrays: Sequence[str] = (), *, leads: bool = True
) -> tuple[Program, Counters]:
    """The program that counts, and what its counters stand for.

    `cards` are counted wherever they are chosen or moved, reads of `arrays` element by element. `leads`: whether to
    say who is ahead, which is left out for one player and for games without scores in any case.
    """
    return _Counting(program, cards, arrays, leads).result()


def reached(program: Program) -> frozenset[str]:
    """The functions that play can reach: from blocks, the options and actors of decisions, the scores."""
    roots = [name for decision in program.decisions for name in (decision.options, decision.actor)]
    if program.score:
        roots.append(program.score)
    for block in program.blocks:
        roots.extend(called(visit_block(block)))
    return reachable(calls_of(program), roots)


def _between(value: c.Expr, low: int, after: int) -> c.Expr:
    return c.And(c.Compare(">=", value, c.Int(low)), c.Compare("<", value, c.Int(after)))


_CODE = c.Var("code")


class _Counting:
    """Makes one counting program."""

    def __init__(self, program: Program, cards: Sequence[Cards], arrays: Sequence[str], leads: bool) -> None:
        self.program = program
        self.cards = cards
        self.counters = Counters()
        self.functions = dict(program.functions)
        self.arrays = dict(program.arrays)
        self.leads = leads and bool(program.score) and len(program.players) > 1
        self.places = {
            group.base: group for group in program.layout.groups if group.what == "place" and self._carded(group)
        }
        for group in cards:
            self.counters.chosen[group.name] = self.counters.take(group.size)
            self.counters.moved[group.name] = self.counters.take(group.size)
        for name in arrays:
            self.counters.reads[name] = self.counters.take(len(program.arrays[name]))

    def result(self) -> tuple[Program, Counters]:
        program = self.program
        if self.leads:
            self._add_leads()
        for name in sorted(reached(program)):
            function = rewrite_function(program.functions[name], self._read, self._counted)
            self.functions[name] = function
        for number, decision in enumerate(program.decisions):
            self._add_offered(number, decision)
            self._add_taken(number, decision)
        for name, base in self.counters.reads.items():
            self._add_reader(name, base)
        blocks = [rewrite_block(block, self._read, self._counted) for block in program.blocks]
        for number, block in enumerate(blocks[:]):
            if isinstance(block.end, c.Ask):
                blocks[number] = evolve(block, end=evolve(block.end, resume=len(blocks)))
                call = c.CallEffect(_taken(block.end.decision), (c.Load(CHOICE),))
                blocks.append(c.Block((call,), c.Jump(block.end.resume), "taken"))
        made = evolve(program, functions=self.functions, arrays=self.arrays, blocks=blocks)
        return made, self.counters

    # ------------------------------------------------------------------ statements and expressions

    def _counted(self, stmt: c.Stmt) -> c.Body:
        match stmt:
            case c.Mark(span):
                counter = self.counters.marks.get(span)
                if counter is None:
                    counter = self.counters.marks[span] = self.counters.take()
                return stmt, Tally(c.Int(counter), c.Load(PLAYER))
            case c.Emit():
                return ()  # what is only told is not used
            case c.Store(slot, _):
                for base, group in self.places.items():
                    if base <= slot < base + group.count:
                        return stmt, *self._moved(group, c.Int(slot - base))
            case c.StoreAt(base, index):
                home = base if stmt.home < 0 else stmt.home
                found = next((g for b, g in self.places.items() if b <= home < b + g.count), None)
                if found is not None:
                    piece = c.Var("counted piece")
                    shifted = c.Binary("-", piece, c.Int(found.base - base)) if found.base != base else piece
                    first = c.Assign("counted piece", index)
                    return first, evolve(stmt, index=piece), *self._moved(found, shifted)
        return (stmt,)

    def _carded(self, group: SlotGroup) -> bool:
        return any(group.subject in cards.of for cards in self.cards)

    def _moved(self, group: SlotGroup, piece: c.Expr) -> c.Body:
        """Counts a piece that is put somewhere, once the first decision was asked for."""
        counts = tuple(
            Tally(c.Binary("+", self._card(cards, group.subject, piece), c.Int(base)), c.Load(PLAYER))
            for cards in self.cards
            if group.subject in cards.of
            for base in (self.counters.moved[cards.name],)
        )
        return (c.If(c.Compare(">=", c.Load(DECISION), c.Int(0)), counts),)

    def _card(self, cards: Cards, key: str, member: c.Expr) -> c.Expr:
        """The number of the card that a member of a domain stands for."""
        values = cards.of[key]
        if values == tuple(range(len(values))):
            return member
        name = f"{cards.name} of {key}, counted"
        self.arrays[name] = values
        return c.ArrayGet(name, member)

    def _read(self, expr: c.Expr) -> c.Expr:
        if isinstance(expr, c.ArrayGet) and expr.array in self.counters.reads:
            return c.CallValue(_reader(expr.array), (expr.index,))
        return expr

    def _add_reader(self, array: str, base: int) -> None:
        index = c.Var("index")
        count = Tally(c.Binary("+", index, c.Int(base)), c.Load(PLAYER))
        body = (c.Assign("value", c.ArrayGet(array, index)), count, c.Return(c.Var("value")))
        self._add(_reader(array), ("index",), body, "value")

    def _add(
        self, name: str, parameters: tuple[str, ...], body: c.Body, returns: Literal["value", "nothing"] = "nothing"
    ) -> None:
        self.functions[name] = FunctionCode(name, parameters, body, returns)

    # ------------------------------------------------------------------ decisions

    def _add_offered(self, number: int, decision: DecisionInfo) -> None:
        """The list of options says which branches it has something of."""
        if decision.form == "pick":
            return
        ends = [(at, branch.base, branch.base + _size(branch.radix)) for at, branch in enumerate(decision.branches)]
        if decision.may:
            ends.append((PASSING, decision.pass_code, decision.pass_code + 1))
        for at, _, _ in ends:
            self.counters.offered[number, at] = self.counters.take()
        function = self.functions[decision.options]

        def told(stmt: c.Stmt) -> c.Body:
            if not isinstance(stmt, c.ReturnList):
                return (stmt,)
            actor = c.CallValue(decision.actor, ())
            seen = [f"offered {at}" for at, _, _ in ends]
            found = tuple(
                c.If(_between(_CODE, low, after), (c.Assign(name, c.Int(1)),))
                for name, (_, low, after) in zip(seen, ends, strict=True)
            )
            counts = tuple(
                c.If(c.Var(name), (Tally(c.Int(self.counters.offered[number, at]), actor),))
                for name, (at, _, _) in zip(seen, ends, strict=True)
            )
            begin = tuple(c.Assign(name, c.Int(0)) for name in seen)
            return *begin, c.ForList("code", stmt.list, found), *counts, stmt

        self.functions[decision.options] = evolve(function, body=rewrite_body(function.body, lambda expr: expr, told))

    def _add_taken(self, number: int, decision: DecisionInfo) -> None:
        """The function of a code that says what was chosen by it."""
        body: list[c.Stmt] = [c.Assign("who", c.CallValue(decision.actor, ()))]
        if self.leads:
            body.append(c.CallEffect(_LEADS, ()))
        if decision.form == "pick":
            choose = self.program.decisions[decision.parent]
            binder = choose.branches[decision.branch].binders[decision.binder]
            chosen = self._member((decision.parent, decision.branch, decision.binder), binder, _CODE)
            body.append(c.If(_between(_CODE, 0, binder.size), chosen))
        for at, branch in enumerate(decision.branches if decision.form == "choose" else ()):
            counter = self.counters.options[number, at] = self.counters.take()
            taken: list[c.Stmt] = [Tally(c.Int(counter), c.Var("who"))]
            leading = list(zip(branch.binders, branch.radix, strict=False))
            if leading:
                taken.append(c.Assign("rest", c.Binary("-", _CODE, c.Int(branch.base))))
            for position, (binder, radix) in reversed(list(enumerate(leading))):
                taken.append(c.Assign("digit", c.Binary("mod", c.Var("rest"), c.Int(radix))))
                taken.append(c.Assign("rest", c.Binary("div", c.Var("rest"), c.Int(radix))))
                taken.extend(self._member((number, at, position), binder, c.Var("digit")))
            body.append(c.If(_between(_CODE, branch.base, branch.base + _size(branch.radix)), tuple(taken)))
        if decision.may and decision.form == "choose":
            counter = self.counters.options[number, PASSING] = self.counters.take()
            passed = c.Compare("=", _CODE, c.Int(decision.pass_code))
            body.append(c.If(passed, (Tally(c.Int(counter), c.Var("who")),)))
        self._add(_taken(number), ("code",), tuple(body))

    def _member(self, key: tuple[int, int, int], binder: BinderInfo, digit: c.Expr) -> c.Body:
        """Counts the member that a digit of a code, or a pick, stands for."""
        if binder.size > MOST_MEMBERS:
            return ()
        base = self.counters.members.get(key)
        if base is None:
            base = self.counters.members[key] = self.counters.take(binder.size)
        out: list[c.Stmt] = [Tally(c.Binary("+", digit, c.Int(base)), c.Var("who"))]
        domain = domain_key(_element(binder.type))
        for cards in self.cards:
            if domain in cards.of:
                card = c.Binary("+", self._card(cards, domain, digit), c.Int(self.counters.chosen[cards.name]))
                out.append(Tally(card, c.Var("who")))
        return tuple(out)

    # ------------------------------------------------------------------ who is ahead

    def _add_leads(self) -> None:
        """A function that says who is ahead, by a copy of the scores that counts nothing."""
        score = self.program.score
        copies = {name: f"{name}, only asked" for name in reachable(calls_of(self.program), [score])}

        def copied(expr: c.Expr) -> c.Expr:
            return evolve(expr, function=copies[expr.function]) if isinstance(expr, c.CallValue) else expr

        def also(stmt: c.Stmt) -> c.Body:
            return (evolve(stmt, function=copies[stmt.function]),) if isinstance(stmt, c.CallEffect) else (stmt,)

        for name, copy in copies.items():
            function = self.program.functions[name]
            self.functions[copy] = evolve(function, name=copy, body=rewrite_body(function.body, copied, also))
        best, leaders, mine = c.Var("best"), c.Var("leaders"), c.Var("mine")
        count = len(self.program.players)
        body: list[c.Stmt] = [Lead(c.Int(ASKING)), c.Assign("best", c.Int(0)), c.Assign("leaders", c.Int(0))]
        for player in range(count):
            bit = c.Int(1 << player)
            ahead = c.If(c.Compare("=", mine, best), (c.Assign("leaders", c.Binary("|", leaders, bit)),))
            first = (c.Assign("best", mine), c.Assign("leaders", bit))
            body.append(c.Assign("mine", c.CallValue(copies[score], (c.Int(player),))))
            body.extend(first if player == 0 else (c.If(c.Compare(">", mine, best), first, (ahead,)),))
        level = c.Compare("=", leaders, c.Int((1 << count) - 1))
        body.append(c.If(level, (c.Assign("leaders", c.Int(0)),)))
        body.append(Lead(leaders))
        self._add(_LEADS, (), tuple(body))


_LEADS = "who is ahead"


def _taken(decision: int) -> str:
    return f"taken {decision}"


def _reader(array: str) -> str:
    return f"element of {array}"


def _size(radix: tuple[int, ...]) -> int:
    size = 1
    for part in radix:
        size *= part
    return size


def _element(type_: Type) -> Type:
    """The type of one thing that is chosen."""
    match type_:
        case SetType(element=element) | ListType(element=element):
            return element
        case MapType(value=value):
            return value
    return type_
