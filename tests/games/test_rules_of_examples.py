"""Do the small games play by the rules that the world knows?

What is expected here was worked out from the rules of each game, or is a figure that others have published: numbers of
sequences of moves, values of positions under best play, payoffs, scores. None of it was printed by this program first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import pytest

from interpreter.backends.api import Backend
from interpreter.ir.program import DECISION, DRAWN, STATUS, WINNERS
from interpreter.runtime import Rules, Session, load
from interpreter.runtime.chance import Drawn, Scripted

# ---------------------------------------------------------------------------------------------------- sequences


def sequences(rules: Rules, depth: int) -> tuple[list[int], dict[tuple[int, int], int]]:
    """How many sequences of so many choices there are, from 1 on, and how those end that end (status, winners).

    States that are the same are looked at once, with the number of ways to them.
    """
    backend = rules.backend
    state = backend.new_state(0)
    layer = {tuple(state): (1, tuple(backend.run(state) or ()))}
    layer = {tuple(state): ways for ways in layer.values()}
    counts: list[int] = []
    ends: dict[tuple[int, int], int] = {}
    for _ in range(depth):
        after: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}
        count = 0
        for before, (ways, codes) in layer.items():
            for code in codes:
                count += ways
                state = list(before)
                options = backend.apply(state, code)
                if options is None:
                    end = (state[STATUS], state[WINNERS])
                    ends[end] = ends.get(end, 0) + ways
                else:
                    key = tuple(state)
                    after[key] = (after.get(key, (0, ()))[0] + ways, tuple(options))
        if count:
            counts.append(count)
        layer = after
    return counts, ends


def test_tic_tac_toe_has_as_many_games_as_counted() -> None:
    """255,168 games: 131,184 won by the first player, 77,904 by the second, 46,080 drawn."""
    counts, ends = sequences(load("tic_tac_toe"), 9)
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert sum(ends.values()) == 255_168
    by_winners = {winners: count for (_, winners), count in ends.items()}
    assert by_winners == {0b01: 131_184, 0b10: 77_904, 0: 46_080}
    assert {status for status, winners in ends if not winners} == {DRAWN}


def test_connect_four_sequences() -> None:
    """7 to the power of the ply, but for the 7 ways to put a seventh disc on a column of six."""
    counts, ends = sequences(load("connect_four"), 7)
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536]
    # Red's fourth disc comes with ply 7, and nobody can have won before
    assert {winners for _, winners in ends} == {0b01}


def test_breakthrough_sequences() -> None:
    """22 first moves: 8 straight, 14 diagonal. The sides do not meet in two plies."""
    counts, _ = sequences(load("breakthrough"), 3)
    assert counts == [22, 484, 11132]


def test_hex_sequences() -> None:
    assert sequences(load("hex"), 2)[0] == [121, 120 * 121]


def test_a_game_of_hex_is_never_drawn() -> None:
    """On the full board of side 3 exactly one player has joined the edges (Nash)."""
    _, ends = sequences(load("hex", options={"size": 3}), 9)
    assert {winners for _, winners in ends} == {0b01, 0b10}


def test_reversi_sequences() -> None:
    """The figures that programs of the game are tested with."""
    assert sequences(load("reversi"), 6)[0] == [4, 12, 56, 244, 1396, 8200]


# ---------------------------------------------------------------------------------------------------- best play


def best(rules: Rules, code: int | None = None) -> int:
    """The best result of the first player: 1 won, 0 drawn, -1 lost; by discs where the game has scores.

    With `code` the first choice is that one.
    """
    backend = rules.backend
    scores = rules.program.score
    known: dict[tuple[int, ...], int] = {}

    def value(state: list[int], options: Iterable[int] | None) -> int:
        if options is None:
            if scores:
                return backend.call(scores, state, 0) - backend.call(scores, state, 1)
            return {0b01: 1, 0b10: -1, 0: 0}[state[WINNERS]]
        key = tuple(state)
        if key not in known:
            results = [value(*taken(backend, state, code)) for code in options]
            known[key] = max(results) if actor(rules, state) == 0 else min(results)
        return known[key]

    state = backend.new_state(0)
    options = backend.run(state)
    return value(state, options) if code is None else value(*taken(backend, state, code))


def taken(backend: Backend, state: list[int], code: int) -> tuple[list[int], Iterable[int] | None]:
    after = list(state)
    return after, backend.apply(after, code)


def actor(rules: Rules, state: list[int]) -> int:
    return rules.backend.call(rules.program.decisions[state[DECISION]].actor, state)


def test_tic_tac_toe_is_a_draw() -> None:
    assert best(load("tic_tac_toe")) == 0


def test_three_in_a_row_on_a_board_of_four_is_won_by_the_first() -> None:
    """Known of the games of k in a row: three on a board of four by four is a quick win from the middle."""
    rules = load("tic_tac_toe", options={"size": 4, "in_a_row": 3})
    session = rules.start(0)
    session.choose("b2")
    second = {option.name for option in session.options}
    # after the best first move every reply loses; two replies are enough for a test of the rules
    for reply in ("a1", "c3"):
        assert reply in second
        line = session.clone()
        line.choose(reply)
        assert wins_by_force(line, 0, 5)


def wins_by_force(session: Session, player: int, plies: int) -> bool:
    """Whether a player can win within so many plies whatever the other does."""
    if session.outcome is not None:
        return session.outcome.winners == (player,)
    if plies == 0:
        return False
    results = []
    for option in session.options:
        after = session.clone(quiet=True)
        after.apply(option)
        results.append(wins_by_force(after, player, plies - 1))
        if results[-1] == (session.player == player):
            break
    return any(results) if session.player == player else all(results)


def test_hex_of_side_three_is_won_from_the_centre() -> None:
    """The first player wins any board of hex (Nash), and from the centre this one."""
    rules = load("hex", options={"size": 3})
    codes = {option.name: option.code for option in rules.start(0).options}
    assert best(rules) == 1
    assert best(rules, codes["b2"]) == 1


def test_reversi_on_four_by_four_is_lost_by_eight() -> None:
    """With best play the second player wins 11 to 3, as every search of the small board has found."""
    assert best(load("reversi", options={"size": 4})) == 3 - 11


# ---------------------------------------------------------------------------------------------------- kuhn poker

JACK, QUEEN, KING = 1, 2, 3
RANKS = {"Jack": JACK, "Queen": QUEEN, "King": KING}
LINES: Mapping[tuple[str, ...], tuple[int, str]] = {
    ("Bet", "Call"): (2, "showdown"),
    ("Bet", "Fold"): (1, "First"),
    ("Check", "Bet", "Call"): (2, "showdown"),
    ("Check", "Bet", "Fold"): (1, "Second"),
    ("Check", "Check"): (1, "showdown"),
}
"""The five ways of betting: chips that change hands, and who takes them."""


def hands_of(session: Session) -> tuple[int, int]:
    """The ranks dealt, read off each player's own view."""
    hands = [session.view(player).zones["hand"] for player in (0, 1)]
    return tuple(RANKS[hand[name][0]] for hand, name in zip(hands, ("First", "Second"), strict=True))  # type: ignore


