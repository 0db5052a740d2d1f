"""The report for people, line for line."""

import re
from collections.abc import Callable
from textwrap import dedent
from typing import Any

from interpreter.diagnostics import Applicability, Diagnostic, Edit, Fix, Label, Position, Severity, Span
from interpreter.tools.report import Sources
from interpreter.tools.report.text import render

Place = Callable[..., Span]


def shown(text: str) -> str:
    """An expected report, written with the indentation of its test."""
    return dedent(text).lstrip("\n")


def test_nothing_found_says_nothing(sources: Sources) -> None:
    assert render([], sources) == ""


def test_an_error_with_everything(missing_row: Diagnostic, unused: Diagnostic, sources: Sources) -> None:
    assert render([missing_row, unused], sources) == shown(
        """
        error[D103]: table `damage` has no row for a `Pussycat`
          --> rules/menace.rules:3:1
          |
        3 | table damage(target: Warrior, points: number)
          | ^^^^^^^^^^^^ 1 of 6 kinds falls through
          |
          ::: rules/kinds.rules:2:6
          |
        2 | kind Warrior, 6 in the box
          |      ------- `Warrior` is declared here
        note: the rows are tried from the top
        help: add a last row `any`

        warning[D190]: unused suppression of `D204`
          --> rules/menace.rules:6:7
          |
        6 | value dice(w: Warrior)
          |       ^^^^

        """
    )


def test_the_gutter_is_as_wide_as_the_longest_number(at: Place, lines: Any) -> None:
    text = {"a.rules": [f"line {number}" for number in range(1, 119)]}
    finding = Diagnostic(
        "D204",
        Severity.ERROR,
        "twice",
        at(118, 1, 4, "a.rules"),
        "again",
        labels=(Label(at(2, 1, 4, "a.rules"), "first"), Label(at(116, 6, 3, "a.rules"), "near")),
    )
    assert render([finding], lines(text)) == shown(
        """
        error[D204]: twice
          --> a.rules:118:1
            |
          2 | line 2
            | ---- first
        ...
        116 | line 116
            |      --- near
        117 | line 117
        118 | line 118
            | ^^^^ again

        """
    )


def test_several_marks_on_one_line(at: Place, lines: Any) -> None:
    finding = Diagnostic(
        "D301",
        Severity.ERROR,
        "no way",
        at(1, 11, 1, "a.rules"),
        "`F` is no space",
        labels=(Label(at(1, 6, 1, "a.rules"), "`E` is a space"), Label(at(1, 1, 4, "a.rules"), "moves here")),
    )
    assert render([finding], lines({"a.rules": ["move E to F"]})) == shown(
        """
        error[D301]: no way
          --> a.rules:1:11
          |
        1 | move E to F
          | ---- -    ^ `F` is no space
          | |    |
          | |    `E` is a space
          | moves here

        """
    )


def test_a_mark_within_a_mark(at: Place, lines: Any) -> None:
    finding = Diagnostic(
        "D301",
        Severity.ERROR,
        "no way",
        at(1, 6, 1, "a.rules"),
        "not a space",
        labels=(Label(at(1, 1, 11, "a.rules"), "in this move"),),
    )
    assert render([finding], lines({"a.rules": ["move E to F"]})) == shown(
        """
        error[D301]: no way
          --> a.rules:1:6
          |
        1 | move E to F
          | -----^-----
          | |    |
          | |    not a space
          | in this move

        """
    )


def test_marks_of_one_start(at: Place, lines: Any) -> None:
    finding = Diagnostic(
        "D301",
        Severity.ERROR,
        "no way",
        at(1, 1, 4, "a.rules"),
        "here",
        labels=(Label(at(1, 1, 4, "a.rules"), "and here"),),
    )
    assert render([finding], lines({"a.rules": ["move E to F"]})) == shown(
        """
        error[D301]: no way
          --> a.rules:1:1
          |
        1 | move E to F
          | ^^^^ here
          | |
          | and here

        """
    )


