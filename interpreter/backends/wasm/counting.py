"""Plays counting programs as WebAssembly: the whole loop over games runs inside the module.

A fault stops the loop in the middle of a game. The game is noted as faulty and the loop called again for the next one;
what it used was not added to the sums yet.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from interpreter.backends.api import Fault, State, seeded
from interpreter.backends.counted import GAMES, LONGEST, RECORDED, Counted, FaultyGame, GameRecord, LeadFault
from interpreter.backends.counting import Counters
from interpreter.backends.initial import initial_state
from interpreter.backends.wasm.backend import Instance
from interpreter.backends.wasm.counting_area import CountingArea
from interpreter.backends.wasm.counts import WRONG_POSITION
from interpreter.backends.wasm.long_calls import interruptible
from interpreter.diagnostics import InternalError
from interpreter.ir.program import RNG, RUNNING, Program

__all__ = ["WasmCounting"]


class WasmCounting:
    """Implements `counted.CountingBackend`."""

    def __init__(self, program: Program, counters: Counters, *, leads: bool) -> None:
        self.program = program
        self.leads = leads
        self._instance = instance = Instance(program, counters.size)
        self._area = CountingArea(instance.module.counting, counters.size, len(program.players))
        state: State = initial_state(program)
        state[RNG : RNG + 4] = seeded(0)
        instance.record.write(state, instance.buffer)
        instance.copy(instance.module.before_setup)

    def random_games(self, first_seed: int, games: int, limit: int) -> Counted:
        if not 0 < games <= GAMES or not 0 <= limit <= LONGEST:
            raise InternalError(f"{games} games of {limit} decisions in one call", "backends")
        return self._played(first_seed, games, limit, given=False)

    def given_game(self, seed: int, positions: Sequence[int]) -> Counted:
        if len(positions) > LONGEST:
            raise InternalError(f"a game of {len(positions)} decisions", "backends")
        struct.pack_into(f"<{len(positions)}i", self._instance.buffer, self._area.given, *positions)
        return self._played(seed, 1, len(positions), given=True)

    def _played(self, first_seed: int, games: int, limit: int, *, given: bool) -> Counted:
        instance = self._instance
        word = first_seed & 0xFFFFFFFFFFFFFFFF
        signed = word - 2**64 if word >= 2**63 else word
        faults: dict[int, FaultyGame] = {}
        at = 0
        while at < games:
            try:
                inputs = (signed, at, games, limit, int(given))
                at = interruptible(instance.buffer, partial(instance.call, "count_games", *inputs))
            except Fault as fault:
                at = instance.number("game")
                if fault.code == f"D{WRONG_POSITION}":
                    raise InternalError(f"the game of seed {first_seed + at} went otherwise", "backends") from None
                if instance.number("asking"):
                    raise LeadFault(fault) from None
                faults[at] = FaultyGame(first_seed + at, instance.number("taken"), fault.code, fault.span)
                at += 1
        numbers = array("q", bytes(instance.buffer[self._area.sums : self._area.times])).tolist()
        records = tuple(self._records(first_seed, games, faults))
        return Counted(records, tuple(faults.values()), tuple(numbers), self.leads)

    def _records(self, first_seed: int, games: int, faults: Mapping[int, FaultyGame]) -> Iterator[GameRecord]:
        area = self._area
        form = struct.Struct(f"<{RECORDED + area.players}q")
        content = bytes(self._instance.buffer[area.records : area.records + games * area.record_size])
        for number, values in enumerate(form.iter_unpack(content)):
            if number not in faults:
                scored = self.program.score and values[3] != RUNNING
                scores = values[RECORDED:] if scored else ()
                decisions, offered, most, status, winners, changes, ahead = values[:RECORDED]
                yield GameRecord(first_seed + number, decisions, offered, most, status, winners, changes, ahead, scores)
