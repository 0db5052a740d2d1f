"""What changes a game: variants and scenarios with every patch; and the tests beside the rules."""

from __future__ import annotations

from strategies.functions import relation_line, scope_of, table_rows, value_line, written_inputs
from strategies.source import block
from strategies.statements import Where, body
from strategies.world import NUMBER, Global, Option, Scope, World

__all__ = ["test", "variant"]


def variant(w: World, scenario: bool = False) -> list[str]:
    """A variant or scenario with some patches."""
    s, name = w.source, w.name("scenario" if scenario else "variant")
    title = ' "A Title"' if s.chance(40) else ""
    head = f"{'scenario' if scenario else 'variant'} {name}{title}"
    if w.switches and (scenario or not w.more_players) and s.chance(20):
        # what presets a variant changes nothing that this might change too
        return [head, *block([f"preset {s.one(w.switches)}{s.one(('', ' = yes'))}", *_added(w)])]
    lines: list[str] = []
    if w.more_players and not scenario:
        lines.append(f"players {w.more_players}")
    for _ in range(s.number(0 if lines else 1, 3)):
        lines += _patch(w, lines)
    if not scenario and w.variants and s.chance(40):
        flags = [option.name for option in w.options if option.type == "flag"]
        unless = f" unless {s.one(flags)}" if flags and s.chance(50) else ""
        lines.append(f"excludes {s.one(w.variants)}{unless}")
    if not lines:
        lines = _added(w)
    if not scenario:
        w.variants.append(name)
        if not w.more_players:
            w.switches.append(name)
        w.more_players = ""
    return [head, *block(lines)]


def _patch(w: World, before: list[str]) -> list[str]:
    s = w.source
    makers = [_modify_value, _modify_relation, _around, _around, _replace, _replaced, _added, _preset]
    made = s.one(makers)(w)
    # no second change of one thing, which is a conflict
    touched = {_what(line) for line in before}
    return made if made and _what(made[0]) not in touched else []


def _what(line: str) -> str:
    """What a patch is of."""
    return line.partition(" = ")[0].partition("(")[0]


def _modify_value(w: World) -> list[str]:
    values = [one for one in w.callable("value") if one.result == NUMBER]
    if not values:
        return []
    one = w.source.one(values)
    lines = [
        value_line(w, _earlier(w, one.name).plus(*scope_of(one.inputs).locals)) for _ in range(w.source.number(1, 2))
    ]
    return [f"modify {one.name}", *block(lines)]


def _modify_relation(w: World) -> list[str]:
    relations = w.callable("relation")
    if not relations:
        return []
    one = w.source.one(relations)
    line = relation_line(w, _earlier(w, one.name).plus(*scope_of(one.inputs).locals))
    return [f"modify {one.name}", *block([line])]


def _earlier(w: World, name: str) -> Scope:
    """A scope that calls nothing: what is called might need what is changed."""
    return Scope(calls=False, columns=False)


def _around(w: World) -> list[str]:
    s = w.source
    named = [one.name for one in w.callable("phase")] + [one.name for one in w.callable("effect") if not one.inputs]
    how = s.one(("before", "after", "instead of"))
    quiet = Where(asks=False, calls=False, depth=1)
    target = s.one([*named, "setup"]) if how != "instead of" else (s.one(named) if named else "")
    if not target:
        return []
    return [f"{how} {target}", *block(body(w, Scope(), quiet, 1, 2))]


def _replace(w: World) -> list[str]:
    """One other cell of a row: of printed numbers, or of a table that gives numbers."""
    s = w.source
    for table in w.lookups:
        if not table.makes:
            continue
        columns = [
            at
            for at in range(1, len(table.header))
            if all(row[at].isdigit() for row in table.rows) and " " not in table.header[at].partition(":")[0].strip()
        ]
        if not columns:
            continue
        at, row = s.one(columns), s.one(table.rows)
        heading = table.header[at]
        return [
            f"replace in {table.name}",
            *block(table_rows((table.header[0], heading), [(row[0], str(s.number(0, 6)))])),
        ]
    return []


def _replaced(w: World) -> list[str]:
    """A value or relation that takes the place of the one of its name."""
    s = w.source
    named = [one for one in w.callable("value") if one.result == NUMBER] + w.callable("relation")
    if not named:
        return []
    one = s.one(named)
    scope = _earlier(w, one.name).plus(*scope_of(one.inputs).locals)
    head = f"replace {one.form} {one.name}{written_inputs(one.inputs)}{' in halves' * one.halves}"
    if one.form == "relation":
        return [head, *block([relation_line(w, scope)])]
    return [head, *block([value_line(w, scope) for _ in range(s.number(1, 2))])]


def _added(w: World) -> list[str]:
    """A state of its own, and something done with it after the set-up."""
    s, name = w.source, w.name("state")
    w.globals_of_variants.append(Global(name, NUMBER, 0, 9))
    return [f"state {name}: 0..9", "after setup", *block([f"set {name} to {s.number(0, 9)}"])]


def _preset(w: World) -> list[str]:
    if not w.options:
        return []
    option = w.source.one(w.options)
    return [f"preset {option.name} = {_value(w, option)}"]


def _value(w: World, option: Option) -> str:
    s = w.source
    match option.type:
        case "number":
            return str(s.number(option.low, option.high))
        case "flag":
            return s.one(("yes", "no"))
        case _:
            return s.one(option.words)


def test(w: World) -> list[str]:
    """A test that holds whatever the game does: something is given and then expected."""
    s = w.source
    lines = [f"seed {s.number(0, 9)}"] if s.chance(30) else []
    options = [option for option in w.options if s.chance(30)]
    if options:
        lines.append(f"options {', '.join(f'{option.name} = {_value(w, option)}' for option in options)}")
    given, expected = [], []
    for one in w.globals:
        if one.type == NUMBER and s.chance(60):
            value = s.number(max(one.low, 0), one.high)
            given.append(f"set {one.name} to {value}")
            expected.append(f"expect {one.name} = {value}")
        elif one.type in w.domains and w.domains[one.type].members and s.chance(60):
            value_ = s.one(w.domains[one.type].members)
            given.append(f"set {one.name} to {value_}")
            expected.append(f"expect {one.name} is {value_}")
    for domain in w.of_sort("piece"):
        if s.chance(40):
            given.append(f"move every {domain.name} to box")
            expected += [f"expect no {domain.name} where it in {z.name}" for z in domain.zones if not z.of]
    if s.chance(30):
        given.append(f"set player to {w.players[-1]}")
        expected.append(f"expect player is {w.players[-1]}")
    lines += ["given", *block(given)] if given else []
    lines += expected or ["expect not finished"]
    w.labels += 1
    return [f'test "test {w.labels}"', *block(lines)]
