"""Reading: the corpus, the shipped files, places, and what must not happen whatever stands in a file."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from corpus_reader import corpus, expected, mismatches

from interpreter.diagnostics import Diagnostics, Position
from interpreter.source import SourceFile, from_text, library_folder
from interpreter.syntax import ast, parse

SHIPPED = sorted([*library_folder("rules").glob("*.rules"), *library_folder("examples").glob("*.rules")])
GOOD = corpus("syntax", "good")
BAD = corpus("syntax", "bad")


def read(path: Path) -> SourceFile:
    return from_text(path.name, path.read_text(encoding="utf-8"))


def tree(text: str) -> ast.File:
    sink = Diagnostics()
    made = parse(from_text("t.rules", text), sink)
    assert not list(sink)
    return made


def codes(text: str) -> list[tuple[int, str]]:
    sink = Diagnostics()
    parse(from_text("t.rules", text), sink)
    return [(found.span.start.line if found.span else 0, found.code) for found in sink]


def nodes(root: ast.Node) -> Iterator[ast.Node]:
    waiting: list[object] = [root]
    while waiting:
        here = waiting.pop()
        if isinstance(here, tuple):
            waiting.extend(here)
        elif isinstance(here, ast.Node):
            yield here
            waiting.extend(getattr(here, field.name) for field in attrs.fields(type(here)) if field.name != "span")


def name_of(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", [*SHIPPED, *GOOD], ids=name_of)
def test_good_files_are_read_without_a_finding(path: Path) -> None:
    sink = Diagnostics()
    made = parse(read(path), sink)
    assert [str(found) for found in sink] == []
    assert made.lost == frozenset()


def test_there_are_bad_files() -> None:
    assert len(BAD) >= 40


@pytest.mark.parametrize("path", BAD, ids=name_of)
def test_bad_files_have_exactly_what_they_say(path: Path) -> None:
    wanted = expected(path)
    assert wanted
    sink = Diagnostics()
    parse(read(path), sink)
    assert mismatches(wanted, sink) == []


@pytest.mark.parametrize("path", [*SHIPPED, *GOOD], ids=name_of)
def test_the_text_at_the_place_of_a_name_is_the_name(path: Path) -> None:
    source = read(path)
    data = source.text.encode()

    def offset(position: Position) -> int:
        return source.line_starts[position.line - 1] + position.column - 1

    count = 0
    for node in nodes(parse(source, Diagnostics())):
        text = source.text[offset(node.span.start) : offset(node.span.end)]
        assert data[node.span.start.byte : node.span.end.byte].decode() == text
        if isinstance(node, ast.Name):
            assert " ".join(text.replace("_", " ").split()) == node.text
            count += 1
        elif isinstance(node, ast.Text):
            assert text == f'"{node.raw}"'
        elif isinstance(node, ast.Cell):
            assert text.replace("\\|", "|") == node.text
            assert offset(node.span.start) == node.offset
        elif isinstance(node, ast.Number) and text.isdigit():
            assert int(text) == node.value
    assert count or path.parent.name == "good"


def test_twenty_slips_are_twenty_findings() -> None:
    path = next(path for path in BAD if path.stem == "twenty_typos")
    assert len(expected(path)) == 20
    sink = Diagnostics()
    parse(read(path), sink)
    lines = [found.span.start.line for found in sink if found.span]
    assert len(lines) == len(set(lines)) == 20


def test_what_stands_around_a_broken_line_is_kept() -> None:
    sink = Diagnostics()
    made = parse(
        from_text("t.rules", "phase A\n    set x too 3\n    leave\nphsae B\n    leave\nphase C\n    shuffle deck\n"),
        sink,
    )
    assert len(sink) == 2
    assert [
        (type(d).__name__, len(d.body.statements)) for d in made.declarations if isinstance(d, ast.PhaseDeclaration)
    ] == [
        ("PhaseDeclaration", 1),
        ("PhaseDeclaration", 1),
    ]
    assert {"x", "B"} <= made.lost


def test_a_broken_only_line_leaves_an_empty_block() -> None:
    sink = Diagnostics()
    made = parse(from_text("t.rules", "setup\n    set x too 3\n"), sink)
    assert isinstance(made.declarations[0], ast.SetupDeclaration)
    assert made.declarations[0].body.statements == ()


def test_names_are_canonical() -> None:
    made = tree("value may_reroll = 1\nvalue  Throne   Room = 1\nvalue _x_ = 2\n")
    assert [d.name.text for d in made.declarations if isinstance(d, ast.ValueDeclaration)] == [
        "may reroll",
        "Throne Room",
        "x",
    ]


def test_texts_alternate_with_expressions() -> None:
    made = tree('setup\n    say "a {{b}} {gold + 1}{x}!"\n')
    setup = made.declarations[0]
    assert isinstance(setup, ast.SetupDeclaration)
    say = setup.body.statements[0]
    assert isinstance(say, ast.Say)
    shapes = [part if isinstance(part, str) else type(part).__name__ for part in say.text.parts]
    assert shapes == ["a {b} ", "Arithmetic", "NamedThing", "!"]
    assert isinstance(say.text.parts[2], ast.NamedThing)
    assert say.text.parts[2].span.start.column == 29


def test_documentation_goes_to_what_it_documents() -> None:
    made = tree(
        "## One.\n## Two.\nkind Die: 2 in the box  ## Three.\n    ## Four.\n    face: 1..6  ## Five.\n\n"
        "## Not of the option.\n\noption a = 1  # Plain.\ntable t makes T\n    | t |\n    | a | ## Row.\n"
    )
    kind, option, table = made.declarations
    assert isinstance(kind, ast.KindDeclaration)
    assert isinstance(table, ast.TableDeclaration)
    assert kind.doc == "One.\nTwo.\nThree."
    assert kind.fields[0].doc == "Four.\nFive."
    assert option.doc == ""
    assert table.rows[0].doc == "Row."


def test_a_square_named_like_a_die_is_a_square() -> None:
    made = tree("value a = d3.disc is Red\nvalue b = roll d3\n")
    first, second = made.declarations
    assert isinstance(first, ast.ValueDeclaration)
    assert isinstance(second, ast.ValueDeclaration)
    assert isinstance(first.is_, ast.Is)
    assert isinstance(second.is_, ast.Dice)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("value x = " + "(" * 10_000 + "1" + ")" * 10_000, {"D114"}),
        ("value x = " + "(" * 5_000 + "1" + ")" * 5_000, {"D113"}),
        ("value x = " + "(" * 5_000, {"D110"}),
        ("value x = " + "not " * 4_000 + "yes", {"D113"}),
        ("value x = " + "+".join(["1"] * 5_000), {"D113"}),
        ("value x = a" + ".b" * 5_000, {"D113"}),
        ("value x = " + "-" * 9_000 + "1", {"D113"}),
        ("setup\n" + "".join(f"{' ' * depth}repeat\n" for depth in range(1, 2_000)), {"D113"}),
        ("setup\n    if a: leave\n" + "    else if b: leave\n" * 5_000, {"D113"}),
        ('setup\n    say "' + "{" * 9_001 + '"', {"D110"}),
        ('setup\n    say "{' + "(" * 9_000 + '}"', {"D110"}),
        ("é" * 300_000, {"D114"}),
        ("$ $\n" * 100_000, {"D110"}),
        ("setup\n" + "    set x too 3\n" * 5_000, {"D110"}),
        ("table t makes T\n" + "    | a |\n" * 20_000, set()),
        ("# x\n" * 50_000, set()),
        ("setup\n" + ("    set " + "ab " * 6_000 + "\n") * 10, {"D110"}),
        ("setup\n" + ("    set " + "some ab where " * 90 + "= )\n") * 200, {"D110"}),
        ("\n" * 100_000, set()),
        ("setup\n" + "\tleave\n" * 20_000, {"D103"}),
        ("value x = " + "9" * 5_000, {"D110"}),
        ("\x00\x01\ufffe\ud800", {"D110"}),
    ],
    ids=range(22),
)
def test_extremes_are_read_or_reported(text: str, found: set[str]) -> None:
    started = time.process_time()
    assert {code for _, code in codes(text)} == found
    assert time.process_time() - started < 20


def test_reading_takes_linear_time() -> None:
    text = read(library_folder("rules") / "hall.rules").text.replace("language 1", "")
    text += "tabel x\n    set\n" * 5
    times: list[float] = []
    for copies in (4, 32):
        source = from_text("t.rules", text * copies)
        started = time.process_time()
        parse(source, Diagnostics())
        times.append(time.process_time() - started)
    assert times[1] < times[0] * 8 * 3


def mangled(text: str, dice: random.Random) -> str:
    """A copy with a few deletions, insertions and swaps."""
    pieces = list(text)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(pieces))
        length = dice.choice((1, 1, 2, 5, 30))
        match dice.randrange(5):
            case 0:
                del pieces[at : at + length]
            case 1:
                pieces[at:at] = dice.choice(
                    ("(", ")", '"', "{", "}", "|", ":", "\n", "\t", "    ", "#", "é", "$", " of ", "=")
                )
            case 2:
                other = dice.randrange(len(pieces))
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case 3:
                pieces[at:at] = pieces[at : at + length] * 3
            case 4:
                start = dice.randrange(len(pieces))
                pieces[at:at] = pieces[start : start + length * 3]
        if not pieces:
            pieces = ["x"]
    return "".join(pieces)


@pytest.mark.parametrize("seed", range(20))
def test_mangled_files_never_raise(seed: int) -> None:
    dice = random.Random(seed)
    texts = [read(path).text for path in [*SHIPPED, *GOOD] if path.stat().st_size > 100]
    for _ in range(100):
        text = mangled(dice.choice(texts), dice)
        source = from_text("t.rules", text)
        sink = Diagnostics()
        made = parse(source, sink)
        assert isinstance(made, ast.File)
        lines = [found.span.start.line for found in sink if found.span and found.code in ("D110", "D112", "D113")]
        spoilt = {number for number in lines if '"' not in source.line_text(number)}
        assert all(lines.count(number) == 1 for number in spoilt), list(sink)
        for found in sink:
            assert found.message[:1].islower() or found.message[:1] in "`"
            assert not found.message.endswith(".")
            assert "_" not in found.message.replace(source.line_text(found.span.start.line), "") or "`" in found.message
