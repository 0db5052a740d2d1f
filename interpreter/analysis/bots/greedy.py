"""A bot that looks one decision ahead.

For every option it plays a few games to their end at random, all options in the same few games that could be the real
one: what is hidden from its player, the generator too, is dealt anew for each. It takes the option that does best on
average. Told to go by the score it plays no games, and takes the option after which it leads by most points: what the
rules themselves declare to be good, looked at right away. Picks that complete an option are made at random
while looking ahead, and are looked at one by one when they are asked.

Where there are many options only some are tried, so that a decision takes about the same time in every game.
"""

from __future__ import annotations

from random import Random

from attrs import frozen

from interpreter.analysis.bots.values import Scale, Worth, worth_of
from interpreter.analysis.bots.workshop import Workshop, workshop_of
from interpreter.backends.api import Fault, State
from interpreter.runtime.question import Question

__all__ = ["GreedyBot"]


@frozen
class GreedyBot:
    """Looks one decision ahead."""

    seed: int = 0
    playouts: int = 8
    """Games for each option."""
    most: int = 200
    """Options that are tried."""
    by_score: bool = False
    """Whether it goes by the score right after the option, not by games to the end; needs a game with scores."""

    def choose(self, question: Question) -> int:
        codes = question.codes
        if len(codes) == 1:
            return codes[0]
        random = Random(question.seed ^ self.seed)
        tried = list(codes) if len(codes) <= self.most else random.sample(codes, self.most)
        workshop = workshop_of(question.rules)
        deal = workshop.dealer.deal(question)
        worlds = [(deal.world(random), random.getrandbits(60)) for _ in range(self.playouts)]
        results = {code: self._tried(workshop, worlds, code) for code in tried}
        program = question.rules.program
        scale = Scale(1.0) if self.by_score and program.score else Scale.of(program, "win")
        for result in results.values():
            scale.learn(result)
        values = {code: _value(scale, result, question.player) for code, result in results.items()}
        best = max(values.values())
        return random.choice([code for code, value in values.items() if value == best])

    def _tried(self, workshop: Workshop, worlds: list[tuple[State, int]], code: int) -> Worth:
        """The mean over the worlds of what becomes of an option; a world that does not offer it, or in which the rules
        go wrong, says nothing, which is what a draw is worth."""
        look, players = workshop.lookahead, workshop.players
        limit = 0 if self.by_score and workshop.rules.program.score else workshop.limit
        shares = [0.0] * players
        leads = [0.0] * (players if workshop.rules.program.score else 0)
        counted = 0
        for world, seed in worlds:
            try:
                look.begin(world)
                if code not in look.options():
                    continue
                look.take(code)
                share, lead = worth_of(look.rollouts(seed, 1, limit), players)
            except Fault:
                continue
            counted += 1
            shares = [total + each for total, each in zip(shares, share, strict=True)]
            leads = [total + each for total, each in zip(leads, lead, strict=True)]
        if not counted:
            return workshop.fault(Scale(0.0))
        return tuple(each / counted for each in shares), tuple(each / counted for each in leads)


def _value(scale: Scale, worth: Worth, player: int) -> float:
    shares, leads = worth
    return scale.value(shares[player], leads[player] if leads else 0.0)
