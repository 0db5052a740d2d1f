"""Findings silenced on purpose, line by line.

`# dsl: ignore[D204]` at the end of a line silences the findings of that code whose place to blame starts on the
line; several codes are parted by commas. There is no wider form: a file that silences a whole code hides the next
real mistake. For the same reason a suppression that silences nothing is itself reported, as D190, once per code.
That report is held back while the file has an error of reading (D1xx), because then the later checks never saw it.

The comment must end its line, and a number of double quotes before it that is odd means it stands in a text, not in
a comment. Invariant: findings of other files, and findings without a place, pass through untouched.
"""

import re
from collections.abc import Iterable, Sequence

from attrs import frozen

from .diagnostic import Applicability, Diagnostic, Edit, Fix, Severity
from .span import Position, Span

__all__ = ["suppress"]

_UNUSED = "D190"
_COMMENT = re.compile(r"\s*#\s*dsl:\s*ignore\[([^\]\[]*)\]\s*$")
_CODE = re.compile(r"[^\s,]+")


@frozen
class _Suppression:
    """One suppressing comment."""

    span: Span
    """The comment and the blanks before it."""
    listing: Span
    """What stands between the brackets."""
    codes: tuple[tuple[str, Span], ...]
    """Each code with its place."""


def suppress(path: str, lines: Sequence[str], diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings that remain, and after them a D190 warning for each code that silenced nothing.

    `path` is the file as its spans name it and `lines` its lines, with or without their line ends. Without them each
    line is taken to end in one byte.
    """
    found = list(diagnostics)
    suppressions = _suppressions(path, lines)
    if not suppressions:
        return found
    kept: list[Diagnostic] = []
    used: dict[int, set[str]] = {}
    for diagnostic in found:
        span = diagnostic.span
        if span is not None and span.path == path and span.start.line in suppressions:
            suppression = suppressions[span.start.line]
            if any(code == diagnostic.code for code, _ in suppression.codes):
                used.setdefault(span.start.line, set()).add(diagnostic.code)
                continue
        kept.append(diagnostic)
    if any(_is_reading_error(diagnostic, path) for diagnostic in kept):
        return kept
    for line, suppression in suppressions.items():
        kept.extend(_unused(suppression, used.get(line, set())))
    return kept


def _suppressions(path: str, lines: Sequence[str]) -> dict[int, _Suppression]:
    """The suppressing comments of a file by line."""
    result: dict[int, _Suppression] = {}
    offset = 0
    for number, line in enumerate(lines, 1):
        match = _COMMENT.search(line) if "dsl:" in line else None
        if match and line.count('"', 0, match.start()) % 2 == 0:

            def place(start: int, end: int, line: str = line, number: int = number, offset: int = offset) -> Span:
                def point(at: int) -> Position:
                    return Position(number, at + 1, offset + len(line[:at].encode()))

                return Span(path, point(start), point(end))

            first = match.start(1)
            codes = [(code[0], place(first + code.start(), first + code.end())) for code in _CODE.finditer(match[1])]
            span = place(match.start(), match.end(1) + 1)
            result[number] = _Suppression(span, place(first, match.end(1)), tuple(codes))
        offset += len(line.encode()) + (not line.endswith("\n"))
    return result


def _unused(suppression: _Suppression, used: set[str]) -> list[Diagnostic]:
    """The reports on the codes of one comment that silenced nothing; the first carries the fix for all of them."""
    if not suppression.codes:
        fix = Fix("remove the comment", (Edit(suppression.span, ""),), Applicability.SAFE)
        message = "this suppression names no code"
        return [Diagnostic(_UNUSED, Severity.WARNING, message, suppression.listing, fixes=(fix,))]
    idle = [(code, span) for code, span in suppression.codes if code not in used and code != _UNUSED]
    silencer = [(code, span) for code, span in suppression.codes if code == _UNUSED]
    if silencer and idle:
        return []
    idle = idle or silencer
    remaining = [code for code, _ in suppression.codes if code in used]
    if remaining:
        edit = Edit(suppression.listing, ", ".join(remaining))
        fix = Fix("remove what is not needed", (edit,), Applicability.SAFE)
    else:
        fix = Fix("remove the comment", (Edit(suppression.span, ""),), Applicability.SAFE)
    return [
        Diagnostic(
            _UNUSED,
            Severity.WARNING,
            f"unused suppression of `{code}`",
            span,
            "nothing of this kind is found on the line",
            fixes=(fix,) if index == 0 else (),
        )
        for index, (code, span) in enumerate(idle)
    ]


def _is_reading_error(diagnostic: Diagnostic, path: str) -> bool:
    """Whether a finding means that later checks could not see the file."""
    in_file = diagnostic.span is not None and diagnostic.span.path == path
    return in_file and diagnostic.severity is Severity.ERROR and diagnostic.code.startswith("D1")
