"""No player learns what is hidden: not from the view, not from prompts or options, not from the log.

For every shipped game that has secrets, over random games and at every decision, everything hidden from a player is
changed for something else (`runtime.leak`); that player's view, prompt and options must not change. Then the same
choice is made in both games: as long as what was changed stays hidden and the player sees the same, the player must be
told the same. What happens before the first decision is compared between starts that differ in a single result of
chance. An onlooker, who sees what everybody sees, is a player here.

Which games have secrets is read off their programs. The tests at the end break the filters on purpose, one by one, and
show that each leak is found: a net without a catch might have a hole.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from configurations import CASES, Case

import interpreter.runtime.view as view_module
from interpreter.diagnostics import DslError
from interpreter.ir.program import RNG
from interpreter.runtime import Rules, Session, load
from interpreter.runtime.chance import Scripted
from interpreter.runtime.leak import shuffled_secrets
from interpreter.runtime.sight import Sight
from interpreter.runtime.wording import ALL, Wording

SECRET = tuple(case for case in CASES if case.load().sight.has_secrets)
GAMES = 25
DECISIONS = 60
"""Decisions of each game that are looked at."""
LARGE = 1_000
"""From this many slots on a state, and with it a game, is large: fewer of its games and decisions are looked at."""
LARGE_GAMES, LARGE_SLOTS = 2, 15_000
"""Games of a large game, and slots of state looked at in each, which tells how many decisions."""
ROLLS = 6
"""Results of chance of a set-up that are changed, at most: the shuffles of large decks are many."""
SHUFFLES = 3
"""Games that could be the real one, tried at each decision for each player."""
Viewer = int | None


def leaks(rules: Rules, games: int, counts: Counter[str] | None = None) -> list[str]:
    """What leaks in so many random games, the first of each sort and player."""
    found: dict[str, str] = {}
    counts = counts if counts is not None else Counter()
    size = rules.program.layout.size
    decisions = max(2, LARGE_SLOTS // size) if size >= LARGE else DECISIONS
    for seed in range(games):
        session, random = rules.start(seed), Random(seed)
        for leak in _told_before(session, random, counts):
            found.setdefault(leak, f"{leak}, seed {seed}, before the first decision")
        while not session.is_over and len(session.history.steps) < decisions:
            option = session.options[int(random.random() * len(session.options))]
            after = session.clone()
            after.apply(option)
            for viewer in (*range(len(rules.players)), None):
                for _ in range(SHUFFLES):
                    other = shuffled_secrets(session, viewer, random)
                    counts["changed"] += other.state[RNG + 4 :] != session.state[RNG + 4 :]
                    for what in (*_seen(session, other, viewer), *_told(session, other, after, option.code, viewer)):
                        counts[what] += 1
                        name = "an onlooker" if viewer is None else rules.players[viewer]
                        found.setdefault(f"{what} {name}", f"{what} of {name}, seed {seed}, before `{option.name}`")
                    counts["compared"] += 1
            session = after
    return list(found.values())


def _seen(session: Session, other: Session, viewer: Viewer) -> list[str]:
    """What of a view differs between two games that must look the same."""
    mine, theirs = session.view(viewer), other.view(viewer)
    names = ("slots", "turn", "round", "prompt", "options", "variables", "zones", "boards", "pieces")
    different = [name for name in names if getattr(mine, name) != getattr(theirs, name)]
    if session.log(viewer) != other.log(viewer):
        different.append("log")
    if session.player == viewer and viewer is not None:
        if session.prompt != other.prompt:
            different.append("prompt asked")
        if [option.name for option in session.options] != [option.name for option in other.options]:
            different.append("options offered")
    return different


def _told(session: Session, other: Session, after: Session, code: int, viewer: Viewer) -> list[str]:
    """Whether the same choice made in both is told differently, though the player sees the same afterwards."""
    # the dice are not what is hidden: what falls is the same in both
    other.state[RNG : RNG + 4] = session.state[RNG : RNG + 4]
    changed = {slot for slot, value in enumerate(session.state) if other.state[slot] != value}
    option = next((option for option in other.options if option.code == code), None)
    if option is None:
        return []  # who decides may know more than this viewer
    try:
        other.apply(option)
    except DslError:
        return ["fault"]
    hidden = session.sight.unseen(after.state, viewer) & session.sight.unseen(other.state, viewer)
    if not changed <= hidden or after.view(viewer) != other.view(viewer):
        return []  # something came out, and it was different
    return ["log"] if after.log(viewer) != other.log(viewer) else []


def _told_before(session: Session, random: Random, counts: Counter[str]) -> list[str]:
    """Whose log of the set-up differs between starts that look the same to them."""
    found: list[str] = []
    rolls, rules = session.setup_rolls, session.rules
    is_large = rules.program.layout.size >= LARGE
    for number in random.sample(range(len(rolls)), min(ROLLS, len(rolls))) if is_large else range(len(rolls)):
        sides, result = rolls[number]
        results = [face for _, face in rolls]
        results[number] = (result + random.randrange(sides - 1)) % sides + 1 if sides > 1 else result
        other = rules.start(0, chance=Scripted(results))
        for viewer in (*range(len(rules.players)), None):
            mine, theirs = session.view(viewer), other.view(viewer)
            if mine == evolve(theirs, slots=mine.slots) and _matters(mine) == _matters(theirs):
                counts["starts"] += 1
                if session.log(viewer) != other.log(viewer):
                    found.append(f"log of {'an onlooker' if viewer is None else rules.players[viewer]}")
    return found


def _matters(view: view_module.View) -> tuple[int | None, ...]:
    """What is seen of the state, but for the words of chance, which differ since no die was drawn in one of them."""
    return view.slots[:RNG] + view.slots[RNG + 4 :]


def test_games_with_secrets_are_found_by_their_programs() -> None:
    assert {case.game for case in SECRET} >= {"kuhn_poker", "blackjack", "rock_paper_scissors"}
    assert "hall" not in {case.game for case in SECRET}


@pytest.mark.parametrize("case", SECRET, ids=lambda case: case.title)
def test_nothing_leaks(case: Case) -> None:
    counts: Counter[str] = Counter()
    rules = case.load()
    games = LARGE_GAMES if rules.program.layout.size >= LARGE else GAMES
    assert leaks(rules, games, counts) == []
    # had nothing ever been changed, nothing would have been shown
    assert counts["changed"] > counts["compared"] // 20
    assert counts["starts"] > 0 or not case.load().start(0).setup_rolls


# ---------------------------------------------------------------------------------------------------- broken filters


def test_a_view_that_shows_everything_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The views filter nothing, while what is hidden is changed all the same."""
    monkeypatch.setattr(Sight, "unseen", lambda self, state, viewer: set())
    assert any(leak.startswith("slots of") for leak in leaks(load("kuhn_poker"), 3))


