"""Runs a program as WebAssembly, at native speed.

The state of a call is written into the memory of the module, worked on there, and read back; the options are read in
one go. Whoever watches (events, marks, given chance) and whoever asks for what only explains or shows is answered by
the judge, the Python backend, which is made when it is first needed.

Invariant: what leaves here is a `Fault`, an `InternalError`, or whatever the caller's own watcher or `pick` raised; a
fault leaves the caller's state as it was.
"""

from __future__ import annotations

import ctypes
import struct
import weakref
from array import array
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, Literal, NoReturn

import wasmtime

from interpreter.backends.api import Backend, Fault, Outcomes, Rollouts, State, Watcher, seeded
from interpreter.backends.initial import initial_state
from interpreter.backends.lookahead import seed_of_games
from interpreter.backends.wasm.cache import compiled
from interpreter.backends.wasm.calls import Call, bound
from interpreter.backends.wasm.long_calls import interruptible
from interpreter.backends.wasm.module import STATE, TOLD, SlotForm
from interpreter.diagnostics import InternalError
from interpreter.ir.program import CHOICE, DECISION, RNG, Program

_WAITS = -1
_NUMBER = struct.Struct("<i")
_TOLD = struct.Struct("<ii")
RECURSION = "D704"


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


class Instance:
    """A module compiled and ready, with its memory."""

    def __init__(self, program: Program, counters: int = 0) -> None:
        self.module, engine, code = compiled(program, counters)
        self.record = _Record(self.module.slots, self.module.state_size)
        self.store = wasmtime.Store(engine)
        self.exports: Any = wasmtime.Instance(self.store, code, []).exports(self.store)
        memory: Any = self.exports["memory"]
        address = ctypes.cast(memory.data_ptr(self.store), ctypes.c_void_p).value
        if not address:
            raise InternalError("the module has no memory", "backends")
        # the module never lets its memory grow, so it stays where it is as long as the store does
        size = memory.data_len(self.store)
        self.buffer = memoryview((ctypes.c_ubyte * size).from_address(address)).cast("B")
        self.start: tuple[int, int] | None = None  # the record with which random games begin
        self.functions: dict[str, Any] = {}
        self.calls: dict[str, Call] = {}
        weakref.finalize(
            self, _closed, self.store, code, engine
        )  # also at the end of Python, while it still can be done

    def call(self, name: str, *arguments: int) -> int:
        """Calls what the module exports; a trap is a fault of the rules."""
        function = self.functions.get(name)
        if function is None:
            function = self.functions[name] = self.exports[name]
        try:
            return function(self.store, *arguments) or 0
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            self._raise(error)

    def step(self, name: str) -> int:
        """Calls a function without inputs that gives an i32."""
        try:
            return (self.calls.get(name) or self._bound(name, 0, "i32"))()
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            self._raise(error)

    def loop(self, name: str, *numbers: int) -> int:
        """Calls a function of numbers of 64 bits that gives one."""
        try:
            return (self.calls.get(name) or self._bound(name, len(numbers), "i64"))(*numbers)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            self._raise(error)

    def _bound(self, name: str, inputs: int, gives: Literal["i32", "i64"]) -> Call:
        call = self.calls[name] = bound(self.store, self.exports[name], inputs, gives)
        return call

    def number(self, name: str) -> int:
        """The value of a global."""
        return int(self.exports[name].value(self.store))

    def options(self) -> list[int]:
        """The list that was made last."""
        begin, end = _TOLD.unpack_from(self.buffer, TOLD)
        content = bytes(self.buffer[begin:end])
        return array("q" if self.module.option_kind else "i", content).tolist()

    def copy(self, to: int) -> None:
        size = self.module.state_size
        self.buffer[to : to + size] = bytes(self.buffer[STATE : STATE + size])

    def _raise(self, error: Exception) -> NoReturn:
        code, span = self.number("fault_code"), self.number("fault_span")
        self.exports["fault_code"].set_value(self.store, 0)
        self.exports["depth"].set_value(self.store, 0)
        if code:
            raise Fault(f"D{code}", span) from None
        if isinstance(error, wasmtime.Trap) and error.trap_code is wasmtime.TrapCode.STACK_OVERFLOW:
            raise Fault(RECURSION, 0) from None
        raise InternalError(f"a trap in generated code: {error}", "backends") from error


