"""The automaton that reads tokens by the grammar's tables and builds a concrete tree.

The stack is a linked list of frozen frames, so a state can be kept by keeping a reference and returned to at no cost;
children of rules that are inlined are kept as nested pairs and laid out flat only when a node takes them, so nothing
built before a kept state changes after it. Both together make recovery linear in the length of a file.

Invariant: `advance` and `accepts` change nothing; a tree is never deeper than `MAX_DEPTH` between two line ends, so
that passes over it may recurse.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

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
        move = table.rows[stack.state].get(END)
        if move is None or isinstance(move, int):
            return None
        stack = _reduced(table, stack, move)
    value = stack.value
    assert not isinstance(value, _Inline)
    return value


def accepts(stack: Frame) -> frozenset[str]:
    """The kinds of token that can stand next."""
    table = grammar()
    return frozenset(kind for kind in table.rows[stack.state] if not kind.islower() and _takes(table, stack, kind))


def _takes(table: Grammar, stack: Frame, kind: str) -> bool:
    while True:
        move = table.rows[stack.state].get(kind)
        if move is None:
            return False
        if isinstance(move, int):
            return True
        below: Frame = stack
        for _ in range(move.size):
            assert below.below is not None
            below = below.below
        state = table.rows[below.state][move.origin]
        assert isinstance(state, int)
        if kind == END and state in table.ends.values():
            return True
        stack = Frame(state, None, -1, -1, below)


def _reduce(table: Grammar, stack: Frame, kind: str) -> tuple[Frame, int] | None:
    """Does the reductions due before a token; gives the stack and the state the token leads to."""
    rows = table.rows
    move = rows[stack.state].get(kind)
    while isinstance(move, Reduction):
        if move.passes_on and isinstance(stack.value, (Cst, Token)):
            stack, move = _passed_on(rows, stack, move, kind)
        else:
            stack = _reduced(table, stack, move)
            move = rows[stack.state].get(kind)
    return None if move is None else (stack, move)


def _passed_on(
    rows: Sequence[dict[str, int | Reduction]], stack: Frame, move: Reduction, kind: str
) -> tuple[Frame, int | Reduction | None]:
    """The stack after all reductions in a row that pass a value on as it is, from one level of precedence to the next,
    and what comes then. Most reductions are of this sort, so none but the last of a row makes a frame."""
    below = stack.below
    assert below is not None
    row = rows[below.state]
    while True:
        state = row[move.origin]
        assert isinstance(state, int)
        next_ = rows[state].get(kind)
        if not isinstance(next_, Reduction) or not next_.passes_on:
            return Frame(state, stack.value, stack.start, stack.end, below), next_
        move = next_


def _reduced(table: Grammar, stack: Frame, move: Reduction) -> Frame:
    """The stack after one reduction."""
    frames: list[Frame] = []
    below: Frame = stack
    for _ in range(move.size):
        frames.append(below)
        assert below.below is not None
        below = below.below
    frames.reverse()
    start = end = -1
    depth = 0
    values: list[Cst | Token | _Inline] = []
    is_flat = True
    for (_, value, begin, after, _), kept in zip(frames, move.kept, strict=True):
        if begin >= 0:
            if start < 0:
                start = begin
            end = after
        if value is None:
            continue
        if not isinstance(value, Token):
            if value.depth > depth:
                depth = value.depth
            if isinstance(value, _Inline):
                is_flat = False
        if kept:
            values.append(value)
    if move.starts_over:
        depth = 0
    made: _Value
    if move.inline:
        made = _inlined(values, depth)
    else:
        children = cast("list[Cst | Token]", values) if is_flat else _flat(values)
        if move.expand and len(children) == 1:
            made = children[0]
        else:
            if not move.starts_over:
                depth += 1
                if depth > MAX_DEPTH:
                    raise TooDeep
            made = Cst(move.data, children, start, end, depth)
    state = table.rows[below.state][move.origin]
    assert isinstance(state, int)
    return Frame(state, made, start, end, below)


def _inlined(values: list[Cst | Token | _Inline], depth: int) -> _Inline:
    """Children for the node above."""
    inline: _Inline | None = None
    for value in values:
        if inline is None and isinstance(value, _Inline):
            inline = value
        else:
            inline = _Inline(inline, value, depth)
    made = inline if inline is not None else _Inline(None, None, 0)
    return made if made.depth == depth else _Inline(made, None, depth)


def _flat(values: Sequence[_Value]) -> list[Cst | Token]:
    """The values in order, inlined ones laid out."""
    flat: list[Cst | Token] = []
    waiting: list[_Value] = list(reversed(values))
    while waiting:
        value = waiting.pop()
        if isinstance(value, _Inline):
            waiting.append(value.last)
            waiting.append(value.earlier)
        elif value is not None:
            flat.append(value)
    return flat
