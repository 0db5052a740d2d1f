"""The words of the language, read off the grammar, for hints, completion and the reference.

There is no second list to keep in step: a terminal that is a word, or a choice of words, is a keyword. A keyword is
reserved unless the grammar takes it in names too.

Invariant: words are as they are typed; a pair such as `at least` is one keyword, and its words are not reserved by it.
"""

from __future__ import annotations

import re
from functools import cache

from interpreter.syntax.grammar import grammar

__all__ = ["keywords", "phrases", "reserved_words", "words_of"]

_BLANKS = re.compile(r"\[ (?:\\t|\t)\]\+")
_WORDS = re.compile(r"[a-z]+(?: [a-z]+)*")
_CHOICE = re.compile(r"(.*)\(([^()]*)\)(.*)")


@cache
def phrases() -> dict[str, tuple[str, ...]]:
    """What can be typed for each kind of token that is a word or a pair of words."""
    table = grammar()
    found: dict[str, tuple[str, ...]] = {kind: (text,) for kind, text in table.words.items() if _WORDS.fullmatch(text)}
    for kind, pattern in table.patterns.items():
        plain = _BLANKS.sub(" ", pattern).replace(r"\b", "")
        choice = _CHOICE.fullmatch(plain)
        texts = [f"{choice[1]}{word}{choice[3]}" for word in choice[2].split("|")] if choice else [plain]
        if all(_WORDS.fullmatch(text) for text in texts):
            found[kind] = tuple(texts)
    return found


def words_of(kind: str) -> tuple[str, ...]:
    """What can be typed for a kind of token; nothing for names, numbers and texts."""
    found = phrases().get(kind)
    if found is not None:
        return found
    text = grammar().words.get(kind)
    return () if text is None else (text,)


@cache
def keywords() -> tuple[str, ...]:
    """Every keyword, pairs included, in order of the alphabet."""
    return tuple(sorted(text for texts in phrases().values() for text in texts))


@cache
def reserved_words() -> frozenset[str]:
    """The words that can be no part of a name."""
    free = grammar().in_names
    return frozenset(text for kind, texts in phrases().items() if kind not in free for text in texts if " " not in text)
