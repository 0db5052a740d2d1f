"""Tests of rules: those that ship hold, and those that fail say why."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import interpreter as dsl
from interpreter.diagnostics import Diagnostics
from interpreter.runtime.tester import TestResult, check_transcript, run_tests, run_transcript
from interpreter.source import Files, shipped_games

GAME = """language 1

game "Count"
    players 2: Ann, Bob

option goal = 3 in 1..9

track pot: 0..9

each Player has
    score: 0..9

phase Bidding
    choose by Bob "Bid"
        nothing

play
    turns
        choose
            "Take one" when player.score < goal
                player.score + 1
                if player.score = goal: player wins "enough"
            "Roll"
                pot + roll d6
            "Wait"
                nothing
        if pot = 9: Bidding
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def results(lines: str, game: str = GAME) -> Iterator[TestResult]:
    body = "".join(f"    {line}\n" for line in lines.strip("\n").splitlines())
    Path("count.rules").write_text(f'{game}\ntest "it"\n{body}', encoding="utf-8")
    return run_tests("count.rules")


def result(lines: str) -> TestResult:
    (found,) = results(lines)
    return found


@pytest.mark.parametrize("file", shipped_games(), ids=lambda path: path.stem)
def test_the_tests_of_shipped_games_hold(file: Path) -> None:
    failed = [f"{found.title}: {found.message} {found.details}" for found in run_tests(file) if not found.ok]
    assert failed == []


def test_a_test_that_holds() -> None:
    found = result('choose "Take one" by Ann\nchoose "Wait" by Bob\nexpect Ann.score = 1')
    assert found.ok
    assert found.title == "it"
    assert found.path == "count.rules"


def test_a_wrong_expectation_tells_what_was_found() -> None:
    found = result('choose "Take one"\nexpect Ann.score = 2 and player is Bob')
    assert (found.ok, found.code) == (False, "D603")
    assert found.message == "expected Ann.score = 2 and player is Bob"
    assert found.details == ("Ann.score is 1", "player is Bob")
    assert found.span.start.line == 31
    assert found.as_diagnostic().message.startswith("test `it`: expected")


def test_a_choice_that_is_not_offered() -> None:
    found = result('choose "Take oen"')
    assert found.code == "D601"
    assert "did you mean `Take one`" in found.message
    assert any("Wait" in line for line in found.details)


def test_the_wrong_player() -> None:
    assert result('choose "Wait" by Bob').code == "D602"


def test_offers() -> None:
    assert result('offers "Wait", "Take one", "Roll"').ok
    assert result('offers also "Wait"').ok
    assert result('given\n    set Ann.score to 3\noffers never "Take one"').ok
    found = result('offers "Wait", "Take one"')
    assert found.details == ("offered besides: `Roll`",)
    assert result('offers "Wait", "Take one", "Roll", "Sing"').details == ("not offered: `Sing`",)
    assert result('offers never "Wait"').message == "`Wait` is offered"
    found = result('given\n    set Ann.score to 3\noffers also "Take one"')
    assert found.message == "`Take one` is not offered"
    assert any("player.score < goal" in line for line in found.details)


def test_rolls_are_used_up_and_fit() -> None:
    assert result('rolls 3 4\nchoose "Roll"\nchoose "Roll"\nexpect pot = 7').ok
    assert "1 roll was given but never asked for: 4" in result('rolls 3 4\nchoose "Roll"').message
    assert "roll 1 is 7, expected 1 to 6" in result('rolls 7\nchoose "Roll"').message


def test_where_rolls_run_out_the_game_stands_still() -> None:
    assert result('rolls 3\nchoose "Roll"\nchoose "Roll"\nexpect pot = 3').ok
    found = result('rolls 3\nchoose "Roll"\nchoose "Roll"\nchoose "Wait"')
    assert "waits for a roll that was not given" in found.message
    assert result('rolls 3\nchoose "Roll"\nchoose "Roll"\noffers never "Wait"').code == "D604"


def test_a_seed_draws_the_dice() -> None:
    assert result('seed 3\nchoose "Roll"\nexpect pot > 0').ok


def test_options_and_given_and_where_to_start() -> None:
    assert result('options goal = 1\nchoose "Take one"\nexpect winner is Ann').ok
    assert result("given\n    set pot to 5\nexpect pot = 5").ok
    found = result('given\n    set pot to 9\nstart at Bidding\noffers "Bid"\nchoose "Bid" by Bob')
    assert found.ok, found
    assert result('choose "Wait"\nstart').code == "D606"
    assert result('choose "Wait"\nseed 3').code == "D606"


