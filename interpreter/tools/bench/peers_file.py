"""Which other engines know a game: a YAML file, so that no game is named in this package.

    peers: 1                                  # the form of this file
    games:
      - game: noughts                         # bare name of a game that ships, or a path from this file
        options: {size: 3}                    # what the engines play; others are not compared
        open spiel: {name: tic_tac_toe, parameters: {size: 3}, remark: what differs}
        plain python: engines/noughts.py      # files of engines, paths from this file
        tight python: engines/tight/noughts.py
        plain c: engines/noughts.c
        boardgame.io: engines/noughts.js
        goals:
          - {beside: open_spiel_cpp, above: 1.5, of: playouts, because: why this goal}

Every mistake is a finding at its line. Invariant: peers given without an error name files and games that are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from attrs import field, frozen

from interpreter.diagnostics import Diagnostics, did_you_mean
from interpreter.runtime.rules import OptionValue
from interpreter.source import Files, Text, YamlScalar, describe, load_yaml, shipped_games, structure
from interpreter.tools.bench.sides import BOARDGAME_IO, PLAIN_C, PLAIN_PYTHON, TIGHT_PYTHON
from interpreter.workspace import find_rules

__all__ = ["GamePeers", "Goal", "OpenSpielGame", "load_peers"]


@frozen
class Goal:
    """How much faster than another side we mean to be."""

    beside: Literal["python", "open_spiel_cpp", "open_spiel_python", "plain_python", "tight_python", "plain_c",
                    "boardgame_io"]  # fmt: skip
    """The name of the other side."""
    above: float
    """The least ratio of our fastest backend to it."""
    of: Literal["playouts", "decisions"] = "playouts"
    """What is counted."""
    because: str = ""
    """Why this goal; for people."""


@frozen
class _OpenSpielEntry:
    """A game of OpenSpiel as written."""

    name: str
    parameters: dict[str, YamlScalar] = field(factory=dict)
    remark: str = ""


@frozen
class _GameEntry:
    """A game as written."""

    game: Text
    options: dict[str, YamlScalar] = field(factory=dict)
    open_spiel: _OpenSpielEntry | None = None
    plain_python: Text | None = None
    tight_python: Text | None = None
    plain_c: Text | None = None
    boardgame_io: Text | None = field(default=None, metadata={"key": "boardgame.io"})
    goals: tuple[Goal, ...] = ()


@frozen
class _PeersFile:
    """A file as written."""

    peers: Literal[1]
    games: tuple[_GameEntry, ...]


@frozen
class OpenSpielGame:
    """A game as OpenSpiel knows it."""

    name: str
    parameters: Mapping[str, OptionValue]
    remark: str
    """In what it differs from ours."""


@frozen
class GamePeers:
    """What is to be compared for one game."""

    rules: Path
    """Its rules file."""
    options: Mapping[str, OptionValue]
    """The options that the engines play by, by name."""
    open_spiel: OpenSpielGame | None
    engines: Mapping[str, Path]
    """Files of engines by the name of the side."""
    goals: tuple[Goal, ...]


def load_peers(path: Path, sink: Diagnostics, files: Files) -> tuple[GamePeers, ...]:
    """The games of a file; mistakes are in the sink.

    Reports D101 (a file or game that is not there), D5.. (not YAML, unknown or missing keys, wrong types), D502 (a game
    twice).
    """
    source = files.read(path, sink)
    node = load_yaml(source, sink) if source is not None else None
    read = structure(node, _PeersFile, sink) if node is not None else None
    found: dict[Path, GamePeers] = {}
    for entry in read.games if read is not None else ():
        peers = _peers_of(entry, path.parent, sink)
        if peers is not None and found.setdefault(peers.rules, peers) is not peers:
            sink.error("D502", f"game `{entry.game}` stands twice", entry.game.span)
    return tuple(found.values())


def _peers_of(entry: _GameEntry, folder: Path, sink: Diagnostics) -> GamePeers | None:
    rules = find_rules(str(folder / entry.game.text)) or find_rules(entry.game.text)
    if rules is None:
        near = did_you_mean(entry.game.text, [path.stem for path in shipped_games()])
        sink.error("D101", f"no game `{entry.game}`", entry.game.span, help=near)
    named = {
        PLAIN_PYTHON: entry.plain_python,
        TIGHT_PYTHON: entry.tight_python,
        PLAIN_C: entry.plain_c,
        BOARDGAME_IO: entry.boardgame_io,
    }
    engines = {side: _file(text, folder, sink) for side, text in named.items() if text is not None}
    there = {side: path for side, path in engines.items() if path is not None}
    options = {name: _value(value, sink) for name, value in entry.options.items()}
    spiel = None
    if entry.open_spiel is not None:
        parameters = {name: _value(value, sink) for name, value in entry.open_spiel.parameters.items()}
        spiel = OpenSpielGame(entry.open_spiel.name, parameters, entry.open_spiel.remark)
    return None if rules is None else GamePeers(rules.resolve(), options, spiel, there, entry.goals)


def _file(name: Text, folder: Path, sink: Diagnostics) -> Path | None:
    path = folder / name.text
    if path.is_file():
        return path
    beside = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    sink.error("D101", f"file `{name}` not found", name.span, help=did_you_mean(path.name, beside))
    return None


def _value(scalar: YamlScalar, sink: Diagnostics) -> OptionValue:
    if isinstance(scalar.value, int | str):
        return scalar.value
    sink.error("D505", f"expected a whole number, `yes`, `no` or a word, found {describe(scalar)}", scalar.span)
    return scalar.text
