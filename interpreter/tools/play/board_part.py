"""A board on the table: a grid drawn as a grid, an area map as a list with its links.

What stands in a space is told by its fields and by the pieces on it. In a grid the words are cut to short forms, and
a legend tells them; what a whole row has in common (its depth, its gold) stands beside the row once. Where the viewer
looks some way, the board is turned so that this way is up; where a piece does, a sign behind its name points there.
Pieces whose cards have figures around them get boxes, each figure where it points on the board.

Invariant: `said` names every space on which anything stands, by its name, and no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from attrs import define, field

from interpreter.boards import Board, Boxed, draw, draw_boxed
from interpreter.boards.plane import window
from interpreter.runtime.wording import plain_text
from interpreter.semantics.model import BoardUse, Variable
from interpreter.semantics.types import FlagType, SpaceType
from interpreter.tools.play.abbreviate import abbreviate
from interpreter.tools.play.tabletop import Part, Standing, Tabletop
from interpreter.workspace.pictures import WAYS, Tint, pictured_rows, printed_row

__all__ = ["board_part", "marker_legend", "marker_signs", "spoken"]

_ON_THE_EDGES = ("row", "column")
"""Attributes that the edges of a drawn grid show already."""
_SHORT = 2
"""Names up to this length need no short form."""
_NUMBER = 4
"""Characters of a number by which a card is known, at most."""
_MOST_BOXES = 9
"""Rows of boxes that a screen has room for."""
_NO_FIGURE = "·"
_LEAST = 3
"""Characters in the middle of a box, at least."""
_MARKERS = "*!+?=~%&"
"""Signs of the markers of a kind, in the order of the rules."""
_SQUARE_SIGNS = ("^", "↗", ">", "↘", "v", "↙", "<", "↖")
"""Signs of the directions of a square grid, clockwise from the one on top."""
_HEX_SIGNS = ("↗", ">", "↘", "↙", "<", "↖")
_TRACK_SIGNS = (">", "<")


@define
class _Space:
    """What is in one space."""

    words: list[str] = field(factory=list)
    """Fields and players' figures, in words."""
    pieces: list[Standing] = field(factory=list)


def board_part(table: Tabletop, use: BoardUse, columns: int) -> Part:
    """The board with all that stands on it; `columns` is how wide it may be drawn."""
    spaces = _spaces(table, use)
    board, up = use.board, table.up(use)
    said = []
    for space in board.spaces:
        words = [*spaces[space.index].words, *(_told(use, piece, up) for piece in spaces[space.index].pieces)]
        if words:
            said.append(f"{space.name}: {', '.join(words)}")
    empty = len(board.spaces) - len(said)
    if empty and not board.is_open:
        said.append(f"{empty} of {len(board.spaces)} spaces are empty")
    if board.family not in ("square grid", "hex grid", "open grid"):
        lines = draw(board, lambda at: ", ".join(_all_words(use, spaces[at], up)), up=up).split("\n")
        return Part(use.name, tuple(lines), tuple(said))
    boxed = _boxes(table, use, spaces, up, columns)
    lines, tints = boxed if boxed is not None else (_grid(table, use, spaces, up), [])
    return Part(use.name, (*lines, *_legend(table, spaces)), tuple(said), tuple(tints))


def _spaces(table: Tabletop, use: BoardUse) -> list[_Space]:
    """For each space what stands on it, and which players' figures are there."""
    spaces = [_Space() for _ in use.board.spaces]
    for variable in table.game.variables:
        if variable.silent:
            continue
        if len(variable.keys) == 1 and isinstance(variable.keys[0], SpaceType) and variable.keys[0].name == use.space:
            for at, space in enumerate(spaces):
                word = _field_word(table, variable, at)
                if word:
                    space.words.append(word)
        elif isinstance(variable.type, SpaceType) and variable.type.name == use.space:
            _figures(table, variable, spaces)
    for standing in table.standing_on(use.name):
        spaces[standing.space].pieces.append(standing)
    return spaces


def _field_word(table: Tabletop, variable: Variable, space: int) -> str:
    """What a field of a space says; nothing while it is as it began."""
    if table.is_start(variable, space):
        return ""
    value = table.value(variable, space)
    if isinstance(variable.type, FlagType):
        return variable.name if value == "yes" else f"not {variable.name}"
    return value if not value.lstrip("-").isdigit() else f"{variable.name} {value}"


def _figures(table: Tabletop, variable: Variable, spaces: list[_Space]) -> None:
    """A field whose value is a space marks that space: a player's home is where the player is."""
    names = table.key_names(variable) if variable.keys else [variable.name]
    for index, name in enumerate(names):
        at = table.number(variable, index)
        if at is not None and 0 <= at < len(spaces):
            spaces[at].words.append(name)


