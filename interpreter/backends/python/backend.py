"""The judge: runs a program as generated Python.

Each of the two texts of a program (watched or not) is compiled when it is first needed. Errors that Python finds in
generated code (a division by zero, an index outside of its array, endless recursion) are faults of the rules: the
traceback leads to a line of the text, the line to a span. Invariant: what leaves here is a `Fault`, an
`InternalError`, or whatever the caller's own watcher or `pick` raised.
"""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Callable, Sequence
from itertools import count
from types import TracebackType
from typing import Any, NoReturn

from interpreter.backends.api import Fault, State, TooLarge, Watcher, seeded
from interpreter.backends.initial import initial_state
from interpreter.backends.python.generate import Module, generate_module
from interpreter.backends.python.meter import Meter
from interpreter.diagnostics import InternalError
from interpreter.ir.program import CHOICE, DECISION, RNG, Program

ARITHMETIC = "D703"
"""Fault: a value that cannot be worked out: a division by zero, an index that nothing has."""
RECURSION = "D704"
"""Fault: functions that call one another without end."""

_numbers = count(1)


class _Compiled:
    """One text of a program, compiled."""

    def __init__(self, program: Program, watched: bool) -> None:
        self.module: Module = generate_module(program, watched)
        self.file = f"<{program.title}, {'watched' if watched else 'plain'}, {next(_numbers)}>"
        self.names: dict[str, Any] = {"__name__": f"generated.{'watched' if watched else 'plain'}"}
        self.names.update((self.module.arrays[name], values) for name, values in program.arrays.items())
        try:
            exec(compile(self.module.text, self.file, "exec"), self.names)
        except (SyntaxError, RecursionError, MemoryError) as error:  # nested deeper than Python can read
            raise InternalError(f"Python cannot read the generated text: {error}", "backends") from error
        linecache.cache[self.file] = (
            len(self.module.text),
            None,
            self.module.text.splitlines(keepends=True),
            self.file,
        )
        weakref.finalize(self, linecache.cache.pop, self.file, None)
        self.run: Callable[..., list[int] | None] = self.names["run"]
        self.meter: Meter = self.names["METER"]

    def function(self, name: str) -> Callable[..., Any]:
        if name not in self.module.functions:
            raise InternalError(f"no function {name}", "backends")
        return self.names[self.module.functions[name]]  # type: ignore[no-any-return]

    def translate(self, error: Exception) -> Exception:
        """What an error of Python means: the caller's own error as it is, else a fault or an error of ours."""
        trace = error.__traceback__
        frames: list[TracebackType] = []
        while trace is not None:
            frames.append(trace)
            trace = trace.tb_next
        innermost = frames[-1].tb_frame.f_code
        if isinstance(error, RecursionError):
            return Fault(RECURSION, self._span(frames))
        if isinstance(error, TooLarge):
            return Fault(ARITHMETIC, self._span(frames))
        if innermost.co_filename != self.file or innermost.co_name == "playout":
            return error
        if isinstance(error, ArithmeticError | LookupError | ValueError | MemoryError):
            return Fault(ARITHMETIC, self._span(frames))
        return InternalError(f"{type(error).__name__} in generated text: {error}", "backends")

    def _span(self, frames: list[TracebackType]) -> int:
        """The span of the innermost line that has one; 0 if none has."""
        for frame in reversed(frames):
            if frame.tb_frame.f_code.co_filename == self.file:
                span = self.module.spans[frame.tb_lineno - 1]
                if span >= 0:
                    return span
        return 0


class PythonBackend:
    """Implements `api.Backend`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._modules: dict[bool, _Compiled] = {}
        self._initial = initial_state(program)

    def _compiled(self, watched: bool) -> _Compiled:
        compiled = self._modules.get(watched)
        if compiled is None:
            compiled = self._modules[watched] = _Compiled(self.program, watched)
        return compiled

    def new_state(self, seed: int) -> State:
        state = self._initial.copy()
        state[RNG : RNG + 4] = seeded(seed)
        return state

    def run(self, state: State, watcher: Watcher | None = None) -> Sequence[int] | None:
        compiled = self._compiled(watcher is not None)
        try:
            return compiled.run(state) if watcher is None else compiled.run(state, watcher)
        except Fault:
            raise
        except Exception as error:
            self._raise(compiled, error)

    def apply(self, state: State, code: int, watcher: Watcher | None = None) -> Sequence[int] | None:
        state[CHOICE] = code
        return self.run(state, watcher)

    def options(self, state: State) -> Sequence[int]:
        decision = state[DECISION]
        if decision < 0:
            return []
        compiled = self._compiled(watched=False)
        before = compiled.meter.begin()
        try:
            options: list[int] = compiled.function(self.program.decisions[decision].options)(state)
        except Fault:
            raise
        except Exception as error:
            self._raise(compiled, error)
        finally:
            compiled.meter.back(before)
        return options

    def call(self, function: str, state: State, *arguments: int, watcher: Watcher | None = None) -> int:
        compiled = self._compiled(watcher is not None)
        call = compiled.function(function)
        before = compiled.meter.begin()  # a watcher may ask something in the middle of a run
        try:
            result = call(state, *arguments) if watcher is None else call(state, watcher, *arguments)
        except Fault:
            raise
        except Exception as error:
            self._raise(compiled, error)
        finally:
            compiled.meter.back(before)
        return 0 if result is None else int(result)

    def playout(self, state: State, pick: Callable[[int], int], limit: int) -> int:
        compiled = self._compiled(watched=False)
        try:
            decisions: int = compiled.names["playout"](state, pick, limit)
        except Fault:
            raise
        except Exception as error:
            self._raise(compiled, error)
        return decisions

    def _raise(self, compiled: _Compiled, error: Exception) -> NoReturn:
        meaning = compiled.translate(error)
        if meaning is error:
            raise error
        raise meaning from error


__all__ = ["ARITHMETIC", "RECURSION", "PythonBackend"]
