"""Results of tests as text, JSON, or JUnit's XML.

Invariant: every test that ran is in the report once, and a file whose rules cannot be read is in it as a failure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from attrs import frozen

from interpreter.diagnostics import Diagnostic
from interpreter.runtime.tester import TestResult
from interpreter.tools.report import FORMATS, Sources, shown_path

__all__ = ["TestRun", "to_json", "to_junit", "to_text"]

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@frozen
class TestRun:
    """One test that ran, or one file that could not be."""

    __test__ = False  # not a class of tests, in spite of its name

    title: str
    path: str
    line: int
    seconds: float
    failures: tuple[Diagnostic, ...]
    """Why it failed; empty when it holds."""

    @property
    def ok(self) -> bool:
        return not self.failures

    @classmethod
    def of(cls, result: TestResult, seconds: float) -> TestRun:
        """A result of the tester."""
        failures = () if result.ok else (result.as_diagnostic(),)
        return cls(result.title, shown_path(result.path), result.span.start.line, seconds, failures)


def to_text(runs: Sequence[TestRun], sources: Sources, *, verbose: bool, colour: bool) -> str:
    """For people: failures in full, all tests by name when asked."""
    lines: list[str] = []
    for run in runs:
        if verbose:
            lines.append(f"{'ok    ' if run.ok else 'FAILED'}  {run.title}  {run.path}:{run.line}\n")
        if not run.ok:
            lines.append(FORMATS["text"](run.failures, sources, colour=colour))
    failed = sum(not run.ok for run in runs)
    count = "1 test" if len(runs) == 1 else f"{len(runs)} tests"
    lines.append(f"{count} passed\n" if not failed else f"{failed} of {count} failed\n")
    return "".join(lines)


def to_json(runs: Sequence[TestRun], coverage: dict[str, object] | None) -> str:
    """For programs."""
    report: dict[str, object] = {
        "format_version": 1,
        "passed": sum(run.ok for run in runs),
        "failed": sum(not run.ok for run in runs),
        "tests": [
            {
                "title": run.title,
                "path": run.path,
                "line": run.line,
                "ok": run.ok,
                "seconds": round(run.seconds, 4),
                "failures": [_failure(found) for found in run.failures],
            }
            for run in runs
        ],
    }
    if coverage is not None:
        report["coverage"] = coverage
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def _failure(found: Diagnostic) -> dict[str, object]:
    span = found.span
    return {
        "code": found.code,
        "message": found.message,
        "path": None if span is None else shown_path(span.path),
        "line": None if span is None else span.start.line,
        "notes": list(found.notes),
    }


def to_junit(runs: Sequence[TestRun], sources: Sources) -> str:
    """For services that show tests."""
    failed = sum(not run.ok for run in runs)
    seconds = f'time="{sum(run.seconds for run in runs):.3f}"'
    counts = f'tests="{len(runs)}" failures="{failed}" errors="0" {seconds}'
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="dsl test" {counts}>',
        f'  <testsuite name="dsl test" {counts}>',
    ]
    for run in runs:
        head = (
            f"    <testcase classname={_attribute(run.path)} name={_attribute(run.title)} "
            f'file={_attribute(run.path)} line="{run.line}" time="{run.seconds:.3f}"'
        )
        if run.ok:
            lines.append(f"{head}/>")
            continue
        first = run.failures[0]
        body = escape(_allowed(FORMATS["text"](run.failures, sources)))
        lines.append(f"{head}>")
        lines.append(
            f"      <failure type={_attribute(first.code)} message={_attribute(first.message)}>{body}</failure>"
        )
        lines.append("    </testcase>")
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"]) + "\n"


def _attribute(text: str) -> str:
    return quoteattr(_allowed(text))


def _allowed(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
