"""Whoever plays random games for time: a backend of ours, or another engine.

A side plays so many games from a seed on and says how much of the processor's time that took: sides in this process are
timed by the time that the process had, those in another process tell theirs. So a busy machine slows nobody down.

Invariant: a side that cannot go on raises `PeerFault` with a reason for people, whatever happened inside of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from attrs import frozen

__all__ = [
    "BOARDGAME_IO",
    "LONGEST",
    "OPEN_SPIEL_CPP",
    "OPEN_SPIEL_PYTHON",
    "PLAIN_C",
    "PLAIN_PYTHON",
    "TIGHT_PYTHON",
    "TITLES",
    "Missing",
    "PeerFault",
    "Side",
    "Slice",
    "timed",
]

LONGEST = 100_000
"""Decisions after which a game is given up."""

OPEN_SPIEL_CPP, OPEN_SPIEL_PYTHON = "open_spiel_cpp", "open_spiel_python"
PLAIN_PYTHON, TIGHT_PYTHON, PLAIN_C, BOARDGAME_IO = "plain_python", "tight_python", "plain_c", "boardgame_io"
TITLES = {
    OPEN_SPIEL_CPP: "OpenSpiel, C++ loop",
    OPEN_SPIEL_PYTHON: "OpenSpiel, Python loop",
    PLAIN_PYTHON: "plain Python",
    TIGHT_PYTHON: "tight Python",
    PLAIN_C: "plain C",
    BOARDGAME_IO: "boardgame.io",
}
"""The other engines, in the order of reports, for people."""


class PeerFault(Exception):  # noqa: N818 - a fault of another engine, not an error of ours
    """Another engine is not there, or did not do what it should; the text says what."""


@frozen
class Slice:
    """What was played without a break."""

    games: int
    decisions: int | None
    """None where the side does not count them."""
    seconds: float
    """Of processor time."""
    unfinished: int = 0
    """Games given up."""


def _nothing() -> None:
    """Nothing is to be given back."""


@frozen
class Side:
    """Somebody who plays."""

    name: str
    """Stands for it in reports for programs."""
    title: str
    """For people, with its version."""
    play: Callable[[int, int], Slice]
    """Plays so many games (second) from a seed on (first)."""
    remark: str = ""
    """In what its game differs from ours."""
    close: Callable[[], None] = _nothing
    """Gives back files and processes."""


@frozen
class Missing:
    """An engine that would know the game but cannot play here."""

    name: str
    reason: str


def timed(games: int, play: Callable[[], tuple[int | None, int]]) -> Slice:
    """Games of this process with the time they took; `play` gives decisions and games given up."""
    start = time.process_time()
    decisions, unfinished = play()
    return Slice(games, decisions, time.process_time() - start, unfinished)
