"""Sessions: options, choosing by name, going back, copies, faults."""

from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.runtime.chance import Scripted, ScriptedChanceError
from interpreter.runtime.options import DONE, PASS
from interpreter.source import shipped_games

POOL = """language 1

game "Pool"
    players 1
    scored by total

enum Face from 1: one, two, three, four

kind Die: 4 in the box
    face: Face, rolled
    named "{face}"

zone cup holds Die
zone aside holds Die

value total = sum of number of d.face for each d in cup

setup
    move every Die to cup

play
    roll cup
    repeat 3 times
        choose
            "Drop {d}, reroll {rest}": d from cup, rest from any of cup except d
                move d to aside
                roll rest
            "Stop"
                leave
    may "Add {n}": n from 1..3
        end game
    end game "no more"
"""


@pytest.fixture
def pool(tmp_path: Path) -> dsl.Rules:
    file = tmp_path / "pool.rules"
    file.write_text(POOL, encoding="utf-8")
    return dsl.load(file)


def started(rules: dsl.Rules, *faces: int) -> dsl.Session:
    return rules.start(chance=Scripted(list(faces)))


def play(session: dsl.Session, random: Random, most: int = 400) -> None:
    for _ in range(most):
        if session.is_over:
            return
        session.apply(random.choice(session.options))


def test_a_decision_has_named_options_in_a_fixed_order(pool: dsl.Rules) -> None:
    session = started(pool, 1, 1, 2, 3)
    assert session.player == 0
    assert session.player_name == "Player 1"
    names = [option.name for option in session.options]
    assert names == ["Drop one, reroll …", "Drop two, reroll …", "Drop three, reroll …", "Stop"]
    assert [option.name for option in session.options] == names
    assert str(session.options[-1]) == "Stop"


def test_picks_are_named_by_their_members_and_the_choice_as_a_whole(pool: dsl.Rules) -> None:
    session = started(pool, 1, 1, 2, 3, 4)
    session.apply(0)
    assert [option.name for option in session.options] == ["one", "two", "three", DONE]
    assert session.prompt == "Drop one, reroll …"
    session.apply("two")
    assert session.prompt == "Drop one, reroll two"
    session.apply(DONE)
    assert [step.whole for step in session.history.steps] == ["", "", "Drop one, reroll two"]
    assert any(line == "Player 1: Drop one, reroll two" for line in session.log(0))


def test_a_whole_choice_is_found_by_its_name(pool: dsl.Rules) -> None:
    session = started(pool, 1, 1, 2, 3, 4, 4)
    session.choose("Drop one, reroll two, three")
    names = [step.name for step in session.history.steps]
    assert names == ["Drop one, reroll …", "two", "three"]
    assert session.evaluate("total") == 1 + 4 + 4


def test_the_order_in_which_a_set_is_named_does_not_matter(pool: dsl.Rules) -> None:
    one, two = started(pool, 1, 1, 2, 3, 4, 4), started(pool, 1, 1, 2, 3, 4, 4)
    one.choose("Drop one, reroll two, three")
    two.choose("Drop one, reroll three, two")
    assert one.hash() == two.hash()


def test_a_choice_of_nothing_has_a_name(pool: dsl.Rules) -> None:
    session = started(pool, 1, 2, 3, 4)
    session.choose("Drop four, reroll nothing")
    assert session.evaluate("count of cup") == 3


def test_all_whole_choices_can_be_listed(pool: dsl.Rules) -> None:
    session = started(pool, 1, 2, 3, 4)
    names = [choice.name for choice in session.choices()]
    assert len(names) == len(set(names)) == 4 * 8 + 1
    for name in names:
        session.clone().find(name)


def test_passing_is_called_pass(pool: dsl.Rules) -> None:
    session = started(pool, 1, 2, 3, 4)
    session.choose("Stop")
    assert [option.name for option in session.options] == ["Add 1", "Add 2", "Add 3", PASS]
    session.choose(PASS)
    assert session.is_over
    assert session.outcome is not None
    assert session.outcome.scores == (10,)
    assert session.outcome.reason == "no more"
    assert session.outcome.winners == ()


def test_what_is_not_offered_is_refused_with_the_nearest_name(pool: dsl.Rules) -> None:
    session = started(pool, 1, 1, 2, 3)
    with pytest.raises(dsl.IllegalChoice, match="did you mean `Stop`"):
        session.choose("Stpo")
    with pytest.raises(dsl.IllegalChoice, match="offered: `Drop one"):
        session.choose("something else entirely")
    with pytest.raises(dsl.InvalidChoice):
        session.apply(99)
    with pytest.raises(dsl.InvalidChoice):
        session.choose("  ")
    with pytest.raises(dsl.InvalidChoice):
        session.apply(None)  # type: ignore[arg-type]
    assert not session.history.steps