def _closed(*parts: Any) -> None:
    for part in parts:
        part.close()


class WasmBackend:
    """Implements `api.Backend` and `api.ManyGames`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._initial = initial_state(program)
        self._tried: WasmLookahead | None = None

    @cached_property
    def instance(self) -> Instance:
        """The module, compiled when it is first needed."""
        return Instance(self.program)

    @cached_property
    def _highest(self) -> list[int]:
        """The highest code of each decision."""
        from interpreter.ir.ranges import highest_code

        return [highest_code(self.program, decision) for decision in self.program.decisions]

    @cached_property
    def _judge(self) -> Backend:
        """The backend that explains."""
        from interpreter.backends.python import PythonBackend

        return PythonBackend(self.program)

    # ------------------------------------------------------------------ one game

    def new_state(self, seed: int) -> State:
        state = self._initial.copy()
        state[RNG : RNG + 4] = seeded(seed)
        return state

    def run(self, state: State, watcher: Watcher | None = None) -> Sequence[int] | None:
        if watcher is not None:
            return self._judge.run(state, watcher)
        instance = self.instance
        instance.record.write(state, instance.buffer)
        next_ = instance.step("run")
        instance.record.read(state, instance.buffer)
        return instance.options() if next_ == _WAITS else None

    def apply(self, state: State, code: int, watcher: Watcher | None = None) -> Sequence[int] | None:
        decision = state[DECISION]
        if decision >= 0 and not 0 <= code <= self._highest[decision]:
            raise InternalError(f"decision {decision} has no code {code}", "backends")
        state[CHOICE] = code
        return self.run(state, watcher)

    def options(self, state: State) -> Sequence[int]:
        if state[DECISION] < 0:
            return []
        instance = self.instance
        instance.record.write(state, instance.buffer)
        instance.step("ask")
        return instance.options()

    def call(self, function: str, state: State, *arguments: int, watcher: Watcher | None = None) -> int:
        if watcher is not None or function != self.program.score:
            return self._judge.call(function, state, *arguments, watcher=watcher)
        instance = self.instance
        instance.record.write(state, instance.buffer)
        return instance.call("score", *arguments)

    def playout(self, state: State, pick: Callable[[int], int], limit: int) -> int:
        decisions = 0
        options = self.options(state) if state[DECISION] >= 0 else self.run(state)
        while options is not None:
            if decisions == limit:
                return -1
            decisions += 1
            options = self.apply(state, options[pick(len(options))])
        return decisions

    # ------------------------------------------------------------------ many games

    def random_playouts(self, seed: int, games: int, limit: int) -> Outcomes:
        """Plays so many games from the start, every option equally likely; the whole loop runs inside."""
        instance = self.instance
        module = instance.module
        if instance.start is None:
            instance.start = self._prepared()
        inputs = (*instance.start, int(module.draws), games, limit, _signed(seed))
        decisions = interruptible(instance.buffer, lambda: instance.call("playouts", *inputs))
        sets = module.outcomes
        counts = struct.unpack_from(f"<{4 * sets + 1}q", instance.buffer, module.tallies)
        ends = {(i // sets, i % sets): count for i, count in enumerate(counts[:-1]) if count}
        return Outcomes(games, decisions, counts[-1], ends)

    def lookahead(self) -> WasmLookahead:
        """A new game to be tried out, in a memory of its own."""
        return WasmLookahead(Instance(self.program))

    def rollouts(self, state: State, seed: int, games: int, limit: int) -> Rollouts:
        """Random games from a state; the whole loop runs inside."""
        if self._tried is None:
            self._tried = self.lookahead()
        self._tried.begin(state)
        return self._tried.rollouts(seed, games, limit)

    def _prepared(self) -> tuple[int, int]:
        """Puts the record with which games begin into the memory: that of the first decision, if set-up leaves nothing
        to chance. Its address, and whether a decision waits there already."""
        instance, module = self.instance, self.instance.module
        state = self.new_state(1)
        instance.record.write(state, instance.buffer)
        instance.copy(module.before_setup)
        if self.run(state) is None or tuple(state[RNG : RNG + 4]) != seeded(1):
            return module.before_setup, 0
        instance.copy(module.after_setup)
        return module.after_setup, 1


class WasmLookahead:
    """Implements `api.Lookahead`: the game stands in the memory of the module, and only codes go in and out."""

    def __init__(self, instance: Instance) -> None:
        module = instance.module
        self._instance = instance
        self._choice = struct.Struct("<q" if module.option_kind else "<i")
        self._counts = struct.Struct(f"<{4 * module.outcomes + 1}q")
        self._points = struct.Struct(f"<{module.scored}q")
        self._words = struct.Struct("<4q")
        self._record = slice(STATE, STATE + module.state_size)
        self._waits = False
        self._is_asked = False  # do the options lie there?
        self._seed, self._seeded = 0, seeded(0)  # the last seed, and its words

    def begin(self, state: State) -> None:
        instance = self._instance
        instance.record.write(state, instance.buffer)
        self._is_asked = False
        self._waits = state[DECISION] >= 0
        if not self._waits:
            self._go_on()

    def options(self) -> list[int]:
        if not self._waits:
            return []
        if not self._is_asked:
            self._instance.step("ask")
            self._is_asked = True
        return self._instance.options()

    def actor(self) -> int:
        return self._instance.step("actor") if self._waits else -1

    def decision(self) -> int:
        return int(_NUMBER.unpack_from(self._instance.buffer, self._instance.module.decision)[0]) if self._waits else -1

    def take(self, code: int) -> bool:
        instance = self._instance
        self._choice.pack_into(instance.buffer, instance.module.choice, code)
        return self._go_on()

    def _go_on(self) -> bool:
        self._waits = self._is_asked = self._instance.step("run") == _WAITS
        return self._waits

    def state(self) -> State:
        state: State = []
        self._instance.record.read(state, self._instance.buffer)
        return state

    def keep(self) -> Hashable:
        buffer, at = self._instance.buffer, self._instance.module.chance
        words = self._words.unpack_from(buffer, at)
        self._words.pack_into(buffer, at, 0, 0, 0, 0)
        kept = bytes(buffer[self._record])
        self._words.pack_into(buffer, at, *words)
        return kept

    def go_back(self, kept: Hashable, seed: int) -> None:
        assert isinstance(kept, bytes)
        instance = self._instance
        instance.buffer[self._record] = kept
        if seed != self._seed:
            self._seed, self._seeded = seed, seeded(seed)
        self._words.pack_into(instance.buffer, instance.module.chance, *self._seeded)
        self._waits, self._is_asked = True, False

    def rollouts(self, seed: int, games: int, limit: int) -> Rollouts:
        instance, module = self._instance, self._instance.module
        decisions = instance.loop("rollouts", games, limit, _signed(seed))
        self._waits = False
        sets = module.outcomes
        counts = self._counts.unpack_from(instance.buffer, module.tallies)
        ends = {divmod(at, sets): count for at, count in enumerate(counts[:-1]) if count}
        points = self._points.unpack_from(instance.buffer, module.tallies + self._counts.size)
        return Rollouts(games, decisions, ends, points)


def _signed(seed: int) -> int:
    word = seed_of_games(seed)
    return word - 2**64 if word >= 2**63 else word


__all__ = ["Instance", "WasmBackend", "WasmLookahead"]
