"""Which secrets an expression reads.

A secret is a thing that not everybody sees (a zone or a field) together with its owner. Owners are compared as
symbols: expressions with the locals of a body replaced by what they stand for, so that `strength(First)` is known to
read the hand of `First`, and `player` inside a called value is the `player` of its caller. What reads the number of
pieces in a zone reads no secret, since everybody sees how many cards an opponent holds.

Who was shown pieces of a hidden zone is kept beside the secret, so that a player may be asked about them.

A value, relation or table is read with the symbols of its inputs put in, each combination once. A local carries what
its value was read from, the thing chosen from a hand as well as a number worked out from it.

Invariant: an expression reads at most what is reported here; a secret that is told apart as another owner's may in
truth be the same owner's, never the reverse.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TypeGuard

from attrs import define, evolve, field, fields, frozen

from interpreter.semantics import walk
from interpreter.semantics.model import (
    AllOf,
    AttributeRef,
    CallExpr,
    Compare,
    Const,
    Count,
    Current,
    Exists,
    Expr,
    Filter,
    Fold,
    Function,
    Game,
    IsKnown,
    Kind,
    Local,
    LocalRef,
    Logic,
    MapGet,
    Template,
    Understood,
    Union,
    ValueLine,
    Variable,
    VariableRef,
    Zone,
    ZoneSet,
)
from interpreter.semantics.types import ListType, PieceType, PlayerType, SetType, Type

__all__ = ["EVERYBODY", "Known", "Secret", "Secrets", "SecretsRead", "Shown", "Symbol"]

Symbol = Hashable
"""What an expression stands for; equal symbols stand for the same thing at the same time."""

CURRENT = "the current player"
EVERYBODY = "everybody"


@frozen
class Secret:
    """Something that not everybody sees: a zone, a field, or what was chosen in secret by a binder or a decision."""

    thing: Zone | Variable | Local
    owner: Symbol
    """Who sees it; None when nobody does."""
    shown_to: frozenset[Symbol] = frozenset()
    """Players to whom it was revealed besides."""

    def is_seen_by(self, player: Symbol) -> bool:
        """Whether a player surely sees it."""
        return player in self.shown_to or (self.owner is not None and self.owner == player)


Secrets = frozenset[Secret]
Shown = frozenset[tuple[Zone, Symbol, Symbol]]
_NOTHING: Secrets = frozenset()


@define
class Known:
    """What is known of the locals at one point of a body."""

    symbols: dict[Local, Symbol] = field(factory=dict)
    """What locals stand for, where that is more than themselves."""
    secrets: dict[Local, Secrets] = field(factory=dict)
    """What locals were read from."""
    owners: dict[Local, Symbol] = field(factory=dict)
    """Who owns the piece, or all pieces of the set, that a local stands for."""
    asked: dict[Symbol, Symbol] = field(factory=dict)
    """Owners of pieces that a condition has just asked for, while what hangs on it is read."""
    whole_zones: set[Local] = field(factory=set)
    """Locals that stand for all of a zone, so that their number is public."""
    revealed: frozenset[Variable] = frozenset()
    """Secret variables that everybody sees now."""
    shown: Shown = frozenset()
    """Zones all of whose pieces were revealed: the zone, whose it is, and to whom (a player or `EVERYBODY`)."""
    in_secret: Symbol = None
    """Who chooses in secret, within the options of `each player secretly`; else None."""

    def copy(self) -> Known:
        return evolve(
            self,
            symbols=dict(self.symbols),
            secrets=dict(self.secrets),
            owners=dict(self.owners),
            whole_zones=set(self.whole_zones),
        )

    def join(self, other: Known) -> None:
        """Takes in what may be so on another way to the same point."""
        for local, secrets in other.secrets.items():
            self.secrets[local] = self.secrets.get(local, _NOTHING) | secrets
        for mine, theirs in ((self.symbols, other.symbols), (self.owners, other.owners)):
            for local in [local for local in mine if mine[local] != theirs.get(local, mine[local])]:
                del mine[local]
        self.whole_zones &= other.whole_zones | (self.whole_zones - set(other.secrets))
        self.revealed &= other.revealed
        self.shown &= other.shown

    def later(self, mark: Hashable) -> Known:
        """The same once another player may be the current one: what was his is no longer the current player's."""

        def moved(symbol: Symbol) -> Symbol:
            return ("before", mark, symbol) if _has_current(symbol) else symbol

        found = self.copy()
        found.symbols = {local: moved(symbol) for local, symbol in self.symbols.items()}
        found.owners = {local: moved(symbol) for local, symbol in self.owners.items()}
        found.secrets = {
            local: frozenset(
                Secret(one.thing, moved(one.owner), frozenset(map(moved, one.shown_to))) for one in secrets
            )
            for local, secrets in self.secrets.items()
        }
        found.shown = frozenset((zone, moved(owner), moved(seer)) for zone, owner, seer in self.shown)
        return found


