"""How a game ended: who won, in which order the players stand, with what scores, and why.

Invariant: every player stands exactly once in the ranking; the winners, if any, are its first place.
"""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from interpreter.backends.api import Backend, State
from interpreter.ir.program import ENDED, RUNNING, STATUS, WINNERS, WON, Program
from interpreter.runtime.names import bits, halved, number_text, victory

__all__ = ["Outcome", "outcome_of", "scores_of"]


@frozen
class Outcome:
    """The end of a game."""

    winners: tuple[int, ...]
    """Who won, by number; empty for a draw and for a game played alone for points."""
    ranking: tuple[tuple[int, ...], ...]
    """The places, the first one first; players who share a place stand together."""
    scores: tuple[int | Fraction, ...]
    """Points of each player; empty in a game without scores."""
    reason: str
    """Why it ended, as the rules say it; may be empty."""

    def text(self, players: tuple[str, ...]) -> str:
        """The outcome in one line."""
        if self.winners:
            head = victory([players[player] for player in self.winners])
        elif len(players) == 1:
            head = "the game is over"
        else:
            head = "a draw"
        if self.reason:
            head += f": {self.reason}"
        if self.scores:
            points = ", ".join(f"{players[p]} {number_text(score)}" for p, score in enumerate(self.scores))
            head += f" ({points})"
        return head


def scores_of(program: Program, backend: Backend, state: State) -> tuple[int | Fraction, ...]:
    """The points of each player now; empty in a game without scores."""
    if not program.score:
        return ()
    points = [backend.call(program.score, state, player) for player in range(len(program.players))]
    return tuple(halved(value) if program.score_halves else value for value in points)


def outcome_of(program: Program, backend: Backend, state: State, reason: str = "") -> Outcome | None:
    """The outcome, or None while the game goes on."""
    status = state[STATUS]
    if status == RUNNING:
        return None
    players = range(len(program.players))
    scores = scores_of(program, backend, state)
    if status == WON:
        won = tuple(bits(state[WINNERS]))
        rest = tuple(player for player in players if player not in won)
        return Outcome(won, (won, rest) if rest else (won,), scores, reason)
    if status != ENDED or not scores:
        return Outcome((), (tuple(players),), scores, reason)
    ranking = tuple(
        tuple(player for player in players if scores[player] == points) for points in sorted(set(scores), reverse=True)
    )
    alone = len(program.players) == 1
    drawn = len(ranking) == 1
    return Outcome(() if alone or drawn else ranking[0], ranking, scores, reason)
