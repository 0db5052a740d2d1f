"""What a game is made of: enums, kinds, fields, states, tracks, boards and zones, and the options before it.

Each function declares one thing and gives its lines; what it declares is in the world from then on.
"""

from __future__ import annotations

from itertools import pairwise

from attrs import evolve

from strategies.source import block
from strategies.world import FLAG, NUMBER, Board, Domain, Feature, Global, Option, Roster, World, Zone

__all__ = [
    "board",
    "board_file",
    "enum",
    "field",
    "fields_of",
    "hidden_zone",
    "kind",
    "looks",
    "open_board",
    "option",
    "roster",
    "shapes",
    "sides",
    "state",
    "track",
    "ways",
    "zone",
]


def option(w: World) -> list[str]:
    """`option size = 3 in 1..4`, and the other three forms."""
    s, name = w.source, w.name("option")
    match s.number(0, 3):
        case 0:
            low, high = s.number(1, 2), s.number(3, 4)
            w.options.append(Option(name, "number", (), low, high))
            return [f"option {name} = {s.number(low, high)} in {low}..{high}"]
        case 1:
            w.options.append(Option(name, "flag"))
            return [f"option {name} = {s.one(('no', 'yes'))}"]
        case 2:
            taken = tuple(w.name("word") for _ in range(s.number(2, 3)))
            w.options.append(Option(name, "word", taken))
            return [f"option {name} = {' or '.join(taken)}"]
        case _:
            w.options.append(Option(name, "number", (), 0, 4))
            return [f"option {name} = {s.number(0, 4)} in 0..4"]


def enum(w: World) -> list[str]:
    """`enum Mood from 1: sad, glad`."""
    s, name = w.source, w.name("enum")
    members = tuple(w.name("member") for _ in range(s.number(2, 4)))
    w.domains[name] = Domain(name, "enum", members, len(members))
    first = f" from {s.number(0, 5)}" if s.chance(50) else ""
    return [f"enum {name}{first}: {', '.join(members)}"]


def ways(w: World) -> list[str] | None:
    """`enum Mood clockwise: ahead, ...` that goes with a board; None where there is no board with directions."""
    s, rings = w.source, w.of_sort("direction")
    if not rings:
        return None
    size = s.one([count for count in (2, 3, 4, 6, 8) if s.one(rings).size % count == 0])
    name = w.name("enum")
    members = tuple(w.name("member") for _ in range(size))
    w.domains[name] = Domain(name, "enum", members, size, clockwise=True)
    first = f" from {s.number(0, 5)}" if s.chance(30) else ""
    return [f"enum {name} clockwise{first}: {', '.join(members)}"]


def shapes(w: World) -> list[str]:
    """`shapes Template` with some drawings."""
    s, name = w.source, w.name("shapes")
    members = tuple(w.name("shape") for _ in range(s.number(1, 3)))
    w.domains[name] = Domain(name, "enum", members, len(members), drawn=True)
    lines = []
    for member in members:
        columns, rows = s.number(1, 3), s.number(1, 3)
        signs = [[s.one("x.") for _ in range(columns)] for _ in range(rows)]
        here = signs[s.number(0, rows - 1)]
        here[s.number(0, columns - 1)] = "@" if any("x" in row for row in signs) and s.chance(50) else "X"
        if not any(sign in "xX" for row in signs for sign in row):
            signs.append(["x"] * columns)
        blank = s.one((" ", ""))
        lines += [member, *block([blank.join(row) for row in signs])]
    return [f"shapes {name}", *block(lines)]


# ------------------------------------------------------------------------------------------- fields


def _type(w: World, optional: bool) -> tuple[str, str, Feature]:
    """A type as it is written, what it begins with, and the feature of that type."""
    s = w.source
    or_none = " or none" if optional else ""
    named = [d for d in w.domains.values() if d.sort != "piece" and d.sort != "direction"]
    match s.number(0, 3 if named else 1):
        case 0:
            low, high = s.one((0, 0, 1, 0 if optional else -3)), s.number(5, 12)
            start = f" = {s.number(max(low, 0), high)}" if s.chance(50) else ""
            return f"{low}..{high}{or_none}", start, Feature("", NUMBER, low, high, optional)
        case 1:
            start = f" = {s.one(('yes', 'no'))}" if s.chance(40) else ""
            return "flag", start, Feature("", FLAG)
        case 2 if not optional and s.chance(20):
            return NUMBER, "", Feature("", NUMBER, -1000, 1000)
        case _:
            domain = s.one(named)
            start = f" = {s.one(domain.members)}" if domain.members and s.chance(50) else ""
            if domain.sort == "space" and len(w.boards) == 1 and s.chance(50):
                written = "space"
            elif domain.sort == "space" and s.chance(30):
                written = f"space of {domain.board}"
            else:
                written = domain.name
            return f"{written}{or_none}", start, Feature("", domain.name, 0, 0, optional)


