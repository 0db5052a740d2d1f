"""Compiled modules, kept in the user's cache so that a game starts at once the second time.

A file is named by what its module was made from: the operations, arrays and layout of the program, the text of this
package, the version of `wasmtime`. So nothing ever has to be found stale. Machine code is run as it is, hence a file
is only read if it and its folder belong to whoever runs this and nobody else may write there, and if its checksum is
right; `wasmtime` refuses code made for another machine by itself. A folder that cannot be written, a broken file or a
full disk costs the time of compiling and nothing else.

Invariant: what is given back is what compiling would have given.
"""

from __future__ import annotations

import json
import os
import pickle
import stat
import sys
import tempfile
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

import attrs
import wasmtime

from interpreter.backends.wasm.generate import Module, SlotForm, generate_module
from interpreter.ir.program import Program

__all__ = ["compiled", "folder"]

_KEPT = 256
"""Files that are kept; the oldest go first."""
_SUM = 32
"""Bytes of the checksum at the beginning of a file."""


def compiled(program: Program, counters: int = 0) -> tuple[Module, wasmtime.Engine, wasmtime.Module]:
    """The module of a program, from the cache or made now; its text is empty if it comes from the cache."""
    engine = wasmtime.Engine()
    path = _path(program, counters)
    known = _read(path, engine)
    if known is not None:
        return known[0], engine, known[1]
    module = generate_module(program, counters)
    code = wasmtime.Module(engine, bytes(wasmtime.wat2wasm(module.text)))
    _write(path, module, code)
    return module, engine, code


def folder() -> Path:
    """Where modules are kept."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "rulewright" / "wasm"


def _path(program: Program, counters: int) -> Path:
    digest = blake2b(digest_size=20)
    digest.update(f"{version('wasmtime')} {sys.platform} {sys.version}".encode())
    above = Path(__file__).parents
    for file in sorted([*above[0].glob("*.py"), above[1] / "nesting.py", above[2] / "ir" / "ranges.py"]):
        digest.update(file.read_bytes())
    parts = (
        program.players, program.layout, program.arrays, program.functions, program.blocks, program.decisions,
        program.spans, program.start, program.score, program.initial, program.entries, counters,
    )  # fmt: skip
    digest.update(pickle.dumps(parts, protocol=5))
    return folder() / f"{digest.hexdigest()}.module"


def _read(path: Path, engine: wasmtime.Engine) -> tuple[Module, wasmtime.Module] | None:
    try:
        if not (_is_ours(path.parent) and _is_ours(path)):
            return None
        content = path.read_bytes()
        if blake2b(content[_SUM:], digest_size=_SUM).digest() != content[:_SUM]:
            return None
        size = int.from_bytes(content[_SUM : _SUM + 4], "little")
        known = json.loads(content[_SUM + 4 : _SUM + 4 + size])
        known["slots"] = tuple(SlotForm(*form) for form in known["slots"])
        return Module(text="", **known), wasmtime.Module.deserialize(engine, content[_SUM + 4 + size :])
    except (OSError, ValueError, TypeError, KeyError, wasmtime.WasmtimeError):
        return None


def _is_ours(path: Path) -> bool:
    """Does it belong to whoever runs this, and may nobody else write it? (Windows keeps users' folders apart.)"""
    if sys.platform == "win32":
        return True
    found = path.lstat()
    return (
        found.st_uid == os.getuid()
        and not stat.S_ISLNK(found.st_mode)
        and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


def _write(path: Path, module: Module, code: wasmtime.Module) -> None:
    table = attrs.asdict(module, filter=lambda attribute, _: attribute.name != "text", recurse=False)
    table["slots"] = [attrs.astuple(form) for form in module.slots]
    head = json.dumps(table).encode()
    content = len(head).to_bytes(4, "little") + head + bytes(code.serialize())
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_ours(path.parent):
            return
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
            temporary = Path(file.name)
            file.write(blake2b(content, digest_size=_SUM).digest() + content)
        temporary.replace(path)
        _prune(path.parent)
    except OSError:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _prune(kept: Path) -> None:
    files = sorted(kept.glob("*.module"), key=lambda file: file.stat().st_mtime)
    for file in files[: max(0, len(files) - _KEPT)]:
        file.unlink(missing_ok=True)
