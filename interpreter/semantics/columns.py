"""The columns of a table that makes a type: printed figures, and what happens.

A column is named by its header, which may say what its cells are (`points: value`). Without that the cells tell: all
numbers, all yes or blank, or all members of one type. A blank is 0, no or none. A cell that is not what the others are
is reported by its row and column, as a reader would look for it.

The columns headed by the members of a type may be one figure together (`arrow by Way`), and a cell may hold several
members of a type (`moves: set of Way`).

Columns of values, conditions and effects are functions of one input, the row; their cells may name the row's other
columns alone.

Invariant: every attribute has a value for each row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from attrs import define, field

from interpreter.diagnostics import Label, Span, did_you_mean
from interpreter.semantics.describe import in_words, plain_name
from interpreter.semantics.joined import Heading, heading_of
from interpreter.semantics.model import (
    Attribute,
    Block,
    Compare,
    Const,
    Expr,
    Figure,
    Function,
    Local,
    LocalRef,
    LookupCell,
    LookupRow,
    LookupTable,
    RowDomain,
)
from interpreter.semantics.reporter import phrase
from interpreter.semantics.scopes import Scope
from interpreter.semantics.statements import Statements
from interpreter.semantics.types import (
    FLAG,
    NUMBER,
    PLAYER,
    TEXT,
    DirectionType,
    DomainType,
    NumberType,
    PieceType,
    RowType,
    SetType,
    Type,
)
from interpreter.semantics.variables import Variables
from interpreter.source import SourceFile
from interpreter.syntax import ast, parse_effects, parse_expression

__all__ = ["Columns"]

_NUMBER = re.compile(r"-?\d+")
_WORDS = ("number", "flag", "text", "value", "relation", "effect")
_SET_OF = "set of "
_FLAGS = {"": 0, "no": 0, "yes": 1}


@define(eq=False)
class _Crossed:
    """A figure by a type, while the columns of its members are found."""

    name: ast.Name
    by: DomainType
    columns: dict[str, list[tuple[ast.Row, ast.Cell]]] = field(factory=dict)


class Columns(Statements, Variables):
    """Reads the columns of tables that make a type."""

    def source_of(self, cell: ast.Cell) -> SourceFile:
        """The file that a cell stands in."""
        found = self.names.files.get(cell.span.path)
        assert found is not None, cell.span.path
        return found

    def cell_expression(self, cell: ast.Cell) -> ast.Expr | None:
        return parse_expression(cell.text, self.source_of(cell), cell.offset, self.sink)

    def cell_effects(self, cell: ast.Cell) -> tuple[ast.Statement, ...] | None:
        return parse_effects(cell.text, self.source_of(cell), cell.offset, self.sink)

    # -- one table

    def read_columns(self, node: ast.TableDeclaration) -> None:
        """All columns of a table but the first."""
        assert node.makes is not None
        domain = self.names.rows.get(node.makes.text)
        if domain is None:
            return
        rows = self._rows(node, domain)
        figures = list(self._figures_of(node))
        figure_of: dict[str, _Crossed] = {}
        for one in figures:
            figure_of.update(dict.fromkeys(self.names.member_names(one.by), one))
        seen: dict[str, ast.Cell] = {}
        for at, cell in enumerate(node.header.cells[1:], 1):
            heading = heading_of(cell)
            if not heading.name:
                self.error("D282", "expected the name of the column", cell.span)
                continue
            if heading.name in seen:
                label = Label(seen[heading.name].span, "first here")
                self.error(
                    "D207", f"table `{node.name.text}` has two columns `{heading.name}`", cell.span, labels=(label,)
                )
                continue
            seen[heading.name] = cell
            cells = [(row, row.cells[at]) for row in rows]
            figure = figure_of.get(heading.name)
            if figure is None:
                self._column(domain, heading, cell, cells)
                continue
            figure.columns[heading.name] = cells
            if heading.type:
                help = "its cells tell what they hold, in all its columns together"
                self.error("D285", f"a column of `{figure.name.text}` names no type", cell.span, help=help)
        for figure in figures:
            self._figure(domain, figure)

    def _rows(self, node: ast.TableDeclaration, domain: RowDomain) -> list[ast.Row]:
        """The row of each member: the first of its name."""
        found: dict[str, ast.Row] = {}
        for row in node.rows:
            found.setdefault(plain_name(row.cells[0].text), row)
        return [found[name] for name in domain.members]

    def _column(
        self, domain: RowDomain, heading: Heading, head: ast.Cell, cells: list[tuple[ast.Row, ast.Cell]]
    ) -> None:
        if heading.type.startswith(_SET_OF):
            self._set_column(domain, heading, head, cells)
            return
        match heading.type:
            case "value" | "relation" | "effect":
                self._function(domain, heading, head, [cell for _, cell in cells])
                return
            case "number":
                type: Type | None = NUMBER
            case "flag":
                type = FLAG
            case "text":
                self._text_column(domain, heading, head, [cell for _, cell in cells])
                return
            case "":
                type = self._type_of_cells([cell for _, cell in cells])
            case _:
                type = self.names.domain(heading.type)
                if type is None:
                    known = [*_WORDS, *self.names.type_names()]
                    help = did_you_mean(heading.type, known)
                    self.error("D285", f"unknown type `{heading.type}` of a column", head.span, help=help)
                    self.names.broken.add(heading.name)
                    return
        if type is None:
            self._no_type(f"column `{heading.name}`", head.span, heading.name)
            self.names.broken.add(heading.name)
            return
        values = tuple(self._printed(heading.name, row, cell, type) for row, cell in cells)
        domain.attributes[heading.name] = Attribute(
            name=heading.name,
            key=RowType(name=domain.name),
            type=_narrowed(type, values),
            values=values,
            span=head.span,
        )

    def _no_type(self, what: str, span: Span, column: str = "") -> None:
        """Reports D283 for cells that tell nothing."""
        help = "expected numbers, `yes` or blanks, or the members of one type"
        if column:
            help += f"; or name what they are in the header, as in `{column}: value` or `{column}: text`"
        self.error("D283", f"the cells of {what} are of no type", span, help=help)

    # -- texts

    def _text_column(self, domain: RowDomain, heading: Heading, head: ast.Cell, cells: list[ast.Cell]) -> None:
        """Cells that are shown to people as they stand."""
        texts = self.names.texts
        domain.attributes[heading.name] = Attribute(
            name=heading.name,
            key=RowType(name=domain.name),
            type=TEXT,
            values=tuple(texts.setdefault(_text_of(cell), len(texts)) for cell in cells),
            span=head.span,
        )

    # -- several members in a cell

    def _set_column(
        self, domain: RowDomain, heading: Heading, head: ast.Cell, cells: list[tuple[ast.Row, ast.Cell]]
    ) -> None:
        name = heading.type.removeprefix(_SET_OF)
        element = self._type_with_members(name)
        if element is None:
            help = did_you_mean(name, self.names.type_names())
            self.error("D285", f"unknown type `{name}` of a column of sets", head.span, help=help)
            self.names.broken.add(heading.name)
            return
        values = tuple(self._members(heading, row, cell, element) for row, cell in cells)
        domain.attributes[heading.name] = Attribute(
            name=heading.name,
            key=RowType(name=domain.name),
            type=SetType(element=element),
            values=values,
            span=head.span,
        )

    def _type_with_members(self, name: str) -> DomainType | None:
        """A type whose members have names before play; `direction` where there is one board."""
        boards = list(self.names.boards.values())
        if name == "direction" and len(boards) == 1:
            return DirectionType(name=boards[0].name)
        found = self.names.domain(name)
        return None if isinstance(found, PieceType) else found

    def _members(self, heading: Heading, row: ast.Row, cell: ast.Cell, element: DomainType) -> int:
        """The members that a cell names, as a bit set."""
        found = 0
        where = f"in row `{plain_name(row.cells[0].text)}`, column `{heading.name}`"
        for text in map(plain_name, cell.text.split(",") if plain_name(cell.text) not in ("", "none") else ()):
            index = self.names.member(element, text)
            if index is None:
                help = did_you_mean(text, self.names.member_names(element))
                said = f"`{text}`" if text else "nothing"
                self.error("D283", f"expected {in_words(element)} {where}, found {said}", cell.span, help=help)
            elif found >> index & 1:
                self.error("D283", f"`{text}` stands twice {where}", cell.span)
            else:
                found |= 1 << index
        return found

    # -- columns that belong together

    def _figures_of(self, node: ast.TableDeclaration) -> Iterator[_Crossed]:
        """The figures that a table declares by a type."""
        seen: dict[DomainType, ast.Figure] = {}
        for figure in node.figures:
            by = self._type_with_members(figure.by.text)
            if by is None:
                self.unknown("type", figure.by.text, figure.by.span, self.names.type_names(), code="D213")
                self.names.broken.add(figure.name.text)
            elif by in seen:
                label = Label(seen[by].span, "first here")
                message = f"the columns of `{figure.by.text}` are figure `{seen[by].name.text}` already"
                self.error("D207", message, figure.span, labels=(label,))
                self.names.broken.add(figure.name.text)
            else:
                seen[by] = figure
                yield _Crossed(figure.name, by)

    def _figure(self, domain: RowDomain, figure: _Crossed) -> None:
        name = figure.name.text
        members = self.names.member_names(figure.by)
        missing = [member for member in members if member not in figure.columns]
        before = domain.attributes.get(name) or domain.functions.get(name) or domain.figures.get(name)
        if missing:
            message = f"figure `{name}` has no column for {phrase(missing)}"
            help = f"a table has one column for each member of `{figure.by.name}`; a blank cell is 0 or none"
            self.error("D286", message, figure.name.span, help=help)
        elif before is not None:
            labels = () if before.span is None else (Label(before.span, "first here"),)
            message = f"table `{domain.tables[0].name}` has a column `{name}` already"
            self.error("D207", message, figure.name.span, labels=labels)
        else:
            rows = list(zip(*(figure.columns[member] for member in members), strict=True))
            type = self._type_of_cells([cell for row in rows for _, cell in row])
            if type is not None:
                values = tuple(
                    self._printed(member, of, cell, type)
                    for row in rows
                    for member, (of, cell) in zip(members, row, strict=True)
                )
                domain.figures[name] = Figure(
                    name=name,
                    key=RowType(name=domain.name),
                    by=figure.by,
                    type=_narrowed(type, values),
                    values=values,
                    span=figure.name.span,
                )
                return
            self._no_type(f"figure `{name}`", figure.name.span)
        self.names.broken.add(name)

    def _type_of_cells(self, cells: list[ast.Cell]) -> Type | None:
        """What most of the filled cells are; None where they tell nothing."""
        filled = [cell.text for cell in cells if cell.text]
        if not filled:
            return NUMBER
        numbers = sum(_NUMBER.fullmatch(text) is not None for text in filled)
        flags = sum(text in _FLAGS for text in filled)
        if numbers * 2 > len(filled):
            return NUMBER
        if flags * 2 > len(filled):
            return FLAG
        best: tuple[int, DomainType] | None = None
        for type in (PLAYER, *map(self.names.domain, [*self.names.enums, *self.names.rows, *self.names.spaces])):
            if type is None:
                continue
            hits = sum(self.names.member(type, plain_name(text)) is not None for text in filled)
            if hits * 2 > len(filled) and (best is None or hits > best[0]):
                best = (hits, type)
        return best[1] if best is not None else None

    def _printed(self, column: str, row: ast.Row, cell: ast.Cell, type: Type) -> int:
        """What is printed in a cell."""
        text = plain_name(cell.text)
        if isinstance(type, NumberType):
            if not text:
                return 0
            if _NUMBER.fullmatch(text):
                return int(text)
        elif isinstance(type, DomainType):
            if not text or text == "none":
                return -1
            index = self.names.member(type, text)
            if index is not None:
                return index
        elif text in _FLAGS:
            return _FLAGS[text]
        where = f"in row `{plain_name(row.cells[0].text)}`, column `{column}`"
        help = did_you_mean(text, self.names.member_names(type)) if isinstance(type, DomainType) else None
        expected = "yes, no or a blank" if type == FLAG else in_words(type)
        found = f"`{cell.text}`" if cell.text else "nothing"
        self.error("D283", f"expected {expected} {where}, found {found}", cell.span, help=help)
        return 0

    # -- columns that are worked out or carried out

    def _function(self, domain: RowDomain, heading: Heading, head: ast.Cell, cells: list[ast.Cell]) -> None:
        row = Local(name="it", type=RowType(name=domain.name), span=head.span)
        result: Type | None = {"value": NUMBER, "relation": FLAG}.get(heading.type)
        function = Function(
            name=heading.name,
            form="table",
            parameters=(row,),
            result=result,
            span=head.span,
        )
        domain.functions[heading.name] = function
        reader: Callable[[ast.Cell, Local], LookupCell] = {
            "value": self._value_cell,
            "relation": self._relation_cell,
        }.get(heading.type, self._effect_cell)

        def finish() -> None:
            rows = tuple(
                LookupRow(condition=_is_row(row, index, cell), cells=(reader(cell, row),), span=cell.span)
                for index, cell in enumerate(cells)
            )
            function.table = LookupTable(match="one", columns=(None,), rows=rows, span=head.span)

        self.names.unfinished[id(function)] = finish

    def _value_cell(self, cell: ast.Cell, row: Local) -> LookupCell:
        node = self.cell_expression(cell) if cell.text else None
        if node is None:
            return LookupCell(value=_constant(NUMBER, cell), span=cell.span)
        return LookupCell(value=self.number(node, Scope(candidate=row)), span=cell.span)

    def _relation_cell(self, cell: ast.Cell, row: Local) -> LookupCell:
        node = self.cell_expression(cell) if cell.text else None
        if node is None:
            return LookupCell(value=_constant(FLAG, cell), span=cell.span)
        return LookupCell(value=self.condition(node, Scope(candidate=row)), span=cell.span)

    def _effect_cell(self, cell: ast.Cell, row: Local) -> LookupCell:
        self.parameters_to_fill = (row,)
        body = self.effects_in(cell, Scope(candidate=row))
        self.parameters_to_fill = ()
        return LookupCell(body=body, span=cell.span)

    def effects_in(self, cell: ast.Cell, scope: Scope) -> Block:
        """What happens by a cell of effects; nothing for a blank or a dash."""
        nodes = self.cell_effects(cell) if cell.text not in ("", "-", "–", "—") else ()
        inside = scope.inner()
        statements = [made for node in nodes or () for made in self.statement(node, inside)]
        return Block(statements=tuple(statements), span=cell.span)


def _text_of(cell: ast.Cell) -> str:
    """The text of a cell, with single blanks, and without the quotes that may stand around it."""
    text = " ".join(cell.text.split())
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1] else text


def _narrowed(type: Type, values: tuple[int, ...]) -> Type:
    """The type of cells with the bounds of what is printed in them."""
    if isinstance(type, NumberType):
        return NumberType(low=min(values), high=max(values))
    return type.or_none() if isinstance(type, DomainType) and -1 in values else type


def _constant(type: Type, cell: ast.Cell) -> Const:
    return Const(type=NumberType(low=0, high=0) if isinstance(type, NumberType) else type, value=0, span=cell.span)


def _is_row(row: Local, index: int, cell: ast.Cell) -> Expr:
    left = LocalRef(local=row, type=row.type, span=cell.span)
    right = Const(type=row.type, value=index, span=cell.span)
    return Compare(op="=", left=left, right=right, type=FLAG, span=cell.span)
