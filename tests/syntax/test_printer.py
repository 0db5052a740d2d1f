"""The formatter: shipped files are stable, any blanks come out alike, and nothing but blanks changes."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from corpus_reader import corpus
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.diagnostics import Diagnostics
from interpreter.source import from_text, library_folder
from interpreter.syntax import format_source, parse
from interpreter.syntax.lines import lay_out
from interpreter.syntax.printer import _walk
from interpreter.syntax.tokens import NEWLINE, Token, scan
from interpreter.syntax.trivia import comments_of

SHIPPED = sorted([*library_folder("rules").glob("*.rules"), *library_folder("examples").glob("*.rules")])
GOOD = corpus("syntax", "good")


def formatted(text: str) -> str:
    sink = Diagnostics()
    made = format_source(from_text("t.rules", text), sink)
    assert made is not None, list(sink)
    assert not list(sink)
    return made


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_files_are_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted(text) == text


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_formatting_twice_changes_nothing(path: Path) -> None:
    once = formatted(path.read_text(encoding="utf-8"))
    assert formatted(once) == once


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("value  x(a:Square,b :C)=min( 3,4 )+{ 1,2 } . size\n", "value x(a: Square, b: C) = min(3, 4) + {1, 2}.size\n"),
        (
            "setup\n  points + 3\n  points+x\n  points -2\n  a.b(c)+ 3*x\n",
            "setup\n    points +3\n    points + x\n    points -2\n    a.b(c) + 3 * x\n",
        ),
        ("value x = - 3 - - 4\n", "value x = -3 - -4\n"),
        ("option a = 3 in - 1 .. 6\n", "option a = 3 in -1..6\n"),
        ("value x=first of(a where b)\n", "value x = first of (a where b)\n"),
        ('setup\n    end   game   "x"\n', 'setup\n    end game "x"\n'),
        ("setup\n\tleave\n\tleave\n", "setup\n    leave\n    leave\n"),
        ('value x\n  start 3   "a"\n  + 44   "b"\n', 'value x\n    start 3  "a"\n    + 44     "b"\n'),
        ('value x\n  start 3 "a"\n  -44 "b"\n', 'value x\n    start 3 "a"\n    - 44 "b"\n'),
        (
            "\n\n# a\n\n\n\n\nsetup\n\n\n    leave\n\n\n\n    leave  # b   \n",
            "# a\n\n\nsetup\n\n    leave\n\n    leave  # b\n",
        ),
        ("option a = 1 ## x\noption long = 1  ## y\n", "option a = 1     ## x\noption long = 1  ## y\n"),
        ("setup\n    x # a\n    yyyyyy # b\n", "setup\n    x  # a\n    yyyyyy  # b\n"),
        ("setup\n    x         # a\n    yyyyyy    # b\n", "setup\n    x         # a\n    yyyyyy    # b\n"),
        (
            "table t makes T\n  |a|bb|\n  |-|--|\n  |cc|\\||  # x\n",
            "table t makes T\n    | a  | bb |\n    | -  | -- |\n    | cc | \\| |  # x\n",
        ),
        (
            "table t makes T\n  |a|bb|\n  |---|----|\n  |cc||\n",
            "table t makes T\n    | a  | bb |\n    |----|----|\n    | cc |    |\n",
        ),
        (
            "setup\n  if a\n      leave\n      # deep\n  # shallow\n# top\n",
            "setup\n    if a\n        leave\n        # deep\n    # shallow\n# top\n",
        ),
        ('test "x"\n    rolls 1 2,-3 -4\n', 'test "x"\n    rolls 1 2, -3 -4\n'),
        ("", ""),
        ("# x", "# x\n"),
        (
            'setup\n  choose\n   "a" : x from {1 ,# one\n      - 2} , y from b   where c and\n'
            "     # two\n\n    d\n      leave\n",
            'setup\n    choose\n        "a": x from {1,  # one\n                -2}, y from b where c and\n'
            "                # two\n\n                d\n            leave\n",
        ),
        (
            'value x\n  + 1 if a or\n    b   "c"\n  + 2   "d"\n',
            'value x\n    + 1 if a or\n            b  "c"\n    + 2        "d"\n',
        ),
        ("enum A: b,\n  c ## d\nenum E: f, g ## h\n", "enum A: b,\n        c  ## d\nenum E: f, g  ## h\n"),
    ],
    ids=range(22),
)
def test_format(before: str, after: str) -> None:
    assert formatted(before) == after
    assert formatted(after) == after


def test_a_broken_file_is_left_alone() -> None:
    sink = Diagnostics()
    assert format_source(from_text("t.rules", "tabel x\n"), sink) is None
    assert [found.code for found in sink] == ["D110"]


def shuffled(text: str, dice: random.Random) -> str:
    """The same tokens and comments with other blanks."""
    source = from_text("t.rules", text)
    tokens = scan(text)
    step = dice.randint(1, 7)
    depths: dict[int, tuple[list[Token], int]] = {}
    for line, depth in _walk(lay_out(source, tokens, Diagnostics())):
        for first, after in pairwise([0, *line.joins, len(line.tokens)]):
            further = dice.randint(1, 9) if first else 0
            number = source.position(line.tokens[first].start).line
            depths[number] = (line.tokens[first:after], step * depth + further)
    comments = {comment.line: comment for comment in comments_of(source, tokens)}
    out: list[str] = []
    for number in range(1, source.line_count + 1):
        comment = comments[number].text if number in comments else ""
        if number not in depths:
            out.append(" " * dice.randint(0, 9) + comment)
            continue
        here, indent = depths[number]
        parts: list[str] = []
        for token in here:
            if parts:
                before = parts[-1][-1:]
                tight = not (before.isalnum() or before in "_’'") or not (
                    token.text[:1].isalnum() or token.text[:1] == "_"
                )
                tight = tight and before + token.text[:1] not in ("..", "<=", ">=", "!=") and token.kind != "STRING"
                parts.append(" " * dice.randint(0 if tight else 1, 4))
            kept = token.text
            if token.kind == "ROW":
                kept = text[token.start : token.end]
            elif token.kind != "STRING":
                kept = (" " * dice.randint(1, 3)).join(kept.split())
            parts.append(kept)
        is_row = here[0].kind == "ROW"
        blanks = " " * dice.randint(1, 9) if comment else ""
        out.append(" " * indent + "".join(parts) + ("" if is_row else blanks + comment))
        if dice.random() < 0.1 and comments.get(number + 1) is None:
            out.extend([""] * dice.randint(1, 4))
    return "\n".join(out)


@pytest.mark.parametrize("path", [*SHIPPED, *GOOD], ids=lambda path: path.stem)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_other_blanks_are_formatted_to_the_same_game(path: Path, seed: int) -> None:
    text = path.read_text(encoding="utf-8")
    other = shuffled(text, random.Random(seed))
    sink = Diagnostics()
    assert parse(from_text("t.rules", other), sink) == parse(from_text("t.rules", text), sink)
    assert not list(sink)
    once = formatted(other)
    assert formatted(once) == once
    assert [token.text for token in scan(once) if token.kind not in (NEWLINE, "ROW")] == [
        token.text for token in scan(formatted(text)) if token.kind not in (NEWLINE, "ROW")
    ]
