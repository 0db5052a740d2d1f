"""Going through a game: what a node is made of, what it mentions, what it calls.

Every check asks some of these questions, and none should know how each node keeps its parts. So the answer is read
off the classes of the model once, from the types of their fields: a field that can hold nodes is a part, a field that
can hold something declared (a variable, a zone, a function ...) is a mention. A new node is met by all checks at
once.

Invariant: parts come in the order of the fields, which is the order of reading; nothing is followed from a mention
into the body of what it names, save where a function says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar, get_args, get_type_hints
from weakref import WeakKeyDictionary

from attrs import fields, frozen

from interpreter.semantics.model import (
    Attribute,
    BoardUse,
    CallExpr,
    CallStatement,
    Choose,
    Figure,
    Function,
    Game,
    Kind,
    Local,
    Understood,
    Variable,
    Zone,
)

__all__ = [
    "Survey",
    "all_functions",
    "bodies",
    "called_from",
    "calls",
    "children",
    "chooses",
    "descend",
    "find",
    "game_bodies",
    "mentions",
    "survey",
]

Declared = Attribute | BoardUse | Figure | Function | Kind | Local | Variable | Zone
_DECLARED = (Attribute, BoardUse, Figure, Function, Kind, Local, Variable, Zone)
_Node = TypeVar("_Node", bound=Understood)


def children(node: Understood) -> list[Understood]:
    """The nodes that a node is made of directly."""
    found: list[Understood] = []
    for name in _parts(type(node)):
        value = getattr(node, name)
        if isinstance(value, Understood):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(item for item in value if isinstance(item, Understood))
    return found


def descend(node: Understood) -> Iterator[Understood]:
    """The node itself and all below it, in reading order."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        yield at
        parts = children(at)
        parts.reverse()
        waiting.extend(parts)


def find(node: Understood, wanted: type[_Node]) -> Iterator[_Node]:
    """The node itself and those below it that are of a class, in reading order."""
    return (at for at in descend(node) if isinstance(at, wanted))


def mentions(node: Understood) -> Iterator[Declared]:
    """The declared things that a node names itself, not those that its parts name."""
    for name in _names(type(node)):
        value = getattr(node, name)
        if isinstance(value, _DECLARED):
            yield value


def calls(node: Understood) -> Iterator[Function]:
    """The functions that are called in a node or below it."""
    return (at.function for at in descend(node) if isinstance(at, CallExpr | CallStatement))


def chooses(node: Understood) -> Iterator[Choose]:
    """The decisions in a node or below it, not those in what it calls."""
    return find(node, Choose)


def bodies(function: Function) -> tuple[Understood, ...]:
    """What a function is made of: lines, cases, a table or a block."""
    if function.body is not None:
        return (function.body,)
    if function.table is not None:
        return (function.table,)
    return (*function.lines, *function.cases)


def game_bodies(game: Game) -> tuple[Understood, ...]:
    """What is carried out or worked out without being called: set-up, play, first values, how pieces are shown."""
    found: list[Understood] = [*game.setup]
    if game.play is not None:
        found.append(game.play)
    found.extend(variable.start for variable in game.variables)
    found.extend(kind.named for kind in game.kinds.values() if kind.named is not None)
    found.extend((*game.facings, *game.markers))
    return tuple(found)


def called_from(nodes: Iterable[Understood]) -> list[Function]:
    """The functions that some nodes call, directly or through other functions, each once."""
    found: dict[Function, None] = {}
    waiting = list(nodes)
    while waiting:
        for function in calls(waiting.pop()):
            if function not in found:
                found[function] = None
                waiting.extend(bodies(function))
    return list(found)


def all_functions(game: Game) -> list[Function]:
    """Every function of a game, in order of declaration; then columns of tables, then what only patches left behind."""
    found: dict[Function, None] = dict.fromkeys(game.functions.values())
    for rows in game.rows.values():
        found.update(dict.fromkeys(rows.functions.values()))
    if game.score is not None:
        found[game.score] = None
    nodes = [*game_bodies(game), *(node for function in found for node in bodies(function))]
    found.update(dict.fromkeys(called_from(nodes)))
    return list(found)


@frozen
class Survey:
    """A game gone through once, for the many checks that ask the same of it."""

    functions: tuple[Function, ...]
    """Every function."""
    bodies: tuple[Understood, ...]
    """What the game and its functions are made of."""
    nodes: tuple[Understood, ...]
    """Every node of these."""


_SURVEYS: WeakKeyDictionary[Game, Survey] = WeakKeyDictionary()


def survey(game: Game) -> Survey:
    """A finished game gone through; kept as long as the game is."""
    found = _SURVEYS.get(game)
    if found is None:
        functions = tuple(all_functions(game))
        roots = (*game_bodies(game), *(body for function in functions for body in bodies(function)))
        found = Survey(functions, roots, tuple(node for root in roots for node in descend(root)))
        _SURVEYS[game] = found
    return found


_FIELDS: dict[tuple[type, bool], tuple[str, ...]] = {}


def _parts(node: type[Understood]) -> tuple[str, ...]:
    """The fields of a class that can hold nodes."""
    key = (node, True)
    if key not in _FIELDS:
        _FIELDS[key] = _fields_holding(node, (Understood,))
    return _FIELDS[key]


def _names(node: type[Understood]) -> tuple[str, ...]:
    """The fields of a class that can hold something declared."""
    key = (node, False)
    if key not in _FIELDS:
        _FIELDS[key] = _fields_holding(node, _DECLARED)
    return _FIELDS[key]


def _fields_holding(node: type[Understood], wanted: tuple[type, ...]) -> tuple[str, ...]:
    hints = get_type_hints(node)
    return tuple(item.name for item in fields(node) if _can_hold(hints[item.name], wanted))


def _can_hold(hint: Any, wanted: tuple[type, ...]) -> bool:
    if isinstance(hint, type) and issubclass(hint, wanted):
        return True
    return any(_can_hold(part, wanted) for part in get_args(hint))
