"""What lies on the table, as data: drawn from the declarations of a game, with no game known.

A sheet is a list of parts in the order of the declarations: boards, tracks, zones, and the figures kept for players
and for other things. Each part says the same twice: `drawn` for people who look (grids, bars), `said` for people who
listen, for logs and for tests, one fact a line in words that never depend on widths.

Invariant: everything that the viewer may see and that changes in play is on the sheet, save for what is silent.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.ir.program import PLAYER, ROUND
from interpreter.semantics import domain_size
from interpreter.semantics.model import EnumDomain, Kind, Variable, Zone
from interpreter.semantics.types import EnumType, FlagType, NumberType, PieceType, PlayerType, SpaceType, Type
from interpreter.tools.play.board_part import board_part, spoken
from interpreter.tools.play.held_part import held_parts
from interpreter.tools.play.roster_words import roster_words
from interpreter.tools.play.tabletop import Part, Sheet, Table, Tabletop, zone_title
from interpreter.tools.play.track_part import track_part

__all__ = ["sheet_of"]

_DICE = "⚀⚁⚂⚃⚄⚅"
_MOST_FIGURES = 40


def sheet_of(table: Tabletop, columns: int = 76) -> Sheet:
    """The sheet of a game in a state, for a viewer; `columns` is how wide pictures may be."""
    game = table.game
    parts: list[Part | Table] = [board_part(table, use, columns) for use in game.boards.values()]
    tracks = [variable for variable in game.variables if variable.is_track and not variable.keys]
    if tracks:
        parts.append(track_part(table, tracks))
    parts += _zones(table)
    parts += held_parts(table, columns)
    parts += _figures(table)
    return Sheet(_title(table), tuple(parts))


def _title(table: Tabletop) -> str:
    said = [table.game.title]
    if table.state[ROUND] > 0:
        said.append(f"round {table.state[ROUND]}")
    if len(table.game.players) > 1:
        said.append(f"{table.game.players[table.state[PLAYER]]}'s turn")
    return ", ".join(said)


# ---------------------------------------------------------------------------------------------- zones


def _zones(table: Tabletop) -> list[Part]:
    lines: list[tuple[str, str, str]] = []
    for zone in table.game.zones.values():
        owners = [""] if zone.each_of is None else table.members(zone.each_of)
        for owner, member in enumerate(owners):
            name = zone_title(zone, member)
            seen, unseen = table.pieces_in(zone, owner)
            if isinstance(zone.each_of, SpaceType) and not seen and not unseen:
                continue
            drawn, said = (_content(table, zone, owner, seen, unseen, drawn=drawn) for drawn in (True, False))
            lines.append((name, drawn, said))
    if not lines:
        return []
    width = max(len(name) for name, _, _ in lines)
    shown = tuple(f"{name:<{width}}  {content}" for name, content, _ in lines)
    return [Part("Zones", shown, tuple(f"{name}: {content}" for name, _, content in lines))]


def _content(table: Tabletop, zone: Zone, owner: int, seen: list[int], unseen: int, *, drawn: bool) -> str:
    if zone.ordered and seen and unseen:
        # whoever knows one piece of an order knows where it lies
        said = [
            f"{table.piece(zone.kind, piece)} ({'on top' if depth == 1 else f'number {depth} from the top'})"
            for depth, piece in enumerate(table.from_the_top(zone, owner), start=1)
            if piece in seen
        ]
    else:
        said = [_counted(name, count, drawn) for name, count in _tally(table, zone.kind, seen, drawn)]
    if unseen:
        said.append(f"{unseen} {zone.kind.name.lower()}{'' if unseen == 1 else 's'}, hidden")
    return ", ".join(said) or ("-" if drawn else "empty")


def _tally(table: Tabletop, kind: Kind, pieces: Iterable[int], drawn: bool) -> list[tuple[str, int]]:
    """Pieces of one name together, dice by their face, in the order of the faces."""
    die = next((variable for variable in kind.fields.values() if variable.rolled), None)
    counts: dict[tuple[int, str], int] = {}
    for piece in pieces:
        name = table.piece(kind, piece) + spoken(table.markers(kind, piece))
        face = table.number(die, piece) if die is not None else None
        pip = _pip(table, die, face) if drawn and face is not None and die is not None else ""
        key = (-1 if face is None else face, f"{pip}{name}")
        counts[key] = counts.get(key, 0) + 1
    return [(name, count) for (_, name), count in sorted(counts.items(), key=lambda item: item[0][0])]


def _pip(table: Tabletop, die: Variable, face: int) -> str:
    """The picture of a die's face, for dice of six faces."""
    if isinstance(die.type, EnumType):
        enum: EnumDomain = table.game.enums[die.type.name]
        if len(enum.members) == 6 and enum.first == 1 and 0 <= face < 6:
            return _DICE[face] + " "
    elif isinstance(die.type, NumberType) and (die.low, die.high) == (1, 6) and 1 <= face <= 6:
        return _DICE[face - 1] + " "
    return ""


