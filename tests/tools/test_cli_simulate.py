"""`dsl simulate`: reports, files, going on, and what is said when something is missing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interpreter.tools.cli.commands import simulate

REPOSITORY = Path(__file__).resolve().parents[2]


def test_the_report_tells_outcomes_choices_and_what_is_never_used(dsl, coin: Path) -> None:
    coin.write_text(coin.read_text() + "")
    done = dsl("simulate", "coin.rules", "--games", "200", "--jobs", "1")
    assert done.code == 0, done.err
    assert "Coin: 200 games, seeds 0 to 199" in done.out
    assert "Ann wins" in done.out and "95 % interval" in done.out
    assert "Leave it" in done.out
    assert "coverage: 100.0 % used" in done.out
    again = dsl("simulate", "coin.rules", "--games", "200", "--jobs", "1")
    assert without_time(again.out) == without_time(done.out)
    assert without_time(dsl("simulate", "coin.rules", "--games", "200", "--seed", "7").out) != without_time(done.out)


def without_time(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "played in" not in line)


def test_what_is_never_used_is_named_with_file_and_line(dsl, coin: Path) -> None:
    text = coin.read_text().replace(
        '            "Leave it"',
        '            "Cheat" when player.won > 8\n                call\n            "Leave it"',
    )
    coin.write_text(text)
    done = dsl("simulate", "coin.rules", "--games", "50")
    line = next(number for number, each in enumerate(text.splitlines(), 1) if '"Cheat"' in each)
    assert f"coin.rules:{line}:13: option `Cheat` was never taken" in done.out
    report = json.loads(dsl("simulate", "coin.rules", "--games", "50", "--format", "json").out)
    first = report["results"]["never_used"][0]
    assert (first["what"], first["title"], first["path"], first["line"]) == ("option", "Cheat", "coin.rules", line)


def test_json_holds_results_and_all_that_is_needed_to_go_on(dsl, coin: Path) -> None:
    assert dsl("simulate", "coin.rules", "--games", "64", "--format", "json", "-o", "first.json").code == 0
    first = json.loads(Path("first.json").read_text())
    assert (first["format"], first["format_version"], first["games"]) == ("rulewright simulation", 1, 64)
    wins = {each["key"]: each["value"] for each in first["results"]["outcomes"]}
    assert wins["win 0"] + wins["win 1"] == pytest.approx(1)
    done = dsl("simulate", "--resume", "first.json", "--games", "128", "--format", "json")
    longer, whole = (
        json.loads(done.out),
        json.loads(dsl("simulate", "coin.rules", "--games", "128", "--format", "json").out),
    )
    assert longer["totals"] == whole["totals"]


def test_a_database_has_every_game_and_goes_on(dsl, coin: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    done = dsl("simulate", "coin.rules", "--games", "64", "-o", "coin.duckdb")
    assert done.code == 0 and "Coin: 64 games" in done.out
    assert dsl("simulate", "--resume", "coin.duckdb", "--games", "100").code == 0
    with duckdb.connect("coin.duckdb", read_only=True) as connection:
        found = connection.execute("select count(*), min(seed), max(seed), count(distinct seed) from games").fetchone()
        assert found == (100, 0, 99, 100)
        wins = connection.execute("select count(*) from games where winners = ['Ann']").fetchone()
        share = connection.execute("select value from outcomes where key = 'win 0'").fetchone()
        assert share[0] == wins[0] / 100
        assert connection.execute("select times from choices where label = 'Call'").fetchone()[0] > 0


def test_parquet_is_written_and_nothing_else_left(dsl, coin: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    assert dsl("simulate", "coin.rules", "--games", "30", "--format", "parquet", "-o", "games.parquet").code == 0
    with duckdb.connect() as connection:
        assert connection.execute("select count(*) from 'games.parquet'").fetchone() == (30,)
    names = {path.name for path in Path().iterdir()}
    assert names == {"coin.rules", "games.parquet", *(f"games.{each}.parquet" for each in TABLES)}


TABLES = ("outcomes", "choices", "members", "sites")

FAULTY = """language 1

game "Faulty"
    players 1

state dug: 0..2

play
    repeat
        choose
            "Dig"
                set dug to dug + 1
            "Rest"
                set dug to dug
"""


def test_games_that_go_wrong_are_saved_and_open(dsl, here: Path) -> None:
    Path("faulty.rules").write_text(FAULTY)
    done = dsl("simulate", "faulty.rules", "--games", "40", "--limit", "8")
    assert done.code == 1
    assert "fault D710 at faulty.rules:12:17" in done.out and "no end after 8 decisions" in done.out
    saves = sorted(Path("faulty-saves").iterdir())
    assert len(saves) == 6
    fault = next(path for path in saves if path.name.startswith("D710"))
    assert f"{fault.as_posix()}: after" in done.out and "`Dig` leads to it" in done.out
    assert dsl("replay", fault, "--verify").code == 0


def test_wrong_use_is_said_in_a_line(dsl, coin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments, said in (
        (["coin.rules", "--games", "0"], "--games"),
        (["coin.rules", "--level", "70"], "--level"),
        (["coin.rules", "--limit", "0"], "--limit"),
        (["coin.rules", "--jobs", "0"], "--jobs"),
        (["coin.rules", "--seat", "Ann=human"], "expected bots"),
        (["coin.rules", "--seat", "Cid=random"], "no player `Cid`"),
        (["coin.rules", "--format", "parquet"], "-o games.parquet"),
        (["--resume", "coin.rules"], "is no simulation"),
        (["--resume", "nothing.json"], "nothing.json"),
        ([], "expected RULES"),
    ):
        done = dsl("simulate", *arguments)
        assert (done.code, done.out) == (2, ""), arguments
        assert said in done.err, (arguments, done.err)


def test_a_package_that_is_missing_is_named_with_the_way_to_get_it(
    dsl, coin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    done = dsl("simulate", "coin.rules", "--games", "5", "-o", "coin.duckdb")
    assert done.code == 2
    assert "`duckdb`" in done.err and "pip install 'rulewright[simulate]'" in done.err


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_keeps_what_was_done_and_says_how_to_go_on(coin: Path) -> None:
    code = "from interpreter.tools.cli.main import entry; entry()"
    command = [sys.executable, "-c", code, "simulate", "coin.rules", "--games", "3000000", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "not complete" in out and "Ann wins" in out
    assert "help: `dsl simulate --resume coin.simulation.json` goes on" in err
    kept = json.loads(Path("coin.simulation.json").read_text())
    assert 0 < kept["totals"]["games"] < 3_000_000 and kept["done"]


def test_random_seats_are_the_default(dsl, coin: Path) -> None:
    assert (
        "who plays: Ann random, Bob greedy" in dsl("simulate", "coin.rules", "--seat", "Bob=greedy", "--games", "4").out
    )
    assert simulate.COMMAND.example
