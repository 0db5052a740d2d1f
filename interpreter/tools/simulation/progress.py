"""How far a simulation is, shown to whoever waits for it: games, rate, time left.

It goes to standard error and only to a terminal, so that a report can be piped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from interpreter.tools.cli import streams

__all__ = ["Progress", "shown_progress"]


class Progress(Protocol):
    """Is told how many more games were played."""

    def __call__(self, games: int) -> None: ...


@contextmanager
def shown_progress(title: str, games: int | None, done: int = 0) -> Iterator[Progress]:
    """A line that grows; nothing where nobody looks. Without a number of games there is no time left."""
    if not streams.is_interactive(sys.stderr):
        yield lambda games: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = [
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    ]
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=games, completed=done, rate="")

        def advance(games: int) -> None:
            bar.advance(task, games)
            speed = bar.tasks[0].speed
            bar.update(task, rate="" if speed is None else f"{speed:,.0f} games/s")

        yield advance
