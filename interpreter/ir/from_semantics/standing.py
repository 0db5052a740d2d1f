"""Pieces on sets of spaces, the spaces of sets of pieces, and all that is linked with some spaces.

What stands on a space is one slot, where a piece stands is another. So pieces on spaces are found by going over the
spaces, the spaces of pieces by going over the pieces, and where both are asked for (`spaces of (Unit on Square)`) one
look-up tells both. What is linked with a space is a constant bit set: for a set of spaces they are joined.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir import code as c
from interpreter.ir.from_semantics import printed_sets, sets
from interpreter.ir.from_semantics.context import Scope
from interpreter.semantics import model

ZERO, ONE = c.Int(0), c.Int(1)

Write = Callable[[c.Expr], None]


# ------------------------------------------------------------------------------------------------ pieces on spaces


def each_piece_on(scope: Scope, set_: model.PiecesOn, write: Write, name: str, any_order: bool) -> None:
    """One loop over the pieces of a kind on some spaces."""
    kind, board = set_.kind, set_.board
    base = scope.low.slots.occupant_base.get((board.name, kind.name))
    if base is None:
        return  # no piece of the kind is ever put there
    occupants = scope.low.slots.occupants[board.name].base
    piece = scope.fresh(name)
    if any_order and isinstance(set_.spaces, model.AllOf) and kind.count < len(board.board.spaces):

        def look_at() -> None:
            place = scope.assign("place", c.LoadAt(scope.low.slots.places[kind.name].base, c.Var(piece)))
            _if_standing(scope, kind, board, place, lambda space: _on(scope, piece, board, space, write))

        scope.emit(c.ForRange(piece, ZERO, c.Int(kind.count), scope.body(look_at)))
        return

    def look_on(space: c.Expr) -> None:
        found: c.Expr = c.LoadAt(occupants, space)
        scope.emit(c.Assign(piece, found if base == 0 else c.Binary("-", found, c.Int(base))))
        there: c.Expr = c.Compare(">=", c.Var(piece), ZERO)
        if base + kind.count <= _last_occupant(scope, board):
            there = c.And(there, c.Compare("<", c.Var(piece), c.Int(kind.count)))
        scope.emit(c.If(there, scope.body(lambda: _on(scope, piece, board, space, write))))

    sets.iterate(scope, set_.spaces, look_on, "space", any_order)


def stands_on(scope: Scope, set_: model.PiecesOn, piece: c.Expr) -> c.Expr:
    """Whether a piece, which is not none, stands on one of some spaces."""
    known = scope.spaces.get(piece.name) if isinstance(piece, c.Var) else None
    if known is not None and known[0] == set_.board.name:
        return ONE if isinstance(set_.spaces, model.AllOf) else sets.contains(scope, set_.spaces, known[1])
    first = scope.low.slots.space_code.get((set_.kind.name, set_.board.name))
    if first is None:
        return ZERO
    place = scope.atom(c.LoadAt(scope.low.slots.places[set_.kind.name].base, piece), "place")
    here = inside(scope, set_.kind, set_.board, place)
    if isinstance(set_.spaces, model.AllOf):
        return here
    return _and_then(scope, here, lambda: sets.contains(scope, set_.spaces, c.Binary("-", place, c.Int(first))))


def _on(scope: Scope, piece: str, board: model.BoardUse, space: c.Expr, write: Write) -> None:
    with scope.standing_on(piece, board.name, space):
        write(c.Var(piece))


def _if_standing(scope: Scope, kind: model.Kind, board: model.BoardUse, place: c.Expr, write: Write) -> None:
    """Emits what `write` emits for the space, where a place is one of the board."""
    first = scope.low.slots.space_code[kind.name, board.name]

    space = c.Binary("-", place, c.Int(first))
    scope.emit(c.If(inside(scope, kind, board, place), scope.body(lambda: write(space))))


def inside(scope: Scope, kind: model.Kind, board: model.BoardUse, place: c.Expr) -> c.Expr:
    """Whether a place of pieces of a kind is a space of a board."""
    first = scope.low.slots.space_code[kind.name, board.name]
    above = c.Compare(">=", place, c.Int(first))
    if is_last(scope, kind, board):
        return above
    return c.And(above, c.Compare("<", place, c.Int(first + len(board.board.spaces))))


def is_last(scope: Scope, kind: model.Kind, board: model.BoardUse) -> bool:
    """Whether no place of a kind comes after the spaces of a board."""
    end = scope.low.slots.space_code[kind.name, board.name] + len(board.board.spaces)
    return len(scope.low.slots.place_codes[kind.name]) <= end


def _last_occupant(scope: Scope, board: model.BoardUse) -> int:
    """The highest number that stands for a piece on a board."""
    return scope.low.slots.occupants[board.name].high


def _and_then(scope: Scope, test: c.Expr, second: Callable[[], c.Expr]) -> c.Expr:
    """Both; what the second needs is only worked out where the first holds."""
    with scope.into([]) as needed:
        also = second()
    if not needed:
        return c.And(test, also)
    both = scope.assign("both", test)
    scope.emit(c.If(both, (*needed, c.Assign(both.name, also))))
    return both


# ------------------------------------------------------------------------------------------------ spaces of pieces


def each_space_of(scope: Scope, set_: model.SpacesOf, write: Write) -> None:
    """One loop over the spaces of some pieces, in the order of the pieces."""
    if (set_.kind.name, set_.board.name) not in scope.low.slots.space_code:
        return

    def each(piece: c.Expr) -> None:
        known = scope.spaces.get(piece.name) if isinstance(piece, c.Var) else None
        if known is not None and known[0] == set_.board.name:
            write(known[1])
            return
        place = scope.assign("place", c.LoadAt(scope.low.slots.places[set_.kind.name].base, piece))
        _if_standing(scope, set_.kind, set_.board, place, write)

    sets.iterate(scope, set_.pieces, each, set_.kind.name.lower(), any_order=True)


def is_space_of(scope: Scope, set_: model.SpacesOf, space: c.Expr) -> c.Expr:
    """Whether a piece of a set stands on a space, which is not none."""
    kind, board = set_.kind, set_.board
    base = scope.low.slots.occupant_base.get((board.name, kind.name))
    if base is None:
        return ZERO
    found: c.Expr = c.LoadAt(scope.low.slots.occupants[board.name].base, space)
    piece = scope.assign("piece", found if base == 0 else c.Binary("-", found, c.Int(base)))
    there: c.Expr = c.Compare(">=", piece, ZERO)
    if base + kind.count <= _last_occupant(scope, board):
        there = c.And(there, c.Compare("<", piece, c.Int(kind.count)))

    def is_one() -> c.Expr:
        with scope.standing_on(piece.name, board.name, space):
            return sets.contains(scope, set_.pieces, piece)

    return _and_then(scope, there, is_one)


# ------------------------------------------------------------------------------------------------ neighbours


def linked(scope: Scope, board: model.BoardUse, link: str | None, space: c.Expr) -> c.Expr:
    """The bit set of the spaces linked from a space."""
    masks = tuple(sum(1 << to for to in set(row)) for row in board.board.neighbours(link))
    return c.ArrayGet(scope.low.array(f"linked on {board.name}", masks), space)


def linked_from_set(scope: Scope, set_: model.NeighboursOfSet) -> c.Expr:
    """The bit set of the spaces linked from some space of a set."""
    known = printed_sets.known_members(scope.low, set_.spaces)
    if known is not None:
        links = set_.board.board.neighbours(set_.link)
        return c.Int(sum(1 << to for to in {to for space in known for to in links[space]}))
    bits = scope.assign("linked", ZERO)

    def join(space: c.Expr) -> None:
        scope.emit(c.Assign(bits.name, c.Binary("|", bits, linked(scope, set_.board, set_.link, space))))

    sets.iterate(scope, set_.spaces, join, "space", any_order=True)
    return bits


def is_linked_from_set(scope: Scope, set_: model.NeighboursOfSet, space: c.Expr) -> c.Expr:
    """Whether some space of a set is linked with a space, which is not none."""
    links = set_.board.board.neighbours(set_.link)
    back: list[list[int]] = [[] for _ in links]
    for start, row in enumerate(links):
        for to in row:
            if start not in back[to]:
                back[to].append(start)
    if sets.is_bits(scope, set_.spaces):
        masks = tuple(sum(1 << start for start in row) for row in back)
        from_ = c.ArrayGet(scope.low.array(f"linked to on {set_.board.name}", masks), space)
        return c.Compare("!=", c.Binary("&", from_, sets.mask(scope, set_.spaces)), ZERO)
    found, beside = scope.assign("found", ZERO), scope.fresh("beside")
    array = scope.low.array(f"links to on {set_.board.name}", tuple(tuple(row) for row in back))

    def look() -> None:
        is_one = sets.contains(scope, set_.spaces, c.Var(beside))
        scope.emit(c.If(is_one, (c.Assign(found.name, ONE), c.Break())))

    scope.emit(c.ForRow((beside,), array, space, scope.body(look)))
    return found


__all__ = [
    "each_piece_on", "each_space_of", "inside", "is_last", "is_linked_from_set", "is_space_of",
    "linked", "linked_from_set", "stands_on",
]  # fmt: skip
