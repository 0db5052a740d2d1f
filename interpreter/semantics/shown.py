"""How things are shown to people: in which direction they look, and the markers that lie on them.

Both are read from lines of a kind or of `each X has`, once everything has a name. Nothing that happens in play depends
on them; whoever draws the table asks for them.

Invariant: of each type there is at most one facing for a board, and no two markers of a kind have the same text.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from interpreter.diagnostics import Label
from interpreter.semantics.expressions import Expressions
from interpreter.semantics.fit import is_error
from interpreter.semantics.model import Facing, Local, Marker
from interpreter.semantics.scopes import Scope
from interpreter.semantics.types import DirectionType, DomainType, PieceType, PlayerType
from interpreter.syntax import ast

__all__ = ["Shown", "read_shown"]


@define
class Shown:
    """What was read."""

    facings: list[Facing] = field(factory=list)
    markers: list[Marker] = field(factory=list)


def read_shown(reader: Expressions, nodes: Iterable[ast.KindDeclaration | ast.HasDeclaration]) -> Shown:
    """The facings and markers of some declarations. Reports D228, D207 and D215."""
    shown = Shown()
    for node in nodes:
        owner = node.name if isinstance(node, ast.KindDeclaration) else node.owner
        type_ = reader.names.domain(owner.text)
        if type_ is None:
            continue  # said already
        for line in node.shown:
            if isinstance(line, ast.Ahead):
                _facing(reader, shown, type_, line)
            else:
                _marker(reader, shown, type_, line)
    return shown


def _facing(reader: Expressions, shown: Shown, type_: DomainType, line: ast.Ahead) -> None:
    if not isinstance(type_, PieceType | PlayerType):
        reader.error("D228", f"only pieces and players look ahead, found `{type_.name}`", line.span)
        return
    local = Local(name="it", type=type_, span=line.span)
    found = reader.read(line.direction, Scope(candidate=local))
    if is_error(found.type):
        return
    if not isinstance(found.type, DirectionType):
        reader.mismatch("a direction", found.type, line.direction.span)
        return
    before = [one for one in shown.facings if one.key == type_ and one.board == found.type.name]
    if before:
        label = Label(before[0].span, "first here")
        message = f"where `{type_.name}` looks on `{found.type.name}` is said twice"
        reader.error("D207", message, line.span, labels=(label,))
        return
    shown.facings.append(Facing(key=type_, board=found.type.name, local=local, direction=found, span=line.span))


def _marker(reader: Expressions, shown: Shown, type_: DomainType, line: ast.Marker) -> None:
    if not isinstance(type_, PieceType):
        help = "a field that is a flag is shown wherever it is kept"
        reader.error("D228", f"only pieces are marked, found `{type_.name}`", line.span, help=help)
        return
    kind = reader.names.kinds[type_.name]
    local = Local(name="it", type=type_, span=line.span)
    scope = Scope(candidate=local)
    text, condition = reader.template(line.text, scope), reader.condition(line.condition, scope)
    same = [one for one in shown.markers if one.kind is kind and one.text.parts == text.parts]
    if same:
        label = Label(same[0].span, "first here")
        reader.error("D207", f"`{type_.name}` is marked with the same words twice", line.span, labels=(label,))
        return
    shown.markers.append(Marker(kind=kind, local=local, text=text, condition=condition, span=line.span))
