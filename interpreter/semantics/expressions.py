"""Expressions: from syntax to typed nodes.

One method for each form of expression, chosen by its class. What a bare name means is decided in `names_in`, what
stands after a dot or takes inputs in `calls`, and sets in `sets`; those modules hold functions over the reader made
here, since the three depend on one another as expressions do.

The type that is expected is passed down only to choose between members of the same name; whether the result fits is
checked by whoever expects it. Where yes or no is wanted, a bare name may also be a flag, a relation of one input, or
a member of the only enum among the candidate's fields: that is `condition`.

Invariant: every expression read gives a node; where something was wrong, an error node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from interpreter.diagnostics import Label, Span
from interpreter.semantics import calls, names_in, sets
from interpreter.semantics.describe import in_words
from interpreter.semantics.fit import arithmetic_type, element_of, fits, is_error, join
from interpreter.semantics.model import (
    Arithmetic,
    Compare,
    Conditional,
    Const,
    ConstSet,
    DiceExpr,
    Exists,
    Expr,
    Function,
    InSet,
    Local,
    LocalRef,
    Logic,
    Not,
    PieceOn,
    PiecesOn,
    RolledDice,
    Template,
    VariableRef,
)
from interpreter.semantics.reporter import Reporter, error_node
from interpreter.semantics.scopes import Scope
from interpreter.semantics.symbols import Names
from interpreter.semantics.types import (
    ERROR,
    FLAG,
    NUMBER,
    NUMBER_HIGH,
    NUMBER_LOW,
    DomainType,
    EnumType,
    FlagType,
    MapType,
    NoneType,
    NumberType,
    PieceType,
    SetType,
    SpaceType,
    TextType,
    Type,
)
from interpreter.syntax import ast

__all__ = ["Expressions", "constant_number", "plain", "rolled_dice"]

_Reading = Callable[["Expressions", Any, Scope, Type | None], Expr]


def plain(node: ast.Expr) -> ast.Expr:
    """An expression without the brackets around it."""
    while isinstance(node, ast.Bracketed):
        node = node.inner
    return node


def constant_number(value: int, span: Span) -> Const:
    return Const(type=NumberType(low=value, high=value), value=value, span=span)


class Expressions(Reporter):
    """Reads expressions of one game."""

    def __init__(self, names: Names, finish: Callable[[Function], None] | None = None) -> None:
        super().__init__(names)
        self._finish = finish
        self.under_way: list[Function] = []
        self.circular: set[Function] = set()
        self.dice: list[RolledDice] | None = None  # where dice are asked about: those read so far, each a local

    def result_of(self, function: Function) -> Type | None:
        """The type a function gives; None for effects and phases, an error type inside its own definition."""
        if function.result is None and function.form == "value":
            if function in self.under_way:
                self._report_circle(function)
            elif self._finish is not None:
                self._finish(function)
            return function.result or ERROR
        return function.result

    def _report_circle(self, function: Function) -> None:
        """Reports D223 for a value whose type is needed to know its type."""
        circle = self.under_way[self.under_way.index(function) :]
        ways = " -> ".join(f"`{one.name}`" for one in (*circle, function))
        labels = tuple(Label(one.span, f"`{one.name}` is declared here") for one in circle[1:4])
        self.error("D223", f"`{function.name}` needs itself: {ways}", function.span, labels=labels)
        self.circular.update(circle)
        function.result = ERROR

    # -- what is wanted

    def read(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> Expr:
        """The expression, whatever its type; `expected` only chooses between members of one name."""
        return _READINGS[type(node)](self, node, scope, expected)

    def value(self, node: ast.Expr, scope: Scope, expected: Type) -> Expr:
        """The expression, which must fit a type."""
        if isinstance(expected, FlagType):
            return self.condition(node, scope)
        found = self.read(node, scope, expected)
        if isinstance(expected, PieceType):
            found = self.only_piece(found)
        return self.want(found, expected)

    def number(self, node: ast.Expr, scope: Scope) -> Expr:
        return self.value(node, scope, NUMBER)

    def constant(self, node: ast.Expr, what: str, scope: Scope | None = None) -> int | None:
        """A number known before play, or None after a report of D233."""
        found = self.number(node, scope or Scope())
        if isinstance(found, Const) and not is_error(found.type):
            return found.value
        if not is_error(found.type):
            self.error("D233", f"{what} must be known before play", node.span, help="use numbers and options only")
        return None

    def only_piece(self, found: Expr) -> Expr:
        """The piece itself where a kind with a single piece is named for it."""
        element = element_of(found.type)
        if (
            isinstance(found, sets.AllOf)
            and isinstance(element, PieceType)
            and self.names.kinds[element.name].count == 1
        ):
            return Const(type=element, value=0, span=found.span)
        return found

    def template(self, text: ast.Text, scope: Scope) -> Template:
        """Text with the expressions in its braces."""
        parts: list[str | Expr] = []
        for part in text.parts:
            if isinstance(part, str):
                parts.append(part)
                continue
            found = self.read(part, scope)
            if isinstance(found.type, MapType | NoneType):
                found = self.mismatch("something with a name", found.type, part.span)
            parts.append(found)
        return Template(parts=tuple(parts), span=text.span)

    # -- conditions

    def condition(self, node: ast.Expr, scope: Scope) -> Expr:
        """The expression as yes or no."""
        match node:
            case ast.Bracketed(inner=inner):
                return self.condition(inner, scope)
            case ast.NamedThing(name=name):
                found = names_in.named_condition(self, name, scope)
                if found is not None:
                    return found
            case ast.Things(condition=condition) if condition is not None:
                return self.error(
                    "D218",
                    "expected a condition, found a set of things",
                    node.span,
                    help="begin with `some` or `no`, as in `some pool where ...`",
                )
        found = self.read(node, scope, FLAG)
        if fits(found.type, FLAG):
            return found
        help = "a condition after `where` ends with its line; brackets end it earlier" if _holds_where(node) else None
        if element_of(found.type) is not None:
            help = "to ask whether there are any, begin with `some` or `no`"
        return self.error("D218", f"expected a condition, found {in_words(found.type)}", node.span, help=help)

    def logic(self, op: Literal["and", "or"], left: Expr, right: Expr, span: Span) -> Expr:
        """`and` or `or`, with what is known before play left out."""
        if isinstance(left, Const) and not is_error(left.type):
            decides = bool(left.value) is (op == "or")
            return left if decides else right
        return Logic(op=op, left=left, right=right, type=FLAG, span=span)

    def negation(self, inner: Expr, span: Span) -> Expr:
        if isinstance(inner, Const):
            return Const(type=inner.type, value=0 if inner.value else 1, span=span)
        return Not(inner=inner, type=FLAG, span=span)

    # -- numbers

    def arithmetic(
        self, op: Literal["+", "-", "*", "div", "mod", "min", "max"], left: Expr, right: Expr, span: Span
    ) -> Expr:
        """Arithmetic, carried out where both sides are known before play."""
        if is_error(left.type) or is_error(right.type):
            return error_node(span)
        if isinstance(right, Const) and right.value == 0 and op in ("div", "mod"):
            return self.error("D232", "division by 0", span)
        if isinstance(left, Const) and isinstance(right, Const):
            return self.within_bounds(_computed(op, left.value, right.value), span)
        return Arithmetic(op=op, left=left, right=right, type=arithmetic_type(op, left.type, right.type), span=span)

    def within_bounds(self, value: int, span: Span) -> Expr:
        """A number known before play; an error node where no number can be so large."""
        if NUMBER_LOW <= value <= NUMBER_HIGH:
            return constant_number(value, span)
        message = f"a number of {len(str(abs(value)))} digits, expected {NUMBER_LOW} to {NUMBER_HIGH}"
        return self.error("D232", message, span)

    # -- comparing

    def pair(self, left: ast.Expr, right: ast.Expr, scope: Scope) -> tuple[Expr, Expr]:
        """Two sides of a comparison: a side that is only a member's name is understood by the other."""
        if names_in.reads_second_first(self, left, right, scope):
            second = self.read(right, scope)
            return self.read(left, scope, second.type), second
        first = self.read(left, scope)
        return first, self.read(right, scope, first.type)

    def equality(self, left: Expr, right: Expr, span: Span, *, negated: bool = False) -> Expr:
        """Whether two things are the same, after checking that they can be."""
        left, right = self._pieces(left, right)
        if is_error(left.type) or is_error(right.type):
            return error_node(span)
        if isinstance(left.type, TextType) and isinstance(right.type, TextType):
            return self.incomparable(left, right, span)
        if isinstance(right.type, NoneType) or isinstance(left.type, NoneType):
            other = left.type if isinstance(right.type, NoneType) else right.type
            if not isinstance(other, DomainType | NumberType | NoneType):
                return self.error("D216", f"cannot compare {in_words(other)} with `none`", span)
        elif join(left.type, right.type) is None or element_of(left.type) is not None:
            return self.incomparable(left, right, span)
        if isinstance(left, Const) and isinstance(right, Const):
            return Const(type=FLAG, value=int((left.value == right.value) is not negated), span=span)
        return Compare(op="!=" if negated else "=", left=left, right=right, type=FLAG, span=span)

    def _pieces(self, left: Expr, right: Expr) -> tuple[Expr, Expr]:
        if isinstance(right.type, PieceType):
            left = self.only_piece(left)
        if isinstance(left.type, PieceType):
            right = self.only_piece(right)
        return left, right

    def incomparable(self, left: Expr, right: Expr, span: Span) -> Expr:
        if is_error(left.type) or is_error(right.type):
            return error_node(span)
        sides = f"{in_words(left.type)} with {in_words(right.type)}"
        labels = (
            Label(left.span, f"this is {in_words(left.type)}"),
            Label(right.span, f"this is {in_words(right.type)}"),
        )
        help = None
        if isinstance(left.type, EnumType) and left.type.required() == right.type.required():
            help = "compare `number of` each"
        elif element_of(left.type) is not None and element_of(right.type) is not None:
            help = "compare `count of` each"
        elif isinstance(left.type, TextType) or isinstance(right.type, TextType):
            help = "a text is for people: compare the things that have it"
        return self.error("D216", f"cannot compare {sides}", span, labels=labels, help=help)


