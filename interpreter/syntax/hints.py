"""Stub: replaced in the next step."""

from __future__ import annotations

from attrs import frozen

from interpreter.diagnostics import Diagnostics
from interpreter.source import SourceFile
from interpreter.syntax.automaton import Frame, accepts
from interpreter.syntax.tokens import HUGE, UNKNOWN, UNTERMINATED, Token


@frozen
class Mistake:
    source: SourceFile
    tokens: list[Token]
    index: int
    stack: Frame
    before: Frame
    start: str
    place: tuple[int, int]


def fault_in(tokens: list[Token]) -> int | None:
    return next((i for i, t in enumerate(tokens) if t.kind in (UNKNOWN, UNTERMINATED, HUGE)), None)


def report(m: Mistake, sink: Diagnostics) -> str:
    t = m.tokens[m.index] if m.index < len(m.tokens) else None
    found = "the end of the line" if t is None else f"`{t.text}`"
    sink.error(
        "D110",
        f"unexpected {found} ({sorted(accepts(m.stack))})",
        m.source.span(t.start, t.end) if t else m.source.span(m.place[1], m.place[1]),
    )
    return m.tokens[0].kind if m.tokens else ""


def report_too_deep(source: SourceFile, token: Token, sink: Diagnostics) -> None:
    sink.error("D113", "nested too deep", source.span(token.start, token.end))


def report_no_block(source: SourceFile, tokens: list[Token], sink: Diagnostics) -> None:
    sink.error("D111", "expected an indented block", source.span(tokens[0].start, tokens[-1].end))


def report_surplus(
    source: SourceFile, tokens: list[Token], first: Token, expected: frozenset[str], sink: Diagnostics
) -> str | None:
    sink.error("D111", "unexpected indentation", source.span(first.start, first.end))
    return None
