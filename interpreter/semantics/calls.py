"""What stands after a dot, takes inputs in brackets, or is said `of` something.

`w.dice`, `dice of w` and `dice(w)` are three ways to ask one thing, so they meet here: a dot names what a thing has,
brackets call a value, relation, table or built-in, and `of` does either. A field kept for each of something takes its
key in brackets: `player.entry(b)`.

Invariant: a call has as many inputs as its declaration, each of a type that fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.diagnostics import Label, Span
from interpreter.semantics import builtins, names_in
from interpreter.semantics.describe import in_words
from interpreter.semantics.fit import element_of, is_error
from interpreter.semantics.model import (
    BoardUse,
    CallExpr,
    ConstSet,
    Expr,
    FigureRef,
    Filter,
    Function,
    LinkAttribute,
    Local,
    LocalRef,
    MapGet,
    Variable,
    VariableRef,
)
from interpreter.semantics.reporter import error_node
from interpreter.semantics.scopes import Scope
from interpreter.semantics.types import (
    DomainType,
    ListType,
    MapType,
    NumberType,
    SetType,
    SpaceType,
    Type,
)
from interpreter.syntax import ast

if TYPE_CHECKING:
    from interpreter.semantics.expressions import Expressions

__all__ = ["apply", "arguments", "column_call", "member", "of_call"]


# ------------------------------------------------------------------------------------------- after a dot


def member(r: Expressions, node: ast.Member, scope: Scope, expected: Type | None) -> Expr:
    """`base.name`."""
    base = _plain(node.base)
    if isinstance(base, ast.LinkBetween):
        return _link_attribute(r, base, node.name, scope, node.span)
    if isinstance(base, ast.NamedThing) and scope.find(base.name.text) is None:
        board = r.names.boards.get(base.name.text)
        if board is not None:
            return _region(r, board, node.name, node.span)
    subject = r.only_piece(r.read(base, scope))
    return _feature(r, subject, node.name, node.span)


def _feature(r: Expressions, subject: Expr, name: ast.Name, span: Span) -> Expr:
    if is_error(subject.type):
        return error_node(span)
    found = names_in.feature(r, subject, name.text, span)
    if found is not None:
        return found
    if column_call(r, subject, name.text, span) is not None:
        return r.error("D212", f"`{name.text}` is an effect, expected a value", name.span)
    words = in_words(subject.type)
    if element_of(subject.type) is not None:
        return r.error("D219", f"{words} has no `{name.text}`", name.span, help="name one of its members first")
    return r.lacks(f"{words} has no", name.text, name.span, r.names.features_of(subject.type))


def column_call(r: Expressions, subject: Expr, name: str, span: Span) -> tuple[Function, Expr] | None:
    """The column of a table that is worked out or carried out, of a row or of a piece that stands for one, and its
    input."""
    for thing in (subject, names_in.row_of(r, subject, span)):
        function = r.names.column_function(thing.type, name) if thing is not None else None
        if function is not None and thing is not None:
            return function, thing
    return None


def _plain(node: ast.Expr) -> ast.Expr:
    while isinstance(node, ast.Bracketed):
        node = node.inner
    return node


def _region(r: Expressions, board: BoardUse, name: ast.Name, span: Span) -> Expr:
    region = board.board.regions.get(name.text)
    if region is None:
        return r.lacks(f"board `{board.name}` has no region", name.text, name.span, board.board.regions)
    return ConstSet(values=region, type=SetType(element=SpaceType(name=board.space)), span=span)


def _link_attribute(r: Expressions, link: ast.LinkBetween, name: ast.Name, scope: Scope, span: Span) -> Expr:
    start = r.read(link.start, scope)
    end = r.read(link.end, scope, start.type)
    if is_error(start.type) or is_error(end.type):
        return error_node(span)
    if not isinstance(start.type, SpaceType):
        return r.mismatch("a space after `from`", start.type, start.span)
    if is_error(r.want(end, start.type).type):
        return error_node(span)
    board = r.names.spaces[start.type.name]
    if name.text not in board.board.link_attributes:
        known = board.board.link_attributes
        return r.lacks(f"links of `{board.name}` have no", name.text, name.span, known)
    type = r.names.link_types[board.name, name.text]
    return LinkAttribute(board=board, attribute=name.text, start=start, end=end, type=type, span=span)


# ------------------------------------------------------------------------------------------- with inputs


def apply(r: Expressions, node: ast.Apply, scope: Scope, expected: Type | None) -> Expr:
    """`base(inputs)`."""
    base = _plain(node.base)
    if isinstance(base, ast.Member):
        return _keyed_field(r, base, node, scope)
    if not isinstance(base, ast.NamedThing):
        r.read(base, scope)
        return r.error("D212", "this takes no inputs in brackets", node.span)
    name = base.name
    local = scope.find(name.text)
    if local is not None:
        return _chosen_for(r, local, node, scope)
    function = r.names.functions.get(name.text)
    if function is not None:
        result = r.result_of(function)
        if result is None:
            form = "a phase" if function.form == "phase" else "an effect"
            labels = r.declared_here(name.text)
            return r.error("D212", f"`{name.text}` is {form}, expected a value", node.span, labels=labels)
        inputs = arguments(r, function, node.args, scope, node.span)
        return error_node(node.span) if inputs is None else _called(function, inputs, result, node.span)
    variable = r.names.globals.get(name.text)
    if variable is not None:
        keys = _keys(r, name.text, variable.keys, node.args, scope, node.span)
        return error_node(node.span) if keys is None else _held(variable, keys, node.span)
    builtin = builtins.BUILTINS.get(name.text)
    if builtin is not None:
        return builtins.call(r, builtin, list(node.args), None, scope, expected, node.span)
    if scope.roster is not None and name.text == scope.roster.name:
        counted = scope.roster.copies or scope.roster.members
        keys = _keys(r, name.text, counted.keys[1:], node.args, scope, node.span)
        return error_node(node.span) if keys is None else names_in.own_roster(counted, node.span, *keys)
    it = scope.it
    if it is not None:
        subject = LocalRef(local=it, type=it.type, span=name.span)
        found = _with_inputs(r, subject, name.text, node, scope)
        if found is not None:
            r.names.used.add(id(it))
            return found
    if name.text in r.names.places:
        labels = r.declared_here(name.text)
        return r.error("D212", f"`{name.text}` takes no inputs", node.span, labels=labels)
    return r.unknown("value or relation", name.text, name.span, [*r.names.functions, *builtins.BUILTINS])


def _called(function: Function, inputs: Sequence[Expr], result: Type, span: Span) -> Expr:
    return CallExpr(function=function, arguments=tuple(inputs), type=result, span=span)


def _held(variable: Variable, keys: Sequence[Expr], span: Span) -> Expr:
    return VariableRef(variable=variable, keys=tuple(keys), type=names_in.of(variable.type, *keys), span=span)


def _chosen_for(r: Expressions, local: Local, node: ast.Apply, scope: Scope) -> Expr:
    """`aim(a)`: what was chosen for one of the things of an assignment."""
    r.names.used.add(id(local))
    if not isinstance(local.type, MapType):
        if is_error(local.type):
            return error_node(node.span)
        label = Label(local.span, f"`{local.name}` is {in_words(local.type)}")
        return r.error("D212", f"`{local.name}` takes no inputs", node.span, labels=(label,))
    keys = _keys(r, local.name, (local.type.key,), node.args, scope, node.span)
    if keys is None:
        return error_node(node.span)
    return MapGet(local=local, key=keys[0], type=local.type.value, span=node.span)


def _keyed_field(r: Expressions, base: ast.Member, node: ast.Apply, scope: Scope) -> Expr:
    """`player.entry(b)`."""
    subject = r.only_piece(r.read(base.base, scope))
    if is_error(subject.type):
        return error_node(node.span)
    found = _with_inputs(r, subject, base.name.text, node, scope)
    if found is not None:
        return found
    found = _feature(r, subject, base.name, base.span)
    if is_error(found.type):
        return found
    return r.error("D212", f"`{base.name.text}` takes no inputs", node.span)


def _with_inputs(r: Expressions, subject: Expr, name: str, node: ast.Apply, scope: Scope) -> Expr | None:
    """A field or figure of a thing that is kept for each of something; None where it has none of that name."""
    variable = r.names.field_of(subject.type, name)
    if variable is not None and variable.roster is not None:
        variable = variable.roster.copies or variable
    if variable is not None:
        keys = _keys(r, name, variable.keys[1:], node.args, scope, node.span)
        return error_node(node.span) if keys is None else _held(variable, (subject, *keys), node.span)
    for thing in (subject, names_in.row_of(r, subject, node.span)):
        figure = r.names.figure_of(thing.type, name) if thing is not None else None
        if figure is None or thing is None:
            continue
        keys = _keys(r, name, (figure.by,), node.args, scope, node.span)
        if keys is None or is_error(keys[0].type):
            return error_node(node.span)
        type = _figure_type(figure.type, thing, keys[0])
        return FigureRef(figure=figure, subject=thing, member=keys[0], type=type, span=node.span)
    return None


def _figure_type(type: Type, row: Expr, member: Expr) -> Type:
    """The type of a figure; for a member that may be none it may be a blank, which is 0 for a number."""
    if isinstance(type, NumberType):
        return NumberType(low=min(type.low, 0), high=max(type.high, 0)) if member.type.optional else type
    return names_in.of(type, row, member)


def _keys(
    r: Expressions, name: str, types: Sequence[Type], nodes: Sequence[ast.Expr], scope: Scope, span: Span
) -> list[Expr] | None:
    if len(types) != len(nodes):
        wanted = "no inputs" if not types else f"{len(types)} input{'s' if len(types) > 1 else ''}"
        r.error("D214", f"`{name}` needs {wanted}, found {len(nodes)}", span, labels=r.declared_here(name))
        return None
    return [r.value(node, scope, type) for node, type in zip(nodes, types, strict=True)]


def arguments(
    r: Expressions, function: Function, nodes: Sequence[ast.Expr], scope: Scope, span: Span
) -> tuple[Expr, ...] | None:
    """The inputs of a call, or None after a report of their number."""
    wanted = len(function.parameters)
    if wanted != len(nodes):
        inputs = "no inputs" if not wanted else f"{wanted} input{'s' if wanted > 1 else ''}"
        label = Label(function.span, f"`{function.name}` is declared here")
        r.error("D214", f"`{function.name}` needs {inputs}, found {len(nodes)}", span, labels=(label,))
        return None
    found = []
    for parameter, node in zip(function.parameters, nodes, strict=True):
        value = r.value(node, scope, parameter.type)
        found.append(as_set(value, parameter.type))
    return tuple(found)


def as_set(value: Expr, wanted: Type) -> Expr:
    """An order, where a set is wanted, as the set of its members."""
    if isinstance(wanted, SetType) and isinstance(value.type, ListType):
        local = Local(name="it", type=value.type.element, span=value.span)
        return Filter(local=local, source=value, type=SetType(element=value.type.element), span=value.span)
    return value


# ------------------------------------------------------------------------------------------- of


def of_call(r: Expressions, node: ast.OfCall, scope: Scope, expected: Type | None) -> Expr:
    """`name of arg [by kind]`."""
    name = node.name
    function = r.names.functions.get(name.text)
    if function is not None:
        _no_kind_of_link(r, node)
        applied = ast.Apply(base=ast.NamedThing(name=name, span=name.span), args=(node.arg,), span=node.span)
        return apply(r, applied, scope, expected)
    builtin = builtins.BUILTINS.get(name.text)
    if builtin is not None:
        return builtins.call(r, builtin, [node.arg], node.by, scope, expected, node.span)
    _no_kind_of_link(r, node)
    if name.text in r.names.kinds:
        kind = r.names.kinds[name.text]
        help = f"write `{name.text} where owner is ...`" if "owner" in kind.attributes else None
        return r.error("D212", f"`{name.text}` is a kind of piece, expected a value", name.span, help=help)
    subject = r.only_piece(r.read(node.arg, scope))
    if is_error(subject.type):
        return error_node(node.span)
    if isinstance(subject.type, DomainType) and name.text in r.names.features_of(subject.type):
        return _feature(r, subject, name, node.span)
    known = [*r.names.functions, *builtins.BUILTINS, *r.names.features_of(subject.type)]
    return r.unknown("value or relation", name.text, name.span, known)


def _no_kind_of_link(r: Expressions, node: ast.OfCall) -> None:
    if node.by is not None:
        r.error("D212", f"`by {node.by.text}` belongs after `neighbours of` or `distance`", node.by.span)