def test_tabs_and_wide_characters_keep_the_marks_in_place(at: Place, lines: Any) -> None:
    tabs = Diagnostic("D103", Severity.ERROR, "tab", at(1, 3, 3, "a.rules"))
    wide = Diagnostic("D201", Severity.ERROR, "wide", at(2, 4, 2, "a.rules"))
    joined = Diagnostic("D201", Severity.ERROR, "accent", at(3, 4, 3, "a.rules"))
    text = lines({"a.rules": ["a\tOrc", "龍と Orc", "e\u0301 Orc"]})
    assert render([tabs, wide, joined], text) == (
        "error[D103]: tab\n  --> a.rules:1:3\n  |\n1 | a   Orc\n  |     ^^^\n\n"
        "error[D201]: wide\n  --> a.rules:2:4\n  |\n2 | 龍と Orc\n  |      ^^\n\n"
        "error[D201]: accent\n  --> a.rules:3:4\n  |\n3 | e\u0301 Orc\n  |   ^^^\n\n"
    )


def test_places_of_no_width_several_lines_and_past_the_end(at: Place, lines: Any) -> None:
    text = lines({"a.rules": ["phase Rolling", "    roll"]})
    empty = Diagnostic("D110", Severity.ERROR, "empty", at(1, 6, 0, "a.rules"))
    block = Diagnostic("D110", Severity.ERROR, "block", Span("a.rules", Position(1, 7, 6), Position(2, 9, 22)))
    end = Diagnostic("D110", Severity.ERROR, "end", at(2, 9, 0, "a.rules"), "here it stops")
    assert render([empty, block, end], text) == shown(
        """
        error[D110]: empty
          --> a.rules:1:6
          |
        1 | phase Rolling
          |      ^

        error[D110]: block
          --> a.rules:1:7
          |
        1 | phase Rolling
          |       ^^^^^^^

        error[D110]: end
          --> a.rules:2:9
          |
        2 |     roll
          |         ^ here it stops

        """
    )


def test_without_the_file_the_words_remain(at: Place, lines: Any) -> None:
    finding = Diagnostic("D102", Severity.ERROR, "not text", at(1, 1, 1, "a.rules"), "byte DF")
    bare = Diagnostic("D101", Severity.ERROR, "cannot read", at(1, 1, 1, "b.rules"))
    nowhere = Diagnostic("D101", Severity.ERROR, "no rules found", None, notes=("looked in\nrules and boards",))
    assert render([finding, bare, nowhere], lines({})) == shown(
        """
        error[D102]: not text
          --> a.rules:1:1
          |
          = byte DF

        error[D101]: cannot read
          --> b.rules:1:1

        error[D101]: no rules found
        note: looked in
              rules and boards

        """
    )


def test_a_fix_stands_in_for_help(at: Place, sources: Sources) -> None:
    fix = Fix("rename to `die`", (Edit(at(6, 7, 4), "die"),), Applicability.MAYBE)
    finding = Diagnostic("D201", Severity.ERROR, "unknown", at(6, 7, 4), fixes=(fix,))
    assert render([finding], sources).splitlines()[-2] == "help: rename to `die`"


def test_characters_that_move_the_cursor_are_made_visible(at: Place, lines: Any) -> None:
    finding = Diagnostic("D110", Severity.ERROR, "found `\x1b[2J`", at(1, 1, 3, "a.rules"))
    report = render([finding], lines({"a.rules": ["a\x1b[2J\u202eb"]}))
    assert "\x1b" not in report
    assert "\u202e" not in report
    assert "found `␛[2J`" in report


def test_colours_add_nothing_but_colours(missing_row: Diagnostic, unused: Diagnostic, sources: Sources) -> None:
    coloured = render([missing_row, unused], sources, colour=True)
    assert "\x1b[1;31merror[D103]\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render([missing_row, unused], sources)
