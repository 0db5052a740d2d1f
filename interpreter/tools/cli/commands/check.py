"""`dsl check`: all static checks, offline, nothing started.

One round checks everything and reports once. `--fix` applies the safe fixes and checks again until nothing safe is
left, `--diff` shows what that would change without writing, `--watch` repeats the round when a file changes.

Invariant: standard output holds the report and nothing else, in every format.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from interpreter.diagnostics import Severity
from interpreter.source import from_text
from interpreter.tools.cli import streams
from interpreter.tools.cli.diffs import unified
from interpreter.tools.cli.exits import FINDINGS, FINE, WRONG, UsageFault
from interpreter.tools.cli.games import tell_missing
from interpreter.tools.cli.job_summary import append_job_summary
from interpreter.tools.cli.parser import Arguments, Command
from interpreter.tools.report import FORMATS, summary
from interpreter.workspace import Checked, Found, apply_fixes, check_files, find_files, safe_fixes

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl check                                check ./rules and ./examples, or else the current folder
dsl check rules/dragons.rules --format json
cat draft.rules | dsl check - --stdin-filename rules/draft.rules
dsl check --fix --diff                   show what the safe fixes would change
"""
_MOST_ROUNDS = 10
_POLL_SECONDS = 0.4


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, folders, or bare names; `-` is standard input")
    parser.add_argument("--format", choices=tuple(FORMATS), help="form of the report (default: text, or DSL_FORMAT)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report to a file")
    parser.add_argument(
        "--fail-on", choices=("error", "warning"), default="error", help="the least that exits with 1 (default: error)"
    )
    parser.add_argument("--fix", action="store_true", help="apply the fixes that are safe")
    parser.add_argument("--diff", action="store_true", help="show what --fix would change, write nothing")
    parser.add_argument("--stdin-filename", metavar="NAME", help="the file that standard input stands for")
    parser.add_argument("--watch", action="store_true", help="check again whenever a file changes")


def _run(arguments: Arguments) -> int:
    form = _format(arguments)
    if arguments.paths == ["-"]:
        return _check_input(arguments, form)
    if "-" in arguments.paths:
        raise UsageFault("`-` stands alone: standard input cannot be mixed with files")
    if arguments.watch:
        return _watch(arguments, form)
    return _check_once(arguments, form)[0]


def _format(arguments: Arguments) -> str:
    wish: str | None = arguments.format or os.environ.get("DSL_FORMAT")
    if wish is None:
        return "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"
    if wish not in FORMATS:
        raise UsageFault(f"DSL_FORMAT is `{wish}`: expected one of {', '.join(FORMATS)}")
    return wish


def _check_once(arguments: Arguments, form: str) -> tuple[int, Checked]:
    found = find_files(arguments.paths)
    if not found.files and not found.missing:
        raise UsageFault(f"no rules files in {_listed(arguments.paths)}")
    tell_missing(found.missing, found.files)
    checked = check_files(found.files)
    if arguments.diff:
        code = _show_diff(checked, found)
        return (WRONG if found.missing else code), checked
    if arguments.fix:
        checked = _fix(checked, found)
    return _report(arguments, form, checked, found.missing), checked


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(f"`{path}`" for path in paths) or "the current folder"


def _check_input(arguments: Arguments, form: str) -> int:
    """Checks standard input in place of the file it stands for; fixes and diffs go to standard output."""
    name = arguments.stdin_filename or "<stdin>"
    data = sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode()
    try:
        text = from_text(name, data.decode("utf-8")).text
    except UnicodeDecodeError as fault:
        raise UsageFault(f"standard input is not UTF-8: byte {data[fault.start]:#04x} at {fault.start}") from fault
    path = Path(name)
    checked = check_files([path], {path.absolute(): text})
    if not (arguments.fix or arguments.diff):
        return _report(arguments, form, checked, ())
    fixed = text
    for _ in range(_MOST_ROUNDS):
        own = {each: source.text for each, source in checked.sources.sources.items() if each in checked.files}
        texts, count = apply_fixes(own, safe_fixes(checked.diagnostics))
        if not count or arguments.diff:
            fixed = next(iter(texts.values()), fixed)
            break
        fixed = next(iter(texts.values()))
        checked = check_files([path], {path.absolute(): fixed})
    if arguments.diff:
        streams.write_out(unified(name, text, fixed))
        return FINDINGS if fixed != text else FINE
    streams.write_out(fixed)
    return _exit_code(arguments, checked)


