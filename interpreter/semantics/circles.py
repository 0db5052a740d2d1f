"""What calls what: functions that call themselves, and functions that can reach a decision.

A rule that needs itself to be known has no end, and the frame of a decision is laid out before play, so no function
may call itself, be it by way of others. What suspends is found by going from the decisions to their callers.

Invariant: without an error reported here the calls of a game have no circle.
"""

from __future__ import annotations

from interpreter.diagnostics import Diagnostics, Label
from interpreter.semantics import walk
from interpreter.semantics.model import CallExpr, CallStatement, Function

__all__ = ["mark_suspending", "report_circles"]


def report_circles(functions: list[Function], known: set[Function], sink: Diagnostics) -> None:
    """Reports D223 once for each circle of calls, at the first call of the first function on it.

    `known` are functions whose circle was reported before.
    """
    calls = {function: _calls(function) for function in functions}
    done: set[Function] = set(known)
    for start in functions:
        way: list[Function] = []
        if start not in done:
            _search(start, calls, way, done, sink)


def _calls(function: Function) -> dict[Function, CallExpr | CallStatement]:
    """What a function calls, each with the first call of it."""
    found: dict[Function, CallExpr | CallStatement] = {}
    for body in walk.bodies(function):
        for node in walk.descend(body):
            if isinstance(node, CallExpr | CallStatement):
                found.setdefault(node.function, node)
    return found


def _search(
    start: Function,
    calls: dict[Function, dict[Function, CallExpr | CallStatement]],
    way: list[Function],
    done: set[Function],
    sink: Diagnostics,
) -> None:
    """Goes down from a function along its calls; meets again what stands on the way where there is a circle."""
    waiting: list[tuple[Function, list[Function]]] = [(start, list(calls.get(start, ())))]
    way.append(start)
    while waiting:
        function, rest = waiting[-1]
        if not rest:
            done.add(function)
            waiting.pop()
            way.pop()
            continue
        called = rest.pop(0)
        if called in way:
            _report(way[way.index(called) :], calls, sink)
        elif called not in done:
            waiting.append((called, list(calls.get(called, ()))))
            way.append(called)


def _report(
    circle: list[Function], calls: dict[Function, dict[Function, CallExpr | CallStatement]], sink: Diagnostics
) -> None:
    first = circle[0]
    after = circle[1] if len(circle) > 1 else first
    call = calls[first][after]
    names = " -> ".join(f"`{function.name}`" for function in (*circle, first))
    labels = tuple(Label(function.span, f"`{function.name}` is declared here") for function in circle[:4])
    sink.error("D223", f"`{first.name}` needs itself: {names}", call.span, labels=labels)


def mark_suspending(functions: list[Function]) -> None:
    """Marks every function from which a decision can be reached."""
    callers: dict[Function, list[Function]] = {}
    waiting: list[Function] = []
    for function in functions:
        bodies = walk.bodies(function)
        if any(True for body in bodies for _ in walk.chooses(body)):
            waiting.append(function)
        for body in bodies:
            for called in walk.calls(body):
                callers.setdefault(called, []).append(function)
    while waiting:
        function = waiting.pop()
        if not function.suspends:
            function.suspends = True
            waiting.extend(callers.get(function, ()))
