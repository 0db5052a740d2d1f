"""Cards in hand: what the viewer sees and others do not, as pictures side by side.

Invariant: a card is on the part only if the viewer sees it, and each card that has a picture and lies in a secret zone
is on it once.
"""

from __future__ import annotations

from interpreter.semantics.model import Zone
from interpreter.semantics.types import Type
from interpreter.tools.play.board_part import marker_legend, marker_signs, spoken
from interpreter.tools.play.tabletop import Part, Tabletop, zone_title
from interpreter.workspace.pictures import (
    Printed,
    legend,
    pictured_rows,
    printed_row,
    row_pictures,
    side_by_side,
    ways_of,
)

__all__ = ["held_parts"]


def held_parts(table: Tabletop, columns: int) -> list[Part]:
    """A part for each secret zone that the viewer may look into and that holds cards with pictures."""
    if table.viewer is None:
        return []
    parts: list[Part] = []
    for zone in table.game.zones.values():
        if zone.visible == "all" or pictured_rows(table.game, zone.kind) is None:
            continue
        for owner, member in enumerate(_members(table, zone.each_of)):
            seen, unseen = table.pieces_in(zone, owner)
            if seen and not unseen:
                parts.append(_held(table, zone, zone_title(zone, member), seen, columns))
    return parts


def _members(table: Tabletop, each_of: Type | None) -> list[str]:
    return [""] if each_of is None else table.members(each_of)


def _held(table: Tabletop, zone: Zone, title: str, pieces: list[int], columns: int) -> Part:
    pictured = pictured_rows(table.game, zone.kind)
    assert pictured is not None
    rows, row = pictured
    markers = [table.markers(zone.kind, piece) for piece in pieces]
    printed = [
        card
        for piece in pieces
        if (card := printed_row(table.game, rows, row.values[piece], table.piece(zone.kind, piece))) is not None
    ]
    notes = [marker_signs(each) for each in markers]
    picture = side_by_side(row_pictures(printed, drawn=True, notes=notes), columns)
    told = [legend(rows)] if legend(rows) else []
    numbers = [number for each in markers for number, _ in each]
    if numbers:
        told.append(marker_legend(table, [zone.kind.name] * len(numbers), numbers))
    ways = ways_of(table.game, rows)
    said = tuple(_said(card, ways) + spoken(each) for card, each in zip(printed, markers, strict=True))
    return Part(title[:1].upper() + title[1:], (*picture.lines, *told), said, picture.tints)


def _said(card: Printed, ways: list[str]) -> str:
    """A card in one line."""
    figures = [f"{way} {figure}" for way, figure in zip(ways, card.around, strict=True) if figure]
    return f"{card.name}: {', '.join(figures) or 'no figures'}; {', '.join(card.said)}".removesuffix("; ")
