"""Open grids in play: as long as no fault is raised, nobody can tell the ring of spaces from a plane."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.boards.plane import GAP
from interpreter.runtime.tester import run_tests, run_transcript

SIZE = 20
WALK = f"""language 1

game "Walk"
    players 1

board field of Square: open grid, {SIZE} by {SIZE + 1}

kind Tile: 9 in the box
    named "tile"
kind Flag: 2 in the box
    named "flag"

state last: Square or none

relation taken(s: Square) = s is not empty

relation in_line(n: 1..8, s: Square)
    when n = 1 and line of 1 through s where taken
    when n = 2 and line of 2 through s where taken
    when n = 3 and line of 3 through s where taken
    when n = 4 and line of 4 through s where taken

relation beside(s: Square)
    when (some neighbours of s where taken) and (some Tile where space is none or some Flag where space is none)

value reached(s: Square) = distance(s, slide from s to east while it is not empty)
value to_the_northwest(s: Square) = count of (run from s to northwest while it is not empty)
value joined(a: Square, b: Square) = if route from a to b through Square where taken then 1 else 0

setup
    place Tile on e0n0

play
    repeat
        choose
            "Lay {{s}}": s from Square where it is empty and beside
                if no Tile where space is none: place Flag on s
                else
                    place Tile on s
            "Take {{s}}": s from Square where taken(s) when (count of Square where taken) > 1
                move Tile on s to box
                move Flag on s to box
            "Remember {{s}}": s from Square where taken(s)
                set last to s
            "Forget" when last is not none
                set last to none
        otherwise: end game
"""

Place = tuple[int, int]


def near(a: Place, b: Place) -> int:
    """The distance of two places on a plane."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def placed(name: str) -> Place:
    """Column and row in a name."""
    letters = name.replace("n", " ").replace("s", " -").replace("e", "").replace("w", "-")
    column, row = letters.split()
    return int(column), int(row)


def on_ring(place: Place) -> Place:
    return place[0] % SIZE, place[1] % (SIZE + 1)


def extent(places: set[Place]) -> int:
    """What is left free around some places, in columns or rows, whichever is less."""
    across = max(x for x, _ in places) - min(x for x, _ in places) + 1
    along = max(y for _, y in places) - min(y for _, y in places) + 1
    return min(SIZE - across, SIZE + 1 - along)


