"""Comparisons: a change is found, the same game is not, and chance is seldom taken for a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.analysis.simulate.compare import LEAST, Comparison, Version, compare
from interpreter.analysis.simulate.executors import Here, Threads
from interpreter.analysis.simulate.shards import make_job
from interpreter.runtime import load
from interpreter.source import find_shipped


def version(path: str | Path) -> Version:
    rules = load(path)
    return Version(rules, make_job(rules))


def compared(mine: Version, its: Version, games: int, *, shards: int = 24, seed: int = 0, apart: int = 0) -> Comparison:
    size = games // shards
    return compare(mine, its, Here(), first_seed=seed, size=size, shards=shards, level=0.05, apart=apart)


@pytest.fixture
def hall_and_copy(tmp_path: Path) -> tuple[Version, Version]:
    """The shipped game, and a copy in which one building costs one more."""
    source = find_shipped("hall")
    assert source is not None
    text = source.read_text(encoding="utf-8").replace('include "hall/tests.rules"\n', "")
    changed = text.replace("| Still       | 2    |", "| Still       | 3    |")
    assert changed != text
    for name, content in (("before", text), ("after", changed)):
        (tmp_path / f"{name}.rules").write_text(content, encoding="utf-8")
    (tmp_path / "hall").mkdir()
    board = source.parents[1] / "boards" / "hall" / "map.yaml"
    (tmp_path / "hall" / "map.yaml").write_text(board.read_text(encoding="utf-8"), encoding="utf-8")
    return version(tmp_path / "before.rules"), version(tmp_path / "after.rules")


def test_a_price_that_is_one_higher_is_found_with_what_follows_from_it(hall_and_copy: tuple[Version, Version]) -> None:
    found = compared(*hall_and_copy, games=1200)
    real = {each.metric.title: each for each in found.real}
    assert "score" in real and real["score"].high < 0
    still = real["Still is chosen"]
    assert still.its < still.mine and still.low < still.difference < still.high < 0
    assert real["Mine is chosen"].low > 0  # the builders go elsewhere
    assert "games with a fault" not in real
    assert not found.same and found.games == 1200


def test_the_same_game_differs_by_nothing(hall_and_copy: tuple[Version, Version]) -> None:
    mine, _ = hall_and_copy
    found = compared(mine, mine, games=240)
    assert found.same == found.shards == 24
    assert not found.real and all(each.difference == 0 == each.could_see for each in found.differences)


def test_chance_is_seldom_taken_for_a_change() -> None:
    """With seeds of its own the same game differs everywhere; 20 comparisons of 50 numbers each."""
    game = version("kuhn_poker")
    alarms = 0
    for seed in range(20):
        found = compared(game, game, games=480, seed=10_000 * seed, apart=5_000)
        assert not found.same
        alarms += bool(found.real)
    assert alarms <= 1


def test_threads_compare_alike(hall_and_copy: tuple[Version, Version]) -> None:
    alone = compared(*hall_and_copy, games=240)
    together = compare(*hall_and_copy, Threads(2), first_seed=0, size=10, shards=24, level=0.05)
    assert together.totals == alone.totals
    assert [(each.tail, each.low) for each in together.differences] == [
        (each.tail, each.low) for each in alone.differences
    ]


def test_too_few_shards_say_nothing(hall_and_copy: tuple[Version, Version]) -> None:
    found = compared(*hall_and_copy, games=LEAST - 1, shards=LEAST - 1)
    assert not found.is_enough and not found.differences


def test_what_only_one_version_has_is_named(tmp_path: Path) -> None:
    path = find_shipped("pig")
    assert path is not None
    text = path.read_text(encoding="utf-8")
    (tmp_path / "mine.rules").write_text(text, encoding="utf-8")
    (tmp_path / "its.rules").write_text(text.replace('"Hold', '"Stop with'), encoding="utf-8")
    found = compared(version(tmp_path / "mine.rules"), version(tmp_path / "its.rules"), games=48)
    assert any("Hold" in title for title in found.only_mine)
    assert any("Stop with" in title for title in found.only_its)
    assert all("Hold" not in each.metric.title for each in found.differences)


def test_a_comparison_stops_when_its_time_is_up() -> None:
    game = version("kuhn_poker")
    asked: list[int] = []

    def goes_on(shards: int) -> bool:
        asked.append(shards)
        return shards < 3

    found = compare(game, game, Here(), first_seed=0, size=2, shards=None, level=0.05, goes_on=goes_on)
    assert found.shards == 3 and asked[-1] == 3