def test_what_cannot_be_read_is_told() -> None:
    found = result("options speed = 3\nexpect pot = 0")
    assert found.code == "D600"
    assert "unknown option `speed`" in found.message
    found = result("expect pott = 0")
    assert found.code == "D600"
    assert found.diagnostics


def test_a_fault_in_a_test_is_its_failure() -> None:
    game = GAME.replace("track pot: 0..9", "state pot: 0..9")
    (found,) = results('rolls 6 6\nchoose "Roll"\nchoose "Roll"', game)
    assert (found.ok, found.code) == (False, "D710")


def test_tests_are_chosen_by_title() -> None:
    assert next(iter(run_tests("pig", wanted=lambda title: "banks" in title))).title == "holding banks it"
    with pytest.raises(dsl.RulesError):
        list(run_tests("no_such_game"))


# ---------------------------------------------------------------------------------------------------- played examples

EXAMPLE = """game: pig
title: a short game
options: {goal: 20}
given: ["set Ann.banked to 15"]
dice: [6, 5]
play:
  - choose: "Roll"
    by: Ann
    offers: ["Roll"]
    then: ["player is Ann"]
  - choose: "Roll"
    offers: {includes: ["Hold 6"], excludes: ["Hold 0"]}
  - choose: Hold 11
expect: ["winner is Ann", "Ann.banked = 26"]
"""


def example(text: str) -> TestResult:
    Path("short.test.yaml").write_text(text, encoding="utf-8")
    return run_transcript(Path("short.test.yaml"))


def test_a_played_example_that_holds() -> None:
    found = example(EXAMPLE)
    assert found.ok, found
    assert found.title == "a short game"


@pytest.mark.parametrize(
    "old, new, code, line",
    [
        ("Ann.banked = 26", "Ann.banked = 25", "D603", 14),
        ("by: Ann", "by: Bob", "D602", 7),
        ("by: Ann", "by: Zoe", "D602", 8),
        ("Hold 11", "Hold 12", "D601", 13),
        ("[6, 5]", "[6, 5, 4]", "D604", 5),
        ('offers: ["Roll"]', 'offers: ["Roll", "Hold 0"]', "D605", 9),
        ('["Hold 6"]', '["Hold 7"]', "D605", 12),
        ("player is Ann", "player is an", "D608", 10),
        ("set Ann.banked to 15", "Ann has 15", "D608", 4),
        ("game: pig", "game: pigg", "D620", 1),
        ("options: {goal: 20}", "options: {gaol: 20}", "D600", 3),
        ("dice:", "dcie:", "D600", 5),
    ],
)
def test_a_played_example_that_fails(old: str, new: str, code: str, line: int) -> None:
    found = example(EXAMPLE.replace(old, new))
    assert not found.ok
    assert found.code == code
    assert found.span.start.line == line


def test_an_example_says_what_stays_hidden() -> None:
    text = 'game: kuhn_poker\nplay: [{choose: "Bet"}]\nview:\n  First: {hidden: [%s], shown: [First.hand]}\n'
    assert example(text % "Second.hand, deck").ok
    found = example(text % "table top")
    assert (found.ok, found.code) == (False, "D607")
    assert example(text % "Second.sleeve").message == "nothing is called `Second.sleeve`"


def test_an_example_names_a_game_beside_it() -> None:
    Path("count.rules").write_text(GAME, encoding="utf-8")
    assert example('game: count.rules\nplay: [{choose: "Wait"}]\nexpect: ["player is Bob"]\n').ok
    assert example('game: count.rules\ngiven: |\n  set pot to 9\nstart: Bidding\nplay: [{choose: "Bid", by: Bob}]\n').ok


def test_an_example_can_be_checked_without_playing_it() -> None:
    def found(text: str) -> list[str]:
        Path("short.test.yaml").write_text(text, encoding="utf-8")
        sink = Diagnostics()
        check_transcript(Path("short.test.yaml").absolute(), sink, Files(root=Path.cwd()))
        return [diagnostic.code for diagnostic in sink]

    assert found(EXAMPLE) == []
    assert found(EXAMPLE.replace("by: Ann", "by: Zoe")) == ["D602"]
    assert found(EXAMPLE.replace("game: pig", "game: pigg")) == ["D620"]
    assert found(EXAMPLE.replace("goal: 20", "gaol: 20")) == ["D801"]
    assert found(EXAMPLE.replace("expect", "expcet")) == ["D503"]
