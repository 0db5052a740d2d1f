"""Zones and fields of each member of a type: what they hold, who sees them, how they are drawn and named."""

from pathlib import Path
from random import Random

import pytest

import interpreter as dsl
from interpreter.runtime.leak import shuffled_secrets
from interpreter.runtime.view import HIDDEN
from interpreter.tools.play.sheet import sheet_of
from interpreter.tools.play.tabletop import Tabletop
from interpreter.workspace import check_files
from interpreter.workspace.declared import describe_named, text_reader

RULES = """language 1

game "Sides"
    players 4: Ann, Bob, Cid, Dee

enum Side: light, dark

table towns makes Town
    | town  | price |
    |-------|-------|
    | Mill  | 3     |
    | Forge | 2     |

board field of Square: square grid, 2 by 2

kind Unit: 6 in the box
    worth: 1..6

zone camp of each Side holds Unit, seen by side
zone pile of each Side holds Unit, ordered
zone store of each Town holds Unit, seen by nobody
zone heap of each Square holds Unit

track morale of each Side: 0..9 = 3

each Side has
    plan: 0..9, seen by side

each Player has
    side: Side
    fled: flag

setup
    for each p in {Bob, Dee}: set p.side to dark
    for each u in Unit
        let placed = count of light.camp + count of dark.camp
        set u.worth to placed + 1
        if placed < 3
            move u to light.camp
        else
            move u to dark.camp

play
    turns
        choose
            "Send {u.worth}": u from player.side.camp
                move u to player.side.pile
                player.side.morale - 1
            "Hide"
                move player.side.camp to Forge.store
            "Plan {n}": n from 1..3
                set player.side.plan to n
            "Drop"
                move top of player.side.pile to a2.heap
            "Change sides"
                set player.side to if player.side is light then dark else light
        otherwise: draw
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> dsl.Rules:
    file = tmp_path_factory.mktemp("sides") / "sides.rules"
    file.write_text(RULES, encoding="utf-8")
    return dsl.load(file)


def names(session: dsl.Session) -> list[str]:
    return [option.name for option in session.options if option.name.startswith("Send")]


def test_each_player_sees_and_plays_what_belongs_to_the_side(rules: dsl.Rules) -> None:
    session = rules.start(1)
    assert names(session) == ["Send 1", "Send 2", "Send 3"]
    session.choose("Send 1")
    assert names(session) == ["Send 4", "Send 5", "Send 6"]
    session.choose("Plan 2")
    assert names(session) == ["Send 2", "Send 3"]
    camps = {player: session.view(player).zones["camp"] for player in (0, 1, 2, 3, None)}
    assert camps[0] == camps[2] == {"light": ["Unit 2", "Unit 3"], "dark": 3}
    assert camps[1] == camps[3] == {"light": 2, "dark": ["Unit 4", "Unit 5", "Unit 6"]}
    assert camps[None] == {"light": 2, "dark": 3}
    assert session.view(0).zones["pile"] == {"light": ["Unit 1"], "dark": []}
    assert session.view(0).variables["morale"] == {"light": 2, "dark": 3}
    plans = [session.view(player).variables["plan"] for player in (0, 1, 2, 3, None)]
    assert plans[1] == plans[3] == {"light": HIDDEN, "dark": 2}
    assert plans[0] == plans[2] == {"light": 0, "dark": HIDDEN}
    assert plans[4] == {"light": HIDDEN, "dark": HIDDEN}


def test_who_changes_sides_sees_the_other_camp(rules: dsl.Rules) -> None:
    session = rules.start(1)
    session.choose("Change sides")
    assert session.view(0).zones["camp"] == {"light": 3, "dark": ["Unit 4", "Unit 5", "Unit 6"]}
    assert session.view(2).zones["camp"] == {"light": ["Unit 1", "Unit 2", "Unit 3"], "dark": 3}


def test_the_log_tells_a_move_to_those_who_see_it(rules: dsl.Rules) -> None:
    session = rules.start(1)
    session.choose("Send 1")
    session.choose("Hide")
    logs = {player: [line for line in session.log(player) if " to " in line] for player in (0, 1, 3)}
    assert "Unit 1: light.camp to light.pile" in logs[0]
    assert "Unit 4: dark.camp to Forge.store" in logs[1]
    assert logs[1] == logs[3]
    assert "Unit 4: dark.camp to Forge.store" not in logs[0]
    assert logs[0].count("a unit: dark.camp to Forge.store") == 3


@pytest.mark.parametrize("player", [0, 1, 2, 3, None])
def test_nothing_that_is_hidden_shows(rules: dsl.Rules, player: int | None) -> None:
    session, random = rules.start(5), Random(5)
    changed = 0
    for _ in range(30):
        session.apply(random.choice(session.options))
        if session.is_over:
            break
        other = shuffled_secrets(session, player, random)
        changed += other.state[11:] != session.state[11:]
        mine, theirs = session.view(player), other.view(player)
        assert mine.as_data() == theirs.as_data()
        assert mine.slots == theirs.slots
        assert session.log(player) == other.log(player)
    assert changed > 5


def test_zones_are_drawn_for_each_member(rules: dsl.Rules) -> None:
    session = rules.start(1)
    session.choose("Send 1")
    session.choose("Send 4")
    session.choose("Drop")
    table = Tabletop(
        rules.game, rules.program, rules.backend, session.names, session.sight, list(session.state), viewer=0
    )
    part = next(part for part in sheet_of(table).parts if part.title == "Zones")
    assert part.said == (  # type: ignore[union-attr]
        "camp of light: Unit 2, Unit 3",
        "camp of dark: 2 units, hidden",
        "pile of light: empty",
        "pile of dark: Unit 4",
        "store of Mill: empty",
        "store of Forge: empty",
        "heap of a2: Unit 1",
    )


def test_declarations_are_shown_as_they_are_written(rules: dsl.Rules) -> None:
    assert next(iter(describe_named(rules.game, "camp", text_reader(None)))).startswith(
        "zone camp of each Side holds Unit, seen by side"
    )


def findings(tmp_path: Path, option: str) -> list[str]:
    head = RULES[: RULES.index("setup\n")]
    file = tmp_path / "told.rules"
    file.write_text(
        head
        + f"""setup
    move every Unit to light.camp

effect tell(s: Side)
    say "{{first of s.camp}}"

play
    turns
        let mine = player.side
        choose {option}
        otherwise: draw
""",
        encoding="utf-8",
    )
    return [finding.code for finding in check_files([file]).diagnostics if finding.code.startswith("D4")]


@pytest.mark.parametrize(
    ("option", "codes"),
    [
        ('"Send {u}": u from player.side.camp\n            move u to mine.pile', []),
        ('"Send {u}": u from mine.camp\n            move u to mine.pile\n            say "{u}"', []),
        ('"Plan {n}": n from 1..3 where n > player.side.plan\n            set mine.plan to n', []),
        ('"Send {u}": u from light.camp\n            move u to mine.pile', ["D401"]),
        ('"Send {u}": u from (next player of player).side.camp\n            move u to mine.pile', ["D401"]),
        ('"Count {n}": n from 1..9 where n < count of light.camp\n            mine.morale - n', []),
        ('"Plan {n}": n from 1..3 where n > dark.plan\n            set mine.plan to n', ["D401"]),
        ('"Tell"\n            tell(mine)', ["D402"]),
    ],
)
def test_rules_that_tell_what_a_side_hides(tmp_path: Path, option: str, codes: list[str]) -> None:
    assert findings(tmp_path, option) == codes
