"""Why a number is what it is, and why a choice is not offered.

Modifiers are named and every line keeps its place, so an explanation is the rules read back: each line of a value with
what it adds now, each `when` and `unless` of a relation with whether it holds. Lines are worked out on demand by code
added beside the program; ordinary play pays nothing for it.

Invariant: the total of an explained value is the value that the program itself works out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from interpreter.backends.api import Fault
from interpreter.diagnostics import DslError, InvalidChoice, Span
from interpreter.ir.program import BranchInfo, Condition, Shown
from interpreter.runtime.limits import MAX_CONDITIONS
from interpreter.runtime.names import Value, halved, number_text
from interpreter.runtime.snippets import expression_of, locals_in, source_text, value_of
from interpreter.semantics import model
from interpreter.semantics.types import NUMBER, FlagType, HalvesType
from interpreter.semantics.walk import all_functions, bodies, find, game_bodies

if TYPE_CHECKING:
    from interpreter.runtime.session import Session

__all__ = ["Explanation", "ExplanationLine", "why", "why_not"]


@frozen
class ExplanationLine:
    """One line of the rules, as it stands now."""

    amount: str
    """What it does: `+2`, `at least 3`, `yes`, `refuses`."""
    reason: str
    """Its reason, or else its text."""
    applies: bool
    """Whether it counts now."""
    span: Span
    """Where it stands."""

    def __str__(self) -> str:
        return f"{self.amount}: {self.reason}" if self.applies else f"({self.amount}: {self.reason}, does not apply)"


@frozen
class Explanation:
    """What something is, and how it comes about."""

    subject: str
    """What was asked."""
    total: str
    """The value in words, or the verdict on a choice."""
    lines: tuple[ExplanationLine, ...] = ()
    """The lines behind it, in the order in which they are read."""

    def __str__(self) -> str:
        return "\n".join([f"{self.subject}: {self.total}", *(f"  {line}" for line in self.lines)])


# ---------------------------------------------------------------------------------------------------- values


def why(session: Session, text: str) -> Explanation:
    """How the value of an expression comes about; raises `RulesError` for text that is no expression."""
    expr = expression_of(session.rules, text)
    if isinstance(expr, model.CallExpr):
        arguments = [value_of(session, argument) for argument in expr.arguments]
        return _call(session, text, expr, arguments)
    total = session.names.value(expr.type, value_of(session, expr), session.state)
    return Explanation(text, total, tuple(_parts(session, expr, text)))


def _call(session: Session, subject: str, expr: model.CallExpr, arguments: Sequence[int]) -> Explanation:
    function = expr.function
    if function.lines:
        total, lines = _value(session, function, arguments)
        is_half = function.halves and isinstance(expr.type, HalvesType)  # else it is `halves of` the value
        return Explanation(subject, number_text(halved(total) if is_half else total), lines)
    if function.cases:
        holds, lines = _relation(session, function, arguments)
        return Explanation(subject, "yes" if holds else "no", lines)
    if function.table is not None:
        return _table(session, subject, function, function.table, arguments)
    return Explanation(subject, "no value")


def _value(
    session: Session, function: model.Function, arguments: Sequence[int]
) -> tuple[int, tuple[ExplanationLine, ...]]:
    total = 0
    lines: list[ExplanationLine] = []
    for line in function.lines:
        applies = line.condition is None or bool(value_of(session, line.condition, function.parameters, arguments))
        amount = value_of(session, _amount(line), function.parameters, arguments) if applies else 0
        before, total = total, _after(line, total, amount, function.halves) if applies else total
        lines.append(
            ExplanationLine(
                amount=_done(line, amount, applies),
                reason=_reason(session, line.reason, line.span, function, arguments),
                applies=applies and (line.kind in ("start", "times", "divided by") or before != total),
                span=line.span,
            )
        )
    return total, tuple(lines)


def _amount(line: model.ValueLine) -> model.Expr:
    """What a line gives, `per` included."""
    per = line.per
    if per is None:
        return line.amount
    if isinstance(per, model.Filter) and any(local is per.local for local in locals_in(line.amount)):
        return model.Fold(how="sum", local=per.local, set=per, body=line.amount, type=NUMBER, span=line.span)
    count = model.Count(set=per, type=NUMBER, span=line.span)
    return model.Arithmetic(op="*", left=line.amount, right=count, type=NUMBER, span=line.span)


def _after(line: model.ValueLine, total: int, amount: int, halves: bool) -> int:
    """The total after a line; a value in halves is kept doubled."""
    doubled = amount * 2 if halves else amount
    match line.kind:
        case "start":
            return doubled
        case "+":
            return total + doubled
        case "-":
            return total - doubled
        case "times":
            return total * amount
        case "at least":
            return max(total, doubled)
        case "at most":
            return min(total, doubled)
    if amount == 0:
        return total
    if line.rounded is None:
        return total // amount
    unit = amount * 2 if halves else amount
    whole = total // unit if line.rounded == "down" else -(-total // unit)
    return whole * 2 if halves else whole


def _done(line: model.ValueLine, amount: int, applies: bool) -> str:
    number = str(amount) if applies else "…"
    match line.kind:
        case "start":
            return number
        case "+" | "-":
            return f"{line.kind}{number}"
    return f"{line.kind} {number}"


def _reason(
    session: Session,
    reason: model.Template | None,
    span: Span,
    function: model.Function,
    arguments: Sequence[int],
) -> str:
    """The reason of a line with its values filled in, or the text of the line."""
    if reason is None:
        return source_text(session.rules, span)
    said: list[str] = []
    for part in reason.parts:
        if isinstance(part, str):
            said.append(part)
        else:
            value = value_of(session, part, function.parameters, arguments)
            said.append(session.names.value(part.type, value, session.state))
    return "".join(said)


# ---------------------------------------------------------------------------------------------------- relations


def _relation(
    session: Session, function: model.Function, arguments: Sequence[int]
) -> tuple[bool, tuple[ExplanationLine, ...]]:
    lines: list[ExplanationLine] = []
    held = refused = False
    whens = any(case.kind == "when" for case in function.cases)
    for case in function.cases:
        holds = bool(value_of(session, case.condition, function.parameters, arguments))
        held = held or (case.kind == "when" and holds)
        refused = refused or (case.kind == "unless" and holds)
        if case.kind == "when":
            amount = "holds" if holds else "does not hold"
        else:
            amount = "refuses" if holds else "does not refuse"
        reason = _reason(session, case.reason, case.span, function, arguments)
        lines.append(ExplanationLine(amount, reason, holds or case.kind == "when", case.span))
    return (held or not whens) and not refused, tuple(lines)


def _table(
    session: Session, subject: str, function: model.Function, table: model.LookupTable, arguments: Sequence[int]
) -> Explanation:
    for row in table.rows:
        if row.condition is not None and not value_of(session, row.condition, function.parameters, arguments):
            continue
        for column, cell in zip(table.columns, row.cells, strict=True):
            if column is not None and not value_of(session, column, function.parameters, arguments):
                continue
            text = source_text(session.rules, row.span)
            if cell.value is None:
                return Explanation(subject, source_text(session.rules, cell.span), (_row(text, row.span),))
            value = value_of(session, cell.value, function.parameters, arguments)
            shown = session.names.value(cell.value.type, value, session.state)
            return Explanation(subject, shown, (_row(text, row.span),))
    return Explanation(subject, "no row fits")


def _row(text: str, span: Span) -> ExplanationLine:
    return ExplanationLine("row", text, True, span)


def _parts(session: Session, expr: model.Expr, text: str) -> Iterator[ExplanationLine]:
    """The two sides of a comparison, or the parts of a condition."""
    match expr:
        case model.Compare(left=left, right=right):
            for side in (left, right):
                if not isinstance(side, model.Const):
                    yield _part(session, side, text)
        case model.Logic(left=left, right=right):
            yield from _parts_or_self(session, left, text)
            yield from _parts_or_self(session, right, text)
        case model.Not(inner=inner):
            yield from _parts_or_self(session, inner, text)


def _parts_or_self(session: Session, expr: model.Expr, text: str) -> Iterator[ExplanationLine]:
    if isinstance(expr, model.Logic):
        yield from _parts(session, expr, text)
    else:
        yield _part(session, expr, text)


def _part(session: Session, expr: model.Expr, text: str) -> ExplanationLine:
    value = value_of(session, expr)
    shown = session.names.value(expr.type, value, session.state)
    is_open = isinstance(expr.type, FlagType) and not value
    said = source_text(session.rules, expr.span) or text[expr.span.start.column - 1 : expr.span.end.column - 1]
    return ExplanationLine(shown, said, not is_open, expr.span)


# ---------------------------------------------------------------------------------------------------- choices


def why_not(session: Session, text: str) -> Explanation:
    """Why a choice is not offered; raises `InvalidChoice` when no option could ever be called that."""
    wanted = " ".join(text.split())
    decision = session.decision
    if decision is None:
        return Explanation(wanted, "not offered: the game is over")
    try:
        session.find(wanted)
    except DslError:
        pass
    else:
        return Explanation(wanted, "offered")
    if decision.form == "pick":
        return Explanation(wanted, "not offered: the whole could not be completed with it, or it was passed over")
    best: tuple[int, Condition | None, BranchInfo, tuple[int, ...]] | None = None
    for branch in decision.branches:
        for values in _fitting(session, branch, wanted):
            passed, failed = _first_failed(session, branch, values)
            if best is None or passed > best[0]:
                best = (passed, failed, branch, values)
    if best is None:
        elsewhere = _elsewhere(session, wanted)
        if elsewhere is not None:
            return elsewhere
        labels = ", ".join(f"`{session.names.text(b.label, session.state, ())}`" for b in decision.branches)
        raise InvalidChoice(f"`{wanted}` fits no option here: {labels}")
    _, failed, branch, values = best
    if failed is None:
        line = ExplanationLine("refuses", source_text(session.rules, branch.span), True, branch.span)
        return Explanation(wanted, "not offered: what is picked afterwards could not be completed", (line,))
    said = failed.text or source_text(session.rules, failed.span)
    lines = [ExplanationLine("does not hold", said, True, failed.span)]
    lines.extend(_dig(session, branch, failed, values))
    return Explanation(wanted, f"not offered: {lines[-1].reason if len(lines) > 1 else said}", tuple(lines))


def _elsewhere(session: Session, wanted: str) -> Explanation | None:
    """That a choice belongs to another decision, where it does."""
    waiting = session.decision
    for decision in session.rules.program.decisions:
        if decision.form == "choose" and decision is not waiting:
            for branch in decision.branches:
                if next(_fitting(session, branch, wanted), None) is not None:
                    where = f"a choice of {decision.where}" if decision.where else "another choice"
                    line = ExplanationLine("chosen", source_text(session.rules, branch.span), True, branch.span)
                    return Explanation(wanted, f"not offered now: it is {where}", (line,))
    return None


def _fitting(session: Session, branch: BranchInfo, wanted: str) -> Iterator[tuple[int, ...]]:
    """The members for the leading binders with which a branch would be called that."""
    leading = branch.binders[: len(branch.radix)]
    tried = 0

    def fits(values: tuple[int, ...]) -> bool:
        known: tuple[Value, ...] = (*values, *[None] * (len(branch.binders) - len(values)))
        pattern: list[str] = []
        for part in branch.label:
            try:
                shown = part if isinstance(part, str) else session.names.part(part, session.state, known)
            except (Fault, IndexError):
                return False
            pattern.append(".*" if shown is None else re.escape(shown))
        return re.fullmatch("".join(pattern), wanted, re.DOTALL) is not None

    def extend(values: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        nonlocal tried
        if len(values) == len(leading):
            yield values
            return
        binder = leading[len(values)]
        is_shown = any(isinstance(part, Shown) and len(values) in part.needs for part in branch.label)
        for member in range(binder.size):
            tried += 1
            if tried > MAX_CONDITIONS:
                return
            further = (*values, member + binder.first)
            if not is_shown or fits(further):
                yield from extend(further)

    if fits(()):
        yield from extend(())


def _first_failed(session: Session, branch: BranchInfo, values: Sequence[int]) -> tuple[int, Condition | None]:
    """How many conditions hold before one fails, and that one."""
    for number, condition in enumerate(branch.conditions):
        if any(need >= len(values) for need in condition.needs):
            continue
        given = [values[need] for need in condition.needs]
        try:
            holds = session.rules.backend.call(condition.function, session.state, *given)
        except Fault:
            holds = 0
        if not holds:
            return number, condition
    return len(branch.conditions), None


def _dig(session: Session, branch: BranchInfo, failed: Condition, values: Sequence[int]) -> Iterator[ExplanationLine]:
    """The line of a relation that refuses, where the condition is one."""
    game = session.rules.game
    nodes = [*game_bodies(game), *(node for function in all_functions(game) for node in bodies(function))]
    understood = next((b for node in nodes for b in find(node, model.Branch) if b.span == branch.span), None)
    if understood is None:
        return
    known: dict[int, tuple[model.Local, int]] = {}
    for binder, value in zip(understood.binders, values, strict=False):
        known[id(binder.local)] = (binder.local, value)
        set_ = binder.set if isinstance(binder, model.BindOne) else None
        while isinstance(set_, model.Filter):
            known[id(set_.local)] = (set_.local, value)
            set_ = set_.source
    for call in find(understood, model.CallExpr):
        if call.span == failed.span and call.function.cases:
            yield from _refusing(session, call, list(known.values()))
            return


def _refusing(
    session: Session, call: model.CallExpr, known: list[tuple[model.Local, int]]
) -> Iterator[ExplanationLine]:
    given = list(known)
    for local in locals_in(call):
        if any(other is local for other, _ in given):
            continue
        slot = next(
            (g for g in session.rules.program.layout.groups if g.what == "frame" and g.name == local.name), None
        )
        if slot is None:
            return
        given.append((local, session.state[slot.base]))
    parameters = tuple(local for local, _ in given)
    values = [value for _, value in given]
    try:
        arguments = [value_of(session, argument, parameters, values) for argument in call.arguments]
        _, lines = _relation(session, call.function, arguments)
    except (Fault, DslError):
        return
    refusing = [line for line in lines if line.amount == "refuses"]
    yield from refusing or [line for line in lines if line.amount == "does not hold"]
