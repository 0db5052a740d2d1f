"""What the strategies promise to be valid is valid: a check finds no errors, whatever the construct.

That makes the strategies a second reading of the reference: each construct of `docs/language.md` has one, and a new
section without one fails here.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games_of_text import errors_in, written
from hypothesis import given, settings
from strategies import CONSTRUCTS, games
from strategies.games import Written

REFERENCE = Path(__file__).parents[2] / "docs" / "language.md"
NO_CONSTRUCTS = {"Reserved words", "Limits"}
"""Sections about all of the language."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checked")


def test_every_construct_has_a_strategy() -> None:
    prose = re.sub(r"^```.*?^```$", "", REFERENCE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    sections = set(re.findall(r"^## (.*)$", prose, re.MULTILINE))
    assert len(sections) > len(NO_CONSTRUCTS)
    assert sorted(sections - NO_CONSTRUCTS - set(CONSTRUCTS)) == [], "write a strategy for it in tests/strategies"


@given(written_=games())
def test_a_game_made_by_chance_has_no_errors(folder: Path, written_: Written) -> None:
    assert errors_in(written(folder, written_.plain())) == []


@pytest.mark.parametrize("section", CONSTRUCTS)
def test_each_construct_is_written_without_errors(folder: Path, section: str) -> None:
    most = max(5, settings.default.max_examples // 20) if settings.default is not None else 5

    @settings(max_examples=most)
    @given(written_=CONSTRUCTS[section])
    def check(written_: Written) -> None:
        assert errors_in(written(folder, written_.plain())) == []

    check()
