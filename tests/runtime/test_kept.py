"""Programs of an earlier run: found again as long as nothing they were made from has changed, and the same then."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

import interpreter as dsl
from interpreter.diagnostics import RulesError
from interpreter.ir.from_semantics import lower
from interpreter.runtime import kept
from interpreter.runtime.load import forget, load
from interpreter.runtime.rules import Rules
from interpreter.semantics.symbols import Names
from interpreter.source import shipped_games, store

ROOT = """language 1

game "Walk"
    players 2: Ann, Bob

include "walk/more.rules"

option enough = 3 in 1..9

board land of Town from "walk/map.yaml"

each Player has
    tally: 0..9

play
    turns
        choose
            "Go {way}": way from Way
                advance(way)
            "Rest"
                player.tally +0

scenario Short "A short walk"
    each Player has
        sweets: 0..3
"""
MORE = """language 1

enum Way: left, right

effect advance(way: Way)
    if way = left: player.tally +1
    if player.tally >= enough: player wins "{enough} are enough"
"""
MAP = """board: The Land
family: map
spaces:
  Aix: {}
  Bath: {}
  Cork: {}
links:
  - {between: [Aix, Bath]}
  - {between: [Bath, Cork]}
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    monkeypatch.delenv("DSL_CACHE", raising=False)
    forget()


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    folder = tmp_path / "games" / "walk"
    folder.mkdir(parents=True)
    (folder / "more.rules").write_text(MORE)
    (folder / "map.yaml").write_text(MAP)
    path = folder.parent / "walk.rules"
    path.write_text(ROOT)
    return path


def found(path: Path, **chosen: object) -> bool:
    """Whether a program is found, by what only one that was found lacks: the game that it was made from."""
    forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["interpreter.runtime.load"], "read_rules", _stop)
        try:
            assert load(path, **chosen).program.digest  # type: ignore[arg-type]
        except _ChainError:
            return False
    return True


class _ChainError(Exception):
    """The rules were about to be read and understood."""


def _stop(*_: object) -> None:
    raise _ChainError


# ------------------------------------------------------------------------------------------------- when it is found


def test_it_is_found_until_a_file_changes(walk: Path) -> None:
    assert not found(walk)
    made = load(walk)
    assert load(walk) is made
    assert found(walk)
    os.utime(walk, (1, 1))
    walk.write_bytes(ROOT.replace("\n", "\r\n").encode())  # the same text
    assert found(walk)


CHANGES: dict[str, Callable[[Path], object]] = {
    "the root": lambda folder: (folder / "walk.rules").write_text(ROOT.replace("0..9", "0..8")),
    "an include": lambda folder: (folder / "walk" / "more.rules").write_text(MORE.replace("tally +1", "tally +2")),
    "a board": lambda folder: (folder / "walk" / "map.yaml").write_text(MAP.replace("Cork", "Cold")),
    "a link": lambda folder: _link(folder / "walk" / "map.yaml", folder / "other.yaml", MAP.replace("Aix", "Ayr")),
    "an include that is gone": lambda folder: (folder / "walk" / "more.rules").unlink(),
    "a board that is gone": lambda folder: (folder / "walk" / "map.yaml").unlink(),
    "an include that is a folder": lambda folder: _folder(folder / "walk" / "more.rules"),
    "a root that is no text": lambda folder: (folder / "walk.rules").write_bytes(b"\xff"),
}


def _link(path: Path, target: Path, text: str) -> None:
    path.unlink()
    target.write_text(text)
    path.symlink_to(target)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_is_seen(walk: Path, change: str) -> None:
    before = load(walk).program
    assert found(walk)
    CHANGES[change](walk.parent)
    assert not found(walk)
    forget()
    try:
        assert load(walk).program != before
    except RulesError:
        assert "gone" in change or "is" in change.split()
        assert not found(walk)