def kuhn_deals() -> list[Session]:
    """One session for each result of the shuffle."""
    rules = load("kuhn_poker")
    return [rules.start(0, chance=Scripted([a, b])) for a in (1, 2, 3) for b in (1, 2)]


def test_each_deal_of_kuhn_poker_comes_from_one_shuffle() -> None:
    assert sorted(hands_of(session) for session in kuhn_deals()) == sorted(permutations((JACK, QUEEN, KING), 2))


def payoffs() -> dict[tuple[tuple[int, int], tuple[str, ...]], int]:
    """What the first player wins, for each deal and line, as the rules file has it."""
    found: dict[tuple[tuple[int, int], tuple[str, ...]], int] = {}

    def follow(session: Session, deal: tuple[int, int], line: tuple[str, ...]) -> None:
        if session.is_over:
            first, second = session.scores
            assert first == -second
            found[deal, line] = int(first)
            return
        for option in session.options:
            after = session.clone()
            after.apply(option)
            follow(after, deal, (*line, option.name))

    for session in kuhn_deals():
        follow(session, hands_of(session), ())
    return found


def test_kuhn_poker_pays_in_all_thirty_endings() -> None:
    expected = {}
    for deal in permutations((JACK, QUEEN, KING), 2):
        for line, (chips, winner) in LINES.items():
            first_wins = deal[0] > deal[1] if winner == "showdown" else winner == "First"
            expected[deal, line] = chips if first_wins else -chips
    assert len(expected) == 30
    assert payoffs() == expected


