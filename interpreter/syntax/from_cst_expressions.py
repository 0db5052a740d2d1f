"""Concrete expressions to the syntax tree, names and texts included.

The expressions in the braces of a text are read here too, by the parser handed in, at their own places.

Invariant: one node of the concrete tree gives at most one node, with the span of what was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from interpreter.diagnostics import Diagnostics, InternalError, Span
from interpreter.source import SourceFile
from interpreter.syntax import ast
from interpreter.syntax.automaton import Cst
from interpreter.syntax.tokens import Token
from interpreter.syntax.trivia import Docs

__all__ = ["Expressions", "Piece", "ReadExpression", "canonical", "with_data"]

Piece = Cst | Token
ReadExpression = Callable[[str, SourceFile, int, Diagnostics], "ast.Expr | None"]

_ARITHMETIC: dict[str, Literal["+", "-", "*", "div", "mod"]] = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "div",
    "modulo": "mod",
}
_COMPARE: dict[str, Literal["=", "!=", "<", "<=", ">", ">="]] = {
    sign: sign for sign in ("=", "!=", "<", "<=", ">", ">=")
}
_BRACE = re.compile(r"[{}]")


def canonical(text: str) -> str:
    """A name as names are compared: words joined by one space, an underscore counts as one."""
    return " ".join(text.replace("_", " ").split())


def with_data(node: Cst, data: str) -> Cst | None:
    """The child of that name, or None."""
    for child in node.children:
        if isinstance(child, Cst) and child.data == data:
            return child
    return None


class Expressions:
    """Builds names, texts and expressions."""

    def __init__(
        self, source: SourceFile, sink: Diagnostics, read_expression: ReadExpression, docs: Docs | None = None
    ) -> None:
        self.source = source
        self.sink = sink
        self._read_expression = read_expression
        self._docs = docs or Docs(())
        self.lost: set[str] = set()
        """Names that stood in what could not be read."""

    # ------------------------------------------------------------------------------------------ places and words

    def span(self, piece: Piece) -> Span:
        return self.source.span(max(piece.start, 0), max(piece.end, 0))

    def doc(self, piece: Piece) -> str:
        return self._docs.at(self.source.position(max(piece.start, 0)).line)

    def name(self, piece: Piece) -> ast.Name:
        assert isinstance(piece, Cst)
        words = " ".join(child.text for child in piece.children if isinstance(child, Token))
        return ast.Name(canonical(words), span=self.span(piece))

    def number(self, piece: Piece) -> int:
        """The value of a number with its sign, or of a number's token."""
        if isinstance(piece, Token):
            return int(piece.text)
        return int("".join(child.text for child in piece.children if isinstance(child, Token)))

    def plain(self, token: Piece) -> str:
        """A text that holds no expressions."""
        assert isinstance(token, Token)
        return token.text[1:-1]

    def text(self, token: Piece) -> ast.Text:
        """A text with the expressions in its braces. Reports D110 in it."""
        assert isinstance(token, Token)
        raw = token.text[1:-1]
        parts: list[str | ast.Expr] = []
        literal: list[str] = []
        at = 0
        while (brace := _BRACE.search(raw, at)) is not None:
            literal.append(raw[at : brace.start()])
            at = brace.start()
            if raw[at : at + 2] in ("{{", "}}"):
                literal.append(raw[at])
                at += 2
                continue
            start = token.start + 1 + at
            close = _closing(raw, at) if raw[at] == "{" else -1
            if close < 0:
                sign, other = ("{", "}") if raw[at] == "{" else ("}", "{")
                self.sink.error(
                    "D110",
                    f"`{sign}` without a `{other}` in a text",
                    self.source.span(start, start + 1),
                    help=f"write `{sign * 2}` for the sign itself",
                )
                at += 1
                continue
            parts.append("".join(literal))
            literal = []
            inner = self._read_expression(raw[at + 1 : close], self.source, start + 1, self.sink)
            if inner is None:
                parts.pop()
            else:
                parts.append(inner)
            at = close + 1
        literal.append(raw[at:])
        parts.append("".join(literal))
        return ast.Text(raw, tuple(part for part in parts if part != ""), span=self.span(token))

    # ------------------------------------------------------------------------------------------ expressions

    def expr(self, piece: Piece) -> ast.Expr:
        """Any expression."""
        assert isinstance(piece, Cst)
        span = self.span(piece)
        children = piece.children
        match piece.data:
            case "named_thing":
                return ast.NamedThing(self.name(children[0]), span=span)
            case "number":
                return ast.Number(self.number(children[0]), span=span)
            case "yes" | "no_":
                return ast.Flag(piece.data == "yes", span=span)
            case "none":
                return ast.NoneThere(span=span)
            case "bracketed":
                return ast.Bracketed(self.expr(children[0]), span=span)
            case "member":
                return ast.Member(self.expr(children[0]), self.name(children[1]), span=span)
            case "apply":
                return ast.Apply(self.expr(children[0]), self.exprs(children[1:]), span=span)
            case "of_call":
                return ast.OfCall(self.name(children[0]), self.expr(children[1]), span=span)
            case "of_by":
                return ast.OfCall(self.name(children[0]), self.expr(children[1]), self._by(children[2]), span=span)
            case "piece_on":
                return ast.PieceOn(self.name(children[0]), self.expr(children[1]), span=span)
            case "on_where":
                name, space = self.name(children[0]), self.expr(children[1])
                on = ast.PieceOn(name, space, span=name.span.merge(space.span))
                return ast.Things(None, *self._filter(piece, on), span=span)
            case "negate":
                return ast.Negate(self.expr(children[0]), span=span)
            case "add" | "subtract" | "multiply" | "divide" | "modulo":
                operator = _ARITHMETIC[piece.data]
                return ast.Arithmetic(operator, self.expr(children[0]), self.expr(children[1]), span=span)
            case "equal":
                return ast.Compare("=", self.expr(children[0]), self.expr(children[1]), span=span)
            case "compare":
                assert isinstance(children[1], Token)
                sign = _COMPARE[children[1].text]
                return ast.Compare(sign, self.expr(children[0]), self.expr(children[2]), span=span)
            case "is_" | "is_not":
                return ast.Is(self.expr(children[0]), self.expr(children[1]), piece.data == "is_not", span=span)
            case "in_" | "not_in":
                return ast.In(self.expr(children[0]), self.expr(children[1]), piece.data == "not_in", span=span)
            case "at_mark":
                return ast.AtMark(self.expr(children[0]), self.name(children[1]), span=span)
            case "and_":
                return ast.And(self.expr(children[0]), self.expr(children[1]), span=span)
            case "or_":
                return ast.Or(self.expr(children[0]), self.expr(children[1]), span=span)
            case "not_":
                return ast.Not(self.expr(children[0]), span=span)
            case "conditional":
                return ast.Conditional(*self.exprs(children), span=span)
            case "dice":
                assert isinstance(children[0], Token)
                count, _, faces = children[0].text.partition("d")
                return ast.Dice(int(count or 1), int(faces), span=span)
            case "link":
                return ast.LinkBetween(*self.exprs(children), span=span)
            case "set_literal":
                return ast.SetLiteral(self.exprs(children), span=span)
            case "range":
                return ast.Range(*self.exprs(children), span=span)
            case "slide":
                return ast.Slide(*self.exprs(children), span=span)
            case "run":
                return ast.Run(*self.exprs(children), span=span)
            case "line":
                return ast.Line(*self.exprs(children), span=span)
            case "route":
                start, goal, through = children
                return ast.Route(self.expr(start), self.expr(goal), self.things(through), span=span)
            case "some":
                return ast.Some(self.things(children[0]), span=span)
            case "none_of":
                return ast.NoneOf(self.things(children[0]), span=span)
            case "every":
                return ast.Every(self.things(children[0]), self.expr(children[1]), span=span)
            case "filtered" | "setx":
                return self.things(piece)
            case "of_where" | "of_by_where":
                by = self._by(children[2]) if piece.data == "of_by_where" else None
                name = self.name(children[0])
                base, excluded, condition = self._filter(piece, self.expr(children[1]))
                return ast.OfFiltered(name, base, by, excluded, condition, span=span)
            case "of_each":
                first = children[1]
                things = ast.Things(
                    self.name(first),
                    *self._filter(piece, self.expr(children[2])),
                    span=self.source.span(first.start, piece.end),
                )
                return ast.Aggregate(self.name(children[0]), None, things, span=span)
            case "of_for_each":
                of, things = self.expr(children[1]), self.things(children[2])
                return ast.Aggregate(self.name(children[0]), of, things, span=span)
        raise InternalError(f"no expression is made of `{piece.data}`", "syntax")

    def exprs(self, pieces: Sequence[Piece]) -> tuple[ast.Expr, ...]:
        return tuple(self.expr(piece) for piece in pieces)

    def things(self, piece: Piece) -> ast.Things:
        """A set with its filter."""
        assert isinstance(piece, Cst)
        children = piece.children
        binder: ast.Name | None = None
        first = children[0]
        if isinstance(first, Cst) and first.data == "name":
            binder = self.name(first)
            first = children[1]
        return ast.Things(binder, *self._filter(piece, self.expr(first)), span=self.span(piece))

    def _filter(self, piece: Cst, base: ast.Expr) -> tuple[ast.Expr, ast.Expr | None, ast.Expr | None]:
        """A set with what is added and left out before the last exception; that exception; and the condition."""
        excluded: ast.Expr | None = None
        condition: ast.Expr | None = None
        for child in piece.children:
            if not isinstance(child, Cst) or child.data not in ("also", "except_", "where"):
                continue
            inner = self.expr(child.children[0])
            if child.data == "where":
                condition = inner
                continue
            if excluded is not None:
                base = ast.Things(None, base, excluded, None, span=base.span.merge(excluded.span))
                excluded = None
            if child.data == "also":
                base = ast.Also(base, inner, span=base.span.merge(inner.span))
            else:
                excluded = inner
        return base, excluded, condition

    def _by(self, piece: Piece) -> ast.Name:
        assert isinstance(piece, Cst)
        return self.name(piece.children[0])

    def condition(self, piece: Piece) -> ast.Expr | ast.AnyInput | ast.AtLeastInput | ast.RangeInput:
        """What a cell says about an input."""
        assert isinstance(piece, Cst)
        span = self.span(piece)
        children = piece.children
        match piece.data:
            case "any_input":
                return ast.AnyInput(span=span)
            case "at_least_input":
                assert isinstance(children[0], Token)
                return ast.AtLeastInput(int(children[0].text.rstrip("+")), span=span)
            case "range_input":
                return ast.RangeInput(self.expr(children[0]), self.expr(children[1]), span=span)
        return self.expr(children[0])


def _closing(raw: str, at: int) -> int:
    """The offset of the brace that closes the one at `at`, or -1."""
    depth = 0
    for brace in _BRACE.finditer(raw, at):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.start()
    return -1
