"""What becomes of rules once they are understood: players, options, variants, functions, bodies."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.diagnostics import Diagnostics
from interpreter.semantics import (
    Configuration,
    Game,
    domain_size,
    member_index,
    member_names,
    project_from_source,
    read_project,
    understand_expression,
)
from interpreter.semantics import model as m
from interpreter.semantics.types import FLAG, PLAYER, EnumType, NumberType, PieceType, RowType, SpaceType
from interpreter.semantics.understand import understand
from interpreter.source import Files, from_text, library_folder

SHIPPED = [path for folder in ("rules", "examples") for path in sorted(library_folder(folder).glob("*.rules"))]

HEAD = 'language 1\ngame "A test"\n    players 2..3: Ann, Bob, Cid\n'
PLAY = "play\n    end game\n"


def game_of(text: str, configuration: Configuration | None = None, head: str = HEAD, play: str = PLAY) -> Game:
    sink = Diagnostics()
    project = project_from_source(from_text("a.rules", head + text + play), sink, Files(), Path.cwd())
    game = understand(project, configuration or Configuration(), sink)
    assert game is not None, [f"{one.span}: {one.message}" for one in sink]
    return game


def faults(text: str, configuration: Configuration) -> list[tuple[str, str, str | None]]:
    sink = Diagnostics()
    project = project_from_source(from_text("a.rules", HEAD + text + PLAY), sink, Files(), Path.cwd())
    assert understand(project, configuration, sink) is None
    return [(one.code, one.message, one.help) for one in sink]


def expression(text: str, game: Game) -> m.Expr:
    sink = Diagnostics()
    found = understand_expression(text, game, sink)
    assert found is not None, [one.message for one in sink]
    return found


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_games_are_understood(path: Path) -> None:
    sink = Diagnostics()
    project = read_project(path, sink, Files(root=path.parent))
    assert project is not None
    assert understand(project, Configuration(), sink) is not None
    for variant in project.variants:
        assert understand(project, Configuration(options={variant.name.text: True}), sink) is not None
    assert [str(one.message) for one in sink] == []


# ------------------------------------------------------------------------------------------- configuration

OPTIONS = """
option goal = 5 in 3..9
option fast_play = no
option lone rule = strict or very_loose
track steps: 0..9
value used = if fast_play and lone rule is strict then goal else steps
variant night "By Night"
    preset goal = 7
variant day
    excludes night unless fast_play
scenario dusk "At Dusk"
    preset lone rule = very loose
