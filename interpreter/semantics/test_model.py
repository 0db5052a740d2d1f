"""A test as understood: what is given, done and expected, in order.

Data only. `snippets.understand_test` makes it from a `test` block and the game in the configuration that the block
asks for; the test runner plays it.

Invariant: everything in a line belongs to the game that the test was understood with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from attrs import frozen

from interpreter.semantics.model import Block, Expr, Function, Understood

__all__ = [
    "ChooseLine",
    "Expect",
    "Given",
    "Offers",
    "Rolls",
    "RosterLine",
    "Seed",
    "Start",
    "TestLine",
    "UnderstoodTest",
]


@frozen(kw_only=True)
class TestLine(Understood):
    """One line of a test."""

    __test__ = False  # not a class of tests, in spite of its name


@frozen(kw_only=True)
class Given(TestLine):
    """Changes made to the state after the set-up, before anything is asked."""

    block: Block


@frozen(kw_only=True)
class Start(TestLine):
    """Play goes on from a phase; None for the start of play."""

    phase: Function | None


@frozen(kw_only=True)
class Seed(TestLine):
    """The seed of the generator."""

    seed: int


@frozen(kw_only=True)
class RosterLine(TestLine):
    """A player brings a list; with `fails`, lists are refused for these reasons."""

    player: int
    path: Path
    fails: tuple[str, ...]


@frozen(kw_only=True)
class Rolls(TestLine):
    """Results of chance, in the order in which they are asked for."""

    results: tuple[int, ...]


@frozen(kw_only=True)
class ChooseLine(TestLine):
    """An option is chosen by its name; `player` asserts who is asked, None where the test does not say."""

    text: str
    player: int | None


@frozen(kw_only=True)
class Offers(TestLine):
    """What is offered: exactly these options, these among others, or none of these."""

    how: Literal["exactly", "also", "never"]
    options: tuple[str, ...]


@frozen(kw_only=True)
class Expect(TestLine):
    """A condition that holds; `text` is how it is written."""

    condition: Expr
    text: str


@frozen(kw_only=True)
class UnderstoodTest(Understood):
    """A test, ready to be run."""

    title: str
    lines: tuple[TestLine, ...]
