"""Calls that may take long, so that Ctrl-C ends them.

Python looks at signals between two steps of its own, and a loop of games inside a module is one step. So whoever waits
in the main thread lets another do the call: waiting can be interrupted. Then a word in the memory of the module tells
the loop to stop, which looks at it before each decision.

Invariant: when this returns or raises nobody works in the module any more, and it can be used again.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from threading import Event, Thread, current_thread, main_thread
from typing import Any

from interpreter.backends.wasm.module import STOP

__all__ = ["interruptible"]

_BEAT = 0.2
"""Seconds after which somebody who waits looks around (where waiting cannot be interrupted)."""


def interruptible(memory: Any, call: Callable[[], int]) -> int:
    """What the call gives or raises; `memory` is that of the module which it works in."""
    if current_thread() is not main_thread():
        return call()
    given: list[int] = []
    failed: list[BaseException] = []
    done = Event()  # not `Thread.join`: interrupted, it takes the thread for ended

    def work() -> None:
        try:
            given.append(call())
        except BaseException as error:
            failed.append(error)
        finally:
            done.set()

    Thread(target=work, name="games", daemon=True).start()
    interrupted: BaseException | None = None
    while not done.is_set():
        try:
            done.wait(_BEAT)
        except BaseException as error:
            interrupted = error
            struct.pack_into("<i", memory, STOP, 1)
    if interrupted is not None:
        struct.pack_into("<i", memory, STOP, 0)
        raise interrupted
    if failed:
        raise failed[0]
    return given[0]