def test_kuhn_poker_is_worth_an_eighteenth_to_the_second_player() -> None:
    """Kuhn (1950): with both at their optimum the first player loses 1/18 a game. Checked at alpha = 1/3."""
    pays = payoffs()
    third = Fraction(1, 3)
    bets = {JACK: third, QUEEN: Fraction(0), KING: Fraction(1)}  # first, at the start
    calls = {JACK: Fraction(0), QUEEN: third + third, KING: Fraction(1)}  # first, after check and bet
    answers = {JACK: Fraction(0), QUEEN: third, KING: Fraction(1)}  # second, against a bet
    bluffs = {JACK: third, QUEEN: Fraction(0), KING: Fraction(1)}  # second, after a check
    value = Fraction(0)
    for first, second in permutations((JACK, QUEEN, KING), 2):
        chances = {
            ("Bet", "Call"): bets[first] * answers[second],
            ("Bet", "Fold"): bets[first] * (1 - answers[second]),
            ("Check", "Bet", "Call"): (1 - bets[first]) * bluffs[second] * calls[first],
            ("Check", "Bet", "Fold"): (1 - bets[first]) * bluffs[second] * (1 - calls[first]),
            ("Check", "Check"): (1 - bets[first]) * (1 - bluffs[second]),
        }
        assert sum(chances.values()) == 1
        value += Fraction(1, 6) * sum(chance * pays[(first, second), line] for line, chance in chances.items())
    assert value == Fraction(-1, 18)


# ---------------------------------------------------------------------------------------------------- pig


def test_one_face_in_six_loses_the_pot_of_pig() -> None:
    rules = load("pig")
    for face in range(1, 7):
        session = rules.start(0, chance=Scripted([6, face]))
        session.choose("Roll")
        session.choose("Roll")
        if face == 1:
            assert session.player_name == "Bob"
            assert [option.name for option in session.options] == ["Roll"]
        else:
            assert session.player_name == "Ann"
            assert [option.name for option in session.options] == ["Roll", f"Hold {6 + face}"]
        assert session.evaluate("Ann.banked") == 0


def test_the_dice_of_pig_are_fair() -> None:
    """Of 6000 seeded rolls each face falls 1000 times, give or take; 5 sigma are 144."""
    seen = [0] * 7
    for seed in range(6000):
        session = load_pig().start(seed)
        session.choose("Roll")
        seen[session.history.steps[0].chance[0][1]] += 1
    assert seen[0] == 0
    assert all(abs(count - 1000) < 144 for count in seen[1:])


@cache
def load_pig() -> Rules:
    return load("pig")


def test_pig_is_won_at_the_goal_and_not_below() -> None:
    rules = load("pig", options={"goal": 10})
    session = rules.start(0, chance=Scripted([5, 4, 2, 6, 4]))
    session.choose("Roll")
    session.choose("Roll")
    session.choose("Hold 9")
    assert session.outcome is None
    assert session.player_name == "Bob"
    session.choose("Roll")
    session.choose("Hold 2")
    session.choose("Roll")
    session.choose("Hold 6")
    assert session.outcome is not None
    assert session.outcome.winners == (0,)


# ---------------------------------------------------------------------------------------------------- yacht

BOXES = (
    "Ones",
    "Twos",
    "Threes",
    "Fours",
    "Fives",
    "Sixes",
    "Full House",
    "Four of a Kind",
    "Little Straight",
    "Big Straight",
    "Choice",
    "Yacht",
)
YACHT = (
    #                  1  2  3  4   5   6  FH  4K  LS  BS  Ch  Y
    ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 0, 0, 0, 30, 0, 15, 0)),
    ((6, 5, 4, 3, 2), (0, 2, 3, 4, 5, 6, 0, 0, 0, 30, 20, 0)),
    ((1, 2, 3, 4, 6), (1, 2, 3, 4, 0, 6, 0, 0, 0, 0, 16, 0)),
    ((1, 3, 4, 5, 6), (1, 0, 3, 4, 5, 6, 0, 0, 0, 0, 19, 0)),
    ((5, 5, 5, 5, 5), (0, 0, 0, 0, 25, 0, 0, 20, 0, 0, 25, 50)),
    ((4, 4, 4, 4, 6), (0, 0, 0, 16, 0, 6, 0, 16, 0, 0, 22, 0)),
    ((2, 2, 4, 4, 4), (0, 4, 0, 12, 0, 0, 16, 0, 0, 0, 16, 0)),
    ((5, 3, 3, 5, 3), (0, 0, 9, 0, 10, 0, 19, 0, 0, 0, 19, 0)),
    ((2, 2, 4, 4, 5), (0, 4, 0, 8, 5, 0, 0, 0, 0, 0, 17, 0)),
    ((1, 1, 1, 3, 6), (3, 0, 3, 0, 0, 6, 0, 0, 0, 0, 12, 0)),
    ((1, 1, 1, 1, 1), (5, 0, 0, 0, 0, 0, 0, 4, 0, 0, 5, 50)),
)
"""Throws, and what each box gives for them."""


