"""The engines written by hand play the games of the rules files: games are as long, and as many are won by each.

Lengths and ends of some thousand random games on either side are held against each other; the seeds are fixed, so that
a test that passes once always passes. That a small difference of the rules would be seen is a test, too.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean, pvariance

import pytest
from attrs import frozen

import interpreter as dsl
from interpreter.backends.wasm import WasmBackend
from interpreter.diagnostics import Diagnostics
from interpreter.source import Files
from interpreter.tools.bench.node_engines import Talk, node_side
from interpreter.tools.bench.open_spiel import open_spiel_sides
from interpreter.tools.bench.peers_file import GamePeers, load_peers
from interpreter.tools.bench.plain_engines import Playouts, compiled, find_compiler, python_module
from interpreter.tools.bench.sides import (
    BOARDGAME_IO,
    OPEN_SPIEL_PYTHON,
    PLAIN_C,
    PLAIN_PYTHON,
    TIGHT_PYTHON,
    Missing,
)

_ROOT = Path(__file__).parents[2]
_PEERS = _ROOT / "benchmarks" / "peers.yaml"
_GAMES = 3000
_SLOW_GAMES, _FEW_GAMES = 700, 200
_SLOW = ("breakthrough", "hex", "reversi")
_FAR = 4.0
"""Standard errors by which two samples of the same games hardly ever differ."""
_ENDS = {(1, 1): 1, (1, 2): 2, (2, 0): 0, (3, 0): 0, (3, 1): 1, (3, 2): 2}
"""By status and winners as a backend tells them: nobody, the first, the second."""
_OTHER_RULES = {
    "tic_tac_toe": {"size": 4},
    "connect_four": {"columns": 8},
    "breakthrough": {"size": 9},
    "hex": {"size": 10},
    "reversi": {"size": 6},
    "pig": {"goal": 95},
}
"""Rules that are a little different."""


@cache
def _peers() -> tuple[GamePeers, ...]:
    sink = Diagnostics()
    peers = load_peers(_PEERS, sink, Files(root=_ROOT))
    assert list(sink) == []
    return peers


def _named(side: str) -> list[tuple[str, Path]]:
    return [(peers.rules.stem, peers.engines[side]) for peers in _peers() if side in peers.engines]


@frozen
class Sample:
    """Many games: how long each was, and who won."""

    lengths: list[int]
    ends: list[int]


@cache
def sample_of_rules(name: str, options: tuple[tuple[str, int], ...] = ()) -> Sample:
    backend = dsl.load(name, options=dict(options), backend="wasm").backend
    assert isinstance(backend, WasmBackend)
    played = [backend.random_playouts(seed, 1, 10_000) for seed in range(_GAMES)]
    assert not any(outcomes.unfinished for outcomes in played)
    ends = [_ENDS[end] for outcomes in played for end in outcomes.ends]
    return Sample([outcomes.decisions for outcomes in played], ends)


def sample_of(playouts: Playouts, games: int = _GAMES) -> Sample:
    played = [playouts(seed, 1) for seed in range(1, games + 1)]
    assert all(sum(ends) == 1 for _, ends in played)
    return Sample([decisions for decisions, _ in played], [list(ends).index(1) for _, ends in played])


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    """How far two means are from each other, in standard errors."""
    error = sqrt(pvariance(one) / len(one) + pvariance(other) / len(other))
    return 0.0 if not error and fmean(one) == fmean(other) else abs(fmean(one) - fmean(other)) / (error or 1e-9)


def furthest(one: Sample, other: Sample, ends: bool = True) -> float:
    """The largest distance of mean lengths, of their spreads, and of how many games each has won."""
    middle = fmean(one.lengths)
    measures: list[Callable[[Sample], list[float]]] = [
        lambda sample: [float(length) for length in sample.lengths],
        lambda sample: [(length - middle) ** 2 for length in sample.lengths],
    ]
    if ends:
        measures += [lambda sample, who=who: [float(end == who) for end in sample.ends] for who in (0, 1, 2)]
    return max(distance(measure(one), measure(other)) for measure in measures)


@pytest.mark.parametrize(("name", "path"), _named(PLAIN_PYTHON) + _named(TIGHT_PYTHON))
def test_python_plays_the_game_of_the_rules(name: str, path: Path) -> None:
    games = _SLOW_GAMES if name in _SLOW else _GAMES
    assert furthest(sample_of_rules(name), sample_of(python_module(path), games)) < _FAR


@pytest.fixture(scope="module")
def compiler() -> list[str]:
    found = find_compiler()
    if found is None:
        pytest.skip("no C compiler")
    return found


@pytest.mark.parametrize(("name", "path"), _named(PLAIN_C))
def test_c_plays_the_game_of_the_rules(name: str, path: Path, compiler: list[str], tmp_path: Path) -> None:
    assert furthest(sample_of_rules(name), sample_of(compiled(path, compiler, tmp_path))) < _FAR


@pytest.mark.parametrize(("name", "path"), _named(BOARDGAME_IO))
def test_boardgame_io_plays_the_game_of_the_rules(name: str, path: Path) -> None:
    side = node_side(path)
    if isinstance(side, Missing):
        pytest.skip(side.reason)
    side.close()
    talk = Talk([str(shutil.which("node")), str(path)])
    try:
        assert talk.answer()["engine"] == side.title

        def playouts(seed: int, games: int) -> tuple[int, list[int]]:
            told = talk.ask(seed, games)
            return told["decisions"], told["ends"]

        assert furthest(sample_of_rules(name), sample_of(playouts, _FEW_GAMES)) < _FAR
    finally:
        talk.close()


@pytest.mark.parametrize("name", _OTHER_RULES)
def test_open_spiel_plays_the_game_of_the_rules(name: str) -> None:
    """Unless it is said that it does not; who wins it is not asked."""
    named = next(peers.open_spiel for peers in _peers() if peers.rules.stem == name)
    assert named is not None
    side = next(side for side in open_spiel_sides(named) if side.name == OPEN_SPIEL_PYTHON)
    if isinstance(side, Missing):
        pytest.skip(side.reason)
    lengths = [side.play(seed, 1).decisions or 0 for seed in range(_SLOW_GAMES)]
    assert (furthest(sample_of_rules(name), Sample(lengths, []), ends=False) < _FAR) is not bool(named.remark)


@pytest.mark.parametrize("name", _OTHER_RULES)
def test_other_rules_would_be_seen(name: str) -> None:
    other = sample_of_rules(name, tuple(_OTHER_RULES[name].items()))
    path = dict(_named(PLAIN_PYTHON))[name]
    games = _SLOW_GAMES if name in _SLOW else _GAMES
    assert furthest(other, sample_of(python_module(path), games)) > _FAR
