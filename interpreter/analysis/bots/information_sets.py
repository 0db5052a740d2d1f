"""A search tree for games with secrets: what each player can tell apart, and nothing finer.

Monte Carlo tree search over information sets. Every walk has a world of its own, dealt from what the player who is
asked may know; so what is hidden is another each time, and a choice is judged by all the worlds it may be made in. Each
player has a tree of their own, whose branches are what that player learns: all choices, but of a secret choice of
another player only that it was made, and who is asked for what next. The trees are walked down side by side; whoever
decides does so by their own tree, among the options that the world offers. An option that is offered seldom is not
neglected for that: what counts is how often it was there.

Results of chance are not told apart: a world has its own dice.

Invariant: a world comes from a question; a player's tree depends on that player's decisions and on what others were
seen to choose.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random

from attrs import define, field

from interpreter.analysis.bots.dealer import Deal
from interpreter.analysis.bots.values import Scale, Worth
from interpreter.analysis.bots.workshop import Workshop
from interpreter.backends.api import Fault

__all__ = ["InformationSets"]

_CURIOSITY = 0.7
"""How much an option that was tried seldom promises."""
_MOST = 300_000
"""Information sets that are kept; what is met after so many is played from, but not kept."""


@define(eq=False, slots=True)
class Edge:
    """An option at an information set."""

    there: int = 0
    """How often it was offered."""
    visits: int = 0
    share: float = 0.0
    """Sum of the shares of victory of the player who decides."""
    lead: float = 0.0
    """Sum of the leads of that player."""


@define(eq=False, slots=True)
class InformationSet:
    """What one player can tell apart: the options met here if that player decides, and what may be learnt next."""

    edges: dict[int, Edge] = field(factory=dict)
    below: dict[tuple[int, int, int], InformationSet] = field(factory=dict)
    """By what was seen to be chosen, and who is asked for what then."""


_UNSEEN = -1
"""What is seen of a secret choice of somebody else."""


@define(eq=False)
class InformationSets:
    """The search from one question."""

    workshop: Workshop
    scale: Scale
    random: Random
    deal: Deal
    codes: tuple[int, ...]
    roots: list[InformationSet] = field(init=False)
    _offered: frozenset[int] = field(init=False)
    _games: int = field(init=False, default=1)
    _size: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self._offered = frozenset(self.codes)
        self.roots = [InformationSet() for _ in range(self.workshop.players)]
        try:
            self.workshop.lookahead.begin(self.deal.world(self.random))
            self._games = self.workshop.games_at_once()
        except Fault:
            self._games = 1

    def grow(self) -> None:
        """One walk down the trees, in a world of its own, and a few games."""
        look, random = self.workshop.lookahead, self.random
        secret = self.workshop.secret
        way: list[tuple[int, Edge]] = []
        sets = list(self.roots)
        try:
            look.begin(self.deal.world(random))
            codes = [code for code in look.options() if code in self._offered]
            while codes:
                actor, decision = look.actor(), look.decision()
                edges = sets[actor].edges
                code, is_new = self._promising(edges, codes)
                way.append((actor, edges[code]))
                look.take(code)
                codes = look.options()
                asked, next_decision = look.actor(), look.decision()
                for player, at in enumerate(sets):
                    seen = _UNSEEN if decision in secret and player != actor else code
                    key = (seen, asked, next_decision)
                    known = at.below.get(key)
                    if known is None:
                        known = InformationSet()
                        if self._size < _MOST:
                            at.below[key] = known
                            self._size += 1
                    sets[player] = known
                if is_new:
                    break
            worth = self.workshop.played(random, self._games if codes else 1, self.scale)
        except Fault:
            worth = self.workshop.fault(self.scale)
        self._learn(way, worth)

    def best(self, player: int) -> int:
        """The option of the player who is asked that was taken most."""
        edges = self.roots[player].edges
        return max(
            (code for code in self.codes if code in edges),
            key=lambda code: (edges[code].visits, self._value(edges[code])),
            default=self.codes[0],
        )

    def _promising(self, edges: dict[int, Edge], codes: list[int]) -> tuple[int, bool]:
        """The option to take, and whether it was never taken before."""
        scale = self.scale
        weight, low = scale.weight, scale.low
        width = scale.high - low
        new: list[int] = []
        best, most = codes[0], -1.0
        for code in codes:
            edge = edges.get(code)
            if edge is None:
                edge = edges[code] = Edge()
            edge.there += 1
            visits = edge.visits
            if not visits:
                new.append(code)
                continue
            value = edge.share / visits
            if weight:
                place = (edge.lead / visits - low) / width if width > 0 else 0.5
                value += weight * (place - value)
            value += _CURIOSITY * sqrt(log(edge.there) / visits)
            if value > most:
                best, most = code, value
        return (self.random.choice(new), True) if new else (best, False)

    def _learn(self, way: list[tuple[int, Edge]], worth: Worth) -> None:
        self.scale.learn(worth)
        shares, leads = worth
        for actor, edge in way:
            edge.visits += 1
            edge.share += shares[actor]
            if leads:
                edge.lead += leads[actor]

    def _value(self, edge: Edge) -> float:
        return self.scale.value(edge.share / edge.visits, edge.lead / edge.visits) if edge.visits else 0.0
