"""What is on a roster, in few words: a short one in full, of a long one what sets it apart from the ready-made list.

Rosters never change, and players know the ready-made lists from the box; thirty names in a table of players would hide
the rest of it. `why Ann.band` tells all that is on a roster.

Invariant: a roster is told in full, or by what another player can work it out from, or else counted.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.semantics.model import Roster
from interpreter.tools.play.tabletop import Tabletop

__all__ = ["roster_words"]

_SHORT = 8
"""So many different things are named."""
_MOST_CHANGES = 12
"""So many things that differ from the ready-made list are named."""


def roster_words(table: Tabletop, roster: Roster, player: int) -> str:
    """What is on the roster of a player; only for those that the viewer may see."""
    names = table.members(roster.element)
    listed = table.number(roster.members, player) or 0
    if roster.copies is None:
        counts = [listed >> member & 1 for member in range(len(names))]
    else:
        counts = [table.number(roster.copies, player * len(names) + member) or 0 for member in range(len(names))]
    on_it = [(count, name) for count, name in zip(counts, names, strict=True) if count]
    if len(on_it) <= _SHORT:
        return _named(on_it) or "nothing"
    if not _has_brought(table, roster, player):
        return "ready-made"
    changes = table.brought.get((roster.name, player))
    if changes is None or len(changes) > _MOST_CHANGES:
        return f"{sum(counts)} in all"
    less = _named((-more, names[member]) for member, more in changes.items() if more < 0)
    more = _named((more, names[member]) for member, more in changes.items() if more > 0)
    return "; ".join([*([f"without {less}"] if less else []), *([f"with {more}"] if more else [])]) or "ready-made"


def _has_brought(table: Tabletop, roster: Roster, player: int) -> bool:
    group = table.program.layout.named("frame", f"listed: {roster.name}")
    return bool(table.state[group.base + player])


def _named(things: Iterable[tuple[int, str]]) -> str:
    return ", ".join(name if count == 1 else f"{count} {name}" for count, name in things)
