"""Odds: how they are asked for, what is followed once instead of many times, what becomes of too many ways."""

from __future__ import annotations

from fractions import Fraction

import pytest

import interpreter.analysis.odds.paths as paths_module
import interpreter.analysis.odds.question as question_module
from interpreter.analysis.odds import Answer, Given, NotUnderstoodError, Question, answer, odds_of
from interpreter.diagnostics import DslError, IllegalChoice, InvalidChoice
from interpreter.runtime import Rules, Session, load

DICE = """\
language 1

## Ten dice, and much that can be asked of them.
game "Ten Dice"
    players 2: Ann, Bob

kind Die: 10 in the box
    face: 1..6, rolled
    locked: flag

zone cup holds Die
zone shelf holds Die, ordered

state favourite: Die or none
state found: 0..6

value pips = sum of d.face for each d in cup
value sixes = count of cup where face = 6
value leading = (first of cup).face
value slowly(n: number) = if n > 0 then 6 div n else 0

effect ask first
    choose by Ann
        "Yes"
            set found to 1
        "No"
            set found to 2

phase Pause
    set found to 0

setup
    move every Die to cup

play
    repeat
        choose
            "Roll two"
                let a = roll d6
                let b = roll d6
                set found to max(a, b)
            "Ask"
                ask first
            "Rest"
                Pause
"""


def told(found: Answer, part: int = 0) -> dict[object, Fraction]:
    return {outcome.value: share.exact for outcome, share in found.parts[part].odds.shares.items()}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    path = tmp_path_factory.mktemp("odds") / "ten.rules"
    path.write_text(DICE, encoding="utf-8")
    return load(path)


@pytest.fixture
def session(rules: Rules) -> Session:
    return rules.start(0)


def after(*effects: str) -> tuple[tuple[str, str], ...]:
    return tuple(("after", text) for text in effects)


# ---------------------------------------------------------------------------------------------------- merging


def test_ten_dice_are_rolled_as_multisets(session: Session) -> None:
    found = answer(session, Question("sixes", after("roll cup")))
    assert found.is_exact and found.runs == 3003
    assert told(found)[10] == Fraction(1, 6**10)


def test_ten_dice_in_one_expression_are_combined_part_by_part(session: Session) -> None:
    text = "roll d6"
    for _ in range(9):
        text = f"max(roll d6, {text})"
    found = answer(session, Question(text))
    assert found.is_exact and found.runs < 400
    assert told(found)[1] == Fraction(1, 6**10)


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("pips", ()),
        ("pips >= 20 and sixes > 1", ()),
        ("highest of d.face for each d in cup", ("set (first of cup).locked to yes",)),
        ("count of cup where locked and face = 6", ("set (first of cup).locked to yes",)),
        ("if favourite is none then 0 else favourite.face", ("set favourite to first of cup",)),
        ("sum of d.face for each d in shelf", ("roll cup", "move every cup to shelf", "roll shelf")),
        ("leading", ()),
    ],
)
@pytest.mark.parametrize("roll", ["roll cup", "roll (cup where face < 4)"])
def test_multisets_give_what_all_orders_give(
    session: Session, text: str, before: tuple[str, ...], roll: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = ("move 8 from cup to box", *before, "roll cup", roll)
    merged = answer(session, Question(text, after(*few)))
    monkeypatch.setattr(question_module, "is_generic", lambda nodes: False)
    monkeypatch.setattr(paths_module, "roll_of", lambda block: None)
    plain = answer(session, Question(text, after(*few)))
    assert merged.is_exact and plain.is_exact
    assert told(merged) == told(plain)
    assert merged.runs <= plain.runs


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("leading = 6", ()),
        ("first of (cup where face = 6)", ()),
        ("cup where face = 6", ()),
        ("leading", ("roll cup",)),
    ],
)
def test_what_names_a_piece_is_followed_way_by_way(session: Session, text: str, before: tuple[str, ...]) -> None:
    found = answer(session, Question(text, after("move 7 from cup to box", *before, "roll cup")))
    assert found.is_exact and found.runs >= 6**3


def test_equal_states_are_followed_once(session: Session) -> None:
    found = answer(session, Question("found", (("choose", "Roll two"),) * 4))
    assert told(found) == {k: Fraction(2 * k - 1, 36) for k in range(1, 7)}
    assert found.runs == 36 + 3 * 6 * 36  # not 36 ** 4


# ---------------------------------------------------------------------------------------------------- sampling


def test_too_many_ways_are_foreseen() -> None:
    calls = 0

    def run(given: Given) -> int:
        nonlocal calls
        calls += 1
        return sum(given.roll([], 6) for _ in range(40))

    found = odds_of(run, samples=100)
    assert not found.is_exact and found.runs == 100
    assert calls < 150


def test_a_lopsided_tree_is_followed_to_its_end() -> None:
    """Where the first way asks for much and the others for nothing, there are few ways after all."""

    def run(given: Given) -> int:
        if given.roll([], 1_000) > 0:
            return 0
        return 1 + sum(given.roll([], 2) for _ in range(12))

    found = odds_of(run, limit=6_000)
    assert found.is_exact and found.runs == 999 + 2**12
    assert found.shares[1].exact == Fraction(1, 1_000 * 2**12)


