"""Between which bounds each number of a program lies: what decides how wide it is in memory.

Python's whole numbers have any size, those of a machine have not. So everything that holds a number (a slot, a
variable, an input, the result of a function, the elements of a list) gets a *range*, the least and the greatest value
it can have, worked out from the program: constants start it, operations combine it, conditions narrow it where they
hold, and what a function is given or gives back is joined over all its calls until nothing changes. What the rules
declare (a track from 0 to 20) is believed, since a store outside is a fault already.

A range that fits 32 bits is an `i32`, one that fits 64 an `i64`; anything larger is a bit set of several words.
Numbers end at `code.LIMIT`: where a product or a sum of two large numbers may be larger (`may_leave`), its range is
cut, for a fault keeps it inside. Small steps (one more, another die) are not looked at: so many that a number grows
from the limit to 64 bits would take longer than any game.

Invariant: a range contains every value its holder can have while the state is one that the program itself made.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from attrs import define, field, frozen

from interpreter.diagnostics import InternalError
from interpreter.ir import code as c
from interpreter.ir.calls import calls_of
from interpreter.ir.flow import is_exit, roots, successors
from interpreter.ir.program import CHOICE, PC, PLAYER, RNG, DecisionInfo, Program, SlotGroup
from interpreter.ir.rewrite import children, variables, visit, visit_body

Range = tuple[int, int]
"""Least and greatest value."""
Scope = str | int
"""The name of a function or the number of a block: what has variables of its own."""
Known = str | tuple[int, str]
"""A variable, or the slot so many from a base as a variable says."""

FLAG: Range = (0, 1)
SMALL: Range = (-(2**31), 2**31 - 1)
LARGE: Range = (-(2**63), 2**63 - 1)
LIMITED: Range = (-c.LIMIT, c.LIMIT)
WIDEST = 8192
"""Bits of the widest set; a shift beyond is a fault."""
STEP = 2**20
"""What is added or taken away by small steps is no larger."""

_PATIENCE = 3
"""Rounds after which a range that still grows is widened to the next threshold."""
_UPPER = (255, 2**16 - 1, SMALL[1], LARGE[1], 2**64 - 1, 2**512 - 1, 2**WIDEST - 1)
_LOWER = (0, -1, SMALL[0], LARGE[0])


def join(a: Range | None, b: Range | None) -> Range | None:
    """The least range around both; None is a value that nothing has yet."""
    if a is None or b is None:
        return a or b
    return min(a[0], b[0]), max(a[1], b[1])


def meet(a: Range, low: int, high: int) -> Range:
    """The part of a range between bounds; a range that is impossible there stays one number."""
    low, high = max(a[0], low), min(a[1], high)
    return (low, high) if low <= high else (low, low) if low <= a[1] else (high, high)


def words(range_: Range) -> int:
    """How wide: 0 for 32 bits, else a number of 64-bit words. Below 0 more than one word is never needed: numbers end
    at the limit, sets are not below 0, and no type of the language has both."""
    low, high = range_
    if low >= SMALL[0] and high <= SMALL[1]:
        return 0
    if low >= LARGE[0] and high <= LARGE[1]:
        return 1
    if low >= 0:
        return (high.bit_length() + 63) // 64
    raise InternalError(f"a bit set below 0, {low} to {high}", "backends")


@frozen
class Group:
    """Slots that share a range: those of one group of the layout."""

    base: int
    count: int


@frozen
class Standing:
    """Pieces of a kind on the spaces of a group of occupants. The occupant with the number `first` is piece 0; pieces
    have their places from slot `places` on, and a place of number `space + i` is the space i."""

    first: int
    places: int
    space: int


@define
class Ranges:
    """What is known of a program. `groups` are sorted by base and cover the state."""

    program: Program
    groups: list[Group]
    slots: list[Range]  # by group
    parameters: dict[str, list[Range | None]]
    results: dict[str, Range | None]
    variables: dict[Scope, dict[str, Range]]
    lists: dict[Scope, dict[str, Range]]
    arrays: dict[str, tuple[Range, ...]]  # by element of a row
    rows: dict[str, int]
    used: set[str] = field(factory=set)
    """The functions that play can reach."""
    first_codes: dict[int, Range] = field(factory=dict)
    """What the code chosen can be at the start of a block that is only entered by a choice."""
    writes: dict[str, frozenset[int]] = field(factory=dict)
    """The groups that a function and all that it calls may change."""
    standing: dict[int, tuple[Standing, ...]] = field(factory=dict)
    """By group of occupants: what is known of pieces found there."""
    _bases: list[int] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self._bases.extend(group.base for group in self.groups)

    def group_of(self, slot: int) -> int:
        return bisect_right(self._bases, slot) - 1

    def group_at(self, place: c.LoadAt | c.StoreAt) -> int:
        """The group that an access to slot `base + index` is about."""
        slot = place.base if place.home < 0 else place.home
        return self.group_of(min(max(slot, 0), self.program.layout.size - 1))


class Flow:
    """Follows one scope in order: what is known of its variables at this point."""

    def __init__(self, ranges: Ranges, scope: Scope, space: object = None) -> None:
        self.ranges, self.scope = ranges, scope
        self.space = scope if space is None else space  # tells variables of one scope apart that is printed twice
        self.variables = ranges.variables.setdefault(scope, {})
        self.now: dict[Known, Range] = {}
        self.codes: Range | None = ranges.first_codes.get(scope) if isinstance(scope, int) else None
        self._known: dict[int, tuple[c.Expr, Range | None]] = {}

    def changed(self) -> None:
        self._known.clear()

    # ------------------------------------------------------------------ what statements tell

    def set(self, name: str, range_: Range | None, value: c.Expr | None = None) -> None:
        """A variable was given a value. A piece found on a space is known to stand there."""
        self.forget((name,))
        if range_ is not None:
            self.now[name] = range_
        offset = 0
        match value:
            case c.Binary("+", found, c.Int(number)):
                value, offset = found, -number
        if isinstance(value, c.LoadAt):
            number = self.ranges.group_at(value)
            at = self.range(value.index)
            for standing in self.ranges.standing.get(number, ()):
                if standing.first == offset and at is not None and not _mentions(value.index, name):
                    group = self.ranges.groups[number]
                    shift = standing.space + value.base - group.base
                    range_ = meet((at[0] + shift, at[1] + shift), standing.space, standing.space + group.count - 1)
                    self.now[standing.places, name] = range_

    def forget(self, names: Iterable[str]) -> None:
        """Variables may have any value now."""
        names = frozenset(names)
        gone = [known for known in self.now if (known if isinstance(known, str) else known[1]) in names]
        for known in gone:
            del self.now[known]
        self.changed()

    def wrote(self, groups: frozenset[int]) -> None:
        """Slots of some groups may have changed."""
        gone = [known for known in self.now if not isinstance(known, str) and self.ranges.group_of(known[0]) in groups]
        for known in gone:
            del self.now[known]
        if gone:
            self.changed()

    def given(self, name: str, argument: c.Expr, caller: Flow) -> None:
        """An input is given the value of a variable of the caller, with all that is known of it."""
        if isinstance(argument, c.Var):
            for known, range_ in caller.now.items():
                if not isinstance(known, str) and known[1] == argument.name:
                    self.now[known[0], name] = range_

    def loses(self, loop: c.Stmt) -> None:
        """What a loop may change is not known at the start of its turns."""
        self.forget(assigned(loop))
        self.wrote(written((loop,), self.ranges))

    def keep(self) -> dict[Known, Range]:
        return dict(self.now)

    def back(self, kept: dict[Known, Range]) -> None:
        self.now = dict(kept)
        self.changed()

    def meet_again(self, first: dict[Known, Range], first_exits: bool, second_exits: bool) -> None:
        """After two branches, of which the second is `now`."""
        if second_exits:
            self.now = first
        elif not first_exits:
            joined = {name: join(first[name], range_) for name, range_ in self.now.items() if name in first}
            self.now = {name: range_ for name, range_ in joined.items() if range_ is not None}
        self.changed()

    def suppose(self, condition: c.Expr, truth: bool) -> None:
        """Narrows what is known by a condition that is so."""
        match condition:
            case c.Not(inner):
                self.suppose(inner, not truth)
            case c.And(left, right) if truth:
                self.suppose(left, True)
                self.suppose(right, True)
            case c.Or(left, right) if not truth:
                self.suppose(left, False)
                self.suppose(right, False)
            case c.Compare(op, left, right):
                sign = op if truth else _OPPOSITE[op]
                a, b = self.range(left), self.range(right)
                if a is not None and b is not None:
                    self._narrow(left, sign, a, b)
                    self._narrow(right, _MIRRORED[sign], b, a)
            case c.Var():
                self.suppose(c.Compare("!=", condition, c.Int(0)), truth)

    def _narrow(self, expr: c.Expr, sign: str, mine: Range, other: Range) -> None:
        low, high = other
        match expr, sign:
            case c.Binary("+", inner, c.Int(number)), _:
                range_ = self.range(inner)
                if range_ is not None:
                    self._narrow(inner, sign, range_, (low - number, high - number))
            case c.Var(name), _:
                self._narrowed(name, sign, mine, other)
            case c.LoadAt(base, c.Var(name)), _ if self._is_inside(expr):
                self._narrowed((base, name), sign, mine, other)

    def _narrowed(self, known: Known, sign: str, mine: Range, other: Range) -> None:
        low, high = other
        match sign:
            case "=":
                self.now[known] = meet(mine, low, high)
            case "<" | "<=":
                self.now[known] = meet(mine, mine[0], high - (sign == "<"))
            case ">" | ">=":
                self.now[known] = meet(mine, low + (sign == ">"), mine[1])
            case "!=" if low == high and mine[0] == low < mine[1]:
                self.now[known] = low + 1, mine[1]
            case "!=" if low == high and mine[1] == low > mine[0]:
                self.now[known] = mine[0], low - 1
        self.changed()

    def _is_inside(self, place: c.LoadAt) -> bool:
        """Is it surely a slot of the group that is meant?"""
        at = self.range(place.index)
        group = self.ranges.groups[self.ranges.group_at(place)]
        return at is not None and group.base <= place.base + at[0] and place.base + at[1] < group.base + group.count

    @contextmanager
    def if_so(self, condition: c.Expr, truth: bool) -> Iterator[None]:
        """What is looked at meanwhile is only worked out where a condition is so, or is not."""
        kept = self.keep()
        try:
            self.suppose(condition, truth)
            yield
        finally:
            self.back(kept)

    # ------------------------------------------------------------------ what expressions are

    def truth(self, condition: c.Expr) -> bool | None:
        """Whether a comparison is surely so, or surely not."""
        match condition:
            case c.Int(value):
                return value != 0
            case c.Not(inner):
                known = self.truth(inner)
                return None if known is None else not known
            case c.Compare(op, left, right):
                a, b = self.range(left), self.range(right)
                return None if a is None or b is None else certain(op, a, b)
        return None

    def called(self, function: str, arguments: list[Range | None]) -> Range | None:
        return self.ranges.results[function]

    def met(self, expr: c.Binary, left: Range, right: Range) -> None:
        """An operation was come to, with the ranges of its sides."""

    def range(self, expr: c.Expr) -> Range | None:
        """The range of an expression here; None if it cannot have a value (yet)."""
        known = self._known.get(id(expr))
        if known is None:
            known = self._known[id(expr)] = expr, self._range(expr)
        return known[1]

    def _range(self, expr: c.Expr) -> Range | None:
        ranges = self.ranges
        match expr:
            case c.Int(value) | c.BlockNumber(value):
                return value, value
            case c.Var(name):
                return self.now.get(name) or self.variables.get(name)
            case c.Load(slot):
                return self.codes if slot == CHOICE and self.codes else ranges.slots[ranges.group_of(slot)]
            case c.LoadAt(base, index):
                if self.range(index) is None:
                    return None
                if isinstance(index, c.Var) and (base, index.name) in self.now and self._is_inside(expr):
                    return self.now[base, index.name]
                return ranges.slots[ranges.group_at(expr)]
            case c.ArrayGet(array, index):
                return None if self.range(index) is None else ranges.arrays[array][0]
            case c.Binary(op, left, right):
                a, b = self.range(left), self.range(right)
                if a is None or b is None:
                    return None
                self.met(expr, a, b)
                return combine(op, a, b)
            case c.And(left, right) | c.Or(left, right):
                self.range(left)
                with self.if_so(left, isinstance(expr, c.And)):
                    self.range(right)
                return FLAG
            case c.Pick(condition, then, otherwise):
                self.range(condition)
                settled = self.truth(condition)
                if settled is not None:
                    return self.range(then if settled else otherwise)
                with self.if_so(condition, True):
                    first = self.range(then)
                with self.if_so(condition, False):
                    second = self.range(otherwise)
                return join(first, second)
            case c.PopCount(set_):
                bits = self.range(set_)
                return None if bits is None else (0, bits[1].bit_length() if bits[0] >= 0 else 64)
            case c.CallValue(function, arguments):
                return self.called(function, [self.range(argument) for argument in arguments])
        for part in children(expr):
            if isinstance(part, c.Expr):
                self.range(part)
        return FLAG


_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">=": "<=", ">": "<", "<=": ">="}


def certain(op: c.CompareOp, a: Range, b: Range) -> bool | None:
    """What a comparison gives for all values of two ranges; None if that differs."""
    match op:
        case "=":
            return False if a[1] < b[0] or b[1] < a[0] else True if a == b and a[0] == a[1] else None
        case "!=":
            known = certain("=", a, b)
            return None if known is None else not known
        case "<":
            return True if a[1] < b[0] else False if a[0] >= b[1] else None
        case "<=":
            return True if a[1] <= b[0] else False if a[0] > b[1] else None
        case ">":
            return certain("<", b, a)
    return certain("<=", b, a)


def combine(op: c.BinaryOp, a: Range, b: Range) -> Range:
    """The range of an operation on values of two ranges."""
    match op:
        case "+" | "-" | "*":
            low, high = _calculated(op, a, b)
            if not (_is_number(a) and _is_number(b)):
                return low, min(high, (1 << WIDEST) - 1)  # one more or less than a set, as a number
            bounds = LIMITED if may_leave(op, a, b) else LARGE
            return max(low, bounds[0]), min(high, bounds[1])
        case "div":
            return _quotient(a, b)
        case "mod":
            if b[0] > 0:
                return a if a[0] >= 0 and a[1] < b[0] else (0, b[1] - 1)
            return min(b[0] + 1, 0), max(b[1] - 1, 0)
        case "min":
            return min(a[0], b[0]), min(a[1], b[1])
        case "max":
            return max(a[0], b[0]), max(a[1], b[1])
        case "<<":
            return _shifted(a, b)
        case ">>":
            low, high = (min(max(n, 0), WIDEST) for n in b)
            return min(a[0] >> low, a[0] >> high), max(a[1] >> low, a[1] >> high)
    return _bitwise(op, a, b)


def may_leave(op: c.BinaryOp, a: Range, b: Range) -> bool:
    """May an operation on values of two ranges give more than a number or a set can be?"""
    if op == "<<":
        return b[1] >= WIDEST or (a[1] > 0 and a[1].bit_length() + b[1] > WIDEST)
    if op not in ("+", "-", "*") or not (_is_number(a) and _is_number(b)):
        return False
    if op != "*" and any(max(-low, high) <= STEP for low, high in (a, b)):
        return False
    low, high = _calculated(op, a, b)
    return low < LIMITED[0] or high > LIMITED[1]


def _calculated(op: str, a: Range, b: Range) -> Range:
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "-":
        return a[0] - b[1], a[1] - b[0]
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _is_number(range_: Range) -> bool:
    """Does it fit a word with its sign? (Small sets do too; nobody multiplies them.)"""
    return LARGE[0] <= range_[0] and range_[1] <= LARGE[1]


def _bitwise(op: str, a: Range, b: Range) -> Range:
    if op == "&" and (a[0] >= 0 or b[0] >= 0):
        return 0, min(side[1] for side in (a, b) if side[0] >= 0)
    if op == "&~" and a[0] >= 0:
        return 0, a[1]
    bits = max((n if n >= 0 else ~n).bit_length() for n in (*a, *b))
    if op == "|" and a[0] >= 0 and b[0] >= 0:
        return max(a[0], b[0]), (1 << bits) - 1
    return -(1 << bits), (1 << bits) - 1


def _shifted(a: Range, b: Range) -> Range:
    low, high = (min(max(n, 0), WIDEST) for n in b)
    if a[0] < 0:
        return max(a[0] << high, LARGE[0]), min(max(a[1] << high, a[1] << low), LARGE[1])
    top = a[1] << high
    return a[0] << low, top if top.bit_length() <= WIDEST else (1 << WIDEST) - 1


def _quotient(a: Range, b: Range) -> Range:
    if b[0] > 0:
        return min(a[0] // b[0], a[0] // b[1]), max(a[1] // b[0], a[1] // b[1])
    most = max(abs(a[0]), abs(a[1]))
    return max(-most, LARGE[0]), most if a[1] > LARGE[1] else min(most, LARGE[1])


# ------------------------------------------------------------------------------------------------ the whole program


Met = Callable[[Scope, c.Binary, Range, Range], None]
"""Told of operations and the ranges of their sides, which may grow from one time to the next."""


def infer(program: Program, met: Met | None = None) -> Ranges:
    """The ranges of everything that play can reach: blocks, the options and actors of decisions, the scores."""
    return _Inference(program, met).ranges


class _Following(Flow):
    """Follows a scope and tells the inference what it gives to others."""

    def __init__(self, inference: _Inference, scope: Scope) -> None:
        super().__init__(inference.ranges, scope)
        self.inference = inference

    def called(self, function: str, arguments: list[Range | None]) -> Range | None:
        self.inference.call(function, self.scope, arguments)
        return self.ranges.results[function]

    def met(self, expr: c.Binary, left: Range, right: Range) -> None:
        if self.inference.met is not None:
            self.inference.met(self.scope, expr, left, right)

    def bind(self, name: str, range_: Range | None, value: c.Expr | None = None) -> None:
        if range_ is not None:
            self.inference.grow(self.variables, name, range_, self.scope)
        self.set(name, range_, value)

    def body(self, body: c.Body) -> None:
        for stmt in body:
            self.statement(stmt)

    def statement(self, stmt: c.Stmt) -> None:
        match stmt:
            case c.Assign(var, value):
                self.bind(var, self.range(value), value)
            case c.Store(slot, value):
                if slot == CHOICE:
                    self.codes = None
                self.store(self.ranges.group_of(slot), self.range(value))
            case c.StoreAt(_, index, value):
                self.range(index)
                self.store(self.ranges.group_at(stmt), self.range(value))
            case c.Fill(base, _, value):
                self.store(self.ranges.group_of(base), (value, value))
            case c.If(condition, then, otherwise):
                self.range(condition)
                self.branches(condition, then, otherwise)
            case c.IfEmpty(_, then, otherwise):
                self.branches(c.Int(1), then, otherwise)
            case c.Return(value):
                if value is not None:
                    self.inference.give(self.scope, self.range(value))
            case c.CallEffect(function, arguments):
                self.called(function, [self.range(argument) for argument in arguments])
                self.wrote(self.ranges.writes[function])
            case c.Push(name, value):
                range_ = self.range(value)
                if range_ is not None:
                    lists = self.ranges.lists.setdefault(self.scope, {})
                    self.inference.grow(lists, name, range_, self.scope)
            case c.Pop(name, var):
                self.bind(var, self.ranges.lists.get(self.scope, {}).get(name))
            case c.Chance(var, sides):
                range_ = self.range(sides)
                self.bind(var, None if range_ is None else (0, max(0, min(range_[1], 2**32) - 1)))
            case c.Check(condition):
                self.range(condition)
                self.suppose(condition, True)
            case c.ForRange() | c.ForRow() | c.ForItems() | c.ForBits() | c.ForList() | c.Forever():
                self.loop(stmt)
            case c.Emit():
                pass  # what is told is worked out by the judge
            case _:
                for part in children(stmt):
                    if isinstance(part, c.Expr):
                        self.range(part)

    def branches(self, condition: c.Expr, then: c.Body, otherwise: c.Body) -> None:
        kept = self.keep()
        self.suppose(condition, True)
        self.body(then)
        first = self.keep()
        self.back(kept)
        self.suppose(condition, False)
        self.body(otherwise)
        self.meet_again(first, is_exit(then), is_exit(otherwise))

    def loop(self, stmt: c.ForRange | c.ForRow | c.ForItems | c.ForBits | c.ForList | c.Forever) -> None:
        for expr in children(stmt):
            if isinstance(expr, c.Expr):
                self.range(expr)
        bound = loop_ranges(self, stmt)
        self.loses(stmt)
        kept = self.keep()
        for name, range_ in bound.items():
            self.bind(name, range_)
        self.body(stmt.body)
        self.back(kept)

    def store(self, group: int, range_: Range | None) -> None:
        self.wrote(frozenset((group,)))
        if range_ is not None:
            self.inference.stored(group, range_)


def loop_ranges(flow: Flow, stmt: c.Stmt) -> dict[str, Range | None]:
    """The variables that a loop binds, with their ranges."""
    match stmt:
        case c.ForRange(var, low, high):
            a, b = flow.range(low), flow.range(high)
            return {var: None if a is None or b is None else (a[0], max(a[0], b[1] - 1))}
        case c.ForRow(names, array):
            columns = flow.ranges.arrays[array]  # of rows that are all empty there are too few
            return {name: columns[i] if i < len(columns) else None for i, name in enumerate(names)}
        case c.ForItems(var, items):
            range_ = None
            for item in items:
                range_ = join(range_, flow.range(item))
            return {var: range_}
        case c.ForBits(var, set_):
            bits = flow.range(set_)
            return {var: None if bits is None else (0, max(0, bits[1].bit_length() - 1))}
        case c.ForList(var, name):
            return {var: flow.ranges.lists.get(flow.scope, {}).get(name)}
    return {}


def written(body: c.Body, ranges: Ranges) -> frozenset[int]:
    """The groups of slots that a body may change, itself or by what it calls."""
    groups: set[int] = set()
    for node in visit_body(body):
        match node:
            case c.Store(slot):
                groups.add(ranges.group_of(slot))
            case c.StoreAt():
                groups.add(ranges.group_at(node))
            case c.Fill(base, count):
                groups.update(ranges.group_of(slot) for slot in (base, base + count - 1))
            case c.Chance():
                groups.add(ranges.group_of(RNG))
            case c.CallEffect(function) | c.CallValue(function):
                groups.update(ranges.writes.get(function, ()))
    return frozenset(groups)


def _writes(ranges: Ranges) -> dict[str, frozenset[int]]:
    """What each function may change, with all that it calls."""
    calls = calls_of(ranges.program)
    writes = {name: written(f.body, ranges) for name, f in ranges.program.functions.items()}
    growing = True
    while growing:
        growing = False
        for name, others in calls.items():
            wider = writes[name].union(*(writes[other] for other in others))
            growing = growing or wider != writes[name]
            writes[name] = wider
    return writes


def _standing(program: Program, groups: Ranges) -> dict[int, tuple[Standing, ...]]:
    """Where pieces found on a space are known to be: the space, as long as neither has been written."""
    layout = program.layout
    standing: dict[int, tuple[Standing, ...]] = {}
    for board in layout.groups:
        if board.what == "occupant" and board.kinds:
            standing[groups.group_of(board.base)] = tuple(
                Standing(first, layout.named("place", kind).base, code)
                for kind, first in board.kinds
                for code, place in enumerate(program.places[kind])
                if (place.kind, place.name, place.space) == ("space", board.subject, 0)
            )
    return standing


def _mentions(expr: c.Expr, name: str) -> bool:
    return any(name in variables(node) for node in visit(expr))


def assigned(stmt: c.Stmt) -> frozenset[str]:
    """The variables that a statement sets."""
    return frozenset(name for node in visit(stmt) if isinstance(node, c.Stmt) for name in variables(node))


class _Inference:
    def __init__(self, program: Program, met: Met | None) -> None:
        self.program, self.met = program, met
        groups, slots, self.open = _groups(program)
        self.ranges = Ranges(
            program,
            groups,
            slots,
            {name: [None] * len(f.parameters) for name, f in program.functions.items()},
            dict.fromkeys(program.functions),
            {},
            {},
            {name: _columns(values) for name, values in program.arrays.items()},
            {name: len(values) for name, values in program.arrays.items()},
            first_codes=_first_codes(program),
        )
        self.ranges.writes = _writes(self.ranges)
        self.ranges.standing = _standing(program, self.ranges)
        self.callers: dict[str, set[Scope]] = {name: set() for name in program.functions}
        self.readers: dict[int, set[Scope]] = {}
        self.rounds: dict[object, int] = {}
        self.waiting: dict[Scope, None] = {}
        self._run()

    def _run(self) -> None:
        for decision in self.program.decisions:
            for name in (decision.options, decision.actor):
                self.call(name, name, [])
        if self.program.score:
            self.call(self.program.score, self.program.score, [(0, max(0, len(self.program.players) - 1))])
        self.waiting.update(dict.fromkeys(range(len(self.program.blocks))))
        while self.waiting:
            scope = next(iter(self.waiting))
            del self.waiting[scope]
            follow = _Following(self, scope)
            if isinstance(scope, int):
                block = self.program.blocks[scope]
                self._reads(scope, block.body)
                follow.body(block.body)
                if isinstance(block.end, c.Branch):
                    follow.range(block.end.condition)
            else:
                function = self.program.functions[scope]
                self._reads(scope, function.body)
                for name, range_ in zip(function.parameters, self.ranges.parameters[scope], strict=True):
                    follow.bind(name, range_)
                follow.body(function.body)
                if function.returns == "value" and not is_exit(function.body):
                    self.give(scope, (0, 0))

        for name in self.ranges.used:  # what never returns is called all the same
            self.ranges.results[name] = self.ranges.results[name] or (0, 0)

    def _reads(self, scope: Scope, body: c.Body) -> None:
        """Notes which open groups a scope reads, once."""
        if ("read", scope) in self.rounds:
            return
        self.rounds["read", scope] = 1
        nodes = list(visit_body(body))
        if isinstance(scope, int):
            nodes.extend(visit(self.program.blocks[scope].end))
        for node in nodes:
            match node:
                case c.Load(slot):
                    self.readers.setdefault(self.ranges.group_of(slot), set()).add(scope)
                case c.LoadAt():
                    self.readers.setdefault(self.ranges.group_at(node), set()).add(scope)

    def call(self, function: str, caller: Scope, arguments: list[Range | None]) -> None:
        new = function not in self.ranges.used
        self.ranges.used.add(function)
        self.callers[function].add(caller)
        parameters = self.ranges.parameters[function]
        changed = new
        for i, range_ in enumerate(arguments):
            wider = self._wider(("input", function, i), parameters[i], range_)
            if wider != parameters[i]:
                parameters[i] = wider
                changed = True
        if changed:
            self.waiting[function] = None

    def give(self, scope: Scope, range_: Range | None) -> None:
        if isinstance(scope, int):
            return
        wider = self._wider(("result", scope), self.ranges.results[scope], range_)
        if wider != self.ranges.results[scope]:
            self.ranges.results[scope] = wider
            self.waiting.update(dict.fromkeys(self.callers[scope]))

    def grow(self, table: dict[str, Range], name: str, range_: Range, scope: Scope) -> None:
        old = table.get(name)
        wider = self._wider((id(table), name), old, range_)
        if wider is not None and wider != old:
            table[name] = wider
            self.waiting[scope] = None

    def stored(self, group: int, range_: Range) -> None:
        if group in self.open:
            wider = self._wider(("slot", group), self.ranges.slots[group], range_)
            if wider is not None and wider != self.ranges.slots[group]:
                self.ranges.slots[group] = wider
                self.waiting.update(dict.fromkeys(self.readers.get(group, ())))

    def _wider(self, key: object, old: Range | None, new: Range | None) -> Range | None:
        wider = join(old, new)
        if wider == old or wider is None:
            return old
        rounds = self.rounds[key] = self.rounds.get(key, 0) + 1
        if old is None or rounds <= _PATIENCE:
            return wider
        low, high = wider
        if low < old[0]:
            low = next((bound for bound in _LOWER if bound <= low), _LOWER[-1])
        if high > old[1]:
            high = next((bound for bound in _UPPER if bound >= high), _UPPER[-1])
        return low, high


def _groups(program: Program) -> tuple[list[Group], list[Range], set[int]]:
    """The groups of the state, what their slots hold, and which of them have to be found out."""
    size = program.layout.size
    initial = [*program.initial, *[0] * (size - len(program.initial))]
    parts: list[tuple[int, int, SlotGroup | None]] = []
    at = 0
    for group in sorted(program.layout.groups, key=lambda group: group.base):
        if group.base > at:
            parts.append((at, group.base - at, None))
        if group.what == "control":
            parts.extend((slot, 1, group) for slot in range(group.base, group.base + group.count))
        elif parts and (last := parts[-1][2]) and group.base == at and _alike(last, group):
            base, count, _ = parts[-1]  # the zones of several players are reached as one array
            parts[-1] = base, count + group.count, last
        else:
            parts.append((group.base, group.count, group))
        at = group.base + group.count
    if at < size:
        parts.append((at, size - at, None))
    groups: list[Group] = []
    ranges: list[Range] = []
    open_: set[int] = set()
    for base, count, layout_group in parts:
        number = len(groups)
        groups.append(Group(base, count))
        known = min(initial[base : base + count]), max(initial[base : base + count])
        if layout_group is None or layout_group.what == "control" or layout_group.low < SMALL[0]:
            open_.add(number)
            if base == PC:
                known = (-1, len(program.blocks))
            elif base == CHOICE:
                known = (-1, max((highest_code(program, d) for d in program.decisions), default=0))
            elif base == PLAYER:
                known = join(known, (0, max(0, len(program.players) - 1))) or known
            elif layout_group is not None and layout_group.what == "control":
                known = join(known, (-1, 1)) or known  # what a session may set
            ranges.append(known)
        else:
            ranges.append(join(known, (layout_group.low, layout_group.high)) or known)
    return groups, ranges, open_


def _alike(first: SlotGroup, second: SlotGroup) -> bool:
    return (first.what, first.name, first.low, first.high) == (second.what, second.name, second.low, second.high)


def highest_code(program: Program, decision: DecisionInfo) -> int:
    """The highest code that an option of the decision can have."""
    codes = [decision.pass_code]
    if decision.form == "pick":
        codes.append(program.decisions[decision.parent].branches[decision.branch].binders[decision.binder].size)
    for branch in decision.branches:
        count = 1
        for radix in branch.radix:
            count *= radix
        codes.append(branch.base + count - 1)
    return max(codes)


def _first_codes(program: Program) -> dict[int, Range]:
    resumed: dict[int, list[int]] = {}
    others = set(roots(program))
    for block in program.blocks:
        for target in successors(block.end):
            if isinstance(block.end, c.Ask) and target == block.end.resume != block.end.otherwise:
                resumed.setdefault(target, []).append(block.end.decision)
            else:
                others.add(target)
        for node in visit_body(block.body):
            if isinstance(node, c.BlockNumber):
                others.add(node.block)
    return {
        number: (0, max(highest_code(program, program.decisions[d]) for d in decisions))
        for number, decisions in resumed.items()
        if number not in others
    }


def _columns(values: tuple[object, ...]) -> tuple[Range, ...]:
    """The ranges of an array of numbers, or of the elements of its rows."""
    columns: list[Range | None] = [None]

    def take(value: object) -> None:
        parts = value if isinstance(value, tuple) else (value,)
        columns.extend([None] * (len(parts) - len(columns)))
        for i, part in enumerate(parts):
            columns[i] = join(columns[i], (part, part))

    for value in values:
        if isinstance(value, tuple):
            for element in value:
                take(element)
        else:
            take(value)
    return tuple(column or (0, 0) for column in columns)


__all__ = [
    "FLAG",
    "LARGE",
    "LIMITED",
    "SMALL",
    "STEP",
    "WIDEST",
    "Flow",
    "Group",
    "Known",
    "Range",
    "Ranges",
    "Scope",
    "assigned",
    "certain",
    "combine",
    "highest_code",
    "infer",
    "join",
    "loop_ranges",
    "may_leave",
    "words",
    "written",
]