def field(w: World, owner: Domain, secrets: bool = False, rolled: bool = False, reset_by: str = "") -> str:
    """One field of the members of a domain."""
    s, name = w.source, w.name("field")
    if rolled:
        enums = w.of_sort("enum")
        owner.rolls = True
        if enums and s.chance(40):
            domain = s.one(enums)
            owner.features.append(Feature(name, domain.name, changes=True))
            return f"{name}: {domain.name}, rolled"
        owner.features.append(Feature(name, NUMBER, 1, 6, changes=True))
        return f"{name}: 1..6, rolled"
    type, start, feature = _type(w, s.chance(30))
    attributes = ""
    keys = w.of_sort("enum", "row", "player")
    secret = secrets and owner.sort == "player" and s.chance(40)
    if keys and s.chance(25) and not secret:
        key = s.one(keys)
        feature = evolve(feature, key=key.name)
        attributes += f", for each {key.name}"
    if secret:
        attributes += ", seen by owner"
    if reset_by and s.chance(50):
        attributes += f", reset by {reset_by}"
    if s.chance(20):
        attributes += ", silent"
    owner.features.append(evolve(feature, name=name, changes=True, secret=secret))
    return f"{name}: {type}{start}{attributes}"


def fields_of(w: World, owner: Domain, secrets: bool = False, reset_by: str = "") -> list[str]:
    """`each X has` with some fields."""
    lines = [field(w, owner, secrets, reset_by=reset_by) for _ in range(w.source.number(1, 2))]
    return [f"each {owner.name} has", *block(lines)]


def state(w: World) -> list[str]:
    """`state stake: 1..6 = 2`."""
    s, name = w.source, w.name("state")
    type, start, feature = _type(w, s.chance(25))
    w.globals.append(Global(name, feature.type, feature.low, feature.high, feature.optional))
    return [f"state {name}: {type}{start}"]


def track(w: World, counts: int = 0) -> list[str]:
    """`track gold: 0..8 = 2` with marks; of each player; or one that only counts up to a number."""
    s, name = w.source, w.name("track")
    if counts:
        w.globals.append(Global(name, NUMBER, 0, counts, is_track=True, counts=True))
        return [f"track {name}: 0..{counts}"]
    low = s.one((0, 0, 1, -2))
    high = s.number(low + 2, low + 8)
    start = f" = {s.number(low, high)}" if low >= 0 and s.chance(40) else ""
    marks = [w.name("mark") for _ in range(s.number(0, 2))]
    lines = [f"{mark} at {', '.join(str(n) for n in s.some(range(max(low, 0), high + 1), 1, 2))}" for mark in marks]
    if s.chance(30):
        owner = s.one([domain for domain in w.of_sort("player", "enum", "row", "space") if not domain.is_open])
        owner.features.append(Feature(name, NUMBER, low, high, changes=True, is_track=True, marks=tuple(marks)))
        return [f"track {name} of each {owner.name}: {low}..{high}{start}", *block(lines)]
    w.globals.append(Global(name, NUMBER, low, high, is_track=True, marks=tuple(marks)))
    return [f"track {name}: {low}..{high}{start}", *block(lines)]


# ------------------------------------------------------------------------------------------- boards


