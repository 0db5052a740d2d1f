"""Findings as a test report: one test case per file checked, failed if the file has errors.

For services that show nothing but tests. Warnings do not fail a case; they stand in its output. Invariant: every
file checked is one case even when nothing was found, every file with findings is one case even when it was not
asked for, and the XML holds no character that XML forbids.
"""

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from interpreter.diagnostics import Diagnostic, Severity

from .places import Sources, shown_path
from .text import render_one

__all__ = ["render"]

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_FILE = "(no file)"
"""The case of findings without a place."""


def render(diagnostics: Sequence[Diagnostic], sources: Sources, checked: Sequence[str] = ()) -> str:
    """One suite; `checked` are the files that were checked, in the order of their cases."""
    cases: dict[str, list[Diagnostic]] = {shown_path(path): [] for path in checked}
    for diagnostic in diagnostics:
        name = _NO_FILE if diagnostic.span is None else shown_path(diagnostic.span.path)
        cases.setdefault(name, []).append(diagnostic)
    failed = sum(any(found.severity is Severity.ERROR for found in inside) for inside in cases.values())
    counts = f'tests="{len(cases)}" failures="{failed}" errors="0"'
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="dsl check" {counts}>',
        f'  <testsuite name="dsl check" {counts}>',
    ]
    for name, inside in cases.items():
        lines += _case(name, inside, sources)
    lines += ["  </testsuite>", "</testsuites>"]
    return "\n".join(lines) + "\n"


def _case(name: str, inside: list[Diagnostic], sources: Sources) -> list[str]:
    """One file; all its errors are one failure, since many readers show only the first."""
    head = f'    <testcase classname="dsl check" name={_attribute(name)}'
    errors = [diagnostic for diagnostic in inside if diagnostic.severity is Severity.ERROR]
    warnings = [diagnostic for diagnostic in inside if diagnostic.severity is Severity.WARNING]
    if not inside:
        return [f"{head}/>"]
    lines = [f"{head}>"]
    if errors:
        first = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        opening = f"<failure type={_attribute(first.code)} message={_attribute(first.message + more)}>"
        lines.append(f"      {opening}{_body(errors, sources)}</failure>")
    if warnings:
        lines.append(f"      <system-out>{_body(warnings, sources)}</system-out>")
    return [*lines, "    </testcase>"]


def _body(diagnostics: list[Diagnostic], sources: Sources) -> str:
    return escape(_allowed("\n".join(render_one(diagnostic, sources) for diagnostic in diagnostics)))


def _attribute(text: str) -> str:
    return quoteattr(_allowed(text))


def _allowed(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
