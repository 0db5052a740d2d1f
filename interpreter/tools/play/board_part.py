"""A board on the table: a grid drawn as a grid, an area map as a list with its links.

What stands in a space is told by its fields and by the pieces on it. In a grid the words are cut to short forms, and
a legend tells them; what a whole row has in common (its depth, its gold) stands beside the row once.

Invariant: `said` names every space on which anything stands, by its name, and no other.
"""

from __future__ import annotations

from interpreter.boards import Board, draw
from interpreter.semantics.model import BoardUse, Variable
from interpreter.semantics.types import FlagType, SpaceType
from interpreter.tools.play.abbreviate import abbreviate
from interpreter.tools.play.tabletop import Part, Tabletop

__all__ = ["board_part", "space_words"]

_ON_THE_EDGES = ("row", "column")
"""Attributes that the edges of a drawn grid show already."""
_SHORT = 2
"""Names up to this length need no short form."""


def board_part(table: Tabletop, use: BoardUse) -> Part:
    """The board with all that stands on it."""
    words = space_words(table, use)
    board = use.board
    said = [f"{space.name}: {', '.join(words[space.index])}" for space in board.spaces if words[space.index]]
    empty = len(board.spaces) - len(said)
    if empty:
        said.append(f"{empty} of {len(board.spaces)} spaces are empty")
    if board.family in ("square grid", "hex grid"):
        return Part(use.name, tuple(_grid(use, words)), tuple(said))
    lines = draw(board, lambda space: ", ".join(words[space])).split("\n")
    return Part(use.name, tuple(lines), tuple(said))


def space_words(table: Tabletop, use: BoardUse) -> list[list[str]]:
    """For each space what stands on it, and which players' figures are there, in words."""
    words: list[list[str]] = [[] for _ in use.board.spaces]
    for variable in table.game.variables:
        if len(variable.keys) == 1 and isinstance(variable.keys[0], SpaceType) and variable.keys[0].name == use.space:
            for space in range(len(words)):
                word = _field_word(table, variable, space)
                if word:
                    words[space].append(word)
        elif isinstance(variable.type, SpaceType) and variable.type.name == use.space:
            _markers(table, variable, words)
    for space, name in table.pieces_on(use.name):
        words[space].append(name)
    return words


def _field_word(table: Tabletop, variable: Variable, space: int) -> str:
    """What a field of a space says; nothing while it is as it began."""
    if table.is_start(variable, space):
        return ""
    value = table.value(variable, space)
    if isinstance(variable.type, FlagType):
        return variable.name if value == "yes" else f"not {variable.name}"
    return value if not value.lstrip("-").isdigit() else f"{variable.name} {value}"


def _markers(table: Tabletop, variable: Variable, words: list[list[str]]) -> None:
    """A field whose value is a space marks that space: a player's home is where the player is."""
    names = table.key_names(variable) if variable.keys else [variable.name]
    for index, name in enumerate(names):
        at = table.number(variable, index)
        if at is not None and 0 <= at < len(words):
            words[at].append(name)


def _grid(use: BoardUse, words: list[list[str]]) -> list[str]:
    distinct = {word for inside in words for word in inside}
    long = [word for word in distinct if len(word) > _SHORT]
    short = abbreviate(distinct) if long else {word: word for word in distinct}
    lines = draw(use.board, lambda space: "+".join(short[word] for word in words[space]) or ".").split("\n")
    lines = _with_row_notes(use, lines)
    if long:
        lines += ["", ", ".join(f"{short[word]} {word}" for word in sorted(distinct))]
    return lines


def _with_row_notes(use: BoardUse, lines: list[str]) -> list[str]:
    """Beside each row what all its spaces have in common and other rows have not."""
    board = use.board
    if board.family != "square grid":
        return lines
    notes: dict[int, list[str]] = {row: [] for row in range(1, board.rows + 1)}
    for name in board.attributes:
        if name in _ON_THE_EDGES:
            continue
        by_row = {row: _row_values(board, row, name) for row in notes}
        if all(len(values) == 1 for values in by_row.values()) and len({next(iter(v)) for v in by_row.values()}) > 1:
            for row, values in by_row.items():
                notes[row].append(f"{name} {next(iter(values))}")
    if not any(notes.values()):
        return lines
    width = max(map(len, lines))
    noted = list(lines)
    for offset, row in enumerate(range(board.rows, 0, -1)):
        noted[offset + 1] = f"{lines[offset + 1]:<{width}}   {', '.join(notes[row])}".rstrip()
    return noted


def _row_values(board: Board, row: int, attribute: str) -> set[object]:
    """The values that the spaces of a row have for an attribute."""
    first = (row - 1) * board.columns
    return {space.attributes.get(attribute) for space in board.spaces[first : first + board.columns]}
