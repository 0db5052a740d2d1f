"""Pieces of a file that are read on their own: cells of tables, and expressions in braces."""

import pytest

from interpreter.diagnostics import Diagnostics
from interpreter.source import from_text
from interpreter.syntax import ast, parse, parse_condition, parse_effects, parse_expression

TEXT = "table t makes T\n    | a    | b       |\n    | 5+   | é + 12  |\n"


def test_cells_are_read_at_their_place() -> None:
    source = from_text("t.rules", TEXT)
    sink = Diagnostics()
    table = parse(source, sink).declarations[0]
    assert isinstance(table, ast.TableDeclaration)
    cell = table.rows[0].cells[1]
    made = parse_expression(cell.text, source, cell.offset, sink)
    assert isinstance(made, ast.Arithmetic)
    assert (made.right.span.start.line, made.right.span.start.column) == (3, 18)
    assert made.right.span.start.byte == made.right.span.start.column + len("".join(TEXT.split("\n")[:2])) + 2
    condition = parse_condition(table.rows[0].cells[0].text, source, table.rows[0].cells[0].offset, sink)
    assert isinstance(condition, ast.AtLeastInput)
    assert condition.low == 5
    assert not list(sink)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("any", ast.AnyInput),
        ("5+", ast.AtLeastInput),
        ("2..4", ast.RangeInput),
        ("Orc", ast.NamedThing),
        ("Orc or Elf and not injured", ast.Or),
        ("7", ast.Number),
        ("-2", ast.Negate),
    ],
)
def test_conditions(text: str, kind: type[ast.Node]) -> None:
    sink = Diagnostics()
    assert isinstance(parse_condition(text, from_text("t", text), 0, sink), kind)
    assert not list(sink)


def test_effects_are_parted_by_commas() -> None:
    sink = Diagnostics()
    text = "dig +1, leave, pay(Ann, 3)"
    made = parse_effects(text, from_text("t", text), 0, sink)
    assert made is not None
    assert [type(statement) for statement in made] == [ast.Adjust, ast.Leave, ast.Call]


@pytest.mark.parametrize("read", [parse_expression, parse_condition, parse_effects])
@pytest.mark.parametrize("text", ["", "3 +", "(", "a b ? c", '"x', "a, b c d of", "=", "|", "\n", "1" * 30])
def test_broken_pieces_are_reported_once(read: object, text: str) -> None:
    sink = Diagnostics()
    assert callable(read)
    source = from_text("t", f"xx {text}")
    made = read(source.text[3:], source, 3, sink)
    assert made is None
    assert len(sink) == 1
    (found,) = sink
    assert found.span is not None
    assert found.span.start.byte >= 3


def test_a_mistake_in_braces_is_found_at_its_place() -> None:
    sink = Diagnostics()
    parse(from_text("t.rules", 'setup\n    say "a {b} {3 + } c"\n'), sink)
    (found,) = sink
    assert found.span is not None
    assert (found.span.start.line, found.span.start.column) == (2, 20)
