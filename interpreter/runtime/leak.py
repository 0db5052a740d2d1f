"""The same game as far as one player can tell, with everything hidden from that player changed.

For whoever has the real game and asks whether something tells of what is hidden: tests, in which the player's view,
prompt, options, log and question must not change, and the log, which leaves out what would. Bots never come here: they
have no real game, and deal games that could be it from what they may know (`analysis.bots.dealer`).

Pieces that lie where the player cannot look, and that the player was not shown, change places among themselves (within
a kind and an owner), their fields go along or are rolled anew. What others know goes with the place: that somebody was
shown a piece is no secret, but which one. Secret variables get any value of their domain; the generator gets new words.

Invariant: what the player sees is untouched, slot for slot, and every value stays within its bounds.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from interpreter.backends.api import State, seeded
from interpreter.ir.program import RNG
from interpreter.runtime.sight import Sight, Viewer
from interpreter.semantics.types import NONE

if TYPE_CHECKING:
    from interpreter.runtime.session import Session

__all__ = ["shuffled_secrets", "shuffled_state"]


def shuffled_secrets(session: Session, player: Viewer, random: Random) -> Session:
    """A session that differs from the given one only in what is hidden from the player."""
    return session.with_state(shuffled_state(session.sight, session.state, player, random))


def shuffled_state(sight: Sight, state: State, player: Viewer, random: Random) -> State:
    """A state that differs from the given one only in what is hidden from the player."""
    changed = list(state)
    changed[RNG : RNG + 4] = seeded(random.getrandbits(64))
    if not sight.has_secrets:
        return changed
    _fields(sight, state, changed, player, random)
    for name, pieces in sight.unseen_pieces(state, player).items():
        for alike in _by_owner(sight, name, pieces):
            _pieces(sight, name, alike, state, changed, random)
    return changed


def _fields(sight: Sight, state: State, changed: State, player: Viewer, random: Random) -> None:
    """Secret variables get any value; `none` stays, since whether something was chosen yet is no secret."""
    hidden = sight.unseen_fields(state, player)
    for group, _ in sight.secrets:
        for slot in range(group.base, group.base + group.count):
            if slot in hidden and state[slot] != NONE:
                low = max(group.low, 0) if group.low == NONE else group.low
                changed[slot] = random.randint(low, max(low, group.high))


def _by_owner(sight: Sight, name: str, pieces: list[int]) -> list[list[int]]:
    """Pieces of one owner each: whose piece it is, is printed on its back."""
    owner = sight.game.kinds[name].attributes.get("owner")
    if owner is None:
        return [pieces]
    sorted_: dict[int, list[int]] = {}
    for piece in pieces:
        sorted_.setdefault(owner.values[piece], []).append(piece)
    return list(sorted_.values())


def _pieces(sight: Sight, name: str, pieces: list[int], state: State, changed: State, random: Random) -> None:
    """Each piece takes the place of another; where pieces lie in an order, the order names it there."""
    kind = sight.kinds[name]
    others = list(pieces)
    random.shuffle(others)
    stands_for = dict(zip(others, pieces, strict=True))  # the piece that now lies where the key lay
    for piece, other in zip(pieces, others, strict=True):
        changed[kind.base + piece] = state[kind.base + other]
        if kind.known is not None:
            changed[kind.known.base + piece] = state[kind.known.base + other]
    for group, _ in kind.orders:
        for slot in range(group.base + 1, group.base + 1 + state[group.base]):
            changed[slot] = stands_for.get(state[slot], state[slot])
    for group in kind.fields:
        if group.base in sight.rolled:
            stride = group.count // kind.count
            for piece in pieces:
                for slot in range(group.base + piece * stride, group.base + (piece + 1) * stride):
                    if state[slot] != NONE:
                        changed[slot] = random.randint(max(group.low, 0), max(group.high, 0))
