"""A summary of many findings on the page of a job.

A code host shows ten annotations of a run and drops the rest, so with more than ten a table of all goes to the
file that `GITHUB_STEP_SUMMARY` names. Invariant: without that variable, or with few findings, nothing is written.
"""

from __future__ import annotations

import os
from pathlib import Path

from interpreter.tools.report import shown_path, summary
from interpreter.workspace import Checked

__all__ = ["append_job_summary"]

_SHOWN_BY_HOST = 10
_MOST_ROWS = 500


def append_job_summary(checked: Checked) -> None:
    """Appends the table, where it is needed; a file that cannot be written is left alone."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file or len(checked.diagnostics) <= _SHOWN_BY_HOST:
        return
    lines = [f"### dsl check: {summary(checked.error_count, checked.warning_count, len(checked.files))}", ""]
    lines += ["| place | finding | message |", "|---|---|---|"]
    for found in checked.diagnostics[:_MOST_ROWS]:
        place = "" if found.span is None else f"{shown_path(found.span.path)}:{found.span.start.line}"
        lines.append(f"| {_cell(place)} | {found.severity.value} {found.code} | {_cell(found.message)} |")
    if len(checked.diagnostics) > _MOST_ROWS:
        lines.append(f"\n... and {len(checked.diagnostics) - _MOST_ROWS} more")
    try:
        with Path(file).open("a", encoding="utf-8") as stream:
            stream.write("\n".join(lines) + "\n")
    except OSError:
        return


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())
