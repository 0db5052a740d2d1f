"""Finite domains as numbers: how many members a type has, and the key under which a program keeps their names."""

from __future__ import annotations

from interpreter.semantics.types import (
    DirectionType,
    NumberType,
    Type,
)


def domain_key(type_: Type) -> str:
    """The key of `Program.names` for a domain type; "" for numbers and flags."""
    if isinstance(type_, DirectionType):
        return f"direction of {type_.name}"
    return str(getattr(type_, "name", ""))


def first_number(type_: Type) -> int:
    """The member that index 0 stands for: the low bound of a number, 0 for anything else."""
    return type_.low if isinstance(type_, NumberType) else 0


__all__ = ["domain_key", "first_number"]
