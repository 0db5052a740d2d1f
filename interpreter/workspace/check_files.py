"""Checks many files: every game with the files it includes, boards, lists of players and played examples by
themselves.

A part that a game includes is checked through that game, never alone, since alone it lacks what it builds on; only a
part that no game of the run includes is taken by itself. Findings are gathered over all games before suppressions are
applied, so that a suppression counts as used when any game needs it. When a game could not be read in full (an
unsuppressed error D1xx), later checks have not seen it: nothing is then said about unused suppressions in its files.

Invariant: no text in a file can make this raise, and a finding is given once however many games share its file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import define, field, frozen

from interpreter.diagnostics import Diagnostic, Diagnostics, Severity, suppress
from interpreter.source import SourceFile
from interpreter.workspace.config import has_game_head, kind_of
from interpreter.workspace.read_files import Lines, WorkspaceFiles, shown_from_here

__all__ = ["Checked", "check_files"]

_UNUSED_SUPPRESSION = "D190"
_UNREADABLE = ("D101", "D102", "D104")


@frozen
class Checked:
    """What a check found."""

    diagnostics: tuple[Diagnostic, ...]
    """Findings that remain after suppressions, in reading order."""
    sources: Lines
    """The lines that the findings speak of."""
    files: tuple[str, ...]
    """The files that were asked for, as shown."""

    @property
    def error_count(self) -> int:
        """How many errors remain."""
        return sum(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)

    @property
    def warning_count(self) -> int:
        """How many warnings remain."""
        return len(self.diagnostics) - self.error_count

    @property
    def unreadable(self) -> bool:
        """Whether one of the files asked for could not be read at all."""
        return any(found.code in _UNREADABLE and _path(found) in self.files for found in self.diagnostics)


@define
class _Run:
    """What one call gathers."""

    overlay: Mapping[Path, str]
    sink: Diagnostics = field(factory=Diagnostics)
    lines: Lines = field(factory=Lines)
    projects: list[frozenset[str]] = field(factory=list)

    def files(self, root: Path) -> WorkspaceFiles:
        return WorkspaceFiles(root=root.absolute().parent, overlay=self.overlay)

    def done(self, files: WorkspaceFiles) -> None:
        self.lines.gather(files)
        self.projects.append(frozenset(files.found))


def check_files(paths: Sequence[Path], overlay: Mapping[Path, str] | None = None) -> Checked:
    """Checks each file; `overlay` gives texts that stand in for files on disk, by absolute path."""
    run = _Run(overlay or {})
    parts: list[Path] = []
    for path in paths:
        kind = kind_of(path, run.overlay.get(path.absolute()))
        if kind == "board":
            _check_board(path, run)
        elif kind == "list":
            _check_list(path, run)
        elif kind == "transcript":
            _check_transcript(path, run)
        elif _is_part(path, run):
            parts.append(path)
        else:
            _check_rules(path, run)
    for path in parts:
        if shown_from_here(path.absolute()) not in run.lines.sources:
            _check_rules(path, run)
    return Checked(
        diagnostics=tuple(_after_suppressions(run)),
        sources=run.lines,
        files=tuple(shown_from_here(path.absolute()) for path in paths),
    )


def _is_part(path: Path, run: _Run) -> bool:
    """Whether a rules file has no game of its own; a file that cannot be read is not a part."""
    text = run.overlay.get(path.absolute())
    if text is None:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return False
    return not has_game_head(text)


def _check_rules(path: Path, run: _Run) -> None:
    from interpreter.semantics import checks, read_project

    files = run.files(path)
    project = read_project(path.absolute(), run.sink, files)
    if project is not None:
        checks.check(project, run.sink)
    run.done(files)


def _check_board(path: Path, run: _Run) -> None:
    files = run.files(path)
    from interpreter.boards import load_board

    load_board(path.absolute(), run.sink, files=files)
    run.done(files)


def _check_list(path: Path, run: _Run) -> None:
    from interpreter.runtime.roster_lists import check_list

    files = run.files(path)
    check_list(path.absolute(), run.sink, files)
    run.done(files)


def _check_transcript(path: Path, run: _Run) -> None:
    from interpreter.runtime import tester

    files = run.files(path)
    tester.check_transcript(path.absolute(), run.sink, files)
    run.done(files)


def _after_suppressions(run: _Run) -> list[Diagnostic]:
    found: list[Diagnostic] = list(run.sink)
    for name, source in run.lines.sources.items():
        if "dsl:" in source.text:
            found = suppress(name, _lines(source), found)
    unread = {_path(each) for each in found if each.severity is Severity.ERROR and each.code.startswith("D1")}
    blind = {name for project in run.projects if project & unread for name in project}
    return list(Diagnostics(each for each in found if each.code != _UNUSED_SUPPRESSION or _path(each) not in blind))


def _lines(source: SourceFile) -> list[str]:
    return source.text.split("\n")


def _path(diagnostic: Diagnostic) -> str:
    return "" if diagnostic.span is None else diagnostic.span.path
