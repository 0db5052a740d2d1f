"""Walking over the understood game: every node below a node, and what a function's body can do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

from interpreter.semantics import model


@cache
def _fields(cls: Any) -> tuple[str, ...]:
    return tuple(a.name for a in attrs.fields(cls) if a.name not in ("span", "type"))


def below(node: object) -> Iterator[model.Understood]:
    """The node and all nodes in it, outermost first; things referred to (functions, variables) are not entered."""
    if isinstance(node, tuple):
        for item in node:
            yield from below(item)
    elif isinstance(node, model.Understood):
        yield node
        cls: Any = type(node)
        for name in _fields(cls):
            value = getattr(node, name)
            if isinstance(value, tuple | model.Understood):
                yield from below(value)


def body(function: model.Function) -> Iterator[model.Understood]:
    """All nodes in the body of a function."""
    for part in (function.lines, function.cases, function.table, function.body):
        if part is not None:
            yield from below(part)


def functions(game: model.Game) -> Iterator[model.Function]:
    """All functions, the columns of tables included."""
    yield from game.functions.values()
    for rows in game.rows.values():
        yield from rows.functions.values()


def nodes(game: model.Game) -> Iterator[model.Understood]:
    """Every node of the game's bodies, set-up and play."""
    yield from below(game.setup)
    if game.play is not None:
        yield from below(game.play)
    for function in functions(game):
        yield from body(function)


def called(node: object) -> Iterator[model.Function]:
    """The functions called within a node."""
    for inner in below(node):
        if isinstance(inner, model.CallExpr | model.CallStatement):
            yield inner.function


def colour(game: model.Game, seeds: set[int]) -> set[int]:
    """Ids of the functions that are in `seeds` or can reach one of them by calls."""
    callers: dict[int, set[int]] = {}
    for function in functions(game):
        for other in called(tuple(n for n in body(function) if isinstance(n, model.CallExpr | model.CallStatement))):
            callers.setdefault(id(other), set()).add(id(function))
    reached, todo = set(seeds), list(seeds)
    while todo:
        for caller in callers.get(todo.pop(), ()):
            if caller not in reached:
                reached.add(caller)
                todo.append(caller)
    return reached


__all__ = ["below", "body", "called", "colour", "functions", "nodes"]
