"""A state in front of a viewer, and what a drawing of it is made of.

Every part of the sheet asks its questions here, so that there is one place that keeps secrets: a slot that is hidden
from the viewer answers `hidden`, a piece that lies where the viewer cannot look is only counted.

Invariant: no answer depends on a slot that `Sight` hides from the viewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from attrs import define, field, frozen

from interpreter.backends.api import Backend
from interpreter.boards import quarters
from interpreter.ir.program import Program, SlotGroup
from interpreter.runtime.names import Names
from interpreter.runtime.sight import Sight
from interpreter.semantics import domain_size
from interpreter.semantics.model import BoardUse, Const, Game, Kind, Variable, Zone
from interpreter.semantics.types import PLAYER, NumberType, PieceType, PlayerType, Type
from interpreter.workspace.pictures import Tint, pictured_rows

__all__ = ["HIDDEN", "Part", "Sheet", "Standing", "Table", "Tabletop", "zone_title"]

HIDDEN = "hidden"
"""What is said of a value that the viewer may not see."""


@frozen
class Part:
    """One thing on the table."""

    title: str
    drawn: tuple[str, ...]
    """Lines to look at."""
    said: tuple[str, ...]
    """Lines to listen to."""
    tints: tuple[Tint, ...] = ()
    """Parts of the drawn lines that stand out."""


@frozen
class Standing:
    """A piece on a board."""

    kind: Kind
    piece: int
    space: int
    name: str
    facing: int | None
    """In which direction it looks, if that is said."""
    markers: tuple[tuple[int, str], ...]
    """What lies on it: the number of each marker of the kind, and its words."""
    player: int | None
    """Whose piece it is, if it is anybody's."""


@frozen
class Table:
    """Figures in rows and columns; the first column names the row."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Sheet:
    """All that a viewer sees."""

    title: str
    parts: tuple[Part | Table, ...]


@define(eq=False)
class Tabletop:
    """A state in front of a viewer: every question a drawing asks."""

    game: Game
    program: Program
    backend: Backend
    names: Names
    sight: Sight
    state: list[int]
    viewer: int | None
    brought: Mapping[tuple[str, int], Mapping[int, int]] = field(factory=dict)
    """By roster and player how a list that was brought differs from the ready-made one, by member."""
    groups: dict[int, SlotGroup] = field(factory=dict, init=False)
    """The slots of each variable, by its identity."""
    hidden: set[int] = field(factory=set, init=False)
    """Slots that the viewer may not read."""

    def __attrs_post_init__(self) -> None:
        groups = (group for group in self.program.layout.groups if group.what == "variable")
        self.groups = {id(variable): group for variable, group in zip(self.game.variables, groups, strict=False)}
        self.hidden = self.sight.unseen_matters(self.state, self.viewer)

    def value(self, variable: Variable, index: int = 0) -> str:
        """The value of one slot of a variable in words."""
        slot = self.groups[id(variable)].base + index
        if slot in self.hidden:
            return HIDDEN
        return self.names.value(variable.type, self.state[slot], self.state)

    def number(self, variable: Variable, index: int = 0) -> int | None:
        """The bare value of one slot, or None where it is hidden."""
        slot = self.groups[id(variable)].base + index
        return None if slot in self.hidden else self.state[slot]

    def is_start(self, variable: Variable, index: int) -> bool:
        """Whether a slot still holds what it began with, so that it need not be told."""
        value = self.number(variable, index)
        if isinstance(variable.start, Const):
            return value == variable.start.value
        return False

    def members(self, type_: Type) -> list[str]:
        """The names of the members of a domain, as they are now."""
        first = type_.low if isinstance(type_, NumberType) else 0
        return [self.names.value(type_, first + at, self.state) for at in range(domain_size(self.game, type_))]

    def key_names(self, variable: Variable) -> list[str]:
        """For each slot of a variable, what it belongs to."""
        return [" ".join(names) for names in product(*(self.members(key) for key in variable.keys))]

    def piece(self, kind: Kind, piece: int) -> str:
        """A piece as the viewer sees it."""
        return self.names.member(PieceType(name=kind.name), piece, self.state)

    def pieces_in(self, zone: Zone, owner: int) -> tuple[list[int], int]:
        """The pieces in a zone that the viewer sees, and how many more there are."""
        seen: list[int] = []
        unseen = 0
        for piece in range(zone.kind.count):
            place = self.sight.place_of(zone.kind.name, piece, self.state)
            if place.kind == "zone" and place.name == zone.name and place.owner in (-1, owner):
                if self.sight.locates(zone.kind.name, piece, self.state, self.viewer):
                    seen.append(piece)
                else:
                    unseen += 1
        return seen, unseen

    def markers(self, kind: Kind, piece: int) -> tuple[tuple[int, str], ...]:
        """The markers on a piece that the viewer sees."""
        return self.names.markers(kind.name, piece, self.state)

    def up(self, use: BoardUse) -> int:
        """The quarter of a board that lies away from the viewer; north for an onlooker."""
        if self.viewer is None:
            return 0
        ahead = self.names.facing(PLAYER, use.name, self.viewer, self.state)
        return 0 if ahead is None else quarters(use.board, ahead)

    def player_of(self, kind: Kind, piece: int) -> int | None:
        """Whose piece it is: its owner, a player that it or its row names, or else whoever looks the same way."""
        found = next((each for each in kind.attributes.values() if isinstance(each.type, PlayerType)), None)
        if found is not None:
            return _nobody(found.values[piece])
        for variable in kind.fields.values():
            if isinstance(variable.type, PlayerType) and len(variable.keys) == 1:
                return _nobody(self.number(variable, piece))
        pictured = pictured_rows(self.game, kind)
        if pictured is not None:
            rows, row = pictured
            for attribute in rows.attributes.values():
                if isinstance(attribute.type, PlayerType):
                    return _nobody(attribute.values[row.values[piece]])
        return None

    def from_the_top(self, zone: Zone, owner: int) -> list[int]:
        """The pieces of an ordered zone from the top down, hidden ones too."""
        for group, place in self.sight.kinds[zone.kind.name].orders:
            if place.name == zone.name and place.owner in (-1, owner):
                return self.state[group.base + 1 : group.base + 1 + self.state[group.base]][::-1]
        return []

    def standing_on(self, board: str) -> Iterator[Standing]:
        """Every piece that stands on a board."""
        for kind in self.game.kinds.values():
            if kind.name not in self.sight.kinds:
                continue
            for piece in range(kind.count):
                place = self.sight.place_of(kind.name, piece, self.state)
                if place.kind == "space" and place.name == board:
                    facing = self.names.facing(PieceType(name=kind.name), board, piece, self.state)
                    player = self.player_of(kind, piece)
                    if player is None and facing is not None:
                        looks = [self.names.facing(PLAYER, board, each, self.state) for each in self._players()]
                        player = looks.index(facing) if looks.count(facing) == 1 else None
                    name, markers = self.piece(kind, piece), self.markers(kind, piece)
                    yield Standing(kind, piece, place.space, name, facing, markers, player)

    def _players(self) -> range:
        return range(len(self.game.players))


def zone_title(zone: Zone, member: str) -> str:
    """How a zone is headed; `member` is whose it is, "" for nobody's."""
    if zone.per_player:
        return f"{member}'s {zone.name}"
    return f"{zone.name} of {member}" if member else zone.name


def _nobody(player: int | None) -> int | None:
    return None if player is None or player < 0 else player