def _has_current(symbol: Symbol) -> bool:
    if isinstance(symbol, tuple):
        return symbol[:1] != ("before",) and any(_has_current(part) for part in symbol)
    return symbol == CURRENT


class SecretsRead:
    """Asks what expressions of one game read."""

    def __init__(self, game: Game) -> None:
        self.game = game
        through = [zone.seen_through for zone in game.zones.values()]
        through += [variable.seen_through for variable in game.variables]
        self._owning: tuple[type[Type], ...] = (PlayerType, *{type(one.type) for one in through if one is not None})
        self._asks_known = any(isinstance(node, IsKnown) for node in walk.survey(game).nodes)
        self._kept: dict[Hashable, Secrets] = {}
        self._open: set[Function] = set()

    # -- owners

    def symbol(self, expr: Expr, known: Known) -> Symbol:
        match expr:
            case Current(what="player"):
                return CURRENT
            case Const():
                return ("member", expr.value)
            case LocalRef():
                return known.symbols.get(expr.local, ("local", id(expr.local)))
            case AttributeRef() if _is_owner(expr):
                return self.owner_of(expr.subject, known)
        return (type(expr).__name__, *(self._symbol_part(getattr(expr, name), known) for name in _told_apart(expr)))

    def _symbol_part(self, part: object, known: Known) -> Symbol:
        if isinstance(part, Expr):
            return self.symbol(part, known)
        if isinstance(part, tuple):
            return tuple(self._symbol_part(item, known) for item in part)
        return part if isinstance(part, str | int) else id(part)

    def owner_of(self, piece: Expr, known: Known) -> Symbol:
        """Who owns a piece, or every piece of a set, as far as the rules say it where it was chosen."""
        match piece:
            case LocalRef():
                if piece.local in known.owners:
                    return known.owners[piece.local]
            case Filter():
                found = self._owner_asked(piece.condition, piece.local, known)
                return found if found is not None else self.owner_of(piece.source, known)
            case Union():
                left, right = self.owner_of(piece.left, known), self.owner_of(piece.right, known)
                if left == right:
                    return left
            case CallExpr() if (only := _only_value(piece.function)) is not None:
                return self.owner_of(only, self.enter(piece.function, piece.arguments, known))
        symbol = self.symbol(piece, known)
        return known.asked.get(symbol, ("owner of", symbol))

    def _owner_asked(self, condition: Expr | None, local: Local, known: Known) -> Symbol:
        """`owner is x` in a condition on a candidate."""
        match condition:
            case Logic(op="and"):
                found = self._owner_asked(condition.left, local, known)
                return found if found is not None else self._owner_asked(condition.right, local, known)
            case Compare(op="="):
                for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
                    if _is_owner(one) and isinstance(one.subject, LocalRef) and one.subject.local is local:
                        return self.symbol(other, known)
        return None

    def _owners_asked(self, condition: Expr, known: Known) -> Iterator[tuple[Symbol, Symbol]]:
        """Whose pieces are whose, where a condition holds."""
        match condition:
            case Logic(op="and"):
                yield from self._owners_asked(condition.left, known)
                yield from self._owners_asked(condition.right, known)
            case Compare(op="="):
                for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
                    if _is_owner(one):
                        yield self.symbol(one.subject, known), self.symbol(other, known)

    def bind(self, local: Local, source: Expr, known: Known, secrets: Secrets) -> None:
        """A local is taken from a set."""
        known.secrets[local] = secrets
        known.symbols.pop(local, None)
        known.owners[local] = self.owner_of(source, known)
        known.whole_zones.discard(local)

    def store(self, local: Local, value: Expr, known: Known, secrets: Secrets) -> None:
        """A local is given a value."""
        symbol = self.symbol(value, known) if isinstance(value.type, self._owning) else None
        owner = self.owner_of(value, known)
        if symbol is None:
            known.symbols.pop(local, None)
        else:
            known.symbols[local] = symbol
        known.secrets[local] = secrets
        known.owners[local] = owner
        known.whole_zones.discard(local)
        if self._of_size(value, known) is not None:
            known.whole_zones.add(local)

    def enter(self, function: Function, arguments: Iterable[Expr], known: Known) -> Known:
        """What is known at the start of a called function."""
        inside = Known(revealed=known.revealed, shown=known.shown, in_secret=known.in_secret)
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            inside.symbols[parameter] = self.symbol(argument, known)
            inside.secrets[parameter] = self.reads(argument, known)
            inside.owners[parameter] = self.owner_of(argument, known)
            if self._of_size(argument, known) is not None:
                inside.whole_zones.add(parameter)
        return inside

    @staticmethod
    def signature(function: Function, inside: Known) -> Hashable:
        """Two calls with the same signature read the same."""
        inputs = tuple(
            (inside.symbols[one], inside.secrets[one], inside.owners[one], one in inside.whole_zones)
            for one in function.parameters
        )
        return (function, inputs, inside.revealed, inside.shown, inside.in_secret)

    # -- secrets

    def reads(self, node: Understood, known: Known) -> Secrets:
        """The secrets that an expression, a line or a table reads."""
        match node:
            case Count() | Exists() if (size := self._of_size(node.set, known)) is not None:
                return size
            case LocalRef():
                return known.secrets.get(node.local, _NOTHING)
            case MapGet():
                return known.secrets.get(node.local, _NOTHING) | self.reads(node.key, known)
            case ZoneSet():
                return self._of_parts(node, known) | self._of_zone(node, known)
            case VariableRef():
                return self._of_parts(node, known) | self._of_variable(node, known)
            case CallExpr():
                return self._of_call(node, known)
            case Filter():
                found = self.reads(node.source, known)
                if self._asks_known:
                    found = self._known_only(found, node, known) | self._of_whereabouts(node, known)
                known.owners[node.local] = self.owner_of(node, known)
                inside = evolve(known, secrets={**known.secrets, node.local: found}) if self._asks_known else known
                return found | self._of_some((node.excluded, node.condition), inside)
            case Logic(op="and"):
                found = self.reads(node.left, known)
                inside = evolve(known, asked={**known.asked, **dict(self._owners_asked(node.left, known))})
                return found | self.reads(node.right, inside)
            case Fold():
                known.owners[node.local] = self.owner_of(node.set, known)
                return self._of_parts(node, known)
            case ValueLine():
                return self._of_some((node.per, node.amount, node.condition), known)
            case Template():
                return frozenset().union(*(self.shown(part, known) for part in node.parts if isinstance(part, Expr)))
        return self._of_parts(node, known)

    def shown(self, expr: Expr, known: Known) -> Secrets:
        """The secrets that are told when a thing is written out: its own, and those in the name of a piece."""
        found = self.reads(expr, known)
        kind = self._kind(expr.type)
        if kind is not None and kind.named is not None and kind.named_local is not None:
            inside = Known(revealed=known.revealed, shown=known.shown)
            inside.secrets[kind.named_local] = found
            inside.symbols[kind.named_local] = self.symbol(expr, known)
            inside.owners[kind.named_local] = self.owner_of(expr, known)
            found |= self.reads(kind.named, inside)
        return found

    def _kind(self, type_: Type) -> Kind | None:
        if isinstance(type_, SetType | ListType):
            type_ = type_.element
        return self.game.kinds.get(type_.name) if isinstance(type_, PieceType) else None

    def _of_size(self, expr: Expr, known: Known) -> Secrets | None:
        """The secrets that the number of pieces tells where a set is all of a zone, or of several; None elsewhere."""
        match expr:
            case ZoneSet():
                return _NOTHING if expr.owner is None else self.reads(expr.owner, known)
            case LocalRef() if expr.local in known.whole_zones:
                return _NOTHING
            case Union():
                left, right = self._of_size(expr.left, known), self._of_size(expr.right, known)
                return None if left is None or right is None else left | right
            case CallExpr() if (only := _only_value(expr.function)) is not None and isinstance(expr.type, SetType):
                return self._of_size(only, self.enter(expr.function, expr.arguments, known))
        return None

    def _of_parts(self, node: Understood, known: Known) -> Secrets:
        return self._of_some(walk.children(node), known)

    def _of_some(self, nodes: Iterable[Understood | None], known: Known) -> Secrets:
        found = _NOTHING
        for node in nodes:
            if node is not None:
                found |= self.reads(node, known)
        return found

    def _of_zone(self, node: ZoneSet, known: Known) -> Secrets:
        zone, owner = node.zone, None if node.owner is None else self.symbol(node.owner, known)
        if zone.visible == "all" or (zone.visible == "owner" and len(self.game.players) == 1):
            return _NOTHING  # whoever plays alone is the owner
        seers = frozenset(seer for one, whose, seer in known.shown if one is zone and whose == owner)
        if EVERYBODY in seers:
            return _NOTHING
        if zone.visible == "nobody" or node.owner is None:
            return frozenset({Secret(zone, None, seers)})
        sees = owner if zone.visible == "owner" else self._member_of(zone, node.owner, known)
        return frozenset({Secret(zone, sees, seers)})

    def _known_only(self, found: Secrets, node: Filter, known: Known) -> Secrets:
        """What a filter reads of hidden pieces: where it keeps those that a player knows, that player sees them."""
        seers = frozenset(self._knowers(node.condition, node.local, known)) if self._asks_known else frozenset()
        if not seers:
            return found
        return frozenset(
            evolve(secret, shown_to=secret.shown_to | seers) if isinstance(secret.thing, Zone) else secret
            for secret in found
        )

    def _knowers(self, condition: Expr | None, local: Local, known: Known) -> Iterator[Symbol]:
        """`known(it, p)` in a condition on a candidate."""
        match condition:
            case Logic(op="and"):
                yield from self._knowers(condition.left, local, known)
                yield from self._knowers(condition.right, local, known)
            case IsKnown() if _is_local(condition.piece, local):
                yield self.symbol(condition.player, known)

    def _of_whereabouts(self, node: Filter, known: Known) -> Secrets:
        """Whom all pieces of a kind are known to tells of each whether it lies where that player may look."""
        if not isinstance(node.source, AllOf) or node.condition is None or len(self.game.players) == 1:
            return _NOTHING
        asked = [one for one in walk.find(node.condition, IsKnown) if _is_local(one.piece, node.local)]
        seers = frozenset(self.symbol(one.player, known) for one in asked)
        zones = [zone for one in asked for zone in self.game.zones.values() if zone.kind is one.kind]
        return frozenset(Secret(zone, None, seers) for zone in zones if zone.visible != "all")

    def _member_of(self, thing: Zone | Variable, member: Expr, known: Known) -> Symbol:
        """Who surely sees what is kept for a member: the player whose field was read for it, else nobody named."""
        match self.symbol(member, known):
            case ("VariableRef", through, (player,)) if through == id(thing.seen_through):
                return player
            case symbol:
                return ("members of", symbol)

    def _of_variable(self, node: VariableRef, known: Known) -> Secrets:
        variable = node.variable
        is_open = variable.visible == "owner" and len(self.game.players) == 1
        if is_open or variable.visible == "all" or variable in known.revealed:
            return _NOTHING
        owner: Symbol = None
        if variable.visible == "members":
            owner = self._member_of(variable, node.keys[0], known)
        elif variable.visible == "owner" and node.keys:
            first = node.keys[0]
            is_player = isinstance(variable.keys[0], PlayerType)
            owner = self.symbol(first, known) if is_player else self.owner_of(first, known)
        return frozenset({Secret(variable, owner)})

    def _of_call(self, node: CallExpr, known: Known) -> Secrets:
        function = node.function
        inside = self.enter(function, node.arguments, known)
        key = self.signature(function, inside)
        if key not in self._kept:
            if function in self._open:
                return _NOTHING  # a call of itself reads what the outer call reads
            self._open.add(function)
            self._kept[key] = self._of_some(walk.bodies(function), inside)
            self._open.discard(function)
        return self._kept[key]


def _only_value(function: Function) -> Expr | None:
    """What a value of a single line gives; None for others."""
    if function.form == "value" and len(function.lines) == 1:
        line = function.lines[0]
        if line.kind == "start" and line.condition is None and line.per is None:
            return line.amount
    return None


def _is_owner(expr: Expr) -> TypeGuard[AttributeRef]:
    return isinstance(expr, AttributeRef) and expr.attribute.name == "owner"


def _is_local(expr: Expr, local: Local) -> bool:
    return isinstance(expr, LocalRef) and expr.local is local


def _told_apart(expr: Expr) -> list[str]:
    """The fields that make two expressions different."""
    return [item.name for item in fields(type(expr)) if item.name not in ("span", "type")]
