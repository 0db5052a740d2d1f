"""From a project to a game: names resolved, types known, one configuration in force, patches applied.

The order is that of dependence. What is chosen comes first, since sizes and counts may be options; then the domains,
then what is kept during play, then what functions take and give, and last every body. Each step reports and goes on
with what it has: a declaration left out puts its name among the broken ones, of which nothing more is said.

Invariant: a game is given only when neither reading nor understanding reported an error.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from interpreter.diagnostics import Diagnostics, Label, Span, did_you_mean
from interpreter.semantics import walk
from interpreter.semantics.builtins import BUILTINS
from interpreter.semantics.circles import mark_suspending, report_circles
from interpreter.semantics.configuration import Chosen, Configuration, choose_configuration
from interpreter.semantics.functions import FunctionDeclaration, Functions
from interpreter.semantics.joined import Joined, join_tables
from interpreter.semantics.model import Block, EnumDomain, Game, TestCase
from interpreter.semantics.patches import apply_patches
from interpreter.semantics.project import Project
from interpreter.semantics.rosters import declare_muster, muster_name, read_roster
from interpreter.semantics.scopes import Scope
from interpreter.semantics.shown import Shown, read_shown
from interpreter.semantics.symbols import Names
from interpreter.semantics.types import EnumType
from interpreter.semantics.unused import report_unused_options
from interpreter.syntax import ast

__all__ = ["understand"]

_FUNCTIONS = (
    ast.ValueDeclaration,
    ast.RelationDeclaration,
    ast.EffectDeclaration,
    ast.PhaseDeclaration,
)
_KEPT_WORDS = (
    *("Player", "player", "winner", "winners", "round number", "finished", "it", "box"),
    *("number", "flag", "direction", "space"),
)


def understand(
    project: Project, configuration: Configuration | None = None, sink: Diagnostics | None = None
) -> Game | None:
    """The game of a project in one configuration, or None where anything was wrong."""
    sink = sink if sink is not None else Diagnostics()
    configuration = configuration or Configuration()
    before = len(sink.errors)
    chosen = choose_configuration(project, configuration, sink)
    names = Names(sink=sink, files=project.files, folder=project.folder, players=chosen.players)
    names.options, names.variants = chosen.options, chosen.variants
    names.broken |= project.lost | {node.name.text for node in project.options if node.name.text not in chosen.options}
    reader = Functions(names)
    reader.folders, reader.board_files = project.folders, project.boards
    declarations = apply_patches(project.declarations, chosen.active, sink)
    game = _Understanding(project, chosen, reader, declarations).game()
    return None if project.has_errors or len(sink.errors) > before else game


class _Understanding:
    """One game being understood."""

    def __init__(
        self, project: Project, chosen: Chosen, reader: Functions, declarations: list[ast.Declaration]
    ) -> None:
        self._project = project
        self._chosen = chosen
        self._reader = reader
        self._names = reader.names
        self._declarations = declarations
        self._excluded: set[tuple[str, str]] = set()
        self._joined: list[Joined] = []
        self._shown = Shown()

    def game(self) -> Game:
        self._place_names()
        self._read_domains()
        self._read_kept()
        self._reader_functions()
        setup, play = self._read_bodies()
        score = self._score()
        game = self._assemble(setup, play)
        game.score = score
        functions = walk.all_functions(game)
        report_circles(functions, self._reader.circular, self._names.sink)
        mark_suspending(functions)
        self._check_exclusions()
        self._report_unused()
        return game

    def _each(self, *kinds: type[Any]) -> Iterable[Any]:
        return [node for node in self._declarations if isinstance(node, kinds)]

    # -- names

    def _place_names(self) -> None:
        """Notes where each name is declared. Reports D207 for those declared twice, and leaves the second out."""
        kept: list[ast.Declaration] = []
        made: set[str] = set()
        for node in self._declarations:
            names = _declared_names(node)
            if isinstance(node, ast.TableDeclaration) and node.makes is not None and node.makes.text in made:
                names = [node.name]  # one more table of a type
            placed = [self._place(name, node) for name in names]
            if all(placed):
                kept.append(node)
                if isinstance(node, ast.TableDeclaration) and node.makes is not None:
                    made.add(node.makes.text)
        self._declarations = kept

    def _place(self, name: ast.Name, node: ast.Declaration) -> bool:
        text = name.text
        before = self._names.places.get(text)
        if before is not None:
            label = Label(before, "first here")
            self._names.sink.error("D207", f"`{text}` is declared twice", name.span, labels=(label,))
            return False
        is_function = isinstance(node, (*_FUNCTIONS, ast.TableDeclaration))
        if text in _KEPT_WORDS or (is_function and text in BUILTINS):
            message = f"`{text}` has a meaning of its own in every game"
            self._names.sink.error("D207", message, name.span, help="choose another name")
            return False
        self._names.places[text] = name.span
        return True

    # -- domains

    def _read_domains(self) -> None:
        names, reader = self._names, self._reader
        for option in names.options.values():
            if isinstance(option.type, EnumType):
                enum = EnumDomain(name=option.name, members=option.words, first=0, span=option.span)
                names.enums[option.name] = enum
                names.hidden.add(option.type)
                names.add_members(option.type, option.words)
        names.add_players()
        for enum_node in self._each(ast.EnumDeclaration):
            reader.read_enum(enum_node)
        for shapes_node in self._each(ast.ShapesDeclaration):
            reader.read_shapes(shapes_node)
        self._joined = join_tables(self._each(ast.TableDeclaration), names.sink)
        for joined in self._joined:
            reader.read_rows(joined)
        for kind in self._each(ast.KindDeclaration):
            reader.read_kind(kind)
        for board in self._each(ast.BoardDeclaration):
            reader.read_board(board)
        for use in names.boards.values():
            reader.read_board_attributes(use)

    # -- what is kept

    def _read_kept(self) -> None:
        reader = self._reader
        for zone in self._each(ast.ZoneDeclaration):
            reader.read_zone(zone)
        for joined in self._joined:
            reader.read_columns(joined.whole)
        for node in self._declarations:
            match node:
                case ast.TrackDeclaration():
                    reader.read_track(node)
                case ast.StateDeclaration():
                    reader.read_state(node)
                case ast.KindDeclaration(name=name, fields=fields) if name.text in self._names.kinds:
                    reader.read_fields(name, fields)
                case ast.HasDeclaration(owner=owner, fields=fields):
                    reader.read_fields(owner, fields)
                case ast.RosterDeclaration():
                    read_roster(reader, node)

    # -- bodies

    def _reader_functions(self) -> None:
        for node in self._declarations:
            if isinstance(node, _FUNCTIONS) or (isinstance(node, ast.TableDeclaration) and node.makes is None):
                declared: FunctionDeclaration = node
                self._reader.declare(declared)
        for roster in self._each(ast.RosterDeclaration):
            declare_muster(self._reader, roster)

    def _read_bodies(self) -> tuple[tuple[Block, ...], Block | None]:
        reader = self._reader
        reader.finish_all()
        for kind in self._each(ast.KindDeclaration):
            reader.read_named(kind)
        self._shown = read_shown(reader, self._each(ast.KindDeclaration, ast.HasDeclaration))
        setup = tuple(reader.loose_block(node.body) for node in self._each(ast.SetupDeclaration))
        plays = list(self._each(ast.PlayDeclaration))
        for again in plays[1:]:
            label = Label(_start(plays[0].span), "first here")
            reader.error("D204", "`play` stands here a second time", _start(again.span), labels=(label,))
        if not plays:
            self._report_no_play()
        return setup, reader.loose_block(plays[0].body) if plays else None

    def _report_no_play(self) -> None:
        head = self._project.head
        if head is not None and not self._project.has_errors:
            help = "write what happens from the first turn to the end below `play`"
            self._reader.error("D204", "the game has no `play`", _start(head.span), help=help)

    def _score(self) -> Any:
        head = self._project.head
        return None if head is None or head.scored_by is None else self._reader.score(head.scored_by)

    # -- what is chosen

    def _check_exclusions(self) -> None:
        """Reports D803 for two variants that may not be played together, and D806 for one that does not exist."""
        known = {node.name.text: node for node in (*self._project.variants, *self._project.scenarios)}
        active = {node.name.text for node in self._chosen.active}
        for node in known.values():
            for patch in node.patches:
                if not isinstance(patch, ast.Excludes):
                    continue
                other = known.get(patch.name.text)
                if other is None:
                    help = did_you_mean(patch.name.text, known)
                    self._reader.error("D806", f"unknown variant `{patch.name.text}`", patch.name.span, help=help)
                    continue
                allowed = None if patch.unless is None else self._reader.condition(patch.unless, Scope())
                value = getattr(allowed, "value", None)
                if allowed is not None and value is None:
                    message = "what variants exclude must be known before play"
                    self._reader.error("D233", message, allowed.span, help="use options only")
                elif {node.name.text, other.name.text} <= active and not value:
                    self._report_exclusion(node, other, patch)

    def _report_exclusion(
        self, node: ast.VariantDeclaration, other: ast.VariantDeclaration, patch: ast.Excludes
    ) -> None:
        first, second = sorted((node.name.text, other.name.text))
        if (first, second) in self._excluded:
            return
        self._excluded.add((first, second))
        labels = (Label(other.name.span, f"`{other.name.text}` is declared here"),)
        message = f"variants `{first}` and `{second}` exclude each other"
        self._reader.error("D803", message, patch.span, labels=labels)

    def _report_unused(self) -> None:
        for local in self._reader.lets:
            if not self._names.is_used(local):
                self._names.sink.warning("D229", f"`{local.name}` is not used", local.span)
        report_unused_options(self._project, self._names.sink)

    # -- the whole

    def _assemble(self, setup: tuple[Block, ...], play: Block | None) -> Game:
        project, names, head = self._project, self._names, self._project.head
        return Game(
            title=head.title if head is not None else "",
            path=project.path,
            language=project.language,
            doc=project.doc,
            players=names.players,
            player_numbers=project.player_numbers,
            options=names.options,
            variants=names.variants,
            enums=names.enums,
            rows=names.rows,
            kinds=names.kinds,
            texts=tuple(names.texts),
            boards=names.boards,
            zones=names.zones,
            rosters=names.rosters,
            variables=tuple(names.variables),
            functions=names.functions,
            score=None,
            facings=tuple(self._shown.facings),
            markers=tuple(self._shown.markers),
            setup=setup,
            play=play,
            tests=tuple(
                TestCase(title=node.title, tree=node, span=_start(node.span))
                for node in self._each(ast.TestDeclaration)
            ),
            fingerprint=self._fingerprint(),
            names=names,
        )

    def _fingerprint(self) -> str:
        """What tells this game in this configuration from any other."""
        digest = hashlib.sha256()
        boards = {use.board.span.path for use in self._names.boards.values() if use.board.span is not None}
        sources = {source.path: source.text for source in self._project.sources}
        for path in boards:
            source = self._project.files.get(path)
            if source is not None:
                sources[path] = source.text
        chosen = [f"{option.name}={option.value}" for option in self._names.options.values()]
        chosen += [name for name, use in self._names.variants.items() if use.active]
        for part in (*(sources[path] for path in sorted(sources)), *chosen, *self._names.players):
            digest.update(part.encode("utf-8", "surrogatepass"))
            digest.update(b"\0")
        return digest.hexdigest()[:16]


_NAMED: tuple[tuple[type[ast.Declaration], Callable[[Any], list[ast.Name]]], ...] = (
    (ast.StateDeclaration, lambda node: [node.field_.name]),
    (ast.BoardDeclaration, lambda node: [node.name] if node.name.text == node.space.text else [node.name, node.space]),
    (ast.TableDeclaration, lambda node: [node.name] if node.makes is None else [node.name, node.makes]),
    (ast.HasDeclaration, lambda node: []),
    (ast.RosterDeclaration, lambda node: [node.name, muster_name(node)]),
)


def _declared_names(node: ast.Declaration) -> list[ast.Name]:
    """The names that a declaration gives a meaning to."""
    for kind, names in _NAMED:
        if isinstance(node, kind):
            return names(node)
    name = getattr(node, "name", None)
    return [name] if isinstance(name, ast.Name) else []


def _start(span: Span) -> Span:
    """The start of something long, as the place to blame."""
    return Span(span.path, span.start, span.start)
