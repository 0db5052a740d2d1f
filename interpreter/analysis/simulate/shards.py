"""A simulation in parts that anybody can play: a job, a shard, and what came of it.

A *job* is all that is needed to play games of one configuration: the program, not the rules file, so that a machine of
a cluster needs no files. A *shard* is some consecutive seeds. What comes of a shard depends on the job and the shard
and on nothing else: not on who plays it, how often, or what was played before.

Where all seats pick at random the loop over games runs inside the backend. Bots decide in Python, in a session like any
other; their choices are then played once more by the counting backend, so that there is one way of counting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b

from attrs import evolve, frozen

from interpreter.analysis.bots import make_bot
from interpreter.analysis.simulate.cards import card_types, columns
from interpreter.analysis.simulate.halfway import Halfway, is_looked_at
from interpreter.analysis.simulate.totals import Totals
from interpreter.backends.api import Backend
from interpreter.backends.counted import GAMES, LONGEST, SUMS, Counted, CountingBackend, GameRecord, LeadFault, picks
from interpreter.backends.counting import Cards, Counters, counted
from interpreter.diagnostics import RulesError
from interpreter.ir.program import Program
from interpreter.runtime.load import make_backend
from interpreter.runtime.question import question_of
from interpreter.runtime.rules import Configuration, Rules, options_in_force
from interpreter.runtime.session import Session
from interpreter.semantics import model

__all__ = ["RANDOM", "Job", "Player", "Shard", "ShardResult", "make_job", "seeds_in_shards"]

RANDOM = "random"
"""The seat that picks any option, each as likely."""
_OF_BOTS = 4
"""Games of a shard in which bots think."""
_OF_JUDGE = 50
"""Games of a shard that the judge plays."""
_PARTS = 16
"""A simulation is cut into so many shards at least, lest a process has nothing to do."""


@frozen
class Job:
    """What is to be played; it can be sent to another process."""

    program: Program
    """The game."""
    cards: tuple[Cards, ...]
    """What is counted one by one."""
    arrays: tuple[str, ...]
    """Arrays whose reads are counted."""
    seats: tuple[str, ...]
    """Who decides for each player: `RANDOM` or the name of a bot."""
    backend: str
    """The name of the backend."""
    limit: int
    """Decisions after which a game is given up."""
    keeps: bool
    """Are the records of games wanted, too?"""
    game: model.Game | None = None
    """The game as understood, which bots need."""
    configuration: Configuration | None = None
    """How it was loaded."""

    @property
    def is_random(self) -> bool:
        """Does nobody think?"""
        return all(seat == RANDOM for seat in self.seats)

    def counted(self, *, leads: bool = True) -> tuple[Program, Counters]:
        """The program that counts."""
        return counted(self.program, self.cards, self.arrays, leads=leads)


@frozen
class Shard:
    """Consecutive seeds."""

    number: int
    """Its number, from 0."""
    first_seed: int
    games: int
    """How many seeds."""


@frozen
class ShardResult:
    """What came of a shard."""

    shard: Shard
    totals: Totals
    digest: bytes
    """The same for the same games."""
    records: tuple[GameRecord, ...] = ()
    """The games, if the job keeps them."""


def make_job(
    rules: Rules, seats: Sequence[str] = (), *, backend: str = "wasm", limit: int = LONGEST, keeps: bool = False
) -> Job:
    """The job of a game; without `seats` all pick at random."""
    sitting = tuple(seats) or (RANDOM,) * len(rules.players)
    thinks = any(seat != RANDOM for seat in sitting)
    return Job(
        program=rules.program,
        cards=tuple(each.cards for each in card_types(rules.game)),
        arrays=tuple(sorted({array for column in columns(rules) for cell in column.cells for array, _ in cell.reads})),
        seats=sitting,
        backend=backend,
        limit=limit,
        keeps=keeps,
        game=evolve(rules.game, names=None) if thinks else None,
        configuration=rules.configuration if thinks else None,
    )


def seeds_in_shards(job: Job, first_seed: int, games: int, size: int | None = None) -> Iterator[Shard]:
    """The seeds of a simulation in shards, of a size that depends on nothing but these."""
    most = GAMES if job.backend != "python" else _OF_JUDGE
    if not job.is_random:
        most = _OF_BOTS
    step = size or max(1, min(most, -(-games // _PARTS)))
    for number, start in enumerate(range(0, games, step)):
        yield Shard(number, first_seed + start, min(step, games - start))


class Player:
    """Plays shards of a job."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._backends: dict[bool, CountingBackend] = {}
        self._rules: Rules | None = None
        self._halfway: Halfway | None = None
        self._taken: dict[int, list[int]] = {}  # of bots, by seed, in the shard that is played

    def play(self, shard: Shard) -> ShardResult:
        """Plays a shard. Where it cannot be said who is ahead, that is left out of the whole shard."""
        try:
            parts = list(self._played(shard, leads=True))
        except LeadFault:
            parts = list(self._played(shard, leads=False))
        totals = Totals(len(self.job.seats), len(parts[0].uses) // SUMS)
        digest = blake2b(digest_size=16)
        for part in parts:
            totals.add_games(part)
            self._look_at(part, totals)
            digest.update(repr((part.records, part.faults)).encode())
        self._taken.clear()
        records = tuple(record for part in parts for record in part.records) if self.job.keeps else ()
        return ShardResult(shard, totals, digest.digest(), records)

    def _played(self, shard: Shard, *, leads: bool) -> Iterator[Counted]:
        backend = self._backend(leads)
        if self.job.is_random:
            for start in range(0, shard.games, GAMES):
                games = min(GAMES, shard.games - start)
                yield backend.random_games(shard.first_seed + start, games, self.job.limit)
            return
        for seed in range(shard.first_seed, shard.first_seed + shard.games):
            if seed not in self._taken:
                self._taken[seed] = list(self.positions(seed))
            yield backend.given_game(seed, self._taken[seed])

    def _look_at(self, counted: Counted, totals: Totals) -> None:
        """Adds how likely the winners of some games were to win at half of them."""
        is_random = self.job.is_random
        for record in counted.records:
            if len(self.job.seats) > 1 and record.winners and is_looked_at(record.seed, is_random=is_random):
                if self._halfway is None:
                    self._halfway = Halfway(make_backend(self.job.backend, self.job.program), self.job.limit)
                chances = self._halfway.chances(record, self._taken.get(record.seed))
                if chances is not None:
                    totals.add_chances(record.winners, chances)

    def _backend(self, leads: bool) -> CountingBackend:
        found = self._backends.get(leads)
        if found is None:
            program, counters = self.job.counted(leads=leads)
            found = self._backends[leads] = _counting_backend(self.job.backend, program, counters, leads)
        return found

    def positions(self, seed: int) -> Iterator[int]:
        """The positions of the options that the seats choose in the game of a seed, one after the other; the last of
        them may lead to a fault."""
        if self._rules is None:
            self._rules = self._made_rules()
        session = self._rules.start_at_set_up(seed)
        session.quiet = True
        try:
            session.begin()
        except RulesError:
            return
        choose = chooser(self.job.seats, seed)
        for _ in range(self.job.limit):
            if session.is_over:
                return
            at = choose(session)
            yield at
            try:
                session.apply(session.options[at])
            except RulesError:
                return

    def _made_rules(self) -> Rules:
        job = self.job
        assert job.game is not None and job.configuration is not None

        def make(program: Program) -> Backend:
            return make_backend(job.backend, program)

        game, backend = job.game, make_backend(job.backend, job.program)
        return Rules(job.program, backend, make, job.configuration, options_in_force(game), lambda: game)


def chooser(seats: Sequence[str], seed: int) -> Callable[[Session], int]:
    """Who chooses in the game of a seed: gives the position of the option that the seat which decides takes. Random
    seats pick as the loop of a backend does."""
    random = picks(seed)
    bots = {at: make_bot(name, _seed_of_bot(seed, at)) for at, name in enumerate(seats) if name != RANDOM}

    def choose(session: Session) -> int:
        player = session.player
        bot = bots.get(-1 if player is None else player)
        if bot is None:
            return random.below(len(session.codes))
        return session.codes.index(bot.choose(question_of(session)))

    return choose


def _seed_of_bot(seed: int, player: int) -> int:
    return int.from_bytes(blake2b(f"{seed}/{player}".encode(), digest_size=8).digest())


def _counting_backend(name: str, program: Program, counters: Counters, leads: bool) -> CountingBackend:
    if name == "wasm":
        from interpreter.backends.wasm.counting import WasmCounting

        return WasmCounting(program, counters, leads=leads)
    from interpreter.backends.python.counting import PythonCounting

    return PythonCounting(program, counters, leads=leads)
