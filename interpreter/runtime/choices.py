"""Whole choices by name: `Discard digging, reroll fighting, fighting` as the picks that make it up.

A choice of several parts is asked pick by pick, while people, played examples and old games name it as a whole. The
picks behind a name are found by walking through the options on copies of the state, depth first. A path is given up as
soon as its label, with what has been chosen filled in, cannot become the text any more; states met before are not
walked again, so subsets cost no more than there are of them.

Invariant: nothing here changes the state it is given, and every path found leads to the state that its name promises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import define, field, frozen

from interpreter.backends.api import Backend, Fault, State
from interpreter.diagnostics import DslError
from interpreter.ir.program import DECISION, BranchInfo, Program, Shown
from interpreter.runtime.limits import CHOICE_STEPS
from interpreter.runtime.names import Names, bits, element_of
from interpreter.runtime.options import PASS, Option, branch_of, full_label, options_of, settled, whole_name
from interpreter.semantics.types import SetType

__all__ = ["Choice", "TooManyChoicesError", "continues", "find_choices", "whole_choices"]


class TooManyChoicesError(DslError):
    """A decision has more whole choices than can be listed."""


@frozen
class Choice:
    """One way through a decision, to the end of all its picks."""

    name: str
    """The readable name of the whole."""
    codes: tuple[int, ...]
    """The codes to take, one after another."""
    options: tuple[Option, ...]
    """The options taken."""


_BRACKETS = r"(?: \(.*\))?"
"""What may follow the label of a choice: picks that it does not show."""


def _spaced(pattern: str) -> str:
    """A pattern in which blanks may be missing: a text that is blank leaves none around it."""
    return re.sub(r"(?:\\ )+", r"\\ *", pattern)


@define
class _Search:
    program: Program
    backend: Backend
    names: Names
    wanted: str | None
    seen: set[tuple[int, ...]] = field(factory=set)
    steps: int = 0

    def below(
        self, state: State, codes: Sequence[int], path: tuple[Option, ...], last: Option | None
    ) -> Iterator[Choice]:
        for option in options_of(self.program, self.names, state, codes, last):
            if not self._may_lead(state, option):
                continue
            self.steps += 1
            if self.steps > CHOICE_STEPS:
                raise TooManyChoicesError(f"more than {CHOICE_STEPS} ways to choose")
            taken = (*path, option)
            after, further = self._take(state, option) if self._may_continue(option) else (state, ())
            if further:
                key = tuple(after)
                if key not in self.seen:
                    self.seen.add(key)
                    yield from self.below(after, further, taken, option)
                continue
            name = option.name
            if path or self._may_continue(option):
                name = whole_name(self.program, self.names, state, option, complete=True)
            if self.wanted is None or name == self.wanted or self._is_meant(state, option):
                yield Choice(name, tuple(step.code for step in taken), taken)

    def _may_continue(self, option: Option) -> bool:
        """Whether picks can follow an option: its branch has a binder that is not settled by it."""
        if option.is_pass:
            return False
        decision = self.program.decisions[option.decision]
        branch = branch_of(self.program, option)
        if decision.form == "choose":
            return len(branch.radix) < len(branch.binders)
        return True

    def _take(self, state: State, option: Option) -> tuple[State, Sequence[int]]:
        """The state after an option and the codes of the pick that continues its choice; no codes: it is complete."""
        after = list(state)
        try:
            codes = self.backend.apply(after, option.code)
        except Fault:
            return after, ()
        return (after, codes) if codes and continues(self.program, option, after) else (after, ())

    def _may_lead(self, state: State, option: Option) -> bool:
        if self.wanted is None:
            return True
        if option.is_pass:
            return self.wanted == PASS
        if option.name == self.wanted:
            return True
        branch = branch_of(self.program, option)
        pattern = _spaced("".join(self._pattern(branch, option, part, state) for part in branch.label)) + _BRACKETS
        return re.fullmatch(pattern, self.wanted, re.DOTALL) is not None and self._has_picked(branch, option, state)

    def _is_meant(self, state: State, option: Option) -> bool:
        """Whether a complete choice is called as wanted but for the order in which its sets are told."""
        if option.is_pass or self.wanted is None:
            return False
        branch = branch_of(self.program, option)
        values = settled(branch, option.values)
        pattern: list[str] = []
        told: list[str] = []
        for part in full_label(branch):
            text = self.names.text((part,), state, values)
            if isinstance(part, Shown) and isinstance(part.type, SetType):
                pattern.append("(.*)")
                told.append(text)
            else:
                pattern.append(re.escape(text))
        found = re.fullmatch(_spaced("".join(pattern)), self.wanted, re.DOTALL) if told else None
        return found is not None and all(
            sorted(text.split(", ")) == sorted(group.split(", "))
            for text, group in zip(told, found.groups(), strict=True)
        )

    def _pattern(self, branch: BranchInfo, option: Option, part: str | Shown, state: State) -> str:
        if isinstance(part, str):
            return re.escape(part)
        unsettled = self._unsettled(option)
        if isinstance(part.type, SetType) or any(need >= unsettled for need in part.needs):
            return ".*"
        text = self.names.part(part, state, option.values)
        return ".*" if text is None else re.escape(text)

    def _unsettled(self, option: Option) -> int:
        """The first binder that may still change."""
        decision = self.program.decisions[option.decision]
        if decision.form == "choose":
            return len(branch_of(self.program, option).radix)
        binder = branch_of(self.program, option).binders[decision.binder]
        return decision.binder + (1 if option.is_done or binder.form == "one" else 0)

    def _has_picked(self, branch: BranchInfo, option: Option, state: State) -> bool:
        """Whether the text names all members picked so far; sets are compared by how often a name occurs."""
        assert self.wanted is not None
        for position, binder in enumerate(branch.binders):
            value = option.values[position] if position < len(option.values) else None
            if (
                not isinstance(value, int)
                or not isinstance(binder.type, SetType)
                or not self._is_shown(branch, position)
            ):
                continue
            element = element_of(binder.type)
            picked: dict[str, int] = {}
            for member in bits(value):
                name = self.names.value(element, member, state)
                picked[name] = picked.get(name, 0) + 1
            if any(self.wanted.count(name) < count for name, count in picked.items()):
                return False
        return True

    @staticmethod
    def _is_shown(branch: BranchInfo, position: int) -> bool:
        return any(
            isinstance(part, Shown) and part.needs == (position,) and isinstance(part.type, SetType)
            for part in branch.label
        )


def continues(program: Program, option: Option, after: State) -> bool:
    """Whether the decision that waits now is a pick of the choice that the option belongs to."""
    number = after[DECISION]
    if number < 0:
        return False
    now = program.decisions[number]
    before = program.decisions[option.decision]
    parent = before.parent if before.form == "pick" else option.decision
    return now.form == "pick" and now.parent == parent and now.branch == option.branch and not option.is_pass


def find_choices(
    program: Program,
    backend: Backend,
    names: Names,
    state: State,
    codes: Sequence[int],
    text: str,
    last: Option | None = None,
) -> list[Choice]:
    """The whole choices of the decision that waits which are called `text`; `last` is the option taken last."""
    found = _Search(program, backend, names, text).below(state, codes, (), last)
    different: dict[tuple[object, ...], Choice] = {}
    for choice in found:
        option = choice.options[-1]
        different.setdefault((option.branch, option.values, option.is_pass), choice)
    return list(different.values())


def whole_choices(
    program: Program, backend: Backend, names: Names, state: State, codes: Sequence[int], last: Option | None = None
) -> Iterator[Choice]:
    """All whole choices of the decision that waits; raises `TooManyChoicesError` beyond a bound."""
    yield from _Search(program, backend, names, None).below(state, codes, (), last)
