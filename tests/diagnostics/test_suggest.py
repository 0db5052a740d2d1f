"""The nearest name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.diagnostics import did_you_mean, nearest


@pytest.mark.parametrize(
    ("word", "candidates", "expected"),
    [
        ("Warior", ["Warrior", "Wizard"], "Warrior"),  # a letter missing
        ("Warrrior", ["Warrior", "Wizard"], "Warrior"),  # a letter doubled
        ("Wrarior", ["Warrior", "Wizard"], "Warrior"),  # neighbours swapped
        ("warrior", ["Worrior", "Warrior"], "Warrior"),  # another case comes before another letter
        ("fight dice", ["fight_dice", "fight_die"], "fight_dice"),  # a space for an underscore
        ("Ax Warrior Orc", ["Elf Spearman", "Orc Ax Warrior"], "Orc Ax Warrior"),  # words in another order
        ("form", ["from", "farm"], "farm"),  # both one step away: the alphabet decides
        ("Orc", ["Elf", "Troll"], None),  # nothing alike
        ("x", ["y", "z"], None),  # a single letter has no neighbours
        ("x", ["y", "X"], "X"),
        ("Orc", ["Orc"], None),  # the word itself is no help
        ("", ["Orc"], None),
        ("Orc", [], None),
        ("injured", ["enraged"], None),  # three letters of seven are too many
    ],
)
def test_nearest(word: str, candidates: list[str], expected: str | None) -> None:
    assert nearest(word, candidates) == expected
    assert nearest(word, reversed(candidates)) == expected


def test_a_swap_is_one_step() -> None:
    assert nearest("abc", ["acb", "xyz"]) == "acb"
    assert nearest("ab", ["ba"]) == "ba"


def test_help_offers_the_name() -> None:
    assert did_you_mean("Warior", ["Warrior"]) == "did you mean `Warrior`?"
    assert did_you_mean("Warior", ["Elf"]) is None


@given(st.text("abc_ ", max_size=8), st.lists(st.text("abc_ ", max_size=8), max_size=8))
def test_the_answer_is_another_candidate(word: str, candidates: list[str]) -> None:
    answer = nearest(word, candidates)
    assert answer is None or (answer in candidates and answer != word)
