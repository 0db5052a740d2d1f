"""Who sits where: people and bots.

A bot is a function from a session to an option. Bots draw from generators of their own, made anew for every decision
from the seed of the game, the seat and the number of the step; so the same seed gives the same game, and a game that
was saved and resumed goes on as it would have.

Invariant: there is exactly one seat for each player.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal, TypeAlias

from attrs import frozen

from interpreter.diagnostics import did_you_mean
from interpreter.runtime.options import Option
from interpreter.runtime.session import Session

__all__ = ["Bot", "Seat", "SeatFault", "bot_of", "seats_of"]

Bot: TypeAlias = Callable[[Session], Option]
"""Chooses one of the options that a session offers."""

Sitter: TypeAlias = Literal["human", "random", "greedy", "mcts"]
_SITTERS: tuple[Sitter, ...] = ("human", "random", "greedy", "mcts")
_WISH = re.compile(r"(?P<name>[^=]+)=(?P<who>[a-z]+)(?::(?P<number>\d{1,7}))?")
_ITERATIONS = 200


class SeatFault(Exception):  # noqa: N818 - a fault of the caller
    """A seat that cannot be taken as wished; the text says why."""


@frozen
class Seat:
    """Who decides for one player."""

    player: int
    sitter: Sitter
    iterations: int = _ITERATIONS
    """How long a searching bot thinks."""


def seats_of(players: Sequence[str], wishes: Sequence[str], *, auto: bool) -> tuple[Seat, ...]:
    """A seat for each player: as wished, else a person at the first and bots at the others; with `auto` bots only."""
    seats = [Seat(at, "human" if at == 0 and not auto else "random") for at in range(len(players))]
    if wishes and not auto and not any(wish.partition("=")[2] == "human" for wish in wishes):
        named = {_player(players, wish.partition("=")[0]) for wish in wishes}
        if 0 in named:  # the first seat is given to a bot: a person takes the first that is left
            left = next((at for at in range(len(players)) if at not in named), None)
            if left is not None:
                seats[left] = Seat(left, "human")
    for wish in wishes:
        found = _WISH.fullmatch(wish)
        if found is None:
            raise SeatFault(f"seat `{wish}`: expected NAME=human, random, greedy or mcts[:ITERATIONS]")
        if found["who"] not in _SITTERS:
            offer = did_you_mean(found["who"], _SITTERS)
            raise SeatFault(f"nobody called `{found['who']}` can sit: {offer or 'expected ' + ', '.join(_SITTERS)}")
        sitter = next(each for each in _SITTERS if each == found["who"])
        if found["number"] is not None and sitter != "mcts":
            raise SeatFault(f"seat `{wish}`: only mcts takes a number of iterations")
        at = _player(players, found["name"])
        seats[at] = Seat(at, sitter, int(found["number"] or _ITERATIONS))
    return tuple(seats)


def _player(players: Sequence[str], name: str) -> int:
    """A player by name in any case, or by number from 1."""
    wanted = name.strip().casefold()
    for at, player in enumerate(players):
        if player.casefold() == wanted or str(at + 1) == wanted:
            return at
    offer = did_you_mean(name, players)
    raise SeatFault(f"no player `{name}`: {offer or 'there is ' + ', '.join(f'`{player}`' for player in players)}")


def bot_of(seat: Seat) -> Bot | None:
    """The bot at a seat, or None for a person."""
    if seat.sitter == "human":
        return None
    if seat.sitter == "random":
        return _random
    from interpreter.tools.play.bots import searching_bot

    return searching_bot(seat.sitter, seat.iterations)


def generator(session: Session) -> Random:
    """A generator for the decision that waits."""
    return Random(f"{session.seed}/{session.player}/{len(session.history.steps)}")


def _random(session: Session) -> Option:
    options = session.options
    return options[generator(session).randrange(len(options))]
