"""Applies fixes to texts: those that are safe, in one file after the other.

Edits name bytes, since that is the measure that survives every reader. Fixes that overlap cannot both be meant; the
earlier one wins and the other waits for the next round, when the file has been checked again.

Invariant: a text is only changed by whole fixes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.diagnostics import Applicability, Diagnostic, Edit, Fix

__all__ = ["apply_fixes", "safe_fixes"]


def safe_fixes(diagnostics: Iterable[Diagnostic]) -> list[Fix]:
    """The fixes that may be applied unasked: of each finding the first safe one."""
    chosen = []
    for diagnostic in diagnostics:
        fix = next((fix for fix in diagnostic.fixes if fix.applicability is Applicability.SAFE), None)
        if fix is not None and fix.edits:
            chosen.append(fix)
    return chosen


def apply_fixes(texts: Mapping[str, str], fixes: Iterable[Fix]) -> tuple[dict[str, str], int]:
    """The texts that change, by path, and how many fixes were applied; fixes in unknown files are left out."""
    taken: dict[str, list[Edit]] = {}
    applied = 0
    for fix in fixes:
        known = all(edit.span.path in texts for edit in fix.edits)
        if known and not any(_overlaps(edit, taken.get(edit.span.path, [])) for edit in fix.edits):
            applied += 1
            for edit in fix.edits:
                taken.setdefault(edit.span.path, []).append(edit)
    return {path: _edited(texts[path], edits) for path, edits in taken.items()}, applied


def _overlaps(edit: Edit, others: Iterable[Edit]) -> bool:
    start, end = edit.span.start.byte, edit.span.end.byte
    return any(start <= other.span.end.byte and other.span.start.byte <= end for other in others)


def _edited(text: str, edits: list[Edit]) -> str:
    data = text.encode()
    for edit in sorted(edits, key=lambda edit: edit.span.start.byte, reverse=True):
        data = data[: edit.span.start.byte] + edit.replacement.encode() + data[edit.span.end.byte :]
    return data.decode()
