"""OpenSpiel (`pip install open_spiel`), twice: its C++ games in its own C++ loop, and driven from Python.

The C++ loop is reached by a search of one simulation whose leaf is valued by many random games; it does not tell how
many decisions they had. From Python the loop is the one that everybody writes: what is legal, one of them, apply.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import Any

from interpreter.tools.bench.peers_file import OpenSpielGame
from interpreter.tools.bench.sides import OPEN_SPIEL_CPP, OPEN_SPIEL_PYTHON, Missing, Side, Slice, timed

__all__ = ["open_spiel_sides"]

_EXPLORATION, _MEGABYTES = 2.0, 10
"""What the search needs to be told and does not use."""


def open_spiel_sides(named: OpenSpielGame) -> list[Side | Missing]:
    """Both ways to play a game of OpenSpiel, or why they cannot be had."""
    try:
        spiel: Any = import_module("pyspiel")
    except ImportError:
        return _both_missing("the package open_spiel is not installed")
    if named.name not in spiel.registered_names():
        return _both_missing(f"it has no game `{named.name}`")
    try:
        game = spiel.load_game(named.name, dict(named.parameters))
    except Exception as fault:  # its own classes, which are not there before it is imported
        return _both_missing(f"it cannot load `{named.name}`: {str(fault).strip().partition(chr(10))[0]}")
    title = f"OpenSpiel {_version()}"
    search, steps = _Search(spiel, game), _Steps(game)
    return [
        Side(OPEN_SPIEL_CPP, f"{title}, C++ loop", search.play, named.remark),
        Side(OPEN_SPIEL_PYTHON, f"{title}, Python loop", steps.play, named.remark),
    ]


def _both_missing(reason: str) -> list[Side | Missing]:
    return [Missing(OPEN_SPIEL_CPP, reason), Missing(OPEN_SPIEL_PYTHON, reason)]


def _version() -> str:
    try:
        return version("open_spiel")
    except PackageNotFoundError:
        return "(unknown version)"


class _Search:
    """Values the start by so many random games, all within C++."""

    def __init__(self, spiel: Any, game: Any) -> None:
        self.spiel, self.game = spiel, game
        self.start = game.new_initial_state()

    def play(self, seed: int, games: int) -> Slice:
        seed %= 2**31

        def value() -> tuple[None, int]:
            evaluator = self.spiel.RandomRolloutEvaluator(games, seed)
            bot = self.spiel.MCTSBot(self.game, evaluator, _EXPLORATION, 1, _MEGABYTES, False, seed, False)
            bot.step(self.start)
            return None, 0

        return timed(games, value)


class _Steps:
    """Plays from Python, a step at a time."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def play(self, seed: int, games: int) -> Slice:
        chance = Random(seed).random
        return timed(games, lambda: (sum(self._one(chance) for _ in range(games)), 0))

    def _one(self, chance: Any) -> int:
        state = self.game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(_drawn(state.chance_outcomes(), chance()))
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(chance() * len(actions))])
                decisions += 1
        return decisions


def _drawn(outcomes: Any, share: float) -> int:
    """The outcome at a share (0 up to 1) of all chances."""
    for action, chance in outcomes:
        share -= chance
        if share < 0:
            return int(action)
    return int(outcomes[-1][0])  # the chances do not quite add up to 1
