"""Explanations: values line by line, and why a choice is not offered."""

from pathlib import Path

import pytest

import interpreter as dsl
from interpreter.runtime.table import set_up

SCORE = """language 1

game "Score"
    players 1
    scored by total

state gains: 0..9 = 3
state losses: 0..9 = 1
state late: flag

relation calm(n: number)
    when n < 5                           "few"
    unless n = 2                         "two is a crowd"

value total in halves
    start 2 * gains                       "gains"
    - losses                             "losses"
    + 5 if late                          "late"
    divided by 2
    at least 1

table bonus(n: number) gives number, first match
    | n    | bonus |
    |------|-------|
    | 1..3 | 4     |
    | any  | 0     |

play
    choose
        "Take {n}": n from 1..6 where calm(it) and gains > 2
            end game
        "Shout" when late
            end game
        "Sing" when late or  # loud
                losses > 2 and gains > 2
            end game
        "Rest"
            end game
"""


@pytest.fixture
def session(tmp_path: Path) -> dsl.Session:
    file = tmp_path / "score.rules"
    file.write_text(SCORE, encoding="utf-8")
    return dsl.load(file).start()


def test_a_condition_that_goes_on_in_the_next_line_is_told_whole(session: dsl.Session) -> None:
    found = session.why_not("Sing")
    assert [line.reason for line in found.lines] == ["late or losses > 2 and gains > 2"]


def test_a_value_is_told_line_by_line(session: dsl.Session) -> None:
    found = session.why("total")
    assert found.total == "2½"
    assert [(line.amount, line.reason, line.applies) for line in found.lines] == [
        ("6", "gains", True),
        ("-1", "losses", True),
        ("+…", "late", False),
        ("divided by 2", "divided by 2", True),
        ("at least 1", "at least 1", False),
    ]
    assert found.lines[0].span.start.line == 16
    assert session.evaluate("total") * 2 == 5  # type: ignore[operator]
    assert str(found).splitlines()[0] == "total: 2½"


def test_a_relation_tells_what_held_and_what_refused(session: dsl.Session) -> None:
    found = session.why("calm(2)")
    assert found.total == "no"
    assert [(line.amount, line.reason) for line in found.lines] == [
        ("holds", "few"),
        ("refuses", "two is a crowd"),
    ]
    assert session.why("calm(1)").total == "yes"


def test_a_table_tells_its_row(session: dsl.Session) -> None:
    found = session.why("bonus(gains)")
    assert found.total == "4"
    assert "1..3" in found.lines[0].reason


def test_a_condition_tells_its_sides(session: dsl.Session) -> None:
    found = session.why("gains > losses and late")
    assert found.total == "no"
    assert [(line.reason, line.amount) for line in found.lines] == [("gains > losses", "yes"), ("late", "no")]
    assert [(line.reason, line.amount) for line in session.why("gains = losses").lines] == [
        ("gains", "3"),
        ("losses", "1"),
    ]


def test_a_missing_option_tells_the_condition_and_the_reason(session: dsl.Session) -> None:
    found = session.why_not("Take 2")
    assert found.total == "not offered: two is a crowd"
    assert found.lines[0].reason.startswith("calm(it)")
    found = session.why_not("Take 6")
    assert found.total == "not offered: few"
    found = session.why_not("Shout")
    assert found.total == "not offered: late"
    assert found.lines[0].span.start.line == 32
    assert session.why_not("Take 1").total == "offered"
    with pytest.raises(dsl.InvalidChoice, match="fits no option"):
        session.why_not("Take 9")
    session.choose("Rest")
    assert "over" in session.why_not("Rest").total


def test_a_reason_of_the_hall() -> None:
    session, _ = set_up(dsl.load("hall"))
    session.begin()
    session.choose("Stop rolling")
    while not any("Build" in option.name for option in session.options):
        session.apply(session.options[-1])
        if session.is_over:
            return
    found = session.why_not("Build Throne Room on a1")
    assert found.total.startswith("not offered")


def test_the_total_is_the_value_itself() -> None:
    session = dsl.load("hall", options={"elven": True}).start(3)
    for text in ("final score", "fighting points", "builders"):
        found = session.why(text)
        value = session.evaluate(text)
        assert found.total in (str(value), f"{value}".replace("/2", "")) or "½" in found.total
