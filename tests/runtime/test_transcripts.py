"""Played examples: positions, choices by value, what is offered and seen, and games written as examples."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.diagnostics import Diagnostics
from interpreter.runtime.tester import TestResult, check_transcript, run_transcript
from interpreter.runtime.transcript_update import updated_transcript
from interpreter.runtime.transcript_writer import transcript_text
from interpreter.source import Files, shipped_games

REPOSITORY = Path(__file__).resolve().parents[2]

DUEL = """language 1

game "Duel"
    players 2: Elves, Orcs

enum Facing: north, east, south, west

board field of Square: square grid, 3 by 3

table warriors makes Warrior
    | warrior      | strength |
    |--------------|----------|
    | Elf Spearman | 2        |
    | Orc Axeman   | 3        |

kind Fighter: 2 for each Player
    facing: Facing
    wounds: 0..3
    named "{owner} fighter"

kind Token: 3 of each Facing

enum Face from 1: one, two, three, four, five, six

kind Die: 3 in the box
    face: Face, rolled
    named "{face}"

zone pool of each Player holds Token, ordered, seen by owner
zone heap holds Token
zone dice holds Die

each Square has
    mud: flag
    marked: Player or none

track moon: 0..9

each Player has
    gold: 0..9

relation friend(f: Fighter)
    when f.owner is player and f.space is not none

relation enemy(f: Fighter)
    when f.owner is not player and f.space is not none

relation enraged(f: Fighter)
    when f.wounds > 1

setup
    place Fighter of Elves on a1
    place Fighter of Orcs on c3
    move every Die to dice

play
    turns
        choose
            "{p} attacks {q}": p from Fighter where friend(it), q from Fighter where enemy(it)
                q.wounds + roll d2
            "March to {s}": s from Square where it is empty
                move first of (Fighter where owner is player) to s
            "Take {t}": t from exactly 2 of player.pool
                move t to heap
            "Rest"
                nothing

phase Night
    choose by Orcs "Howl"
        moon + 1
"""

HEAD = "game: duel.rules\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("duel.rules").write_text(
        DUEL.replace("    turns\n", "    turns\n        if moon = 9: Night\n"), encoding="utf-8"
    )


def write(text: str) -> Path:
    path = Path("it.test.yaml")
    path.write_text(text, encoding="utf-8")
    return path


def play(text: str) -> TestResult:
    return run_transcript(write(HEAD + text))


def holds(text: str) -> None:
    found = play(text)
    assert found.ok, found
    assert checked(text) == []


def checked(text: str) -> list[tuple[str, int]]:
    """Codes and lines of what is found without playing."""
    sink = Diagnostics()
    check_transcript(write(HEAD + text).absolute(), sink, Files(root=Path.cwd()))
    return [(found.code, found.span.start.line if found.span is not None else 0) for found in sink]


BOARD = """board: |
  . O .
  . m .
  E . m
given:
  E: {kind: Fighter, owner: Elves, facing: south}
  O: {kind: Orcs fighter, facing: north, wounds: 1}
  m: {mud: yes, marked: Orcs}
"""


def test_a_drawn_board_of_pieces_and_fields() -> None:
    holds(
        BOARD
        + """expect:
  - (Fighter on a1).owner is Elves
  - (Fighter on b3).owner is Orcs and (Fighter on b3).wounds = 1
  - (Fighter on b3).facing is north and (Fighter on a1).facing is south
  - c3 is empty
  - c1.mud and b2.mud and not a1.mud and b2.marked is Orcs and a3.marked is none
  - E.facing is south and O.wounds = 1
"""
    )


def test_letters_are_names_in_choices_and_conditions() -> None:
    holds(
        BOARD
        + """dice: [2]
play:
  - choose: E attacks O
    offers: {includes: [E attacks O], excludes: [O attacks E]}
    then: [enraged(O), not enraged(E), O.wounds = 3]
  - choose: O attacks E
    offers: {includes: ["Orcs fighter attacks Elves fighter"]}
