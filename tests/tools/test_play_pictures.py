"""Cards as pictures, boards from the viewer's side, markers, and what is told before a choice."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest

import interpreter
from interpreter.runtime import Session
from interpreter.runtime.foresight import foresee
from interpreter.runtime.leak import shuffled_state
from interpreter.tools.play.match import Match, tabletop
from interpreter.tools.play.screen import DrawnScreen, PlainScreen
from interpreter.tools.play.seats import seats_of
from interpreter.tools.play.sheet import sheet_of
from interpreter.tools.play.tabletop import Part, Sheet
from interpreter.workspace.declared import describe_named, text_reader
from interpreter.workspace.pictures import Printed, row_pictures, side_by_side

from .conftest import Dsl
from .test_play_match import Given

BORDER = Path(__file__).parent / "games" / "border.rules"


@pytest.fixture
def border() -> Session:
    """A game in which South has laid two cards and North one."""
    session = interpreter.load(BORDER).start(seed=3)
    for choice in ("Lay Spearman on a1", "Lay Blue Guard on b2", "Lay Red Rider on b1", "Lay Tall Axe on c3"):
        session.choose(choice)
    return session


def part(sheet: Sheet, title: str) -> Part:
    return next(each for each in sheet.parts if isinstance(each, Part) and each.title == title)


def test_a_card_has_its_figures_where_they_point() -> None:
    card = Printed("Orc Slayer", ("5", "12", "", "", "1", "", "7", "3"), ("D 2", "Berserker"))
    (plain,) = row_pictures([card], drawn=False)
    assert plain.lines == (
        "3-----5----12",
        "|    Orc    |",
        "7   Slayer  |",
        "|    D 2    |",
        "| Berserker |",
        "+-----1-----+",
    )


def test_pictures_stand_side_by_side_and_wrap() -> None:
    cards = [Printed(name, ("1",) * 8, ()) for name in ("Ann", "Bob", "Cleo the Great")]
    pictures = row_pictures(cards, drawn=True)
    assert len({(len(picture.lines), picture.width) for picture in pictures}) == 1
    wide, narrow = side_by_side(pictures, 60), side_by_side(pictures, 20)
    assert len(wide.lines) == len(pictures[0].lines) and len(narrow.lines) == 2 * len(wide.lines)
    assert max(map(len, narrow.lines)) <= 20
    for drawn in (wide, narrow):
        assert len(drawn.tints) == 24
        assert all(drawn.lines[tint.line][tint.start : tint.end] == "1" for tint in drawn.tints)


NUMBERED = """\
language 1

game "Numbered"
    players 1

enum Way clockwise: F, R, B, L

table deck makes Card, arrow by Way
    | card | title: text | F | R | B | L | cost | moves: set of Way | flights: set of Way |
    |------|-------------|---|---|---|---|------|-------------------|-------------------|
    | K7   | Old Wolf    | 1 | 2 |   | 4 | 3    | F                 | F, R, B, L        |
    | K9   | Old Wolf    | 1 |   |   |   |      | F, R              |                   |

board field of Square: square grid, 2 by 1

kind Beast: 1 of each Card
    named "{title} {card}"

setup
    place Beast on a1

play
    choose "End"
        end game
