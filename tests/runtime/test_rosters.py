"""Rosters: lists that players bring, from their files to the state; what is wrong with them; what is kept of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import interpreter as dsl
from interpreter.runtime.tester import run_transcript
from interpreter.runtime.transcript_writer import transcript_text
from interpreter.workspace import check_files

CARDS = """language 1

game "Cards"
    players 2: Ann, Bob

option mercenaries = no
option dealt = in_order or at_random

enum Race: Orc, Dwarf
enum Rank: low, high

table deck makes Card
    | card     | race  | rank | ready |
    |----------|-------|------|-------|
    | Orc Ram  | Orc   | low  | yes   |
    | O2       | Orc   | low  | yes   |
    | O3       | Orc   | high | yes   |
    | OX       | Orc   | low  |       |
    | D1       | Dwarf | low  | yes   |
    | D2       | Dwarf | low  | yes   |
    | D3       | Dwarf | high | yes   |

kind Unit: 1 of each Card

zone pile of each Player holds Unit

each Player has
    race: Race or none

value quota(r: Rank) = if r is low then 2 else 1

roster army of each Player from Card
    says race
    begins as Card where race is player.race and ready
    needs count of army = 3                                                     "3 cards"
    needs every r in Rank satisfies (count of army where rank is r) = quota(r)  "{quota(r)} of rank {r}"
    needs every c in army satisfies c.race is player.race or mercenaries        "{c} is no {player.race}"
    needs every c in Card satisfies (count of each p in Player where c in p.army) <= 1

setup
    let coin = 1
    if dealt is at_random
        set coin to roll d2
    for each p in Player where race is none
        set p.race to if coin = 1 then first of each r in Race where no q in Player where q.race is r else Dwarf
        if coin = 2 and some q in Player where q.race is Dwarf and q is not p: set p.race to Orc
    muster army
    for each p in Player
        move every Unit where card in p.army to p.pile

play
    turns
        choose "Play {u}": u from player.pile where card in player.army
            move u to box
        otherwise: (opponent of player) wins
"""

BANDS = """language 1

game "Bands"
    players 2: Ann, Bob

table people makes Fighter
    | fighter | cost | usual |
    |---------|------|-------|
    | Archer  | 20   | 2     |
    | Rider   | 40   | 1     |
    | Giant   | 70   |       |

enum Spell: fire, ice

each Player has
    luck: 0..6 or none
    sign: Spell or none

roster band of each Player from Fighter, seen by owner, up to 3 of each
    says luck, sign
    begins as Fighter where usual > 0, usual of each
    needs (sum of (c.cost * band(c)) for each c in band) <= 120     "120 gold"

roster spells of each Player from Spell
    says sign
    begins as Spell

setup
    muster band
    muster spells

play
    round 2 times
        each player
            choose "Send {f}": f from player.band where player.band(f) > 1 or cost > 50
                nothing
            otherwise: nothing
