"""Texts of rows: carried beside the program as numbers, shown wherever a value is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as dsl

RULES = """language 1

game "Texts"
    players 1

table orcs makes Card
    | card | title: text | defence |
    |------|-------------|---------|
    | O1   | War  Boar   | 2       |
    | O2   | "War Boar"  | 4       |
    | O3   |             | 4       |

kind Unit: 1 of each Card
    named "{title}"

zone camp holds Unit

state last: Card or none

value caption(c: Card) = if c.defence > 2 then c.title else Grog.title

table others makes Card
    | other | title |
    |-------|-------|
    | Grog  | Grog {the} 'Great' |

setup
    move every Unit to camp

play
    repeat
        choose
            "Send {u}, not {last.title}": u from camp
                set last to u.card
                move u to box
                say "{u.title}/{caption(last)}"
            "Twice {one.title} and {others} again": one from camp, others from up to 1 of camp
                move one to box
        otherwise: leave
    end game
"""


@pytest.fixture
def session(tmp_path: Path) -> dsl.Session:
    path = tmp_path / "texts.rules"
    path.write_text(RULES, encoding="utf-8")
    return dsl.load(path).start(1)


def test_texts_are_numbers_beside_the_program(session: dsl.Session) -> None:
    assert session.rules.program.texts == ("War Boar", "", "Grog {the} 'Great'")
    assert all(isinstance(number, int) for number in session.state)


def test_pieces_of_one_text_are_told_apart(session: dsl.Session) -> None:
    assert [option.name for option in session.options] == [
        "Send War Boar, not none",
        "Send War Boar, not none (2)",
        "Send , not none",
        "Send Grog {the} 'Great', not none",
        "Twice War Boar and … again",
        "Twice War Boar and … again (2)",
        "Twice and … again",
        "Twice Grog {the} 'Great' and … again",
    ]
    session.choose("Send War Boar, not none (2)")
    assert session.evaluate("last") == "O2"


def test_texts_are_shown_in_the_log_and_given_as_data(session: dsl.Session) -> None:
    session.choose("Send War Boar, not none")
    assert "War Boar/Grog {the} 'Great'" in session.log(None)
    assert session.evaluate("last.title") == "War Boar"
    assert session.evaluate("O3.title") == ""
    assert session.evaluate("caption(O3)") == ""
    assert str(session.why("last.title")) == "last.title: War Boar"


def test_a_blank_text_leaves_no_second_blank(session: dsl.Session) -> None:
    session.choose("Twice and Grog {the} 'Great' again")
    assert session.history.names() == ["Twice and Grog {the} 'Great' again"]
    assert session.evaluate("count of camp") == 3


def test_the_text_of_nothing_is_none(session: dsl.Session) -> None:
    assert session.evaluate("last.title") is None
