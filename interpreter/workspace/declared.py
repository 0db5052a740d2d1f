"""What the rules say about a name: the declaration as resolved, with file and line of each part.

One description serves `dsl show`, the help in play, and an editor's hover. Tables and boards are drawn, values are
listed line by line with the variant that added a line, phases and effects are quoted. Names are found as a reader
would type them: in any case, with `_` for a space, the nearest offered when none fits.

Invariant: every line that comes from a file ends in its place, `path:line`, taken from the span and from nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from attrs import field, frozen

from interpreter.boards import draw
from interpreter.diagnostics import Span, did_you_mean
from interpreter.semantics.describe import member_names, plain_name
from interpreter.semantics.model import (
    Attribute,
    BoardUse,
    Const,
    EnumDomain,
    Expr,
    Function,
    Game,
    Kind,
    LookupTable,
    OptionUse,
    Roster,
    RowDomain,
    Shape,
    Understood,
    Variable,
    VariantUse,
    Zone,
)
from interpreter.semantics.project import Project
from interpreter.semantics.types import FlagType, NumberType, RowType, SetType, TextType, Type
from interpreter.source import Files
from interpreter.workspace.pictures import printed_row, row_pictures

__all__ = [
    "Declared",
    "Reader",
    "declared_names",
    "describe_named",
    "find_declared",
    "is_named",
    "project_reader",
    "text_reader",
    "type_text",
]

Declared: TypeAlias = BoardUse | EnumDomain | Function | Kind | OptionUse | RowDomain | Variable | VariantUse | Zone
"""Anything a reader may ask about."""

_WIDEST = 44


@frozen
class Reader:
    """The texts behind spans."""

    files: Files | None
    variants: Mapping[str, Span] = field(factory=dict)
    """For each variant and scenario, all of its lines."""

    def text(self, span: Span) -> str:
        """The text of a place, or "" where the file is not at hand."""
        source = None if self.files is None else self.files.get(span.path)
        if source is None or span.end.line > source.line_count:
            return ""
        start = source.line_starts[span.start.line - 1] + span.start.column - 1
        end = source.line_starts[span.end.line - 1] + span.end.column - 1
        return source.text[start:end]

    def line(self, span: Span, offset: int = 0) -> str:
        """The line where a place begins, or one after it."""
        found = None if self.files is None else self.files.line_text(span.path, span.start.line + offset)
        return found or ""

    def place(self, span: Span) -> str:
        """`path:line`."""
        return f"{span.path}:{span.start.line}"


def text_reader(files: Files | None) -> Reader:
    """A reader for the files of a game."""
    return Reader(files)


def project_reader(files: Files, project: Project) -> Reader:
    """A reader that also knows which lines are those of a variant."""
    changes = (*project.variants, *project.scenarios)
    return Reader(files, {node.name.text: node.span for node in changes})


def find_declared(game: Game, name: str) -> list[Declared]:
    """Everything of that name; more than one where a table and the type it makes share it, or fields do."""
    return [thing for each, thing in _all(game) if _plain(each) == _plain(name)]


def is_named(game: Game, name: str) -> bool:
    """Whether anything is called so: a declaration, or a member of a type."""
    return bool(find_declared(game, name)) or any(_plain(each) == _plain(name) for each in _members(game))


def declared_names(game: Game) -> list[str]:
    """Every name that `find_declared` knows."""
    return sorted({name for name, _ in _all(game)})


def describe_named(game: Game, name: str, reader: Reader, *, drawn: bool = False) -> Iterator[str]:
    """What the rules say about a name, that of a member of a type too; or the nearest name.

    A row of printed cards comes with its picture; `drawn` says that lines may be used that a typewriter has not.
    """
    said = [list(describe(game, thing, reader)) for thing in find_declared(game, name)]
    said += _described_members(game, name, reader, drawn)
    if not said:
        offer = did_you_mean(name, [*declared_names(game), *_members(game)])
        yield f"nothing is called `{name}`" + (f"; {offer}" if offer else "")
    for number, lines in enumerate(said):
        if number:
            yield ""
        yield from lines


def describe(game: Game, thing: Declared, reader: Reader) -> Iterator[str]:
    """One declared thing in lines."""
    yield f"{_head(game, thing)}    {reader.place(thing.span)}"
    docs = [table.doc for table in thing.tables] if isinstance(thing, RowDomain) else [thing.doc]
    yield from (f"    ## {line}" for doc in docs if doc for line in doc.strip().split("\n"))
    match thing:
        case Function():
            yield from _function(game, thing, reader)
        case RowDomain():
            yield from _rows(game, thing, reader)
        case Kind():
            yield from _kind(game, thing, reader)
        case BoardUse():
            yield from _board(game, thing)
        case EnumDomain():
            for number, member in enumerate(thing.members):
                yield f"    {thing.first + number if thing.first else number}  {member}"
                if thing.shapes:
                    yield from (f"        {line}" for line in _drawn(thing.shapes[number]))
        case OptionUse():
            yield f"    in force: {option_value(thing, thing.value)}"
            yield f"    default: {option_value(thing, thing.default)}"
            yield f"    may be: {option_domain(thing)}"
        case VariantUse():
            yield f"    {'in force' if thing.active else 'not in force'}"
            yield from _quoted(reader.variants.get(thing.name, thing.span), reader)
        case Variable(roster=roster) if roster is not None:
            yield from _roster(roster, reader)
        case Variable():
            if thing.marks:
                yield from (f"    {mark} at {', '.join(map(str, steps))}" for mark, steps in thing.marks.items())


def _all(game: Game) -> Iterator[tuple[str, Declared]]:
    groups: Sequence[dict[str, Function] | dict[str, RowDomain] | dict[str, Kind] | dict[str, BoardUse]
                     | dict[str, EnumDomain] | dict[str, Zone] | dict[str, OptionUse] | dict[str, VariantUse]] = (
        game.functions, game.rows, game.kinds, game.boards, game.enums, game.zones, game.options, game.variants,
    )  # fmt: skip
    for group in groups:
        yield from group.items()
    for row in game.rows.values():
        yield from ((table.name, row) for table in row.tables)
        yield from row.functions.items()
    for use in game.boards.values():
        yield use.space, use
    for variable in game.variables:
        yield variable.name, variable


def _plain(name: str) -> str:
    return plain_name(name).casefold()


def _members(game: Game) -> Iterator[str]:
    """The names of rows, of members of enums and of spaces."""
    for rows in game.rows.values():
        yield from rows.members
    for enum in game.enums.values():
        yield from enum.members
    for use in game.boards.values():
        yield from (space.name for space in use.board.spaces)


def _described_members(game: Game, name: str, reader: Reader, drawn: bool) -> Iterator[list[str]]:
    """A row with its figures, a member of an enum, a space with its attributes."""
    for rows in game.rows.values():
        for at, member in enumerate(rows.members):
            if _plain(member) == _plain(name):
                lines = [f"{rows.name} {member}    {reader.place(rows.row_spans[at])}"]
                lines += _picture(game, rows, at, drawn)
                lines += _figures(game, rows.attributes, at)
                for figure in rows.figures.values():
                    names = member_names(game, figure.by)
                    values = figure.values[at * len(names) : (at + 1) * len(names)]
                    said = (
                        f"{by} {_printed(game, figure.type, value)}" for by, value in zip(names, values, strict=True)
                    )
                    lines.append(f"    {figure.name}: {', '.join(said)}")
                lines += [f"    {key}: {_column(one, at, reader)}" for key, one in rows.functions.items()]
                yield lines
    for enum in game.enums.values():
        for at, member in enumerate(enum.members):
            if _plain(member) == _plain(name):
                yield [f"{enum.name} {member}: number {enum.first + at}    {reader.place(enum.span)}"]
    for use in game.boards.values():
        for space in use.board.spaces:
            if _plain(space.name) == _plain(name):
                near = ", ".join(use.board.spaces[at].name for at in use.board.neighbours()[space.index])
                lines = [
                    f"{use.space} {space.name}    {reader.place(use.span)}",
                    *_figures(game, use.attributes, space.index),
                ]
                yield [*lines, f"    linked with {near}" if near else "    linked with nothing"]


def _drawn(shape: Shape) -> Iterator[str]:
    """A shape as it would be drawn: `@` for the square it is seen from, `X` where that belongs to it."""
    rights = [0, *(right for right, _ in shape.squares)]
    aheads = [0, *(ahead for _, ahead in shape.squares)]
    for ahead in range(max(aheads), min(aheads) - 1, -1):
        signs = []
        for right in range(min(rights), max(rights) + 1):
            inside = (right, ahead) in shape.squares
            signs.append(("X" if inside else "@") if (right, ahead) == (0, 0) else "x" if inside else ".")
        yield " ".join(signs)


def _picture(game: Game, rows: RowDomain, row: int, drawn: bool) -> list[str]:
    """The picture of a row that has one."""
    printed = printed_row(game, rows, row)
    return [] if printed is None else [f"    {line}" for line in row_pictures([printed], drawn=drawn)[0].lines]


def _figures(game: Game, attributes: Mapping[str, Attribute], member: int) -> list[str]:
    return [f"    {name}: {_attribute(game, each, member) or 'no'}" for name, each in attributes.items()]


# ---------------------------------------------------------------------------------------------- heads


def _head(game: Game, thing: Declared) -> str:
    match thing:
        case Function(form=form, name=name):
            inputs = ", ".join(f"{local.name}: {type_text(local.type)}" for local in thing.parameters)
            gives = f" gives {type_text(thing.result)}" if form == "table" and thing.result is not None else ""
            return f"{form} {name}" + (f"({inputs})" if inputs else "") + gives
        case RowDomain(tables=tables, name=name):
            return f"table {', '.join(table.name for table in tables)} makes {name}"
        case Kind(name=name, count=count):
            return f"kind {name}: {count} in the box" + (", all alike" if thing.alike else "")
        case BoardUse(name=name, space=space, board=board):
            size = f"{board.columns} by {board.rows} at once" if board.is_open else f"{len(board.spaces)} spaces"
            return f"board {name} of {space}: {board.family}, {size}"
        case EnumDomain(name=name):
            return f"shapes {name}" if thing.shapes else f"enum {name}{' clockwise' if thing.clockwise else ''}"
        case OptionUse(name=name):
            return f"option {name} = {option_value(thing, thing.value)}"
        case VariantUse(name=name, title=title):
            return f'{"scenario" if thing.is_scenario else "variant"} {name} "{title}"'
        case Zone(name=name, kind=kind):
            of = "" if thing.each_of is None else f" of each {type_text(thing.each_of)}"
            said = [f"zone {name}{of} holds {kind.name}"]
            said += ["ordered"] if thing.ordered else []
            said += _seen_by(thing)
            said += [f"at most {thing.at_most}"] if thing.at_most is not None else []
            return ", ".join(said)
        case Variable():
            return _variable_head(game, thing)
    raise AssertionError(thing)


def _seen_by(thing: Zone | Variable) -> list[str]:
    if thing.visible == "all":
        return []
    return [f"seen by {thing.visible if thing.seen_through is None else thing.seen_through.name}"]


def _roster(roster: Roster, reader: Reader) -> Iterator[str]:
    """What lists say, what the ready-made one is, and what is needed."""
    if roster.says:
        yield f"    says {', '.join(field.name for field in roster.says)}"
    if roster.filled is None:
        return
    parts: list[tuple[str, Understood]] = [("begins as ", roster.filled.begins)]
    parts += [("", need) for need in roster.filled.needs]
    rows = [(words + _line_text(part, reader), reader.place(part.span)) for words, part in parts]
    width = max(min(len(text), 100) for text, _ in rows)
    yield from (f"    {text:<{width}}    {place}" for text, place in rows)


def _roster_head(roster: Roster) -> str:
    said = [f"roster {roster.name} of each Player from {roster.element.name}"]
    said += _seen_by(roster.members)
    said += [f"up to {roster.most} of each"] if roster.copies is not None else []
    return ", ".join(said)


def _variable_head(game: Game, variable: Variable) -> str:
    if variable.roster is not None:
        return _roster_head(variable.roster)
    what = "track" if variable.is_track else "field" if variable.keys else "state"
    of = "".join(f" of each {type_text(key)}" if number == 0 else f", for each {type_text(key)}"
                 for number, key in enumerate(variable.keys))  # fmt: skip
    said = [f"{what} {variable.name}{of}: {type_text(variable.type)}"]
    if isinstance(variable.start, Const):
        names = member_names(game, variable.type)
        value = variable.start.value
        low = variable.type.low if isinstance(variable.type, NumberType) else 0
        said[0] += (
            " = none"
            if value < 0 and variable.type.optional
            else (f" = {names[value - low]}" if 0 <= value - low < len(names) else f" = {value}")
        )
    said += ["rolled"] if variable.rolled else []
    said += _seen_by(variable)
    said += [f"reset by {variable.reset_by.name}"] if variable.reset_by is not None else []
    said += ["silent"] if variable.silent else []
    return ", ".join(said)


def type_text(type_: Type) -> str:
    """A type as it is written in rules."""
    if isinstance(type_, NumberType):
        text = f"{type_.low}..{type_.high}" if (type_.low, type_.high) != (-1_000_000, 1_000_000) else "number"
    elif isinstance(type_, FlagType):
        text = "flag"
    elif isinstance(type_, TextType):
        text = "text"
    elif hasattr(type_, "element"):
        text = f"set of {type_text(type_.element)}"
    else:
        text = getattr(type_, "name", "") or "number"
    return f"{text} or none" if type_.optional else text


def option_value(option: OptionUse, value: int) -> str:
    """A value of an option in words."""
    return option.words[value] if option.words and 0 <= value < len(option.words) else str(value)


def option_domain(option: OptionUse) -> str:
    """What an option may be."""
    return " or ".join(option.words) if option.words else f"{option.low}..{option.high}"


# ---------------------------------------------------------------------------------------------- bodies


def _function(game: Game, function: Function, reader: Reader) -> Iterator[str]:
    if function.halves:
        yield "    in halves"
    if function.table is not None:
        yield from _lookup(function, function.table, reader)
    elif function.body is not None:
        yield from _quoted(function.span.merge(function.body.span), reader, skip_head=True)
    else:
        lines: Sequence[Understood] = (*function.lines, *function.cases)
        rows = [
            (_line_text(line, reader), reader.place(line.span) + _added_by(game, function, line, reader))
            for line in lines
        ]
        width = max((min(len(text), 100) for text, _ in rows), default=0)
        yield from (f"    {text:<{width}}    {place}" for text, place in rows)


def _line_text(line: Understood, reader: Reader) -> str:
    text = " ".join(reader.text(line.span).split())
    return text or " ".join(reader.line(line.span).split("##")[0].split())


def _added_by(game: Game, function: Function, line: Understood, reader: Reader) -> str:
    """The variant whose lines hold a line that is not within the function's own declaration."""
    for variant in game.variants.values():
        whole = reader.variants.get(variant.name, variant.span)
        if _holds(whole, line.span) and not _holds(whole, function.span):
            return f"  (by {'scenario' if variant.is_scenario else 'variant'} {variant.name})"
    return ""


