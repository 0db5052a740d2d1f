"""The concrete tree of a file to its syntax tree: the frame of a file and its tests, on top of the other builders.

The builders are one class in four modules, each adding the nouns of its module. They recurse, which is safe since the
automaton bounds the depth of expressions and the layout that of blocks.

Invariant: declarations stand in the order of the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from interpreter.diagnostics import InternalError
from interpreter.syntax import ast
from interpreter.syntax.automaton import Cst
from interpreter.syntax.from_cst_declarations import Declarations
from interpreter.syntax.from_cst_expressions import Piece, with_data
from interpreter.syntax.tokens import Token

__all__ = ["Builder"]


class Builder(Declarations):
    """Builds any part of a file."""

    def file(self, root: Cst, lost: Iterable[str]) -> ast.File:
        """The tree of a file. Reports D110 for a second `language`, or one that is not first."""
        language: ast.Language | None = None
        declarations: list[ast.Declaration] = []
        names = self.lost
        names.update(lost)
        for child in root.children:
            assert isinstance(child, Cst)
            if child.data == "language":
                if language is not None:
                    self.sink.error("D110", "`language` stands here a second time", self.span(child))
                elif declarations:
                    self.sink.error("D110", "expected `language` on the first line of the file", self.span(child))
                found = ast.Language(self.number(child.children[0]), span=self.span(child), doc=self.doc(child))
                language = language or found
                continue
            made = self.declaration(child)
            if made is None:
                names.add(self.name(child.children[0]).text)
            else:
                declarations.append(made)
        span = self.source.span(0, len(self.source.text))
        return ast.File(self.source.path, language, tuple(declarations), lost=frozenset(names), span=span)

    def declaration(self, piece: Cst) -> ast.Declaration | None:
        """Any declaration save `language`; None where nothing of it could be read."""
        span, doc = self.span(piece), self.doc(piece)
        children = piece.children
        match piece.data:
            case "game":
                return self._game(piece)
            case "include":
                return ast.Include(self.plain(children[0]), span=span, doc=doc)
            case "option":
                return self._option(piece)
            case "enum":
                return self._enum(piece)
            case "shapes":
                return self.shapes(piece)
            case "kind":
                return self.kind(piece)
            case "has":
                return ast.HasDeclaration(
                    self.name(children[0]), self.fields(piece), self.shown(piece), span=span, doc=doc
                )
            case "board_file" | "board_family":
                return self.board(piece)
            case "zone":
                return self.zone(piece)
            case "roster":
                return self.roster(piece)
            case "track":
                return self.track(piece)
            case "state":
                assert isinstance(children[0], Cst)
                return ast.StateDeclaration(self.field(children[0]), span=span, doc=doc)
            case "table":
                return self.table(piece)
            case "value":
                return self.value(piece)
            case "relation":
                return self.relation(piece)
            case "effect":
                return self.effect(piece)
            case "phase":
                return ast.PhaseDeclaration(self.name(children[0]), self.block(children[1]), span=span, doc=doc)
            case "setup":
                return ast.SetupDeclaration(self.block(children[0]), span=span, doc=doc)
            case "play":
                return ast.PlayDeclaration(self.block(children[0]), span=span, doc=doc)
            case "variant" | "scenario":
                return self._variant(piece)
            case "test":
                title, *lines = children
                made = tuple(self._test_line(line) for line in lines)
                return ast.TestDeclaration(self.plain(title), made, span=span, doc=doc)
        raise InternalError(f"no declaration is made of `{piece.data}`", "syntax")

    def _enum(self, piece: Cst) -> ast.EnumDeclaration:
        name, *between, members = piece.children
        clockwise = with_data(piece, "clockwise")
        first = next((self.number(child) for child in between if child is not clockwise), None)
        return ast.EnumDeclaration(
            self.name(name),
            first,
            self.names(members),
            clockwise is not None,
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def _game(self, piece: Cst) -> ast.GameHead:
        players, scored = with_data(piece, "players"), with_data(piece, "scored")
        for again in (child for child in piece.children[1:] if child is not players and child is not scored):
            assert isinstance(again, Cst)
            self.sink.error("D110", f"`{again.data}` stands here a second time", self.span(again))
        return ast.GameHead(
            self.plain(piece.children[0]),
            None if players is None else self.player_counts(players),
            None if scored is None else self.name(scored.children[0]),
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def _option(self, piece: Cst) -> ast.OptionDeclaration:
        name = self.name(piece.children[0])
        default = self.option_value(piece.children[1])
        domain, words = with_data(piece, "option_range"), with_data(piece, "option_words")
        low = high = None
        named: tuple[ast.Name, ...] = ()
        if domain is not None:
            low, high = (self.number(child) for child in domain.children)
        if words is not None:
            rest = self.names(words)
            if isinstance(default, ast.Name):
                named = (default, *rest)
            else:
                self.sink.error("D110", "expected a word before `or`, since the choices are words", self.span(piece))
                named = rest
        return ast.OptionDeclaration(name, default, low, high, named, span=self.span(piece), doc=self.doc(piece))

    def _variant(self, piece: Cst) -> ast.VariantDeclaration:
        name, *rest = piece.children
        title = ""
        patches: list[ast.Patch] = []
        for child in rest:
            if isinstance(child, Token):
                title = self.plain(child)
            elif child.data == "replace_declared":
                replacement = child.children[0]
                assert isinstance(replacement, Cst)
                declared = self.declaration(replacement)
                if declared is not None:
                    patches.append(ast.ReplaceDeclared(declared, span=self.span(child)))
            elif child.data in _PATCHES:
                patch = self.patch(child)
                if isinstance(patch, ast.ForPlayers) and any(isinstance(before, ast.ForPlayers) for before in patches):
                    self.sink.error("D110", "`players` stands here a second time", patch.span)
                elif patch is not None:
                    patches.append(patch)
            else:
                declared = self.declaration(child)
                if declared is not None:
                    patches.append(ast.Adds(declared, span=declared.span))
        return ast.VariantDeclaration(
            self.name(name),
            title,
            tuple(patches),
            piece.data == "scenario",
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def _test_line(self, piece: Piece) -> ast.TestLine:
        assert isinstance(piece, Cst)
        span = self.span(piece)
        children = piece.children
        match piece.data:
            case "test_players":
                return ast.TestPlayers(self.number(children[0]), span=span)
            case "test_options":
                return ast.TestOptions(tuple(self._test_option(child) for child in children), span=span)
            case "test_scenario":
                return ast.TestScenario(self.name(children[0]), span=span)
            case "test_seed":
                return ast.TestSeed(self.number(children[0]), span=span)
            case "test_roster":
                player, path, *fails = children
                return ast.TestRoster(
                    self.name(player),
                    self.plain(path),
                    tuple(self.plain(child) for child in fails),
                    path_span=self.span(path),
                    span=span,
                )
            case "test_given":
                return ast.TestGiven(self.block(children[0]), span=span)
            case "test_start":
                return ast.TestStart(self.name(children[0]) if children else None, span=span)
            case "test_rolls":
                return ast.TestRolls(tuple(self.number(child) for child in children), span=span)
            case "test_choose":
                by = self.name(children[2]) if len(children) > 2 else None
                return ast.TestChoose(self.text(children[1]), by, span=span)
            case "test_offers":
                texts = [child for child in children if isinstance(child, Token)]
                how = _OFFERS[children[0].data] if isinstance(children[0], Cst) else "exactly"
                return ast.TestOffers(how, tuple(self.text(child) for child in texts), span=span)
            case "test_expect":
                return ast.TestExpect(self.expr(children[0]), span=span)
        raise InternalError(f"no line of a test is made of `{piece.data}`", "syntax")

    def _test_option(self, piece: Piece) -> tuple[ast.Name, ast.OptionValue]:
        assert isinstance(piece, Cst)
        value = self.option_value(piece.children[1]) if len(piece.children) > 1 else True
        return self.name(piece.children[0]), value


_OFFERS: dict[str, Literal["also", "never"]] = {"offers_also": "also", "offers_never": "never"}
_PATCHES = frozenset(
    {"players", "excludes", "preset", "modify", "before", "after", "instead", "replace_rows", "add_rows"}
)
