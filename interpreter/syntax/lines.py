"""Tokens to lines, and lines to blocks by their indentation.

A rules file is read line by line: a line is what a mistake spoils, and the block below it is what goes with it. So the
nesting is worked out here, before any grammar is applied, by the usual rule: deeper than the line above opens a block,
and a block ends where a line goes back. A line that ends in a comma, an open bracket, `and` or `or` goes on in the next
one, if that is indented deeper; rows of tables never do. A line that goes back to a depth nothing has is taken as one
of the block that it just left, since a wrong number of blanks is likelier than a wrong place.

Invariant: the lines hold the tokens of the file in order, without line ends; blocks are at most `MAX_BLOCKS` deep.
"""

from __future__ import annotations

from attrs import Factory, define

from interpreter.diagnostics import Applicability, Diagnostics, Edit, Fix
from interpreter.source import SourceFile
from interpreter.syntax.tokens import NEWLINE, Token, scan

__all__ = ["MAX_BLOCKS", "MAX_LINE", "Line", "code_of_line", "lay_out"]

MAX_BLOCKS = 50
"""Deepest nesting of blocks."""
MAX_LINE = 20_000
"""Longest line, in characters."""

_TAB_WIDTH = 4
_GOES_ON = frozenset({"COMMA", "LPAR", "LBRACE", "AND", "OR"})
"""What a line ends in that goes on in the next one."""


@define(eq=False)
class Line:
    """One line with its block."""

    tokens: list[Token]
    """Its tokens, at least one."""
    indent: int
    """Blanks before it."""
    joins: list[int] = Factory(list)
    """Where it goes on in a further line of the file: the places among its tokens at which those lines begin."""
    block: list[Line] = Factory(list)
    """The deeper lines that follow it."""
    is_cut: bool = False
    """Whether its block was left out because it is too deep."""

    @property
    def start(self) -> int:
        """Offset of its first token."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Offset after its last token."""
        return self.tokens[-1].end


def lay_out(source: SourceFile, tokens: list[Token], sink: Diagnostics) -> list[Line]:
    """The lines of a file as a tree. Reports D103 (tab), D111 (indentation), D113 (too deep), D114 (line too long)."""
    flat: list[Line] = []
    here: list[Token] = []
    for token in (*tokens, Token(NEWLINE, "", 0, 0)):
        if token.kind != NEWLINE:
            here.append(token)
        elif here:
            flat.append(Line(here, 0))
            here = []
    _measure(source, flat, sink)
    return _nest(source, [line for line in _joined(flat) if not _is_too_long(source, line, sink)], sink)


def _joined(flat: list[Line]) -> list[Line]:
    """The lines, with those that one goes on in added to it."""
    found: list[Line] = []
    for line in flat:
        if found and _goes_on(found[-1], line):
            found[-1].joins.append(len(found[-1].tokens))
            found[-1].tokens.extend(line.tokens)
        else:
            found.append(line)
    return found


def code_of_line(text: str) -> tuple[str, bool]:
    """The code on a line of a file, without its comment, and whether it may go on in the next one."""
    tokens = [token for token in scan(text) if token.kind != NEWLINE]
    if not tokens:
        return "", False
    return text[tokens[0].start : tokens[-1].end], tokens[-1].kind in _GOES_ON


def _goes_on(line: Line, below: Line) -> bool:
    return line.tokens[-1].kind in _GOES_ON and below.indent > line.indent and below.tokens[0].kind != "ROW"


def _is_too_long(source: SourceFile, line: Line, sink: Diagnostics) -> bool:
    if line.end - line.start <= MAX_LINE:
        return False
    span = source.span(line.start, line.start)
    sink.error("D114", f"this line is too long: expected at most {MAX_LINE} characters", span)
    return True


def _measure(source: SourceFile, lines: list[Line], sink: Diagnostics) -> None:
    """Sets the indentation of every line, and reports each run of lines that are indented with tabs, once."""
    run: list[tuple[int, int, str]] = []
    for line in lines:
        first = source.text.rfind("\n", 0, line.start) + 1
        blanks = source.text[first : line.start]
        line.indent = len(blanks.expandtabs(_TAB_WIDTH))
        if "\t" in blanks:
            run.append((first, line.start, " " * line.indent))
        elif run:
            _report_tabs(source, run, sink)
            run = []
    if run:
        _report_tabs(source, run, sink)


def _report_tabs(source: SourceFile, run: list[tuple[int, int, str]], sink: Diagnostics) -> None:
    edits = tuple(Edit(source.span(first, start), blanks) for first, start, blanks in run)
    more = f", and so are the {len(run) - 1} after it" if len(run) > 1 else ""
    sink.error(
        "D103",
        "tab in indentation",
        edits[0].span,
        f"this line is indented with tabs{more}",
        help=f"indent with spaces, {_TAB_WIDTH} for each block",
        fixes=[Fix("replace tabs by spaces", edits, Applicability.SAFE)],
    )


def _nest(source: SourceFile, flat: list[Line], sink: Diagnostics) -> list[Line]:
    top: list[Line] = []
    open_blocks: list[tuple[int, list[Line]]] = [(0, top)]
    too_deep: int | None = None
    for line in flat:
        if too_deep is not None:
            if line.indent >= too_deep:
                continue
            too_deep = None
        depth, block = open_blocks[-1]
        if line.indent > depth:
            if not block:
                span = source.span(line.start, line.start)
                sink.error("D111", "unexpected indentation: nothing above opens a block", span)
                open_blocks[-1] = (line.indent, block)
            elif len(open_blocks) > MAX_BLOCKS:
                too_deep = line.indent
                block[-1].is_cut = True
                span = source.span(line.start, line.end)
                sink.error("D113", f"nested too deep: expected at most {MAX_BLOCKS} blocks in each other", span)
                continue
            else:
                block = block[-1].block
                open_blocks.append((line.indent, block))
        elif line.indent < depth:
            left = open_blocks[-1]
            while len(open_blocks) > 1 and open_blocks[-1][0] > line.indent:
                left = open_blocks.pop()
            depth, block = open_blocks[-1]
            if len(open_blocks) == 1 and line.indent < depth:
                open_blocks[0] = (line.indent, block)
            elif line.indent != depth:
                _report_uneven(source, line, (depth, left[0]), sink)
                open_blocks.append((line.indent, left[1]))
                block = left[1]
        block.append(line)
    return top


def _report_uneven(source: SourceFile, line: Line, depths: tuple[int, int], sink: Diagnostics) -> None:
    sink.error(
        "D111",
        f"uneven indentation: expected {depths[0]} or {depths[1]} blanks, found {line.indent}",
        source.span(line.start - line.indent, line.start),
        "no line above is indented like this",
    )
