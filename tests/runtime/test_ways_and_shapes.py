"""Ways by facing and drawn shapes, in play: against what one finds by walking over the board."""

from pathlib import Path

import pytest

import interpreter as dsl
from interpreter.workspace.declared import describe_named, text_reader

RULES = """language 1

game "Ways"
    players 1

enum Way clockwise: F, FR, R, BR, B, BL, L, FL
enum Quarter clockwise: ahead, right_hand, behind, left_hand

shapes Template
    Wall
        x x x
        . @ .
    Hook
        x x
        . x
        . X

board field of Square: {board}

kind Unit: 1 in the box

state here: Square or none
state facing: direction or none
state shape: Template or none
state way: Way or none
state hits: 0..999

setup
    place Unit on b2

play
    repeat
        choose "Count {{s}}": s from area(shape, here, facing)
            set here to s
            for each q in area(Hook, here, facing): hits + 1
        otherwise: end game
"""
COMPASS = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
WAYS = ["F", "FR", "R", "BR", "B", "BL", "L", "FL"]


def session(folder: Path, board: str) -> dsl.Session:
    file = folder / "ways.rules"
    file.write_text(RULES.format(board=board), encoding="utf-8")
    return dsl.load(file).start(1)


@pytest.fixture(params=["square grid, 7 by 6", "square grid, 12 by 11"], ids=["pairs", "offsets"])
def play(request: pytest.FixtureRequest, tmp_path: Path) -> dsl.Session:
    """On a board for tables over pairs of spaces, and on one for tables over offsets."""
    return session(tmp_path, request.param)


def test_turn_and_bearing_undo_each_other(play: dsl.Session) -> None:
    for facing in range(8):
        for steps, way in enumerate(WAYS):
            direction = COMPASS[(facing + steps) % 8]
            assert play.evaluate(f"turn({COMPASS[facing]}, {way}) is {direction}") is True
            assert play.evaluate(f"bearing({COMPASS[facing]}, {direction}) is {way}") is True


def test_a_bearing_between_two_ways_is_none(play: dsl.Session) -> None:
    assert play.evaluate("bearing(north, east, Quarter)") == "right hand"
    assert play.evaluate("bearing(north, northeast, Quarter)") is None
    assert play.evaluate("turn(northeast, right_hand)") == "southeast"


def test_of_none_it_is_none(play: dsl.Session) -> None:
    for asked in ("turn(facing, R)", "turn(north, way)", "bearing(facing, north, Way)", "bearing(north, facing, Way)"):
        assert play.evaluate(asked) is None
    for asked in ("toward(here, b2)", "toward(b2, here)", "toward(here, here)"):
        assert play.evaluate(asked) is None
    for asked in ("area(shape, b2, north)", "area(Wall, here, north)", "area(Wall, b2, facing)"):
        assert play.evaluate(f"count of {asked}") == 0
        assert play.evaluate(f"b3 in {asked}") is False
    assert play.evaluate("here in area(Wall, b2, north)") is False


def test_toward_is_the_step_that_leads_there(play: dsl.Session) -> None:
    squares = ["a1", "b1", "d4", "g6", "a6", "g1", "c3", "c4"]
    for a in squares:
        steps = {play.evaluate(f"next({a}, {way})"): way for way in COMPASS}
        for b in squares:
            assert play.evaluate(f"toward({a}, {b})") == steps.get(b)


@pytest.mark.parametrize(
    ("asked", "covered"),
    [
        ("area(Wall, c3)", "b4 c4 d4"),
        ("area(Wall, c3, north)", "b4 c4 d4"),
        ("area(Wall, c3, east)", "d2 d3 d4"),
        ("area(Wall, c3, south)", "b2 c2 d2"),
        ("area(Wall, c3, west)", "b2 b3 b4"),
        ("area(Wall, c3, northeast)", "c4 d3 d4"),
        ("area(Hook, c3, north)", "b5 c3 c4 c5"),
        ("area(Hook, c3, west)", "a2 a3 b3 c3"),
        ("area(Wall, a1, north)", "a2 b2"),
        ("area(Wall, a1, south)", ""),
        ("area(Hook, a1, west)", "a1"),
    ],
)
def test_what_a_shape_covers(play: dsl.Session, asked: str, covered: str) -> None:
    found = play.evaluate(asked)
    assert isinstance(found, tuple)
    assert sorted(found) == covered.split()
    for square in (f"{column}{row}" for column in "abcdefg" for row in range(1, 7)):
        assert play.evaluate(f"{square} in {asked}") is (square in covered.split())


def test_squares_come_row_by_row(play: dsl.Session) -> None:
    assert play.evaluate("first of area(Hook, c3, north)") == "c3"
    assert play.evaluate("first of area(Wall, c3, east)") == "d2"
    assert play.evaluate("some q in area(Wall, c3, south) where q is not empty") is True
    assert play.evaluate("count of (area(Wall, c3, south) where q is empty)".replace("q is", "it is")) == 2


def test_on_a_ring_toward_goes_round(tmp_path: Path) -> None:
    rules = RULES.format(board="ring, 5").replace("place Unit on b2", "place Unit on p2")
    start, rest = rules.split("    repeat\n")
    file = tmp_path / "ring.rules"
    file.write_text(start + '    choose\n        "Go"\n            end game\n', encoding="utf-8")
    assert "repeat" not in file.read_text(encoding="utf-8") and rest
    play = dsl.load(file).start(1)
    assert play.evaluate("toward(p5, p1)") == "forward"
    assert play.evaluate("toward(p1, p5)") == "back"
    assert play.evaluate("toward(p1, p3)") is None


def test_shapes_and_ways_are_shown(play: dsl.Session) -> None:
    said = "\n".join(describe_named(play.rules.game, "Template", text_reader(None)))
    assert "shapes Template" in said
    assert "        x x\n        . x\n        . X" in said
    assert "        x x x\n        . @ ." in said
    said = "\n".join(describe_named(play.rules.game, "Way", text_reader(None)))
    assert "enum Way clockwise" in said
