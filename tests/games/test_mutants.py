"""The mutation run makes the changes it is there for, leaves alone what it must, and tells the living from the dead."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from configurations import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

import mutate

from interpreter.semantics import project
from interpreter.syntax import parse

RULES = """language 1

## Seven lamps.
game "Lamps 3"
    players 1

option last word = quiet or loud            ## Said 2 times.

state lit: 0..9

value most = if last word is loud then 7 else 5

relation may_light(n: number)
    when n < most                           "4 at most"
    unless n = 2 and last word is loud

play
    repeat
        choose
            "Light lamp {lit}" when may_light(lit)
                lit + 1
            "Stop at 6": n from 1..3
                if n >= lit: leave
    end game

test "five lamps burn"
    choose "Light lamp 0"
    expect lit = 1
"""


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> mutate._Bench:
    path = tmp_path / "lamps.rules"
    path.write_text(RULES)
    # the bench lets parsing remember included files; the other tests are to have it as it was
    monkeypatch.setattr(project, "parse", parse)
    return mutate._Bench(path)


def changes(bench: mutate._Bench) -> set[tuple[str, str]]:
    found = mutate.mutants_of(bench.source, bench.game)
    return {mutate.change_of(bench.source, mutant)[1:] for mutant in found}


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("state lit: 0..9", "state lit: 0..8"),
        ("option last word = quiet or loud", "option last word = loud or quiet"),
        ("value most = if last word is loud then 7 else 5", "value most = if last word is not loud then 7 else 5"),
        ("value most = if last word is loud then 7 else 5", "value most = if last word is quiet then 7 else 5"),
        ('when n < most "4 at most"', 'when n <= most "4 at most"'),
        ('when n < most "4 at most"', 'unless n < most "4 at most"'),
        ("unless n = 2 and last word is loud", "unless n = 2 or last word is loud"),
        ("unless n = 2 and last word is loud", "(left out)"),
        ("lit + 1", "lit - 1"),
        ("lit + 1", "nothing"),
        ('"Light lamp {lit}" when may_light(lit)', '"Light lamp {lit}"'),
        ('"Stop at 6": n from 1..3', '"Stop at 6": n from 1..4'),
        ("if n >= lit: leave", "if n > lit: leave"),
        ("if n >= lit: leave", "nothing"),
    ],
)
def test_the_changes_are_made(bench: mutate._Bench, was: str, becomes: str) -> None:
    assert (was, becomes) in changes(bench)


def test_words_tests_and_comments_are_left_alone(bench: mutate._Bench) -> None:
    for was, becomes in changes(bench):
        assert not was.startswith(("test", "expect", 'choose "', "language", "game"))
        if becomes not in ("(left out)", "nothing"):
            for text in ("Light lamp {", "Stop at 6", "4 at most"):
                assert (text in was) == (text in becomes)


def test_a_mutant_that_no_test_sees_survives_and_the_others_do_not(bench: mutate._Bench) -> None:
    outcomes = {}
    for mutant in mutate.mutants_of(bench.source, bench.game):
        verdict = bench.judge(mutant)
        outcomes[mutate.change_of(bench.source, verdict.mutant)[1:]] = verdict.outcome
    assert outcomes["lit + 1", "lit - 1"] == "killed"
    assert outcomes["lit + 1", "nothing"] == "killed"
    assert outcomes["state lit: 0..9", "state lit: 0..8"] == "survived"
    assert outcomes["unless n = 2 and last word is loud", "unless n != 2 and last word is loud"] == "survived"
    assert outcomes["option last word = quiet or loud", "option last word != quiet or loud"] == "invalid"
