"""How well bots play, the quick part; the long one is `python benchmarks/strength.py` (`docs/strength.md`)."""

from __future__ import annotations

import sys
from statistics import mean

import pytest
from configurations import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

from strength import (
    VALUE,
    Match,
    against_all_replies,
    equilibrium,
    first_wins,
    play,
    points,
    poker,
    told,
    worth,
)


@pytest.mark.parametrize("side", [0, 1])
def test_tic_tac_toe_is_never_lost_whatever_the_opponent_does(side: int) -> None:
    found = against_all_replies("mcts:200", side)
    assert found["lost"] == []
    assert int(str(found["ends"])) > 50


def test_a_worse_bot_is_found_to_lose() -> None:
    assert against_all_replies("random", 1)["lost"]


def test_the_first_player_wins_connect_four_against_a_hundredth_of_the_thought() -> None:
    (match,) = first_wins(2000, 2)
    assert match.other == "mcts:20"
    assert [play(match, 2 * number)[0] for number in range(match.games)] == [1.0, 1.0]


def test_it_beats_the_greedy_bot() -> None:
    row = told(match := Match("reversi", "mcts:100", "greedy", 4), [play(match, number) for number in range(4)])
    assert row["share"] == 1.0 and row["low"] < 0.6 < row["high"]  # type: ignore[operator]


def test_alone_it_has_more_points_than_the_greedy_bot() -> None:
    """In these two games; the long run has the interval."""
    assert mean(points("hall", "mcts:200", seed) for seed in (2, 6)) > mean(points("hall", "greedy", s) for s in (2, 6))


def test_best_play_of_poker_is_worth_what_is_known() -> None:
    for bluff in (0.0, 1 / 6, 1 / 3):
        assert worth(equilibrium(bluff), equilibrium()) == pytest.approx(VALUE)


def test_poker_is_played_nearly_as_well_as_can_be() -> None:
    found = {name: value for name, value in poker("mcts:50:points", 400).items() if isinstance(value, float)}
    assert found["first_against_best"] == pytest.approx(VALUE, abs=0.01)
    assert found["best_against_second"] == pytest.approx(VALUE, abs=0.01)
    assert 0 <= found["first_loses_at_most"] < 0.03
    assert 0 <= found["second_loses_at_most"] < 0.03


def test_a_poker_player_who_never_bluffs_is_found_out() -> None:
    found = poker("greedy", 40)
    assert float(str(found["second_loses_at_most"])) > 0.05