"""


def test_cards_with_numbers_and_titles(tmp_path: Path) -> None:
    game = tmp_path / "numbered.rules"
    game.write_text(NUMBERED, encoding="utf-8")
    session = interpreter.load(game).start()
    assert part(sheet_of(tabletop(session, 0)), "field").drawn == (
        "      a       b",
        "  ┌───────┬───────┐",
        "  │·  1  ·│       │",
        "1 │4  K7 2│   ·   │ 1",
        "  │·  ·  ·│       │",
        "  └───────┴───────┘",
        "      a       b",
        "",
        "Old Wolf K7",
    )
    said = list(describe_named(session.rules.game, "K7", text_reader(None)))
    assert [line.strip() for line in said[1:8]] == [
        "+----1----+",
        "|   Old   |",
        "|   Wolf  |",
        "4   C 3   2",
        "| moves F |",
        "| flights |",
        "+---------+",
    ]


def test_a_row_is_shown_with_its_picture(dsl: Dsl) -> None:
    done = dsl("show", BORDER, "Red Rider")
    assert done.code == 0
    assert "    +---2---3\n    |  Red  |\n    | Rider |\n    |  D 4  4\n" in done.out
    rules = interpreter.load(BORDER)
    assert "    ╭───2───3" in list(describe_named(rules.game, "red rider", text_reader(None), drawn=True))


def test_the_board_lies_before_the_viewer(border: Session) -> None:
    south, north, onlooker = (part(sheet_of(tabletop(border, viewer)), "field").drawn for viewer in (0, 1, None))
    assert south == onlooker
    assert south[0].split() == ["a", "b", "c", "d"] and north[0].split() == ["d", "c", "b", "a"]
    assert next(line.split()[0] for line in south[2:] if line.lstrip()[:1].isdigit()) == "3"
    assert next(line.split()[0] for line in north[2:] if line.lstrip()[:1].isdigit()) == "1"


def test_figures_on_the_board_point_where_the_piece_looks(border: Session) -> None:
    south = "\n".join(part(sheet_of(tabletop(border, 0)), "field").drawn)
    north = "\n".join(part(sheet_of(tabletop(border, 1)), "field").drawn)
    assert south == BOARD_OF_SOUTH
    assert north == BOARD_OF_NORTH


def test_players_have_colours(border: Session) -> None:
    field = part(sheet_of(tabletop(border, 0)), "field")
    shown = {(tint.player, field.drawn[tint.line][tint.start : tint.end]) for tint in field.tints}
    assert {(0, "RR^*"), (1, "BGv*"), (1, "TAv")} <= shown
    stream = io.StringIO()
    DrawnScreen(colour=True, stream=stream).sheet(sheet_of(tabletop(border, 0)))
    assert "\x1b[1;31mRR^*" in stream.getvalue() and "\x1b[1;34mTAv" in stream.getvalue()


def test_a_narrow_screen_has_the_plain_grid(border: Session) -> None:
    field = part(sheet_of(tabletop(border, 0), 20), "field")
    assert "│" not in "".join(field.drawn) and any("RR^*" in line for line in field.drawn)


def test_markers_are_told_in_words_and_in_views(border: Session) -> None:
    field = part(sheet_of(tabletop(border, None)), "field")
    assert "b2: Blue Guard v (engaged)" in field.said and "a1: Spearman ^" in field.said
    assert "* engaged" in field.drawn
    pieces = border.view(None).pieces["Unit"]
    guard = next(piece for piece in pieces.values() if piece["name"] == "Blue Guard")
    assert guard["markers"] == ("engaged",) and guard["facing"] == "south"
    assert {piece["name"] for piece in pieces.values() if piece["markers"]} == {"Blue Guard", "Red Rider"}


def test_a_hand_is_shown_to_whom_it_belongs(border: Session) -> None:
    titles = [[each.title for each in sheet_of(tabletop(border, viewer)).parts] for viewer in (0, 1, None)]
    assert "South's hand" in titles[0] and "North's hand" not in titles[0]
    assert "North's hand" in titles[1] and "South's hand" not in titles[1]
    assert not any("hand" in title for title in titles[2])
    assert part(sheet_of(tabletop(border, 0)), "South's hand").said == ("Old Pike: F 5, FR 3, FL 3; defence 2, foot",)


def test_a_sheet_depends_on_nothing_hidden() -> None:
    session = interpreter.load(BORDER).start(seed=2)
    for viewer in (0, 1, None):
        for seed in range(6):
            other = session.with_state(shuffled_state(session.sight, session.state, viewer, Random(seed)))
            assert sheet_of(tabletop(session, viewer)) == sheet_of(tabletop(other, viewer))
            assert session.view(viewer).pieces == other.view(viewer).pieces


# ------------------------------------------------------------------------------------------- before a choice


def test_what_follows_is_told_up_to_what_is_hidden() -> None:
    session = interpreter.load(BORDER).start(seed=3)
    before = session.hash()
    found = foresee(session, session.find("Lay Old Pike on b2").codes, 0)
    assert found.happens == ("Old Pike: South.hand to b2",)
    assert found.then == "a unit is drawn"
    assert found.gone == found.numbers == found.marked == ()
    assert session.hash() == before and len(session.history.steps) == 0


def test_what_follows_names_what_leaves_and_what_changes(border: Session) -> None:
    found = foresee(border, border.find("Lay Old Pike on c2").codes, 0)
    assert found.gone == ("Old Pike (c2)", "Tall Axe (c3)")
    assert found.numbers == ("South.taken: 0 to 1", "North.taken: 0 to 1")
    assert found.happens[0] == "Old Pike: South.hand to c2" and "Tall Axe: c3 to pile" in found.happens
    assert found.marked == () and found.then == "North decides"


def test_what_follows_names_the_markers() -> None:
    session = interpreter.load(BORDER).start(seed=3)
    session.choose("Lay Spearman on a1")
    session.choose("Lay Blue Guard on b2")
    found = foresee(session, session.find("Lay Red Rider on b1").codes, 0)
    assert sorted(found.marked) == ["Blue Guard (b2): now engaged", "Red Rider (b1): now engaged"]
    session.choose("Lay Red Rider on b1")
    session.choose("Lay Tall Axe on c3")
    assert foresee(session, session.find("Lay Old Pike on d1").codes, 0).marked == ()


def talk(answers: list[str], drawn: bool = False) -> str:
    session = interpreter.load(BORDER).start(seed=3)
    stream = io.StringIO()
    screen = DrawnScreen(colour=False, stream=stream) if drawn else PlainScreen(stream)
    match = Match(session, seats_of(session.rules.players, ["South=human"], auto=False), screen, Given(answers))
    match.play()
    return stream.getvalue()


def test_if_is_an_order_by_number_and_by_name() -> None:
    text = talk(["if 1", "? 2", "if Lay Spearman on d3", "if", "if Lay Nobody on d3", "help"])
    assert "Lay Old Pike on a1:\n  Old Pike: South.hand to a1\nthen a unit is drawn\n" in text
    assert "Lay Old Pike on b1:\n" in text and "Lay Spearman on d3:\n" in text
    assert "if CHOICE: what follows right away" in text
    assert "`Lay Nobody on d3` is not offered to South" in text


def test_what_follows_stops_at_dice_and_tells_endings(tmp_path: Path) -> None:
    game = tmp_path / "ends.rules"
    game.write_text(ENDS, encoding="utf-8")
    session = interpreter.load(game).start(seed=1)
    assert foresee(session, session.find("Roll").codes, 0).then == "chance decides"
    assert foresee(session, session.find("Roll").codes, 0).numbers == ("points: 0 to 2",)
    ended = foresee(session, session.find("Stop").codes, 0)
    assert ended.then == "the game is over" and ended.happens == ("Ann wins: enough",)
    asked = foresee(session, session.find("Ask").codes, 0)
    assert asked.then == "Bob decides"
    assert foresee(session, session.find("Wait").codes, 0).then == "Ann decides: Go on, Stay"


def test_what_hangs_on_something_hidden_is_not_told(tmp_path: Path) -> None:
    from interpreter.tools.play.foretold import foretold

    game = tmp_path / "ends.rules"
    game.write_text(ENDS, encoding="utf-8")
    session = interpreter.load(game).start(seed=1)
    said = list(foretold(session, "Guess", session.find("Guess").codes, 0))
    assert said == ["Guess: depends on what is hidden"]


ENDS = """\
language 1

