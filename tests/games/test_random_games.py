"""A small run of `benchmarks/random_games.py`: some random games of every configuration, one of them looked at closely.

Also shows that the checks of that run see what they are there for, each with a state or a game that is broken on
purpose: a check that never fails proves nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from configurations import CASES, ROOT, Case

from interpreter.ir.program import SlotGroup
from interpreter.runtime import Rules, Session, load

sys.path.insert(0, str(ROOT / "benchmarks"))

from random_games import Tally, play_deep, play_plain, state_faults

LARGE = 150
"""From this many slots on a state, and with it a game, is large."""
PLAIN = (10, 2)
"""Plain games of each configuration, and of a large one."""
DEEP = (60, 8)
"""Decisions of the game that is looked at closely, and of a large one; most games are shorter."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_nothing_goes_wrong_in_random_games(case: Case) -> None:
    rules = case.load()
    is_large = rules.program.layout.size >= LARGE
    tally = Tally(case.title)
    for seed in range(PLAIN[is_large]):
        play_plain(rules, case.title, seed, tally)
    play_deep(rules, case.title, 0, tally, limit=DEEP[is_large])
    assert [str(finding) for finding in tally.findings] == []
    for check in ("state", "options", "clone", "save", "undo", "view"):
        assert tally.checked[check] > 0


# ---------------------------------------------------------------------------------------------------- the checks see


def group(rules: Rules, what: str, name: str) -> SlotGroup:
    return rules.program.layout.named(what, name)


def faults(session: Session) -> list[str]:
    return list(state_faults(session.rules, session.state))


def test_a_piece_in_two_places_is_seen() -> None:
    session = load("breakthrough").start(0)
    assert faults(session) == []
    pawns = group(session.rules, "place", "Pawn")
    session.state[pawns.base] = session.state[pawns.base + 1]
    assert any("stand there" in fault for fault in faults(session))


def test_an_order_that_forgets_a_card_is_seen() -> None:
    session = load("kuhn_poker").start(0)
    assert faults(session) == []
    session.state[group(session.rules, "order", "deck").base] -= 1
    assert any(fault.startswith("order deck") for fault in faults(session))


def test_a_value_out_of_bounds_is_seen() -> None:
    session = load("hall").start(0)
    session.state[group(session.rules, "variable", "gold").base] = 76
    assert faults(session) == ["variable gold[0] is 76, expected 0 to 75"]


def written(folder: Path, play: str, kept: str = "state height: 0..10") -> Rules:
    """A tiny game with that play."""
    path = folder / "tiny.rules"
    path.write_text(f'language 1\n\ngame "Tiny"\n    players 1\n\n{kept}\n\nplay\n{play}')
    return load(path)


def test_an_endless_game_is_seen(tmp_path: Path) -> None:
    play = '    repeat\n        choose\n            "Up"\n                set height to 1\n'
    rules = written(tmp_path, play)
    tally = Tally("tiny")
    play_plain(rules, "tiny", 0, tally, limit=100)
    assert [finding.what for finding in tally.findings] == ["endless"]
    assert tally.findings[0].decisions == ("Up",) * 100


def test_a_fault_is_seen(tmp_path: Path) -> None:
    play = '    repeat\n        choose\n            "Up"\n                height + 1\n'
    rules = written(tmp_path, play)
    tally = Tally("tiny")
    play_plain(rules, "tiny", 3, tally)
    (finding,) = tally.findings
    assert finding.what == "fault"
    assert finding.message.startswith("D710")
    assert (finding.seed, finding.decisions) == (3, ("Up",) * 11)


class Forgetful(Session):
    """A session whose undo leaves a trace."""

    def undo(self, *, force: bool = False) -> None:
        super().undo(force=force)
        self.state[group(self.rules, "variable", "mark").base] = 0


class Shared(Session):
    """A session whose copies share the state."""

    def clone(self, *, quiet: bool | None = None) -> Session:
        return self.with_state(self.state, quiet=quiet)


@pytest.mark.parametrize(("broken", "check"), [(Forgetful, "undo"), (Shared, "clone")])
def test_a_session_that_is_broken_is_seen(broken: type[Session], check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("tic_tac_toe")

    def start(self: Rules, seed: int = 0, **given: object) -> Session:
        session = broken(self, self.backend.new_state(seed), seed=seed)
        session.begin()
        return session

    tally = Tally("tic_tac_toe")
    with monkeypatch.context() as patch:
        patch.setattr(Rules, "start", start)
        patch.setattr(Session, "with_state", with_state_of(broken))
        play_deep(rules, "tic_tac_toe", 0, tally)
    assert any(finding.what in (check, "fault in a session") for finding in tally.findings)


def with_state_of(kind: type[Session]) -> object:
    """`with_state` that gives a session of the same class."""
    plain = Session.with_state

    def with_state(self: Session, state: list[int], *, quiet: bool | None = None) -> Session:
        other = plain(self, state, quiet=quiet)
        other.__class__ = kind
        return other

    return with_state
