"""Whether every input of a table meets a row and a column, and exactly one where the table says so.

A row's condition reads the first input only, a column's the second, so the two are looked at apart. The members of an
input are tried one after another: every member of an enum, a table or a board, every number of a short range. Of a
long range only the numbers beside those that the conditions name are tried, which is enough as long as the conditions
do nothing but compare. Of a piece the fields that the conditions read are tried too, with all their values. When a
condition asks for anything else (the state, another piece) the table is left alone.

An undeclared range has no ends: of a plain `number` only gaps between the rows are reported.

Invariant: whatever is reported is shown by an input that the table's own type allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from attrs import frozen

from interpreter.diagnostics import Diagnostics, Label, Span
from interpreter.semantics import walk
from interpreter.semantics.known_values import Inputs, known_value, member_name, members_of_type
from interpreter.semantics.model import (
    Compare,
    Const,
    Expr,
    Function,
    Game,
    InSet,
    Local,
    LocalRef,
    Logic,
    LookupTable,
    Not,
    RangeSet,
    Variable,
    VariableRef,
)
from interpreter.semantics.types import NUMBER_HIGH, NUMBER_LOW, FlagType, NumberType, PieceType

__all__ = ["check_tables"]

_MAX_INPUTS = 20_000
_SHORT = 200


def check_tables(game: Game, sink: Diagnostics) -> None:
    """Report holes, dead rows and columns, and rows or columns that overlap."""
    for function in game.functions.values():
        if function.table is not None:
            _check_table(function, function.table, game, sink)


@frozen
class _Line:
    """A row or a column: its condition, and where it stands."""

    condition: Expr | None
    span: Span


@frozen
class _Input:
    """One thing that may come in, with the values of its fields that matter."""

    value: int
    fields: tuple[tuple[Variable, int], ...]
    beyond: bool = False
    """A number outside those named, where no range is declared: it may come in, but nobody has to provide for it."""


def _check_table(function: Function, table: LookupTable, game: Game, sink: Diagnostics) -> None:
    rows = [_Line(row.condition, row.span) for row in table.rows]
    _check_lines(function, table, function.parameters[0], rows, "row", game, sink)
    if len(function.parameters) == 2 and len(table.columns) == len(table.rows[0].cells if table.rows else ()):
        spans = [function.span if column is None else column.span for column in table.columns]
        columns = [_Line(column, span) for column, span in zip(table.columns, spans, strict=True)]
        _check_lines(function, table, function.parameters[1], columns, "column", game, sink)


def _check_lines(
    function: Function,
    table: LookupTable,
    local: Local,
    lines: Sequence[_Line],
    word: str,
    game: Game,
    sink: Diagnostics,
) -> None:
    inputs = _inputs(local, [line.condition for line in lines if line.condition is not None], game)
    if inputs is None:
        return
    met: list[set[int]] = []
    for line in lines:
        taken = set()
        for number, tried in enumerate(inputs):
            holds = _holds(line.condition, local, tried, game)
            if holds is None:
                return
            if holds:
                taken.add(number)
        met.append(taken)
    _report_hole(function, local, inputs, met, word, game, sink)
    if table.match == "one":
        _report_overlaps(function, local, lines, inputs, met, word, game, sink)
    _report_dead(function, table, lines, met, word, sink)


def _holds(condition: Expr | None, local: Local, tried: _Input, game: Game) -> int | None:
    if condition is None:
        return 1
    return known_value(condition, Inputs(game, {local: tried.value}, dict(tried.fields), local))


# ------------------------------------------------------------------------------------------- inputs


def _inputs(local: Local, conditions: Sequence[Expr], game: Game) -> list[_Input] | None:
    """What may come in, as far as the conditions can tell inputs apart; None when that is too much or unknown."""
    values = _values(local, conditions, game)
    if values is None:
        return None
    read: dict[Variable, None] = {}
    for condition in conditions:
        for node in walk.find(condition, VariableRef):
            if len(node.keys) != 1 or not _is_ref(node.keys[0], local):
                return None
            read[node.variable] = None
    choices: list[Sequence[tuple[Variable, int]]] = []
    count = len(values)
    for variable in read:
        members = members_of_type(variable.type, game)
        count *= len(members or ())
        if members is None or count > _MAX_INPUTS:
            return None
        choices.append([(variable, member) for member in members])
    beyond = _beyond(local, values)
    return [_Input(value, fields, value in beyond) for value in values for fields in product(*choices)]


def _beyond(local: Local, values: Sequence[int]) -> frozenset[int]:
    """The ends of the values tried that lie where an undeclared range has no end."""
    type_ = local.type
    if not isinstance(type_, NumberType) or len(values) < 2 or type_.high - type_.low <= _SHORT:
        return frozenset()
    open_low = {values[0]} if type_.low == NUMBER_LOW else set()
    return frozenset(open_low | ({values[-1]} if type_.high == NUMBER_HIGH else set()))


def _values(local: Local, conditions: Sequence[Expr], game: Game) -> Sequence[int] | None:
    type_ = local.type
    if not isinstance(type_, NumberType) or type_.high - type_.low <= _SHORT:
        return members_of_type(type_, game)
    if not all(_only_compares(condition, local) for condition in conditions):
        return None
    named = {node.value for condition in conditions for node in walk.find(condition, Const)}
    if not named:
        return [type_.low]
    near = {number + step for number in named for step in (-1, 0, 1)}
    ends = {low for low in (type_.low,) if low != NUMBER_LOW} | {high for high in (type_.high,) if high != NUMBER_HIGH}
    low = type_.low if type_.low != NUMBER_LOW else min(named) - 1
    high = type_.high if type_.high != NUMBER_HIGH else max(named) + 1
    return sorted(number for number in near | ends if low <= number <= high)


def _only_compares(condition: Expr, local: Local) -> bool:
    """Whether a condition on a number changes its answer only beside the numbers that it names."""
    match condition:
        case Logic():
            return _only_compares(condition.left, local) and _only_compares(condition.right, local)
        case Not():
            return _only_compares(condition.inner, local)
        case Compare():
            sides = (condition.left, condition.right)
            return any(_is_ref(side, local) for side in sides) and any(isinstance(side, Const) for side in sides)
        case InSet(set=RangeSet(low=Const(), high=Const())):
            return _is_ref(condition.element, local)
        case Const():
            return True
    return False


def _is_ref(expr: Expr, local: Local) -> bool:
    return isinstance(expr, LocalRef) and expr.local is local


# ------------------------------------------------------------------------------------------- reports


def _in_words(tried: _Input, local: Local, game: Game) -> str:
    name = member_name(local.type, tried.value, game)
    if isinstance(local.type, NumberType):
        return name
    said = []
    for variable, value in tried.fields:
        if isinstance(variable.type, FlagType):
            said.append(f"{'is' if value else 'is not'} `{variable.name}`")
        else:
            said.append(f"has `{variable.name}` {member_name(variable.type, value, game)}")
    if not said:
        return f"`{name}`"
    subject = f"a `{local.type.name}`" if isinstance(local.type, PieceType) else f"`{name}`"
    return f"{subject} that {' and '.join(said)}"


def _report_hole(
    function: Function,
    local: Local,
    inputs: Sequence[_Input],
    met: Sequence[set[int]],
    word: str,
    game: Game,
    sink: Diagnostics,
) -> None:
    missing = [
        tried for number, tried in enumerate(inputs) if not tried.beyond and not any(number in taken for taken in met)
    ]
    if not missing:
        return
    example = _in_words(missing[0], local, game)
    fields_matter = bool(inputs[0].fields)
    counted = "" if fields_matter else f"{len(missing)} of {len(inputs)} fall through"
    if isinstance(local.type, NumberType):
        counted = "this number falls through" if len(missing) == 1 else "numbers fall through"
    sink.error(
        "D220",
        f"table `{function.name}` has no {word} for {example}",
        function.span,
        counted,
        help=f"add a {word} for it, or a last {word} `any`",
    )


def _report_overlaps(
    function: Function,
    local: Local,
    lines: Sequence[_Line],
    inputs: Sequence[_Input],
    met: Sequence[set[int]],
    word: str,
    game: Game,
    sink: Diagnostics,
) -> None:
    for later, taken in enumerate(met):
        for earlier in range(later):
            both = met[earlier] & taken
            if both:
                example = _in_words(inputs[min(both)], local, game)
                sink.error(
                    "D222",
                    f"two {word}s of table `{function.name}` take {example}",
                    lines[later].span,
                    labels=[Label(lines[earlier].span, f"this {word} takes it too")],
                    help=f"narrow one of the two {word}s, or declare the table `first match`",
                )
                break


def _report_dead(
    function: Function,
    table: LookupTable,
    lines: Sequence[_Line],
    met: Sequence[set[int]],
    word: str,
    sink: Diagnostics,
) -> None:
    earlier: set[int] = set()
    for number, taken in enumerate(met):
        if not taken:
            _report_dead_line(function, lines[number], word, "nothing can meet it", [], sink)
        elif table.match == "first" and taken <= earlier:
            before = [Label(lines[at].span, "taken here") for at in range(number) if met[at] & taken]
            _report_dead_line(function, lines[number], word, "all that could meet it is taken before", before, sink)
        earlier |= taken


def _report_dead_line(
    function: Function, line: _Line, word: str, reason: str, labels: list[Label], sink: Diagnostics
) -> None:
    sink.error(
        "D221",
        f"this {word} of table `{function.name}` is never met",
        line.span,
        reason,
        labels=labels,
        help=f"remove the {word}, or put it before those that take its inputs",
    )