def _holds(outer: Span, inner: Span) -> bool:
    return outer.path == inner.path and outer.start <= inner.start and inner.end <= outer.end


def _quoted(span: Span, reader: Reader, *, skip_head: bool = False) -> Iterator[str]:
    """The lines of a place with their numbers."""
    last = span.end.line - (1 if span.end.column == 1 and span.end.line > span.start.line else 0)
    first = span.start.line + (1 if skip_head and last > span.start.line else 0)
    width = len(str(last))
    for number in range(first, last + 1):
        text = reader.line(span, number - span.start.line)
        yield f"    {number:>{width}} | {text}".rstrip()


def _lookup(function: Function, table: LookupTable, reader: Reader) -> Iterator[str]:
    """A table over one or two inputs, drawn with bars."""
    yield f"    {'exactly one match' if table.match == 'one' else 'first match'}"
    inputs = [local.name for local in function.parameters]
    header = [inputs[0] if inputs else ""]
    if len(table.columns) == 1 and table.columns[0] is None:
        header.append(function.name)
    else:
        header += [_condition(column, reader) for column in table.columns]
    rows = [
        [_condition(row.condition, reader), *(_cell(cell.value or cell.body, cell.span, reader) for cell in row.cells)]
        for row in table.rows
    ]
    places = [reader.place(row.span) for row in table.rows]
    yield from bars(header, rows, places)


