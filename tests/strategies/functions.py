"""What is worked out: values, relations, and the tables that make a type or answer a question.

A function may call those declared before it and no others, so calls never go in circles. The rows and columns of a
lookup table part the members of its inputs, so that every input meets one and every one is met.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from attrs import frozen

from strategies.expressions import condition, member, number, things
from strategies.source import ATOM, COMPARE, E, block, made
from strategies.world import FLAG, NUMBER, Called, Domain, Feature, Local, Lookup, Scope, World

__all__ = [
    "gives", "heads", "inputs_of", "makes", "relation", "relation_line", "table_rows", "value", "value_line",
    "written_inputs",
]  # fmt: skip


def inputs_of(w: World, most: int, sets: bool = False) -> tuple[tuple[str, str], ...]:
    """Names and types of some inputs."""
    s = w.source
    found = []
    domains = [d for d in w.domains.values() if d.sort != "direction"]
    for _ in range(most):
        type = s.one(domains).name if s.chance(70) else NUMBER
        if sets and type in w.domains and s.chance(25):
            type = f"set of {type}"
        found.append((w.name("input"), type))
    return tuple(found)


def written_inputs(inputs: Sequence[tuple[str, str]]) -> str:
    """`(p: Player, n: number)`, or nothing."""
    return f"({', '.join(f'{name}: {type}' for name, type in inputs)})" if inputs else ""


def scope_of(inputs: Sequence[tuple[str, str]], scope: Scope | None = None) -> Scope:
    """A scope in which inputs are known."""
    found = scope or Scope()
    for name, type in inputs:
        is_set = type.startswith("set of ")
        plain = NUMBER if ".." in type else type.removeprefix("set of ")
        found = found.plus(Local(name, plain, is_set))
    return found


# ------------------------------------------------------------------------------------------- values and relations


def value(w: World) -> list[str]:
    """A value: one expression, or lines."""
    s, name = w.source, w.name("value")
    inputs = inputs_of(w, s.number(0, 2), sets=True)
    scope = scope_of(inputs)
    halves = s.chance(20)
    head = f"value {name}{written_inputs(inputs)}{' in halves' * halves}"
    if s.chance(40):
        things_ = [d for d in w.domains.values() if d.members]
        if not halves and s.chance(30):
            domain = s.one(things_)
            found = member(w, scope, domain, 2)
            if found is not None:
                w.callables.append(Called(name, "value", inputs, domain.name))
                return [f"{head} = {found.text}"]
        text = number(w, scope, 2).text
        w.callables.append(Called(name, "value", inputs, halves=halves))
        return [f"{head} = {text}"]
    lines = [f"start {number(w, scope, 1).text}{_reason(w, scope)}"] if s.chance(80) else []
    lines += [value_line(w, scope) for _ in range(s.number(0 if lines else 1, 4))]
    w.callables.append(Called(name, "value", inputs, halves=halves, has_lines=True))
    return [head, *block(lines)]


def _reason(w: World, scope: Scope) -> str:
    if not w.source.chance(30):
        return ""
    return f' "it is {{{number(w, scope, 0).text}}}"' if w.source.chance(30) else ' "a reason"'


def value_line(w: World, scope: Scope) -> str:
    """One line of a value."""
    s = w.source
    match s.number(0, 6):
        case 0 | 1 | 2:
            head = s.one("+-")
            if s.chance(40):
                domain = s.one([d.name for d in w.domains.values()])
                name = w.name("local") if s.chance(60) else ""
                base_, filter_ = things(w, scope, domain, 1, name)
                inside = scope.of(domain).plus(*[Local(name, domain)] * bool(name))
                amount = number(w, inside if s.chance(50) else scope, 1)
                behind = f" {filter_}" if filter_ else ""
                return f"{head} {amount.text} per {name + ' in ' if name else ''}{base_.at(COMPARE)}{behind}"
            return f"{head} {number(w, scope, 1).text}{_condition(w, scope)}{_reason(w, scope)}"
        case 3:
            return f"times {number(w, scope, 0).text}{_condition(w, scope)}{_reason(w, scope)}"
        case 4:
            by = s.one(("2", "3", "-2"))
            rounded = s.one(("", " rounded up", " rounded down"))
            return f"divided by {made(by, ATOM).text}{rounded}{_condition(w, scope)}{_reason(w, scope)}"
        case 5:
            return f"at least {number(w, scope, 0).text}{_condition(w, scope)}"
        case _:
            return f"at most {number(w, scope, 1).text}{_condition(w, scope)}"


def _condition(w: World, scope: Scope) -> str:
    if not w.source.chance(40):
        return ""
    return f" {w.source.one(('if', 'unless'))} {condition(w, scope, 1).text}"


def relation(w: World) -> list[str]:
    """A relation: one condition, or lines."""
    s, name = w.source, w.name("relation")
    inputs = inputs_of(w, s.number(1, 2), sets=True)
    scope = scope_of(inputs)
    head = f"relation {name}{written_inputs(inputs)}"
    if s.chance(40):
        text = condition(w, scope, 2).text
        w.callables.append(Called(name, "relation", inputs, FLAG))
        return [f"{head} = {text}"]
    lines = [relation_line(w, scope) for _ in range(s.number(1, 3))]
    w.callables.append(Called(name, "relation", inputs, FLAG, has_lines=True))
    return [head, *block(lines)]


def relation_line(w: World, scope: Scope) -> str:
    """One line of a relation."""
    return f"{w.source.one(('when', 'unless'))} {condition(w, scope, 2).text}{_reason(w, scope)}"


# ------------------------------------------------------------------------------------------- tables that make a type


def table_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table as it is written."""
    lines = [f"| {' | '.join(cells)} |" for cells in (header, *rows)]
    return block([lines[0], f"|{'---|' * len(header)}", *lines[1:]])


