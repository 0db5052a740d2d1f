"""One file as text, and the way from an offset in it to a line and column.

Everything later speaks in spans, so the text is made uniform once, here: UTF-8 is decoded, a byte order mark is
dropped, and every line ends in a single line feed. Offsets are counted in code points of that uniform text.

Invariant: the text of a `SourceFile` made by this module holds no carriage return and no leading byte order mark,
and every offset from 0 to its length has exactly one position.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from attrs import frozen

from interpreter.diagnostics import Diagnostics, Position, Span, did_you_mean

__all__ = ["MAX_BYTES", "SourceFile", "from_text", "read_source", "start_of"]

MAX_BYTES = 2 * 1024 * 1024
"""Largest file that is read, in bytes: far above any rulebook, far below what would stall the checker."""


@frozen(slots=False)
class SourceFile:
    """A file that was read: its name as shown to people and its uniform text."""

    path: str
    """The name shown in diagnostics, with forward slashes."""
    text: str
    """The text, lines ended by a line feed."""

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offset of the first code point of every line, line 1 first."""
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return tuple(starts)

    @cached_property
    def _line_bytes(self) -> tuple[int, ...] | None:
        """Byte offset of every line's start, or None where bytes and code points are the same."""
        if self.text.isascii():
            return None
        offsets = [0]
        starts = self.line_starts
        for first, after in pairwise(starts):
            offsets.append(offsets[-1] + len(self.text[first:after].encode("utf-8", "surrogatepass")))
        return tuple(offsets)

    @property
    def line_count(self) -> int:
        """Number of lines; a text that ends in a line feed has an empty last line, which counts."""
        return len(self.line_starts)

    def line_text(self, line: int) -> str:
        """The text of a line (from 1) without its line feed; empty for a line that is not there."""
        starts = self.line_starts
        if not 1 <= line <= len(starts):
            return ""
        end = starts[line] - 1 if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end]

    def position(self, offset: int) -> Position:
        """The position of a code point offset; an offset outside the text is moved to its nearer end."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.line_starts, offset) - 1
        first = self.line_starts[line]
        if self._line_bytes is None:
            byte = offset
        else:
            byte = self._line_bytes[line] + len(self.text[first:offset].encode("utf-8", "surrogatepass"))
        return Position(line=line + 1, column=offset - first + 1, byte=byte)

    def span(self, start: int, end: int) -> Span:
        """The span from one code point offset to another (the end is not part of it)."""
        starts = self.line_starts
        first = self.position(start)
        end_of_line = starts[first.line] if first.line < len(starts) else len(self.text) + 1
        if not 0 <= start <= end < end_of_line:
            return Span(self.path, first, self.position(max(start, end)))
        inside = self.text[start:end]
        size = end - start if self._line_bytes is None else len(inside.encode("utf-8", "surrogatepass"))
        return Span(self.path, first, Position(first.line, first.column + end - start, first.byte + size))


def from_text(path: str, text: str) -> SourceFile:
    """A source file from text that is already in memory, made uniform like a file on disk."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return SourceFile(path, text)


def start_of(shown_as: str) -> Span:
    """The empty span at the start of a file, for what concerns a file as a whole."""
    start = Position(line=1, column=1, byte=0)
    return Span(shown_as, start, start)


def read_source(path: Path, shown_as: str, sink: Diagnostics, span: Span | None = None) -> SourceFile | None:
    """Reads a file, or reports why it cannot be read and gives None.

    `span` is the place that names the file; without one the report points at the start of the file itself.
    Reports D101 (not found, a folder, not readable), D102 (not UTF-8), D104 (too large).
    """
    place = span or start_of(shown_as)
    try:
        if path.is_dir():
            sink.error("D101", f"`{shown_as}` is a folder, expected a file", place)
            return None
        with path.open("rb") as stream:
            # A device or a pipe has no honest size, so the limit is kept by reading one byte past it.
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        sink.error("D101", f"file `{shown_as}` not found", place, help=did_you_mean(path.name, _names_beside(path)))
        return None
    except (OSError, ValueError) as fault:
        reason = (getattr(fault, "strerror", None) or str(fault)).lower()
        sink.error("D101", f"file `{shown_as}` cannot be read: {reason}", place)
        return None
    if len(data) > MAX_BYTES:
        sink.error("D104", f"file `{shown_as}` is too large: expected at most {MAX_BYTES} bytes", place)
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        _report_broken_utf8(data, fault, shown_as, sink)
        return None
    return from_text(shown_as, text)


def _names_beside(path: Path) -> list[str]:
    """The names of the files that stand where a missing file was looked for."""
    try:
        return sorted(entry.name for entry in path.parent.iterdir() if entry.is_file())
    except (OSError, ValueError):
        return []


def _report_broken_utf8(data: bytes, fault: UnicodeDecodeError, shown_as: str, sink: Diagnostics) -> None:
    """Reports D102 at the line and column of the first byte that is not UTF-8."""
    before = from_text(shown_as, data[: fault.start].decode("utf-8"))
    at = before.position(len(before.text))
    byte = data[fault.start]
    sink.error(
        "D102",
        f"`{shown_as}` is not UTF-8: byte {byte:#04x} in line {at.line}, column {at.column}",
        Span(shown_as, at, at),
        label="not UTF-8 from here on",
        help="save the file with the encoding UTF-8",
    )
