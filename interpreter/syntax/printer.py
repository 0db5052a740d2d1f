"""The formatter: a file with the blanks that readers expect, and nothing else changed.

It goes line by line over the tokens, so what it prints is what it read: four blanks for each block, eight where a line
goes on in the next one, one blank between tokens, tables with their bars in columns, at most one blank line within a
declaration and two between. Reasons and comments at line ends stay in the column where the author aligned them, moved
only where the code needs the room; the documentation of neighbouring options, fields, tracks and zones is brought to
one column.

A formatter that changes a game is worse than none. So it proves its work: the result is read again and must have the
same tree and the same comments in the same places, and must come out unchanged when formatted itself. Where that fails
nothing is given (D199).

Invariant: what is given reads as the same game, and formatting it again changes nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

import attrs
from attrs import define

from interpreter.diagnostics import Diagnostics, Position
from interpreter.source import SourceFile, start_of
from interpreter.syntax import ast
from interpreter.syntax.layout import code_lines
from interpreter.syntax.lines import Line, lay_out
from interpreter.syntax.parse import parse
from interpreter.syntax.rows import is_separator, row_cells
from interpreter.syntax.tokens import NEWLINE, Token, scan
from interpreter.syntax.trivia import comments_of

__all__ = ["format_source"]

_STEP = 4
_FURTHER = 2
"""Steps by which a line that goes on is indented deeper: more than its block."""
_GAP = 2
"""Fewest blanks before a comment or a reason that is aligned."""
_HARMLESS = frozenset({"D103"})
"""Mistakes that formatting puts right."""


def format_source(source: SourceFile, sink: Diagnostics) -> str | None:
    """The formatted text of a file; None where it has mistakes (reported) or the proof fails (D199)."""
    found = Diagnostics()
    tree = parse(source, found)
    serious = [diagnostic for diagnostic in found.errors if diagnostic.code not in _HARMLESS]
    if serious:
        sink.extend(serious)
        return None
    printed = _print(source, tree)
    again = SourceFile(source.path, printed)
    found = Diagnostics()
    tree_again = parse(again, found)
    if found.has_errors or tree_again != tree:
        fault = "the formatted text would read differently"
    elif _comment_places(again, tree_again) != _comment_places(source, tree):
        fault = "the formatted text would move a comment"
    elif _print(again, tree_again) != printed:
        fault = "formatting twice would differ from formatting once"
    else:
        return printed
    sink.error(
        "D199", f"`{source.path}` is left as it is: {fault}", start_of(source.path), notes=["this is a fault of ours"]
    )
    return None


def _comment_places(source: SourceFile, tree: ast.File) -> list[tuple[str, bool, int]]:
    """Every comment, whether it stands alone, and how many tokens (in drawings: squares) stand before it."""
    drawn = _facts(source, tree)[3]
    tokens = scan(source.text)
    places: list[tuple[str, bool, int]] = []
    code = [token for token in tokens if token.kind != NEWLINE]
    count = at = 0
    for comment in comments_of(source, tokens):
        while at < len(code) and code[at].start < comment.start:
            is_drawn = bool(drawn) and source.position(code[at].start).line in drawn
            count += len(code[at].text) if is_drawn else 1
            at += 1
        places.append((comment.text, comment.own_line, count))
    return places


@define
class _Printed:
    """A line on its way out."""

    indent: str
    code: str = ""
    """What stands on it, without its reason and comment."""
    reason: str = ""
    """The text that ends a line of a value or relation, where the author set it apart."""
    reason_column: int = 0
    """Where the author began it."""
    comment: str = ""
    comment_column: int = 0
    """Where the author began it."""
    documents: bool = False
    """Whether the comment is brought into one column with its neighbours in any case."""
    is_blank: bool = False

    @property
    def width(self) -> int:
        return _width(self.indent + self.code)


def _print(source: SourceFile, tree: ast.File) -> str:
    tokens = scan(source.text)
    lines = lay_out(source, tokens, Diagnostics())
    adjusts, reasons, documented, drawn = _facts(source, tree)
    code: dict[int, _Part] = {}
    tables: list[list[Line]] = []
    for line, depth in _walk(lines):
        for part in _parts(line, depth, adjusts, reasons):
            code[source.position(part.tokens[0].start).line] = part
        rows = [inner for inner in line.block if inner.tokens[0].kind == "ROW"]
        if rows:
            tables.append(rows)
    cells = {row.start: text for rows in tables for row, text in zip(rows, _table(rows), strict=True)}
    comments = {comment.line: comment for comment in comments_of(source, tokens)}
    below: dict[int, int] = {}
    depth = 0
    for number in range(source.line_count, 0, -1):
        below[number] = depth
        depth = code[number].depth if number in code else depth
    open_blocks: list[int] = []
    printed: list[_Printed] = []
    for number in range(1, source.line_count + 1):
        comment = comments.get(number)
        if number in code:
            part = code[number]
            if part.indent is not None:
                del open_blocks[part.depth :]
                open_blocks.append(part.indent)
            made = _Printed(" " * (_STEP * part.depth))
            if number in drawn:
                made.code = " ".join(drawn[number])
            else:
                made.code = cells.get(part.tokens[0].start, part.code)
            if part.has_reason:
                made.reason, made.reason_column = part.tokens[-1].text, _column(source, part.tokens[-1].start)
            made.documents = number in documented
            if comment is not None:
                made.comment, made.comment_column = comment.text, _column(source, comment.start)
        elif comment is not None:
            depth = _depth_of_comment(_column(source, comment.start), open_blocks, below[number])
            made = _Printed(" " * (_STEP * depth), comment.text)
        else:
            made = _Printed("", is_blank=True)
        printed.append(made)
    _place_reasons(printed)
    _place_comments(printed)
    return _joined(printed)


@define
class _Part:
    """A line of the file with code on it: the beginning of a line, or what it goes on in."""

    tokens: Sequence[Token]
    depth: int
    """By how many steps it is indented."""
    indent: int | None
    """Blanks before it; None for what a line goes on in."""
    code: str
    """Without its reason."""
    has_reason: bool = False
    """Whether its last token is a reason that the author set apart."""


def _parts(line: Line, depth: int, adjusts: set[int], reasons: set[int]) -> Iterator[_Part]:
    """The lines of the file that a line is made of."""
    shown = line.tokens
    last, before = shown[-1], shown[-2] if len(shown) > 1 else shown[-1]
    has_reason = last.start in reasons and last.start - before.end >= _GAP and len(shown) - 1 not in line.joins
    texts = code_lines(shown[:-1] if has_reason else shown, line.joins, adjusts)
    bounds = [0, *line.joins, len(shown)]
    for at, text in enumerate(texts):
        yield _Part(
            shown[bounds[at] : bounds[at + 1]],
            depth if at == 0 else depth + _FURTHER,
            line.indent if at == 0 else None,
            text,
            has_reason and at == len(texts) - 1,
        )


def _walk(lines: Sequence[Line]) -> Iterator[tuple[Line, int]]:
    """Every line with its depth, in order."""
    waiting = [(line, 0) for line in reversed(lines)]
    while waiting:
        line, depth = waiting.pop()
        yield line, depth
        waiting.extend((inner, depth + 1) for inner in reversed(line.block))


def _offset(source: SourceFile, position: Position) -> int:
    return source.line_starts[position.line - 1] + position.column - 1


def _column(source: SourceFile, offset: int) -> int:
    """The column, from 0, at which a place of a line is seen."""
    first = source.text.rfind("\n", 0, offset) + 1
    return _width(source.text[first:offset].expandtabs(_STEP))


def _width(text: str) -> int:
    """How many columns a text takes on a screen."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def _facts(source: SourceFile, tree: ast.File) -> tuple[set[int], set[int], set[int], dict[int, str]]:
    """Offsets of signs that adjust by a number, offsets of reasons, the lines of small declarations, and the squares
    of each line of a drawing."""
    adjusts: set[int] = set()
    reasons: set[int] = set()
    documented: set[int] = set()
    drawn: dict[int, str] = {}
    for node in _nodes(tree):
        match node:
            case ast.Adjust(target=target, amount=ast.Number()):
                at = _offset(source, target.span.end)
                while source.text[at].isspace():
                    at += 1
                adjusts.add(at)
            case (
                ast.ValueLine(reason=ast.Text() as reason)
                | ast.RelationLine(reason=ast.Text() as reason)
                | ast.RosterNeed(reason=ast.Text() as reason)
            ):
                reasons.add(_offset(source, reason.span.start))
            case (
                ast.OptionDeclaration()
                | ast.FieldDeclaration()
                | ast.TrackDeclaration()
                | ast.ZoneDeclaration()
                | ast.StateDeclaration()
            ):
                documented.add(node.span.start.line)
            case ast.DrawnRow(squares=squares):
                drawn[node.span.start.line] = squares
    return adjusts, reasons, documented, drawn


