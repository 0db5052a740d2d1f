"""Findings for programs.

The shape is a promise and carries a version, raised when a field changes its meaning or goes; new fields may come
without. The remark on the place to blame is the first of `labels`, known by its span, as there is one kind
of remark only. Invariant: the same findings give the same bytes.
"""

import json
from collections.abc import Sequence
from typing import Any

from interpreter.diagnostics import Diagnostic, Label, Position, Severity, Span

from .places import Sources, shown_path
from .text import render_one

__all__ = ["FORMAT_VERSION", "render"]

FORMAT_VERSION = 1
"""The version of the shape."""


def render(diagnostics: Sequence[Diagnostic], sources: Sources) -> str:
    """One object with all findings, each also rendered as text without colours."""
    errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    report = {
        "format_version": FORMAT_VERSION,
        "valid": errors == 0,
        "error_count": errors,
        "warning_count": len(diagnostics) - errors,
        "diagnostics": [_diagnostic(diagnostic, sources) for diagnostic in diagnostics],
    }
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def _diagnostic(diagnostic: Diagnostic, sources: Sources) -> dict[str, Any]:
    span = diagnostic.span
    labels = diagnostic.labels
    if span is not None and diagnostic.label:
        labels = (Label(span, diagnostic.label), *labels)
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "span": None if span is None else _span(span),
        "labels": [{"span": _span(label.span), "message": label.message} for label in labels],
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
        "fixes": [
            {
                "title": fix.title,
                "applicability": fix.applicability.value,
                "edits": [{"span": _span(edit.span), "replacement": edit.replacement} for edit in fix.edits],
            }
            for fix in diagnostic.fixes
        ],
        "rendered": render_one(diagnostic, sources),
    }


def _span(span: Span) -> dict[str, Any]:
    return {"path": shown_path(span.path), "start": _position(span.start), "end": _position(span.end)}


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column, "byte": position.byte}