def _counted(name: str, count: int, drawn: bool) -> str:
    if count == 1:
        return name
    return f"{name} ×{count}" if drawn else f"{count} {name}"


# ---------------------------------------------------------------------------------------------- figures


def _figures(table: Tabletop) -> list[Part | Table]:
    """Fields: those of players as a table, those of players for each of something as another, the rest told."""
    of_players: list[Variable] = []
    crossed: dict[Type, list[Variable]] = {}
    rest: list[Variable] = []
    for variable in table.game.variables:
        if variable.silent:
            continue
        if variable.roster is not None and variable is variable.roster.copies:
            continue  # told with what is on the roster
        if not variable.keys:
            if not variable.is_track:
                rest.append(variable)
        elif isinstance(variable.keys[0], PlayerType):
            if len(variable.keys) == 1:
                of_players.append(variable)
            elif len(variable.keys) == 2:
                crossed.setdefault(variable.keys[1], []).append(variable)
            else:
                rest.append(variable)
        elif not isinstance(variable.keys[0], SpaceType) or len(variable.keys) > 1:
            rest.append(variable)
    parts: list[Part | Table] = []
    if of_players:
        parts.append(_player_table(table, of_players))
    parts += [_crossed_table(table, key, variables) for key, variables in crossed.items()]
    said = [line for variable in rest for line in _told(table, variable)]
    if said:
        shown = said[:_MOST_FIGURES]
        if len(said) > _MOST_FIGURES:
            shown.append(f"... and {len(said) - _MOST_FIGURES} more")
        parts.append(Part("Figures", tuple(shown), tuple(shown)))
    return parts


def _player_table(table: Tabletop, variables: list[Variable]) -> Table:
    header = ("player", *(variable.name for variable in variables))
    rows = tuple(
        (name, *(_of_player(table, variable, number) for variable in variables))
        for number, name in enumerate(table.game.players)
    )
    return Table("Players", header, rows)


def _of_player(table: Tabletop, variable: Variable, player: int) -> str:
    """A field of a player, or what is on a roster."""
    listed = table.number(variable, player)
    if variable.roster is None or listed is None:
        return table.value(variable, player)
    return roster_words(table, variable.roster, player)


def _crossed_table(table: Tabletop, key: Type, variables: list[Variable]) -> Table:
    """One row for each member, one column for each player and field."""
    names = table.members(key)
    players = table.game.players
    several = len(variables) > 1
    header = [getattr(key, "name", "") or "number"]
    header += [f"{player} {variable.name}" if several else player for player in players for variable in variables]
    rows = []
    for at, name in enumerate(names):
        row = [name]
        for player in range(len(players)):
            row += [_blank(table.value(variable, player * len(names) + at)) for variable in variables]
        rows.append(tuple(row))
    title = " and ".join(variable.name for variable in variables)
    return Table(title[0].upper() + title[1:], tuple(header), tuple(rows))


def _blank(text: str) -> str:
    return "-" if text == "none" else text


def _told(table: Tabletop, variable: Variable) -> list[str]:
    """A field in words; of a field with many slots only what has changed."""
    if not variable.keys:
        return [f"{variable.name}: {table.value(variable)}"]
    if variable.rolled:
        return []
    changed: list[str] = []
    pieces = variable.keys[0] if isinstance(variable.keys[0], PieceType) else None
    names = table.key_names(variable) if pieces is None else None
    for index in range(table.groups[id(variable)].count):
        if table.groups[id(variable)].base + index in table.hidden or table.is_start(variable, index):
            continue
        if pieces is not None:
            if not _is_on_table(table, pieces.name, index, variable):
                continue
            name = table.piece(table.game.kinds[pieces.name], index // _stride(table, variable))
        else:
            name = names[index] if names is not None else str(index)
        value = table.value(variable, index)
        changed.append(name if isinstance(variable.type, FlagType) and value == "yes" else f"{name} {value}")
    return [f"{variable.name}: {', '.join(changed)}"] if changed else []


def _stride(table: Tabletop, variable: Variable) -> int:
    return max(1, table.groups[id(variable)].count // max(1, domain_size(table.game, variable.keys[0])))


def _is_on_table(table: Tabletop, kind: str, index: int, variable: Variable) -> bool:
    """Whether a piece is out of the box and in sight."""
    piece = index // _stride(table, variable)
    if kind not in table.sight.kinds or not table.sight.locates(kind, piece, table.state, table.viewer):
        return False
    return table.sight.place_of(kind, piece, table.state).kind != "box"
