"""Types and members in words.

Messages, option names, saves and command lines all speak of members by name, while the game keeps only their indexes.
Both ways between the two are here, so that no two parts of the engine name a thing differently. Types are put into
words as a reader of rules would say them ("a space of `Square`").

Invariant: `member_names(game, t)[i]` names member i of a domain, and there are `domain_size(game, t)` of them.
"""

from __future__ import annotations

from interpreter.semantics.model import Game, Kind
from interpreter.semantics.types import (
    DirectionType,
    DomainType,
    EnumType,
    ErrorType,
    FlagType,
    HalvesType,
    LinkType,
    ListType,
    MapType,
    NoneType,
    NumberType,
    PieceType,
    PlayerType,
    RowType,
    SetType,
    SpaceType,
    TextType,
    TrackType,
    Type,
    ZoneType,
)

__all__ = ["domain_size", "in_words", "kind_names", "member_index", "member_names", "plain_name"]


def in_words(type: Type) -> str:
    """A type as it is named in messages, with its article."""
    match type:
        case ErrorType():
            return "something unknown"
        case NoneType():
            return "`none`"
        case NumberType():
            return "a number"
        case HalvesType():
            return "a number in halves"
        case FlagType():
            return "yes or no"
        case TextType():
            return "a text"
        case PlayerType():
            return "a player"
        case SpaceType(name=name):
            return f"a space `{name}`"
        case DirectionType(name=name):
            return f"a direction of `{name}`"
        case LinkType(name=name):
            return f"a link of `{name}`"
        case PieceType(name=name):
            return f"a piece `{name}`"
        case ZoneType(name=name):
            return f"a zone of `{name}`"
        case DomainType(name=name):
            return f"a `{name}`"
        case SetType(element=element):
            return f"a set of {_plural(element)}"
        case ListType(element=element):
            return f"an order of {_plural(element)}"
        case MapType(key=key, value=value):
            return f"one of {_plural(value)} for each of {_plural(key)}"
        case TrackType():
            return "a track"
        case _:
            return "nothing"


def _plural(type: Type) -> str:
    match type:
        case NumberType():
            return "numbers"
        case FlagType():
            return "flags"
        case TextType():
            return "texts"
        case PlayerType():
            return "players"
        case SpaceType(name=name):
            return f"spaces `{name}`"
        case DirectionType(name=name):
            return f"directions of `{name}`"
        case DomainType(name=name):
            return f"`{name}`"
        case _:
            return "things"


def plain_name(text: str) -> str:
    """A name in canonical form: words joined by one space, an underscore counts as a space."""
    return " ".join(text.replace("_", " ").split())


def kind_names(kind: Kind, enum_members: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Names of the pieces of a kind where no template applies: the member they carry, else the kind and a number."""
    for attribute in kind.attributes.values():
        if isinstance(attribute.type, EnumType | RowType):
            members = enum_members.get(attribute.type.name, ())
            return tuple(members[value] if 0 <= value < len(members) else kind.name for value in attribute.values)
    if kind.count == 1:
        return (kind.name,)
    return tuple(f"{kind.name} {number}" for number in range(1, kind.count + 1))


def member_names(game: Game, type: Type) -> tuple[str, ...]:
    """The names of the members of a finite type, in order; nothing for types without members."""
    match type:
        case FlagType():
            return ("no", "yes")
        case NumberType(low=low, high=high):
            return tuple(str(number) for number in range(low, high + 1))
        case EnumType(name=name):
            return game.enums[name].members
        case RowType(name=name):
            return game.rows[name].members
        case PlayerType():
            return game.players
        case SpaceType(name=name):
            return tuple(space.name for space in game.space_board(name).board.spaces)
        case DirectionType(name=name):
            return game.boards[name].board.directions
        case PieceType(name=name):
            members = {enum.name: enum.members for enum in game.enums.values()}
            members |= {row.name: row.members for row in game.rows.values()}
            return kind_names(game.kinds[name], members)
        case _:
            return ()


def domain_size(game: Game, type: Type) -> int:
    """How many members a finite type has; 0 for types without members."""
    match type:
        case FlagType():
            return 2
        case NumberType(low=low, high=high):
            return high - low + 1
        case PieceType(name=name):
            return game.kinds[name].count
        case SpaceType(name=name):
            return len(game.space_board(name).board.spaces)
        case _:
            return len(member_names(game, type))


def member_index(game: Game, type: Type, name: str) -> int | None:
    """The member of that name: exactly as written, else with an underscore for a space or in another case."""
    names = member_names(game, type)
    if name in names:
        return names.index(name)
    wanted = plain_name(name).casefold()
    found = [index for index, member in enumerate(names) if plain_name(member).casefold() == wanted]
    return found[0] if len(found) == 1 else None