def _holds_where(node: ast.Expr) -> bool:
    return isinstance(node, ast.Things | ast.OfFiltered | ast.Aggregate)


def _computed(op: str, a: int, b: int) -> int:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "div":
            return a // b
        case "mod":
            return a % b
        case "min":
            return min(a, b)
        case _:
            return max(a, b)


# ------------------------------------------------------------------------------------------- one form each


def _named(r: Expressions, node: ast.NamedThing, scope: Scope, expected: Type | None) -> Expr:
    return names_in.named(r, node.name, scope, expected)


def _number(r: Expressions, node: ast.Number, scope: Scope, expected: Type | None) -> Expr:
    return r.within_bounds(node.value, node.span)


def _flag(r: Expressions, node: ast.Flag, scope: Scope, expected: Type | None) -> Expr:
    return Const(type=FLAG, value=int(node.value), span=node.span)


def _none(r: Expressions, node: ast.NoneThere, scope: Scope, expected: Type | None) -> Expr:
    return Const(type=NoneType(optional=True), value=-1, span=node.span)


def _bracketed(r: Expressions, node: ast.Bracketed, scope: Scope, expected: Type | None) -> Expr:
    return r.read(node.inner, scope, expected)


def _negate(r: Expressions, node: ast.Negate, scope: Scope, expected: Type | None) -> Expr:
    inner = r.number(node.inner, scope)
    return r.arithmetic("-", constant_number(0, node.span), inner, node.span)


