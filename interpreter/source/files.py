"""The set of files read so far, and the fence around them.

A rules file names other files: boards, parts of itself, the game that an addon changes. A rules file may come from
a stranger, so a named path is followed only inside the folder of the root rules file and inside the shipped
folders; links are followed before the fence is checked, not after. Every file is read once, and its lines stay here
for diagnostics.

Where files were looked for and what was there is kept as a *trail*: whoever finds the same texts at the same places
again, and nothing at the places where nothing was, has all that a game was made from.

Invariant: every path given by `Files.resolve` is absolute, free of links, an existing file, and inside the fence.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from attrs import define, field, frozen

from interpreter.diagnostics import Diagnostics, Span, did_you_mean
from interpreter.source.file import SourceFile, read_source
from interpreter.source.library import LIBRARY_FOLDERS, library_folder, library_root
from interpreter.source.store import name_of

__all__ = ["Files", "Step"]


@frozen
class Step:
    """A place where a file was looked for, and what was there."""

    path: str
    """The place, as it was asked for."""
    shown: str
    """The name of the file that was read; empty where none was found."""
    digest: str
    """The digest of its text; empty where none was found."""


@define
class Files:
    """The files of one check or one game."""

    root: Path | None = None
    """Folder of the root rules file; None for text in memory, which can name shipped files only."""
    _by_shown: dict[str, SourceFile] = field(factory=dict, init=False)
    _by_path: dict[Path, SourceFile] = field(factory=dict, init=False)
    _looked_for: dict[Path, Path | None] = field(factory=dict, init=False)
    """The file that was found at each place, None where there was none that may be read."""

    def add(self, source: SourceFile, path: Path | None = None) -> SourceFile:
        """Keeps a source that was read or made elsewhere; later reads of the same path give it again."""
        self._by_shown[source.path] = source
        if path is not None:
            self._by_path[_real(path)] = source
        return source

    def get(self, shown_as: str) -> SourceFile | None:
        """The source shown under that name, or None."""
        return self._by_shown.get(shown_as)

    def line_text(self, path: str, line: int) -> str | None:
        """The text of a line (from 1) of the file shown as `path`, or None for a file that was not read."""
        source = self._by_shown.get(path)
        return None if source is None else source.line_text(line)

    def read(
        self, path: Path, sink: Diagnostics, *, shown_as: str | None = None, span: Span | None = None
    ) -> SourceFile | None:
        """Reads a file once and keeps it; reports like `read_source`, at `span` where a place names the file."""
        real = _real(path)
        self._looked_for.setdefault(path, real)
        if real in self._by_path:
            return self._by_path[real]
        source = read_source(path, shown_as or self.shown(path), sink, span)
        return None if source is None else self.add(source, path)

    def shown(self, path: Path) -> str:
        """The name of a path for people: from the root folder, from the shipped folders, else as given."""
        real = _real(path)
        for folder in (self.root, library_root()):
            if folder is not None and real.is_relative_to(_real(folder)):
                return real.relative_to(_real(folder)).as_posix()
        return path.as_posix()

    def resolve(self, base: Path, relative: str, sink: Diagnostics, span: Span) -> Path | None:
        """The file that a rules file names, or None after a report.

        It is looked for from `base` (the folder of the file that names it), then from the root folder, then among the
        shipped folders (`boards/...`). Reports D105 (outside the fence) and D107 (not found).
        """
        if not relative or relative.startswith(("/", "~", "\\")) or "\0" in relative or Path(relative).is_absolute():
            sink.error(
                "D105",
                f"path `{relative}` leaves the folder of the rules file",
                span,
                help="name the file by a path from the folder of the rules file",
            )
            return None
        inside: list[Path] = []
        for start in self._starts(base, relative):
            path = _real(start / relative)
            self._looked_for[start / relative] = None
            if not self._allows(path):
                continue
            if _is_file(path):
                self._looked_for[start / relative] = path
                return path
            inside.append(path)
        if not inside:
            sink.error("D105", f"path `{relative}` leaves the folder of the rules file", span)
            return None
        sink.error("D107", f"file `{relative}` not found", span, help=self._nearest(relative, inside))
        return None

    def trail(self) -> tuple[Step, ...]:
        """Every place where a file was looked for, in that order."""
        found: list[Step] = []
        for path, real in self._looked_for.items():
            source = None if real is None else self._by_path.get(real)
            if source is None:
                found.append(Step(str(path), "", ""))
            else:
                found.append(Step(str(path), source.path, name_of(source.text)))
        return tuple(found)

    def is_same_trail(self, trail: Iterable[Step]) -> bool:
        """Reads what was read on a trail, from the root file on; false as soon as anything else is found than then."""
        sink = Diagnostics()
        for number, step in enumerate(trail):
            path = Path(step.path)
            real = _real(path)
            there = _is_file(real) and (number == 0 or self._allows(real))
            if there != bool(step.shown):
                return False
            self._looked_for[path] = real if there else None
            if not there:
                continue
            source = self.read(path, sink, shown_as=step.shown)
            if source is None or (source.path, name_of(source.text)) != (step.shown, step.digest):
                return False
        return True

    def _starts(self, base: Path, relative: str) -> list[Path]:
        starts = [base]
        if self.root is not None:
            starts.append(self.root)
        if Path(relative).parts[:1] and Path(relative).parts[0] in LIBRARY_FOLDERS:
            starts.append(library_root())
        return starts

    def _allows(self, path: Path) -> bool:
        folders = [library_folder(name) for name in LIBRARY_FOLDERS]
        if self.root is not None:
            folders.append(self.root)
        return any(path.is_relative_to(_real(folder)) for folder in folders)

    @staticmethod
    def _nearest(relative: str, tried: list[Path]) -> str | None:
        """Offers the file of the nearest name in the folders where the missing one was looked for."""
        written = Path(relative)
        for path in tried:
            try:
                names = sorted(entry.name for entry in path.parent.iterdir() if entry.is_file())
            except OSError:
                continue
            near = did_you_mean(written.name, names)
            if near is not None:
                return near
        return None


def _is_file(path: Path) -> bool:
    """Whether a file is there; a name that no file can have is that of none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _real(path: Path) -> Path:
    """The path with every link followed; a path that cannot be followed stays as it is."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path.absolute()
