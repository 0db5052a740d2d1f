"""How well bots play: matches in all shipped games, and what is known to be best play in three small ones.

    python benchmarks/strength.py [--games N] [--jobs N] [--json FILE] [NAME...]

NAME is a game, or one of the parts: `matches` (against the random and the greedy bot, seats swapped after every game,
each pair of games from the same set-up), `solo` (points in games for one), `perfect` (tic-tac-toe against all replies),
`first` (connect four as first player against the same bot with a hundredth of the games to try out), `poker` (Kuhn
poker: values against the known equilibrium, and what the best opponent could win) and `peer` (connect four against the
search of OpenSpiel, `pip install open_spiel`, with as many games to try out; left out where it is not installed).
Without a name: all.

A share of games won counts a draw as half a game; its interval is Wilson's, that of a difference of means Student's,
both of 95 %. Bots have a number of games to try out at every decision, not a time: the figures are the same on every
machine. The last full run is in `docs/strength.md`, a quick part of it in `tests/games/test_strength.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from itertools import permutations, product
from math import inf
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, stdev

from attrs import asdict, evolve, field, frozen

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from interpreter.analysis.bots import Bot, ask, make_bot  # noqa: E402
from interpreter.analysis.simulate.statistics import share_of, student_value  # noqa: E402
from interpreter.runtime import Rules, Session, load  # noqa: E402
from interpreter.runtime.question import question_of  # noqa: E402

LEVEL = 0.05
"""The chance that an interval misses."""


@frozen
class Match:
    """Two bots, game after game."""

    game: str
    bot: str
    other: str
    games: int
    players: int | None = None
    options: Mapping[str, int] = field(factory=dict)

    @property
    def rules(self) -> Rules:
        return _rules(self.game, self.players, tuple(sorted(self.options.items())))


@cache
def _rules(game: str, players: int | None, options: tuple[tuple[str, int], ...]) -> Rules:
    return load(game, players=players, options=dict(options))


@cache
def _bot(name: str) -> Bot:
    return make_bot(name)


SEATED = (
    ("tic_tac_toe", "mcts:1000", 100, None),
    ("connect_four", "mcts:1000", 100, None),
    ("breakthrough", "mcts:1000", 60, None),
    ("hex", "mcts:2000", 20, None),
    ("reversi", "mcts:1000", 40, None),
    ("pig", "mcts:1000", 100, None),
    ("yacht", "mcts:1000", 60, 2),
    ("trading_race", "mcts:1000", 40, None),
    ("kuhn_poker", "mcts:1000:points", 400, None),
    ("partners", "mcts:1000", 200, None),
    ("rock_paper_scissors", "mcts:1000", 100, None),
    ("lords_of_war", "mcts:300", 20, None),
)
"""Games of more than one seat: the bot, how many games, and how many play."""
SOLO = (("hall", "mcts:500", 40), ("yacht", "mcts:500", 40), ("blackjack", "mcts:500", 400))
"""Games for one."""


def matches() -> list[Match]:
    return [
        Match(game, bot, other, games, players)
        for game, bot, games, players in SEATED
        for other in ("random", "greedy")
    ]


# ------------------------------------------------------------------------------------------------ two bots


def play(match: Match, number: int) -> tuple[float, float, float]:
    """One game: the first bot's share of the victory, 1 if its side wins alone; its lead in points; its seconds for a
    decision. Sides take every second seat, and change seats in every second game of the same set-up."""
    rules = match.rules
    session = rules.start(number // 2)
    session.quiet = True
    bots = (_bot(match.bot), _bot(match.other))
    seconds, decisions = 0.0, 0
    while session.player is not None:
        side = (session.player + number) % 2
        begin = time.process_time()
        option = ask(bots[side], session)
        if side == 0:
            seconds, decisions = seconds + time.process_time() - begin, decisions + 1
        session.apply(option)
    outcome = session.outcome
    assert outcome is not None
    ours = {player for player in range(len(rules.players)) if (player + number) % 2 == 0}
    share = len(ours.intersection(outcome.winners)) / len(outcome.winners) if outcome.winners else 0.5
    lead = 0.0
    if outcome.scores:
        theirs = set(range(len(rules.players))) - ours
        lead = mean(float(outcome.scores[p]) for p in ours) - mean(float(outcome.scores[p]) for p in theirs)
    return share, lead, seconds / max(1, decisions)


def told(match: Match, results: list[tuple[float, float, float]]) -> dict[str, object]:
    """What came of a match."""
    games = len(results)
    won = sum(share for share, _, _ in results)
    estimate = share_of(won, games, LEVEL)  # type: ignore[arg-type]  # halves of games as well
    assert estimate is not None
    row: dict[str, object] = {
        **asdict(match),
        "share": round(estimate.value, 4),
        "low": round(estimate.low, 4),
        "high": round(estimate.high, 4),
        "milliseconds": round(1000 * mean(seconds for _, _, seconds in results), 1),
    }
    if match.rules.program.score:
        row.update(mean_lead([lead for _, lead, _ in results]))
    return row


def mean_lead(leads: list[float]) -> dict[str, float]:
    """A mean with its interval."""
    half = student_value(LEVEL, len(leads) - 1) * stdev(leads) / len(leads) ** 0.5 if len(leads) > 1 else inf
    low, lead, high = (round(mean(leads) + shift, 3) for shift in (-half, 0.0, half))
    return {"lead": lead, "lead_low": low, "lead_high": high}


# ------------------------------------------------------------------------------------------------ alone


def points(game: str, bot: str, seed: int) -> float:
    """The points of a bot in a game for one."""
    session = _rules(game, None, ()).start(seed)
    session.quiet = True
    while not session.is_over:
        session.apply(ask(_bot(bot), session))
    return float(session.scores[0])


def difference(game: str, bot: str, other: str, mine: list[float], theirs: list[float]) -> dict[str, object]:
    """The difference of two bots' means over the same set-ups."""
    leads = [a - b for a, b in zip(mine, theirs, strict=True)]
    return {
        "game": game, "bot": bot, "other": other, "games": len(leads),
        "mean": round(mean(mine), 3), "mean_of_other": round(mean(theirs), 3),
        **mean_lead(leads),
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ known best play


def against_all_replies(bot: str, side: int, seed: int = 0) -> dict[str, object]:
    """Tic-tac-toe against everything that an opponent can do: in how many positions the bot was asked, and the ways of
    play, if any, in which it lost."""
    lost: list[str] = []
    asked: set[str] = set()
    ends = 0

    def go_on(session: Session) -> None:
        nonlocal ends
        if session.outcome is not None:
            ends += 1
            if 1 - side in session.outcome.winners:
                lost.append(" ".join(session.history.names()))
        elif session.player == side:
            asked.add(session.hash())
            session.apply(ask(_bot(bot), session))
            go_on(session)
        else:
            for option in session.options:
                following = session.clone(quiet=True)
                following.apply(option)
                go_on(following)

    go_on(_rules("tic_tac_toe", None, ()).start(seed))
    return {
        "bot": bot,
        "plays": "first" if side == 0 else "second",
        "positions": len(asked),
        "ends": ends,
        "lost": lost,
    }


def peer(bot: str, simulations: int, number: int) -> tuple[float, float, float]:
    """One game of connect four against OpenSpiel's search in C++, which plays three games at random for each position
    as ours does: our share of the victory, our seconds and its seconds."""
    import pyspiel

    theirs = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(3, number)
    search = pyspiel.MCTSBot(theirs, evaluator, 1.4, simulations, 1000, True, number, False)
    session, state = _rules("connect_four", None, ()).start(number), theirs.new_initial_state()
    session.quiet = True
    seconds = [0.0, 0.0]
    while session.player is not None:
        side = (session.player + number) % 2
        begin = time.process_time()
        if side == 0:
            option = ask(_bot(bot), session)
            column = int(option.name.split()[1]) - 1
        else:
            column = search.step(state)
            option = next(each for each in session.options if each.name == f"column {column + 1}")
        seconds[side] += time.process_time() - begin
        session.apply(option)
        state.apply_action(column)
    outcome = session.outcome
    assert outcome is not None and state.is_terminal()
    return (float(number % 2 in outcome.winners) if outcome.winners else 0.5), seconds[0], seconds[1]


def first_wins(strong: int, games: int) -> list[Match]:
    """Connect four, the strong bot first in all games."""
    return [Match("connect_four", f"mcts:{strong}", f"mcts:{strong // 100}", games)]


Policy = Mapping[tuple[int, str], float]
"""How likely it is to bet or to call, by rank of the card and what was done: `` and `CB` of the first player, `B` and
`C` of the second."""
VALUE = -1 / 18
"""What Kuhn poker is worth to the first player if both play as well as can be."""


def equilibrium(bluff: float = 1 / 6) -> Policy:
    """Best play by Kuhn (1950); `bluff`, up to 1/3, is how often the first player bets a jack."""
    first = {(1, ""): bluff, (2, ""): 0.0, (3, ""): 3 * bluff, (1, "CB"): 0.0, (2, "CB"): bluff + 1 / 3, (3, "CB"): 1.0}
    second = {(1, "B"): 0.0, (2, "B"): 1 / 3, (3, "B"): 1.0, (1, "C"): 1 / 3, (2, "C"): 0.0, (3, "C"): 1.0}
    return first | second


def policy_of(bot: str, times: int) -> Policy:
    """What a bot does in Kuhn poker, each position asked so many times with other numbers for its chance."""
    rules, policy = _rules("kuhn_poker", None, ()), dict[tuple[int, str], float]()

    def go_on(session: Session, done: str) -> None:
        if session.player is None:
            return
        rank = session.evaluate(f"strength({session.player_name})")
        assert isinstance(rank, int)
        if (rank, done) not in policy:
            question = question_of(session)
            bold = {option.code for option in session.options if option.name in ("Bet", "Call")}
            codes = [_bot(bot).choose(evolve(question, seed=7919 * number + 1)) for number in range(times)]
            policy[rank, done] = sum(code in bold for code in codes) / times
        for option in session.options:
            following = session.clone(quiet=True)
            following.apply(option)
            go_on(following, done + option.name[0])

    for seed in range(60):
        go_on(rules.start(seed), "")
    return policy


def worth(first: Policy, second: Policy) -> float:
    """Chips that the first player wins on average, exactly."""
    total = 0.0
    for mine, other in permutations((1, 2, 3), 2):
        better = 1 if mine > other else -1
        bet, call, answer = first[mine, ""], second[other, "B"], second[other, "C"]
        called = first[mine, "CB"]
        total += bet * (call * 2 * better + 1 - call)
        total += (1 - bet) * (answer * (called * 2 * better - (1 - called)) + (1 - answer) * better)
    return total / 6


def poker(bot: str, times: int) -> dict[str, object]:
    """How near to best play a bot comes: against best play from either seat, and against whoever knows it."""
    mine, best = policy_of(bot, times), equilibrium()
    firsts = [(rank, done) for rank in (1, 2, 3) for done in ("", "CB")]
    seconds = [(rank, done) for rank in (1, 2, 3) for done in ("B", "C")]
    worst_first = min(worth(mine, dict(zip(seconds, bold, strict=True))) for bold in product((0.0, 1.0), repeat=6))
    worst_second = max(worth(dict(zip(firsts, bold, strict=True)), mine) for bold in product((0.0, 1.0), repeat=6))
    return {
        "bot": bot, "asked": times, "value": round(VALUE, 4),
        "first_against_best": round(worth(mine, best), 4), "best_against_second": round(worth(best, mine), 4),
        "first_loses_at_most": round(VALUE - worst_first, 4), "second_loses_at_most": round(worst_second - VALUE, 4),
        "policy": {f"{'JQK'[rank - 1]} {done}".strip(): round(bold, 3) for (rank, done), bold in sorted(mine.items())},
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ all of it

Work = tuple[str, object, int]


def _one(work: Work) -> object:
    what, given, number = work
    if what == "play":
        assert isinstance(given, Match)
        return play(given, number)
    if what == "points":
        assert isinstance(given, tuple)
        game, bot = given
        return points(game, bot, number)
    if what == "peer":
        assert isinstance(given, tuple)
        name, simulations = given
        return peer(name, simulations, number)
    assert isinstance(given, tuple)
    return against_all_replies(*given) if what == "perfect" else poker(*given)


def _done(work: Iterable[Work], jobs: int) -> Iterator[object]:
    """Results in the order of the work."""
    if jobs == 1:
        yield from map(_one, work)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(_one, work)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="How well do bots play?")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--games", type=int, help="of each match (default: as many as the game takes)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--json", metavar="FILE", help="write all figures")
    given = parser.parse_args(arguments)
    report: dict[str, list[object]] = {}

    def wanted(part: str, game: str) -> bool:
        return not given.names or part in given.names or game in given.names

    for match in matches():
        if wanted("matches", match.game):
            _match(evolve(match, games=given.games or match.games), given.jobs, report.setdefault("matches", []))
    for game, bot, games in SOLO:
        if wanted("solo", game):
            number = given.games or games
            alone: list[Work] = [("points", (game, name), n) for name in (bot, "greedy") for n in range(number)]
            scores = [float(str(found)) for found in _done(alone, given.jobs)]
            row = difference(game, bot, "greedy", scores[:number], scores[number:])
            report.setdefault("solo", []).append(row)
            print(
                f"{game}: {bot} has {row['mean']} points, greedy {row['mean_of_other']}; "
                f"{row['lead']} more ({row['lead_low']} to {row['lead_high']}), {number} games",
                flush=True,
            )
    if wanted("perfect", "tic_tac_toe"):
        work: list[Work] = [("perfect", (bot, side), 0) for bot in ("mcts:200", "mcts:1000") for side in (0, 1)]
        for found in _done(work, given.jobs):
            assert isinstance(found, dict)
            report.setdefault("perfect", []).append(found)
            print(
                f"tic_tac_toe: {found['bot']} {found['plays']}, asked in {found['positions']} positions, lost in "
                f"{len(found['lost'])} of {found['ends']} games against all replies",
                flush=True,
            )
    if wanted("first", "connect_four"):
        for match in (*first_wins(1000, given.games or 100), *first_wins(5000, given.games or 50)):
            _match(match, given.jobs, report.setdefault("first", []), only_first=True)
    if wanted("peer", "connect_four") and find_spec("pyspiel") is not None:
        report["peer"] = [_peer("mcts:1000", 1000, given.games or 100, given.jobs)]
    if wanted("poker", "kuhn_poker"):
        for found in _done([("poker", ("mcts:1000:points", 2000), 0)], 1):
            assert isinstance(found, dict)
            report.setdefault("poker", []).append(found)
            print(
                f"kuhn_poker: worth {found['first_against_best']} first against best play (best: {found['value']}), "
                f"{found['best_against_second']} to best play against it; the best opponent gains "
                f"{found['first_loses_at_most']} and {found['second_loses_at_most']}",
                flush=True,
            )
    if given.json:
        Path(given.json).write_text(json.dumps({"format_version": 1, **report}, indent=2) + "\n", encoding="utf-8")
    return 0


def _peer(bot: str, simulations: int, games: int, jobs: int) -> dict[str, object]:
    results = list(_done([("peer", (bot, simulations), number) for number in range(games)], jobs))
    shares, ours, theirs = zip(*(result for result in results if isinstance(result, tuple)), strict=True)
    found = share_of(sum(shares), games, LEVEL)
    assert found is not None
    print(
        f"connect_four: {bot} wins {found.value:.1%} ({found.low:.1%} to {found.high:.1%}) against OpenSpiel with "
        f"{simulations}, {games} games; {sum(ours) / games:.2f} s a game, OpenSpiel {sum(theirs) / games:.2f} s",
        flush=True,
    )
    return {"bot": bot, "simulations": simulations, "seconds": sum(ours), "its_seconds": sum(theirs), **found.to_data()}


def _match(match: Match, jobs: int, rows: list[object], *, only_first: bool = False) -> None:
    numbers = [2 * n if only_first else n for n in range(match.games)]
    row = told(match, list(_done([("play", match, n) for n in numbers], jobs)))  # type: ignore[arg-type]
    rows.append(row)
    lead = f", {row['lead']:+} points ({row['lead_low']:+} to {row['lead_high']:+})" if "lead" in row else ""
    print(
        f"{match.game}: {match.bot}{' first' if only_first else ''} wins {row['share']:.1%} "
        f"({row['low']:.1%} to {row['high']:.1%}) against {match.other}, {match.games} games{lead}, "
        f"{row['milliseconds']} ms a decision",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
