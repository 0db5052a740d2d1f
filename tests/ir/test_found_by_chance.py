"""Defects that generated games have found (`tests/generated`), each reduced to a few lines.

Most are of one kind: where `none` came in, lowered code read the slot before the one that was meant. What is asked of
nothing is none, no, or a fault, as the reference says; it is never what lies beside.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.backends.api import Fault
from interpreter.diagnostics import RulesError
from interpreter.runtime import Session, load

HEAD = """language 1

game "Found"
    players 2: Ann, Bob

enum Mood: sad, glad, mad

board field of Square: square grid, 3 by 2

board circle of Stop: ring, 4

kind Pawn: 1 for each Player

zone pool holds Pawn, ordered

each Player has
    points: 0..9 = 4
    mood: Mood
    dream: Mood or none
    bonus: 0..9 = 7, for each Mood

each Mood has
    liked_by: Player
    shunned_by: Player = Bob

state ready: 5..12 or none
state fav: Player or none
state where_to: direction of field or none
state low: -3..3

value worth(p: Player) = p.points
value size(s: set of Mood) = count of s
relation rich(p: Player) = p.points > 3

setup
    place Pawn of Ann on a1
    move Pawn where owner is Bob to pool
"""

PLAY = """
play
    choose "x": n from 1..2
    end game
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return played(tmp_path_factory.mktemp("found"), PLAY)


def played(folder: Path, play: str) -> Session:
    path = folder / "found.rules"
    path.write_text(HEAD + play, encoding="utf-8")
    return load(path).start(1)


@pytest.mark.parametrize(
    "text",
    [
        "ready + 2",
        "abs(ready)",
        "ready < 3",
        "count of (ready..9)",
        "highest of ready for each p in Player",
        "worth(fav)",
        "rich(fav)",
        "fav is rich",
        "number of Ann.dream",
        "number of fav.mood",
        "Bob.bonus(Ann.dream)",
        "distance(next(a1, south), b1)",
        "distance(b1, next(a1, south))",
        "slide from next(a1, south) to north while it is empty",
        "slide from a1 to where_to while it is empty",
        "count of (run from next(a1, south) to north while it is empty)",
    ],
)
def test_a_number_or_a_place_of_nothing_is_a_fault(session: Session, text: str) -> None:
    with pytest.raises(Fault) as raised:
        session.evaluate(text)
    assert raised.value.code == "D705"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ready = -1", False),
        ("ready != -1", True),
        ("ready in -3..5", False),
        ("Ann.dream in {Ann.dream}", False),
        ("next(a1, south) is empty", False),
        ("next(a1, where_to) is none", True),
        ("line of 2 through next(a1, south) where it is empty", False),
        ("route from next(a1, south) to b2 through Square", False),
        ("fav.mood.liked_by", None),
        ("opponent of opponent of fav", None),
    ],
)
def test_asked_of_nothing(session: Session, text: str, value: object) -> None:
    assert session.evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("count of {sad, sad}", 1),
        ("sum of {1, 1, 2}", 3),
        ("sum of {Ann.points, Bob.points, 1}", 5),
        ("count of {Ann.dream, sad}", 1),
        ("some {Ann.dream}", False),
        ("size({Ann.dream, sad})", 1),
        ("first of {mad, Ann.mood, glad}", "sad"),
        ("count of ({3, 1, 2} except ready)", 3),
    ],
)
def test_members_in_braces_come_in_their_order_each_once_and_nothing_is_none(
    session: Session, text: str, value: object
) -> None:
    assert session.evaluate(text) == value


def test_a_run_around_a_ring_does_not_come_back_to_its_start(session: Session) -> None:
    assert session.evaluate("count of (run from p1 to forward while it is empty)") == 3
    assert session.evaluate("slide from p1 to forward while it is empty") == "p4"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("set low to ready", "D710"),
        ("set Bob.bonus(Ann.dream) to 3", "D705"),
        ('repeat ready times: say "once"', "D705"),
        ('each player from fav: say "{player}"', "D705"),
        ("fav wins", "D705"),
    ],
)
def test_nothing_is_not_stored_and_does_not_act(tmp_path: Path, line: str, code: str) -> None:
    session = played(tmp_path, f'\nplay\n    choose "go"\n        {line}\n    end game\n')
    with pytest.raises(RulesError, match=code):
        session.apply(0)


def test_a_field_of_the_candidate_stands_behind_is(session: Session) -> None:
    assert session.evaluate("count of (Mood where liked_by is not shunned_by)") == 3
    assert session.evaluate("some m in Mood where liked_by is shunned_by") is False


def test_a_line_of_one_space_is_that_space(session: Session) -> None:
    assert session.evaluate("line of 1 through a1 where it is empty") is False
    assert session.evaluate("line of 1 through c2 where column = 3") is True
    assert session.evaluate("line of 1 through next(a1, south) where column = 1") is False


