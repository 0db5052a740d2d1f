"""Runs a program as WebAssembly, at native speed.

The state of a call is written into the memory of the module, worked on there, and read back; the options are read in
one go. Whoever watches (events, marks, given chance) and whoever asks for what only explains or shows is answered by the
judge, the Python backend, which is made when it is first needed.

Invariant: what leaves here is a `Fault`, an `InternalError`, or whatever the caller's own watcher or `pick` raised; a
fault leaves the caller's state as it was.
"""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import wasmtime
from attrs import frozen

from interpreter.backends.api import Fault, State, Watcher, seeded
from interpreter.backends.initial import initial_state
from interpreter.backends.wasm.generate import Module, SlotForm, generate_module
from interpreter.backends.wasm.memory import STATE
from interpreter.backends.wasm.ranges import highest_code
from interpreter.diagnostics import InternalError
from interpreter.ir.program import CHOICE, DECISION, RNG, Program

_WAITS = -1
ARITHMETIC, RECURSION = "D703", "D704"


@frozen
class Outcomes:
    """What came of many games. `ends`: how often by status and bit set of winners."""

    games: int
    decisions: int
    unfinished: int
    ends: dict[tuple[int, int], int]


class _Record:
    """A state as bytes: how the numbers of a list lie in the memory."""

    def __init__(self, forms: tuple[SlotForm, ...], size: int) -> None:
        text, at, slot = ["<"], STATE, 0
        self.wide: list[tuple[int, int, bool]] = []  # slots of several words, how many bytes
        for form in forms:
            text.append(f"{form.address - at}x" if form.address > at else "")
            if form.kind <= 1:
                text.append(f"{form.count}{'i' if form.kind == 0 else 'q' if form.signed else 'Q'}")
            else:
                for i in range(form.count):
                    text.append(f"{8 * form.kind}s")
                    self.wide.append((slot + i, 8 * form.kind, form.signed))
            slot += form.count
            at = form.address + form.count * (8 * form.kind if form.kind else 4)
        text.append(f"{STATE + size - at}x")
        self.struct = struct.Struct("".join(text))

    def write(self, state: State, buffer: Any) -> None:
        try:
            if self.wide:
                values: list[Any] = list(state)
                for slot, size, _ in self.wide:
                    values[slot] = values[slot].to_bytes(size, "little")
                self.struct.pack_into(buffer, STATE, *values)
            else:
                self.struct.pack_into(buffer, STATE, *state)
        except (struct.error, OverflowError) as error:
            raise InternalError(f"a state that the program cannot be in: {error}", "backends") from error

    def read(self, state: State, buffer: Any) -> None:
        values: list[Any] = list(self.struct.unpack_from(buffer, STATE))
        for slot, _, _ in self.wide:
            values[slot] = int.from_bytes(values[slot], "little")
        state[:] = values


