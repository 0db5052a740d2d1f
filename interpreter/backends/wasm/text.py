"""Pieces of WebAssembly text: constants, values with what has to be done first, places of wide numbers."""

from __future__ import annotations

from attrs import frozen

FRAME = "(local.get $fp)"
"""The address of the frame of a function, where its wide numbers lie."""
ZERO = "(i64.const 0)"


@frozen
class Place:
    """A wide number in memory, at `base` + `offset`, once `setup` was done."""

    setup: tuple[str, ...]
    base: str
    offset: int

    @property
    def address(self) -> str:
        if self.base == "(i32.const 0)":
            return const(self.offset)
        return self.base if not self.offset else f"(i32.add {self.base} {const(self.offset)})"

    def load(self, number: int) -> str:
        return f"(i64.load offset={self.offset + 8 * number} {self.base})"

    def store(self, number: int, text: str) -> str:
        return f"(i64.store offset={self.offset + 8 * number} {self.base} {text})"


def const(value: int, kind: int = 0) -> str:
    """A constant as `i32` (kind 0) or `i64`."""
    if kind:
        return f"(i64.const {value if value < 2**63 else value - 2**64})"
    return f"(i32.const {value if value < 2**31 else value - 2**32})"


def block(setup: tuple[str, ...] | list[str], text: str, type_: str) -> str:
    """A value with what has to be done first."""
    return f"(block (result {type_}) {' '.join(setup)} {text})" if setup else text


def any_of(parts: list[str | None] | list[str]) -> str:
    """Words joined by or; a word that is None is 0."""
    text = ""
    for part in parts:
        if part is not None:
            text = f"(i64.or {text} {part})" if text else part
    return text or ZERO


def word_of(op: str, first: str | None, second: str | None) -> str | None:
    """One word of `&`, `|` or `&~` of two sets; None stands for 0."""
    if op == "|":
        return first if second is None else second if first is None else f"(i64.or {first} {second})"
    if first is None or (second is None and op == "&"):
        return None
    if op == "&":
        return f"(i64.and {first} {second})"
    return first if second is None else f"(i64.and {first} (i64.xor {second} (i64.const -1)))"


def bit_word(place: Place, local: str) -> str:
    """The address, but for the offset of the place, of the word with the bit whose number is in a local."""
    byte = f"(i32.shl (i32.shr_u (local.get {local}) (i32.const 6)) (i32.const 3))"
    return byte if place.base == "(i32.const 0)" else f"(i32.add {place.base} {byte})"


__all__ = ["FRAME", "ZERO", "Place", "any_of", "bit_word", "block", "const", "word_of"]
