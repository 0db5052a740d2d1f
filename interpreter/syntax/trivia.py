"""Comments with their places, and the documentation they hold.

The grammar never sees comments: they are part of the line ends, or of a table row. Here they are found again, for the
formatter, which must keep them all, and for documentation: `##` documents what stands on the line, and on lines of its
own what stands directly below.

Invariant: every comment of the file is given once, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from attrs import frozen

from interpreter.source import SourceFile
from interpreter.syntax.rows import row_comment
from interpreter.syntax.tokens import NEWLINE, Token

__all__ = ["Comment", "Docs", "comments_of"]

_COMMENT = re.compile(r"#[^\n]*")


@frozen
class Comment:
    """One comment."""

    text: str
    """From its first `#` to its last visible character."""
    start: int
    """Offset of the `#`."""
    line: int
    """Line it stands on, from 1."""
    own_line: bool
    """Whether nothing stands before it."""

    @property
    def is_doc(self) -> bool:
        """Whether it documents something."""
        return self.text.startswith("##")

    @property
    def words(self) -> str:
        """What it says, without its marks."""
        return self.text.lstrip("#").strip()


def comments_of(source: SourceFile, tokens: Iterable[Token]) -> list[Comment]:
    """The comments among the tokens of a file."""
    found: list[Comment] = []
    for token in tokens:
        if token.kind == NEWLINE:
            places = [(match.group(), token.start + match.start()) for match in _COMMENT.finditer(token.text)]
        elif token.kind == "ROW":
            at = row_comment(token.text)
            places = [] if at is None else [(token.text[at:], token.start + at)]
        else:
            continue
        for text, start in places:
            line_start = source.text.rfind("\n", 0, start) + 1
            own = not source.text[line_start:start].strip()
            found.append(Comment(text.rstrip(), start, source.position(start).line, own))
    return found


class Docs:
    """The documentation of a file by line; what stands where a line goes on is that of its beginning."""

    def __init__(self, comments: Iterable[Comment], first_lines: Mapping[int, int] | None = None) -> None:
        self._at_end: dict[int, str] = {}
        self._alone: dict[int, str] = {}
        first_lines = first_lines or {}
        for comment in comments:
            if not comment.is_doc:
                continue
            if comment.own_line:
                self._alone[comment.line] = comment.words
            else:
                line = first_lines.get(comment.line, comment.line)
                before = f"{self._at_end[line]}\n" if line in self._at_end else ""
                self._at_end[line] = before + comment.words

    def at(self, line: int) -> str:
        """The documentation of what begins on a line: the lines directly above it, then the end of the line."""
        parts: list[str] = []
        above = line - 1
        while above in self._alone:
            parts.append(self._alone[above])
            above -= 1
        parts.reverse()
        if line in self._at_end:
            parts.append(self._at_end[line])
        return "\n".join(parts)
