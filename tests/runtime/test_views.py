"""What a player may know: views and logs, and that they depend on nothing hidden."""

from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.runtime.leak import shuffled_secrets
from interpreter.runtime.view import HIDDEN
from interpreter.source import shipped_games

CUPS = """language 1

game "Cups"
    players 2: Ann, Bob

enum Face from 1: one, two, three, four, five, six

kind Die: 3 for each Player
    face: Face, rolled

zone cup of each Player holds Die, seen by owner
zone table_top holds Die

state secret: 0..9, seen by nobody

each Player has
    bid: 0..9, seen by owner

setup
    for each d in Die
        move d to d.owner.cup

play
    roll Die
    set secret to roll d6
    each player secretly
        choose "Bid {n}": n from 1..3
            set player.bid to n
        otherwise: nothing
    reveal bid
    each player
        choose "Show {d.face}": d from player.cup
            move d to table_top
        otherwise: nothing
    end game "shown"
"""


@pytest.fixture(scope="module")
def cups(tmp_path_factory: pytest.TempPathFactory) -> dsl.Rules:
    file = tmp_path_factory.mktemp("cups") / "cups.rules"
    file.write_text(CUPS, encoding="utf-8")
    return dsl.load(file)


def slots_of(session: dsl.Session, what: str, name: str) -> range:
    group = session.rules.program.layout.named(what, name)
    return range(group.base, group.base + group.count)


def test_hands_are_counted_not_shown() -> None:
    session = dsl.load("kuhn_poker").start(1)
    first, second, onlooker = session.view(0), session.view(1), session.view(None)
    assert first.zones["hand"] == {"First": [first.zones["hand"]["First"][0]], "Second": 1}  # type: ignore[index]
    assert second.zones["hand"]["First"] == 1  # type: ignore[index]
    assert onlooker.zones["hand"] == {"First": 1, "Second": 1}
    assert onlooker.zones["deck"] == 1
    assert first.options == ("Bet", "Check")
    assert second.options == ()
    assert second.prompt == ""


def test_hidden_slots_are_blank(cups: dsl.Rules) -> None:
    session = cups.start(3)
    view = session.view(0)
    faces = [view.slots[slot] for slot in slots_of(session, "variable", "face")]
    assert None not in faces[:3]
    assert faces[3:] == [None] * 3
    assert [view.slots[slot] for slot in slots_of(session, "variable", "secret")] == [None]
    assert all(view.slots[slot] is None for slot in slots_of(session, "chance", "chance"))
    assert view.slots[0] is None
    assert view.variables["secret"] == HIDDEN
    assert set(view.pieces["Die"]) == {"0", "1", "2"}


def test_a_secret_choice_comes_out_with_the_reveal(cups: dsl.Rules) -> None:
    session = cups.start(3)
    session.choose("Bid 2")
    assert "Ann: Bid 2" in session.log(0)
    assert "Ann chose in secret" in session.log(1)
    assert "Ann chose in secret" in session.log(None)
    assert session.view(1).variables["bid"] == {"Ann": HIDDEN, "Bob": 0}
    session.choose("Bid 3")
    assert "Ann: Bid 2" in session.log(1)
    assert session.view(1).variables["bid"] == {"Ann": 2, "Bob": 3}
    assert "Ann.bid is shown: 2" in session.log(1)


def test_what_falls_under_a_cup_is_not_told(cups: dsl.Rules) -> None:
    session = cups.start(3)
    assert sum(line.startswith("rolled") for line in session.log(0)) == 3
    assert list(session.log(None)).count("a die is rolled") == 6


def test_a_hidden_piece_that_stays_hidden_is_not_named() -> None:
    session = dsl.load("kuhn_poker").start(1)
    card = session.view(0).zones["hand"]["First"][0]  # type: ignore[index]
    assert f"{card}: deck to First.hand" in session.log(0)
    assert f"{card}: deck to First.hand" not in session.log(1)
    assert "a card: deck to First.hand" in session.log(1)
    session.choose("Check")
    session.choose("Check")
    assert f"{card}: First.hand to table top" in session.log(1)


@pytest.mark.parametrize("file", shipped_games(), ids=lambda path: path.stem)
def test_nothing_leaks(file: Path) -> None:
    check_for_leaks(dsl.load(file), decisions=40)


def test_nothing_leaks_from_cups(cups: dsl.Rules) -> None:
    assert check_for_leaks(cups, decisions=40) > 0


def check_for_leaks(rules: dsl.Rules, decisions: int) -> int:
    """Compares view, prompt, options and log with those of games that differ only in what is hidden; how many did."""
    changed = 0
    for seed in range(3):
        session, random = rules.start(seed), Random(seed)
        for _ in range(decisions):
            if session.is_over:
                break
            for viewer in (*range(len(rules.players)), None):
                other = shuffled_secrets(session, viewer, random)
                assert other.view(viewer) == session.view(viewer)
                assert other.log(viewer) == session.log(viewer)
                changed += other.state != session.state
            session.apply(random.choice(session.options))
    return changed


def test_shuffled_secrets_change_what_is_hidden_and_keep_the_rest(cups: dsl.Rules) -> None:
    session = cups.start(3)
    hidden = session.sight.unseen(session.state, 0)
    seen: set[tuple[int, ...]] = set()
    for seed in range(20):
        other = shuffled_secrets(session, 0, Random(seed))
        seen.add(tuple(other.state[slot] for slot in sorted(hidden)))
        for slot, value in enumerate(other.state):
            if slot not in hidden:
                assert value == session.state[slot]
    assert len(seen) > 10


def test_a_view_is_plain_data() -> None:
    import json

    session = dsl.load("hall").start(1)
    text = json.dumps(session.view(0).as_data())
    assert '"gold": 0' in text
    assert len(json.loads(text)["zones"]["pool"]) == 7
