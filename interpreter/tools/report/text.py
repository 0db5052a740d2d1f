"""Findings for people: the message, the lines it speaks of, and marks under the words.

The look follows the Rust compiler, which taught a generation to read such reports. Carets mark the place to blame,
dashes the other places; files and lines follow in the order that tells the story, the blamed file first. A place
of several lines is marked on its first line only, since blocks are told by their heads.

Marks on one line are laid out in display columns, not characters. One row holds all the marks. The remark of the
rightmost mark stands behind it on the same row if nothing else reaches further; the remaining remarks hang below
their marks, each on its own row, the rightmost first, so that no line of one crosses the text of another:

    12 | move E to F
       |      -    ^ `F` is no space
       |      |
       |      `E` is declared here

Invariant: the report without colours is the report with colours, less the escape codes.
"""

import unicodedata
from collections.abc import Iterator, Sequence

from attrs import frozen

from interpreter.diagnostics import Diagnostic, Span

from .places import Sources, shown_path

__all__ = ["render", "render_one"]

_STYLES = {
    "error": "1;31",
    "warning": "1;33",
    "message": "1",
    "gutter": "1;34",
    "other": "1;34",
    "note": "1;36",
    "help": "1;32",
}
"""The colours: what is painted, and the numbers of its escape code."""

