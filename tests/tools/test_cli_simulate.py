"""`dsl simulate`: reports, files, going on, and what is said when something is missing."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from interpreter.analysis.simulate.executors import AsNeeded, Done, Here, Task
from interpreter.analysis.simulate.shards import Job
from interpreter.tools.cli.commands import simulate


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


def test_play_that_runs_out_is_told_from_games_without_an_end(dsl, here: Path) -> None:
    rules = FAULTY.replace("    repeat\n        choose\n", "    choose\n").replace("dug + 1", "1")
    Path("short.rules").write_text(rules.replace("            ", "        ").replace("        set", "            set"))
    done = dsl("simulate", "short.rules", "--games", "10")
    assert done.code == 0 and "play runs out without an end: 10 games" in done.out, done.out + done.err


def test_wrong_use_is_said_in_a_line(dsl, coin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments, said in (
        (["coin.rules", "--games", "0"], "--games"),
        (["coin.rules", "--level", "70"], "--level"),
        (["coin.rules", "--limit", "0"], "--limit"),
        (["coin.rules", "--jobs", "0"], "--jobs"),
        (["coin.rules", "--cluster", "ray"], "expected dask"),
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
    for package, extra, arguments in (
        ("duckdb", "simulate", ["-o", "coin.duckdb"]),
        ("distributed", "cluster", ["--cluster", "dask"]),
    ):
        monkeypatch.setitem(sys.modules, package, None)
        done = dsl("simulate", "coin.rules", "--games", "5", *arguments)
        assert (done.code, done.out) == (2, "")
        assert f"`{package}`" in done.err and f"pip install 'rulewright[{extra}]'" in done.err


def stopped_after(shards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on somebody presses Ctrl-C while so many shards have been played."""

    def play(self: AsNeeded, jobs: Mapping[str, Job], tasks: Iterable[Task]) -> Iterator[Done | None]:
        for number, done in enumerate(Here().play(jobs, tasks), 1):
            if number == shards:
                signal.raise_signal(signal.SIGINT)
            yield done

    monkeypatch.setattr(AsNeeded, "play", play)


def test_ctrl_c_keeps_what_was_done_and_says_how_to_go_on(dsl, coin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = json.loads(dsl("simulate", "coin.rules", "--games", "320", "--format", "json").out)
    with monkeypatch.context() as pressed:
        stopped_after(3, pressed)
        done = dsl("simulate", "coin.rules", "--games", "320")
    assert done.code == 130
    assert "not complete: 260 games of 320" in done.out and "Ann wins" in done.out
    assert "stopped: 60 of 320 games are kept in coin.simulation.json" in done.err
    assert "help: `dsl simulate --resume coin.simulation.json` goes on" in done.err
    further = json.loads(dsl("simulate", "--resume", "coin.simulation.json", "--format", "json").out)
    assert further["totals"] == whole["totals"] and further["results"]["complete"]


def test_ctrl_c_leaves_a_database_that_goes_on(dsl, coin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    with monkeypatch.context() as pressed:
        stopped_after(2, pressed)
        done = dsl("simulate", "coin.rules", "--games", "320", "-o", "coin.duckdb")
    assert done.code == 130 and "kept in coin.duckdb" in done.err
    assert dsl("simulate", "--resume", "coin.duckdb").code == 0
    with duckdb.connect("coin.duckdb", read_only=True) as connection:
        found = connection.execute("select count(*), count(distinct seed), max(seed) from games").fetchone()
    assert found == (320, 320, 319)


def test_random_seats_are_the_default(dsl, coin: Path) -> None:
    assert (
        "who plays: Ann random, Bob greedy" in dsl("simulate", "coin.rules", "--seat", "Bob=greedy", "--games", "4").out
    )
    assert simulate.COMMAND.example
