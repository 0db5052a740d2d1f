"""Games that could be the real one: from what a player may know, with everything hidden dealt anew.

The pieces that the player cannot tell apart take the seats between them in any order that the rules can have led to;
secret variables and hidden dice get any value of theirs, the generator gets new words. Which piece may lie in which
hidden place, and what the fields of a piece are there, is learnt from the rules alone: before the first deal a few
games are played at random and looked at. A deal that no such game has shown is made only if there is no other.

A local of the machine that may hold a secret (`ir.needed`) gets any value that it can have. Where play then goes wrong,
the fault says nothing of the rules.

Invariant: a deal is made from a question, hence from nothing that is hidden from the player; what the player sees of it
is what the player sees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from random import Random

from attrs import define, field

from interpreter.backends.api import Fault, Lookahead, State, seeded
from interpreter.ir.program import CHOICE, PC, RNG
from interpreter.ir.ranges import infer
from interpreter.runtime.question import Hidden, Question
from interpreter.runtime.rules import Rules
from interpreter.semantics.types import NONE

__all__ = ["Deal", "Dealer"]

_GAMES = 4
"""Games that are looked at."""
_STEPS = 25
"""Decisions of each."""
_EVERY = 4
"""After so many of them the table is looked at."""
_TRIES = 8
"""Deals begun that come to a seat which no piece that is left may take, after which any may."""

Write = tuple[int, int]
"""A slot and what is written into it."""


@define(eq=False)
class Dealer:
    """Knows the rules of one game, and nothing of how any game stands."""

    rules: Rules
    lookahead: Lookahead
    _seen: dict[str, dict[int, dict[int, list[Write]]]] | None = field(default=None, init=False)
    _ranges: Callable[[int], tuple[int, int]] | None = field(default=None, init=False)

    def deal(self, question: Question) -> Deal:
        """What it takes to deal for a question, as often as wished."""
        assert question.rules is self.rules
        needed = self.rules.needed[question.decision]
        base = [0 if value is None else value for value in question.slots]
        base[PC], base[CHOICE] = needed.resume, 0
        deal = Deal(base, [])
        for slot in sorted(needed.untold):
            deal.drawn.append((slot, *self._range(slot)))
        self._fields(question, deal)
        for hidden in question.hidden:
            self._pieces(question, hidden, deal)
        return deal

    def _fields(self, question: Question, deal: Deal) -> None:
        for group, _ in self.rules.sight.secrets:
            low = max(group.low, 0) if group.low == NONE else group.low
            for slot in range(group.base, group.base + group.count):
                if question.slots[slot] is None:
                    self._any(question, deal, slot, low, max(low, group.high))

    @staticmethod
    def _any(question: Question, deal: Deal, slot: int, low: int, high: int) -> None:
        if slot in question.empty:
            deal.base[slot] = NONE
        else:
            deal.drawn.append((slot, low, high))

    def _pieces(self, question: Question, hidden: Hidden, deal: Deal) -> None:
        sight = self.rules.sight
        kind = sight.kinds[hidden.kind]
        seen = self._learnt()[hidden.kind]
        group = _Pieces(kind.base, -1 if kind.known is None else kind.known.base, hidden, [], {})
        places = {seat.place for seat in hidden.seats}
        for piece in hidden.pieces:
            there = seen.get(piece, {})
            group.allowed.append(frozenset(places & set(there) or places))
            usual = next(iter(there.values()), [])
            for slot, value in usual:
                deal.base[slot] = value
            for place in places & set(there):
                group.writes[piece, place] = [write for write in there[place] if write not in usual]
        for fields in kind.fields:
            if fields.base in sight.rolled:
                stride = fields.count // kind.count
                for piece in hidden.pieces:
                    for slot in range(fields.base + piece * stride, fields.base + (piece + 1) * stride):
                        self._any(question, deal, slot, max(fields.low, 0), max(fields.high, 0))
        deal.pieces.append(group)

    def _range(self, slot: int) -> tuple[int, int]:
        if self._ranges is None:
            ranges = infer(self.rules.program)
            self._ranges = lambda at: ranges.slots[ranges.group_of(at)]
        return self._ranges(slot)

    # ------------------------------------------------------------------ learning from the rules

    def _learnt(self) -> dict[str, dict[int, dict[int, list[Write]]]]:
        """By kind, piece and hidden place: its fields there, as slots and values."""
        if self._seen is None:
            self._seen = {name: defaultdict(dict) for name, kind in self.rules.sight.kinds.items() if kind.secret}
            for seed in range(_GAMES):
                try:
                    self._play(seed)
                except Fault:
                    continue
        return self._seen

    def _play(self, seed: int) -> None:
        random, look = Random(seed), self.lookahead
        look.begin(self.rules.backend.new_state(seed))
        for step in range(_STEPS):
            if step % _EVERY == 0:
                self._look_at(look.state())
            options = look.options()
            if not options or not look.take(random.choice(options)):
                return

    def _look_at(self, state: State) -> None:
        assert self._seen is not None
        for name, of_kind in self._seen.items():
            kind = self.rules.sight.kinds[name]
            fields = [(group.base, group.count // kind.count) for group in kind.fields]
            for piece in range(kind.count):
                place = state[kind.base + piece]
                if kind.places[place].visible != "all" and place not in of_kind[piece]:
                    of_kind[piece][place] = [
                        (slot, state[slot])
                        for base, stride in fields
                        for slot in range(base + piece * stride, base + (piece + 1) * stride)
                    ]


@define(eq=False, slots=False)
class _Pieces:
    """Pieces to be dealt to the seats."""

    base: int
    known: int
    hidden: Hidden
    allowed: list[frozenset[int]]
    writes: dict[tuple[int, int], list[Write]]

    @cached_property
    def shares(self) -> list[tuple[list[int], list[int]]] | None:
        """Pieces and numbers of seats where any of these pieces may take any of these seats, and there are as many;
        None if the pieces cannot be parted like that."""
        shares: list[tuple[list[int], list[int]]] = []
        for places in dict.fromkeys(self.allowed):
            pieces = [piece for piece, may in zip(self.hidden.pieces, self.allowed, strict=True) if may == places]
            seats = [number for number, seat in enumerate(self.hidden.seats) if seat.place in places]
            if len(pieces) != len(seats):
                return None
            shares.append((pieces, seats))
        taken = sorted(seat for _, seats in shares for seat in seats)
        return shares if taken == list(range(len(self.hidden.seats))) else None

    def dealt(self, random: Random) -> list[int]:
        """By seat the piece that takes it."""
        found = list(self.hidden.pieces)
        if self.shares is not None:
            for pieces, seats in self.shares:
                random.shuffle(pieces)
                for piece, seat in zip(pieces, seats, strict=True):
                    found[seat] = piece
            return found
        of = dict(zip(self.hidden.pieces, self.allowed, strict=True))
        for _ in range(_TRIES):
            random.shuffle(found)
            matched = self._matched(found, of, random)
            if matched is not None:
                return matched
        return found

    def _matched(self, pieces: list[int], of: dict[int, frozenset[int]], random: Random) -> list[int] | None:
        """Pieces in this order, those with the fewest places first, each to any seat that is free for it."""
        free: dict[int, list[int]] = defaultdict(list)
        for number, seat in enumerate(self.hidden.seats):
            free[seat.place].append(number)
        found = [-1] * len(pieces)
        for piece in sorted(pieces, key=lambda each: len(of[each])):
            open_ = [place for place in sorted(of[piece]) if free[place]]
            if not open_:
                return None
            number = random.randrange(sum(len(free[place]) for place in open_))
            for place in open_:
                if number < len(free[place]):
                    found[free[place].pop(number)] = piece
                    break
                number -= len(free[place])
        return found


@define(eq=False)
class Deal:
    """Deals for one question."""

    base: State
    """The state as far as it is the same in every deal."""
    drawn: list[tuple[int, int, int]]
    """Slots that get any value between two bounds."""
    pieces: list[_Pieces] = field(factory=list)

    def world(self, random: Random) -> State:
        """One game that could be the real one."""
        state = list(self.base)
        state[RNG : RNG + 4] = seeded(random.getrandbits(64))
        for slot, low, high in self.drawn:
            state[slot] = random.randint(low, high)
        for group in self.pieces:
            for seat, piece in zip(group.hidden.seats, group.dealt(random), strict=True):
                state[group.base + piece] = seat.place
                if group.known >= 0:
                    state[group.known + piece] = seat.known
                if seat.slot >= 0:
                    state[seat.slot] = piece
                for slot, value in group.writes.get((piece, seat.place), ()):
                    state[slot] = value
        return state
