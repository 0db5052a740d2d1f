"""Which functions of a program call which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter.ir import code as c
from interpreter.ir.program import Program
from interpreter.ir.rewrite import Node, visit_body

__all__ = ["called", "calls_of", "reachable"]


def called(nodes: Iterable[Node]) -> Iterator[str]:
    """The functions that some operations call themselves."""
    return (node.function for node in nodes if isinstance(node, c.CallValue | c.CallEffect))


def calls_of(program: Program) -> dict[str, set[str]]:
    """By function those that it calls itself."""
    return {name: set(called(visit_body(function.body))) for name, function in program.functions.items()}


def reachable(calls: Mapping[str, Iterable[str]], roots: Iterable[str]) -> frozenset[str]:
    """Some functions with all that they come to call."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(calls[name])
    return frozenset(found)