def test_a_zone_that_names_its_pieces_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = view_module.view

    def telling(session: Session, player: Viewer) -> view_module.View:
        made = plain(session, player)
        deck = next(g for g in session.rules.program.layout.groups if g.what == "order")
        return evolve(made, zones={**made.zones, "deck": session.state[deck.base + 1]})

    monkeypatch.setattr(view_module, "view", telling)
    assert any(leak.startswith("zones of") for leak in leaks(load("blackjack"), 3))


def test_a_log_that_names_hidden_pieces_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody is told what those are told who see everything."""
    plain = Wording.words
    monkeypatch.setattr(Wording, "words", lambda self, info, given, state, viewer: plain(self, info, given, state, ALL))
    assert any(leak.startswith("log of") for leak in leaks(load("blackjack"), 2))


def written(folder: Path, text: str) -> Rules:
    """A game of these lines, the checks that would refuse it left out."""
    path = folder / "leaky.rules"
    path.write_text(f"language 1\n\n{text}")
    return load(path)


LEAKY_OPTIONS = """game "Leaky"
    players 2: Ann, Bob

enum Suit: clubs, hearts, spades

kind Card: 2 of each Suit

zone deck holds Card, ordered, seen by nobody
zone shown holds Card

setup
    move every Card to deck
    shuffle deck

