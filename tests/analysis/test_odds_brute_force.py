"""Odds equal brute force exactly: the shipped games, worked out a second time from their rulebooks.

Every expected distribution here is counted in plain Python, by `itertools` over dice and orders of cards, with what the
rules say written once more by hand; nothing of the engine is used for it. Fractions are compared, not decimals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import pytest
from attrs import field, frozen

from interpreter.analysis.odds import Question, answer
from interpreter.runtime import Rules, load

Distribution = dict[object, Fraction]


def counted(outcomes: Iterable[Hashable]) -> Distribution:
    """The distribution of equally likely cases."""
    counts = Counter(outcomes)
    whole = sum(counts.values())
    return {outcome: Fraction(count, whole) for outcome, count in counts.items()}


def dice(count: int, faces: int = 6) -> Iterable[tuple[int, ...]]:
    """All ways in which so many dice can fall."""
    return product(range(1, faces + 1), repeat=count)


def given(cases: Iterable[tuple[Hashable, bool]]) -> Distribution:
    """The distribution of those of equally likely cases in which something holds."""
    return counted(outcome for outcome, holds in cases if holds)


# ---------------------------------------------------------------------------------------------------- pig


def turn_after(rolls: tuple[int, ...]) -> str:
    """Whose turn it is in Pig after some rolls: a 1 ends a turn."""
    return ("Ann", "Bob")[sum(roll == 1 for roll in rolls) % 2]


# ---------------------------------------------------------------------------------------------------- yacht

BOXES: Mapping[str, Callable[[tuple[int, ...]], int]] = {
    "Ones": lambda d: d.count(1),
    "Twos": lambda d: 2 * d.count(2),
    "Threes": lambda d: 3 * d.count(3),
    "Fours": lambda d: 4 * d.count(4),
    "Fives": lambda d: 5 * d.count(5),
    "Sixes": lambda d: 6 * d.count(6),
    "Full House": lambda d: sum(d) if sorted(Counter(d).values()) == [2, 3] else 0,
    "Four of a Kind": lambda d: next((4 * face for face in d if d.count(face) >= 4), 0),
    "Little Straight": lambda d: 30 if sorted(d) == [1, 2, 3, 4, 5] else 0,
    "Big Straight": lambda d: 30 if sorted(d) == [2, 3, 4, 5, 6] else 0,
    "Choice": sum,
    "Yacht": lambda d: 50 if len(set(d)) == 1 else 0,
}
"""What five dice are worth in each box."""
WRITTEN = {"Four of a Kind": "4 * fourfold"}
"""What cannot be asked for by the name of its box, which has a reserved word in it."""


@cache
def chances_of_ones() -> Distribution:
    """How many dice show a 1 after all 1s were rolled again; each case as often as it counts."""
    found: Counter[int] = Counter()
    for first in dice(5):
        ones = first.count(1)
        for again in dice(ones):
            found[again.count(1)] += 6 ** (5 - ones)
    whole = sum(found.values())
    return {outcome: Fraction(count, whole) for outcome, count in found.items()}


# ---------------------------------------------------------------------------------------------------- hall


@cache
def dwarves() -> Counter[tuple[int, ...]]:
    """How many of seven dice show each face, over all ways that they can fall."""
    return Counter(tuple(map(roll.count, range(1, 7))) for roll in dice(7))


def of_dwarves(worth: Callable[[tuple[int, ...]], int]) -> Distribution:
    found: Counter[int] = Counter()
    for counts, ways in dwarves().items():
        found[worth(counts)] += ways
    return {outcome: Fraction(count, 6**7) for outcome, count in found.items()}


# ---------------------------------------------------------------------------------------------------- cards


def worth(cards: Iterable[int]) -> int:
    """Cards of Blackjack: faces count 10, an ace 11 where that does not go over 21."""
    values = [min(card, 10) for card in cards]
    return sum(values) + (10 if sum(values) <= 11 and 1 in values else 0)


SHORT_DECK = (2, 5, 6, 9, 10)


def dealer_draws(deck: tuple[int, ...]) -> list[int]:
    """What the dealer holds who draws to 17; `deck` from the top."""
    held: list[int] = []
    while worth(held) < 17:
        held.append(deck[len(held)])
    return held


def settled(mine: int) -> Callable[[tuple[int, ...]], int]:
    """How a hand worth `mine` does against the dealer."""

    def result(deck: tuple[int, ...]) -> int:
        theirs = worth(dealer_draws(deck))
        return 1 if theirs > 21 or mine > theirs else -1 if mine < theirs else 0

    return result


def kuhn(showdown: int) -> Distribution:
    """First's chips when the hands are shown for so many chips."""
    return counted(showdown if first > second else -showdown for first, second, _ in permutations((1, 2, 3)))