def test_an_option_of_an_earlier_decision_is_refused(pool: dsl.Rules) -> None:
    session = started(pool, 1, 1, 2, 3)
    stop = session.options[-1]
    session.apply(stop)
    with pytest.raises(dsl.IllegalChoice, match="not offered now"):
        session.apply(stop)


def test_a_game_that_is_over_offers_nothing(pool: dsl.Rules) -> None:
    session = started(pool, 1, 2, 3, 4)
    session.choose("Stop")
    session.choose(PASS)
    assert session.options == ()
    assert session.player is None
    assert session.player_name == session.prompt == ""
    with pytest.raises(dsl.IllegalChoice, match="the game is over"):
        session.choose("Stop")


def test_a_whole_choice_is_taken_back_as_one(pool: dsl.Rules) -> None:
    session = started(pool, 1, 1, 2, 3)
    before = session.hash()
    session.choose("Drop one, reroll nothing")
    assert session.can_undo
    session.undo()
    assert session.hash() == before
    assert not session.history.steps
    with pytest.raises(dsl.IllegalChoice, match="nothing was decided yet"):
        session.undo()


def test_a_roll_is_a_barrier(pool: dsl.Rules) -> None:
    session = started(pool, 1, 1, 2, 3, 4)
    session.choose("Drop one, reroll two")
    assert not session.can_undo
    assert session.undo_barrier == "a die was rolled"
    with pytest.raises(dsl.IllegalChoice, match="a die was rolled"):
        session.undo()
    session.undo(force=True)
    assert not session.history.steps


def test_another_player_who_decided_is_a_barrier() -> None:
    session = dsl.load("tic_tac_toe").start()
    session.choose("a1")
    assert session.can_undo
    session.choose("b2")
    session.undo()
    assert session.undo_barrier == "another player decided"
    assert len(session.history.steps) == 1


def test_what_was_revealed_is_a_barrier() -> None:
    session = dsl.load("kuhn_poker").start()
    session.choose("Bet")
    assert session.can_undo
    session.choose("Fold")
    assert session.undo_barrier == "a card was revealed"


def test_a_turn_is_taken_back_to_its_beginning() -> None:
    session = dsl.load("trading_race").start()
    before = session.hash()
    travel = next(option for option in session.options if option.name.startswith("Travel"))
    session.apply(travel)
    player = session.player
    session.apply(0)
    assert session.player == player
    session.undo_turn()
    assert session.hash() == before


def test_undoing_restores_log_and_options(pool: dsl.Rules) -> None:
    session = started(pool, 1, 2, 3, 4)
    options, log = session.options, session.log(0)
    session.choose("Drop one, reroll nothing")
    assert len(session.log(0)) > len(log)
    session.undo()
    assert session.options == options
    assert session.log(0) == log


def test_a_clone_goes_on_by_itself() -> None:
    session = dsl.load("pig").start(5)
    other = session.clone(quiet=True)
    play(other, Random(1))
    assert other.is_over
    assert not session.history.steps
    assert session.hash() != other.hash()
    log = len(session.events)
    third = session.clone()
    third.choose("Roll")
    assert len(session.events) == log


def test_the_hash_is_the_same_in_every_process() -> None:
    session = dsl.load("tic_tac_toe").start(1)
    other = dsl.load("tic_tac_toe").start(1)
    assert session.hash() == other.hash()
    assert len(session.hash()) == 16
    session.choose("a1")
    assert session.hash() != other.hash()


@pytest.mark.parametrize("file", shipped_games(), ids=lambda path: path.stem)
def test_every_shipped_game_can_be_played(file: Path) -> None:
    rules = dsl.load(file)
    one, two = rules.start(11), rules.start(11)
    play(one, Random(3))
    play(two, Random(3))
    assert one.hash() == two.hash()
    assert one.log(None) == two.log(None)
    if one.is_over:
        assert one.outcome is not None
        seats = sorted(player for place in one.outcome.ranking for player in place)
        assert seats == list(range(len(rules.players)))
        assert one.outcome.text(rules.players)


