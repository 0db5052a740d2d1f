"""Pictures of printed cards, as text: a frame with a figure at each of the ways around it.

A row of a table has a picture where one of its figures is kept for the ways of an enum that goes `clockwise`, four or
eight of them: each figure stands in the frame where its way points, straight ahead on top. In the middle stand the name
and the other columns: a number behind the initials of its heading, a flag by its heading, a member by its name.

Invariant: all lines of a picture have one width, and the pictures of one call of `side_by_side` one height.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from attrs import evolve, frozen

from interpreter.semantics.describe import member_names
from interpreter.semantics.model import Attribute, Figure, Game, Kind, RowDomain
from interpreter.semantics.types import (
    DomainType,
    EnumType,
    FlagType,
    NumberType,
    PlayerType,
    RowType,
    SetType,
    TextType,
    Type,
)

__all__ = [
    "WAYS",
    "Picture",
    "Printed",
    "Tint",
    "around",
    "legend",
    "pictured_rows",
    "printed_row",
    "row_pictures",
    "side_by_side",
    "ways_of",
]

WAYS = 8
"""Places around a picture."""
_WIDEST = 15
"""Characters inside of a frame, at most."""
_LEAST = 7


@frozen
class Tint:
    """A part of a line that stands out: in the colour of a player, or bold where it belongs to none."""

    line: int
    start: int
    end: int
    player: int | None = None


@frozen
class Printed:
    """What is printed on a card."""

    name: str
    around: tuple[str, ...]
    """Eight figures clockwise, that straight ahead first; "" for none."""
    facts: tuple[str, ...]
    """Short words for the middle."""
    said: tuple[str, ...] = ()
    """The same in whole words."""


@frozen
class Picture:
    """A picture as text."""

    lines: tuple[str, ...]
    tints: tuple[Tint, ...]

    @property
    def width(self) -> int:
        """How wide every line is."""
        return len(self.lines[0])


@frozen
class _Signs:
    """What frames are drawn with: corners from the upper left on clockwise, the level line, the upright one."""

    corners: str
    level: str
    upright: str


_DRAWN, _PLAIN = _Signs("╭╮╯╰", "─", "│"), _Signs("++++", "-", "|")


def pictured_rows(game: Game, kind: Kind) -> tuple[RowDomain, Attribute] | None:
    """The rows that the pieces of a kind stand for, where those have pictures, and which piece stands for which."""
    for attribute in kind.attributes.values():
        if isinstance(attribute.type, RowType):
            rows = game.rows[attribute.type.name]
            if around(game, rows) is not None:
                return rows, attribute
    return None


def around(game: Game, rows: RowDomain) -> Figure | None:
    """The figure of rows that is drawn around a picture, or None where they have no picture."""
    for figure in rows.figures.values():
        if isinstance(figure.by, EnumType):
            enum = game.enums[figure.by.name]
            if (
                getattr(enum, "clockwise", enum.members[0] == "F")
                and WAYS % len(enum.members) == 0
                and len(enum.members) >= WAYS // 2
            ):
                return figure
    return None


def ways_of(game: Game, rows: RowDomain) -> list[str]:
    """The names of the eight places around a picture, clockwise; "" for those that no way points to."""
    figure = around(game, rows)
    names = [] if figure is None else member_names(game, figure.by)
    places = [""] * WAYS
    for way, name in enumerate(names):
        places[way * WAYS // len(names)] = name
    return places


def printed_row(game: Game, rows: RowDomain, row: int, name: str = "") -> Printed | None:
    """What is printed on the card of a row, or None where its table has no pictures."""
    figure = around(game, rows)
    if figure is None:
        return None
    count = len(member_names(game, figure.by))
    values = figure.values[row * count : (row + 1) * count]
    places = [""] * WAYS
    for way, value in enumerate(values):
        places[way * WAYS // count] = _figure(game, figure.type, value)
    initials = _initials(rows)
    words = {heading: heading for heading in initials}
    facts, said = (
        tuple(fact for each in rows.attributes.values() if (fact := _fact(game, each, row, headings)))
        for headings in (initials, words)
    )
    return Printed(name or _title(game, rows, row), tuple(places), facts, said)


def _title(game: Game, rows: RowDomain, row: int) -> str:
    """What a card is called: its first printed text, or the name of its row."""
    titles = (game.texts[each.values[row]] for each in rows.attributes.values() if isinstance(each.type, TextType))
    return next(titles, "") or rows.members[row]


def _figure(game: Game, type_: Type, value: int) -> str:
    if isinstance(type_, DomainType):
        names = member_names(game, type_)
        return names[value][:1] if 0 <= value < len(names) else ""
    if isinstance(type_, FlagType):
        return "x" if value else ""
    return str(value) if value else ""


def _initials(rows: RowDomain) -> dict[str, str]:
    """A short form for each heading above numbers: its initials, or as many letters as tell it from the others."""
    headings = [name for name, each in rows.attributes.items() if isinstance(each.type, NumberType)]
    found: dict[str, str] = {}
    for heading in headings:
        words = heading.split()
        short = "".join(word[0] for word in words)
        length = 1
        while short.upper() in {other.upper() for other in found.values()} and length < len(words[-1]):
            length += 1
            short = "".join(word[0] for word in words[:-1]) + words[-1][:length]
        found[heading] = short[:1].upper() + short[1:]
    return found


def legend(rows: RowDomain) -> str:
    """What the initials on the pictures of some rows mean."""
    return ", ".join(f"{short} {heading}" for heading, short in _initials(rows).items())


def _fact(game: Game, attribute: Attribute, row: int, initials: Mapping[str, str]) -> str:
    value, type_ = attribute.values[row], attribute.type
    if isinstance(type_, NumberType):
        return f"{initials[attribute.name]} {value}" if value > 0 else ""  # a blank is 0
    if isinstance(type_, FlagType):
        return attribute.name if value else ""
    if isinstance(type_, SetType):
        names = member_names(game, type_.element)
        listed = f"{attribute.name} {' '.join(name for at, name in enumerate(names) if value >> at & 1)}"
        return "" if not value else listed if len(listed) <= _WIDEST - 2 else attribute.name
    if isinstance(type_, DomainType) and not isinstance(type_, PlayerType):  # whose it is, is told by its colour
        names = member_names(game, type_)
        return names[value] if 0 <= value < len(names) else ""
    return ""


def row_pictures(printed: Sequence[Printed], *, drawn: bool, notes: Sequence[str] = ()) -> list[Picture]:
    """The pictures of some cards, all of one size; `notes` are one more line for each."""
    if not printed:
        return []
    words = [word for card in printed for word in (*card.name.split(), *card.facts)]
    inner = min(_WIDEST, max(_LEAST, *(len(word) + 2 for word in words))) | 1  # odd, so that there is a middle
    heads = [wrap(card.name, inner - 2) or [""] for card in printed]
    facts = [_packed(card.facts, inner - 2) for card in printed]
    heights = max(map(len, heads)), max(map(len, facts))
    bodies = []
    for number, (head, below) in enumerate(zip(heads, facts, strict=True)):
        body = [*head, *[""] * (heights[0] - len(head)), *below, *[""] * (heights[1] - len(below))]
        bodies.append([*body, notes[number]] if any(notes) else body)
    return [_framed(card, body, inner, _DRAWN if drawn else _PLAIN) for card, body in zip(printed, bodies, strict=True)]


def _packed(words: Sequence[str], width: int) -> list[str]:
    """Words on as few lines as they need, each whole where a line has room for it."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 2 + len(word) <= width:
            lines[-1] += f"  {word}"
        else:
            lines.append(word[:width])
    return lines


