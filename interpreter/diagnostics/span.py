"""Places in a file: a position and the stretch between two of them.

Every stage that can find a mistake carries spans, so they are small, frozen and ordered. Three measures are kept
because three readers need them: people count lines and columns, editors recode columns, and fixes cut bytes.
Invariant: a span lies in one file, its end is exclusive and never before its start.
"""

from attrs import frozen

__all__ = ["Position", "Span"]


@frozen(order=True)
class Position:
    """One point between two characters of a file; positions of the same file compare in reading order."""

    line: int
    """Line, counted from 1."""
    column: int
    """Column in code points, counted from 1."""
    byte: int
    """Offset from the start of the file in bytes of UTF-8, counted from 0."""


@frozen(order=True)
class Span:
    """A stretch of one file, from `start` up to but without `end`."""

    path: str
    """The file as its reader named it; made relative and POSIX only when shown."""
    start: Position
    """The first character."""
    end: Position
    """The place after the last character."""

    def merge(self, other: "Span") -> "Span":
        """The smallest span that covers both; this span as it is when the other lies in another file."""
        if other.path != self.path:
            return self
        return Span(self.path, min(self.start, other.start), max(self.end, other.end))

    def __str__(self) -> str:
        return f"{self.path}:{self.start.line}:{self.start.column}"