RANKS = {2: "Two", 5: "Five", 6: "Six", 9: "Nine", 10: "Ten"}
ONLY_SHORT_DECK = ("move every Card to box", *(
    f"move first of (Card where rank is {name}) to deck" for name in RANKS.values()), "shuffle deck")  # fmt: skip
"""In Blackjack: a shuffled deck of five cards."""
MOONS = ("move every Card to box", "move (Card where suit is moons) to deck", "shuffle deck")
"""In Partners: a shuffled deck of four cards, ranks 1 to 4."""

BEATS = {("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")}


@frozen
class Case:
    """One question and its answer."""

    game: str
    text: str
    expected: Callable[[], Distribution]
    after: tuple[str, ...] = ()
    choose: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    with_setup: bool = False
    options: Mapping[str, object] = field(factory=dict)


def pool(
    text: str, expected: Callable[[tuple[int, ...]], int], *built: str, options: Mapping[str, object] = {}
) -> Case:
    """A value of Hall after the pool was rolled, with buildings on the map."""
    squares = ("a1", "c1", "b3")
    icons = tuple(f"set {square}.icon to {name}" for square, name in zip(squares, built, strict=False))
    return Case("hall", text, lambda: of_dwarves(expected), (*icons, "roll pool"), options=options)


CASES = (
    Case("pig", "roll 2d6", lambda: counted(map(sum, dice(2)))),
    Case("pig", "roll 2d6 >= 9", lambda: counted(sum(d) >= 9 for d in dice(2))),
    Case("pig", "max(roll d6, roll d6)", lambda: counted(map(max, dice(2)))),
    Case("pig", "min(roll d6, min(roll d6, roll d6))", lambda: counted(map(min, dice(3)))),
    Case("pig", "roll 3d6 mod 4 + roll d4", lambda: counted(
        sum(d) % 4 + e for d in dice(3) for e in range(1, 5))),
    Case("pig", "if roll d6 = 1 then 0 else roll d6 + roll d6", lambda: counted(
        0 if a == 1 else b + c for a, b, c in dice(3))),
    Case("pig", "roll d6 = 1 or roll d6 = 1", lambda: counted(1 in d for d in dice(2))),
    Case("pig", "if roll d2 = 1 then 6 div roll d3 else -roll 2d4", lambda: counted(
        6 // b if a == 1 else -(c + d) for a in (1, 2) for b in (1, 2, 3) for c, d in dice(2, 4))),
    Case("pig", "player", lambda: counted(map(turn_after, dice(1))), choose=("Roll",)),
    Case("pig", "player", lambda: counted(map(turn_after, dice(3))), choose=("Roll", "Roll", "Roll")),
    Case("pig", "player is Bob", lambda: counted(turn_after(d) == "Bob" for d in dice(5)), choose=("Roll",) * 5),
    Case("pig", "Ann.banked", lambda: counted(map(sum, dice(2))),
         after=("Ann.banked + roll d6", "Ann.banked + roll d6")),
    *(Case("yacht", WRITTEN.get(box, f"{box}.points"), lambda worth=worth: counted(map(worth, dice(5))), ("roll cup",))
      for box, worth in BOXES.items()),
    Case("yacht", "pips", lambda: counted(map(sum, dice(5))), with_setup=True),
    Case("yacht", "most alike", lambda: counted(max(map(d.count, d)) for d in dice(5)), ("roll cup",)),
    Case("yacht", "faces shown", lambda: counted(len(set(d)) for d in dice(5)), ("roll cup",)),
    Case("yacht", "dice showing(one)", chances_of_ones, ("roll cup", "roll (cup where face is one)")),
    Case("yacht", "Yacht.points", lambda: given((BOXES["Yacht"](d), d.count(6) >= 3) for d in dice(5)),
         ("roll cup",), given=("dice showing(six) >= 3",)),
    Case("yacht", "pips", lambda: given((sum(d), len(set(d)) == 2 and 1 in d) for d in dice(5)),
         ("roll cup",), given=("faces shown = 2", "dice showing(one) > 0")),
    Case("yacht", "pips + roll d6", lambda: counted(map(sum, dice(6))), ("roll cup",)),
    Case("yacht", "first of cup is first of (cup where face is six)", lambda: counted(d[0] == 6 for d in dice(5)),
         ("roll cup",)),
    pool("dwarves(fighting)", lambda counts: counts[0]),
    pool("pairs", lambda counts: counts[0] // 2),
    pool("fighting points", lambda counts: 3 * (counts[0] // 2)),
    pool("fighting points", lambda counts: 3 * (counts[0] // 2) + 3 * min(counts[0] // 2, 2), "Arena", "Arena"),
    pool("drinking points", lambda counts: counts[1] + min(counts[1], 1), "Still"),
    pool("steps down", lambda counts: counts[3] + min(counts[3], 3), "Blacksmith", "Blacksmith", "Blacksmith"),
    pool("builders", lambda counts: counts[4] + min(counts[4], 1), "Carpenter"),
    pool("a fighter stands alone(dwarves(fighting))", lambda counts: counts[0] % 2 == 1),
    pool("a fighter stands alone(dwarves(fighting))", lambda counts: counts[0] == 1,
         options={"lone fighter": "exactly_one"}),
    pool("worked(1)", lambda counts: counts[2] > 0),
    Case("hall", "points", lambda: counted(map(sum, dice(2))), ("dig down",) * 6),
    Case("hall", "points", lambda: counted([0]), ("dig down",) * 3, options={"gems": "final_step"}),
    Case("hall", "final score", lambda: counted(2 * a for (a,) in dice(1)), ("dig down",) * 3,
         options={"legend": True}),
    Case("hall", "final score", lambda: counted(Fraction(a, 2) for (a,) in dice(1)), ("dig down",),
         options={"elven": True}),
    Case("hall", "final score", lambda: counted((a + 1) // 2 for (a,) in dice(1)), ("dig down",),
         options={"elven": True, "rounding": "up"}),
    Case("kuhn_poker", "strength(First)", lambda: counted((1, 2, 3)), with_setup=True),
    Case("kuhn_poker", "strength(First) > strength(Second)", lambda: counted(
        a > b for a, b, _ in permutations((1, 2, 3))), with_setup=True),
    Case("kuhn_poker", "strength(First)", lambda: given(
        (a, b == 2) for a, b, _ in permutations((1, 2, 3))), given=("strength(Second) = 2",), with_setup=True),
    Case("kuhn_poker", "First.chips", lambda: kuhn(2), choose=("Bet", "Call"), with_setup=True),
    Case("kuhn_poker", "First.chips", lambda: kuhn(1), choose=("Check", "Check"), with_setup=True),
    Case("kuhn_poker", "First.chips", lambda: counted([-1]), choose=("Check", "Bet", "Fold"), with_setup=True),
    Case("blackjack", "worth(hand)", lambda: counted(worth(p[:2]) for p in permutations(SHORT_DECK)),
         (*ONLY_SHORT_DECK, "move 2 from deck to hand")),
    Case("blackjack", "worth(dealer)", lambda: counted(worth(dealer_draws(p)) for p in permutations(SHORT_DECK)),
         (*ONLY_SHORT_DECK, "settle")),
    Case("blackjack", "result", lambda: counted(map(settled(0), permutations(SHORT_DECK))),
         (*ONLY_SHORT_DECK, "settle")),
    Case("blackjack", "result", lambda: counted(map(settled(20), permutations(SHORT_DECK))),
         (*ONLY_SHORT_DECK, "move first of (Card where rank is King) to hand",
          "move first of (Card where rank is Queen) to hand", "settle")),
    Case("partners", "sum of c.rank for each c in North.hand", lambda: counted(
        sum(p[:2]) for p in permutations((1, 2, 3, 4))),
        (*MOONS, "move 2 from deck to North.hand")),
    Case("partners", "count of North.hand where rank >= 3", lambda: counted(
        sum(rank >= 3 for rank in p[:3]) for p in permutations((1, 2, 3, 4))),
        (*MOONS, "move 3 from deck to North.hand")),
    Case("rock_paper_scissors", "beats(if roll d3 = 1 then rock else if roll d2 = 1 then paper else scissors, paper)",
         lambda: {True: Fraction(1, 3), False: Fraction(2, 3)}),
)  # fmt: skip
"""All of them."""


@cache
def rules_of(game: str, options: tuple[tuple[str, object], ...]) -> Rules:
    return load(game, options=dict(options))  # type: ignore[arg-type]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}: {case.text}")
def test_odds_equal_brute_force(case: Case) -> None:
    rules = rules_of(case.game, tuple(case.options.items()))
    steps = tuple([("choose", name) for name in case.choose] + [("after", text) for text in case.after])
    question = Question(case.text, steps, case.given, case.with_setup)
    found = answer(rules.start(0), question)
    assert found.is_exact
    assert {outcome.value: share.exact for outcome, share in found.parts[0].odds.shares.items()} == case.expected()


def test_there_are_enough_of_them_over_enough_games() -> None:
    assert len(CASES) >= 30
    assert len({case.game for case in CASES}) >= 7


def test_every_place_of_a_table_equals_brute_force() -> None:
    found = answer(rules_of("yacht", ()).start(0), Question("boxes", with_setup=True))
    assert found.kind == "table" and found.is_exact
    shown = {part.name: {each.value: share.exact for each, share in part.odds.shares.items()} for part in found.parts}
    assert shown == {f"{box}.points": counted(map(worth, dice(5))) for box, worth in BOXES.items()}


def test_a_table_of_two_inputs_equals_brute_force() -> None:
    found = answer(rules_of("rock_paper_scissors", ()).start(0), Question("beats"))
    throws = ("rock", "paper", "scissors")
    assert {part.name: [each.value for each in part.odds.shares] for part in found.parts} == {
        f"beats({mine}, {other})": [(mine, other) in BEATS] for mine in throws for other in throws
    }


def test_what_an_effect_changes_equals_brute_force() -> None:
    found = answer(rules_of("hall", ()).start(0), Question("dig down", (("after", "dig down"), ("after", "dig down"))))
    assert {outcome.text: share.exact for outcome, share in found.parts[0].odds.shares.items()} == {
        f"dig 3, points {face}": Fraction(1, 6) for face in range(1, 7)
    }


def test_a_roll_told_as_an_effect_equals_brute_force() -> None:
    words = ("one", "two", "three", "four", "five", "six")
    session = rules_of("yacht", ()).start(0)
    found = answer(session, Question("roll cup"))

    def told(roll: tuple[int, ...]) -> str:
        said = [f"{roll.count(face)} x {words[face - 1]}" if roll.count(face) > 1 else words[face - 1]
                for face in sorted(set(roll))]  # fmt: skip
        return f"face {' and '.join(said)}"

    expected = counted(map(told, dice(5)))
    lying = tuple(f for f in range(1, 7) for _ in range(int(str(session.evaluate(f"dice showing({words[f - 1]})")))))
    expected[told(lying)] -= Fraction(1, 6**5)  # every die as it lay before: one of the orders of those faces
    expected["nothing changes"] = Fraction(1, 6**5)
    assert {outcome.text: share.exact for outcome, share in found.parts[0].odds.shares.items()} == expected
