"""`dsl compare`: what is said, in both forms."""

from __future__ import annotations

import json
from pathlib import Path


def test_a_change_is_told_with_both_numbers_and_an_interval(dsl, coin: Path) -> None:
    Path("new.rules").write_text(coin.read_text().replace("most = 3 in", "most = 4 in"), encoding="utf-8")
    done = dsl("compare", "coin.rules", "new.rules", "--games", "600", "--jobs", "1")
    assert done.code == 0, done.err
    assert "A: Coin, `coin.rules`" in done.out and "B: Coin, `new.rules`" in done.out
    assert "600 games of each with the same seeds (0 to 599)" in done.out
    line = next(line for line in done.out.splitlines() if line.strip().startswith("decisions"))
    before, after, difference, low, to, high = line.split()[1:]
    assert float(after) > float(before) and to == "to" and 0 < float(low) < float(difference) < float(high)
    assert "no difference found in" in done.out and "Ann wins" in done.out


def test_the_same_game_has_no_difference(dsl, coin: Path) -> None:
    Path("same.rules").write_text(coin.read_text(), encoding="utf-8")
    done = dsl("compare", "coin.rules", "same.rules", "--games", "120")
    assert done.code == 0
    assert "no difference: every game went the same way in both" in done.out


def test_an_option_makes_the_second_version(dsl, coin: Path) -> None:
    report = json.loads(dsl("compare", "coin.rules", "--option-b", "most=1", "--games", "240", "--format", "json").out)
    assert (report["format"], report["format_version"], report["games"]) == ("rulewright comparison", 1, 240)
    length = next(each for each in report["differences"] if each["key"] == "length")
    assert (
        length["is_real"] and length["b"] < length["a"] and length["low"] <= length["difference"] <= length["high"] < 0
    )


def test_it_keeps_to_its_time(dsl, coin: Path) -> None:
    done = dsl("compare", "coin.rules", "--option-b", "most=1", "--seconds", "1.5")
    assert done.code == 0 and "decisions" in done.out


def test_wrong_use_is_said_in_a_line(dsl, coin: Path) -> None:
    for arguments, said in (
        (["coin.rules"], "expected two rules files"),
        (["coin.rules", "nothing.rules"], "nothing.rules"),
        (["coin.rules", "coin.rules", "--games", "0"], "--games"),
        (["coin.rules", "coin.rules", "--seconds", "0"], "--seconds"),
        (["coin.rules", "tic_tac_toe", "--option-b", "most=2"], "unknown option `most`"),
    ):
        done = dsl("compare", *arguments)
        assert (done.code, done.out) == (2, ""), arguments
        assert said in done.err, (arguments, done.err)
