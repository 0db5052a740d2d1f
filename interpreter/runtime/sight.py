"""What a player may see: for any state, the slots that are hidden from one viewer.

Secrets are declared (`seen by owner`, `seen by nobody`, `seen by` a field that says who belongs where), never coded, so
one module can decide for views, logs, bots and tests alike. Three things hide a slot: its variable is secret and not
revealed; it belongs to a piece that lies where the viewer cannot look and was not revealed there (its place, what is
known of it, and every field of it: a die under a cup shows no face); or it is part of the engine's own bookkeeping
(program counter, locals, the generator).

Invariant: the answer for a viewer depends only on the state's visible part, on where pieces are and on who was shown
them; a viewer of None is an onlooker, who sees what everybody sees.
"""

from __future__ import annotations

from attrs import define, field

from interpreter.backends.api import State
from interpreter.ir.program import CHOICE, PC, PlaceCode, Program, SlotGroup
from interpreter.runtime.names import a_thing
from interpreter.semantics import domain_size
from interpreter.semantics.model import Game
from interpreter.semantics.types import PieceType, PlayerType

__all__ = ["Sight"]

Viewer = int | None


@define(eq=False)
class _Kind:
    """The pieces of a kind, where their slots are."""

    name: str
    base: int
    count: int
    places: tuple[PlaceCode, ...]
    fields: list[SlotGroup] = field(factory=list)
    orders: list[tuple[SlotGroup, PlaceCode]] = field(factory=list)
    secret: bool = False
    known: SlotGroup | None = None


