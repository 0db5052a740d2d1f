"""The grammar has no conflicts, every construct is built, and the keywords come from it."""

from pathlib import Path

import lark
import pytest
from corpus_reader import corpus

from interpreter.diagnostics import Diagnostics
from interpreter.source import from_text, library_folder
from interpreter.syntax import keywords, parse, parse_snippet, reserved_words
from interpreter.syntax.automaton import Cst, Frame, accepts, advance, begin, finish, shift
from interpreter.syntax.from_lark import compile_grammar
from interpreter.syntax.grammar import STARTS, grammar
from interpreter.syntax.lines import Line, lay_out
from interpreter.syntax.tables import read_tables, write_tables
from interpreter.syntax.tokens import NEWLINE, scan

GRAMMAR = library_folder("grammars") / "rules.lark"
TABLES = GRAMMAR.with_name("rules.tables.json")
NOT_IN_FILES = {"only_expr", "only_effects", "only_condition", "cell_effect", "condition"} | {
    "any_input",
    "at_least_input",
    "range_input",
    "expr_input",
}


def test_the_grammar_is_free_of_conflicts() -> None:
    text = GRAMMAR.read_text(encoding="utf-8")
    lark.Lark(text, parser="lalr", lexer="basic", start=list(STARTS), strict=True)


def fed(stack: Frame | None, lines: list[Line]) -> Frame | None:
    for line in lines:
        for token in line.tokens:
            stack = stack and advance(stack, token)
        stack = stack and shift(stack, NEWLINE)
        if line.block:
            stack = fed(stack and shift(stack, "_INDENT"), line.block)
            stack = stack and shift(stack, "_DEDENT")
    return stack


def test_the_corpus_uses_every_rule() -> None:
    compiled = lark.Lark(GRAMMAR.read_text(encoding="utf-8"), parser="lalr", lexer="basic", start=list(STARTS))
    wanted = {rule.alias or rule.origin.name for rule in compiled.rules}
    # rules whose single child or alias always takes their place
    wanted = {name for name in wanted if not name.startswith("_")} - NOT_IN_FILES
    wanted -= {rule.origin.name for rule in compiled.rules if rule.options.expand1 and not rule.alias}
    used: set[str] = set()
    for path in corpus("syntax", "good"):
        source = from_text(path.name, path.read_text(encoding="utf-8"))
        stack = fed(begin("start"), lay_out(source, scan(source.text), Diagnostics()))
        assert stack is not None, path
        waiting = [finish(stack, "start")]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Cst):
                used.add(node.data)
                waiting.extend(node.children)
    assert wanted - used == set()


def test_what_can_stand_next_is_known() -> None:
    stack = begin("only_expr")
    assert {"NAME", "INT", "LPAR"} <= accepts(stack)
    assert "RPAR" not in accepts(stack)


def test_keywords_come_from_the_grammar() -> None:
    assert {"table", "choose", "may", "must", "at least", "end game", "each player"} <= set(keywords())
    assert {"table", "choose", "may", "must", "also", "of"} <= reserved_words()
    assert not {"at least", "before", "after", "least", "game over"} & reserved_words()


@pytest.mark.parametrize("word", sorted(reserved_words()))
def test_a_reserved_word_is_part_of_a_name_with_an_underscore_only(word: str) -> None:
    sink = Diagnostics()
    parse(from_text("t.rules", f"value the_{word} = 1\nvalue {word}_two = 1\n"), sink)
    assert not list(sink)
    parse(from_text("t.rules", f"value {word} = 1\n"), sink)
    assert len(sink) == 1


def test_the_tables_are_those_of_the_grammar() -> None:
    text = GRAMMAR.read_text(encoding="utf-8")
    made = compile_grammar(text)
    written = write_tables(made, text)
    assert written == TABLES.read_text(encoding="utf-8"), "write them: python -m interpreter.syntax.tables"
    assert read_tables(TABLES, text) == made


@pytest.mark.parametrize("content", [None, "", "[]", "{", '{"of": "another text"}'])
def test_tables_of_another_grammar_do_not_count(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "tables.json").write_text(content)
    assert read_tables(tmp_path / "tables.json", GRAMMAR.read_text(encoding="utf-8")) is None
    assert read_tables(TABLES, GRAMMAR.read_text(encoding="utf-8") + "\n") is None


def test_without_tables_lark_makes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.lark").write_text(GRAMMAR.read_text(encoding="utf-8") + "// changed\n", encoding="utf-8")
    monkeypatch.setattr("interpreter.syntax.grammar.library_folder", lambda name: tmp_path)
    assert grammar.__wrapped__() == grammar()


def test_tokens_are_those_of_lark() -> None:
    lexer = lark.Lark(GRAMMAR.read_text(encoding="utf-8"), parser="lalr", lexer="basic", start=list(STARTS))
    for path in corpus("syntax", "good"):
        text = from_text(path.name, path.read_text(encoding="utf-8")).text
        wanted = [(token.start_pos, str(token), token.type) for token in lexer.lex(text, dont_ignore=False)]
        found = [(token.start, token.text, token.kind) for token in scan(text)]
        assert [each[:2] for each in found] == [each[:2] for each in wanted]
        differing = {(each[2], other[2]) for each, other in zip(found, wanted, strict=True) if each != other}
        assert differing <= {("NAME", "DICE")}  # a space such as d3


def test_snippets_stand_in_no_file() -> None:
    sink = Diagnostics()
    assert parse_snippet("gold +", sink) is None
    (found,) = sink
    assert found.span is not None
    assert found.span.path == "<expression>"
    assert found.span.start.column == 7
