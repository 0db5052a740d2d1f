"""Blanks between the tokens of one line.

The choice looks at two neighbours and one fact about the tree: whether a `+` or `-` adjusts something (`points +3`), in
which case it belongs to the number behind it.

Invariant: the blanks chosen never change what the tokens are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import Enum

from interpreter.syntax.tokens import NAMES, Token

__all__ = ["Sign", "code_lines", "token_text"]

_CLOSES = frozenset({"COMMA", "COLON", "RPAR", "RBRACE", "DOT", "__ANON_0"})
"""No blank before these."""
_OPENS = frozenset({"LPAR", "LBRACE", "DOT", "__ANON_0"})
"""No blank after these."""
_ENDS_OPERAND = NAMES | {"INT", "RPAR", "RBRACE", "DICE", "YES", "NO", "NONE", "STRING"}
"""Behind these a sign has an operand on either side."""


class Sign(Enum):
    """What a `+` or `-` does."""

    ADJUSTS_BY_NUMBER = "adjusts by number"
    """Belongs to the number behind it."""
    BETWEEN = "between"
    """Has an operand on either side, or begins a line of a value."""
    NEGATES = "negates"
    """Belongs to what is behind it."""


def token_text(token: Token) -> str:
    """A token as it is written: pairs of words with one blank."""
    if token.kind in ("STRING", "ROW"):
        return token.text
    return " ".join(token.text.split())


def code_lines(tokens: Sequence[Token], joins: Collection[int], adjusts_by_number: Iterable[int] = ()) -> list[str]:
    """The tokens of a line with blanks between them, a text for each line of the file that it goes on in.

    `joins` are the places of the tokens that begin a further line; offsets of signs that adjust by a number are given.
    """
    attached = frozenset(adjusts_by_number)
    lines: list[str] = []
    parts: list[str] = []
    sign_before: Sign | None = None
    before: Token | None = None
    lists_numbers = bool(tokens) and tokens[0].kind == "ROLLS"
    for at, token in enumerate(tokens):
        if at in joins:
            lines.append("".join(parts))
            parts = []
        sign: Sign | None = None
        if token.kind in ("PLUS", "MINUS"):
            if token.start in attached:
                sign = Sign.ADJUSTS_BY_NUMBER
            elif before is None or (before.kind in _ENDS_OPERAND and not lists_numbers):
                sign = Sign.BETWEEN
            else:
                sign = Sign.NEGATES
        if before is not None and parts and _is_apart(before, sign_before, token):
            parts.append(" ")
        parts.append(token_text(token))
        before, sign_before = token, sign
    return [*lines, "".join(parts)]


def _is_apart(before: Token, sign_before: Sign | None, token: Token) -> bool:
    if token.kind in _CLOSES or before.kind in _OPENS:
        return False
    if sign_before is not None:
        return sign_before is Sign.BETWEEN
    if token.kind == "LPAR":
        return before.kind not in NAMES and before.kind != "RPAR"
    return True
