"""Findings as commands that GitHub turns into annotations of a pull request.

A command is one line, `::error file=...,line=...::text`, so line ends in it are escaped, and in its properties also
the signs that part them. Columns are given only for places within one line: the service refuses others. Invariant:
one line a finding, whatever paths and messages hold.
"""

from collections.abc import Sequence

from interpreter.diagnostics import Diagnostic

from .places import Sources, shown_path

__all__ = ["render"]


def render(diagnostics: Sequence[Diagnostic], sources: Sources) -> str:
    """All findings; `sources` is not needed."""
    return "".join(_command(diagnostic) + "\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties: dict[str, str | int] = {}
    span = diagnostic.span
    if span is not None:
        properties = {"file": shown_path(span.path), "line": span.start.line}
        if span.end.line == span.start.line:
            properties |= {"endLine": span.end.line, "col": span.start.column, "endColumn": span.end.column}
        else:
            properties["endLine"] = span.end.line - (span.end.column == 1)
    properties["title"] = f"{diagnostic.severity.value}[{diagnostic.code}]"
    said = [diagnostic.message]
    if diagnostic.label:
        said.append(diagnostic.label)
    said += [f"{shown_path(label.span.path)}:{label.span.start.line}: {label.message}" for label in diagnostic.labels]
    said += [f"note: {note}" for note in diagnostic.notes]
    if diagnostic.help is not None:
        said.append(f"help: {diagnostic.help}")
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{diagnostic.severity.value} {listed}::{_data(chr(10).join(said))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
