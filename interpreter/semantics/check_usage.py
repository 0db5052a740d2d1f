"""Whether everything declared is of use.

A phase or effect is of use if set-up, play or another that is of use calls it. A value, relation, table, zone, track,
field, kind or enum is of use if anything names it, be it only by its type. Tests count as users: they are still
syntax here, so every name that stands in one counts, whatever it means.

Invariant: what is reported could be taken out of this configuration without changing a game. Whether it is of use in
another configuration is for `checks` to ask, which keeps only what no configuration uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import fields

from interpreter.diagnostics import Diagnostics
from interpreter.semantics import walk
from interpreter.semantics.model import Function, Game, Kind, Local, Understood, Variable, Zone
from interpreter.semantics.types import DomainType, EnumType, ListType, MapType, PieceType, RowType, SetType, Type
from interpreter.syntax.ast import Name, Node

__all__ = ["check_usage"]


def check_usage(game: Game, sink: Diagnostics) -> None:
    """Report what is declared and not used."""
    tested = _Tested(game)
    _check_carried_out(game, tested, sink)
    _check_named(game, tested, sink)


class _Tested:
    """The names that stand in tests, looked for only when something else calls for them: tests can be long."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._names: set[str] | None = None

    def __contains__(self, name: str) -> bool:
        if self._names is None:
            self._names = set()
            for test in self._game.tests:
                _collect_names(test.tree, self._names)
        return name in self._names


def _check_carried_out(game: Game, tested: _Tested, sink: Diagnostics) -> None:
    """Phases and effects that nothing reaches; of a chain of them only its head."""
    happening = [one for one in walk.survey(game).functions if one.form in ("phase", "effect")]
    start: list[Understood] = list(walk.game_bodies(game))
    for function in walk.survey(game).functions:
        if function.form not in ("phase", "effect"):
            start.extend(walk.bodies(function))
    reached = {*walk.called_from(start)}
    idle = [function for function in happening if function not in reached]
    mustered = {roster.muster for roster in game.rosters.values()}  # looked after by `check_rosters`
    idle = [function for function in idle if function not in mustered]
    in_tests = [function for function in idle if function.name in tested]
    reached.update(in_tests, walk.called_from(body for function in in_tests for body in walk.bodies(function)))
    idle = [function for function in idle if function not in reached]
    for function in idle:
        if not any(_calls(other, function) for other in idle):
            sink.warning(
                "D303",
                f"{function.form} `{function.name}` is never carried out",
                function.span,
                help="name it where it happens, or remove it",
            )


def _calls(caller: Function, called: Function) -> bool:
    return any(called in walk.calls(body) for body in walk.bodies(caller))


def _check_named(game: Game, tested: _Tested, sink: Diagnostics) -> None:
    """Values, relations, tables, zones, variables, kinds and enums that nothing names."""
    named, types = _named_in(game)

    def report(words: str, thing: Function | Zone | Variable | Kind, unused: str = "used") -> None:
        sink.warning("D304", f"{words} `{thing.name}` is never {unused}", thing.span, help="use it, or remove it")

    for function in game.functions.values():
        carried_out = function.form in ("phase", "effect")
        if not carried_out and function not in named and function.name not in tested and function is not game.score:
            report(function.form, function)
    for zone in game.zones.values():
        if zone not in named and zone.name not in tested:
            report("zone", zone)
    for variable in game.variables:
        is_counted = variable.roster is not None and variable is variable.roster.copies
        if variable not in named and variable.name not in tested and not is_counted:
            report(_variable_words(variable), variable)
    for kind in game.kinds.values():
        holders = any(zone.kind is kind for zone in game.zones.values())
        if kind not in named and PieceType(name=kind.name) not in types and not holders and kind.name not in tested:
            report("kind", kind)
    for enum in game.enums.values():
        if enum.name in game.options:
            continue  # the words of an option
        if EnumType(name=enum.name) not in types and not any(name in tested for name in (enum.name, *enum.members)):
            what = "shapes" if enum.shapes else "enum"
            sink.warning("D304", f"{what} `{enum.name}` is never used", enum.span, help="use it, or remove it")
    for rows in game.rows.values():
        if RowType(name=rows.name) not in types and not any(
            name in tested for name in (rows.name, *(table.name for table in rows.tables), *rows.members)
        ):
            for table in rows.tables:
                message = f"table `{table.name}` is never used"
                sink.warning("D304", message, table.span, help="use its rows, or remove it")


def _variable_words(variable: Variable) -> str:
    if variable.is_track:
        return "track"
    if variable.roster is not None:
        return "roster"
    return "field" if variable.keys else "state"


def _named_in(game: Game) -> tuple[set[object], set[Type]]:
    """What the rules name anywhere, not counting a function's mention of itself, and the domains of their types."""
    named: set[object] = set()
    types: set[Type] = set()
    roots: list[tuple[Function | None, Understood]] = [(None, body) for body in walk.game_bodies(game)]
    for function in walk.survey(game).functions:
        roots.extend((function, body) for body in walk.bodies(function))
        types.update(_domains(local.type for local in function.parameters))
        if function.result is not None:
            types.update(_domains([function.result]))
    for within, root in roots:
        for node in walk.descend(root):
            for thing in walk.mentions(node):
                if isinstance(thing, Local):
                    types.update(_domains([thing.type]))
                elif thing is not within:
                    named.add(thing)
            type_ = getattr(node, "type", None)
            if isinstance(type_, Type):
                types.update(_domains([type_]))
    for variable in game.variables:
        types.update(_domains((*variable.keys, variable.type)))
    for kind in game.kinds.values():
        types.update(_domains(attribute.type for attribute in kind.attributes.values()))
    for rows in game.rows.values():
        types.update(_domains(attribute.type for attribute in rows.attributes.values()))
        types.update(_domains(type_ for figure in rows.figures.values() for type_ in (figure.by, figure.type)))
    return named, types


def _domains(types: Iterable[Type]) -> Iterator[Type]:
    """The domains that some types are made of."""
    for type_ in types:
        match type_:
            case SetType(element=element) | ListType(element=element):
                yield from _domains([element])
            case MapType(key=key, value=value):
                yield from _domains([key, value])
            case DomainType():
                yield type_.required()


def _collect_names(node: object, found: set[str]) -> None:
    if isinstance(node, Name):
        found.add(node.text)
    elif isinstance(node, tuple):
        for item in node:
            _collect_names(item, found)
    elif isinstance(node, Node):
        for item in fields(type(node)):
            if item.name != "span":
                _collect_names(getattr(node, item.name), found)
