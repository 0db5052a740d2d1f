"""Which things of a game are counted one by one: rows of tables that make a type, and cards.

A row stands for itself and for every piece made of it, so that `Archer` was chosen whether somebody picked the row or
one of the three pieces. Pieces that are printed without such a table (a card of each suit and rank) are cards by what
is printed on them.

The cells of such tables are counted where play reads them. A program may have read a column for good while it was
made (a filter by a printed figure becomes a list of members); such a column has no cells here, since nothing can be
said about them.

Invariant: the cards of a type and the names of its things come in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from interpreter.backends.counting import Cards, reached
from interpreter.diagnostics import Span
from interpreter.ir.code import ArrayGet
from interpreter.ir.domains import domain_key
from interpreter.ir.from_semantics.printed_sets import asked_beforehand
from interpreter.ir.program import Program
from interpreter.ir.rewrite import visit_block, visit_body
from interpreter.runtime.rules import Rules
from interpreter.semantics import model
from interpreter.semantics.describe import domain_size, kind_names, member_names
from interpreter.semantics.types import DomainType, RowType, Type
from interpreter.semantics.walk import all_functions, bodies, find, game_bodies

__all__ = ["CardType", "Cell", "Column", "card_types", "columns"]


@frozen
class CardType:
    """Things that are counted one by one."""

    cards: Cards
    """How they are known to a program."""
    names: tuple[str, ...]
    """What each is called."""
    spans: tuple[Span, ...]
    """Where each stands in the rules."""
    is_printed: bool
    """Are there pieces of them? Else they are rows of a table and nothing more."""


@frozen
class Cell:
    """A cell of a column."""

    row: int
    """The number of its row in the type."""
    reads: tuple[tuple[str, int], ...]
    """Where a program reads it: names of arrays, and the element."""


@frozen
class Column:
    """The cells of a column that play reads one by one."""

    type: str
    """The name of the type that the table makes."""
    name: str
    """What stands at its head."""
    cells: tuple[Cell, ...]


def card_types(game: model.Game) -> tuple[CardType, ...]:
    """The rows and cards of a game."""
    found = [_rows(game, rows) for rows in game.rows.values()]
    members = {enum.name: enum.members for enum in game.enums.values()}
    members |= {rows.name: rows.members for rows in game.rows.values()}
    for kind in game.kinds.values():
        printed = {name: each for name, each in kind.attributes.items() if name != "owner"}
        if printed and not any(isinstance(each.type, RowType) for each in printed.values()):
            found.append(_printed(game, kind, members, printed))
    return tuple(found)


def _rows(game: model.Game, rows: model.RowDomain) -> CardType:
    size = len(rows.members)
    of = {domain_key(RowType(name=rows.name)): tuple(range(size))}
    for kind in game.kinds.values():
        for attribute in kind.attributes.values():
            if attribute.type == RowType(name=rows.name) and all(0 <= value < size for value in attribute.values):
                of[kind.name] = attribute.values
    return CardType(Cards(rows.name, size, of), rows.members, rows.row_spans, len(of) > 1)


def _printed(
    game: model.Game, kind: model.Kind, members: dict[str, tuple[str, ...]], printed: Mapping[str, model.Attribute]
) -> CardType:
    """The cards of a kind: pieces on which the same is printed are one."""
    faces = list(zip(*(attribute.values for attribute in printed.values()), strict=True))
    first = {face: at for at, face in reversed(list(enumerate(faces)))}
    numbers = {face: number for number, face in enumerate(sorted(first, key=lambda face: first[face]))}
    of = tuple(numbers[face] for face in faces)
    called = kind_names(kind, members)
    names = []
    for face in numbers:
        name = called[first[face]] if first[face] < len(called) else ""
        if not name or list(called).count(name) > 1:
            name = " ".join(_value(game, each.type, value) for each, value in zip(printed.values(), face, strict=True))
        names.append(name)
    cards = Cards(kind.name, len(numbers), {kind.name: of})
    return CardType(cards, tuple(names), (kind.span,) * len(numbers), True)


def _value(game: model.Game, type_: Type, value: int) -> str:
    names = member_names(game, type_) if isinstance(type_, DomainType) else ()
    return names[value] if 0 <= value < len(names) else "none" if names else str(value)


# ------------------------------------------------------------------------------------------------ cells


def columns(rules: Rules) -> tuple[Column, ...]:
    """The columns of tables that make a type whose cells play reads one by one."""
    game, program = rules.game, rules.program
    beforehand = {id(figure) for figure in _beforehand(game)}
    read = _arrays_read(program)
    found = []
    for rows in game.rows.values():
        for attribute in rows.attributes.values():
            if id(attribute) not in beforehand:
                found.append(_column(game, rows, attribute, attribute.name, read))
        for figure in rows.figures.values():
            if id(figure) not in beforehand:
                found.extend(_figure(game, rows, figure, read))
    return tuple(column for column in found if column is not None)


def _column(
    game: model.Game, rows: model.RowDomain, attribute: model.Attribute, name: str, read: Mapping[tuple[int, ...], str]
) -> Column | None:
    sources: list[tuple[str, tuple[int, ...]]] = []
    if attribute.values in read:
        sources.append((read[attribute.values], tuple(range(len(rows.members)))))
    for kind in game.kinds.values():
        own = kind.attributes.get(name)
        of = next((each for each in kind.attributes.values() if each.type == RowType(name=rows.name)), None)
        if own is not None and of is not None and own.values in read:
            sources.append((read[own.values], of.values))
    if not sources:
        return None
    cells = []
    for row in range(len(rows.members)):
        places = {(array, at) for array, of in sources for at, value in enumerate(of) if value == row}
        cells.append(Cell(row, tuple(sorted(places))))
    return Column(rows.name, name, tuple(cells))


def _figure(
    game: model.Game, rows: model.RowDomain, figure: model.Figure, read: Mapping[tuple[int, ...], str]
) -> Iterator[Column]:
    """The columns of a figure by a type, each headed by a member."""
    size = domain_size(game, figure.by)
    array = read.get(figure.values)
    if array is None or not size:
        return
    for at, member in enumerate(member_names(game, figure.by)):
        cells = tuple(Cell(row, ((array, row * size + at),)) for row in range(len(rows.members)))
        yield Column(rows.name, member, cells)


def _arrays_read(program: Program) -> dict[tuple[int, ...], str]:
    """The constant arrays of numbers that play reads, by what is in them."""
    names = reached(program)
    nodes = [node for name in names for node in visit_body(program.functions[name].body)]
    nodes.extend(node for block in program.blocks for node in visit_block(block))
    read = {node.array for node in nodes if isinstance(node, ArrayGet)}
    found: dict[tuple[int, ...], str] = {}
    for name in sorted(read):
        values = program.arrays[name]
        found[tuple(value for value in values if isinstance(value, int))] = name
    return found


def _beforehand(game: model.Game) -> Iterator[model.Attribute | model.Figure]:
    """Printed figures that are, or may be, worked out while the program is made."""
    nodes = [*game_bodies(game), *(node for function in all_functions(game) for node in bodies(function))]
    for node in nodes:
        for set_ in find(node, model.Filter):
            yield from asked_beforehand(set_)
        for reference in find(node, model.AttributeRef):
            if isinstance(reference.subject, model.Const):
                yield reference.attribute
        for figured in find(node, model.FigureRef):
            if isinstance(figured.subject, model.Const) or figured.member.type.optional:
                yield figured.figure
