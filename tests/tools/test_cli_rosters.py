"""`dsl` and the lists that players bring: played with, checked by themselves, shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

RULES = """language 1

game "Bands"
    players 2: Ann, Bob

table people makes Fighter
    | fighter | cost |
    |---------|------|
    | Archer  | 20   |
    | Giant   | 70   |

## What a player leads. Book, page 7.
roster band of each Player from Fighter
    begins as {Archer}
    needs (sum of cost for each c in band) <= 80    "at most 80 gold"

setup
    muster band

play
    each player
        choose "Send {f}": f from player.band
            nothing
        otherwise: nothing
    end game
"""

GOOD = "roster: band\nfor: bands\nall: [Giant]\n"
DEAR = "roster: band\nfor: bands\nwith: [Giant]\n"


@pytest.fixture
def bands(here: Path) -> Path:
    (here / "bands.rules").write_text(RULES, encoding="utf-8")
    (here / "good.yaml").write_text(GOOD, encoding="utf-8")
    (here / "dear.yaml").write_text(DEAR, encoding="utf-8")
    return here


def test_a_game_is_played_with_a_list_and_goes_on_without_its_file(dsl, bands: Path) -> None:
    done = dsl("play", "bands.rules", "--auto", "--seed", "1", "--roster", "bob=good.yaml", "--save", "a.save")
    assert done.code == 0
    assert "Bob: Send Giant" in done.out
    (bands / "good.yaml").unlink()
    assert dsl("replay", "a.save", "--verify").code == 0
    assert "Ann.band: Archer" in dsl("why", "a.save", "Ann.band").out


def test_wrong_lists_are_refused_with_all_that_is_wrong(dsl, bands: Path) -> None:
    (bands / "odd.yaml").write_text("roster: band\nfor: bands\nwith: [Gaint]\nwithout: [Rider]\n", encoding="utf-8")
    done = dsl("play", "bands.rules", "--auto", "--roster", "Ann=dear.yaml", "--roster", "Bob=odd.yaml")
    assert done.code == 1
    assert done.err.startswith("error: these lists cannot be played:\n")
    assert "dear.yaml:1:1" in done.err
    assert "error[D904]: at most 80 gold" in done.err
    assert "odd.yaml:3:8" in done.err
    assert "help: did you mean `Giant`?" in done.err
    assert "odd.yaml:4:11" in done.err
    assert "bands.rules:15:5" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--roster", "good.yaml"], "expected NAME=FILE"),
        (["--roster", "Ann="], "expected NAME=FILE"),
        (["--roster", "Anne=good.yaml"], "did you mean `Ann`?"),
    ],
)
def test_wrong_use(dsl, bands: Path, arguments: list[str], said: str) -> None:
    done = dsl("play", "bands.rules", "--auto", *arguments)
    assert done.code == 2
    assert said in done.err


def test_a_saved_game_takes_no_list(dsl, bands: Path) -> None:
    done = dsl("play", "--resume", "a.save", "--roster", "Ann=good.yaml")
    assert done.code == 2
    assert "--roster" in done.err


def test_lists_are_checked_with_the_rest_of_a_folder(dsl, bands: Path) -> None:
    done = dsl("check", "--format", "concise")
    assert done.code == 1
    assert done.out == "dear.yaml:1:1: error[D904]: at most 80 gold\n"
    (bands / "dear.yaml").unlink()
    assert dsl("check").code == 0
    assert dsl("check", "good.yaml").code == 0


def test_a_list_on_standard_input(dsl, bands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(DEAR))
    done = dsl("check", "-", "--stdin-filename", "draft.yaml", "--format", "concise")
    assert done.out == "draft.yaml:1:1: error[D904]: at most 80 gold\n"


def test_a_list_is_no_test(dsl, bands: Path) -> None:
    assert dsl("test", "good.yaml").code == 5


def test_show_a_roster(dsl, bands: Path) -> None:
    out = dsl("show", "bands.rules", "band").out
    assert out.startswith("roster band of each Player from Fighter    bands.rules:13\n    ## What a player leads.")
    assert 'needs (sum of cost for each c in band) <= 80 "at most 80 gold"' in " ".join(out.split())


def test_the_catalogue_names_rosters(dsl, bands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.tools.cli.catalogue.shipped_games", lambda: [bands / "bands.rules"])
    assert "    roster band of Fighter\n" in dsl("list").out
    (game,) = json.loads(dsl("list", "--format", "json").out)["games"]
    assert game["rosters"] == [
        {"name": "band", "of": "Fighter", "says": [], "doc": "What a player leads. Book, page 7."}
    ]


def test_the_table_tells_how_many_of_each_are_on_a_roster(dsl, bands: Path) -> None:
    counted = RULES.replace("from Fighter\n", "from Fighter, seen by owner, up to 3 of each\n")
    (bands / "bands.rules").write_text(counted.replace("{Archer}", "{Archer}, 2 of each"), encoding="utf-8")
    (bands / "moves.txt").write_text("Send Archer\n", encoding="utf-8")
    done = dsl("play", "bands.rules", "--plain", "--script", "moves.txt", "--seat", "Ann=human", "--seat", "Bob=random")
    assert "Ann: band 2 Archer\n" in done.out
    assert "Bob: band hidden\n" in done.out
    assert "copies" not in done.out


LONG = """language 1

