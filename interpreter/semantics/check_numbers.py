"""Whether numbers stay where they belong, as far as that is certain.

Each expression is given the least and the most it can be, from the bounds of what it reads; a number that is stored
is wrong when even these bounds lie outside those of its place. Only certain faults are found: a sum that may run over
in some games is left to the run-time check, which names the place. Tracks are left out, since they stop at their
ends.

Invariant: what is reported fails whenever it is carried out.
"""

from __future__ import annotations

from interpreter.diagnostics import Diagnostics, Label
from interpreter.semantics import walk
from interpreter.semantics.model import Arithmetic, Conditional, Const, Expr, Game, SetVariable, Variable, VariableRef
from interpreter.semantics.types import NONE, NUMBER_HIGH, NUMBER_LOW, NumberType

__all__ = ["check_numbers"]

_Bounds = tuple[int, int]


def check_numbers(game: Game, sink: Diagnostics) -> None:
    """Report numbers stored where they cannot fit."""
    for variable in game.variables:
        if not variable.is_track:
            _check_stored(variable.start, variable, sink)
    for statement in walk.survey(game).nodes:
        if isinstance(statement, SetVariable) and not statement.variable.is_track:
            _check_stored(statement.value, statement.variable, sink)


def _check_stored(value: Expr, variable: Variable, sink: Diagnostics) -> None:
    if not isinstance(variable.type, NumberType):
        return
    bounds = _bounds(value)
    if bounds is None or (variable.type.optional and bounds == (NONE, NONE)):
        return
    low, high = bounds
    allowed_low, allowed_high = variable.type.low, variable.type.high
    if high >= allowed_low and low <= allowed_high:
        return
    if low == high:
        words = f"{low} does not fit into `{variable.name}`"
    else:
        words = f"at {'least' if low > allowed_high else 'most'} {low if low > allowed_high else high} is too "
        words += f"{'high' if low > allowed_high else 'low'} for `{variable.name}`"
    sink.error(
        "D240",
        words,
        value.span,
        labels=[Label(variable.span, f"it holds {allowed_low}..{allowed_high}")],
        help=f"widen the range of `{variable.name}`, or store what fits",
    )


def _bounds(expr: Expr) -> _Bounds | None:
    """The least and the most an expression can be; None where nothing is known."""
    match expr:
        case Const(type=NumberType()):
            return expr.value, expr.value
        case VariableRef(variable=Variable(type=NumberType(optional=False, low=low, high=high))):
            return None if (low, high) == (NUMBER_LOW, NUMBER_HIGH) else (low, high)
        case Conditional():
            then, otherwise = _bounds(expr.then), _bounds(expr.otherwise)
            if then is None or otherwise is None:
                return None
            return min(then[0], otherwise[0]), max(then[1], otherwise[1])
        case Arithmetic():
            left, right = _bounds(expr.left), _bounds(expr.right)
            return None if left is None or right is None else _arithmetic(expr.op, left, right)
    return None


def _arithmetic(op: str, left: _Bounds, right: _Bounds) -> _Bounds | None:
    match op:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            corners = [one * other for one in left for other in right]
            return min(corners), max(corners)
        case "min":
            return min(left[0], right[0]), min(left[1], right[1])
        case "max":
            return max(left[0], right[0]), max(left[1], right[1])
    return None
