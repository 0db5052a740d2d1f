"""What one player may know of a game, as data for people and programs.

The same record for every reader: slots with None for whatever is hidden, and the same thing once more by name. All
pieces that the viewer cannot locate look alike, and of a hidden zone only the number of pieces is told, and those that
the viewer was shown.

Invariant: a view depends on nothing that is hidden from the viewer (`runtime.leak` makes the test of that easy).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from interpreter.ir.program import ROUND, PlaceCode, SlotGroup
from interpreter.runtime.sight import Viewer
from interpreter.semantics import domain_size
from interpreter.semantics.types import PieceType, SpaceType, Type

if TYPE_CHECKING:
    from interpreter.runtime.session import Session

__all__ = ["HIDDEN", "View", "view"]

HIDDEN = "hidden"
"""What stands for a value that the viewer may not see."""


@frozen
class View:
    """What one viewer may know."""

    player: Viewer
    """The viewer; None is an onlooker."""
    slots: tuple[int | None, ...]
    """The state, None for every hidden slot."""
    turn: str
    """Who decides, by name; empty when the game is over."""
    round: int
    """The number of the round, 0 where rounds are not counted."""
    prompt: str
    """What the decision is for; empty unless the viewer decides."""
    options: tuple[str, ...]
    """The names of the options; empty unless the viewer decides."""
    variables: Mapping[str, object]
    """Values by name; those kept for something by its member. `hidden` where the viewer may not see."""
    zones: Mapping[str, object]
    """Pieces by zone (of each player or another member: by member); for a hidden zone only their number. Where the
    viewer knows some of them: `seen` and the number `hidden`; in an order all, `hidden` for those not known."""
    boards: Mapping[str, Mapping[str, Mapping[str, object]]]
    """By board and space: values kept there, and the pieces that stand there."""
    pieces: Mapping[str, Mapping[str, object]]
    """Fields of the pieces that the viewer can locate, by name and number of the piece."""

    def as_data(self) -> dict[str, object]:
        """The readable part as plain data."""
        return {
            "turn": self.turn,
            "round": self.round,
            "prompt": self.prompt,
            "options": list(self.options),
            "variables": self.variables,
            "zones": self.zones,
            "boards": self.boards,
            "pieces": self.pieces,
        }


def view(session: Session, player: Viewer) -> View:
    """What a player, or an onlooker (None), may know of the game now."""
    hidden = session.sight.unseen(session.state, player)
    slots = tuple(None if slot in hidden else value for slot, value in enumerate(session.state))
    decides = player is not None and session.player == player
    maker = _Maker(session, player, slots)
    return View(
        player=player,
        slots=slots,
        turn=session.player_name,
        round=session.state[ROUND],
        prompt=session.prompt if decides else "",
        options=tuple(option.name for option in session.options) if decides else (),
        variables=maker.variables(),
        zones=maker.zones(),
        boards=maker.boards(),
        pieces=maker.pieces(),
    )


class _Maker:
    """Puts the visible slots under their names."""

    def __init__(self, session: Session, player: Viewer, slots: tuple[int | None, ...]) -> None:
        self.session = session
        self.player = player
        self.slots = slots
        self.game = session.rules.game
        self.groups = [g for g in session.rules.program.layout.groups if g.what == "variable" and g.type is not None]

    def _size(self, type_: Type) -> int:
        return domain_size(self.game, type_)

    def _name(self, type_: Type, index: int) -> str:
        return self.session.names.value(type_, index + getattr(type_, "low", 0), self.session.state)

    def _value(self, group: SlotGroup, index: int) -> object:
        value = self.slots[group.base + index]
        assert group.type is not None
        return HIDDEN if value is None else self.session.names.plain(group.type, value, self.session.state)

    def _nested(self, group: SlotGroup, keys: tuple[Type, ...], index: int) -> object:
        if not keys:
            return self._value(group, index)
        size = self._size(keys[0])
        stride = 1
        for key in keys[1:]:
            stride *= self._size(key)
        return {
            self._name(keys[0], member): self._nested(group, keys[1:], index + member * stride)
            for member in range(size)
        }

    def variables(self) -> dict[str, object]:
        """Everything that is not kept on pieces or spaces."""
        found: dict[str, object] = {}
        for group in self.groups:
            if not (group.keys and isinstance(group.keys[0], PieceType | SpaceType)):
                name = group.name
                if name in found and group.keys:
                    name = f"{getattr(group.keys[0], 'name', '')}.{name}"
                found[name] = self._nested(group, group.keys, 0)
        return found

    def _on_first(self, group: SlotGroup, member: int) -> object:
        """The part of a variable that belongs to one member of its first key."""
        stride = group.count // max(1, self._size(group.keys[0]))
        return self._nested(group, group.keys[1:], member * stride)

    def pieces(self) -> dict[str, dict[str, object]]:
        """Fields of located pieces, and where they are."""
        found: dict[str, dict[str, object]] = {}
        for kind in self.session.sight.kinds.values():
            of_kind: dict[str, object] = {}
            for piece in range(kind.count):
                at = self.slots[kind.base + piece]
                if at is None or kind.places[at].kind == "box":
                    continue
                fields: dict[str, object] = {
                    group.name.rpartition(".")[2]: self._on_first(group, piece) for group in kind.fields
                }
                fields["name"] = self._name(PieceType(name=kind.name), piece)
                fields["place"] = self.session.rules.wording.place(kind.places[at])
                self._shown(fields, kind.name, piece, kind.places[at])
                of_kind[str(piece)] = fields
            found[kind.name] = of_kind
        return found

    def _shown(self, fields: dict[str, object], kind: str, piece: int, place: PlaceCode) -> None:
        """Adds the words of the markers on a piece, and on a board the direction in which it looks."""
        names, state = self.session.names, self.session.state
        if kind in names.program.markers:
            fields["markers"] = tuple(text for _, text in names.markers(kind, piece, state))
        if place.kind == "space":
            facing = names.facing(PieceType(name=kind), place.name, piece, state)
            if facing is not None:
                fields["facing"] = self.game.boards[place.name].board.directions[facing]

    def zones(self) -> dict[str, object]:
        """What lies in the zones, in order where there is one."""
        found: dict[str, object] = {}
        for kind in self.session.sight.kinds.values():
            for code, place in enumerate(kind.places):
                if place.kind != "zone":
                    continue
                content = self._content(kind.name, code, place)
                each_of = self.game.zones[place.name].each_of
                if each_of is None:
                    found[place.name] = content
                else:
                    of_member = found.setdefault(place.name, {})
                    assert isinstance(of_member, dict)
                    of_member[self._name(each_of, place.owner)] = content
        return found

    def _content(self, name: str, code: int, place: PlaceCode) -> object:
        kind = self.session.sight.kinds[name]
        state = self.session.state
        lying = [piece for piece in range(kind.count) if state[kind.base + piece] == code]
        for group, at in kind.orders:
            if at == place:
                lying = list(state[group.base + 1 : group.base + 1 + state[group.base]])
        seen = {piece for piece in lying if self.session.sight.locates(name, piece, state, self.player)}
        if lying and not seen:
            return len(lying)
        is_ordered = any(at == place for _, at in kind.orders)
        named = [
            self._name(PieceType(name=name), piece) if piece in seen else HIDDEN
            for piece in lying
            if is_ordered or piece in seen
        ]
        if is_ordered or len(seen) == len(lying):
            return named
        return {"seen": named, "hidden": len(lying) - len(seen)}

    def boards(self) -> dict[str, dict[str, dict[str, object]]]:
        """What is kept and what stands on each space; of a board without edges on those that have anything."""
        found: dict[str, dict[str, dict[str, object]]] = {}
        for use in self.game.boards.values():
            type_ = SpaceType(name=use.space)
            kept = [
                g for g in self.groups if g.keys and isinstance(g.keys[0], SpaceType) and g.keys[0].name == use.space
            ]
            standing = self._standing(use.name)
            spaces: dict[str, dict[str, object]] = {}
            for space in range(self._size(type_)):
                values: dict[str, object] = {g.name.rpartition(".")[2]: self._on_first(g, space) for g in kept}
                if space in standing:
                    values["pieces"] = standing[space]
                if values or not use.board.is_open:
                    spaces[self._name(type_, space)] = values
            found[use.name] = spaces
        return found

    def _standing(self, board: str) -> dict[int, list[str]]:
        """By space the names of the pieces that stand there."""
        found: dict[int, list[str]] = {}
        for kind in self.session.sight.kinds.values():
            for piece in range(kind.count):
                at = self.slots[kind.base + piece]
                place = None if at is None else kind.places[at]
                if place is not None and place.kind == "space" and place.name == board:
                    found.setdefault(place.space, []).append(self._name(PieceType(name=kind.name), piece))
        return found