play
    repeat 3 times
        choose
            "Take {number}"
                move 1 from deck to shown
            "Take two" when CONDITION
                move 2 from deck to shown
    end game
"""


SHOWING = """game "Showing"
    players 3: Ann, Bob, Cid

enum Suit: clubs, hearts, spades

kind Card: 3 of each Suit

zone deck holds Card, ordered, seen by nobody
zone hand of each Player holds Card, seen by owner
zone shown holds Card

setup
    move every Card to deck
    shuffle deck
    each player: move 2 from deck to player.hand

play
    round 4 times
        each player
            choose
                "Show {c}": c from player.hand
                    reveal c
                "Show {c} to {p}": c from player.hand, p from Player except player
                    reveal c to p
                "Play {c}": c from player.hand
                    move c to shown
                "Return {c}": c from player.hand
                    move c to deck
                "Take back {c}": c from shown
                    move c to player.hand
                "Ask for {c}": c from (next player of player).hand where known(it, player)
                    move c to player.hand
                "Look"
                    reveal top of deck to player
                "Draw"
                    move 1 from deck to player.hand
                "Shuffle"
                    shuffle deck
    end game
"""


def test_nothing_leaks_where_pieces_are_shown_to_some(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    assert leaks(written(tmp_path, SHOWING), GAMES, counts) == []
    assert counts["changed"] > counts["compared"] // 20


def test_known_pieces_that_everybody_is_shown_are_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shown to one player is taken for known by all, while it is changed as if it were not."""
    monkeypatch.setattr(Sight, "unseen_pieces", lambda self, state, viewer: _lying_hidden(self, state, viewer))
    assert leaks(written(tmp_path, SHOWING), 3) != []


def _lying_hidden(sight: Sight, state: list[int], viewer: Viewer) -> dict[str, list[int]]:
    """Pieces that lie where the viewer cannot look, whether they were shown or not."""
    kind = sight.kinds["Card"]
    places = [sight.place_of("Card", card, state) for card in range(kind.count)]
    return {"Card": [c for c, place in enumerate(places) if not sight.sees_there("Card", c, place, viewer, state)]}


def test_an_option_that_depends_on_a_secret_is_caught(tmp_path: Path) -> None:
    text = LEAKY_OPTIONS.replace("{number}", "one").replace("CONDITION", "(top of deck).suit is hearts")
    assert any(leak.startswith("options of Ann") for leak in leaks(written(tmp_path, text), 5))


def test_a_label_that_names_a_secret_is_caught(tmp_path: Path) -> None:
    text = LEAKY_OPTIONS.replace("{number}", "{(top of deck).suit}").replace("CONDITION", "shown is empty")
    assert any(leak.startswith("options of Ann") for leak in leaks(written(tmp_path, text), 5))


def test_the_same_game_without_the_leak_is_clean(tmp_path: Path) -> None:
    text = LEAKY_OPTIONS.replace("{number}", "one").replace("CONDITION", "shown is empty")
    assert leaks(written(tmp_path, text), 5) == []


def test_a_line_of_the_log_that_names_a_secret_is_caught(tmp_path: Path) -> None:
    text = LEAKY_OPTIONS.replace("{number}", "one").replace("CONDITION", "shown is empty")
    text = text.replace("        choose\n", '        say "it begins with {(top of deck).suit}"\n        choose\n')
    assert any(leak.startswith("log of") for leak in leaks(written(tmp_path, text), 3))