def board(w: World) -> list[str]:
    """A board of one of the families."""
    s, name, space = w.source, w.name("board"), w.name("space")
    taken = {"a1" if d.is_open else d.members[0] for d in w.of_sort("space")}  # boards that share directions, too
    match s.one(("grid", "path", "ring", "hex") if "p1" not in taken else ("grid", "hex")):
        case "grid" if "a1" not in taken:
            columns, rows = s.number(1, 3), s.number(1, 3)
            _add_board(w, name, space, _grid(columns, rows), _EDGES, ("orth", "diag"), _COMPASS, ("column", "row"))
            size = f"square grid, {_size(w, columns)} by {rows}"
        case "hex" if "a1" not in taken:
            columns, rows = s.number(2, 3), s.number(1, 3)
            _add_board(w, name, space, _grid(columns, rows), _EDGES, ("orth",), _HEX, ("column", "row"))
            size = f"hex grid, {columns} by {rows}"
        case "ring" if "p1" not in taken:
            length = s.number(3, 5)
            spaces = tuple(f"p{i}" for i in range(1, length + 1))
            _add_board(w, name, space, spaces, ("first",), ("along",), ("forward", "back"), ("position",))
            size = f"ring, {_size(w, length)}"
        case _:
            length = s.number(2, 5)
            spaces = tuple(f"p{i}" for i in range(1, length + 1))
            _add_board(w, name, space, spaces, ("first", "last"), ("along",), ("forward", "back"), ("position",))
            size = f"path, {_size(w, length)}"
    return [f"board {name} of {space}: {size}"]


_EDGES = ("north edge", "south edge", "east edge", "west edge")
_COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_HEX = ("northeast", "east", "southeast", "southwest", "west", "northwest")


def _grid(columns: int, rows: int) -> tuple[str, ...]:
    return tuple(f"{'abc'[column]}{row}" for row in range(1, rows + 1) for column in range(columns))


def _size(w: World, size: int) -> str:
    return f"({size} + 1 - 1)" if w.source.chance(10) else str(size)


def _add_board(
    w: World,
    name: str,
    space: str,
    spaces: tuple[str, ...],
    regions: tuple[str, ...],
    links: tuple[str, ...],
    directions: tuple[str, ...],
    numbers: tuple[str, ...],
    figures: tuple[str, ...] = (),
) -> None:
    w.boards.append(Board(name, space, regions, links, figures))
    features = [Feature(number_, NUMBER) for number_ in numbers]
    w.domains[space] = Domain(space, "space", spaces, len(spaces), features, board=name)
    if directions:
        way = f"direction of {name}"
        w.domains[way] = Domain(way, "direction", directions, len(directions), board=name)


def open_board(w: World) -> list[str]:
    """A board without edges, as small as it may be."""
    name, space = w.name("board"), w.name("space")
    numbers = range(-7, 9)
    spaces = tuple(
        f"{'w' if column < 0 else 'e'}{abs(column)}{'s' if row < 0 else 'n'}{abs(row)}"
        for row in numbers
        for column in numbers
    )
    _add_board(w, name, space, spaces, ("origin",), ("orth", "diag"), _COMPASS, ("column", "row"))
    w.domains[space].is_open = True
    return [f"board {name} of {space}: open grid, 16 by {_size(w, 16)}"]


def board_file(w: World) -> list[str]:
    """A board from a file: an area map with figures of spaces and links, and regions."""
    s, name, space = w.source, w.name("board"), w.name("space")
    towns = tuple(w.name("town") for _ in range(s.number(2, 4)))
    kinds = tuple(w.name("link") for _ in range(s.number(1, 2)))
    region = w.name("region")
    column, port = "price", "port"
    lines = ["board: Land", "family: map", "spaces:"]
    for town in towns:
        has_port = f", {port}: true" if s.chance(50) else ""
        lines.append(f"  {town}: {{{column}: {s.number(0, 5)}{has_port}}}")
    lines += ["attributes:", f"  {column}: 0..5", f"  {port}: flag", f"link kinds: [{', '.join(kinds)}]"]
    lines += ["link attributes:", "  days: 1..3", "links:"]
    for start, end in pairwise(towns):
        lines.append(f"  - {{between: [{start}, {end}], kind: {s.one(kinds)}, days: {s.number(1, 3)}}}")
    if len(towns) > 2 and s.chance(50):
        lines.append(f"  - {{between: [{towns[0]}, {towns[-1]}], kind: {s.one(kinds)}, days: 2}}")
    lines += ["regions:", f"  {region.replace('_', ' ')}: [{', '.join(s.some(towns, 1, len(towns)))}]"]
    path = f"{name}.yaml"
    w.parts[path] = "\n".join(lines) + "\n"
    _add_board(w, name, space, towns, (region,), kinds, (), (column,), ("days",))
    w.domains[space].features.append(Feature(port, FLAG))
    return [f'board {name} of {space} from "{path}"']