_TAB = 4
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of text, and could make a line look like another."""


@frozen
class _Mark:
    """One place on one line, in display columns from 0."""

    start: int
    end: int
    """Exclusive, at least one more than the start."""
    is_primary: bool
    message: str


def render(diagnostics: Sequence[Diagnostic], sources: Sources, *, colour: bool = False) -> str:
    """All findings, an empty line after each; an empty text when there are none."""
    return "".join(render_one(diagnostic, sources, colour=colour) + "\n" for diagnostic in diagnostics)


def render_one(diagnostic: Diagnostic, sources: Sources, *, colour: bool = False) -> str:
    """One finding, ending in a line end."""
    paint = _Paint(colour)
    severity = diagnostic.severity.value
    head = paint(f"{severity}[{diagnostic.code}]", severity) + paint(f": {_visible(diagnostic.message)}", "message")
    lines = [head, *_snippets(diagnostic, sources, paint)]
    for note in diagnostic.notes:
        lines += _remark("note", note, paint)
    if diagnostic.help is not None:
        lines += _remark("help", diagnostic.help, paint)
    else:
        for fix in diagnostic.fixes:
            lines += _remark("help", fix.title, paint)
    return "".join(line.rstrip() + "\n" for line in lines)


@frozen
class _Paint:
    """Colours a piece of text, or does not."""

    is_on: bool

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.is_on and text else text


def _remark(kind: str, text: str, paint: _Paint) -> list[str]:
    """A note or a help; further lines stand under the first."""
    first, *rest = text.split("\n")
    lines = [paint(f"{kind}:", kind) + f" {_visible(first)}"]
    return lines + [" " * (len(kind) + 2) + _visible(line) for line in rest]


def _snippets(diagnostic: Diagnostic, sources: Sources, paint: _Paint) -> Iterator[str]:
    """The marked lines, file by file."""
    blamed = diagnostic.span
    places = [] if blamed is None else [(blamed, diagnostic.label, True)]
    places += [(label.span, label.message, False) for label in diagnostic.labels]
    files: dict[str, list[tuple[Span, str, bool]]] = {}
    for span, message, is_primary in places:
        files.setdefault(span.path, []).append((span, message, is_primary))
    width = max((len(str(span.start.line)) for span, _, _ in places), default=0)
    empty = " " * width + " " + paint("|", "gutter")
    for index, inside in enumerate(files.values()):
        start = inside[0][0]
        arrow = "-->" if index == 0 else ":::"
        where = f"{shown_path(start.path)}:{start.start.line}:{start.start.column}"
        yield f"  {paint(arrow, 'gutter')} {where}"
        lines = list(_lines(inside, sources, width, empty, paint))
        if lines:
            yield empty
        yield from lines
        if index + 1 < len(files):
            yield empty


def _lines(
    places: list[tuple[Span, str, bool]], sources: Sources, width: int, empty: str, paint: _Paint
) -> Iterator[str]:
    """The marked lines of one file in reading order; one line between two is shown, more are left out."""
    by_line: dict[int, list[tuple[Span, str, bool]]] = {}
    for place in sorted(places, key=lambda place: place[0].start):
        by_line.setdefault(place[0].start.line, []).append(place)
    path = places[0][0].path
    last: int | None = None
    for number, here in by_line.items():
        if last is not None and number == last + 2:
            between = sources.line_text(path, last + 1)
            yield _numbered(last + 1, _layout(between or "")[0], width, paint)
        elif last is not None and number > last + 2:
            yield paint("...", "gutter")
        last = number
        text = sources.line_text(path, number)
        if text is None:
            for _, message, _ in here:
                if message:
                    yield " " * width + f" {paint('=', 'gutter')} {_visible(message)}"
            continue
        shown, columns = _layout(text)
        yield _numbered(number, shown, width, paint)
        style = "error" if any(is_primary for _, _, is_primary in here) else "other"
        marks = [_mark(span, message, is_primary, columns) for span, message, is_primary in here]
        for row in _rows(marks):
            yield f"{empty} {_painted(row, style, paint)}"


def _numbered(number: int, text: str, width: int, paint: _Paint) -> str:
    return paint(f"{number:>{width}} |", "gutter") + f" {text}"


def _layout(text: str) -> tuple[str, list[int]]:
    """A line as shown, and the display column of each character and of the place after the last."""
    shown: list[str] = []
    columns = [0]
    at = 0
    for character in text.rstrip("\r\n"):
        if character == "\t":
            cells = _TAB - at % _TAB
            shown.append(" " * cells)
        else:
            shown.append(_visible(character))
            cells = _cells(shown[-1])
        at += cells
        columns.append(at)
    return "".join(shown), columns


def _mark(span: Span, message: str, is_primary: bool, columns: list[int]) -> _Mark:
    """A place in display columns; of several lines, up to the end of the first."""

    def column(number: int) -> int:
        index = number - 1
        past = index - (len(columns) - 1)
        return columns[index] if past <= 0 else columns[-1] + past

    start = column(span.start.column)
    end = columns[-1] if span.end.line > span.start.line else column(span.end.column)
    return _Mark(start, max(end, start + 1), is_primary, message)


_Row = list[tuple[int, str, bool]]
"""Pieces of a row: display column, text, and whether it belongs to the place to blame."""


def _rows(marks: list[_Mark]) -> list[_Row]:
    """The rows under a line: the marks, then the remarks that hang below them."""
    under: dict[int, tuple[str, bool]] = {}
    for mark in sorted(marks, key=lambda mark: mark.is_primary):
        for column in range(mark.start, mark.end):
            under[column] = ("^" if mark.is_primary else "-", mark.is_primary)
    rows: list[_Row] = [[(column, sign, is_primary) for column, (sign, is_primary) in sorted(under.items())]]
    hanging = sorted(
        (mark for mark in marks if mark.message), key=lambda mark: (mark.start, mark.is_primary), reverse=True
    )
    reach = max(mark.end for mark in marks)
    if hanging and hanging[0].end == reach:
        first = hanging.pop(0)
        rows[0].append((reach + 1, _visible(first.message), first.is_primary))
    for index, mark in enumerate(hanging):
        strings: dict[int, bool] = {}
        for other in reversed(hanging[index:]):
            strings[other.start] = strings.get(other.start, False) or other.is_primary
        if index == 0:
            rows.append([(column, "|", is_primary) for column, is_primary in strings.items()])
        left = [(column, "|", is_primary) for column, is_primary in strings.items() if column < mark.start]
        rows.append([*left, (mark.start, _visible(mark.message), mark.is_primary)])
    return rows


def _painted(row: _Row, style: str, paint: _Paint) -> str:
    """A row as text; neighbours of one colour share one escape code."""
    runs: list[tuple[str, bool]] = []
    at = 0
    for column, text, is_primary in row:
        gap = " " * (column - at)
        if runs and runs[-1][1] == is_primary:
            runs[-1] = (runs[-1][0] + gap + text, is_primary)
        else:
            runs.append((gap + text, is_primary))
        at = column + len(text)
    return "".join(paint(text, style if is_primary else "other") for text, is_primary in runs)


def _visible(text: str) -> str:
    """Text without characters that would move the cursor, ring the bell, or turn the direction of reading."""
    if text.isprintable():
        return text
    return "".join(map(_safe, text))


def _safe(character: str) -> str:
    if character < " ":
        return chr(0x2400 + ord(character))
    if character in _DIRECTIONS or unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}:
        return "\ufffd"
    return character


def _cells(character: str) -> int:
    """How many columns of a terminal one character takes."""
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