def _condition(condition: Expr | None, reader: Reader) -> str:
    return "any" if condition is None else " ".join(reader.text(condition.span).split())


def _cell(part: Understood | None, span: Span, reader: Reader) -> str:
    text = " ".join(reader.text(span).split())
    if text:
        return text
    return "" if part is None else " ".join(reader.text(part.span).split())


def _rows(game: Game, rows: RowDomain, reader: Reader) -> Iterator[str]:
    """A table that makes a type: one row for each member."""
    header = [rows.name, *rows.attributes]
    crossed = [(figure, member_names(game, figure.by)) for figure in rows.figures.values()]
    header += [f"{figure.name}({member})" for figure, members in crossed for member in members]
    header += [*(f"{name}: {function.form}" for name, function in rows.functions.items())]
    body = []
    for number, member in enumerate(rows.members):
        cells = [member, *(_attribute(game, attribute, number) for attribute in rows.attributes.values())]
        for figure, members in crossed:
            start = number * len(members)
            cells += [_printed(game, figure.type, value) for value in figure.values[start : start + len(members)]]
        cells += [_column(function, number, reader) for function in rows.functions.values()]
        body.append(cells)
    yield from bars(header, body, [reader.place(span) for span in rows.row_spans])


def _attribute(game: Game, attribute: Attribute, member: int) -> str:
    return _printed(game, attribute.type, attribute.values[member])


