"""The compiled grammar: Lark's lexer, and its parse table in a form that `automaton` can walk.

Lark turns `grammars/rules.lark` into tables, which takes a third of a second; so the tables are kept in the user's
cache folder under a name made of the grammar's text and the versions that read it, and come back in a fifteenth of
that. Lark's own driver is not used: recovery needs to return to the state at the start of a line at no cost, and the
parts of a tree built on the way must not change under it, neither of which that driver offers.

Invariant: a cache that is missing, broken, old or not writable changes nothing but the time taken.
"""

from __future__ import annotations

import contextlib
import sys
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from interpreter.source import library_folder, store

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["END", "STARTS", "Grammar", "Reduction", "grammar"]

STARTS = ("start", "only_expr", "only_effects", "only_condition")
"""What can be read on its own: a file, an expression, a cell of effects, a cell of a condition."""

END = "$END"
"""The kind of the token after the last one."""

_CACHE_FORMAT = "2"


class Reduction:
    """What is done when the right side of a rule has been read."""

    __slots__ = ("data", "expand", "inline", "kept", "origin", "passes_on", "size", "starts_over")

    def __init__(self, rule: Any, starts_over: bool) -> None:
        self.origin: str = rule.origin.name
        """The rule's name in the table."""
        self.data: str = rule.alias or self.origin
        """The name of the node made."""
        self.size: int = len(rule.expansion)
        """Number of symbols read."""
        self.kept: tuple[bool, ...] = tuple(not (s.is_term and s.filter_out) for s in rule.expansion)
        """Which of them become children; punctuation and keywords do not."""
        self.inline: bool = self.origin.startswith("_") and not rule.alias
        """Whether the children go to the node above instead of into a node."""
        self.expand: bool = bool(rule.options.expand1) and not rule.alias
        """Whether a single child takes the place of the node."""
        self.passes_on: bool = self.expand and self.kept == (True,)
        """Whether the only symbol is the result as it is, as in most steps between two levels of precedence."""
        self.starts_over: bool = starts_over
        """Whether a line ends in it, so that the depth of expressions is counted anew."""


class Grammar:
    """The tables, read state by state as they are first needed."""

    def __init__(self, lark: Lark) -> None:
        self._lark = lark
        first = lark.parse_interactive("", start=STARTS[0]).parser_state.parse_conf.parse_table
        self._states: dict[int, dict[str, tuple[Any, Any]]] = first.states
        self.starts: dict[str, int] = first.start_states
        """The first state for each start."""
        self.ends: dict[str, int] = first.end_states
        """The state in which all has been read, for each start."""
        self._rows: dict[int, dict[str, int | Reduction]] = {}
        self._reductions: dict[int, Reduction] = {}
        self._with_lines = _with_lines(lark.rules)
        self.words: dict[str, str] = {
            terminal.name: terminal.pattern.value for terminal in lark.terminals if terminal.pattern.type == "str"
        }
        """The text of every token that is always written alike, by its kind."""
        self.patterns: dict[str, str] = {
            terminal.name: terminal.pattern.value for terminal in lark.terminals if terminal.pattern.type != "str"
        }
        """The pattern of every other token, by its kind."""

        self.in_names: frozenset[str] = _in_names(lark.rules)
        """The kinds of token that a name is made of."""

    @property
    def lexer(self) -> Any:
        """Lark's lexer."""
        parser: Any = self._lark.parser
        return parser.lexer

    def row(self, state: int) -> dict[str, int | Reduction]:
        """What each symbol leads to in a state: another state, or a reduction first."""
        row = self._rows.get(state)
        if row is None:
            row = self._rows[state] = {name: self._move(*move) for name, move in self._states[state].items()}
        return row

    def _move(self, action: Any, target: Any) -> int | Reduction:
        if isinstance(target, int):
            return target
        known = self._reductions.get(id(target))
        if known is None:
            known = self._reductions[id(target)] = Reduction(target, target.origin.name in self._with_lines)
        return known


def _with_lines(rules: list[Any]) -> set[str]:
    """The names of the rules that can hold the end of a line."""
    found: set[str] = {"_NL"}
    size = 0
    while size < len(found):
        size = len(found)
        found.update(rule.origin.name for rule in rules if any(symbol.name in found for symbol in rule.expansion))
    return found


def _in_names(rules: list[Any]) -> frozenset[str]:
    """The terminals below the rule `name`."""
    below = {"name"}
    size = 0
    while size < len(below):
        size = len(below)
        below.update(symbol.name for rule in rules if rule.origin.name in below for symbol in rule.expansion)
    terminals = {symbol.name for rule in rules for symbol in rule.expansion if symbol.is_term}
    return frozenset(below & terminals)


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """The grammar of the language, compiled once a run."""
    text = library_folder("grammars").joinpath("rules.lark").read_text(encoding="utf-8")
    return Grammar(_compiled(text))


def _compiled(text: str) -> Lark:
    """Lark's tables for the grammar, from the cache where it has them."""
    import lark

    name = store.name_of(_CACHE_FORMAT, lark.__version__, sys.version, *STARTS, text)
    kept = store.find("grammar", name)
    if kept is not None:
        with contextlib.suppress(Exception):  # whatever Lark finds wrong with it, the grammar itself is at hand
            return lark.Lark.load(BytesIO(kept))
    compiled = lark.Lark(text, parser="lalr", lexer="basic", start=list(STARTS), maybe_placeholders=False)
    if store.is_on():
        tables = BytesIO()
        compiled.save(tables)
        store.keep("grammar", name, tables.getvalue())
    return compiled
