"""What a player sees, as a row of numbers of one length.

The numbers are those of the player's view (`runtime.view`): every slot of the state that means something at the table,
in the order of the layout, with a mark where the player may not see it. Sets are told member by member, since a bit set
of hundreds of members is no number to learn from; an order tells its length and then its pieces, the mark after the
last. Before them stand who looks and who decides. After them stands what only whoever decides knows besides: what was
picked so far of a choice of several parts, and the figures that the labels of the options show, which may be kept
nowhere but in a local of the rules (the pot of a turn).

What is left out is the engine's own bookkeeping: the program counter, ways back, locals, the words of chance. So what
the rules keep only in a local is seen where a label shows it, as it is by people.

Each number has bounds known before play: `low` and `high`, the mark included, which is always `low`.

Invariant: nothing hidden from the viewer is in the numbers; every number lies within its bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

from attrs import define, field, frozen

from interpreter.backends.api import State
from interpreter.ir.program import (
    CHOICE,
    DECISION,
    PC,
    PLAYER,
    ROUND,
    STATUS,
    WINNERS,
    BinderInfo,
    BranchInfo,
    Shown,
    SlotGroup,
)
from interpreter.runtime import Rules
from interpreter.runtime.options import taken_apart
from interpreter.semantics import domain_size
from interpreter.semantics.types import DomainType, FlagType, HalvesType, NumberType, SetType

__all__ = ["Number", "Observations"]

_HIGHEST = 2**31 - 1
"""Numbers are told in 32 bits; what the rules keep beyond stays at this end."""
_MOST_ROUNDS = 1_000_000
_BOOKKEEPING = (PC, CHOICE)


@frozen
class Number:
    """One number of an observation."""

    name: str
    """What it tells, for people."""
    low: int
    """The least it can be, which says that it is hidden, or that there is none."""
    high: int
    """The most it can be."""


@frozen
class _Bits:
    """A bit set told member by member."""

    slot: int
    at: int
    count: int


@frozen
class _Picks:
    """What was picked so far of a choice."""

    branch: BranchInfo
    parent: int
    number: int
    binder: int
    at: int
    slot: int
    count: int
    is_set: bool


@frozen
class _Figure:
    """A value that the label of a branch shows."""

    decision: int
    branch: int
    at: int
    function: str


@define(eq=False)
class Observations:
    """Turns states of one game into rows of numbers."""

    rules: Rules
    numbers: list[Number] = field(factory=list, init=False)
    """What stands where."""
    _slots: list[int] = field(factory=list, init=False)
    _plain: list[int] = field(factory=list, init=False)
    _bits: list[_Bits] = field(factory=list, init=False)
    _orders: list[SlotGroup] = field(factory=list, init=False)
    _picks: list[_Picks] = field(factory=list, init=False)
    _figures: list[_Figure] = field(factory=list, init=False)
    _places: dict[int, tuple[int, int]] = field(factory=dict, init=False)
    _marks: list[int] = field(factory=list, init=False)
    _values: Callable[[State], tuple[int, ...]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        seats = len(self.rules.players)
        self._add("who looks", -1, seats - 1)
        self._add("who decides", -1, seats - 1)
        for group in self.rules.program.layout.groups:
            self._group(group)
        for number, decision in enumerate(self.rules.program.decisions):
            if decision.form == "choose":
                for at, branch in enumerate(decision.branches):
                    self._of_branch(number, at, branch)
        self._marks = [number.low for number in self.numbers]
        self._values = itemgetter(*self._slots)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.numbers)

    def of(self, state: State, viewer: int, decider: int, codes: Sequence[int]) -> list[int]:
        """What a player sees of a state, in which `decider` (-1 for nobody) may choose `codes`."""
        row = list(self._marks)
        row[0], row[1] = viewer, decider
        for at, value in zip(self._plain, self._values(state), strict=True):
            row[at] = value if -_HIGHEST <= value <= _HIGHEST else max(-_HIGHEST, min(value, _HIGHEST))
        for bits in self._bits:
            value = state[bits.slot]
            if value >= 0:
                row[bits.at : bits.at + bits.count] = [value >> member & 1 for member in range(bits.count)]
        for group in self._orders:
            at, count = self._places[group.base][0], state[group.base]
            row[at + 1 + count : at + group.count] = self._marks[at + 1 + count : at + group.count]
        for slot in self.rules.sight.unseen_matters(state, viewer) if self.rules.sight.has_secrets else ():
            at, count = self._places.get(slot, (0, 0))
            row[at : at + count] = self._marks[at : at + count]
        if viewer == decider:
            self._tell_picks(state, row)
            self._tell_figures(state, row, codes)
        return row

    # ------------------------------------------------------------------ what stands where

    def _add(self, name: str, low: int, high: int) -> int:
        self.numbers.append(Number(name, max(low, -_HIGHEST), min(high, _HIGHEST)))
        return len(self.numbers) - 1

    def _one(self, slot: int, name: str, low: int, high: int) -> None:
        """A slot told as it is; the mark lies below everything that it can hold."""
        at = self._add(name, low - 1, high)
        self._slots.append(slot)
        self._plain.append(at)
        self._places[slot] = (at, 1)

    def _members(self, slot: int, name: str, count: int) -> None:
        at = len(self.numbers)
        for member in range(count):
            self._add(f"{name}: {member}", -1, 1)
        self._bits.append(_Bits(slot, at, count))
        self._places[slot] = (at, count)

    def _group(self, group: SlotGroup) -> None:
        seats = len(self.rules.players)
        if group.what == "control":
            for slot in range(group.base, group.base + group.count):
                if slot == WINNERS:
                    self._members(slot, "has won", seats)
                elif slot not in _BOOKKEEPING:
                    self._one(slot, *self._control(slot))
        elif group.what == "known":
            for slot in range(group.base, group.base + group.count):
                self._members(slot, self._name(group, slot), seats + 1)
        elif isinstance(group.type, SetType):
            for slot in range(group.base, group.base + group.count):
                self._members(slot, self._name(group, slot), domain_size(self.rules.game, group.type.element))
        elif group.what not in ("chance", "frame"):
            for slot in range(group.base, group.base + group.count):
                self._one(slot, self._name(group, slot), group.low, group.high)
            if group.what == "order":
                self._orders.append(group)

    def _control(self, slot: int) -> tuple[str, int, int]:
        if slot == DECISION:
            return "decision", -1, len(self.rules.program.decisions) - 1
        if slot == STATUS:
            return "status", 0, 3
        if slot == PLAYER:
            return "player", -1, len(self.rules.players) - 1
        assert slot == ROUND
        return "round", -1, _MOST_ROUNDS

    def _name(self, group: SlotGroup, slot: int) -> str:
        index = slot - group.base
        if group.what == "variable":
            return self.rules.wording.variable(group, index, list(self.rules.program.initial))
        return f"{group.what} of {group.name} {index}"

    # ------------------------------------------------------------------ what only whoever decides knows

    def _of_branch(self, decision: int, at: int, branch: BranchInfo) -> None:
        for part in branch.label:
            if isinstance(part, Shown) and part.function and not part.needs and self._is_single(part):
                low = part.type.low if isinstance(part.type, NumberType) else -1
                high = part.type.high if isinstance(part.type, NumberType) else _HIGHEST
                number = self._add(f"shown by decision {decision}, branch {at}", low - 1, high)
                self._figures.append(_Figure(decision, at, number, part.function))
        picks = [each for each in self.rules.program.decisions
                 if each.form == "pick" and (each.parent, each.branch) == (decision, at)]  # fmt: skip
        for number, binder in enumerate(branch.binders) if picks else ():
            if binder.slot >= 0:
                self._binder(decision, at, branch, number, binder)

    def _binder(self, decision: int, at: int, branch: BranchInfo, number: int, binder: BinderInfo) -> None:
        name, first = f"picked in decision {decision}, branch {at}: {binder.name}", len(self.numbers)
        if binder.form == "some":
            for member in range(binder.size):
                self._add(f"{name}: {member}", -1, 1)
            count = binder.size
        else:
            group = next(g for g in self.rules.program.layout.groups if g.base == binder.slot)
            count = group.count if binder.form != "one" else 1
            for index in range(count):
                self._add(f"{name} {index}", min(-1, binder.first) - 1, binder.first + binder.size - 1)
        self._picks.append(_Picks(branch, decision, at, number, first, binder.slot, count, binder.form == "some"))

    @staticmethod
    def _is_single(part: Shown) -> bool:
        return isinstance(part.type, NumberType | HalvesType | FlagType | DomainType)

    def _tell_picks(self, state: State, row: list[int]) -> None:
        decision = self.rules.program.decisions[state[DECISION]]
        if decision.form != "pick":
            return
        for picks in self._picks:
            if (picks.parent, picks.number) != (decision.parent, decision.branch) or picks.binder > decision.binder:
                continue
            if picks.is_set:
                value = state[picks.slot]
                row[picks.at : picks.at + picks.count] = [value >> member & 1 for member in range(picks.count)]
            elif picks.binder < decision.binder or picks.count > 1:
                row[picks.at : picks.at + picks.count] = state[picks.slot : picks.slot + picks.count]

    def _tell_figures(self, state: State, row: list[int], codes: Sequence[int]) -> None:
        number = state[DECISION]
        decision = self.rules.program.decisions[number]
        if decision.form == "pick":
            number, shown = decision.parent, {decision.branch}
        elif any(figure.decision == number for figure in self._figures):
            shown = {taken_apart(decision, code)[0] for code in codes}
        else:
            return
        for figure in self._figures:
            if figure.decision == number and figure.branch in shown:
                value = self.rules.backend.call(figure.function, state)
                bounds = self.numbers[figure.at]
                row[figure.at] = max(bounds.low + 1, min(value, bounds.high))
