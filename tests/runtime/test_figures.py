"""Figures by a type and several members in a cell, in play and where there is nothing to ask."""

from pathlib import Path

import pytest

import interpreter as dsl
from interpreter.workspace.declared import describe_named, text_reader

RULES = """language 1

game "Figures"
    players 1

enum Way: F, L, R
enum Sort: red, blue

table deck makes Card, arrow by Way
    | card  | F | L | R | moves: set of Way |
    |-------|---|---|---|-------------------|
    | Ram   | 3 |   | 1 | F, R              |
    | Tower |   | 5 |   |                   |

table paint makes Paint, shade by Way, open by Sort
    | paint | F   | L    | R | red | blue |
    | Light | red | blue |   | yes |      |

kind Unit: 2 of each Card

zone camp holds Unit
zone away holds Unit, ordered

state total: 0..999
state way: Way or none

setup
    move every Unit to camp

play
    repeat
        choose
            "{u} {w}": u from camp where arrow(F) > 0, w from u.moves
                total + u.arrow(w)
            "Count {c}": c from Card
                for each w in c.moves: total + 10
                total + count of c.moves
                total + sum of c.arrow(it) for each w in Way
            "Nothing there"
                if F not in (top of away).moves: total + 1
                if (top of away).moves is empty: total + 1
                if Light.shade(R) is none and Light.shade(way) is none: total + 1
                if Light.shade(L) is blue: total + 1
                if Light.open(red) and not Light.open(blue): total + 1
            "Fault of the piece"
                total + (top of away).arrow(F)
            "Blank of the way"
                total + 7 + Ram.arrow(way)
"""


@pytest.fixture
def rules(tmp_path: Path) -> dsl.Rules:
    file = tmp_path / "figures.rules"
    file.write_text(RULES, encoding="utf-8")
    return dsl.load(file)


def total(session: dsl.Session) -> object:
    return session.view(0).variables["total"]


def test_options_are_what_the_cell_lists(rules: dsl.Rules) -> None:
    session = rules.start(1)
    names = [option.name for option in session.options]
    assert [name for name in names if name[:2] in ("Ra", "To")] == ["Ram F", "Ram R"]
    session.choose("Ram F")
    assert total(session) == 3
    session.choose("Ram R")
    assert total(session) == 4


def test_members_of_a_cell_are_counted_and_gone_through(rules: dsl.Rules) -> None:
    session = rules.start(1)
    session.choose("Count Ram")
    assert total(session) == 20 + 2 + 4
    session.choose("Count Tower")
    assert total(session) == 26 + 0 + 5


def test_what_nothing_has(rules: dsl.Rules) -> None:
    session = rules.start(1)
    session.choose("Nothing there")
    assert total(session) == 5


def test_for_no_member_a_figure_is_a_blank(rules: dsl.Rules) -> None:
    session = rules.start(1)
    session.choose("Blank of the way")
    assert total(session) == 7


def test_a_number_of_nothing_is_a_fault(rules: dsl.Rules) -> None:
    session = rules.start(1)
    with pytest.raises(dsl.RulesError) as raised:
        session.choose("Fault of the piece")
    assert [finding.code for finding in raised.value.diagnostics] == ["D705"]


def test_a_table_is_shown_with_its_figures_and_sets(rules: dsl.Rules) -> None:
    said = "\n".join(describe_named(rules.game, "Card", text_reader(None)))
    assert "| Card  | moves | arrow(F) | arrow(L) | arrow(R) |" in said
    assert "| Ram   | F, R  | 3        | 0        | 1        |" in said