def test_a_run_and_an_order_are_kept_as_the_set_of_their_members(session: Session, tmp_path: Path) -> None:
    assert session.evaluate("run from a2 to east while it is empty") == ("b2", "c2")
    play = """
play
    choose "go {moods}": moods from order of Mood
        let passed = run from a2 to east while it is empty
        let kept = moods
        set low to count of passed + count of (kept except sad) - 3
    choose "end"
    end game
"""
    kept = played(tmp_path, play)
    kept.choose("go mad, sad, glad")
    assert kept.evaluate("low") == 1


def test_for_each_takes_members_in_one_order_whether_somebody_is_asked_or_not(tmp_path: Path) -> None:
    play = """
setup
    move every Pawn to pool

play
    for each p in pool: say "{p}"
    for each s in neighbours of b1: say "{s}"
    for each n in {2, -1, low}: say "{n}"
    for each p in pool
        choose "{p}"
    for each s in neighbours of b1
        choose "{s}"
    for each n in {2, -1, low}
        choose "{n}"
    end game
"""
    session = played(tmp_path, play)
    while not session.is_over:
        session.apply(0)
    said = [event.text for event in session.events if event.kind == "say"]
    assert said == ["Pawn 1", "Pawn 2", "a1", "c1", "a2", "b2", "c2", "-1", "0", "2"]
    assert [step.name for step in session.history.steps] == said


def test_the_condition_of_an_option_may_speak_of_what_is_chosen(tmp_path: Path) -> None:
    play = """
play
    round 2 times
        may
            "one {a}": a from Mood when a is mad
            "two {b} {d}": b from 1..2, d from Mood when b = 2 and d is not glad
            "some {e}": e from any of Mood when count of e = 2 and low = 0
            "order {f}": f from order of Mood when first of f is mad
            "each": g for each p in Player from Mood when g(Ann) is sad and g(Bob) is mad
            "never {h}": h from order of Mood when h is empty
            "no {i}": i from Mood when low > 0 and i is sad
    end game
"""
    session = played(tmp_path, play)
    names = [choice.name for choice in session.choices()]
    assert names == [
        "one mad",
        "two 2 sad",
        "two 2 mad",
        "some sad, glad",
        "some sad, mad",
        "some glad, mad",
        "order mad, sad, glad",
        "order mad, glad, sad",
        "each (sad, mad)",
        "pass",
    ]
    assert session.codes == tuple(session.rules.backend.options(list(session.state)))


def test_an_order_and_an_assignment_may_depend_on_what_was_chosen_before(tmp_path: Path) -> None:
    play = """
play
    choose
        "order {n} {o}": n from 1..3, o from order of Mood such that n = 2 and first of o is mad
        "each {m}": m from 1..3, p for each q in Player from Mood such that m = 3 and p(Ann) is mad and p(Bob) is sad
    otherwise: nothing
    end game
"""
    names = [choice.name for choice in played(tmp_path, play).choices()]
    assert names == ["order 2 mad, sad, glad", "order 2 mad, glad, sad", "each 3 (mad, sad)"]


def test_too_few_to_pick_from_is_a_fault_and_no_choice_of_fewer(tmp_path: Path) -> None:
    play = """
play
    may
        "few {n} {e}": n from order of {sad}, e from at least 2 of Mood where it is glad
            set low to 1
        "none {m} {f}": m from order of {sad}, f from any of {mad} such that f is empty and m is empty
            set low to 2
        "no order {k} {g}": k from order of {sad}, g from order of Mood such that low > 0
            set low to 3
    end game
"""
    for first in (0, 1, 2):
        session = played(tmp_path, play)
        session.apply(first)
        with pytest.raises(RulesError, match="D714"):
            session.apply(0)
        assert session.evaluate("low") == 0


def test_all_of_some_that_must_be_such_is_all_of_them(tmp_path: Path) -> None:
    play = """
play
    choose "all {e}": e from all of Mood where it is not glad such that count of e > low
    otherwise: nothing
    end game
"""
    assert [choice.name for choice in played(tmp_path, play).choices()] == ["all sad, mad"]


def test_a_zone_without_an_order_is_shuffled_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "heap.rules"
    path.write_text(
        'language 1\n\ngame "Heap"\n    players 1\n\nkind Coin: 3 in the box\n\nzone heap holds Coin\n\n'
        "setup\n    move every Coin to heap\n    shuffle heap\n\n"
        'play\n    choose "Take {c}": c from heap\n        move c to box\n    otherwise: nothing\n    end game\n'
    )
    session = load(path).start(1)
    assert not session.setup_rolls
    assert [option.name for option in session.options] == ["Take Coin 1"]
