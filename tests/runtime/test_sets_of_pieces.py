"""Sets of pieces and spaces: said in two ways they are the same in every state, and what is printed is a constant."""

from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.backends.api import Fault
from interpreter.ir import code as c
from interpreter.ir.dump import dump, dump_function
from interpreter.ir.rewrite import visit_body

RULES = """language 1

game "Sets"
    players 2: Ann, Bob

option copies = 3 in 1..4

enum Sort: foot, horse, gun

table deck makes Card
    | card  | sort  | power |
    |-------|-------|-------|
    | Ram   | foot  | 1     |
    | Rider | horse | 2     |
    | Tower | gun   | 3     |

board field of Square: square grid, 4 by 3

kind Unit: copies of each Card
    side: Player
kind Rock: 3 in the box

zone hand of each Player holds Unit
zone common holds Unit
zone pile holds Unit, ordered

relation heavy(u: Unit) = u.power > 2

value guns = Unit where sort is gun
value heavies = Unit where heavy and power > 1
value standing guns = count of Unit where sort is gun and space is not none
value boxed(k: Card) = Unit where card is k and it in box
value mine(p: Player) = Unit where side is p and sort is not horse
value reach = neighbours of spaces of (Unit on Square) where it is empty
value edge = neighbours of field.north edge by orth
value apart = Square where column > 1 and it not in reach
value leader = first of pile also common

setup
    for each r in Rock: move r to first of (Square where column = 2 and it is empty)

play
    repeat 200 times
        choose
            "{u} to {s}": u from Unit, s from Square where it is empty
                move u to s
            "{u} to a hand": u from Unit
                move u to player.hand
                set u.side to next player of u.side
            "{u} to the pile": u from Unit
                move u to pile
            "{u} to common": u from Unit
                move u to common
            "{u} beside: {s}": u from Unit, s from reach where column > 3 and it is not u.space
                move u to s
            "{u} to the box": u from Unit
                move u to box
        otherwise: leave
"""

SAME = [
    ("Unit on Square", "Unit where space is not none"),
    ("Rock on Square", "Rock where space is not none"),
    ("Unit on neighbours of b2", "Unit where space in neighbours of b2"),
    ("Unit on (neighbours of b2 by diag)", "Unit where space in (neighbours of b2 by diag)"),
    ("Unit on field.north edge", "Unit where space in field.north edge"),
    ("Rock on {a1, b1, b2}", "Rock where space in {a1, b1, b2}"),
    ("Unit on Square where sort is gun", "Unit where space is not none and power = 3"),
    ("spaces of Unit", "Square where Unit on it is not none"),
    ("spaces of (Unit where sort is foot)", "Square where (Unit on it).sort is foot"),
    ("spaces of (Ann.hand also pile)", "Square where column > 9"),
    ("spaces of (Unit on field.north edge)", "field.north edge where Unit on it is not none"),
    ("neighbours of {a1, d3}", "Square where it in neighbours of a1 or it in neighbours of d3"),
    (
        "neighbours of spaces of Unit",
        "Square where some n in neighbours of it where Unit on n is not none",
    ),
    ("reach", "Square where it is empty and some n in neighbours of it where Unit on n is not none"),
    ("apart", "(Square where it not in reach) except field.west edge"),
    ("edge", "Square where some n in neighbours of it by orth where n in field.north edge"),
    ("Unit where it in box", "Unit except pile except common except Ann.hand except Bob.hand except (Unit on Square)"),
    ("Ann.hand also common", "Unit where it in Ann.hand or it in common"),
    ("pile also Unit on Square also common", "Unit where it in pile or it in common or space is not none"),
    (
        "pile also common also pile except top of pile",
        "Unit where (it in pile or it in common) and it is not top of pile",
    ),
    ("(Unit also pile except pile) also Ann.hand where power > 1", "Unit where power > 1 and it not in pile"),
    ("guns", "Unit where number of sort = 2"),
    ("heavies", "Unit where power = 3"),
    ("boxed(Rider)", "Unit where number of card = 2 and it in box"),
    ("mine(Bob)", "Unit where not (side is Ann or sort is horse)"),
    ("{a1} also {b1} also a1", "{b1, a1}"),
    ("neighbours of a1 except b1", "neighbours of a1 where it is not b1"),
    (
        "if pile is empty then Unit on Square else pile",
        "Unit where (if pile is empty then space is not none else it in pile)",
    ),
]
"""Two ways to say one set."""

NUMBERS = [
    ("count of (Unit on Square also pile)", "(count of Unit on Square) + count of pile"),
    ("count of Ann.hand also Bob.hand", "(count of Ann.hand) + count of Bob.hand"),
    ("count of Unit on Square also Unit on field.north edge", "count of Unit on Square"),
    ("count of spaces of Unit", "count of Unit on Square"),
    ("standing guns", "count of (guns where space is not none)"),
    ("count of {1, 2} also {2, 3} also (1..4) where it > 1", "3"),
    ("sum of (1..3) also {3, 5}", "11"),
    ("sum of u.power for each u in Unit on Square", "sum of (Unit on s).power for each s in spaces of Unit"),
    ("highest of u.power for each u in pile also common", "max(highest of u.power for each u in pile, "
     "highest of u.power for each u in common)"),
    ("count of neighbours of b2", "8"),
]  # fmt: skip