"""


def values(configuration: Configuration) -> dict[str, int]:
    return {name: option.value for name, option in game_of(OPTIONS, configuration).options.items()}


def test_options_have_their_defaults() -> None:
    assert values(Configuration()) == {"goal": 5, "fast play": 0, "lone rule": 0}


@pytest.mark.parametrize("name", ["lone rule", "lone_rule", "Lone Rule"])
@pytest.mark.parametrize("value", ["very loose", "very_loose", "Very Loose"])
def test_names_are_taken_as_people_write_them(name: str, value: str) -> None:
    assert values(Configuration(options={name: value}))["lone rule"] == 1


@pytest.mark.parametrize("value", [True, "yes", "true", "on"])
def test_yes_is_written_in_many_ways(value: str | bool) -> None:
    assert values(Configuration(options={"fast_play": value}))["fast play"] == 1


def test_variants_and_scenarios_preset_options_and_people_overrule_them() -> None:
    assert values(Configuration(options={"night": True}))["goal"] == 7
    assert values(Configuration(options={"night": True, "goal": "4"}))["goal"] == 4
    assert values(Configuration(scenario="dusk"))["lone rule"] == 1
    assert values(Configuration(scenario="at dusk"))["lone rule"] == 1


def test_what_cannot_be_chosen_is_reported() -> None:
    assert faults(OPTIONS, Configuration(options={"gaol": 4})) == [
        ("D801", "unknown option `gaol`", "did you mean `goal`?")
    ]
    assert faults(OPTIONS, Configuration(options={"goal": 12}))[0][:2] == (
        "D802",
        "`12` for option `goal`: expected a number from 3 to 9",
    )
    assert faults(OPTIONS, Configuration(options={"goal": True}))[0][0] == "D802"
    assert faults(OPTIONS, Configuration(options={"night": "perhaps"}))[0][0] == "D802"
    assert faults(OPTIONS, Configuration(options={"lone_rule": "stict"}))[0][2] == "did you mean `strict`?"
    assert faults(OPTIONS, Configuration(scenario="dask")) == [
        ("D804", "unknown scenario `dask`", "did you mean `dusk`?")
    ]
    assert faults(OPTIONS, Configuration(players=4))[0][:2] == ("D805", "4 players, expected 2 or 3")
    assert faults(OPTIONS, Configuration(options={"night": True, "day": True}))[0][:2] == (
        "D803",
        "variants `day` and `night` exclude each other",
    )


def test_excluded_variants_may_be_allowed() -> None:
    both = {"night": True, "day": True, "fast play": True}
    assert game_of(OPTIONS, Configuration(options=both)).variants["day"].active


def test_players_have_names() -> None:
    assert game_of("").players == ("Ann", "Bob")
    assert game_of("", Configuration(players=3)).players == ("Ann", "Bob", "Cid")
    unnamed = 'language 1\ngame "A test"\n    players 1..4\n'
    assert game_of("", Configuration(players=2), head=unnamed).players == ("Player 1", "Player 2")


def test_the_fingerprint_tells_configurations_apart() -> None:
    plain = game_of(OPTIONS).fingerprint
    assert len(plain) == 16
    assert game_of(OPTIONS).fingerprint == plain
    others = [
        Configuration(options={"goal": 4}),
        Configuration(options={"day": True}),
        Configuration(players=3),
        Configuration(scenario="dusk"),
    ]
    assert len({plain, *(game_of(OPTIONS, other).fingerprint for other in others)}) == 5


# ------------------------------------------------------------------------------------------- declarations

THINGS = """
option size = 3 in 2..5
enum Rank from 2: Two, Three, Ten
kind Card: 4 of each Rank
kind Pawn: size for each Player
    level: 2..5
    named "{owner} pawn"
kind Robber: 1 in the box
zone hand of each Player holds Card, seen by owner
zone den holds Robber
board grid of Square: square grid, size by 2
track dig: 0..12 = 4
    gem at 3, 9
state best: Player or none
each Square has
    owner: Player or none
    burnt: flag
    rank: Rank
table shops makes Shop
    | shop      | price | open | worth: value |
    | Old Mill  | 3     | yes  | 2 * price    |
    | Inn       | -1    |      |              |
"""


def test_domains() -> None:
    game = game_of(THINGS)
    assert domain_size(game, EnumType(name="Rank")) == 3
    assert domain_size(game, PieceType(name="Card")) == 12
    assert domain_size(game, SpaceType(name="Square")) == 6
    assert domain_size(game, FLAG) == 2
    assert domain_size(game, NumberType(low=2, high=5)) == 4
    assert member_names(game, RowType(name="Shop")) == ("Old Mill", "Inn")
    assert member_names(game, PieceType(name="Card"))[3:5] == ("Two", "Three")
    assert member_names(game, PieceType(name="Robber")) == ("Robber",)
    assert member_names(game, SpaceType(name="Square")) == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert member_index(game, RowType(name="Shop"), "old_mill") == 0
    assert member_index(game, PLAYER, "bob") == 1
    assert member_index(game, PLAYER, "cid") is None


def test_sizes_follow_options_and_players() -> None:
    game = game_of(THINGS, Configuration(players=3, options={"size": 5}))
    assert game.kinds["Pawn"].count == 15
    assert game.kinds["Pawn"].attributes["owner"].values == (0,) * 5 + (1,) * 5 + (2,) * 5
    assert len(game.boards["grid"].board.spaces) == 10


def test_what_is_kept_has_bounds_and_a_start() -> None:
    kept = {variable.name: variable for variable in game_of(THINGS).variables}
    found = {name: (one.low, one.high, getattr(one.start, "value", None)) for name, one in kept.items()}
    assert found == {
        "dig": (0, 12, 4),
        "best": (-1, 1, -1),
        "owner": (-1, 1, -1),
        "burnt": (0, 1, 0),
        "rank": (0, 2, 0),
        "level": (2, 5, 2),
    }
    assert kept["dig"].is_track
    assert kept["dig"].marks == {"gem": (3, 9)}
    assert kept["owner"].keys == (SpaceType(name="Square"),)


def test_columns_of_a_table() -> None:
    shop = game_of(THINGS).rows["Shop"]
    assert shop.attributes["price"].values == (3, -1)
    assert shop.attributes["open"].values == (1, 0)
    worth = shop.functions["worth"].table
    assert worth is not None
    assert isinstance(worth.rows[0].cells[0].value, m.Arithmetic)


def test_several_tables_make_one_type() -> None:
    more = """