game "Ends"
    players 2: Ann, Bob

enum Colour: red, blue

kind Card: 3 of each Colour

zone deck holds Card, ordered, seen by nobody

state points: 0..99

setup
    move every Card to deck
    shuffle deck

play
    turns
        choose
            "Roll"
                points + 2
                let die = roll d6
                points + die
            "Stop"
                player wins "enough"
            "Ask"
                choose by (opponent of player)
                    "Yes"
                    "No"
            "Wait"
                points + 1
                choose
                    "Go on"
                    "Stay"
            "Guess"
                if (top of deck).colour is red: points + 50
"""

BOARD_OF_SOUTH = """\
       a         b         c         d
  ┌─────────┬─────────┬─────────┬─────────┐
  │         │         │·   ·   ·│         │
3 │    ·    │    ·    │·  TAv  ·│    ·    │ 3
  │         │         │2   5   2│         │
  ├─────────┼─────────┼─────────┼─────────┤
  │         │·   ·   ·│         │         │
2 │    ·    │1  BGv* 1│    ·    │    ·    │ 2
  │         │·   2   ·│         │         │
  ├─────────┼─────────┼─────────┼─────────┤
  │1   4   1│·   2   3│         │         │
1 │·   S^  ·│·  RR^* 4│    ·    │    ·    │ 1
  │·   ·   ·│·   ·   3│         │         │
  └─────────┴─────────┴─────────┴─────────┘
       a         b         c         d

BG Blue Guard, RR Red Rider, S Spearman, TA Tall Axe
* engaged"""

BOARD_OF_NORTH = """\
       d         c         b         a
  ┌─────────┬─────────┬─────────┬─────────┐
  │         │         │3   ·   ·│·   ·   ·│
1 │    ·    │    ·    │4  RRv* ·│·   Sv  ·│ 1
  │         │         │3   2   ·│1   4   1│
  ├─────────┼─────────┼─────────┼─────────┤
  │         │         │·   2   ·│         │
2 │    ·    │    ·    │1  BG^* 1│    ·    │ 2
  │         │         │·   ·   ·│         │
  ├─────────┼─────────┼─────────┼─────────┤
  │         │2   5   2│         │         │
3 │    ·    │·  TA^  ·│    ·    │    ·    │ 3
  │         │·   ·   ·│         │         │
  └─────────┴─────────┴─────────┴─────────┘
       d         c         b         a

BG Blue Guard, RR Red Rider, S Spearman, TA Tall Axe
* engaged"""