# ---------------------------------------------------------------------------------------------- signs


def spoken(markers: Sequence[tuple[int, str]]) -> str:
    """The markers on a piece in words, to stand behind its name."""
    return f" ({', '.join(text for _, text in markers)})" if markers else ""


def marker_signs(markers: Sequence[tuple[int, str]]) -> str:
    """The markers on a piece as signs."""
    return "".join(_MARKERS[number % len(_MARKERS)] for number, _ in markers)


def marker_legend(table: Tabletop, kinds: Sequence[str], numbers: Sequence[int]) -> str:
    """What the signs of some markers mean; `kinds` and `numbers` belong together."""
    told: dict[str, None] = {}
    for kind, number in sorted(set(zip(kinds, numbers, strict=True)), key=lambda each: each[1]):
        words = plain_text(table.program.markers[kind][number].text)
        told[f"{_MARKERS[number % len(_MARKERS)]} {words}"] = None
    return ", ".join(told)


def _sign(use: BoardUse, piece: Standing, up: int) -> str:
    """A sign that points where a piece looks, as the board lies before the viewer."""
    if piece.facing is None:
        return ""
    match use.board.family:
        case "square grid" | "open grid":
            return _SQUARE_SIGNS[(piece.facing - 2 * up) % 8]
        case "hex grid":
            return _HEX_SIGNS[(piece.facing - 3 * (up // 2)) % 6]
        case "path":
            return _TRACK_SIGNS[(piece.facing + up // 2) % 2]
    return ""


def _told(use: BoardUse, piece: Standing, up: int) -> str:
    sign = _sign(use, piece, up)
    return piece.name + (f" {sign}" if sign else "") + spoken(piece.markers)


def _all_words(use: BoardUse, space: _Space, up: int) -> list[str]:
    return [*space.words, *(_told(use, piece, up) for piece in space.pieces)]


def _legend(table: Tabletop, spaces: Sequence[_Space]) -> list[str]:
    found = [(p.kind.name, number) for space in spaces for p in space.pieces for number, _ in p.markers]
    if not found:
        return []
    return [marker_legend(table, [kind for kind, _ in found], [number for _, number in found])]


# ---------------------------------------------------------------------------------------------- grids


def _short_forms(table: Tabletop, spaces: Sequence[_Space]) -> tuple[dict[str, str], list[str]]:
    """Short forms of all that is on a grid, and the legend that tells them; a card with a number is called by it."""
    pieces = [piece for space in spaces for piece in space.pieces]
    distinct = {word for space in spaces for word in space.words} | {piece.name for piece in pieces}
    if not any(len(word) > _SHORT for word in distinct):
        return {word: word for word in distinct}, []
    numbered = {piece.name: number for piece in pieces if (number := _number(table, piece))}
    short = abbreviate(distinct - set(numbered))
    if set(numbered.values()) & set(short.values()) or len(set(numbered.values())) < len(numbered):
        short, numbered = abbreviate(distinct), {}
    short |= numbered
    told = [word if word.endswith(numbered.get(word, "\n")) else f"{short[word]} {word}" for word in sorted(distinct)]
    return short, ["", ", ".join(told)]


def _number(table: Tabletop, piece: Standing) -> str:
    """The name of the row that a card stands for, where it is a number or the like."""
    pictured = pictured_rows(table.game, piece.kind)
    if pictured is None:
        return ""
    rows, row = pictured
    name = rows.members[row.values[piece.piece]]
    return name if len(name) <= _NUMBER and any(sign.isdigit() for sign in name) else ""


def _centre(use: BoardUse, space: _Space, short: dict[str, str], up: int) -> str:
    """All that is in a space, short."""
    said = [short[word] for word in space.words]
    said += [short[piece.name] + _sign(use, piece, up) + marker_signs(piece.markers) for piece in space.pieces]
    return "+".join(said)


def _grid(table: Tabletop, use: BoardUse, spaces: Sequence[_Space], up: int) -> list[str]:
    short, legend = _short_forms(table, spaces)
    cells = [_centre(use, space, short, up) or "." for space in spaces]
    lines = draw(use.board, cells.__getitem__, up=up, around=_taken(spaces)).split("\n")
    rows = range(1, use.board.rows + 1)
    places = {row: 1 + offset for offset, row in enumerate(rows if up else reversed(rows))}
    return [*_with_row_notes(use, lines, places if up in (0, 2) else {}), *legend]


def _boxes(
    table: Tabletop, use: BoardUse, spaces: Sequence[_Space], up: int, columns: int
) -> tuple[list[str], list[Tint]] | None:
    """A square grid in boxes, for pieces with figures around them; None where there are none, or no room."""
    board, taken = use.board, _taken(spaces)
    if board.family not in ("square grid", "open grid"):
        return None
    shown = window(board, taken) if board.is_open else None
    if (board.rows if shown is None else len(shown[0] if up % 2 else shown)) > _MOST_BOXES:
        return None
    drawn = [kind for kind in table.game.kinds.values() if pictured_rows(table.game, kind) is not None]
    expected = {one.key.name for one in table.game.facings if one.board == use.name}
    standing = {piece.kind.name for space in spaces for piece in space.pieces}
    if not any(kind.name in expected | standing for kind in drawn):
        return None
    short, legend = _short_forms(table, spaces)
    centres = [_centre(use, space, short, up) for space in spaces]
    figures = [_around(table, use, space, up) for space in spaces]
    side = max((len(text) for around in figures for text in around), default=1)
    inner = max(_LEAST, *(len(centre) for centre in centres))
    for gap in (2, 0):  # blanks beside the names, where there is room for them
        width = max(inner + 2 * side + gap, 3 * side + 2) | 1  # odd, so that there is a middle
        cells = [_cell(centre, around, width) for centre, around in zip(centres, figures, strict=True)]
        boxed = _in_boxes(board, cells, up, taken)
        if max(map(len, boxed.lines)) <= columns:
            break
    else:
        return None
    tints: list[Tint] = []
    for at, (line, column) in boxed.places.items():
        for piece in spaces[at].pieces[:1]:
            for offset, text in enumerate(cells[at]):
                for is_blank, run in groupby(enumerate(text), lambda each: each[1] in f" {_NO_FIGURE}"):
                    signs = [position for position, _ in run]
                    if not is_blank:
                        tints.append(Tint(line + offset, column + signs[0], column + signs[-1] + 1, piece.player))
    rows = range(1, board.rows + 1)
    places = {row: 3 + 4 * offset for offset, row in enumerate(rows if up else reversed(rows))}
    lines = _with_row_notes(use, list(boxed.lines), places if up in (0, 2) else {})
    return [*lines, *legend], tints


def _in_boxes(board: Board, cells: Sequence[Sequence[str]], up: int, taken: Sequence[int]) -> Boxed:
    return draw_boxed(board, lambda at: cells[at], up=up, around=taken)


def _taken(spaces: Sequence[_Space]) -> list[int]:
    """The spaces on which anything stands."""
    return [at for at, space in enumerate(spaces) if space.words or space.pieces]


def _around(table: Tabletop, use: BoardUse, space: _Space, up: int) -> tuple[str, ...]:
    """The figures around the piece in a space, clockwise from the one that points up on the screen; () for none."""
    for piece in space.pieces:
        pictured = pictured_rows(table.game, piece.kind)
        if pictured is not None:
            rows, row = pictured
            printed = printed_row(table.game, rows, row.values[piece.piece])
            assert printed is not None
            turned = ((piece.facing or 0) - 2 * up) % WAYS
            return tuple(printed.around[(at - turned) % WAYS] for at in range(WAYS))
    return ()


def _cell(centre: str, around: Sequence[str], width: int) -> tuple[str, str, str]:
    """Three lines: figures above, on both sides and below, the name in the middle."""
    if not around:
        return "", centre.center(width) if centre else _NO_FIGURE.center(width), ""
    shown = [text or _NO_FIGURE for text in around]
    up, up_right, right, down_right, down, down_left, left, up_left = shown

    def line(first: str, middle: str, last: str) -> str:
        # Both sides are as wide as the wider of them, so that what stands between them stays in the middle.
        side = max(len(first), len(last))
        return first.ljust(side) + middle.center(width - 2 * side) + last.rjust(side)

    return line(up_left, up, up_right), line(left, centre, right), line(down_left, down, down_right)


def _with_row_notes(use: BoardUse, lines: list[str], places: dict[int, int]) -> list[str]:
    """Beside each row what all its spaces have in common and other rows have not; `places` are the lines of rows."""
    board = use.board
    if board.family != "square grid" or not places:
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
    for row, at in places.items():
        noted[at] = f"{lines[at]:<{width}}   {', '.join(notes[row])}".rstrip()
    return noted


def _row_values(board: Board, row: int, attribute: str) -> set[object]:
    """The values that the spaces of a row have for an attribute."""
    first = (row - 1) * board.columns
    return {space.attributes.get(attribute) for space in board.spaces[first : first + board.columns]}
