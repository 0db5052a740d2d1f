"""Rosters: lists of things that players bring, and the effect of the set-up that fills and checks them.

`roster army of each Player from Card` keeps for each player a set of cards, and makes the effect `muster army`. What a
list must fulfil is asked before anything is set up, so that a wrong list is refused before play; a condition that looks
at other players too waits for `muster`, since only then all rosters are known (`is_shared`).

Invariant: every roster has an effect `muster`, and once all bodies are read that effect is one `Muster` statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.diagnostics import Label
from interpreter.semantics import sets, walk
from interpreter.semantics.describe import in_words
from interpreter.semantics.expressions import plain
from interpreter.semantics.fit import element_of, is_error
from interpreter.semantics.model import (
    Block,
    CallExpr,
    Const,
    Current,
    Expr,
    Function,
    Local,
    LocalRef,
    Muster,
    Roster,
    RosterNeed,
    Variable,
    VariableRef,
)
from interpreter.semantics.scopes import Scope
from interpreter.semantics.symbols import owner_of
from interpreter.semantics.types import (
    NONE,
    PLAYER,
    DomainType,
    EnumType,
    NumberType,
    PlayerType,
    RowType,
    SetType,
)
from interpreter.syntax import ast

if TYPE_CHECKING:
    from interpreter.semantics.functions import Functions

__all__ = ["LIST_KEYS", "MOST_COPIES", "declare_muster", "is_shared", "muster_name", "read_roster"]

LIST_KEYS = ("roster", "for", "all", "with", "without", "options", "players", "scenario")
"""What the keys of every list mean; what a list says of its player stands under other keys."""

MOST_COPIES = 1000
"""Most copies of one thing on a roster."""


def muster_name(node: ast.RosterDeclaration) -> ast.Name:
    """The effect that a roster declares."""
    return ast.Name(f"muster {node.name.text}", span=node.name.span)


def read_roster(r: Functions, node: ast.RosterDeclaration) -> None:
    """What a roster keeps. Reports D213, D228, D232 and D207."""
    name = node.name.text
    element = _element(r, node)
    most = 1 if node.copies is None else r.constant(node.copies, "how many of each a roster holds")
    if most is not None and not 1 <= most <= MOST_COPIES:
        assert node.copies is not None
        r.error("D232", f"up to {most} of each, expected 1 to {MOST_COPIES}", node.copies.span)
        most = None
    if node.each_of.text != "Player":
        r.error("D228", "a roster is kept for each player", node.each_of.span, help="write `of each Player`")
        element = None
    if element is None or most is None:
        r.names.broken |= {name, muster_name(node).text}
        return
    visible = r.visibility(node.seen_by, True, f"roster `{name}`")
    size = r.names.size(element) or 0
    type = SetType(element=element)
    members = Variable(
        name=name,
        keys=(PLAYER,),
        type=type,
        low=0,
        high=(1 << size) - 1,
        start=Const(type=type, value=0, span=node.name.span),
        span=node.name.span,
        visible=visible,
        doc=node.doc,
    )
    r.keep(members, is_field=True)
    if r.names.field_of(PLAYER, name) is not members:
        r.names.broken |= {name, muster_name(node).text}
        return
    copies = None
    if node.copies is not None:
        counted = NumberType(low=0, high=most)
        copies = Variable(
            name=f"copies of {name}",
            keys=(PLAYER, element),
            type=counted,
            low=0,
            high=most,
            start=Const(type=counted, value=0, span=node.name.span),
            span=node.name.span,
            visible=visible,
        )
        r.keep(copies, is_field=False)
    muster = Function(name=muster_name(node).text, form="effect", parameters=(), result=None, span=node.name.span)
    roster = Roster(
        name=name,
        element=element,
        most=most,
        members=members,
        copies=copies,
        span=node.name.span,
        muster=muster,
        doc=node.doc,
    )
    members.roster = roster
    if copies is not None:
        copies.roster = roster
    r.names.rosters[name] = roster


def _element(r: Functions, node: ast.RosterDeclaration) -> DomainType | None:
    found = r.names.domain(node.source.text)
    if found is None:
        r.unknown("type", node.source.text, node.source.span, r.names.type_names(), code="D213")
        return None
    if not isinstance(found, EnumType | RowType):
        help = "a roster lists rows of a table that makes a type, or members of an enum"
        r.error("D228", f"{in_words(found)} cannot be listed", node.source.span, help=help)
        return None
    return found


# ------------------------------------------------------------------------------------------- muster


def declare_muster(r: Functions, node: ast.RosterDeclaration) -> None:
    """Makes the effect of a roster known; its body is read with all others."""
    roster = r.names.rosters.get(node.name.text)
    if roster is None:
        return
    r.names.functions[roster.muster.name] = roster.muster
    r.names.unfinished[id(roster.muster)] = lambda: _read_muster(r, node, roster)


def _read_muster(r: Functions, node: ast.RosterDeclaration, roster: Roster) -> None:
    roster.says = tuple(found for name in node.says if (found := _said(r, name)) is not None)
    roster.muster.body = Block(statements=(), span=node.name.span)
    if not node.begins:
        help = "say what is on the roster of a player without a list: `begins as ...`"
        r.error("D235", f"roster `{roster.name}` has no `begins as`", node.name.span, help=help)
        return
    begins, local, amount = _begins(r, node.begins[0], roster)
    needs = tuple(_need(r, need, roster) for need in node.needs)
    filled = Muster(roster=roster, begins=begins, local=local, amount=amount, needs=needs, span=node.name.span)
    roster.filled = filled
    roster.muster.body = Block(statements=(filled,), span=node.name.span)


def _said(r: Functions, name: ast.Name) -> Variable | None:
    """A field of players that a list says. Reports D209, D207 and D228."""
    field = r.names.field_of(PLAYER, name.text)
    if field is None or field.roster is not None:
        known = [one.name for one in r.names.fields.get(owner_of(PLAYER), {}).values() if one.roster is None]
        r.unknown("field of players", name.text, name.span, known)
        return None
    label = Label(field.span, f"`{field.name}` is declared here")
    if name.text in LIST_KEYS:
        message = f"`{name.text}` has a meaning of its own in every list"
        r.error("D207", message, name.span, labels=(label,), help="choose another name for the field")
        return None
    is_none = isinstance(field.start, Const) and field.start.value == NONE and field.type.optional
    if not is_none or len(field.keys) != 1 or field.visible != "all":
        message = "what a list says must be a field `... or none` that begins as none and that all see, "
        message += f"`{field.name}` is not"
        r.error("D228", message, name.span, labels=(label,))
        return None
    return field


def _begins(r: Functions, node: ast.RosterBegins, roster: Roster) -> tuple[Expr, Local | None, Expr | None]:
    scope = Scope()
    base = sets.whole(r, node.things.base, scope, roster.element)
    found = r.want(sets.filtered(r, base, node.things, scope), SetType(element=roster.element))
    if node.amount is None:
        return found, None, None
    local, inside = sets.candidate_scope(r, node.things, roster.element, scope)
    amount = r.number(node.amount, inside)
    if roster.copies is None:
        help = f"write `, up to 3 of each` behind `from {roster.element.name}`"
        r.error("D228", f"roster `{roster.name}` holds each thing once", node.amount.span, help=help)
    elif isinstance(amount, Const) and not is_error(amount.type) and not 0 <= amount.value <= roster.most:
        message = f"{amount.value} of each, expected 0 to {roster.most}"
        r.error("D232", message, node.amount.span)
    return found, local, amount


def _need(r: Functions, node: ast.RosterNeed, roster: Roster) -> RosterNeed:
    """A need; one that begins with `every` is asked of each candidate, and its words may name the candidate."""
    scope = Scope(roster=roster)
    every = plain(node.condition)
    local: Local | None = None
    among: Expr | None = None
    if isinstance(every, ast.Every):
        source = sets.things(r, every.things, scope)
        element = element_of(source.type)
        if isinstance(element, DomainType):
            local, scope = sets.candidate_scope(r, every.things, element, scope)
            among = source
            condition = r.condition(every.condition, scope)
        else:
            condition = r.condition(node.condition, scope)
    else:
        condition = r.condition(node.condition, scope)
    reason = None if node.reason is None else r.template(node.reason, scope)
    return RosterNeed(local=local, among=among, condition=condition, reason=reason, span=node.span)


# ------------------------------------------------------------------------------------------- what a need looks at


def is_shared(need: RosterNeed) -> bool:
    """Whether a need looks at more than the roster of `player`, so that all rosters must be known to ask it."""
    called = walk.called_from([need])
    own = {id(local) for function in called for local in function.parameters}
    for root in (need, *(body for function in called for body in walk.bodies(function))):
        for node in walk.descend(root):
            if isinstance(node, VariableRef) and node.variable.keys[:1] == (PLAYER,):
                if not _is_player(node.keys[0], own):
                    return True
            elif isinstance(node, CallExpr):
                pairs = zip(node.function.parameters, node.arguments, strict=True)
                if any(isinstance(p.type, PlayerType) and not _is_player(given, own) for p, given in pairs):
                    return True
    return False


def _is_player(node: Expr, inputs: set[int]) -> bool:
    """Whether a player is surely the one whose roster it is: `player`, or an input that was given `player`."""
    if isinstance(node, LocalRef):
        return id(node.local) in inputs
    return isinstance(node, Current) and node.what == "player"
