"""Saves: written whole, read again, checked against the rules."""

import json
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.runtime import saves
from interpreter.source import find_shipped, shipped_games

GOAL = """language 1

game "Goal"
    players 2: Ann, Bob

each Player has
    score: 0..99

play
    turns
        choose
            "Roll"
                player.score + roll d6
                if player.score >= 12: player wins "twelve"
            "Wait"
                nothing
"""


def played(rules: dsl.Rules, seed: int, decisions: int) -> dsl.Session:
    session, random = rules.start(seed), Random(seed)
    for _ in range(decisions):
        if session.is_over:
            break
        session.apply(random.choice(session.options))
    return session


def rules_file(folder: Path, text: str = GOAL) -> Path:
    file = folder / "goal.rules"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("file", shipped_games(), ids=lambda path: path.stem)
def test_a_save_at_any_decision_goes_on_as_before(file: Path) -> None:
    rules = dsl.load(file)
    for decisions in (0, 1, 7, 30):
        session = played(rules, 5, decisions)
        again = dsl.Session.resume(session.save())
        assert again.hash() == session.hash()
        assert again.options == session.options
        assert again.log(None) == session.log(None)
        assert again.undo_barrier == session.undo_barrier


def test_a_save_remembers_its_configuration(tmp_path: Path) -> None:
    session = played(dsl.load("connect_four", options={"columns": 5, "rows": 5}), 1, 4)
    path = tmp_path / "deep" / "game.json"
    session.save(path)
    again = dsl.Session.resume(path)
    assert again.rules.options["columns"] == 5
    assert again.hash() == session.hash()
    assert [entry.name for entry in path.parent.iterdir()] == ["game.json"]


def test_the_format_is_as_documented(tmp_path: Path) -> None:
    document = json.loads(played(dsl.load("pig"), 2, 5).save())
    assert document["format"] == "rulewright save"
    assert document["format_version"] == 1
    assert set(document) == {
        "format", "format_version", "rules", "configuration", "seed", "dice", "setup_rolls", "decisions", "snapshot",
    }  # fmt: skip
    assert set(document["decisions"][0]) == {"player", "name", "code", "rolls"}
    assert document["decisions"][0]["name"] == "Roll"


def test_a_part_of_a_game_can_be_played_again() -> None:
    session = played(dsl.load("reversi"), 4, 20)
    early = saves.replay(session.save(), to=5)
    assert len(early.history.steps) == 5
    assert early.snapshot() == list(session.history.steps[5].before)


def test_changed_rules_are_told_at_the_first_decision_that_differs(tmp_path: Path) -> None:
    file = rules_file(tmp_path)
    session = dsl.load(file).start(1)
    for name in ("Wait", "Roll", "Roll", "Wait"):
        session.choose(name)
    data = session.save()
    assert saves.verify(data) is None
    rules_file(tmp_path, GOAL.replace("d6", "d8"))
    found = saves.verify(data)
    assert found is not None
    assert found.number in (2, 3)
    rules_file(tmp_path, GOAL.replace('"Wait"\n', '"Rest"\n'))
    found = saves.verify(data)
    assert found is not None
    assert found.number == 1
    assert "`Wait` by Ann" in found.expected
    assert "`Rest`" in found.found
    with pytest.raises(dsl.DivergenceError) as error:
        dsl.Session.resume(data)
    assert error.value.session.player_name == "Ann"
    assert "decision 1" in str(error.value)


def test_rules_that_change_elsewhere_play_on(tmp_path: Path) -> None:
    file = rules_file(tmp_path)
    session = dsl.load(file).start(1)
    session.choose("Wait")
    data = session.save()
    rules_file(tmp_path, GOAL.replace("score: 0..99", "score: 0..50\n    medals: 0..9").replace('"twelve"', '"12"'))
    again = dsl.Session.resume(data)
    assert again.player_name == "Bob"


def test_a_save_finds_rules_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    session = dsl.load("goal.rules").start(1)
    session.save(tmp_path / "game.json")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert dsl.Session.resume(tmp_path / "game.json").hash() == session.hash()


def test_given_dice_are_kept(tmp_path: Path) -> None:
    from interpreter.runtime.chance import Drawn, Scripted

    session = dsl.load(rules_file(tmp_path)).start(chance=Scripted([6, 6, 6], Drawn()))
    for name in ("Roll", "Roll", "Roll"):
        session.choose(name)
    assert session.is_over
    again = dsl.Session.resume(session.save())
    assert again.outcome == session.outcome
    assert again.hash() == session.hash()


@pytest.mark.parametrize(
    "data, said",
    [
        (b"", "expected JSON"),
        (b"\xff\xfe", "expected JSON"),
        (b"[]", "is no save"),
        (b'{"format": "other"}', "is no save"),
        (b'{"format": "rulewright save", "format_version": 99}', "format version 99, expected 1"),
        (b'{"format": "rulewright save", "format_version": 1}', "`rules` is missing"),
    ],
)
def test_other_files_are_no_saves(data: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(dsl.SaveError, match=said):
        dsl.Session.resume(data)
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(dsl.SaveError, match=r"x\.json"):
        dsl.Session.resume(path)


def test_damage_anywhere_is_told_not_thrown() -> None:
    whole = json.loads(played(dsl.load("pig"), 2, 5).save())
    for key in whole:
        for damaged in (None, 5, [], {}, "x", [[1]], [{}]):
            document = {**whole, key: damaged}
            with suppress(dsl.DslError):
                dsl.Session.resume(json.dumps(document).encode())


def test_missing_files_and_folders_are_told(tmp_path: Path) -> None:
    with pytest.raises(dsl.SaveError, match="cannot read"):
        dsl.Session.resume(tmp_path / "none.json")
    session = dsl.load("pig").start()
    (tmp_path / "file").write_text("")
    with pytest.raises(dsl.SaveError, match="cannot write"):
        session.save(tmp_path / "file" / "game.json")


def test_a_failed_write_leaves_the_old_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    session = dsl.load("pig").start(1)
    session.save(path)
    before = path.read_bytes()
    session.choose("Roll")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("interpreter.runtime.saves.os.fsync", fail)
    with pytest.raises(dsl.SaveError, match="no space left"):
        session.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_shipped_games_are_named_bare() -> None:
    assert find_shipped("pig") is not None
    assert json.loads(dsl.load("pig").start().save())["rules"]["path"] == "pig"
