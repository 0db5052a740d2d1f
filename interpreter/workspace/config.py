"""Which files are meant: from the paths on a command line to the files to check, format or test.

A folder stands for what is in it; a file stands for itself, whatever its name; a bare name where nothing of that name
lies is a game that ships. Without any path the customary folders are taken, so that `dsl check` does the right thing
in a project. Folders that hold no rules by custom (hidden ones, environments, caches) are not entered, and links to
folders are not followed, so that no walk is endless.

Invariant: every file is listed once, in the order of the paths and by name within a folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen

from interpreter.diagnostics import nearest
from interpreter.source import find_shipped, shipped_games

__all__ = [
    "DEFAULT_FOLDERS",
    "FileKind",
    "Found",
    "find_files",
    "find_rules",
    "has_game_head",
    "kind_of",
    "nearest_path",
]

DEFAULT_FOLDERS = ("rules", "examples")
"""Folders taken when no path is given; the current folder where neither is there."""

FileKind: TypeAlias = Literal["rules", "transcript", "board", "list"]
"""What a file holds: rules, a played example, a board, a list that a player brings."""

_SKIPPED = frozenset({"__pycache__", "node_modules", "build", "dist", "venv"})
_BOARD_HEAD = re.compile(rb"^board:", re.MULTILINE)
_LIST_HEAD = re.compile(rb"^roster:", re.MULTILINE)
_GAME_HEAD = re.compile(r'^game[ \t]+"', re.MULTILINE)
_HEAD_BYTES = 8192


@frozen
class Found:
    """What the paths led to."""

    files: tuple[Path, ...]
    """The files, each once."""
    missing: tuple[str, ...]
    """Paths that lead nowhere, as given."""


def kind_of(path: Path, text: str | None = None) -> FileKind | None:
    """What a file holds, by its name, a YAML file by its head; None for a name that says nothing.

    `text` stands in for what lies on the disk.
    """
    if path.name.endswith((".test.yaml", ".test.yml")):
        return "transcript"
    if path.suffix in (".yaml", ".yml"):
        return "list" if _has_head(path, _LIST_HEAD, text) else "board"
    return "rules" if path.suffix == ".rules" else None


def has_game_head(text: str) -> bool:
    """Whether a rules text is a game of its own, and not a part that others include."""
    return _GAME_HEAD.search(text) is not None


def find_files(
    paths: Sequence[str | Path], kinds: Sequence[FileKind] = ("rules", "transcript", "board", "list")
) -> Found:
    """The files of those kinds under some paths.

    A file that is named is taken even when its name says nothing; in folders the name decides, and a YAML file is
    a board only when it says so at its head.
    """
    named = [Path(path) for path in paths] or _defaults()
    files: dict[str, Path] = {}
    missing: list[str] = []
    for path in named:
        if path.is_dir():
            inside = [found for found in _walk(path) if _belongs(found, kinds)]
            files.update((os.path.realpath(found), found) for found in inside if os.path.realpath(found) not in files)
        elif _exists(path):
            files.setdefault(os.path.realpath(path), path)
        elif "rules" in kinds and (shipped := find_shipped(str(path))) is not None:
            files.setdefault(os.path.realpath(shipped), shipped)
        else:
            missing.append(str(path))
    return Found(tuple(files.values()), tuple(missing))


def nearest_path(name: str) -> str | None:
    """What a path that leads nowhere was most likely meant to be: a file beside it, or a game that ships."""
    path = Path(name)
    try:
        beside = [entry.name for entry in path.parent.iterdir() if not entry.name.startswith(".")]
    except (OSError, ValueError):
        beside = []
    near = nearest(path.name, beside)
    if near is not None:
        return (path.parent / near).as_posix()
    return nearest(name, [game.stem for game in shipped_games()])


def find_rules(name: str) -> Path | None:
    """The rules file that a RULES argument means: a path, or the bare name of a shipped game."""
    path = Path(name)
    try:
        if path.is_file():
            return path
    except (OSError, ValueError):
        return None
    return find_shipped(name)


def _exists(path: Path) -> bool:
    """Whether something is there; a name that nothing can have is that of nothing."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _defaults() -> list[Path]:
    return [Path(name) for name in DEFAULT_FOLDERS if Path(name).is_dir()] or [Path()]


def _walk(folder: Path) -> Iterator[Path]:
    """Every file under a folder, folders and files by name."""
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(base) / name


def _belongs(path: Path, kinds: Sequence[FileKind]) -> bool:
    kind = kind_of(path)
    if kind is None or kind not in kinds:
        return False
    return kind != "board" or _has_head(path, _BOARD_HEAD)


def _has_head(path: Path, head: re.Pattern[bytes], text: str | None = None) -> bool:
    if text is not None:
        return head.search(text.encode("utf-8", "surrogatepass")[:_HEAD_BYTES]) is not None
    try:
        with path.open("rb") as stream:
            return head.search(stream.read(_HEAD_BYTES)) is not None
    except (OSError, ValueError):
        return False
