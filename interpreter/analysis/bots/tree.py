"""A search tree for games in which everybody sees everything.

Monte Carlo tree search: from the root down the edge that promises most is followed, until a position is met that is not
in the tree yet; it is added, a few games are played from it at random, and what they are worth is added to every edge
on the way. An edge promises what games through it were worth on average to the player who decides there, and the more
the less it was tried (UCB1); so every player is taken to play for themselves, however many there are.

Where chance follows a choice, an edge leads to several positions. New ones are drawn only as long as they are few
beside how often the edge was followed; after that one of those met is followed again, as often as it came up.

Without chance a position can be *proven*: the end of a game is, a position from which the player to move can go to a
proven victory is, and one all of whose edges lead to proven ones, of which that player takes the best. What is proven
is not tried again, and when the root is, the search is over: small games are played perfectly.

Invariant: positions in the tree are kept as the lookahead keeps them; nothing refers to a game outside of the search.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from math import log, sqrt
from random import Random

from attrs import define, field

from interpreter.analysis.bots.values import Scale, Worth
from interpreter.analysis.bots.workshop import Workshop
from interpreter.backends.api import Fault, State

__all__ = ["Edge", "Node", "Tree"]

_CURIOSITY = 0.7
"""How much an edge that was tried seldom promises."""
_MOST = 300_000
"""Positions that are kept; what is met after so many is played from, but not kept."""
_OUTCOMES = 1.0
"""Positions that chance may add below an edge: this times the root of how often it was followed."""


@define(eq=False, slots=True)
class Edge:
    """A choice at a node."""

    code: int
    visits: int = 0
    share: float = 0.0
    """Sum of the shares of victory of the player who decides."""
    lead: float = 0.0
    """Sum of the leads of that player."""
    below: dict[Hashable, Node] | None = None
    """Where it leads, once it was followed."""
    proven: Worth | None = None


@define(eq=False, slots=True)
class Node:
    """A position: kept as the lookahead keeps it, with who decides and what may be chosen."""

    kept: Hashable
    actor: int
    untried: list[int]
    """Codes that were not chosen yet."""
    edges: list[Edge] = field(factory=list)
    """Those that were."""
    drawn: int = 1
    """How often chance led here."""
    visits: int = 0
    proven: Worth | None = None


@define(eq=False)
class Tree:
    """The search from one position."""

    workshop: Workshop
    scale: Scale
    random: Random
    root: Node = field(init=False)
    _games: int = field(init=False, default=1)
    _size: int = field(init=False, default=1)

    def plant(self, state: State) -> None:
        """Begins at a decision that waits in a state."""
        look = self.workshop.lookahead
        look.begin(state)
        self.root, _ = self._grown(look.keep())
        look.begin(state)
        self._games = self.workshop.games_at_once()

    def grow(self) -> None:
        """One walk down the tree and a few games."""
        node = self.root
        way: list[tuple[Node, Edge]] = []
        while True:
            if node.proven is not None:
                worth = node.proven
                break
            edge = self._promising(node)
            way.append((node, edge))
            try:
                node, worth_if_new = self._follow(node, edge)
            except Fault:
                worth = self.workshop.fault(self.scale)
                break
            if worth_if_new is not None:
                worth = worth_if_new
                break
        self.scale.learn(worth)
        shares, leads = worth
        for at, edge in reversed(way):
            at.visits += 1
            edge.visits += 1
            edge.share += shares[at.actor]
            if leads:
                edge.lead += leads[at.actor]
        if not self.workshop.has_chance:
            self._prove(way)

    def best(self) -> Edge:
        """The edge of the root to take: a proven victory, else the one that was followed most, unless something proven
        is worth more."""
        root = self.root
        proven = [edge for edge in root.edges if edge.proven is not None]
        open_ = [edge for edge in root.edges if edge.proven is None and edge.visits]
        value = partial(self._value, root)
        sure = max(proven, key=lambda edge: (value(edge), edge.visits), default=None)
        likely = max(open_, key=lambda edge: (edge.visits, value(edge)), default=None)
        if sure is None or likely is None:
            return sure or likely or Edge(root.untried[0])
        return sure if value(sure) >= value(likely) or self._is_won(sure.proven, root.actor) else likely

    # ------------------------------------------------------------------ walking down

    def _promising(self, node: Node) -> Edge:
        untried = node.untried
        if untried:
            at = int(self.random.random() * len(untried))
            untried[at], untried[-1] = untried[-1], untried[at]
            edge = Edge(untried.pop())
            node.edges.append(edge)
            return edge
        scale = self.scale
        weight, low = scale.weight, scale.low
        width = scale.high - low
        unsure = log(node.visits + 1) * _CURIOSITY * _CURIOSITY
        best, most = None, -1.0
        for edge in node.edges:
            visits = edge.visits
            if edge.proven is not None:
                continue
            value = edge.share / visits
            if weight:
                place = (edge.lead / visits - low) / width if width > 0 else 0.5
                value += weight * (place - value)
            value += sqrt(unsure / visits)
            if value > most:
                best, most = edge, value
        assert best is not None
        return best

    def _follow(self, node: Node, edge: Edge) -> tuple[Node, Worth | None]:
        """The position below an edge, and what it is worth if it was not in the tree."""
        below = edge.below
        if below is None:
            below = edge.below = {}
        if below and (not self.workshop.has_chance or len(below) > _OUTCOMES * sqrt(edge.visits)):
            if len(below) == 1:
                return next(iter(below.values())), None
            met = list(below.values())
            return self.random.choices(met, [each.drawn for each in met])[0], None
        look = self.workshop.lookahead
        look.go_back(node.kept, self.random.getrandbits(64) if self.workshop.has_chance else 1)
        look.take(edge.code)
        kept = look.keep()
        known = below.get(kept)
        if known is not None:
            known.drawn += 1
            return known, None
        grown, worth = self._grown(kept)
        if self._size < _MOST:
            below[kept] = grown
            self._size += 1
        return grown, worth

    def _grown(self, kept: Hashable) -> tuple[Node, Worth]:
        """A node for where the lookahead stands, and what it is worth."""
        look = self.workshop.lookahead
        codes = look.options()
        node = Node(kept, look.actor(), codes)
        worth = self.workshop.played(self.random, self._games if codes else 1, self.scale)
        if not codes:
            node.proven = worth
        return node, worth

    # ------------------------------------------------------------------ proving

    def _prove(self, way: list[tuple[Node, Edge]]) -> None:
        for node, edge in reversed(way):
            below = next(iter(edge.below.values()), None) if edge.below else None
            if below is None or below.proven is None:
                return
            edge.proven = below.proven
            if self._is_won(edge.proven, node.actor):
                node.proven = edge.proven
            elif not node.untried and all(each.proven is not None for each in node.edges):
                node.proven = max(node.edges, key=partial(self._value, node)).proven
            else:
                return

    def _is_won(self, worth: Worth | None, player: int) -> bool:
        """Whether nothing better can be had."""
        return worth is not None and worth[0][player] == 1.0 and self.scale.weight < 1.0

    def _value(self, node: Node, edge: Edge) -> float:
        if edge.proven is not None:
            shares, leads = edge.proven
            return self.scale.value(shares[node.actor], leads[node.actor] if leads else 0.0)
        return self.scale.value(edge.share / edge.visits, edge.lead / edge.visits)