@frozen
class _Column:
    heading: str
    cells: tuple[str, ...]
    feature: Feature | None = None
    effect: str = ""


def makes(w: World, effects: Sequence[str] = (), wanted: Container[str] = ()) -> list[str]:
    """A table whose rows are things, or two, with columns of every sort; `effects` may be named in cells."""
    s, name, type = w.source, w.name("table"), w.name("type")
    rows = tuple(w.name("row") for _ in range(s.number(2, 3)))
    domain = Domain(type, "row", rows, len(rows))
    enums = w.of_sort("enum")
    columns: list[_Column] = []
    for _ in range(s.number(1, 3)):
        columns.append(_printed(w, rows, enums))
    if "texts" in wanted or s.chance(20):
        columns.append(_text(w, rows))
    domain.features += [column.feature for column in columns if column.feature is not None]
    w.domains[type] = domain
    figure = ""
    if enums and ("figures" in wanted or s.chance(25)):
        by = s.one(enums)
        figure_name = w.name("column")
        figure = f", {figure_name} by {by.name}"
        low, high = 0, 5
        for heading in by.members:
            columns.append(_Column(heading, tuple(s.one(("", str(s.number(low, high)))) for _ in rows)))
        # cells that tell nothing have no type
        if not any(cell for column in columns[-len(by.members) :] for cell in column.cells):
            columns[-1] = _Column(columns[-1].heading, tuple("1" for _ in rows))
        domain.features.append(Feature(figure_name, NUMBER, low, high, key=by.name))
    for _ in range(s.number(0, 2)):
        columns.append(_worked_out(w, domain, rows, effects))
    domain.features += [c.feature for c in columns if c.feature is not None and c.feature not in domain.features]
    domain.effects += [column.effect for column in columns if column.effect]
    header = (type.lower(), *(column.heading for column in columns))
    body = tuple((row, *(column.cells[at] for column in columns)) for at, row in enumerate(rows))
    parts = [(name, figure, header, body)]
    if "tables" in wanted or s.chance(25):
        parts = [(name, figure, header, body[:1]), (w.name("table"), *_other_table(w, figure, header, body[1:]))]
    lines: list[str] = []
    for part, crossed_by, headings, cells in parts:
        w.tables[part] = type
        w.lookups.append(Lookup(part, headings, cells, makes=True))
        lines += [f"table {part} makes {type}{crossed_by}", *table_rows(headings, cells)]
    return lines


def _other_table(
    w: World, figure: str, header: tuple[str, ...], rows: tuple[tuple[str, ...], ...]
) -> tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """A second table of a type: its figure, headings and rows, in another order and perhaps without blank columns."""
    s = w.source
    order = list(range(1, len(header)))
    if s.chance(50):
        order.reverse()
    order = [at for at in order if any(row[at] for row in rows) or s.chance(50)]
    headings = tuple(header[at] if s.chance(50) else header[at].partition(":")[0] for at in order)
    return (
        figure if s.chance(50) else "",
        (header[0], *headings),
        tuple((row[0], *(row[at] for at in order)) for row in rows),
    )


def _text(w: World, rows: Sequence[str]) -> _Column:
    """A column of texts for people."""
    name = w.name("column")
    said = ("", "an old mill", '"number #1"', "2", "Forge", "{not a value}", "yes, and no")
    return _Column(f"{name}: text", tuple(w.source.one(said) for _ in rows), Feature(name, "text"))


