"""All checks of a game that need no play, in every configuration that differs from the default in one choice.

A game is one thing for each number of players, variant, scenario and option, and a mistake may hide in any of them.
To try all combinations would be endless; to change one choice at a time meets every line of the rules. Of an option
that is a number the ends of its range are tried.

What is wrong in the default configuration is reported as it is; what is wrong in another only gets a note naming the
first such. Some findings hold only if they hold everywhere: a thing is unused when no configuration uses it. And
since two choices together may use what neither does alone, nothing is called unused whose name stands anywhere else
in the files.

Invariant: each place is reported once for each code, whatever the number of configurations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from attrs import evolve, fields, frozen

from interpreter.diagnostics import Diagnostic, Diagnostics, Position, Span
from interpreter.semantics import walk
from interpreter.semantics.check_box import check_box
from interpreter.semantics.check_choices import check_choices
from interpreter.semantics.check_conditions import check_conditions
from interpreter.semantics.check_filters import check_filters
from interpreter.semantics.check_flow import check_flow
from interpreter.semantics.check_numbers import check_numbers
from interpreter.semantics.check_rosters import check_rosters
from interpreter.semantics.check_secrets import check_secrets
from interpreter.semantics.check_tables import check_tables
from interpreter.semantics.check_usage import check_usage
from interpreter.semantics.configuration import Configuration
from interpreter.semantics.describe import plain_name
from interpreter.semantics.model import EnumDomain, Function, Game, Kind, OptionUse, RowTable, Variable, Zone
from interpreter.semantics.player_counts import counts_of, numbers_of
from interpreter.semantics.project import Project
from interpreter.semantics.types import NumberType
from interpreter.semantics.understand import understand
from interpreter.syntax import ast

__all__ = ["CHECKS", "check"]

CHECKS: tuple[Callable[[Game, Diagnostics], None], ...] = (
    check_flow,
    check_usage,
    check_choices,
    check_conditions,
    check_filters,
    check_numbers,
    check_box,
    check_tables,
    check_rosters,
    check_secrets,
)
"""Every check of an understood game, in order."""

_UNUSED = frozenset({"D303", "D304"})
_EVERYWHERE = _UNUSED | {"D221", "D229", "D308"}
"""Findings that hold only if they hold in every configuration that has the thing."""

_OPEN_RANGE = 100_000
"""From here on the end of an option's range is no value that anybody would choose."""


def check(project: Project, sink: Diagnostics) -> None:
    """Report everything that is wrong with a project beyond what reading it has reported."""
    first = _look_at(project, _Choice(Configuration(), ""))
    looks = [first]
    if not project.has_errors:
        looks.extend(_look_at(project, choice) for choice in _choices(project, first.game))
    seen: set[tuple[str, Span | None]] = set()
    named = _Occurrences(project)
    for look in looks:
        for finding in look.found:
            key = (finding.code, finding.span)
            if key in seen:
                continue
            seen.add(key)
            if finding.code in _EVERYWHERE and not _is_everywhere(finding, looks):
                continue
            if finding.code in _UNUSED and named.elsewhere(finding):
                continue
            sink.add(finding if not look.note else evolve(finding, notes=(*finding.notes, look.note)))


# ------------------------------------------------------------------------------------------- configurations


@frozen
class _Choice:
    """A configuration and how it is told from the default."""

    configuration: Configuration
    note: str


@frozen
class _Look:
    """What was found in one configuration; no game where understanding it failed."""

    note: str
    game: Game | None
    found: tuple[Diagnostic, ...]


def _look_at(project: Project, choice: _Choice) -> _Look:
    found = Diagnostics()
    game = understand(project, choice.configuration, found)
    if game is not None:
        for check_one in CHECKS:
            check_one(game, found)
    return _Look(choice.note, game, tuple(found))