def _arithmetic(r: Expressions, node: ast.Arithmetic, scope: Scope, expected: Type | None) -> Expr:
    return r.arithmetic(node.op, r.number(node.left, scope), r.number(node.right, scope), node.span)


def _compare(r: Expressions, node: ast.Compare, scope: Scope, expected: Type | None) -> Expr:
    left, right = r.pair(node.left, node.right, scope)
    if node.op in ("=", "!="):
        return r.equality(left, right, node.span, negated=node.op == "!=")
    if is_error(left.type) or is_error(right.type):
        return error_node(node.span)
    if not isinstance(left.type, NumberType) or not isinstance(right.type, NumberType):
        return r.incomparable(left, right, node.span)
    if isinstance(left, Const) and isinstance(right, Const):
        a, b = left.value, right.value
        holds = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[node.op]
        return Const(type=FLAG, value=int(holds), span=node.span)
    return Compare(op=node.op, left=left, right=right, type=FLAG, span=node.span)


def _is(r: Expressions, node: ast.Is, scope: Scope, expected: Type | None) -> Expr:
    return names_in.is_(r, node, scope)


def _in(r: Expressions, node: ast.In, scope: Scope, expected: Type | None) -> Expr:
    if names_in.needs_other_side(r, node.left, scope):
        domain = sets.whole(r, node.domain, scope)
        element = r.read(node.left, scope, element_of(domain.type))
    else:
        element = r.read(node.left, scope)
        domain = sets.whole(r, node.domain, scope, element.type)
    inner = element_of(domain.type)
    element = r.only_piece(element)
    if inner is None or is_error(element.type):
        return error_node(node.span)
    if join(element.type, inner) is None:
        words = f"{in_words(element.type)} cannot be in {in_words(domain.type)}"
        return r.error("D216", words, node.span)
    found = InSet(element=element, set=domain, type=FLAG, span=node.span)
    return r.negation(found, node.span) if node.negated else found


