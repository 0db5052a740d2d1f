"""How Python calls what a module exports: by a short way where this `wasmtime` has it, else by the ordinary one.

The ordinary call looks up the types of a function each time and takes longer than most decisions of a game. The short
one hands all numbers over in one array, as wasmtime's C interface has it; for that, a few names are needed that the
package keeps to itself. So releases to come are not shut out: whether the names are there is looked up once, and
where one is missing games are only slower.

Invariant: both ways give the same number, and raise the same errors.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Literal

import wasmtime

__all__ = ["Call", "bound", "has_short_way"]

Call = Callable[..., int]
"""Takes whole numbers and gives one, or raises `wasmtime.Trap` or `wasmtime.WasmtimeError`."""

_NEEDED = {
    "_ffi": ("wasmtime_func_call_unchecked", "wasmtime_val_raw_t", "wasm_trap_t"),
    "Store": ("_context",),
    "Trap": ("_from_ptr",),
    "WasmtimeError": ("_from_ptr",),
}
"""Names of the short way, by where they are kept."""


def has_short_way(package: Any = wasmtime) -> bool:
    """Does the package have all that the short way needs?"""
    kept = [(getattr(package, place, None), names) for place, names in _NEEDED.items()]
    if not all(hasattr(place, name) for place, names in kept for name in names):
        return False
    value = package._ffi.wasmtime_val_raw_t
    return hasattr(value, "i32") and hasattr(value, "i64")


_SHORT = has_short_way()


def bound(store: wasmtime.Store, function: Any, inputs: int, gives: Literal["i32", "i64"]) -> Call:
    """A function of an instance, ready to be called with so many numbers of 64 bits; it gives one number."""
    if not (_SHORT and hasattr(function, "_func")):
        return lambda *numbers: int(function(store, *numbers))
    return _short(store, function, inputs, gives)


def _short(store: wasmtime.Store, function: Any, inputs: int, gives: str) -> Call:
    ffi: Any = wasmtime._ffi
    room, trap_pointer = ffi.wasmtime_val_raw_t * max(inputs, 1), ctypes.POINTER(ffi.wasm_trap_t)
    context, address, call = store._context(), ctypes.byref(function._func), ffi.wasmtime_func_call_unchecked
    size, small = max(inputs, 1), gives == "i32"

    def short(*numbers: int) -> int:
        values, trap = room(), trap_pointer()
        if inputs:
            for place, number in zip(values, numbers, strict=True):
                place.i64 = number
        error = call(context, address, values, size, ctypes.byref(trap))
        if trap:
            raise wasmtime.Trap._from_ptr(trap)
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        return values[0].i32 if small else values[0].i64  # type: ignore[no-any-return]

    return short
