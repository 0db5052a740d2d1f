"""Which functions can reach what: the call graph, coloured."""

from __future__ import annotations

from interpreter.semantics import model
from interpreter.semantics.walk import all_functions, bodies, calls


def colour(game: model.Game, seeds: set[int]) -> set[int]:
    """Ids of the functions that are in `seeds` or can reach one of them by calls."""
    callers: dict[int, set[int]] = {}
    for function in all_functions(game):
        for body in bodies(function):
            for other in calls(body):
                callers.setdefault(id(other), set()).add(id(function))
    reached, todo = set(seeds), list(seeds)
    while todo:
        for caller in callers.get(todo.pop(), ()):
            if caller not in reached:
                reached.add(caller)
                todo.append(caller)
    return reached


__all__ = ["colour"]
