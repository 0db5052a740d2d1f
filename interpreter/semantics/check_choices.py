"""Whether every decision offers something, and offers different things.

A decision can run dry when each of its options hangs on a condition or on a set that can be empty; then the rules
must say what happens `otherwise`. What can be empty is judged from the way the set is written: all of an enum or a
kind never is, a place or a filter may be. Two options without a set whose guards are each other's opposite leave
nothing out.

Invariant: a decision that is not reported here has an option in every state.
"""

from __future__ import annotations

from attrs import fields

from interpreter.diagnostics import Diagnostics, Label
from interpreter.semantics import walk
from interpreter.semantics.heads import head_of
from interpreter.semantics.known_values import Inputs, known_set, known_value, literal_value, members_of_type
from interpreter.semantics.model import (
    AllOf,
    BindAssign,
    Binder,
    BindOne,
    BindOrder,
    BindSome,
    Branch,
    Choose,
    Compare,
    Const,
    Expr,
    Filter,
    Game,
    Local,
    Not,
    RangeSet,
    SetOf,
    Template,
    Understood,
)
from interpreter.semantics.types import NumberType, SetType

__all__ = ["check_choices"]

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def check_choices(game: Game, sink: Diagnostics) -> None:
    """Report decisions that can run dry, options that look alike, and options that are never offered."""
    for choose in walk.survey(game).nodes:
        if isinstance(choose, Choose):
            _check_dry(choose, game, sink)
            _check_labels(choose, sink)
            for branch in choose.branches:
                _check_offered(branch, game, sink)


# ------------------------------------------------------------------------------------------- running dry


def _check_dry(choose: Choose, game: Game, sink: Diagnostics) -> None:
    if choose.may or choose.must or choose.otherwise is not None or not choose.branches:
        return
    reasons = [_dry_reason(branch, game) for branch in choose.branches]
    found = [reason for reason in reasons if reason is not None]
    if len(found) < len(reasons) or _leave_nothing_out(choose):
        return
    labels = [Label(node.span, words) for node, words in found]
    sink.error(
        "D305",
        "this decision can run dry",
        head_of(choose),
        "nothing happens when none of its options can be offered",
        labels=labels,
        help="add `otherwise` with what happens then, such as `otherwise: nothing`",
    )


def _dry_reason(branch: Branch, game: Game) -> tuple[Understood, str] | None:
    """Why a branch may offer nothing; None when it always offers something."""
    for binder in branch.binders:
        reason = _binder_reason(binder, game)
        if reason is not None:
            return binder, reason
    if branch.guard is not None and literal_value(branch.guard, game) != 1:
        return branch.guard, "this may be untrue"
    return None


def _binder_reason(binder: Binder, game: Game) -> str | None:
    name = binder.local.name
    match binder:
        case BindOne():
            return None if _least(binder.set, game) >= 1 else f"there may be no `{name}`"
        case BindSome(low=low, such_that=such_that):
            if such_that is not None:
                return f"no `{name}` may be such"
            needed = 0 if low is None else known_value(low, Inputs(game))
            if needed is None:
                return f"there may be too few for `{name}`"
            return None if needed <= _least(binder.set, game) else f"there may be too few for `{name}`"
        case BindOrder():
            return f"no order `{name}` may be such" if binder.such_that is not None else None
        case BindAssign():
            if binder.such_that is not None:
                return f"no `{name}` may be such"
            return None if _least(binder.set, game) >= 1 else f"there may be none for a `{binder.each_local.name}`"
    return None


def _least(expr: Expr, game: Game) -> int:
    """At least so many members a set has in every state."""
    known = known_set(expr, Inputs(game))
    if known is not None:
        return len(known)
    match expr:
        case AllOf(type=SetType(element=element)):
            members = members_of_type(element.required(), game)
            return 0 if members is None else len(members)
        case Filter(condition=None, excluded=excluded) if excluded is not None:
            if not isinstance(excluded.type, SetType):
                return max(_least(expr.source, game) - 1, 0)
        case RangeSet(low=Expr(type=NumberType(high=start)), high=Expr(type=NumberType(low=end))):
            return max(end - start + 1, 0)
        case SetOf(items=items):
            return int(any(not item.type.optional for item in items))
    return 0


def _leave_nothing_out(choose: Choose) -> bool:
    """Whether two options hang on nothing but opposite conditions."""
    guards = [branch.guard for branch in choose.branches if not branch.binders and branch.guard is not None]
    return any(_are_opposite(one, other) for one in guards for other in guards)


def _are_opposite(one: Expr, other: Expr) -> bool:
    if isinstance(one, Not):
        return one.inner == other
    if isinstance(one, Compare) and isinstance(other, Compare):
        return other.op == _OPPOSITE[one.op] and one.left == other.left and one.right == other.right
    return False


# ------------------------------------------------------------------------------------------- labels


def _check_labels(choose: Choose, sink: Diagnostics) -> None:
    first: dict[object, Branch] = {}
    for branch in choose.branches:
        label = tuple(_shape(part) for part in branch.label.parts)
        earlier = first.setdefault(label, branch)
        if earlier is not branch:
            sink.error(
                "D310",
                f"two options of this decision are both called `{_plain(branch.label)}`",
                branch.label.span,
                labels=[Label(earlier.label.span, "the same words stand here")],
                help="tell them apart by their words",
            )


def _shape(part: object) -> object:
    """A part of a label as it reads: locals of one name and type are the same, wherever they were bound."""
    match part:
        case Local():
            return (part.name, part.type.required())
        case Understood():
            values = tuple(_shape(getattr(part, item.name)) for item in fields(type(part)) if item.name != "span")
            return (type(part).__name__, values)
        case tuple():
            return tuple(_shape(item) for item in part)
        case str():
            return " ".join(part.split())
        case _:
            return part if getattr(type(part), "__hash__", None) else id(part)


def _plain(label: Template) -> str:
    """A label with a mark where something is filled in."""
    return "".join(part if isinstance(part, str) else "{...}" for part in label.parts)


# ------------------------------------------------------------------------------------------- never offered


def _check_offered(branch: Branch, game: Game, sink: Diagnostics) -> None:
    if branch.guard is not None and literal_value(branch.guard, game) == 0:
        _never_offered(branch, branch.guard, "this is always no", sink)
        return
    for binder in branch.binders:
        if isinstance(binder, BindOne) and isinstance(binder.set, RangeSet):
            low, high = binder.set.low, binder.set.high
            if isinstance(low, Const) and isinstance(high, Const):
                least, most = literal_value(low, game), literal_value(high, game)
                if least is not None and most is not None and least > most:
                    _never_offered(branch, binder, "there is nothing to choose from", sink)
                    return


def _never_offered(branch: Branch, cause: Understood, words: str, sink: Diagnostics) -> None:
    sink.error(
        "D311",
        f"the option `{_plain(branch.label)}` is never offered",
        branch.label.span,
        labels=[Label(cause.span, words)],
        help="remove the option, or change what it hangs on",
    )