game "Long"
    players 2: Ann, Bob

enum Flag: red, blue, gold, grey, pink, teal, lime, rose, sand, navy, plum, rust, jade, snow

roster chest of each Player from Flag{attributes}
    begins as Flag where number of it <= {ready}
    needs count of chest > 0

setup
    muster chest

play
    each player
        choose "Show {{f}}": f from player.chest
            nothing
        otherwise: nothing
    end game
"""


def chests(folder: Path, bob: str, attributes: str = "", ready: int = 10) -> None:
    (folder / "long.rules").write_text(LONG.format(attributes=attributes, ready=ready), encoding="utf-8")
    (folder / "bob.yaml").write_text(f"roster: chest\nfor: long\n{bob}\n", encoding="utf-8")
    (folder / "moves.txt").write_text("Show red\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("bob", "attributes", "ready", "told"),
    [
        ("without: [red, gold]\nwith: [snow]", "", 10, "without red, gold; with snow"),
        ("without: [red]", "", 10, "without red"),
        ("with: [snow]", "", 10, "with snow"),
        ("with: []", "", 10, "ready-made"),
        ("all: [red, blue]", "", 10, "red, blue"),
        ("with: {snow: 2, red: 1}", ", up to 3 of each", 10, "with red, 2 snow"),
        ("without: [red]\nwith: {snow: 3}", ", up to 3 of each", 10, "without red; with 3 snow"),
        (
            "all: [blue, gold, grey, pink, teal, lime, rose, sand, navy, plum, rust, jade, snow]",
            "",
            0,
            "13 in all",
        ),
        ("without: [red]", ", seen by owner", 10, "hidden"),
    ],
)
def test_a_long_roster_is_told_by_what_differs(
    dsl, here: Path, bob: str, attributes: str, ready: int, told: str
) -> None:
    chests(here, bob, attributes, ready)
    done = dsl(
        "play", "long.rules", "--plain", "--script", "moves.txt", "--seat", "Ann=human", "--roster", "Bob=bob.yaml"
    )
    assert f"Bob: chest {told}\n" in done.out
    ann = "ready-made" if ready else "red"
    assert f"Ann: chest {ann}\n" in done.out


def test_a_resumed_game_still_tells_what_differs(dsl, here: Path) -> None:
    chests(here, "without: [red]")
    dsl("play", "long.rules", "--plain", "--script", "moves.txt", "--seat", "Ann=human", "--roster", "Bob=bob.yaml",
        "--save", "a.save")  # fmt: skip
    (here / "bob.yaml").unlink()
    done = dsl("play", "--resume", "a.save", "--plain")
    assert "Bob: chest without red\n" in done.out
    assert "red" not in dsl("why", "a.save", "Bob.chest").out.split(":")[1]
