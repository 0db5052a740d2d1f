"""Choices of several things: every whole choice that the rules allow can be reached, and no other.

Each game here asks one thing; the test walks all sequences of picks and collects what was chosen. Expected sets are
worked out by hand.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as dsl

HEAD = """language 1
game "Picks"
    players 2: Ann, Bob

enum Fruit: apple, pear, plum, fig

kind Token: 3 in the box
    face: Fruit, rolled
    named "{face}"
zone bag holds Token
zone tray holds Token

each Fruit has
    taken: 0..9

relation likes(p: Player, f: Fruit)
    when p is Ann and f in {apple, pear}
    when p is Bob and f in {pear, plum}

setup
    move every Token to bag
    roll bag

"""


def outcomes(tmp_path: Path, play: str, result: str) -> set[str]:
    """The values of `result` at the ends of all ways through the game."""
    path = tmp_path / "picks.rules"
    path.write_text(HEAD + play)
    rules = dsl.load(path)
    found: set[str] = set()
    waiting = [rules.start(seed=4)]
    while waiting:
        session = waiting.pop()
        if session.outcome is not None:
            found.add(str(session.evaluate(result)))
            continue
        for option in session.options:
            copy = session.clone()
            copy.apply(option)
            waiting.append(copy)
    return found


def play(branch: str, body: str) -> str:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return f"play\n    choose {branch}\n{lines}\n    otherwise: nothing\n    end game\n"


SUM = "sum of (f.taken * (if f is apple then 1000 else if f is pear then 100 else if f is plum then 10 else 1))"
CODE = f"{SUM} for each f in Fruit"
TAKE = "for each f in some_of\n    set f.taken to 1"


@pytest.mark.parametrize(
    ("quantity", "expected"),
    [
        ("any of {apple, pear}", {"0", "1000", "100", "1100"}),
        ("some of {apple, pear}", {"1000", "100", "1100"}),
        ("exactly 2 of {apple, pear, plum}", {"1100", "1010", "110"}),
        ("up to 1 of {apple, pear, plum}", {"0", "1000", "100", "10"}),
        ("at least 2 of {apple, pear, plum}", {"1100", "1010", "110", "1110"}),
        ("2 to 3 of {apple, pear, plum}", {"1100", "1010", "110", "1110"}),
        ("all of {apple, pear}", {"1100"}),
        ("any of Fruit such that apple in some_of and count of some_of <= 2", {"1000", "1100", "1010", "1001"}),
        ("exactly 2 of Fruit such that apple not in some_of", {"110", "101", "11"}),
    ],
)  # fmt: skip
def test_subsets(tmp_path: Path, quantity: str, expected: set[str]) -> None:
    assert outcomes(tmp_path, play(f'"Take {{some_of}}": some_of from {quantity}', TAKE), CODE) == expected


def test_too_few_for_a_subset_means_no_option(tmp_path: Path) -> None:
    rules = play('"Take {some_of}": some_of from exactly 3 of {apple, pear}', TAKE)
    rules = rules.replace("otherwise: nothing", "otherwise: set apple.taken to 7")
    assert outcomes(tmp_path, rules, "apple.taken") == {"7"}


ORDER = "let seat = 1\nfor each f in row\n    set f.taken to seat\n    seat + 1"


def test_orders(tmp_path: Path) -> None:
    rules = play('"Order {row}": row from order of {apple, pear, plum}', ORDER)
    assert outcomes(tmp_path, rules, CODE) == {"1230", "1320", "2130", "2310", "3120", "3210"}


def test_orders_under_a_condition(tmp_path: Path) -> None:
    rules = play('"Order {row}": row from order of {apple, pear, plum} such that first of row is not apple', ORDER)
    assert outcomes(tmp_path, rules, CODE) == {"2130", "2310", "3120", "3210"}


GIVE = "for each p in Player\n    set gift(p).taken to (if p is Ann then 1 else 2) + gift(p).taken"


def test_assignments(tmp_path: Path) -> None:
    rules = play('"Give": gift for each p in Player from Fruit where likes(p, it)', GIVE)
    assert outcomes(tmp_path, rules, CODE) == {"1200", "1020", "300", "120"}


def test_assignments_under_a_condition(tmp_path: Path) -> None:
    condition = "such that gift(Ann) is not gift(Bob)"
    rules = play(f'"Give": gift for each p in Player from Fruit where likes(p, it) {condition}', GIVE)
    assert outcomes(tmp_path, rules, CODE) == {"1200", "1020", "120"}


def test_an_assignment_that_cannot_be_made_is_no_option(tmp_path: Path) -> None:
    rules = play('"Give": gift for each p in Player from Fruit where likes(p, it) and it is fig', GIVE)
    rules = rules.replace("otherwise: nothing", "otherwise: set apple.taken to 7")
    assert outcomes(tmp_path, rules, "apple.taken") == {"7"}
    never = play('"Give": gift for each p in Player from Fruit such that gift(Ann) is not gift(Ann)', GIVE)
    never = never.replace("otherwise: nothing", "otherwise: set apple.taken to 7")
    assert outcomes(tmp_path, never, "apple.taken") == {"7"}


def test_pieces_that_are_alike_are_offered_once(tmp_path: Path) -> None:
    """Three tokens, two of one face: subsets are told apart by faces only."""
    path = tmp_path / "picks.rules"
    path.write_text(
        HEAD
        + play('"Take {some_of}": some_of from any of bag', "move some_of to tray")
        + 'test "faces"\n    given\n        bag shows apple, apple, fig\n    offers "Take nothing", "Take apple", '
        '"Take apple, apple", "Take apple, apple, fig", "Take apple, fig", "Take fig"\n'
    )
    from interpreter.runtime.tester import run_tests

    results = list(run_tests(path))
    assert [r.message for r in results] == [""]


def test_somebody_else_decides_in_the_middle_of_a_loop(tmp_path: Path) -> None:
    rules = (
        "play\n    for each f in {apple, pear}\n        choose by Bob\n"
        '            "Take {f}"\n                set f.taken to 1\n            "Leave {f}"\n                nothing\n'
        "    end game\n"
    )
    assert outcomes(tmp_path, rules, CODE) == {"0", "1000", "100", "1100"}
