"""What a game is worth to its players.

`win`: nothing while the game goes on; at its end 1 for whoever has won, alone or with others, -1 for those who have
lost to somebody, 0 for everybody in a draw. `score`: after each decision the change of one's points, less the mean of
the changes of the others; so the rewards of a game add up to the points gained, or to the lead. A game played alone
for points has `score` unless something else is asked for, any other game `win`.

Invariant: the rewards of a whole game do not depend on where it was looked at between.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, Protocol

from interpreter.diagnostics import DslError
from interpreter.runtime import Outcome, Rules

__all__ = ["RewardKind", "Rewards", "kind_for", "returns_of"]

RewardKind = Literal["win", "score"]
"""What is rewarded."""


class Game(Protocol):
    """A game in progress or over."""

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        ...

    @property
    def scores(self) -> Sequence[int | Fraction]:
        """The points of each player now."""
        ...


def kind_for(rules: Rules, wished: RewardKind | None) -> RewardKind:
    """What is rewarded in a game; raises `DslError` for scores where there are none."""
    scored = bool(rules.program.score)
    if wished == "score" and not scored:
        raise DslError(f"`{rules.title}` has no scores: rewards can only be `win`")
    return wished or ("score" if len(rules.players) == 1 and scored else "win")


class Rewards:
    """Follows one game and tells what each decision was worth."""

    def __init__(self, rules: Rules, kind: RewardKind | None = None) -> None:
        self.kind = kind_for(rules, kind)
        self._seats = len(rules.players)
        self._before: tuple[float, ...] = ()

    def begin(self, game: Game) -> None:
        """A game begins."""
        self._before = _points(game) if self.kind == "score" else ()

    def after(self, game: Game) -> list[float]:
        """What the last decision was worth to each player."""
        if self.kind == "win":
            return _won(game, self._seats)
        now = _points(game)
        gained = [a - b for a, b in zip(now, self._before, strict=True)]
        self._before = now
        return _leads(gained)


def returns_of(game: Game, kind: RewardKind, seats: int) -> list[float]:
    """What a game that is over was worth to each player."""
    return _won(game, seats) if kind == "win" else _leads(list(_points(game)))


def _points(game: Game) -> tuple[float, ...]:
    return tuple(float(score) for score in game.scores)


def _leads(points: list[float]) -> list[float]:
    """Each one's points, less the mean of the others'."""
    if len(points) == 1:
        return points
    whole = sum(points)
    return [mine - (whole - mine) / (len(points) - 1) for mine in points]


def _won(game: Game, seats: int) -> list[float]:
    outcome = game.outcome
    if outcome is None or not outcome.winners:
        return [0.0] * seats
    return [1.0 if player in outcome.winners else -1.0 for player in range(seats)]