def _at_mark(r: Expressions, node: ast.AtMark, scope: Scope, expected: Type | None) -> Expr:
    track = r.read(node.track, scope)
    if is_error(track.type):
        return error_node(node.span)
    if not isinstance(track, VariableRef) or not track.variable.is_track:
        return r.mismatch("a track before `at`", track.type, node.track.span)
    steps = track.variable.marks.get(node.mark.text)
    if steps is None:
        return r.lacks(
            f"track `{track.variable.name}` has no mark", node.mark.text, node.mark.span, track.variable.marks
        )
    marked = ConstSet(values=steps, type=SetType(element=NUMBER), span=node.mark.span)
    return InSet(element=track, set=marked, type=FLAG, span=node.span)


def _and(r: Expressions, node: ast.And, scope: Scope, expected: Type | None) -> Expr:
    return r.logic("and", r.condition(node.left, scope), r.condition(node.right, scope), node.span)


def _or(r: Expressions, node: ast.Or, scope: Scope, expected: Type | None) -> Expr:
    return r.logic("or", r.condition(node.left, scope), r.condition(node.right, scope), node.span)


def _not(r: Expressions, node: ast.Not, scope: Scope, expected: Type | None) -> Expr:
    return r.negation(r.condition(node.inner, scope), node.span)


def _conditional(r: Expressions, node: ast.Conditional, scope: Scope, expected: Type | None) -> Expr:
    condition = r.condition(node.condition, scope)
    then = r.read(node.then, scope, expected)
    other = r.read(node.otherwise, scope, expected or then.type)
    type = join(then.type, other.type)
    if type is None:
        labels = (Label(then.span, f"this is {in_words(then.type)}"),)
        message = f"expected {in_words(then.type)} after `else` as after `then`, found {in_words(other.type)}"
        return r.error("D215", message, other.span, labels=labels)
    if isinstance(condition, Const) and not is_error(condition.type):
        return then if condition.value else other
    return Conditional(condition=condition, then=then, otherwise=other, type=type, span=node.span)


def rolled_dice(r: Expressions, node: ast.Dice) -> Expr:
    """Some dice; reports D232 for what cannot be rolled."""
    if not 1 <= node.count <= 100 or not 1 <= node.faces <= 1000:
        return r.error("D232", f"`{node.count}d{node.faces}` is not a roll of 1 to 100 dice", node.span)
    type = NumberType(low=node.count, high=node.count * node.faces)
    return DiceExpr(count=node.count, faces=node.faces, type=type, span=node.span)


