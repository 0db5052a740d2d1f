"""`dsl bench` beside other engines: those of a file of peers, made up here; what is wrong with it, what is missing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from interpreter.tools.bench.plain_engines import find_compiler
from interpreter.tools.bench.sides import PeerFault, Side, Slice
from interpreter.tools.bench.turns import take_turns

ENGINE = """\
def playouts(seed, games):
    for _ in range(200 * games):
        pass
    return 5 * games, [0, games, 0]
"""
"""An engine that knows no game at all; nobody asks whether it does."""
C_ENGINE = """\
#include <stdint.h>
void playouts(uint64_t seed, int64_t games, int64_t told[4]) {
    told[0] = 5 * games; told[1] = 0; told[2] = games; told[3] = 0;
    for (volatile int64_t i = 0; i < 100 * games; i++) {}
}
"""
NODE_ENGINE = """\
console.log(JSON.stringify({engine: "an engine of node"}));
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const {games} = JSON.parse(line);
  console.log(JSON.stringify({decisions: 5 * games, ends: [games, 0, 0], seconds: games / 1000}));
});
"""


@pytest.fixture
def peers(coin: Path):
    """Writes the file of peers for the coin where it is looked for, with an engine beside it."""
    folder = coin.parent / "benchmarks"
    folder.mkdir()
    (folder / "engine.py").write_text(ENGINE, encoding="utf-8")

    def write(*lines: str) -> Path:
        path = folder / "peers.yaml"
        path.write_text("\n".join(["peers: 1", "games:", "  - game: ../coin.rules", *lines, ""]), encoding="utf-8")
        return path

    return write


@pytest.fixture
def bench(dsl, coin: Path):
    """The report on the coin, and what was said besides."""

    def run(*more: str):
        done = dsl("bench", "coin.rules", *more, "--seconds", "0.02", "--format", "json")
        assert done.code == 0, (done.out, done.err)
        return json.loads(done.out)

    return run


# ------------------------------------------------------------------------------------------------- comparing


def test_an_engine_is_compared(bench, peers) -> None:
    peers(
        "    plain python: engine.py",
        "    goals:",
        "      - {beside: plain_python, above: 1.0e-9, because: small}",
        "      - {beside: plain_python, above: 1000000000, of: decisions}",
        "      - {beside: plain_c, above: 1}",
    )
    report = bench()
    assert report["beside"] == "benchmarks/peers.yaml"
    (peer,) = report["peers"]
    assert (peer["rules"], peer["peer"], peer["title"]) == ("coin.rules", "plain_python", "plain Python")
    assert peer["missing"] is None and peer["remark"] is None
    assert peer["decisions_per_second"] == pytest.approx(5 * peer["playouts_per_second"], rel=0.01)
    for result in report["results"]:
        ratio = result["playouts_per_second"] / peer["playouts_per_second"]
        assert result["ratios"]["plain_python"] == pytest.approx(ratio, rel=0.01)
    python, wasm = report["results"]
    assert wasm["ratios"]["python"] == pytest.approx(
        wasm["playouts_per_second"] / python["playouts_per_second"], rel=0.01
    )
    low, high, absent = report["goals"]
    assert (low["reached"], low["backend"], low["because"]) == (True, "wasm", "small")
    assert low["ratio"] == wasm["ratios"]["plain_python"]
    assert high["reached"] is False and high["ratio"] != low["ratio"]
    assert absent["reached"] is None and absent["ratio"] is None


def test_all_sorts_of_engines(bench, peers, coin: Path) -> None:
    folder = coin.parent / "benchmarks"
    (folder / "engine.c").write_text(C_ENGINE, encoding="utf-8")
    (folder / "engine.js").write_text(NODE_ENGINE, encoding="utf-8")
    peers("    plain c: engine.c", "    boardgame.io: engine.js", "    tight python: engine.py")
    found = {peer["peer"]: peer for peer in bench()["peers"]}
    assert set(found) == {"plain_c", "boardgame_io", "tight_python"}
    assert found["tight_python"]["missing"] is None
    if find_compiler() is None:
        assert "no C compiler" in found["plain_c"]["missing"]
    else:
        assert found["plain_c"]["playouts_per_second"] > 1000 and found["plain_c"]["title"].startswith("plain C, ")
    if shutil.which("node") is None:
        assert found["boardgame_io"]["missing"] == "node is not installed"
    else:
        assert found["boardgame_io"]["playouts_per_second"] == pytest.approx(1000)  # as it says itself
        assert found["boardgame_io"]["title"] == "an engine of node"


def test_the_same_rules_elsewhere_are_the_same_game(bench, peers, coin: Path) -> None:
    peers("    plain python: engine.py")
    copy = coin.with_name("copy.rules")
    shutil.copy(coin, copy)
    assert bench("copy.rules")["peers"][1]["rules"] == "copy.rules"
    copy.write_text(copy.read_text(encoding="utf-8").replace("d2", "d3"), encoding="utf-8")
    assert [peer["rules"] for peer in bench("copy.rules")["peers"]] == ["coin.rules"]


def test_another_configuration_is_not_compared(bench, peers) -> None:
    peers("    plain python: engine.py", "    options: {most: 3}", "    goals:", "      - {beside: python, above: 2}")
    assert bench("--option", "most=3")["peers"][0]["missing"] is None
    other = bench("--option", "most=4")
    assert other["peers"][0]["missing"] == "they play by `most` = 3"
    assert other["goals"] == []
    peers("    plain python: engine.py")
    assert bench("--option", "most=3")["peers"][0]["missing"] == "they do not know `most`"
    assert bench("--players", "2")["peers"][0]["missing"] == "they play the ordinary number of players"


def test_nobody_is_compared_where_nobody_is_asked(bench, peers, dsl) -> None:
    path = peers("    plain python: engine.py")
    assert bench("--beside", "nobody")["peers"] == []
    moved = path.rename(path.with_name("others.yaml"))
    assert bench()["beside"] is None
    assert bench("--beside", str(moved))["peers"][0]["peer"] == "plain_python"


def test_a_goal_beside_the_only_backend_is_not_measured(bench, peers) -> None:
    peers("    goals:", "      - {beside: python, above: 2}")
    assert bench()["goals"][0]["reached"] is True
    assert bench("--backend", "python")["goals"][0]["reached"] is None


def test_text_and_the_table_of_the_readme(dsl, peers) -> None:
    peers(
        "    plain python: engine.py",
        "    open spiel: {name: no such game}",
        "    goals:",
        "      - {beside: plain_python, above: 1.0e-9}",
        "      - {beside: plain_c, above: 1}",
    )
    text = dsl("bench", "coin.rules", "--seconds", "0.02").out
    lines = text.splitlines()
    assert lines[0] == "Coin: coin.rules"
    assert lines[1].split() == ["playouts/s", "decisions/s", "wasm", "is"]
    assert [line.split()[:2] for line in lines[2:5]] == [
        ["backend", "python"],
        ["backend", "wasm"],
        ["plain", "Python"],
    ]
    assert lines[4].endswith(" times")
    assert lines[5].split("missing: ")[1].startswith(("it has no game `no such game`", "the package open_spiel is not"))
    assert any(line.endswith("reached") for line in lines) and any(line.endswith("not measured") for line in lines)
    head, rule, row = dsl("bench", "coin.rules", "--seconds", "0.02", "--format", "markdown").out.splitlines()
    assert head == (
        "| game | `wasm`: games/s | `wasm`: decisions/s | `python`: decisions/s | `wasm` : `python` |"
        " `wasm` : plain Python |"
    )
    assert rule == "|---|---|---|---|---|---|"
    assert row.startswith("| Coin | ") and row.count("|") == 7


# --------------------------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["    plain pithon: engine.py"], "peers.yaml:4:5"),
        (["    plain pithon: engine.py"], "did you mean `plain python`?"),
        (["    plain python: engin.py"], "file `engin.py` not found"),
        (["    plain python: engin.py"], "did you mean `engine.py`?"),
        (["    goals:", "      - {beside: plain_pithon, above: 1}"], "peers.yaml:5:18"),
        (["    goals:", "      - {above: 1}"], "missing key `beside`"),
        (["    goals: 3"], "expected a list, found the number `3`"),
        (["    options: {most: 1.5}"], "found the number `1.5`"),
        (["    open spiel: {}"], "missing key `name`"),
        (["  - game: ../coin.rules"], "stands twice"),
        (["  - game: ../coyn.rules"], "no game `../coyn.rules`"),
        (["  - game: [a"], "D501"),
    ],
)
def test_mistakes_in_the_file_are_findings_with_their_line(dsl, peers, lines: list[str], said: str) -> None:
    peers(*lines)
    done = dsl("bench", "coin.rules", "--seconds", "0.02")
    assert done.code == 1
    assert "benchmarks/peers.yaml:" in done.out and said in done.out


def test_a_file_of_peers_that_is_not_there(dsl, coin: Path) -> None:
    done = dsl("bench", "coin.rules", "--beside", "peeers.yaml")
    assert done.code == 1 and "file `peeers.yaml` not found" in done.out


@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("1 / 0\n", "cannot be used: ZeroDivisionError"),
        ("x = 1\n", "cannot be used: AttributeError"),
        ("def playouts(:\n", "cannot be used: SyntaxError"),
        ("def playouts(seed, games):\n    return [][0]\n", "failed: IndexError"),
        ("def playouts(seed, games):\n    return 3, [1, 0, 1]\n", "told other games"),
        ("def playouts(seed, games):\n    return None\n", "failed: TypeError"),
    ],
)
def test_an_engine_that_fails_is_missing_with_the_reason(bench, peers, coin: Path, engine: str, reason: str) -> None:
    peers("    plain python: engine.py", "    tight python: good.py")
    (coin.parent / "benchmarks" / "engine.py").write_text(engine, encoding="utf-8")
    (coin.parent / "benchmarks" / "good.py").write_text(ENGINE, encoding="utf-8")
    report = bench()
    good, bad = report["peers"]
    assert good["peer"] == "tight_python" and good["missing"] is None
    assert bad["peer"] == "plain_python" and reason in bad["missing"]
    assert bad["playouts_per_second"] is None
    assert set(report["results"][1]["ratios"]) == {"python", "tight_python"}


def test_a_source_that_is_no_c(bench, peers, coin: Path) -> None:
    if find_compiler() is None:
        pytest.skip("no C compiler")
    (coin.parent / "benchmarks" / "engine.c").write_text("void playouts(", encoding="utf-8")
    peers("    plain c: engine.c")
    assert "`engine.c` cannot be compiled: " in bench()["peers"][0]["missing"]


@pytest.mark.parametrize(("name", "missing"), [("CC", "plain_c"), ("PATH", "boardgame_io")])
def test_without_a_compiler_and_without_node(
    bench, peers, coin: Path, monkeypatch: pytest.MonkeyPatch, name: str, missing: str
) -> None:
    folder = coin.parent / "benchmarks"
    (folder / "engine.c").write_text(C_ENGINE, encoding="utf-8")
    (folder / "engine.js").write_text(NODE_ENGINE, encoding="utf-8")
    peers("    plain c: engine.c", "    boardgame.io: engine.js", "    plain python: engine.py")
    monkeypatch.setenv(name, "no-such-thing")
    found = {peer["peer"]: peer["missing"] for peer in bench()["peers"]}
    assert found[missing] is not None and found["plain_python"] is None


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("process.exit(3)", "`engine.js` ended with code 3"),
        ("throw new TypeError('well')", "TypeError: well"),
        ("console.log('hello')", "answered `hello`"),
        ("console.log('{}')", "does not say who it is"),
        ("console.log(JSON.stringify({missing: 'no module'}))", "no module"),
        (NODE_ENGINE.replace("decisions", "choices"), "did not tell decisions"),
        (NODE_ENGINE.replace("[games, 0, 0]", "[0]"), "told other games"),
        (NODE_ENGINE.replace("JSON.parse(line)", "process.exit(4)"), "ended with code 4"),
    ],
)
def test_a_program_of_node_that_fails(bench, peers, coin: Path, program: str, reason: str) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    (coin.parent / "benchmarks" / "engine.js").write_text(program, encoding="utf-8")
    peers("    boardgame.io: engine.js")
    assert reason in bench("--backend", "python")["peers"][0]["missing"]


@pytest.mark.parametrize(
    ("was", "becomes", "line"),
    [
        ("player.won +1", "player.won +9", "15:18"),
        ("\nplay\n", "\nsetup\n    let fell = roll d2\n    Ann.won + fell * 10\n\nplay\n", "19:5"),
    ],
)
def test_rules_that_fail_in_play_are_reported_with_their_line(
    dsl, coin: Path, was: str, becomes: str, line: str
) -> None:
    text = coin.read_text(encoding="utf-8").partition("\ntest")[0] + "\n"
    coin.write_text(text.replace(was, becomes), encoding="utf-8")
    for backend in ("python", "wasm"):
        done = dsl("bench", "coin.rules", "--seconds", "0.02", "--backend", backend)
        assert done.code == 1
        assert "D710" in done.out and f"--> coin.rules:{line}" in done.out and "in a random game" in done.out


# ------------------------------------------------------------------------------------------------ taking turns


def test_all_take_turns_and_are_timed_by_what_they_say() -> None:
    order: list[str] = []
    seeds: dict[str, list[int]] = {"quick": [], "slow": []}

    def side(name: str, seconds: float) -> Side:
        def play(seed: int, games: int) -> Slice:
            order.append(name)
            seeds[name].extend(range(seed, seed + games))
            return Slice(games, 3 * games, seconds * games, unfinished=games)

        return Side(name, name, play)

    rates, gone = take_turns([side("quick", 0.01), side("slow", 0.05)], 1.0, 7)
    assert gone == []
    assert rates["quick"].playouts_per_second == pytest.approx(100)
    assert rates["slow"].decisions_per_second == pytest.approx(60)
    assert rates["slow"].unfinished == rates["slow"].games
    for name in seeds:
        assert seeds[name] == list(range(7, 7 + len(seeds[name])))
        assert rates[name].seconds >= 1.0
        assert rates[name].games < len(seeds[name])  # the first ones are not counted
    last = order[-16:]
    assert last == ["quick", "slow"] * 8


def test_who_gives_up_is_gone_and_the_others_go_on() -> None:
    played = []

    def play(seed: int, games: int) -> Slice:
        played.append(games)
        if len(played) > 8:
            raise PeerFault("no more")
        return Slice(games, None, 0.1 * games)

    other = Side("other", "other", lambda seed, games: Slice(games, None, 0.1 * games))
    rates, gone = take_turns([Side("weary", "weary", play), other], 2.0, 0)
    assert [(missing.name, missing.reason) for missing in gone] == [("weary", "no more")]
    assert set(rates) == {"other"} and rates["other"].seconds >= 2.0
    assert rates["other"].decisions_per_second is None