def _choices(project: Project, first: Game | None) -> Iterator[_Choice]:
    """The configurations beside the default; of a game that was not understood only those that add rules."""
    tried: set[int] = set()
    for variant in project.variants:
        name = variant.name.text
        counts = counts_of(variant)
        for number in (None,) if counts is None else numbers_of(counts):
            note = f"only in the variant `{name}`" + ("" if number is None else f" with {number} players")
            yield _Choice(Configuration(players=number, options={name: True}), note)
            tried |= set() if number is None else {number}
    for scenario in project.scenarios:
        name = scenario.name.text
        counts = counts_of(scenario)
        for number in (None,) if counts is None else numbers_of(counts):
            note = f"only in the scenario `{name}`" + ("" if number is None else f" with {number} players")
            yield _Choice(Configuration(players=number, scenario=name), note)
    if first is None:
        return
    for number in first.player_numbers[1:]:
        if number not in tried:
            yield _Choice(Configuration(players=number), f"only with {number} players")
    for option in first.options.values():
        for value, words in _other_values(option).items():
            yield _Choice(Configuration(options={option.name: words}), f"only with `{option.name}` = {words or value}")


def _other_values(option: OptionUse) -> Mapping[int, str]:
    """The values of an option to try beside its default, as they are written."""
    if not isinstance(option.type, NumberType):
        return {value: word for value, word in enumerate(option.words) if value != option.default}
    ends = (end for end in (option.low, option.high) if end != option.default and abs(end) < _OPEN_RANGE)
    return {end: str(end) for end in ends}


# ------------------------------------------------------------------------------------------- what holds everywhere


def _is_everywhere(finding: Diagnostic, looks: list[_Look]) -> bool:
    """Whether every configuration that has the thing has the finding."""
    if finding.span is None:
        return True
    for look in looks:
        if any(other.code == finding.code and other.span == finding.span for other in look.found):
            continue
        if look.game is not None and _start(finding.span) in _starts(look.game):
            return False
    return True


_Start = tuple[str, Position]


def _start(span: Span) -> _Start:
    return span.path, span.start


def _starts(game: Game) -> set[_Start]:
    """Where everything that a game holds begins; a finding may point at a part of it only."""
    things: tuple[Function | Zone | Variable | Kind | EnumDomain | RowTable, ...] = (
        *game.functions.values(),
        *game.zones.values(),
        *game.variables,
        *game.kinds.values(),
        *game.enums.values(),
        *(table for rows in game.rows.values() for table in rows.tables),
    )
    found = {_start(thing.span) for thing in things}
    for node in walk.survey(game).nodes:
        found.add(_start(node.span))
        found.update(_start(thing.span) for thing in walk.mentions(node) if thing.span is not None)
    return found


class _Occurrences:
    """Where each name stands in the files."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._counted: list[tuple[frozenset[str], Counter[str], list[str]]] | None = None

    def elsewhere(self, finding: Diagnostic) -> bool:
        """Whether the name that a finding is about stands anywhere but in its own declaration."""
        name = finding.message.split("`")[1]
        if self._counted is None:
            self._counted = [self._of(declaration) for declaration in self._project.declarations]
        return any(
            counted[name] > 0 or any(name in cell for cell in cells)
            for declared, counted, cells in self._counted
            if name not in declared
        )

    def _of(self, declaration: ast.Declaration) -> tuple[frozenset[str], Counter[str], list[str]]:
        """The names that a declaration declares, those that stand in it, and the texts of its cells."""
        own = (getattr(declaration, "name", None), getattr(declaration, "makes", None))
        counted: Counter[str] = Counter()
        cells: list[str] = []
        _count(declaration, counted, cells)
        return frozenset(name.text for name in own if isinstance(name, ast.Name)), counted, cells


def _count(node: object, counted: Counter[str], cells: list[str]) -> None:
    if isinstance(node, ast.Name):
        counted[node.text] += 1
    elif isinstance(node, ast.Cell):
        cells.append(plain_name(node.text))
    elif isinstance(node, tuple):
        for item in node:
            _count(item, counted, cells)
    elif isinstance(node, ast.Node):
        if isinstance(node, ast.FieldDeclaration):
            counted[node.name.text] -= 1
        elif isinstance(node, ast.ReplaceDeclared) and isinstance(
            name := getattr(node.declaration, "name", None), ast.Name
        ):
            counted[name.text] -= 1  # a second declaration of a thing is no use of it
        for part in fields(type(node)):
            if part.name != "span":
                _count(getattr(node, part.name), counted, cells)