class Plane:
    """What the game does, on a plane: the tiles, and the space that is remembered, wherever they drift."""

    def __init__(self) -> None:
        self.tiles: set[Place] = {(0, 0)}
        self.last: Place | None = None

    def laid(self, name: str) -> Place:
        """The place beside the tiles that a name of the ring means."""
        ring = on_ring(placed(name))
        beside = {(x + dx, y + dy) for x, y in self.tiles for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        (place,) = (place for place in beside if on_ring(place) == ring)
        return place

    def kept(self) -> set[Place]:
        return self.tiles if self.last is None else {*self.tiles, self.last}

    def do(self, option: str) -> None:
        what, _, name = option.partition(" ")
        if what == "Lay":
            self.tiles.add(self.laid(name))
        elif what == "Take":
            self.tiles.remove(self.laid(name))
        else:
            self.last = self.laid(name) if name else None

    def length(self, place: Place, way: Place) -> int:
        """How many tiles lie in a row behind a place."""
        steps = 0
        while (place[0] + (steps + 1) * way[0], place[1] + (steps + 1) * way[1]) in self.tiles:
            steps += 1
        return steps

    def is_joined(self, start: Place, end: Place) -> bool:
        reached, waiting = {start}, [start]
        while waiting:
            at = waiting.pop()
            beside = [tile for tile in self.tiles if near(at, tile) == 1 and tile not in reached]
            reached.update(beside)
            waiting += beside
        return end in reached


def names_of(session: dsl.Session) -> set[str]:
    return set(session.view(0).boards["field"])


def compare(session: dsl.Session, plane: Plane, random: Random) -> None:
    by_ring = {on_ring(place): place for place in plane.tiles}
    named = {by_ring[on_ring(placed(name))]: name for name in names_of(session)}
    assert set(named) == plane.tiles
    beside = {(x + dx, y + dy) for x, y in plane.tiles for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - plane.tiles
    offered = {option.name.split()[1] for option in session.options if option.name.startswith("Lay")}
    if len(plane.tiles) == 11:  # all that the box holds
        beside = set()
    assert len(offered) == len(beside)
    assert {on_ring(placed(name)) for name in offered} == {on_ring(place) for place in beside}
    for _ in range(3):
        (a, name), (b, other) = (random.choice(sorted(named.items())) for _ in range(2))
        assert session.evaluate(f"distance({name}, {other})") == near(a, b)
        assert session.evaluate(f"reached({name})") == plane.length(a, (1, 0))
        assert session.evaluate(f"to_the_northwest({name})") == plane.length(a, (-1, 1))
        assert session.evaluate(f"joined({name}, {other})") == plane.is_joined(a, b)
        for length in range(1, 5):
            axes = ((1, 0), (0, 1), (1, 1), (1, -1))
            longest = max(1 + plane.length(a, (x, y)) + plane.length(a, (-x, -y)) for x, y in axes)
            assert session.evaluate(f"in_line({length}, {name})") == (longest >= length)


def chosen(session: dsl.Session, plane: Plane, random: Random, drift: Place) -> str:
    """An option: mostly one that lets the tiles drift some way, those in front laid and those at the back taken."""
    names = [option.name for option in session.options]

    def along(name: str) -> int:
        place = plane.laid(name.split()[1])
        return place[0] * drift[0] + place[1] * drift[1]

    lay = [name for name in names if name.startswith("Lay")]
    take = [name for name in names if name.startswith("Take")]
    if random.random() < 0.2:
        return random.choice(names)
    if lay and (len(take) < 4 or random.random() < 0.5):
        return max(lay, key=along)
    return min(take, key=along)


def started(folder: Path, seed: int) -> dsl.Session:
    file = folder / "walk.rules"
    file.write_text(WALK, encoding="utf-8")
    return dsl.load(file).start(seed)


@pytest.mark.parametrize("drift", [(1, 0), (-1, 1), (0, -1), (0, 0)])
@pytest.mark.parametrize("seed", range(2))
def test_a_ring_cannot_be_told_from_a_plane(seed: int, drift: Place, tmp_path: Path) -> None:
    session, plane, random = started(tmp_path, seed), Plane(), Random(seed)
    for turn in range(200):
        option = chosen(session, plane, random, drift)
        plane.do(option)
        if extent(plane.kept()) < GAP:
            with pytest.raises(dsl.RulesError) as raised:
                session.choose(option)
            assert raised.value.diagnostics[0].code == "D717"
            return
        session.choose(option)
        if turn % 10 == 0:
            compare(session, plane, random)
    assert drift == (0, 0) or max(max(abs(x), abs(y)) for x, y in plane.tiles) > SIZE + GAP, "all around, and more"


# ------------------------------------------------------------------------------------------- at the limits


def lay_eastwards(session: dsl.Session, columns: range) -> None:
    for column in columns:
        session.choose(f"Lay e{column}n0")


def test_the_pieces_leave_eight_columns_free(tmp_path: Path) -> None:
    session = started(tmp_path, 1)
    lay_eastwards(session, range(1, 11))
    session.choose("Take e0n0")
    session.choose("Lay w9n0")  # the twentieth of a ring of twenty columns: eleven east of the origin
    assert session.evaluate("distance(e1n0, w9n0)") == 10
    session.choose("Take e5n0")
    session.choose("Lay w8n0")
    session.choose("Take e6n0")
    with pytest.raises(dsl.RulesError, match="D717"):
        session.choose("Lay w7n0")
    session.choose("Take e1n0")
    session.choose("Lay w7n0")


def test_what_is_remembered_counts_as_a_piece(tmp_path: Path) -> None:
    session = started(tmp_path, 1)
    session.choose("Remember e0n0")
    lay_eastwards(session, range(1, 9))
    session.choose("Take e0n0")
    lay_eastwards(session, range(9, 11))
    session.choose("Lay w9n0")
    session.choose("Take e5n0")
    with pytest.raises(dsl.RulesError) as raised:
        session.choose("Lay w8n0")
    (found,) = raised.value.diagnostics
    assert (found.code, found.message) == ("D717", "the pieces lie too far apart for this board")
    assert found.help is not None and "8 columns" in found.help
    session.choose("Forget")
    session.choose("Lay w8n0")


def test_a_save_keeps_where_the_board_is_cut(tmp_path: Path) -> None:
    session = started(tmp_path, 1)
    lay_eastwards(session, range(1, 11))
    session.choose("Take e0n0")
    session.choose("Lay w9n0")
    again = dsl.Session.resume(session.save(tmp_path / "drifted.save"))
    assert again.state == session.state
    assert again.evaluate("distance(e1n0, w9n0)") == 10
    session.undo()
    session.undo()
    assert session.evaluate("distance(e0n0, e10n0)") == 10


def test_a_view_names_the_spaces_on_which_anything_stands(tmp_path: Path) -> None:
    session = started(tmp_path, 1)
    session.choose("Lay w1s1")
    board = session.view(0).boards["field"]
    assert board == {"w1s1": {"pieces": ["tile"]}, "e0n0": {"pieces": ["tile"]}}


ENDLESS = """language 1

game "Endless"
    players 1

board field of Square: open grid

kind Stone: 3 in the box

state here: Square

setup
    place Stone on e0n0
    place Stone on e5n0

play
    end game

test "stopped by a piece, however far"
    given: place Stone on e0s25
    expect (slide from e0n0 to east while it is empty) is e4n0
    expect (slide from e5n0 to west while it is empty) is e1n0
    expect (slide from e0s25 to north while it is empty) is e0s1
    expect distance(e0s25, e5n0) = 25
    expect here is e0n0

test "by nothing: a slide"
    expect (slide from e5n0 to east while it is empty) is e6n0

test "by nothing: a run"
    expect count of (run from e0n0 to southwest while it is empty) = 3
"""


def test_a_slide_that_nothing_stops(tmp_path: Path) -> None:
    file = tmp_path / "endless.rules"
    file.write_text(ENDLESS, encoding="utf-8")
    assert [result.code for result in run_tests(file)] == ["", "D718", "D718"]


EXAMPLE = """game: walk.rules
board: |
  .  w2 w1 e0 e1
  n1 .  T  .  .  n1
  n0 .  .  T  .
  s1 .  F  .  T  s1
  .  w2 w1 e0 e1
given:
  T: Tile
  F: Flag
play:
  - choose: Lay w2n0
  - choose: Take e1s1
"""


def example(folder: Path, old: str = "", new: str = "") -> tuple[str, str]:
    """The code and message of a played example, with some of its text changed."""
    (folder / "walk.rules").write_text(WALK, encoding="utf-8")
    file = folder / "walk.test.yaml"
    file.write_text(EXAMPLE.replace(old, new) if old else EXAMPLE, encoding="utf-8")
    result = run_transcript(file)
    return result.code, result.message


def test_a_part_is_drawn_in_a_played_example(tmp_path: Path) -> None:
    assert example(tmp_path) == ("", "")
    assert example(tmp_path, "Take e1s1", "Take e1n1")[0] != ""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  .  w2 w1 e0 e1\n", "", "expected the names of columns above a part of an open grid"),
        ("  n0 .  .  T  .", "  .  .  T  .", "expected the name of a row, such as `n1` or `s2`, found `.`"),
        ("  n0 .  .  T  .", "  n0 .  .  T", "expected 4 spaces in row n0, found 3"),
    ],
)
def test_mistakes_in_a_drawn_part(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert example(tmp_path, old, new) == ("D609", message)


def size_of(values: object) -> int:
    """How many numbers a constant array holds."""
    return sum(map(size_of, values)) if isinstance(values, tuple) else 1


def test_no_table_is_over_pairs_of_spaces(tmp_path: Path) -> None:
    file = tmp_path / "walk.rules"
    file.write_text(WALK.replace(f"open grid, {SIZE} by {SIZE + 1}", "open grid"), encoding="utf-8")
    rules = dsl.load(file)
    rules.start(1).evaluate("distance(e1n0, w2n0) + reached(e0n0)")
    arrays = {**rules.program.arrays, **rules.snippet_arrays}
    assert 0 < sum(size_of(values) for values in arrays.values()) < 40 * 4096


MINUS_ONE = """language 1

game "Minus one"
    players 1

board field of Square: open grid, 16 by 16

kind Stone: 2 in the box

state here: Square = w1s1

setup
    place Stone on w1n0

play
    choose "Go {s}": s from neighbours of here where column = -1
        set here to s
    otherwise: nothing
    end game

test "minus one is a number, and not none"
    expect w1n0.column = -1
    expect here.column = -1 and here.row = -1
    expect count of (Square where column = -1) = 16
    expect (Stone on w1n0).space.column = -1
    expect (lowest of s.column for each s in Square) = -7
    offers "Go w1n0", "Go w1s2"
"""


def test_minus_one_is_a_number(tmp_path: Path) -> None:
    file = tmp_path / "minus.rules"
    file.write_text(MINUS_ONE, encoding="utf-8")
    assert [result.message for result in run_tests(file)] == [""]
