"""Every configuration of every shipped game that the tests play: the one list of them.

Random games, golden playthroughs and leak tests all walk this list, so a game, mode or size that stands here is played
by all of them, and one that does not is missed by all: `test_golden.py` proves that each option and variant of each
shipped game occurs with another value than its default, and each number of players at all.

A case has a short name within its game, since it names a golden file and stands in reports; the default has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from interpreter.runtime import Rules, load

__all__ = ["CASES", "ROOT", "Case", "cases_of"]

ROOT = Path(__file__).parents[2]
"""The root of the checkout."""


@frozen
class Case:
    """One game in one configuration."""

    game: str
    """The bare name of a shipped game."""
    name: str = ""
    """What the configuration is called; empty for the default."""
    options: Mapping[str, int | bool | str] = field(factory=dict)
    """Options that are set, variants among them."""
    players: int | None = None
    """How many play; None for the default."""
    scenario: str | None = None
    """The scenario by name; None for the game as it stands."""
    recorded: int = 5_000
    """How many decisions of the golden game are recorded; more than there are for all but large games."""

    @property
    def title(self) -> str:
        """Name of game and configuration, also the name of the golden file without its ending."""
        return f"{self.game}.{self.name}" if self.name else self.game

    def load(self) -> Rules:
        """The game, ready to play."""
        return load(self.game, players=self.players, options=dict(self.options), scenario=self.scenario)


CASES: tuple[Case, ...] = (
    # Hall: the modes, then each reading of the rulebook by itself
    Case("hall"),
    Case("hall", "elven", {"elven": True}),
    Case("hall", "legend", {"legend": True}),
    Case("hall", "both", {"elven": True, "legend": True, "allow both": True}),
    Case("hall", "exactly_one", {"lone fighter": "exactly_one"}),
    Case("hall", "any_other", {"victim": "any_other"}),
    Case("hall", "min_reroll", {"min reroll": 1}),
    Case("hall", "bribes", {"bribes": 15}),
    Case("hall", "final_step", {"gems": "final_step"}),
    Case("hall", "linear", {"statue scoring": "linear"}),
    Case("hall", "elven_down", {"elven": True, "rounding": "down"}),
    Case("hall", "elven_up", {"elven": True, "rounding": "up"}),
    # Lords of War: the numbers of players, the variants, and the readings of the rulebook together
    Case("lords_of_war", recorded=60),
    Case(
        "lords_of_war",
        "no_modules",
        {
            "cavalry": False,
            "berserkers": False,
            "mobile units": False,
            "moves before deploying": False,
            "moves before combat": False,
            "moves after combat": False,
            "moves after reinforcing": False,
        },
        recorded=40,
    ),
    Case(
        "lords_of_war",
        "other_readings",
        {
            "armies": "dwarfs_first",
            "mercenaries": True,
            "commanders needed": 1,
            "units needed": 999,
            "simultaneous victory": "active",
            "forced recall": True,
            "cavalry recall after kill": False,
            "freed artillery shoots": True,
            "berserker off turn": False,
            "general kill off turn": "ignored",
        },
        recorded=80,
    ),
    Case("lords_of_war", "random", {"armies": "random", "commanders needed": 99, "units needed": 1}, recorded=40),
    Case("lords_of_war", "borderless", {"borderless": True}, recorded=40),
    Case("lords_of_war", "three", players=3, recorded=60),
    Case("lords_of_war", "three_seven", {"solo hand limit": 7}, players=3, recorded=20),
    Case("lords_of_war", "four", players=4, recorded=30),
    Case("lords_of_war", "four_free", {"opening layout": "free", "mixed teams": True}, players=4, recorded=8),
    Case("lords_of_war", "six", players=6, recorded=30),
    # the small games: smallest and largest size of each
    Case("blackjack"),
    Case("blackjack", "low", {"stand_on": 14}),
    Case("blackjack", "high", {"stand_on": 19}),
    Case("breakthrough"),
    Case("breakthrough", "small", {"size": 4}),
    Case("breakthrough", "large", {"size": 12}),
    Case("connect_four"),
    Case("connect_four", "small", {"columns": 4, "rows": 4, "in_a_row": 3}),
    Case("connect_four", "large", {"columns": 12, "rows": 12, "in_a_row": 6}),
    Case("hex"),
    Case("hex", "small", {"size": 3}),
    Case("hex", "large", {"size": 19}),
    Case("kuhn_poker"),
    Case("partners"),
    Case("pig"),
    Case("pig", "short", {"goal": 10}),
    Case("pig", "long", {"goal": 500}),
    Case("reversi"),
    Case("reversi", "small", {"size": 4}),
    Case("reversi", "large", {"size": 10}),
    Case("rock_paper_scissors"),
    Case("rock_paper_scissors", "short", {"to_win": 1, "limit": 1}),
    Case("rock_paper_scissors", "long", {"to_win": 9, "limit": 500}),
    Case("tic_tac_toe"),
    Case("tic_tac_toe", "middle", {"size": 4, "in_a_row": 3}),
    Case("tic_tac_toe", "large", {"size": 6, "in_a_row": 6}),
    Case("trading_race"),
    Case("trading_race", "short", {"days": 5}),
    Case("trading_race", "long", {"days": 100}),
    Case("yacht"),
    Case("yacht", "two", players=2),
    Case("yacht", "three", players=3),
    Case("yacht", "four", players=4),
)
"""All of them, game by game, the default first."""


def cases_of(game: str) -> tuple[Case, ...]:
    """The cases of one game."""
    return tuple(case for case in CASES if case.game == game)