@define(eq=False)
class Sight:
    """The secrets of one program."""

    program: Program
    game: Game
    kinds: dict[str, _Kind] = field(factory=dict, init=False)
    """Kinds by name, with the places and fields of their pieces."""
    secrets: list[tuple[SlotGroup, SlotGroup | None]] = field(factory=list, init=False)
    """Secret variables, each with its flags of what was revealed."""
    rolled: set[int] = field(factory=set, init=False)
    """The first slots of fields that are set by rolling."""
    _own: list[int] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        groups = self.program.layout.groups
        for group in groups:
            if group.what == "place":
                places = self.program.places[group.subject or group.name]
                kind = _Kind(group.subject or group.name, group.base, group.count, places)
                kind.secret = any(place.visible != "all" for place in places)
                self.kinds[kind.name] = kind
        owners: dict[str, int] = {}
        for group in groups:
            if group.what == "variable":
                if group.visible != "all":
                    self.secrets.append((group, self._flags(group)))
                if group.keys and isinstance(group.keys[0], PieceType) and group.keys[0].name in self.kinds:
                    self.kinds[group.keys[0].name].fields.append(group)
            elif group.what == "known":
                self.kinds[group.subject].known = group
            elif group.what == "order":
                owner = owners.get(group.name, 0)
                owners[group.name] = owner + 1
                self._order(group, owner)
            elif group.what == "chance" or (group.what == "frame" and group.visible != "all"):
                self._own.extend(range(group.base, group.base + group.count))
        self._own.extend((PC, CHOICE))
        variables = [group for group in groups if group.what == "variable"]
        for variable, group in zip(self.game.variables, variables, strict=False):
            if variable.rolled:
                self.rolled.add(group.base)

    def _flags(self, group: SlotGroup) -> SlotGroup | None:
        """The flags of a secret variable: the group of that name that follows it."""
        groups = self.program.layout.groups
        after = groups[groups.index(group) + 1 :]
        return next((other for other in after if other.what == "revealed" and other.name == group.name), None)

    def _order(self, group: SlotGroup, owner: int) -> None:
        for kind in self.kinds.values():
            codes = [p for p in kind.places if p.kind == "zone" and p.name == (group.subject or group.name)]
            for place in codes:
                if place.owner in (-1, owner):
                    kind.orders.append((group, place))
                    return

    # ------------------------------------------------------------------ questions

    @property
    def has_secrets(self) -> bool:
        """Whether anything can ever be hidden from anybody, bookkeeping aside."""
        return bool(self.secrets) or any(kind.secret for kind in self.kinds.values())

    @staticmethod
    def sees(shown: PlaceCode | SlotGroup, owner: int, viewer: Viewer, state: State) -> bool:
        """Whether a viewer may look at a place or variable, in as far as it belongs to a player or another member."""
        if shown.visible == "all" or viewer is None:
            return shown.visible == "all"
        if shown.visible == "members":
            return owner >= 0 and state[shown.seen_by + viewer] == owner
        return shown.visible == "owner" and owner == viewer

    def place_of(self, kind: str, piece: int, state: State) -> PlaceCode:
        """Where a piece is."""
        found = self.kinds[kind]
        return found.places[state[found.base + piece]]

    def locates(self, kind: str, piece: int, state: State, viewer: Viewer) -> bool:
        """Whether the viewer sees where a piece is, and so what it shows."""
        if kind not in self.kinds or not 0 <= piece < self.kinds[kind].count:
            return True
        place = self.place_of(kind, piece, state)
        return self.sees_there(kind, piece, place, viewer, state) or self.knows(kind, piece, viewer, state)

    def knows(self, kind: str, piece: int, viewer: Viewer, state: State) -> bool:
        """Whether a piece was revealed to the viewer where it lies."""
        known = self.kinds[kind].known
        if known is None:
            return False
        bit = len(self.program.players) if viewer is None else viewer
        return bool(state[known.base + piece] >> bit & 1)

    def sees_there(self, kind: str, piece: int, place: PlaceCode, viewer: Viewer, state: State) -> bool:
        """Whether the viewer would see a piece at that place; in a common zone each player sees the own pieces."""
        owner = place.owner
        if owner < 0 and place.visible == "owner":
            owners = self.game.kinds[kind].attributes.get("owner")
            owner = -1 if owners is None else owners.values[piece]
        return self.sees(place, owner, viewer, state)

    def owner_of(self, group: SlotGroup, index: int) -> int:
        """The player to whom slot `index` of a variable seen by its owner belongs; -1 for nobody. Of a variable that
        is seen by those who belong to a member: that member."""
        if not group.keys:
            return -1
        key = group.keys[0]
        member = index // max(1, group.count // domain_size(self.game, key))
        if isinstance(key, PlayerType) or group.visible == "members":
            return member
        if isinstance(key, PieceType):
            owner = self.game.kinds[key.name].attributes.get("owner")
            return owner.values[member] if owner is not None else -1
        return -1

    def unseen_fields(self, state: State, viewer: Viewer) -> set[int]:
        """Slots of secret variables that the viewer may not see."""
        hidden: set[int] = set()
        for group, flags in self.secrets:
            for index in range(group.count):
                shown = flags is not None and state[flags.base + (index if flags.count == group.count else 0)]
                if not shown and not self.sees(group, self.owner_of(group, index), viewer, state):
                    hidden.add(group.base + index)
        return hidden

    def unseen_pieces(self, state: State, viewer: Viewer) -> dict[str, list[int]]:
        """By kind the pieces that lie where the viewer cannot look."""
        return {
            kind.name: [p for p in range(kind.count) if not self.locates(kind.name, p, state, viewer)]
            for kind in self.kinds.values()
            if kind.secret
        }

    def unseen_matters(self, state: State, viewer: Viewer) -> set[int]:
        """Hidden slots that hold matters of the game: places and fields of pieces, orders, secret variables."""
        hidden = self.unseen_fields(state, viewer)
        for name, pieces in self.unseen_pieces(state, viewer).items():
            kind = self.kinds[name]
            for piece in pieces:
                hidden.add(kind.base + piece)
                if kind.known is not None:
                    hidden.add(kind.known.base + piece)
                for group in kind.fields:
                    stride = group.count // kind.count
                    start = group.base + piece * stride
                    hidden.update(range(start, start + stride))
        for kind in self.kinds.values():
            for group, place in kind.orders:
                if not self.sees(place, place.owner, viewer, state):
                    end = group.base + 1 + state[group.base]
                    hidden.update(range(end, group.base + group.count))
                    for slot in range(group.base + 1, end):
                        if not self.locates(kind.name, state[slot], state, viewer):
                            hidden.add(slot)
        return hidden

    def unseen(self, state: State, viewer: Viewer) -> set[int]:
        """Every hidden slot, the engine's bookkeeping included."""
        return self.unseen_matters(state, viewer).union(self._own)

    def disclosed(self, before: State, after: State) -> str | None:
        """What became known to somebody between two states, in words; None when nothing did."""
        if not self.has_secrets:
            return None
        for viewer in range(len(self.program.players)):
            seen = self.unseen_matters(before, viewer) - self.unseen_matters(after, viewer)
            for kind in self.kinds.values():
                if any(kind.base <= slot < kind.base + kind.count for slot in seen):
                    return f"{a_thing(kind.name)} was revealed"
            if seen & {slot for group, _ in self.secrets for slot in range(group.base, group.base + group.count)}:
                return "a secret was revealed"
        return None
