"""Finite domains as numbers: how many members a type has, and the key under which a program keeps their names."""

from __future__ import annotations

from interpreter.semantics import model
from interpreter.semantics.types import (
    DirectionType,
    EnumType,
    FlagType,
    NumberType,
    PieceType,
    PlayerType,
    RowType,
    SpaceType,
    Type,
)


def domain_key(type_: Type) -> str:
    """The key of `Program.names` for a domain type; "" for numbers and flags."""
    if isinstance(type_, DirectionType):
        return f"direction of {type_.name}"
    return str(getattr(type_, "name", ""))


def domain_size(game: model.Game, type_: Type) -> int:
    """How many members a domain has; for a number how many numbers lie within its bounds."""
    match type_:
        case NumberType():
            return type_.high - type_.low + 1
        case FlagType():
            return 2
        case EnumType():
            return len(game.enums[type_.name].members)
        case RowType():
            return len(game.rows[type_.name].members)
        case PlayerType():
            return len(game.players)
        case PieceType():
            return game.kinds[type_.name].count
        case SpaceType():
            return len(game.space_board(type_.name).board.spaces)
        case DirectionType():
            return len(game.boards[type_.name].board.directions)
    raise TypeError(f"no domain: {type_}")


def first_number(type_: Type) -> int:
    """The member that index 0 stands for: the low bound of a number, 0 for anything else."""
    return type_.low if isinstance(type_, NumberType) else 0


__all__ = ["domain_key", "domain_size", "first_number"]
