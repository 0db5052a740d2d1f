"""Who plays the shards: this process, a process for each core, or a cluster.

An executor takes jobs by name and tasks (a name and a shard) and gives results in whatever order they come. A few
tasks for each worker are under way at once, so that memory stays flat however many there are. A worker that dies loses
nothing: its tasks are played again by another, with the same results. Now and then an executor gives None, so that
whoever waits may look at the clock or at a wish to stop. Workers leave Ctrl-C to the process that started them; when
it closes the executor they end at once.

Invariant: every task gives exactly one result, or the executor raises.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from hashlib import blake2b
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Protocol, TypeAlias

from attrs import frozen

from interpreter.analysis.simulate.shards import Job, Player, Shard, ShardResult
from interpreter.diagnostics import DslError, InternalError

__all__ = [
    "AsNeeded",
    "Done",
    "Executor",
    "Here",
    "OtherVersionError",
    "Playing",
    "Processes",
    "Task",
    "Threads",
    "cores",
    "pack",
    "play_packed",
]

_AHEAD = 3
"""Tasks for each worker that are under way at once."""
_BEAT = 0.2
"""Seconds after which an executor says that nothing has come yet."""
_LITTLE = 1.0
"""Seconds after which it is worth while to start processes."""
_DEATHS = 3
"""How often in a row all workers may die before any result."""


@frozen
class Task:
    """A shard of one of the jobs."""

    job: str
    """The name of the job."""
    shard: Shard


Done: TypeAlias = tuple[Task, ShardResult]
"""A task with its result."""
Playing: TypeAlias = Generator["Done | None", None, None]
"""What comes of tasks; closing it ends whatever plays."""


class Executor(Protocol):
    """Plays tasks."""

    def play(self, jobs: Mapping[str, Job], tasks: Iterable[Task]) -> Playing:
        """Each task with its result, in any order; None now and then while nothing has come."""
        ...


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class Here:
    """Plays in this process, one task after the other."""

    def play(self, jobs: Mapping[str, Job], tasks: Iterable[Task]) -> Playing:
        players = {name: Player(job) for name, job in jobs.items()}
        for task in tasks:
            yield task, players[task.job].play(task.shard)


class Threads:
    """Plays in threads of this process: for jobs whose loop runs inside a backend and lets other threads go on. They
    start at once, and get in each other's way where there are many."""

    def __init__(self, count: int) -> None:
        self.count = count

    def play(self, jobs: Mapping[str, Job], tasks: Iterable[Task]) -> Playing:
        coming = iter(tasks)
        free = [{name: Player(job) for name, job in jobs.items()} for _ in range(self.count)]
        running: dict[Future[ShardResult], tuple[Task, dict[str, Player]]] = {}
        with ThreadPoolExecutor(self.count) as pool:
            while True:
                while free and (task := next(coming, None)) is not None:
                    players = free.pop()
                    running[pool.submit(players[task.job].play, task.shard)] = task, players
                if not running:
                    return
                done, _ = wait(running, _BEAT, FIRST_COMPLETED)
                if not done:
                    yield None
                for future in done:
                    task, players = running.pop(future)
                    free.append(players)
                    yield task, future.result()


class Processes:
    """Plays in processes of this machine."""

    def __init__(self, count: int) -> None:
        self.count = count

    def play(self, jobs: Mapping[str, Job], tasks: Iterable[Task]) -> Playing:
        packed = pack(jobs)
        coming = iter(tasks)
        again: list[Task] = []
        deaths = 0
        while True:
            others = set(active_children())
            pool = ProcessPoolExecutor(self.count, get_context("spawn"), _begin, (packed,))
            running: dict[Future[ShardResult], Task] = {}
            try:
                while True:
                    _fill(pool, running, again, coming, _AHEAD * self.count)
                    if not running:
                        return
                    done, _ = wait(running, _BEAT, FIRST_COMPLETED)
                    if not done:
                        yield None
                    for future in sorted(done, key=lambda each: running[each].shard.number):
                        result = future.result()
                        deaths = 0
                        yield running.pop(future), result
            except BrokenProcessPool:
                deaths += 1
                if deaths >= _DEATHS:
                    raise InternalError("processes that play games die again and again", "analysis") from None
                again = [*running.values(), *again]
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in set(active_children()) - others:
                    process.terminate()


class AsNeeded:
    """Plays here at first, and in processes what is left after a little while: starting them takes as long as many a
    simulation."""

    def __init__(self, count: int) -> None:
        self.count = count

    def play(self, jobs: Mapping[str, Job], tasks: Iterable[Task]) -> Playing:
        coming = iter(tasks)
        if self.count > 1:
            start = monotonic()
            for done in Here().play(jobs, coming):
                yield done
                if monotonic() - start > _LITTLE:
                    break
            else:
                return
        yield from (Processes(self.count) if self.count > 1 else Here()).play(jobs, coming)


def _fill(
    pool: ProcessPoolExecutor,
    running: dict[Future[ShardResult], Task],
    again: list[Task],
    coming: Iterator[Task],
    most: int,
) -> None:
    while len(running) < most:
        task = again.pop(0) if again else next(coming, None)
        if task is None:
            return
        try:
            running[pool.submit(_play, task)] = task
        except BrokenProcessPool:
            again.insert(0, task)
            raise


# ------------------------------------------------------------------------------------------------ in a worker


def pack(jobs: Mapping[str, Job]) -> bytes:
    """Jobs as they are sent to workers, and what these have to be made of to play them alike."""
    return pickle.dumps((made_of(), dict(jobs)), protocol=pickle.HIGHEST_PROTOCOL)


@cache
def made_of() -> str:
    """A short mark of the text of this package."""
    digest = blake2b(digest_size=16)
    folder = Path(__file__).parents[2]
    for file in sorted(folder.rglob("*.py")):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


class OtherVersionError(DslError):
    """A worker has another version of this package."""


_players: dict[str, dict[str, Player]] = {}
"""The players of this process, by what their jobs were packed as; the last few."""
_KEPT = 4
_given = b""
"""The jobs of this process, where it was started for them."""


def play_packed(packed: bytes, task: Task) -> ShardResult:
    """Plays a task in whatever process this is; what was made for the jobs is kept for further tasks."""
    key = blake2b(packed, digest_size=16).hexdigest()
    players = _players.get(key)
    if players is None:
        while len(_players) >= _KEPT:
            del _players[next(iter(_players))]
        wanted, jobs = pickle.loads(packed)
        if wanted != made_of():
            raise OtherVersionError("a worker has another version of this package: it might play otherwise")
        players = _players[key] = {name: Player(job) for name, job in jobs.items()}
    return players[task.job].play(task.shard)


def _begin(packed: bytes) -> None:
    global _given
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _given = packed


def _end_with_parent() -> None:
    """A process that was killed takes its workers with it."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play(task: Task) -> ShardResult:
    return play_packed(_given, task)
