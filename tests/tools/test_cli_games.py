"""Commands that show games: list, show, graph, explain, new, debug, bench, odds, why."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interpreter.analysis.odds import Given
from interpreter.source import shipped_games
from interpreter.tools.cli import catalogue, games

NAMES = [path.stem for path in shipped_games()]


def test_list(dsl) -> None:
    listed = dsl("list")
    assert listed.code == 0
    assert [line.split(":")[0] for line in listed.out.splitlines() if not line.startswith(" ")] == NAMES
    data = json.loads(dsl("list", "--format", "json").out)
    assert [game["name"] for game in data["games"]] == NAMES
    assert all(game["title"] and game["players"] for game in data["games"])
    assert {game["name"]: game["players"] for game in data["games"]}["yacht"] == [1, 2, 3, 4]


def test_an_entry_names_numbers_of_players(tmp_path) -> None:
    rules = tmp_path / "sides.rules"
    rules.write_text(
        'language 1\ngame "Sides"\n    players 2\nplay\n    end game\nvariant teams "Teams"\n    players 4, 6\n'
        "scenario siege\n    players 4\nvariant fast\n    before setup\n        nothing\n"
    )
    entry = catalogue.entry(rules)
    assert entry is not None
    assert entry.as_text().splitlines() == [
        "sides: Sides, 2, 4 or 6 players",
        "    scenario siege: siege, 4 players",
        "    variant teams: Teams, 4 or 6 players",
        "    variant fast: fast",
    ]
    assert entry.as_data()["players"] == (2, 4, 6)


def test_a_number_of_players_that_nobody_can_play(dsl, tmp_path) -> None:
    rules = tmp_path / "sides.rules"
    rules.write_text('language 1\ngame "Sides"\n    players 2\nplay\n    end game\nvariant teams\n    players 4\n')
    played = dsl("play", str(rules), "--auto", "--players", "3")
    assert (played.code, played.err) == (2, "error[D805]: 3 players, expected 2 or 4\n")
    assert dsl("play", str(rules), "--auto", "--players", "4").code == 0


def test_show_a_table_drawn_with_places(dsl) -> None:
    shown = dsl("show", "hall", "buildings")
    assert shown.code == 0
    assert "| Throne Room | 6 " in shown.out
    assert shown.out.count("hall.rules:") == 12


def test_show_a_value_with_the_variant_that_adds_a_line(dsl) -> None:
    assert "(by variant legend)" not in dsl("show", "hall", "final_score").out
    shown = dsl("show", "hall", "final_score", "--option", "legend").out
    assert next(line for line in shown.splitlines() if "times 2" in line).endswith("(by variant legend)")


def test_show_phases_boards_kinds_and_lookups(dsl) -> None:
    assert '"Stop rolling"' in dsl("show", "hall", "Rolling").out
    assert " 12 . ".replace(".", "a12").strip() in dsl("show", "hall", "Square").out
    assert "named" in dsl("show", "hall", "Dwarf").out
    assert "| paper    | yes  | no    | no " in dsl("show", "rock_paper_scissors", "beats").out


def test_show_everything_without_a_fault(dsl, monkeypatch: pytest.MonkeyPatch) -> None:
    understood: dict[str, games.Understood] = {}
    understand = games.understand_game

    def understand_once(arguments: argparse.Namespace) -> games.Understood:
        if arguments.rules not in understood:
            understood[arguments.rules] = understand(arguments)
        return understood[arguments.rules]

    monkeypatch.setattr(games, "understand_game", understand_once)
    for game in NAMES:
        for name in dsl("show", game).out.splitlines():
            shown = dsl("show", game, name)
            assert shown.code == 0 and shown.out.strip(), (game, name, shown.err)


def test_show_offers_the_nearest_name(dsl) -> None:
    shown = dsl("show", "hall", "buildngs")
    assert shown.code == 2 and "did you mean `buildings`?" in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("hal",), "did you mean `hall`?"),
        (("hall", "--option", "briebs=2"), "did you mean `bribes`?"),
        (("hall", "--option", "bribes=99"), "bribes"),
        (("hall", "--option", "bribes=lots"), "bribes"),
        (("hall", "--option", "="), "expected NAME"),
        (("hall", "--scenario", "winter"), "unknown scenario `winter`"),
        (("hall", "--players", "7"), "7 players"),
        (("hall", "--option", "players=x"), "expected a number of players"),
        (("hall", "--option", "legend", "--option", "elven"), ""),
        ((".",), "is a folder"),
    ],
)
def test_a_wrong_configuration_is_refused(dsl, arguments: tuple[str, ...], said: str) -> None:
    for command in (("play", *arguments, "--auto"), ("show", *arguments)):
        done = dsl(*command)
        assert done.code == 2, (done.out, done.err)
        assert said in done.err
        assert done.out == ""


def test_options_reach_the_game(dsl) -> None:
    shown = dsl("show", "pig", "goal", "--option", "goal=42").out
    assert "in force: 42" in shown and "default: 100" in shown
    assert "in force: no" in dsl("show", "hall", "allow both", "--option", "allow_both=no").out
    assert "yacht, seed" in dsl("play", "yacht", "--auto", "--option", "players=3", "--seed", "1").out.lower()


def test_broken_rules_are_reported_with_1(dsl, here: Path) -> None:
    (here / "x.rules").write_text('language 1\n\ngame "X"\n    players 1\n\nplay\n    foo\n')
    done = dsl("play", "x.rules", "--auto")
    assert done.code == 1
    assert "--> x.rules:7:5" in done.out and "cannot be played" in done.err


# ------------------------------------------------------------------------------------------- graphs


def test_every_game_draws_in_every_format(dsl) -> None:
    for game in NAMES:
        for what in ("phases", "deps"):
            svg = dsl("graph", game, what)
            assert svg.code == 0
            root = ElementTree.fromstring(svg.out)
            assert root.tag.endswith("svg") and len(list(root.iter("{http://www.w3.org/2000/svg}text"))) >= 2
            assert dsl("graph", game, what, "--format", "mermaid").out.startswith("flowchart TD\n")
            assert dsl("graph", game, what, "--format", "dot").out.startswith("digraph ")


def test_a_graph_of_phases_names_what_is_chosen(dsl) -> None:
    shown = dsl("graph", "hall", "phases", "--format", "mermaid").out
    assert '[["Rolling"]]' in shown and '|"Stop rolling"|' in shown


def test_a_graph_of_a_board(dsl) -> None:
    dot = dsl("graph", "trading_race", "board", "--format", "dot").out
    assert '"Ambergate" -> "Birchwell" [label="road, days 1, toll 0", dir=none]' in dot
    assert dsl("graph", "pig", "board").code == 2
    assert dsl("graph", "trading_race", "board", "--board", "sea").code == 2


def test_png_without_graphviz(dsl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    done = dsl("graph", "pig", "phases", "--format", "png")
    assert done.code == 2 and "not installed" in done.err


# ------------------------------------------------------------------------------------------- the rest


def test_explain(dsl) -> None:
    assert dsl("explain", "d101").out.startswith("# D101: ")
    assert "D101  " in dsl("explain").out
    assert dsl("explain", "D9999").code == 2


def test_new_makes_what_checks_formats_and_passes(dsl, here: Path) -> None:
    assert dsl("new", "game", "treasure dive").out == "treasure_dive.rules\n"
    assert dsl("new", "board", "reef").out == "reef.yaml\n"
    assert dsl("check").code == 0
    assert dsl("fmt", "--check").code == 0
    assert dsl("test").code == 0
    assert dsl("play", "treasure_dive.rules", "--auto", "--seed", "1").code == 0
    again = dsl("new", "game", "treasure dive")
    assert again.code == 2 and "is there already" in again.err
    assert dsl("new", "game", '"{x}').code == 2


@pytest.mark.parametrize("stage", ["tokens", "tree", "model", "ir", "python"])
def test_debug_shows_every_stage_the_same_twice(dsl, stage: str) -> None:
    for game in ("pig", "hall", "kuhn_poker"):
        first = dsl("debug", stage, game)
        assert first.code == 0 and len(first.out) > 200
        assert dsl("debug", stage, game).out == first.out
        assert "0x" not in first.out.replace("0xFFFFFFFF", "").replace("0x100000000", "")


def test_bench(dsl, here: Path) -> None:
    done = dsl("bench", "tic_tac_toe", "pig", "--seconds", "0.05", "--format", "json")
    report = json.loads(done.out)
    assert report["format_version"] == 2
    assert (report["beside"], report["peers"], report["goals"]) == (None, [], [])
    assert [(result["rules"], result["backend"]) for result in report["results"]] == [
        (game, backend) for game in ("tic_tac_toe", "pig") for backend in ("python", "wasm")
    ]
    wanted = {"rules", "backend", "options", "playouts_per_second", "decisions_per_second", "compile_seconds"}
    assert wanted | {"cached_seconds", "state_bytes", "ratios"} <= set(report["results"][0])
    assert dsl("bench", "pig", "--seconds", "0").code == 2


def test_odds_of_dice(dsl) -> None:
    done = dsl("odds", "pig", "roll 2d6")
    assert done.code == 0
    assert done.out.splitlines()[5].split()[:3] == ["7", "1/6", "16.67"]
    assert done.out.endswith("mean 7\n")
    assert "5/18" in dsl("odds", "pig", "roll 2d6 >= 9").out


def test_odds_after_a_choice_and_after_an_effect(dsl, coin: Path) -> None:
    assert "Ann           5/6" in dsl("odds", "pig", "player", "--choose", "Roll").out
    assert [line.split()[:2] for line in dsl("odds", coin, "Ann.won", "--after", "call").out.splitlines()[:2]] == [
        ["0", "1/2"],
        ["1", "1/2"],
    ]
    assert "nothing changes" in dsl("odds", coin, "call").out
    assert dsl("odds", coin, "Ann.won", "--after", "cal").code == 2
    assert dsl("odds", coin, "Ann.won", "--choose", "Shout").code == 2


def test_odds_are_sampled_above_the_limit_and_say_so(dsl) -> None:
    first = dsl("odds", "pig", "roll 3d6", "--limit", "5")
    assert "sampled" in first.out and "95 % intervals" in first.out
    assert dsl("odds", "pig", "roll 3d6", "--limit", "5").out == first.out


def test_odds_as_data(dsl, coin: Path) -> None:
    done = dsl(
        "odds", coin, "Ann.won", "--after", "call", "--after", "call", "--given", "Ann.won > 0", "--format", "json"
    )
    assert done.code == 0
    sure = {"fraction": "1/1", "probability": 1.0, "interval": [1.0, 1.0]}
    assert json.loads(done.out) == {
        "format_version": 1,
        "rules": str(coin),
        "question": "Ann.won",
        "kind": "value",
        "with_setup": False,
        "steps": [{"after": "call"}, {"after": "call"}],
        "given": ["Ann.won > 0"],
        "given_probability": {"fraction": "3/4", "probability": 0.75, "interval": [0.75, 0.75]},
        "exact": True,
        "runs": 6,
        "interrupted": False,
        "distributions": [
            {
                "of": "Ann.won",
                "outcomes": [
                    {"outcome": "1", "value": 1, "fraction": "2/3", "probability": 2 / 3, "interval": [2 / 3, 2 / 3]},
                    {"outcome": "2", "value": 2, "fraction": "1/3", "probability": 1 / 3, "interval": [1 / 3, 1 / 3]},
                ],
                "mean": {"fraction": "4/3", "number": 4 / 3, "interval": [4 / 3, 4 / 3]},
            }
        ],
    }
    certain = json.loads(dsl("odds", coin, "Ann.won", "--format", "json").out)
    assert certain["distributions"][0]["outcomes"] == [{"outcome": "0", "value": 0, **sure}]
    sampled = json.loads(dsl("odds", coin, "roll 9d6", "--limit", "3", "--samples", "50", "--format", "json").out)
    assert (sampled["exact"], sampled["runs"]) == (False, 50)
    assert all(each["fraction"] is None for each in sampled["distributions"][0]["outcomes"])
    low, high = sampled["distributions"][0]["mean"]["interval"]
    assert low < sampled["distributions"][0]["mean"]["number"] < high


def test_interrupted_odds_tell_what_was_sampled(dsl, monkeypatch: pytest.MonkeyPatch) -> None:
    fallen = 0

    def roll(self: Given, state: list[int], sides: int) -> int:
        nonlocal fallen
        fallen += 1
        if fallen > 4_000:
            raise KeyboardInterrupt
        self.asked.append(sides)
        return fallen % sides

    monkeypatch.setattr(Given, "roll", roll)
    done = dsl("odds", "yacht", "pips", "--after", "roll cup", "--limit", "1")
    assert done.code == 130
    assert done.out.splitlines()[-1] == "interrupted: there would have been more cases"
    assert re.search(r"^sampled 7\d\d times", done.out, re.MULTILINE)


def test_odds_of_tables_and_conditions(dsl, here: Path) -> None:
    table = dsl("odds", "yacht", "boxes", "--after", "roll cup")
    assert table.code == 0
    lines = table.out.splitlines()
    at = lines.index("Yacht.points:")
    assert [line.split()[:2] for line in lines[at + 1 : at + 3]] == [["0", "1295/1296"], ["50", "1/1296"]]
    assert lines[-1] == "  mean 25/648 = 0.03858"
    beats = dsl("odds", "rock_paper_scissors", "beats").out
    assert "beats(rock, scissors): yes\n" in beats
    assert "fixed figures" in dsl("odds", "hall", "buildings").err
    some = dsl("odds", "kuhn_poker", "strength(First)", "--setup", "--given", "strength(Second) = 2").out
    assert some.splitlines()[0] == "what is given holds with 1/3  33.33 %"


def test_odds_in_a_save_are_those_of_its_game(dsl, here: Path) -> None:
    (here / "moves.txt").write_text("Roll\n")
    assert dsl("play", "pig", "--script", "moves.txt", "--seed", "4", "--plain", "--save", "pig.save").code == 0
    assert dsl("odds", "pig", "player", "--state", "pig.save").code == 0
    assert "is a game of `pig`, not of `hall`" in dsl("odds", "hall", "points", "--state", "pig.save").err
    assert "take one of them" in dsl("odds", "pig", "player", "--state", "pig.save", "--setup").err


def test_odds_of_nonsense(dsl) -> None:
    done = dsl("odds", "pig", "roll 2d6 +")
    assert done.code == 2 and "<expression>" in done.err
    impossible = dsl("odds", "pig", "1 div (roll d2 - 1)")
    assert impossible.code == 2 and "`1 div (1 - 1)`: division by 0" in impossible.err


def test_why_in_a_save(dsl, here: Path) -> None:
    assert dsl("play", "hall", "--auto", "--seed", "2", "--save", "hall.save").code == 0
    why = dsl("why", "hall.save", "final score")
    assert why.code == 0 and "Points track" in why.out
    assert all(re.search(r"hall\.rules:\d+$", line) for line in why.out.splitlines()[1:])
    (here / "moves.txt").write_text("Roll\n")
    assert dsl("play", "pig", "--script", "moves.txt", "--seed", "4", "--plain", "--save", "pig.save").code == 0
    assert dsl("why", "pig.save", "Roll").out == "`Roll` is offered to Ann\n"
    assert dsl("why", "pig.save", "no such thing at all").code == 2
    assert dsl("why", "nothing.save", "points").code == 2


def test_a_wrong_choice_of_the_configuration_is_said_once_with_what_there_is(dsl, here: Path) -> None:
    for command in (("play",), ("show",), ("odds", "pig", "roll d6")):
        name, *rest = command
        said = dsl(name, *(rest or ["pig"]), "--option", "nosuch")
        assert (said.code, said.out) == (2, "")
        assert said.err == "error[D801]: unknown option `nosuch`\nhelp: this game has `goal`\n"
    assert "help: did you mean `goal`?" in dsl("play", "pig", "--option", "gaol=3").err
    assert "this game has no options" in dsl("play", "kuhn_poker", "--option", "x").err
    assert dsl("play", "pig", "--scenario", "snow").err.splitlines()[1:] == ["note: the game has no scenarios"]


def test_debug_shows_the_program_in_its_own_words(dsl) -> None:
    shown = dsl("debug", "ir", "pig").out
    assert "layout " in shown and "decision 0" in shown
    assert len(shown.splitlines()) < 120
    assert dsl("debug", "python", "pig").out.startswith('"""\nPig, generated')


def test_a_folder_of_its_name_does_not_hide_a_game(dsl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pig").mkdir()
    (tmp_path / "figs").mkdir()
    monkeypatch.chdir(tmp_path)
    assert dsl("odds", "pig", "roll d6").code == 0
    other = dsl("odds", "figs", "roll d6")
    assert other.code == 2
    assert "is a folder" in other.out + other.err
