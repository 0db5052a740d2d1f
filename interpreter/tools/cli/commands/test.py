"""`dsl test`: the `test` blocks of rules files, and played examples.

A file whose rules are wrong counts as one failed test, so that a broken file never passes for one without tests.
`--coverage` adds up which lines of the rules were used by any test and lists those that never were.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from interpreter.diagnostics import RulesError, Severity, Span
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINDINGS, FINE, NO_TESTS, WRONG, UsageFault
from interpreter.tools.cli.games import tell_missing
from interpreter.tools.cli.parser import Arguments, Command
from interpreter.tools.report import in_short, shown_path
from interpreter.workspace import Lines, WorkspaceFiles, find_files, kind_of, shown_from_here

if TYPE_CHECKING:
    from interpreter.analysis.coverage import Coverage, Report
    from interpreter.runtime import Rules
    from interpreter.runtime.tester import TestResult
    from interpreter.tools.cli.test_report import TestRun

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl test                              every test in ./rules and ./examples
dsl test rules/dragons.rules -k treasure -v
dsl test --coverage --threshold 80    exit 1 when less than 80 % of the lines were used
dsl test --format junit -o tests.xml
dsl test duel.test.yaml --update      then look at the changes
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="rules files, played examples, folders, or bare names")
    parser.add_argument("-k", dest="wanted", default="", metavar="TEXT", help="only tests whose title holds the text")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every test")
    parser.add_argument(
        "--update", action="store_true", help="played examples: write what is offered and expected as it is now"
    )
    parser.add_argument("--format", choices=("text", "json", "junit"), default="text", help="default: text")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report to a file")
    parser.add_argument("--coverage", action="store_true", help="list the lines of the rules that no test uses")
    parser.add_argument("--threshold", type=float, metavar="PERCENT", help="with coverage: the least that exits with 0")


def _run(arguments: Arguments) -> int:
    from interpreter.analysis.coverage import Coverage

    if arguments.threshold is not None:
        arguments.coverage = True
    found = find_files(arguments.paths, ("rules", "transcript"))
    tell_missing(found.missing, found.files)
    files = [path for path in found.files if kind_of(path) not in ("board", "list")]
    if arguments.update:
        _update([path for path in files if kind_of(path) == "transcript"])
    lines = Lines()
    coverage = Coverage() if arguments.coverage else None
    runs = [run for path in files for run in _run_file(path, arguments.wanted, lines, coverage)]
    _report(arguments, runs, lines, coverage)
    if found.missing:
        return WRONG
    if not runs:
        streams.remark("no tests found" + (f" whose title holds `{arguments.wanted}`" if arguments.wanted else ""))
        return NO_TESTS
    if any(not run.ok for run in runs):
        return FINDINGS
    if coverage is not None and arguments.threshold is not None:
        report = _of_one_name(coverage)
        if not report.reaches(arguments.threshold / 100):
            streams.remark(f"coverage {100 * report.share:.1f} % is below {arguments.threshold:g} %")
            return FINDINGS
    return FINE


def _update(paths: Sequence[Path]) -> None:
    """Writes what played examples say of options and conditions as it is now."""
    from interpreter.runtime.transcript_update import updated_transcript

    for path in paths:
        text = updated_transcript(path)
        if text is not None:
            streams.write_report(text, str(path))
            streams.remark(f"updated {shown_from_here(path.absolute())}")


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
            raise UsageFault(in_short(errors[0])) from fault
        if not _is_part(path):
            yield TestRun("the rules can be read", shown_from_here(path.absolute()), 1, 0.0, errors)
    finally:
        lines.gather(files)


def _results(path: Path, wanted: str, files: WorkspaceFiles, coverage: Coverage | None) -> Iterator[TestResult]:
    from interpreter.runtime import tester

    def count(rules: Rules, marks: dict[int, int]) -> None:
        if coverage is not None:
            coverage.add(rules, marks)

    watch = None if coverage is None else count
    needle = wanted.casefold()
    if kind_of(path) == "transcript":
        result = tester.run_transcript(path.absolute(), watch=watch, files=files)
        if needle in result.title.casefold():
            yield result
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
        streams.write_report(
            to_json(runs, None if coverage is None else _coverage_data(_of_one_name(coverage))), arguments.output
        )
        return
    if arguments.format == "junit":
        streams.write_report(to_junit(runs, lines), arguments.output)
        return
    colour = arguments.output is None and streams.has_colour(arguments.color)
    text = to_text(runs, lines, verbose=arguments.verbose, colour=colour) if runs else ""
    if coverage is not None:
        text += "".join(line + "\n" for line in _coverage_lines(_of_one_name(coverage), lines))
    streams.write_report(text, arguments.output)


def _of_one_name(coverage: Coverage) -> Report:
    """The report with each file under one name: played examples name rules from the folder of the game."""
    from interpreter.analysis.coverage import Place, Report

    names: dict[str, list[str]] = {}
    for span in coverage.counts:
        names.setdefault(Path(span.path).name, [])
        if span.path not in names[Path(span.path).name]:
            names[Path(span.path).name].append(span.path)
    places: dict[Span, Place] = {}
    for place in coverage.report().places:
        longest = max(names[Path(place.span.path).name], key=len)
        path = longest if Path(longest).as_posix().endswith(f"/{place.span.path}") else place.span.path
        span = evolve(place.span, path=path)
        known = places.get(span)
        count = place.count + (known.count if known is not None else 0)
        places[span] = Place(span, place.what, place.title, count)
    return Report(tuple(places[span] for span in sorted(places)))


def _coverage_data(report: Report) -> dict[str, object]:
    return {
        "used": len(report.places) - len(report.unused),
        "all": len(report.places),
        "percent": round(100 * report.share, 2),
        "by_sort": {what: {"used": used, "all": count} for what, used, count in report.summary()},
        "unused": [
            {
                "path": shown_path(place.span.path),
                "line": place.span.start.line,
                "column": place.span.start.column,
                "what": place.what,
                "title": place.title,
            }
            for place in report.unused
        ],
    }


def _coverage_lines(report: Report, lines: Lines) -> Iterator[str]:
    """The lines with something that was never used; where only parts were not, these are marked."""
    used = {(place.span.path, place.span.start.line) for place in report.places if place.count}
    by_line: dict[tuple[str, int], list[Span]] = {}
    for place in report.unused:
        by_line.setdefault((place.span.path, place.span.start.line), []).append(place.span)
    last = ""
    for (path, number), spans in by_line.items():
        if path != last:
            yield f"never used in {shown_path(path)}:"
            last = path
        text = lines.line_text(path, number) or ""
        yield f"  {number:>5} | {text}".rstrip()
        if (path, number) in used:
            yield f"        | {_marks(text, spans)}".rstrip()
    parts = ", ".join(f"{used} of {count} {what}s" for what, used, count in report.summary() if count)
    yield f"coverage: {100 * report.share:.1f} % used ({parts or 'nothing to use'})"


def _marks(text: str, spans: list[Span]) -> str:
    """Carets under the parts of a line that places cover."""
    marked = [" "] * len(text)
    for span in spans:
        end = span.end.column - 1 if span.end.line == span.start.line else len(text)
        for column in range(span.start.column - 1, min(end, len(text))):
            marked[column] = "^"
    return "".join(marked)


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
