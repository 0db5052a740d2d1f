"""`dsl test`: the `test` blocks of rules files, and played examples.

A file whose rules are wrong counts as one failed test, so that a broken file never passes for one without tests.
`--coverage` adds up which lines of the rules were used by any test and lists those that never were.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.diagnostics import RulesError, Severity, Span
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINDINGS, FINE, NO_TESTS, WRONG, UsageFault
from interpreter.tools.cli.parser import Arguments, Command
from interpreter.tools.report import shown_path
from interpreter.workspace import Lines, WorkspaceFiles, find_files, kind_of, shown_from_here

if TYPE_CHECKING:
    from interpreter.analysis.coverage import Coverage
    from interpreter.runtime.tester import TestResult
    from interpreter.tools.cli.test_report import TestRun

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl test                              every test in ./rules and ./examples
dsl test rules/hall.rules -k statue -v
dsl test --coverage --threshold 80    exit 1 when less than 80 % of the lines were used
dsl test --format junit -o tests.xml
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="rules files, played examples, folders, or bare names")
    parser.add_argument("-k", dest="wanted", default="", metavar="TEXT", help="only tests whose title holds the text")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every test")
    parser.add_argument("--format", choices=("text", "json", "junit"), default="text", help="default: text")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report to a file")
    parser.add_argument("--coverage", action="store_true", help="list the lines of the rules that no test uses")
    parser.add_argument("--threshold", type=float, metavar="PERCENT", help="with coverage: the least that exits with 0")


def _run(arguments: Arguments) -> int:
    from interpreter.analysis.coverage import Coverage

    if arguments.threshold is not None:
        arguments.coverage = True
    files, missing = _files(arguments)
    lines = Lines()
    coverage = Coverage() if arguments.coverage else None
    runs = [run for path in files for run in _run_file(path, arguments.wanted, lines, coverage)]
    for path in missing:
        streams.remark(f"error: `{path}` not found")
    if missing:
        return WRONG
    _report(arguments, runs, lines, coverage)
    if not runs:
        streams.remark("no tests found" + (f" whose title holds `{arguments.wanted}`" if arguments.wanted else ""))
        return NO_TESTS
    if any(not run.ok for run in runs):
        return FINDINGS
    if coverage is not None and arguments.threshold is not None and coverage.percent < arguments.threshold:
        streams.remark(f"coverage {coverage.percent:.1f} % is below {arguments.threshold:g} %")
        return FINDINGS
    return FINE


def _files(arguments: Arguments) -> tuple[list[Path], list[str]]:
    """The files to test, and the paths that lead nowhere; bare names of shipped games are taken too."""
    from interpreter.source import find_shipped

    paths: list[str | Path] = []
    for path in arguments.paths:
        shipped = None if Path(path).exists() else find_shipped(path)
        paths.append(path if shipped is None else shipped)
    found = find_files(paths, ("rules", "transcript"))
    return [path for path in found.files if kind_of(path) != "board"], list(found.missing)


def _run_file(path: Path, wanted: str, lines: Lines, coverage: Coverage | None) -> Iterator[TestRun]:
    """The tests of one file; its rules' errors count as a failed test."""
    from interpreter.tools.cli.test_report import TestRun

    files = WorkspaceFiles(root=path.absolute().parent)
    start = time.perf_counter()
    try:
        for result in _results(path, wanted, files, coverage):
            now = time.perf_counter()
            yield TestRun.of(result, now - start)
            start = now
    except RulesError as fault:
        errors = tuple(found for found in fault.diagnostics if found.severity is Severity.ERROR)
        if any(found.code == "D101" for found in errors):
            raise UsageFault(errors[0].message) from fault
        if not _is_part(path):
            yield TestRun("the rules can be read", shown_from_here(path.absolute()), 1, 0.0, errors)
    finally:
        lines.gather(files)


def _results(path: Path, wanted: str, files: WorkspaceFiles, coverage: Coverage | None) -> Iterator[TestResult]:
    from interpreter.runtime import tester

    watch = None if coverage is None else (lambda rules, marks: coverage.add(rules.program, marks))
    needle = wanted.casefold()
    if kind_of(path) == "transcript":
        from interpreter.runtime import transcripts

        yield from transcripts.run_transcript(
            path.absolute(), wanted=lambda title: needle in title.casefold(), watch=watch
        )
    else:
        yield from tester.run_tests(
            path.absolute(), wanted=lambda title: needle in title.casefold(), watch=watch, files=files
        )


def _is_part(path: Path) -> bool:
    """Whether a rules file is only included by others."""
    from interpreter.workspace.config import has_game_head

    try:
        return not has_game_head(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def _report(arguments: Arguments, runs: list[TestRun], lines: Lines, coverage: Coverage | None) -> None:
    from interpreter.tools.cli.test_report import to_json, to_junit, to_text

    if arguments.format == "json":
        streams.write_report(to_json(runs, None if coverage is None else _coverage_data(coverage)), arguments.output)
        return
    if arguments.format == "junit":
        streams.write_report(to_junit(runs, lines), arguments.output)
        return
    colour = arguments.output is None and streams.has_colour(arguments.color)
    text = to_text(runs, lines, verbose=arguments.verbose, colour=colour) if runs else ""
    if coverage is not None:
        text += "".join(line + "\n" for line in _coverage_lines(coverage, lines))
    streams.write_report(text, arguments.output)


def _coverage_data(coverage: Coverage) -> dict[str, object]:
    return {
        "used": len(coverage.used),
        "all": len(coverage.all),
        "percent": round(coverage.percent, 2),
        "unused": [
            {"path": shown_path(path), "line": span.start.line, "column": span.start.column}
            for path, spans in coverage.unused().items()
            for span in spans
        ],
    }


def _coverage_lines(coverage: Coverage, lines: Lines) -> Iterator[str]:
    """The lines with something that was never used; where only parts were not, these are marked."""
    used = {(span.path, span.start.line) for span in coverage.used}
    for path, spans in coverage.unused().items():
        yield f"never used in {shown_path(path)}:"
        by_line: dict[int, list[Span]] = {}
        for span in spans:
            by_line.setdefault(span.start.line, []).append(span)
        for number, here in by_line.items():
            text = lines.line_text(path, number) or ""
            yield f"  {number:>5} | {text}".rstrip()
            if (path, number) in used:
                yield f"        | {_marks(text, here)}".rstrip()
    yield f"coverage: {len(coverage.used)} of {len(coverage.all)} lines and cells used, {coverage.percent:.1f} %"


def _marks(text: str, spans: list[Span]) -> str:
    """Carets under the parts of a line that places cover."""
    marked = [" "] * len(text)
    for span in spans:
        end = span.end.column - 1 if span.end.line == span.start.line else len(text)
        for column in range(span.start.column - 1, min(end, len(text))):
            marked[column] = "^"
    return "".join(marked)


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
