"""The games that ship, and what can be chosen for each.

Read off the syntax trees, so that a list of all games costs no more than parsing them. Invariant: a game that cannot
be read is left out, never an error: `dsl check` is for that.
"""

from __future__ import annotations

from pathlib import Path

from attrs import asdict, frozen

from interpreter.diagnostics import Diagnostics
from interpreter.semantics import read_project
from interpreter.semantics.player_counts import counts_of, in_words, numbers_of
from interpreter.source import Files, shipped_games
from interpreter.syntax import ast

__all__ = ["Entry", "EntryChange", "EntryOption", "catalogue", "entry"]


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
    players: tuple[int, ...] = ()
    """The numbers of players it is for, where it is for some only."""


@frozen
class EntryRoster:
    """A roster of a game: what players may bring lists of."""

    name: str
    of: str
    """The type of what is listed."""
    says: tuple[str, ...]
    """What every list says of its player."""
    doc: str


@frozen
class Entry:
    """One game."""

    name: str
    """The bare name that commands take."""
    title: str
    players: tuple[int, ...]
    """How many can play, the default first."""
    doc: str
    scenarios: tuple[EntryChange, ...]
    variants: tuple[EntryChange, ...]
    options: tuple[EntryOption, ...]
    rosters: tuple[EntryRoster, ...] = ()

    def as_data(self) -> dict[str, object]:
        """For programs."""
        return asdict(self)

    def as_text(self) -> str:
        """For people."""
        lines = [f"{self.name}: {self.title}, {_players(self.players)}"]
        lines += [f"    scenario {each.name}: {each.title}{_for_players(each)}" for each in self.scenarios]
        lines += [f"    variant {each.name}: {each.title}{_for_players(each)}" for each in self.variants]
        lines += [f"    option {each.name} = {each.default} ({each.values})" for each in self.options]
        lines += [
            f"    roster {each.name} of {each.of}" + (f", says {', '.join(each.says)}" if each.says else "")
            for each in self.rosters
        ]
        return "\n".join(lines) + "\n"


def catalogue() -> list[Entry]:
    """Every game that ships, in the order of the library."""
    return [found for found in map(entry, shipped_games()) if found is not None]


def entry(path: Path) -> Entry | None:
    """What can be chosen for the game of a file; None where it cannot be read."""
    project = read_project(path, Diagnostics(), Files(root=path.parent))
    if project is None or project.head is None:
        return None
    head = project.head
    return Entry(
        name=path.stem,
        title=head.title,
        players=project.player_numbers,
        doc=project.doc,
        scenarios=tuple(_change(node) for node in project.scenarios),
        variants=tuple(_change(node) for node in project.variants),
        options=tuple(_option(node) for node in project.options),
        rosters=tuple(_roster(node) for node in project.declarations if isinstance(node, ast.RosterDeclaration)),
    )


def _change(node: ast.VariantDeclaration) -> EntryChange:
    counts = counts_of(node)
    players = () if counts is None else numbers_of(counts)
    return EntryChange(node.name.text, node.title or node.name.text, node.doc, players)


def _for_players(change: EntryChange) -> str:
    return f", {_players(change.players)}" if change.players else ""


def _players(numbers: tuple[int, ...]) -> str:
    return "1 player" if numbers == (1,) else f"{in_words(numbers)} players"


def _roster(node: ast.RosterDeclaration) -> EntryRoster:
    return EntryRoster(node.name.text, node.source.text, tuple(name.text for name in node.says), node.doc)


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
