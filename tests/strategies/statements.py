"""Statements: everything that can happen in a body.

Each body is told where it stands, so that `leave`, `end turn` and their like stand where they may, and so that nothing
follows what never goes on. Loops are bounded by a number, by a set, or by a track that only they move. What is stored
is kept in its range.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen

from strategies import decisions
from strategies.expressions import areas, argument, condition, member, number, of_type, relative, set_of, things
from strategies.functions import inputs_of, scope_of, written_inputs
from strategies.source import ADD, ATOM, BASE, COMPARE, FACTOR, block, made
from strategies.things import track
from strategies.world import FLAG, NUMBER, Called, Domain, Feature, Global, Local, Scope, World

__all__ = ["Where", "body", "effect", "phase", "set_up", "statement", "text_with"]


@frozen
class Where:
    """What a statement stands in."""

    repeat: bool = False
    turn: bool = False
    round: bool = False
    phase: bool = False
    asks: bool = True
    """Whether somebody may be asked."""
    calls: bool = True
    """Whether effects and phases may be carried out."""
    depth: int = 2


def body(w: World, scope: Scope, where: Where, least: int = 1, most: int = 3) -> list[str]:
    """Some statements; `let`s made on the way are known to those behind."""
    lines: list[str] = []
    for _ in range(w.source.number(least, most)):
        made, scope = statement(w, scope, where)
        lines += made
    return lines or ["nothing"]


def statement(w: World, scope: Scope, where: Where) -> tuple[list[str], Scope]:
    """One statement, and what is known behind it."""
    s = w.source
    if s.chance(15):
        return _let(w, scope)
    makers: list[Callable[[World, Scope, Where], list[str] | None]] = [say, change, change, change, adjust, adjust]
    makers += [move, move, chance, if_one_line]
    if where.calls:
        makers += [call, call]
    if where.depth > 0:
        makers += [if_, if_, unless, repeat, for_each, each_player, step]
        if where.asks:
            makers += [decisions.choose] * 3
    if where.repeat or where.turn or where.round or where.phase:
        makers += [leaving]
    return s.one(makers)(w, scope, where) or ["nothing"], scope


def text_with(w: World, scope: Scope, words: str) -> str:
    """A text with a value in it now and then."""
    s = w.source
    if s.chance(50):
        return f'"{words}"'
    found = of_type(w, scope, s.one([NUMBER, NUMBER, "Player"]), 1)
    return f'"{words} {{{found.text}}}"' if found is not None else f'"{words}"'


def say(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`say "..."`."""
    return [f"say {text_with(w, scope, 'so')}"]


# ------------------------------------------------------------------------------------------- what is kept


def _let(w: World, scope: Scope) -> tuple[list[str], Scope]:
    s, name = w.source, w.name("local")
    match s.number(0, 4):
        case 0:
            return [f"let {name} = {number(w, scope, 2).text}"], scope.plus(Local(name, NUMBER, changes=True))
        case 1:
            return [f"let {name} = roll {s.one(('', '2'))}d{s.number(2, 6)}"], scope.plus(
                Local(name, NUMBER, changes=True)
            )
        case 2:
            domain = s.one([d.name for d in w.domains.values()])
            return [f"let {name} = {set_of(w, scope, domain, 1).text}"], scope.plus(Local(name, domain, is_set=True))
        case 3:
            return [f"let {name} = {condition(w, scope, 1).text}"], scope.plus(Local(name, FLAG))
        case _:
            domain_ = s.one(list(w.domains.values()))
            found = member(w, scope, domain_, 2)
            if found is None or (domain_.alone and domain_.name in found.text):
                return ["nothing"], scope  # a kind named alone would be a set
            return [f"let {name} = {found.text}"], scope.plus(Local(name, domain_.name, changes=True))


def _target(w: World, scope: Scope, types: tuple[str, ...] = ()) -> tuple[str, Feature | Global | Local] | None:
    """Something that may be changed, as it is written, and what it is."""
    s = w.source
    found: list[tuple[str, Feature | Global | Local]] = []
    for one in w.globals:
        if not one.counts and (not types or one.type in types):
            found.append((one.name, one))
    for local in scope.locals:
        if local.changes and (not types or local.type in types):
            found.append((local.name, local))
    for domain in w.domains.values():
        for feature in domain.features:
            if not feature.changes or feature.secret or (types and feature.type not in types):
                continue
            subject = _subject(w, scope, domain)
            if subject is None:
                continue
            key = member(w, scope, w.domains[feature.key], 0) if feature.key else None
            found.append((f"{subject}.{feature.name}{f'({key.text})' if key is not None else ''}", feature))
    return s.one(found) if found else None


