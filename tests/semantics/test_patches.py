"""What variants and scenarios leave of the rules they change."""

from __future__ import annotations

from pathlib import Path

from interpreter.diagnostics import Diagnostics
from interpreter.semantics import Configuration, Game, project_from_source
from interpreter.semantics import model as m
from interpreter.semantics.understand import understand
from interpreter.source import Files, from_text

RULES = """language 1
game "A test"
    players 2

track steps: 0..9

table shops makes Shop
    | shop  | price | open |
    | Mill  | 3     | yes  |
    | Inn   | 4     |      |

table cost(n: number) gives number, first match
    | n   | cost |
    | 1   | 2    |
    | any | 3    |

value pace = 1
relation tired(n: number) = n > 5

effect walk(n: number)
    steps + n
phase Day
    walk(pace)

setup
    steps + 1
play
    Day
    end game

"""


def changed(variants: str, *names: str) -> Game:
    sink = Diagnostics()
    project = project_from_source(from_text("a.rules", RULES + variants), sink, Files(), Path.cwd())
    game = understand(project, Configuration(options=dict.fromkeys(names, True)), sink)
    assert game is not None, [f"{one.span}: {one.message}" for one in sink]
    return game


def called(block: m.Block | None) -> list[str]:
    """What a body does, in short: names of calls and steps, classes of all else."""
    assert block is not None
    found = []
    for statement in block.statements:
        match statement:
            case m.CallStatement(function=function):
                found.append(function.name)
            case m.Step(name=name):
                found.append(f"step {name}")
            case _:
                found.append(type(statement).__name__)
    return found


def test_a_variant_that_is_off_changes_nothing() -> None:
    text = "variant quick\n    modify pace\n        + 1\n    after Day: steps + 1\n"
    game = changed(text)
    assert not game.variants["quick"].active
    assert len(game.functions["pace"].lines) == 1
    assert called(game.functions["Day"].body) == ["walk"]


def test_lines_are_added() -> None:
    game = changed(
        'variant quick\n    modify pace\n        + 1 "quick"\n    modify tired\n        unless steps = 1\n', "quick"
    )
    assert [line.kind for line in game.functions["pace"].lines] == ["start", "+"]
    assert [line.kind for line in game.functions["tired"].cases] == ["when", "unless"]


def test_a_phase_is_kept_whole_under_another_name() -> None:
    text = 'variant quick "Quick"\n    before Day: steps + 1\n    after Day: steps + 1\n'
    game = changed(text, "quick")
    assert called(game.functions["Day"].body) == ["step Quick", "Day as printed", "step Quick"]
    assert called(game.functions["Day as printed"].body) == ["walk"]


def test_an_effect_hands_its_inputs_on() -> None:
    game = changed("variant quick\n    after walk: steps + n\n", "quick")
    body = game.functions["walk"].body
    assert called(body) == ["walk as printed", "step quick"]
    assert body is not None
    call = body.statements[0]
    assert isinstance(call, m.CallStatement)
    (given,) = call.arguments
    assert isinstance(given, m.LocalRef)
    assert given.local is game.functions["walk"].parameters[0]


def test_two_variants_add_up() -> None:
    text = "variant one\n    after Day: steps + 1\nvariant two\n    after Day: steps - 1\n    before Day: steps + 2\n"
    game = changed(text, "one", "two")
    assert called(game.functions["Day"].body) == ["step two", "Day as printed", "step one", "step two"]


def test_something_else_instead() -> None:
    text = "variant quick\n    instead of Day: nothing\n    instead of setup: nothing\n    after setup: steps + 1\n"
    game = changed(text, "quick")
    assert called(game.functions["Day"].body) == ["Nothing"]
    assert [called(block) for block in game.setup] == [["Nothing"], ["SetVariable"]]


def test_setup_and_play_are_added_to() -> None:
    text = "variant quick\n    before setup: nothing\n    after setup: nothing\n    before play: nothing\n"
    game = changed(text, "quick")
    assert [called(block) for block in game.setup] == [["Nothing"], ["SetVariable"], ["Nothing"]]
    assert called(game.play) == ["step quick", "Day", "End"]


def test_rows_are_replaced_and_added() -> None:
    text = """variant quick
    replace in shops
        | shop | price |
        | Inn  | 9     |
    add to shops
        | shop | open |
        | Kiln | yes  |
    add to cost
        | n | cost |
        | 2 | 7    |
"""
    game = changed(text, "quick")
    shop = game.rows["Shop"]
    assert shop.members == ("Mill", "Inn", "Kiln")
    assert shop.attributes["price"].values == (3, 9, 0)
    assert shop.attributes["open"].values == (1, 0, 1)
    table = game.functions["cost"].table
    assert table is not None
    values = [row.cells[0].value for row in table.rows]
    assert [value.value for value in values if isinstance(value, m.Const)] == [7, 2, 3]


def test_a_variant_adds_declarations() -> None:
    text = "variant quick\n    track haste: 0..3\n    option pace_up = 1 in 1..3\n"
    text += "    modify pace\n        + pace_up * haste\n"
    game = changed(text, "quick")
    assert [variable.name for variable in game.variables] == ["steps", "haste"]
    assert game.options["pace up"].value == 1
    assert [variable.name for variable in changed(text).variables] == ["steps"]
