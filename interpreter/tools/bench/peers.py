"""Finds the engines that know a game, and makes sides of them; what cannot play is named with the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from interpreter.runtime import Rules
from interpreter.semantics.describe import plain_name
from interpreter.tools.bench.node_engines import node_side
from interpreter.tools.bench.open_spiel import open_spiel_sides
from interpreter.tools.bench.peers_file import GamePeers
from interpreter.tools.bench.plain_engines import c_side, python_side
from interpreter.tools.bench.sides import (
    BOARDGAME_IO,
    OPEN_SPIEL_CPP,
    OPEN_SPIEL_PYTHON,
    PLAIN_C,
    PLAIN_PYTHON,
    TIGHT_PYTHON,
    TITLES,
    Missing,
    Side,
)

__all__ = ["configured_otherwise", "peers_of", "sides_of"]


def peers_of(games: Sequence[GamePeers], path: Path) -> GamePeers | None:
    """What is to be compared for a rules file; the same text is the same game, wherever it lies."""
    for peers in games:
        if path.samefile(peers.rules) or path.read_bytes() == peers.rules.read_bytes():
            return peers
    return None


def configured_otherwise(peers: GamePeers, rules: Rules) -> str:
    """Why a game as it was loaded is not the one that the engines play; empty where it is.

    The file names the options that the engines play by; of all that it does not name, the default is meant.
    """
    if rules.configuration.scenario is not None:
        return "they do not play scenarios"
    if rules.configuration.players is not None:
        return "they play the ordinary number of players"
    wanted = {plain_name(name): value for name, value in peers.options.items()}
    for name in (*wanted, *(plain_name(name) for name, _ in rules.configuration.options)):
        if name not in wanted:
            return f"they do not know `{name}`"
        if rules.options.get(name) != wanted[name]:
            return f"they play by `{name}` = {wanted[name]}"
    return ""


def sides_of(peers: GamePeers, otherwise: str = "") -> list[Side | Missing]:
    """All other engines, in the order of reports; none of them plays where the game is configured otherwise."""
    if otherwise:
        spiel = () if peers.open_spiel is None else (OPEN_SPIEL_CPP, OPEN_SPIEL_PYTHON)
        return [Missing(name, otherwise) for name in TITLES if name in spiel or name in peers.engines]
    sides: list[Side | Missing] = []
    if peers.open_spiel is not None:
        sides.extend(open_spiel_sides(peers.open_spiel))
    for name, path in peers.engines.items():
        sides.append(_MAKERS[name](path))
    return sides


_MAKERS: Mapping[str, Callable[[Path], Side | Missing]] = {
    PLAIN_PYTHON: partial(python_side, PLAIN_PYTHON),
    TIGHT_PYTHON: partial(python_side, TIGHT_PYTHON),
    PLAIN_C: c_side,
    BOARDGAME_IO: node_side,
}
