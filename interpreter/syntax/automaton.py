"""The automaton that reads tokens by the grammar's tables and builds a concrete tree.

The stack is a linked list of frozen frames, so a state can be kept by keeping a reference and returned to at no cost;
children of rules that are inlined are kept as nested pairs and laid out flat only when a node takes them, so nothing
built before a kept state changes after it. Both together make recovery linear in the length of a file.

Invariant: `advance` and `accepts` change nothing; a tree is never deeper than `MAX_DEPTH` between two line ends, so
that passes over it may recurse.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.syntax.grammar import END, Grammar, Reduction, grammar
from interpreter.syntax.tokens import Token

__all__ = ["MAX_DEPTH", "Cst", "Frame", "TooDeep", "accepts", "advance", "begin", "finish", "shift"]

MAX_DEPTH = 100
"""Deepest nesting of an expression."""


class TooDeep(Exception):  # noqa: N818 - a way out of the automaton, no error of the program
    """An expression is nested deeper than `MAX_DEPTH`."""


class Cst:
    """A node of the concrete tree: a rule's name, and its children without keywords and punctuation."""

    __slots__ = ("children", "data", "depth", "end", "start")

    def __init__(self, data: str, children: list[Cst | Token], start: int, end: int, depth: int) -> None:
        self.data = data
        self.children = children
        self.start = start
        self.end = end
        self.depth = depth

    def __repr__(self) -> str:
        return f"Cst({self.data}, {self.children})"


class _Inline:
    """Children on their way to the node that takes them: earlier ones, and then one value."""

    __slots__ = ("depth", "earlier", "last")

    def __init__(self, earlier: _Inline | None, last: Cst | Token | _Inline | None, depth: int) -> None:
        self.earlier = earlier
        self.last = last
        self.depth = depth


_Value = Cst | Token | _Inline | None


class Frame(NamedTuple):
    """One symbol on the stack and all below it."""

    state: int
    value: _Value
    start: int
    """Offset of the first character, -1 if the symbol has none."""
    end: int
    below: Frame | None


def begin(start: str) -> Frame:
    """The stack before the first token."""
    return Frame(grammar().starts[start], None, -1, -1, None)


def advance(stack: Frame, token: Token) -> Frame | None:
    """The stack after one more token, or None where the token cannot stand."""
    ready = _reduce(grammar(), stack, token.kind)
    if ready is None:
        return None
    stack, state = ready
    return Frame(state, token, token.start, token.end, stack)


def shift(stack: Frame, kind: str, start: int = -1, end: int = -1) -> Frame | None:
    """The stack after a token without text (a line's end, an indentation), or None where it cannot stand."""
    ready = _reduce(grammar(), stack, kind)
    return None if ready is None else Frame(ready[1], None, start, end, ready[0])


def finish(stack: Frame, start: str) -> Cst | Token | None:
    """The whole tree, or None where something is missing at the end."""
    table = grammar()
    end_state = table.ends[start]
    while stack.state != end_state:
        move = table.row(stack.state).get(END)
        if move is None or isinstance(move, int):
            return None
        stack = _reduced(table, stack, move)
    value = stack.value
    assert not isinstance(value, _Inline)
    return value


def accepts(stack: Frame) -> frozenset[str]:
    """The kinds of token that can stand next."""
    table = grammar()
    return frozenset(kind for kind in table.row(stack.state) if not kind.islower() and _takes(table, stack, kind))


def _takes(table: Grammar, stack: Frame, kind: str) -> bool:
    while True:
        move = table.row(stack.state).get(kind)
        if move is None:
            return False
        if isinstance(move, int):
            return True
        below: Frame = stack
        for _ in range(move.size):
            assert below.below is not None
            below = below.below
        state = table.row(below.state)[move.origin]
        assert isinstance(state, int)
        if kind == END and state in table.ends.values():
            return True
        stack = Frame(state, None, -1, -1, below)


def _reduce(table: Grammar, stack: Frame, kind: str) -> tuple[Frame, int] | None:
    """Does the reductions due before a token; gives the stack and the state the token leads to."""
    while True:
        move = table.row(stack.state).get(kind)
        if move is None:
            return None
        if isinstance(move, int):
            return stack, move
        stack = _reduced(table, stack, move)


def _reduced(table: Grammar, stack: Frame, move: Reduction) -> Frame:
    """The stack after one reduction."""
    if move.passes_on and isinstance(stack.value, (Cst, Token)):
        assert stack.below is not None
        state = table.row(stack.below.state)[move.origin]
        assert isinstance(state, int)
        return Frame(state, stack.value, stack.start, stack.end, stack.below)
    frames: list[Frame] = []
    below: Frame = stack
    for _ in range(move.size):
        frames.append(below)
        assert below.below is not None
        below = below.below
    frames.reverse()
    start = end = -1
    depth = 0
    for frame in frames:
        if frame.start >= 0:
            if start < 0:
                start = frame.start
            end = frame.end
        value = frame.value
        if value is not None and not isinstance(value, Token) and value.depth > depth:
            depth = value.depth
    if move.starts_over:
        depth = 0
    made: _Value
    if move.inline:
        inline: _Inline | None = None
        for frame, kept in zip(frames, move.kept, strict=True):
            if not kept or frame.value is None:
                continue
            if inline is None and isinstance(frame.value, _Inline):
                inline = frame.value
            else:
                inline = _Inline(inline, frame.value, depth)
        made = inline if inline is not None else _Inline(None, None, 0)
        if made.depth != depth:
            made = _Inline(made, None, depth)
    else:
        children = _flat([frame.value for frame, kept in zip(frames, move.kept, strict=True) if kept])
        if move.expand and len(children) == 1:
            made = children[0]
        else:
            if not move.starts_over:
                depth += 1
                if depth > MAX_DEPTH:
                    raise TooDeep
            made = Cst(move.data, children, start, end, depth)
    state = table.row(below.state)[move.origin]
    assert isinstance(state, int)
    return Frame(state, made, start, end, below)


def _flat(values: list[_Value]) -> list[Cst | Token]:
    """The values in order, inlined ones laid out."""
    flat: list[Cst | Token] = []
    waiting: list[_Value] = values[::-1]
    while waiting:
        value = waiting.pop()
        if isinstance(value, _Inline):
            waiting.append(value.last)
            waiting.append(value.earlier)
        elif value is not None:
            flat.append(value)
    return flat
