"""Shards on a cluster of two workers, one of which is killed: the same results as anywhere."""

from __future__ import annotations

import os
import pickle
import signal

import pytest

distributed = pytest.importorskip("distributed")

from interpreter.analysis.simulate import executors  # noqa: E402
from interpreter.analysis.simulate.cluster import Cluster, ClusterError  # noqa: E402
from interpreter.analysis.simulate.executors import Here, OtherVersionError, Task, play_packed  # noqa: E402
from interpreter.analysis.simulate.shards import Shard, make_job, seeds_in_shards  # noqa: E402
from interpreter.runtime import load  # noqa: E402


def test_a_cluster_plays_alike_and_a_worker_that_is_killed_loses_nothing() -> None:
    jobs = {"x": make_job(load("trading_race"))}
    tasks = [Task("x", shard) for shard in seeds_in_shards(jobs["x"], 0, 1500, 50)]
    expected = {done[0].shard.number: done[1] for done in Here().play(jobs, tasks) if done is not None}
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        victim = next(iter(cluster.workers.values())).pid
        found = {}
        for done in Cluster(cluster.scheduler_address, 2).play(jobs, tasks):
            if done is None:
                continue
            found[done[0].shard.number] = done[1]
            if len(found) == 3:
                os.kill(victim, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
    assert found == expected


def test_where_no_cluster_is_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.analysis.simulate import cluster

    monkeypatch.setattr(cluster, "_PATIENCE", 0.5)
    jobs = {"x": make_job(load("pig"))}
    with pytest.raises(ClusterError, match="no cluster answers at"):
        list(Cluster("tcp://127.0.0.1:1", 1).play(jobs, [Task("x", Shard(0, 0, 1))]))


def test_a_worker_of_another_version_does_not_play(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = executors.pack({"x": make_job(load("pig"))})
    _, jobs = pickle.loads(packed)
    with pytest.raises(OtherVersionError, match="another version"):
        play_packed(pickle.dumps(("other", jobs)), Task("x", Shard(0, 0, 1)))
    assert play_packed(packed, Task("x", Shard(0, 0, 1))).totals.games == 1
