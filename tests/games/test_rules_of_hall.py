"""What no test within the rules of Hall can say: which choices are there before the game, and how many sides a die has.

A test block plays a game that exists; that a configuration does not exist, or that a 7 never falls, is seen from
outside only. Everything else about this game is tested beside its rules.
"""

from __future__ import annotations

from random import Random

import pytest

from interpreter.diagnostics import RulesError
from interpreter.runtime import load


@pytest.mark.parametrize("gems", ["each_step", "final_step"])
def test_every_die_has_six_sides(gems: str) -> None:
    """HD-001 HD-092 HD-122: dwarves, gems and mining rolls alike."""
    rules = load("hall", options={"gems": gems})
    sides: set[int] = set()
    for seed in range(15):
        session, random = rules.start(seed), Random(seed)
        sides.update(side for side, _ in session.setup_rolls)
        while not session.is_over:
            session.apply(random.choice(session.options))
        sides.update(side for step in session.history.steps for side, _ in step.chance)
    assert sides == {6}


def test_at_most_one_mode_unless_both_are_allowed() -> None:
    """HD-197"""
    with pytest.raises(RulesError, match="D803"):
        load("hall", options={"elven": True, "legend": True})
    load("hall", options={"elven": True, "legend": True, "allow both": True})


@pytest.mark.parametrize(
    ("option", "allowed", "refused"),
    [("min reroll", (0, 1), (-1, 2)), ("bribes", (1, 15), (0, 16))],
)
def test_the_bounds_of_readings(option: str, allowed: tuple[int, ...], refused: tuple[int, ...]) -> None:
    """HD-023 HD-041: the fewest dice rerolled for a discard, and blocks spent in a turn (there are 15)."""
    for value in allowed:
        load("hall", options={option: value})
    for value in refused:
        with pytest.raises(RulesError, match="D802"):
            load("hall", options={option: value})