def test_a_sample_has_intervals_that_hold_the_exact_shares(session: Session) -> None:
    question = Question("sixes", after("roll cup"), ("sixes > 0",))
    exact, sampled = answer(session, question), answer(session, question, limit=10, samples=4_000)
    assert exact.is_exact and not sampled.is_exact
    assert sampled.condition is not None and exact.condition is not None
    assert sampled.condition.low < exact.condition.exact < sampled.condition.high
    assert sampled.runs == round(sampled.condition.exact * 4_000) < 4_000
    for outcome, share in sampled.parts[0].odds.shares.items():
        if share.exact > Fraction(1, 100):
            assert share.low - 0.01 < told(exact)[outcome.value] < share.high + 0.01
    assert answer(session, question, limit=10, samples=4_000) == sampled


def test_an_interrupted_sample_tells_what_it_has(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pressed(Given):
        pressed = 0

        def roll(self, state: list[int], sides: int) -> int:
            Pressed.pressed += 1
            if Pressed.pressed == 7_000:
                raise KeyboardInterrupt
            return Given.roll(self, state, sides)

    monkeypatch.setattr(paths_module, "Given", Pressed)
    found = answer(session, Question("sixes", after("roll cup")), limit=1)
    assert found.stopped and 500 < found.runs < 700
    monkeypatch.setattr(Pressed, "pressed", 6_900)
    with pytest.raises(KeyboardInterrupt):
        answer(session, Question("sixes", after("roll cup")), limit=1)


# ---------------------------------------------------------------------------------------------------- asking


def test_choices_and_effects_come_in_their_order(session: Session) -> None:
    steps = (("after", "set found to 6"), ("choose", "Rest"), ("after", "found + roll d2"))
    assert told(answer(session, Question("found", steps))) == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    assert told(answer(session, Question("found", (steps[1], steps[0])))) == {6: 1}


def test_the_session_asked_is_not_changed(session: Session) -> None:
    before = session.snapshot()
    answer(session, Question("roll cup", (("choose", "Roll two"),)), limit=50, samples=20)
    answer(session, Question("sixes", after("roll cup", "set player to Bob")))
    assert session.state == before and not session.history.steps


@pytest.mark.parametrize(
    ("question", "error", "said"),
    [
        (Question("sum of roll d6 for each d in cup"), InvalidChoice, "`roll 1d6` stands where it would be rolled for"),
        (Question("count of cup where roll d6 > face"), InvalidChoice, "stands where it would be rolled for"),
        (Question("found", after("ask first")), InvalidChoice, "effect `ask first` asks somebody"),
        (Question("Pause"), InvalidChoice, "phase `Pause` is played"),
        (Question("found", given=("found + 1",)), InvalidChoice, "`found + 1` is no condition"),
        (Question("found", given=("found > 5", "found < 2")), InvalidChoice, "in no case: found > 5 and found < 2"),
        (Question("found", (("choose", "Leave"),)), IllegalChoice, "`Leave` is not offered to Ann"),
        (Question("found", (*after("end game"), ("choose", "Rest"))), IllegalChoice, "the game is over"),
        (Question("6 div (roll d2 - 1)"), InvalidChoice, "`6 div (1 - 1)`: division by 0"),
        (Question("slowly"), InvalidChoice, "`slowly` needs n"),
        (Question("fond"), NotUnderstoodError, "unknown name `fond`"),
        (Question("found", given=("fond > 1",)), NotUnderstoodError, "unknown name `fond`"),
        (Question("found", after("ask frst")), NotUnderstoodError, "unknown effect or phase `ask frst`"),
        (Question("roll 200d6"), NotUnderstoodError, "is not a roll of 1 to 100 dice"),
    ],
)
def test_what_cannot_be_asked(session: Session, question: Question, error: type[DslError], said: str) -> None:
    with pytest.raises(error) as raised:
        answer(session, question)
    assert said in str(raised.value)


def test_a_part_that_is_not_needed_may_fail(session: Session) -> None:
    """Cut into parts, the second branch would be worked out, and would have no value where two dice are equal."""
    found = answer(session, Question("if found = 0 then roll d6 else 6 div (roll d2 - roll d2)"))
    assert told(found) == {face: Fraction(1, 6) for face in range(1, 7)}
    with pytest.raises(InvalidChoice, match=r"`if found = 1 then 1 else 6 div \(1 - 1\)`: division by 0"):
        answer(session, Question("if found = 1 then roll d6 else 6 div (roll d2 - roll d2)"))


def test_the_set_up_counts_when_it_is_asked_for() -> None:
    rules = load("kuhn_poker")
    assert told(answer(rules.start(3), Question("strength(First)"))) in ({1: 1}, {2: 1}, {3: 1})
    assert told(answer(rules.start(3), Question("strength(First)", with_setup=True))) == {
        rank: Fraction(1, 3) for rank in (1, 2, 3)
    }
