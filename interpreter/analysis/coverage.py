"""What tests and played games have used of a rules file: lines, rows of tables, options.

A line of a rule that no test ever reaches may say anything. The program marks every line of a value or relation, every
cell of a table, every option and statement when it is used; here the counts of many runs, under many configurations,
are put together by place. A line counts as used when any run in any configuration used it.

Invariant: every place that any of the programs can mark is in the report exactly once, in reading order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from attrs import define, field, frozen

from interpreter.diagnostics import Span
from interpreter.ir.code import Mark
from interpreter.ir.program import Program
from interpreter.ir.rewrite import visit_program
from interpreter.runtime.rules import Rules
from interpreter.semantics import model
from interpreter.semantics.walk import all_functions, bodies, find, game_bodies

__all__ = ["Coverage", "Place", "Report", "What", "sorts_of"]

What = Literal["option", "row", "cell", "line", "statement"]


@frozen
class Place:
    """One place of the rules that can be used."""

    span: Span
    """Where it stands."""
    what: What
    """An option of a decision, a row of a table, one of its cells, a line of a value or relation, or a statement."""
    title: str
    """What it is called: the option's label, the name of the function."""
    count: int
    """How often it was used."""


@frozen
class Report:
    """What was used and what was not."""

    places: tuple[Place, ...]
    """Every place, in reading order."""

    @property
    def unused(self) -> tuple[Place, ...]:
        """The places that were never used."""
        return tuple(place for place in self.places if not place.count)

    def of(self, what: What) -> tuple[Place, ...]:
        """The places of one sort."""
        return tuple(place for place in self.places if place.what == what)

    @property
    def share(self) -> float:
        """How much was used, from 0 to 1."""
        return 1.0 - len(self.unused) / len(self.places) if self.places else 1.0

    def reaches(self, threshold: float) -> bool:
        """Whether at least so much was used; a threshold is a share from 0 to 1."""
        return self.share >= threshold

    def summary(self) -> tuple[tuple[What, int, int], ...]:
        """For each sort how many were used, of how many."""
        sorts: tuple[What, ...] = ("line", "row", "cell", "option", "statement")
        return tuple((what, sum(1 for p in self.of(what) if p.count), len(self.of(what))) for what in sorts)


@define
class Coverage:
    """Gathers counts of used places from runs under any configuration."""

    counts: dict[Span, int] = field(factory=dict)
    """How often each place was used."""
    sorts: dict[Span, tuple[What, str]] = field(factory=dict)
    """What stands at each place, and what it is called."""
    _seen: set[str] = field(factory=set, init=False)

    def add(self, rules: Rules, marks: Mapping[int, int]) -> None:
        """Adds the counts of one run, by number of the span in the program."""
        self._register(rules)
        for number, count in marks.items():
            span = rules.program.spans[number]
            if span in self.counts:
                self.counts[span] += count

    def _register(self, rules: Rules) -> None:
        """Notes every place that a program can mark."""
        if rules.program.fingerprint in self._seen:
            return
        self._seen.add(rules.program.fingerprint)
        sorts = dict(sorts_of(rules.game))
        for span in _markable(rules.program):
            self.counts.setdefault(span, 0)
            self.sorts.setdefault(span, sorts.get(span, ("statement", "")))

    def report(self) -> Report:
        """What was used so far."""
        return Report(tuple(Place(span, *self.sorts[span], count) for span, count in sorted(self.counts.items())))


def _markable(program: Program) -> Iterator[Span]:
    numbers = {node.span for node in visit_program(program) if isinstance(node, Mark)}
    return (program.spans[number] for number in sorted(numbers))


def sorts_of(game: model.Game) -> Iterator[tuple[Span, tuple[What, str]]]:
    """What stands where in a game."""
    for function in all_functions(game):
        for line in (*function.lines, *function.cases):
            yield line.span, ("line", function.name)
        if function.table is not None:
            for row in function.table.rows:
                yield row.span, ("row", function.name)
                for cell in row.cells:
                    yield cell.span, ("cell", function.name)
    for roster in game.rosters.values():
        for need in () if roster.filled is None else roster.filled.needs:
            yield need.span, ("line", roster.name)
    nodes = [*game_bodies(game), *(node for function in all_functions(game) for node in bodies(function))]
    for node in nodes:
        for branch in find(node, model.Branch):
            label = "".join(part if isinstance(part, str) else "…" for part in branch.label.parts)
            yield branch.span, ("option", label)