table inns makes Shop
    | inn   | open | price |
    | Swan  | yes  | 7     |
    | Eagle |      |       |
"""
    game = game_of(THINGS + more)
    shop = game.rows["Shop"]
    assert shop.members == ("Old Mill", "Inn", "Swan", "Eagle")
    assert [(table.name, table.first, table.count) for table in shop.tables] == [("shops", 0, 2), ("inns", 2, 2)]
    assert shop.attributes["price"].values == (3, -1, 7, 0)
    assert shop.attributes["open"].values == (1, 0, 1, 0)
    inns = expression("inns", game)
    assert isinstance(inns, m.ConstSet)
    assert inns.values == (2, 3)
    assert isinstance(expression("shops", game_of(THINGS)), m.AllOf)
    assert getattr(expression("count of inns", game), "value", None) == 2


# ------------------------------------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("text", "node", "type"),
    [
        ("size", m.Const, NumberType(low=3, high=3)),
        ("2 * size + 1", m.Const, NumberType(low=7, high=7)),
        ("dig", m.VariableRef, NumberType(low=0, high=12)),
        ("dig + 1", m.Arithmetic, NumberType(low=1, high=13)),
        ("dig at gem", m.InSet, FLAG),
        ("number of Ten", m.Const, NumberType(low=4, high=4)),
        ("a1.rank is Two", m.Compare, FLAG),
        ("a1 is Two", m.Compare, FLAG),
        ("a1 is burnt", m.VariableRef, FLAG),
        ("a1 is not empty", m.Not, FLAG),
        ("first of Card", m.First, PieceType(name="Card", optional=True)),
        ("Robber.space", m.SpaceOf, SpaceType(name="Square", optional=True)),
        ("Robber in den", m.InSet, FLAG),
        ("Ann.hand is empty", m.Not, FLAG),
        ("hand of Ann is empty", m.Not, FLAG),
        ("opponent of Ann", m.Const, PLAYER),
        ("opponent of player", m.AttributeRef, PLAYER),
        ("Old Mill.price", m.AttributeRef, NumberType(low=-1, high=3)),
        ("Old Mill.worth", m.CallExpr, NumberType()),
        ("next(a1, north)", m.NextSpace, SpaceType(name="Square", optional=True)),
        ("count of Player", m.Const, NumberType(low=2, high=2)),
        ("count of Card where rank is Ten", m.Count, NumberType(low=0, high=12)),
        ("some s in Square where burnt and s is Two", m.Exists, FLAG),
        ("grid.north edge", m.ConstSet, None),
        ("dig in 1..3", m.InSet, FLAG),
        ("if best is none then 1 else size", m.Conditional, NumberType(low=1, high=3)),
        ("Pawn on a1", m.PieceOn, PieceType(name="Pawn", optional=True)),
        ("(Pawn on a1).owner is Ann", m.Compare, FLAG),
        ("winner is none and not finished", m.Logic, FLAG),
    ],
)
def test_expressions(text: str, node: type[m.Expr], type: object) -> None:
    found = expression(text, game_of(THINGS))
    assert isinstance(found, node)
    assert type is None or found.type == type


def test_options_known_before_play_are_worked_out() -> None:
    game = game_of(OPTIONS)
    assert expression("lone rule is strict and fast_play", game) == m.Const(
        type=FLAG, value=0, span=game.options["goal"].span
    )


def test_a_local_is_found_before_a_field_of_the_candidate() -> None:
    game = game_of("board grid of Square: square grid, 3 by 3\nrelation low(row: number) = some Square where row = 2\n")
    case = game.functions["low"].cases[0].condition
    assert isinstance(case, m.Exists)
    assert isinstance(case.set, m.Filter)
    assert isinstance(case.set.condition, m.Compare)
    assert isinstance(case.set.condition.left, m.LocalRef)


def test_a_relation_of_one_input_is_asked_of_the_candidate() -> None:
    text = "board grid of Square: square grid, 3 by 3\nrelation low(s: Square) = s.row = 1\n"
    found = expression("count of Square where low", game_of(text))
    assert isinstance(found, m.Count)
    assert isinstance(found.set, m.Filter)
    assert isinstance(found.set.condition, m.CallExpr)


def test_extra_names_may_be_given() -> None:
    game = game_of(THINGS)
    local = m.Local(name="p", type=PLAYER, span=game.options["size"].span)
    found = understand_expression("p.hand", game, Diagnostics(), {"p": local})
    assert isinstance(found, m.ZoneSet)


def test_a_wrong_expression_is_reported_to_the_caller_only() -> None:
    game, sink = game_of(THINGS), Diagnostics()
    assert understand_expression("dig + gid", game, sink) is None
    assert [one.message for one in sink] == ["unknown name `gid`"]
    assert understand_expression("dig +", game, sink) is None


# ------------------------------------------------------------------------------------------- functions


def test_what_can_reach_a_decision_suspends() -> None:
    text = """
