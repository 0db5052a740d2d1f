"""Bots: legal, repeatable, blind to secrets; and coverage of what was played."""

import time
from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.analysis.bots import BOTS, Budget, GreedyBot, MctsBot, RandomBot, ask, is_bot, make_bot
from interpreter.analysis.coverage import Coverage
from interpreter.runtime.tester import run_tests


@pytest.mark.parametrize("name", ["random", "greedy", "greedy:score", "mcts:40", "mcts:40:points"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "kuhn_poker", "rock_paper_scissors"])
def test_bots_play_to_the_end_and_repeat_themselves(name: str, game: str) -> None:
    hashes = set()
    for _ in range(2):
        session, bot = dsl.load(game).start(4), make_bot(name, 7)
        while not session.is_over:
            before = session.hash()
            option = ask(bot, session)
            assert session.hash() == before
            session.apply(option)
        hashes.add(session.hash())
    assert len(hashes) == 1


def test_a_bot_takes_the_win_in_front_of_it() -> None:
    session = dsl.load("tic_tac_toe").start()
    for name in ("a1", "a2", "b1", "b2"):
        session.choose(name)
    assert ask(GreedyBot(1), session).name == "c1"


def test_greedy_beats_random() -> None:
    won = 0
    for seed in range(12):
        session = dsl.load("connect_four", options={"columns": 5, "rows": 5}).start(seed)
        bots = [GreedyBot(seed), RandomBot(seed)]
        if seed % 2:
            bots.reverse()
        while not session.is_over:
            assert session.player is not None
            session.apply(ask(bots[session.player], session))
        assert session.outcome is not None
        won += session.outcome.winners == (seed % 2,)
    assert won >= 9


def test_bots_are_told_how_long_to_think() -> None:
    for name, budget, aim in (
        ("mcts", Budget(1000), "win"),
        ("mcts:5000", Budget(5000), "win"),
        ("mcts:2s", Budget(None, 2.0), "win"),
        ("mcts:500ms", Budget(None, 0.5), "win"),
        ("mcts:0.5s:points", Budget(None, 0.5), "points"),
        ("mcts:points", Budget(1000), "points"),
    ):
        bot = make_bot(name)
        assert isinstance(bot, MctsBot) and (bot.budget, bot.aim) == (budget, aim)
    begin = time.monotonic()
    ask(make_bot("mcts:100ms"), dsl.load("connect_four").start())
    assert 0.1 <= time.monotonic() - begin < 5


FAULTY = """language 1

game "Faulty"
    players 1

state left: 0..9 = 3

play
    repeat 6 times
        choose
            "Divide"
                set left to 9 div left
            "Less" when left > 0
                left - 1
    end game
"""


def test_bots_go_on_where_what_they_try_out_goes_wrong(tmp_path: Path) -> None:
    file = tmp_path / "faulty.rules"
    file.write_text(FAULTY)
    session = dsl.load(file).start()
    for name in ("greedy", "mcts:50"):
        assert ask(make_bot(name), session).name in ("Divide", "Less")


PATIENT = """language 1

game "Patient"
    players 2: Ann, Bob

each Player has
    secret: 0..1, seen by owner

play
    repeat 1500 times
        choose by Ann
            "Wait"
                set Ann.secret to 0
            "Leave"
                end game
    end game
"""


def test_a_small_game_that_goes_on_for_long_is_searched_not_solved(tmp_path: Path) -> None:
    file = tmp_path / "patient.rules"
    file.write_text(PATIENT)
    session = dsl.load(file).start()
    assert ask(make_bot("mcts:20"), session) in session.options


def test_a_search_that_has_met_enough_keeps_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.analysis.bots.tree._MOST", 10)
    monkeypatch.setattr("interpreter.analysis.bots.information_sets._MOST", 10)
    for game in ("connect_four", "pig", "partners"):
        session = dsl.load(game).start(2)
        assert ask(make_bot("mcts:200"), session) in session.options


def test_the_search_blocks_a_row_and_prefers_to_win(tmp_path: Path) -> None:
    session = dsl.load("connect_four").start()
    for column in (1, 7, 1, 7, 1):
        session.choose(f"column {column}")
    assert ask(make_bot("mcts:300"), session).name == "column 1"
    session.choose("column 2")
    assert ask(make_bot("mcts:300"), session).name == "column 1"


@pytest.mark.parametrize(
    "name", ["clever", "mcts:", "mcts:0", "mcts:-1", "mcts:0s", "mcts:2h", "mcts:5:6", "random:5", "greedy:fast", ""]
)
def test_there_is_no_other_bot(name: str) -> None:
    assert not is_bot(name)
    with pytest.raises(ValueError, match=f"no bot '{name}', expected one of random, greedy"):
        make_bot(name)


def test_every_kind_of_bot_has_a_name_of_its_own() -> None:
    assert all(is_bot(name) for name in BOTS)


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
