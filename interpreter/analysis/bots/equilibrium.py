"""Mixed strategies for very small games of two players with secrets, found by self-play from the start.

Where something is hidden, the best play may be to do now this and now that, and what is right in one position depends
on what would have been done in others: a search from the position at hand cannot find out. A game of which all
positions are soon met can be played against oneself instead, over and over, until neither side has anything to regret:
external sampling, with regrets that do not fall below zero and later strategies counting more (Lanctot 2009, Tammelin
2014). In a game of two players for opposite ends the mean of all strategies comes ever closer to one that no opponent
can profit from.

Positions are kept as the lookahead keeps them; what a player can tell apart is a question without its number for
chance, so that the answer to a question is looked up and nothing else. Chance is taken as it falls in so many set-ups,
and so many times after each choice.

Invariant: no real game has a part in it; a game that is not small after all gives None, after a little while.
"""

from __future__ import annotations

from collections.abc import Hashable
from random import Random

from attrs import define, field

from interpreter.analysis.bots.values import Aim, Scale, Worth, worth_of
from interpreter.backends.api import Fault, Lookahead
from interpreter.runtime.question import Question, question_at
from interpreter.runtime.rules import Rules

__all__ = ["Equilibrium", "equilibrium_of"]

_SLOTS = 400
"""From this many slots on a state, a game is not looked at: it is not small."""
_POSITIONS = 1_500
"""A small game has no more positions, in all its set-ups together."""
_VISITS = 2_000
"""Nor does one walk through it come by more."""
_DEPTH = 200
"""Nor has one of its games more decisions."""
_SET_UPS = 1_200
_FALLS = 40
"""How often chance is let fall: before the first decision, and after each choice."""
_WALKS = 30_000
"""Walks for each player."""


class _NotSmallError(Exception):
    """The game has more positions than can be gone through."""


@define(eq=False)
class _Told:
    """All positions that a player cannot tell apart."""

    codes: tuple[int, ...]
    regrets: list[float]
    sums: list[float]
    """How much each option was played, later walks counting more."""

    def strategy(self) -> list[float]:
        """How likely each option is to be played now."""
        total = sum(self.regrets)
        if total <= 0:
            return [1 / len(self.codes)] * len(self.codes)
        return [regret / total for regret in self.regrets]


@define(eq=False)
class _Position:
    """A position, with what follows each choice as often as chance was let fall; `worth` is that of an end."""

    kept: Hashable
    actor: int
    told: _Told | None
    worth: tuple[float, ...]
    below: list[list[_Position]]


@define(eq=False)
class Equilibrium:
    """What to do in every position of a small game."""

    _told: dict[object, _Told]

    def strategy(self, question: Question) -> dict[int, float] | None:
        """How likely each code is to be chosen; None for a question that self-play never came to."""
        told = self._told.get(_key(question))
        if told is None or (total := sum(told.sums)) <= 0:
            return None
        return {code: weight / total for code, weight in zip(told.codes, told.sums, strict=True)}


def equilibrium_of(rules: Rules, lookahead: Lookahead, aim: Aim) -> Equilibrium | None:
    """The mixed strategies of a small game of two players with secrets; None for any other game."""
    if len(rules.players) != 2 or not rules.sight.has_secrets or rules.program.layout.size >= _SLOTS:
        return None
    play = _SelfPlay(rules, lookahead, Scale.of(rules.program, aim))
    try:
        play.walk()
    except (_NotSmallError, Fault):
        return None
    return Equilibrium(play.told)


def _key(question: Question) -> object:
    return question.player, question.decision, question.codes, question.slots, question.hidden, question.empty


@define(eq=False)
class _SelfPlay:
    rules: Rules
    look: Lookahead
    scale: Scale
    random: Random = field(factory=lambda: Random(1))
    told: dict[object, _Told] = field(factory=dict)
    positions: dict[Hashable, _Position] = field(factory=dict)
    _visits: int = 0

    def walk(self) -> None:
        """All walks."""
        backend = self.rules.backend
        starts = []
        for seed in range(_SET_UPS):
            self.look.begin(backend.new_state(seed))
            starts.append(self._met())
        for number in range(_WALKS):
            for player in (0, 1):
                self._visits = 0
                self._gain(self.random.choice(starts), player, number + 1)

    def _gain(self, position: _Position, player: int, number: int, depth: int = 0) -> float:
        """What a position is worth on this walk to a player, who tries out all options; the other takes any one."""
        self._visits += 1
        if self._visits > _VISITS or depth > _DEPTH:
            raise _NotSmallError
        told = position.told
        if told is None:
            return position.worth[player]
        strategy = told.strategy()
        if position.actor != player:
            for at, weight in enumerate(strategy):
                told.sums[at] += number * weight
            (at,) = self.random.choices(range(len(strategy)), strategy)
            return self._gain(self._next(position, at), player, number, depth + 1)
        gains = [self._gain(self._next(position, at), player, number, depth + 1) for at in range(len(strategy))]
        mean = sum(weight * gain for weight, gain in zip(strategy, gains, strict=True))
        for at, gain in enumerate(gains):
            told.regrets[at] = max(0.0, told.regrets[at] + gain - mean)
        return mean

    def _next(self, position: _Position, at: int) -> _Position:
        below = position.below[at]
        if len(below) >= _FALLS:
            return self.random.choice(below)
        assert position.told is not None
        self.look.go_back(position.kept, self.random.getrandbits(64))
        self.look.take(position.told.codes[at])
        below.append(self._met())
        return below[-1]

    def _met(self) -> _Position:
        """The position where the lookahead stands."""
        kept = self.look.keep()
        known = self.positions.get(kept)
        if known is not None:
            return known
        if len(self.positions) >= _POSITIONS:
            raise _NotSmallError
        codes, actor = tuple(self.look.options()), self.look.actor()
        if codes:
            question = question_at(self.rules, self.look.state(), actor, codes)
            told = self.told.setdefault(_key(question), _Told(codes, [0.0] * len(codes), [0.0] * len(codes)))
            position = _Position(kept, actor, told, (), [[] for _ in codes])
        else:
            position = _Position(kept, -1, None, self._ends(), [])
        self.positions[kept] = position
        return position

    def _ends(self) -> tuple[float, ...]:
        worth: Worth = worth_of(self.look.rollouts(0, 1, 0), 2)
        shares, leads = worth
        if not leads:
            return shares
        weight = self.scale.weight
        return tuple((1 - weight) * share + weight * lead for share, lead in zip(shares, leads, strict=True))
