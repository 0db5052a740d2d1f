"""A rules file and everything it includes, as one list of declarations.

What a game offers (players, options, variants, scenarios, tests) can be read off a project without understanding it,
so that a menu or a list of games costs no more than parsing.

Includes are followed in place: what they declare stands where the `include` stood. A file that is included twice
counts once.

Invariant: `declarations` holds no `include` and no `game`; every declaration's file is in `files`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import define, evolve, field

from interpreter.boards import Board
from interpreter.diagnostics import Diagnostic, Diagnostics, Label, Span
from interpreter.semantics.player_counts import check_player_counts, possible_numbers
from interpreter.source import Files, SourceFile, start_of
from interpreter.syntax import ast, parse

__all__ = ["LANGUAGE", "Project", "project_from_source", "read_project"]

LANGUAGE = 1
"""The version of the rules language that is understood."""

MOST_DEEP = 8
"""How deep includes may be nested."""


@define(eq=False)
class Project:
    """The files of one game."""

    path: str
    """The root file as shown to people."""
    files: Files
    """Every file that was read."""
    folder: Path
    """The folder of the root file."""
    language: int = LANGUAGE
    """The version of the language that the root file names."""
    doc: str = ""
    """The documentation of the game."""
    head: ast.GameHead | None = None
    """Title, players and score."""
    declarations: list[ast.Declaration] = field(factory=list)
    """All declarations, in reading order."""
    folders: dict[str, Path] = field(factory=dict)
    """The folder of each rules file by its shown path."""
    sources: list[SourceFile] = field(factory=list)
    """The rules files, in reading order."""
    lost: set[str] = field(factory=set)
    """Names in lines that could not be read."""
    has_errors: bool = False
    """Whether reading reported an error."""
    boards: dict[Path, tuple[Board | None, tuple[Diagnostic, ...]]] = field(factory=dict)
    """Board files read so far, with what was found in them: they are the same in every configuration."""
    unused_options: list[ast.OptionDeclaration] | None = None
    """Options that nothing asks for, once that was looked for."""

    @property
    def options(self) -> tuple[ast.OptionDeclaration, ...]:
        return tuple(node for node in self.declarations if isinstance(node, ast.OptionDeclaration))

    @property
    def variants(self) -> tuple[ast.VariantDeclaration, ...]:
        """Variants, without scenarios."""
        return tuple(node for node in self._changes() if not node.is_scenario)

    @property
    def scenarios(self) -> tuple[ast.VariantDeclaration, ...]:
        return tuple(node for node in self._changes() if node.is_scenario)

    @property
    def player_numbers(self) -> tuple[int, ...]:
        """Every number of players that the game can be played by, the default first."""
        return possible_numbers(self.head, self.variants)

    @property
    def tests(self) -> tuple[ast.TestDeclaration, ...]:
        """The tests of the game, and those within variants and scenarios, played in these."""
        found: list[ast.TestDeclaration] = []
        for node in self.declarations:
            if isinstance(node, ast.TestDeclaration):
                found.append(node)
            elif isinstance(node, ast.VariantDeclaration):
                found += [
                    _test_of(node, patch.declaration)
                    for patch in node.patches
                    if isinstance(patch, ast.Adds) and isinstance(patch.declaration, ast.TestDeclaration)
                ]
        return tuple(found)

    def _changes(self) -> Iterator[ast.VariantDeclaration]:
        return (node for node in self.declarations if isinstance(node, ast.VariantDeclaration))


def _test_of(change: ast.VariantDeclaration, test: ast.TestDeclaration) -> ast.TestDeclaration:
    """A test within a variant or scenario as one that asks for it."""
    asks: ast.TestLine
    if change.is_scenario:
        asks = ast.TestScenario(change.name, span=change.name.span)
    else:
        asks = ast.TestOptions(((change.name, True),), span=change.name.span)
    return evolve(test, lines=(asks, *test.lines))


def read_project(path: Path, sink: Diagnostics, files: Files | None = None) -> Project | None:
    """The project of a root file; None where that cannot be read at all.

    Reports D201 to D205 beside what reading and parsing report.
    """
    files = files if files is not None else Files()
    if files.root is None:
        files.root = path.absolute().parent
    source = files.read(path, sink)
    return None if source is None else project_from_source(source, sink, files, path.absolute().parent, path)


def project_from_source(
    source: SourceFile, sink: Diagnostics, files: Files, folder: Path, path: Path | None = None
) -> Project:
    """The project of a text that was read; `folder` is where its includes and boards are looked for."""
    before = len(sink.errors)
    files.add(source, path)
    project = Project(source.path, files, folder)
    _Reader(project, sink).read(source, folder, (source.path,))
    _check_head(project, sink, source)
    project.has_errors = len(sink.errors) > before
    return project


class _Reader:
    """Reads one file after another into a project."""

    def __init__(self, project: Project, sink: Diagnostics) -> None:
        self._project = project
        self._sink = sink
        self._seen: set[str] = set()

    def read(self, source: SourceFile, folder: Path, way: tuple[str, ...]) -> None:
        """Adds a file and what it includes; `way` leads from the root to it."""
        project = self._project
        self._seen.add(source.path)
        before = len(self._sink.errors)
        tree = parse(source, self._sink)
        project.sources.append(source)
        project.folders[source.path] = folder
        project.lost |= tree.lost
        self._check_language(tree, source, len(self._sink.errors) > before)
        for node in tree.declarations:
            match node:
                case ast.Include():
                    self._include(node, folder, way)
                case ast.GameHead():
                    self._take_head(node)
                case _:
                    project.declarations.append(node)

    def _check_language(self, tree: ast.File, source: SourceFile, is_broken: bool) -> None:
        if tree.language is None:
            if not is_broken:
                place = start_of(source.path)
                self._sink.error("D201", "expected `language 1` on the first line of the file", place)
        elif tree.language.version != LANGUAGE:
            version = tree.language.version
            self._sink.error("D202", f"unknown version {version} of the language, expected 1", tree.language.span)
        elif len(self._project.sources) == 1:
            self._project.language = tree.language.version

    def _take_head(self, node: ast.GameHead) -> None:
        before = self._project.head
        if before is not None:
            label = Label(before.span, "first here")
            self._sink.error("D203", "`game` stands here a second time", _first_line(node.span), labels=(label,))
            return
        self._project.head = node
        self._project.doc = node.doc

    def _include(self, node: ast.Include, folder: Path, way: tuple[str, ...]) -> None:
        if len(way) > MOST_DEEP:
            self._sink.error("D106", f"includes are nested more than {MOST_DEEP} deep", node.span)
            return
        files = self._project.files
        found = files.resolve(folder, node.path, self._sink, node.span)
        if found is None:
            return
        source = files.read(found, self._sink, span=node.span)
        if source is None:
            return
        if source.path in way:
            around = " -> ".join([*way[way.index(source.path) :], source.path])
            self._sink.error("D108", f"`{source.path}` includes itself", node.span, notes=(around,))
            return
        if source.path not in self._seen:
            self.read(source, found.parent, (*way, source.path))


def _first_line(span: Span) -> Span:
    """The part of a span that is on its first line, as far as that is known."""
    return Span(span.path, span.start, span.start) if span.end.line > span.start.line else span


def _check_head(project: Project, sink: Diagnostics, source: SourceFile) -> None:
    """Reports D203 for a file without `game`, and D205 for a number of players that cannot be."""
    head = project.head
    if head is None:
        if not sink.has_errors:
            help = 'write `game "Title"`, and `players 2` below it'
            sink.error("D203", "no `game` in this file", start_of(source.path), help=help)
        return
    check_player_counts(head, (*project.variants, *project.scenarios), sink)
