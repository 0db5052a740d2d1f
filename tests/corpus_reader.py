"""The corpus of rules files and what is expected of each, shared by the tests of every stage.

A file under `tests/corpus/<topic>/bad` says itself what must be found in it: on the line to blame, at its end, stands
`#! D110 part of the message`; what concerns the file as a whole stands on its first line as `#! file D107 part of the
message`. A second `#!` on a line expects a second finding there. The expectation is exact: whatever is found beyond
it, or not found, is a failure. Files under `good` expect nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from attrs import frozen

from interpreter.diagnostics import Diagnostic

__all__ = ["CORPUS", "Expected", "corpus", "expected", "mismatches"]

CORPUS = Path(__file__).parent / "corpus"

_MARK = re.compile(r"#!\s*(?P<file>file\s+)?(?P<code>D\d{3})\b[ \t]*(?P<text>[^#\n]*(?:#(?!!)[^#\n]*)*)")


@frozen(order=True)
class Expected:
    """One finding that must be made."""

    line: int
    """The line to blame, from 1; 0 for the file as a whole."""
    code: str
    text: str
    """Part of the message."""


def corpus(topic: str, verdict: str) -> list[Path]:
    """The rules files of a topic, `good` or `bad`."""
    return sorted((CORPUS / topic / verdict).glob("*.rules"))


def expected(path: Path) -> list[Expected]:
    """What must be found in a file."""
    found: list[Expected] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        for mark in _MARK.finditer(line):
            found.append(Expected(0 if mark["file"] else number, mark["code"], mark["text"].strip()))
    return found


def mismatches(wanted: Iterable[Expected], diagnostics: Iterable[Diagnostic]) -> list[str]:
    """What was expected and not found, and what was found and not expected; empty if all is well."""
    missing = sorted(wanted)
    surplus: list[str] = []
    for diagnostic in diagnostics:
        line = 0 if diagnostic.span is None else diagnostic.span.start.line
        for want in missing:
            if want.code == diagnostic.code and want.line in (0, line) and want.text in diagnostic.message:
                missing.remove(want)
                break
        else:
            surplus.append(f"not expected: line {line}: {diagnostic.code} {diagnostic.message}")
    return [f"not found: line {want.line}: {want.code} {want.text}" for want in missing] + surplus
