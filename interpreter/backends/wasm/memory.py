"""Where everything lies in the memory of a module: the state, its copies, the constants, the stack.

    0            a few bytes that keep small negative steps inside; at TOLD, where the options lie
    STATE        the state: each slot 4 bytes if its range fits 32 bits, else as many 64-bit words as it needs;
                 slots of one group lie side by side and are equally wide
    kept         a second and a third record of the same form: before and after set-up
    tallies      how games ended and with how many points, counted by `playouts` and `rollouts`
    counting     what is used in games (`counting_area`), in modules that count
    constants    arrays, rows, wide numbers
    stack        frames of functions and their lists, growing upwards, up to the end of the memory

Invariant: what is wider than 32 bits has an address that is a multiple of 8; what is constant is never written.
"""

from __future__ import annotations

import struct

from attrs import define, field, frozen

from interpreter.backends.wasm.counting_area import CountingArea
from interpreter.backends.wasm.module import STATE
from interpreter.ir.ranges import Ranges, words

STACK = 8 * 1024 * 1024
"""Bytes of the stack: frames and lists."""
PAGE = 65536
_COUNTED = 10
"""Players whose victories are counted apart."""


def size_of(kind: int) -> int:
    """Bytes of a number that is `kind` words wide, 0 being half a word."""
    return 8 * kind if kind else 4


@frozen
class Area:
    """Numbers of one width side by side."""

    address: int
    kind: int
    count: int


@frozen
class Rows:
    """Rows of elements. With equally long rows `length` is the bytes of one; else -1, and a table of pairs tells where
    each begins and ends."""

    address: int
    kind: int
    count: int
    length: int
    table: int


@define
class Memory:
    """The plan of the memory; constants are added while a module is printed."""

    ranges: Ranges
    counters: int = 0
    groups: list[Area] = field(factory=list)
    state_size: int = 0
    tallies: int = 0
    constants: int = 0
    data: bytearray = field(factory=bytearray)
    _wide: dict[tuple[int, int], int] = field(factory=dict)
    _arrays: dict[str, Area | Rows] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        at = STATE
        for group, range_ in zip(self.ranges.groups, self.ranges.slots, strict=True):
            kind = words(range_)
            at = _even(at) if kind else at
            self.groups.append(Area(at, kind, group.count))
            at += size_of(kind) * group.count
        self.state_size = _even(at) - STATE
        self.tallies = STATE + 3 * self.state_size
        self.constants = self.counting.end if self.counters else self.counting.base

    @property
    def counting(self) -> CountingArea:
        """Where it is counted what is used."""
        players = len(self.ranges.program.players)
        return CountingArea(self.points + 8 * players, self.counters, players)

    @property
    def outcomes(self) -> int:
        """How many sets of winners are told apart in the tallies."""
        return 1 << min(len(self.ranges.program.players), _COUNTED)

    @property
    def points(self) -> int:
        """Address of the points of each player, behind the tallies."""
        return self.tallies + 8 * (4 * self.outcomes + 1)

    @property
    def before_setup(self) -> int:
        """Address of the record with which a game begins."""
        return STATE + self.state_size

    @property
    def after_setup(self) -> int:
        """Address of the record of the first decision."""
        return STATE + 2 * self.state_size

    @property
    def stack(self) -> int:
        """Where the stack begins, once all constants are there."""
        return _even(self.constants + len(self.data)) + 64

    @property
    def end(self) -> int:
        return (self.stack + STACK + PAGE - 1) // PAGE * PAGE

    def slot(self, slot: int) -> tuple[int, int]:
        """Address and kind of one slot."""
        number = self.ranges.group_of(slot)
        area = self.groups[number]
        return area.address + (slot - self.ranges.groups[number].base) * size_of(area.kind), area.kind

    def wide(self, value: int, kind: int) -> int:
        """Address of a constant number."""
        known = self._wide.get((value, kind))
        if known is None:
            known = self._wide[value, kind] = self.add([value], kind)
        return known

    def add(self, values: list[int], kind: int) -> int:
        """Puts constants into the memory; their address."""
        address = self.constants + len(self.data)
        if kind == 0:
            self.data += struct.pack(f"<{len(values)}i", *values)
        else:
            mask = (1 << 64 * kind) - 1
            for value in values:
                self.data += (value & mask).to_bytes(8 * kind, "little")
        self.data += bytes(-len(self.data) % 8)
        return address

    def array(self, name: str) -> Area:
        """A constant array of numbers."""
        known = self._arrays.get(name)
        if not isinstance(known, Area):
            values = [value for value in self.ranges.program.arrays[name] if isinstance(value, int)]
            kind = words(self.ranges.arrays[name][0])
            known = self._arrays[name] = Area(self.add(values, kind), kind, len(values))
        return known

    def is_identity(self, name: str) -> bool:
        """Is every element of an array its own number?"""
        return self.ranges.program.arrays[name] == tuple(range(self.ranges.rows[name]))

    def rows(self, name: str) -> Rows:
        """A constant array of rows."""
        known = self._arrays.get(name)
        if not isinstance(known, Rows):
            kind = max(words(range_) for range_ in self.ranges.arrays[name])
            numbers: list[int] = []
            ends: list[tuple[int, int]] = []
            for row in self.ranges.program.arrays[name]:
                begin = len(numbers)
                for element in row if isinstance(row, tuple) else ():
                    numbers.extend(element if isinstance(element, tuple) else (element,))
                ends.append((begin, len(numbers)))
            size = size_of(kind)
            address = self.add(numbers, kind)
            lengths = {end - begin for begin, end in ends}
            length, table = lengths.pop() * size if len(lengths) == 1 else -1, 0
            if length < 0:
                table = self.add([address + part * size for pair in ends for part in pair], 0)
            known = self._arrays[name] = Rows(address, kind, len(ends), length, table)
        return known


def _even(address: int) -> int:
    return (address + 7) // 8 * 8


__all__ = ["PAGE", "STACK", "Area", "Memory", "Rows", "size_of"]
