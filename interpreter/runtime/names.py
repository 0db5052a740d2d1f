"""Numbers of the state as words.

The state knows members of domains by their index only. Names stand in the program, as a list or as a template of one
input for pieces that are called by what they show (`named "{face}"`). Everything readable comes through here: names of
options, lines of the log, values in views and explanations, so that one thing has one name everywhere.

Invariant: rendering reads the state and never changes it, and never fails on a number within its domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from attrs import frozen

from interpreter.backends.api import Backend, Fault, State
from interpreter.ir.domains import domain_key
from interpreter.ir.program import Program, Shown, TextTemplate
from interpreter.semantics.types import (
    NONE,
    DomainType,
    FlagType,
    ListType,
    MapType,
    NumberType,
    PieceType,
    PlayerType,
    SetType,
    TextType,
    Type,
)

__all__ = ["OPEN", "Names", "Value", "a_thing", "bits", "element_of", "halved", "number_text", "victory"]

OPEN = "…"
"""What stands in a name for what has not been chosen yet."""

Value = int | tuple[int, ...] | None
"""A value that was chosen: a number, the members of an order or of an assignment, or None while it is open."""


def bits(value: int) -> Iterator[int]:
    """Members of a bit set, rising."""
    while value > 0:
        low = value & -value
        yield low.bit_length() - 1
        value ^= low


def halved(value: int) -> int | Fraction:
    """A number that is kept in halves."""
    return value // 2 if value % 2 == 0 else Fraction(value, 2)


def victory(winners: Sequence[str]) -> str:
    """Who has won: `Ann wins`, `Ann and Cid win`, `Ann, Bob and Cid win`."""
    if len(winners) == 1:
        return f"{winners[0]} wins"
    return f"{', '.join(winners[:-1])} and {winners[-1]} win"


def number_text(value: int | Fraction) -> str:
    """A number as it is printed in rulebooks: halves as `3½`."""
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value))
    if value.denominator != 2:
        return str(value)
    whole = int(abs(value))
    return ("-" if value < 0 else "") + (str(whole) if whole else "") + "½"


def a_thing(name: str) -> str:
    """`a card`: a piece of a kind of which no more may be said."""
    word = name.lower()
    vowel = word[:1] in "aeiou" and not word.startswith(("uni", "use", "eu", "one"))
    return f"{'an' if vowel else 'a'} {word}"


@frozen(eq=False)
class Names:
    """The names of one program."""

    program: Program
    """Holds the names."""
    backend: Backend
    """Evaluates names that depend on the state."""

    def member(self, type_: Type, value: int, state: State) -> str:
        """The name of a member of a domain."""
        if isinstance(type_, PlayerType) and 0 <= value < len(self.program.players):
            return self.program.players[value]
        if not isinstance(type_, DomainType):
            return str(value)
        names = self.program.names.get(domain_key(type_))
        if names is None:
            return f"{type_.name} {value + 1}"
        if any(isinstance(part, Shown) for part in names):
            return self.text(names, state, (value,))
        listed = [part for part in names if isinstance(part, str)]
        if 0 <= value < len(listed):
            return listed[value]
        return listed[0] if len(listed) == 1 and isinstance(type_, PieceType) else f"{type_.name} {value + 1}"

    def value(self, type_: Type, value: int, state: State, *, halves: bool = False) -> str:
        """A value as words: numbers as numbers, flags as yes and no, sets as their members.

        `halves` says that the value is kept doubled; a plain number never is, it may be `halves of` something.
        """
        halves = halves and not isinstance(type_, NumberType)
        if isinstance(type_, SetType):
            members = [self.value(type_.element, index, state) for index in bits(value)]
            return ", ".join(members) or "nothing"
        if isinstance(type_, FlagType):
            return "yes" if value else "no"
        if value == NONE and (type_.optional or isinstance(type_, DomainType)):
            return "none"
        if isinstance(type_, TextType):
            return self.program.texts[value]
        if isinstance(type_, NumberType) or not isinstance(type_, DomainType):
            return number_text(halved(value) if halves else value)
        return self.member(type_, value, state)

    def plain(self, type_: Type, value: int, state: State, *, halves: bool = False) -> object:
        """A value as plain data: a number, a flag, a name, None, or a tuple of those; `halves` as for `value`."""
        halves = halves and not isinstance(type_, NumberType)
        if isinstance(type_, SetType):
            return tuple(self.plain(type_.element, index, state) for index in bits(value))
        if isinstance(type_, FlagType):
            return bool(value)
        if value == NONE and (type_.optional or isinstance(type_, DomainType)):
            return None
        if isinstance(type_, DomainType | TextType):
            return self.value(type_, value, state)
        return halved(value) if halves else value

    def markers(self, kind: str, piece: int, state: State) -> tuple[tuple[int, str], ...]:
        """The markers that lie on a piece: the number of each within its kind, and its words.

        A condition that asks something of nothing is one that does not hold.
        """
        found: list[tuple[int, str]] = []
        for number, marker in enumerate(self.program.markers.get(kind, ())):
            with suppress(Fault):
                if self.backend.call(marker.function, state, piece):
                    found.append((number, self.text(marker.text, state, (piece,))))
        return tuple(found)

    def facing(self, type_: DomainType, board: str, member: int, state: State) -> int | None:
        """In which direction of a board a piece or player looks; None where that is not said, or nowhere."""
        function = self.program.facings.get((domain_key(type_), board))
        if function is not None:
            with suppress(Fault):
                direction = self.backend.call(function, state, member)
                return direction if direction >= 0 else None
        return None

    def text(self, template: TextTemplate, state: State, values: Sequence[Value]) -> str:
        """A template with its values filled in; a part that needs an open value (None) is shown as `…`.

        Around a printed text that is blank no second blank is left.
        """
        parts = [self.part(part, state, values) for part in template]
        text = "".join(OPEN if part is None else part for part in parts)
        return " ".join(text.split()) if "" in parts else text

    def part(self, part: str | Shown, state: State, values: Sequence[Value]) -> str | None:
        """One part of a template, or None while a value it needs is open."""
        if isinstance(part, str):
            return part
        if not part.function and part.needs[0] < len(values):
            shown = values[part.needs[0]]
            if isinstance(shown, tuple):
                return self.chosen(part.type, shown, state)
        given = self.arguments(part, values)
        if given is None:
            return None
        value = self.backend.call(part.function, state, *given) if part.function else given[0]
        return self.value(part.type, value, state, halves=part.halves)

    def chosen(self, type_: Type, value: Value, state: State) -> str:
        """What was chosen for a binder: a thing, a set, an order, or what was assigned, in the order of the keys."""
        if value is None:
            return OPEN
        if isinstance(value, tuple):
            return ", ".join(self.value(element_of(type_), member, state) for member in value) or "nothing"
        return self.value(type_, value, state)

    @staticmethod
    def arguments(part: Shown, values: Sequence[Value]) -> tuple[int, ...] | None:
        """The values that a part of a template is worked out from, or None while one of them is open."""
        given: list[int] = []
        for need in part.needs:
            value = values[need] if need < len(values) else None
            if not isinstance(value, int):
                return None
            given.append(value)
        return tuple(given)


def element_of(type_: Type) -> Type:
    """The type of one thing that is picked: an element of a set or order, a value of an assignment."""
    if isinstance(type_, SetType | ListType):
        return type_.element
    if isinstance(type_, MapType):
        return type_.value
    return type_
