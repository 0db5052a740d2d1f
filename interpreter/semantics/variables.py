"""What is kept during play: zones, tracks, states and fields.

Their types are needed by every body, their first values may speak of anything: so a variable is made first, and its
start is read when all names are known.

Invariant: every variable has bounds that hold its start; a field's first key is its owner.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.diagnostics import Label, Span
from interpreter.semantics.describe import in_words
from interpreter.semantics.domains import Types
from interpreter.semantics.fit import is_error
from interpreter.semantics.model import Const, Expr, Kind, Variable, Visibility, Zone
from interpreter.semantics.scopes import Scope
from interpreter.semantics.symbols import owner_of
from interpreter.semantics.types import (
    NUMBER_HIGH,
    NUMBER_LOW,
    PLAYER,
    DomainType,
    EnumType,
    FlagType,
    NumberType,
    PieceType,
    PlayerType,
    RowType,
    SpaceType,
    Type,
)
from interpreter.syntax import ast

__all__ = ["Variables"]

_SEEN: dict[str, Visibility] = {"owner": "owner", "nobody": "nobody", "all": "all", "everybody": "all"}

MOST_ZONES = 512
"""Most zones of one name."""
MOST_IN_ORDER = 1 << 16
"""Most pieces for which ordered zones of one name have room, all together."""


class Variables(Types):
    """Reads what is kept during play."""

    later: list[Callable[[], None]]
    """First values and resets, to be read when all names are known."""

    # -- zones

    def read_zone(self, node: ast.ZoneDeclaration) -> None:
        name = node.name.text
        kind = self.names.kinds.get(node.kind.text)
        at_most = self.constant(node.at_most, "the limit of a zone") if node.at_most is not None else None
        each_of = None if node.each_of is None else self._each_of(node.each_of)
        if node.each_of is not None and not self._can_have_zones(node, each_of, kind):
            self.names.broken.add(name)
            return
        if kind is None:
            self.unknown("kind of piece", node.kind.text, node.kind.span, self.names.kinds, code="D213")
            self.names.broken.add(name)
            return
        of = each_of[0] if each_of else None
        owned = isinstance(of, PlayerType) or (of is None and "owner" in kind.attributes)
        self.names.zones[name] = zone = Zone(
            name=name,
            kind=kind,
            each_of=of,
            ordered=node.ordered,
            visible=self.visibility(node.seen_by, owned, f"zone `{name}`", of),
            at_most=at_most,
            span=node.name.span,
            doc=node.doc,
        )
        if zone.visible == "members" and node.seen_by is not None:
            self._see_later(zone, of, node.seen_by)

    def _can_have_zones(self, node: ast.ZoneDeclaration, of: tuple[DomainType, ...] | None, kind: Kind | None) -> bool:
        """Whether each member of a type may have a zone. Reports D228 for pieces and D206 for too many."""
        assert node.each_of is not None
        if of is None:
            return False
        if isinstance(of[0], PieceType):
            help = "a zone belongs to a member of an enum, a row, a player or a space"
            self.error("D228", "a piece has no zones", node.each_of.span, help=help)
            return False
        members = self.names.size(of[0]) or 1
        slots = members * (1 + kind.count) if kind is not None and node.ordered else 0
        if members <= MOST_ZONES and slots <= MOST_IN_ORDER:
            return True
        message = f"{members} zones `{node.name.text}`, expected at most {MOST_ZONES}"
        if members <= MOST_ZONES:
            message = f"{members} ordered zones for {slots // members - 1} pieces each are too many"
        self.error("D206", message, node.each_of.span)
        return False

    def visibility(self, seen_by: ast.Name | None, owned: bool, what: str, of: DomainType | None = None) -> Visibility:
        """Who sees something; where it is kept for each member of a type a field of players may say so."""
        if seen_by is None:
            return "all"
        found = _SEEN.get(seen_by.text)
        if found is None and of is not None and not isinstance(of, PieceType):
            return "members"
        if found is None:
            self.unknown("view", seen_by.text, seen_by.span, _SEEN)
            return "all"
        if found == "owner" and not owned:
            help = "only what belongs to a player can be seen by its owner"
            if of is not None and not isinstance(of, PieceType):
                help += f"; with a field of players of type `{of.name}` write `seen by` that field"
            self.error("D228", f"{what} has no owner", seen_by.span, help=help)
            return "all"
        return found

    def _see_later(self, thing: Zone | Variable, of: DomainType | None, seen_by: ast.Name) -> None:
        """Finds the field of players through which something is seen, once all fields are known."""

        def find() -> None:
            fields = self.names.fields.get(owner_of(PLAYER), {})
            field = fields.get(seen_by.text)
            if field is None:
                known = [*_SEEN, *(name for name, one in fields.items() if one.type.required() == of)]
                self.unknown("view", seen_by.text, seen_by.span, known)
            elif len(field.keys) != 1 or field.type.required() != of:
                label = Label(field.span, f"`{field.name}` is declared here")
                wanted = in_words(of) if of is not None else "nothing"
                message = f"expected a field of players that holds {wanted}, found `{field.name}`"
                self.error("D228", message, seen_by.span, labels=(label,))
            elif field.visible != "all":
                label = Label(field.span, f"`{field.name}` is declared here")
                message = f"who belongs where must be seen by all, `{field.name}` is not"
                self.error("D228", message, seen_by.span, labels=(label,))
            else:
                thing.seen_through = field
                return
            thing.visible = "all"

        self.later.append(find)

    # -- tracks, states, fields

    def read_track(self, node: ast.TrackDeclaration) -> None:
        name = node.name.text
        keys = self._each_of(node.each_of)
        low = self.constant(node.low, "the first step of a track")
        high = self.constant(node.high, "the last step of a track")
        start = self.constant(node.start, "the start of a track") if node.start is not None else None
        if low is None or high is None or keys is None:
            self.names.broken.add(name)
            return
        if low > high:
            span = node.low.span.merge(node.high.span)
            self.error("D232", f"track `{name}` has no steps: the first number is the higher", span)
            self.names.broken.add(name)
            return
        if start is not None and not low <= start <= high:
            span = node.start.span if node.start is not None else node.span
            self.error("D232", f"start outside the track, expected {low} to {high}", span)
            start = None
        if start is None:
            start = 0 if low <= 0 <= high else low
        marks: dict[str, tuple[int, ...]] = {}
        places: dict[str, Span] = {}
        for mark in node.marks:
            if mark.name.text in marks:
                label = Label(places[mark.name.text], "first here")
                self.error("D207", f"mark `{mark.name.text}` stands twice", mark.name.span, labels=(label,))
            places.setdefault(mark.name.text, mark.name.span)
            for step in mark.steps:
                if not low <= step <= high:
                    self.error("D232", f"mark at {step} is outside the track, expected {low} to {high}", mark.span)
            marks[mark.name.text] = tuple(sorted({*marks.get(mark.name.text, ()), *mark.steps}))
        type = NumberType(low=low, high=high)
        variable = Variable(
            name=name,
            keys=keys,
            type=type,
            low=low,
            high=high,
            start=Const(type=type, value=start, span=node.name.span),
            span=node.name.span,
            is_track=True,
            marks=marks,
            doc=node.doc,
        )
        self.keep(variable, is_field=bool(keys))

    def _each_of(self, name: ast.Name | None) -> tuple[DomainType, ...] | None:
        if name is None:
            return ()
        found = self.names.domain(name.text)
        if found is None:
            self.unknown("type", name.text, name.span, self.names.type_names(), code="D213")
            return None
        return (found,) if self._keeps(found, name.span) else None

    def _keeps(self, owner: DomainType, span: Span) -> bool:
        """Whether anything can be kept for each of a type. Reports D273 for spaces that are no places for good."""
        if not isinstance(owner, SpaceType) or not self.names.spaces[owner.name].board.is_open:
            return True
        use = self.names.spaces[owner.name]
        help = f"what lies on the table is a piece; `{use.name}` is without edges, and a space of it comes round again"
        message = f"nothing can be kept for each `{owner.name}` of an open grid"
        self.error("D273", message, span, labels=(Label(use.span, "declared here"),), help=help)
        return False

    def keep(self, variable: Variable, *, is_field: bool) -> None:
        """Adds a variable to the game; one with an owner becomes a field of it, unless that has one of the name."""
        if is_field:
            owner = variable.keys[0]
            before = self._feature_place(owner, variable.name)
            if before is not None:
                label = Label(before, "first here")
                title = in_words(owner)
                self.error("D207", f"{title} has `{variable.name}` already", variable.span, labels=(label,))
                return
            self.names.fields.setdefault(owner_of(owner), {})[variable.name] = variable
            if isinstance(owner, PieceType):
                self.names.kinds[owner.name].fields[variable.name] = variable
        else:
            self.names.globals[variable.name] = variable
        self.names.variables.append(variable)

    def _feature_place(self, owner: Type, name: str) -> Span | None:
        """Where something of that name is declared for the members of a type."""
        attribute = self.names.attribute_of(owner, name)
        if attribute is not None:
            return attribute.span or _span_of(self, owner)
        variable = self.names.field_of(owner, name)
        if variable is not None:
            return variable.span
        if isinstance(owner, PieceType) and name == "space":
            return self.names.kinds[owner.name].span
        zone = self.names.zone_of(owner, name)
        if zone is not None:
            return zone.span
        if isinstance(owner, RowType) and name in self.names.rows[owner.name].functions:
            return self.names.rows[owner.name].functions[name].span
        figure = self.names.figure_of(owner, name)
        if figure is not None:
            return figure.span
        row = self.names.row_of(owner)
        return (
            self._feature_place(row.type, name) if row is not None and name in self.names.columns_of(row.type) else None
        )

    def read_state(self, node: ast.StateDeclaration) -> None:
        self._read_field(node.field_, None, node.doc or node.field_.doc)

    def read_fields(self, owner: ast.Name, fields: tuple[ast.FieldDeclaration, ...]) -> None:
        """`each X has`, and the fields of a kind."""
        type = self.names.domain(owner.text)
        if type is None:
            self.unknown("type", owner.text, owner.span, self.names.type_names(), code="D213")
        if type is None or not self._keeps(type, owner.span):
            self.names.broken.update(node.name.text for node in fields)
            return
        for node in fields:
            self._read_field(node, type, node.doc)

    def _read_field(self, node: ast.FieldDeclaration, owner: DomainType | None, doc: str) -> None:
        name = node.name.text
        type = self.type_of(node.type)
        per = self._each_of(node.per)
        if is_error(type) or per is None:
            self.names.broken.add(name)
            return
        if not isinstance(type, NumberType | FlagType | DomainType):
            help = "a set of pieces is kept in a zone; a flag on each member makes a set of others"
            self.error("D228", f"`{name}` keeps one value, found {in_words(type)}", node.type.span, help=help)
            self.names.broken.add(name)
            return
        bounds = self._bounds(type, node)
        if bounds is None:
            self.names.broken.add(name)
            return
        keys = ((owner,) if owner is not None else ()) + per
        variable = Variable(
            name=name,
            keys=keys,
            type=type,
            low=bounds[0],
            high=bounds[1],
            start=self._first_value(type, bounds, node.name.span),
            span=node.name.span,
            visible=self.visibility(node.seen_by, self._is_owned(owner), f"field `{name}`", owner),
            rolled=node.rolled,
            silent=node.silent,
            doc=doc,
        )
        if variable.visible == "members" and node.seen_by is not None:
            self._see_later(variable, owner, node.seen_by)
        if node.rolled:
            self._check_rolled(node, owner, type)
        self.keep(variable, is_field=owner is not None)
        if node.default is not None:
            default = node.default
            self.later.append(lambda: self._read_start(variable, default))
        if node.reset_by is not None:
            reset_by = node.reset_by
            self.later.append(lambda: self._read_reset(variable, reset_by))

    def _is_owned(self, owner: DomainType | None) -> bool:
        if isinstance(owner, PieceType):
            return "owner" in self.names.kinds[owner.name].attributes
        return isinstance(owner, PlayerType)

    def _check_rolled(self, node: ast.FieldDeclaration, owner: DomainType | None, type: Type) -> None:
        if not isinstance(owner, PieceType):
            self.error("D228", f"only pieces are rolled, found `rolled` on `{node.name.text}`", node.name.span)
        elif type.optional or not isinstance(type, NumberType | EnumType):
            message = f"a rolled field is a number or a member of an enum, found {in_words(type)}"
            self.error("D228", message, node.type.span)
        if node.silent:
            self.error("D228", f"what is thrown is told, found `silent` on `{node.name.text}`", node.name.span)

    def _bounds(self, type: Type, node: ast.FieldDeclaration) -> tuple[int, int] | None:
        if isinstance(type, NumberType):
            if type.optional and type.low < 0 and type.low != NUMBER_LOW:
                message = "a number that may be none starts from 0 or more"
                self.error("D228", message, node.type.span, help="`none` needs a value of its own")
                return None
            return (-1, type.high) if type.optional else (type.low, type.high)
        if isinstance(type, FlagType):
            return (0, 1)
        size = self.names.size(type) or 1
        return (-1 if type.optional else 0, size - 1)

    def _first_value(self, type: Type, bounds: tuple[int, int], span: Span) -> Expr:
        """What a variable holds where its declaration says nothing."""
        low, high = bounds
        if type.optional:
            value = -1
        elif isinstance(type, SpaceType) and self.names.spaces[type.name].board.is_open:
            value = self.names.spaces[type.name].board.regions["origin"][0]
        elif isinstance(type, NumberType) and low <= 0 <= high:
            value = 0
        else:
            value = low
        if isinstance(type, NumberType) and type.low == NUMBER_LOW and type.high == NUMBER_HIGH and not type.optional:
            value = 0
        return Const(type=type, value=value, span=span)

    def _read_start(self, variable: Variable, node: ast.Expr) -> None:
        found = self.value(node, Scope(), variable.type)
        if isinstance(found, Const) and isinstance(variable.type, NumberType) and not is_error(found.type):
            inside = variable.low <= found.value <= variable.high
            if not inside:
                message = (
                    f"start {found.value} is outside `{variable.name}`, expected {variable.low} to {variable.high}"
                )
                self.error("D232", message, node.span)
        variable.start = found

    def _read_reset(self, variable: Variable, name: ast.Name) -> None:
        function = self.names.functions.get(name.text)
        if function is not None and function.form == "phase":
            variable.reset_by = function
            return
        phases = [known for known, one in self.names.functions.items() if one.form == "phase"]
        self.unknown("phase", name.text, name.span, phases)

    # -- kinds, once everything has a name

    def read_named(self, node: ast.KindDeclaration) -> None:
        """How the pieces of a kind are called."""
        kind = self.names.kinds.get(node.name.text)
        if kind is None or node.named is None or kind.named_local is None:
            return
        kind.named = self.template(node.named, Scope(candidate=kind.named_local))


def _span_of(r: Variables, owner: Type) -> Span | None:
    name = getattr(owner, "name", "")
    if isinstance(owner, PieceType):
        return r.names.kinds[name].span
    return r.names.spaces[name].span if name in r.names.spaces else r.names.places.get(name)
