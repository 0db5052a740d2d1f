"""Generated files as texts: what formatting does to them, and what becomes of them when one token goes wrong."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from games_of_text import written
from hypothesis import event, given, note
from hypothesis import strategies as st
from strategies import GameText, Written, games

from interpreter.diagnostics import Diagnostics, RulesError, Severity
from interpreter.runtime import load
from interpreter.source import SourceFile
from interpreter.syntax import format_source, parse
from interpreter.workspace.check_files import check_files

TOKEN = re.compile(r'"[^"\n]*"|[^\W\d][\w\'’]*|\d+|\.\.|[<>!]=|[^\w\s]')


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


def formatted(text: str) -> str:
    sink = Diagnostics()
    found = format_source(SourceFile("game.rules", text), sink)
    assert found is not None, [str(each) for each in sink]
    return found


@given(written_=games(), brackets=st.booleans())
def test_formatting_changes_blanks_and_nothing_else(written_: Written, brackets: bool) -> None:
    text = (written_.bracketed() if brackets else written_.plain()).text
    note(text)
    once = formatted(text)
    assert formatted(once) == once
    trees = [parse(SourceFile("game.rules", each), Diagnostics()) for each in (text, once)]
    assert trees[0] == trees[1]


@given(written_=games(), seed=st.integers(0, 2**32))
def test_lines_that_go_on_are_read_as_one(written_: Written, seed: int) -> None:
    plain, folded = written_.plain().text, written_.folded(Random(seed)).text
    note(folded)
    event("goes on" if folded != plain else "no line goes on")
    sink = Diagnostics()
    trees = [parse(SourceFile("game.rules", each), sink) for each in (plain, folded)]
    assert not list(sink)
    assert trees[0] == trees[1]
    once = formatted(folded)
    assert formatted(once) == once
    assert parse(SourceFile("game.rules", once), sink) == trees[0]


def harmed(text: str, at: int, how: str) -> str:
    """The text with one of its tokens deleted, doubled, put behind the next one, or misspelt."""
    tokens = list(TOKEN.finditer(text))
    token = tokens[at % len(tokens)]
    start, end, word = token.start(), token.end(), token.group()
    match how:
        case "delete":
            return text[:start] + text[end:]
        case "double":
            return f"{text[:end]} {word}{text[end:]}"
        case "swap" if at % len(tokens) + 1 < len(tokens):
            other = tokens[at % len(tokens) + 1]
            return text[:start] + other.group() + text[end : other.start()] + word + text[other.end() :]
        case _:
            middle = len(word) // 2
            return text[:start] + word[:middle] + word[middle + 1 :] + text[end:]


@given(written_=games(), at=st.integers(0, 2000), how=st.sampled_from(("delete", "double", "swap", "misspell")))
def test_a_file_with_one_wrong_token_is_read_to_its_end(folder: Path, written_: Written, at: int, how: str) -> None:
    plain = written_.plain()
    text = harmed(plain.text, at, how)
    path = written(folder, GameText(text, plain.parts))
    found = check_files([path]).diagnostics
    errors = [diagnostic for diagnostic in found if diagnostic.severity is Severity.ERROR]
    event("still a game" if not errors else errors[0].code)
    lines = text.split("\n")
    for diagnostic in found:
        span = diagnostic.span
        if span is None or not span.path.endswith("game.rules"):
            continue
        for position in (span.start, span.end):
            assert 1 <= position.line <= len(lines), str(diagnostic)
            assert 1 <= position.column <= len(lines[position.line - 1]) + 1, str(diagnostic)
    if errors:
        assert any(diagnostic.span is not None for diagnostic in errors)
        return
    try:
        load(path).start(0)
    except RulesError as error:
        assert all(diagnostic.code.startswith("D7") for diagnostic in error.diagnostics), str(error)
