"""The talk of a game, with answers given by the test."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import pytest
from attrs import define, field

import interpreter
from interpreter.runtime import Session
from interpreter.tools.play.discreet import known_to
from interpreter.tools.play.match import Match
from interpreter.tools.play.screen import DrawnScreen, PlainScreen, folded
from interpreter.tools.play.seats import seats_of


@define
class Given:
    """Answers of one or several people at a keyboard."""

    answers: list[str]
    interactive: bool = True
    where: str = ""
    prompts: list[str] = field(factory=list)

    forgotten: int = 0

    def forget(self) -> None:
        self.forgotten += 1

    def read(self, prompt: str) -> str | None:
        self.prompts.append(prompt)
        return self.answers.pop(0) if self.answers else None


@define
class Talk:
    match: Match
    ending: str
    text: str

    @property
    def session(self) -> Session:
        return self.match.session


def talk(game: str, answers: Iterable[str], *wishes: str, seed: int = 4, drawn: bool = False) -> Talk:
    session = interpreter.load(game).start(seed=seed)
    stream = io.StringIO()
    screen = DrawnScreen(colour=False, stream=stream) if drawn else PlainScreen(stream)
    match = Match(session, seats_of(session.rules.players, wishes, auto=False), screen, Given(list(answers)))
    ending = match.play()
    return Talk(match, ending, stream.getvalue())


def test_answers_play_the_game() -> None:
    done = talk("tic_tac_toe", ["1", "a2", "B1", "b2", "c1"], "Nought=human")
    assert done.ending == "over"
    assert done.session.outcome is not None and done.session.outcome.winners == (0,)


def test_a_mistyped_answer_is_asked_again() -> None:
    done = talk("pig", ["Rol l", "99", "", "Roll"])
    assert "`Rol l` is not an option; did you mean `Roll`?" in done.text
    assert "no option has the number 99; the numbers are 1 to 1" in done.text
    assert done.ending == "no more answers" and len(done.session.history.steps) == 1


def test_a_choice_of_several_parts_can_be_named_whole_or_picked() -> None:
    whole = talk("hall", ["Discard digging, reroll cooking, cooking"], seed=5)
    assert whole.session.history.steps[-1].whole.startswith("Discard digging, reroll cooking, cooking")
    picked = talk("hall", ["Discard d", "3 4"], seed=5)
    assert picked.session.history.steps[-1].whole.startswith("Discard digging, reroll ")
    assert len(picked.session.history.steps) == 4
    assert "Discard digging, reroll … - pick" in picked.text


def test_several_numbers_are_only_for_picks() -> None:
    done = talk("hall", ["1 2"], seed=5)
    assert "one number at a time" in done.text and not done.session.history.steps


def test_undo_says_why_a_barrier_stands() -> None:
    done = talk("pig", ["undo", "Roll", "undo", "undo turn"])
    assert "cannot be taken back: nothing was decided yet" in done.text
    assert done.text.count("cannot be taken back: a die was rolled") == 2


def test_undo_takes_back_what_nobody_else_has_seen() -> None:
    done = talk("hall", ["Discard digging, reroll nothing", "undo"], seed=5)
    assert done.session.history.steps == []
    assert done.text.rstrip().endswith("Stop rolling")


def test_why_log_help_view_and_options() -> None:
    done = talk("pig", ["why Ann.banked", "why not Hold 3", "log", "help goal", "help", "view", "options", "help gaol"])
    assert "Ann.banked: 0" in done.text
    assert "not offered" in done.text or "fits no option" in done.text
    assert "option goal = 100" in done.text and "pig.rules:7" in done.text
    assert "undo turn" in done.text and "did you mean `goal`?" in done.text
    assert done.text.count("== Pig, Ann's turn") == 2
    assert done.session.history.steps == []


def test_what_cannot_be_explained_is_said_and_the_game_goes_on() -> None:
    done = talk("pig", ["why 1 +", "why nonsense", "why not", "odds nonsense", "why 1 div Ann.banked", "Roll"])
    assert "the calculation has no result" in done.text
    assert len(done.session.history.steps) == 1


def test_odds_of_the_options() -> None:
    done = talk("pig", ["odds", "odds 1", "odds 1 player", "Roll", "odds"])
    assert "Bob: Roll                    1/6" in done.text
    assert "player after Roll:" in done.text and "Ann           5/6" in done.text
    before = interpreter.load("pig").start(seed=4)
    before.choose("Roll")
    assert done.session.hash() == before.hash()


def test_odds_tell_no_secrets() -> None:
    done = talk("blackjack", ["odds", "odds 1"], seed=1)
    assert "depends on what is hidden" in done.text or "no option rolls dice" in done.text


def test_a_filter_lists_only_what_fits() -> None:
    done = talk("connect_four", ["/column 3", "/zebra"])
    assert "1 of 7 options\n3. column 3\n" in done.text and "no option holds `zebra`" in done.text


def test_save_writes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "kept.save"
    done = talk("pig", [f"save {file}", f"save {tmp_path / 'no' / 'way'}", "quit"])
    assert done.ending == "quit"
    assert Session.resume(file).hash() == done.session.hash()


def test_the_device_is_handed_on_only_where_there_are_secrets() -> None:
    open_game = talk("tic_tac_toe", ["a1", "a2"], "Nought=human")
    assert "hand on the device" not in open_game.text
    secret = talk("kuhn_poker", ["", "Check", "", "Check"], "Second=human")
    assert secret.text.count("hand on the device") == 2
    for player in ("First", "Second"):
        assert secret.text.index(f"{player} decides: hand") < secret.text.index(f"{player}: play - choose")


def test_each_person_sees_only_their_own_hand() -> None:
    done = talk("kuhn_poker", ["", "Check", ""], "Second=human", seed=5)
    first, second = done.text.split("Second decides: hand on the device")
    assert "Second's hand: 1 card, hidden" in first and "First's hand: 1 card, hidden" not in first
    assert "First's hand: 1 card, hidden" in second and "Second's hand: 1 card, hidden" not in second


def test_an_option_goes_before_an_order_of_its_name(tmp_path: Path) -> None:
    file = tmp_path / "odd.rules"
    file.write_text(
        'language 1\n\ngame "Odd"\n    players 1\n\nstate last: 0..2\n\nplay\n    repeat\n        choose\n'
        '            "undo"\n                set last to 1\n            "log"\n                set last to 2\n'
    )
    done = talk(str(file), ["undo", "log", ":undo"])
    assert [step.name for step in done.session.history.steps] == ["undo"]


@pytest.mark.parametrize("game", ["hall", "connect_four", "hex", "trading_race", "kuhn_poker", "yacht", "breakthrough"])
def test_the_drawn_screen_draws(game: str) -> None:
    done = talk(game, ["1", "1", "view", "quit"], drawn=True)
    assert "╭" in done.text and "\x1b[" not in done.text
    assert max(map(len, done.text.splitlines())) <= 200


def test_explanations_tell_nothing_hidden() -> None:
    done = talk(
        "kuhn_poker",
        ["", "Bet", "", "why strength(First)", "why strength(Second)", "why count of First.hand",
         "why top of First.hand", "why some First.hand where rank is Jack", "odds 1 strength(First)", "why not Fold"],
        "First=human", "Second=human", seed=5,
    )  # fmt: skip
    said = done.text[done.text.index("Second: play") :].splitlines()[3:]
    assert said[0] == "strength(First): depends on what is hidden"
    assert said[1] == "strength(Second): 3"
    assert "count of First.hand: 1" in said
    assert "top of First.hand: depends on what is hidden" in said
    assert "some First.hand where rank is Jack: depends on what is hidden" in said
    assert "depends on what is hidden" in said
    assert "Fold: offered" in said
    assert "Queen" not in "\n".join(said)


def test_every_hidden_piece_and_value_is_tried() -> None:
    session = interpreter.load("rock_paper_scissors").start(seed=1)
    session.choose("rock")
    for throw in ("rock", "paper", "scissors"):
        assert known_to(session, 1, lambda each, throw=throw: each.evaluate(f"Left.throw is {throw}")) is None
        assert known_to(session, 0, lambda each, throw=throw: each.evaluate(f"Left.throw is {throw}")) is not None
    assert known_to(session, 1, lambda each: each.evaluate("Left.throw is not none")) is True
    session = interpreter.load("blackjack").start(seed=1)
    for rank in ("Ace", "Nine", "King"):
        assert known_to(session, 0, lambda each, rank=rank: each.evaluate(f"some hole where rank is {rank}")) is None


def test_whoever_sits_down_finds_nothing_of_the_one_before() -> None:
    done = talk("rock_paper_scissors", ["", "rock", "", "view", "log", "undo turn"], "Left=human", "Right=human")
    asked = done.match.answers
    assert isinstance(asked, Given) and asked.forgotten >= 1
    after = done.text[done.text.index("Right decides") :]
    assert "rock" not in after.replace("1. rock", "")


def test_an_order_without_what_it_needs_says_so() -> None:
    done = talk("pig", ["why", "why not", "save", "odds", "help Tavern"])
    assert "why EXPR: how a number comes about" in done.text
    assert "why not CHOICE: why a choice is not offered" in done.text
    assert "save FILE: " in done.text


def test_help_and_why_not_know_things_of_other_moments() -> None:
    done = talk("hall", ["why not Build Tavern on a1", "help Tavern", "help cooking", "help a3", "x" * 3000], seed=5)
    assert "Build Tavern on a1: not offered now: it is a choice of Building" in done.text
    assert "Building Tavern    hall.rules:" in done.text and "    cost: 2\n" in done.text
    assert "Work cooking: number 3    hall.rules:" in done.text
    assert "Square a3    hall.rules:" in done.text and "linked with a4, b3" in done.text
    assert max(map(len, done.text.splitlines())) < 200


def test_long_lines_are_folded_under_what_they_tell() -> None:
    assert folded("gold   one, two, three, four", 20) == ["gold   one, two,", "       three, four"]
    assert folded("short", 20) == ["short"]
    assert folded("abcdefghij" * 3, 10) == ["abcdefghij"] * 3
    assert folded("   deep words go on and on", 12) == ["   deep", "   words go", "   on and on"]
    assert folded("", 10) == [""]
