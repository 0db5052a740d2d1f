"""What an expression means, read off the reference as plainly as can be: an oracle for everything below the model.

It walks over the understood expression and the numbers of the state, makes sets into lists, tries every candidate of a
quantifier, and goes through the lines of values and relations one by one. It shares nothing with lowering, passes and
backend but the model and the layout of the state. Nothing is `None`; what may not be asked of nothing is `Faulty` with
the code that a player would see.

Invariant: a set is a list without repetitions; its order is that of the reference: members in their order, an ordered
zone from its top down, the spaces of a run as they are passed, neighbours by their links.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations, product

from interpreter.ir.program import PLAYER, ROUND, RUNNING, STATUS, WINNERS, SlotGroup
from interpreter.runtime import Rules, Session
from interpreter.semantics import domain_size
from interpreter.semantics import model as m
from interpreter.semantics.types import FlagType, HalvesType, ListType, NumberType, SetType, SpaceType, Type

__all__ = ["Faulty", "Reading", "plain"]

Value = int | None | list[int] | dict[int, int]
_DEEP = 60


class Faulty(Exception):  # noqa: N818 - a fault of the rules
    """The expression has no value: code of the fault."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Reading:
    """Reads expressions in one state of one game."""

    def __init__(self, session: Session) -> None:
        self.rules: Rules = session.rules
        self.game = session.rules.game
        self.state: Sequence[int] = session.state
        groups = session.rules.program.layout.groups
        variables = [group for group in groups if group.what == "variable"]
        self.variables: Mapping[m.Variable, SlotGroup] = dict(zip(self.game.variables, variables, strict=True))
        self.places = {group.subject: group for group in groups if group.what == "place"}
        self.orders: dict[str, list[SlotGroup]] = {}
        for group in groups:
            if group.what == "order":
                self.orders.setdefault(group.subject, []).append(group)
        self.row_functions = {id(f) for rows in self.game.rows.values() for f in rows.functions.values()}
        self.deep = 0

    # ------------------------------------------------------------------ kinds of answers

    def value(self, expr: m.Expr, known: Mapping[m.Local, Value]) -> Value:
        """Whatever the expression gives."""
        if isinstance(expr.type, SetType | ListType):
            return self.set(expr, known)
        return self.one(expr, known)

    def number(self, expr: m.Expr, known: Mapping[m.Local, Value]) -> int:
        """A number, or a member that has to be there."""
        found = self.one(expr, known)
        if found is None:
            raise Faulty("D705")
        return found

    def holds(self, expr: m.Expr, known: Mapping[m.Local, Value]) -> bool:
        """Yes or no."""
        return bool(self.one(expr, known))

    def one(self, expr: m.Expr, known: Mapping[m.Local, Value]) -> int | None:
        """A number, a flag (0 or 1), a member, or none."""
        match expr:
            case m.Const(value=value):
                return None if value == -1 and (expr.type.optional or not isinstance(expr.type, NumberType)) else value
            case m.LocalRef(local=local):
                found = known[local]
                assert found is None or isinstance(found, int)
                return found
            case m.MapGet(local=local, key=key):
                given = known[local]
                assert isinstance(given, dict)
                return given[self.number(key, known)]
            case m.VariableRef():
                return self._variable(expr, known)
            case m.Current(what=what):
                return self._current(what)
            case m.VariableRef():
                held = self._variable(expr, known) or 0
                return [index for index in range(held.bit_length()) if held >> index & 1]
            case m.AttributeRef(attribute=attribute, subject=subject):
                of = self.one(subject, known)
                return self._of_nothing(expr.type) if of is None else _none_or(attribute.values[of], attribute.type)
            case m.FigureRef(figure=figure, subject=subject, member=member):
                row, column = self.one(subject, known), self.one(member, known)
                if row is None:
                    return self._of_nothing(expr.type)
                if column is None:  # a blank
                    return 0 if isinstance(figure.type, NumberType | FlagType) else None
                return _none_or(figure.values[row * domain_size(self.game, figure.by) + column], figure.type)
            case m.LinkAttribute():
                return self._link(expr, known)
            case m.Arithmetic(op=op, left=left, right=right):
                return _computed(op, self.number(left, known), self.number(right, known))
            case m.Compare():
                return int(self._compare(expr, known))
            case m.Logic(op="and", left=left, right=right):
                return int(self.holds(left, known) and self.holds(right, known))
            case m.Logic(left=left, right=right):
                return int(self.holds(left, known) or self.holds(right, known))
            case m.Not(inner=inner):
                return int(not self.holds(inner, known))
            case m.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self.one(then if self.holds(condition, known) else otherwise, known)
            case m.CallExpr(function=function, arguments=arguments):
                return self._call(expr, function, arguments, known)
            case m.Count(set=set_):
                return len(self.set(set_, known))
            case m.Exists(set=set_):
                return int(bool(self.set(set_, known)))
            case m.First(set=set_):
                return next(iter(self.set(set_, known)), None)
            case m.Fold():
                return self._fold(expr, known)
            case m.InSet(element=element, set=set_):
                wanted = self.one(element, known)
                return int(self._contains(set_, wanted, known))
            case m.IsKnown(kind=kind, piece=piece, player=player):
                found, viewer = self.one(piece, known), self.number(player, known)
                return int(found is not None and self.rules.sight.locates(kind.name, found, list(self.state), viewer))
        return self._on_a_board(expr, known)

    def _of_nothing(self, type: Type) -> int | None:
        """Of nothing: none; a flag is no; a number cannot be asked for."""
        if isinstance(type, NumberType):
            raise Faulty("D705")
        return 0 if isinstance(type, FlagType) else None

    # ------------------------------------------------------------------ what is kept

    def _variable(self, expr: m.VariableRef, known: Mapping[m.Local, Value]) -> int | None:
        group, index = self.variables[expr.variable], 0
        for key, type in zip(expr.keys, expr.variable.keys, strict=True):
            at = self.one(key, known)
            if at is None:
                return self._of_nothing(expr.type)
            index = index * domain_size(self.game, type) + at
        return _none_or(self.state[group.base + index], expr.variable.type)

    def _current(self, what: str) -> int | None:
        match what:
            case "player":
                return self.state[PLAYER]
            case "winner":
                won = self._won()
                return won[0] if len(won) == 1 else None
            case "round number":
                return self.state[ROUND]
            case _:
                return int(self.state[STATUS] != RUNNING)

    def _won(self) -> list[int]:
        return [player for player in range(len(self.rules.players)) if self.state[WINNERS] >> player & 1]

    def _place(self, kind: m.Kind, piece: int) -> tuple[str, str, int, int]:
        """Where a piece is: box, zone or space, its name, the owner and the space."""
        group = self.places[kind.name]
        place = self.rules.program.places[kind.name][self.state[group.base + piece]]
        return place.kind, place.name, place.owner, place.space

    # ------------------------------------------------------------------ comparing

    def _compare(self, expr: m.Compare, known: Mapping[m.Local, Value]) -> bool:
        left, right = self.one(expr.left, known), self.one(expr.right, known)
        if expr.op in ("=", "!="):
            return (left == right) is (expr.op == "=")
        if left is None or right is None:
            raise Faulty("D705")
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[expr.op]

    def _contains(self, set_: m.Expr, wanted: int | None, known: Mapping[m.Local, Value]) -> bool:
        """Whether a set holds something; a condition is only asked of what it might hold."""
        if wanted is None:
            return False
        if isinstance(set_, m.Filter):
            if not self._contains(set_.source, wanted, known):
                return False
            if set_.excluded is not None and wanted in self._excluded(set_.excluded, known):
                return False
            return set_.condition is None or self.holds(set_.condition, {**known, set_.local: wanted})
        return wanted in self.set(set_, known)

    # ------------------------------------------------------------------ functions

    def _call(
        self, expr: m.Expr, function: m.Function, arguments: Sequence[m.Expr], known: Mapping[m.Local, Value]
    ) -> int | None:
        inside: dict[m.Local, Value] = {}
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            given = self.value(argument, known)
            if given is None and not parameter.type.optional:
                if id(function) in self.row_functions:  # a figure of no row
                    return self._of_nothing(expr.type)
                raise Faulty("D705")
            inside[parameter] = given
        self.deep += 1
        assert self.deep < _DEEP, "values in a circle"
        try:
            if function.form == "relation":
                return int(self.relation(function, inside))
            if function.table is not None:
                return self._table(function.table, inside)
            return self._lines(function, inside)
        finally:
            self.deep -= 1

    def relation(self, function: m.Function, known: Mapping[m.Local, Value]) -> bool:
        """One `when` must hold, where there is one; no `unless` may."""
        if any(case.kind == "unless" and self.holds(case.condition, known) for case in function.cases):
            return False
        whens = [case for case in function.cases if case.kind == "when"]
        return not whens or any(self.holds(case.condition, known) for case in whens)

    def _table(self, table: m.LookupTable, known: Mapping[m.Local, Value]) -> int | None:
        """The first row from the top that fits, the first column that fits."""
        for row in table.rows:
            if row.condition is None or self.holds(row.condition, known):
                for heading, cell in zip(table.columns, row.cells, strict=True):
                    if heading is None or self.holds(heading, known):
                        assert cell.value is not None
                        return self.one(cell.value, known)
        raise Faulty("D706")

    def _lines(self, function: m.Function, known: Mapping[m.Local, Value]) -> int | None:
        """A stack of lines from top to bottom; kept doubled where it may end in a half."""
        lines = function.lines
        if len(lines) == 1 and lines[0].kind == "start" and lines[0].per is None and not function.halves:
            return self.one(lines[0].amount, known)
        unit, total = 2 if function.halves else 1, 0
        for line in lines:
            if line.condition is not None and not self.holds(line.condition, known):
                continue
            amount = self.number(line.amount, known)
            if line.per is not None:
                amount *= len(self.set(line.per, known))
            match line.kind:
                case "start":
                    total = amount * unit
                case "+":
                    total += amount * unit
                case "-":
                    total -= amount * unit
                case "times":
                    total *= amount
                case "divided by":
                    total = _divided(total, amount, line.rounded, unit)
                case "at least":
                    total = max(total, amount * unit)
                case "at most":
                    total = min(total, amount * unit)
        return total

    # ------------------------------------------------------------------ sets

    def set(self, expr: m.Expr, known: Mapping[m.Local, Value]) -> list[int]:
        """The members of a set, in order, each once."""
        match expr:
            case m.AllOf(type=SetType(element=element)):
                return list(range(domain_size(self.game, element)))
            case m.RangeSet(low=low, high=high):
                return list(range(self.number(low, known), self.number(high, known) + 1))
            case m.ConstSet(values=values):
                return sorted(set(values))
            case m.SetOf(items=items):
                found = [self.one(item, known) for item in items]
                return sorted({item for item in found if item is not None})
            case m.ZoneSet(zone=zone, owner=owner):
                return self._zone(zone, owner, known)
            case m.BoxSet(kind=kind):
                return [piece for piece in range(kind.count) if self._place(kind, piece)[0] == "box"]
            case m.PiecesOn(kind=kind, board=use, spaces=spaces):
                pieces = range(kind.count)
                return [p for at in self.set(spaces, known) for p in pieces if self._stands(kind, p, use, at)]
            case m.SpacesOf(kind=kind, board=use, pieces=pieces_):
                standing = set(self.set(pieces_, known))
                every = range(len(use.board.spaces))
                return [at for at in every if any(self._stands(kind, p, use, at) for p in standing)]
            case m.NeighboursOfSet(board=use, link=link, spaces=spaces):
                return sorted({to for at in self.set(spaces, known) for to in _linked(use, at, link)})
            case m.Union(left=left, right=right):
                return list(dict.fromkeys([*self.set(left, known), *self.set(right, known)]))
            case m.Neighbours(board=use, link=link, space=space):
                return _linked(use, self.number(space, known), link)
            case m.AreaSet():
                return self._area(expr, known)
            case m.Filter():
                return self._filter(expr, known)
            case m.RunSet(board=use, start=start, direction=direction, local=local, condition=condition):
                return self._walk(use, start, direction, local, condition, known)
            case m.Current(what="winners"):
                return self._won()
            case m.LocalRef(local=local):
                found_ = known[local]
                assert isinstance(found_, list)
                return found_
            case m.AttributeRef(attribute=attribute, subject=subject):
                of = self.one(subject, known)
                bits = 0 if of is None else attribute.values[of]
                return [index for index in range(bits.bit_length()) if bits >> index & 1]
        raise TypeError(f"no set: {type(expr).__name__}")

    def _zone(self, zone: m.Zone, owner: m.Expr | None, known: Mapping[m.Local, Value]) -> list[int]:
        player = -1
        if owner is not None:
            found = self.one(owner, known)
            if found is None:
                raise Faulty("D705")
            player = found
        if zone.ordered:
            group = self.orders[zone.name][max(player, 0)]
            length = self.state[group.base]
            return list(reversed(self.state[group.base + 1 : group.base + 1 + length]))
        return [
            piece
            for piece in range(zone.kind.count)
            if self._place(zone.kind, piece)[:3] == ("zone", zone.name, player)
        ]

    def _filter(self, expr: m.Filter, known: Mapping[m.Local, Value]) -> list[int]:
        source = self.set(expr.source, known)
        kept = []
        for member in source:
            if expr.excluded is not None and member in self._excluded(expr.excluded, known):
                continue
            if expr.condition is None or self.holds(expr.condition, {**known, expr.local: member}):
                kept.append(member)
        return kept

    def _excluded(self, expr: m.Expr, known: Mapping[m.Local, Value]) -> list[int]:
        if isinstance(expr.type, SetType | ListType):
            return self.set(expr, known)
        found = self.one(expr, known)
        return [] if found is None else [found]

    def _fold(self, expr: m.Fold, known: Mapping[m.Local, Value]) -> int:
        numbers = [self.number(expr.body, {**known, expr.local: member}) for member in self.set(expr.set, known)]
        if not numbers:
            return 0
        if expr.how == "sum":
            return sum(numbers)
        return max(numbers) if expr.how == "highest" else min(numbers)

    # ------------------------------------------------------------------ what an option chooses

    def choices(self, branch: m.Branch) -> list[tuple[Value, ...]]:
        """Everything that a branch can be chosen with: one thing after another, each limited by those before."""
        found: list[dict[m.Local, Value]] = [{}]
        for binder in branch.binders:
            found = [{**known, binder.local: value} for known in found for value in self._bound(binder, known)]
        guard = branch.guard
        return [tuple(known.values()) for known in found if guard is None or self.holds(guard, known)]

    def _bound(self, binder: m.Binder, known: Mapping[m.Local, Value]) -> list[Value]:
        values: list[Value] = []
        match binder:
            case m.BindOne(set=set_):
                return [*self.set(set_, known)]
            case m.BindSome(set=set_, low=low, high=high):
                members = sorted(self.set(set_, known))
                least = 0 if low is None else self.number(low, known)
                most = len(members) if high is None else self.number(high, known)
                sizes = range(max(least, 0), min(most, len(members)) + 1)
                values = [list(some) for size in sizes for some in combinations(members, size)]
            case m.BindOrder(set=set_):
                values = [list(order) for order in permutations(self.set(set_, known))]
            case m.BindAssign(each_local=each, each=keys, set=set_):
                members = sorted(self.set(keys, known))
                given = [self.set(set_, {**known, each: member}) for member in members]
                values = [dict(zip(members, chosen, strict=True)) for chosen in product(*given)]
        such_that = getattr(binder, "such_that", None)
        if such_that is None:
            return values
        return [value for value in values if self.holds(such_that, {**known, binder.local: value})]

    # ------------------------------------------------------------------ boards

    def _on_a_board(self, expr: m.Expr, known: Mapping[m.Local, Value]) -> int | None:
        match expr:
            case m.NextSpace(board=use, space=space, direction=direction):
                at, towards = self.one(space, known), self.one(direction, known)
                return None if at is None or towards is None else _stepped(use, at, towards)
            case m.Turned(board=use, facing=facing, way=way, step=step):
                faced, seen = self.one(facing, known), self.one(way, known)
                return None if faced is None or seen is None else _clockwise(use, faced, seen * step)
            case m.Bearing(board=use, facing=facing, direction=direction, step=step):
                faced, seen = self.one(facing, known), self.one(direction, known)
                if faced is None or seen is None:
                    return None
                number = len(use.board.directions) // step
                ways = (way for way in range(number) if _clockwise(use, faced, way * step) == seen)
                return next(ways, None)
            case m.Toward(board=use, start=start, end=end):
                here, there = self.one(start, known), self.one(end, known)
                if here is None or there is None:
                    return None
                number = len(use.board.directions)
                return next((way for way in range(number) if _stepped(use, here, way) == there), None)
            case m.Slide(board=use, start=start, direction=direction, local=local, condition=condition):
                passed = self._walk(use, start, direction, local, condition, known)
                return passed[-1] if passed else self.number(start, known)
            case m.LineThrough():
                return int(self._line(expr, known))
            case m.Route():
                return int(self._route(expr, known))
            case m.Distance(board=use, link=link, start=start, end=end):
                return _distance(use, link, self.number(start, known), self.number(end, known))
            case m.PieceOn(kind=kind, space=space):
                at = self.one(space, known)
                assert isinstance(space.type, SpaceType)
                board = self.game.space_board(space.type.name)
                if at is None:
                    return None
                standing = (p for p in range(kind.count) if self._stands(kind, p, board, at))
                return next(standing, None)
            case m.Empty(board=use, space=space):
                at = self.one(space, known)
                if at is None:
                    return 0
                kinds = self.game.kinds.values()
                return int(not any(self._stands(kind, p, use, at) for kind in kinds for p in range(kind.count)))
            case m.SpaceOf(kind=kind, board=use, piece=piece):
                of = self.one(piece, known)
                if of is None:
                    return None
                sort, name, _, space_ = self._place(kind, of)
                return space_ if (sort, name) == ("space", use.name) else None
        raise TypeError(f"no expression: {type(expr).__name__}")

    def _area(self, expr: m.AreaSet, known: Mapping[m.Local, Value]) -> list[int]:
        """The squares of a shape, walked to from where one stands; row by row from the south."""
        shape, space, facing = (self.one(part, known) for part in (expr.shape, expr.space, expr.facing))
        if shape is None or space is None or facing is None:
            return []
        eighths = facing * 8 // len(expr.board.board.directions)
        offsets = [_turned(square, eighths) for square in expr.shapes[shape].squares]
        found = (_walked(expr.board, space, offset) for offset in sorted(offsets, key=lambda offset: offset[::-1]))
        return list(dict.fromkeys(square for square in found if square is not None))

    def _stands(self, kind: m.Kind, piece: int, use: m.BoardUse, space: int) -> bool:
        sort, name, _, at = self._place(kind, piece)
        return (sort, name, at) == ("space", use.name, space)

    def _walk(
        self,
        use: m.BoardUse,
        start: m.Expr,
        direction: m.Expr,
        local: m.Local,
        condition: m.Expr,
        known: Mapping[m.Local, Value],
    ) -> list[int]:
        """The spaces passed, step by step, until the board ends, the condition fails, or the start is ahead."""
        first, towards = self.number(start, known), self.number(direction, known)
        passed: list[int] = []
        ahead = _stepped(use, first, towards)
        while ahead is not None and ahead != first and self.holds(condition, {**known, local: ahead}):
            passed.append(ahead)
            ahead = _stepped(use, ahead, towards)
        return passed

    def _line(self, expr: m.LineThrough, known: Mapping[m.Local, Value]) -> bool:
        """Try every start and every direction."""
        through = self.one(expr.through, known)
        if through is None:
            return False
        board = expr.board.board
        directions = range(len(board.directions)) if expr.length > 1 else range(1)
        for direction in directions:
            for start in range(len(board.spaces)):
                line = [start]
                while len(line) < expr.length:
                    ahead = _stepped(expr.board, line[-1], direction)
                    if ahead is None or ahead in line:
                        break
                    line.append(ahead)
                whole = len(line) == expr.length and through in line
                if whole and all(self.holds(expr.condition, {**known, expr.local: space}) for space in line):
                    return True
        return False

    def _route(self, expr: m.Route, known: Mapping[m.Local, Value]) -> bool:
        goal = set(self.set(expr.goal, known))
        waiting = [space for space in self.set(expr.start, known) if self._contains(expr.through, space, known)]
        seen = set(waiting)
        while waiting:
            at = waiting.pop()
            if at in goal:
                return True
            for beside in _linked(expr.board, at, None):
                if beside not in seen and self._contains(expr.through, beside, known):
                    seen.add(beside)
                    waiting.append(beside)
        return False

    def _link(self, expr: m.LinkAttribute, known: Mapping[m.Local, Value]) -> int | None:
        start, end = self.number(expr.start, known), self.number(expr.end, known)
        for per_space in expr.board.board.links.values():
            for link in per_space[start]:
                if link.to == end:
                    found = link.attributes.get(expr.attribute)
                    assert found is None or isinstance(found, int)
                    return found
        raise Faulty("D713")


