"""From a path or a name to a game that can be played.

The one place where the whole chain is run: read, understand, lower, hand to a backend. It is also where mistakes in the
rules become an exception: whoever embeds the engine gets all findings at once, and everything behind this door may
rely on rules without errors.

Reading is cheap and always done, so that a changed file is seen; what a file means is kept for the life of the process
by its fingerprint, so that tests, saves and simulations of one game compile it once.

Invariant: rules given back have no errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from importlib import import_module
from os import environ
from pathlib import Path

from interpreter.backends.api import Backend
from interpreter.diagnostics import Diagnostic, Diagnostics, RulesError, Severity, did_you_mean
from interpreter.ir.from_semantics import lower
from interpreter.ir.program import Program
from interpreter.runtime.rules import Configuration, OptionValue, Rules
from interpreter.semantics import Configuration as Choices
from interpreter.semantics import Project, read_project, understand
from interpreter.source import Files, find_shipped, shipped_games

__all__ = ["BACKENDS", "configure", "load", "make_backend", "read_rules"]

BACKENDS: Mapping[str, tuple[str, str]] = {
    "python": ("interpreter.backends.python", "PythonBackend"),
    "wasm": ("interpreter.backends.wasm", "WasmBackend"),
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

    `backend` is a name of `BACKENDS`; None is what the environment variable `DSL_BACKEND` says, else "python".
    """
    project, files, path = read_rules(rules)
    configuration = Configuration(
        rules=str(rules),
        players=players,
        options=tuple(sorted((options or {}).items())),
        scenario=scenario,
        addons=tuple(str(addon) for addon in addons),
    )
    return configure(project, files, path, configuration, backend or environ.get("DSL_BACKEND") or "python")


def read_rules(rules: str | Path, files: Files | None = None) -> tuple[Project, Files, Path]:
    """A game read but not understood, with its files and its path; raises `RulesError`."""
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
    if configuration.addons:
        raise RulesError([_error("D820", "addons and mods cannot be loaded yet")])
    if backend not in BACKENDS:
        raise RulesError([_error("D821", f"no backend `{backend}`, expected {', '.join(BACKENDS)}")])
    key = _key(project, path, configuration, backend)
    known = _compiled.get(key)
    if known is not None:
        return known
    sink = Diagnostics()
    chosen = Choices(configuration.players, dict(configuration.options), configuration.scenario)
    game = understand(project, chosen, sink)
    if game is None or sink.has_errors:
        raise RulesError(sink)
    program = lower(game)
    make = _maker(backend)
    made = Rules(game, program, make(program), make, configuration, files)
    while len(_compiled) >= _KEPT:
        del _compiled[next(iter(_compiled))]
    _compiled[key] = made
    return made


def _find(rules: str | Path, sink: Diagnostics) -> Path:
    path = Path(rules)
    if path.suffix == ".rules" or path.exists():
        return path
    shipped = find_shipped(str(rules))
    if shipped is not None:
        return shipped
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
    return _maker(name)(program)


def _maker(name: str) -> Callable[[Program], Backend]:
    module, made = BACKENDS[name]
    maker: Callable[[Program], Backend] = getattr(import_module(module), made)
    return maker


def _error(code: str, message: str) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, None)
