"""Expressions by type: numbers, conditions, members of domains, and sets, as deep as asked.

Every operator, quantifier, aggregate and built-in of the reference is written here by something. Where a number could
be asked of nothing a careful scope keeps it from being asked; elsewhere that is a fault which every reader of the
rules must find alike.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from strategies.source import ADD, AND, ATOM, BASE, COMPARE, FACTOR, NOT, OR, TAIL, TERM, E, made
from strategies.world import FLAG, NUMBER, Called, Domain, Feature, Global, Local, Scope, World, Zone

__all__ = ["areas", "argument", "base", "condition", "member", "number", "of_type", "relative", "set_of", "things"]

_COMPASS = 8
"""Directions of a grid of squares."""

Maker = Callable[[], "E | None"]


def _first_made(w: World, makers: list[Maker], otherwise: Maker) -> E:
    """What one of the makers makes; where it can make nothing, what the last one does."""
    found = w.source.one(makers)() if makers else None
    if found is None:
        found = otherwise()
    assert found is not None
    return found


def _bound(w: World, scope: Scope, type: str, is_set: bool = False) -> list[Local]:
    return [local for local in scope.locals if local.type == type and local.is_set == is_set]


# ------------------------------------------------------------------------------------------- members


def member(w: World, scope: Scope, domain: Domain, depth: int, optional: bool = False) -> E | None:
    """A member of a domain; one that may be none only where that is allowed. None where there is nothing to name."""
    s = w.source
    makers: list[Maker] = []
    if domain.members:
        makers.append(lambda: made(s.one(domain.members), ATOM))
    for local in _bound(w, scope, domain.name):
        makers += [lambda local=local: made(local.name, ATOM)] * 2  # type: ignore[misc]
    if scope.it == domain.name:
        makers += [lambda: made("it", ATOM)] * 2
    if domain.alone:
        makers.append(lambda: made(domain.name, ATOM))
    if domain.sort == "player":
        makers.append(lambda: made("player", ATOM))
        if depth > 0:
            makers.append(lambda: _of(w, scope, "next player", domain, depth))
            if len(w.players) == 2 and not w.may_be_more:
                makers.append(lambda: _of(w, scope, "opponent", domain, depth))
    if depth > 0:
        held = [
            (owner, feature)
            for owner, feature in w.features([domain.name], scope)
            if optional or not (feature.optional or _may_be_missing(w, scope, owner))
        ]
        if held:
            makers += [lambda: _feature(w, scope, *s.one(held), depth, optional)] * 3
        makers.append(lambda: _choice(w, scope, lambda d: member(w, scope, domain, d, optional), depth))
    for one in w.globals:
        if one.type == domain.name and (optional or not one.optional) and not scope.figures_only:
            makers.append(lambda one=one: made(one.name, ATOM))  # type: ignore[misc]
    if scope.calls:
        for call in w.callables:
            if call.form in ("value", "gives") and call.result == domain.name:
                makers.append(lambda call=call: _call(w, scope, call, depth))  # type: ignore[misc]
    if depth > 0:
        makers += relative(w, scope, domain, depth, optional)
    if domain.sort == "space" and depth > 0:
        makers.append(lambda: _slide(w, scope, domain, depth))
    if optional:
        makers += _members_or_none(w, scope, domain, depth)
    if not makers:
        return None
    found = s.one(makers)()
    return found if found is not None or not domain.members else made(domain.members[0], ATOM)


def relative(w: World, scope: Scope, domain: Domain, depth: int, optional: bool) -> list[Maker]:
    """Directions and ways by facing: `turn`, `bearing`, `toward`."""
    s = w.source
    makers: list[Maker] = []

    def call(name: str, first: Domain, second: Domain, may_be_none: bool, *more: str) -> E | None:
        inputs = [member(w, scope, one, depth - 1, may_be_none and s.chance(30)) for one in (first, second)]
        found = [one.text for one in inputs if one is not None]
        return made(f"{name}({', '.join([*found, *more])})", ATOM) if len(found) == 2 else None

    if domain.sort == "direction":
        for ways in w.of_sort("enum"):
            if ways.clockwise and domain.size % ways.size == 0:
                makers += [lambda ways=ways: call("turn", domain, ways, optional)] * 2  # type: ignore[misc]
        if optional:
            spaces = next(one for one in w.of_sort("space") if one.board == domain.board)
            makers += [lambda: call("toward", spaces, spaces, True)] * 2
    if domain.clockwise:
        for ring in w.of_sort("direction"):
            if ring.size % domain.size == 0 and (optional or ring.size == domain.size):
                makers += [lambda ring=ring: call("bearing", ring, ring, optional, domain.name)] * 3  # type: ignore[misc]
    return makers


def _members_or_none(w: World, scope: Scope, domain: Domain, depth: int) -> list[Maker]:
    s = w.source
    makers: list[Maker] = []
    if domain.sort == "player" and not scope.figures_only:
        makers.append(lambda: made("winner", ATOM))
    if depth <= 0 or scope.figures_only:
        return makers
    makers.append(lambda: _first(w, scope, domain, depth))
    if domain.sort == "space" and len(w.boards) == 1:
        for pieces in w.of_sort("piece"):
            if pieces.standing and (pieces.is_public or not scope.open):
                makers.append(lambda pieces=pieces: _member_dot(w, scope, pieces, "space", depth))  # type: ignore[misc]
    if domain.sort == "space":
        makers.append(lambda: _next(w, scope, domain, depth))
    if domain.sort == "piece" and domain.standing and (domain.is_public or not scope.open):
        makers.append(lambda: _piece_on(w, scope, domain, depth))
    if domain.sort == "piece":
        ordered = [z for z in domain.zones if z.ordered and not z.of and not (z.secret and scope.open)]
        if ordered:
            makers.append(lambda: made(f"top of {s.one(ordered).name}", FACTOR))
    return makers


def _may_be_missing(w: World, scope: Scope, owner: Domain) -> bool:
    """Whether no member of a domain can be named for certain."""
    return owner.sort == "piece" and not (scope.it == owner.name or _bound(w, scope, owner.name) or owner.alone)


def _first(w: World, scope: Scope, domain: Domain, depth: int) -> E:
    base_, filter_ = things(w, scope, domain.name, depth - 1)
    if filter_ and w.source.chance(50):
        return made(f"first of {base_.at(FACTOR)} {filter_}", TAIL)
    return made(f"first of {_set(base_, filter_).at(FACTOR)}", FACTOR)


def _of(w: World, scope: Scope, name: str, domain: Domain, depth: int) -> E | None:
    inner = member(w, scope, domain, depth - 1)
    if inner is None:
        return None
    if w.source.chance(30):
        return made(f"{name}({inner.text})", ATOM)
    return made(f"{name} of {inner.at(FACTOR)}", FACTOR)


def _next(w: World, scope: Scope, domain: Domain, depth: int) -> E | None:
    way = w.domains.get(f"direction of {domain.board}")
    space = member(w, scope, domain, depth - 1, optional=w.source.chance(20))
    towards = member(w, scope, way, depth - 1) if way is not None else None
    if space is None or towards is None:
        return None
    return made(f"next({space.text}, {towards.text})", ATOM)


def _slide(w: World, scope: Scope, domain: Domain, depth: int) -> E | None:
    way = w.domains.get(f"direction of {domain.board}")
    start = member(w, scope, domain, depth - 1, optional=not scope.careful and w.source.chance(20))
    towards = member(w, scope, way, depth - 1) if way is not None else None
    if start is None or towards is None:
        return None
    asked = condition(w, scope.of(domain.name), depth - 1)
    return made(f"slide from {start.at(FACTOR)} to {towards.at(FACTOR)} while {asked.text}", TAIL)


def _piece_on(w: World, scope: Scope, domain: Domain, depth: int) -> E | None:
    space = member(w, scope, w.source.one(w.of_sort("space")), depth - 1, optional=w.source.chance(20))
    return None if space is None else made(f"{domain.name} on {space.at(FACTOR)}", FACTOR)


def _member_dot(w: World, scope: Scope, owner: Domain, name: str, depth: int) -> E | None:
    subject = member(w, scope, owner, depth - 1, optional=True)
    return None if subject is None else made(f"{subject.at(ATOM)}.{name}", ATOM)


def _kinds(w: World) -> set[str]:
    """Names of kinds, which stand for a piece only where a piece is wanted."""
    return {made(domain.name, ATOM).text for domain in w.of_sort("piece")}


def _choice(w: World, scope: Scope, part: Callable[[int], E | None], depth: int) -> E | None:
    then, otherwise = part(depth - 1), part(depth - 1)
    if then is None or otherwise is None or {then.text, otherwise.text} & _kinds(w):
        return None
    test = condition(w, scope, depth - 1)
    return made(f"if {test.text} then {then.text} else {otherwise.text}", TAIL)


# ------------------------------------------------------------------------------------------- features


def _feature(w: World, scope: Scope, owner: Domain, feature: Feature, depth: int, optional: bool = False) -> E | None:
    """What a member has, asked for in one of the ways there are."""
    s = w.source
    key = ""
    if feature.key:
        inner = member(w, scope, w.domains[feature.key], depth - 1)
        if inner is None:
            return None
        key = f"({inner.text})"
    it = w.domains.get(scope.it)
    shared = () if feature.changes else (it.row,) if it is not None else ()  # fields of a row are asked of the row
    if it is not None and owner.name in (it.name, *shared) and s.chance(70):
        return made(f"{feature.name}{key}", ATOM)
    subject = member(w, scope, owner, depth - 1, optional)
    if subject is None and owner.sort == "row":
        return None
    if owner.sort == "row" and not feature.changes and s.chance(30):
        for pieces in w.of_sort("piece"):
            if pieces.row == owner.name:
                subject = member(w, scope, pieces, depth - 1, optional) or subject
    if subject is None:
        return None
    if not key and s.chance(15):
        return made(f"{feature.name} of {subject.at(FACTOR)}", FACTOR)
    return made(f"{subject.at(ATOM)}.{feature.name}{key}", ATOM)


# ------------------------------------------------------------------------------------------- calls


def argument(w: World, scope: Scope, type: str, depth: int) -> E | None:
    """An input of a type; `set of X` for a set."""
    if type.startswith("set of "):
        return set_of(w, scope, type.removeprefix("set of "), depth)
    if ".." in type:
        low, high = type.split("..")
        return made(f"max({low}, min({high}, {number(w, scope, depth).text}))", ATOM)
    return of_type(w, scope, type, depth)


def of_type(w: World, scope: Scope, type: str, depth: int, optional: bool = False) -> E | None:
    """An expression of a type."""
    if type == NUMBER:
        return number(w, scope, depth)
    if type == FLAG:
        return condition(w, scope, depth)
    return member(w, scope, w.domains[type], depth, optional)


def _call(w: World, scope: Scope, call: Called, depth: int) -> E | None:
    if not call.inputs:
        return made(call.name, ATOM)
    inputs = [argument(w, scope, type, depth - 1) for _, type in call.inputs]
    found = [one for one in inputs if one is not None]
    if len(found) < len(inputs):
        return None
    if len(found) == 1 and w.source.chance(25):
        return made(f"{call.name} of {found[0].at(FACTOR)}", FACTOR)
    return made(f"{call.name}({', '.join(one.text for one in found)})", ATOM)


# ------------------------------------------------------------------------------------------- numbers


def number(w: World, scope: Scope, depth: int, varies: bool = False) -> E:
    """A number; where it must vary, not one that everybody can work out before play."""
    s = w.source
    makers: list[Maker] = [] if varies else [lambda: made(str(s.number(0, 4)), ATOM)] * 2
    for local in _bound(w, scope, NUMBER):
        makers += [lambda local=local: made(local.name, ATOM)] * 2  # type: ignore[misc]
    if scope.it == NUMBER:
        makers += [lambda: made("it", ATOM)] * 2
    if not scope.figures_only:
        makers.append(lambda: made("round_number", ATOM))
        for one in w.globals:
            if one.type == NUMBER:
                makers += [lambda one=one: _held(w, scope, one)] * 2  # type: ignore[misc]
    if not varies:
        for option in w.options:
            if option.type == "number":
                makers.append(lambda option=option: made(option.name, ATOM))  # type: ignore[misc]
    if depth > 0:
        held = [pair for pair in w.features([NUMBER], scope) if not _may_be_missing(w, scope, pair[0])]
        if held:
            makers += [lambda: _number_of(w, scope, *s.one(held), depth)] * 4
        loose = [pair for pair in w.features([NUMBER], scope) if _may_be_missing(w, scope, pair[0])]
        if loose and not scope.careful:
            makers.append(lambda: _feature(w, scope, *s.one(loose), depth, optional=True))
        makers += _worked_out(w, scope, depth)
    return _first_made(w, makers, lambda: made("round_number" if not scope.figures_only else "2", ATOM))


def _held(w: World, scope: Scope, one: Global) -> E:
    plain = made(one.name, ATOM)
    if one.optional and scope.careful:
        return made(
            f"if {made(f'{plain.text} is none', COMPARE).text} then {made('0', ATOM).text} else {plain.text}", TAIL
        )
    return plain


def _number_of(w: World, scope: Scope, owner: Domain, feature: Feature, depth: int) -> E | None:
    found = _feature(w, scope, owner, feature, depth)
    if found is None or not feature.optional or not scope.careful:
        return found
    asked = made(f"{found.at(ADD)} is none", COMPARE)
    return made(f"if {asked.text} then {made('0', ATOM).text} else {found.text}", TAIL)


def _worked_out(w: World, scope: Scope, depth: int) -> list[Maker]:
    s = w.source

    def part(least: int) -> str:
        return number(w, scope, depth - 1).at(least)

    def sum_() -> E:
        sign = s.one("+-")
        return made(f"{part(ADD)} {sign} {part(TERM)}", ADD)

    def product() -> E:
        by = str(s.number(0, 3))
        left = part(TERM)
        return made(f"{left} * {made(by, ATOM).text}" if s.chance(80) else f"{left} * {part(FACTOR)}", TERM)

    def quotient() -> E:
        sign = s.one(("div", "mod"))
        if scope.careful or s.chance(70):
            by = s.one(("2", "3", "-2", "-3"))
            return made(f"{part(TERM)} {sign} {made(by, FACTOR).at(FACTOR)}", TERM)
        return made(f"{part(TERM)} {sign} {number(w, scope, 0, varies=True).at(FACTOR)}", TERM)

    def least_or_most() -> E:
        parts = [number(w, scope, depth - 1).text for _ in range(s.number(2, 3))]
        return made(f"{s.one(('min', 'max'))}({', '.join(parts)})", ATOM)

    def absolute() -> E:
        inner = number(w, scope, depth - 1)
        return made(f"abs({inner.text})", ATOM) if s.chance(50) else made(f"abs of {inner.at(FACTOR)}", FACTOR)

    def choice() -> E | None:
        return _choice(w, scope, lambda d: number(w, scope, d), depth)

    def count() -> E:
        domain = s.one([*w.domains, NUMBER])
        base_, filter_ = things(w, scope, domain, depth - 1)
        if filter_ and s.chance(50):
            return made(f"count of {base_.at(FACTOR)} {filter_}", TAIL)
        return made(f"count of {_set(base_, filter_).at(FACTOR)}", FACTOR)

    def count_each() -> E:
        domain = s.one(list(w.domains))
        name = w.name("local")
        base_, filter_ = things(w, scope, domain, depth - 1, name)
        return made(f"count of each {name} in {base_.at(ADD)}{_behind(filter_)}", TAIL)

    def fold() -> E:
        how = s.one(("sum", "highest", "lowest"))
        domain = s.one([*w.domains, NUMBER])
        name = w.name("local")
        base_, filter_ = things(w, scope, domain, depth - 1, name)
        body = number(w, scope.of(domain).plus(Local(name, domain)), depth - 1)
        return made(f"{how} of {body.at(FACTOR)} for each {name} in {base_.at(BASE)}{_behind(filter_)}", TAIL)

    def of_numbers() -> E:
        how = s.one(("sum", "highest", "lowest"))
        base_, filter_ = things(w, scope, NUMBER, depth - 1)
        if filter_:
            return made(f"{how} of {base_.at(FACTOR)} {filter_}", TAIL)
        return made(f"{how} of {base_.at(FACTOR)}", FACTOR)

    def number_of() -> E | None:
        named = w.of_sort("enum", "row")
        inner = (
            member(w, scope, s.one(named), depth - 1, optional=not scope.careful and s.chance(20)) if named else None
        )
        if inner is None:
            return None
        return made(f"number of {inner.at(FACTOR)}", FACTOR)

    makers: list[Maker] = [sum_, sum_, product, quotient, least_or_most, absolute, choice, count, count, fold, fold]
    makers += [of_numbers, number_of, count_each, lambda: made(f"-{part(FACTOR)}", FACTOR)]
    if w.of_sort("space"):
        makers.append(lambda: _distance(w, scope, depth))
    for board in w.boards:
        if board.figures:
            makers.append(lambda board=board: _link_figure(w, scope, board.name, board.figures[0], depth))  # type: ignore[misc]
    if scope.calls:
        for call in w.callables:
            if call.form in ("value", "gives") and call.result == NUMBER and not call.halves:
                makers += [lambda call=call: _call(w, scope, call, depth)] * 2  # type: ignore[misc]
            if call.halves:
                makers.append(lambda call=call: _halves(w, scope, call, depth))  # type: ignore[misc]
    return makers


def _halves(w: World, scope: Scope, call: Called, depth: int) -> E | None:
    inner = _call(w, scope, call, depth)
    return None if inner is None else made(f"halves of {inner.at(FACTOR)}", FACTOR)


def _distance(w: World, scope: Scope, depth: int) -> E | None:
    space = w.source.one(w.of_sort("space"))
    loose = not scope.careful and w.source.chance(30)
    start, end = member(w, scope, space, depth - 1, loose), member(w, scope, space, depth - 1)
    return None if start is None or end is None else made(f"distance({start.text}, {end.text})", ATOM)


def _link_figure(w: World, scope: Scope, board: str, figure: str, depth: int) -> E | None:
    """An attribute of a link; careful rules ask only for one that is there."""
    space = next(domain for domain in w.of_sort("space") if domain.board == board)
    if scope.careful:
        return made(f"(link from {space.members[0]} to {space.members[1]}).{figure}", ATOM)
    start, end = member(w, scope, space, depth - 1), member(w, scope, space, depth - 1)
    if start is None or end is None:
        return None
    return made(f"(link from {start.at(ATOM)} to {end.at(ATOM)}).{figure}", ATOM)


# ------------------------------------------------------------------------------------------- conditions


def condition(w: World, scope: Scope, depth: int) -> E:
    """Yes or no; never a word that is the same for ever."""
    s = w.source
    makers: list[Maker] = [lambda: _compared(w, scope, depth)] * 2
    flags = [pair for pair in w.features([FLAG], scope) if not pair[1].key or depth > 0]
    if flags:
        makers += [lambda: _flag(w, scope, *s.one(flags), max(depth, 1))] * 2
    for local in _bound(w, scope, FLAG):
        makers.append(lambda local=local: made(local.name, ATOM))  # type: ignore[misc]
    if not scope.figures_only:
        for one in w.globals:
            if one.type == FLAG:
                makers.append(lambda one=one: made(one.name, ATOM))  # type: ignore[misc]
            if one.marks:
                makers.append(lambda one=one: made(f"{one.name} at {s.one(one.marks)}", COMPARE))  # type: ignore[misc]
        makers.append(lambda: made("finished", ATOM))
        for owner in w.domains.values():
            for feature in owner.features:
                if feature.marks and depth > 0:
                    makers.append(lambda o=owner, f=feature: _at_mark(w, scope, o, f, depth))  # type: ignore[misc]
    for option in w.options:
        if option.type == "flag":
            makers.append(lambda option=option: made(option.name, ATOM))  # type: ignore[misc]
        if option.type == "word":
            makers.append(lambda option=option: made(f"{option.name} is {s.one(option.words)}", COMPARE))  # type: ignore[misc]
    for variant in w.variants:
        makers.append(lambda variant=variant: made(variant, ATOM))  # type: ignore[misc]
    makers += [lambda: _same(w, scope, depth)] * 2
    if depth > 0:
        makers += _asked(w, scope, depth)
    return _first_made(w, makers, lambda: _compared(w, scope, 0))


def _flag(w: World, scope: Scope, owner: Domain, feature: Feature, depth: int) -> E | None:
    if not feature.key and w.source.chance(30):
        subject = member(w, scope, owner, depth - 1, optional=True)
        if subject is not None:
            return made(f"{subject.at(ADD)} {w.source.one(('is', 'is not'))} {feature.name}", COMPARE)
    return _feature(w, scope, owner, feature, depth, optional=True)


def _at_mark(w: World, scope: Scope, owner: Domain, feature: Feature, depth: int) -> E | None:
    subject = member(w, scope, owner, depth - 1)
    if subject is None:
        return None
    return made(f"{subject.at(ATOM)}.{feature.name} at {w.source.one(feature.marks)}", COMPARE)


def _compared(w: World, scope: Scope, depth: int) -> E:
    s = w.source
    left = number(w, scope, depth - 1, varies=True).at(ADD)
    sign = s.one(("=", "<", ">=", ">", "<=", "!=", "is", "is not"))
    return made(f"{left} {sign} {number(w, scope, depth - 1).at(ADD)}", COMPARE)


def _same(w: World, scope: Scope, depth: int) -> E | None:
    """Whether a thing is another, or nothing."""
    s = w.source
    domain = s.one(list(w.domains.values()))
    left = member(w, scope, domain, depth, optional=True)
    if left is None or left.text in {made(name, ATOM).text for name in (*domain.members, domain.name)}:
        return None
    sign = s.one(("is", "is not", "=", "!="))
    if s.chance(20):
        return made(f"{left.at(ADD)} {sign} none", COMPARE)
    right = member(w, scope, domain, depth - 1, optional=True)
    if right is None or right.text == made(domain.name, ATOM).text:
        return None  # two pieces named by their kind alone would be compared as sets
    return made(f"{left.at(ADD)} {sign} {right.at(ADD)}", COMPARE)


def _asked(w: World, scope: Scope, depth: int) -> list[Maker]:
    s = w.source

    def part(least: int) -> str:
        return condition(w, scope, depth - 1).at(least)

    def joined() -> E:
        word, level = s.one((("and", AND), ("or", OR)))
        left = part(level)
        right = condition(w, scope, depth - 1)
        if right.level == TAIL and s.chance(70):  # what runs to the end may stand at the right without brackets
            return (
                made(f"{left} {word} {right.text}", TAIL)
                if not right.text.strip("\ue000").startswith("if ")
                else (made(f"{left} {word} ({right.text})", level))
            )
        return made(f"{left} {word} {right.at(level + 1)}", level)

    def negated() -> E:
        return made(f"not {part(NOT)}", NOT)

    def in_() -> E | None:
        domain = s.one([*w.domains, NUMBER])
        if domain == NUMBER:
            left: E | None = number(w, scope, depth - 1, varies=True)
        else:
            left = member(w, scope, w.domains[domain], depth - 1, optional=True)
        if left is None:
            return None
        base_ = base(w, scope, domain, depth - 1)
        return made(f"{left.at(ADD)} {s.one(('in', 'not in'))} {base_.at(BASE)}", COMPARE)

    def some() -> E:
        domain = s.one([*w.domains, NUMBER])
        name = w.name("local") if s.chance(40) else ""
        base_, filter_ = things(w, scope, domain, depth - 1, name)
        head = f"{name} in " if name else ""
        return made(f"{s.one(('some', 'no'))} {head}{base_.at(BASE)}{_behind(filter_)}", TAIL)

    def every() -> E:
        domain = s.one([*w.domains, NUMBER])
        name = w.name("local")
        base_, filter_ = things(w, scope, domain, depth - 1, name)
        inside = evolve(scope.of(domain), locals=(*scope.locals, Local(name, domain)))
        return made(
            f"every {name} in {base_.at(BASE)}{_behind(filter_)} satisfies {condition(w, inside, depth - 1).text}", TAIL
        )

    def empty() -> E:
        domain = s.one(list(w.domains))
        base_, filter_ = things(w, scope, domain, depth - 1)
        found = _set(base_, filter_)
        return made(f"{found.at(ADD)} {s.one(('is', 'is not'))} empty", COMPARE)

    makers: list[Maker] = [joined, joined, negated, in_, in_, some, some, every, empty]
    plain = evolve(scope, bare=False)
    makers.append(lambda: _choice(w, scope, lambda d: condition(w, plain, d), depth))
    spaces = w.of_sort("space")
    pieces = [p for p in w.of_sort("piece") if p.is_public or not scope.open]
    if pieces and not scope.figures_only:
        makers.append(lambda: _is_known(w, scope, s.one(pieces), depth))
    if spaces and not scope.figures_only and all(p.is_public or not scope.open for p in w.of_sort("piece")):
        makers.append(lambda: _space_is_empty(w, scope, s.one(spaces), depth))
    if spaces:
        makers.append(lambda: _line(w, scope, s.one(spaces), depth))
        makers.append(lambda: _route(w, scope, s.one(spaces), depth))
    if scope.calls:
        for call in w.callables:
            if call.form == "relation":
                makers += [lambda call=call: _related(w, scope, call, depth)] * 2  # type: ignore[misc]
    return makers


def _is_known(w: World, scope: Scope, pieces: Domain, depth: int) -> E | None:
    piece = member(w, scope, pieces, depth - 1, optional=True)
    player = member(w, scope, w.domains["Player"], depth - 1)
    if piece is None or player is None or piece.text == made(pieces.name, ATOM).text:
        return None
    return made(f"known({piece.text}, {player.text})", ATOM)


def _space_is_empty(w: World, scope: Scope, spaces: Domain, depth: int) -> E | None:
    space = member(w, scope, spaces, depth - 1, optional=True)
    return None if space is None else made(f"{space.at(ADD)} {w.source.one(('is', 'is not'))} empty", COMPARE)


def _related(w: World, scope: Scope, call: Called, depth: int) -> E | None:
    """A relation, in brackets or in words."""
    if len(call.inputs) == 1 and call.inputs[0][1] in w.domains and w.source.chance(50):
        if scope.bare and scope.it == call.inputs[0][1] and w.source.chance(50):
            return made(call.name, ATOM)
        subject = member(w, scope, w.domains[call.inputs[0][1]], depth - 1)
        if subject is not None:
            return made(f"{subject.at(ADD)} {w.source.one(('is', 'is not'))} {call.name}", COMPARE)
    return _call(w, scope, call, depth)


def _line(w: World, scope: Scope, spaces: Domain, depth: int) -> E | None:
    through = member(w, scope, spaces, depth - 1, optional=not scope.careful and w.source.chance(20))
    if through is None:
        return None
    asked = condition(w, scope.of(spaces.name), depth - 1)
    return made(f"line of {w.source.number(1, 3)} through {through.at(FACTOR)} where {asked.text}", TAIL)


def _route(w: World, scope: Scope, spaces: Domain, depth: int) -> E | None:
    s = w.source

    def end() -> E | None:
        if s.chance(50):
            return base(w, scope, spaces.name, 0, ranges=False)
        return member(w, scope, spaces, depth - 1, optional=not scope.careful and s.chance(20))

    start, goal = end(), end()
    if start is None or goal is None:
        return None
    base_, filter_ = things(w, scope, spaces.name, depth - 1)
    return made(f"route from {start.at(FACTOR)} to {goal.at(FACTOR)} through {base_.at(BASE)}{_behind(filter_)}", TAIL)


# ------------------------------------------------------------------------------------------- sets


def _behind(filter_: str) -> str:
    return f" {filter_}" if filter_ else ""


def _set(base_: E, filter_: str) -> E:
    """A set with its filter as one expression."""
    return made(f"{base_.at(ATOM)} {filter_}", TAIL) if filter_ else base_


def set_of(w: World, scope: Scope, type: str, depth: int) -> E:
    """A set as an expression."""
    base_, filter_ = things(w, scope, type, depth, walks=False)
    found = _set(base_, filter_)
    return E(f"({found.text})", ATOM) if found.level == BASE else found


def things(w: World, scope: Scope, type: str, depth: int, binder: str = "", walks: bool = True) -> tuple[E, str]:
    """A set and what narrows it, `except ... where ...`, apart."""
    s = w.source
    base_ = base(w, scope, type, depth, walks=walks)
    filter_ = ""
    if base_.level == TAIL:
        return base_, filter_
    for word in ("also", "except", "also"):
        if s.chance(20 if word == "except" else 8):
            inner = (
                base(w, scope, type, depth - 1, ranges=False)
                if s.chance(40)
                else of_type(w, scope, type, depth - 1, True)
            )
            if inner is not None:
                filter_ = f"{filter_} {word} {inner.at(FACTOR)}".strip()
    if s.chance(45):
        inside = scope.of(type)
        if binder:
            inside = inside.plus(Local(binder, type))
        filter_ = f"{filter_} where {condition(w, inside, depth - 1).text}".strip()
    return base_, filter_


def base(w: World, scope: Scope, type: str, depth: int, ranges: bool = True, walks: bool = False) -> E:
    """A set without a filter."""
    s = w.source
    makers: list[Maker] = []
    if type == NUMBER:
        makers += [lambda: made(f"{{{', '.join(_number_items(w, scope, depth))}}}", ATOM)]
        if ranges:
            makers += [lambda: made(f"{s.number(0, 2)}..{s.number(2, 5)}", BASE)] * 2
            makers.append(lambda: made(f"{number(w, scope, 0, True).at(ADD)}..{s.number(2, 5)}", BASE))
    else:
        domain = w.domains[type]
        if domain.sort == "direction":
            makers.append(lambda: E(f"directions of {domain.board}", FACTOR))
        else:
            makers += [lambda: made(domain.name, ATOM)] * 3
        for name in (name for name, type_ in w.tables.items() if type_ == type):
            makers.append(lambda name=name: made(name, ATOM))  # type: ignore[misc]
        if domain.members or depth > 0:
            makers.append(lambda: _items(w, scope, domain, depth))
        if domain.sort == "piece":
            for zone in domain.zones:
                if not (zone.secret and scope.open) and not scope.figures_only:
                    makers += [lambda zone=zone: _zone(w, scope, zone, depth)] * 2  # type: ignore[misc]
            if not scope.figures_only and (domain.is_public or not scope.open):
                if len(w.of_sort("piece")) == 1:
                    makers.append(lambda: made("box", ATOM))
                if domain.standing and depth > 0:
                    makers += [lambda: _pieces_on(w, scope, domain, depth)] * 2
        if domain.sort == "player" and not scope.figures_only:
            makers.append(lambda: made("winners", ATOM))
        if domain.sort == "space":
            makers += _spaces(w, scope, domain, depth, walks)
        if scope.it in w.domains and depth > 0:
            owners = [w.domains[scope.it]]
        else:
            owners = w.of_sort("row") if depth > 0 else []
        for owner in owners:
            for feature in owner.features:
                if feature.is_set and feature.type == type:
                    makers.append(lambda o=owner, f=feature: _feature(w, scope, o, f, depth))  # type: ignore[misc]
    for roster in w.rosters if w.mustered and not scope.figures_only else ():
        if roster.of == type and not (roster.secret and scope.open):
            makers += [lambda roster=roster: _on_roster(w, scope, roster.name, depth)] * 2  # type: ignore[misc]
    for local in _bound(w, scope, type, is_set=True):
        makers += [lambda local=local: made(local.name, ATOM)] * 2  # type: ignore[misc]
    fallback = made("{1, 2}", ATOM) if type == NUMBER else made(type, ATOM)
    return _first_made(w, makers, lambda: fallback)


def _number_items(w: World, scope: Scope, depth: int) -> list[str]:
    return [number(w, scope, depth - 1).text for _ in range(w.source.number(1, 3))]


def _items(w: World, scope: Scope, domain: Domain, depth: int) -> E | None:
    items = [member(w, scope, domain, depth - 1, optional=w.source.chance(15)) for _ in range(w.source.number(1, 3))]
    if any(item is None for item in items):
        return None
    return made(f"{{{', '.join(item.text for item in items if item is not None)}}}", ATOM)


def _pieces_on(w: World, scope: Scope, pieces: Domain, depth: int) -> E:
    spaces = base(w, scope, w.source.one(w.of_sort("space")).name, depth - 1, ranges=False)
    return made(f"{pieces.name} on {spaces.at(FACTOR)}", FACTOR)


def _zone(w: World, scope: Scope, zone: Zone, depth: int) -> E | None:
    if not zone.of:
        return made(zone.name, ATOM)
    owner = member(w, scope, w.domains[zone.of], depth - 1, optional=not scope.careful and w.source.chance(10))
    return None if owner is None else made(f"{owner.at(ATOM)}.{zone.name}", ATOM)


def _on_roster(w: World, scope: Scope, name: str, depth: int) -> E | None:
    owner = member(w, scope, w.domains["Player"], depth - 1, optional=not scope.careful and w.source.chance(10))
    return None if owner is None else made(f"{owner.at(ATOM)}.{name}", ATOM)


def _spaces(w: World, scope: Scope, domain: Domain, depth: int, walks: bool) -> list[Maker]:
    s = w.source
    board = w.board_of(domain)
    makers: list[Maker] = [lambda: E(f"{board.name}.{s.one(board.regions)}", ATOM)] if board.regions else []

    def neighbours() -> E | None:
        space = member(w, scope, domain, depth - 1, optional=not scope.careful and s.chance(10))
        if space is None:
            return None
        if s.chance(50):
            return made(f"neighbours of {space.at(ATOM)} by {s.one(board.links)}", FACTOR)
        return made(f"neighbours of {space.at(FACTOR)}", FACTOR)

    def neighbours_of_all() -> E:
        spaces = base(w, scope, domain.name, depth - 1, ranges=False)
        if s.chance(30):
            return made(f"neighbours of {E(f'({spaces.text})', ATOM).text} by {s.one(board.links)}", FACTOR)
        return made(f"neighbours of {spaces.at(FACTOR)}", FACTOR)

    def spaces_of() -> E | None:
        standing = [p for p in w.of_sort("piece") if p.standing and (p.is_public or not scope.open)]
        if not standing or scope.figures_only or len(w.boards) != 1:
            return None
        return made(f"spaces of {base(w, scope, s.one(standing).name, depth - 1).at(FACTOR)}", FACTOR)

    def run() -> E | None:
        way = w.domains.get(f"direction of {domain.board}")
        space = member(w, scope, domain, depth - 1, optional=not scope.careful and s.chance(20))
        towards = member(w, scope, way, depth - 1) if way is not None else None
        if space is None or towards is None:
            return None
        asked = condition(w, scope.of(domain.name), depth - 1)
        return made(f"(run from {space.at(FACTOR)} to {towards.at(FACTOR)} while {asked.text})", ATOM)

    if depth > 0:
        makers += [neighbours, run] if walks else [neighbours]
        makers += [neighbours_of_all, spaces_of]
        makers += areas(w, scope, domain, depth) * 3
    return makers


def areas(w: World, scope: Scope, spaces: Domain, depth: int) -> list[Maker]:
    """The squares of drawn shapes on a board, where that is one of squares."""
    s, way = w.source, w.domains.get(f"direction of {spaces.board}")

    def area(shapes: Domain) -> E | None:
        parts = ((shapes, s.chance(20)), (spaces, s.chance(20)), (way, s.chance(20)))
        inputs = [member(w, scope, one, depth - 1, may_be_none) for one, may_be_none in parts if one is not None]
        written = [one.text for one in inputs if one is not None]
        return made(f"area({', '.join(written[: s.one((3, 3, 2))])})", ATOM) if len(written) == 3 else None

    if way is None or way.size != _COMPASS:
        return []
    return [lambda shapes=shapes: area(shapes) for shapes in w.of_sort("enum") if shapes.drawn]  # type: ignore[misc]
