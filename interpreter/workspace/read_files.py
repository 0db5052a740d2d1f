"""The files of one check, named as the caller sees them, with texts that are not on disk laid over them.

The stages name a file from the folder of its game; a person, an editor and a code host name it from where they
stand. So the workspace gives the stages a set of files that answers with names from the current folder, and that knows
for every name the file behind it, for fixes and for watching.

Invariant: every path in a finding of a check is a name from the current folder, or absolute outside of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import define, field

from interpreter.diagnostics import Diagnostics, Span
from interpreter.source import Files, SourceFile, from_text, read_source

__all__ = ["Lines", "WorkspaceFiles", "shown_from_here"]


def shown_from_here(path: Path) -> str:
    """The name of a path from the current folder; with forward slashes."""
    try:
        return Path(os.path.relpath(path)).as_posix() if path.is_relative_to(Path.cwd()) else path.as_posix()
    except (OSError, ValueError):
        return path.as_posix()


@define
class WorkspaceFiles(Files):
    """Files named from the current folder."""

    overlay: Mapping[Path, str] = field(factory=dict)
    """Texts that stand in for files on disk, by absolute path."""
    found: dict[str, Path] = field(factory=dict)
    """Every file that was read, by the name it is shown under."""

    def add(self, source: SourceFile, path: Path | None = None) -> SourceFile:
        if path is not None:
            self.found[source.path] = path
        # attrs rebuilds the class for slots, so a bare super() would not find it.
        return Files.add(self, source, path)

    def read(
        self, path: Path, sink: Diagnostics, *, shown_as: str | None = None, span: Span | None = None
    ) -> SourceFile | None:
        name = shown_as or self.shown(path)
        text = self.overlay.get(path.absolute())
        if text is not None and self.get(name) is None:
            return self.add(from_text(name, text), path)
        return Files.read(self, path, sink, shown_as=name, span=span)

    def shown(self, path: Path) -> str:
        return shown_from_here(path)


@define
class Lines:
    """The lines of all files that any check of a run read."""

    sources: dict[str, SourceFile] = field(factory=dict)
    """Sources by the name they are shown under."""
    paths: dict[str, Path] = field(factory=dict)
    """The file behind each name."""

    def gather(self, files: WorkspaceFiles) -> None:
        """Keeps what a set of files has read."""
        for name, path in files.found.items():
            source = files.get(name)
            if source is not None:
                self.sources[name] = source
                self.paths[name] = path

    def keep(self, sources: Iterable[SourceFile]) -> None:
        """Keeps sources that have no file, such as standard input."""
        self.sources.update((source.path, source) for source in sources)

    def line_text(self, path: str, line: int) -> str | None:
        """The text of a line from 1, or None where there is none; a file that was not read yet is read."""
        source = self.sources.get(path)
        if source is None and path not in self.sources and Path(path).is_file():
            source = read_source(Path(path), path, Diagnostics())
            if source is not None:
                self.sources[path] = source
        return None if source is None or not 1 <= line <= source.line_count else source.line_text(line)
