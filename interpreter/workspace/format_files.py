"""Formats rules files: what each would become, or why it is left as it is.

The formatter itself proves that it changes nothing but blanks; here it is only given files and asked what to do with
the answer. Invariant: nothing is written here, and a file with mistakes has no formatted text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from interpreter.diagnostics import Diagnostic, Diagnostics
from interpreter.source import SourceFile, read_source
from interpreter.workspace.read_files import shown_from_here

__all__ = ["Formatted", "format_files", "format_text"]


@frozen
class Formatted:
    """One file and its formatted text."""

    path: Path
    source: SourceFile | None
    """The file as read; None where it cannot be read."""
    text: str | None
    """How it should be; None where it is left as it is."""
    findings: tuple[Diagnostic, ...]
    """Why it is left as it is."""
    is_changed: bool
    """Whether the file, byte for byte, would be another."""


def format_files(paths: Sequence[Path]) -> Iterator[Formatted]:
    """What becomes of each file."""
    for path in paths:
        sink = Diagnostics()
        source = read_source(path, shown_from_here(path.absolute()), sink)
        if source is None:
            yield Formatted(path, None, None, tuple(sink), False)
        else:
            formatted = format_text(source)
            changed = formatted.text is not None and path.read_bytes() != formatted.text.encode()
            yield Formatted(path, source, formatted.text, formatted.findings, changed)


def format_text(source: SourceFile) -> Formatted:
    """What becomes of a text."""
    from interpreter.syntax import format_source

    sink = Diagnostics()
    text = format_source(source, sink)
    return Formatted(Path(source.path), source, text, tuple(sink), text is not None and text != source.text)
