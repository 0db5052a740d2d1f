"""The compiled grammar: what makes tokens, and the parse table in a form that `automaton` can walk.

Lark turns `grammars/rules.lark` into tables, which takes half a second; so the tables are kept in the user's cache
under a name made of the grammar's text and the versions that read it, and come back in a hundredth of that. Neither
Lark's lexer nor its driver is used: recovery needs to return to the state at the start of a line at no cost, and the
parts of a tree built on the way must not change under it, neither of which that driver offers. So where the tables are
kept, Lark is not even imported.

Invariant: a cache that is missing, broken, old or not writable changes nothing but the time taken.
"""

from __future__ import annotations

import pickle
import re
import sys
from functools import cached_property, lru_cache
from typing import Any

from interpreter.source import library_folder, store

__all__ = ["END", "STARTS", "Grammar", "Reduction", "grammar"]

STARTS = ("start", "only_expr", "only_effects", "only_condition")
"""What can be read on its own: a file, an expression, a cell of effects, a cell of a condition."""

END = "$END"
"""The kind of the token after the last one."""


class Reduction:
    """What is done when the right side of a rule has been read."""

    __slots__ = ("data", "expand", "inline", "kept", "origin", "passes_on", "size", "starts_over")

    def __init__(self, rule: Any, starts_over: bool) -> None:
        self.origin: str = _text(rule.origin.name)
        """The rule's name in the table."""
        self.data: str = _text(rule.alias) if rule.alias else self.origin
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
    """The tables."""

    def __init__(self, rules: list[Any], terminals: list[Any], table: Any, ignored: list[str]) -> None:
        with_lines = _with_lines(rules)
        reductions = {id(rule): Reduction(rule, rule.origin.name in with_lines) for rule in rules}
        self.rows: dict[int, dict[str, int | Reduction]] = {
            state: {_text(name): to if isinstance(to, int) else reductions[id(to)] for name, (_, to) in moves.items()}
            for state, moves in table.states.items()
        }
        """By state what each symbol leads to: another state, or a reduction first."""
        self.starts: dict[str, int] = table.start_states
        """The first state for each start."""
        self.ends: dict[str, int] = table.end_states
        """The state in which all has been read, for each start."""
        texts = {_text(each.name): (each.pattern.type, _text(each.pattern.value)) for each in terminals}
        self.words: dict[str, str] = {name: value for name, (type_, value) in texts.items() if type_ == "str"}
        """The text of every token that is always written alike, by its kind."""
        self.patterns: dict[str, str] = {name: value for name, (type_, value) in texts.items() if type_ != "str"}
        """The pattern of every other token, by its kind."""
        self.in_names: frozenset[str] = frozenset(map(_text, _in_names(rules)))
        """The kinds of token that a name is made of."""
        self.ignored = frozenset(map(_text, ignored))
        """The kinds of token that are left out: blanks."""
        self.special = _special(terminals)
        """By kind of token and text the kind that such a text has instead: a keyword looks like a name."""
        special = {kind for kinds in self.special.values() for kind in kinds.values()}
        self._pattern = "|".join(
            f"(?P<{each.name}>{each.pattern.to_regexp()})" for each in _by_rank(terminals) if each.name not in special
        )

    @cached_property
    def token(self) -> re.Pattern[str]:
        """One token; the name of the group that matched is its kind."""
        return re.compile(self._pattern)


def _text(name: str) -> str:
    """A name as plain text: Lark's own sort of text is slow to compare, and would be needed to read what was kept."""
    return sys.intern(str(name))


def _by_rank(terminals: list[Any]) -> list[Any]:
    """The terminals as they are tried: by the priority that the grammar gives, the longest first, as Lark does."""
    return sorted(terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))


def _special(terminals: list[Any]) -> dict[str, dict[str, str]]:
    words = [each for each in terminals if each.pattern.type == "str"]
    found: dict[str, dict[str, str]] = {}
    for each in terminals:
        if each.pattern.type != "str":
            fits = re.compile(each.pattern.to_regexp()).match
            for word in words:
                matched = fits(word.pattern.value) if word.priority == each.priority else None
                if matched is not None and matched.group() == word.pattern.value:
                    found.setdefault(_text(each.name), {})[_text(word.pattern.value)] = _text(word.name)
    return found


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
    made_by = store.digest_of_modules("syntax"), store.version_of("lark")
    name = store.name_of(*made_by, *STARTS, text)
    kept = store.find("grammar", name)
    if kept is not None:
        try:
            found = pickle.loads(kept)
        except Exception:  # whatever is wrong with it, the grammar itself is at hand
            found = None
        if isinstance(found, Grammar):
            return found
    made = _compiled(text)
    store.keep("grammar", name, pickle.dumps(made, protocol=5))
    return made


def _compiled(text: str) -> Grammar:
    """The tables that Lark makes of the grammar."""
    import lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """Takes the place of one that would be made and not used."""

        def __init__(self, conf: Any) -> None:
            self.ignored = list(conf.ignore)

        def lex(self, lexer_state: Any, parser_state: Any) -> Any:
            raise NotImplementedError

    found: Any = lark.Lark(text, parser="lalr", lexer=NoLexer, start=list(STARTS), maybe_placeholders=False)
    table = found.parse_interactive("", start=STARTS[0]).parser_state.parse_conf.parse_table
    return Grammar(found.rules, found.terminals, table, found.ignore_tokens)
