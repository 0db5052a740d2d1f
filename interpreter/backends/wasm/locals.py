"""The locals and the frame of one function of the module that is printed."""

from __future__ import annotations

import re

from attrs import define, field

from interpreter.backends.wasm.memory import size_of

_NOT_WORD = re.compile(r"[^A-Za-z0-9_]+")


def word(text: str) -> str:
    """A name as WebAssembly's text can have it."""
    return _NOT_WORD.sub("_", text)


def type_of(kind: int) -> str:
    """The type of a number of a kind; wider ones are known by their address."""
    return "i64" if kind == 1 else "i32"


@define
class Locals:
    """Names are handed out here, so that none is used twice. `frame` grows by every wide value."""

    declared: list[str] = field(factory=list)
    frame: int = 0
    framed: bool = False
    labels: int = 0
    _given: dict[tuple[object, str], str] = field(factory=dict)
    _places: dict[tuple[object, str], int] = field(factory=dict)

    def fresh(self, type_: str, name: str = "t") -> str:
        """A new local, `$...`."""
        local = f"${word(name)}_{len(self.declared)}"
        self.declared.append(f"(local {local} {type_})")
        return local

    def named(self, scope: object, name: str, type_: str) -> str:
        """The local of a variable."""
        local = self._given.get((scope, name))
        if local is None:
            local = self._given[scope, name] = self.fresh(type_, name)
        return local

    def give(self, scope: object, name: str, local: str) -> None:
        """A parameter is the local of its variable."""
        self._given[scope, name] = local

    def given(self, scope: object, name: str) -> str | None:
        """The local of a variable, if it has one."""
        return self._given.get((scope, name))

    def place(self, scope: object, name: str, kind: int) -> int:
        """The offset in the frame of a wide variable."""
        offset = self._places.get((scope, name))
        if offset is None:
            offset = self._places[scope, name] = self.room(kind)
        return offset

    def room(self, kind: int, count: int = 1) -> int:
        """The offset in the frame of new room for numbers."""
        self.framed = True
        offset = self.frame
        self.frame += (size_of(kind) * count + 7) // 8 * 8
        return offset

    def label(self, name: str) -> str:
        self.labels += 1
        return f"${name}_{self.labels}"


__all__ = ["Locals", "type_of", "word"]
