"""Findings in SARIF 2.1.0, which code hosts show as alerts and follow from commit to commit.

They follow an alert by its rule and its file, so rule ids are our codes, which never change, and files are relative
URIs. Columns are counted in code points, and the report says so. Invariant: the rules listed are those that occur,
in the order of their codes, so that the same findings give the same bytes.
"""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from interpreter.diagnostics import Diagnostic, Edit, Fix, Span, page

from .places import Sources, shown_path

__all__ = ["render"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(diagnostics: Sequence[Diagnostic], sources: Sources) -> str:
    """One run with all findings; `sources` is not needed."""
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    index = {code: number for number, code in enumerate(codes)}
    run = {
        "tool": {"driver": {"name": "dsl", "rules": [_rule(code) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, index[diagnostic.code]) for diagnostic in diagnostics],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str) -> dict[str, Any]:
    found = page(code)
    if found is None:
        return {"id": code, "shortDescription": {"text": code}}
    return {
        "id": code,
        "shortDescription": {"text": found.title},
        "help": {"text": found.text, "markdown": found.text},
    }


def _result(diagnostic: Diagnostic, rule: int) -> dict[str, Any]:
    said = [f"{diagnostic.message}: {diagnostic.label}" if diagnostic.label else diagnostic.message]
    said += [f"note: {note}" for note in diagnostic.notes]
    if diagnostic.help is not None:
        said.append(f"help: {diagnostic.help}")
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity.value,
        "message": {"text": "\n".join(said)},
    }
    if diagnostic.span is not None:
        result["locations"] = [{"physicalLocation": _location(diagnostic.span)}]
    if diagnostic.labels:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(label.span), "message": {"text": label.message}}
            for number, label in enumerate(diagnostic.labels, 1)
        ]
    if diagnostic.fixes:
        result["fixes"] = [_fix(fix) for fix in diagnostic.fixes]
    return result


def _fix(fix: Fix) -> dict[str, Any]:
    files: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        files.setdefault(edit.span.path, []).append(edit)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": _file(path),
                "replacements": [
                    {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.replacement}}
                    for edit in edits
                ],
            }
            for path, edits in files.items()
        ],
    }


def _location(span: Span) -> dict[str, Any]:
    return {"artifactLocation": _file(span.path), "region": _region(span)}


def _file(path: str) -> dict[str, str]:
    return {"uri": quote(shown_path(path)), "uriBaseId": "%SRCROOT%"}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.start.line,
        "startColumn": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
        "byteOffset": span.start.byte,
        "byteLength": span.end.byte - span.start.byte,
    }
