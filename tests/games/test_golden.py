"""Golden playthroughs: one recorded game of every shipped game in every configuration.

A difference is either a mistake or meant; `pytest --update-golden` records the games anew, and `git diff` shows what
a change does. The tests at the end show that the list of configurations leaves nothing out: a game, an option, a
variant or a number of players that no golden game has would be one that no test of this folder plays.
"""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest
from configurations import CASES, Case, cases_of
from playthrough import playthrough

from interpreter.diagnostics import Diagnostics
from interpreter.semantics import Project, read_project
from interpreter.semantics.configuration import matching
from interpreter.source import shipped_games
from interpreter.syntax import ast

GOLDEN = Path(__file__).parent / "golden"
SHOWN = 20
GAMES = [path.stem for path in shipped_games()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_the_game_goes_as_recorded(case: Case, update_golden: bool) -> None:
    path = GOLDEN / f"{case.title}.txt"
    found = playthrough(case)
    if update_golden:
        path.write_text(found, encoding="utf-8", newline="\n")
        return
    assert path.is_file(), f"no golden game of {case.title}: record it with --update-golden"
    expected = path.read_text(encoding="utf-8")
    if found != expected:
        diff = unified_diff(expected.splitlines(), found.splitlines(), "recorded", "now", n=2, lineterm="")
        shown = [line for _, line in zip(range(SHOWN), diff, strict=False)]
        pytest.fail(f"{case.title} goes differently (meant? --update-golden):\n" + "\n".join(shown), pytrace=False)


def test_every_golden_file_is_of_a_configuration() -> None:
    known = {f"{case.title}.txt" for case in CASES}
    assert sorted(path.name for path in GOLDEN.iterdir() if path.name not in known) == []


def test_titles_are_different() -> None:
    titles = [case.title for case in CASES]
    assert len(set(titles)) == len(titles)


# ---------------------------------------------------------------------------------------------------- nothing left out


def project_of(game: str) -> Project:
    """A shipped game, read."""
    sink = Diagnostics()
    path = next(path for path in shipped_games() if path.stem == game)
    project = read_project(path, sink)
    assert project is not None and not sink.has_errors
    return project


def default_of(option: ast.OptionDeclaration) -> int | bool | str:
    return option.default.text if isinstance(option.default, ast.Name) else option.default


def test_every_shipped_game_has_a_configuration() -> None:
    assert sorted({case.game for case in CASES}) == sorted(GAMES)
    for game in GAMES:
        first = cases_of(game)[0]
        assert not first.options and (first.players, first.scenario) == (None, None), f"{game}: the default comes first"


@pytest.mark.parametrize("game", GAMES)
def test_every_option_occurs_with_another_value_than_its_default(game: str) -> None:
    project = project_of(game)
    missing: list[str] = []
    for option in project.options:
        default = default_of(option)
        given = {
            str(value).replace("_", " ")
            for case in cases_of(game)
            for name, value in case.options.items()
            if matching(name, [option.name.text]) is not None and value != default
        }
        words = {word.text for word in option.words} - {str(default)}
        if not given or not words <= given:
            missing.append(f"{option.name.text}: {', '.join(sorted(words - given)) or 'any other value'}")
    assert missing == []


@pytest.mark.parametrize("game", GAMES)
def test_every_size_occurs_small_and_large(game: str) -> None:
    """An option with a range occurs below and above its default, as far as its range goes."""
    missing: list[str] = []
    for option in project_of(game).options:
        default = default_of(option)
        if isinstance(default, bool) or not isinstance(default, int) or option.low is None or option.high is None:
            continue
        given = [
            value
            for case in cases_of(game)
            for name, value in case.options.items()
            if matching(name, [option.name.text]) is not None and isinstance(value, int)
        ]
        if default > option.low and not any(value < default for value in given):
            missing.append(f"{option.name.text} below {default}")
        if default < option.high and not any(value > default for value in given):
            missing.append(f"{option.name.text} above {default}")
    assert missing == []


@pytest.mark.parametrize("game", GAMES)
def test_every_variant_and_scenario_occurs(game: str) -> None:
    project = project_of(game)
    used = {name for case in cases_of(game) for name, use in case.load().game.variants.items() if use.active}
    missing = [node.name.text for node in (*project.variants, *project.scenarios) if node.name.text not in used]
    assert missing == []


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_players_occurs(game: str) -> None:
    head = project_of(game).head
    assert head is not None
    played = {len(case.load().players) for case in cases_of(game)}
    assert played == set(project_of(game).player_numbers)
