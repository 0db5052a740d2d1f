"""The parts of the table: short names, bars, boards, zones, hidden things, menus, seats."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interpreter
from interpreter.analysis.bots import BOTS
from interpreter.runtime import Session
from interpreter.runtime.leak import shuffled_state
from interpreter.source import shipped_games
from interpreter.tools.play.abbreviate import abbreviate
from interpreter.tools.play.match import condensed, tabletop
from interpreter.tools.play.menu import Answer, Menu, Unclear, filtered, menu_of, read_answer
from interpreter.tools.play.orders import find_order
from interpreter.tools.play.seats import Seat, SeatFault, seats_of
from interpreter.tools.play.sheet import sheet_of
from interpreter.tools.play.tabletop import Part, Sheet, Table

GAMES = [path.stem for path in shipped_games()]


def started(game: str, moves: int = 0, seed: int = 1) -> Session:
    session = interpreter.load(game).start(seed=seed)
    for number in range(moves):
        if session.is_over:
            break
        session.apply(session.options[number % len(session.options)])
    return session


def part(sheet: Sheet, title: str) -> Part:
    return next(each for each in sheet.parts if isinstance(each, Part) and each.title == title)


@given(st.sets(st.text("abAB xy", min_size=1, max_size=6).map(str.strip).filter(bool), max_size=12))
def test_short_forms_differ(names: set[str]) -> None:
    plain = {" ".join(name.split()) for name in names}
    forms = abbreviate(plain)
    assert set(forms) == plain
    assert len(set(forms.values())) == len(plain)


def test_short_forms_are_short() -> None:
    assert abbreviate(["Red", "Yellow"]) == {"Red": "R", "Yellow": "Y"}
    assert abbreviate(["Throne Room", "Tavern", "Farm"]) == {"Throne Room": "TR", "Tavern": "T", "Farm": "F"}
    assert abbreviate(["Mine", "Mill"]) == {"Mine": "Min", "Mill": "Mil"}


def test_a_track_is_a_bar_in_blocks_of_five_with_its_marks() -> None:
    sheet = sheet_of(tabletop(started("hall"), 0))
    dig = next(line for line in part(sheet, "Tracks").drawn if line.startswith("dig"))
    assert "□□◇□□ ◇□□◇□ □◇" in dig and "0/12" in dig and "◇ gem" in dig
    assert "dig: 0 (0 to 12; gem at 3, 6, 9, 12)" in part(sheet, "Tracks").said
    assert all(len(line) < 79 for each in sheet.parts if isinstance(each, Part) for line in each.drawn)


def test_a_grid_is_drawn_with_what_stands_on_it() -> None:
    session = started("connect_four")
    session.choose("column 4")
    session.choose("column 4")
    rack = part(sheet_of(tabletop(session, None)), "rack")
    assert "1 . . . R . . . 1" in rack.drawn and "2 . . . Y . . . 2" in rack.drawn
    assert rack.said == ("d1: Red", "d2: Yellow", "40 of 42 spaces are empty")


def test_an_area_map_lists_links_and_who_is_there() -> None:
    land = part(sheet_of(tabletop(started("trading_race"), None)), "land")
    home = next(line for line in land.drawn if "Amber" in line.split(":")[0] and "[" in line)
    assert "Amber, Indigo" in home


def test_dice_are_told_by_face_and_counted() -> None:
    zones = part(sheet_of(tabletop(started("hall"), 0)), "Zones")
    pool = next(line for line in zones.drawn if line.startswith("pool"))
    assert any(face in pool for face in "⚀⚁⚂⚃⚄⚅")
    said = next(line for line in zones.said if line.startswith("pool"))
    numbers = [int(word.split()[0]) if word.split()[0].isdigit() else 1 for word in said.split(": ")[1].split(", ")]
    assert sum(numbers) == 7


def test_fields_of_players_are_a_table() -> None:
    tables = [each for each in sheet_of(tabletop(started("yacht"), 0)).parts if isinstance(each, Table)]
    assert tables[0].header == ("Box", "Player 1") and len(tables[0].rows) == 12


def test_hidden_things_are_only_counted() -> None:
    session = started("kuhn_poker")
    own = part(sheet_of(tabletop(session, 0)), "Zones").said
    other = part(sheet_of(tabletop(session, 1)), "Zones").said
    onlooker = part(sheet_of(tabletop(session, None)), "Zones").said
    hands = {rank for line in own for rank in ("Jack", "Queen", "King") if rank in line}
    assert len(hands) == 1
    assert own[2] == "Second's hand: 1 card, hidden" and other[1] == "First's hand: 1 card, hidden"
    assert not any(rank in line for line in onlooker for rank in ("Jack", "Queen", "King"))


@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_depends_on_nothing_hidden(game: str) -> None:
    from random import Random

    for moves in (0, 3, 9):
        session = started(game, moves)
        for viewer in [*range(len(session.rules.players)), None]:
            other = session.with_state(shuffled_state(session.sight, session.state, viewer, Random(moves)))
            assert sheet_of(tabletop(session, viewer)) == sheet_of(tabletop(other, viewer))


# ------------------------------------------------------------------------------------------- menus


@pytest.fixture
def menu() -> Menu:
    session = started("hall", seed=5)
    return menu_of(session)


def test_an_answer_is_a_number_a_name_or_a_beginning(menu: Menu) -> None:
    last = menu.options[-1]
    assert last.name == "Stop rolling"
    for text in (str(len(menu.options)), "Stop rolling", "stop  ROLLING", "st"):
        assert read_answer(menu, text) == Answer((last,))


def test_an_answer_is_never_guessed(menu: Menu) -> None:
    for text in ("Discard", "0", "99", "Spot rolling", "1 1"):
        assert isinstance(read_answer(menu, text), Unclear), text
    unclear = read_answer(menu, "Spot rolling")
    assert isinstance(unclear, Unclear) and "did you mean `Stop rolling`?" in unclear.message


def test_a_filter_keeps_numbers(menu: Menu) -> None:
    shown = filtered(menu, "ROLLING stop")
    assert [menu.options[position].name for position in shown] == ["Stop rolling"]
    assert filtered(menu, "nowhere") == ()


def test_many_options_are_grouped_by_branch() -> None:
    from interpreter.tools.play import menu as menu_module

    session = started("hall", seed=5)
    before, menu_module._MANY = menu_module._MANY, 2
    try:
        grouped = menu_of(session)
    finally:
        menu_module._MANY = before
    assert grouped.groups[0][0] == "Discard {d}, reroll {rest}"
    positions = [position for _, inside in grouped.groups for position in inside]
    assert sorted(positions) == list(range(len(session.options)))


# ------------------------------------------------------------------------------------------- seats and orders


def test_a_person_sits_first_and_bots_elsewhere() -> None:
    players = ("Ann", "Bob", "Cid")
    assert [seat.sitter for seat in seats_of(players, [], auto=False)] == ["human", "random", "random"]
    assert [seat.sitter for seat in seats_of(players, [], auto=True)] == ["random"] * 3
    assert [seat.sitter for seat in seats_of(players, ["bob=human"], auto=False)] == ["human", "human", "random"]
    assert [seat.sitter for seat in seats_of(players, ["1=random"], auto=False)] == ["random", "human", "random"]
    named = seats_of(("Player 1", "Player 2"), ["Player_1=random"], auto=False)
    assert [seat.sitter for seat in named] == ["random", "human"]
    assert seats_of(("Ann",), ["Ann=random"], auto=False) == (Seat(0, "random"),)
    assert "greedy" in BOTS


@pytest.mark.parametrize("wish", ["Ann", "Ann=", "Ann=humam", "Eve=human", "4=human", "=random"])
def test_a_wrong_seat_is_refused(wish: str) -> None:
    with pytest.raises(SeatFault):
        seats_of(("Ann", "Bob"), [wish], auto=False)


def test_orders_are_told_from_choices() -> None:
    def name_of(text: str) -> str | None:
        found = find_order(text)
        return None if found is None else f"{found[0].name}|{found[1]}"

    assert name_of("undo turn") == "undo turn|"
    assert name_of("UNDO") == "undo|"
    assert name_of("why not Build Tavern on a1") == "why not|Build Tavern on a1"
    assert name_of("why points") == "why|points"
    assert name_of("why") == "why|"
    assert name_of("save") == "save|"
    assert name_of("quit the job") is None
    assert name_of("help dig down") == "help|dig down"


def test_a_line_that_repeats_is_said_once() -> None:
    assert list(condensed(["a", "a", "a", "b", "a"])) == ["a (3 times)", "b", "a"]
    assert all(first != second for first, second in pairwise(condensed(["x", "x"])))
