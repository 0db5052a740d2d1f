"""The backend that generates WebAssembly: native speed, no compiler on the user's machine, nothing but computing."""

from interpreter.backends.wasm.backend import WasmBackend

__all__ = ["WasmBackend"]
