"""Where a game is saved to: a save that can be resumed, or a played example, by the ending of the file.

Invariant: a file is written in one step or not at all.
"""

from __future__ import annotations

from pathlib import Path

from interpreter.runtime.saves import replace_file
from interpreter.runtime.session import Session
from interpreter.runtime.transcript_writer import transcript_text
from interpreter.workspace import kind_of

__all__ = ["is_example", "save_to"]


def is_example(path: Path) -> bool:
    """Whether a file is to hold a played example."""
    return kind_of(path) == "transcript"


def save_to(session: Session, path: Path) -> None:
    """Saves the game; raises `DslError` where that cannot be done."""
    if is_example(path):
        replace_file(path, transcript_text(session, path.absolute().parent).encode("utf-8"))
    else:
        session.save(path)
