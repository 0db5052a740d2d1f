"""What no test within the rules of Lords of War can say: what each player sees, which lists are refused and why, which
numbers of players there are, and that games of every sort come to an end with a winner.

Everything else about this game is tested beside its rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from interpreter.diagnostics import RulesError
from interpreter.runtime import Rules, Session, load


def zones(session: Session, viewer: int | None) -> Mapping[str, object]:
    """The zones as somebody sees them."""
    return session.view(viewer).zones


def choose_at_random(session: Session, random: Random) -> None:
    options = session.options
    session.apply(options[int(random.random() * len(options))])


@pytest.fixture(scope="module")
def three() -> Rules:
    return load("lords_of_war", players=3)


# ------------------------------------------------------------------------------------------------ who sees what


def test_hands_are_hidden_and_decks_from_everybody() -> None:
    """LW-024 LW-025 LW-172: the owner sees the hand, nobody a deck, all the piles."""
    session = load("lords_of_war").start(3)
    for viewer in (0, 1, None):
        seen = zones(session, viewer)
        hands, decks = seen["hand"], seen["deck"]
        assert isinstance(hands, Mapping) and isinstance(decks, Mapping)
        for player, name in enumerate(session.rules.players):
            if player == viewer:
                assert isinstance(hands[name], list | tuple) and len(hands[name]) == 6
            else:
                assert hands[name] == 6
            assert decks[name] == 30


def test_everybody_sees_the_general_of_the_team(three: Rules) -> None:
    """LW-243 LW-A18: the common General lies open, the hands of team mates do not."""
    session = three.start(5)
    for viewer in (0, 1, 2, None):
        seen = zones(session, viewer)
        common, hands = seen["common"], seen["hand"]
        assert isinstance(common, Mapping) and isinstance(hands, Mapping)
        assert [str(piece) for piece in common["even"]] == ["Krod Klouthammer D01"]
        for player, name in enumerate(three.players):
            assert (hands[name] == (7 if player == 0 else 3)) == (player != viewer)


def test_whose_turn_it_is_with_three_players(three: Rules) -> None:
    """LW-X10 LW-244 LW-243: the order of turns, and the General among what both allies may deploy, until one does."""
    for seed in range(4):
        session, random = three.start(seed), Random(seed)
        turns: list[int] = []
        while len(turns) < 8 and not session.is_over:
            player = session.player
            assert player is not None
            if session.prompt.startswith("Deploy") and (not turns or turns[-1] != player):
                turns.append(player)
                offered = any("Krod Klouthammer D01" in option.name for option in session.options)
                known = session.evaluate("unit(D01) in recruits(player)")
                if player == 0:
                    assert not offered
                elif offered:
                    assert known
            for viewer in (0, 1, 2):
                assert bool(session.view(viewer).options) == (viewer == player)
            choose_at_random(session, random)
        assert turns[:4] == [0, 1, 0, 2], turns


def test_engaged_and_doomed_units_are_marked() -> None:
    """LW-061 LW-063 LW-074: what a player would look for on the board before a decision."""
    rules = load("lords_of_war")
    doomed = 0
    for seed in range(6):
        session, random = rules.start(seed), Random(seed)
        for _ in range(50):
            if session.is_over:
                break
            marked: dict[str, set[object]] = {"engaged": set(), "doomed": set()}
            for unit in session.view(None).pieces["Unit"].values():
                assert isinstance(unit, Mapping)
                for text in unit["markers"]:
                    marked[text].add(unit["name"])
                if "facing" in unit:
                    assert unit["facing"] == ("north" if unit["side"] == "odd" else "south")
            assert marked["engaged"] == set(named(session, "Unit on Square where engaged"))
            assert marked["doomed"] == set(named(session, "Unit on Square where damage(it) > defence"))
            doomed += len(marked["doomed"])
            choose_at_random(session, random)
    assert doomed


def named(session: Session, expression: str) -> tuple[object, ...]:
    found = session.evaluate(expression)
    assert isinstance(found, tuple)
    return found


# ------------------------------------------------------------------------------------------------ what is agreed


@pytest.mark.parametrize(
    ("option", "players", "allowed", "refused"),
    [
        ("commanders needed", 2, (1, 99), (0, 100)),
        ("units needed", 2, (1, 999), (0, 1000)),
        ("solo hand limit", 3, (6, 7), (5, 8)),
    ],
)
def test_the_bounds_of_what_is_agreed(
    option: str, players: int, allowed: tuple[int, ...], refused: tuple[int, ...]
) -> None:
    """LW-210 LW-A16: goals of one and more, so many that a goal is out of reach; six or seven cards."""
    for value in allowed:
        load("lords_of_war", players=players, options={option: value})
    for value in refused:
        with pytest.raises(RulesError, match="D802"):
            load("lords_of_war", players=players, options={option: value})


def test_the_lot_is_fair() -> None:
    """LW-020 LW-021: each army as often, within three times the usual deviation."""
    rules = load("lords_of_war", options={"armies": "random"})
    dwarfs = sum(bool(rules.start(seed).evaluate("Player_1.race is Dwarfs")) for seed in range(300))
    assert 124 <= dwarfs <= 176


# ------------------------------------------------------------------------------------------------ lists


def start(text: str, path: Path, player: str = "Player 1", **options: bool) -> Session:
    file = path / "list.yaml"
    file.write_text("roster: army\nfor: lords_of_war\n" + text)
    return load("lords_of_war", options=options).start(1, rosters={player: str(file)})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("race: Orcs\nwithout: [O03]\nwith: [OX3]\n", "as many cards of the rank"),  # a Veteran for a Private
        ("race: Orcs\nwithout: [O03]\n", "36 cards"),
        ("race: Orcs\nwithout: [O03]\nwith: [L02]\n", "L02 is not one of the Orcs"),
        ("race: Orcs\nwithout: [O03, O04]\nwith: [OX1, OX1]\n", "OX1"),
        ("race: Orcs\nwithout: [O03]\nwith: [OX9]\n", "OX9"),
        ("race: Orcs\nwithout: [D01]\nwith: [OX1]\n", "D01"),
        ("race: Elves\n", "Elves"),
    ],
)
def test_wrong_lists_are_refused_before_play(text: str, reason: str, tmp_path: Path) -> None:
    """LW-T80 LW-220 LW-221 LW-222 LW-223: the same rank, the same race, each card once."""
    with pytest.raises(RulesError) as refused:
        start(text, tmp_path)
    assert reason in str(refused.value)


def test_every_mistake_of_a_list_is_told(tmp_path: Path) -> None:
    """LW-T80: one finding for each fault, at its place in the file."""
    with pytest.raises(RulesError) as refused:
        start("race: Orcs\nwithout: [O03, D02]\nwith: [L02, OX9]\n", tmp_path)
    lines = {d.span.start.line for d in refused.value.diagnostics if d.span is not None}
    assert len(refused.value.diagnostics) >= 2 and lines >= {4, 5}


def test_a_general_may_be_exchanged_for_a_foreign_one(tmp_path: Path) -> None:
    """LW-T80 LW-230: in the mercenary army only."""
    text = "race: Orcs\nwithout: [O01]\nwith: [L01]\n"
    session = start(text, tmp_path, mercenaries=True)
    assert session.evaluate("some u in Player_1.hand where u.card is L01 and rank is General")
    with pytest.raises(RulesError, match="L01 is not one of the Orcs"):
        start(text, tmp_path)


def test_a_card_serves_in_one_army(tmp_path: Path) -> None:
    """LW-223: two lists may not both take the only Crossbowman."""
    for player, race, out in (("one", "Orcs", "O07"), ("two", "Dwarfs", "D02")):
        (tmp_path / f"{player}.yaml").write_text(
            f"roster: army\nfor: lords_of_war\nrace: {race}\nwithout: [{out}]\nwith: [L29]\n"
        )
    rules = load("lords_of_war", options={"mercenaries": True})
    lists = {"Player 1": str(tmp_path / "one.yaml"), "Player 2": str(tmp_path / "two.yaml")}
    with pytest.raises(RulesError, match="L29 is in the box too few times"):
        rules.start(1, rosters=lists)


# ------------------------------------------------------------------------------------------------ players, and the end


def test_five_cannot_play() -> None:
    """LW-240 LW-260: two, three, four or six."""
    for players in (2, 3, 4, 6):
        assert len(load("lords_of_war", players=players).players) == players
    with pytest.raises(RulesError):
        load("lords_of_war", players=5)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_end_with_a_winner_and_a_reason(players: int) -> None:
    """LW-001 LW-002 LW-003 LW-253 LW-272: a whole side wins."""
    rules = load("lords_of_war", players=players)
    session, random = rules.start(2), Random(2)
    while not session.is_over:
        choose_at_random(session, random)
    outcome = session.outcome
    assert outcome is not None and "eliminated" in outcome.text(rules.players)
    first = outcome.ranking[0]
    odd, even = {0, 2} & set(range(players)), {1, 3} & set(range(players))
    sides = ({0}, {1, 2}) if players == 3 else (odd, even)
    assert set(first) in sides
