"""`dsl fmt`: writes, lists, shows, refuses."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from .conftest import COIN, REPOSITORY

LOOSE = COIN.replace("    turns\n", "    turns\n\n\n\n").replace("roll d2", "roll   d2")


def test_shipped_rules_are_formatted(dsl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    done = dsl("fmt", "--check", "rules", "examples")
    assert (done.code, done.out) == (0, "")


def test_a_file_is_written_once(dsl, coin: Path) -> None:
    coin.write_text(LOOSE)
    done = dsl("fmt")
    assert done.code == 0 and done.out == "coin.rules\n"
    formatted = coin.read_text()
    assert "roll d2" in formatted
    again = dsl("fmt")
    assert (again.code, again.out) == (0, "")
    assert coin.read_text() == formatted


def test_check_and_diff_write_nothing(dsl, coin: Path) -> None:
    coin.write_text(LOOSE)
    listed = dsl("fmt", "--check")
    assert listed.code == 1 and listed.out == "coin.rules\n"
    shown = dsl("fmt", "--diff")
    assert shown.code == 1 and "-    let fell = roll   d2" in shown.out
    assert coin.read_text() == LOOSE


def test_a_file_with_mistakes_is_left_alone(dsl, coin: Path) -> None:
    coin.write_text("language 1\n\nvalue (\n")
    done = dsl("fmt")
    assert done.code == 1 and "error[D" in done.out
    assert coin.read_text() == "language 1\n\nvalue (\n"


def test_line_ends_and_a_byte_order_mark_are_put_right(dsl, coin: Path) -> None:
    coin.write_bytes(b"\xef\xbb\xbf" + COIN.replace("\n", "\r\n").encode())
    assert dsl("fmt", "--check").code == 1
    assert dsl("fmt").code == 0
    assert coin.read_bytes() == COIN.encode()


def test_standard_input(dsl, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LOOSE.encode())))
    done = dsl("fmt", "-")
    assert done.code == 0 and "roll d2" in done.out


def test_missing_and_unreadable(dsl, here: Path) -> None:
    assert dsl("fmt", "nowhere.rules").code == 2
    (here / "odd.rules").write_bytes(b"\xff")
    assert dsl("fmt", "odd.rules").code == 2


def test_formatted_files_still_check(dsl, here: Path) -> None:
    shutil.copytree(REPOSITORY / "examples", here / "examples")
    assert dsl("fmt", "examples").code == 0
    assert dsl("check", "examples").code == 0
