"""Engines written by hand: a module of Python, or a source of C that the machine's compiler makes a shared object of.

A module has `playouts(seed, games)`, which gives the decisions and how many games nobody, the first, the second won. A
source has `void playouts(uint64_t seed, int64_t games, int64_t told[4])`, which tells the same.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TypeAlias

from interpreter.tools.bench.sides import PLAIN_C, TITLES, Missing, PeerFault, Side, Slice, timed

__all__ = ["Playouts", "c_side", "compiled", "find_compiler", "python_module", "python_side"]

Playouts: TypeAlias = Callable[[int, int], tuple[int, Sequence[int]]]
"""From a seed and a number of games to the decisions and how many games nobody, the first, the second won."""

_COMPILERS = ("cc", "gcc", "clang")
_FLAGS = ("-O2", "-shared", "-fPIC")


def python_side(name: str, path: Path) -> Side | Missing:
    """A module that plays, or why it does not."""
    try:
        return _side(name, TITLES[name], path, python_module(path))
    except PeerFault as fault:
        return Missing(name, str(fault))


def c_side(path: Path) -> Side | Missing:
    """A source that plays, compiled into a folder that goes away again, or why it does not."""
    compiler = find_compiler()
    if compiler is None:
        return Missing(PLAIN_C, "no C compiler: neither CC nor any of cc, gcc, clang names one")
    folder = tempfile.TemporaryDirectory(prefix="dsl-bench-", ignore_cleanup_errors=True)
    try:
        playouts = compiled(path, compiler, Path(folder.name))
    except PeerFault as fault:
        folder.cleanup()
        return Missing(PLAIN_C, str(fault))
    title = f"{TITLES[PLAIN_C]}, {Path(compiler[0]).name} {_FLAGS[0]}"
    return _side(PLAIN_C, title, path, playouts, folder.cleanup)


def _side(name: str, title: str, path: Path, playouts: Playouts, close: Callable[[], None] = lambda: None) -> Side:
    def checked(seed: int, games: int) -> tuple[int, int]:
        try:
            decisions, ends = playouts(seed, games)
            is_sound = isinstance(decisions, int) and sum(ends) == games
        except Exception as fault:  # whatever a module does that is none of ours
            raise PeerFault(f"`{path.name}` failed: {_described(fault)}") from fault
        if not is_sound:
            raise PeerFault(f"`{path.name}` told other games than it was asked for")
        return decisions, 0

    def play(seed: int, games: int) -> Slice:
        return timed(games, lambda: checked(seed, games))

    return Side(name, title, play, close=close)


def python_module(path: Path) -> Playouts:
    """The function of a module, run from its file; raises `PeerFault`."""
    spec = spec_from_file_location(f"_engine_{path.parent.name}_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise PeerFault(f"`{path.name}` is no module of Python")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        playouts: Playouts = module.playouts
    except Exception as fault:  # whatever a module does that is none of ours
        raise PeerFault(f"`{path.name}` cannot be used: {_described(fault)}") from fault
    return playouts


def compiled(path: Path, compiler: Sequence[str], folder: Path) -> Playouts:
    """The function of a source, compiled into a folder, which has to stay while it is used; raises `PeerFault`."""
    shared = folder / f"{path.stem}.so"
    command = [*compiler, *_FLAGS, "-o", str(shared), str(path)]
    try:
        made = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
        if made.returncode:
            raise PeerFault(f"`{path.name}` cannot be compiled: {_complaint(made.stderr)}")
        function = ctypes.CDLL(str(shared)).playouts
    except (OSError, AttributeError) as fault:
        raise PeerFault(f"`{path.name}` cannot be used: {_described(fault)}") from fault
    function.argtypes = [ctypes.c_uint64, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64)]
    function.restype = None
    told = (ctypes.c_int64 * 4)()

    def playouts(seed: int, games: int) -> tuple[int, Sequence[int]]:
        function(seed, games, told)
        return told[0], told[1:]

    return playouts


def find_compiler() -> list[str] | None:
    """How the C compiler is called: what CC says, else the first that is here."""
    named = shlex.split(os.environ.get("CC", ""))
    for words in [named] if named else [[name] for name in _COMPILERS]:
        if shutil.which(words[0]):
            return words
    return None


def _described(fault: Exception) -> str:
    first = str(fault).strip().partition("\n")[0]
    return f"{type(fault).__name__}: {first}" if first else type(fault).__name__


def _complaint(text: str) -> str:
    """The line of a compiler's output that says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line), lines[0] if lines else "it does not say why")
