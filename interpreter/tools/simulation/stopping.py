"""Ctrl-C as a wish that is seen between two shards, so that what was done is kept whole.

Pressed a second time it ends the program at once, as usual.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Wish", "wish_to_stop"]


class Wish:
    """Whether somebody wants to stop."""

    def __init__(self) -> None:
        self.stops = False


@contextmanager
def wish_to_stop() -> Iterator[Wish]:
    """Takes Ctrl-C as a wish while inside."""
    wish = Wish()

    def pressed(number: int, frame: FrameType | None) -> None:
        if wish.stops:
            raise KeyboardInterrupt
        wish.stops = True

    try:
        before = signal.signal(signal.SIGINT, pressed)
    except ValueError:  # not the main thread
        yield wish
        return
    try:
        yield wish
    finally:
        signal.signal(signal.SIGINT, before)