effect ask
    choose
        "Yes"
        "No"
effect plain: nothing
phase Both
    plain
    ask
"""
    game = game_of(text, play="play\n    Both\n    end game\n")
    suspends = {name: function.suspends for name, function in game.functions.items()}
    assert suspends == {"ask": True, "plain": False, "Both": True}


def test_values_may_stand_in_any_order() -> None:
    game = game_of("value a = b + 1\nvalue b = c\nvalue c = 3\n")
    assert game.functions["a"].result == NumberType(low=4, high=4)


def test_a_changed_local_has_no_bounds() -> None:
    game = game_of("", play='play\n    let a = 1\n    let b = 2\n    a + b\n    say "{a}"\n    end game\n')
    assert game.play is not None
    first, second = game.play.statements[:2]
    assert isinstance(first, m.SetLocal)
    assert isinstance(second, m.SetLocal)
    assert first.local.type == NumberType()
    assert second.local.type == NumberType(low=2, high=2)


def test_dice_in_an_adjustment_are_rolled_first() -> None:
    game = game_of("track steps: 0..9\n", play="play\n    steps + roll d6\n    end game\n")
    assert game.play is not None
    roll, change = game.play.statements[:2]
    assert isinstance(roll, m.SetLocal)
    assert isinstance(roll.value, m.DiceExpr)
    assert isinstance(change, m.SetVariable)
    assert change.adjusts


@pytest.mark.parametrize(
    ("declared", "parameters"),
    [("state total: 0..9", 0), ("value total(p: Player) = 3", 1), ("each Player has\n    total: 0..9", 1)],
)
def test_the_score_is_a_value(declared: str, parameters: int) -> None:
    head = 'language 1\ngame "A test"\n    players 2\n    scored by total\n'
    game = game_of(declared + "\n", head=head)
    assert game.score is not None
    assert len(game.score.parameters) == parameters
