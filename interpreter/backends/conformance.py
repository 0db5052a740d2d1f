"""Does another backend play as the judge does? For the tests here and for whoever writes a backend.

    from interpreter.backends.conformance import compare_games, compare_playouts

    compare_games(program, WasmBackend(program), games=10)

The same seed and the same choices must give the same states (and so the same hashes), the same options in the same
order and the same faults at every decision. `compare_playouts` holds a loop of random games that runs inside a backend
against the same loop outside, `compare_lookahead` games that are tried out from states in their middle,
`compare_counts` what is counted of games.

Faults are compared by their code. Where the rules ask for more than can be done (`D707`), a backend that works out less
may get further; no game that is any good comes near.

Invariant: what returns has found no difference; a `Difference` says where the first one is.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from interpreter.backends.api import Backend, Fault, Lookahead, ManyGames, State, seeded
from interpreter.backends.counted import CountingBackend
from interpreter.backends.lookahead import PlainLookahead, Xorshift, has_chance, seed_of_games
from interpreter.backends.python import PythonBackend
from interpreter.ir.program import CHOICE, RNG, STATUS, WINNERS, Program

__all__ = ["Difference", "compare_counts", "compare_games", "compare_lookahead", "compare_playouts"]


class Difference(AssertionError):  # noqa: N818
    """Where two backends went apart: game, decision, what the judge has and what the other has."""


def compare_games(program: Program, other: Backend, *, games: int = 5, seed: int = 0, limit: int = 500) -> int:
    """Plays so many games in both, at most `limit` decisions each; how many decisions were compared."""
    judge = PythonBackend(program)
    compared = 0
    for game in range(seed, seed + games):
        random = Random(game)
        mine, its = judge.new_state(game), other.new_state(game)
        _same(f"game {game}, start", mine, its)
        code: int | None = None
        for decision in range(limit + 1):
            where = f"game {game}, decision {decision}"
            options, offered = _step(judge, mine, code), _step(other, its, code)
            _same(f"{where}, options", options, offered)
            if not isinstance(options, list):
                break
            _same(where, mine, its)
            compared += 1
            if decision % 16 == 0:
                _same(f"{where}, options asked again", options, list(other.options(its)))
                _same(f"{where}, after asking", mine, its)
            code = random.choice(options)
        else:
            continue
        if options is None:
            _same(f"game {game}, end", mine, its)
            if program.score:
                for player in range(len(program.players)):
                    scores = (backend.call(program.score, list(mine), player) for backend in (judge, other))
                    _same(f"game {game}, score of player {player}", *scores)
    return compared


def _step(backend: Backend, state: State, code: int | None) -> list[int] | str | None:
    """Options, None at the end, or the code of a fault."""
    try:
        options = backend.run(state) if code is None else backend.apply(state, code)
    except Fault as fault:
        return fault.code
    return None if options is None else list(options)


def _same(where: str, judged: object, other: object) -> None:
    if judged == other:
        return
    if isinstance(judged, list) and isinstance(other, list) and len(judged) == len(other):
        differing = [i for i, (a, b) in enumerate(zip(judged, other, strict=True)) if a != b]
        where += f", slots {differing}"
    raise Difference(f"{where}: the judge has {judged}, the other backend {other}")


def compare_playouts(program: Program, other: ManyGames, *, games: int = 20, seed: int = 0, limit: int = 2000) -> int:
    """Holds `random_playouts` against the same games played by the judge; the number of decisions."""
    counted = other.random_playouts(seed, games, limit)
    judge = PythonBackend(program)
    random = Xorshift(seed_of_games(seed))
    start = judge.new_state(1)
    options = judge.run(start)
    drawn = tuple(start[RNG : RNG + 4]) != seeded(1)
    begun = options is not None and not drawn
    decisions = unfinished = 0
    ends: dict[tuple[int, int], int] = {}
    draws = has_chance(program)
    for _ in range(games):
        state = list(start) if begun else judge.new_state(1)
        if draws:
            words = tuple(random.next() >> 32 for _ in range(4))
            state[RNG : RNG + 4] = words[0], words[1], words[2], words[3] | 1
        options: Sequence[int] | None = judge.options(state) if begun else judge.run(state)  # type: ignore[no-redef]
        for _ in range(limit):
            if options is None:
                break
            state[CHOICE] = options[(random.next() >> 32) * len(options) >> 32]
            decisions += 1
            options = judge.run(state)
        if options is None:
            end = state[STATUS], state[WINNERS]
            ends[end] = ends.get(end, 0) + 1
        else:
            unfinished += 1
    for name, value in (("decisions", decisions), ("unfinished", unfinished), ("ends", ends)):
        _same(f"{games} random games, {name}", value, getattr(counted, name))
    return decisions


def compare_lookahead(
    program: Program, other: ManyGames, *, games: int = 2, seed: int = 0, limit: int = 2000, every: int = 7
) -> int:
    """Plays games at random, and from the start, every so many decisions and the end of each tries out a few; how much
    was compared."""
    judge = PythonBackend(program)
    mine, its = PlainLookahead(judge), other.lookahead()
    compared = 0
    for game in range(seed, seed + games):
        random, state = Random(game), judge.new_state(game)
        options: Sequence[int] | None = ()
        for decision in range(limit + 1):
            where = f"game {game}, decision {decision}"
            if decision % every == 0 or options is None:
                compared += _tried(where, mine, its, state, random)
            if options is None:
                break
            options = judge.apply(state, random.choice(options)) if options else judge.run(state)
    return compared


def _tried(where: str, mine: Lookahead, its: Lookahead, state: State, random: Random) -> int:
    """A decision or two, then random games to their end and only a little way."""
    compared = 0
    for limit in (3, 1000):
        before = list(state)
        for one in (mine, its):
            one.begin(state)
        _same(f"{where}, begun", state, before)
        kept, number = (mine.keep(), its.keep()), random.getrandbits(60)
        for step in range(random.randrange(4)):
            _same(f"{where}, options tried", mine.options(), its.options())
            if not mine.options():
                break
            code = random.choice(mine.options())
            _same(f"{where}, goes on", mine.take(code), its.take(code))
            if step == 1:
                mine.go_back(kept[0], number)
                its.go_back(kept[1], number)
                _same(
                    f"{where}, gone back", (mine.keep(), mine.state()) == (kept[0], its.state()), its.keep() == kept[1]
                )
        _same(f"{where}, who decides", (mine.actor(), mine.decision()), (its.actor(), its.decision()))
        _same(f"{where}, state tried", mine.state(), its.state())
        number = random.getrandbits(60)
        tried = mine.rollouts(number, 3, limit)
        _same(f"{where}, random games from there", tried, its.rollouts(number, 3, limit))
        compared += 1 + tried.decisions
    return compared


def compare_counts(
    judge: CountingBackend, other: CountingBackend, *, games: int = 10, seed: int = 0, limit: int = 1000
) -> int:
    """Counts random games, and some of them once more by given options; the number of decisions."""
    mine, its = judge.random_games(seed, games, limit), other.random_games(seed, games, limit)
    _same(f"{games} games, records", mine.records, its.records)
    faults = ([(fault.seed, fault.decisions, fault.code) for fault in each.faults] for each in (mine, its))
    _same(f"{games} games, faults", *faults)
    _same(f"{games} games, uses", list(mine.uses), list(its.uses))
    for number in range(seed, seed + 2):
        firsts = [0] * 20
        _same(f"game {number}, first options", judge.given_game(number, firsts), other.given_game(number, firsts))
    return sum(record.decisions for record in mine.records)
