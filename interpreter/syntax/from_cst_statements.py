"""Concrete statements and decisions to the syntax tree.

Invariant: a block has the statements that could be read, in order; it may be empty where none could.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from interpreter.diagnostics import InternalError, Span
from interpreter.syntax import ast
from interpreter.syntax.automaton import MAX_DEPTH, Cst
from interpreter.syntax.from_cst_expressions import Expressions, Piece, with_data
from interpreter.syntax.tokens import Token

__all__ = ["Statements"]

_QUANTITIES: dict[str, Literal["any", "some", "all", "order", "up to", "exactly", "at least", "between"]] = {
    "any_of": "any",
    "some_of": "some",
    "all_of": "all",
    "order_of": "order",
    "up_to": "up to",
    "exactly": "exactly",
    "at_least": "at least",
    "between": "between",
}


class Statements(Expressions):
    """Builds statements, blocks and decisions."""

    def block(self, piece: Piece) -> ast.Block:
        assert isinstance(piece, Cst)
        return ast.Block(self.statements(piece.children), span=self.span(piece))

    def statements(self, pieces: Sequence[Piece]) -> tuple[ast.Statement, ...]:
        return tuple(self.statement(piece) for piece in pieces)

    def effects(self, root: Cst) -> tuple[ast.Statement, ...]:
        """The effects of a cell."""
        return tuple(self.statement(child.children[0]) for child in root.children if isinstance(child, Cst))

    def statement(self, piece: Piece) -> ast.Statement:
        """Any statement."""
        assert isinstance(piece, Cst)
        span = self.span(piece)
        children = piece.children
        match piece.data:
            case "let":
                return ast.Let(self.name(children[0]), self.expr(children[1]), span=span)
            case "set_":
                return ast.Set(self.expr(children[0]), self.expr(children[1]), span=span)
            case "adjust_up":
                return ast.Adjust(self.expr(children[0]), "+", self.expr(children[1]), span=span)
            case "adjust_down":
                return ast.Adjust(self.expr(children[0]), "-", self.expr(children[1]), span=span)
            case "move":
                text = self.source.text[piece.start : children[0].start]
                return ast.Move(self.things(children[0]), "every" in text, self.expr(children[1]), span=span)
            case "draw_some":
                return ast.DrawSome(*self.exprs(children), span=span)
            case "place":
                return self._place(piece)
            case "roll":
                return ast.Roll(self.things(children[0]), span=span)
            case "shuffle":
                return ast.Shuffle(self.expr(children[0]), span=span)
            case "leave":
                return ast.Leave(span=span)
            case "end":
                assert isinstance(children[0], Token)
                what = cast(Literal["game", "phase", "turn", "round"], children[0].text.split()[-1])
                return ast.End(what, self._reason(children), span=span)
            case "wins":
                return ast.Wins(self.expr(children[0]), self._reason(children), span=span)
            case "draw":
                return ast.DrawGame(self._reason(children), span=span)
            case "say":
                return ast.Say(self.text(children[0]), span=span)
            case "reveal":
                whom = self.things(children[1]) if len(children) > 1 else None
                return ast.Reveal(self.things(children[0]), whom, span=span)
            case "call":
                return ast.Call(self.expr(children[0]), span=span)
            case "nothing":
                return ast.Nothing(span=span)
            case "shows":
                faces = tuple(self.expr(child.children[0]) for child in children[1:] if isinstance(child, Cst))
                return ast.Shows(self.expr(children[0]), faces, span=span)
            case "if_":
                return self._if(piece, children[2:])
            case "unless":
                condition = self.expr(children[0])
                negated = ast.Not(condition, span=condition.span)
                return ast.If(negated, self.block(children[1]), None, span=span)
            case "repeat":
                return ast.Repeat(None, None, self.block(children[0]), span=span)
            case "repeat_until":
                return ast.Repeat(self.expr(children[0]), None, self.block(children[1]), span=span)
            case "repeat_times":
                return ast.Repeat(None, self.expr(children[0]), self.block(children[1]), span=span)
            case "for_each":
                return self._for_each(piece)
            case "each_player":
                secretly = with_data(piece, "secretly") is not None
                return ast.EachPlayer(secretly, self._start(piece), self.block(children[-1]), span=span)
            case "turns":
                then = with_data(piece, "then_player")
                following = None if then is None else self.expr(then.children[0])
                return ast.Turns(self._start(piece), following, self.block(children[-1]), span=span)
            case "round":
                times = self.expr(children[0]) if len(children) > 1 else None
                return ast.Round(times, self.block(children[-1]), span=span)
            case "step":
                return ast.Step(self.name(children[0]), self.block(children[1]), span=span)
            case "choose":
                return self._choose(piece)
        raise InternalError(f"no statement is made of `{piece.data}`", "syntax")

    def _reason(self, children: Sequence[Piece]) -> ast.Text | None:
        last = children[-1] if children else None
        return self.text(last) if isinstance(last, Token) and last.kind == "STRING" else None

    def _place(self, piece: Cst) -> ast.Place:
        children = list(piece.children)
        count = self.number(children.pop(0)) if isinstance(children[0], Token) else 1
        owner = self.expr(children[1]) if len(children) > 2 else None
        return ast.Place(count, self.name(children[0]), owner, self.expr(children[-1]), span=self.span(piece))

    def _if(self, piece: Cst, others: Sequence[Piece]) -> ast.If:
        """An `if` or `else if` with what follows it."""
        nodes = [piece, *(other for other in others if isinstance(other, Cst))]
        if len(nodes) > MAX_DEPTH:
            self.sink.error(
                "D113", f"nested too deep: expected at most {MAX_DEPTH} `else if`", self.span(nodes[MAX_DEPTH])
            )
            del nodes[MAX_DEPTH:]
        otherwise: ast.Block | None = None
        for node in reversed(nodes):
            if node.data == "else_":
                otherwise = self.block(node.children[0])
                continue
            end = nodes[-1].end if otherwise is not None else node.end
            span = self.source.span(node.start, end)
            made = ast.If(self.expr(node.children[0]), self.block(node.children[1]), otherwise, span=span)
            otherwise = ast.Block((made,), span=span)
        return made

    def _for_each(self, piece: Cst) -> ast.ForEach:
        """`for each x in S`: the binder stands apart from the set."""
        binder, domain, body = piece.children
        things = self.things(domain)
        span = self.source.span(binder.start, domain.end)
        name = self.name(binder)
        named = ast.Things(name, things.base, things.excluded, things.condition, span=span)
        if things.binder is not None:
            self.sink.error(
                "D110",
                f"expected one name for each thing, found `{name.text}` and `{things.binder.text}`",
                things.binder.span,
            )
        return ast.ForEach(named, self.block(body), span=self.span(piece))

    def _start(self, piece: Cst) -> ast.Expr | None:
        found = with_data(piece, "from_player")
        return None if found is None else self.expr(found.children[0])

    # ------------------------------------------------------------------------------------------ decisions

    def _choose(self, piece: Cst) -> ast.Choose:
        first = piece.children[0]
        assert isinstance(first, Token)
        chooser, otherwise = with_data(piece, "chooser"), with_data(piece, "otherwise")
        branches = [child for child in piece.children if isinstance(child, Cst) and child.data == "branch"]
        return ast.Choose(
            cast(Literal["choose", "may", "must"], first.text),
            None if chooser is None else self.expr(chooser.children[0]),
            tuple(self._branch(branch) for branch in branches),
            None if otherwise is None else self.block(otherwise.children[0]),
            span=self.span(piece),
        )

    def _branch(self, piece: Cst) -> ast.Branch:
        label, *rest = piece.children
        binders, guard = with_data(piece, "binders"), with_data(piece, "guard")
        body = [child for child in rest if child is not binders and child is not guard]
        return ast.Branch(
            self.text(label),
            () if binders is None else tuple(self._binder(child) for child in binders.children),
            None if guard is None else self.expr(guard.children[0]),
            None if not body else ast.Block(self.statements(body), span=self._over(body)),
            span=self.span(piece),
        )

    def _over(self, pieces: Sequence[Piece]) -> Span:
        return self.source.span(pieces[0].start, pieces[-1].end)

    def _binder(self, piece: Piece) -> ast.Binder:
        assert isinstance(piece, Cst)
        span = self.span(piece)
        name = self.name(piece.children[0])
        such_that = with_data(piece, "such_that")
        condition = None if such_that is None else self.expr(such_that.children[0])
        match piece.data:
            case "bind_one":
                return ast.BindOne(name, self.things(piece.children[1]), span=span)
            case "bind_some":
                quantity = self._quantity(piece.children[1])
                return ast.BindSome(name, quantity, self.things(piece.children[2]), condition, span=span)
            case "bind_assign":
                _, each, domain, things = piece.children[:4]
                keys = self.things(domain)
                span_of_each = self.source.span(each.start, domain.end)
                named = ast.Things(self.name(each), keys.base, keys.excluded, keys.condition, span=span_of_each)
                return ast.BindAssign(name, named, self.things(things), condition, span=span)
        raise InternalError(f"no binder is made of `{piece.data}`", "syntax")

    def _quantity(self, piece: Piece) -> ast.Quantity:
        assert isinstance(piece, Cst)
        kind = _QUANTITIES[piece.data]
        span = self.span(piece)
        bounds = self.exprs(piece.children)
        low: ast.Expr | None = None
        high: ast.Expr | None = None
        match kind:
            case "some":
                low = ast.Number(1, span=span)
            case "up to":
                high = bounds[0]
            case "exactly":
                low = high = bounds[0]
            case "at least":
                low = bounds[0]
            case "between":
                low, high = bounds
        return ast.Quantity(kind, low, high, span=span)
