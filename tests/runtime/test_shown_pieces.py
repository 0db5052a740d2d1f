"""Pieces that are shown where they lie: who knows them, for how long, and what is told of them."""

from random import Random

import pytest

import interpreter as dsl
from interpreter.runtime.leak import shuffled_secrets
from interpreter.runtime.saves import resume
from interpreter.tools.play.discreet import known_to
from interpreter.tools.play.sheet import sheet_of
from interpreter.tools.play.tabletop import Tabletop

RULES = """language 1

game "Showing"
    players 3: Ann, Bob, Cid

enum Rank from 1: two, three, four, five, six, seven, eight, nine, ten, jack, queen, king

board field of Square: path, 4

kind Card: 1 of each Rank
    named "{rank}"

kind Chip: 4 in the box

zone deck holds Card, ordered, seen by nobody
zone hand of each Player holds Card, seen by owner
zone pile of each Player holds Card, seen by nobody

setup
    for each c in Card where number of rank > 9: move c to deck
    for each c in Card where number of rank < 4: move c to Ann.hand
    for each c in Card where number of rank in 4..6: move c to Bob.hand
    for each c in Card where number of rank in 7..9: move c to Cid.hand

effect act
    choose
        "Show {c}": c from player.hand
            reveal c
        "Show {c} to {p}": c from player.hand, p from Player except player
            reveal c to p
        "Show the hand"
            reveal player.hand
        "Show the others {c} and more": c from player.hand
            reveal player.hand except c to Player except player
        "Look"
            reveal top of deck to player
        "Show the top"
            reveal top of deck
        "Shuffle"
            shuffle deck
        "Draw"
            move 1 from deck to player.hand
        "Return {c}": c from player.hand
            move c to deck
        "Put {c} on {s}": c from player.hand, s from Square where it is empty
            move c to s
        "Recall {c}": c from Card where space is not none
            move c to player.hand
        "Recall {c} and show it": c from Card where space is not none
            move c to player.hand
            reveal c
        "Hide {c}": c from player.hand
            move c to player.pile
        "Pass"

play
    turns: act
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> dsl.Rules:
    file = tmp_path_factory.mktemp("showing") / "showing.rules"
    file.write_text(RULES, encoding="utf-8")
    return dsl.load(file)


@pytest.fixture
def session(rules: dsl.Rules) -> dsl.Session:
    return rules.start(1)


def hand(session: dsl.Session, viewer: int | None, player: str = "Ann") -> object:
    zones = session.view(viewer).zones["hand"]
    assert isinstance(zones, dict)
    return zones[player]


def knows(session: dsl.Session, card: str, player: str) -> bool:
    return bool(session.evaluate(f"known(first of (Card where rank is {card}), {player})"))


# ---------------------------------------------------------------------------------------------------- who knows


def test_shown_to_everybody(session: dsl.Session) -> None:
    session.choose("Show three")
    for viewer in (1, 2, None):
        assert hand(session, viewer) == {"seen": ["three"], "hidden": 2}
    assert hand(session, 0) == ["two", "three", "four"]
    assert knows(session, "three", "Cid")
    assert not knows(session, "two", "Cid")


def test_shown_to_one_player(session: dsl.Session) -> None:
    session.choose("Show three to Cid")
    assert hand(session, 2) == {"seen": ["three"], "hidden": 2}
    assert hand(session, 1) == hand(session, None) == 3
    assert [knows(session, "three", name) for name in ("Ann", "Bob", "Cid")] == [True, False, True]
    assert "Ann: Show three to Cid" in session.log(2)
    assert "Ann: Show a card to Cid" in session.log(1)
    assert session.log(2)[-1] == "three in Ann.hand is shown to Cid"
    assert session.log(1)[-1] == session.log(None)[-1] == "a card in Ann.hand is shown to Cid"


def test_shown_to_a_set_of_players(session: dsl.Session) -> None:
    session.choose("Show the others two and more")
    assert hand(session, 1) == hand(session, 2) == {"seen": ["three", "four"], "hidden": 1}
    assert hand(session, None) == 3
    assert "three in Ann.hand is shown to Bob, Cid" in session.log(1)


def test_a_whole_hand_is_listed(session: dsl.Session) -> None:
    session.choose("Show the hand")
    assert hand(session, None) == ["two", "three", "four"]
    assert session.log(None)[-3:] == tuple(f"{card} in Ann.hand is shown" for card in ("two", "three", "four"))


def test_that_somebody_knew_it_already_is_not_told(session: dsl.Session) -> None:
    session.choose("Show three to Cid")
    session.choose("Pass")
    session.choose("Pass")
    told = len(session.log(1))
    session.choose("Show three to Cid")
    assert "a card in Ann.hand is shown to Cid" in session.log(1)[told:]


def test_what_everybody_knows_is_told_once(session: dsl.Session) -> None:
    session.choose("Show three")
    session.choose("Pass")
    session.choose("Pass")
    session.choose("Show the hand")
    assert sum("three in Ann.hand is shown" in line for line in session.log(1)) == 1


# ---------------------------------------------------------------------------------------------------- how long


def test_a_move_forgets(session: dsl.Session) -> None:
    session.choose("Show three")
    session.choose("Pass")
    session.choose("Pass")
    session.choose("Return three")
    assert not knows(session, "three", "Bob")
    assert "three: Ann.hand to deck" in session.log(1)
    session.choose("Draw")
    assert hand(session, 2, "Bob") == 4
    assert not knows(session, "three", "Cid")


def test_those_who_knew_it_are_told_where_it_goes(session: dsl.Session) -> None:
    session.choose("Show three to Cid")
    session.choose("Pass")
    session.choose("Pass")
    session.choose("Hide three")
    assert "three: Ann.hand to Ann.pile" in session.log(2)
    assert "a card: Ann.hand to Ann.pile" in session.log(1)
    assert not knows(session, "three", "Ann")


def test_what_comes_from_the_board_is_named_and_known_only_if_shown(session: dsl.Session) -> None:
    session.choose("Put three on p1")
    assert knows(session, "three", "Cid")
    session.choose("Put five on p2")
    session.choose("Recall three")
    assert "three: p1 to Cid.hand" in session.log(0)
    assert not knows(session, "three", "Ann")
    session.choose("Recall five and show it")
    assert "five: p2 to Ann.hand" in session.log(1)
    assert hand(session, 1) == {"seen": ["five"], "hidden": 2}


def test_what_is_drawn_from_a_hidden_deck_is_not_named_to_others(session: dsl.Session) -> None:
    session.choose("Draw")
    assert "king: deck to Ann.hand" in session.log(0)
    assert "a card: deck to Ann.hand" in session.log(1)


def test_a_shuffle_forgets(session: dsl.Session) -> None:
    session.choose("Look")
    assert session.view(0).zones["deck"] == ["hidden", "hidden", "king"]
    assert session.view(1).zones["deck"] == 3
    session.choose("Shuffle")
    assert session.view(0).zones["deck"] == 3
    assert session.evaluate("no Card where known(it, Ann) and it in deck") is True


def test_a_piece_known_in_a_deck_is_known_by_its_place(session: dsl.Session) -> None:
    session.choose("Look")
    session.choose("Return five")
    order = session.rules.program.layout.named("order", "deck")
    slots = session.view(0).slots[order.base : order.base + 5]
    assert slots[:3] == (4, None, None)
    assert slots[3] == session.state[order.base + 3]
    assert slots[4] is None


def test_a_shuffle_of_the_deck_leaves_hands_alone(session: dsl.Session) -> None:
    session.choose("Show the hand")
    session.choose("Shuffle")
    assert hand(session, 1) == ["two", "three", "four"]


# ---------------------------------------------------------------------------------------------------- what follows


def test_what_was_shown_cannot_be_taken_back(session: dsl.Session) -> None:
    session.choose("Show three to Cid")
    assert not session.can_undo
    assert "a card was revealed" in str(session.undo_barrier)


def test_what_others_know_is_hidden(rules: dsl.Rules, session: dsl.Session) -> None:
    session.choose("Show three to Cid")
    known = rules.program.layout.named("known", "Card")
    view = session.view(1)
    assert [view.slots[known.base + card] for card in range(3)] == [None] * 3
    assert session.view(0).slots[known.base + 1] == 0b100


def test_games_without_showing_have_no_slots_for_it(rules: dsl.Rules) -> None:
    groups = [group.name for group in rules.program.layout.groups if group.what == "known"]
    assert groups == ["Card"]
    assert not any(group.what == "known" for group in dsl.load("kuhn_poker").program.layout.groups)


def test_the_sheet_says_where_a_known_card_lies(session: dsl.Session) -> None:
    rules = session.rules
    session.choose("Look")
    session.choose("Show five to Ann")

    def said(viewer: int | None) -> str:
        table = Tabletop(rules.game, rules.program, rules.backend, rules.names, rules.sight, session.state, viewer)
        return "\n".join(line for part in sheet_of(table).parts if part.title == "Zones" for line in part.said)

    assert "deck: king (on top), 2 cards, hidden" in said(0)
    assert "Bob's hand: five, 2 cards, hidden" in said(0)
    assert "deck: 3 cards, hidden" in said(2)
    session.choose("Return eight")
    assert "deck: king (number 2 from the top), 3 cards, hidden" in said(0)


def test_answers_depend_on_what_is_known(session: dsl.Session) -> None:
    session.choose("Show three to Cid")

    def ask(asked: dsl.Session) -> object:
        return asked.evaluate("count of Ann.hand where rank is three")

    assert known_to(session, 2, ask) == 1
    assert known_to(session, 1, ask) is None


def test_a_game_goes_on_from_a_save(session: dsl.Session) -> None:
    session.choose("Show three to Cid")
    again = resume(session.save(), rules=session.rules)
    assert again.state == session.state
    assert hand(again, 2) == {"seen": ["three"], "hidden": 2}


@pytest.mark.parametrize("seed", range(8))
def test_nothing_that_is_hidden_matters(rules: dsl.Rules, seed: int) -> None:
    session, random = rules.start(seed), Random(seed)
    changed = 0
    for _ in range(25):
        for viewer in (0, 1, 2, None):
            for _ in range(3):
                other = shuffled_secrets(session, viewer, random)
                assert other.view(viewer) == session.view(viewer)
                assert other.log(viewer) == session.log(viewer)
                changed += other.state[11:] != session.state[11:]
                seen = [c for c in range(12) if session.sight.locates("Card", c, session.state, viewer)]
                assert [c for c in range(12) if other.sight.locates("Card", c, other.state, viewer)] == seen
                if viewer == session.player:
                    assert [option.name for option in other.options] == [option.name for option in session.options]
        session.apply(random.choice(session.options))
    assert changed
