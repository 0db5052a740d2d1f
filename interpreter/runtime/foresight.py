"""What follows right away from a choice, before it is made.

The choice is taken on a copy of the game, which goes on for as long as nothing is left to chance, to anybody's
decision, or to what lies hidden. Where it stops is part of the answer: `then Bob decides`, `then a card is drawn`. What
is told is what everybody could work out with the pieces in front of them: the log up to there, which pieces have left
the board, which numbers are others, which markers lie elsewhere.

A rule may also branch on something hidden without showing it; callers that must not tell hold the answer against games
that look the same (`tools.play.discreet`).

Invariant: the game itself is not touched; nothing in the answer lies behind a roll, or was read off a piece or value
that the viewer could not see before the choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from attrs import define, field, frozen

from interpreter.backends.api import Fault, State
from interpreter.diagnostics import IllegalChoice
from interpreter.ir.program import DECISION, PlaceCode
from interpreter.runtime.chance import Drawn
from interpreter.runtime.events import Recorder
from interpreter.runtime.names import a_thing
from interpreter.runtime.session import Session
from interpreter.runtime.sight import Viewer
from interpreter.semantics.types import PieceType

__all__ = ["Foresight", "foresee"]

_MOST_OPTIONS = 4
"""How many options of the next decision are named."""


@frozen
class Foresight:
    """What follows from a choice."""

    happens: tuple[str, ...]
    """The log, as the viewer would read it."""
    gone: tuple[str, ...]
    """Pieces that have left a board, with the space where they stood."""
    numbers: tuple[str, ...]
    """What is kept and is another: `Ann.points: 3 to 5`."""
    marked: tuple[str, ...]
    """Pieces in sight on which other markers lie than before."""
    then: str
    """Where it stops: who decides, what is left to chance, or that the game is over."""


class _StopError(Exception):
    """Nothing more can be told beforehand."""


@define
class _Watch(Recorder):
    """Follows a run up to the first thing that nobody at the table knows beforehand."""

    viewer: Viewer = None
    lying: State = field(factory=list)
    """The state at the last move of a piece."""
    left: list[tuple[str, int, PlaceCode]] = field(factory=list)
    """Pieces that went off a board, with the space where they stood."""
    then: str = ""

    def chance(self, state: State, sides: int) -> int:
        if sides > 1:
            self._stop("chance decides")
        return 0

    def event(self, event: int, arguments: tuple[int, ...]) -> None:
        info = self.wording.program.events[event]
        if info.what == "move":
            piece, old, _ = arguments
            place = self.wording.program.places[info.variable][old]
            if not self.wording.sight.sees_there(info.variable, piece, place, self.viewer, self.lying):
                self._put_back()
                self._stop(f"{a_thing(info.variable)} is drawn")
            if place.kind == "space":
                self.left.append((info.variable, piece, place))
            self.lying = list(self.state)
        elif info.what == "reveal":
            self._stop("something is revealed")
        Recorder.event(self, event, arguments)

    def _stop(self, then: str) -> NoReturn:
        self.then = then
        raise _StopError

    def _put_back(self) -> None:
        """Puts all pieces back where they lay before the move that has just been made."""
        for group in self.wording.program.layout.groups:
            if group.what in ("place", "order", "occupant"):
                last = group.base + group.count
                self.state[group.base : last] = self.lying[group.base : last]


def foresee(session: Session, codes: Sequence[int], viewer: Viewer) -> Foresight:
    """What follows from the choice with some codes; raises `RulesError` for a fault of the rules on the way."""
    if not codes or codes[0] not in session.codes:
        raise IllegalChoice("that is not offered now")
    rules = session.rules
    state = list(session.state)
    watch = _Watch(rules.wording, state, Drawn(), None, 0, viewer, list(state))
    try:
        for code in codes:
            rules.backend.apply(state, code, watch)
    except _StopError:
        then = watch.then
    except Fault as fault:
        raise session.fault(fault) from None
    else:
        if _comes_to_light(session, state, viewer):
            return Foresight((), (), (), (), "something hidden comes to light")
        then = _next(session.with_state(state, quiet=True), viewer)
    told = [event.text_for(viewer) for event in watch.events]
    return Foresight(
        tuple(text for text in told if text),
        tuple(_gone(session, state, watch.left)),
        tuple(_numbers(session, state, viewer)),
        tuple(_marked(session, state, viewer)),
        then,
    )


def _comes_to_light(session: Session, state: State, viewer: Viewer) -> bool:
    sight = session.sight
    return bool(sight.unseen_matters(session.state, viewer) - sight.unseen_matters(state, viewer))


def _next(after: Session, viewer: Viewer) -> str:
    if after.is_over:
        return "the game is over"
    decision = after.rules.program.decisions[after.state[DECISION]]
    if after.player != viewer or decision.form == "pick":
        return f"{after.player_name} decides"
    names = ", ".join(option.name for option in after.options[:_MOST_OPTIONS])
    return f"{after.player_name} decides: {names}" + (", ..." if len(after.options) > _MOST_OPTIONS else "")


def _located(session: Session, state: State, viewer: Viewer) -> Iterator[tuple[str, int]]:
    """The pieces whose place the viewer sees, and which are not in the box."""
    for name, kind in session.sight.kinds.items():
        for piece in range(kind.count):
            if kind.places[state[kind.base + piece]].kind != "box" and session.sight.locates(
                name, piece, state, viewer
            ):
                yield name, piece


def _at(session: Session, kind: str, piece: int, state: State) -> str:
    """A piece and where it is."""
    name = session.names.member(PieceType(name=kind), piece, state)
    return f"{name} ({session.rules.wording.place(session.sight.place_of(kind, piece, state))})"


def _gone(session: Session, state: State, left: Sequence[tuple[str, int, PlaceCode]]) -> Iterator[str]:
    """What has left a board and not come back, with the space where it stood last."""
    last = {(kind, piece): place for kind, piece, place in left}
    for (kind, piece), place in last.items():
        if session.sight.place_of(kind, piece, state).kind != "space":
            name = session.names.member(PieceType(name=kind), piece, state)
            yield f"{name} ({session.rules.wording.place(place)})"


def _numbers(session: Session, state: State, viewer: Viewer) -> Iterator[str]:
    sight, names, wording = session.sight, session.names, session.rules.wording
    hidden = sight.unseen_matters(session.state, viewer) | sight.unseen_matters(state, viewer)
    for group in session.rules.program.layout.groups:
        if group.what != "variable" or group.type is None or group.silent:
            continue
        for index in range(group.count):
            slot = group.base + index
            if state[slot] != session.state[slot] and slot not in hidden:
                before = names.value(group.type, session.state[slot], session.state)
                now = names.value(group.type, state[slot], state)
                yield f"{wording.variable(group, index, state)}: {before} to {now}"


def _marked(session: Session, state: State, viewer: Viewer) -> Iterator[str]:
    names = session.names
    for kind, piece in _located(session, state, viewer):
        if kind not in session.rules.program.markers:
            continue
        now = [text for _, text in names.markers(kind, piece, state)]
        seen = session.sight.locates(kind, piece, session.state, viewer)
        before = [text for _, text in names.markers(kind, piece, session.state)] if seen else []
        fresh = [text for text in now if text not in before]
        lost = [text for text in before if text not in now]
        said = ([f"now {', '.join(fresh)}"] if fresh else []) + ([f"no longer {', '.join(lost)}"] if lost else [])
        if said:
            yield f"{_at(session, kind, piece, state)}: {', '.join(said)}"