def test_a_file_that_appears_nearer_is_seen(walk: Path) -> None:
    """`walk/deep/part.rules` names `map.yaml`: beside itself first, then from the root."""
    (walk.parent / "walk" / "deep").mkdir()
    part = walk.parent / "walk" / "deep" / "part.rules"
    part.write_text('language 1\nboard land of Town from "map.yaml"\ninclude "more.rules"\n')
    (walk.parent / "map.yaml").write_text(MAP)
    (walk.parent / "more.rules").write_text(MORE)
    text = ROOT.replace('board land of Town from "walk/map.yaml"\n', "").replace(
        "walk/more.rules", "walk/deep/part.rules"
    )
    walk.write_text(text)
    load(walk)
    assert found(walk)
    near = part.with_name("more.rules")
    near.write_text(MORE.replace("tally +1", "tally +2"))
    assert not found(walk)
    load(walk)
    assert found(walk)
    near.unlink()
    assert not found(walk)
    load(walk)
    assert found(walk)
    part.with_name("map.yaml").write_text(MAP.replace("Aix", "Ayr"))
    assert not found(walk)
    assert load(walk).program.names["Town"][0] == "Ayr"


def test_each_configuration_is_kept_by_itself(walk: Path) -> None:
    chosen: list[dict[str, object]] = [
        {},
        {"options": {"enough": 2}},
        {"options": {"enough": 4}},
        {"scenario": "Short"},
    ]
    programs = []
    for each in chosen:
        assert not found(walk, **each)
        programs.append(load(walk, **each).program)  # type: ignore[arg-type]
        assert found(walk, **each)
    assert [load(walk, **each).program for each in chosen] == programs  # type: ignore[arg-type]
    assert [load(walk, **each).options["enough"] for each in chosen] == [3, 2, 4, 3]  # type: ignore[arg-type]
    assert len({program.digest for program in programs}) == len(chosen)


def test_copies_share_a_program_but_no_index(walk: Path, tmp_path: Path) -> None:
    first = load(walk)
    assert names_of(first).folder == walk.parent
    (tmp_path / "games").rename(tmp_path / "moved")
    moved = tmp_path / "moved" / "walk.rules"
    assert not found(moved)
    forget()
    again = load(moved)
    assert again.program.digest == first.program.digest
    forget()
    assert names_of(load(moved)).folder == moved.parent
    assert len(list((tmp_path / "cache" / "rulewright" / "programs").iterdir())) == 1


