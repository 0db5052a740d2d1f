"""How many play, and what that switches on."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.diagnostics import Diagnostics
from interpreter.semantics import Configuration, Game, project_from_source
from interpreter.semantics.checks import check
from interpreter.semantics.player_counts import in_words
from interpreter.semantics.understand import understand
from interpreter.source import Files, from_text

RULES = """language 1
game "A test"
    players 2: Ann, Bob
option extras = no
play
    choose "Go"
    end game
variant three
    players 3: Alone, Left, Right
    preset fast
variant teams
    players 6, 4
variant fast
    before setup
        nothing
variant slow
    excludes fast
scenario siege
    players 3, 2
scenario feast
    players 4: North, East, South, West
    preset extras
"""


def understood(text: str, configuration: Configuration) -> tuple[Game | None, list[str]]:
    sink = Diagnostics()
    project = project_from_source(from_text("a.rules", text), sink, Files(), Path.cwd())
    game = understand(project, configuration, sink)
    return game, [f"{one.code} {one.message}" for one in sink.errors]


def game_of(configuration: Configuration) -> Game:
    game, found = understood(RULES, configuration)
    assert game is not None, found
    return game


def active(game: Game) -> set[str]:
    return {name for name, use in game.variants.items() if use.active}


@pytest.mark.parametrize(
    ("configuration", "number", "on"),
    [
        (Configuration(), 2, set()),
        (Configuration(players=3), 3, {"three", "fast"}),
        (Configuration(players=4), 4, {"teams"}),
        (Configuration(options={"teams": True}), 6, {"teams"}),
        (Configuration(players=4, options={"teams": True}), 4, {"teams"}),
        (Configuration(options={"teams": False}), 2, set()),
        (Configuration(scenario="siege"), 3, {"siege", "three", "fast"}),
        (Configuration(players=2, scenario="siege"), 2, {"siege"}),
        (Configuration(options={"three": False}, scenario="siege"), 2, {"siege"}),
        (Configuration(options={"teams": True}, scenario="feast"), 4, {"feast", "teams"}),
        (Configuration(players=3, options={"fast": False}), 3, {"three"}),
    ],
)
def test_the_number_and_the_variants_follow_each_other(configuration: Configuration, number: int, on: set[str]) -> None:
    game = game_of(configuration)
    assert (len(game.players), active(game)) == (number, on)


def test_names_are_those_of_the_scenario_else_of_the_variant_else_of_the_game() -> None:
    assert game_of(Configuration()).players == ("Ann", "Bob")
    assert game_of(Configuration(players=3)).players == ("Alone", "Left", "Right")
    assert game_of(Configuration(players=4)).players == ("Player 1", "Player 2", "Player 3", "Player 4")
    assert game_of(Configuration(scenario="feast")).players == ("North", "East", "South", "West")


def test_every_number_is_known_the_default_first() -> None:
    assert game_of(Configuration()).player_numbers == (2, 3, 6, 4)


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        (Configuration(players=5), "5 players, expected 2, 3, 4 or 6"),
        (Configuration(players=2, options={"teams": True}), "2 players, expected 4 or 6 for variant `teams`"),
        (Configuration(players=4, options={"teams": False}), "variant `teams` is on whenever 4 play, found no"),
        (Configuration(players=4, scenario="siege"), "4 players, expected 2 or 3 for scenario `siege`"),
        (
            Configuration(options={"three": True, "teams": True}),
            "no number of players goes with what is chosen for `three` and `teams`",
        ),
        (
            Configuration(options={"teams": False}, scenario="feast"),
            "no number of players goes with what is chosen for `feast` and `teams`",
        ),
    ],
)
def test_a_number_that_does_not_go_is_told(configuration: Configuration, message: str) -> None:
    game, found = understood(RULES, configuration)
    assert game is None
    assert found == [f"D805 {message}"]


def test_a_preset_variant_takes_part_in_exclusions() -> None:
    game, found = understood(RULES, Configuration(players=3, options={"slow": True}))
    assert game is None
    assert [one[:4] for one in found] == ["D803"]
    assert active(game_of(Configuration(players=3, options={"slow": True, "fast": False}))) == {"three", "slow"}


def test_a_preset_sets_off_another_and_says_no_to_none() -> None:
    text = (
        RULES
        + "variant chain\n    preset bond\nvariant bond\n    preset fast = yes\nvariant plain\n    preset fast = no\n"
    )
    game, found = understood(text, Configuration(options={"chain": True}))
    assert game is not None, found
    assert active(game) == {"chain", "bond", "fast"}
    game, found = understood(text, Configuration(options={"chain": True, "plain": True}))
    assert found == ["D807 variant `fast` is set twice"]
    game, found = understood(text, Configuration(options={"plain": True, "fast": True}))
    assert game is not None and active(game) == {"plain", "fast"}, "what people choose overrules a preset"


def test_a_header_may_list_numbers() -> None:
    text = 'language 1\ngame "A test"\n    players 4, 2: A, B, C, D\nplay\n    end game\n'
    for asked, names in ((None, "ABCD"), (2, "AB"), (4, "ABCD")):
        game, found = understood(text, Configuration(players=asked))
        assert game is not None and game.players == tuple(names), found
    assert understood(text, Configuration(players=3))[1] == ["D805 3 players, expected 2 or 4"]


def test_a_check_looks_at_every_number() -> None:
    """A mistake that one number of players alone shows is found, with a note that says where."""
    text = RULES.replace("players 6, 4\n", 'players 6, 4\n    after setup\n        say "{Player_6}"\n')
    sink = Diagnostics()
    project = project_from_source(from_text("a.rules", text), sink, Files(), Path.cwd())
    check(project, sink)
    found = {(one.code, one.notes) for one in sink if one.code == "D209"}
    notes = ("4 play in this configuration", "only in the variant `teams` with 4 players")
    assert found == {("D209", notes)}


def test_players_are_known_by_number_too() -> None:
    text = RULES.replace("play\n", "state last: Player = Player_2\nplay\n")
    for players, index in ((None, 1), (3, 1), (6, 1)):
        game, found = understood(text, Configuration(players=players))
        assert game is not None, found
        start = game.variables[0].start
        assert getattr(start, "value", None) == index


def test_a_test_within_a_variant_is_played_in_it() -> None:
    text = RULES + 'variant solo\n    players 1\n    test "alone"\n        expect count of Player = 1\n'
    sink = Diagnostics()
    project = project_from_source(from_text("a.rules", text), sink, Files(), Path.cwd())
    assert [test.title for test in project.tests] == ["alone"]
    from interpreter.semantics import test_configuration
    from interpreter.semantics.model import TestCase

    (test,) = project.tests
    assert test_configuration(TestCase(title=test.title, tree=test, span=test.span)).options == {"solo": True}


@pytest.mark.parametrize(
    ("numbers", "words"),
    [((1,), "1"), ((2, 3), "2 or 3"), ((3, 2, 4), "2 to 4"), ((2, 3, 4, 6), "2, 3, 4 or 6"), ((6, 4), "4 or 6")],
)
def test_numbers_in_words(numbers: tuple[int, ...], words: str) -> None:
    assert in_words(numbers) == words
