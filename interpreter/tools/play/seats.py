"""Who sits where: people and bots.

Invariant: there is exactly one seat for each player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import frozen

from interpreter.analysis.bots import BOTS, SPELLINGS, is_bot
from interpreter.diagnostics import did_you_mean
from interpreter.runtime.options import Option
from interpreter.runtime.session import Session
from interpreter.semantics.describe import plain_name
from interpreter.tools.play.bots import bot_named

__all__ = ["Choose", "Seat", "SeatFault", "bot_of", "player_number", "seats_of"]

Choose: TypeAlias = Callable[[Session], Option]
"""Chooses one of the options that a session offers."""

_HUMAN = "human"


class SeatFault(Exception):  # noqa: N818 - a fault of the caller
    """A seat that cannot be taken as wished; the text says why."""


@frozen
class Seat:
    """Who decides for one player."""

    player: int
    sitter: str
    """`human`, or a bot as `interpreter.analysis.bots` names it."""


def seats_of(players: Sequence[str], wishes: Sequence[str], *, auto: bool) -> tuple[Seat, ...]:
    """A seat for each player: as wished, else a person at the first and bots at the others; with `auto` bots only."""
    seats = dict.fromkeys(range(len(players)), "random")
    wished = dict(_wish(players, wish) for wish in wishes)
    if not auto and _HUMAN not in wished.values():
        free = [at for at in seats if at not in wished]
        seats.update(dict.fromkeys(free[:1], _HUMAN))
    elif not auto and 0 not in wished:
        seats[0] = _HUMAN
    seats.update(wished)
    return tuple(Seat(at, sitter) for at, sitter in seats.items())


def _wish(players: Sequence[str], wish: str) -> tuple[int, str]:
    name, equals, sitter = wish.partition("=")
    who = ", ".join((_HUMAN, *SPELLINGS))
    if not equals:
        raise SeatFault(f"seat `{wish}`: expected NAME=WHO, WHO one of {who}")
    if sitter != _HUMAN and not is_bot(sitter):
        kind = sitter.partition(":")[0]
        offer = None if kind in BOTS else did_you_mean(sitter, (_HUMAN, *BOTS))
        raise SeatFault(f"nobody called `{sitter}` can sit: {offer or f'expected {who}'}")
    return player_number(players, name), sitter


def player_number(players: Sequence[str], name: str) -> int:
    """A player by name in any case, an underscore for a blank, or by number from 1."""
    wanted = plain_name(name.strip()).casefold()
    for at, player in enumerate(players):
        if plain_name(player).casefold() == wanted or str(at + 1) == wanted:
            return at
    offer = did_you_mean(name, players) or "there is " + ", ".join(f"`{player}`" for player in players)
    raise SeatFault(f"no player `{name}`: {offer}")


def bot_of(seat: Seat) -> Choose | None:
    """The bot at a seat, or None for a person."""
    return None if seat.sitter == _HUMAN else bot_named(seat.sitter)
