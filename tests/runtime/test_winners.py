"""Several players who win together: in the state, in the outcome, in words, for bots, in played examples."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as dsl
from interpreter.analysis.bots import GreedyBot, ask
from interpreter.ir.program import WINNERS
from interpreter.runtime.names import victory
from interpreter.runtime.tester import run_transcript
from interpreter.runtime.transcript_writer import transcript_text

HEAD = """language 1

game "Camps"
    players 4: Ann, Bob, Cid, Dee
    scored by score

enum Side: light, dark

kind Card: 2 of each Side

zone camp of each Side holds Card, seen by side

each Player has
    side: Side
    points: 0..9

value score(p: Player) = p.points

setup
    for each p in {Bob, Dee}: set p.side to dark
    for each c in Card
        if c.side is light: move c to light.camp
        else: move c to dark.camp

"""


def rules_of(tmp_path: Path, play: str) -> dsl.Rules:
    file = tmp_path / "camps.rules"
    file.write_text(HEAD + play, encoding="utf-8")
    return dsl.load(file)


def ended(tmp_path: Path, ending: str) -> dsl.Session:
    """A game that ends with its only choice."""
    lines = "".join(f"        {line}\n" for line in ending.split("\n"))
    session = rules_of(tmp_path, f'play\n    choose "Go"\n{lines}').start(1)
    session.choose("Go")
    return session


@pytest.mark.parametrize(
    ("ending", "winners", "ranking", "text"),
    [
        ('Ann wins "alone"', (0,), ((0,), (1, 2, 3)), "Ann wins: alone"),
        ('(Player where side is dark) wins "30 units"', (1, 3), ((1, 3), (0, 2)), "Bob and Dee win: 30 units"),
        ("{Ann, Cid, Dee} wins", (0, 2, 3), ((0, 2, 3), (1,)), "Ann, Cid and Dee win"),
        ("Player wins", (0, 1, 2, 3), ((0, 1, 2, 3),), "Ann, Bob, Cid and Dee win"),
        ("let us = Player where it is not player\nus wins", (1, 2, 3), ((1, 2, 3), (0,)), "Bob, Cid and Dee win"),
        ("(Player where it is Cid) wins", (2,), ((2,), (0, 1, 3)), "Cid wins"),
    ],
)
def test_all_of_them_have_won(
    tmp_path: Path, ending: str, winners: tuple[int, ...], ranking: tuple[tuple[int, ...], ...], text: str
) -> None:
    session = ended(tmp_path, ending)
    outcome = session.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.ranking) == (winners, ranking)
    assert outcome.text(session.rules.players).startswith(text)
    assert session.events[-1].text == text
    assert session.state[WINNERS] == sum(1 << player for player in winners)


@pytest.mark.parametrize(
    ("points", "winners", "winner"),
    [
        ({"Ann": 3, "Cid": 3}, "Ann Cid", None),
        ({"Bob": 2}, "Bob", "Bob"),
        ({}, "", None),
        ({"Ann": 1, "Bob": 1, "Cid": 1, "Dee": 1}, "", None),
    ],
)
def test_those_with_the_highest_score_have_won(
    tmp_path: Path, points: dict[str, int], winners: str, winner: str | None
) -> None:
    lines = "".join(f"set {name}.points to {number}\n" for name, number in points.items())
    session = ended(tmp_path, f"{lines}end game")
    assert session.evaluate("winner") == winner
    for name in session.rules.players:
        assert session.evaluate(f"{name} in winners") is (name in winners.split())
    assert session.outcome is not None
    assert tuple(session.rules.players[player] for player in session.outcome.winners) == tuple(winners.split())


def test_winner_is_the_one_winner_and_winners_are_all(tmp_path: Path) -> None:
    session = ended(tmp_path, "(Player where side is light) wins")
    assert session.evaluate("winner") is None
    assert session.evaluate("count of winners") == 2
    assert session.evaluate("every p in winners satisfies p.side is light") is True
    assert session.evaluate("winners") == ("Ann", "Cid")
    alone = ended(tmp_path, "Dee wins")
    assert (alone.evaluate("winner"), alone.evaluate("count of winners")) == ("Dee", 1)
    fresh = alone.rules.start(1)
    assert (fresh.evaluate("winner"), fresh.evaluate("count of winners")) == (None, 0)


def test_nobody_cannot_win(tmp_path: Path) -> None:
    with pytest.raises(dsl.RulesError) as raised:
        ended(tmp_path, "(Player where points > 5) wins")
    assert raised.value.diagnostics[0].code == "D705"


PARTNERS = """play
    turns then next player of player
        choose
            "Help them"
                (Player where side is not player.side) wins "helped"
            "Help us"
                (Player where side is player.side) wins "helped"
            "Help nobody"
                draw
"""


def test_a_bot_counts_the_win_of_its_team_as_its_own(tmp_path: Path) -> None:
    session = rules_of(tmp_path, PARTNERS).start(1)
    for seed in range(5):
        assert ask(GreedyBot(seed), session).name == "Help us"


SCORES = """play
    choose
        "For us"
            for each p in Player where side is player.side: p.points + 1
        "For me and Bob"
            for each p in {Ann, Bob}: p.points + 1
        "For them"
            for each p in Player where side is not player.side: p.points + 1
    end game
"""


def test_points_of_a_team_count_as_a_win(tmp_path: Path) -> None:
    session = rules_of(tmp_path, SCORES).start(1)
    for seed in range(5):
        assert ask(GreedyBot(seed), session).name != "For them"
    session.choose("For us")
    assert session.outcome is not None
    assert session.outcome.text(session.rules.players) == "Ann and Cid win (Ann 1, Bob 0, Cid 1, Dee 0)"


ORDER = """state last: Player = Dee

play
    turns then if player is Ann then next player of last else Ann
        choose "Go on {n}": n from 1..2
            if player is not Ann: set last to player
"""


def test_turns_of_a_team_are_those_of_its_members(tmp_path: Path) -> None:
    """One against three: Ann after each turn of the others, who take turns among themselves; and who sees what."""
    rules = rules_of(
        tmp_path, ORDER.replace("next player of last", "(if last is Dee then Bob else next player of last)")
    )
    session = rules.start(1)
    found = []
    for _ in range(7):
        player = session.player
        assert player is not None
        found.append(session.player_name)
        assert session.evaluate("player") == session.player_name
        own, other = ("light", "dark") if session.player_name in ("Ann", "Cid") else ("dark", "light")
        for viewer in range(4):
            seen = session.view(viewer)
            assert seen.turn == session.player_name
            assert bool(seen.options) == (viewer == player)
        camps = session.view(player).zones["camp"]
        assert isinstance(camps, dict)
        assert (len(camps[own]), camps[other]) == (2, 2), "the own camp by name, the other as a number"
        session.apply(ask(GreedyBot(1, playouts=1), session))
    assert found == ["Ann", "Bob", "Ann", "Cid", "Ann", "Dee", "Ann"]


def test_a_played_example_names_all_winners(tmp_path: Path) -> None:
    session = rules_of(tmp_path, PARTNERS).start(1)
    session.choose("Help us")
    text = transcript_text(session, tmp_path)
    assert "Ann in winners" in text and "Cid in winners" in text and "winner is" not in text
    path = tmp_path / "camps.test.yaml"
    path.write_text(text, encoding="utf-8")
    assert run_transcript(path).ok


def test_several_names_in_a_row() -> None:
    assert victory(["Ann"]) == "Ann wins"
    assert victory(["Ann", "Bob"]) == "Ann and Bob win"
    assert victory(["Ann", "Bob", "Cid"]) == "Ann, Bob and Cid win"
