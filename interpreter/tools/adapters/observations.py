"""What a player sees, as a row of numbers of one length.

The numbers are those of the player's view (`runtime.view`): every slot of the state that means something at the table,
in the order of the layout, with a mark where the player may not see it. Sets are told member by member, since a bit set
of hundreds of members is no number to learn from; an order tells its length and then its pieces, the mark after the
last. Before them stand who looks and who decides.

After them stands what whoever decides knows besides. People have followed the game and know the pot of the turn, how
many rerolls are left and what they have picked so far; the rules keep such things in locals, which lie in the state
without being shown. `ir.needed` proves which of them are still going to be read and cannot come from a secret; these
are told, and so are the figures that the labels of the options show. The rest of the engine's bookkeeping is left out.

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
    BranchInfo,
    Shown,
    SlotGroup,
)
from interpreter.ir.ranges import infer
from interpreter.runtime import Rules
from interpreter.runtime.options import taken_apart
from interpreter.semantics import domain_size
from interpreter.semantics.types import (
    NUMBER_HIGH,
    NUMBER_LOW,
    DomainType,
    FlagType,
    HalvesType,
    NumberType,
    SetType,
)

__all__ = ["Number", "Observations"]

_HIGHEST = 2**31 - 1
"""Numbers are told in 32 bits; what the rules keep beyond stays at this end."""
_MOST_ROUNDS = 1_000_000
_BOOKKEEPING = (PC, CHOICE)
_ANY_NUMBER = (2**63 - 1, 2**64 - 1)
"""The highest values of numbers of which nothing is known."""


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
class _Local:
    """A local that is told to whoever decides, at decisions where that gives nothing away."""

    slot: int
    at: int
    members: int
    """Of a set, how many it can have; 0 for a number."""
    decisions: frozenset[int]


@frozen
class _Figure:
    """A value that the label of a branch shows."""

    decision: int
    branch: int
    at: int
    function: str


def _members(low: int, high: int) -> int:
    """How many members a local has that is a set, by the range of its values; 0 for a number."""
    is_wide_set = low >= 0 and high > _HIGHEST and high & high + 1 == 0 and high not in _ANY_NUMBER
    return high.bit_length() if is_wide_set else 0


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
    _locals: list[_Local] = field(factory=list, init=False)
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
        self._add_locals()
        for number, decision in enumerate(self.rules.program.decisions):
            if decision.form == "choose":
                for at, branch in enumerate(decision.branches):
                    self._of_label(number, at, branch)
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
            self._tell_locals(state, row)
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

    def _add_locals(self) -> None:
        program, needed = self.rules.program, self.rules.needed
        told = {slot for each in needed for slot in each.told}
        picked = {binder.slot: binder.size for decision in program.decisions for branch in decision.branches
                  for binder in branch.binders if binder.form == "some"}  # fmt: skip
        ranges = infer(program) if told else None
        for group in program.layout.groups:
            for slot in range(group.base, group.base + group.count):
                if slot not in told or ranges is None:
                    continue
                low, high = ranges.slots[ranges.group_of(slot)]
                members = picked.get(slot, _members(low, high))
                name, at = f"local {group.name} {slot - group.base}", len(self.numbers)
                for member in range(members):
                    self._add(f"{name}: {member}", -1, 1)
                if not members:
                    self._add(name, max(low, NUMBER_LOW) - 1, min(high, NUMBER_HIGH))
                where = frozenset(number for number, each in enumerate(needed) if slot in each.told)
                self._locals.append(_Local(slot, at, members, where))

    def _tell_locals(self, state: State, row: list[int]) -> None:
        number = state[DECISION]
        for local in self._locals:
            if number in local.decisions:
                value = state[local.slot]
                if local.members:
                    bits = [value >> member & 1 for member in range(local.members)]
                    row[local.at : local.at + local.members] = bits
                else:
                    bounds = self.numbers[local.at]
                    row[local.at] = max(bounds.low + 1, min(value, bounds.high))

    def _of_label(self, decision: int, at: int, branch: BranchInfo) -> None:
        for part in branch.label:
            if isinstance(part, Shown) and part.function and not part.needs and self._is_single(part):
                low = part.type.low if isinstance(part.type, NumberType) else -1
                high = part.type.high if isinstance(part.type, NumberType) else NUMBER_HIGH
                number = self._add(f"shown by decision {decision}, branch {at}", low - 1, high)
                self._figures.append(_Figure(decision, at, number, part.function))

    @staticmethod
    def _is_single(part: Shown) -> bool:
        return isinstance(part.type, NumberType | HalvesType | FlagType | DomainType)

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