def _framed(card: Printed, body: Sequence[str], inner: int, signs: _Signs) -> Picture:
    """A frame round some lines, the figures of a card in it."""
    width, middle = inner + 2, 1 + (len(body) - 1) // 2
    lines = [
        signs.corners[0] + signs.level * inner + signs.corners[1],
        *(signs.upright + line.center(inner) + signs.upright for line in body),
        signs.corners[3] + signs.level * inner + signs.corners[2],
    ]
    last = len(lines) - 1
    tints: list[Tint] = []
    ahead, ahead_right, right, back_right, back, back_left, left, ahead_left = card.around
    places = [
        (0, 0, ahead_left), (0, width // 2, ahead), (0, None, ahead_right),
        (middle, 0, left), (middle, None, right),
        (last, 0, back_left), (last, width // 2, back), (last, None, back_right),
    ]  # fmt: skip
    for line, column, text in places:
        if text:
            start = width - len(text) if column is None else column
            lines[line] = lines[line][:start] + text + lines[line][start + len(text) :]
            tints.append(Tint(line, start, start + len(text)))
    return Picture(tuple(lines), tuple(tints))


def side_by_side(pictures: Sequence[Picture], width: int) -> Picture:
    """Pictures of one size next to each other, as many in a row as there is room for."""
    if not pictures:
        return Picture((), ())
    step = pictures[0].width + 1
    in_a_row = max(1, (width + 1) // step)
    lines: list[str] = []
    tints: list[Tint] = []
    for first in range(0, len(pictures), in_a_row):
        row = pictures[first : first + in_a_row]
        for number, picture in enumerate(row):
            tints += [
                evolve(
                    tint,
                    line=tint.line + len(lines),
                    start=tint.start + number * step,
                    end=tint.end + number * step,
                )
                for tint in picture.tints
            ]
        lines += [" ".join(parts) for parts in zip(*(picture.lines for picture in row), strict=True)]
    return Picture(tuple(lines), tuple(tints))
