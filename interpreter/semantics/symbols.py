"""Everything that has a name in a game, while it is being understood and afterwards.

One table per class of thing, plus one table of places, since all declared things share one space of names. Members
(of enums, tables, boards) are kept apart: two enums may have a member of the same name, and the type that is expected
decides between them.

Invariant: `places` holds every declared name exactly once; `members[name]` lists every domain with such a member.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import define, field

from interpreter.diagnostics import Diagnostics, Span
from interpreter.semantics.describe import kind_names
from interpreter.semantics.model import (
    Attribute,
    BoardUse,
    EnumDomain,
    Figure,
    Function,
    Kind,
    Local,
    OptionUse,
    Roster,
    RowDomain,
    RowTable,
    Variable,
    VariantUse,
    Zone,
)
from interpreter.semantics.types import (
    PLAYER,
    DirectionType,
    DomainType,
    EnumType,
    PieceType,
    PlayerType,
    RowType,
    SpaceType,
    Type,
)
from interpreter.source import Files

__all__ = ["Names", "Owner", "owner_of"]

Owner = tuple[str, str]
"""What has fields: the class of a domain and its name, such as `("SpaceType", "Square")`."""


def owner_of(type: Type) -> Owner:
    """The key under which the fields of members of a type are kept."""
    return (type.__class__.__name__, type.name if isinstance(type, DomainType) else "")


@define(eq=False, kw_only=True)
class Names:
    """The declared things of one game in one configuration."""

    sink: Diagnostics
    files: Files
    folder: Path
    """Folder of the root rules file; board files are looked for from here."""
    players: tuple[str, ...]
    """Names of the players, in turn order."""
    places: dict[str, Span] = field(factory=dict)
    """Where each declared name was declared."""
    options: dict[str, OptionUse] = field(factory=dict)
    variants: dict[str, VariantUse] = field(factory=dict)
    enums: dict[str, EnumDomain] = field(factory=dict)
    rows: dict[str, RowDomain] = field(factory=dict)
    texts: dict[str, int] = field(factory=dict)
    """The texts that are printed in tables, each with its number."""
    kinds: dict[str, Kind] = field(factory=dict)
    boards: dict[str, BoardUse] = field(factory=dict)
    spaces: dict[str, BoardUse] = field(factory=dict)
    """The board of each space type."""
    link_types: dict[tuple[str, str], Type] = field(factory=dict)
    """The type of each attribute of the links of each board."""
    zones: dict[str, Zone] = field(factory=dict)
    rosters: dict[str, Roster] = field(factory=dict)
    globals: dict[str, Variable] = field(factory=dict)
    """Tracks and states."""
    variables: list[Variable] = field(factory=list)
    """Tracks, states and fields, in order of declaration."""
    fields: dict[Owner, dict[str, Variable]] = field(factory=dict)
    """Fields of members, by owner; a track of each player is one of its fields too."""
    functions: dict[str, Function] = field(factory=dict)
    tables: dict[str, tuple[RowDomain, RowTable]] = field(factory=dict)
    """For each table whose rows are members of a type, the type and its part of the members."""
    members: dict[str, list[tuple[DomainType, int]]] = field(factory=dict)
    """For each member name, the domains that have it and its index there."""
    hidden: set[Type] = field(factory=set)
    """Types whose members mean something only where the type is expected: words of options and of boards."""
    unfinished: dict[int, object] = field(factory=dict)
    """Bodies still to be understood, by identity of the function."""
    used: set[int] = field(factory=set)
    """Locals that were read, by identity."""
    broken: set[str] = field(factory=set)
    """Names whose declaration was reported and left out; what refers to them is not reported again."""

    # -- domains

    def domain(self, name: str) -> DomainType | None:
        """The type of that name whose members stand as a set, or None."""
        if name == "Player":
            return PLAYER
        if name in self.enums and EnumType(name=name) not in self.hidden:
            return EnumType(name=name)
        if name in self.rows:
            return RowType(name=name)
        if name in self.kinds:
            return PieceType(name=name)
        if name in self.spaces:
            return SpaceType(name=name)
        return None

    def type_names(self) -> Iterator[str]:
        yield from ("Player", *self.enums, *self.rows, *self.kinds, *self.spaces)

    def add_members(self, type: DomainType, names: tuple[str, ...]) -> None:
        """Makes the members of a domain known by name."""
        for index, name in enumerate(names):
            self.members.setdefault(name, []).append((type, index))

    def add_players(self) -> None:
        """Makes the players known by name, and each as `Player 1`, `Player 2`, ... too, whatever they are called."""
        self.add_members(PLAYER, self.players)
        for index in range(len(self.players)):
            numbered = f"Player {index + 1}"
            if numbered not in self.players:
                self.members.setdefault(numbered, []).append((PLAYER, index))

    def absent_player(self, name: str) -> tuple[str, ...]:
        """How many play, as a note on a name such as `Player 5` where fewer do; else nothing."""
        number = name.removeprefix("Player ")
        if not name.startswith("Player ") or not number.isdecimal():
            return ()
        playing = len(self.players)
        said = "one plays" if playing == 1 else f"{playing} play"
        return (f"{said} in this configuration",)

    def member_names(self, type: Type) -> tuple[str, ...]:
        """The names of the members of a domain, in order."""
        match type:
            case EnumType(name=name):
                return self.enums[name].members
            case RowType(name=name):
                return self.rows[name].members
            case PlayerType():
                return self.players
            case SpaceType(name=name):
                return tuple(space.name for space in self.spaces[name].board.spaces)
            case DirectionType(name=name):
                return self.boards[name].board.directions
            case PieceType(name=name):
                return kind_names(self.kinds[name], self.all_members())
            case _:
                return ()

    def all_members(self) -> dict[str, tuple[str, ...]]:
        """The members of every enum and table, by name of the type."""
        enums = {enum.name: enum.members for enum in self.enums.values()}
        return enums | {row.name: row.members for row in self.rows.values()}

    def size(self, type: Type) -> int | None:
        """How many members a domain has, or None for a type that is none."""
        match type:
            case PieceType(name=name):
                return self.kinds[name].count
            case DomainType():
                return len(self.member_names(type))
            case _:
                return None

    def member(self, type: Type, name: str) -> int | None:
        """The index of the member of a domain by name, or None."""
        for domain, index in self.members.get(name, ()):
            if domain == type.required():
                return index
        return None

    # -- what members have

    def field_of(self, type: Type, name: str) -> Variable | None:
        return self.fields.get(owner_of(type), {}).get(name)

    def attribute_of(self, type: Type, name: str) -> Attribute | None:
        return self.attributes_of(type).get(name)

    def attributes_of(self, type: Type) -> dict[str, Attribute]:
        match type:
            case SpaceType(name=name):
                return self.spaces[name].attributes
            case PieceType(name=name):
                return self.kinds[name].attributes
            case RowType(name=name):
                return self.rows[name].attributes
            case _:
                return {}

    def column_function(self, type: Type, name: str) -> Function | None:
        """The value, condition or effect that a table has as a column for each of its rows."""
        return self.rows[type.name].functions.get(name) if isinstance(type, RowType) else None

    def row_of(self, type: Type) -> Attribute | None:
        """The row of a table that each piece of a kind stands for: its figures are those of the piece."""
        if not isinstance(type, PieceType):
            return None
        found = (one for one in self.kinds[type.name].attributes.values() if isinstance(one.type, RowType))
        return next(found, None)

    def columns_of(self, type: Type) -> list[str]:
        """The columns of a table that makes a type, and the figures that several of them make."""
        if not isinstance(type, RowType):
            return []
        rows = self.rows[type.name]
        return [*rows.attributes, *rows.functions, *rows.figures]

    def zone_of(self, type: Type, name: str) -> Zone | None:
        """The zone of that name which every member of a type has."""
        zone = self.zones.get(name)
        return zone if zone is not None and zone.each_of == type.required() else None

    def figure_of(self, type: Type, name: str) -> Figure | None:
        """The figure of a row for each member of a type."""
        return self.rows[type.name].figures.get(name) if isinstance(type, RowType) else None

    def features_of(self, type: Type) -> list[str]:
        """All names that may follow a dot after a thing of that type."""
        names = self.own_features_of(type)
        row = self.row_of(type)
        return names if row is None else [*names, *(name for name in self.columns_of(row.type) if name not in names)]

    def own_features_of(self, type: Type) -> list[str]:
        """The names that may follow a dot, without the figures that a piece has from its row."""
        names = [*self.attributes_of(type), *self.fields.get(owner_of(type), ())]
        if isinstance(type, RowType):
            names += [*self.rows[type.name].functions, *self.rows[type.name].figures]
        if isinstance(type, PieceType):
            names.append("space")
        names += [zone.name for zone in self.zones.values() if zone.each_of == type.required()]
        return names

    def all_names(self) -> Iterator[str]:
        """Every name that may stand alone, for the nearest one."""
        yield from self.places
        yield from self.members
        yield from ("player", "winner", "winners", "round number", "finished", "it", "Player")

    def is_used(self, local: Local) -> bool:
        return id(local) in self.used
