"""Text to tokens, by the terminals of the grammar, going on after what cannot be read.

What no terminal begins with becomes a token of its own with one of the kinds `UNKNOWN`, `UNTERMINATED` or `HUGE`,
which no rule of the grammar takes, so that the parser reports it where it stands. The line is spoilt by then, and what
is left of it becomes one token `REST`. After a thousand such lines the text is no rules file, and all that follows is
left unread.

Invariant: tokens follow each other in the text without overlap, and between them stand blanks only.
"""

from __future__ import annotations

import re
from typing import NamedTuple

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
    table = grammar()
    match, ignored, special = table.token.match, table.ignored, table.special
    tokens: list[Token] = []
    faults = at = 0
    before = ""
    while at < len(text):
        found = match(text, at)
        if found is None:
            faults += 1
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            tokens += _unknown(text[at:end], at + offset)
            before = tokens[-1].kind
            if faults > MOST_FAULTS:
                return tokens
            at = end
            continue
        start, at = at, found.end()
        kind = found.lastgroup or ""
        if kind in ignored:
            continue
        read = found.group()
        if kind in special:
            kind = special[kind].get(read, kind)
        before = _kind(kind, read, before)
        tokens.append(Token(before, read, start + offset, at + offset))
    return tokens


def _unknown(text: str, start: int) -> list[Token]:
    """What is left of a line from a character that begins no token."""
    end = start + len(text)
    if text[0] == '"':
        return [Token(UNTERMINATED, text, start, end)]
    first = Token(UNKNOWN, text[0], start, start + 1)
    return [first, Token(REST, text[1:], start + 1, end)] if text[1:].strip() else [first]


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
