"""Options: the codes of a decision as things with names.

A backend knows an option as a number. Here the number is taken apart into the branch of the `choose` it belongs to and
the members it picks, and the branch's label is written out with them. A choice of several parts is asked pick by pick;
its first option then shows `…` for what is still open, and every pick is called by the member it picks.

Invariant: the options of one decision have different names, and the same state gives the same options in the same
order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from attrs import evolve, frozen

from interpreter.backends.api import State
from interpreter.diagnostics import Span
from interpreter.ir.program import DECISION, BinderInfo, BranchInfo, DecisionInfo, Program, Shown, TextTemplate
from interpreter.runtime.names import Names, Value, element_of

__all__ = [
    "DONE",
    "PASS",
    "Option",
    "Values",
    "branch_of",
    "branch_size",
    "full_label",
    "options_of",
    "picked_so_far",
    "settled",
    "taken_apart",
    "whole_name",
]

PASS = "pass"
"""The name of the option to do nothing, where a decision `may` be passed."""
DONE = "done"
"""The name of the option to pick no more."""

Values = tuple[Value, ...]
"""What is chosen for each binder of a branch; None for what is still open."""


@frozen
class Option:
    """One thing that may be chosen now."""

    code: int
    """Its number within the decision, as the program knows it."""
    name: str
    """What it is called; unlike that of any other option of the decision."""
    decision: int
    """Number of the decision in the program."""
    branch: int
    """Number of the branch; -1 for passing."""
    values: Values
    """What is chosen for each binder of the branch once this option is taken; None for what is still open."""
    is_pass: bool
    """Whether it declines the decision."""
    is_done: bool
    """Whether it ends the picking of a set."""
    span: Span
    """The branch of the rules it comes from."""

    def __str__(self) -> str:
        return self.name


def branch_size(branch: BranchInfo) -> int:
    """How many codes a branch has."""
    return prod(branch.radix)


def taken_apart(decision: DecisionInfo, code: int) -> tuple[int, tuple[int, ...]]:
    """The branch a code belongs to, and the values of its leading binders; branch -1 for passing."""
    for number, branch in enumerate(decision.branches):
        rest = code - branch.base
        if 0 <= rest < branch_size(branch):
            digits: list[int] = []
            for radix in reversed(branch.radix):
                rest, digit = divmod(rest, radix)
                digits.append(digit)
            digits.reverse()
            return number, tuple(d + b.first for d, b in zip(digits, branch.binders, strict=False))
    return -1, ()


def picked_so_far(program: Program, decision: DecisionInfo, state: State, last: Option | None) -> Values:
    """What has been chosen of the choice that a pick continues: by the option taken last, else as the state has it."""
    branch = program.decisions[decision.parent].branches[decision.branch]
    if last is not None and last.branch == decision.branch and len(last.values) == len(branch.binders):
        before = program.decisions[last.decision]
        if decision.parent in (last.decision, before.parent):
            return tuple(
                _settled(binder, value) if position < decision.binder else value
                for position, (binder, value) in enumerate(zip(branch.binders, last.values, strict=True))
            )
    values: list[Value] = []
    for position, binder in enumerate(branch.binders):
        known = position < decision.binder or (position == decision.binder and binder.form == "some")
        single = binder.form in ("one", "some")
        values.append(state[binder.slot] if known and single and binder.slot >= 0 else None)
    return tuple(values)


def settled(branch: BranchInfo, values: Values) -> Values:
    """The values of a choice that is complete: what is still open had nothing to pick from, and is empty."""
    return tuple(_settled(binder, value) for binder, value in zip(branch.binders, values, strict=True))


def _settled(binder: BinderInfo, value: Value) -> Value:
    if value is not None or binder.form == "one":
        return value
    return 0 if binder.form == "some" else ()


def options_of(
    program: Program, names: Names, state: State, codes: Sequence[int], last: Option | None = None
) -> tuple[Option, ...]:
    """The options of the decision that waits; `last` is the option that was taken last."""
    if not codes:
        return ()
    number = state[DECISION]
    decision = program.decisions[number]
    if decision.form == "pick":
        before = picked_so_far(program, decision, state, last)
        return _told_apart([_pick(program, names, number, decision, state, code, before) for code in codes])
    return _told_apart([_option(names, number, decision, state, code) for code in codes])


def _option(names: Names, number: int, decision: DecisionInfo, state: State, code: int) -> Option:
    at, values = taken_apart(decision, code)
    if at < 0:
        return Option(code, PASS, number, -1, (), True, False, decision.span)
    branch = decision.branches[at]
    open_values: Values = (*values, *[None] * (len(branch.binders) - len(values)))
    name = names.text(branch.label, state, open_values)
    return Option(code, name, number, at, open_values, False, False, branch.span)


def _pick(
    program: Program, names: Names, number: int, decision: DecisionInfo, state: State, code: int, before: Values
) -> Option:
    branch = program.decisions[decision.parent].branches[decision.branch]
    binder = branch.binders[decision.binder]
    values = list(before)
    earlier = values[decision.binder]
    if code >= binder.size:
        values[decision.binder] = _settled(binder, earlier)
        return Option(code, DONE, number, decision.branch, tuple(values), False, True, branch.span)
    value = code + binder.first
    if binder.form == "some":
        values[decision.binder] = (earlier if isinstance(earlier, int) else 0) | 1 << code
    elif binder.form == "one":
        values[decision.binder] = value
    else:
        values[decision.binder] = (*(earlier if isinstance(earlier, tuple) else ()), value)
    name = names.value(element_of(binder.type), value, state)
    return Option(code, name, number, decision.branch, tuple(values), False, False, branch.span)


def whole_name(program: Program, names: Names, state: State, option: Option, *, complete: bool = False) -> str:
    """The name of the whole choice as far as it is known once the option is taken; the state is the one before.

    With `complete` nothing more was asked.
    """
    if option.is_pass:
        return PASS
    branch = branch_of(program, option)
    values = settled(branch, option.values) if complete else option.values
    return names.text(full_label(branch), state, values)


def full_label(branch: BranchInfo) -> TextTemplate:
    """The label of a whole choice: picks that the branch's own label does not show follow it in brackets."""
    shown = {need for part in branch.label if isinstance(part, Shown) for need in part.needs}
    label: list[str | Shown] = list(branch.label)
    for position, binder in enumerate(branch.binders):
        if position >= len(branch.radix) and position not in shown:
            label.extend((" (", Shown("", (position,), binder.type), ")"))
    return tuple(label)


def branch_of(program: Program, option: Option) -> BranchInfo:
    """The branch that an option, or the pick of a choice, belongs to."""
    decision = program.decisions[option.decision]
    choose = program.decisions[decision.parent] if decision.form == "pick" else decision
    return choose.branches[option.branch]


def _told_apart(options: list[Option]) -> tuple[Option, ...]:
    """Numbers the second and later options of one name."""
    taken = {option.name for option in options}
    seen: dict[str, int] = {}
    result: list[Option] = []
    for option in options:
        count = seen[option.name] = seen.get(option.name, 0) + 1
        if count == 1:
            result.append(option)
            continue
        name = f"{option.name} ({count})"
        while name in taken:
            count += 1
            name = f"{option.name} ({count})"
        taken.add(name)
        seen[option.name] = count
        result.append(evolve(option, name=name))
    return tuple(result)
