"""What an effect changed, in a few words: `points 5`, `2 Card to Ann.hand`, `Ann wins`.

Of dice it is told what all of them show, since one looks like another. It is told as everybody may see it: what is
hidden from an onlooker before or after is left out, and so is bookkeeping that the rules call silent.

Invariant: two states that an onlooker cannot tell apart are told alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from interpreter.backends.api import State
from interpreter.ir.program import PLAYER, STATUS, SlotGroup
from interpreter.runtime import Session
from interpreter.runtime.outcome import outcome_of
from interpreter.semantics.types import PieceType

__all__ = ["NOTHING", "changes"]

NOTHING = "nothing changes"
_MOST = 4
"""Changed slots of one variable beyond which only their new values are told."""


def changes(session: Session, before: State) -> str:
    """What differs from an earlier state, in one line."""
    hidden = session.sight.unseen_matters(session.state, None) | session.sight.unseen_matters(before, None)
    told = [*_values(session, before, hidden), *_moves(session, before, hidden), *_end(session, before)]
    return ", ".join(told) or NOTHING


def _values(session: Session, before: State, hidden: set[int]) -> Iterator[str]:
    state, names, wording = session.state, session.names, session.rules.wording
    for group in session.rules.program.layout.groups:
        if group.what != "variable" or group.type is None or group.silent:
            continue
        slots = range(group.base, group.base + group.count)
        changed = [slot for slot in slots if before[slot] != state[slot] and slot not in hidden]
        if changed and group.base in session.sight.rolled:
            shown = [slot for slot in slots if slot not in hidden and not _in_box(session, group, slot - group.base)]
            yield f"{group.name} {_counted(session, group, shown)}"
        elif len(changed) > _MOST:
            yield f"{group.name} {_counted(session, group, changed)}"
        else:
            for slot in changed:
                name = wording.variable(group, slot - group.base, state)
                yield f"{name} {names.value(group.type, state[slot], state)}"
    if before[PLAYER] != state[PLAYER]:
        yield f"player {session.rules.players[state[PLAYER]]}"


def _in_box(session: Session, group: SlotGroup, index: int) -> bool:
    kind = session.sight.kinds[group.keys[0].name]  # type: ignore[attr-defined]
    return kind.places[session.state[kind.base + index // (group.count // kind.count)]].kind == "box"


def _counted(session: Session, group: SlotGroup, slots: Sequence[int]) -> str:
    """What some slots hold, each value once, with how many of it there are."""
    assert group.type is not None
    said = []
    for value, count in sorted(Counter(session.state[slot] for slot in slots).items()):
        word = session.names.value(group.type, value, session.state)
        said.append(f"{count} x {word}" if count > 1 else word)
    return " and ".join(said)


def _moves(session: Session, before: State, hidden: set[int]) -> Iterator[str]:
    state, names, wording = session.state, session.names, session.rules.wording
    for kind in session.sight.kinds.values():
        moved: dict[int, list[str]] = {}
        for piece in range(kind.count):
            slot = kind.base + piece
            if before[slot] != state[slot]:
                name = "" if slot in hidden else names.member(PieceType(name=kind.name), piece, state)
                moved.setdefault(state[slot], []).append(name)
        for place, pieces in sorted(moved.items()):
            alone = pieces[0] if len(pieces) == 1 and pieces[0] else f"{len(pieces)} {kind.name}"
            yield f"{alone} to {wording.place(kind.places[place])}"


def _end(session: Session, before: State) -> Iterator[str]:
    if before[STATUS] != session.state[STATUS]:
        outcome = outcome_of(session.rules.program, session.rules.backend, session.state)
        if outcome is not None:
            yield outcome.text(session.rules.players)
