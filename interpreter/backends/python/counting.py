"""Plays counting programs by the judge: slow, and right by definition.

The two statements of a counting program are told to a watcher. Uses of a game are added up when it is over, as
`counted.Uses` says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.backends.api import Fault, State, draw
from interpreter.backends.counted import SUMS, Counted, FaultyGame, GameRecord, LeadFault, picks
from interpreter.backends.counting import ASKING, Counters
from interpreter.backends.python.backend import PythonBackend
from interpreter.diagnostics import InternalError
from interpreter.ir.program import RUNNING, STATUS, WINNERS, Program

__all__ = ["PythonCounting"]

_LARGEST, _SMALLEST = 2**31 - 1, -(2**31)


class _Uses:
    """What one game used: a watcher of the judge."""

    def __init__(self) -> None:
        self.times: dict[int, int] = {}
        self.users: dict[int, int] = {}
        self.leads: dict[int, int] = {0: 0}
        self.asking = False
        self.last = self.changes = 0
        self.taken_so_far = 0

    def chance(self, state: State, sides: int) -> int:
        return draw(state, sides)

    def event(self, event: int, arguments: tuple[int, ...]) -> None:
        pass

    def mark(self, span: int) -> None:
        pass

    def taken(self, state: State, decision: int, code: int) -> None:
        pass

    def tally(self, counter: int, player: int) -> None:
        self.times[counter] = self.times.get(counter, 0) + 1
        self.users[counter] = self.users.get(counter, 0) | 1 << (player & 31)

    def lead(self, leaders: int) -> None:
        self.asking = leaders == ASKING
        if self.asking:
            return
        self.leads[self.taken_so_far] = leaders
        if leaders:
            self.changes += self.last not in (0, leaders)
            self.last = leaders


class PythonCounting:
    """Implements `counted.CountingBackend`."""

    def __init__(self, program: Program, counters: Counters, *, leads: bool) -> None:
        self.program = program
        self.leads = leads
        self._backend = PythonBackend(program)
        self._size = counters.size

    def random_games(self, first_seed: int, games: int, limit: int) -> Counted:
        return self._played([(seed, picks(seed).below) for seed in range(first_seed, first_seed + games)], limit)

    def given_game(self, seed: int, positions: Sequence[int]) -> Counted:
        waiting = iter(positions)

        def pick(count: int) -> int:
            position = next(waiting)
            if position >= count:
                raise InternalError(f"the game of seed {seed} went otherwise", "backends")
            return position

        return self._played([(seed, pick)], len(positions))

    def _played(self, games: Sequence[tuple[int, Callable[[int], int]]], limit: int) -> Counted:
        records: list[GameRecord] = []
        faults: list[FaultyGame] = []
        sums = [0] * (SUMS * self._size)
        for seed, pick in games:
            uses = _Uses()
            try:
                record = self._game(seed, pick, limit, uses)
            except Fault as fault:
                if uses.asking:
                    raise LeadFault(fault) from None
                faults.append(FaultyGame(seed, uses.taken_so_far, fault.code, fault.span))
                continue
            records.append(record)
            self._add(sums, uses, record)
        return Counted(tuple(records), tuple(faults), tuple(sums), self.leads)

    def _game(self, seed: int, pick: Callable[[int], int], limit: int, uses: _Uses) -> GameRecord:
        backend, program = self._backend, self.program
        state = backend.new_state(seed)
        offered = most = 0
        options = backend.run(state, uses)
        while options is not None and uses.taken_so_far < limit:
            offered += len(options)
            most = max(most, len(options))
            code = options[pick(len(options))]
            uses.taken_so_far += 1
            options = backend.apply(state, code, uses)
        status = RUNNING if options is not None else state[STATUS]
        winners = state[WINNERS] & (1 << len(program.players)) - 1
        scores: tuple[int, ...] = ()
        if program.score and status != RUNNING:
            players = range(len(program.players))
            scores = tuple(backend.call(program.score, state, player, watcher=uses) for player in players)
        ahead = uses.leads.get((uses.taken_so_far + 1) // 2, 0)
        return GameRecord(seed, uses.taken_so_far, offered, most, status, winners, uses.changes, ahead, scores)

    def _add(self, sums: list[int], uses: _Uses, record: GameRecord) -> None:
        ended = record.ended
        for counter, times in uses.times.items():
            at = SUMS * counter
            sums[at] += times
            sums[at + 1] += 1
            for player in range(len(self.program.players)):
                if not uses.users[counter] >> player & 1:
                    continue
                sums[at + 2] += 1
                if not ended:
                    continue
                score = record.scores[player] if record.scores else 0
                cut = min(max(score, _SMALLEST), _LARGEST)
                sums[at + 3] += 1
                sums[at + 4] += record.winners >> player & 1
                sums[at + 5] += score
                sums[at + 6] += cut * cut & 0xFFFFFFFF
                sums[at + 7] += cut * cut >> 32