@pytest.mark.parametrize(("dice", "scores"), YACHT, ids=lambda value: "".join(map(str, value)))
def test_the_boxes_of_yacht(dice: tuple[int, ...], scores: tuple[int, ...]) -> None:
    session = load("yacht").start(0, chance=Scripted(list(dice)))
    session.choose("pass")
    offered = [option.name for option in session.options]
    assert offered == [f"{box} for {points}" for box, points in zip(BOXES, scores, strict=True)]


def test_a_game_of_yacht_fills_each_box_once_and_adds_up() -> None:
    """Twelve throws, each put into the box that its row of the table stands for."""
    throws = (
        *[(face, face, face, face % 6 + 1, face % 6 + 1) for face in range(1, 7)],
        (2, 2, 4, 4, 4),
        (4, 4, 4, 4, 6),
        (1, 2, 3, 4, 5),
        (6, 5, 4, 3, 2),
        (6, 6, 6, 5, 5),
        (3, 3, 3, 3, 3),
    )
    worth = (3, 6, 9, 12, 15, 18, 16, 16, 30, 30, 28, 50)
    session = load("yacht").start(0, chance=Scripted([die for throw in throws for die in throw]))
    for turn, (box, points) in enumerate(zip(BOXES, worth, strict=True), start=1):
        session.choose("pass")
        assert len(session.options) == 13 - turn
        session.choose(f"{box} for {points}")
    assert session.outcome is not None
    assert session.outcome.scores == (sum(worth),)
    assert sum(worth) == 233


# ---------------------------------------------------------------------------------------------------- blackjack

POINTS = {
    "Ace": 1,
    **dict(zip(("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"), range(2, 10), strict=True)),
    **dict.fromkeys(("Ten", "Jack", "Queen", "King"), 10),
}


def worth(cards: Iterable[str]) -> int:
    """The worth of a hand, by the rule of the table: one ace may count 11."""
    names = list(cards)
    total = sum(POINTS[name] for name in names)
    return total + 10 if "Ace" in names and total <= 11 else total


@pytest.mark.parametrize("stands", [14, 17, 19])
def test_the_dealer_of_blackjack_draws_to_the_total_and_no_further(stands: int) -> None:
    rules = load("blackjack", options={"stand_on": stands})
    seen: set[str] = set()
    for seed in range(150):
        session = rules.start(seed)
        hits = seed % 3
        while not session.is_over:
            wanted = "Hit" if hits else "Stand"
            hits -= 1 if hits else 0
            session.apply(next(option for option in session.options if option.name.startswith(wanted)))
        zones = session.view(0).zones
        hand, dealer = zones["hand"], zones["dealer"]
        assert isinstance(hand, list) and isinstance(dealer, list)
        assert session.outcome is not None
        (result,) = session.outcome.scores
        if worth(hand) > 21:
            seen.add("over")
            assert result == -1
            assert len(dealer) == 1
            continue
        assert worth(dealer) >= stands
        drawn = dealing_order(session)
        assert sorted(drawn) == sorted(dealer)
        assert all(worth(drawn[:count]) < stands for count in range(2, len(drawn)))
        if worth(dealer) > 21:
            seen.add("dealer over")
            assert result == 1
        else:
            seen.add("compared")
            assert result == (worth(hand) > worth(dealer)) - (worth(hand) < worth(dealer))
    assert seen == {"over", "dealer over", "compared"}


def dealing_order(session: Session) -> list[str]:
    """The dealer's cards in the order in which they came, read off the log."""
    lines = [text for text in (event.text for event in session.events) if text.endswith(" to dealer")]
    return [text.partition(":")[0] for text in lines]


# ---------------------------------------------------------------------------------------------------- throws

BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}


