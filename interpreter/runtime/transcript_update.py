"""Brings a played example up to date with the rules: `dsl test --update`.

The example is played; where a list under `offers` names other options than there are, or a condition under `then` or
`expect` does not hold, the file is told to say what is the case now. Only those pieces of text are written anew, so
comments and the look of the file stay. What may not be offered (`excludes`), what is chosen and what is given are the
meaning of an example and are left alone: such a failure stays one.

Invariant: a text that needs nothing is given back as it is.
"""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from interpreter.diagnostics import Diagnostics, RulesError
from interpreter.runtime.table import TestFailure
from interpreter.runtime.transcript_writer import quoted
from interpreter.runtime.transcripts import Change, play_transcript, read_transcript, rules_of
from interpreter.source import Files, SourceFile, Text, YamlList, YamlScalar

__all__ = ["updated_transcript"]


@frozen
class _Edit:
    """Characters that are replaced."""

    start: int
    end: int
    text: str


def updated_transcript(path: Path, files: Files | None = None) -> str | None:
    """The text of a played example that holds as far as it can; None where nothing is to be changed."""
    files = files if files is not None else Files(root=path.absolute().parent)
    sink = Diagnostics()
    transcript = read_transcript(path, sink, files)
    source = files.get(files.shown(path))
    if transcript is None or source is None or sink.has_errors:
        return None
    changes: list[Change] = []
    try:
        rules = rules_of(transcript, path.absolute().parent)
        play_transcript(transcript, rules, source=source, changes=changes)
    except (RulesError, TestFailure):
        pass  # what comes before is brought up to date all the same
    edits = [edit for change in changes for edit in _edits(change, source)]
    text = source.text
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text if text != source.text else None


def _edits(change: Change, source: SourceFile) -> list[_Edit]:
    node = change.node
    if isinstance(node, Text):
        return [_replacing(node, change.now[0], source)]
    if isinstance(node, YamlScalar) or not change.now or not _is_block(node, source):
        start, end = _range(node, source)
        # A list may stand no deeper than its key; what replaces it may not.
        blank = "  " if source.text[:start].rpartition("\n")[2].isspace() else ""
        return [_Edit(start, end, blank + "[" + ", ".join(map(quoted, change.now)) + "]")]
    items = [item for item in node.items if isinstance(item, YamlScalar)]
    named = {_plain(item.text) for item in items}
    gone = [item for item in items if _plain(item.text) not in change.now]
    new = [name for name in change.now if name not in named]
    edits = [_replacing(item, name, source) for item, name in zip(gone, new, strict=False)]
    edits += [_without_line(item, source) for item in gone[len(new) :]]
    if len(new) > len(gone):
        last = items[-1].span.end.line
        start = source.line_starts[last - 1]
        indent = " " * (source.text.index("-", start) - start)
        end = start + len(source.line_text(last))
        edits.append(_Edit(end, end, "".join(f"\n{indent}- {quoted(name)}" for name in new[len(gone) :])))
    return edits


def _is_block(node: YamlList, source: SourceFile) -> bool:
    """Whether a list is written with one `- item` a line, all of them plain values."""
    start, _ = _range(node, source)
    lines = {item.span.start.line for item in node.items}
    values = all(isinstance(item, YamlScalar) and item.span.start.line == item.span.end.line for item in node.items)
    return bool(node.items) and source.text[start] != "[" and len(lines) == len(node.items) and values


def _without_line(item: YamlScalar, source: SourceFile) -> _Edit:
    line = item.span.start.line
    end = source.line_starts[line] if line < source.line_count else len(source.text)
    return _Edit(source.line_starts[line - 1], end, "")


def _replacing(node: Text | YamlScalar, text: str, source: SourceFile) -> _Edit:
    start, end = _range(node, source)
    written = source.text[start:end].rstrip("\n")  # a text of several lines ends with the next line's start
    return _Edit(start, start + len(written), quoted(text))


def _range(node: Text | YamlScalar | YamlList, source: SourceFile) -> tuple[int, int]:
    """The characters of a node."""
    return _index(node.span.start.line, node.span.start.column, source), _index(
        node.span.end.line, node.span.end.column, source
    )


def _index(line: int, column: int, source: SourceFile) -> int:
    return source.line_starts[line - 1] + column - 1


def _plain(text: str) -> str:
    return " ".join(text.split())
