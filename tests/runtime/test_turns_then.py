"""Whose turn is next where rules say it themselves."""

from pathlib import Path

import pytest

import interpreter as dsl

HEAD = """language 1

game "Order"
    players 3: Ann, Bob, Cid

each Player has
    out: flag
    turns_taken: 0..99

state again: flag
state lead: Player = Bob

"""


def session_of(tmp_path: Path, play: str) -> dsl.Session:
    file = tmp_path / "order.rules"
    file.write_text(HEAD + play, encoding="utf-8")
    return dsl.load(file).start(1)


def order(session: dsl.Session, *choices: str) -> list[str]:
    """Who decides, before each choice and after the last."""
    found = [session.player_name]
    for choice in choices:
        session.choose(choice)
        found.append(session.player_name)
    return found


def test_an_extra_turn(tmp_path: Path) -> None:
    session = session_of(
        tmp_path,
        """play
    turns then if again then player else next player of player
        set again to no
        choose
            "Go"
            "Again"
                set again to yes
                end turn
        set again to no
""",
    )
    assert order(session, "Go", "Again", "Again", "Go", "Go") == ["Ann", "Bob", "Bob", "Bob", "Cid", "Ann"]


def test_the_first_and_the_next_are_both_said(tmp_path: Path) -> None:
    session = session_of(
        tmp_path,
        """play
    turns from lead then next player of next player of player
        choose "Go"
""",
    )
    assert order(session, "Go", "Go", "Go") == ["Bob", "Ann", "Cid", "Bob"]


def test_players_who_are_out_are_left_out_and_nobody_is_a_fault(tmp_path: Path) -> None:
    session = session_of(
        tmp_path,
        """play
    turns then first of Player where not out
        choose "Leave"
            set player.out to yes
""",
    )
    assert order(session, "Leave", "Leave") == ["Ann", "Bob", "Cid"]
    with pytest.raises(dsl.RulesError) as raised:
        session.choose("Leave")
    fault = raised.value.diagnostics[0]
    assert fault.code == "D715"
    assert fault.span is not None and fault.span.start.line == 14, "the fault is where the next player is said"


def test_what_was_kept_before_the_turns_may_be_read(tmp_path: Path) -> None:
    session = session_of(
        tmp_path,
        """play
    let always = lead
    turns then always
        choose "Go"
            set lead to Cid
""",
    )
    assert order(session, "Go", "Go") == ["Ann", "Bob", "Bob"]


@pytest.mark.parametrize(
    ("head", "taken"),
    [
        ("turns", [2, 2, 1]),
        ("turns then Cid", [1, 0, 4]),
        ("turns from Bob then if player is Bob then Ann else Bob", [2, 3, 0]),
    ],
)
def test_turns_without_decisions(tmp_path: Path, head: str, taken: list[int]) -> None:
    session = session_of(
        tmp_path,
        f"""state steps: 0..99

play
    choose "Begin"
    {head}
        player.turns_taken + 1
        steps + 1
        if steps = 5: end game
        let chance = roll d6
        if chance = 7: end turn
""",
    )
    session.choose("Begin")
    assert session.is_over
    assert list(session.view(None).variables["turns taken"].values()) == taken  # type: ignore[attr-defined]
