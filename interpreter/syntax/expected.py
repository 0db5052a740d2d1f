"""What can stand at a place, in the words of a reader of rules.

The automaton knows which kinds of token fit; a message says "a statement" or "`:`". A set of kinds is recognised by its
members: where `let` fits, a statement fits.

Invariant: no name of a kind or rule of the grammar ever reaches a message.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.syntax.grammar import END
from interpreter.syntax.keywords import words_of
from interpreter.syntax.tokens import NAMES, NEWLINE, Token

__all__ = ["found", "line_context", "list_words", "quoted", "what_fits"]

_LONGEST = 30
_MOST_WORDS = 5
_CONTINUES = frozenset(
    {"PLUS", "MINUS", "STAR", "DIV", "MOD", "AND", "OR", "IS", "EQUAL", "COMPARE", "AT", "IN", "NOT", "DOT", "LPAR"}
    | {"ON", "OF", "WHERE", "EXCEPT", "BY", "__ANON_0", "FOR"}
    | NAMES
)
"""Kinds that go on with an expression that might as well end."""
_LINES: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"EXCLUDES", "PRESET"}), "a change or a declaration"),
    (frozenset({"TABLE", "GAME"}), "a declaration"),
    (frozenset({"LET", "LEAVE"}), "a statement"),
    (frozenset({"EXPECT", "ROLLS"}), "a line of a test"),
    (frozenset({"PLAYERS", "SCORED"}), "`players` or `scored by`"),
    (frozenset({"_DIVIDED_BY", "WHEN"}), "a line of a value or relation"),
    (frozenset({"START", "_DIVIDED_BY"}), "a line of a value"),
    (frozenset({"WHEN", "UNLESS"}), "`when` or `unless`"),
    (frozenset({"ROW"}), "a row that begins with `|`"),
    (frozenset({"HERE"}), "a line of a drawing"),
    (frozenset({"NAMED"}), "a field or `named`"),
    (frozenset({"_BEGINS_AS"}), "`says`, `begins as` or `needs`"),
)


def quoted(text: str) -> str:
    """A piece of the file within a message."""
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return f"`{text}`"


def found(token: Token | None) -> str:
    """The token that does not fit, or the end of the line."""
    if token is None:
        return "the end of the line"
    if token.kind == "ROW":
        return "`|`"
    return quoted(token.text)


def list_words(words: Iterable[str]) -> str:
    """`a`, `b` or `c`."""
    listed = list(words)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"


def line_context(fits: frozenset[str]) -> str:
    """What kind of line can stand where these kinds begin one."""
    for marks, words in _LINES:
        if marks <= fits:
            return words
    if fits & {"STRING"} and not fits & NAMES:
        return "an option in quotes"
    if fits & NAMES:
        return "a name"
    return "the end of the block"


def what_fits(fits: frozenset[str]) -> str | None:
    """What can stand within a line, or None where it is too much to say."""
    fits = fits - {"_BROKEN"}
    if fits & NAMES and "INT" in fits and "LPAR" in fits:
        return "an expression or `any`" if "ANY" in fits and "EXACTLY" not in fits else "an expression"
    rest = fits - _CONTINUES if len(fits - _CONTINUES) > 0 and len(fits & _CONTINUES) > 3 else fits
    parts: list[str] = []
    if "NAME" in rest:
        parts.append("a name")
        rest -= NAMES
    if "INT" in rest:
        parts.append("a number")
    if "STRING" in rest:
        parts.append("a text in quotes")
    if "DICE" in rest:
        parts.append("dice such as `2d6`")
    rest -= {"MINUS"} if "INT" in rest else frozenset()
    words = sorted(quoted(text) for kind in rest for text in words_of(kind))
    if len(words) + len(parts) > _MOST_WORDS:
        return None
    parts.extend(words)
    if NEWLINE in rest or END in rest:
        parts.append("the end of the line")
    return list_words(parts) if parts else None
