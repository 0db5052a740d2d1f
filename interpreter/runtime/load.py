"""From a path or a name to a game that can be played.

The one place where the whole chain is run: read, understand, lower, hand to a backend. It is also where mistakes in the
rules become an exception: whoever embeds the engine gets all findings at once, and everything behind this door may
rely on rules without errors.

The files of a game are always read, so that a changed file is seen. What they mean is kept: for the life of the
process, so that tests, saves and simulations of one game compile it once, and by `load` in the user's cache
(`runtime.kept`), so that the chain need not be run, nor imported, by every process.

Invariant: rules given back have no errors.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from importlib import import_module
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.diagnostics import Diagnostic, Diagnostics, RulesError, Severity, did_you_mean
from interpreter.runtime.kept import Kept, find_game, find_program, keep_game, keep_program
from interpreter.runtime.rules import Configuration, OptionValue, Rules, options_in_force
from interpreter.source import Files, find_shipped, shipped_games

if TYPE_CHECKING:
    from interpreter.backends.api import Backend
    from interpreter.ir.program import Program
    from interpreter.semantics import Project
    from interpreter.semantics.model import Game

__all__ = ["BACKENDS", "configure", "forget", "load", "make_backend", "read_rules"]

BACKENDS: Mapping[str, tuple[str, str]] = {
    "python": ("interpreter.backends.python.backend", "PythonBackend"),
    "wasm": ("interpreter.backends.wasm.backend", "WasmBackend"),
}
"""Backends by name: the module, imported when it is first needed, and the class."""

_KEPT = 64
"""How many compiled games are kept; tests of a file need one for each configuration."""

_compiled: dict[tuple[str, ...], Rules] = {}


def load(
    rules: str | Path,
    *,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    scenario: str | None = None,
    backend: str | None = None,
    addons: Sequence[str | Path] = (),
) -> Rules:
    """A game by path or by the name of a shipped one; raises `RulesError` with all findings.

    `backend` is a name of `BACKENDS`; None is what the environment variable `DSL_BACKEND` says, else "python". With
    `DSL_CACHE=off` in the environment nothing of an earlier run is used, and nothing is kept for a later one.
    """
    configuration = Configuration(
        rules=str(rules),
        players=players,
        options=tuple(sorted((options or {}).items())),
        scenario=scenario,
        addons=tuple(str(addon) for addon in addons),
    )
    backend = backend or environ.get("DSL_BACKEND") or "python"
    path = _find(rules, Diagnostics()).absolute()
    kept = find_program(path, configuration)
    if kept is not None:
        return _from_kept(kept, path, configuration, backend)
    with _uncollected():
        project, files, path = read_rules(path)
        made = configure(project, files, path, configuration, backend)
        keep_program(path, configuration, files, made.program, made.options)
    return _remember(_kept_key(path, made.program, configuration, backend), made)


def read_rules(rules: str | Path, files: Files | None = None) -> tuple[Project, Files, Path]:
    """A game read but not understood, with its files and its path; raises `RulesError`."""
    from interpreter.semantics import read_project

    sink = Diagnostics()
    path = _find(rules, sink)
    files = files if files is not None else Files(root=path.absolute().parent)
    project = read_project(path.absolute(), sink, files)
    if project is None or sink.has_errors:
        raise RulesError(sink)
    return project, files, path


def configure(
    project: Project, files: Files, path: Path, configuration: Configuration, backend: str = "python"
) -> Rules:
    """A game that was read, in one configuration, ready to play; raises `RulesError`."""
    from interpreter.ir.from_semantics import lower

    make = _maker(configuration, backend)
    key = _key(project, path, configuration, backend)
    known = _compiled.get(key)
    if known is not None:
        return known
    game = _understand(project, configuration)
    program = lower(game)
    options = options_in_force(game)

    def understood() -> Game:
        keep_game(program, files, game)
        return game

    return _remember(key, Rules(program, make(program), make, configuration, options, understood, files))


def forget() -> None:
    """Forgets what this process has loaded; what is kept in the user's cache stays there."""
    _compiled.clear()


