"""Pieces that stand for rows of a table: their figures in play, and of pieces that are not there."""

from pathlib import Path

import pytest

import interpreter as dsl
from interpreter.workspace.declared import describe_named, text_reader

RULES = """language 1

game "Muster"
    players 1
    scored by glory

enum Rank: recruit, captain

table deck makes Card
    | card  | rank    | defence | quick | worth: value | tough: relation | cheer: effect |
    |-------|---------|---------|-------|--------------|-----------------|---------------|
    | Ram   | recruit | 3       | yes   | defence + 1  | defence > 4     | glory + 1     |
    | Tower | captain | 5       |       | 9            | defence > 4     | praise        |

each Card has
    sent: 0..9

kind Unit: 2 of each Card

zone camp holds Unit, ordered
zone away holds Unit, ordered

state glory: 0..99

effect praise(c: Card)
    c.sent + 1

setup
    move every Unit to camp

play
    repeat
        choose
            "Send {u}": u from camp where defence > 2 and it is recruit or tough
                u.cheer
                glory + u.worth
                move u to away
            "Look"
                if (top of away) is quick: glory + 1
                if (top of away).rank is none: glory + 2
            "Add"
                glory + (top of away).defence
"""


@pytest.fixture
def rules(tmp_path: Path) -> dsl.Rules:
    file = tmp_path / "muster.rules"
    file.write_text(RULES, encoding="utf-8")
    return dsl.load(file)


def glory(session: dsl.Session) -> int:
    found = session.view(0).variables["glory"]
    assert isinstance(found, int)
    return found


def test_columns_are_read_and_carried_out_on_the_piece(rules: dsl.Rules) -> None:
    session = rules.start(1)
    assert {option.name for option in session.options} == {"Send Ram", "Send Tower", "Look", "Add"}
    session.choose("Send Ram")
    assert glory(session) == 1 + 4
    session.choose("Send Tower")
    assert glory(session) == 5 + 9
    assert session.view(0).variables["sent"] == {"Ram": 0, "Tower": 1}


def test_figures_of_no_piece(rules: dsl.Rules) -> None:
    session = rules.start(1)
    session.choose("Look")
    assert glory(session) == 2, "a flag of nothing is no, a member of nothing is none"
    with pytest.raises(dsl.RulesError) as raised:
        session.choose("Add")
    assert [finding.code for finding in raised.value.diagnostics] == ["D705"]


def test_figures_of_a_piece_that_may_be_none(rules: dsl.Rules) -> None:
    session = rules.start(1)
    session.choose("Send Ram")
    session.choose("Look")
    session.choose("Add")
    assert glory(session) == 5 + 1 + 3


def test_what_a_kind_has_from_its_rows_is_shown(rules: dsl.Rules) -> None:
    said = list(describe_named(rules.game, "Unit", text_reader(None)))
    assert "    from its card: rank, defence, quick, worth, tough, cheer" in said
