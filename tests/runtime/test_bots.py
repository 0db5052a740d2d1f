"""Bots: legal, repeatable, blind to secrets; and coverage of what was played."""

from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.analysis.bots import BOTS, GreedyBot, RandomBot, make_bot
from interpreter.analysis.coverage import Coverage
from interpreter.runtime.leak import shuffled_secrets
from interpreter.runtime.tester import run_tests


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("game", ["tic_tac_toe", "kuhn_poker", "rock_paper_scissors"])
def test_bots_play_to_the_end_and_repeat_themselves(name: str, game: str) -> None:
    hashes = set()
    for _ in range(2):
        session, bot = dsl.load(game).start(4), make_bot(name, 7)
        while not session.is_over:
            before = session.hash()
            option = bot.choose(session)
            assert session.hash() == before
            session.apply(option)
        hashes.add(session.hash())
    assert len(hashes) == 1


def test_a_bot_takes_the_win_in_front_of_it() -> None:
    session = dsl.load("tic_tac_toe").start()
    for name in ("a1", "a2", "b1", "b2"):
        session.choose(name)
    assert GreedyBot(1).choose(session).name == "c1"


def test_greedy_beats_random() -> None:
    won = 0
    for seed in range(12):
        session = dsl.load("connect_four", options={"columns": 5, "rows": 5}).start(seed)
        bots = [GreedyBot(seed), RandomBot(seed)]
        if seed % 2:
            bots.reverse()
        while not session.is_over:
            assert session.player is not None
            session.apply(bots[session.player].choose(session))
        assert session.outcome is not None
        won += session.outcome.winners == (seed % 2,)
    assert won >= 9


def test_a_bot_does_not_see_what_is_hidden() -> None:
    session = dsl.load("rock_paper_scissors").start()
    session.choose("rock")
    for seed in range(5):
        other = shuffled_secrets(session, 1, Random(seed))
        assert GreedyBot(3).choose(session).name == GreedyBot(3).choose(other).name


def test_there_is_no_other_bot() -> None:
    with pytest.raises(ValueError, match="no bot 'clever'"):
        make_bot("clever")


PARTLY = """language 1

game "Partly"
    players 1

track points: 0..99

value worth(n: number)
    start n                              "as it is"
    + 2 if n > 5                         "a lot"

play
    repeat
        choose
            "Take {n}": n from 1..9
                points + worth(n)
            "Stop"
                end game "enough"

test "a little"
    choose "Take 3"
    expect points = 3
"""


def test_coverage_counts_what_tests_use(tmp_path: Path) -> None:
    file = tmp_path / "partly.rules"
    file.write_text(PARTLY, encoding="utf-8")
    coverage = Coverage()
    assert all(result.ok for result in run_tests(file, watch=coverage.add))
    report = coverage.report()
    assert [(place.title, place.count) for place in report.of("option")] == [("Take …", 1), ("Stop", 0)]
    assert [(place.title, place.count) for place in report.of("line")] == [("worth", 1), ("worth", 0)]
    assert [place.span.start.line for place in report.unused] == [10, 17, 18]
    assert not report.reaches(1.0)
    assert report.reaches(0.5)
    assert {what: (used, total) for what, used, total in report.summary()}["option"] == (1, 2)


def test_coverage_adds_up_over_configurations() -> None:
    coverage = Coverage()
    for goal in (10, 20):
        rules = dsl.load("pig", options={"goal": goal})
        marks: dict[int, int] = {}
        session, random = rules.start(1, marks=marks), Random(1)
        while not session.is_over:
            session.apply(random.choice(session.options))
        coverage.add(rules, marks)
    assert coverage.report().share == 1.0
