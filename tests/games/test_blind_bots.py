"""No bot can cheat: what it is asked holds no secret, in any shipped game that has some.

At every decision of random games everything that is hidden from the player who is asked is changed (`runtime.leak`);
the question must stay the same, and with it whatever a bot does: bots are asked both times, too. And what a bot deals
from a question looks to the player like the real game, down to the last slot.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from attrs import frozen
from configurations import CASES, Case

from interpreter.analysis.bots import GreedyBot, make_bot
from interpreter.analysis.bots.workshop import Workshop
from interpreter.backends.api import State
from interpreter.ir.program import DECISION, RNG
from interpreter.runtime import Rules, load
from interpreter.runtime.leak import shuffled_secrets, shuffled_state
from interpreter.runtime.question import Question, question_at, question_of
from interpreter.runtime.sight import Sight

LOADED = {case.title: case.load() for case in CASES}
"""Read once: reading takes longer than all that is done with them here."""
SECRET = tuple(case for case in CASES if LOADED[case.title].sight.has_secrets)
LARGE = 1_000
"""From this many slots on a state is large: fewer of its decisions are looked at."""
STEPS = {"lords_of_war": (0, 5, 31), "lords_of_war.four": (0, 9), "lords_of_war.three": (14,)}
"""Those of large games, by configuration; of the others the first one."""


@frozen
class Position:
    """A decision that waits."""

    rules: Rules
    state: State
    player: int
    codes: tuple[int, ...]

    def question(self, state: State | None = None) -> Question:
        return question_at(self.rules, self.state if state is None else state, self.player, self.codes)

    def changed(self, random: Random) -> State:
        """With everything else in what is hidden from the player."""
        return shuffled_state(self.rules.sight, self.state, self.player, random)


def positions(rules: Rules, games: int, decisions: int) -> list[Position]:
    """The decisions of random games."""
    found: list[Position] = []
    backend = rules.backend
    for seed in range(games):
        state, random = backend.new_state(seed), Random(seed)
        codes = backend.run(state)
        for _ in range(decisions):
            if not codes:
                break
            player = backend.call(rules.program.decisions[state[DECISION]].actor, state)
            found.append(Position(rules, list(state), player, tuple(codes)))
            codes = backend.apply(state, random.choice(codes))
    return found


def some(case: Case) -> list[Position]:
    rules = LOADED[case.title]
    if rules.program.layout.size < LARGE:
        return positions(rules, 12, 40)
    steps = STEPS.get(case.title, (0,))
    found = positions(rules, 1, max(steps) + 1)
    return [found[step] for step in steps]


@pytest.mark.parametrize("case", SECRET, ids=lambda case: case.title)
def test_a_question_holds_no_secret(case: Case) -> None:
    random, changed = Random(3), 0
    for position in some(case):
        question = position.question()
        for _ in range(3):
            other = position.changed(random)
            changed += other != position.state
            assert question.looks_like(position.question(other))
    assert changed


def test_a_question_of_a_session_is_that_of_its_state() -> None:
    session = load("kuhn_poker").start(1)
    question = question_of(session)
    assert question.looks_like(question_at(session.rules, session.state, 0, tuple(session.codes)))
    assert question.seed == question_of(session.clone()).seed
    session.choose("Bet")
    assert question_of(session).seed != question.seed
    session.choose("Fold")
    with pytest.raises(ValueError, match="over"):
        question_of(session)


@pytest.mark.parametrize(
    "case", [case for case in SECRET if LOADED[case.title].program.layout.size < 5_000], ids=lambda c: c.title
)
def test_bots_choose_alike_whatever_is_hidden(case: Case) -> None:
    random = Random(4)
    bots = {name: make_bot(name) for name in ("random", "greedy", "greedy:score", "mcts:40")}
    found = [position for position in some(case) if len(position.codes) > 1]
    if LOADED[case.title].program.layout.size >= LARGE:
        bots, found = {"greedy": GreedyBot(playouts=1, most=8), "mcts": make_bot("mcts:16")}, found[:1]
    for position in random.sample(found, min(6, len(found))):
        other = position.question(position.changed(random))
        for name, bot in bots.items():
            assert bot.choose(position.question()) == bot.choose(other), name


@pytest.mark.parametrize("case", SECRET, ids=lambda case: case.title)
def test_what_is_dealt_looks_like_the_real_game(case: Case) -> None:
    rules, random = LOADED[case.title], Random(5)
    workshop = Workshop(rules)
    worlds = set()
    for position in some(case):
        question = position.question()
        deal = workshop.dealer.deal(question)
        for _ in range(2):
            world = deal.world(random)
            worlds.add(tuple(world))
            assert position.question(world).looks_like(question)
            workshop.lookahead.begin(world)
            assert tuple(workshop.lookahead.options()) == question.codes
    assert len(worlds) > 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_shipped_games_keep_no_secrets_in_their_loops(case: Case) -> None:
    """So what is dealt can go on where the real game would."""
    assert all(not each.untold for each in LOADED[case.title].needed)


def test_open_games_are_dealt_as_they_are() -> None:
    for name in ("hall", "pig", "yacht", "trading_race"):
        rules, random = load(name), Random(6)
        workshop, backend = Workshop(rules), rules.backend
        for position in positions(rules, 1, 30):
            world = workshop.dealer.deal(position.question()).world(random)
            workshop.lookahead.begin(world)
            assert tuple(workshop.lookahead.options()) == position.codes
            code = random.choice(position.codes)
            ours = [*position.state[:RNG], *world[RNG : RNG + 4], *position.state[RNG + 4 :]]
            assert (
                list(backend.apply(ours, code) or ())
                == (workshop.lookahead.take(code), workshop.lookahead.options())[1]
            )


DECKS = """language 1

game "Decks"
    players 2: Ann, Bob

kind Card: 8 in the box
    side: Player

zone deck of each Player holds Card, ordered, seen by nobody
zone hand of each Player holds Card, seen by owner

setup
    for each p in Player
        repeat 4 times
            let c = first of (Card where it in box)
            set c.side to p
            move c to p.deck
        shuffle p.deck
        move 2 from p.deck to p.hand

play
    turns
        choose "Play {c}": c from player.hand
            move c to box
        otherwise: draw "nobody has a card"
"""


def test_a_deal_is_one_that_the_rules_can_lead_to(tmp_path: Path) -> None:
    """Cards of the other deck are never dealt into this one, though none of them can be told from another."""
    file = tmp_path / "decks.rules"
    file.write_text(DECKS)
    rules, random = load(file), Random(7)
    session = rules.start(1)
    question = question_of(session)
    assert [len(hidden.pieces) for hidden in question.hidden] == [6]
    kind = rules.sight.kinds["Card"]
    side = next(group for group in kind.fields if group.name.endswith("side"))
    workshop, hands = Workshop(rules), set()
    for _ in range(60):
        world = workshop.dealer.deal(question).world(random)
        lying = {piece: kind.places[world[kind.base + piece]] for piece in range(kind.count)}
        assert all(world[side.base + piece] == place.owner for piece, place in lying.items())
        hands.add(frozenset(piece for piece, place in lying.items() if (place.name, place.owner) == ("hand", 1)))
    assert len(hands) == 6


def test_a_view_that_shows_everything_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sight, "unseen", lambda self, state, viewer: set())
    session = load("kuhn_poker").start(1)
    random = Random(8)
    others = [shuffled_secrets(session, session.player, random) for _ in range(20)]
    assert not all(question_of(session).looks_like(question_of(other)) for other in others)
