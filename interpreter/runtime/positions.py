"""Positions of played examples: a drawn board, and what is given besides.

A position is put on the table after the set-up and before play. `board` draws a grid from its top row down, one token
a space, `.` for an empty one; of a grid without edges a part is drawn, with the names of its columns and rows. What
another token stands for is told under `given`: pieces (`W: {kind: Pawn, owner: White}`) or fields of the space (`X:
{mark: Cross}`). `given` is a map of anything that the game keeps (zones with their pieces from the top down, counters,
fields, `player`, `round`, `phase`), or statements of the rules language, or a list of both.

Pieces are found by what they are called, in the box first; dice are turned to the face that gives them the name.
Everything that lay in a zone or on a board that is told anew goes back into the box. The moves themselves are carried
out by the program, so orders and spaces stay right.

Invariant: whatever is wrong in a position raises `TestFailure` at its place in the example, or is handed to `report`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from attrs import define, field, frozen

from interpreter.boards import Board
from interpreter.boards.plane import index_of
from interpreter.diagnostics import Diagnostics, RulesError, Span, did_you_mean
from interpreter.runtime.names import Names
from interpreter.runtime.rules import Rules
from interpreter.runtime.table import Table, TestFailure
from interpreter.semantics import domain_size, member_names, model, understand_test
from interpreter.semantics import test_model as lines
from interpreter.semantics.configuration import matching
from interpreter.semantics.types import (
    NONE,
    DomainType,
    FlagType,
    NumberType,
    PieceType,
    PlayerType,
    SpaceType,
    Type,
)
from interpreter.source import SourceFile, Text, YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar, describe, from_text
from interpreter.syntax import ast, parse

__all__ = ["Position", "Report", "reported", "set_position"]

Report: TypeAlias = Callable[[TestFailure], None]
"""Takes what is wrong; raises it, or keeps it and lets the rest be looked at."""

_EMPTY = "."
_GRIDS = ("square grid", "hex grid", "open grid")
_COORDINATE = re.compile(r"([ewns])(\d{1,4})")
_MADE_UP = "<example>"
"""The name of text that is made from the example."""
_MOST_FACES = 100
"""Fields with more values than this are not turned to find a piece of a name."""
_MOST_LISTED = 12
"""Values up to so many are listed where an unknown one is given."""
_TURNS = {"player": "player", "round": "round_number", "round number": "round_number"}


@contextmanager
def reported(report: Report) -> Iterator[None]:
    """What fails inside is handed to `report`."""
    try:
        yield
    except TestFailure as failure:
        report(failure)


@frozen
class Named:
    """What a letter of the drawn board stands for, where it stands there once."""

    local: model.Local
    member: int


@define
class Position:
    """What is left to know of a position once it is on the table."""

    letters: dict[str, Named] = field(factory=dict)
    """Letters that can be used as names."""
    phase: Text | None = None
    """The phase to begin at."""

    @property
    def locals(self) -> dict[str, model.Local]:
        """The letters as names for expressions."""
        return {letter: named.local for letter, named in self.letters.items()}

    def spelled_out(self, text: str, table: Table) -> str:
        """A name of a choice with the things that letters stand for in their place."""
        session = table.session

        def name(found: re.Match[str]) -> str:
            named = self.letters.get(found[0])
            if named is None:
                return found[0]
            return session.names.member(named.local.type, named.member, session.state)

        return re.sub(r"\w+", name, text)


def set_position(
    table: Table, drawing: YamlNode | None, given: YamlNode | None, source: SourceFile | None, report: Report
) -> Position:
    """Puts a position on the table."""
    return _Setter(table, source, report).set(drawing, given)


@define
class _Wanted:
    """A piece that is to come somewhere."""

    kind: model.Kind
    place: model.AnyPlace
    span: Span
    called: str = ""
    """Its name, or that of what it stands for; "" for any piece of the kind."""
    attributes: dict[str, int] = field(factory=dict)
    fields: list[tuple[model.Variable, int]] = field(factory=list)
    letter: str = ""


@define
class _Setter:
    table: Table
    source: SourceFile | None
    report: Report
    position: Position = field(factory=Position)
    taken: set[tuple[str, int]] = field(factory=set)

    @property
    def rules(self) -> Rules:
        return self.table.rules

    @property
    def game(self) -> model.Game:
        return self.table.rules.game

    @property
    def names(self) -> Names:
        return self.table.rules.names

    def set(self, drawing: YamlNode | None, given: YamlNode | None) -> Position:
        segments = list(_segments(given))
        letters: dict[str, YamlEntry] = {}
        if drawing is not None:
            with reported(self.report):
                use, tokens = self._drawn(drawing)
                drawn = {token for _, token, _ in tokens}
                entries = [entry for segment in segments if isinstance(segment, list) for entry in segment]
                letters = {entry.key: entry for entry in entries if entry.key in drawn}
                self._put_board(use, tokens, letters)
        for segment in segments:
            if isinstance(segment, list):
                self._entries([entry for entry in segment if entry.key not in letters])
            else:
                self._statement(segment.text, segment.span)
        return self.position

    # ------------------------------------------------------------------ the drawn board

    def _drawn(self, node: YamlNode) -> tuple[model.BoardUse, list[tuple[int, str, Span]]]:
        """The board that is drawn, and for each space the token that stands on it."""
        grids = {name: use for name, use in self.game.boards.items() if use.board.family in _GRIDS}
        if isinstance(node, YamlMap) and len(node.entries) == 1:
            entry = node.entries[0]
            name = matching(entry.key, grids)
            if name is None:
                raise _failure(
                    f"no board `{entry.key}` that can be drawn", entry.key_span, did_you_mean(entry.key, grids)
                )
            use, node = grids[name], entry.value
        elif len(grids) == 1:
            use = next(iter(grids.values()))
        else:
            raise _failure(
                "the game has no board of squares or hexagons" if not grids else "the game has several boards",
                node.span,
                "say what lies where under `given`" if not grids else f"write `{next(iter(grids))}: |` before it",
            )
        if not isinstance(node, YamlScalar):
            raise _failure(
                f"expected a drawn board, found {describe(node)}", node.span, "draw its rows after `board: |`"
            )
        return use, list(self._tokens(use, node))

    def _tokens(self, use: model.BoardUse, node: YamlScalar) -> Iterator[tuple[int, str, Span]]:
        board = use.board
        rows = [(line.split(), self._row_span(node, number)) for number, line in enumerate(node.text.split("\n"))]
        rows = [(tokens, span) for tokens, span in rows if tokens]
        if board.is_open:
            yield from _tokens_of_part(board, rows, node.span)
            return
        if len(rows) != board.rows:
            raise _failure(f"expected {board.rows} rows, found {len(rows)}", rows[-1][1] if rows else node.span)
        for row, (tokens, span) in zip(range(board.rows, 0, -1), rows, strict=True):
            if len(tokens) != board.columns:
                raise _failure(f"expected {board.columns} spaces in row {row}, found {len(tokens)}", span)
            for column, token in enumerate(tokens):
                yield (row - 1) * board.columns + column, token, span

    def _row_span(self, node: YamlScalar, number: int) -> Span:
        """The place of a line of a drawn board; that of the whole where it is not written line by line."""
        span = node.span
        first = span.start.line + 1
        if self.source is None or span.end.line - span.start.line < node.text.rstrip("\n").count("\n") + 1:
            return span
        line = min(first + number, self.source.line_count)
        start = self.source.line_starts[line - 1]
        text = self.source.line_text(line)
        return self.source.span(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))

    def _put_board(
        self, use: model.BoardUse, tokens: list[tuple[int, str, Span]], letters: dict[str, YamlEntry]
    ) -> None:
        pieces: list[_Wanted] = []
        fields: dict[tuple[int, int], model.Statement] = {}
        marked: dict[int, model.Variable] = {}
        for space, token, span in tokens:
            entry = letters.get(token)
            if token == _EMPTY:
                continue
            if entry is None:
                self.report(_failure(f"nothing says what `{token}` stands for", span, f"add `{token}` under `given`"))
                letters[token] = YamlEntry(token, span, YamlMap((), span))  # said once
            elif _is_piece(entry.value):
                at = model.SpacePlace(board=use, space=_const(SpaceType(name=use.space), space, span), span=span)
                with reported(self.report):
                    wanted = self._piece(entry.value, at, use, None)
                    wanted.letter = token
                    pieces.append(wanted)
            elif isinstance(entry.value, YamlMap):
                self._name(token, SpaceType(name=use.space), space, entry.key_span)
                for each in entry.value.entries:
                    with reported(self.report):
                        variable, value = self._space_field(use, each)
                        marked[id(variable)] = variable
                        fields[id(variable), space] = self._set_on_space(variable, space, value, span)
        for space, _, span in tokens:
            for variable in marked.values():
                start = self._initial(variable, space)
                if (id(variable), space) not in fields and start is not None:
                    fields[id(variable), space] = self._set_on_space(variable, space, start, span)
        self._run([self._to_box(kind, piece) for kind, piece in self._on_board(use)])
        self._place(pieces)
        self._run(list(fields.values()))
        often = [token for _, token, _ in tokens]
        for token in set(often):
            if often.count(token) > 1:
                self.position.letters.pop(token, None)

    @staticmethod
    def _set_on_space(variable: model.Variable, space: int, value: int, span: Span) -> model.Statement:
        return _set(variable, (_const(variable.keys[0], space, span),), value, span)

    def _initial(self, variable: model.Variable, index: int) -> int | None:
        """The value before the set-up; None where the set-up works it out."""
        at = self._base(variable) + index
        initial = self.rules.program.initial
        return initial[at] if isinstance(variable.start, model.Const) and at < len(initial) else None

    def _base(self, variable: model.Variable) -> int:
        """The first slot of a variable."""
        groups = [group for group in self.rules.program.layout.groups if group.what == "variable"]
        return next(group.base for known, group in zip(self.game.variables, groups, strict=False) if known is variable)

    def _space_field(self, use: model.BoardUse, entry: YamlEntry) -> tuple[model.Variable, int]:
        kept = {
            variable.name: variable
            for variable in self.game.variables
            if len(variable.keys) == 1
            and isinstance(variable.keys[0], SpaceType)
            and variable.keys[0].name == use.space
        }
        name = matching(entry.key, kept)
        if name is None:
            help = did_you_mean(entry.key, [*kept, "kind"])
            raise _failure(f"`{use.space}` has no field `{entry.key}`", entry.key_span, help)
        return kept[name], self._value(kept[name], entry.value)

    def _on_board(self, use: model.BoardUse) -> Iterator[tuple[model.Kind, int]]:
        sight, state = self.rules.sight, self.table.session.state
        for kind in self.game.kinds.values():
            for piece in range(kind.count if kind.name in sight.kinds else 0):
                place = sight.place_of(kind.name, piece, state)
                if place.kind == "space" and place.name == use.name:
                    yield kind, piece

    # ------------------------------------------------------------------ entries of a map

    def _entries(self, entries: Sequence[YamlEntry]) -> None:
        zones: list[tuple[model.Zone, int, YamlEntry]] = []
        rest: list[YamlEntry] = []
        for entry in entries:
            with reported(self.report):
                found = self._zone(entry)
                if found is None:
                    rest.append(entry)
                else:
                    zones.append((*found, entry))
        self._run([self._to_box(zone.kind, piece) for zone, owner, _ in zones for piece in self._lying(zone, owner)])
        for zone, owner, entry in zones:
            with reported(self.report):
                self._fill(zone, owner, entry)
        for entry in rest:
            with reported(self.report):
                self._entry(entry)

    def _zone(self, entry: YamlEntry) -> tuple[model.Zone, int] | None:
        """The zone that an entry names, with its owner (-1 for a common one)."""
        owner, dot, name = entry.key.rpartition(".")
        found = matching(name, self.game.zones)
        if found is None:
            return None
        zone = self.game.zones[found]
        if not zone.per_player:
            if dot:
                raise _failure(f"`{found}` belongs to no player", entry.key_span, f"write `{found}`")
            return zone, -1
        if not dot and len(self.game.players) == 1:
            return zone, 0
        player = matching(owner, self.game.players)
        if player is None:
            help = did_you_mean(owner, self.game.players) or f"write `{self.game.players[0]}.{found}`"
            raise _failure(f"whose {found}? `{entry.key}` names no player", entry.key_span, help)
        return zone, self.game.players.index(player)

    def _lying(self, zone: model.Zone, owner: int) -> list[int]:
        sight, state = self.rules.sight, self.table.session.state
        places = [sight.place_of(zone.kind.name, piece, state) for piece in range(zone.kind.count)]
        return [
            piece
            for piece, place in enumerate(places)
            if place.kind == "zone" and place.name == zone.name and (place.owner == owner or not zone.per_player)
        ]

    def _fill(self, zone: model.Zone, owner: int, entry: YamlEntry) -> None:
        node = entry.value
        if isinstance(node, YamlScalar) and node.value is None:
            items: tuple[YamlNode, ...] = ()
        elif isinstance(node, YamlList):
            items = node.items
        else:
            raise _failure(f"expected a list of pieces, found {describe(node)}", node.span)
        whose = None if not zone.per_player else _const(PlayerType(name="Player"), owner, entry.key_span)
        place = model.ZonePlace(zone=zone, owner=whose, span=entry.key_span)
        wanted: list[_Wanted] = []
        for item in items:
            with reported(self.report):
                wanted.append(self._piece(item, place, None, zone.kind))
        # A piece that comes into an ordered zone lies on top, and a list is read from the top down.
        self._place(wanted[::-1])

    def _entry(self, entry: YamlEntry) -> None:
        key, node = " ".join(entry.key.split()), entry.value
        if not isinstance(node, YamlScalar):
            message = (
                f"`{key}` stands on no drawn board and is no zone: expected a single value, found {describe(node)}"
            )
            raise _failure(message, entry.key_span, did_you_mean(key, self.game.zones))
        if key == "phase":
            self.position.phase = Text(node.text, node.span)
            return
        value = "none" if node.value is None else node.text
        if isinstance(node.value, bool):
            value = "yes" if node.value else "no"
        self._statement(f"set {_TURNS.get(key, key)} to {value}", node.span, f"`{key}` cannot be {value}")

    def _statement(self, text: str, span: Span, message: str = "") -> None:
        with reported(self.report):
            block = _block(self.rules, text, span, message)
            try:
                self.table.given(block)
            except RulesError as error:
                found = error.diagnostics[0]
                if found.span is not None and found.span.path != _MADE_UP:
                    raise
                raise TestFailure(found.code, message or f"`{text}`: {found.message}", span) from None

    # ------------------------------------------------------------------ pieces

    def _piece(
        self, node: YamlNode, place: model.AnyPlace, use: model.BoardUse | None, kind: model.Kind | None
    ) -> _Wanted:
        """The piece that an entry of a zone or a letter of a board asks for."""
        if isinstance(node, YamlScalar) and node.value is not None:
            return self._called(node, place, use, kind)
        if not isinstance(node, YamlMap):
            raise _failure(f"expected a piece, found {describe(node)}", node.span)
        named = node.entry("kind") or node.entry("name")
        if named is not None:
            if not isinstance(named.value, YamlScalar):
                raise _failure(f"expected the name of a piece, found {describe(named.value)}", named.value.span)
            wanted = self._called(named.value, place, use, kind)
        elif kind is not None:
            wanted = _Wanted(kind, place, node.span)
        else:
            raise _failure("expected `kind`, the name of a piece", node.span)
        for entry in node.entries:
            if entry is not named:
                self._detail(wanted, entry)
        return wanted

    def _called(
        self, node: YamlScalar, place: model.AnyPlace, use: model.BoardUse | None, kind: model.Kind | None
    ) -> _Wanted:
        sight = self.rules.sight
        kinds = {
            each.name: each
            for each in self.game.kinds.values()
            if (kind is None or each is kind)
            and each.name in sight.kinds
            and (use is None or any(p.kind == "space" and p.name == use.name for p in sight.kinds[each.name].places))
        }
        name = matching(node.text, kinds)
        if name is not None:
            return _Wanted(kinds[name], place, node.span)
        called = " ".join(node.text.split())
        for each in kinds.values():
            wanted = _Wanted(each, place, node.span, called)
            if any(self._ways(wanted, range(each.count))):
                return wanted
        known = [*kinds, *(name for each in kinds.values() for name in self._known_names(each))]
        raise _failure(f"no piece is called `{called}`", node.span, did_you_mean(called, known))

    def _known_names(self, kind: model.Kind) -> Iterator[str]:
        state = self.table.session.state
        yield from {self.names.member(PieceType(name=kind.name), piece, state) for piece in range(kind.count)}
        for variable in kind.fields.values():
            if isinstance(variable.type, DomainType):
                yield from member_names(self.game, variable.type)

    def _detail(self, wanted: _Wanted, entry: YamlEntry) -> None:
        kind = wanted.kind
        name = matching(entry.key, [*kind.attributes, *kind.fields])
        if name is None:
            help = did_you_mean(entry.key, [*kind.attributes, *kind.fields])
            raise _failure(f"`{kind.name}` has no field `{entry.key}`", entry.key_span, help)
        if name in kind.fields:
            variable = kind.fields[name]
            if len(variable.keys) != 1:
                raise _failure(
                    f"`{name}` is kept for several things", entry.key_span, "set it by a statement under `given`"
                )
            wanted.fields.append((variable, self._value(variable, entry.value)))
        else:
            wanted.attributes[name] = self._member(kind.attributes[name].type, entry.value)

    def _ways(self, wanted: _Wanted, pieces: Iterable[int]) -> Iterator[tuple[int, tuple[model.Variable, int] | None]]:
        """Pieces that are meant, each with the field that must be set for it to be called so."""
        kind = wanted.kind
        fitting = [
            piece
            for piece in pieces
            if all(kind.attributes[name].values[piece] == value for name, value in wanted.attributes.items())
        ]
        state = list(self.table.session.state)
        if not wanted.called:
            yield from ((piece, None) for piece in fitting)
            return
        for piece in fitting:
            if self._is_called(kind, piece, state, wanted.called):
                yield piece, None
        if kind.named is None:
            return
        turned = [
            (variable, self._base(variable))
            for variable in kind.fields.values()
            if len(variable.keys) == 1 and variable.high - variable.low <= _MOST_FACES
        ]
        for piece in fitting:
            for variable, base in turned:
                kept = state[base + piece]
                for value in range(variable.low, variable.high + 1):
                    state[base + piece] = value
                    if value != kept and self._is_called(kind, piece, state, wanted.called):
                        yield piece, (variable, value)
                state[base + piece] = kept

    def _is_called(self, kind: model.Kind, piece: int, state: list[int], called: str) -> bool:
        """Whether a piece goes by a name, its own or that of what it stands for."""
        own = self.names.member(PieceType(name=kind.name), piece, state)
        if _plain(own) == _plain(called):
            return True
        return any(
            isinstance(attribute.type, DomainType)
            and attribute.name != "owner"
            and attribute.values[piece] >= 0
            and _plain(self.names.member(attribute.type, attribute.values[piece], state)) == _plain(called)
            for attribute in kind.attributes.values()
        )

    def _place(self, wanted: Sequence[_Wanted]) -> None:
        """Moves pieces to where they are wanted, those in the box first."""
        doing: list[model.Statement] = []
        for each in wanted:
            with reported(self.report):
                doing += self._placing(each)
        self._run(doing)

    def _placing(self, wanted: _Wanted) -> Iterator[model.Statement]:
        kind = wanted.kind
        base = self.rules.sight.kinds[kind.name].base
        state = self.table.session.state
        free = [piece for piece in range(kind.count) if (kind.name, piece) not in self.taken]
        free.sort(key=lambda piece: state[base + piece] != 0)  # the box is place 0
        way = next(self._ways(wanted, free), None)
        if way is None:
            count = sum(1 for _ in self._ways(wanted, range(kind.count)))
            called = wanted.called or kind.name
            raise _failure(f"no `{called}` is left", wanted.span, f"the game has {count} of them" if count else None)
        piece, turned = way
        self.taken.add((kind.name, piece))
        span = wanted.span
        this = _const(PieceType(name=kind.name), piece, span)
        yield model.MovePiece(kind=kind, piece=this, place=wanted.place, span=span)
        for variable, value in [*([turned] if turned is not None else []), *wanted.fields]:
            yield _set(variable, (this,), value, span)
        if wanted.letter:
            self._name(wanted.letter, PieceType(name=kind.name), piece, span)

    def _name(self, letter: str, type_: Type, member: int, span: Span) -> None:
        if letter.isidentifier():
            self.position.letters[letter] = Named(model.Local(name=letter, type=type_, span=span), member)

    def _to_box(self, kind: model.Kind, piece: int) -> model.Statement:
        span = kind.span
        this = _const(PieceType(name=kind.name), piece, span)
        return model.MovePiece(kind=kind, piece=this, place=model.BoxPlace(span=span), span=span)

    def _run(self, statements: Sequence[model.Statement]) -> None:
        if statements:
            span = statements[0].span
            try:
                self.table.given(model.Block(statements=tuple(statements), span=span))
            except RulesError as error:
                found = error.diagnostics[0]
                raise TestFailure(found.code, found.message, found.span or span) from None

    # ------------------------------------------------------------------ values

    def _value(self, variable: model.Variable, node: YamlNode) -> int:
        value = self._member(variable.type, node)
        if not variable.low <= value <= variable.high:
            raise _failure(f"`{variable.name}` is {variable.low} to {variable.high}, found {value}", node.span)
        return value

    def _member(self, type_: Type, node: YamlNode) -> int:
        """The number that stands for a value."""
        if not isinstance(node, YamlScalar):
            raise _failure(f"expected a single value, found {describe(node)}", node.span)
        text = " ".join(node.text.split())
        if isinstance(type_, FlagType):
            if text.casefold() in ("yes", "true", "no", "false"):
                return int(text.casefold() in ("yes", "true"))
            raise _failure(f"expected yes or no, found `{text}`", node.span)
        if type_.optional and (node.value is None or text == "none"):
            return NONE
        if isinstance(type_, NumberType):
            if type(node.value) is int:
                return node.value
            raise _failure(f"expected a number, found {describe(node)}", node.span)
        state = self.table.session.state
        known = [self.names.member(type_, member, state) for member in range(domain_size(self.game, type_))]
        name = matching(text, known)
        if name is None:
            near = did_you_mean(text, known)
            expected = f"expected one of {', '.join(known[:_MOST_LISTED])}" if len(known) <= _MOST_LISTED else None
            raise _failure(f"unknown value `{text}`", node.span, near or expected)
        return known.index(name)


def _tokens_of_part(
    board: Board, rows: Sequence[tuple[list[str], Span]], span: Span
) -> Iterator[tuple[int, str, Span]]:
    """The tokens of a part of an open grid, drawn with the names of its columns above and of its rows before them."""
    if not rows:
        raise _failure("expected a drawn board, found nothing", span)
    heads, head_span = rows[0]
    columns = [_coordinate(head, "ew") for head in heads if head != _EMPTY]
    if None in columns:
        help = "the first line names the columns, as in `. w1 e0 e1`; each row begins with its name, as in `n1 . X .`"
        raise _failure("expected the names of columns above a part of an open grid", head_span, help)
    for tokens, row_span in rows[1:]:
        if tokens == heads:  # they may stand below, too
            continue
        row = _coordinate(tokens[0], "ns")
        if row is None:
            raise _failure(f"expected the name of a row, such as `n1` or `s2`, found `{tokens[0]}`", row_span)
        inside = tokens[1:-1] if len(tokens) == len(columns) + 2 and tokens[-1] == tokens[0] else tokens[1:]
        if len(inside) != len(columns):
            raise _failure(f"expected {len(columns)} spaces in row {tokens[0]}, found {len(inside)}", row_span)
        for column, token in zip(columns, inside, strict=True):
            assert column is not None
            yield index_of(board, column, row), token, row_span


def _coordinate(label: str, ways: str) -> int | None:
    """The column or row of a label such as `w3`; `ways` are the letters that count up and down."""
    found = _COORDINATE.fullmatch(label)
    if found is None or found[1] not in ways:
        return None
    return int(found[2]) if found[1] == ways[0] else -int(found[2])


def _failure(message: str, span: Span, help: str | None = None) -> TestFailure:
    return TestFailure("D609", message, span, () if help is None else (help,))


def _is_piece(node: YamlNode) -> bool:
    """Whether a letter stands for a piece, and not for fields of its space."""
    return not isinstance(node, YamlMap) or node.get("kind") is not None


def _segments(node: YamlNode | None) -> Iterator[list[YamlEntry] | Text]:
    """The entries of maps, and statements, in their order."""
    if isinstance(node, YamlMap):
        yield list(node.entries)
    elif isinstance(node, YamlList):
        for item in node.items:
            yield from _segments(item)
    elif isinstance(node, YamlScalar):
        yield Text(node.text, node.span)


def _const(type_: Type, value: int, span: Span) -> model.Const:
    return model.Const(type=type_, value=value, span=span)


def _set(variable: model.Variable, keys: tuple[model.Expr, ...], value: int, span: Span) -> model.Statement:
    return model.SetVariable(variable=variable, keys=keys, value=_const(variable.type, value, span), span=span)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())


def _block(rules: Rules, text: str, span: Span, message: str = "") -> model.Block:
    """Statements of the rules language that change a position; `message` is what is said when they cannot be read."""
    key = f"given {text}"
    known = rules.snippets.get(key)
    if isinstance(known, model.Block):
        return known
    body = "".join(f"        {line}\n" for line in text.splitlines() if line.strip())
    sink = Diagnostics()
    tree = parse(from_text(_MADE_UP, f'language 1\ntest "given"\n    given\n{body}'), sink)
    declared = next((node for node in tree.declarations if isinstance(node, ast.TestDeclaration)), None)
    understood = None
    if declared is not None and not sink.has_errors:
        case = model.TestCase(title="given", tree=declared, span=declared.span)
        understood = understand_test(case, rules.game, sink)
    line = understood.lines[0] if understood is not None and understood.lines else None
    if not isinstance(line, lines.Given):
        first = next(iter(sink.errors), None)
        said = "not a statement of the rules language" if first is None else first.message
        details = () if first is None or first.help is None else (f"help: {first.help}",)
        head = message or f"`{text.strip()}` cannot be read"
        raise TestFailure("D608", f"{head}: {said}", span, details)
    rules.snippets[key] = line.block
    return line.block