def _printed(game: Game, type_: Type, value: int) -> str:
    if isinstance(type_, FlagType):
        return "yes" if value else ""
    if isinstance(type_, NumberType):
        return str(value)
    if isinstance(type_, SetType):
        return ", ".join(name for at, name in enumerate(member_names(game, type_.element)) if value >> at & 1)
    if isinstance(type_, TextType):
        return game.texts[value]
    names = member_names(game, type_)
    return names[value] if 0 <= value < len(names) else "none"


def _column(function: Function, member: int, reader: Reader) -> str:
    """A cell that is worked out: the text of the line that gives it."""
    if function.table is not None and member < len(function.table.rows):
        cells = function.table.rows[member].cells
        return _cell(cells[0].value or cells[0].body, cells[0].span, reader) if cells else ""
    return "..."


def bars(header: Sequence[str], rows: Sequence[Sequence[str]], places: Sequence[str]) -> Iterator[str]:
    """A table with bars, the place of each row behind it."""
    cut = [[_cut(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[at]) for row in cut if at < len(row)) for at in range(len(header))]
    for number, row in enumerate(cut):
        cells = " | ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False))
        place = f"    {places[number - 1]}" if number and number <= len(places) else ""
        yield f"    | {cells} |{place}"
        if number == 0:
            yield "    |" + "|".join("-" * (width + 2) for width in widths) + "|"


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."


