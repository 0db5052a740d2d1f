"""Shards on a Dask cluster: one that exists, or one that is started for the occasion on this machine.

Dask plays a task of a dead worker again by itself. Jobs are a task, too, so that they are there again when the worker
that had them is gone. A worker needs this package in the same version, which is checked, and no rules files.

Invariant: results are those of any other executor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib import import_module
from logging import CRITICAL
from typing import Any

from interpreter.analysis.simulate.executors import Playing, Task, pack, play_packed
from interpreter.analysis.simulate.shards import Job
from interpreter.diagnostics import DslError

__all__ = ["Cluster", "ClusterError"]

_AHEAD = 3
"""Tasks for each worker that are under way at once."""
_BEAT = 0.2
_PATIENCE = 20
"""Seconds in which a cluster has to answer."""
_DEATHS = 20
"""Workers that may die with one task before it is given up."""


class ClusterError(DslError):
    """The cluster cannot be had, or does not do what it should."""


class Cluster:
    """Plays on a cluster."""

    def __init__(self, address: str | None, count: int) -> None:
        self.address = address
        """Of the scheduler; None for a cluster of processes on this machine."""
        self.count = count
        """Workers of the latter."""

    def play(self, jobs: Mapping[str, Job], tasks: Iterable[Task]) -> Playing:
        distributed: Any = import_module("distributed")
        with self._client(distributed) as client:
            packed = client.submit(_same, pack(jobs), pure=False)
            coming = iter(tasks)
            running: dict[Any, Task] = {}
            while True:
                most = _AHEAD * max(1, len(client.scheduler_info()["workers"]))
                while len(running) < most and (task := next(coming, None)) is not None:
                    running[client.submit(play_packed, packed, task, pure=False)] = task
                if not running:
                    return
                try:
                    distributed.wait(list(running), timeout=_BEAT, return_when="FIRST_COMPLETED")
                except TimeoutError:
                    yield None
                for future in [future for future in running if future.done()]:
                    try:
                        result = future.result()
                    except distributed.KilledWorker:
                        raise ClusterError("workers of the cluster die again and again") from None
                    except ModuleNotFoundError as error:
                        raise ClusterError(f"a worker of the cluster has no package `{error.name}`") from None
                    yield running.pop(future), result

    @contextmanager
    def _client(self, distributed: Any) -> Iterator[Any]:
        settings = {"distributed.scheduler.allowed-failures": _DEATHS}
        with ExitStack() as stack:
            stack.enter_context(import_module("dask").config.set(settings))
            try:
                place: Any = self.address
                if place is None:
                    own = distributed.LocalCluster(
                        n_workers=self.count, threads_per_worker=1, dashboard_address=None, silence_logs=CRITICAL
                    )
                    place = stack.enter_context(own)
                client = stack.enter_context(distributed.Client(place, timeout=_PATIENCE))
            except (OSError, TimeoutError, ValueError) as error:
                raise ClusterError(f"no cluster answers at `{self.address}`: {str(error).splitlines()[0]}") from None
            yield client


def _same(packed: bytes) -> bytes:
    return packed
