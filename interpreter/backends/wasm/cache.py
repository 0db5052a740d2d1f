"""Compiled modules."""

from __future__ import annotations

import wasmtime

from interpreter.backends.wasm.generate import Module, generate_module
from interpreter.ir.program import Program


def compiled(program: Program) -> tuple[Module, wasmtime.Engine, wasmtime.Module]:
    module = generate_module(program)
    engine = wasmtime.Engine()
    return module, engine, wasmtime.Module(engine, wasmtime.wat2wasm(module.text))


__all__ = ["compiled"]