def _dice(r: Expressions, node: ast.Dice, scope: Scope, expected: Type | None) -> Expr:
    if r.dice is not None:
        dice = rolled_dice(r, node)
        if not isinstance(dice, DiceExpr):
            return dice
        local = Local(name=f"roll {dice.count}d{dice.faces}", type=dice.type, span=node.span)
        r.dice.append(RolledDice(local=local, count=dice.count, faces=dice.faces))
        return LocalRef(local=local, type=dice.type, span=node.span)
    return r.error(
        "D224",
        "dice are rolled only as the whole right side of `let`, `set`, `+` or `-` in an effect",
        node.span,
        help=f"write `let result = roll {node.count if node.count > 1 else ''}d{node.faces}` on a line before",
    )


def _piece_on(r: Expressions, node: ast.PieceOn, scope: Scope, expected: Type | None) -> Expr:
    space = r.read(node.space, scope)
    kind = r.names.kinds.get(node.kind.text)
    if kind is None:
        return r.unknown("kind of piece", node.kind.text, node.kind.span, r.names.kinds, code="D213")
    if is_error(space.type):
        return error_node(node.span)
    element = element_of(space.type)
    if isinstance(element, SpaceType):
        board, pieces = r.names.spaces[element.name], SetType(element=PieceType(name=kind.name))
        return PiecesOn(kind=kind, board=board, spaces=space, type=pieces, span=node.span)
    if not isinstance(space.type, SpaceType):
        return r.mismatch("a space or spaces after `on`", space.type, node.space.span)
    return PieceOn(kind=kind, space=space, type=PieceType(name=kind.name, optional=True), span=node.span)


def _link(r: Expressions, node: ast.LinkBetween, scope: Scope, expected: Type | None) -> Expr:
    return r.error(
        "D212",
        "a link has no value of its own",
        node.span,
        help="name one of its attributes: `(link from a to b).days`",
    )


def _some(r: Expressions, node: ast.Some, scope: Scope, expected: Type | None) -> Expr:
    found = sets.things(r, node.things, scope)
    return Exists(set=found, type=FLAG, span=node.span) if element_of(found.type) else error_node(node.span)


def _none_of(r: Expressions, node: ast.NoneOf, scope: Scope, expected: Type | None) -> Expr:
    found = _some(r, ast.Some(things=node.things, span=node.span), scope, expected)
    return found if is_error(found.type) else r.negation(found, node.span)


def _every(r: Expressions, node: ast.Every, scope: Scope, expected: Type | None) -> Expr:
    source = sets.things(r, node.things, scope)
    element = element_of(source.type)
    if element is None:
        return error_node(node.span)
    local, inside = sets.candidate_scope(r, node.things, element, scope)
    failing = r.negation(r.condition(node.condition, inside), node.condition.span)
    found = sets.Filter(local=local, source=source, condition=failing, type=SetType(element=element), span=node.span)
    return r.negation(Exists(set=found, type=FLAG, span=node.span), node.span)


_READINGS: dict[type[ast.Expr], _Reading] = {
    ast.NamedThing: _named,
    ast.Number: _number,
    ast.Flag: _flag,
    ast.NoneThere: _none,
    ast.Bracketed: _bracketed,
    ast.Member: calls.member,
    ast.Apply: calls.apply,
    ast.OfCall: calls.of_call,
    ast.PieceOn: _piece_on,
    ast.Negate: _negate,
    ast.Arithmetic: _arithmetic,
    ast.Compare: _compare,
    ast.Is: _is,
    ast.In: _in,
    ast.AtMark: _at_mark,
    ast.And: _and,
    ast.Or: _or,
    ast.Not: _not,
    ast.Conditional: _conditional,
    ast.Dice: _dice,
    ast.LinkBetween: _link,
    ast.SetLiteral: sets.literal,
    ast.Also: sets.also,
    ast.Range: sets.range_,
    ast.Things: sets.things_expression,
    ast.OfFiltered: sets.of_filtered,
    ast.Aggregate: sets.aggregate,
    ast.Some: _some,
    ast.NoneOf: _none_of,
    ast.Every: _every,
    ast.Slide: sets.slide,
    ast.Run: sets.run,
    ast.Line: sets.line,
    ast.Route: sets.route,
}
