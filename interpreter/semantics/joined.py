"""Tables that make one type, as one table: the rows of all of them under the headings of the first.

Several decks of cards, or the buildings of a base game and of an addition, are printed as tables of their own and are
things of one type. So the headings of the first table that makes a type say what its rows have. A later table may have
its columns in another order and may leave some out, whose cells are then blank; it has none of its own. What stands in
brackets behind the type (`arrow by Way`), or behind a colon in a heading, is said by the first table; others may
repeat it.

Invariant: every row of a joined table has a cell for each heading.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve, frozen

from interpreter.diagnostics import Diagnostics, Label, Span, did_you_mean
from interpreter.semantics.describe import plain_name
from interpreter.syntax import ast

__all__ = ["Heading", "Joined", "heading_of", "join_tables", "spread"]


@frozen
class Heading:
    """The head of a column."""

    name: str
    """Its name."""
    type: str
    """What its cells are, as written after the colon; empty where the cells tell."""


@frozen
class Joined:
    """The tables that make one type."""

    whole: ast.TableDeclaration
    """The first of them with the rows of all."""
    parts: tuple[ast.TableDeclaration, ...]
    """Each of them, its rows under the headings of the first; in order."""


def heading_of(cell: ast.Cell) -> Heading:
    """The head of a column, read from its cell."""
    name, _, type = cell.text.partition(":")
    return Heading(plain_name(name), plain_name(type))


def spread(row: ast.Row, columns: list[int], width: int) -> ast.Row:
    """A row of some columns as one of all, the rest blank; `columns` are their places among all."""
    blank = ast.Cell("", span=Span(row.span.path, row.span.end, row.span.end))
    cells = [blank] * width
    for column, cell in zip(columns, row.cells, strict=False):
        cells[column] = cell
    return evolve(row, cells=tuple(cells))


def join_tables(tables: Iterable[ast.TableDeclaration], sink: Diagnostics) -> list[Joined]:
    """The tables that make types, joined by type. Reports D207 and D287."""
    by_type: dict[str, list[ast.TableDeclaration]] = {}
    for table in tables:
        if table.makes is not None:
            by_type.setdefault(table.makes.text, []).append(table)
    return [_joined(first, others, sink) for first, *others in by_type.values()]


def _joined(first: ast.TableDeclaration, others: list[ast.TableDeclaration], sink: Diagnostics) -> Joined:
    parts = (first, *(_under(first, other, sink) for other in others))
    return Joined(evolve(first, rows=tuple(row for part in parts for row in part.rows)), parts)


def _under(first: ast.TableDeclaration, other: ast.TableDeclaration, sink: Diagnostics) -> ast.TableDeclaration:
    """A later table, its rows under the headings of the first."""
    _compare_figures(first, other, sink)
    known: dict[str, tuple[int, Heading]] = {}
    for at, cell in enumerate(first.header.cells[1:], 1):
        heading = heading_of(cell)
        known.setdefault(heading.name, (at, heading))
    taken: dict[str, ast.Cell] = {}
    places: list[int | None] = [0]
    for cell in other.header.cells[1:]:
        heading = heading_of(cell)
        found = known.get(heading.name)
        place = None if found is None else found[0]
        label = Label(first.header.span, f"the columns of `{first.name.text}`")
        if found is None:
            message = f"table `{first.name.text}` has no column `{heading.name}`, which makes the same type"
            help = did_you_mean(heading.name, known) or "add the column to it, its cells may be blank"
            sink.error("D287", message, cell.span, labels=(label,), help=help)
        elif heading.name in taken:
            before = Label(taken[heading.name].span, "first here")
            message = f"table `{other.name.text}` has two columns `{heading.name}`"
            sink.error("D207", message, cell.span, labels=(before,))
            place = None
        elif heading.type and heading.type != found[1].type:
            holds = f"is `{found[1].type}`" if found[1].type else "names no type"
            message = f"column `{heading.name}` of table `{first.name.text}` {holds}, found `{heading.type}`"
            sink.error("D287", message, cell.span, labels=(label,), help="the first table says what a column holds")
        taken.setdefault(heading.name, cell)
        places.append(place)
    return evolve(other, rows=tuple(_placed(row, places, len(first.header.cells)) for row in other.rows))


def _placed(row: ast.Row, places: list[int | None], width: int) -> ast.Row:
    """A row with its cells where they belong, those of no known column left out."""
    found = [(at, cell) for at, cell in zip(places, row.cells, strict=False) if at is not None]
    return spread(evolve(row, cells=tuple(cell for _, cell in found)), [at for at, _ in found], width)


def _compare_figures(first: ast.TableDeclaration, other: ast.TableDeclaration, sink: Diagnostics) -> None:
    said = {(figure.name.text, figure.by.text) for figure in first.figures}
    for figure in other.figures:
        if (figure.name.text, figure.by.text) not in said:
            label = Label(first.name.span, "the first table of the type")
            message = f"table `{first.name.text}` has no figure `{figure.name.text} by {figure.by.text}`"
            help = "the first table of a type says which columns belong together"
            sink.error("D287", message, figure.span, labels=(label,), help=help)
