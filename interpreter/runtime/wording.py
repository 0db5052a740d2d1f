"""What the rules did, in words for one viewer.

Events such as a move or a change of a value carry numbers only; what is said about them is decided here, once for all
games. A piece that the viewer could see neither before nor after is `a card`; a value that the viewer may not see is
not spoken of at all.

Invariant: what is said to a viewer depends on nothing that is hidden from the viewer; None means that nothing is said.
"""

from __future__ import annotations

from attrs import define, field

from interpreter.backends.api import State
from interpreter.ir.program import EventInfo, PlaceCode, Program, Shown, SlotGroup, TextTemplate
from interpreter.runtime.names import OPEN, Names, a_thing, bits, victory
from interpreter.runtime.sight import Sight, Viewer
from interpreter.semantics import domain_size
from interpreter.semantics.types import PieceType, PlayerType, SetType, SpaceType, Type

__all__ = ["ALL", "SOMETHING", "Wording", "plain_text", "unnamed"]

SOMETHING = "something"
"""What is said of a value that the viewer may not know."""


@define
class _All:
    """A viewer from whom nothing is hidden: the record itself."""


ALL = _All()
AnyViewer = Viewer | _All


@define(eq=False)
class Wording:
    """Puts the events of one program into words."""

    program: Program
    names: Names
    sight: Sight
    _variables: dict[str, list[SlotGroup]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for group in self.program.layout.groups:
            if group.what == "variable":
                self._variables.setdefault(group.name, []).append(group)

    def words(self, info: EventInfo, arguments: tuple[int, ...], state: State, viewer: AnyViewer) -> str | None:
        """An event in words, the state being that at the event; None when the viewer is told nothing."""
        match info.what:
            case "move":
                return self._move(info.variable, arguments, state, viewer)
            case "roll":
                return self._roll(info.variable, arguments, state, viewer)
            case "show":
                return self._show(info.variable, arguments, state, viewer)
            case "set" | "reveal":
                return self._change(info, arguments, state, viewer)
            case "win" if arguments:
                head = victory([self.program.players[player] for player in bits(arguments[0])])
                reason = self._text(info, arguments, state, viewer)
                return head + (f": {reason}" if reason else "")
            case "draw" | "end":
                head = "a draw" if info.what == "draw" else "the game is over"
                reason = self._text(info, arguments, state, viewer)
                return head + (f": {reason}" if reason else "")
        return self._text(info, arguments, state, viewer)

    def reason(self, info: EventInfo, arguments: tuple[int, ...], state: State) -> str:
        """The reason given with the end of the game."""
        return self._text(info, arguments, state, ALL)

    # ------------------------------------------------------------------ kinds of events

    def _text(self, info: EventInfo, arguments: tuple[int, ...], state: State, viewer: AnyViewer) -> str:
        said: list[str] = []
        for part in info.text:
            if isinstance(part, Shown) and self._hides(part, arguments, state, viewer):
                said.append(unnamed(part.type))
            else:
                said.append(self.names.part(part, state, arguments) or "")
        return "".join(said)

    def _hides(self, part: Shown, arguments: tuple[int, ...], state: State, viewer: AnyViewer) -> bool:
        if isinstance(viewer, _All):
            return False
        value = arguments[part.needs[0]] if part.needs else -1
        if isinstance(part.type, PieceType):
            return not self.sight.locates(part.type.name, value, state, viewer)
        if isinstance(part.type, SetType) and isinstance(part.type.element, PieceType):
            name = part.type.element.name
            return any(not self.sight.locates(name, piece, state, viewer) for piece in bits(value))
        return False

    def _move(self, kind: str, arguments: tuple[int, ...], state: State, viewer: AnyViewer) -> str | None:
        piece, old, new = arguments
        places = self.program.places[kind]
        start, end = places[old], places[new]
        seen = isinstance(viewer, _All) or any(
            self.sight.sees_there(kind, piece, place, viewer, state) for place in (start, end)
        )
        seen = seen or (not isinstance(viewer, _All) and self.sight.knows(kind, piece, viewer, state))
        type_ = PieceType(name=kind)
        name = self.names.member(type_, piece, state) if seen else a_thing(kind)
        return f"{name}: {self.place(start)} to {self.place(end)}"

    def _show(self, kind: str, arguments: tuple[int, ...], state: State, viewer: AnyViewer) -> str | None:
        piece, whom = arguments
        seen = isinstance(viewer, _All) or self.sight.locates(kind, piece, state, viewer)
        name = self.names.member(PieceType(name=kind), piece, state) if seen else a_thing(kind)
        players = self.program.players
        others = "" if whom >> len(players) else f" to {', '.join(players[player] for player in bits(whom))}"
        return f"{name} in {self.place(self.sight.place_of(kind, piece, state))} is shown{others}"

    def _roll(self, kind: str, arguments: tuple[int, ...], state: State, viewer: AnyViewer) -> str | None:
        piece, value = arguments
        if not isinstance(viewer, _All) and not self.sight.locates(kind, piece, state, viewer):
            return f"{a_thing(kind)} is rolled"
        rolled = next((v for v in self.sight.game.variables if v.rolled and v.keys and _is(v.keys[0], kind)), None)
        shown = self.names.value(rolled.type, value, state) if rolled is not None else str(value)
        return f"rolled {shown}"

    def _change(self, info: EventInfo, arguments: tuple[int, ...], state: State, viewer: AnyViewer) -> str | None:
        group = self._group(info, arguments, state)
        if group is None or group.type is None:
            return None
        index = arguments[0] if group.keys or info.what == "reveal" else 0
        if not isinstance(viewer, _All) and info.what != "reveal" and not self._sees_slot(group, index, state, viewer):
            return None
        value = self.names.value(group.type, arguments[-1], state)
        name = self.variable(group, index, state)
        if info.what == "reveal":
            return f"{name} is shown: {value}"
        before = self.names.value(group.type, arguments[-2], state)
        return f"{name}: {before} to {value}"

    def _group(self, info: EventInfo, arguments: tuple[int, ...], state: State) -> SlotGroup | None:
        """The variable that changes; of several of one name the one that holds the old value."""
        found = self._variables.get(info.variable, [])
        for group in found:
            keyed = bool(group.keys) or info.what == "reveal"
            index = arguments[0] if keyed else 0
            old = arguments[-1] if info.what == "reveal" else arguments[-2]
            fits = len(arguments) == (2 + keyed if info.what == "set" else 2)
            if fits and 0 <= index < group.count and state[group.base + index] == old:
                return group
        return found[0] if len(found) == 1 else None

    def _sees_slot(self, group: SlotGroup, index: int, state: State, viewer: Viewer) -> bool:
        if not self.sight.sees(group, self.sight.owner_of(group, index), viewer, state):
            return False
        if group.keys and isinstance(group.keys[0], PieceType):
            kind = group.keys[0].name
            piece = index // max(1, group.count // domain_size(self.sight.game, group.keys[0]))
            return self.sight.locates(kind, piece, state, viewer)
        return True

    # ------------------------------------------------------------------ names

    def place(self, place: PlaceCode) -> str:
        """A place: the box, a zone, a space."""
        if place.kind == "box":
            return "the box"
        if place.kind == "space":
            board = self.sight.game.boards[place.name]
            return self.names.member(SpaceType(name=board.space), place.space, [])
        each_of = self.sight.game.zones[place.name].each_of
        return place.name if each_of is None else f"{self.names.member(each_of, place.owner, [])}.{place.name}"

    def variable(self, group: SlotGroup, index: int, state: State) -> str:
        """A slot of a variable: `gold`, `Ann.banked`, `Ann.entry(Ones)`."""
        words: list[str] = []
        for key in reversed(group.keys):
            index, member = divmod(index, domain_size(self.sight.game, key))
            words.append(self.names.value(key, member + getattr(key, "low", 0), state))
        words.reverse()
        name = group.name.rpartition(".")[2]
        if not words:
            return name
        rest = f"({', '.join(words[1:])})" if words[1:] else ""
        return f"{words[0]}.{name}{rest}"


def plain_text(template: TextTemplate) -> str:
    """A text with its values left open."""
    return "".join(part if isinstance(part, str) else OPEN for part in template)


def unnamed(type_: Type) -> str:
    """What is said of a thing that the viewer may not know."""
    if isinstance(type_, PieceType):
        return a_thing(type_.name)
    if isinstance(type_, SetType) and isinstance(type_.element, PieceType):
        return f"some {type_.element.name.lower()}s"
    return "somebody" if isinstance(type_, PlayerType) else SOMETHING


def _is(type_: Type, kind: str) -> bool:
    return isinstance(type_, PieceType) and type_.name == kind
