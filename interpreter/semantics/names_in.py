"""What a bare name means where it stands.

The order is: a local; a field or figure of the candidate; a member of the type that is expected; what the engine keeps
(`player`); a declared thing; a member of any enum, table or board, when only one has it. Where yes or no is wanted a
name may also be a relation of one input, asked of the candidate, or a member of the only enum among the candidate's
fields. The right side of `is` is read in the same way, with the left side as the candidate.

Invariant: a name is looked up in one order everywhere, and a name that means nothing is reported once, with the
nearest name that would have meant something.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.diagnostics import Span, did_you_mean
from interpreter.semantics.describe import in_words
from interpreter.semantics.fit import element_of, fits, is_error
from interpreter.semantics.model import (
    AllOf,
    AttributeRef,
    BoardUse,
    BoxSet,
    CallExpr,
    Const,
    ConstSet,
    Current,
    Empty,
    Exists,
    Expr,
    LocalRef,
    RowDomain,
    RowTable,
    SpaceOf,
    Variable,
    VariableRef,
    ZoneSet,
)
from interpreter.semantics.reporter import error_node, phrase
from interpreter.semantics.scopes import Scope
from interpreter.semantics.types import (
    FLAG,
    NUMBER,
    PLAYER,
    DirectionType,
    DomainType,
    EnumType,
    FlagType,
    NoneType,
    NumberType,
    PieceType,
    PlayerType,
    RowType,
    SetType,
    SpaceType,
    TextType,
    Type,
)
from interpreter.syntax import ast

if TYPE_CHECKING:
    from interpreter.semantics.expressions import Expressions

__all__ = [
    "all_spaces",
    "feature",
    "is_",
    "is_only_member",
    "named",
    "named_condition",
    "needs_other_side",
    "of",
    "only_board",
    "own_roster",
    "reads_second_first",
    "row_of",
]


# ------------------------------------------------------------------------------------------- features of a thing


def feature(r: Expressions, subject: Expr, name: str, span: Span) -> Expr | None:
    """What a thing has under a name: an attribute, a field, a column, a zone, or a piece's space; None for nothing.

    A piece that stands for a row of a table has the columns of its row, too.
    """
    found = _own_feature(r, subject, name, span)
    if found is not None:
        return found
    row = row_of(r, subject, span)
    return _own_feature(r, row, name, span) if row is not None and name in r.names.columns_of(row.type) else None


def row_of(r: Expressions, subject: Expr, span: Span) -> Expr | None:
    """The row of a table that a piece stands for; none where there may be no piece."""
    attribute = r.names.row_of(subject.type)
    if attribute is None:
        return None
    type = attribute.type.or_none() if subject.type.optional else attribute.type
    return AttributeRef(attribute=attribute, subject=subject, type=type, span=span)


def _own_feature(r: Expressions, subject: Expr, name: str, span: Span) -> Expr | None:
    names, type = r.names, subject.type
    if not isinstance(type, DomainType):
        return None
    attribute = names.attribute_of(type, name)
    if attribute is not None:
        return AttributeRef(attribute=attribute, subject=subject, type=of(attribute.type, subject), span=span)
    variable = names.field_of(type, name)
    if variable is not None:
        if len(variable.keys) > 1:
            return _needs_input(r, name, variable.keys[1], span)
        return VariableRef(variable=variable, keys=(subject,), type=of(variable.type, subject), span=span)
    figure = names.figure_of(type, name)
    if figure is not None:
        return _needs_input(r, name, figure.by, span)
    function = names.column_function(type, name)
    if function is not None and function.result is not None:
        return CallExpr(function=function, arguments=(subject,), type=of(function.result, subject), span=span)
    if isinstance(type, PieceType) and name == "space":
        return _space_of(r, subject, type, span)
    zone = names.zone_of(type, name)
    if zone is not None:
        element = SetType(element=PieceType(name=zone.kind.name))
        return ZoneSet(zone=zone, owner=subject, type=element, span=span)
    return None


def of(type: Type, *subjects: Expr) -> Type:
    """The type of something of some things: of nothing a member is none, where a flag is no and a number a fault."""
    may_be_none = isinstance(type, DomainType | TextType) and any(s.type.optional for s in subjects)
    return type.or_none() if may_be_none else type


def _needs_input(r: Expressions, name: str, key: Type, span: Span) -> Expr:
    words = in_words(key).removeprefix("a ")
    message = f"`{name}` is kept for each {words}, expected one in brackets"
    return r.error("D214", message, span, help=f"write `{name}(...)`")


def _space_of(r: Expressions, piece: Expr, type: PieceType, span: Span) -> Expr:
    board = only_board(r, "space", span)
    if board is None:
        return error_node(span)
    return SpaceOf(
        kind=r.names.kinds[type.name],
        board=board,
        piece=piece,
        type=SpaceType(name=board.space, optional=True),
        span=span,
    )


def only_board(r: Expressions, what: str, span: Span) -> BoardUse | None:
    """The board of the game; None after a report where there are several or none."""
    boards = list(r.names.boards.values())
    if len(boards) == 1:
        return boards[0]
    found = "none" if not boards else phrase(board.name for board in boards)
    r.error("D211", f"`{what}` needs a game with one board, found {found}", span)
    return None


def _candidate(r: Expressions, scope: Scope, span: Span) -> LocalRef | None:
    local = scope.it
    return None if local is None else LocalRef(local=local, type=local.type, span=span)


# ------------------------------------------------------------------------------------------- values


def named(r: Expressions, name: ast.Name, scope: Scope, expected: Type | None) -> Expr:
    """The value that a bare name stands for."""
    text, span = name.text, name.span
    local = scope.find(text)
    if local is not None:
        r.names.used.add(id(local))
        return LocalRef(local=local, type=local.type, span=span)
    it = _candidate(r, scope, span)
    if text == "it":
        if it is None:
            return r.error(
                "D209", "`it` means nothing here", span, help="`it` is the candidate of a `where` or `while`"
            )
        r.names.used.add(id(it.local))
        return it
    if it is not None:
        found = feature(r, it, text, span)
        if found is not None:
            return found
    if scope.roster is not None and text == scope.roster.name:
        return own_roster(scope.roster.members, span)
    wanted = element_of(expected) if expected is not None else None
    wanted = wanted or expected
    if isinstance(wanted, DomainType):
        index = r.names.member(wanted, text)
        if index is not None:
            return Const(type=wanted.required(), value=index, span=span)
    if text == "box":
        return _box(r, wanted, span)
    return _kept(text, span) or _declared(r, name) or _member(r, name, scope, wanted)


def _box(r: Expressions, wanted: Type | None, span: Span) -> Expr:
    """The pieces in the box, of the kind that is wanted or the only one."""
    kinds = r.names.kinds
    if isinstance(wanted, PieceType):
        kind = kinds[wanted.name]
    elif len(kinds) == 1:
        kind = next(iter(kinds.values()))
    elif r.names.broken and not kinds:
        return error_node(span)
    else:
        found = f"pieces of {phrase(kinds)}" if kinds else "no pieces"
        help = f"write `{next(iter(kinds))} where it in box`" if kinds else None
        return r.error("D211", f"`box` holds {found}, expected one kind", span, help=help)
    return BoxSet(kind=kind, type=SetType(element=PieceType(name=kind.name)), span=span)


def own_roster(variable: Variable, span: Span, *keys: Expr) -> Expr:
    """What is on the roster of `player`, or how many of something."""
    player = Current(what="player", type=PLAYER, span=span)
    return VariableRef(variable=variable, keys=(player, *keys), type=variable.type, span=span)


def _kept(text: str, span: Span) -> Expr | None:
    """What the engine itself keeps."""
    match text:
        case "player":
            return Current(what="player", type=PLAYER, span=span)
        case "winner":
            return Current(what="winner", type=PLAYER.or_none(), span=span)
        case "winners":
            return Current(what="winners", type=SetType(element=PLAYER), span=span)
        case "round number":
            return Current(what="round number", type=NUMBER, span=span)
        case "finished":
            return Current(what="finished", type=FLAG, span=span)
        case _:
            return None


def _declared(r: Expressions, name: ast.Name) -> Expr | None:
    """A declared thing that has a value."""
    text, span, names = name.text, name.span, r.names
    if text in names.options:
        option = names.options[text]
        type = option.type
        if isinstance(type, NumberType):
            type = NumberType(low=option.value, high=option.value)
        return Const(type=type, value=option.value, span=span)
    if text in names.variants:
        return Const(type=FLAG, value=int(names.variants[text].active), span=span)
    if text in names.zones:
        zone = names.zones[text]
        if zone.each_of is not None:
            whose = "player" if zone.per_player else f"`{zone.each_of.name}`"
            help = f"write `player.{text}`" if zone.per_player else f"name one of them, as in `x.{text}`"
            return r.error("D214", f"zone `{text}` is kept for each {whose}", span, help=help)
        return ZoneSet(zone=zone, type=SetType(element=PieceType(name=zone.kind.name)), span=span)
    if text in names.rosters:
        message = f"roster `{text}` is kept for each player"
        return r.error("D214", message, span, help=f"write `player.{text}`")
    if text in names.globals:
        variable = names.globals[text]
        if variable.keys:
            label = r.declared_here(text)
            key = in_words(variable.keys[0])
            return r.error("D214", f"`{text}` needs {key} in brackets", span, labels=label)
        return VariableRef(variable=variable, type=variable.type, span=span)
    domain = names.domain(text)
    if domain is not None:
        return AllOf(type=SetType(element=domain), span=span)
    if text in names.boards:
        return all_spaces(names.boards[text], span)
    if text in names.functions:
        return _called_without_inputs(r, text, span)
    if text in names.tables:
        return _rows_of(*names.tables[text], span)
    return None


def _rows_of(domain: RowDomain, table: RowTable, span: Span) -> Expr:
    """The rows of a table, as a set of members of the type that it makes or helps to make."""
    type = SetType(element=RowType(name=domain.name))
    if table.count == len(domain.members):
        return AllOf(type=type, span=span)
    return ConstSet(values=tuple(range(table.first, table.first + table.count)), type=type, span=span)


def all_spaces(board: BoardUse, span: Span) -> Expr:
    return AllOf(type=SetType(element=SpaceType(name=board.space)), span=span)


def _called_without_inputs(r: Expressions, text: str, span: Span) -> Expr:
    function = r.names.functions[text]
    result = r.result_of(function)
    if result is None:
        return r.error(
            "D212", f"`{text}` is {_form(function.form)}, expected a value", span, labels=r.declared_here(text)
        )
    if function.parameters:
        number = len(function.parameters)
        message = f"`{text}` needs {number} input{'s' if number > 1 else ''}, found none"
        inputs = ", ".join(parameter.name for parameter in function.parameters)
        return r.error("D214", message, span, labels=r.declared_here(text), help=f"write `{text}({inputs})`")
    return CallExpr(function=function, arguments=(), type=result, span=span)


def _form(form: str) -> str:
    return {"effect": "an effect", "phase": "a phase", "table": "a table of effects"}.get(form, f"a {form}")


def _visible(r: Expressions, text: str) -> list[tuple[DomainType, int]]:
    """The members of a name that may stand without a type being expected."""
    hidden = r.names.hidden
    return [found for found in r.names.members.get(text, ()) if found[0] not in hidden]


def _member(r: Expressions, name: ast.Name, scope: Scope, expected: Type | None) -> Expr:
    text, span = name.text, name.span
    found = _visible(r, text)
    if len(found) == 1:
        return Const(type=found[0][0], value=found[0][1], span=span)
    if len(found) > 1:
        listed = " and ".join(in_words(type) for type, _ in found)
        help = "compare it with something of one of these types, or name one of them otherwise"
        return r.error("D211", f"`{text}` could be {listed}", span, help=help)
    if isinstance(expected, _Named) and text not in r.names.broken and text not in r.names.places:
        members = r.names.member_names(expected)
        elsewhere = did_you_mean(text, names_here(r, scope))
        if elsewhere is None or did_you_mean(text, members) is not None:
            return _not_a_member(r, text, expected, span)
    if text in r.names.places and text not in r.names.broken:
        labels = r.declared_here(text)
        return r.error(
            "D233", f"`{text}` is not known before play", span, labels=labels, help="use numbers and options only"
        )
    return r.unknown("name", text, span, names_here(r, scope))


_Named = EnumType | RowType | PlayerType | SpaceType | DirectionType


def names_here(r: Expressions, scope: Scope) -> Iterator[str]:
    """Every name that would mean something in a scope."""
    yield from scope.local_names()
    if scope.it is not None:
        yield from r.names.features_of(scope.it.type)
    yield from r.names.all_names()


def _not_a_member(r: Expressions, text: str, type: Type, span: Span) -> Expr:
    if text in r.names.broken:
        return error_node(span)
    members = r.names.member_names(type)
    notes: tuple[str, ...] = () if len(members) > 12 else (f"its members: {phrase(members)}",)
    title = in_words(type).removeprefix("a ")
    if isinstance(type, SpaceType | DirectionType):
        board = r.names.spaces[type.name] if isinstance(type, SpaceType) else r.names.boards[type.name]
        what = "space" if isinstance(type, SpaceType) else "direction"
        notes = notes if what == "direction" else ()
        return r.error(
            "D217", f"board `{board.name}` has no {what} `{text}`", span, notes=notes, help=did_you_mean(text, members)
        )
    if isinstance(type, PlayerType):
        notes = r.names.absent_player(text) or notes
        return r.error("D217", f"no player is called `{text}`", span, notes=notes, help=did_you_mean(text, members))
    if isinstance(type, EnumType) and type in r.names.hidden:
        title = f"`{type.name}`"
        notes = (f"its words: {phrase(members)}",)
    return r.error("D217", f"{title} has no `{text}`", span, notes=notes, help=did_you_mean(text, members))


def needs_other_side(r: Expressions, node: ast.Expr, scope: Scope) -> bool:
    """Whether an expression is a name that is a member of several things, or of one where its type is expected; or a
    bearing that may be a way of several enums."""
    while isinstance(node, ast.Bracketed):
        node = node.inner
    if _is_open_bearing(r, node, scope):
        return True
    if not isinstance(node, ast.NamedThing) or not is_only_member(r, node, scope):
        return False
    return len(_visible(r, node.name.text)) != 1


def reads_second_first(r: Expressions, left: ast.Expr, right: ast.Expr, scope: Scope) -> bool:
    """Whether the left side of a comparison is understood by the right one."""
    if not needs_other_side(r, left, scope):
        return False
    return not is_only_member(r, right, scope) or not is_only_member(r, left, scope)


def _is_open_bearing(r: Expressions, node: ast.Expr, scope: Scope) -> bool:
    """Whether an expression is a bearing that does not say of which of several clockwise enums it is a way."""
    if not isinstance(node, ast.Apply) or not isinstance(node.base, ast.NamedThing) or len(node.args) != 2:
        return False
    is_built_in = node.base.name.text == "bearing" and scope.find("bearing") is None
    return is_built_in and sum(enum.clockwise for enum in r.names.enums.values()) > 1


def is_only_member(r: Expressions, node: ast.Expr, scope: Scope) -> bool:
    """Whether an expression is a name that means nothing but a member of something."""
    while isinstance(node, ast.Bracketed):
        node = node.inner
    if not isinstance(node, ast.NamedThing):
        return False
    text = node.name.text
    if scope.find(text) is not None or text not in r.names.members:
        return False
    it = scope.it
    if it is not None and text in r.names.features_of(it.type):
        return False
    return text not in r.names.places and _kept(text, node.span) is None


# ------------------------------------------------------------------------------------------- conditions


def named_condition(r: Expressions, name: ast.Name, scope: Scope) -> Expr | None:
    """What a bare name asks where yes or no is wanted; None where it is read as a value like any other."""
    if scope.find(name.text) is not None:
        return None
    subject = _candidate(r, scope, name.span)
    if subject is None:
        return None
    found = _asked_of(r, subject, name)
    if found is not None:
        r.names.used.add(id(subject.local))
    return found


def _asked_of(r: Expressions, subject: Expr, name: ast.Name) -> Expr | None:
    """Whether a flag, a relation of one input, or the only field of some enum says so of a thing."""
    text, span = name.text, name.span
    if is_error(subject.type):
        return None
    if text in r.names.features_of(subject.type):
        found = feature(r, subject, text, span)
        return found if found is not None and isinstance(found.type, FlagType) else None
    function = r.names.functions.get(text)
    if function is not None and len(function.parameters) == 1 and isinstance(r.result_of(function), FlagType):
        parameter = function.parameters[0]
        if fits(subject.type, parameter.type):
            return CallExpr(function=function, arguments=(subject,), type=FLAG, span=span)
        return None
    return _only_enum(r, subject, name)


def _only_enum(r: Expressions, subject: Expr, name: ast.Name) -> Expr | None:
    """The field or attribute of a thing that equals a member, where just one has a type with such a member."""
    owners: list[tuple[str, DomainType]] = []
    row = r.names.row_of(subject.type)
    columns = r.names.columns_of(row.type) if row is not None else []
    for features in (r.names.own_features_of(subject.type), columns):
        for feature_name in () if owners else features:
            type = _feature_type(r, subject.type, feature_name)
            if isinstance(type, EnumType | RowType | PlayerType) and r.names.member(type, name.text) is not None:
                owners.append((feature_name, type))
    if len(owners) != 1:
        return None
    held = feature(r, subject, owners[0][0], name.span)
    index = r.names.member(owners[0][1], name.text)
    if held is None or index is None:
        return None
    member = Const(type=owners[0][1].required(), value=index, span=name.span)
    return r.equality(held, member, name.span)


def _feature_type(r: Expressions, owner: Type, name: str) -> Type | None:
    attribute = r.names.attribute_of(owner, name)
    if attribute is not None:
        return attribute.type
    variable = r.names.field_of(owner, name)
    if variable is not None:
        return variable.type if len(variable.keys) == 1 else None
    row = r.names.row_of(owner)
    column = r.names.attribute_of(row.type, name) if row is not None else None
    return column.type if column is not None else None


def is_(r: Expressions, node: ast.Is, scope: Scope) -> Expr:
    """`left is [not] right`."""
    right = node.right
    while isinstance(right, ast.Bracketed):
        right = right.inner
    if reads_second_first(r, node.left, right, scope):
        second = r.read(right, scope)
        return r.equality(r.read(node.left, scope, second.type), second, node.span, negated=node.negated)
    left = r.read(node.left, scope)
    if isinstance(right, ast.NamedThing) and scope.find(right.name.text) is None:
        if is_error(left.type):
            return error_node(node.span)
        found = _is_word(r, left, right.name, node, scope)
        if found is not None:
            return r.negation(found, node.span) if node.negated and not is_error(found.type) else found
    return r.equality(left, r.read(right, scope, left.type), node.span, negated=node.negated)


def _is_word(r: Expressions, left: Expr, word: ast.Name, node: ast.Is, scope: Scope) -> Expr | None:
    """The meaning of a word after `is` that is more than a value to compare with."""
    text, span = word.text, node.span
    if text == "empty":
        if isinstance(left.type, SpaceType):
            return Empty(board=r.names.spaces[left.type.name], space=left, type=FLAG, span=span)
        if element_of(left.type) is not None:
            return r.negation(Exists(set=left, type=FLAG, span=span), span)
    left = r.only_piece(left)
    if isinstance(left.type, DomainType) and r.names.member(left.type, text) is not None:
        return None
    found = _asked_of(r, left, word)
    if found is not None:
        return found
    if isinstance(left.type, FlagType | NoneType | NumberType) or text in r.names.places or text in _KEPT:
        return None
    if scope.it is not None and text in r.names.features_of(scope.it.type):
        return None  # what the candidate of a condition has, said of nothing else
    if isinstance(left.type, DomainType) and not _visible(r, text):
        return _no_such_word(r, left.type, word)
    return None


_KEPT = ("player", "winner", "winners", "it", "round number", "finished")


def _no_such_word(r: Expressions, type: DomainType, word: ast.Name) -> Expr:
    """A word after `is` that nothing about the left side explains."""
    if word.text in r.names.broken:
        return error_node(word.span)
    if isinstance(type, EnumType | RowType | PlayerType):
        return _not_a_member(r, word.text, type, word.span)
    words = [name for name in r.names.features_of(type) if isinstance(_feature_type(r, type, name), FlagType)]
    words += [
        name
        for name, function in r.names.functions.items()
        if function.form == "relation" and len(function.parameters) == 1 and fits(type, function.parameters[0].type)
    ]
    help = did_you_mean(word.text, words)
    if help is None and words:
        help = f"expected one of {phrase(words[:8])}"
    return r.error("D217", f"nothing says whether {in_words(type)} is `{word.text}`", word.span, help=help)
