"""Menus of many options: what begins alike is said once, numbers and names stay."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

import interpreter
from interpreter.runtime import Session
from interpreter.tools.play.menu import Answer, filtered, lines_of, menu_of, read_answer
from interpreter.tools.play.screen import DrawnScreen, PlainScreen, Screen

MENUS = """language 1

game "Menus"
    players 1

enum Colour: red, blue
enum Size: small, large, quite large

board yard of Square: path, {spaces}

kind Stone: 1 of each Colour
    named "{{colour}} stone"

setup
    for each c in Colour: move first of (Stone where colour is c) to (if c is red then p1 else p2)

play
    choose
        "Move {{s}} to {{t}}": s from Stone, t from Square where it is empty
            move s to t
        "Paint {{t}} in {{c}}, {{z}}": t from {{p3, p4}}, c from Colour, z from Size
            nothing
        "Take {{n}} of {{c}}": c from Colour, n from 1..2
            nothing
        "Take {{c}} for {{n}}": c from Colour, n from 1..2
            nothing
        "Put {{t}}: {{c}}": t from {{p4}}, c from Colour
            nothing
        "Leave {{t}}": t from {{p3, p4}}
            nothing
        "Stop"
            nothing
    end game
"""


def menu_session(folder: Path, spaces: int = 5) -> Session:
    file = folder / "menus.rules"
    file.write_text(MENUS.format(spaces=spaces), encoding="utf-8")
    return interpreter.load(file).start(seed=1)


def asked(session: Session, width: int | None = None, shown: str = "") -> list[str]:
    """The menu as it is shown: plainly, or drawn so many characters wide."""
    menu, stream = menu_of(session), io.StringIO()
    screen: Screen = PlainScreen(stream)
    if width is not None:
        screen = DrawnScreen(stream=stream, console=Console(file=stream, width=width, color_system=None))
    screen.menu("choose", menu, filtered(menu, shown))
    return stream.getvalue().splitlines()


def test_options_that_begin_alike_stand_in_one_line(tmp_path: Path) -> None:
    session = menu_session(tmp_path)
    assert asked(session) == [
        "choose",
        "Move red stone to: 1 p3, 2 p4, 3 p5",
        "Move blue stone to: 4 p3, 5 p4, 6 p5",
        "Paint p3 in red: 7 small, 8 large, 9 quite large",
        "Paint p3 in blue: 10 small, 11 large, 12 quite large",
        "Paint p4 in red: 13 small, 14 large, 15 quite large",
        "Paint p4 in blue: 16 small, 17 large, 18 quite large",
        "- Take {n} of {c}",
        "19. Take 1 of red",
        "20. Take 2 of red",
        "21. Take 1 of blue",
        "22. Take 2 of blue",
        "- Take {c} for {n}",
        "23. Take red for 1",
        "24. Take red for 2",
        "25. Take blue for 1",
        "26. Take blue for 2",
        "Put p4: 27 red, 28 blue",
        "- Leave {t}",
        "29. Leave p3",
        "30. Leave p4",
        "31. Stop",
    ]


def test_it_is_drawn_as_wide_as_the_screen_and_no_number_leaves_its_option(tmp_path: Path) -> None:
    session = menu_session(tmp_path)
    drawn = asked(session, 44)
    assert drawn[1:7] == [
        "  Move red stone to: 1 p3, 2 p4, 3 p5",
        "  Move blue stone to: 4 p3, 5 p4, 6 p5",
        "  Paint p3 in red: 7 small, 8 large,",
        "      9 quite large",
        "  Paint p3 in blue: 10 small, 11 large,",
        "      12 quite large",
    ]
    assert all(len(line) <= 44 for line in drawn)
    assert "  19  Take 1 of red" in drawn, "what has a line of its own is drawn as before"
    assert "Paint {t} in {c}, {z}" not in drawn and "Take {n} of {c}" in drawn, "a heading only where it says more"


def test_numbers_and_names_choose_as_before(tmp_path: Path) -> None:
    session = menu_session(tmp_path)
    menu = menu_of(session)
    for position, option in enumerate(menu.options):
        assert read_answer(menu, str(position + 1)) == Answer((option,))
        assert read_answer(menu, option.name) == Answer((option,))
    every = range(len(menu.options))
    shown = [position for line in lines_of(menu, every) for position, _ in line.items]
    assert shown == list(every), "every option stands once, in order"


def test_a_filter_joins_what_is_left(tmp_path: Path) -> None:
    session = menu_session(tmp_path)
    assert asked(session, shown="move p3") == [
        "choose",
        "- Move {s} to {t}",
        "1. Move red stone to p3",
        "4. Move blue stone to p3",
    ]
    assert asked(session, shown="large paint p3 red") == ["choose", "Paint p3 in red: 8 large, 9 quite large"]


def test_few_options_have_a_line_each(tmp_path: Path) -> None:
    file = tmp_path / "few.rules"
    file.write_text(FEW, encoding="utf-8")
    assert asked(interpreter.load(file).start(seed=1)) == [
        "choose",
        "1. Paint p1 in red",
        "2. Paint p1 in blue",
        "3. Paint p2 in red",
        "4. Paint p2 in blue",
    ]


FEW = """language 1

game "Few"
    players 1

enum Colour: red, blue

board yard of Square: path, 2

play
    choose "Paint {t} in {c}": t from Square, c from Colour
        nothing
    end game
"""