@pytest.mark.parametrize(("left", "right"), list(product(("rock", "paper", "scissors"), repeat=2)))
def test_rock_paper_scissors(left: str, right: str) -> None:
    session = load("rock_paper_scissors", options={"to_win": 1, "limit": 1}).start(0)
    assert session.player_name == "Left"
    session.choose(left)
    assert session.player_name == "Right"
    session.choose(right)
    outcome = session.outcome
    assert outcome is not None
    winners = (0,) if (left, right) in BEATS else (1,) if (right, left) in BEATS else ()
    assert outcome.winners == winners


# ---------------------------------------------------------------------------------------------------- boards


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("1 2 1 2 1 2 1", "upright"),
        ("1 1 2 2 3 3 4", "level"),
        ("1 2 2 3 3 4 3 4 4 6 4", "rising"),
        ("7 6 6 5 5 4 5 4 4 2 4", "falling"),
    ],
    ids=lambda value: value.replace(" ", ""),
)
def test_four_in_a_row_of_each_kind_wins(moves: str, winner: str) -> None:
    session = load("connect_four").start(0)
    for move in moves.split():
        assert session.outcome is None, f"over before {winner}"
        session.choose(f"column {move}")
    assert session.outcome is not None
    assert session.outcome.winners == (0,)


def test_a_column_of_six_is_full() -> None:
    session = load("connect_four").start(0)
    for _ in range(6):
        session.choose("column 4")
    assert [option.name for option in session.options] == [f"column {n}" for n in (1, 2, 3, 5, 6, 7)]


def test_a_pawn_of_breakthrough_steps_ahead_or_takes_aslant() -> None:
    """White a4 against Black a5 and b5: not straight on, to b5 by capture; there is no square left of a."""
    session = load("breakthrough").start(0)
    for move in ("a2 to a3", "a7 to a6", "a3 to a4", "a6 to a5", "h2 to h3", "b7 to b6", "h3 to h4", "b6 to b5"):
        session.choose(move)
    mine = [option.name for option in session.options if option.name.startswith("a4 ")]
    assert mine == ["a4 to b5"]
    session.choose("a4 to b5")
    assert session.evaluate("count of Pawn where owner is Black and space is not none") == 15


def test_reversi_turns_every_line_that_is_closed_and_no_other() -> None:
    """The diagonal opening up to the fifth disc, by hand."""
    session = load("reversi").start(0)
    for move, black, white in (("d3", 4, 1), ("c3", 3, 3), ("c4", 5, 2), ("e3", 3, 5)):
        session.choose(move)
        assert session.scores == (black, white), f"after {move}"


def test_hex_neighbours_are_six() -> None:
    """A cell within the board touches six, the corners two or three."""
    session = load("hex", options={"size": 3}).start(0)
    touching = {
        cell: session.evaluate(f"count of neighbours of {cell} where stone is none")
        for cell in (option.name for option in session.options)
    }
    assert sorted(touching.values()) == [2, 2, 3, 3, 4, 4, 4, 4, 6]  # type: ignore[type-var]
    assert touching["b2"] == 6


def test_the_roads_of_the_trading_race() -> None:
    """From Ambergate with 20 coins: two roads and two sea lanes; the lane to Dunmouth takes a day and 2 coins."""
    session = load("trading_race").start(0)
    names = [option.name for option in session.options]
    assert names == [*(f"Travel to {town}" for town in ("Birchwell", "Cloverford", "Dunmouth", "Islewick")), "Rest"]
    session.choose("Travel to Dunmouth")
    assert session.evaluate("Amber.day") == 1
    assert session.evaluate("Amber.purse") == 18
    for _ in range(4):
        session.choose("Buy a bale for 4")
    assert [option.name for option in session.options] == ["Sell a bale for 4", "Trade no more"]
    session.choose("Trade no more")
    assert session.player_name == "Indigo"
    session.choose("Rest")
    session.choose("Travel to Birchwell")
    assert session.evaluate("Amber.day") == 3
    session.choose("Sell a bale for 3")
    assert session.evaluate("Amber.purse") == 5
    session.choose("Trade no more")
    session.choose("Rest")
    session.choose("Rest")
    assert session.outcome is not None
    assert session.outcome.scores == (5, 20)
    assert session.outcome.winners == (1,)


def test_dice_given_are_continued_by_drawn_ones() -> None:
    """A guard for this file: scripted dice end where the script ends, and only then are dice drawn."""
    session = load("pig").start(0, chance=Scripted([6], Drawn()))
    session.choose("Roll")
    session.choose("Roll")
    assert session.history.steps[0].chance == ((6, 6),)