def _subject(w: World, scope: Scope, domain: Domain) -> str | None:
    """Something that certainly is there and has fields."""
    s = w.source
    names = [local.name for local in scope.locals if local.type == domain.name and not local.is_set]
    if domain.sort == "player":
        names.append("player")
    if domain.sort != "piece":
        names += domain.members[:2]
    elif domain.alone:
        names.append(domain.name)
    return s.one(names) if names else None


def change(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`set x to ...`."""
    s = w.source
    target = _target(w, scope)
    if target is None:
        return None
    name, thing = target
    optional = isinstance(thing, Feature | Global) and thing.optional
    if optional and s.chance(20):
        return [f"set {name} to none"]
    if thing.type == NUMBER:
        if isinstance(thing, Local) or thing.is_track:
            # a number known before play may not lie outside of a track
            return [f"set {name} to {number(w, scope, 0, varies=True).text}"]
        if thing.high >= 6 and thing.low <= 1 and s.chance(15):
            return [f"set {name} to roll d{min(thing.high, 6)}"]
        low, high = thing.low, thing.high
        return [f"set {name} to max({low}, min({high}, {number(w, scope, 2).text}))"]
    found = of_type(w, scope, thing.type, 2, optional)
    return None if found is None else [f"set {name} to {found.text}"]


def adjust(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`x + 2`, `x - roll d6`: of a track as it comes, of other numbers only where there is room."""
    s = w.source
    target = _target(w, scope, (NUMBER,))
    if target is None:
        return None
    name, thing = target
    sign = s.one("+-")
    if isinstance(thing, Local) or thing.is_track:
        amount = f"roll d{s.number(2, 6)}" if s.chance(15) else number(w, scope, 1).at(ADD)
        return [f"{name} {sign} {amount}"]
    amount = str(s.number(1, 2))
    room = f"{name} <= {thing.high - 2}" if sign == "+" else f"{name} >= {thing.low + 2}"
    if thing.optional:
        room = f"{name} is not none and {room}"
    return [f"if {room}: {name} {sign} {amount}"]


# ------------------------------------------------------------------------------------------- pieces


def _open_place(w: World, scope: Scope, domain: Domain, secret_too: bool = False) -> str | None:
    places = ["box"]
    for zone in domain.zones:
        if zone.most == 0:
            places.append(w.somewhere(zone))
    return w.source.one(places)


def move(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`move`, `place` and `move N from` of some kind."""
    s = w.source
    kinds = w.of_sort("piece")
    if not kinds:
        return None
    domain = s.one(kinds)
    place = _open_place(w, scope, domain)
    match s.number(0, 4):
        case 0:
            from_zones = list(domain.zones)
            if not from_zones or place is None:
                return None
            zone = s.one(from_zones)
            return [f"move {number(w, scope, 0).at(ADD)} from {w.somewhere(zone)} to {place}"]
        case 1:
            base_, filter_ = things(w, evolve(scope, careful=True), domain.name, 1)
            if not domain.is_public:
                base_, filter_ = set_of(w, scope, domain.name, 0), ""
            every = s.one(("", "every "))
            return [f"move {every}{base_.at(BASE)}{' ' + filter_ if filter_ else ''} to {place}"]
        case 2:
            found = member(w, scope, domain, 1, optional=True)
            return None if found is None or found.level < FACTOR else [f"move {found.text} to {place}"]
        case 3 if w.boards:
            return _move_on_board(w, scope, domain)
        case _:
            owner = " of player" if domain.owned and s.chance(50) else ""
            if place in (None, "box"):
                return None
            box = w.name("local")
            inside = " or ".join(f"{box} in {z}" for z in _everywhere(w, domain)) or f"{box} is none"
            whose = f" and {box}.owner is player" if domain.owned else ""
            # a box that is empty is a fault, so one is asked for first
            return [
                f"if some {box} in {domain.name} where not ({inside}{_stands(w, domain, box)}){whose}: "
                f"place {domain.name}{owner} in {place}"
            ]


def _everywhere(w: World, domain: Domain) -> list[str]:
    """The zones of a kind, those of each player once for each."""
    found = []
    for zone in domain.zones:
        found += [f"{name}.{zone.name}" for name in w.domains[zone.of].members] if zone.of else [zone.name]
    return found


def _stands(w: World, domain: Domain, name: str) -> str:
    return f" or {name}.space is not none" if len(w.boards) == 1 and domain.standing else ""


def _move_on_board(w: World, scope: Scope, domain: Domain) -> list[str] | None:
    s = w.source
    spaces = s.one(w.of_sort("space"))
    if not domain.is_public or not domain.standing or spaces.board != w.boards[0].name:
        return None
    name = w.name("local")
    piece = s.one([local.name for local in scope.locals if local.type == domain.name and not local.is_set] or [""])
    if not piece:
        piece = domain.name if domain.alone else f"first of {domain.name}"
    return [
        f"for each {name} in {spaces.name} where it is empty and {s.one(spaces.members)} is {name}: "
        f"move {piece} to {name}"
    ]


def chance(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`roll`, `shuffle`."""
    s = w.source
    lines = []
    for domain in w.of_sort("piece"):
        if domain.rolls and domain.is_public:
            base_, filter_ = things(w, scope, domain.name, 1)
            lines.append(f"roll {base_.at(BASE)}{' ' + filter_ if filter_ else ''}")
        for zone in domain.zones:
            if domain.rolls:
                lines.append(f"roll {w.somewhere(zone)}")
            if zone.ordered:
                lines.append(f"shuffle {w.somewhere(zone)}")
    return [s.one(lines)] if lines else None


# ------------------------------------------------------------------------------------------- ways on


def if_(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`if`, `else if`, `else`."""
    s, inner = w.source, evolve(where, depth=where.depth - 1)
    lines = [f"if {condition(w, scope, 2).text}", *block(body(w, scope, inner, 1, 2))]
    for _ in range(s.number(0, 1)):
        lines += [f"else if {condition(w, scope, 2).text}", *block(body(w, scope, inner, 1, 1))]
    if s.chance(50):
        quiet = evolve(inner, repeat=False, turn=False, round=False, phase=False)  # so that something goes on
        lines += ["else", *block(body(w, scope, quiet, 1, 2))]
    return lines


def if_one_line(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`if c: ...`."""
    done = w.source.one((say, change, adjust))(w, scope, where) or ["nothing"]
    if done[0].startswith("if "):
        return done
    return [f"if {condition(w, scope, 2).text}: {done[0]}"]


def unless(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`unless`."""
    inner = evolve(where, depth=where.depth - 1)
    return [f"unless {condition(w, scope, 2).text}", *block(body(w, scope, inner, 1, 2))]


def repeat(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`repeat` so many times, until a track stands at its end, or until somebody has enough."""
    s, inner = w.source, evolve(where, depth=where.depth - 1, repeat=True)
    match s.number(0, 2 if where.asks else 1):
        case 0:
            times = number(w, scope, 1)
            head = f"repeat min(3, {times.text}) times" if s.chance(60) else f"repeat {s.number(0, 3)} times"
            return [head, *block(body(w, scope, inner, 1, 2))]
        case 1:
            count = s.number(1, 3)
            w.later.append(track(w, counts=count))
            name = w.globals[-1].name
            return [f"repeat until {name} = {count}", *block([f"{name} + 1", *body(w, scope, inner, 0, 2)])]
        case _:
            go = body(w, scope, evolve(inner, depth=where.depth - 1), 1, 2)
            options = [f'"{w.label()}"', *block(go), f'"{w.label()}"', *block(["leave"])]
            return ["repeat", *block(["choose", *block(options)])]


def for_each(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`for each x in S`."""
    s, inner = w.source, evolve(where, depth=where.depth - 1)
    type, name = s.one([*w.domains, NUMBER]), w.name("local")
    base_, filter_ = things(w, scope, type, 2, name)
    if type == NUMBER and base_.level == BASE:
        base_, filter_ = evolve(base_, text=f"{s.number(0, 2)}..{s.number(2, 3)}"), ""
    inside = scope.plus(Local(name, type))
    return [
        f"for each {name} in {base_.at(BASE)}{' ' + filter_ if filter_ else ''}",
        *block(body(w, inside, inner, 1, 2)),
    ]


def over_area(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`for each s in area(t, x, f)`, where shapes are drawn and there is a board of squares."""
    inner, name = evolve(where, depth=where.depth - 1), w.name("local")
    for spaces in w.of_sort("space"):
        found = areas(w, scope, spaces, 2)
        covered = w.source.one(found)() if found else None
        if covered is not None:
            inside = scope.plus(Local(name, spaces.name))
            return [f"for each {name} in {covered.at(BASE)}", *block(body(w, inside, inner, 1, 2))]
    return None


def by_way(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`if bearing(f, d, Way) is w`, and what lies to some way of somebody."""
    inner = evolve(where, depth=where.depth - 1)
    for domain in (*(one for one in w.of_sort("enum") if one.clockwise), *w.of_sort("direction")):
        found = relative(w, scope, domain, 2, True)
        seen = w.source.one(found)() if found else None
        if seen is not None:
            asked = made(f"{seen.at(ADD)} is {w.source.one(domain.members)}", COMPARE)
            return [f"if {asked.text}", *block(body(w, scope, inner, 1, 2))]
    return None


def each_player(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`each player`, perhaps from somebody."""
    inner = evolve(where, depth=where.depth - 1, turn=True)
    start = ""
    if w.source.chance(30):
        found = member(w, scope, w.domains["Player"], 1)
        start = f" from {found.at(ATOM)}" if found is not None else ""
    return [f"each player{start}", *block(body(w, scope, inner, 1, 2))]


def step(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`step NAME`."""
    return [f"step {w.name('step')}", *block(body(w, scope, evolve(where, depth=where.depth - 1), 1, 2))]


def leaving(w: World, scope: Scope, where: Where) -> list[str] | None:
    """`leave`, `end turn`, `end round`, `end phase`, under a condition."""
    ways = ["leave"] * where.repeat + ["end turn"] * where.turn + ["end round"] * where.round
    ways += ["end phase"] * where.phase
    return [f"if {condition(w, scope, 2).text}: {w.source.one(ways)}"]


def ending(w: World, scope: Scope) -> str:
    """`end game`, `p wins`, for one or several, `draw`, perhaps with a reason."""
    s = w.source
    reason = f" {text_with(w, scope, 'over')}" if s.chance(50) else ""
    if s.chance(20):
        return f"{set_of(w, scope, 'Player', 1).at(FACTOR)} wins{reason}"
    winner = member(w, scope, w.domains["Player"], 1)
    if winner is not None and winner.level == ATOM and s.chance(40):
        return f"{winner.text} wins{reason}"
    return f"{s.one(('end game', 'draw'))}{reason}"


def call(w: World, scope: Scope, where: Where) -> list[str] | None:
    """An effect, a phase, or a column of effects, carried out."""
    s = w.source
    calls: list[str] = []
    for one in w.callable("effect", "phase", "does"):
        given = [argument(w, scope, type, 1) for _, type in one.inputs]
        if all(given):
            inputs = ", ".join(each.text for each in given if each is not None)
            calls.append(f"{one.name}({inputs})" if inputs else one.name)
    for domain in w.of_sort("row"):
        for name in domain.effects:
            found = member(w, scope, domain, 1)
            if found is not None:
                calls.append(f"{found.at(ATOM)}.{name}")
    return [s.one(calls)] if calls else None


# ------------------------------------------------------------------------------------------- bodies with names


def effect(w: World, plain: bool = False) -> list[str]:
    """`effect pay(p: Player)`; a plain one takes nothing and asks nobody."""
    s, name = w.source, w.name("effect")
    inputs = () if plain else inputs_of(w, s.number(0, 2), sets=True)
    scope = scope_of(inputs)
    # what it calls was declared before
    where = Where(phase=True, asks=not plain, calls=not plain, depth=1)
    lines = body(w, scope, where, 1, 2)
    w.callables.append(Called(name, "effect", inputs))
    return [f"effect {name}{written_inputs(inputs)}", *block(lines)]


def phase(w: World, where: Where | None = None) -> list[str]:
    """`phase Work`."""
    name = w.name("phase")
    lines = body(w, Scope(), where or Where(phase=True, depth=2), 1, 3)
    w.callables.append(Called(name, "phase"))
    return [f"phase {name}", *block(lines)]


def does(w: World, effects: list[Called]) -> list[str]:
    """A table whose cells are effects, which take its inputs."""
    from strategies.functions import heads, table_rows

    s, name = w.source, w.name("table")
    first = s.one(effects) if effects and s.chance(70) else None
    type = first.inputs[0][1] if first is not None and first.inputs else "Player"
    if type not in w.domains or not w.domains[type].members or w.domains[type].sort == "direction":
        type, first = "Player", None
    inputs = [(w.name("input"), type)]
    if s.chance(50):
        inputs.append((w.name("input"), "0..6"))
    rows = heads(w, inputs[0][1], False)
    columns = heads(w, inputs[1][1], False) if len(inputs) == 2 else ["what"]
    fitting = [e.name for e in effects if len(e.inputs) == 0 or (len(e.inputs) == 1 and e.inputs[0][1] == type)]
    cells = [*fitting, 'say "a cell"', "-", "", f'say "{{{inputs[0][0]}}}", say "twice"']
    body_ = [(head, *(s.one(cells) for _ in columns)) for head in rows]
    w.callables.append(Called(name, "does", tuple(inputs)))
    header = (inputs[0][0], *columns)
    return [f"table {name}{written_inputs(inputs)} does{s.one(('', ', first match'))}", *table_rows(header, body_)]


# ------------------------------------------------------------------------------------------- the set-up


def set_up(w: World) -> list[str]:
    """Where the pieces of each kind go, and some statements."""
    s = w.source
    lines: list[str] = []
    for domain in w.of_sort("piece"):
        lines += _set_out(w, domain)
    if s.chance(40):
        lines += body(w, Scope(), Where(asks=s.chance(20), depth=1), 1, 2)
    return ["setup", *block(lines or ["nothing"])]


def _set_out(w: World, domain: Domain) -> list[str]:
    s = w.source
    common = [z for z in domain.zones if not z.of]
    shared = [z for z in domain.zones if z.of and not z.per_player]
    own = [z for z in domain.zones if z.per_player]
    lines: list[str] = []
    standing = _stand(w, domain) if w.boards and len(w.boards) == 1 and domain.is_public and s.chance(60) else []
    if standing:
        lines += standing
    elif common and s.chance(70):
        zone = s.one(common)
        lines.append(f"move every {domain.name} to {zone.name}")
        if zone.ordered and s.chance(50):
            lines.append(f"shuffle {zone.name}")
        if own and s.chance(60):
            lines.append(f"each player: move {s.number(1, 2)} from {zone.name} to player.{s.one(own).name}")
    elif shared and s.chance(70):
        lines.append(
            f"move {s.number(1, 2)} from {common[0].name} to {w.somewhere(shared[0])}" if common else "nothing"
        )
        lines.append(f"for each side in {shared[0].of}: move first of {domain.name} to side.{shared[0].name}")
    elif own and domain.owned:
        lines.append(f"each player: move every {domain.name} where owner is player to player.{s.one(own).name}")
    elif common and not domain.owned:
        lines.append(f"place {s.number(1, domain.size)} {domain.name} in {s.one(common).name}")
    elif own and not domain.owned:
        lines.append(f"place {domain.name} in {w.players[0]}.{s.one(own).name}")
    if domain.rolls and s.chance(50):
        lines.append(f"roll {domain.name}")
    return lines


def _stand(w: World, domain: Domain) -> list[str]:
    spaces = [name for name in w.of_sort("space")[0].members if name not in w.occupied]
    taken = w.source.some(spaces, 0, min(2, domain.count if domain.owned else domain.size))
    w.occupied.update(taken)
    domain.standing = domain.standing or bool(taken)
    owners = w.players if domain.owned else ("",)
    lines = []
    for number_, space in enumerate(taken):
        owner = f" of {owners[number_ % len(owners)]}" if domain.owned else ""
        lines.append(f"place {domain.name}{owner} on {space}")
    return lines
