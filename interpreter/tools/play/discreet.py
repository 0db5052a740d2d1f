"""Answers that tell a player nothing hidden.

Whoever asks why a number is what it is asks about the whole game, hidden hands included. So a question is asked of
the real game and of games that look the same to the player: every hidden piece changed with every other, every hidden
value replaced by every other, and everything shuffled a few times. Only an answer that is the same in all of them is
known to the player, and told.

Invariant: an answer that would change if two hidden pieces changed places, or one hidden value were another, is never
given (beyond `_MOST` such games a sample decides).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import TypeVar

from interpreter.backends.api import Fault, State
from interpreter.diagnostics import DslError
from interpreter.runtime.leak import shuffled_state
from interpreter.runtime.session import Session
from interpreter.semantics.types import NONE

__all__ = ["HIDDEN_ANSWER", "known_to"]

HIDDEN_ANSWER = "depends on what is hidden"
"""What is said instead of an answer."""

_MOST = 600
_SHUFFLES = 40

T = TypeVar("T")


def known_to(session: Session, viewer: int | None, ask: Callable[[Session], T], *, most: int = _MOST) -> T | None:
    """The answer, or None where it depends on what is hidden from the viewer; raises what `ask` raises."""
    answer = ask(session)
    if not session.sight.has_secrets:
        return answer
    for state in _alike(session, viewer, most):
        try:
            if ask(session.with_state(state, quiet=True)) != answer:
                return None
        except (DslError, Fault):
            return None
    return answer


def _alike(session: Session, viewer: int | None, most: int) -> Iterator[State]:
    """States that differ only in what the viewer cannot see."""
    random = Random(0)
    for _ in range(min(_SHUFFLES, most)):
        yield shuffled_state(session.sight, session.state, viewer, random)
    changes = [*_swaps(session, viewer), *_values(session, viewer)]
    if len(changes) > most:
        changes = random.sample(changes, most)
    for change in changes:
        state = list(session.state)
        change(state)
        yield state


Change = Callable[[State], None]


def _swaps(session: Session, viewer: int | None) -> Iterator[Change]:
    """Two hidden pieces of a kind and an owner change places."""
    sight = session.sight
    for name, pieces in sight.unseen_pieces(session.state, viewer).items():
        owner = sight.game.kinds[name].attributes.get("owner")
        for one, other in combinations(pieces, 2):
            if owner is None or owner.values[one] == owner.values[other]:
                yield _swap(session, name, one, other)


def _swap(session: Session, name: str, one: int, other: int) -> Change:
    kind = session.sight.kinds[name]

    def change(state: State) -> None:
        for base in (kind.base, *(() if kind.known is None else (kind.known.base,))):
            first, second = base + one, base + other
            state[first], state[second] = state[second], state[first]
        for group, _ in kind.orders:
            for slot in range(group.base + 1, group.base + 1 + state[group.base]):
                state[slot] = {one: other, other: one}.get(state[slot], state[slot])

    return change


def _values(session: Session, viewer: int | None) -> Iterator[Change]:
    """A hidden value, or the face of a hidden die, is another one."""
    sight, state = session.sight, session.state
    hidden = sight.unseen_fields(state, viewer)
    groups = {group.base: group for group, _ in sight.secrets}
    for name, pieces in sight.unseen_pieces(state, viewer).items():
        kind = sight.kinds[name]
        for group in kind.fields:
            if group.base in sight.rolled:
                groups[group.base] = group
                stride = group.count // kind.count
                hidden |= {group.base + piece * stride + at for piece in pieces for at in range(stride)}
    for group in groups.values():
        for slot in range(group.base, group.base + group.count):
            if slot in hidden and state[slot] != NONE:
                low = max(group.low, 0) if group.low == NONE else group.low
                for value in range(low, min(group.high, low + _MOST) + 1):
                    if value != state[slot]:
                        yield _put(slot, value)


def _put(slot: int, value: int) -> Change:
    def change(state: State) -> None:
        state[slot] = value

    return change