# ---------------------------------------------------------------------------------------------- fixes


def _fix(checked: Checked, found: Found) -> Checked:
    """Applies safe fixes until none is left; a remark says how many."""
    total = 0
    for _ in range(_MOST_ROUNDS):
        texts, count = apply_fixes(_own_texts(checked), safe_fixes(checked.diagnostics))
        if not count:
            break
        total += count
        for name, text in texts.items():
            checked.sources.paths[name].write_text(text, encoding="utf-8", newline="\n")
        checked = check_files(found.files)
    streams.remark(f"{total} {'fix' if total == 1 else 'fixes'} applied")
    return checked


def _show_diff(checked: Checked, found: Found) -> int:
    texts, _ = apply_fixes(_own_texts(checked), safe_fixes(checked.diagnostics))
    for name, text in sorted(texts.items()):
        streams.write_out(unified(name, checked.sources.sources[name].text, text))
    return FINDINGS if texts else FINE


def _own_texts(checked: Checked) -> dict[str, str]:
    """The texts that may be changed: those of the files asked for, so that a shipped board is never written."""
    return {name: source.text for name, source in checked.sources.sources.items() if name in checked.files}


# ---------------------------------------------------------------------------------------------- report


def _report(arguments: Arguments, form: str, checked: Checked, missing: Sequence[str]) -> int:
    colour = form == "text" and arguments.output is None and streams.has_colour(arguments.color)
    text = FORMATS[form](checked.diagnostics, checked.sources, colour=colour, checked=checked.files)
    line = _summary(checked)
    if form == "text" and arguments.output is None:
        streams.write_out(text + line + "\n")
    else:
        streams.write_report(text, arguments.output)
        streams.remark(line)
    if form == "github":
        append_job_summary(checked)
    if missing or checked.unreadable:
        return WRONG
    return _exit_code(arguments, checked)


def _exit_code(arguments: Arguments, checked: Checked) -> int:
    worst = {Severity.ERROR, Severity.WARNING} if arguments.fail_on == "warning" else {Severity.ERROR}
    return FINDINGS if any(found.severity in worst for found in checked.diagnostics) else FINE


def _summary(checked: Checked) -> str:
    count = len(checked.files)
    if not checked.diagnostics:
        return f"{count} {'file' if count == 1 else 'files'} checked, nothing wrong"
    return summary(checked.error_count, checked.warning_count, count)


# ---------------------------------------------------------------------------------------------- watching


def _watch(arguments: Arguments, form: str) -> int:
    """Checks again whenever a file that was read changes, comes or goes; ends by Ctrl-C."""
    while True:
        _, checked = _check_once(arguments, form)
        streams.remark("watching; Ctrl-C ends")
        watched = list(checked.sources.paths.values())
        before = list(_stamps(arguments.paths, watched))
        while before == list(_stamps(arguments.paths, watched)):
            time.sleep(_POLL_SECONDS)
        if streams.is_interactive(sys.stdout):
            streams.write_out("\x1b[2J\x1b[H")


def _stamps(paths: Sequence[str], watched: Sequence[Path]) -> Iterator[tuple[str, int]]:
    for path in sorted({*find_files(paths).files, *watched}):
        try:
            yield str(path), path.stat().st_mtime_ns
        except OSError:
            yield str(path), -1


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
