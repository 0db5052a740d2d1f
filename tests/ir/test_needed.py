"""Which locals a game needs to go on from a decision, and which of them may come from a secret."""

from __future__ import annotations

from pathlib import Path
from random import Random

from interpreter.analysis.bots import ask, make_bot
from interpreter.analysis.bots.workshop import Workshop
from interpreter.runtime import Rules, load
from interpreter.runtime.leak import shuffled_secrets
from interpreter.runtime.question import question_at, question_of

HEAD = """language 1

game "Asides"
    players 2: Ann, Bob

enum Rank from 1: one, two, three, four, five, six

kind Card: 2 of each Rank

zone deck holds Card, ordered, seen by nobody
zone hand of each Player holds Card, seen by owner
zone aside of each Player holds Card, seen by owner

each Player has
    result: 0..99
    number: 0..9, seen by owner

setup
    move every Card to deck
    shuffle deck
    each player: move 4 from deck to player.hand

play
"""


def rules_of(folder: Path, play: str) -> Rules:
    file = folder / "asides.rules"
    file.write_text(HEAD + play)
    return load(file)


def names(rules: Rules) -> list[tuple[set[str], set[str]]]:
    """For each decision the locals that are needed, told and untold."""
    of = {slot: g.name for g in rules.program.layout.groups for slot in range(g.base, g.base + g.count)}
    return [({of[slot] for slot in n.told}, {of[slot] for slot in n.untold}) for n in rules.needed]


LAYING = """    each player
        let best = first of player.hand
        let turn number = 7
        choose "Lay aside {cs}": cs from up to 3 of player.hand
            for each c in cs: move c to player.aside
            choose by (opponent of player)
                "Give one"
                    move 1 from deck to player.hand
                "Give none"
                    player.result + turn number
        if best in player.hand: player.result + 1
    end game
"""


def test_a_local_that_is_a_hidden_card_is_untold_and_own_picks_are_told(tmp_path: Path) -> None:
    laying, picking, giving = names(rules_of(tmp_path, LAYING))
    assert laying[1] == picking[1] == giving[1] == {"best"}
    assert {"cs", "picked so far"} <= picking[0] and "cs" not in giving[0]
    assert {"turn number", "players left"} <= laying[0] & picking[0] & giving[0]


def test_what_is_untold_is_not_in_a_question_and_is_dealt(tmp_path: Path) -> None:
    rules = rules_of(tmp_path, LAYING)
    session, random = rules.start(2), Random(1)
    (best,) = rules.needed[0].untold
    workshop = Workshop(rules)
    question = question_of(session)
    assert question.slots[best] is None
    deal = workshop.dealer.deal(question)
    dealt = {deal.world(random)[best] for _ in range(200)}
    assert len(dealt) > 6 and dealt <= set(range(-1, 12))
    while not session.is_over:
        other = shuffled_secrets(session, session.player, random)
        option = ask(make_bot("mcts:30"), session)
        assert option.code == ask(make_bot("mcts:30"), other).code
        session.apply(option)


BY_CHOICE = """    each player
        let mark = 0
        choose by (opponent of player)
            "Look"
                if player.number > 3: set mark to 1
                choose by (opponent of player)
                    "Say so" when mark >= 0
                        player.result + 1
                    "Be silent"
                        player.result + mark
            "Pass on"
                player.result + 0
    end game
"""


def test_where_only_a_secret_has_sent_control_what_is_set_is_untold(tmp_path: Path) -> None:
    looking, saying = names(rules_of(tmp_path, BY_CHOICE))
    assert looking[1] == saying[1] == {"mark"}
    assert "players left" in looking[0] & saying[0]


SECRETLY = """    let lowest = 9
    let asked = 0
    each player secretly
        choose "{n}": n from 1..3
            set lowest to n
            set player.number to n
    each player
        choose "Guess"
            player.result + lowest
        set asked to asked + 1
    if asked = 2: end game
"""


def test_what_was_chosen_in_secret_is_untold_and_counting_is_told(tmp_path: Path) -> None:
    secret, guessing = names(rules_of(tmp_path, SECRETLY))
    assert guessing[1] == {"lowest"} and "asked" in guessing[0]
    assert "asked" in secret[0]


def test_a_deal_answers_to_the_question_it_was_made_from(tmp_path: Path) -> None:
    rules, random = rules_of(tmp_path, SECRETLY), Random(2)
    session, workshop = rules.start(3), Workshop(rules)
    while not session.is_over:
        question = question_of(session)
        world = workshop.dealer.deal(question).world(random)
        assert question_at(rules, world, question.player, question.codes).looks_like(question)
        session.apply(random.choice(session.options))