# ------------------------------------------------------------------------------------------- small things


def _none_or(value: int, type: Type) -> int | None:
    return None if value == -1 and type.optional else value


def _computed(op: str, a: int, b: int) -> int:
    if op in ("div", "mod") and b == 0:
        raise Faulty("D703")
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "div":
            return a // b
        case "mod":
            return a % b
        case "min":
            return min(a, b)
    return max(a, b)


def _divided(total: int, by: int, rounded: str | None, unit: int) -> int:
    if by == 0:
        raise Faulty("D703")
    if rounded is None:
        return total // by
    whole = -(-total // (by * unit)) if rounded == "up" else total // (by * unit)
    return whole * unit


def _stepped(use: m.BoardUse, space: int, direction: int) -> int | None:
    to = use.board.step[direction][space]
    return None if to < 0 else to


def _clockwise(use: m.BoardUse, direction: int, steps: int) -> int:
    """The direction that comes so many after a direction, round the board's list of them."""
    around = [*range(len(use.board.directions))] * 2
    return around[direction + steps]


def _turned(square: tuple[int, int], eighths: int) -> tuple[int, int]:
    """A square after a turn: its ring is gone round, an eighth of its length for each eighth."""
    size = max(map(abs, square))
    north = [(x, size) for x in range(-size, size)]
    ring = north + [(y, -x) for x, y in north] + [(-x, -y) for x, y in north] + [(-y, x) for x, y in north]
    return ring[(ring.index(square) + eighths * size) % len(ring)] if size else square


def _walked(use: m.BoardUse, space: int, offset: tuple[int, int]) -> int | None:
    """The space that lies so far east and north, by single steps; none where they leave the board."""
    names = use.board.directions
    at: int | None = space
    for steps, towards, back in ((offset[0], "east", "west"), (offset[1], "north", "south")):
        for _ in range(abs(steps)):
            at = None if at is None else _stepped(use, at, names.index(towards if steps > 0 else back))
    return at


def _linked(use: m.BoardUse, space: int, link: str | None) -> list[int]:
    kinds: Iterable[str] = use.board.links if link is None else [link]
    return list(dict.fromkeys(one.to for kind in kinds for one in use.board.links[kind][space]))


def _distance(use: m.BoardUse, link: str | None, start: int, end: int) -> int:
    reached, steps = {start}, 0
    while end not in reached:
        further = reached | {to for space in reached for to in _linked(use, space, link)}
        if further == reached:
            return -1
        reached, steps = further, steps + 1
    return steps


def plain(session: Session, expr: m.Expr, value: Value) -> object:
    """A value as `Session.evaluate` gives it: members of a set in their order, whatever order they lie in."""
    if isinstance(value, list):
        element = expr.type.element if isinstance(expr.type, SetType | ListType) else expr.type
        return tuple(_named(session, element, member) for member in sorted(value))
    assert not isinstance(value, dict)
    return _named(session, expr.type, value)


def _named(session: Session, type: Type, value: int | None) -> object:
    if value is None:
        return None
    if isinstance(type, FlagType):
        return bool(value)
    if isinstance(type, NumberType):
        return value
    if isinstance(type, HalvesType):
        return value / 2
    return session.names.member(type, value, list(session.state))
