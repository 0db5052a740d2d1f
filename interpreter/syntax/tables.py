"""The tables of the grammar as a file.

    python -m interpreter.syntax.tables        writes grammars/rules.tables.json after a change of grammars/rules.lark

The file says of which text it holds the tables, and counts for that text only. Symbols and rules stand in it by
number. Most of a row are reductions of one rule before many kinds of token, and the same few sets of kinds come again
and again, so each set stands there once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from interpreter.source import library_folder
from interpreter.source.store import name_of
from interpreter.syntax.grammar import STARTS, Grammar, Reduction

__all__ = ["read_tables", "write_tables"]

_FORMAT = "1"


def read_tables(path: Path, grammar: str) -> Grammar | None:
    """The tables of a grammar from a file; None where the file is missing or holds those of another text."""
    try:
        data: Any = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(data, dict) or data.get("of") != _of(grammar):
        return None
    symbols = data["symbols"]
    reductions = [Reduction(origin, name, tuple(kept), *rest) for origin, name, kept, *rest in data["rules"]]
    sets = [[symbols[number] for number in numbers] for numbers in data["sets"]]
    rows: list[dict[str, int | Reduction]] = []
    for moves, reduced in data["rows"]:
        row: dict[str, int | Reduction] = {symbols[at]: to for at, to in zip(moves[::2], moves[1::2], strict=True)}
        for number, rule in zip(reduced[::2], reduced[1::2], strict=True):
            row.update(dict.fromkeys(sets[number], reductions[rule]))
        rows.append(row)
    return Grammar(
        rows=tuple(rows),
        in_names=frozenset(data["in_names"]),
        ignored=frozenset(data["ignored"]),
        **{name: data[name] for name in ("starts", "ends", "words", "patterns", "special", "pattern")},
    )


def write_tables(made: Grammar, grammar: str) -> str:
    """The tables of a grammar as the content of a file, a line for each row."""
    symbols = {name: number for number, name in enumerate(sorted({name for row in made.rows for name in row}))}
    rules: dict[Reduction, int] = {}
    sets: dict[tuple[int, ...], int] = {}
    rows = []
    for row in made.rows:
        moves: list[int] = []
        before: dict[int, list[int]] = {}
        for name, to in sorted(row.items()):
            if isinstance(to, int):
                moves += (symbols[name], to)
            else:
                before.setdefault(rules.setdefault(to, len(rules)), []).append(symbols[name])
        rows.append([moves, [n for rule, kinds in before.items() for n in (_number(sets, tuple(kinds)), rule)]])
    head: dict[str, Any] = {"of": _of(grammar), "starts": made.starts, "ends": made.ends}
    head |= {"words": made.words, "patterns": made.patterns, "special": made.special, "pattern": made.pattern}
    head |= {"in_names": sorted(made.in_names), "ignored": sorted(made.ignored), "symbols": list(symbols)}
    parts = [f"{json.dumps(name)}: {_compact(value)}" for name, value in head.items()]
    parts.append(_list("rules", [list(attrs.astuple(rule)) for rule in rules]))
    parts.append(_list("sets", [list(each) for each in sets]))
    parts.append(_list("rows", rows))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _list(name: str, lines: Sequence[object]) -> str:
    return f"{json.dumps(name)}: [\n" + ",\n".join(map(_compact, lines)) + "\n]"


def _number(known: dict[tuple[int, ...], int], kinds: tuple[int, ...]) -> int:
    return known.setdefault(kinds, len(known))


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _of(grammar: str) -> str:
    return name_of(_FORMAT, *STARTS, grammar)


def _write() -> None:
    from interpreter.syntax.from_lark import compile_grammar

    folder = library_folder("grammars")
    text = folder.joinpath("rules.lark").read_text(encoding="utf-8")
    path = folder / "rules.tables.json"
    path.write_text(write_tables(compile_grammar(text), text), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    _write()
