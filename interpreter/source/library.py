"""Where the shipped games, boards, examples and grammars are.

In a checkout they stand beside the package, in an installed wheel under `interpreter/_data`. Nothing else in the
project may know which of the two it is, so that a bare game name works from any folder.

Invariant: every path given here is absolute and lies inside one of the shipped folders.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

__all__ = ["LIBRARY_FOLDERS", "find_shipped", "library_folder", "library_root", "shipped_games"]

LIBRARY_FOLDERS = ("rules", "boards", "examples", "grammars")
"""Names of the shipped folders."""

_GAME_NAME = re.compile(r"[^\W_][\w-]*", re.ASCII)


@cache
def library_root() -> Path:
    """The folder that holds the shipped folders."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_data"
    return installed if installed.is_dir() else package.parent


def library_folder(name: str) -> Path:
    """The shipped folder of that name, one of `LIBRARY_FOLDERS`. Any other name is our own fault: ValueError."""
    if name not in LIBRARY_FOLDERS:
        raise ValueError(f"no shipped folder {name!r}, expected one of {', '.join(LIBRARY_FOLDERS)}")
    return library_root() / name


def find_shipped(name: str) -> Path | None:
    """The rules file of a bare game name (`rules/NAME.rules`, else `examples/NAME.rules`), or None."""
    if not _GAME_NAME.fullmatch(name):
        return None
    for folder in ("rules", "examples"):
        path = library_folder(folder) / f"{name}.rules"
        if path.is_file():
            return path
    return None


def shipped_games() -> list[Path]:
    """All shipped rules files with a bare game name: those of `rules/`, then those of `examples/`, each by name."""
    return [path for folder in ("rules", "examples") for path in sorted(library_folder(folder).glob("*.rules"))]