def _nodes(tree: ast.File) -> Iterator[ast.Node]:
    """Every node of a tree."""
    waiting: list[object] = [tree]
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple):
            waiting.extend(here)
        elif isinstance(here, ast.Node):
            yield here
            waiting.extend(getattr(here, name) for name in _children(type(here)))


def _children(kind: type[ast.Node]) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind) if field.name not in ("span", "doc"))


def _depth_of_comment(column: int, open_blocks: Sequence[int], below: int) -> int:
    """The block that a comment on a line of its own belongs to.

    That is the block of the line below, or, where that goes back, one of those that end here: the deepest that begins
    no further right than the comment. `open_blocks` has the columns of the blocks that the line above stands in.
    """
    depth = len(open_blocks) - 1
    while depth > below and open_blocks[depth] > column:
        depth -= 1
    return max(depth, below)


def _table(rows: Sequence[Line]) -> list[str]:
    """The rows of a table with their bars in columns."""
    cut = [_raw_cells(row.tokens[0]) for row in rows]
    columns = max(len(cells) for cells in cut)
    widths = [1] * columns
    for cells in cut:
        if not is_separator(cells):
            for at, cell in enumerate(cells):
                widths[at] = max(widths[at], _width(cell))
    printed: list[str] = []
    for cells in cut:
        if is_separator(cells):
            parts = ["-" * (width + 2) for width in widths]
        else:
            parts = [f" {cell}{' ' * (width - _width(cell))} " for cell, width in zip(cells, widths, strict=False)]
        printed.append(f"|{'|'.join(parts)}|")
    return printed


