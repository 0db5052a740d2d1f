"""What a report needs to know about places: the text of a line, and how a path is shown.

Readers name files as they found them; people, code hosts and editors want one spelling. Invariant: a path in any
report is relative to the current folder, has forward slashes, and is valid Unicode.
"""

import os
from pathlib import Path, PurePath
from typing import Protocol

__all__ = ["Sources", "shown_path"]


class Sources(Protocol):
    """Whatever can show a line of a file."""

    def line_text(self, path: str, line: int) -> str | None:
        """The text of a line, counted from 1, without its end; none when the file or the line cannot be had."""
        ...


def shown_path(path: str) -> str:
    """A path as reports show it; names in angle brackets, such as `<stdin>`, and `-` stay as they are."""
    if Path(path).is_absolute():
        try:
            path = os.path.relpath(path)
        except ValueError:  # another drive of Windows: there is no relative way
            path = str(path)
    elif not path.startswith("<"):
        path = os.path.normpath(path)
    return PurePath(path).as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
