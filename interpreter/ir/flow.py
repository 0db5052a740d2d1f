"""Where control goes in a program: what never runs on, which blocks may follow, where a game may begin."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.ir import code as c
from interpreter.ir.program import Program
from interpreter.ir.rewrite import visit_body


def is_exit(body: c.Body) -> bool:
    """Does the body never run on to what follows it?"""
    if not body:
        return False
    match body[-1]:
        case c.Return() | c.ReturnList() | c.Break() | c.Continue():
            return True
        case c.If(_, then, otherwise) | c.IfEmpty(_, then, otherwise):
            return is_exit(then) and is_exit(otherwise)
        case c.Forever(inner):
            return not _breaks(inner)
    return False


def _breaks(body: c.Body) -> bool:
    """Is there a `Break` of the loop whose body this is?"""
    for stmt in body:
        match stmt:
            case c.Break():
                return True
            case c.If(_, then, otherwise) | c.IfEmpty(_, then, otherwise):
                if _breaks(then) or _breaks(otherwise):
                    return True
    return False


def successors(end: c.Terminator) -> tuple[int, ...]:
    """The blocks that a terminator names. (What a `JumpSlot` leads to is named by `BlockNumber`s.)"""
    match end:
        case c.Jump(target):
            return (target,)
        case c.Branch(_, then, otherwise):
            return then, otherwise
        case c.Ask(_, resume, otherwise):
            return resume, otherwise
    return ()


def roots(program: Program) -> Iterator[int]:
    """Blocks that a game may begin at, and those that functions know by number."""
    yield program.start
    for entry in program.entries.values():
        yield entry.block
        for _, block in entry.stores:
            yield block
    for function in program.functions.values():
        for node in visit_body(function.body):
            if isinstance(node, c.BlockNumber):
                yield node.block


__all__ = ["is_exit", "roots", "successors"]
