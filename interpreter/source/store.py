"""What was worked out once, kept in the user's cache so that it need not be worked out again.

Programs, games as understood and machine code are kept here, each sort in a folder of its own under
`$XDG_CACHE_HOME/rulewright` (`~/.cache/rulewright`). A file is named by a digest of all that its content
was made from (`name_of`), so nothing ever has to be found stale; the files used least recently go when there are many.

What is kept is run or unpickled as it is. So a file is only read if it and its folder belong to whoever runs this and
nobody else may write there, and if its checksum is right. Whatever is wrong (a folder that cannot be written, a broken
file, a full disk) costs the time of making it anew and nothing else. `DSL_CACHE=off` in the environment turns all of it
off, as does `bypassed` for a while.

Invariant: what `find` gives was given to `keep` under the same name, whole, by the same user.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeAlias

__all__ = ["Sort", "bypassed", "digest_of_modules", "find", "folder", "is_on", "keep", "name_of"]

Sort: TypeAlias = Literal["indexes", "programs", "games", "wasm"]
"""What is kept, each in a folder of that name."""

_MOST: dict[Sort, int] = {"indexes": 1024, "programs": 256, "games": 32, "wasm": 256}
"""How many files of each sort are kept."""
_SUM = 32
"""Bytes of the checksum at the beginning of a file."""
_OFF = ("off", "no", "false", "0")
_UNTOUCHED = 3600.0
"""Seconds after which reading a file is noted in its time."""

_bypass: ContextVar[bool] = ContextVar("bypass", default=False)


def is_on() -> bool:
    """Whether anything is looked for or kept at all."""
    return not _bypass.get() and os.environ.get("DSL_CACHE", "").lower() not in _OFF


@contextmanager
def bypassed() -> Iterator[None]:
    """Inside, nothing is found and nothing is kept."""
    before = _bypass.set(True)
    try:
        yield
    finally:
        _bypass.reset(before)


def name_of(*parts: bytes | str) -> str:
    """The name for something made from these parts, in this order: 40 hexadecimal digits."""
    digest = blake2b(digest_size=20)
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.hexdigest()


@cache
def digest_of_modules(*packages: str) -> str:
    """The digest of Python's version and of the text of every module in some of our packages, such as `ir`: part of the
    name of whatever these make."""
    root = Path(__file__).parents[1]
    found = [path for package in packages for path in sorted((root / package).rglob("*.py"))]
    return name_of(sys.version, *(part for path in found for part in (path.name, path.read_bytes())))


def folder(sort: Sort) -> Path | None:
    """Where a sort is kept; None for a user who has no place for such things."""
    try:
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        else:
            base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        return None
    return base / "rulewright" / sort if base.is_absolute() else None


def find(sort: Sort, name: str) -> bytes | None:
    """What was kept under a name, or None."""
    place = folder(sort) if is_on() else None
    if place is None:
        return None
    path = place / name
    try:
        if not (_is_ours(place) and _is_ours(path)):
            return None
        content = path.read_bytes()
        if time.time() - path.stat().st_mtime > _UNTOUCHED:
            os.utime(path)
    except (OSError, ValueError):
        return None
    kept = content[_SUM:]
    return kept if _checksum(kept) == content[:_SUM] else None


def keep(sort: Sort, name: str, content: bytes) -> bool:
    """Keeps something under a name, and says whether it could.

    It is written beside and renamed, so that nobody ever reads half of it.
    """
    place = folder(sort) if is_on() else None
    if place is None:
        return False
    import tempfile

    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_ours(place):
            return False
        handle, made = tempfile.mkstemp(dir=place)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_checksum(content))
                file.write(content)
            Path(made).replace(place / name)
        except BaseException:
            Path(made).unlink(missing_ok=True)
            raise
        _prune(place, _MOST[sort])
        return True
    return False


def _checksum(content: bytes) -> bytes:
    return blake2b(content, digest_size=_SUM).digest()


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


def _prune(place: Path, most: int) -> None:
    """Deletes the files that were used least recently; those that another run deletes meanwhile count as deleted."""
    names = os.listdir(place)  # noqa: PTH208 - names alone, without a path object for each of a thousand
    if len(names) <= most:
        return
    dated: list[tuple[float, Path]] = []
    for name in names:
        with suppress(OSError):
            dated.append(((place / name).stat().st_mtime, place / name))
    for _, path in sorted(dated)[: max(0, len(dated) - most)]:
        with suppress(OSError):
            path.unlink()
