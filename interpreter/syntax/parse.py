"""Text to syntax tree, with every mistake reported once.

Reading goes line by line. A line that the grammar does not take is reported at the token that does not fit, and takes
no further part: in its place the automaton, put back to where the line began, is given the token `_BROKEN`, which the
grammar takes wherever a line may stand. The block below a broken line is read all the same, on trial, under a heading
of the same kind, so that its own mistakes are found in the same run; it is not kept. Words that only continue the line
before (`else`, `otherwise`) go with it. Nothing is read twice, so the time is linear in the length of the file.

Invariant: the tree holds what was understood and nothing else; each line is blamed at most once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from interpreter.diagnostics import Diagnostics
from interpreter.source import SourceFile, from_text
from interpreter.syntax import ast, hints
from interpreter.syntax.automaton import Cst, Frame, TooDeep, accepts, advance, begin, finish, shift
from interpreter.syntax.from_cst import Builder
from interpreter.syntax.from_cst_expressions import canonical
from interpreter.syntax.grammar import grammar
from interpreter.syntax.lines import Line, lay_out
from interpreter.syntax.tokens import NAMES, NEWLINE, REST, Token, scan
from interpreter.syntax.trivia import Docs, comments_of

__all__ = ["MOST_MISTAKES", "parse", "parse_condition", "parse_effects", "parse_expression", "parse_snippet"]

MOST_MISTAKES = 1000
"""Most mistakes reported in a file; past that it is no rules file."""

_WORD = re.compile(r"[^\W\d_]+")
_CONTINUES = frozenset({"ELSE", "OTHERWISE"})
_STATEMENTS = ("setup",)
_FIELDS = ("each x has",)
_BLOCKS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("EFFECT", "PHASE", "SETUP", "PLAY", "IF", "ELSE", "UNLESS", "REPEAT", "FOR"), _STATEMENTS),
    **dict.fromkeys(("_EACH_PLAYER", "TURNS", "ROUND", "STEP", "OTHERWISE", "STRING", "UNTERMINATED"), _STATEMENTS),
    **dict.fromkeys(("BEFORE", "AFTER", "INSTEAD", "GIVEN"), _STATEMENTS),
    **dict.fromkeys(("TABLE", "REPLACE", "ADD"), ("table x makes x",)),
    **dict.fromkeys(("VARIANT", "SCENARIO"), ("variant x",)),
    "GAME": ('game "x"',),
    "SHAPES": ("shapes x",),
    "KIND": ("kind x: 1 in the box",),
    "EACH": _FIELDS,
    "TRACK": ("track x: 1..2",),
    "ROSTER": ("roster x of each x from x",),
    "VALUE": ("value x",),
    "RELATION": ("relation x(x: x)",),
    "MODIFY": ("variant x", "modify x"),
    "TEST": ('test "x"',),
    "CHOOSE": ("setup", "choose"),
}
"""Headings under which the block of a broken line is read, by the word that the line begins with."""


def parse(source: SourceFile, sink: Diagnostics) -> ast.File:
    """The tree of a file, without what could not be read. Reports D103, D110 to D114 and D210."""
    tokens = scan(source.text)
    lines = lay_out(source, tokens, sink)
    reader = _Reader(source, sink)
    root = finish(reader.read_block(lines, begin("start")), "start")
    assert isinstance(root, Cst)
    docs = Docs(comments_of(source, tokens), _first_lines(source, lines))
    builder = Builder(source, sink, parse_expression, docs)
    return builder.file(root, reader.lost)


def _first_lines(source: SourceFile, lines: Sequence[Line]) -> dict[int, int]:
    """For each line of the file that another goes on in, the number of the first."""
    found: dict[int, int] = {}
    waiting = list(lines)
    while waiting:
        line = waiting.pop()
        waiting.extend(line.block)
        if line.joins:
            first = source.position(line.start).line
            found.update({source.position(line.tokens[at].start).line: first for at in line.joins})
    return found


def parse_expression(text: str, span_origin: SourceFile, offset: int, sink: Diagnostics) -> ast.Expr | None:
    """The expression in a piece of a file that begins at `offset`, or None after a report."""
    root = _piece("only_expr", text, span_origin, offset, sink)
    return None if root is None else Builder(span_origin, sink, parse_expression).expr(root.children[0])


def parse_condition(
    text: str, span_origin: SourceFile, offset: int, sink: Diagnostics
) -> ast.Expr | ast.AnyInput | ast.AtLeastInput | ast.RangeInput | None:
    """The condition on an input in a cell that begins at `offset`, or None after a report."""
    root = _piece("only_condition", text, span_origin, offset, sink)
    return None if root is None else Builder(span_origin, sink, parse_expression).condition(root.children[0])


def parse_effects(
    text: str, span_origin: SourceFile, offset: int, sink: Diagnostics
) -> tuple[ast.Statement, ...] | None:
    """The effects in a cell that begins at `offset`, parted by commas, or None after a report."""
    root = _piece("only_effects", text, span_origin, offset, sink)
    return None if root is None else Builder(span_origin, sink, parse_expression).effects(root)


def parse_snippet(text: str, sink: Diagnostics, path: str = "<expression>") -> ast.Expr | None:
    """An expression that stands in no file, as on the command line, or None after a report."""
    source = from_text(path, text)
    return parse_expression(source.text, source, 0, sink)


def _piece(start: str, text: str, source: SourceFile, offset: int, sink: Diagnostics) -> Cst | None:
    """The concrete tree of a piece of text."""
    tokens = [token for token in scan(text, offset) if token.kind != NEWLINE]
    place = (offset, offset + len(text.rstrip()))
    before = begin(start)
    fault = hints.fault_in(tokens)
    if fault is not None:
        hints.report(hints.Mistake(source, tokens, fault, before, before, start, place), sink)
        return None
    stack = before
    for index, token in enumerate(tokens):
        try:
            after = advance(stack, token)
        except TooDeep:
            hints.report_too_deep(source, token, sink)
            return None
        if after is None:
            hints.report(hints.Mistake(source, tokens, index, stack, before, start, place), sink)
            return None
        stack = after
    try:
        root = finish(stack, start)
    except TooDeep:
        hints.report_too_deep(source, tokens[-1], sink)
        return None
    if root is None:
        hints.report(hints.Mistake(source, tokens, len(tokens), stack, before, start, place), sink)
        return None
    assert isinstance(root, Cst)
    return root


@cache
def _heading(words: tuple[str, ...]) -> Frame:
    """The state of the automaton within a block of a kind."""
    stack: Frame | None = begin("start")
    for text in words:
        for token in scan(text):
            assert stack is not None
            stack = advance(stack, token)
        for kind in (NEWLINE, "_INDENT"):
            assert stack is not None
            stack = shift(stack, kind)
    assert stack is not None
    return stack


class _Reader:
    """One pass over the lines of a file."""

    def __init__(self, source: SourceFile, sink: Diagnostics) -> None:
        self._source = source
        self._sink = sink
        self.lost: set[str] = set()
        """Names in lines that are not part of the tree."""
        self._lacks_block = False
        self._mistakes = 0
        self._effort = hints.Effort()

    def read_block(self, lines: Sequence[Line], stack: Frame) -> Frame:
        """The state after the lines of a block."""
        dropping = False
        orphans = False
        for line in lines:
            kind = line.tokens[0].kind
            if (dropping and kind in _CONTINUES) or (orphans and kind not in accepts(stack)):
                self._drop(line, kind)
                continue
            dropping = orphans = False
            after = self._read_line(line, stack)
            if after is not None:
                stack = after
                continue
            dropping = True
            orphans = self._lacks_block
            broken = shift(stack, "_BROKEN", line.start, line.end)
            if broken is not None:
                ended = shift(broken, NEWLINE)
                assert ended is not None
                stack = ended
        return stack

    def _read_line(self, line: Line, before: Frame) -> Frame | None:
        """The state after a line and its block, or None after a report."""
        fault = hints.fault_in(line.tokens)
        if fault is not None:
            return self._fail(line, fault, before, before)
        stack: Frame = before
        for index, token in enumerate(line.tokens):
            try:
                after = advance(stack, token)
            except TooDeep:
                hints.report_too_deep(self._source, token, self._sink)
                self._drop(line, line.tokens[0].kind)
                return None
            if after is None:
                if self._is_parted(line, index, before):
                    return self._read_line(line, before)
                return self._fail(line, index, stack, before)
            stack = after
        try:
            ended = shift(stack, NEWLINE)
        except TooDeep:
            hints.report_too_deep(self._source, line.tokens[-1], self._sink)
            self._drop(line, line.tokens[0].kind)
            return None
        if ended is None:
            return self._fail(line, len(line.tokens), stack, before)
        return self._read_below(line, ended, before)

    def _is_parted(self, line: Line, index: int, before: Frame) -> bool:
        """Takes a line that cannot go on in the next one apart, where that is the mistake at one of its tokens.

        What follows is its block then. A comma behind a whole heading is reported, and is left out.
        """
        at = index + 1 if index + 1 in line.joins else index
        if at not in line.joins:
            return False
        comma = line.tokens[at - 1]
        if comma.kind == "COMMA" and self._opens_block(line.tokens[: at - 1], before):
            hints.report_comma(self._source, comma, line.tokens[at] if at == index else None, self._sink)
            self._part(line, at)
            del line.tokens[at - 1]
        elif at == index:
            return False
        else:
            self._part(line, at)
        return True

    def _opens_block(self, tokens: Sequence[Token], before: Frame) -> bool:
        """Whether some tokens, each of which fits, are a whole line that a block may follow."""
        stack: Frame | None = before
        for token in tokens:
            assert stack is not None
            stack = advance(stack, token)
        ended = None if stack is None else shift(stack, NEWLINE)
        return ended is not None and shift(ended, "_INDENT") is not None

    def _part(self, line: Line, index: int) -> None:
        """Makes what a line goes on in, from a token, the first line of its block."""
        first = line.tokens[index].start
        rest = Line(line.tokens[index:], first - self._source.text.rfind("\n", 0, first) - 1)
        rest.joins = [at - index for at in line.joins if at > index]
        while line.block and line.block[0].indent > rest.indent:
            rest.block.append(line.block.pop(0))
        line.tokens = line.tokens[:index]
        line.joins = [at for at in line.joins if at < index]
        line.block.insert(0, rest)

    def _read_below(self, line: Line, ended: Frame, before: Frame) -> Frame | None:
        """The state after the block of a line that was read itself."""
        if line.is_cut:
            self._drop(line, "")
            return None
        inner = shift(ended, "_INDENT")
        if line.block:
            if inner is not None:
                after = shift(self.read_block(line.block, inner), "_DEDENT")
                assert after is not None, "a block of broken lines is a block"
                return after
            return self._surplus(line, ended, before)
        if inner is not None and set(grammar().rows[ended.state]) == {"_INDENT"}:
            hints.report_no_block(self._source, line.tokens, self._sink)
            self._drop(line, line.tokens[0].kind)
            self._lacks_block = True
            return None
        return ended

    def _surplus(self, line: Line, ended: Frame, before: Frame) -> Frame | None:
        """Reads on after a line whose block nothing has opened."""
        first = line.block[0].tokens[0]
        meant = hints.report_surplus(self._source, line.tokens, first, accepts(before), self._sink)
        if meant is not None:
            self._drop(line, meant)
            return None
        if first.kind in accepts(ended):
            return self.read_block(line.block, ended)
        for inner in line.block:
            self._forget(inner)
        return ended

    def _fail(self, line: Line, index: int, stack: Frame, before: Frame) -> Frame | None:
        """Reports a line at one of its tokens; there is no state after it."""
        place = (line.start, line.end)
        mistake = hints.Mistake(
            self._source, line.tokens, index, stack, before, "start", place, bool(line.block), self._effort
        )
        self._mistakes += 1
        if self._mistakes > MOST_MISTAKES:
            self._drop(line, "")
        else:
            self._drop(line, hints.report(mistake, self._sink))
        return None

    def _drop(self, line: Line, kind: str) -> None:
        """Leaves out a line whose first word is, or was meant to be, `kind`, and looks for mistakes in its block."""
        self._note_names(line)
        if kind == "REPLACE" and len(line.tokens) > 1 and line.tokens[1].kind in _BLOCKS:
            kind = line.tokens[1].kind
        words = _BLOCKS.get(kind)
        if kind == "CHOOSE" and any(token.kind == "STRING" for token in line.tokens):
            words = _STATEMENTS
        if words is None:
            for inner in line.block:
                self._forget(inner)
        elif line.block:
            self.read_block(line.block, _heading(words))
            for inner in line.block:
                self._forget(inner)
        self._lacks_block = False

    def _forget(self, line: Line) -> None:
        """Notes the names of a line and its block."""
        waiting = [line]
        while waiting:
            here = waiting.pop()
            self._note_names(here)
            waiting.extend(here.block)

    def _note_names(self, line: Line) -> None:
        words: list[str] = []
        for token in (*line.tokens, Token(NEWLINE, "", 0, 0)):
            if token.kind in NAMES:
                words.append(canonical(token.text))
                self.lost.add(words[-1])
                continue
            if words:
                self.lost.add(" ".join(words))
                words = []
            if token.kind == "ROW":
                self.lost.update(canonical(cell) for cell in token.text.split("|"))
            if token.kind == REST:
                self.lost.update(_WORD.findall(token.text))