"""


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    path = tmp_path / "cards.rules"
    path.write_text(CARDS, encoding="utf-8")
    return path


@pytest.fixture
def bands(tmp_path: Path) -> Path:
    path = tmp_path / "bands.rules"
    path.write_text(BANDS, encoding="utf-8")
    return path


List = Callable[[str], str]


@pytest.fixture
def written(tmp_path: Path) -> List:
    """Writes a list and gives its path."""
    numbers = iter(range(1, 100))

    def write(text: str) -> str:
        path = tmp_path / f"list{next(numbers)}.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def refused(rules: Path, rosters: dict[str, str | list[str]], **options: str | bool) -> list[tuple[str, str, str]]:
    """The findings for which lists are refused: line and column, code, message."""
    with pytest.raises(dsl.RulesError) as caught:
        dsl.load(rules, options=options).start(seed=1, rosters=rosters)
    found = []
    for each in caught.value.diagnostics:
        at = "" if each.span is None else f"{each.span.start.line}:{each.span.start.column}"
        found.append((at, each.code, each.message))
    return found


# ------------------------------------------------------------------------------------------- lists that are played


def test_without_a_list_the_ready_made_one_is_played(cards: Path) -> None:
    session = dsl.load(cards).start()
    assert session.evaluate("Ann.army") == ("Orc Ram", "O2", "O3")
    assert session.evaluate("Bob.army") == ("D1", "D2", "D3")
    assert [option.name for option in session.options] == ["Play Orc Ram", "Play O2", "Play O3"]
    assert session.evaluate("some c in Bob.army where c.rank is high and c not in Ann.army") is True


def test_a_list_changes_the_ready_made_one_of_what_it_says(cards: Path, written: List) -> None:
    path = written("roster: army\nfor: cards\nrace: Orc\nwithout: [Orc_Ram]\nwith:\n  - OX\n")
    session = dsl.load(cards).start(rosters={"bob": path})
    assert session.evaluate("Bob.army") == ("O2", "O3", "OX")
    assert session.evaluate("Ann.race") == "Dwarf"
    assert session.evaluate("Ann.army") == ("D1", "D2", "D3")


@pytest.mark.parametrize("seed", range(6))
def test_a_set_up_that_deals_races_at_random_leaves_those_of_lists(cards: Path, written: List, seed: int) -> None:
    path = written("roster: army\nfor: Cards\nrace: Orc\nall: {OX: 1, O2: 1, O3: 1}\n")
    rules = dsl.load(cards, options={"dealt": "at_random"})
    assert {rules.start(seed=other).evaluate("Ann.race") for other in range(9)} == {"Orc", "Dwarf"}
    session = rules.start(seed=seed, rosters={"Ann": path})
    assert session.evaluate("Ann.army") == ("O2", "O3", "OX")
    assert session.evaluate("Bob.army") == ("D1", "D2", "D3")


def test_an_option_lets_more_lists_pass(cards: Path, written: List) -> None:
    path = written("roster: army\nfor: cards.rules\nrace: Orc\nwithout: [O2]\nwith: [D1]\n")
    other = written("roster: army\nfor: cards\nrace: Dwarf\nall: [OX, D2, D3]\n")
    assert refused(cards, {"Ann": path}) == [("5:8", "D904", "D1 is no Orc")]
    session = dsl.load(cards, options={"mercenaries": True}).start(rosters={"Ann": path, "2": other})
    assert session.evaluate("D1 in Ann.army and OX in Bob.army") is True


def test_copies_are_counted(bands: Path, written: List) -> None:
    path = written("roster: band\nfor: bands\nluck: 3\nsign: ice\nwith: {Archer: 1}\nwithout: [Rider]\n")
    session = dsl.load(bands).start(rosters={"Ann": path})
    assert session.evaluate("Ann.band(Archer)") == 3
    assert session.evaluate("Ann.band(Rider)") == 0
    assert session.evaluate("Ann.band") == ("Archer",)
    assert session.evaluate("Bob.band(Archer)") == 2
    assert session.evaluate("Ann.luck") == 3
    assert session.evaluate("count of Bob.band") == 2


def test_an_empty_list_is_a_list(bands: Path, written: List) -> None:
    path = written("roster: spells\nfor: bands\nsign: fire\nall: []\n")
    session = dsl.load(bands).start(rosters={"Ann": path})
    assert session.evaluate("Ann.spells") == ()
    assert session.evaluate("Bob.spells") == ("fire", "ice")


def test_a_player_brings_a_list_for_each_roster(bands: Path, written: List) -> None:
    band = written("roster: band\nfor: bands\nluck: 1\nsign: fire\nall: [Giant]\n")
    spells = written("roster: spells\nfor: bands\nsign: fire\nwithout: [ice]\n")
    session = dsl.load(bands).start(rosters={"Ann": [band, spells]})
    assert session.evaluate("Ann.band") == ("Giant",)
    assert session.evaluate("Ann.spells") == ("fire",)


def test_a_roster_seen_by_its_owner_is_hidden_from_others(bands: Path) -> None:
    session = dsl.load(bands).start()
    variables = session.view(0).variables
    assert variables["band"] == {"Ann": ("Archer", "Rider"), "Bob": "hidden"}
    assert variables["copies of band"]["Bob"] == {"Archer": "hidden", "Rider": "hidden", "Giant": "hidden"}
    assert variables["spells"] == {"Ann": ("fire", "ice"), "Bob": ("fire", "ice")}


def test_membership_and_number_need_no_loop(cards: Path) -> None:
    rules = dsl.load(cards)
    text = rules.backend._compiled(False).module.text  # type: ignore[attr-defined]
    options = text[text.index("def options_") :].split("\n\n\n")[0]
    assert "S[5]] >> member & 1" in options
    assert options.count("for ") == 1


# ------------------------------------------------------------------------------------------- lists that are refused


WRONG = {
    "roster: arms\nfor: cards\n": [("1:9", "D901", "no roster `arms`")],
    "roster: army\nfor: chess\nrace: Orc\n": [("2:6", "D901", "this list is for `chess`, played is `Cards`")],
    "roster: army\nrace: Orc\n": [("1:1", "D504", "missing key `for`")],
    "roster: army\nfor: cards\n": [("1:1", "D905", "the list does not say `race`")],
    "roster: army\nfor: cards\nrace: Dwerf\n": [("3:7", "D902", "`race` cannot be `Dwerf`")],
    "roster: army\nfor: cards\nrace: [Orc]\n": [("3:7", "D505", "expected one value, found a list")],
    "roster: army\nfor: cards\nrace: Orc\nwiht: [OX]\n": [("4:1", "D503", "unknown key `wiht`")],
    "roster: army\nfor: cards\nrace: Orc\nrace: Orc\n": [("4:1", "D502", "key `race` stands twice in one map")],
    "roster: army\nfor: cards\nrace: Orc\nwith: [O9]\n": [("4:8", "D902", "unknown `Card` `O9`")],
    "roster: army\nfor: cards\nrace: Orc\nwith: OX\n": [
        ("4:7", "D505", "expected a list of names, found the text `OX`")
    ],
    "roster: army\nfor: cards\nrace: Orc\nwith: [O2]\n": [("4:8", "D903", "`O2` is on the list already")],
    "roster: army\nfor: cards\nrace: Orc\nwithout: [D1]\n": [("4:11", "D903", "`D1` is not on the ready-made list")],
    "roster: army\nfor: cards\nrace: Orc\nall: [O2, O3, O2]\n": [("4:15", "D903", "`O2` stands twice")],
    "roster: army\nfor: cards\nrace: Orc\nall: [O2, O3, OX]\nwith: [D1]\n": [
        ("5:7", "D905", "`all` is the whole list, `with` has no place beside it")
    ],
    "roster: army\nfor: cards\nrace: Orc\nall: {O2: 2, O3: 1}\n": [("4:11", "D906", "2 of `O2`, expected 1")],
    "roster: army\nfor: cards\nrace: Orc\nwithout: [O3]\nwith: [OX, D2]\n": [
        ("1:1", "D904", "1 of rank high"),
        ("1:1", "D904", "2 of rank low"),
        ("1:1", "D904", "3 cards"),
        ("5:12", "D904", "D2 is no Orc"),
    ],
    "- army\n": [("1:1", "D505", "expected a map, found a list")],
    "for: cards\n": [("1:1", "D504", "missing key `roster`")],
    "roster: [army]\nfor: cards\n": [("1:9", "D505", "expected a text, found a list")],
    "roster: army\n  for: cards\n": [
        ("2:6", "D501", "a second `: ` in one line: put text that holds a colon between quotes")
    ],
}


@pytest.mark.parametrize("text", WRONG)
def test_each_fault_of_a_list_is_one_finding(cards: Path, written: List, text: str) -> None:
    assert sorted(refused(cards, {"Ann": written(text)})) == sorted(WRONG[text])


def test_all_faults_of_all_lists_are_told_at_once(cards: Path, written: List) -> None:
    one = written("roster: army\nfor: chess\nrase: Orc\nwith: [O9, O8, Orc Ram]\nwithout: [O9]\n")
    two = written("roster: army\nfor: cards\nrace: Dwarf\nwithout: [D1]\n")
    codes = [code for _, code, _ in refused(cards, {"Ann": one, "Bob": two})]
    assert sorted(codes) == ["D503", "D901", "D902", "D902", "D902", "D904", "D904", "D905"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("with: {Rider: 3}\n", ("5:8", "D906", "4 of `Rider`, expected at most 3")),
        ("with: {Giant: many}\n", ("5:15", "D906", "the text `many` of `Giant`, expected 1 to 3")),
        ("without: {Archer: 3}\n", ("5:11", "D903", "only 2 of `Archer` are on the ready-made list")),
        ("with: [Giant]\n", ("1:1", "D904", "120 gold")),
    ],
)
def test_wrong_numbers(bands: Path, written: List, text: str, wanted: tuple[str, str, str]) -> None:
    assert refused(bands, {"Bob": written(f"roster: band\nfor: bands\nluck: 0\nsign: ice\n{text}")}) == [wanted]


def test_a_number_said_must_be_in_its_range(bands: Path, written: List) -> None:
    path = written("roster: band\nfor: bands\nluck: 7\nsign: ice\n")
    assert refused(bands, {"Bob": path}) == [("3:7", "D902", "expected 0 to 6, found the number `7`")]


def test_a_need_that_is_broken_is_shown_in_the_rules_with_what_was_found(cards: Path, written: List) -> None:
    path = written("roster: army\nfor: cards\nrace: Orc\noptions: {mercenaries: yes}\nwithout: [O2]\nwith: [D1]\n")
    with pytest.raises(dsl.RulesError) as caught:
        dsl.load(cards).start(rosters={"Ann": path})
    (found,) = caught.value.diagnostics
    assert found.notes == ("this list was written for mercenaries = yes",)
    (label,) = found.labels
    assert label.message == "needed here"
    assert label.span.path == "cards.rules"
    assert CARDS.split("\n")[label.span.start.line - 1].strip().startswith("needs every c in army")


def test_one_thing_on_two_lists_is_told_at_both(cards: Path, written: List) -> None:
    one = written("roster: army\nfor: cards\nrace: Orc\nwith: [OX]\nwithout: [O2]\n")
    two = written("roster: army\nfor: cards\nrace: Dwarf\nall: [OX, D1, D3]\n")
    with pytest.raises(dsl.RulesError) as caught:
        dsl.load(cards, options={"mercenaries": True}).start(rosters={"Ann": one, "Bob": two})
    (found,) = caught.value.diagnostics
    assert found.code == "D904"
    assert found.message.startswith("this does not hold for OX: (count of each p in Player")
    assert (str(found.span), str(found.labels[0].span)) == (f"{one}:4:8", f"{two}:4:7")
    assert found.labels[0].message == "and on the list of Bob"


def test_lists_of_one_player_must_go_together(bands: Path, written: List) -> None:
    band = written("roster: band\nfor: bands\nluck: 1\nsign: fire\n")
    spells = written("roster: spells\nfor: bands\nsign: ice\n")
    assert refused(bands, {"Ann": [band, band]}) == [("1:1", "D907", "a second list of `band` for Ann")]
    assert refused(bands, {"Ann": [band, spells]}) == [("1:1", "D907", "two lists of Ann differ in `sign`")]
    assert refused(bands, {"Cid": band}) == [("", "D907", "no player `Cid` to bring a list")]


def test_a_list_that_is_not_there(cards: Path) -> None:
    ((_, code, message),) = refused(cards, {"Ann": "nowhere/orcs.yaml"})
    assert (code, message) == ("D101", "file `nowhere/orcs.yaml` not found")


def test_a_ready_made_list_that_breaks_a_need_is_a_fault_of_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "cards.rules"
    path.write_text(CARDS.replace("| OX       | Orc   | low  |       |", "| OX       | Orc   | low  | yes   |"))
    found = refused(path, {})
    assert {code for _, code, _ in found} == {"D719"}
    assert "the ready-made roster of Ann: 3 cards" in {message for _, _, message in found}


ASKED = """language 1