THINGS = [
    ("leader", "if top of pile is none then first of common else top of pile"),
    ("first of Unit on Square", "Unit on (first of (Square where Unit on it is not none))"),
    ("first of (common also Ann.hand)", "if common is empty then first of Ann.hand else first of common"),
    ("first of neighbours of {d3, c3}", "b2"),
]


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> dsl.Rules:
    file = tmp_path_factory.mktemp("sets") / "sets.rules"
    file.write_text(RULES, encoding="utf-8")
    return dsl.load(file)


@pytest.fixture(scope="module")
def moments(rules: dsl.Rules) -> list[dsl.Session]:
    """A game at several moments."""
    session, random = rules.start(3), Random(5)
    found = [session.clone()]
    for number in range(60):
        options = session.options
        session.apply(options[random.randrange(len(options))])
        if number % 6 == 0:
            found.append(session.clone())
    return found


@pytest.mark.parametrize(("one", "other"), SAME + NUMBERS + THINGS, ids=lambda text: text)
def test_said_in_two_ways(moments: list[dsl.Session], one: str, other: str) -> None:
    assert [moment.evaluate(one) for moment in moments] == [moment.evaluate(other) for moment in moments]


@pytest.mark.parametrize(("one", "other"), SAME, ids=lambda text: text)
def test_membership_and_emptiness(moments: list[dsl.Session], one: str, other: str) -> None:
    name = "Square" if "Square" in str(moments[0].rules.game.names) and _holds_spaces(moments[0], one) else "Unit"
    name = "Rock" if one.startswith("Rock") else name
    for moment in moments:
        members = moment.evaluate(one)
        assert moment.evaluate(f"{name} where it in ({one})") == members
        assert moment.evaluate(f"some ({one})") is bool(members)
        assert moment.evaluate(f"count of ({one})") == len(members)


def _holds_spaces(session: dsl.Session, text: str) -> bool:
    try:
        session.evaluate(f"spaces of ({text})")
    except dsl.DslError:
        return True
    return False


def test_states_differ(moments: list[dsl.Session]) -> None:
    assert len({str(moment.evaluate("Unit on Square")) for moment in moments}) > 5
    assert any(moment.evaluate("count of pile") for moment in moments)


# ------------------------------------------------------------------------------------------- what is printed


def body(rules: dsl.Rules, name: str) -> str:
    return dump_function(rules.program.functions[f"value {name}"])


def test_a_printed_filter_is_a_constant(rules: dsl.Rules) -> None:
    assert f"return {0b111000000}" in body(rules, "guns")
    assert f"return {0b111000000}" in body(rules, "heavies")
    assert f"return {sum(1 << at for at in range(4, 12))}" in body(rules, "edge")
    assert "for" not in body(rules, "guns") + body(rules, "heavies") + body(rules, "edge")


def test_the_printed_part_of_a_filter_is_a_constant_row(rules: dsl.Rules) -> None:
    (loop,) = loops(rules, "standing guns")
    assert isinstance(loop, c.ForRow)
    assert rules.program.arrays[loop.array] == ((6, 7, 8),)
    assert "sort" not in body(rules, "standing guns")
    assert "(6, 7, 8)" in dump(rules.program)


def test_a_printed_figure_that_is_known_in_play_chooses_the_row(rules: dsl.Rules) -> None:
    (loop,) = loops(rules, "boxed")
    assert isinstance(loop, c.ForRow)
    assert rules.program.arrays[loop.array] == ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    assert loop.index == c.Var("k")


def test_a_part_behind_one_that_can_change_is_printed_too(rules: dsl.Rules) -> None:
    (loop,) = loops(rules, "mine")
    assert isinstance(loop, c.ForRow)
    assert rules.program.arrays[loop.array] == ((0, 1, 2, 6, 7, 8),)


def test_a_set_that_is_the_same_for_all_is_asked_for_once(rules: dsl.Rules) -> None:
    lines = body(rules, "apart").splitlines()
    (asked,) = [line for line in lines if "value reach" in line]
    (loop,) = [line for line in lines if "for " in line]
    assert lines.index(asked) < lines.index(loop)
    options = dump_function(rules.program.functions["options 0"]).splitlines()
    (held,) = [line for line in options if "value reach" in line]
    assert held.startswith("  held")


def test_a_part_that_keeps_another_from_a_fault_is_asked_first(tmp_path: Path) -> None:
    file = tmp_path / "order.rules"
    file.write_text(
        RULES
        + "\neach Unit has\n    mark: 0..5 or none\n\nvalue marked = count of Unit where mark > 2 and sort is gun\n",
        encoding="utf-8",
    )
    session = dsl.load(file).start(1)
    with pytest.raises(Fault) as fault:
        session.evaluate("marked")
    assert fault.value.code == "D705"
    assert session.evaluate("count of Unit where sort is gun and sort is foot and mark > 2") == 0


def test_what_is_asked_beforehand_counts_as_used(rules: dsl.Rules) -> None:
    marks = [node for node in visit_body(rules.program.functions["value heavies"].body) if isinstance(node, c.Mark)]
    assert len(marks) == 2


def loops(rules: dsl.Rules, name: str) -> list[c.Stmt]:
    kinds = (c.ForRange, c.ForRow, c.ForBits, c.ForItems, c.ForList)
    return [node for node in visit_body(rules.program.functions[f"value {name}"].body) if isinstance(node, kinds)]


def test_copies_by_an_option(tmp_path: Path) -> None:
    file = tmp_path / "copies.rules"
    file.write_text(RULES, encoding="utf-8")
    for copies in (1, 4):
        session = dsl.load(file, options={"copies": copies}).start(1)
        assert session.evaluate("count of Unit") == 3 * copies
        assert session.evaluate("count of guns") == copies