dice: [2, 1]
""".replace("dice: [2]\n", "")
    )
    found = play(BOARD + "expect: ['E.wounds = 2']\n")
    assert (found.code, found.details) == ("D603", ("E.wounds is 0",))


def test_zones_counters_turns_and_fields() -> None:
    holds(
        """given:
  Elves.pool: [west, north, north]
  heap: [{kind: Token}, east]
  dice: [six, 2, two]
  moon: 4
  Orcs.gold: 7
  b2.mud: yes
  b2.marked: Elves
  (Fighter on a1).wounds: 2
  player: Orcs
  round number: 3
expect:
  - top of Elves.pool is first of (Elves.pool)
  - (top of Elves.pool).facing is west
  - count of Elves.pool = 3 and count of heap = 2
  - (count of dice where face is two) = 1 and (count of dice where face is six) = 1
  - moon = 4 and Orcs.gold = 7 and b2.mud and b2.marked is Elves
  - player is Orcs and round_number = 3 and enraged(Fighter on a1)
""".replace("[six, 2, two]", "[six, two]")
    )


def test_statements_and_entries_can_be_mixed_and_keep_their_order() -> None:
    holds("given: ['set moon to 3', {moon: 5, heap: [west]}, 'move every Token to box']\nexpect: [moon = 5, no heap]\n")
    holds("given: |\n  set moon to 3\n  set Elves.gold to 2\nexpect: [moon = 3, Elves.gold = 2]\n")


def test_a_phase_to_begin_at() -> None:
    holds("given: {phase: night}\nplay: [{choose: Howl, by: Orcs, then: [moon = 1]}]\n")
    holds("start: Night\nplay: [{by: Orcs, offers: Howl}]\n")


def test_a_choice_by_value() -> None:
    pool = "given: {Elves.pool: [west, north, east]}\n"
    for option in (
        "{branch: 'Take {t}', t: [east, west]}",
        "{branch: take, t: 'west', t: [west, east]}".replace("t: 'west', ", ""),
        "{t: [west, east]}",
    ):
        holds(pool + f"play: [{{choose: {{option: {option}}}, by: Elves, then: [count of heap = 2]}}]\n")
    holds("play: [{choose: {option: {branch: 'March to {s}', s: b2}}}, {choose: {option: {branch: Rest}}}]\n")
    for option, said in (
        ("{branch: Tkae}", "did you mean `Take {t}`?"),
        ("{branch: Rest, s: b2}", "`s` is not chosen here: nothing is chosen"),
        ("{branch: March to, z: b2}", "`z` is not chosen here: chosen is `s`"),
        ("{branch: March to, s: a1}", "no choice with branch March to, s a1 is offered to Elves"),
        ("{branch: March to}", "different choices are meant"),
    ):
        found = play(f"play: [{{choose: {{option: {option}}}}}]\n")
        assert (found.code, found.span.start.line) == ("D601", 2)
        assert said in found.message


def test_views() -> None:
    pools = "given: {Elves.pool: [west], Orcs.pool: [east]}\n"
    holds(
        pools + "view: {Elves: {hidden: [Orcs.pool, Orcs.pool order], shown: [Elves.pool, moon, Orcs.gold, b2.mud]}}\n"
    )
    found = play(pools + "view:\n  Elves:\n    hidden: [Elves.pool]\n")
    assert (found.code, found.span.start.line, found.message) == ("D607", 5, "`Elves.pool` is seen by Elves")


MISTAKES = {
    "board: |\n  . .\n  . . .\n  . . .\n": ("D609", 3),
    "board: |\n  . . .\n  . . .\n": ("D609", 4),
    "board: |\n  . . .\n  . Q .\n  . . .\n": ("D609", 4),
    "board: [1]\n": ("D609", 2),
    "board:\n  sea: |\n    .\n": ("D609", 3),
    BOARD.replace("facing: south", "facing: up"): ("D609", 7),
    BOARD.replace("facing: south", "fading: south"): ("D609", 7),
    BOARD.replace("kind: Fighter", "kind: Fihgter"): ("D609", 7),
    BOARD.replace("kind: Fighter", "kind: Die"): ("D609", 7),
    BOARD.replace("wounds: 1", "wounds: 4"): ("D609", 8),
    BOARD.replace("mud: yes", "mud: 3"): ("D609", 9),
    BOARD.replace("mud: yes", "mood: yes"): ("D609", 9),
    BOARD.replace(". O .", "O O O"): ("D609", 8),
    "given:\n  moon: 3\n  pool: [west]\n": ("D609", 4),
    "given:\n  Elfs.pool: [west]\n": ("D609", 3),
    "given:\n  Elves.heap: [west]\n": ("D609", 3),
    "given:\n  heap: west\n": ("D609", 3),
    "given:\n  heap: [west, west, west, west]\n": ("D609", 3),
    "given:\n  heap:\n    - west\n    - wset\n": ("D609", 5),
    "given:\n  moo: 3\n": ("D608", 3),
    "given:\n  Q: {mud: yes}\n": ("D609", 3),
    "given:\n  moon: yes\n": ("D608", 3),
    "given:\n  player: Elf\n": ("D608", 3),
    "given:\n  phase: Noon\n": ("D609", 3),
    "given: [set moon to, 3]\n": ("D608", 2),
    "expect:\n  - moon = 0\n  - moon\n": ("D608", 4),
    "expect:\n  - monn = 0\n": ("D608", 3),
    "play:\n  - choose: Rest\n    then: [monn = 0]\n": ("D608", 4),
    "play:\n  - choose: Rest\n    by: Elf\n": ("D602", 4),
    "dice:\n  - 1\n  - six\n": ("D505", 4),
    "dice: 3\n": ("D505", 2),
    "view: [Elves]\n": ("D505", 2),
    "view:\n  Elf: {hidden: [moon]}\n": ("D607", 3),
    "view:\n  Elves:\n    hidden: [moon, mooon]\n": ("D607", 4),
    "view:\n  Elves:\n    hiden: [moon]\n": ("D503", 4),
    "players: 5\n": ("D805", 2),
    "scenario: snow\n": ("D804", 2),
    "seed: 1\noptions:\n  size: 3\n": ("D801", 4),
    "with: [more.rules]\n": ("D820", 2),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_told_at_its_line(text: str) -> None:
    assert MISTAKES[text] in checked(text)
    found = play(text)
    assert not found.ok
    assert found.span.path == "it.test.yaml"
    assert found.span.start.line == MISTAKES[text][1]


def test_all_mistakes_are_found_at_once() -> None:
    text = (
        BOARD.replace("facing: south", "facing: up").replace("mud: yes", "mood: yes") + "  moo: 3\nexpect: [monn = 1]\n"
    )
    assert [line for _, line in checked(text)] == [7, 9, 10, 11]


PLAYED = {
    "play: [{choose: {}}]\n": ("D608", 2),
    "play: [{choose: [Rest]}]\n": ("D608", 2),
    "play: [{offers: {include: [Rest]}}]\n": ("D608", 2),
    "play:\n  - choose: Rest\n  - by: Elves\n": ("D602", 4),
    "play:\n  - offers:\n      excludes:\n        - Howl\n        - Rest\n": ("D605", 6),
    "play:\n  - choose: Elves fighter attacks Orcs fighter\ndice: []\n": ("D604", 4),
    "dice: [1]\n": ("D604", 2),
}


@pytest.mark.parametrize("text", PLAYED)
def test_a_failure_in_play_is_told_at_its_line(text: str) -> None:
    found = play(text)
    assert (found.code, found.span.start.line) == PLAYED[text]


# ------------------------------------------------------------------------------------------------ examples that ship


@pytest.mark.parametrize("path", sorted((REPOSITORY / "examples" / "transcripts").glob("*.yaml")), ids=lambda p: p.name)
def test_the_examples_that_ship_hold(path: Path) -> None:
    found = run_transcript(path)
    assert found.ok, found


# ---------------------------------------------------------------------------------------------------- updating


def test_updating_writes_what_is_the_case_and_keeps_comments() -> None:
    path = write(
        HEAD
        + """# why
