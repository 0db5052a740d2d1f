"""The log: what happened, as data, told to everybody as far as they may know.

An event is put into words at the moment it happens, when names still mean what they meant, and once more for each
player who may not know all of it. What is chosen in secret stays `chose in secret` to the others until something is
revealed after the last of those choices.

Invariant: the words a viewer gets depend on nothing that is hidden from the viewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from attrs import define, evolve, field, frozen

from interpreter.backends.api import State
from interpreter.diagnostics import Span
from interpreter.ir.program import DECISION, Program, Shown
from interpreter.runtime.chance import ChanceSource
from interpreter.runtime.leak import shuffled_state
from interpreter.runtime.names import Names, Value, bits, element_of
from interpreter.runtime.sight import Sight, Viewer
from interpreter.runtime.wording import ALL, SOMETHING, Wording, unnamed
from interpreter.semantics.types import PieceType, SetType, Type

__all__ = ["Alone", "Event", "Log", "Recorder", "choice_event"]

_TRIES = 3
"""In how many games that could be the real one a computed value is compared."""

_ENDINGS = ("win", "draw", "end")


@frozen
class Event:
    """One thing that happened."""

    kind: str
    """`choose`, or what the rules did: `say`, `move`, `roll`, `set`, `reveal` (a field), `show` (a piece), `phase`,
    `win`, `draw`, `end`."""
    text: str
    """In words, nothing held back."""
    step: int
    """Number of the step that caused it; 0 for what happened before the first decision."""
    player: int
    """Who chose; -1 for what the rules did."""
    arguments: tuple[int, ...]
    """The values in it."""
    span: Span
    """The line of the rules."""
    told: Mapping[Viewer, str | None] = field(factory=dict, repr=False)
    """In words for those who may know less; None for nothing at all. The key None is an onlooker."""
    is_secret: bool = False
    """Whether it was chosen in secret."""

    def text_for(self, viewer: Viewer) -> str | None:
        """In words for a player, or for an onlooker (None), once it is no secret choice any more."""
        return self.told.get(viewer, self.text)


@define
class Log:
    """The events of a game, and which secret choices have come out."""

    events: list[Event] = field(factory=list)
    """All events, in order."""
    opened: int = 0
    """Secret choices among so many first events have come out."""

    def add(self, event: Event) -> None:
        """Appends an event."""
        if event.kind == "reveal":
            self.opened = len(self.events)
        self.events.append(event)

    def cut(self, length: int) -> None:
        """Takes back all but the first events."""
        del self.events[length:]
        reveals = [number for number, event in enumerate(self.events) if event.kind == "reveal"]
        self.opened = reveals[-1] if reveals else 0

    def seen_by(self, viewer: Viewer, players: Sequence[str]) -> Iterator[tuple[Event, str]]:
        """The events that a player, or an onlooker (None), is told of, each with its words."""
        for number, event in enumerate(self.events):
            if event.is_secret and number >= self.opened and event.player != viewer:
                yield event, f"{players[event.player]} chose in secret"
                continue
            text = event.text_for(viewer)
            if text is not None:
                yield event, text

    def clone(self) -> Log:
        """The same log, to go on by itself."""
        return Log(list(self.events), self.opened)


@frozen
class Alone:
    """An only option that was taken without asking anybody."""

    before: State
    """The state before it, as if it was asked for."""
    code: int
    """Its code."""
    at: int
    """So many events of the run came before it."""


@define
class Recorder:
    """Follows one run: supplies chance, and keeps what fell, what happened and what was used."""

    wording: Wording
    state: State
    """The state that runs; read at every event."""
    source: ChanceSource
    marks: dict[int, int] | None
    """Counts of used spans, for coverage; None when nobody asks."""
    step: int
    """Number of the step that runs."""
    rolls: list[tuple[int, int]] = field(factory=list, init=False)
    """Sides and result, from 1, of each die that fell."""
    events: list[Event] = field(factory=list, init=False)
    """What happened."""
    alone: list[Alone] = field(factory=list, init=False)
    """Options that were taken without asking anybody."""
    reason: str = field(default="", init=False)
    """Why the game ended, if it did."""

    def chance(self, state: State, sides: int) -> int:
        result = self.source.roll(state, sides)
        self.rolls.append((sides, result + 1))
        return result

    def event(self, event: int, arguments: tuple[int, ...]) -> None:
        info = self.wording.program.events[event]
        if info.what == "set" and arguments[-1] == arguments[-2]:
            return
        text = self.wording.words(info, arguments, self.state, ALL) or ""
        if info.what in _ENDINGS:
            self.reason = self.wording.reason(info, arguments, self.state)
        told: dict[Viewer, str | None] = {}
        if self.wording.sight.has_secrets:
            for viewer in [*range(len(self.wording.program.players)), None]:
                words = self.wording.words(info, arguments, self.state, viewer)
                if words != text:
                    told[viewer] = words
        made = Event(info.what, text, self.step, -1, arguments, info.span, told)
        last = self.events[-1] if self.events else None
        if last is not None and _one_throw(last, made):
            more = text.removeprefix("rolled ")
            self.events[-1] = evolve(last, text=f"{last.text}, {more}", arguments=last.arguments + arguments)
        else:
            self.events.append(made)

    def mark(self, span: int) -> None:
        if self.marks is not None:
            self.marks[span] = self.marks.get(span, 0) + 1

    def taken(self, state: State, decision: int, code: int) -> None:
        before = list(state)
        before[DECISION] = decision
        self.alone.append(Alone(before, code, len(self.events)))


def _one_throw(last: Event, made: Event) -> bool:
    """Whether two rolls are dice of one throw, to be told in one line."""
    return last.kind == made.kind == "roll" and last.span == made.span and not last.told and not made.told


def choice_event(
    program: Program,
    names: Names,
    sight: Sight,
    *,
    label: Sequence[str | Shown],
    types: Sequence[Type],
    values: Sequence[Value],
    before: State,
    after: State,
    player: int,
    step: int,
    span: Span,
    is_secret: bool,
) -> Event:
    """The event of a choice made, told to those who do not decide as far as they may know what was chosen."""
    who = program.players[player] if 0 <= player < len(program.players) else "nobody"
    full = names.text(tuple(label), before, values)
    told: dict[Viewer, str | None] = {}
    if sight.has_secrets:
        for viewer in [*range(len(program.players)), None]:
            if viewer == player:
                continue
            parts = [_part_for(part, types, values, before, after, names, sight, viewer) for part in label]
            text = "".join(parts)
            if text != full:
                told[viewer] = f"{who}: {text}"
    given = tuple(value for value in values if isinstance(value, int))
    return Event("choose", f"{who}: {full}", step, player, given, span, told, is_secret)


def _part_for(
    part: str | Shown,
    types: Sequence[Type],
    values: Sequence[Value],
    before: State,
    after: State,
    names: Names,
    sight: Sight,
    viewer: Viewer,
) -> str:
    text = names.part(part, before, values)
    if isinstance(part, str) or text is None:
        return text or ""
    for need in part.needs:
        pieces, kind = _pieces_of(types[need], values[need])
        if any(
            not sight.locates(kind, p, before, viewer) and not sight.locates(kind, p, after, viewer) for p in pieces
        ):
            return unnamed(part.type)
    if all(_pieces_of(types[need], values[need])[1] for need in part.needs) and part.needs:
        return text
    random = Random(0)
    for _ in range(_TRIES):
        if names.part(part, shuffled_state(sight, before, viewer, random), values) != text:
            return SOMETHING
    return text


def _pieces_of(type_: Type, value: Value) -> tuple[tuple[int, ...], str]:
    """The pieces in a value, and their kind."""
    if isinstance(value, tuple):
        element = element_of(type_)
        return (value, element.name) if isinstance(element, PieceType) else ((), "")
    if isinstance(type_, PieceType):
        return ((value,) if value is not None and value >= 0 else ()), type_.name
    if isinstance(type_, SetType) and isinstance(type_.element, PieceType):
        return tuple(bits(value or 0)), type_.element.name
    return (), ""
