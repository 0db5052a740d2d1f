"""Tracks as bars: a tick for every step, in blocks of five, with their marks; long ones as a number.

Invariant: a bar has exactly as many ticks as the track has steps after its first.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.semantics.model import Variable
from interpreter.tools.play.tabletop import Part, Tabletop

__all__ = ["bar", "track_part"]

_LONGEST = 100
_BLOCK = 5
_ROW = 8
"""Blocks side by side: what fits beside a name."""
_FULL, _OPEN, _FULL_MARK, _OPEN_MARK = "■", "□", "◆", "◇"


def track_part(table: Tabletop, tracks: Sequence[Variable]) -> Part:
    """All tracks that belong to nobody in particular."""
    width = max(len(track.name) for track in tracks)
    drawn: list[str] = []
    said: list[str] = []
    for track in tracks:
        value = table.number(track)
        ends = f"{track.low} to {track.high}"
        marks = "; ".join(f"{name} at {', '.join(map(str, steps))}" for name, steps in track.marks.items())
        if value is None:
            drawn.append(f"{track.name:<{width}}  hidden")
            said.append(f"{track.name}: hidden")
            continue
        said.append(f"{track.name}: {value} ({ends}{'; ' + marks if marks else ''})")
        if track.high - track.low > _LONGEST:
            drawn.append(f"{track.name:<{width}}  {value}")
            continue
        *before, last = bar(track, value)
        legend = f"  {_OPEN_MARK} {', '.join(track.marks)}" if track.marks else ""
        heads = [track.name] + [""] * len(before)
        drawn += [f"{head:<{width}}  {row}" for head, row in zip(heads, before, strict=False)]
        drawn.append(f"{heads[-1]:<{width}}  {last}  {value}/{track.high}{legend}")
    return Part("Tracks", tuple(drawn), tuple(said))


def bar(track: Variable, value: int) -> list[str]:
    """The ticks of a track in rows, filled up to its marker."""
    marked = {step for steps in track.marks.values() for step in steps}
    ticks: list[str] = []
    for step in range(track.low + 1, track.high + 1):
        full = step <= value
        ticks.append((_FULL_MARK if full else _OPEN_MARK) if step in marked else (_FULL if full else _OPEN))
    blocks = ["".join(ticks[at : at + _BLOCK]) for at in range(0, len(ticks), _BLOCK)]
    return [" ".join(blocks[at : at + _ROW]) for at in range(0, len(blocks), _ROW)] or [""]