game "Asked"
    players 2: Ann, Bob

enum Land: north, south

each Player has
    home: Land or none

roster lands of each Player from Land
    says home
    begins as Land where it is player.home
    needs count of lands = 1                                                "one land"
    needs no p in Player where p is not player and some l in p.lands where l in lands  "a land each"

setup
    for each p in Player where home is none
        choose by p "At home in {l}": l from Land
            set p.home to l
    muster lands

play
    choose "Stay": l from player.lands
        end game
    otherwise: draw
"""


def test_a_set_up_that_asks_first_tells_at_the_list_too(tmp_path: Path, written: List) -> None:
    path = tmp_path / "asked.rules"
    path.write_text(ASKED, encoding="utf-8")
    mine = written("roster: lands\nfor: asked\nhome: north\n")
    session = dsl.load(path).start(rosters={"Ann": mine})
    before = session.snapshot()
    with pytest.raises(dsl.RulesError) as caught:
        session.choose("At home in north")
    assert {(found.code, found.message) for found in caught.value.diagnostics} == {("D904", "a land each")}
    assert session.snapshot() == before
    session.choose("At home in south")
    assert session.evaluate("Bob.lands") == ("south",)


# ------------------------------------------------------------------------------------------- what is kept


def test_a_save_holds_the_lists_themselves(cards: Path, written: List) -> None:
    path = written("roster: army\nfor: cards\nrace: Orc\nwithout: [O2]\nwith: [OX]\n")
    session = dsl.load(cards).start(seed=2, rosters={"Bob": path})
    session.choose("Play D2")
    Path(path).unlink()
    resumed = dsl.Session.resume(session.save())
    assert resumed.state == session.state
    assert resumed.evaluate("Bob.army") == ("Orc Ram", "O3", "OX")
    assert resumed.save() == session.save()


def test_a_save_whose_list_no_longer_fits_is_refused(cards: Path, written: List) -> None:
    path = written("roster: army\nfor: cards\nrace: Orc\nwithout: [O2]\nwith: [OX]\n")
    saved = dsl.load(cards).start(rosters={"Bob": path}).save()
    cards.write_text(CARDS.replace("| OX ", "| OY "), encoding="utf-8")
    with pytest.raises(dsl.RulesError) as caught:
        dsl.Session.resume(saved)
    assert [(found.code, found.message) for found in caught.value.diagnostics] == [("D902", "unknown `Card` `OX`")]


def test_a_damaged_save(cards: Path) -> None:
    saved = dsl.load(cards).start().save().decode("utf-8").rstrip().removesuffix("}")
    for rosters in ('"orcs"', "[3]", '[{"roster": "army"}]'):
        with pytest.raises(dsl.SaveError):
            dsl.Session.resume(f'{saved}, "rosters": {rosters}}}'.encode())


def test_a_played_example_holds_the_lists_themselves(bands: Path, written: List, tmp_path: Path) -> None:
    path = written("roster: band\nfor: bands\nluck: 5\nsign: ice\nwith: {Archer: 1}\nwithout: [Rider]\n")
    session = dsl.load(bands).start(seed=3, rosters={"Bob": path})
    while not session.is_over:
        session.apply(0)
    Path(path).unlink()
    text = transcript_text(session, tmp_path)
    assert '"all": {"Archer": 3}' in text
    example = tmp_path / "played.test.yaml"
    example.write_text(text, encoding="utf-8")
    assert run_transcript(example).message == ""
    wrong = tmp_path / "wrong.test.yaml"
    wrong.write_text(text.replace('"Archer": 3', '"Archer": 4'), encoding="utf-8")
    assert run_transcript(wrong).code == "D906"


def test_undo_does_not_reach_the_lists(cards: Path, written: List) -> None:
    path = written("roster: army\nfor: cards\nrace: Dwarf\n")
    session = dsl.load(cards).start(rosters={"Ann": path})
    session.choose("Play D1")
    session.undo()
    assert session.evaluate("Ann.army") == ("D1", "D2", "D3")


# ------------------------------------------------------------------------------------------- a list by itself


def checked(path: str | Path) -> list[tuple[str, str]]:
    return [(found.code, found.message) for found in check_files([Path(path)]).diagnostics]


def test_a_list_is_checked_against_the_game_it_was_written_for(cards: Path, tmp_path: Path) -> None:
    folder = tmp_path / "lists" / "mine"
    folder.mkdir(parents=True)
    path = folder / "ann.yaml"
    path.write_text("roster: army\nfor: cards\nrace: Orc\nwithout: [O2]\nwith: [D1]\n", encoding="utf-8")
    assert checked(path) == [("D904", "D1 is no Orc")]
    path.write_text(path.read_text() + "options: {mercenaries: yes}\n", encoding="utf-8")
    assert checked(path) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("roster: army\nrace: Orc\n", ("D504", "missing key `for`")),
        ("roster: army\nfor: kards\nrace: Orc\n", ("D901", "no game `kards`")),
        ("roster: army\nfor: cards\nrace: Orc\noptions: {merc: yes}\n", ("D801", "unknown option `merc`")),
        ("roster: army\nfor: cards\nrace: Orc\nplayers: 7\n", ("D805", "")),
        ("roster: army\nfor: cards\nrace: Orc\nscenario: siege\n", ("D804", "")),
        ("roster: army\nfor: cards\nrace: Orc\noptions: yes\n", ("D505", "expected a map")),
        ("roster: army\nfor: broken\nrace: Orc\n", ("D901", "game `broken` has errors")),
        ("roster: army\nfor: cards\nrace: Orc\nwith: [x\n", ("D501", "")),
    ],
)
def test_what_a_check_finds_before_the_list_itself(
    cards: Path, written: List, tmp_path: Path, text: str, wanted: tuple[str, str]
) -> None:
    (tmp_path / "broken.rules").write_text("language 1\n", encoding="utf-8")
    ((code, message),) = checked(written(text))
    assert (code, message[: len(wanted[1])]) == wanted