# ------------------------------------------------------------------------------------------- pieces


def kind(w: World, secrets: bool = False) -> list[str]:
    """A kind of pieces: in the box, for each player, or of each member."""
    s, name = w.source, w.name("kind")
    domain = Domain(name, "piece", (), 0)
    members = w.of_sort("enum", "row", "player")
    match s.number(0, 2 if members else 1):
        case 0:
            domain.size = domain.count = s.number(1, 4)
            sizes = [o for o in w.options if o.type == "number" and o.low > 0]
            count = f"{domain.size} in the box"
            if sizes and s.chance(30):
                domain.size = domain.count = sizes[0].low
                count = f"{sizes[0].name} in the box"
        case 1:
            domain.count, domain.owned = s.number(1, 2), True
            domain.size = domain.count * len(w.players)
            count = f"{domain.count} for each Player"
        case _:
            each = s.one(members)
            domain.count = s.number(1, 2)
            domain.size = domain.count * each.size
            count = f"{domain.count} of each {each.name}"
            sizes = [o for o in w.options if o.type == "number" and o.low > 0]
            if s.chance(20):
                count = f"({domain.count} + 1 - 1) of each {each.name}"
            elif sizes and s.chance(40):
                domain.count = sizes[0].low
                domain.size = domain.count * each.size
                count = f"{sizes[0].name} of each {each.name}"
            domain.owned = each.sort == "player"
            if each.sort == "row":
                domain.row = each.name
            if each.sort != "player":
                domain.features.append(Feature(each.name[0].lower() + each.name[1:], each.name))
    domain.alone = count in ("1 in the box", "1 for each Player") and domain.size == 1 and not w.may_be_more
    if domain.owned:
        domain.features.append(Feature("owner", "Player"))
    w.domains[name] = domain
    lines = [field(w, domain) for _ in range(s.number(0, 1))]
    if s.chance(50):
        lines.append(field(w, domain, rolled=True))
    texts = [f.name for f in w.domains[domain.row].features if f.type == "text"] if domain.row else []
    if texts and s.chance(60):
        lines.append(f'named "{{{s.one(texts)}}} {name.lower()}"')
    elif domain.features and s.chance(50):
        shown = s.one([f for f in domain.features if not f.key] or [Feature("number_", NUMBER)])
        lines.append(
            f'named "{name.lower()} {{{shown.name}}}"' if shown.name != "number_" else f'named "a {name.lower()}"'
        )
    return [f"kind {name}: {count}", *block(lines)]


def looks(w: World, pieces: Domain, always: bool) -> list[str]:
    """`ahead is` and `marked` lines of a kind; where the kind holds secrets the markers ask of printed things only."""
    s, lines = w.source, []
    directions = [domain for domain in w.of_sort("direction") if domain.members]
    if directions and (always or s.chance(60)):
        lines.append(f"ahead is {s.one(s.one(directions).members)}")
    fields = [f for f in pieces.features if not f.key and not f.secret and f.type in (FLAG, NUMBER) and not f.optional]
    if fields and (always or s.chance(60)):
        asked = s.one(fields)
        condition = asked.name if asked.type == FLAG else f"{asked.name} > {s.number(1, 4)}"
        shown = " {" + asked.name + "}" if s.chance(30) else ""
        lines.append(f'marked "{s.one(("lame", "tired of it"))}{shown}" when {condition}')
    return [f"each {pieces.name} has", *block(lines)] if lines else []


def zone(w: World, pieces: Domain, secrets: bool = False) -> list[str]:
    """`zone hand of each Player holds Card, ordered, seen by owner, at most 3`."""
    s, name = w.source, w.name("zone")
    of = ""
    if s.chance(50):
        of = s.one(["Player", "Player", *(d.name for d in w.of_sort("enum", "row"))])
    ordered = s.chance(40)
    secret = ""
    if secrets and s.chance(60):
        secret = s.one(("owner", "nobody")) if of == "Player" or (pieces.owned and not of) else "nobody"
    most = pieces.size if s.chance(15) else 0
    return _zone(w, pieces, Zone(name, pieces.name, of, ordered, secret, most))