class WasmBackend:
    """Implements `api.Backend`."""

    def __init__(self, program: Program) -> None:
        from interpreter.backends.wasm.cache import compiled

        self.program = program
        self._initial = initial_state(program)
        self._judge_made: Any = None
        self.module, engine, code = compiled(program)
        self._record = _Record(self.module.slots, self.module.state_size)
        self._highest = [highest_code(program, decision) for decision in program.decisions]
        self._store = wasmtime.Store(engine)
        self._exports = wasmtime.Instance(self._store, code, []).exports(self._store)
        memory: Any = self._exports["memory"]
        size = memory.data_len(self._store)
        address = ctypes.cast(memory.data_ptr(self._store), ctypes.c_void_p).value
        self._buffer = memoryview((ctypes.c_ubyte * size).from_address(address or 0)).cast("B")
        self._run: Any = self._exports["run"]
        self._ask: Any = self._exports["ask"]
        self._playouts: Any = self._exports["playouts"]
        self._begin: Any = self._exports["options"]
        self._end: Any = self._exports["options_end"]
        self._start: tuple[int, int] | None = None

    @property
    def _judge(self) -> Any:
        """The backend that explains."""
        if self._judge_made is None:
            from interpreter.backends.python import PythonBackend

            self._judge_made = PythonBackend(self.program)
        return self._judge_made

    # ------------------------------------------------------------------ one game

    def new_state(self, seed: int) -> State:
        state = self._initial.copy()
        state[RNG : RNG + 4] = seeded(seed)
        return state

    def run(self, state: State, watcher: Watcher | None = None) -> Sequence[int] | None:
        if watcher is not None:
            return self._judge.run(state, watcher)  # type: ignore[no-any-return]
        self._record.write(state, self._buffer)
        next_ = self._call(self._run)
        self._record.read(state, self._buffer)
        return self._options() if next_ == _WAITS else None

    def apply(self, state: State, code: int, watcher: Watcher | None = None) -> Sequence[int] | None:
        if watcher is None and state[DECISION] >= 0 and not 0 <= code <= self._highest[state[DECISION]]:
            raise Fault(ARITHMETIC, 0)
        state[CHOICE] = code
        return self.run(state, watcher)

    def options(self, state: State) -> Sequence[int]:
        if state[DECISION] < 0:
            return []
        self._record.write(state, self._buffer)
        self._call(self._ask)
        return self._options()

    def call(self, function: str, state: State, *arguments: int, watcher: Watcher | None = None) -> int:
        known = self.module.exports.get(function)
        if watcher is not None or known is None:
            return self._judge.call(function, state, *arguments, watcher=watcher)  # type: ignore[no-any-return]
        self._record.write(state, self._buffer)
        result = int(self._call(self._exports[known[0]], *arguments))
        self._record.read(state, self._buffer)
        return result

    def playout(self, state: State, pick: Callable[[int], int], limit: int) -> int:
        decisions = 0
        options = self.options(state) if state[DECISION] >= 0 else self.run(state)
        while options is not None:
            if decisions == limit:
                return -1
            decisions += 1
            options = self.apply(state, options[pick(len(options))])
        return decisions

    def _options(self) -> list[int]:
        begin, end = self._begin.value(self._store), self._end.value(self._store)
        return array("q" if self.module.option_kind else "i", bytes(self._buffer[begin:end])).tolist()

    # ------------------------------------------------------------------ many games

    def random_playouts(self, seed: int, games: int, limit: int) -> Outcomes:
        """Plays so many games from the start, every option equally likely; the whole loop runs inside."""
        if self._start is None:
            self._start = self._prepared()
        source, begun = self._start
        word = seeded(seed)
        mixed = word[0] << 32 | word[1] | 1
        mixed = mixed - 2**64 if mixed >= 2**63 else mixed
        decisions = self._call(
            self._playouts, source, begun, int(self.module.draws), games, limit, mixed
        )
        outcomes = self.module.outcomes
        size = 4 * outcomes + 1
        counts = struct.unpack_from(f"<{size}q", self._buffer, self.module.tallies)
        ends = {(i // outcomes, i % outcomes): n for i, n in enumerate(counts[:-1]) if n}
        return Outcomes(games, int(decisions), counts[-1], ends)

    def _prepared(self) -> tuple[int, int]:
        """Puts the record with which games begin into the memory: after set-up if that leaves nothing to chance. Its
        address, and whether a decision waits there already."""
        module, size = self.module, self.module.state_size
        state = self.new_state(1)
        self._record.write(state, self._buffer)
        self._buffer[module.before_setup : module.before_setup + size] = bytes(self._buffer[STATE : STATE + size])
        if self.run(state) is None or tuple(state[RNG : RNG + 4]) != seeded(1):
            return module.before_setup, 0
        self._buffer[module.after_setup : module.after_setup + size] = bytes(self._buffer[STATE : STATE + size])
        return module.after_setup, 1

    # ------------------------------------------------------------------ calls

    def _call(self, function: Any, *arguments: int) -> Any:
        try:
            return function(self._store, *arguments)
        except wasmtime.Trap as trap:
            self._raise(trap)
        except wasmtime.WasmtimeError as error:
            self._raise(error)

    def _raise(self, error: Exception) -> NoReturn:
        code, span = (self._exports[name] for name in ("fault_code", "fault_span"))
        number = code.value(self._store)  # type: ignore[union-attr]
        if number:
            place = span.value(self._store)  # type: ignore[union-attr]
            code.set_value(self._store, 0)  # type: ignore[union-attr]
            self._exports["depth"].set_value(self._store, 0)  # type: ignore[union-attr]
            raise Fault(f"D{number}", place) from None
        if "stack" in str(error):
            raise Fault(RECURSION, 0) from None
        raise InternalError(f"a trap in generated code: {error}", "backends") from error


__all__ = ["Outcomes", "WasmBackend"]
_ = Module, generate_module
