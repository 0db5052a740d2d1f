"""What the counters of a job stand for in the rules: places that can be used, with file and line.

A *site* is an option, a row, a card, a cell, a line of a value or relation, or a statement. What counts as its use
depends on what it is: an option is taken; a row or card is chosen by a player, or moved about where players never
choose among its kind, or read where it never moves; a cell is read; anything else is come by in play.

Invariant: a site has one counter or a sum of several that never count the same use; no place has two sites.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from attrs import frozen

from interpreter.analysis.coverage import sorts_of
from interpreter.analysis.simulate.cards import CardType, card_types, columns
from interpreter.analysis.simulate.shards import Job
from interpreter.analysis.simulate.totals import Totals
from interpreter.backends.counted import Uses
from interpreter.backends.counting import PASSING, Counters
from interpreter.diagnostics import Position, Span
from interpreter.ir.domains import domain_key
from interpreter.ir.program import BranchInfo, Program, Shown
from interpreter.runtime.rules import Rules
from interpreter.semantics import model
from interpreter.semantics.describe import member_names, plain_name
from interpreter.semantics.types import ListType, MapType, SetType, Type
from interpreter.source import Files
from interpreter.syntax.rows import row_cells, row_comment

__all__ = ["Choice", "Measure", "Member", "Site", "Sites", "Sort", "label_of", "sites_of", "without_comment"]

Sort = Literal["option", "row", "card", "cell", "line", "statement"]
Measure = Literal["taken", "chosen", "moved", "read", "used"]


@frozen
class Site:
    """A place of the rules that can be used."""

    what: Sort
    title: str
    """What it is called: the label of the option, the name of the row, the function that the line belongs to."""
    span: Span
    """Where it stands."""
    counters: tuple[int, ...]
    """What counts its uses."""
    measure: Measure
    """What a use of it is."""
    text: str = ""
    """The line that it stands in, or the part of it, as written."""

    def uses(self, totals: Totals) -> Uses:
        """How it was used; for several counters, games and users of all of them together may count twice."""
        return _sum(totals.of(counter) for counter in self.counters)


@frozen
class Member:
    """One of the things that may be chosen within an option."""

    name: str
    counter: int


@frozen
class Choice:
    """An option of a decision, and what may be chosen within it."""

    label: str
    where: str
    """The phase, effect or step that it is offered in."""
    span: Span
    taken: int
    """The counter of its uses."""
    offered: int
    """The counter of decisions that offered it."""
    binders: tuple[tuple[str, tuple[Member, ...]], ...]
    """The things chosen within it: a name, and all members."""
    is_pass: bool = False


@frozen
class Sites:
    """All of a job."""

    sites: tuple[Site, ...]
    """In reading order."""
    choices: tuple[Choice, ...]
    """In the order of decisions."""


def sites_of(rules: Rules, job: Job) -> Sites:
    """What the counters of a job stand for."""
    program, counters = job.counted()
    choices = tuple(_choices(rules, program, counters))
    options = {choice.span for choice in choices}
    files = rules.files or Files()
    found: dict[tuple[Span, str], Site] = {}
    for site in (
        *_options(choices, files),
        *_marks(rules, program, counters, options, files),
        *_cards(rules, program, counters, files),
        *_cells(rules, counters, files),
    ):
        found.setdefault((site.span, site.title if site.what in ("row", "card") else ""), site)
    return Sites(tuple(sorted(found.values(), key=lambda site: (site.span, site.title))), choices)


def label_of(branch: BranchInfo) -> str:
    """The label of an option with the names of what is chosen: `Build {b} on {s}`."""
    parts = []
    for part in branch.label:
        if isinstance(part, Shown):
            names = [branch.binders[need].name for need in part.needs if need < len(branch.binders)]
            parts.append(f"{{{names[0]}}}" if names else "…")
        else:
            parts.append(part)
    return "".join(parts)


def _sum(parts: Iterator[Uses]) -> Uses:
    found = list(parts)
    names = ("times", "games", "users", "ended", "wins", "score", "square_low", "square_high")
    return Uses(**{name: sum(getattr(part, name) for part in found) for name in names})


def _first_line(span: Span, files: Files) -> str:
    """What is written at a place, no further than its first line."""
    line = files.line_text(span.path, span.start.line) or ""
    end = span.end.column - 1 if span.end.line == span.start.line else len(without_comment(line))
    return " ".join(line[span.start.column - 1 : end].split())


def without_comment(line: str) -> str:
    """A line without the comment at its end."""
    return line[: row_comment(line)].rstrip()


# ------------------------------------------------------------------------------------------------ options


def _choices(rules: Rules, program: Program, counters: Counters) -> Iterator[Choice]:
    for (number, at), taken in counters.options.items():
        decision = program.decisions[number]
        offered = counters.offered[number, at]
        if at == PASSING:
            yield Choice("otherwise", decision.where, decision.span, taken, offered, (), True)
            continue
        branch = decision.branches[at]
        binders = []
        for position, binder in enumerate(branch.binders):
            first = counters.members.get((number, at, position))
            if first is not None and not _are_alike(rules.game, binder.type):
                names = _names(rules.game, binder.type, binder.size, binder.first)
                members = tuple(Member(name, first + index) for index, name in enumerate(names))
                binders.append((binder.name, members))
        yield Choice(label_of(branch), decision.where, branch.span, taken, offered, tuple(binders))


def _are_alike(game: model.Game, type_: Type) -> bool:
    """Is it no matter which of these is chosen: pieces on which nothing is printed?"""
    kind = game.kinds.get(domain_key(_element(type_)))
    return kind is not None and not set(kind.attributes) - {"owner"}


def _element(type_: Type) -> Type:
    match type_:
        case SetType(element=inner) | ListType(element=inner) | MapType(value=inner):
            return inner
    return type_


def _names(game: model.Game, type_: Type, size: int, first: int) -> Sequence[str]:
    type_ = _element(type_)
    names = member_names(game, type_) if domain_key(type_) else ()
    return names if len(names) == size else [str(first + index) for index in range(size)]


def _options(choices: Sequence[Choice], files: Files) -> Iterator[Site]:
    """Options by their place: an option of a procedure that is lowered twice is one."""
    counters: dict[Span, list[int]] = {}
    for choice in choices:
        if not choice.is_pass:
            counters.setdefault(choice.span, []).append(choice.taken)
    titles = {choice.span: choice.label for choice in choices if not choice.is_pass}
    for span, numbers in counters.items():
        yield Site("option", titles[span], span, tuple(numbers), "taken", _first_line(span, files))


def _marks(rules: Rules, program: Program, counters: Counters, options: set[Span], files: Files) -> Iterator[Site]:
    sorts: Mapping[Span, tuple[str, str]] = dict(sorts_of(rules.game))
    for number, counter in counters.marks.items():
        span = program.spans[number]
        if span in options:
            continue
        what, title = sorts.get(span, ("statement", ""))
        text = _first_line(span, files)
        sort: Sort = "option" if what == "option" else "statement"
        if what in ("row", "cell", "line"):
            sort = what  # type: ignore[assignment]
        yield Site(sort, title or text, span, (counter,), "used", text)


# ------------------------------------------------------------------------------------------------ rows and cells


def _cards(rules: Rules, program: Program, counters: Counters, files: Files) -> Iterator[Site]:
    chosen = _chosen_domains(program)
    reads = _reads_of_rows(rules, counters)
    for each in card_types(rules.game):
        name = each.cards.name
        measure, first = _measure(each, counters, chosen)
        for at, (title, span) in enumerate(zip(each.names, each.spans, strict=True)):
            own = (first + at,) if measure != "read" else reads.get((name, at), ())
            if own:
                sort: Sort = "card" if each.is_printed else "row"
                yield Site(sort, title, span, own, measure, _first_line(span, files))


def _measure(each: CardType, counters: Counters, chosen: set[str]) -> tuple[Measure, int]:
    if chosen & set(each.cards.of):
        return "chosen", counters.chosen[each.cards.name]
    if each.is_printed:
        return "moved", counters.moved[each.cards.name]
    return "read", -1


def _chosen_domains(program: Program) -> set[str]:
    """The types of which a player ever chooses a member."""
    branches = (branch for decision in program.decisions for branch in decision.branches)
    return {domain_key(_element(binder.type)) for branch in branches for binder in branch.binders}


def _reads_of_rows(rules: Rules, counters: Counters) -> dict[tuple[str, int], tuple[int, ...]]:
    found: dict[tuple[str, int], list[int]] = {}
    for column in columns(rules):
        for cell in column.cells:
            numbers = [counters.reads[array] + at for array, at in cell.reads]
            found.setdefault((column.type, cell.row), []).extend(numbers)
    return {key: tuple(dict.fromkeys(numbers)) for key, numbers in found.items()}


def _cells(rules: Rules, counters: Counters, files: Files) -> Iterator[Site]:
    for column in columns(rules):
        domain = rules.game.rows[column.type]
        for cell in column.cells:
            span = _cell_span(domain, cell.row, column.name, files)
            if span is not None and _first_line(span, files):
                numbers = tuple(counters.reads[array] + at for array, at in cell.reads)
                title = f"{column.name} of {domain.members[cell.row]}"
                yield Site("cell", title, span, numbers, "read", _first_line(span, files))


def _cell_span(domain: model.RowDomain, row: int, column: str, files: Files) -> Span | None:
    """Where the cell of a row under a heading stands; None where it is left out. A blank one has a span of a blank."""
    span = domain.row_spans[row]
    table = next(each for each in reversed(domain.tables) if each.first <= row)
    headings = _headings(domain, table, files)
    line = files.line_text(span.path, span.start.line)
    if line is None or column not in headings:
        return None
    indent = len(line) - len(line.lstrip())
    cells, _ = row_cells(line[indent:])
    at = headings.index(column)
    if at >= len(cells):
        return None
    start, end = indent + cells[at].start, indent + max(cells[at].end, cells[at].start + 1)
    first = span.start.byte - len(line[: span.start.column - 1].encode())
    return Span(
        span.path,
        Position(span.start.line, start + 1, first + len(line[:start].encode())),
        Position(span.start.line, end + 1, first + len(line[:end].encode())),
    )


def _headings(domain: model.RowDomain, table: model.RowTable, files: Files) -> list[str]:
    """What stands at the heads of the columns of a table: of its first row, before those that are members."""
    path = table.span.path
    last = min((domain.row_spans[at].start.line for at in range(table.first, table.first + table.count)), default=0)
    for number in range(table.span.start.line, last):
        line = (files.line_text(path, number) or "").strip()
        if line.startswith("|"):
            return [plain_name(cell.text.partition(":")[0]) for cell in row_cells(line)[0]]
    return []
