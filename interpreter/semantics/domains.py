"""Types as written, and the declarations that make them: enums, tables that make a type, kinds, boards.

They are understood in that order, since each may name those before it: a kind has so many of each member of an enum,
a board has a size that an option gives. Columns of tables come later (`columns`): they may speak of anything.

Invariant: a domain that is left out after a report stands in `names.broken`, so that nothing is reported for want of
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from interpreter.boards import (
    MAX_SPACES,
    AttributeType,
    Board,
    Value,
    hex_grid,
    load_board,
    open_grid,
    path,
    ring,
    square_grid,
)
from interpreter.boards.plane import DEFAULT_SIZE, LEAST_SIZE
from interpreter.diagnostics import Diagnostic, Diagnostics, Label, did_you_mean
from interpreter.semantics.describe import plain_name
from interpreter.semantics.drawings import read_drawing
from interpreter.semantics.expressions import Expressions
from interpreter.semantics.fit import is_error
from interpreter.semantics.joined import Joined
from interpreter.semantics.model import Attribute, BoardUse, EnumDomain, Kind, Local, RowDomain, RowTable
from interpreter.semantics.types import (
    ERROR,
    FLAG,
    NUMBER,
    PLAYER,
    DirectionType,
    DomainType,
    EnumType,
    NumberType,
    PieceType,
    RowType,
    SetType,
    SpaceType,
    Type,
)
from interpreter.source import library_folder
from interpreter.syntax import ast

__all__ = ["Types"]

MOST_PIECES = 4096
"""Most pieces of one kind."""


class Types(Expressions):
    """Reads types and the declarations that make them."""

    folders: dict[str, Path]
    """The folder of each file by its shown path: board files are looked for from there."""
    board_files: dict[Path, tuple[Board | None, tuple[Diagnostic, ...]]]
    """Board files read before, with what was found in them."""

    # -- types as written

    def type_of(self, ref: ast.TypeRef) -> Type:
        """The type that is written; an error type after a report."""
        match ref.kind:
            case "range":
                found = self._range(ref)
            case "set":
                element = self._named_type(ref)
                found = element if is_error(element) else SetType(element=element)
            case _:
                found = self._named_type(ref)
        return found.or_none() if ref.optional and not is_error(found) else found

    def _range(self, ref: ast.TypeRef) -> Type:
        assert ref.low is not None and ref.high is not None
        low = self.constant(ref.low, "the first number of a range")
        high = self.constant(ref.high, "the last number of a range")
        if low is None or high is None:
            return ERROR
        if low > high:
            self.error("D232", f"`{low}..{high}` holds nothing: the first number is the higher", ref.span)
            return ERROR
        return NumberType(low=low, high=high)

    def _named_type(self, ref: ast.TypeRef) -> Type:
        assert ref.name is not None
        name = ref.name.text
        match name:
            case "number":
                return NUMBER
            case "flag":
                return FLAG
            case "direction" | "space":
                board = self._board(ref)
                if board is None:
                    return ERROR
                return DirectionType(name=board.name) if name == "direction" else SpaceType(name=board.space)
        found = self.names.domain(name)
        if found is not None:
            return found
        if name in self.names.tables:
            domain, table = self.names.tables[name]
            rows = "its rows are the members" if table.count == len(domain.members) else "its rows are members"
            help = f"{rows} of `{domain.name}`"
            self.error("D213", f"`{name}` is a table, expected a type", ref.name.span, help=help)
            return ERROR
        if name in self.names.places and name not in self.names.broken:
            labels = self.declared_here(name)
            self.error("D213", f"`{name}` is not a type", ref.name.span, labels=labels)
            return ERROR
        if name == "text":
            help = "a column of a table that makes a type may hold texts, as in `title: text`"
            self.error("D213", "texts are printed in tables, and kept nowhere else", ref.name.span, help=help)
            return ERROR
        known = ["number", "flag", "direction", "space", *self.names.type_names()]
        self.unknown("type", name, ref.name.span, known, code="D213")
        return ERROR

    def _board(self, ref: ast.TypeRef) -> BoardUse | None:
        """The board that a direction or space belongs to."""
        boards = self.names.boards
        if ref.of is None:
            if len(boards) == 1:
                return next(iter(boards.values()))
            if not self.names.broken:
                self.error("D213", "expected the name of a board", ref.span, help="write `direction of BOARD`")
            return None
        if ref.of.text in boards:
            return boards[ref.of.text]
        self.unknown("board", ref.of.text, ref.of.span, boards)
        return None

    # -- domains

    def read_enum(self, node: ast.EnumDeclaration) -> None:
        members = self._distinct(node.members, f"enum `{node.name.text}`")
        name = node.name.text
        first = 0 if node.first is None else node.first
        self.names.enums[name] = EnumDomain(
            name=name, members=members, first=first, span=node.name.span, doc=node.doc, clockwise=node.clockwise
        )
        self.names.add_members(EnumType(name=name), members)

    def read_shapes(self, node: ast.ShapesDeclaration) -> None:
        """A type whose members are drawn."""
        name = node.name.text
        members = self._distinct((drawing.name for drawing in node.drawings), f"shapes `{name}`")
        drawings = {drawing.name.text: drawing for drawing in reversed(node.drawings)}
        shapes = tuple(read_drawing(self, drawings[member]) for member in members)
        self.names.enums[name] = EnumDomain(
            name=name, members=members, first=0, span=node.name.span, doc=node.doc, shapes=shapes
        )
        self.names.add_members(EnumType(name=name), members)

    def _distinct(self, members: Iterable[ast.Name], owner: str) -> tuple[str, ...]:
        seen: dict[str, ast.Name] = {}
        for member in members:
            if member.text in seen:
                label = Label(seen[member.text].span, "first here")
                self.error("D207", f"{owner} has `{member.text}` twice", member.span, labels=(label,))
            seen.setdefault(member.text, member)
        return tuple(seen)

    def read_rows(self, joined: Joined) -> None:
        """The type that tables make, with the names of their rows; the columns come later."""
        whole = joined.whole
        assert whole.makes is not None
        type = whole.makes.text
        seen: dict[str, tuple[ast.TableDeclaration, ast.Cell]] = {}
        tables: list[RowTable] = []
        for node in joined.parts:
            first = len(seen)
            for row in node.rows:
                self._read_row(node, row.cells[0], seen)
            name = node.name.text
            if len(seen) == first:
                self.error("D208", f"`{type}` has no members: table `{name}` has no rows", node.name.span)
                self.names.broken.update((type, name))
                continue
            tables.append(RowTable(name=name, first=first, count=len(seen) - first, span=node.name.span, doc=node.doc))
        if not tables:
            return
        domain = RowDomain(
            name=type,
            tables=tuple(tables),
            members=tuple(seen),
            attributes={},
            functions={},
            row_spans=tuple(cell.span for _, cell in seen.values()),
            span=whole.name.span,
            doc=whole.doc,
        )
        self.names.tables.update({table.name: (domain, table) for table in tables})
        self.names.rows[type] = domain
        self.names.add_members(RowType(name=type), tuple(seen))

    def _read_row(
        self, node: ast.TableDeclaration, cell: ast.Cell, seen: dict[str, tuple[ast.TableDeclaration, ast.Cell]]
    ) -> None:
        """The name of a row, which no other row of its type has."""
        name = plain_name(cell.text)
        if not name:
            self.error("D283", "expected the name of the row", cell.span)
        elif name in seen:
            table, before = seen[name]
            message = f"table `{node.name.text}` has the row `{name}` twice"
            if table is not node:
                message = f"`{name}` is a row of table `{table.name.text}` already"
            self.error("D281", message, cell.span, labels=(Label(before.span, "first here"),))
        else:
            seen[name] = (node, cell)

    def read_kind(self, node: ast.KindDeclaration) -> None:
        name = node.name.text
        type = PieceType(name=name)
        attributes: dict[str, Attribute] = {}
        players = len(self.names.players)
        if node.copies is not None and node.each_of is not None:
            each = self.names.domain(node.each_of.text)
            size = self.names.size(each) if each is not None else None
            if each is None or size is None:
                self.unknown("type", node.each_of.text, node.each_of.span, self.names.type_names(), code="D213")
                self.names.broken.add(name)
                return
            copies = self.constant(node.copies, "the number of pieces")
            if copies is None:
                self.names.broken.add(name)
                return
            count: int | None = copies * size
            attribute = node.each_of.text[:1].lower() + node.each_of.text[1:]
            most = min(copies, MOST_PIECES)
            values = tuple(index for index in range(size) for _ in range(most))
            key = "owner" if each == PLAYER else attribute
            attributes[key] = Attribute(name=key, key=type, type=each, values=values, span=node.each_of.span)
        else:
            assert node.count is not None
            count = self.constant(node.count, "the number of pieces")
            if node.per_player and count is not None:
                values = tuple(index for index in range(players) for _ in range(count))
                attributes["owner"] = Attribute(name="owner", key=type, type=PLAYER, values=values, span=node.name.span)
                count *= players
        if count is None:
            self.names.broken.add(name)
            return
        if not 1 <= count <= MOST_PIECES:
            message = f"{count} pieces `{name}` in the box, expected 1 to {MOST_PIECES}"
            written = node.count or node.copies
            self.error("D206", message, written.span if written is not None else node.name.span)
            self.names.broken.add(name)
            return
        self.names.kinds[name] = Kind(
            name=name,
            count=count,
            attributes=attributes,
            fields={},
            named=None,
            named_local=Local(name="it", type=type, span=node.name.span),
            alike=True,
            span=node.name.span,
            doc=node.doc,
        )

    # -- boards

    def read_board(self, node: ast.BoardDeclaration) -> None:
        name, space = node.name.text, node.space.text
        board = self._from_file(node) if node.path is not None else self._from_family(node)
        if board is None:
            self.names.broken.update((name, space))
            return
        use = BoardUse(name=name, space=space, board=board, attributes={}, span=node.name.span, doc=node.doc)
        self.names.boards[name] = use
        self.names.spaces[space] = use
        self.names.add_members(SpaceType(name=space), tuple(place.name for place in board.spaces))
        self.names.add_members(DirectionType(name=name), board.directions)

    def read_board_attributes(self, use: BoardUse) -> None:
        """The figures of spaces and links; words that no type has become members of a type of their own."""
        key = SpaceType(name=use.space)
        for name, written in use.board.attributes.items():
            type = self._attribute_type(use, name, written)
            values = tuple(self._attribute_value(type, space.attributes.get(name)) for space in use.board.spaces)
            use.attributes[name] = Attribute(name=name, key=key, type=type, values=values, span=use.board.span)
        for name, written in use.board.link_attributes.items():
            self.names.link_types[use.name, name] = self._attribute_type(use, f"link {name}", written)

    def _attribute_type(self, use: BoardUse, name: str, written: AttributeType) -> Type:
        match written.kind:
            case "number":
                return NumberType(optional=written.optional, low=written.low, high=written.high)
            case "flag":
                return FLAG
            case "space":
                return SpaceType(name=use.space, optional=written.optional)
        declared = [
            type
            for type in (PLAYER, *map(self.names.domain, [*self.names.enums, *self.names.rows]))
            if type is not None and set(written.words) <= set(self.names.member_names(type))
        ]
        if len(declared) == 1:
            return declared[0].or_none() if written.optional else declared[0]
        made = EnumType(name=f"{use.name} {name}")
        self.names.hidden.add(made)
        self.names.enums[made.name] = EnumDomain(name=made.name, members=written.words, first=0, span=use.span)
        self.names.add_members(made, written.words)
        return made.or_none() if written.optional else made

    def _attribute_value(self, type: Type, value: Value) -> int:
        if value is None:
            return -1
        if isinstance(value, str):
            assert isinstance(type, DomainType)
            index = self.names.member(type, value)
            return -1 if index is None else index
        return int(value)

    def _from_file(self, node: ast.BoardDeclaration) -> Board | None:
        assert node.path is not None
        span = node.path_span or node.span
        files = self.names.files
        base = self.folders.get(node.span.path, self.names.folder)
        found = files.resolve(base, node.path, Diagnostics(), span)
        if found is None:
            library = library_folder("boards")
            in_library = library / node.path
            found = files.resolve(library if in_library.is_file() else base, node.path, self.sink, span)
        if found is None:
            return None
        if found not in self.board_files:
            sink = Diagnostics()
            self.board_files[found] = (load_board(found, sink, span=span, files=files), tuple(sink))
        board, findings = self.board_files[found]
        self.sink.extend(findings)
        return board

    def _from_family(self, node: ast.BoardDeclaration) -> Board | None:
        assert node.family is not None
        sizes = [self.constant(size, "the size of a board") for size in node.size]
        family = node.family.text
        if family not in _FAMILIES:
            notes = ("families: " + ", ".join(f"`{known}`" for known in _FAMILIES),)
            help = did_you_mean(family, _FAMILIES)
            self.error("D272", f"unknown family of boards `{family}`", node.family.span, notes=notes, help=help)
            return None
        numbers, is_needed = _FAMILIES[family]
        if len(sizes) != numbers and (sizes or is_needed):
            wanted = "`COLUMNS by ROWS`" if numbers == 2 else "one number of spaces"
            self.error("D271", f"expected {wanted} for {_with_article(family)}", node.family.span)
            return None
        if None in sizes:
            return None
        known = [size for size in sizes if size is not None] or [DEFAULT_SIZE, DEFAULT_SIZE]
        return self._made(family, known, node)

    def _made(self, family: str, size: list[int], node: ast.BoardDeclaration) -> Board | None:
        """The board of a family in a size, or None after a report of D271."""
        name, columns, rows = node.name.text, size[0], size[-1]
        spaces = columns * rows if len(size) == 2 else columns
        least = {"ring": 3, "open grid": LEAST_SIZE**2}.get(family, 1)
        written = " by ".join(str(number) for number in size)
        what = f"{_with_article(family)} of {written} spaces"
        if family == "open grid" and min(size) < LEAST_SIZE:
            help = "it is as large as is needed at once, not as the table"
            message = f"{what}, expected at least {LEAST_SIZE} by {LEAST_SIZE}"
            self.error("D271", message, node.size[0].span, help=help)
            return None
        if min(size) < 1 or not least <= spaces <= MAX_SPACES:
            self.error("D271", f"{what}, expected {least} to {MAX_SPACES}", node.size[0].span)
            return None
        match family:
            case "square grid":
                return square_grid(columns, rows, name)
            case "hex grid":
                return hex_grid(columns, rows, name)
            case "open grid":
                return open_grid(columns, rows, name)
            case "path":
                return path(columns, name)
            case _:
                return ring(columns, name)


_FAMILIES: dict[str, tuple[int, bool]] = {
    "square grid": (2, True),
    "hex grid": (2, True),
    "open grid": (2, False),
    "path": (1, True),
    "ring": (1, True),
}
"""How many numbers the size of a board has, and whether it must be given."""


def _with_article(family: str) -> str:
    return f"an {family}" if family[0] in "aeiou" else f"a {family}"
