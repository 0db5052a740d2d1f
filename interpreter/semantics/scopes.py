"""What names mean inside a body.

A scope is a chain of blocks. Each holds the locals declared in it, and may have a *candidate*: the thing of which a
condition speaks (`it`), whose fields may be named alone. Only the innermost candidate is meant: a condition within a
condition speaks of its own.

Invariant: a local is found in the block that declares it and in blocks inside that one, nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from interpreter.semantics.model import Local, Roster

__all__ = ["Scope"]


@define(eq=False)
class Scope:
    """One block of a body."""

    parent: Scope | None = None
    """The block around it."""
    candidate: Local | None = None
    """What `it` means from here on; None leaves that to the parent."""
    assigned: frozenset[str] = frozenset()
    """Names that the body changes somewhere: their first value tells nothing of their bounds."""
    roster: Roster | None = None
    """The roster that is spoken of: its name alone means that of `player`."""
    locals: dict[str, Local] = field(factory=dict)
    """The locals declared here."""
    changeable: set[int] = field(factory=set)
    """Identities of the locals declared here by `let`."""

    def inner(self, candidate: Local | None = None) -> Scope:
        """A block inside this one, perhaps with a candidate of its own."""
        return Scope(parent=self, candidate=candidate, assigned=self.assigned, roster=self.roster)

    def add(self, local: Local, *, changeable: bool = False) -> None:
        self.locals[local.name] = local
        if changeable:
            self.changeable.add(id(local))

    def chain(self) -> Iterator[Scope]:
        """This block and those around it, inside out."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def find(self, name: str) -> Local | None:
        """The local of that name, or None."""
        for scope in self.chain():
            if name in scope.locals:
                return scope.locals[name]
        return None

    def is_changeable(self, local: Local) -> bool:
        return any(id(local) in scope.changeable for scope in self.chain())

    @property
    def it(self) -> Local | None:
        """The innermost candidate."""
        for scope in self.chain():
            if scope.candidate is not None:
                return scope.candidate
        return None

    def local_names(self) -> Iterator[str]:
        for scope in self.chain():
            yield from scope.locals