given: {moon: 2}
play:
  - choose: Rest          # quietly
    offers:
      - Rest              # always
      - Sing
    then: ["player is Elves", "moon = 2"]
  - offers: [Rest]
expect:
  - moon = 7              # full
  - moon = 1 and player is Elves
  - player is Elves
  - not moon = 2
  - finished
"""
    )
    text = updated_transcript(path)
    assert text is not None
    path.write_text(text, encoding="utf-8")
    found = run_transcript(path)
    assert found.ok, (found, text)
    assert "# why\n" in text and "# quietly\n" in text and "- Rest              # always\n" in text
    assert "Sing" not in text
    assert '- "moon = 2"              # full\n' in text
    assert '"moon = 2 and player is Orcs"' in text and "- not finished\n" in text
    assert updated_transcript(path) is None


def test_updating_leaves_alone_what_an_example_means() -> None:
    for text in (
        "play: [{choose: Sing}]\n",
        "play: [{offers: {excludes: [Rest]}}]\n",
        "play: [{offers: {includes: [Sing]}}]\n",
        "given: {mooon: 3}\n",
        "expect: [monn = 3]\n",
        "game: other\n",
    ):
        assert updated_transcript(write(HEAD + text)) is None
    assert updated_transcript(Path("none.test.yaml")) is None


def test_a_block_of_offers_shrinks_grows_and_empties() -> None:
    Path("grow.rules").write_text(
        'language 1\n\ngame "Grow"\n    players 1\n\nstate n: 0..9\n\nplay\n    repeat 2 times\n'
        '        choose "Take {x}": x from 1..4\n            n + 1\n    end game\n'
    )
    for items in (
        "      - Take 2\n",
        "      - Take 9\n      - Take 4\n",
        "".join(f"      - Take {n}\n" for n in range(9)),
    ):
        path = write(f"game: grow.rules\nplay:\n  - offers:\n{items}    choose: Take 1   # one\n")
        text = updated_transcript(path)
        assert text is not None and "# one" in text
        assert run_transcript(write(text)).ok, text
    path = write("game: grow.rules\nplay:\n  - choose: Take 1\n  - choose: Take 1\n  - offers:\n    - Take 3\n")
    text = updated_transcript(path)
    assert text is not None and run_transcript(write(text)).ok, text


# ---------------------------------------------------------------------------------------------------- writing


@pytest.mark.parametrize("game", shipped_games(), ids=lambda path: path.stem)
def test_any_game_becomes_an_example_that_holds(game: Path) -> None:
    for seed, steps in ((1, 10_000), (2, 7), (3, 0)):
        session, random = dsl.load(game.stem).start(seed=seed), Random(seed)
        while not session.is_over and len(session.history.steps) < steps:
            session.apply(random.choice(session.options))
        text = transcript_text(session, Path.cwd())
        assert f"game: {game.stem}\n" in text
        found = run_transcript(write(text))
        assert found.ok, (found, text)
        assert updated_transcript(Path("it.test.yaml")) is None


def test_an_example_names_rules_from_its_own_folder() -> None:
    Path("plays").mkdir()
    session = dsl.load("duel.rules").start(seed=1)
    session.choose("Rest")
    text = transcript_text(session, Path("plays"))
    assert 'game: "../duel.rules"\n' in text
    Path("plays/it.test.yaml").write_text(text, encoding="utf-8")
    assert run_transcript(Path("plays/it.test.yaml")).ok
