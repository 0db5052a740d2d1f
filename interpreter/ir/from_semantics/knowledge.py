"""What players know of pieces that lie hidden: a bit set of players beside each piece, and one bit for everybody.

A piece is known to a player if its place is one where the player may look, or if it was revealed there. Where players
may look is a constant array of bit sets over the places of a kind, but for places whose onlookers depend on a field of
players, or on the owner of the piece.

Invariant: what is known of a piece in a place that all see is 0; a move or a shuffle of its place makes it 0 again.
"""

from __future__ import annotations

from interpreter.ir import code as c
from interpreter.ir.from_semantics import expressions, sets, texts
from interpreter.ir.from_semantics.context import Scope
from interpreter.semantics import model
from interpreter.semantics.fit import element_of
from interpreter.semantics.types import PlayerType

ZERO, ONE = c.Int(0), c.Int(1)


def reveal(scope: Scope, node: model.RevealPieces) -> None:
    """Adds those who are shown them to the players who know some pieces, and tells them so."""
    slots, kind = scope.low.slots, node.kind
    known = slots.known.get(kind.name)
    if known is None:
        return
    whom = scope.atom(_whom(scope, node.whom), "shown to")
    hidden = scope.low.array(
        f"places of {kind.name} that not all see",
        tuple(int(place.visible != "all") for place in slots.place_codes[kind.name]),
    )

    def show(piece: c.Expr) -> None:
        old = c.LoadAt(known.base, piece)
        place = c.LoadAt(slots.places[kind.name].base, piece)
        # told again to those who know it: that they do is hidden from others, unless everybody does
        news = c.Not(c.HasBit(old, c.Int(len(scope.low.game.players))))
        body = scope.body(lambda: tell(piece, old))
        scope.emit(c.If(c.And(c.ArrayGet(hidden, place), news), body))

    def tell(piece: c.Expr, old: c.Expr) -> None:
        scope.emit(c.StoreAt(known.base, piece, c.Binary("|", old, whom)))
        texts.silent_event(scope, "show", node, kind.name, piece, whom)

    if element_of(node.pieces.type) is not None:
        sets.for_each(scope, node.pieces, show, kind.name.lower())
        return
    piece = scope.atom(expressions.expression(scope, node.pieces), "piece")
    if node.pieces.type.optional:
        scope.emit(c.If(c.Compare(">=", piece, ZERO), scope.body(lambda: show(piece))))
    else:
        show(piece)


def _whom(scope: Scope, whom: model.Expr | None) -> c.Expr:
    """A bit for each player who is shown something; all bits, those who look on as well, for everybody."""
    if whom is None or isinstance(whom, model.AllOf):
        return c.Int((1 << (len(scope.low.game.players) + 1)) - 1)
    if isinstance(whom.type, PlayerType):
        return c.Binary("<<", ONE, expressions.required(scope, whom))
    return sets.mask(scope, whom)


def is_known(scope: Scope, node: model.IsKnown) -> c.Expr:
    """Whether a player may see which piece it is."""
    slots, kind = scope.low.slots, node.kind
    piece = scope.atom(expressions.expression(scope, node.piece), "piece")
    player = scope.atom(expressions.required(scope, node.player), "player")
    found: c.Expr = ONE
    codes = slots.place_codes[kind.name]
    if any(place.visible != "all" for place in codes):
        at: c.Expr = c.LoadAt(slots.places[kind.name].base, piece)
        if node.piece.type.optional:
            at = c.Pick(c.Compare("<", piece, ZERO), ZERO, at)
        at = scope.atom(at, "place")
        everybody = (1 << len(scope.low.game.players)) - 1
        seers = tuple(
            everybody
            if place.visible == "all"
            else 1 << place.owner
            if place.visible == "owner" and place.owner >= 0
            else 0
            for place in codes
        )
        found = c.HasBit(c.ArrayGet(scope.low.array(f"who sees {kind.name}", seers), at), player)
        for zone in scope.low.game.zones.values():
            if zone.kind is kind:
                found = _through(scope, zone, piece, player, at, found)
        if kind.name in slots.known:
            found = c.Or(found, c.HasBit(c.LoadAt(slots.known[kind.name].base, piece), player))
    return c.And(c.Compare(">=", piece, ZERO), found) if node.piece.type.optional else found


def _through(scope: Scope, zone: model.Zone, piece: c.Expr, player: c.Expr, at: c.Expr, found: c.Expr) -> c.Expr:
    """What is seen by those who belong to the member of a zone, or by the owner of the piece in a common zone."""
    slots, kind = scope.low.slots, zone.kind
    first = slots.zone_code[zone.name, 0]
    if zone.visible == "owner" and zone.each_of is None and "owner" in kind.attributes:
        owners = scope.low.array(f"owner of {kind.name}", kind.attributes["owner"].values)
        own = c.Compare("=", c.ArrayGet(owners, piece), player)
        return c.Or(found, c.And(c.Compare("=", at, c.Int(first)), own))
    if zone.seen_through is not None:
        member = c.Binary("+", c.Int(first), c.LoadAt(slots.variables[id(zone.seen_through)].base, player))
        inside = c.Compare(">=", at, c.Int(first))
        return c.Or(found, c.And(inside, c.Compare("=", at, member)))
    return found


__all__ = ["is_known", "reveal"]
