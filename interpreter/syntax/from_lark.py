"""From the text of the grammar to its tables, by Lark.

States are numbered in the order in which they are reached, so that the same grammar always gives the same tables.
"""

from __future__ import annotations

import re
from typing import Any

from interpreter.syntax.grammar import STARTS, Grammar, Reduction

__all__ = ["compile_grammar"]


def compile_grammar(text: str) -> Grammar:
    """The tables of a grammar."""
    import lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """Takes the place of one that would be made and not used."""

        def __init__(self, conf: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Any:
            raise NotImplementedError

    found: Any = lark.Lark(text, parser="lalr", lexer=NoLexer, start=list(STARTS), maybe_placeholders=False)
    table: Any = found.parse_interactive("", start=STARTS[0]).parser_state.parse_conf.parse_table
    rules, terminals = found.rules, found.terminals
    numbers = _numbers(table)
    special = _special(terminals)
    embedded = {kind for kinds in special.values() for kind in kinds.values()}
    texts = {str(each.name): (each.pattern.type, str(each.pattern.value)) for each in terminals}
    return Grammar(
        rows=_rows(rules, table, numbers),
        starts={name: numbers[table.start_states[name]] for name in STARTS},
        ends={name: numbers[table.end_states[name]] for name in STARTS},
        words={name: value for name, (type_, value) in sorted(texts.items()) if type_ == "str"},
        patterns={name: value for name, (type_, value) in sorted(texts.items()) if type_ != "str"},
        in_names=_in_names(rules),
        ignored=frozenset(map(str, found.ignore_tokens)),
        special=special,
        pattern="|".join(
            f"(?P<{each.name}>{each.pattern.to_regexp()})" for each in _by_rank(terminals) if each.name not in embedded
        ),
    )


def _numbers(table: Any) -> dict[int, int]:
    """The number of each of Lark's states, in the order in which they are reached."""
    numbers: dict[int, int] = {}
    waiting = [table.start_states[name] for name in reversed(STARTS)]
    while waiting:
        state = waiting.pop()
        if state not in numbers:
            numbers[state] = len(numbers)
            moves = table.states[state]
            waiting += [moves[name][1] for name in sorted(moves, reverse=True) if isinstance(moves[name][1], int)]
    return numbers


def _rows(rules: list[Any], table: Any, numbers: dict[int, int]) -> tuple[dict[str, int | Reduction], ...]:
    with_lines = _with_lines(rules)
    reductions = {id(rule): _reduction(rule, with_lines) for rule in rules}
    return tuple(
        {
            str(name): numbers[to] if isinstance(to, int) else reductions[id(to)]
            for name, (_, to) in sorted(table.states[state].items())
        }
        for state in numbers
    )


def _reduction(rule: Any, with_lines: set[str]) -> Reduction:
    origin = str(rule.origin.name)
    kept = tuple(not (symbol.is_term and symbol.filter_out) for symbol in rule.expansion)
    expand = bool(rule.options.expand1) and not rule.alias
    return Reduction(
        origin=origin,
        data=str(rule.alias or origin),
        kept=kept,
        inline=origin.startswith("_") and not rule.alias,
        expand=expand,
        starts_over=origin in with_lines,
        size=len(kept),
        passes_on=expand and kept == (True,),
    )


def _by_rank(terminals: list[Any]) -> list[Any]:
    """The terminals as they are tried: by the priority that the grammar gives, the longest first, as Lark does."""
    return sorted(terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))


def _special(terminals: list[Any]) -> dict[str, dict[str, str]]:
    """By kind and text the kind that such a text has instead."""
    words = [each for each in terminals if each.pattern.type == "str"]
    found: dict[str, dict[str, str]] = {}
    for each in sorted(terminals, key=lambda t: str(t.name)):
        if each.pattern.type != "str":
            fits = re.compile(each.pattern.to_regexp()).match
            for text, word in sorted((str(word.pattern.value), word) for word in words):
                matched = fits(text) if word.priority == each.priority else None
                if matched is not None and matched.group() == text:
                    found.setdefault(str(each.name), {})[text] = str(word.name)
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
    return frozenset(map(str, below & terminals))
