"""Bookkeeping that players need not see: not told in the log or beforehand, not on the sheet, but kept as ever."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as dsl
from interpreter.runtime.foresight import foresee
from interpreter.tools.play.foretold import foretold
from interpreter.tools.play.match import tabletop
from interpreter.tools.play.sheet import sheet_of
from interpreter.tools.play.tabletop import Part, Table
from interpreter.workspace.declared import describe_named, text_reader

RULES = """language 1

game "Carts"
    players 2: Ann, Bob

board lane of Square: path, 6

kind Cart: 1 for each Player
    named "{owner}'s cart"
    pushed: flag{silent}
    load: 0..9

each Player has
    pushes: 0..99{silent}
    plan: 0..9, seen by owner{silent}
    rests: 0..9

each Square has
    worn: flag{silent}

state strain: 0..99{silent}

setup
    place Cart of Ann on p1
    place Cart of Bob on p6

phase Turn
    let mine = first of (Cart where owner is player)
    choose
        "Push"
            set mine.pushed to yes
            player.pushes + 1
            set player.plan to 4
            mine.load + 1
            set mine.space.worn to yes
            strain + 2
            say "the strain is {strain}"
        "Rest" when player.pushes > 1
            player.rests + 1

play
    turns
        Turn
"""
BOOKKEEPING = ("pushed", "pushes", "plan", "worn", "strain")


def carts(tmp_path: Path, silent: str = ", silent") -> dsl.Session:
    file = tmp_path / "carts.rules"
    file.write_text(RULES.replace("{silent}", silent), encoding="utf-8")
    return dsl.load(file).start(1)


def shown(session: dsl.Session, viewer: int | None) -> str:
    """The whole sheet, drawn and said."""
    lines: list[str] = []
    for part in sheet_of(tabletop(session, viewer)).parts:
        assert isinstance(part, Part | Table)
        if isinstance(part, Table):
            lines += [" ".join(row) for row in (part.header, *part.rows)]
        else:
            lines += [*part.drawn, *part.said]
    return "\n".join(lines)


def test_the_log_tells_what_is_not_silent(tmp_path: Path) -> None:
    session = carts(tmp_path)
    session.choose("Push")
    assert list(session.log(0))[-3:] == ["Ann: Push", "Ann's cart.load: 0 to 1", "the strain is 2"]
    loud = carts(tmp_path, "")
    loud.choose("Push")
    told = "\n".join(loud.log(0))
    assert all(name in told for name in BOOKKEEPING), "without the word all of it is told"


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_the_sheet_leaves_it_out(tmp_path: Path, viewer: int | None) -> None:
    session = carts(tmp_path)
    session.choose("Push")
    assert not any(name in shown(session, viewer) for name in BOOKKEEPING)
    assert "load: Ann's cart 1" in shown(session, viewer) and "rests" in shown(session, viewer)
    loud = carts(tmp_path, "")
    loud.choose("Push")
    assert all(name in shown(loud, viewer) for name in BOOKKEEPING)


def test_look_ahead_leaves_it_out_and_tells_nothing_twice(tmp_path: Path) -> None:
    session = carts(tmp_path)
    codes = session.find("Push").codes
    assert foresee(session, codes, 0).numbers == ("Ann's cart.load: 0 to 1",)
    assert list(foretold(session, "Push", codes, 0)) == [
        "Push:",
        "  Ann's cart.load: 0 to 1",
        "  the strain is 2",
        "then Bob decides",
    ]


def test_views_saves_and_reasons_have_it(tmp_path: Path) -> None:
    session = carts(tmp_path)
    session.choose("Push")
    data = session.view(0).as_data()
    assert data["variables"] == {
        "pushes": {"Ann": 1, "Bob": 0},
        "plan": {"Ann": 4, "Bob": "hidden"},
        "rests": {"Ann": 0, "Bob": 0},
        "strain": 2,
    }
    pieces = data["pieces"]
    assert isinstance(pieces, dict) and pieces["Cart"]["0"]["pushed"] is True
    assert dsl.Session.resume(session.save()).state == session.state
    assert session.why("Ann.pushes + strain").total == "3"


def test_a_silent_secret_stays_a_secret(tmp_path: Path) -> None:
    session = carts(tmp_path)
    session.choose("Push")
    variables = session.view(1).as_data()["variables"]
    assert isinstance(variables, dict) and variables["plan"] == {"Ann": "hidden", "Bob": 0}


def test_it_plays_as_without_the_word(tmp_path: Path) -> None:
    quiet, loud = carts(tmp_path), carts(tmp_path, "")
    for name in ("Push", "Push", "Push", "Push", "Rest", "Push"):
        quiet.choose(name)
        loud.choose(name)
        assert quiet.state == loud.state
        assert [option.name for option in quiet.options] == [option.name for option in loud.options]


def test_the_declaration_says_so(tmp_path: Path) -> None:
    game = carts(tmp_path).rules.game
    heads = [next(describe_named(game, name, text_reader(None))) for name in ("strain", "rests")]
    assert "silent" in heads[0] and "silent" not in heads[1]
