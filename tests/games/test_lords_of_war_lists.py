"""Lists that Lords of War takes and refuses: the cases of LW-T80 and their neighbours."""

from __future__ import annotations

import pytest

from interpreter.diagnostics import DslError
from interpreter.runtime import load


def _bring(changes: dict[str, object], **options: bool) -> None:
    """A game in which Player 1 brings a list of Orcs with these changes."""
    rules = load("lords_of_war", options=options)
    rules.start(seed=1, rosters={"Player_1": {"roster": "army", "race": "Orcs", **changes}})


@pytest.mark.parametrize(
    ("without", "with_", "said"),
    [
        pytest.param("O03", "OX3", "as many cards of the rank Private as a ready-made deck has", id="another rank"),
        pytest.param("O03", "L02", "L02 is not one of the Orcs", id="another race"),
        pytest.param("O01", "L01", "L01 is not one of the Orcs", id="another General"),
        pytest.param("O06", "O07", "`O07` is on the list already", id="what is there"),
    ],
)
def test_a_card_that_is_refused(without: str, with_: str, said: str) -> None:
    with pytest.raises(DslError) as caught:
        _bring({"without": [without], "with": [with_]})
    assert said in str(caught.value)


def test_a_card_put_in_twice() -> None:
    with pytest.raises(DslError, match="OX1"):
        _bring({"without": ["O03", "O04"], "with": ["OX1", "OX1"]})


def test_a_card_too_few() -> None:
    with pytest.raises(DslError, match="36 cards"):
        _bring({"without": ["O03"]})


@pytest.mark.parametrize(("without", "with_"), [("O03", "L02"), ("O01", "L01"), ("O07", "L29")])
def test_mercenaries_of_the_same_rank(without: str, with_: str) -> None:
    _bring({"without": [without], "with": [with_]}, mercenaries=True)


def test_mercenaries_of_another_rank() -> None:
    with pytest.raises(DslError, match="as many cards of the rank Veteran"):
        _bring({"without": ["O03"], "with": ["L29"]}, mercenaries=True)


def test_two_armies_of_one_race_need_two_games() -> None:
    rules = load("lords_of_war")
    orcs = {"roster": "army", "race": "Orcs"}
    with pytest.raises(DslError, match="in the box too few times"):
        rules.start(seed=1, rosters={"Player_1": orcs, "Player_2": orcs})