def test_another_version_of_ours_finds_nothing(walk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(walk)
    monkeypatch.setattr(kept, "_made_by", lambda: "another")
    assert not found(walk)


def test_rules_with_errors_are_not_kept(walk: Path, tmp_path: Path) -> None:
    walk.write_text(ROOT.replace("advance(way)", "retreat(way)"))
    for _ in range(2):
        forget()
        with pytest.raises(RulesError, match="retreat"):
            load(walk)
    assert not (tmp_path / "cache" / "rulewright" / "programs").exists()


def test_what_cannot_be_chosen_is_an_error_before_and_after(walk: Path) -> None:
    load(walk)
    for chosen in (
        {"options": {"luck": 1}},
        {"scenario": "Long"},
        {"players": 5},
        {"backend": "steam"},
        {"addons": ["x"]},
    ):
        forget()
        with pytest.raises(RulesError):
            load(walk, **chosen)  # type: ignore[arg-type]


@pytest.mark.parametrize("sort", ["indexes", "programs", "games"])
@pytest.mark.parametrize("how", ["cut", "other"])
def test_a_broken_file_only_takes_time(walk: Path, tmp_path: Path, sort: store.Sort, how: str) -> None:
    game = load(walk).game
    (file,) = (tmp_path / "cache" / "rulewright" / sort).iterdir()
    if how == "cut":
        file.write_bytes(file.read_bytes()[:-1])
    else:
        store.keep(sort, file.name, b"[]" if sort == "indexes" else b"\x80\x05N.")  # whole, but not what it should be
    forget()
    again = load(walk)
    assert again.game.fingerprint == game.fingerprint
    assert play(again, 1) == play(again, 1)


def test_it_works_without_a_place_to_keep_anything(walk: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    first = load(walk)
    assert first.program.digest == ""
    assert not found(walk)
    assert load(walk).game.title == "Walk"


def test_it_can_be_switched_off(walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DSL_CACHE", "off")
    assert load(walk, backend="wasm").backend.playout(load(walk).backend.new_state(1), Random(1).randrange, 100) > 0
    assert load(walk).game.title == "Walk"
    assert not (tmp_path / "cache").exists()
    monkeypatch.delenv("DSL_CACHE")
    load(walk)
    assert found(walk)
    monkeypatch.setenv("DSL_CACHE", "off")
    assert not found(walk)


# ------------------------------------------------------------------------------------------------ what is found


def play(rules: Rules, seed: int) -> list[str]:
    """The options that were taken in a random game, and how it ended."""
    session, random, told = rules.start(seed=seed), Random(seed), []
    while session.options and len(told) < 60:
        option = random.choice(session.options)
        told.append(option.name)
        session.apply(option)
    return [*told, str(session.outcome), session.hash()]


SHIPPED = [path.stem for path in shipped_games()]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_game_that_ships_is_the_same_when_it_is_found(name: str) -> None:
    made = load(name)
    game = made.game
    forget()
    again = load(name)
    assert again.program is not made.program
    assert again.program == made.program
    assert again.program.digest == made.program.digest != ""
    assert again.options == made.options
    assert again.game is not game
    assert lower(again.game) == made.program  # whoever compiles more text later builds on the same names and slots
    assert play(again, 3) == play(made, 3)


def test_more_text_can_be_compiled_against_a_game_that_was_found(walk: Path) -> None:
    texts = ("Ann.tally + 1", "enough", "every t in Town satisfies t is Aix", "player")
    asked = []
    for _ in range(2):
        forget()
        session = load(walk).start(seed=1)
        session.apply(session.options[0])
        asked.append([(session.evaluate(text), str(session.why(text))) for text in texts])
    assert asked[0] == asked[1]
    assert asked[0][0][0] == 2


def names_of(rules: Rules) -> Names:
    assert isinstance(rules.game.names, Names)
    return rules.game.names


def test_a_game_that_was_found_knows_its_files_and_nothing_of_the_run_that_made_it(walk: Path) -> None:
    assert names_of(load(walk)).used
    forget()
    rules = load(walk)
    files = rules.files
    assert files is not None
    assert names_of(rules).files is files
    assert not names_of(rules).used  # these are identities
    assert files.line_text("walk.rules", 3) == 'game "Walk"'
    assert files.line_text("walk/map.yaml", 1) == "board: The Land"


def test_a_changed_program_is_not_the_one_that_was_kept(walk: Path) -> None:
    program = load(walk).program
    assert program.digest
    assert evolve(program, blocks=program.blocks[:1]).digest == ""


def test_saves_are_resumed_from_a_game_that_was_found(walk: Path) -> None:
    session = load(walk).start(seed=4)
    session.apply(session.options[0])
    saved = session.save()
    forget()
    again = dsl.Session.resume(saved)
    assert again.hash() == session.hash()
    assert [option.name for option in again.options] == [option.name for option in session.options]


# ------------------------------------------------------------------------------------------------------ processes


NATIVE = """
import sys, interpreter
outcomes = interpreter.load(sys.argv[1], backend="wasm").backend.random_playouts(1, 3, 10_000)
heavy = ("lark", "cattrs", "ruamel", "networkx", "interpreter.syntax", "interpreter.boards",
         "interpreter.semantics.model", "interpreter.ir.from_semantics", "interpreter.backends.wasm.generate",
         "interpreter.runtime.session")
print(outcomes.decisions, *(name for name in heavy if name in sys.modules))
"""


def test_of_two_processes_at_once_both_play_and_a_later_one_imports_nothing_that_reads(walk: Path) -> None:
    def begun() -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-c", NATIVE, str(walk)], stdout=subprocess.PIPE, text=True)

    first, second = (process.communicate()[0].split() for process in (begun(), begun()))
    assert {"interpreter.syntax", "interpreter.semantics.model"} <= {*first} & {*second}
    assert first[0] == second[0]
    assert begun().communicate()[0].split() == first[:1]
    assert "lark" not in first  # the tables of the grammar are there
    assert found(walk)


def test_checking_looks_at_the_rules_themselves(walk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from interpreter.tools.cli.main import main

    load(walk)
    (walk.parent / "walk" / "more.rules").write_text(MORE + "\nvalue idle = 1 + no\n")
    assert main(["check", str(walk)]) == 1
    assert "idle" in capsys.readouterr().out
