"""Runs `dsl` in this process, in a folder of its own and with nothing of the surroundings leaking in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from interpreter.tools.cli.main import main

REPOSITORY = Path(__file__).resolve().parents[2]


@frozen
class Done:
    """A command that ended."""

    code: int
    out: str
    err: str


Dsl = Callable[..., Done]


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "DSL_FORMAT", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "DSL_TRACEBACK", "TERM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def dsl(capsys: pytest.CaptureFixture[str]) -> Dsl:
    """Runs a command line."""

    def run(*arguments: str | Path) -> Done:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, made the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


COIN = """\
language 1

## Heads or tails, called once. HT-1
game "Coin"
    players 2: Ann, Bob
    scored by won

option most = 3 in 1..9             ## Calls that win

each Player has
    won: 0..9

effect call
    let fell = roll d2
    if fell = 1: player.won +1

play
    turns
        choose
            "Call"
                call
                if player.won = most: player wins "{most} calls"
            "Leave it"
                player.won +0

test "a good call scores"
    rolls 1
    choose "Call"
    expect Ann.won = 1
"""
"""A small game without mistakes, with a test."""


@pytest.fixture
def coin(here: Path) -> Path:
    """That game in the current folder."""
    path = here / "coin.rules"
    path.write_text(COIN, encoding="utf-8")
    return path
