"""Concrete declarations to the syntax tree: things, tables, values, and the changes made by variants and scenarios.

Invariant: a table keeps its heading and the rows that have as many cells as it; a declaration without any heading is
left out.
"""

from __future__ import annotations

from typing import Literal

from interpreter.diagnostics import InternalError
from interpreter.syntax import ast
from interpreter.syntax.automaton import Cst
from interpreter.syntax.from_cst_expressions import Piece, canonical, with_data
from interpreter.syntax.from_cst_statements import Statements
from interpreter.syntax.rows import RowCell, is_separator, row_cells
from interpreter.syntax.tokens import Token

__all__ = ["Declarations"]

_VALUE_LINES: dict[str, Literal["start", "+", "-", "times", "divided by", "at least", "at most"]] = {
    "value_start": "start",
    "value_plus": "+",
    "value_minus": "-",
    "value_times": "times",
    "value_divided": "divided by",
    "value_at_least": "at least",
    "value_at_most": "at most",
}
_AROUND: dict[str, Literal["before", "after", "instead of"]] = {
    "before": "before",
    "after": "after",
    "instead": "instead of",
}
_RELATION_LINES: dict[str, Literal["when", "unless"]] = {"relation_when": "when", "relation_unless": "unless"}


def _cst(pieces: list[Piece]) -> list[Cst]:
    return [piece for piece in pieces if isinstance(piece, Cst)]