def _from_kept(kept: Kept, path: Path, configuration: Configuration, backend: str) -> Rules:
    """A game whose program was found."""
    make = _maker(configuration, backend)
    program, files = kept.program, kept.files
    key = _kept_key(path, program, configuration, backend)
    known = _compiled.get(key)
    if known is not None:
        return known

    def understood() -> Game:
        game = find_game(program, files)
        if game is None:
            game = _understand(read_rules(path, files)[0], configuration)
            keep_game(program, files, game)
        return game

    return _remember(key, Rules(program, make(program), make, configuration, kept.options, understood, files))


def _kept_key(path: Path, program: Program, configuration: Configuration, backend: str) -> tuple[str, ...]:
    """What a game is remembered by that need not be read to be known."""
    return (str(path), program.digest, repr(configuration), backend)


def _understand(project: Project, configuration: Configuration) -> Game:
    from interpreter.semantics import Configuration as Choices
    from interpreter.semantics.understand import understand

    sink = Diagnostics()
    chosen = Choices(configuration.players, dict(configuration.options), configuration.scenario)
    game = understand(project, chosen, sink)
    if game is None or sink.has_errors:
        raise RulesError(sink)
    return game


@contextmanager
def _uncollected() -> Iterator[None]:
    """Inside, Python does not look for garbage: trees and games live long, and to look at them again and again while
    they grow takes a sixth of the time that they take to make. Afterwards they count as old, as they would anyway."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()  # moves everything out of all generations,
            gc.unfreeze()  # and back into the oldest
        gc.enable()


def _remember(key: tuple[str, ...], made: Rules) -> Rules:
    while len(_compiled) >= _KEPT:
        del _compiled[next(iter(_compiled))]
    _compiled[key] = made
    return made


def _find(rules: str | Path, sink: Diagnostics) -> Path:
    path = Path(rules)
    if path.suffix == ".rules" or path.is_file():
        return path
    shipped = find_shipped(str(rules))
    if shipped is not None:
        return shipped
    if path.exists():
        return path
    names = [game.stem for game in shipped_games()]
    help = did_you_mean(str(rules), names) or "give the path of a `.rules` file, or the name of a shipped game"
    sink.error("D101", f"no game `{rules}`", None, help=help)
    raise RulesError(sink)


def _key(project: Project, path: Path, configuration: Configuration, backend: str) -> tuple[str, ...]:
    """What a compiled game depends on: all texts that were read, and the configuration."""
    digest = blake2b(digest_size=16)
    for source in project.sources:
        digest.update(source.path.encode("utf-8") + b"\0" + source.text.encode("utf-8", "surrogatepass") + b"\0")
    return (str(path.absolute()), digest.hexdigest(), repr(configuration), backend, _boards(path))


def _boards(path: Path) -> str:
    """When the data files beside the rules were changed last; boards are read while a game is understood."""
    newest = 0
    folders = [path.parent, *(folder for folder in path.parent.glob("*") if folder.is_dir())]
    for folder in folders:
        for file in folder.glob("*.yaml"):
            newest = max(newest, file.stat().st_mtime_ns)
    return str(newest)


def make_backend(name: str, program: Program) -> Backend:
    """The backend of a name for a program."""
    return _backend(name)(program)


def _maker(configuration: Configuration, name: str) -> Callable[[Program], Backend]:
    """Makes backends of a name; raises `RulesError` for what cannot be had."""
    if configuration.addons:
        raise RulesError([_error("D820", "addons and mods cannot be loaded yet")])
    if name not in BACKENDS:
        raise RulesError([_error("D821", f"no backend `{name}`, expected {', '.join(BACKENDS)}")])
    return _backend(name)


def _backend(name: str) -> Callable[[Program], Backend]:
    module, made = BACKENDS[name]
    maker: Callable[[Program], Backend] = getattr(import_module(module), made)
    return maker


def _error(code: str, message: str) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, None)
