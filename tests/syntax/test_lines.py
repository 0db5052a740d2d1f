"""Lines that go on in the next one: what belongs to them, and what is done about a comma too many."""

from __future__ import annotations

import pytest

from interpreter.diagnostics import Diagnostics
from interpreter.source import from_text
from interpreter.syntax import ast, code_of_line, parse
from interpreter.syntax.lines import Line, lay_out
from interpreter.syntax.tokens import scan


def lines_of(text: str) -> list[Line]:
    sink = Diagnostics()
    found = lay_out(from_text("t.rules", text), scan(text), sink)
    assert not list(sink)
    return found


def shape(lines: list[Line]) -> list[object]:
    """For each line its words, with a bar where it goes on, and the shape of its block."""
    found: list[object] = []
    for line in lines:
        words = [("| " if at in line.joins else "") + token.text for at, token in enumerate(line.tokens)]
        found.append(" ".join(words) if not line.block else (" ".join(words), shape(line.block)))
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a,\n  b\n", ["a , | b"]),
        ("a,\nb\n", ["a ,", "b"]),
        ("  a and\n b\n", None),
        ("a (\n  b,\n c or\n    d\n   e\n", [("a ( | b , | c or | d", ["e"])]),
        ("a {  # x\n\n  # y\n  b\n", ["a { | b"]),
        ("a\n  b,\n    c\n    d\n  e\n", [("a", [("b , | c", ["d"]), "e"])]),
        ("a,\n  |b|\n", [("a ,", ["|b|"])]),
        ("a where\n  b\n", [("a where", ["b"])]),
        ('a "x,"\n  b\n', [('a "x,"', ["b"])]),
        ("a,\n", ["a ,"]),
    ],
)
def test_what_goes_on(text: str, found: list[object] | None) -> None:
    if found is None:
        assert not any(line.joins for line in lay_out(from_text("t.rules", text), scan(text), Diagnostics()))
    else:
        assert shape(lines_of(text)) == found


def test_documentation_behind_any_of_its_lines_is_that_of_the_declaration() -> None:
    text = "## One.\nstate a: 0..9 = max(1,  ## Two.\n    2)  ## Three.\nstate b: 0..9  ## Four.\n"
    sink = Diagnostics()
    tree = parse(from_text("t.rules", "language 1\n" + text), sink)
    assert not list(sink)
    docs = [node.doc or node.field_.doc for node in tree.declarations if isinstance(node, ast.StateDeclaration)]
    assert docs == ["One.\nTwo.\nThree.", "Four."]


def test_a_comma_too_many_costs_no_line() -> None:
    text = "language 1\n\nsetup\n    repeat 2 times,\n        if a,\n            move b to c\n        leave\n"
    sink = Diagnostics()
    tree = parse(from_text("t.rules", text), sink)
    assert [(one.span.start.line, one.span.start.column, one.code) for one in sink if one.span] == [
        (4, 19, "D110"),
        (5, 13, "D110"),
    ]
    (setup,) = (node for node in tree.declarations if isinstance(node, ast.SetupDeclaration))
    (repeat,) = setup.body.statements
    assert isinstance(repeat, ast.Repeat)
    assert [type(inner) for inner in repeat.body.statements] == [ast.If, ast.Leave]


@pytest.mark.parametrize(
    ("line", "code", "goes_on"),
    [
        ("  a and  # why", "a and", True),
        ("a", "a", False),
        ("a # b,", "a", False),
        ('"x,"', '"x,"', False),
        ("# only", "", False),
        ("", "", False),
    ],
)
def test_the_code_of_a_line(line: str, code: str, goes_on: bool) -> None:
    assert code_of_line(line) == (code, goes_on)
