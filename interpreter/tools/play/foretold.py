"""The answer to `if`: what follows right away from an option, told to the one who asks.

Invariant: an answer that hangs on something hidden from the viewer is never given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.runtime.foresight import foresee
from interpreter.runtime.session import Session
from interpreter.tools.play.discreet import HIDDEN_ANSWER, known_to

__all__ = ["foretold"]

_GAMES_ALIKE = 24
_MOST = 15
"""How many changed numbers or markers are told."""


def foretold(session: Session, name: str, codes: Sequence[int], viewer: int | None) -> Iterator[str]:
    """What follows from the choice with some codes, in lines."""
    found = known_to(session, viewer, lambda each: foresee(each, codes, viewer), most=_GAMES_ALIKE)
    if found is None:
        yield f"{name}: {HIDDEN_ANSWER}"
        return
    yield f"{name}:"
    yield from (f"  {line}" for line in found.happens)
    after = [
        *([f"off the board: {', '.join(found.gone)}"] if found.gone else []),
        *_shortened([line for line in found.numbers if line not in found.happens]),
        *_shortened(found.marked),
    ]
    if after:
        yield "after that:"
        yield from (f"  {line}" for line in after)
    yield f"then {found.then}"


def _shortened(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield f"and {len(lines) - _MOST} more"
