"""Where output goes, and whether it is coloured.

Findings and results go to standard output, progress and remarks to standard error, so that a report can be piped
while a person still sees what happens. Colours follow `--color`, then `NO_COLOR`, then whether somebody is looking.

Invariant: nothing here fails because a terminal cannot show a character.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from interpreter.tools.cli.exits import UsageFault

__all__ = ["has_colour", "is_interactive", "make_safe", "remark", "uninterrupted", "write_out", "write_report"]


def make_safe() -> None:
    """Makes both streams show a mark for a character that they cannot encode, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C does nothing inside: whoever presses it twice still gets what the first one promised."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def has_colour(wish: str, stream: TextIO | None = None) -> bool:
    """Whether to colour what goes to a stream, standard output unless given; `wish` is the value of `--color`."""
    if wish != "auto":
        return wish == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return is_interactive(stream or sys.stdout)


def is_interactive(stream: TextIO) -> bool:
    """Whether a person sits at the other end of a stream."""
    try:
        return stream.isatty()
    except ValueError:
        return False


def write_out(text: str) -> None:
    """Writes to standard output as it is."""
    sys.stdout.write(text)
    sys.stdout.flush()


def remark(text: str) -> None:
    """One line for people on standard error, after what was written before."""
    sys.stdout.flush()
    sys.stderr.write(text.rstrip("\n") + "\n")
    sys.stderr.flush()


def write_report(text: str, file: str | None) -> None:
    """Writes a report to a file, or to standard output for None or `-`."""
    if file is None or file == "-":
        write_out(text)
        return
    try:
        Path(file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as fault:
        raise UsageFault(f"`{file}` cannot be written: {(fault.strerror or str(fault)).lower()}") from fault