def _kind(game: Game, kind: Kind, reader: Reader) -> Iterator[str]:
    for variable in kind.fields.values():
        yield f"    {_variable_head(game, variable)}    {reader.place(variable.span)}"
    for attribute in kind.attributes.values():
        values: dict[str, int] = {}
        for number in range(kind.count):
            said = _attribute(game, attribute, number)
            values[said] = values.get(said, 0) + 1
        listed = ", ".join(f"{count} {value}" for value, count in values.items())
        yield f"    {attribute.name}: {listed}"
        if isinstance(attribute.type, RowType):
            rows = game.rows[attribute.type.name]
            columns = ", ".join([*rows.attributes, *rows.functions, *rows.figures])
            yield f"    from its {attribute.name}: {columns}" if columns else f"    from its {attribute.name}: nothing"
    if kind.named is not None:
        yield f"    named {reader.text(kind.named.span) or 'by a text'}    {reader.place(kind.named.span)}"


def _distinct(game: Game, attribute: Attribute, count: int) -> list[str]:
    """The values that occur, in their order."""
    first = {attribute.values[index]: index for index in reversed(range(count))}
    return [_attribute(game, attribute, first[value]) or "no" for value in sorted(first)]


def _board(game: Game, use: BoardUse) -> Iterator[str]:
    board = use.board
    if board.span is not None:
        yield f"    from {board.span.path}"
    if board.directions:
        yield f"    directions: {', '.join(board.directions)}"
    for name, spaces in board.regions.items():
        shown = ", ".join(board.spaces[index].name for index in spaces[:12])
        yield f"    region {name}: {shown}" + (f" and {len(spaces) - 12} more" if len(spaces) > 12 else "")
    for attribute in use.attributes.values():
        values = _distinct(game, attribute, len(board.spaces))
        yield f"    {attribute.name}: {', '.join(values[:12])}" + (" ..." if len(values) > 12 else "")
    yield from (f"    reconstructed: {line}" for line in board.reconstructed)
    yield ""
    cell: Callable[[int], str] = (
        (lambda index: "") if board.family == "map" else (lambda index: board.spaces[index].name)
    )
    printed = [name for name in board.attributes if name not in ("column", "row")]
    around = [space.index for space in board.spaces if any(space.attributes[name] for name in printed)]
    yield from (f"    {line}" for line in draw(board, cell, around=around).split("\n"))
