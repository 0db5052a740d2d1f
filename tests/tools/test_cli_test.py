"""`dsl test`: results, formats, coverage, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from .conftest import COIN

FAILING = COIN + '\ntest "a bad call scores <nothing> & more"\n    rolls 2\n    choose "Call"\n    expect Ann.won = 1\n'


def test_tests_pass(dsl, coin: Path) -> None:
    done = dsl("test", "-v")
    assert done.code == 0
    assert done.out == "ok      a good call scores  coin.rules:26\n1 test passed\n"


def test_a_failure_is_shown_with_its_line(dsl, coin: Path) -> None:
    coin.write_text(FAILING)
    done = dsl("test")
    assert done.code == 1
    assert "error[D603]" in done.out and "expect Ann.won = 1" in done.out and "Ann.won is 0" in done.out
    assert done.out.endswith("1 of 2 tests failed\n")


def test_only_some(dsl, coin: Path) -> None:
    coin.write_text(FAILING)
    assert dsl("test", "-k", "GOOD").code == 0
    assert dsl("test", "-k", "bad").code == 1
    none = dsl("test", "-k", "ugly")
    assert none.code == 5 and "no tests found" in none.err


def test_none_found(dsl, coin: Path) -> None:
    coin.write_text(COIN.partition("test ")[0])
    assert dsl("test").code == 5


def test_a_broken_file_is_a_failed_test(dsl, coin: Path) -> None:
    coin.write_text(COIN.replace("play\n", "plya\n"))
    done = dsl("test")
    assert done.code == 1 and "error[D" in done.out
    assert done.out.endswith("1 of 1 test failed\n")


def test_missing_path(dsl, here: Path) -> None:
    assert dsl("test", "nowhere.rules").code == 2


def test_a_bare_name_is_a_shipped_game(dsl, here: Path) -> None:
    done = dsl("test", "tic_tac_toe")
    assert done.code == 0 and done.out.endswith(" tests passed\n")


def test_junit(dsl, coin: Path) -> None:
    coin.write_text(FAILING)
    suite = ElementTree.fromstring(dsl("test", "--format", "junit").out)[0]
    assert suite.attrib["tests"] == "2" and suite.attrib["failures"] == "1"
    failed = suite[1]
    assert failed.attrib["name"] == "a bad call scores <nothing> & more"
    assert failed[0].attrib["type"] == "D603"


def test_json(dsl, coin: Path) -> None:
    coin.write_text(FAILING)
    report = json.loads(dsl("test", "--format", "json").out)
    assert (report["format_version"], report["passed"], report["failed"]) == (1, 1, 1)
    assert report["tests"][1]["failures"][0]["code"] == "D603"
    assert report["tests"][1]["failures"][0]["path"] == "coin.rules"


def test_coverage_and_threshold(dsl, coin: Path) -> None:
    done = dsl("test", "--coverage")
    assert done.code == 0
    assert "never used in coin.rules:" in done.out and "player.won +0" in done.out
    assert "% used" in done.out
    assert dsl("test", "--threshold", "100").code == 1
    assert dsl("test", "--threshold", "10").code == 0
    report = json.loads(dsl("test", "--coverage", "--format", "json").out)
    assert 0 < report["coverage"]["percent"] < 100


def test_played_examples(dsl, coin: Path) -> None:
    example = Path("call.test.yaml")
    text = "game: coin.rules\ntitle: two calls\ndice: [1, 2]\nplay:\n  - choose: Call\n    by: Ann\n  - choose: Call\n"
    example.write_text(text + 'expect: ["Ann.won = 1", "Bob.won = 0"]\n')
    done = dsl("test", "-v", "--coverage")
    assert done.code == 0, done.out
    assert "ok      two calls  call.test.yaml:1" in done.out
    assert done.out.count("never used in") == 1
    example.write_text(text + 'expect: ["Bob.won = 1"]\n')
    assert dsl("test").code == 1
    assert dsl("check").code == 0


def test_update_writes_played_examples_and_never_rules(dsl, coin: Path) -> None:
    coin.write_text(FAILING)
    example = Path("call.test.yaml")
    text = (
        "game: coin.rules\ndice: [1]\nplay:\n  - offers: [Call]   # all\n    choose: Call\nexpect:\n  - Ann.won = 3\n"
    )
    example.write_text(text)
    assert dsl("test", "call.test.yaml").code == 1
    done = dsl("test", "--update")
    assert "updated call.test.yaml" in done.err
    assert done.code == 1 and "a bad call scores" in done.out  # that of the rules file still fails
    assert example.read_text() == text.replace("[Call]", "[Call, Leave it]").replace("Ann.won = 3", '"Ann.won = 1"')
    assert coin.read_text() == FAILING
    done = dsl("test", "call.test.yaml", "--update")
    assert (done.code, done.err) == (0, "")


def test_a_game_is_saved_as_a_played_example(dsl, here: Path) -> None:
    for name, said in (("pig.test.yaml", "dsl test pig.test.yaml"), ("pig.save", "dsl replay pig.save")):
        done = dsl("play", "pig", "--auto", "--seed", "3", "--save", name)
        assert done.code == 0 and said in done.err
    assert dsl("test", "pig.test.yaml").code == 0
    assert dsl("check").code == 0
