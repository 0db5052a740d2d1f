"""Text of the rules language, understood and run in the middle of a game.

What a test expects, what `evaluate` is asked, each line that `why` reads back: all are expressions that were no part of
the program when it was made. Each is understood against the game, lowered to a small program of the same layout, which
holds it and what it calls, and kept, since the same few are asked again and again.

Invariant: a snippet leaves the game's own program alone, and any state too, save for the blocks of tests, which are
there to change it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from interpreter.backends.api import Backend, Watcher
from interpreter.diagnostics import Diagnostics, RulesError, Span
from interpreter.ir.code import ArrayGet, Block, CallEffect, CallValue, ForRow, Stop
from interpreter.ir.from_semantics import lower_expression, lower_given
from interpreter.ir.from_semantics.lower import Snippet
from interpreter.ir.program import FunctionCode
from interpreter.ir.rewrite import visit_body
from interpreter.semantics import model, understand_expression
from interpreter.semantics.types import ListType, SetType
from interpreter.semantics.walk import find
from interpreter.syntax import code_of_line

if TYPE_CHECKING:
    from interpreter.runtime.rules import Rules
    from interpreter.runtime.session import Session

__all__ = ["evaluate", "expression_of", "locals_in", "run_block", "source_text", "value_of"]


def expression_of(rules: Rules, text: str) -> model.Expr:
    """The expression that a text means in a game; raises `RulesError` when it means none."""
    known = rules.snippets.get(text)
    if isinstance(known, model.Expr):
        return known
    sink = Diagnostics()
    expr = understand_expression(text, rules.game, sink)
    if expr is None or sink.has_errors:
        raise RulesError(sink)
    rules.snippets[text] = expr
    return expr


def evaluate(session: Session, text: str) -> object:
    """The value of an expression as plain data."""
    expr = expression_of(session.rules, text)
    halves = isinstance(expr, model.CallExpr) and expr.function.halves
    type = SetType(element=expr.type.element) if isinstance(expr.type, ListType) else expr.type
    return session.names.plain(type, value_of(session, expr), session.state, halves=halves)


def value_of(
    session: Session,
    expr: model.Expr,
    parameters: tuple[model.Local, ...] = (),
    arguments: Sequence[int] = (),
    watcher: Watcher | None = None,
) -> int:
    """The number that an expression gives now; `parameters` are locals it may read, with their values.

    A `watcher` is told which lines of the rules are used on the way.
    """
    if isinstance(expr, model.Const):
        return expr.value
    rules = session.rules
    key = f"expression {id(expr)} {' '.join(str(id(local)) for local in parameters)}"
    known = rules.snippets.get(key)
    if not isinstance(known, _Ready):
        snippet = lower_expression(expr, rules.game, rules.program, parameters)
        known = rules.snippets[key] = _ready(rules, snippet, (expr, *parameters))
    return known.backend.call(known.name, session.state, *arguments, watcher=watcher)


def run_block(session: Session, block: model.Block, watcher: Watcher | None = None) -> None:
    """Carries out a block in which nobody decides anything on the state; a `watcher` may give the chance."""
    rules = session.rules
    key = f"block {id(block)}"
    known = rules.snippets.get(key)
    if not isinstance(known, _Ready):
        known = rules.snippets[key] = _ready(rules, lower_given(block, rules.game, rules.program), (block,))
    known.backend.call(known.name, session.state, watcher=watcher)


@frozen
class _Ready:
    """A snippet that can be called."""

    name: str
    backend: Backend
    kept: tuple[object, ...]
    """What the key of the snippet is made of, kept so that identities stay their own."""


def _ready(rules: Rules, snippet: Snippet, kept: tuple[object, ...]) -> _Ready:
    """Makes a small program of a snippet and of all that it calls, so that the game's own is left as it is."""
    rules.snippet_functions.update({code.name: code for code in snippet.functions})
    rules.snippet_arrays.update(snippet.arrays)
    known = {**rules.program.functions, **rules.snippet_functions}
    arrays = {**rules.program.arrays, **rules.snippet_arrays}
    used: set[str] = set()
    needed: dict[str, FunctionCode] = {}
    waiting = [snippet.main]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = known[name]
            for node in visit_body(known[name].body):
                if isinstance(node, CallValue | CallEffect):
                    waiting.append(node.function)
                elif isinstance(node, ArrayGet | ForRow):
                    used.add(node.array)
    program = evolve(
        rules.program,
        functions=needed,
        arrays={name: values for name, values in arrays.items() if name in used},
        blocks=[Block((), Stop())],
        decisions=[],
        entries={},
        start=0,
    )
    return _Ready(snippet.main, rules.make_backend(program), kept)


def locals_in(node: model.Understood) -> Iterator[model.Local]:
    """The locals that an expression reads from outside of itself."""
    own = {id(inner.local) for inner in find(node, model.Understood) if hasattr(inner, "local") and _binds(inner)}
    for read in find(node, model.LocalRef):
        if id(read.local) not in own:
            yield read.local


def _binds(node: model.Understood) -> bool:
    return not isinstance(node, model.LocalRef | model.MapGet)


def source_text(rules: Rules, span: Span) -> str:
    """The rules text of a span: its first line, and those it goes on in; empty when the file is not at hand."""
    source = None if rules.files is None else rules.files.get(span.path)
    if source is None:
        return ""
    parts: list[str] = []
    first = span.start.column - 1
    for number in range(span.start.line, span.end.line + 1):
        line = source.line_text(number)
        if number == span.end.line:
            parts.append(line[first : span.end.column - 1])
            break
        code, goes_on = code_of_line(line[first:])
        parts.append(code)
        if not goes_on:
            break
        first = 0
    return " ".join(" ".join(parts).split())
