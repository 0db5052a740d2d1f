"""Programs and games of an earlier run, found again as long as all that they were made from is the same.

Three sorts of files are kept in the user's cache (`source.store`). An *index*, named by the path of a rules file and
the configuration, is the trail of all that was read: the includes, the boards, and the places where nothing was found.
A *program* is named by its texts and the configuration, so that copies of a game share it. A *game* as understood goes
with its program; it is larger, and only kept once somebody has asked for it. All names hold the text of every module
that has a part in making a program, so that none outlives a change of ours.

On a warm start the files of the trail are read and compared, and nothing else: neither Lark nor a stage between reading
and running is so much as imported. Only what loads without an error is kept. What more people may change at a time (a
long table, one of many lists) would be kept by the same means: a sort of its own, named by the text that it is made of.

Invariant: what is found is what reading, understanding and lowering the same files would give.
"""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from interpreter.ir.program import Program
from interpreter.runtime.rules import Configuration, OptionValue
from interpreter.source import Files, Step, library_folder, store

if TYPE_CHECKING:
    from interpreter.semantics.model import Game

__all__ = ["Kept", "find_game", "find_program", "keep_game", "keep_program"]

_STAGES = ("diagnostics", "source", "boards", "syntax", "semantics", "ir")
"""The packages that have a part in making a program."""
_FILES = "files"
"""Stands in a kept game for the set of files, which is there before the game is."""


@frozen
class Kept:
    """A program that was found."""

    program: Program
    """With its digest."""
    options: Mapping[str, OptionValue]
    """Every option with the value in force."""
    files: Files
    """The files that it was made from, read again."""


def find_program(path: Path, configuration: Configuration) -> Kept | None:
    """The program of a rules file (an absolute path) in a configuration, if nothing it was made from has changed."""
    content = store.find("indexes", _index_name(path, configuration)) if store.is_on() else None
    if content is None:
        return None
    trail = [Step(*step) for step in json.loads(content)]
    files = Files(root=path.parent)
    if not files.is_same_trail(trail):
        return None
    digest = _program_name(configuration, files)
    found = _unpickled(store.find("programs", digest))
    if found is None:
        return None
    program, options = found
    program.digest = digest
    return Kept(program, options, files)


def keep_program(
    path: Path, configuration: Configuration, files: Files, program: Program, options: Mapping[str, OptionValue]
) -> None:
    """Keeps a program; it gets a digest if that was done."""
    if not store.is_on() or program.digest:
        return
    digest = _program_name(configuration, files)
    content = _pickled((program, dict(options)))
    if content is not None and store.keep("programs", digest, content):
        trail = [(step.path, step.shown, step.digest) for step in files.trail()]
        if store.keep("indexes", _index_name(path, configuration), json.dumps(trail).encode()):
            program.digest = digest


def find_game(program: Program, files: Files) -> Game | None:
    """The game as understood from which a kept program was made."""
    from interpreter.semantics.symbols import Names

    content = store.find("games", _game_name(program, files)) if program.digest else None
    found: Game | None = _unpickled(content, files)
    if found is not None and isinstance(found.names, Names):
        found.names.used.clear()  # identities of another run
    return found


def keep_game(program: Program, files: Files, game: Game) -> None:
    """Keeps a game beside its program, if that is kept."""
    if store.is_on() and program.digest:
        content = _pickled(game)
        if content is not None:
            store.keep("games", _game_name(program, files), content)


# ------------------------------------------------------------------------------------------------------- names


def _index_name(path: Path, configuration: Configuration) -> str:
    return store.name_of(_made_by(), str(path), _chosen(configuration))


def _program_name(configuration: Configuration, files: Files) -> str:
    texts = [part for step in files.trail() if step.shown for part in (step.shown, step.digest)]
    return store.name_of(_made_by(), _chosen(configuration), *texts)


def _game_name(program: Program, files: Files) -> str:
    """A game knows its folder, where a program does not."""
    return store.name_of(program.digest, str(files.root))


def _chosen(configuration: Configuration) -> str:
    """What was chosen, without the name by which the rules were called."""
    return repr((configuration.players, configuration.options, configuration.scenario, configuration.addons))


@cache
def _made_by() -> str:
    """The digest of what makes programs, and of this module: our stages, the grammar."""
    grammars = sorted(path for path in library_folder("grammars").iterdir() if path.is_file())
    return store.name_of(
        store.digest_of_modules(*_STAGES), *(path.read_bytes() for path in (*grammars, Path(__file__)))
    )


# ------------------------------------------------------------------------------------------------------ pickles


class _Pickler(pickle.Pickler):
    """Leaves the set of files out."""

    def persistent_id(self, thing: object) -> str | None:
        return _FILES if isinstance(thing, Files) else None


class _Unpickler(pickle.Unpickler):
    """Puts a set of files in."""

    def __init__(self, content: bytes, files: Files | None) -> None:
        super().__init__(io.BytesIO(content))
        self._files = files

    def persistent_load(self, name: object) -> Files | None:
        return self._files


def _pickled(thing: object) -> bytes | None:
    """As bytes; None for something nested too deeply for that."""
    content = io.BytesIO()
    try:
        _Pickler(content, protocol=5).dump(thing)
    except RecursionError:
        return None
    return content.getvalue()


def _unpickled(content: bytes | None, files: Files | None = None) -> Any:
    """From bytes; None for none, and for what a library of another version has written."""
    if content is None:
        return None
    try:
        return _Unpickler(content, files).load()
    except Exception:  # whatever is wrong with it, the rules are at hand
        return None
