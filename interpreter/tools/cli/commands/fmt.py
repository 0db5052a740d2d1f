"""`dsl fmt`: rules files with the blanks that readers expect, and nothing else changed.

The formatter proves for each file that the tree and the comments stay the same and that a second run changes nothing;
where it cannot, the file is left as it is and the fault is called ours. Invariant: a file is written only when it
changes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from interpreter.diagnostics import Diagnostic
from interpreter.source import Files, from_text
from interpreter.tools.cli import streams
from interpreter.tools.cli.diffs import unified
from interpreter.tools.cli.exits import FINDINGS, FINE, WRONG, UsageFault
from interpreter.tools.cli.games import tell_missing
from interpreter.tools.cli.parser import Arguments, Command
from interpreter.tools.report import FORMATS
from interpreter.workspace import Formatted, find_files, format_files, format_text

__all__ = ["COMMAND"]

_EXAMPLE = """
dsl fmt                         write every rules file in ./rules and ./examples
dsl fmt --check rules           list what would change; exit 1 if anything would
dsl fmt --diff rules/dragons.rules
cat draft.rules | dsl fmt -     formatted text on standard output
"""
_OUR_FAULT = "D199"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, folders, or bare names; `-` is standard input")
    parser.add_argument("--check", action="store_true", help="list the files that would change, write nothing")
    parser.add_argument("--diff", action="store_true", help="show what would change, write nothing")
    parser.add_argument("--stdin-filename", metavar="NAME", help="the file that standard input stands for")


def _run(arguments: Arguments) -> int:
    if arguments.paths == ["-"]:
        return _format_input(arguments)
    if "-" in arguments.paths:
        raise UsageFault("`-` stands alone: standard input cannot be mixed with files")
    found = find_files(arguments.paths, ("rules",))
    if not found.files and not found.missing:
        raise UsageFault("no rules files found")
    tell_missing(found.missing, found.files)
    files = list(format_files(found.files))
    for each in files:
        if each.is_changed:
            _tell(each, arguments)
    findings = [finding for each in files for finding in each.findings]
    _report(findings, files, arguments)
    _remark(files, arguments)
    if found.missing or any(each.source is None for each in files) or _is_our_fault(findings):
        return WRONG
    changed = any(each.is_changed for each in files) and (arguments.check or arguments.diff)
    return FINDINGS if findings or changed else FINE


def _tell(each: Formatted, arguments: Arguments) -> None:
    """Shows, lists or writes one file that changes."""
    assert each.text is not None and each.source is not None
    if arguments.diff:
        streams.write_out(unified(each.source.path, each.path.read_bytes().decode("utf-8"), each.text))
    elif arguments.check:
        streams.write_out(f"{each.source.path}\n")
    else:
        try:
            each.path.write_bytes(each.text.encode())
        except OSError as fault:
            raise UsageFault(f"`{each.path}` cannot be written: {(fault.strerror or str(fault)).lower()}") from fault
        streams.write_out(f"{each.source.path}\n")


def _remark(files: Iterable[Formatted], arguments: Arguments) -> None:
    files = list(files)
    changed = sum(each.is_changed for each in files)
    word = "would change" if arguments.check or arguments.diff else "changed"
    streams.remark(f"{changed} of {len(files)} {'file' if len(files) == 1 else 'files'} {word}")


def _report(findings: Iterable[Diagnostic], files: Iterable[Formatted], arguments: Arguments) -> None:
    lines = Files()
    for each in files:
        if each.source is not None:
            lines.add(each.source)
    streams.write_out(FORMATS["text"](list(findings), lines, colour=streams.has_colour(arguments.color)))


def _format_input(arguments: Arguments) -> int:
    """Formats standard input onto standard output."""
    name = arguments.stdin_filename or "<stdin>"
    data = sys.stdin.buffer.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise UsageFault(f"standard input is not UTF-8: byte {data[fault.start]:#04x} at {fault.start}") from fault
    formatted = format_text(from_text(Path(name).as_posix(), text))
    if formatted.text is None:
        lines = Files()
        assert formatted.source is not None
        lines.add(formatted.source)
        streams.remark(FORMATS["text"](formatted.findings, lines))
        return WRONG if _is_our_fault(formatted.findings) else FINDINGS
    if arguments.diff:
        streams.write_out(unified(name, text, formatted.text))
    elif not arguments.check:
        streams.write_out(formatted.text)
        return FINE
    return FINDINGS if formatted.text != text else FINE


def _is_our_fault(findings: Iterable[Diagnostic]) -> bool:
    return any(finding.code == _OUR_FAULT for finding in findings)


COMMAND = Command(_add_arguments, _run, _EXAMPLE)
