"""Loops, turns and limits: what is kept, what is restored, what is a fault. Each game is a `test` block of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as dsl
from interpreter.runtime.tester import run_tests

ROUNDS = """language 1
game "Rounds"
    players 2: Ann, Bob
state total: 0..99
state inner: 0..99
effect three
    round 3 times
        total +1
phase Count
    round 2 times
        choose
            "Go"
                inner +1
play
    round 2 times
        Count
        three
        round 2 times
            choose
                "On"
                    total + 10
    repeat
        each player
            choose
                "Leave"
                    leave
                "Stay"
                    nothing
    choose
        "End"
            end game

test "rounds within rounds keep their own number"
    choose "Go"
    choose "Go"
    choose "On"
    expect total = 13
    choose "On"
    choose "Go"
    choose "Go"
    choose "On"
    choose "On"
    expect total = 46
    expect inner = 4
    expect player is Ann
    choose "Stay"
    expect player is Bob
    choose "Leave"
    expect player is Ann
    choose "End"
    expect finished
"""

LEAVING = """language 1
game "Leaving"
    players 3: Ann, Bob, Cid
state looks: 0..99
effect look
    repeat
        each player
            looks +1
            if player is Bob: leave
    each player
        if player is Ann: end turn
        looks + 10
    round 4 times
        for each n in 1..3
            if n = 2: end round
            looks +1
play
    turns from Cid
        look
        choose "{player} has {looks}"
            end game

test "whoever leaves an each player gives the turn back"
    offers "Cid has 26"
"""


@pytest.mark.parametrize("text", [ROUNDS, LEAVING], ids=["machine", "function"])
def test_who_is_to_move_and_which_round(text: str, tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    path.write_text(text)
    assert [result.message for result in run_tests(path)] == [""]


@pytest.mark.parametrize(
    ("play", "code"),
    [
        ("move 3 from heap to hand", "D716"),
        ("move every Card to hand", "D716"),
        ("place Pawn on a1\n    place Pawn on a1", "D711"),
        ("place Pawn on a1\n    place Pawn on b1\n    move Pawn on a1 to b1", "D711"),
        ("place 2 Pawn in yard\n    place Pawn in yard", "D712"),
        ("place Pawn on a1\n    move Pawn on a1 to a1", ""),
        ("move 2 from heap to hand\n    move hand to hand", ""),
    ],
)
def test_faults_of_places(play: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    path.write_text(
        'language 1\ngame "Places"\n    players 1\nboard grid of Square: square grid, 2 by 1\n'
        "kind Card: 4 in the box\nkind Pawn: 2 in the box\nzone hand holds Card, at most 2\nzone heap holds Card\n"
        f"zone yard holds Pawn\nsetup\n    move every Card to heap\nplay\n    {play}\n    end game\n"
    )
    rules = dsl.load(path)
    try:
        assert rules.start(1).outcome is not None
        found = ""
    except dsl.RulesError as error:
        found = error.diagnostics[0].code
        span = error.diagnostics[0].span
        assert span is not None and span.start.line == 12 + len(play.splitlines())
    assert found == code
