"""The games that ship, and what can be chosen for each.

Read off the syntax trees, so that a list of all games costs no more than parsing them. Invariant: a game that cannot
be read is left out, never an error: `dsl check` is for that.
"""

from __future__ import annotations

from pathlib import Path

from attrs import asdict, frozen

from interpreter.diagnostics import Diagnostics
from interpreter.semantics import read_project
from interpreter.source import Files, shipped_games
from interpreter.syntax import ast

__all__ = ["Entry", "EntryChange", "EntryOption", "catalogue"]


@frozen
class EntryOption:
    """An option of a game."""

    name: str
    default: str
    values: str
    """What it may be, in words."""
    doc: str


@frozen
class EntryChange:
    """A variant or scenario of a game."""

    name: str
    title: str
    doc: str


@frozen
class Entry:
    """One game."""

    name: str
    """The bare name that commands take."""
    title: str
    fewest: int
    most: int
    doc: str
    scenarios: tuple[EntryChange, ...]
    variants: tuple[EntryChange, ...]
    options: tuple[EntryOption, ...]

    def as_data(self) -> dict[str, object]:
        """For programs."""
        data = asdict(self)
        data["players"] = [data.pop("fewest"), data.pop("most")]
        return data

    def as_text(self) -> str:
        """For people."""
        low, high = self.fewest, self.most
        players = "1 player" if low == high == 1 else f"{low} players" if low == high else f"{low} to {high} players"
        lines = [f"{self.name}: {self.title}, {players}"]
        lines += [f"    scenario {each.name}: {each.title}" for each in self.scenarios]
        lines += [f"    variant {each.name}: {each.title}" for each in self.variants]
        lines += [f"    option {each.name} = {each.default} ({each.values})" for each in self.options]
        return "\n".join(lines) + "\n"


def catalogue() -> list[Entry]:
    """Every game that ships, in the order of the library."""
    return [entry for entry in map(_entry, shipped_games()) if entry is not None]


def _entry(path: Path) -> Entry | None:
    project = read_project(path, Diagnostics(), Files(root=path.parent))
    if project is None or project.head is None:
        return None
    head = project.head
    return Entry(
        name=path.stem,
        title=head.title,
        fewest=head.players_low,
        most=head.players_high,
        doc=project.doc,
        scenarios=tuple(_change(node) for node in project.scenarios),
        variants=tuple(_change(node) for node in project.variants),
        options=tuple(_option(node) for node in project.options),
    )


def _change(node: ast.VariantDeclaration) -> EntryChange:
    return EntryChange(node.name.text, node.title or node.name.text, node.doc)


def _option(node: ast.OptionDeclaration) -> EntryOption:
    if node.words:
        values = " or ".join(name.text for name in node.words)
    elif node.low is not None:
        values = f"{node.low}..{node.high}"
    else:
        values = "no or yes"
    return EntryOption(node.name.text, _value(node.default), values, node.doc)


def _value(value: ast.OptionValue) -> str:
    if isinstance(value, ast.Name):
        return value.text
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
