"""The compiled grammar: what makes tokens, and the parse table in a form that `automaton` can walk.

`grammars/rules.lark` is the grammar. The tables that Lark makes of it lie beside it (`tables` writes and reads them),
since making them takes half a second and reading them a hundredth of that. So only who changes the grammar needs Lark:
the tables are then made anew in each run until they are written.

Neither Lark's lexer nor its driver is used: recovery needs to return to the state at the start of a line at no cost,
and the parts of a tree built on the way must not change under it, neither of which that driver offers.

Invariant: the tables are those of the grammar as it stands.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from attrs import frozen

from interpreter.source import library_folder

__all__ = ["END", "STARTS", "Grammar", "Reduction", "grammar"]

STARTS = ("start", "only_expr", "only_effects", "only_condition")
"""What can be read on its own: a file, an expression, a cell of effects, a cell of a condition."""

END = "$END"
"""The kind of the token after the last one."""


@frozen
class Reduction:
    """What is done when the right side of a rule has been read."""

    origin: str
    """The rule's name in the table."""
    data: str
    """The name of the node made."""
    kept: tuple[bool, ...]
    """Which of the symbols read become children; punctuation and keywords do not."""
    inline: bool
    """Whether the children go to the node above instead of into a node."""
    expand: bool
    """Whether a single child takes the place of the node."""
    starts_over: bool
    """Whether a line ends in it, so that the depth of expressions is counted anew."""
    size: int
    """Number of symbols read."""
    passes_on: bool
    """Whether the only symbol is the result as it is, as in most steps between two levels of precedence."""


@frozen(slots=False)
class Grammar:
    """The tables."""

    rows: tuple[dict[str, int | Reduction], ...]
    """By state what each symbol leads to: another state, or a reduction first."""
    starts: dict[str, int]
    """The first state for each start."""
    ends: dict[str, int]
    """The state in which all has been read, for each start."""
    words: dict[str, str]
    """The text of every token that is always written alike, by its kind."""
    patterns: dict[str, str]
    """The pattern of every other token, by its kind."""
    in_names: frozenset[str]
    """The kinds of token that a name is made of."""
    ignored: frozenset[str]
    """The kinds of token that are left out: blanks."""
    special: dict[str, dict[str, str]]
    """By kind of token and text the kind that such a text has instead: a keyword looks like a name."""
    pattern: str
    """One token; the name of the group that matches is its kind."""

    @cached_property
    def token(self) -> re.Pattern[str]:
        """`pattern`, compiled."""
        return re.compile(self.pattern)


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """The grammar of the language, read or compiled once a run."""
    from interpreter.syntax.tables import read_tables

    folder = library_folder("grammars")
    text = folder.joinpath("rules.lark").read_text(encoding="utf-8")
    written = read_tables(folder / "rules.tables.json", text)
    if written is not None:
        return written
    from interpreter.syntax.from_lark import compile_grammar

    return compile_grammar(text)
