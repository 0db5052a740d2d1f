"""Where everything lies in the state: one pass over the declared things of a game, before any code is lowered.

Invariant: groups do not overlap; `initial` has a value for every slot; a place slot holds an index into the kind's
`PlaceCode`s, 0 being the box; an order group holds its length first, then the pieces from bottom to top.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, evolve, field

from interpreter.ir.program import DECISION, FIRST_FREE, PLAYER, RNG, WINNERS, Layout, PlaceCode, SlotGroup
from interpreter.semantics import model
from interpreter.semantics.describe import domain_size
from interpreter.semantics.types import PieceType, SpaceType
from interpreter.semantics.walk import all_functions, bodies, descend, game_bodies, survey


@define
class GameLayout:
    """The layout with ways to find the slots of a game's things."""

    layout: Layout
    initial: list[int]
    variables: dict[int, SlotGroup] = field(factory=dict)  # by id of the variable
    revealed: dict[int, SlotGroup] = field(factory=dict)
    places: dict[str, SlotGroup] = field(factory=dict)  # by kind
    orders: dict[tuple[str, int], SlotGroup] = field(factory=dict)  # by zone and member (0 for a common zone)
    occupants: dict[str, SlotGroup] = field(factory=dict)  # by board
    cuts: dict[str, SlotGroup] = field(factory=dict)  # by board without edges
    occupant_base: dict[tuple[str, str], int] = field(factory=dict)  # by board and kind: code of piece 0
    known: dict[str, SlotGroup] = field(factory=dict)  # by kind, of kinds that are ever revealed
    place_codes: dict[str, tuple[PlaceCode, ...]] = field(factory=dict)  # by kind
    listed: dict[str, SlotGroup] = field(factory=dict)  # by roster: which players brought a list
    zone_code: dict[tuple[str, int], int] = field(factory=dict)  # zone and owner -> place code
    space_code: dict[tuple[str, str], int] = field(factory=dict)  # kind and board -> place code of space 0

    def add(self, group: SlotGroup, value: int = 0) -> SlotGroup:
        self.layout.add(group)
        self.initial.extend([value] * group.count)
        return group

    @property
    def free(self) -> int:
        return self.layout.size


def lay_out(game: model.Game) -> GameLayout:
    """Slots for control, chance, variables, pieces, zones and boards of a game."""
    initial = [0] * FIRST_FREE
    initial[DECISION] = -1
    made = GameLayout(Layout(), initial)
    made.layout.groups.append(SlotGroup("control", "control", 0, WINNERS, -1, 2**31 - 1))
    made.layout.groups.append(SlotGroup("winners", "control", WINNERS, 1, 0, (1 << len(game.players)) - 1))
    made.layout.groups.append(SlotGroup("turn", "control", PLAYER, RNG - PLAYER, -1, 2**31 - 1))
    made.layout.groups.append(SlotGroup("chance", "chance", RNG, FIRST_FREE - RNG, 0, 2**32 - 1, visible="nobody"))
    for variable in game.variables:
        _variable(game, made, variable)
    for variable in game.variables:
        if variable.seen_through is not None:
            group = made.variables[id(variable)]
            seen = evolve(group, seen_by=made.variables[id(variable.seen_through)].base)
            made.layout.groups[made.layout.groups.index(group)] = made.variables[id(variable)] = seen
    for roster in game.rosters.values():
        group = SlotGroup(f"listed: {roster.name}", "frame", made.free, len(game.players), 0, 1, span=roster.span)
        made.listed[roster.name] = made.add(group)
    used, shown = _boards_used(game), shown_kinds(game)
    for kind in game.kinds.values():
        _places(game, made, kind, used)
    for kind in game.kinds.values():
        if kind in shown:
            _known(game, made, kind)
    for zone in game.zones.values():
        if zone.ordered:
            _orders(game, made, zone)
    for name, kinds in used.items():
        _occupants(game, made, name, kinds)
    for use in game.boards.values():
        if use.board.is_open:
            last = max(use.board.columns, use.board.rows) - 1
            cut = SlotGroup(use.name, "cut", made.free, 2, 0, last, subject=use.name, span=use.span)
            made.cuts[use.name] = made.add(cut)
    return made


def _variable(game: model.Game, made: GameLayout, variable: model.Variable) -> None:
    count = 1
    for key in variable.keys:
        count *= domain_size(game, key)
    start = (
        variable.start.value if isinstance(variable.start, model.Const) else max(variable.low, min(0, variable.high))
    )
    made.variables[id(variable)] = made.add(
        SlotGroup(
            variable.name, "variable", made.free, count, variable.low, variable.high, variable.keys, variable.type,
            variable.visible, silent=variable.silent, doc=variable.doc, span=variable.span,
        ),
        start,
    )  # fmt: skip
    if variable.visible != "all":
        made.revealed[id(variable)] = made.add(
            SlotGroup(variable.name, "revealed", made.free, count, 0, 1, variable.keys, span=variable.span)
        )