def hidden_zone(w: World, pieces: Domain) -> list[str]:
    """A zone that only its owner sees, or nobody."""
    s, of = w.source, w.source.one(("", "Player"))
    secret = s.one(("owner", "nobody")) if of else "nobody"
    return _zone(w, pieces, Zone(w.name("zone"), pieces.name, of, s.chance(50), secret, 0))


def _zone(w: World, pieces: Domain, made: Zone) -> list[str]:
    w.zones.append(made)
    pieces.zones.append(made)
    pieces.is_public = pieces.is_public and not made.secret
    attributes = [", ordered"] * made.ordered + [f", seen by {made.secret}"] * bool(made.secret)
    attributes += [f", at most {made.most}"] * bool(made.most)
    of = f" of each {made.of}" if made.of else ""
    return [f"zone {made.name}{of} holds {made.kind}{''.join(attributes)}"]


def sides(w: World) -> list[list[str]]:
    """A field of players that says on which side they are, and a zone and a field that only this side sees."""
    s, enum_, pieces = w.source, w.of_sort("enum")[0], w.of_sort("piece")[0]
    side, plan = w.name("field"), w.name("field")
    w.domains["Player"].features.append(Feature(side, enum_.name, changes=True))
    enum_.features.append(Feature(plan, NUMBER, 0, 9, changes=True, secret=True))
    made = Zone(w.name("zone"), pieces.name, enum_.name, s.chance(40), side)
    return [
        ["each Player has", *block([f"{side}: {enum_.name}"])],
        [f"each {enum_.name} has", *block([f"{plan}: 0..9, seen by {side}"])],
        _zone(w, pieces, made),
    ]


# ------------------------------------------------------------------------------------------- rosters


def roster(w: World) -> list[list[str]]:
    """A roster of the rows of a table or the members of an enum, its muster in the set-up, and a test with a list."""
    s, of, name = w.source, _of_listed(w), w.name("roster")
    most = s.number(1, 3)
    copies = most > 1 or s.chance(20)
    secret = ", seen by owner" if s.chance(30) else ""
    attributes = f"{secret}, up to {most} of each" if copies else secret
    amount = f", {s.number(1, most)} of each" if copies and s.chance(60) else ""
    ready_made = s.one((of.name, f"{{{', '.join(s.some(of.members, 1, of.size))}}}"))
    lines, says = [f"begins as {ready_made}{amount}"], ""
    made: list[list[str]] = []
    if s.chance(40):
        says = w.name("field")
        made.append(["each Player has", *block([f"{says}: {of.name} or none"])])
        w.domains["Player"].features.append(Feature(says, of.name, optional=True, changes=True))
        lines.insert(0, f"says {says}")
    needs = [f"count of {name} <= {of.size}", f"every each_one in {name} satisfies number of each_one < 99"]
    if copies:
        needs.append(f"every each_one in {of.name} satisfies {name}(each_one) <= {most}")
    for need in s.some(needs, 0, len(needs)):
        lines.append(f"needs {need}" + (' "too many"' if s.chance(50) else ""))
    made.append([f"roster {name} of each Player from {of.name}{attributes}", *block(lines)])
    made.append(["setup", *block([f"muster {name}"])])
    w.rosters.append(Roster(name, of.name, copies, bool(secret)))
    made.append(_listed(w, name, of, says))
    return made


def _of_listed(w: World) -> Domain:
    """What a roster may list."""
    return w.source.one(w.of_sort("enum", "row"))


def _listed(w: World, name: str, of: Domain, says: str) -> list[str]:
    """A test in which somebody brings a list."""
    s, path = w.source, f"list{len(w.rosters)}.yaml"
    taken = s.some(of.members, 1, of.size)
    lines = [f"roster: {name}", "for: Made by Chance", f"all: [{', '.join(_plainly(one) for one in taken)}]"]
    if says:
        lines.append(f"{says}: {_plainly(s.one(of.members))}")
    w.parts[path] = "\n".join(lines) + "\n"
    owner = w.players[0]
    expected = [f"expect count of {owner}.{name} = {len(taken)}", f"expect {taken[0]} in {owner}.{name}"]
    return [f'test "a list of {w.label()}"', *block([f'roster {owner} "{path}"', *expected])]


def _plainly(name: str) -> str:
    return '"' + name.replace("_", " ").strip() + '"'
