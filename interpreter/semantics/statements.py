"""Statements: from syntax to what happens.

A block opens a scope; `let` adds to it. What can be changed is a `let` of the same body, a track, a state or a field:
parameters, candidates and printed figures cannot, since a reader would look for the change in vain. Decisions are in
`choices`.

Invariant: a statement that was reported is left out or holds an error node; the rest of its block is read all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from interpreter.diagnostics import Label, Span
from interpreter.semantics import calls, choices, sets
from interpreter.semantics.describe import in_words
from interpreter.semantics.expressions import Expressions, plain, rolled_dice
from interpreter.semantics.fit import element_of, fits, is_error
from interpreter.semantics.model import (
    AnyPlace,
    Block,
    BoxPlace,
    CallStatement,
    Const,
    Current,
    DiceExpr,
    Draw,
    DrawGame,
    EachPlayer,
    End,
    Expr,
    ForEach,
    Function,
    IfStatement,
    Kind,
    Leave,
    Local,
    LocalRef,
    Loop,
    MovePiece,
    MoveSet,
    Nothing,
    PlaceFromBox,
    Reveal,
    RevealPieces,
    RollPieces,
    Rounds,
    Say,
    SetCurrent,
    SetLocal,
    SetOf,
    SetVariable,
    ShowFaces,
    ShuffleZone,
    SpacePlace,
    Statement,
    Step,
    Turns,
    Variable,
    VariableRef,
    Wins,
    ZonePlace,
    ZoneSet,
)
from interpreter.semantics.reporter import phrase
from interpreter.semantics.scopes import Scope
from interpreter.semantics.types import (
    ERROR,
    NUMBER,
    PLAYER,
    ListType,
    NoneType,
    NumberType,
    PieceType,
    PlayerType,
    SetType,
    SpaceType,
    Type,
)
from interpreter.syntax import ast

__all__ = ["Statements", "assigned_names"]


def assigned_names(block: ast.Block | None) -> frozenset[str]:
    """The names that a body changes by `set`, `+` or `-`."""
    return frozenset(_assigned(block))


def _assigned(node: Any) -> Iterator[str]:
    if isinstance(node, ast.Set | ast.Adjust):
        target = plain(node.target)
        if isinstance(target, ast.NamedThing):
            yield target.name.text
    if isinstance(node, tuple):
        for item in node:
            yield from _assigned(item)
    elif isinstance(node, ast.Block | ast.Statement | ast.Branch):
        for field in attrs.fields(type(node)):
            if field.name != "span":
                yield from _assigned(getattr(node, field.name))


class Statements(Expressions):
    """Reads statements of one game."""

    parameters_to_fill: tuple[Local, ...] = ()
    """In cells of a table of effects: its inputs, which an effect named alone takes."""
    secretly: bool = False
    """Whether a decision here is made in secret, to be revealed with those of others."""
    lets: list[Local]
    """Every `let` read so far, to report those never used."""
    in_test: bool = False
    """Whether this is what a test gives, which may say whose turn it is."""

    def block(self, node: ast.Block, scope: Scope) -> Block:
        """A block in a scope of its own."""
        inside = scope.inner()
        return Block(statements=tuple(self._all(node.statements, inside)), span=node.span)

    def _all(self, nodes: tuple[ast.Statement, ...], scope: Scope) -> Iterator[Statement]:
        for node in nodes:
            yield from self.statement(node, scope)

    def statement(self, node: ast.Statement, scope: Scope) -> Iterator[Statement]:
        """What one statement does: mostly one statement, none after a report."""
        span = node.span
        match node:
            case ast.Let():
                yield from self._let(node, scope)
            case ast.Set():
                yield from self._set(node, scope)
            case ast.Adjust():
                yield from self._adjust(node, scope)
            case ast.Move():
                yield from self._move(node, scope)
            case ast.DrawSome():
                yield from self._draw_some(node, scope)
            case ast.Place():
                yield from self._place_from_box(node, scope)
            case ast.Roll():
                yield from self._roll(node, scope)
            case ast.Shuffle():
                zone = self._zone(node.zone, scope, "after `shuffle`")
                if zone is not None:
                    yield ShuffleZone(zone=zone.zone, owner=zone.owner, span=span)
            case ast.Shows():
                yield from self._shows(node, scope)
            case ast.Reveal():
                yield from self._reveal(node, scope)
            case ast.Call():
                yield from self._call(node, scope)
            case ast.Leave():
                yield Leave(span=span)
            case ast.End(what=what, reason=reason):
                yield End(what=what, reason=self.template(reason, scope) if reason else None, span=span)
            case ast.Wins(player=player, reason=reason):
                yield Wins(
                    winners=self._winners(player, scope),
                    reason=self.template(reason, scope) if reason else None,
                    span=span,
                )
            case ast.DrawGame(reason=reason):
                yield DrawGame(reason=self.template(reason, scope) if reason else None, span=span)
            case ast.Say(text=text):
                yield Say(text=self.template(text, scope), span=span)
            case ast.Nothing():
                yield Nothing(span=span)
            case ast.Choose():
                yield choices.choose(self, node, scope)
            case _:
                yield from self._compound(node, scope)

    def _winners(self, node: ast.Expr, scope: Scope) -> Expr:
        """One player, or a set of players."""
        found = self.read(node, scope, SetType(element=PLAYER) if isinstance(node, ast.SetLiteral) else PLAYER)
        several = element_of(found.type)
        return found if several is not None and fits(several, PLAYER) else self.want(found, PLAYER)

    def _compound(self, node: ast.Statement, scope: Scope) -> Iterator[Statement]:
        span = node.span
        match node:
            case ast.If(condition=condition, then=then, otherwise=otherwise):
                yield IfStatement(
                    condition=self.condition(condition, scope),
                    then=self.block(then, scope),
                    otherwise=self.block(otherwise, scope) if otherwise else None,
                    span=span,
                )
            case ast.Repeat(until=until, times=times, body=body):
                yield Loop(
                    until=self.condition(until, scope) if until else None,
                    times=self.number(times, scope) if times else None,
                    body=self.block(body, scope),
                    span=span,
                )
            case ast.ForEach(things=things, body=body):
                found = sets.things(self, things, scope)
                element = element_of(found.type) or ERROR
                name = things.binder or ast.Name("it", span=things.span)
                local, inside = self.binder(name, element, scope)
                yield ForEach(local=local, set=found, body=self.block(body, inside), span=span)
            case ast.EachPlayer(secretly=secretly, start=start, body=body):
                first = self.value(start, scope, PLAYER) if start else None
                before, self.secretly = self.secretly, secretly or self.secretly
                block = self.block(body, scope)
                self.secretly = before
                yield EachPlayer(start=first, secretly=secretly, body=block, span=span)
            case ast.Turns(start=start, next=following, body=body):
                first = self.value(start, scope, PLAYER) if start else None
                after = self.value(following, scope, PLAYER) if following else None
                yield Turns(start=first, next=after, body=self.block(body, scope), span=span)
            case ast.Round(times=times, body=body):
                number = self.number(times, scope) if times else None
                yield Rounds(times=number, body=self.block(body, scope), span=span)
            case ast.Step(name=name, body=body):
                yield Step(name=name.text, body=self.block(body, scope), span=span)

    # -- locals

    def binder(self, name: ast.Name, type: Type, scope: Scope) -> tuple[Local, Scope]:
        """A local of that name and the scope in which it holds."""
        self.refuse_twice(name, scope)
        local = Local(name=name.text, type=type, span=name.span)
        inside = scope.inner()
        inside.add(local)
        return local, inside

    def refuse_twice(self, name: ast.Name, scope: Scope) -> None:
        """Reports D207 for a local that would hide another."""
        before = scope.find(name.text)
        if before is not None:
            label = Label(before.span, "first here")
            self.names.used.add(id(before))
            self.error("D207", f"`{name.text}` already names something here", name.span, labels=(label,))

    def _let(self, node: ast.Let, scope: Scope) -> Iterator[Statement]:
        value = self.rolled_or(node.value, scope, None)
        if isinstance(value.type, ListType):  # kept as the set of its members
            value = calls.as_set(value, SetType(element=value.type.element))
        type = value.type
        if isinstance(type, NoneType):
            value = self.error("D215", "`none` alone has no type", node.value.span)
            type = ERROR
        if isinstance(type, NumberType) and node.name.text in scope.assigned:
            type = NUMBER.or_none() if type.optional else NUMBER
        self.refuse_twice(node.name, scope)
        local = Local(name=node.name.text, type=type, span=node.name.span)
        scope.add(local, changeable=True)
        self.lets.append(local)
        yield SetLocal(local=local, value=value, span=node.span)

    def rolled_or(self, node: ast.Expr, scope: Scope, expected: Type | None) -> Expr:
        """The right side of a `let`, `set` or adjustment, where dice may be rolled."""
        inner = plain(node)
        if not isinstance(inner, ast.Dice):
            return self.read(node, scope) if expected is None else self.value(node, scope, expected)
        dice = rolled_dice(self, inner)
        return dice if expected is None else self.want(dice, expected)

    # -- changes

    def _target(self, node: ast.Expr, scope: Scope) -> LocalRef | VariableRef | Current | None:
        """What is changed, or None after a report."""
        found = self.read(node, scope)
        match found:
            case Current(what="player" | "round number") if self.in_test:
                return found
            case VariableRef(variable=variable) if variable.roster is not None:
                name = variable.roster.name
                label = Label(variable.span, f"roster `{name}` is declared here")
                self.error("D231", f"roster `{name}` cannot be changed", node.span, labels=(label,))
                return None
            case VariableRef():
                return found
            case LocalRef(local=local) if scope.is_changeable(local):
                return found
            case LocalRef(local=local):
                help = f"copy it first: `let new {local.name} = {local.name}`"
                label = Label(local.span, "given here")
                self.error("D231", f"`{local.name}` cannot be changed", node.span, labels=(label,), help=help)
            case _ if not is_error(found.type):
                help = "only what is kept by `let`, `state`, `track` or `each ... has` can be changed"
                self.error("D231", f"{_fixed(node)} cannot be changed", node.span, help=help)
        return None

    def _set(self, node: ast.Set, scope: Scope) -> Iterator[Statement]:
        target = self._target(node.target, scope)
        value = self.rolled_or(node.value, scope, target.type if target is not None else None)
        if target is not None:
            yield self._store(target, value, node.span, adjusts=False)

    def _store(self, target: LocalRef | VariableRef | Current, value: Expr, span: Span, *, adjusts: bool) -> Statement:
        if isinstance(target, Current):
            assert target.what == "player" or target.what == "round number"
            return SetCurrent(what=target.what, value=value, span=span)
        if isinstance(target, LocalRef):
            return SetLocal(local=target.local, value=value, span=span)
        variable = target.variable
        if isinstance(value, Const) and isinstance(variable.type, NumberType) and not is_error(value.type):
            within = variable.low <= value.value <= variable.high
            if not within and not (value.value == -1 and variable.type.optional):
                label = Label(variable.span, f"`{variable.name}` is declared here")
                message = f"{value.value} is outside `{variable.name}`, expected {variable.low} to {variable.high}"
                self.error("D232", message, value.span, labels=(label,))
        return SetVariable(variable=variable, keys=target.keys, value=value, adjusts=adjusts, span=span)

    def _adjust(self, node: ast.Adjust, scope: Scope) -> Iterator[Statement]:
        target = self._target(node.target, scope)
        amount = self.rolled_or(node.amount, scope, NUMBER)
        if target is None:
            return
        if not isinstance(target.type, NumberType):
            self.mismatch(f"a number before `{node.sign}`", target.type, node.target.span)
            return
        if isinstance(amount, DiceExpr):
            local = Local(name="roll", type=amount.type, span=amount.span)
            yield SetLocal(local=local, value=amount, span=node.span)
            amount = LocalRef(local=local, type=amount.type, span=amount.span)
        value = self.arithmetic(node.sign, target, amount, node.span)
        yield self._store(target, value, node.span, adjusts=True)

    # -- pieces and places

    def place(self, node: ast.Expr, scope: Scope) -> AnyPlace | None:
        """Where pieces go, or None after a report."""
        inner = plain(node)
        if isinstance(inner, ast.NamedThing) and inner.name.text == "box" and scope.find("box") is None:
            return BoxPlace(span=node.span)
        found = self.read(node, scope)
        if isinstance(found, ZoneSet):
            return ZonePlace(zone=found.zone, owner=found.owner, span=node.span)
        if isinstance(found.type, SpaceType):
            return SpacePlace(board=self.names.spaces[found.type.name], space=found, span=node.span)
        if not is_error(found.type):
            message = f"expected a zone, a space or `box`, found {in_words(found.type)}"
            self.error("D227", message, node.span)
        return None

    def _zone(self, node: ast.Expr, scope: Scope, where: str) -> ZonePlace | None:
        found = self.read(node, scope)
        if isinstance(found, ZoneSet):
            return ZonePlace(zone=found.zone, owner=found.owner, span=node.span)
        if not is_error(found.type):
            self.error("D227", f"expected a zone {where}, found {in_words(found.type)}", node.span)
        return None

    def _holds(self, place: AnyPlace, kind: Kind, span: Span) -> bool:
        """Whether a place takes pieces of a kind; reports D215 where it does not."""
        if not isinstance(place, ZonePlace) or place.zone.kind is kind:
            return True
        label = Label(place.zone.span, f"`{place.zone.name}` is declared here")
        message = f"zone `{place.zone.name}` holds `{place.zone.kind.name}`, found a piece `{kind.name}`"
        self.error("D215", message, span, labels=(label,))
        return False

    def _kind_of(self, type: Type, span: Span, where: str) -> Kind | None:
        element = element_of(type) or type
        if isinstance(element, PieceType):
            return self.names.kinds[element.name]
        self.mismatch(f"pieces {where}", type, span)
        return None

    def pieces(self, node: ast.Things, scope: Scope) -> Expr:
        """One piece, or a set of them."""
        if node.binder is None and node.condition is None and node.excluded is None:
            return self.read(node.base, scope)
        return sets.things(self, node, scope)

    def _move(self, node: ast.Move, scope: Scope) -> Iterator[Statement]:
        found = self.pieces(node.things, scope)
        place = self.place(node.place, scope)
        kind = self._kind_of(found.type, node.things.span, "to move")
        if kind is None or place is None or not self._holds(place, kind, node.things.span):
            return
        if element_of(found.type) is None:
            yield MovePiece(kind=kind, piece=found, place=place, span=node.span)
        else:
            yield MoveSet(kind=kind, set=found, place=place, span=node.span)

    def _draw_some(self, node: ast.DrawSome, scope: Scope) -> Iterator[Statement]:
        count = self.number(node.count, scope)
        source = self._zone(node.source, scope, "after `from`")
        place = self.place(node.place, scope)
        if source is not None and place is not None and self._holds(place, source.zone.kind, node.span):
            yield Draw(count=count, source=source, place=place, span=node.span)

    def _place_from_box(self, node: ast.Place, scope: Scope) -> Iterator[Statement]:
        place = self.place(node.place, scope)
        owner = self.value(node.owner, scope, PLAYER) if node.owner is not None else None
        kind = self.names.kinds.get(node.kind.text)
        if kind is None:
            self.unknown("kind of piece", node.kind.text, node.kind.span, self.names.kinds, code="D213")
            return
        if node.count < 1 or node.count > kind.count:
            label = Label(kind.span, f"`{kind.name}` is declared here")
            message = f"{node.count} of `{kind.name}`, expected 1 to {kind.count}"
            self.error("D232", message, node.span, labels=(label,))
            return
        if "owner" in kind.attributes:
            owner = owner or Current(what="player", type=PLAYER, span=node.span)
        elif owner is not None:
            label = Label(kind.span, f"`{kind.name}` is declared here")
            self.error("D215", f"pieces `{kind.name}` have no owner", node.span, labels=(label,))
            return
        if place is not None and self._holds(place, kind, node.kind.span):
            yield PlaceFromBox(count=node.count, kind=kind, owner=owner, place=place, span=node.span)

    def _rolled_field(self, kind: Kind, span: Span) -> Variable | None:
        rolled = [variable for variable in kind.fields.values() if variable.rolled]
        if len(rolled) == 1:
            return rolled[0]
        found = "none" if not rolled else phrase(variable.name for variable in rolled)
        label = Label(kind.span, f"`{kind.name}` is declared here")
        help = "write `, rolled` after the field that a roll sets"
        message = f"expected one rolled field of `{kind.name}`, found {found}"
        self.error("D234", message, span, labels=(label,), help=help)
        return None

    def _roll(self, node: ast.Roll, scope: Scope) -> Iterator[Statement]:
        found = self.pieces(node.things, scope)
        kind = self._kind_of(found.type, node.things.span, "to roll")
        variable = self._rolled_field(kind, node.span) if kind is not None else None
        if kind is None or variable is None:
            return
        element = element_of(found.type)
        if element is None:
            found = SetOf(items=(found,), type=SetType(element=found.type.required()), span=found.span)
        elif isinstance(found.type, ListType):
            found = calls.as_set(found, SetType(element=element))
        yield RollPieces(kind=kind, variable=variable, set=found, span=node.span)

    def _shows(self, node: ast.Shows, scope: Scope) -> Iterator[Statement]:
        zone = self._zone(node.zone, scope, "before `shows`")
        variable = self._rolled_field(zone.zone.kind, node.span) if zone is not None else None
        if zone is None or variable is None:
            return
        faces = tuple(self._face(face, variable, scope) for face in node.faces)
        if len(faces) > zone.zone.kind.count:
            message = f"{len(faces)} faces, but only {zone.zone.kind.count} of `{zone.zone.kind.name}`"
            self.error("D232", message, node.span)
            return
        yield ShowFaces(zone=zone.zone, owner=zone.owner, variable=variable, faces=faces, span=node.span)

    def _face(self, node: ast.Expr, variable: Variable, scope: Scope) -> Expr:
        """A face by its member, or by its number where faces are members of an enum."""
        inner = plain(node)
        enum = self.names.enums.get(getattr(variable.type, "name", ""))
        if isinstance(inner, ast.Number) and enum is not None:
            index = inner.value - enum.first
            if 0 <= index < len(enum.members):
                return Const(type=variable.type.required(), value=index, span=node.span)
            last = enum.first + len(enum.members) - 1
            return self.error("D232", f"no face {inner.value}, expected {enum.first} to {last}", node.span)
        return self.value(node, scope, variable.type)

    def _reveal(self, node: ast.Reveal, scope: Scope) -> Iterator[Statement]:
        inner = plain(node.things.base)
        is_alone = node.things.binder is None and node.things.excluded is None and node.things.condition is None
        if is_alone and isinstance(inner, ast.NamedThing) and scope.find(inner.name.text) is None:
            named = [fields[inner.name.text] for fields in self.names.fields.values() if inner.name.text in fields]
            if len(named) > 1:
                listed = " and ".join(in_words(variable.keys[0]) for variable in named)
                self.error("D211", f"`{inner.name.text}` could be a field of {listed}", node.span)
                return
            variable = named[0] if named else self.names.globals.get(inner.name.text)
            if variable is not None and not _holds_open_piece(variable):
                yield from self._reveal_field(node, variable, ())
                return
        found = self.pieces(node.things, scope)
        if isinstance(found, VariableRef) and not _holds_open_piece(found.variable):
            yield from self._reveal_field(node, found.variable, found.keys)
            return
        whom = None if node.whom is None else self._players(node.whom, scope)
        element = element_of(found.type) or found.type
        if isinstance(element, PieceType):
            kind = self.names.kinds[element.name]
            yield RevealPieces(kind=kind, pieces=found, whom=whom, span=node.span)
        elif not is_error(found.type):
            message = f"expected a field or pieces after `reveal`, found {in_words(found.type)}"
            self.error("D227", message, node.things.span)

    def _reveal_field(self, node: ast.Reveal, variable: Variable, keys: tuple[Expr, ...]) -> Iterator[Statement]:
        if node.whom is None:
            yield Reveal(variable=variable, keys=keys, span=node.span)
            return
        message = f"expected pieces before `to`, found the field `{variable.name}`"
        label = Label(variable.span, f"`{variable.name}` is declared here")
        help = "leave out `to`: a field is shown to everybody"
        self.error("D227", message, node.things.span, labels=(label,), help=help)

    def _players(self, node: ast.Things, scope: Scope) -> Expr:
        """One player, or a set of them."""
        found = self.pieces(node, scope)
        if not is_error(found.type) and not isinstance(element_of(found.type) or found.type, PlayerType):
            return self.mismatch("a player or players after `to`", found.type, node.span)
        return found

    # -- calls

    def _call(self, node: ast.Call, scope: Scope) -> Iterator[Statement]:
        callee = plain(node.callee)
        args: tuple[ast.Expr, ...] | None = None
        if isinstance(callee, ast.Apply):
            args, callee = callee.args, plain(callee.base)
        if isinstance(callee, ast.OfCall):
            args, callee = (callee.arg,), ast.NamedThing(name=callee.name, span=callee.name.span)
        if isinstance(callee, ast.Member):
            yield from self._call_column(callee, args, node.span, scope)
            return
        function = None
        if isinstance(callee, ast.NamedThing):
            function = self.names.functions.get(callee.name.text)
        if isinstance(callee, ast.NamedThing) and function is None and callee.name.text not in self.names.places:
            known = [name for name, one in self.names.functions.items() if one.form in ("effect", "phase", "table")]
            self.unknown("effect or phase", callee.name.text, callee.span, known)
            return
        if function is None or self.result_of(function) is not None:
            found = self.read(node.callee, scope)
            if not is_error(found.type):
                help = "say what happens with it: `let`, `set`, `move`, ..."
                self.error("D225", "a value alone does nothing", node.span, help=help)
            return
        if args is None and self.parameters_to_fill:
            given = self._filled(function, node.span)
        else:
            given = calls.arguments(self, function, args or (), scope, node.span)
        if given is not None:
            yield CallStatement(function=function, arguments=given, span=node.span)

    def _filled(self, function: Function, span: Span) -> tuple[Expr, ...] | None:
        """The inputs of the table around, in order, for an effect that is named alone in a cell."""
        inputs = self.parameters_to_fill
        if len(function.parameters) > len(inputs):
            label = Label(function.span, f"`{function.name}` is declared here")
            message = f"`{function.name}` needs {len(function.parameters)} inputs, the table has {len(inputs)}"
            self.error("D214", message, span, labels=(label,))
            return None
        given = []
        for parameter, local in zip(function.parameters, inputs, strict=False):
            ref = LocalRef(local=local, type=local.type, span=span)
            if not fits(ref.type, parameter.type):
                label = Label(parameter.span, f"`{parameter.name}` is declared here")
                self.want(ref, parameter.type, labels=(label,))
                return None
            given.append(ref)
        return tuple(given)

    def _call_column(
        self, callee: ast.Member, args: tuple[ast.Expr, ...] | None, span: Span, scope: Scope
    ) -> Iterator[Statement]:
        """`b.name`: the effect that a table has as a column."""
        subject = self.only_piece(self.read(callee.base, scope))
        if is_error(subject.type):
            return
        column = calls.column_call(self, subject, callee.name.text, span)
        if column is not None and column[0].result is None:
            if args:
                self.error("D214", f"`{callee.name.text}` takes no inputs", span)
            yield CallStatement(function=column[0], arguments=(column[1],), span=span)
            return
        found = self.read(callee, scope)
        if not is_error(found.type):
            self.error("D225", "a value alone does nothing", span, help="say what happens with it: `let`, `set`, ...")


def _holds_open_piece(variable: Variable) -> bool:
    """Whether a variable that all see holds a piece: then the piece is revealed, not the variable."""
    return isinstance(variable.type, PieceType) and variable.visible == "all"


def _fixed(node: ast.Expr) -> str:
    match plain(node):
        case ast.NamedThing(name=name) | ast.Member(name=name):
            return f"`{name.text}`"
        case _:
            return "this"
