"""Compiled modules, kept in the user's cache (`source.store`) so that a game starts at once the second time.

A module is named by what it was made from: the program, the text of our modules, the version of `wasmtime`. A program
that was kept itself has a digest of all that it comes from; of any other the operations, arrays and layout are looked
at. `wasmtime` refuses code made for another machine by itself.

Invariant: what is given back is what compiling would have given.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import attrs
import wasmtime

from interpreter.backends.wasm.module import Module, SlotForm
from interpreter.ir.program import Program
from interpreter.source import store

__all__ = ["compiled"]


def compiled(program: Program, counters: int = 0) -> tuple[Module, wasmtime.Engine, wasmtime.Module]:
    """The module of a program, from the cache or made now; its text is empty if it comes from the cache."""
    engine = wasmtime.Engine()
    name = _name(program, counters) if store.is_on() else ""
    known = _read(store.find("wasm", name), engine) if name else None
    if known is not None:
        return known[0], engine, known[1]
    from interpreter.backends.wasm.generate import generate_module

    module = generate_module(program, counters)
    code = wasmtime.Module(engine, bytes(wasmtime.wat2wasm(module.text)))
    if name:
        store.keep("wasm", name, _written(module, code))
    return module, engine, code


def _name(program: Program, counters: int) -> str:
    made_by = store.digest_of_modules("ir", "backends"), _version(), sys.platform, str(counters)
    if program.digest:
        return store.name_of(*made_by, program.digest)
    import pickle

    parts = (
        program.players, program.layout, program.arrays, program.functions, program.blocks, program.decisions,
        program.spans, program.start, program.score, program.initial, program.entries,
    )  # fmt: skip
    return store.name_of(*made_by, pickle.dumps(parts, protocol=5))


@cache
def _version() -> str:
    """The version of `wasmtime`, by the name of the folder that tells it: to ask for it takes longer than the rest."""
    found = sorted(folder.name for folder in Path(wasmtime.__file__).parents[1].glob("wasmtime-*-info"))
    if found:
        return " ".join(found)
    from importlib.metadata import version

    return version("wasmtime")


def _read(content: bytes | None, engine: wasmtime.Engine) -> tuple[Module, wasmtime.Module] | None:
    if content is None:
        return None
    size = int.from_bytes(content[:4], "little")
    try:
        known = json.loads(content[4 : 4 + size])
        known["slots"] = tuple(SlotForm(*form) for form in known["slots"])
        return Module(text="", **known), wasmtime.Module.deserialize(engine, content[4 + size :])
    except (ValueError, TypeError, KeyError, wasmtime.WasmtimeError):
        return None


def _written(module: Module, code: wasmtime.Module) -> bytes:
    table = attrs.asdict(module, filter=lambda attribute, _: attribute.name != "text", recurse=False)
    table["slots"] = [attrs.astuple(form) for form in module.slots]
    head = json.dumps(table).encode()
    return len(head).to_bytes(4, "little") + head + bytes(code.serialize())