def _boards_used(game: model.Game) -> dict[str, list[model.Kind]]:
    """The boards on which pieces are ever put, with the kinds put there, in order of declaration."""
    used: dict[str, set[str]] = {}
    roots = [*game_bodies(game), *(body for function in all_functions(game) for body in bodies(function))]
    for node in (inner for root in roots for inner in descend(root)):
        match node:
            case model.MovePiece(kind=kind, place=model.SpacePlace(board=board)):
                used.setdefault(board.name, set()).add(kind.name)
            case model.MoveSet(kind=kind, place=model.SpacePlace(board=board)):
                used.setdefault(board.name, set()).add(kind.name)
            case model.PlaceFromBox(kind=kind, place=model.SpacePlace(board=board)):
                used.setdefault(board.name, set()).add(kind.name)
            case model.Draw(source=source, place=model.SpacePlace(board=board)):
                used.setdefault(board.name, set()).add(source.zone.kind.name)
            case model.PieceOn(kind=kind, space=space):
                board = game.space_board(getattr(space.type, "name", ""))
                used.setdefault(board.name, set()).add(kind.name)
            case model.SpaceOf(kind=kind, board=board) | model.PiecesOn(kind=kind, board=board):
                used.setdefault(board.name, set()).add(kind.name)
            case model.SpacesOf(kind=kind, board=board):
                used.setdefault(board.name, set()).add(kind.name)
            case model.Empty(board=board):
                used.setdefault(board.name, set())
    return {
        board: [kind for kind in game.kinds.values() if kind.name in used[board]]
        for board in game.boards
        if board in used
    }


def _places(game: model.Game, made: GameLayout, kind: model.Kind, used: dict[str, list[model.Kind]]) -> None:
    codes = [PlaceCode("box", "box")]
    for zone in game.zones.values():
        if zone.kind is kind:
            seen_by = -1 if zone.seen_through is None else made.variables[id(zone.seen_through)].base
            for owner in _owners(game, zone):
                made.zone_code[zone.name, max(owner, 0)] = len(codes)
                codes.append(PlaceCode("zone", zone.name, owner, visible=zone.visible, seen_by=seen_by))
    for name, kinds in used.items():
        if kind in kinds:
            made.space_code[kind.name, name] = len(codes)
            codes.extend(PlaceCode("space", name, space=s.index) for s in game.boards[name].board.spaces)
    made.place_codes[kind.name] = tuple(codes)
    made.places[kind.name] = made.add(
        SlotGroup(
            kind.name, "place", made.free, kind.count, 0, len(codes) - 1, (PieceType(name=kind.name),),
            subject=kind.name, doc=kind.doc, span=kind.span,
        )
    )  # fmt: skip


def shown_kinds(game: model.Game) -> list[model.Kind]:
    """The kinds of which the rules reveal pieces that may lie hidden."""
    named = {node.kind.name for node in survey(game).nodes if isinstance(node, model.RevealPieces)}
    hidden = {zone.kind.name for zone in game.zones.values() if zone.visible != "all"}
    return [kind for kind in game.kinds.values() if kind.name in named & hidden]


def _known(game: model.Game, made: GameLayout, kind: model.Kind) -> None:
    everybody = (1 << (len(game.players) + 1)) - 1
    made.known[kind.name] = made.add(
        SlotGroup(
            kind.name, "known", made.free, kind.count, 0, everybody, (PieceType(name=kind.name),),
            subject=kind.name, span=kind.span,
        )
    )  # fmt: skip


def _owners(game: model.Game, zone: model.Zone) -> Iterable[int]:
    """The members that have the zone, by number; -1 for a common zone."""
    return [-1] if zone.each_of is None else range(domain_size(game, zone.each_of))


def _orders(game: model.Game, made: GameLayout, zone: model.Zone) -> None:
    for owner in _owners(game, zone):
        made.orders[zone.name, max(owner, 0)] = made.add(
            SlotGroup(
                zone.name, "order", made.free, 1 + zone.kind.count, 0, max(zone.kind.count, 1), (),
                PieceType(name=zone.kind.name), zone.visible, subject=zone.name, span=zone.span,
            )
        )  # fmt: skip


def _occupants(game: model.Game, made: GameLayout, name: str, kinds: list[model.Kind]) -> None:
    total = 0
    for kind in kinds:
        made.occupant_base[name, kind.name] = total
        total += kind.count
    use = game.boards[name]
    made.occupants[name] = made.add(
        SlotGroup(
            name, "occupant", made.free, len(use.board.spaces), -1, max(total - 1, 0), (SpaceType(name=use.space),),
            subject=name, kinds=tuple((kind.name, made.occupant_base[name, kind.name]) for kind in kinds),
            span=use.span,
        ),
        -1,
    )  # fmt: skip


__all__ = ["GameLayout", "lay_out", "shown_kinds"]