class Declarations(Statements):
    """Builds declarations, save for those of the file's frame."""

    def fields(self, piece: Cst) -> tuple[ast.FieldDeclaration, ...]:
        return tuple(self.field(child) for child in _cst(piece.children) if child.data == "field")

    def field(self, piece: Cst) -> ast.FieldDeclaration:
        named: dict[str, ast.Name | None] = {"seen_by": None, "per": None, "reset_by": None}
        default: ast.Expr | None = None
        rolled = silent = False
        for child in _cst(piece.children[2:]):
            if child.data in named:
                named[child.data] = self.name(child.children[0])
            elif child.data == "rolled":
                rolled = True
            elif child.data == "silent":
                silent = True
            else:
                default = self.expr(child)
        return ast.FieldDeclaration(
            self.name(piece.children[0]),
            self.type(piece.children[1]),
            default,
            rolled,
            named["seen_by"],
            named["per"],
            named["reset_by"],
            silent,
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def shown(self, piece: Cst) -> tuple[ast.Ahead | ast.Marker, ...]:
        """The lines `ahead is ...` and `marked ... when ...` of a block. Reports D110 for other words before them."""
        found: list[ast.Ahead | ast.Marker] = []
        for child in _cst(piece.children):
            if child.data not in ("ahead", "marker"):
                continue
            word = self.name(child.children[0])
            wanted = "ahead" if child.data == "ahead" else "marked"
            if word.text != wanted:
                sort = "`ahead is` and a direction" if wanted == "ahead" else "`marked` before the text"
                self.sink.error("D110", f"expected {sort}, found `{word.text}`", word.span)
            elif child.data == "ahead":
                found.append(ast.Ahead(self.expr(child.children[1]), span=self.span(child)))
            else:
                text, condition = self.text(child.children[1]), self.expr(child.children[2])
                found.append(ast.Marker(text, condition, span=self.span(child)))
        return tuple(found)

    def type(self, piece: Piece) -> ast.TypeRef:
        assert isinstance(piece, Cst)
        base = piece.children[0]
        assert isinstance(base, Cst)
        optional = with_data(piece, "or_none") is not None
        span = self.span(piece)
        if base.data == "type_range":
            low, high = self.exprs(base.children)
            return ast.TypeRef("range", None, None, low, high, optional, span=span)
        if base.data == "type_set":
            return ast.TypeRef("set", self.name(base.children[0]), None, None, None, optional, span=span)
        of = self.name(base.children[1]) if len(base.children) > 1 else None
        return ast.TypeRef("name", self.name(base.children[0]), of, None, None, optional, span=span)

    def kind(self, piece: Cst) -> ast.KindDeclaration:
        name, count, *_ = piece.children
        assert isinstance(count, Cst)
        amount: ast.Expr | None = None
        copies: ast.Expr | None = None
        each_of: ast.Name | None = None
        if count.data == "count_copies":
            copies, each_of = self._copies(count.children[0]), self.name(count.children[1])
        else:
            amount = self.expr(count.children[0])
            if count.data == "count_each":
                each_of = self.name(count.children[1])
        named = with_data(piece, "named")
        return ast.KindDeclaration(
            self.name(name),
            amount,
            count.data == "count_each" and each_of is not None and each_of.text == "Player",
            copies,
            each_of,
            self.fields(piece),
            None if named is None else self.text(named.children[0]),
            self.shown(piece),
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def _copies(self, piece: Piece) -> ast.Expr:
        """How many of each: a number, a name, or anything in brackets."""
        assert isinstance(piece, Cst)
        span = self.span(piece)
        if piece.data == "name":
            return ast.NamedThing(self.name(piece), span=span)
        inner = piece.children[0]
        if isinstance(inner, Token):
            return ast.Number(self.number(inner), span=span)
        return ast.Bracketed(self.expr(inner), span=span)

    def board(self, piece: Cst) -> ast.BoardDeclaration:
        children = piece.children
        name, space = self.name(children[0]), self.name(children[1])
        span, doc = self.span(piece), self.doc(piece)
        if piece.data == "board_file":
            path = self.plain(children[2])
            return ast.BoardDeclaration(name, space, path, None, (), self.span(children[2]), span=span, doc=doc)
        family, size = self.name(children[2]), self.exprs(children[3:])
        return ast.BoardDeclaration(name, space, None, family, size, None, span=span, doc=doc)

    def zone(self, piece: Cst) -> ast.ZoneDeclaration:
        each_of, seen_by, at_most = (with_data(piece, data) for data in ("each_of", "seen_by", "at_most_pieces"))
        names = [child for child in _cst(piece.children) if child.data == "name"]
        return ast.ZoneDeclaration(
            self.name(names[0]),
            None if each_of is None else self.name(each_of.children[0]),
            self.name(names[1]),
            with_data(piece, "ordered") is not None,
            None if seen_by is None else self.name(seen_by.children[0]),
            None if at_most is None else self.expr(at_most.children[0]),
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def roster(self, piece: Cst) -> ast.RosterDeclaration:
        each_of, seen_by, copies = (with_data(piece, data) for data in ("each_of", "seen_by", "up_to_each"))
        assert each_of is not None
        names = [child for child in _cst(piece.children) if child.data == "name"]
        lines = _cst(piece.children)
        says = [child.children[0] for child in lines if child.data == "roster_says"]
        for again in [child for child in lines if child.data == "roster_begins"][1:]:
            self.sink.error("D110", "`begins as` stands here a second time", self.span(again))
        return ast.RosterDeclaration(
            self.name(names[0]),
            self.name(each_of.children[0]),
            self.name(names[1]),
            None if seen_by is None else self.name(seen_by.children[0]),
            None if copies is None else self.expr(copies.children[0]),
            tuple(self.name(name) for listed in _cst(says) for name in listed.children),
            tuple(self._roster_begins(child) for child in lines if child.data == "roster_begins"),
            tuple(
                ast.RosterNeed(self.expr(child.children[0]), self._reason(child.children[1:]), span=self.span(child))
                for child in lines
                if child.data == "roster_needs"
            ),
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def _roster_begins(self, piece: Cst) -> ast.RosterBegins:
        amount = with_data(piece, "begins_each")
        return ast.RosterBegins(
            self.things(piece.children[0]),
            None if amount is None else self.expr(amount.children[0]),
            span=self.span(piece),
        )

    def track(self, piece: Cst) -> ast.TrackDeclaration:
        name, *rest = _cst(piece.children)
        each_of = with_data(piece, "each_of")
        marks = [child for child in rest if child.data == "mark"]
        low, high, *start = [child for child in rest if child.data not in ("mark", "each_of")]
        return ast.TrackDeclaration(
            self.name(name),
            None if each_of is None else self.name(each_of.children[0]),
            self.expr(low),
            self.expr(high),
            self.expr(start[0]) if start else None,
            tuple(self._mark(mark) for mark in marks),
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def _mark(self, piece: Cst) -> ast.Mark:
        name, *steps = piece.children
        return ast.Mark(self.name(name), tuple(self.number(step) for step in steps), span=self.span(piece))

    # ------------------------------------------------------------------------------------------ shapes

    def shapes(self, piece: Cst) -> ast.ShapesDeclaration | None:
        """The shapes that are drawn, or None where no drawing could be read."""
        name, *rest = piece.children
        drawings = tuple(self._drawing(child) for child in _cst(rest) if len(child.children) > 1)
        if not drawings:
            return None
        return ast.ShapesDeclaration(self.name(name), drawings, span=self.span(piece), doc=self.doc(piece))

    def _drawing(self, piece: Cst) -> ast.Drawing:
        name, *rows = _cst(piece.children)
        return ast.Drawing(
            self.name(name), tuple(self._drawn(row) for row in rows), span=self.span(piece), doc=self.doc(piece)
        )

    def _drawn(self, piece: Cst) -> ast.DrawnRow:
        text = self.source.text[piece.start : piece.end]
        return ast.DrawnRow("".join(text.split()), span=self.span(piece))

    # ------------------------------------------------------------------------------------------ tables

    def table(self, piece: Cst) -> ast.TableDeclaration | None:
        name, shape, *rest = _cst(piece.children)
        rows = self.rows(rest[-1])
        if rows is None:
            return None
        match: Literal["first", "one"] | None = None
        if with_data(piece, "first_match") is not None:
            match = "first"
        elif with_data(piece, "one_match") is not None:
            match = "one"
        return ast.TableDeclaration(
            self.name(name),
            self.name(shape.children[0]) if shape.data == "makes" else None,
            () if shape.data == "makes" else self.parameters(shape),
            self.type(shape.children[1]) if shape.data == "gives" else None,
            shape.data == "does",
            match,
            rows[0],
            rows[1:],
            tuple(
                ast.Figure(self.name(child.children[0]), self.name(child.children[1]), span=self.span(child))
                for child in rest
                if child.data == "figure"
            ),
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def rows(self, piece: Cst) -> tuple[ast.Row, ...] | None:
        """The heading and the rows, or None where no heading could be read. Reports D110 and D210."""
        rows: list[ast.Row] = []
        for token in piece.children:
            assert isinstance(token, Token)
            row = self._row(token)
            if row is None:
                if not rows:
                    return None
                continue
            if is_separator_row(row):
                if not rows:
                    self.sink.error("D110", "expected a row of headings, found a line between rows", row.span)
                    return None
                continue
            if rows and len(row.cells) != len(rows[0].cells):
                columns = len(rows[0].cells)
                self.sink.error(
                    "D210",
                    f"this row has {_count(len(row.cells), 'cell')}, the table has {_count(columns, 'column')}",
                    row.span,
                    help="write `\\|` for a bar within a cell" if len(row.cells) > columns else None,
                )
                self.lost.add(canonical(row.cells[0].text))
                continue
            rows.append(row)
        return tuple(rows) if rows else None

    def _row(self, token: Token) -> ast.Row | None:
        cells, rest = row_cells(token.text)
        start = token.start
        if rest.text or not cells:
            end = self.source.span(start + rest.end, start + rest.end)
            self.sink.error("D110", "expected `|` at the end of the row", end)
            return None

        def place(cell: RowCell) -> ast.Cell:
            first = start + cell.start
            return ast.Cell(cell.text, offset=first, span=self.source.span(first, start + cell.end))

        return ast.Row(
            tuple(place(cell) for cell in cells),
            span=self.source.span(start, start + max(rest.start - 1, 1)),
            doc=self.doc(token),
        )

    # ------------------------------------------------------------------------------------------ values and the like

    def parameters(self, piece: Cst | None) -> tuple[ast.Parameter, ...]:
        """The parameters among the children of a node."""
        params = None if piece is None else with_data(piece, "params")
        if params is None:
            return ()
        return tuple(
            ast.Parameter(self.name(param.children[0]), self.type(param.children[1]), span=self.span(param))
            for param in _cst(params.children)
        )

    def value(self, piece: Cst) -> ast.ValueDeclaration:
        is_ = with_data(piece, "value_is")
        return ast.ValueDeclaration(
            self.name(piece.children[0]),
            self.parameters(piece),
            with_data(piece, "halves") is not None,
            None if is_ is None else self.expr(is_.children[0]),
            self.value_lines(piece),
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def value_lines(self, piece: Cst) -> tuple[ast.ValueLine, ...]:
        return tuple(self._value_line(child) for child in _cst(piece.children) if child.data in _VALUE_LINES)

    def _value_line(self, piece: Cst) -> ast.ValueLine:
        amount, *rest = piece.children
        condition, unless, per = (with_data(piece, data) for data in ("line_if", "line_unless", "line_per"))
        rounded = with_data(piece, "rounded")
        how: Literal["up", "down"] | None = None
        if rounded is not None:
            assert isinstance(rounded.children[0], Token)
            how = "up" if rounded.children[0].text.endswith("up") else "down"
        when = condition or unless
        return ast.ValueLine(
            _VALUE_LINES[piece.data],
            self.expr(amount),
            None if when is None else self.expr(when.children[0]),
            unless is not None,
            None if per is None else self.things(per.children[0]),
            how,
            self._reason(rest),
            span=self.span(piece),
        )

    def relation(self, piece: Cst) -> ast.RelationDeclaration:
        is_ = with_data(piece, "relation_is")
        return ast.RelationDeclaration(
            self.name(piece.children[0]),
            self.parameters(piece),
            None if is_ is None else self.expr(is_.children[0]),
            self.relation_lines(piece),
            span=self.span(piece),
            doc=self.doc(piece),
        )

    def relation_lines(self, piece: Cst) -> tuple[ast.RelationLine, ...]:
        return tuple(
            ast.RelationLine(
                _RELATION_LINES[child.data],
                self.expr(child.children[0]),
                self._reason(child.children[1:]),
                span=self.span(child),
            )
            for child in _cst(piece.children)
            if child.data in _RELATION_LINES
        )

    def effect(self, piece: Cst) -> ast.EffectDeclaration:
        name, body = self.name(piece.children[0]), self.block(piece.children[-1])
        return ast.EffectDeclaration(name, self.parameters(piece), body, span=self.span(piece), doc=self.doc(piece))

    # ------------------------------------------------------------------------------------------ change

    def names(self, piece: Piece) -> tuple[ast.Name, ...]:
        assert isinstance(piece, Cst)
        return tuple(self.name(child) for child in piece.children)

    def player_counts(self, piece: Cst) -> ast.PlayerCounts:
        """The numbers of a `players` line, and the names behind them."""
        counts = [
            [self.number(number) for number in child.children]
            for child in _cst(piece.children)
            if child.data == "player_count"
        ]
        listed = with_data(piece, "name_list")
        return ast.PlayerCounts(
            tuple((numbers[0], numbers[-1]) for numbers in counts),
            () if listed is None else self.names(listed),
            span=self.span(piece),
        )

    def patch(self, piece: Cst) -> ast.Patch | None:
        """One line or block of a variant or scenario that is not a declaration."""
        span = self.span(piece)
        children = piece.children
        match piece.data:
            case "excludes":
                unless = self.expr(children[1]) if len(children) > 1 else None
                return ast.Excludes(self.name(children[0]), unless, span=span)
            case "players":
                return ast.ForPlayers(self.player_counts(piece), span=span)
            case "preset":
                value = self.option_value(children[1]) if len(children) > 1 else True
                return ast.Preset(self.name(children[0]), value, span=span)
            case "modify":
                name = self.name(children[0])
                return ast.Modify(name, self.value_lines(piece), self.relation_lines(piece), span=span)
            case "before" | "after" | "instead":
                return self._around(piece)
            case "replace_rows" | "add_rows":
                rows = self.rows(_cst(children)[-1])
                if rows is None:
                    return None
                made = ast.ReplaceRows if piece.data == "replace_rows" else ast.AddRows
                return made(self.name(children[0]), rows[0], rows[1:], span=span)
        raise InternalError(f"no change is made of `{piece.data}`", "syntax")

    def _around(self, piece: Cst) -> ast.Around:
        target, body = piece.children
        assert isinstance(target, Cst)
        how = _AROUND[piece.data]
        span = self.span(piece)
        if target.data == "target_setup":
            return ast.Around(how, "setup", None, self.block(body), span=span)
        if target.data == "target_play":
            return ast.Around(how, "play", None, self.block(body), span=span)
        return ast.Around(how, "named", self.name(target.children[0]), self.block(body), span=span)

    def option_value(self, piece: Piece) -> ast.OptionValue:
        assert isinstance(piece, Cst)
        if piece.data == "name":
            return self.name(piece)
        if piece.data == "int":
            return self.number(piece)
        return piece.data == "yes"


def is_separator_row(row: ast.Row) -> bool:
    """Whether a row only draws a line."""
    return is_separator([cell.text for cell in row.cells])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
