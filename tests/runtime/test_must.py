"""`must`: what is compulsory is carried out without asking where there is one way to do it."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as dsl
from interpreter.runtime.tester import run_tests

HEAD = """language 1

game "Must"
    players 2: Ann, Bob

kind Card: 4 in the box
    rank: 1..4
    named "card {rank}"

zone hand of each Player holds Card, seen by owner
zone pile holds Card

state count_down: 0..9 = 3
state score: 0..99

setup
    let next rank = 1
    for each c in Card
        set c.rank to next rank
        next rank + 1
        move c to Ann.hand

"""


def session_of(tmp_path: Path, play: str, *, quiet: bool = False) -> dsl.Session:
    file = tmp_path / "must.rules"
    file.write_text(HEAD + play, encoding="utf-8")
    session = dsl.load(file).start(1)
    return session.clone(quiet=True) if quiet else session


PLAY = """play
    repeat 2 times
        must by Ann "Play {c}": c from Ann.hand where c.rank > count_down
            move c to pile
            score + c.rank
        otherwise: score + 20
        must "Hold on" when score < 4
            score + 10
        choose "Lower to {n}": n from 1..3
            set count_down to n
    end game
"""


def test_one_option_is_carried_out_and_told(tmp_path: Path) -> None:
    session = session_of(tmp_path, PLAY)
    assert [option.name for option in session.options] == ["Lower to 1", "Lower to 2", "Lower to 3"]
    assert session.evaluate("score") == 4
    told = [text for text in session.log(0) if "Ann: " in text or "score" in text]
    assert told == ["Ann: Play card 4", "score: 0 to 4"]
    assert session.history.steps == []


def test_several_are_asked_without_passing(tmp_path: Path) -> None:
    session = session_of(tmp_path, PLAY)
    session.choose("Lower to 1")
    assert (session.player_name, [option.name for option in session.options]) == ("Ann", ["Play card 2", "Play card 3"])
    session.choose("Play card 3")
    assert session.evaluate("score") == 7


def test_nothing_to_choose_is_otherwise_or_nothing(tmp_path: Path) -> None:
    session = session_of(tmp_path, PLAY)
    session.choose("Lower to 3")
    assert session.evaluate("score") == 24
    assert session.log(None)[-1] == "score: 4 to 24"


def test_watched_or_not_the_state_is_the_same(tmp_path: Path) -> None:
    loud, quiet = session_of(tmp_path, PLAY), session_of(tmp_path, PLAY, quiet=True)
    for choice in ("Lower to 1", "Play card 2", "Lower to 2"):
        assert loud.state == quiet.state
        loud.choose(choice)
        quiet.choose(choice)
    assert loud.is_over
    assert loud.state == quiet.state


def test_others_hear_of_it_what_they_may_know(tmp_path: Path) -> None:
    hidden = """play
    must by Ann "Keep {c}": c from Ann.hand where c.rank = 2
        move c to Bob.hand
    choose "End"
        end game
"""
    session = session_of(tmp_path, hidden)
    assert "Ann: Keep card 2" in session.log(0)
    assert "Ann: Keep card 2" in session.log(1)  # he has it now
    assert "Ann: Keep a card" in session.log(None)


def test_undo_goes_back_before_it(tmp_path: Path) -> None:
    session = session_of(
        tmp_path,
        """play
    choose "Go"
        score + 1
    must "Step"
        score + 2
    must "Step on" when score = 3
        score + 4
    choose "End"
        end game
""",
    )
    session.choose("Go")
    assert session.log(None)[-6:] == (
        "Ann: Go", "score: 0 to 1", "Ann: Step", "score: 1 to 3", "Ann: Step on", "score: 3 to 7",
    )  # fmt: skip
    session.undo()
    assert session.evaluate("score") == 0
    assert all("Step" not in line for line in session.log(None))
    session.choose("Go")
    saved = dsl.Session.resume(session.save())
    assert (saved.state, saved.log(None)) == (session.state, session.log(None))


def test_what_is_picked_is_asked_though_there_is_one_way(tmp_path: Path) -> None:
    session = session_of(
        tmp_path,
        """play
    must by Ann
        "Show {c}": c from Ann.hand where c.rank > 4
            score + 1
        "Give {cs}": cs from exactly 4 of Ann.hand
            move cs to Bob.hand
        "Show all" when score > 3
            score + 1
    must by Ann
        "Give {cs}": cs from exactly 4 of Ann.hand
            score + 2
        "Nothing is left" when score = 0
            score + 3
    choose "End"
        end game
""",
    )
    assert [option.name for option in session.options] == ["Give …"]
    session.choose("Give card 1, card 2, card 3, card 4")
    assert [option.name for option in session.options] == ["End"]
    assert session.evaluate("score") == 3


def test_lines_that_nobody_was_asked_for_are_covered(tmp_path: Path) -> None:
    file = tmp_path / "covered.rules"
    test = """
test "by itself"
    expect count of pile = 0
    start
    expect count of pile = 1 and score = 4
    choose "Lower to 3"
    expect score = 24
"""
    file.write_text(HEAD + PLAY + test, encoding="utf-8")
    assert [result.message for result in run_tests(file) if not result.ok] == []


def test_a_loop_that_nobody_stops_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(dsl.RulesError) as caught:
        session_of(tmp_path, 'play\n    repeat\n        must "Round"\n            set score to 1\n')
    assert caught.value.diagnostics[0].code in ("D701", "D702")
