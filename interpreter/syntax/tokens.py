"""Text to tokens: Lark's lexer, made to go on after what it cannot read.

What the lexer knows nothing about becomes a token of its own with one of the kinds `UNKNOWN`, `UNTERMINATED` or `HUGE`,
which no rule of the grammar takes, so that the parser reports it where it stands. The line is spoilt by then, and what
is left of it becomes one token `REST`. After a thousand such lines the text is no rules file, and all that follows is
left unread.

Invariant: tokens follow each other in the text without overlap, and between them stand blanks only.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from interpreter.syntax.grammar import grammar

__all__ = ["HUGE", "MOST_DIGITS", "MOST_FAULTS", "NAMES", "NEWLINE", "REST", "UNKNOWN", "UNTERMINATED", "Token", "scan"]

NEWLINE = "_NL"
"""Kind of a run of line ends, comments and the blanks between them."""
UNKNOWN = "UNKNOWN"
"""Kind of a character that begins no token."""
UNTERMINATED = "UNTERMINATED"
"""Kind of a text whose closing quote is missing; it reaches to the end of its line."""
HUGE = "HUGE"
"""Kind of a number with more digits than any rulebook has."""
REST = "REST"
"""Kind of what follows an unreadable character on its line."""
NAMES = frozenset({"NAME", "BEFORE", "AFTER", "CLOCKWISE", "SHAPES", "SILENT", "ROSTER", "SAYS", "NEEDS", "FAILS"})
"""Kinds of the words that a name is made of: any word, and those that mean something only in one place."""
MOST_FAULTS = 1000
"""Most lines with an unreadable character before the rest of a file is left unread."""

MOST_DIGITS = 15
_D_NAME = re.compile(r"d\d+")


class Token(NamedTuple):
    """A piece of the text."""

    kind: str
    """Name of the token in the grammar, or one of the kinds of this module."""
    text: str
    """The characters."""
    start: int
    """Offset of the first character in code points."""
    end: int
    """Offset after the last character."""


def scan(text: str, offset: int = 0) -> list[Token]:
    """The tokens of a text that begins at `offset` of its file."""
    from lark.exceptions import UnexpectedCharacters
    from lark.lexer import LexerThread

    tokens: list[Token] = []
    thread: Any = LexerThread.from_text(grammar().lexer, text)
    faults = 0
    while True:
        try:
            for found in thread.lex(None):
                start = found.start_pos
                kind = _kind(found.type, found.value, tokens[-1].kind if tokens else "")
                tokens.append(Token(kind, str(found), start + offset, start + offset + len(found)))
            return tokens
        except UnexpectedCharacters as fault:
            start = fault.pos_in_stream or 0
        line_end = text.find("\n", start)
        faults += 1
        end = len(text) if line_end < 0 else line_end
        if text[start] == '"':
            tokens.append(Token(UNTERMINATED, text[start:end], start + offset, end + offset))
        else:
            tokens.append(Token(UNKNOWN, text[start], start + offset, start + 1 + offset))
            if text[start + 1 : end].strip():
                tokens.append(Token(REST, text[start + 1 : end], start + 1 + offset, end + offset))
        if faults > MOST_FAULTS:
            return tokens
        thread.state.line_ctr.feed(text[start:end], False)


def _kind(kind: str, text: str, before: str) -> str:
    """The kind of a token once its neighbour and its length are known."""
    if kind == "DICE":
        if before != "ROLL" and _D_NAME.fullmatch(text):
            return "NAME"  # a space of a board, such as d3
        return HUGE if len(text) > MOST_DIGITS else kind
    if kind == "INT" and len(text) > MOST_DIGITS:
        return HUGE
    if kind == "NAME" and not text.strip("_"):
        return UNKNOWN
    return kind