def _printed(w: World, rows: Sequence[str], enums: Sequence[Domain]) -> _Column:
    s, name = w.source, w.name("column")
    match s.number(0, 5 if enums else 2):
        case 0 | 1:
            cells = tuple(str(s.number(0, 6)) for _ in rows)
            return _Column(name + s.one(("", ": number")), cells, Feature(name, NUMBER))
        case 2:
            cells = tuple(s.one(("yes", "")) for _ in rows)
            plain = "" if "yes" in cells and s.chance(50) else ": flag"
            return _Column(name + plain, cells, Feature(name, FLAG))
        case 3 | 4:
            domain = s.one(enums)
            may_be_none = s.chance(30)
            cells = tuple("" if may_be_none and s.chance(40) else s.one(domain.members) for _ in rows)
            plain = "" if all(cells) and s.chance(50) else f": {domain.name}"
            return _Column(name + plain, cells, Feature(name, domain.name, optional="" in cells))
        case _:
            domain = s.one(enums)
            cells = tuple(", ".join(s.some(domain.members, 0, 3)) for _ in rows)
            return _Column(f"{name}: set of {domain.name}", cells, Feature(name, domain.name, is_set=True))


def _worked_out(w: World, domain: Domain, rows: Sequence[str], effects: Sequence[str]) -> _Column:
    s, name = w.source, w.name("column")
    scope = Scope(it=domain.name, calls=False, columns=False)
    match s.number(0, 2):
        case 0:
            cells = tuple(_cell(number(w, scope, 2)) for _ in rows)
            return _Column(f"{name}: value", cells, Feature(name, NUMBER, worked_out=True))
        case 1:
            cells = tuple(_cell(condition(w, scope, 2)) if s.chance(80) else "" for _ in rows)
            return _Column(f"{name}: relation", cells, Feature(name, FLAG, worked_out=True))
        case _:
            cells = tuple(", ".join(s.some([*effects, 'say "a cell"'], 0, 2)) for _ in rows)
            return _Column(f"{name}: effect", cells, effect=name)


def _cell(found: E) -> str:
    return found.text


# ------------------------------------------------------------------------------------------- lookup tables


def gives(w: World) -> list[str]:
    """A table that answers a question of one input or two."""
    s, name = w.source, w.name("table")
    inputs = tuple((w.name("input"), _input_type(w)) for _ in range(s.number(1, 2)))
    match_ = s.one(("", ", first match", ", exactly one match"))
    if w.may_be_more and "Player" in (type for _, type in inputs):
        match_ = ""
    once = match_ == ", exactly one match"
    scope = Scope(locals=scope_of(inputs).locals, calls=False)
    results = [NUMBER, *(d.name for d in w.of_sort("enum"))]
    result = s.one(results)
    rows = heads(w, inputs[0][1], once)
    columns = heads(w, inputs[1][1], once) if len(inputs) == 2 else ["points"]

    def cell() -> str:
        if result == NUMBER:
            return f"max(0, min(9, {number(w, scope, 1).text}))" if s.chance(30) else str(s.number(0, 9))
        found = member(w, scope, w.domains[result], 1)
        return found.text if found is not None else w.domains[result].members[0]

    body = [(head, *(cell() for _ in columns)) for head in rows]
    w.callables.append(Called(name, "gives", inputs, result))
    header = (inputs[0][0], *columns)
    w.lookups.append(Lookup(name, header, tuple(tuple(row) for row in body)))
    written = "0..9" if result == NUMBER else result
    return [f"table {name}{written_inputs(inputs)} gives {written}{match_}", *table_rows(header, body)]


def _input_type(w: World) -> str:
    s = w.source
    named = [d.name for d in w.domains.values() if d.members and d.sort in ("enum", "row", "player", "space")]
    return s.one(named) if named and s.chance(60) else s.one((f"0..{s.number(4, 9)}", FLAG))


def heads(w: World, type: str, once: bool) -> list[str]:
    """Headings that part the members of a type."""
    s = w.source
    if type == FLAG:
        return ["yes", s.one(("no", "any") if not once else ("no",))]
    if ".." in type:
        low, high = (int(end) for end in type.split(".."))
        first = s.number(low, high - 2)
        second = s.number(first + 1, high - 1)
        found = [
            f"{low}..{first}" if first > low else str(low),
            f"{first + 1}..{second}" if second > first + 1 else str(second),
        ]
        return [*found, f"{second + 1}+" if once or s.chance(60) else "any"]
    domain = w.domains[type]
    flags = [f.name for f in domain.features if f.type == FLAG and f.changes and not f.key and not f.secret]
    if flags and not once and s.chance(40):
        if len(flags) > 1 and s.chance(50):
            return [f"{flags[0]} and {s.one(('', 'not '))}{flags[1]}", "any"]
        return [f"{s.one(('', 'not '))}{flags[0]}", "any"]
    named = s.some(domain.members, 1, len(domain.members))
    if len(named) == len(domain.members) and domain.sort == "enum":
        return named
    if once:
        rest = [name for name in domain.members if name not in named]
        return [*named, *rest] if domain.sort != "row" else list(domain.members)
    return [*(named[:-1] if len(named) == len(domain.members) else named), "any"]