def _raw_cells(token: Token) -> list[str]:
    return [token.text[cell.start : cell.end].strip() for cell in row_cells(token.text)[0]]


def _runs(printed: Sequence[_Printed], wanted: Iterable[bool]) -> Iterator[list[_Printed]]:
    """Runs of neighbouring lines that are wanted."""
    run: list[_Printed] = []
    for line, is_wanted in zip(printed, wanted, strict=True):
        if is_wanted:
            run.append(line)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _place_reasons(printed: Sequence[_Printed]) -> None:
    """Adds the reasons to the code of their lines, those of neighbours in one column."""
    for run in _runs(printed, [bool(line.reason) for line in printed]):
        column = max(run[0].reason_column, *(line.width + _GAP for line in run))
        for line in run:
            line.code += " " * (column - line.width) + line.reason


def _place_comments(printed: Sequence[_Printed]) -> None:
    """Adds the comments to the code of their lines, neighbours in a common column in one again."""
    for run in _runs(printed, [bool(line.comment) for line in printed]):
        for group in _in_one_column([(line, line.comment_column) for line in run]):
            column = max(group[0].comment_column, *(line.width + _GAP for line in group))
            for line in group:
                line.code += " " * (column - line.width) + line.comment


def _in_one_column(lines: Sequence[tuple[_Printed, int]]) -> Iterator[list[_Printed]]:
    """Parts of a run that stand in one column, or are to."""
    group: list[_Printed] = []
    before: tuple[_Printed, int] | None = None
    for line, column in lines:
        if before is not None:
            same = column == before[1]
            both = line.documents and before[0].documents and line.indent == before[0].indent
            if not same and not both:
                yield group
                group = []
        group.append(line)
        before = (line, column)
    if group:
        yield group


def _joined(printed: Sequence[_Printed]) -> str:
    """The lines with blank lines reduced: none at either end, one within a declaration, two between."""
    out: list[str] = []
    blanks = 0
    for line in printed:
        if line.is_blank:
            blanks += 1
            continue
        if out:
            out.extend([""] * min(blanks, 1 if line.indent else 2))
        blanks = 0
        out.append((line.indent + line.code).rstrip())
    return "\n".join(out) + "\n" if out else ""