@pytest.mark.parametrize("file", shipped_games(), ids=lambda path: path.stem)
def test_option_names_differ_and_lead_to_their_options(file: Path) -> None:
    session = dsl.load(file).start(2)
    random = Random(9)
    for _ in range(25):
        if session.is_over:
            return
        names = [option.name for option in session.options]
        assert len(set(names)) == len(names)
        option = random.choice(session.options)
        assert session.find(option.name).codes == (option.code,)
        session.apply(option.name)


def test_given_dice_must_fit(pool: dsl.Rules) -> None:
    with pytest.raises(ScriptedChanceError, match="only 3 results were given"):
        started(pool, 1, 2, 3)
    with pytest.raises(ScriptedChanceError, match="expected 1 to 4"):
        started(pool, 1, 2, 3, 5)


def test_a_fault_of_the_rules_is_an_error_and_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "fault.rules"
    file.write_text(
        'language 1\n\ngame "Fault"\n    players 1\n\nstate coins: 0..5\n\nplay\n    repeat\n'
        '        choose "Earn"\n            coins + 3\n            if coins = 9: end game\n',
        encoding="utf-8",
    )
    session = dsl.load(file).start(4)
    session.choose("Earn")
    before = session.hash()
    with pytest.raises(dsl.RulesError) as error:
        session.choose("Earn")
    (found,) = error.value.diagnostics
    assert found.code == "D710"
    assert found.span is not None
    assert found.span.start.line == 11
    assert any("seed 4" in note for note in found.notes)
    assert any("`Earn`" in note for note in found.notes)
    assert session.hash() == before
    assert [option.name for option in session.options] == ["Earn"]


def test_rules_with_errors_are_told_all_at_once(tmp_path: Path) -> None:
    file = tmp_path / "wrong.rules"
    file.write_text(
        'language 1\n\ngame "Wrong"\n    players 1\n\nplay\n    frobnicate\n    choose "Go"\n        flub + 1\n',
        encoding="utf-8",
    )
    with pytest.raises(dsl.RulesError) as error:
        dsl.load(file)
    assert len(error.value.diagnostics) >= 2
    with pytest.raises(dsl.RulesError, match="D101"):
        dsl.load("tic_tac_to")
    with pytest.raises(dsl.RulesError, match="D821"):
        dsl.load("pig", backend="abacus")


def test_the_facade_imports_nothing_by_itself() -> None:
    import subprocess
    import sys

    code = "import sys, interpreter; assert not any(n.startswith('interpreter.') for n in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert "load" in dir(dsl)
    with pytest.raises(AttributeError):
        _ = dsl.nothing_of_the_sort  # type: ignore[attr-defined]


def test_rules_tell_what_they_are() -> None:
    rules = dsl.load("connect_four", options={"columns": 5})
    assert rules.title == "Connect Four"
    assert rules.players == ("Red", "Yellow")
    assert rules.options == {"columns": 5, "rows": 6, "in a row": 4} or rules.options["columns"] == 5
    assert dsl.load("connect_four", options={"columns": 5}) is rules


def test_values_can_be_asked_for() -> None:
    session = dsl.load("tic_tac_toe").start()
    session.choose("a1")
    assert session.evaluate("a1.mark") == "Cross"
    assert session.evaluate("a2.mark") is None
    assert session.evaluate("count of Square where mark is none") == 8
    assert session.evaluate("player is Nought") is True
    with pytest.raises(dsl.RulesError):
        session.evaluate("count of Sqare")


ORDERS = """language 1

game "Orders"
    players 1

enum Rank: Ace, King, Queen

kind Card: 1 of each Rank

zone hand holds Card

setup
    move every Card to hand

play
    choose "Sort {o}": o from order of hand
        choose "Aim": aim for each h in hand from Rank such that every k in hand satisfies aim(k) is not k.rank
            end game "sorted"
        otherwise: end game
"""


def test_orders_and_assignments_have_whole_names(tmp_path: Path) -> None:
    file = tmp_path / "orders.rules"
    file.write_text(ORDERS, encoding="utf-8")
    session = dsl.load(file).start()
    assert len({choice.name for choice in session.choices()}) == 6
    session.choose("Sort Queen, Ace, King")
    assert session.log(0)[-1] == "Player 1: Sort Queen, Ace, King"
    names = [choice.name for choice in session.choices()]
    assert len(set(names)) == len(names) == 8
    assert "Aim (King, Queen, Ace)" in names
    session.choose("Aim (King, Queen, Ace)")
    assert session.is_over
    assert dsl.Session.resume(session.save()).hash() == session.hash()
