"""Simulations: the same whoever plays them, right in what they count and in what they say is never used."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from interpreter.analysis.simulate import executors
from interpreter.analysis.simulate.executors import Here, Processes, Task
from interpreter.analysis.simulate.metrics import is_dead, of_outcomes
from interpreter.analysis.simulate.reproduce import reproduce
from interpreter.analysis.simulate.shards import Player, Shard, make_job, seeds_in_shards
from interpreter.analysis.simulate.simulation import Simulation, SimulationError, go_on, simulation_of
from interpreter.analysis.simulate.statistics import (
    holm,
    mean_of,
    quantile,
    share_of,
    student_tail,
    student_value,
)
from interpreter.analysis.simulate.totals import Totals
from interpreter.diagnostics import InternalError, RulesError
from interpreter.ir.program import RUNNING
from interpreter.runtime import load
from interpreter.runtime.rules import Rules

REPOSITORY = Path(__file__).resolve().parents[2]

PLANTED = """language 1

## A small duel of cards, with things planted that are never used.
game "Planted"
    players 2: Ann, Bob
    scored by points

table deck makes Card
    | card   | force | price |
    |--------|-------|-------|
    | Dagger | 1     | 0     |
    | Sword  | 2     | 0     |
    | Dragon | 3     | 9     |
    | Ghost  | 4     | 0     |

kind Weapon: 2 of each Card

zone hand of each Player holds Weapon, seen by owner
zone shelf holds Weapon

each Player has
    points: 0..99
    turn: 0..9

table worth(force: 1..9) gives 0..9, first match
    | force | worth |
    |-------|-------|
    | 1     | 1     |
    | 2     | 3     |
    | 7     | 9     |
    | any   | 0     |

setup
    each player
        move first of (Weapon where card is Dagger and it in box) to player.hand
        move first of (Weapon where card is Sword and it in box) to player.hand
        move first of (Weapon where card is Dragon and it in box) to player.hand

play
    turns
        if player.turn = 4: end game "four turns each"
        choose
            "Play {w}": w from player.hand where price <= player.points
                player.points + worth(w.force)
                move w to shelf
            "Wait"
                player.points +0
            "Surrender" when player.turn > 7
                player.points +0
        player.turn +1
"""


@pytest.fixture
def planted(tmp_path: Path) -> Rules:
    path = tmp_path / "planted.rules"
    path.write_text(PLANTED, encoding="utf-8")
    return load(path)


def simulated(rules: Rules, games: int = 300, seats: tuple[str, ...] = (), **more: object) -> Simulation:
    simulation = simulation_of(make_job(rules, seats, **more), rules, 0, games)  # type: ignore[arg-type]
    assert [result for result in simulation.play(Here()) if result is not None]
    return simulation


# ------------------------------------------------------------------------------------------------ the same results


def test_parts_in_any_order_and_of_any_size_are_the_same(planted: Rules) -> None:
    job = make_job(planted)
    whole = Player(job).play(Shard(0, 0, 120)).totals
    for size in (1, 7, 50):
        parts = [Player(job).play(shard).totals for shard in seeds_in_shards(job, 0, 120, size)]
        summed = Totals(2, whole.counters)
        for part in reversed(parts):
            summed.add(part)
        assert summed == whole
    assert whole.games == 120 == whole.ended
    assert Totals.from_data(whole.to_data()) == whole


def test_both_backends_simulate_alike(planted: Rules) -> None:
    assert simulated(planted, 60, backend="python").totals == simulated(planted, 60).totals


def test_processes_give_the_same_and_one_that_dies_loses_nothing(planted: Rules) -> None:
    job = make_job(planted)
    tasks = [Task("x", shard) for shard in seeds_in_shards(job, 0, 400, 20)]
    expected = {done[0].shard.number: done[1] for done in Here().play({"x": job}, tasks) if done is not None}
    found: dict[int, object] = {}
    killed = False
    for done in Processes(2).play({"x": job}, tasks):
        if done is None:
            continue
        found[done[0].shard.number] = done[1]
        if not killed:
            active_children()[0].kill()
            killed = True
    assert found == expected


@pytest.mark.skipif(os.name == "nt", reason="processes are killed otherwise there")
def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "from interpreter.analysis.simulate.executors import Processes, Task\n"
        "from interpreter.analysis.simulate.shards import Shard, make_job\n"
        "from interpreter.runtime import load\n"
        "from multiprocessing import active_children\n"
        "job = make_job(load('pig'))\n"
        "for done in Processes(1).play({'x': job}, (Task('x', Shard(n, n, 1)) for n in range(10**9))):\n"
        "    if done:\n"
        "        print(active_children()[0].pid, flush=True)\n"
        "        os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=REPOSITORY)
    worker = int(done.stdout)
    for _ in range(100):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{worker}/stat").is_file() and ") Z " in Path(f"/proc/{worker}/stat").read_text():
            return
        time.sleep(0.1)
    raise AssertionError("the worker goes on")


class Deadly:
    """Ends the process that unpacks it."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (1,)


def test_workers_that_die_again_and_again_end_in_an_error(planted: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "pack", lambda jobs: pickle.dumps(Deadly()))
    monkeypatch.setattr(executors, "_DEATHS", 2)
    with pytest.raises(InternalError, match="die again"):
        list(Processes(1).play({"x": make_job(planted)}, [Task("x", Shard(0, 0, 1))]))


def test_a_simulation_goes_on_where_it_stopped(planted: Rules) -> None:
    whole = simulated(planted, 300)
    begun = simulation_of(make_job(planted), planted, 0, 300)
    for number, _ in enumerate(begun.play(Here())):
        if number == 4:
            break
    assert 0 < begun.totals.games < 300 and not begun.is_complete
    further = go_on(begun.to_data(), planted, keeps=False)
    assert further.totals == begun.totals
    list(further.play(Here()))
    assert further.is_complete and further.totals == whole.totals
    with pytest.raises(SimulationError, match="last shard"):
        go_on(whole.to_data(), planted, keeps=False, games=400)
    even = simulated(planted, 64)
    longer = go_on(even.to_data(), planted, keeps=False, games=100)
    list(longer.play(Here()))
    assert longer.totals.games == 100 and longer.totals == simulated(planted, 100).totals


def test_going_on_with_other_rules_is_refused(planted: Rules, tmp_path: Path) -> None:
    data = simulated(planted, 20).to_data()
    other = tmp_path / "other.rules"
    other.write_text(PLANTED.replace("four turns", "4 turns"), encoding="utf-8")
    with pytest.raises(SimulationError, match="rules have changed"):
        go_on(data, load(other), keeps=False)
    with pytest.raises(SimulationError, match="damaged"):
        go_on({**data, "shard": 0}, planted, keeps=False)
    with pytest.raises(SimulationError, match="damaged"):
        go_on({**data, "totals": {}}, planted, keeps=False)


# ------------------------------------------------------------------------------------------------ what is counted


def test_what_was_planted_is_never_used(planted: Rules) -> None:
    simulation = simulated(planted, 400)
    found = {(site.what, site.title, site.span.start.line) for site in simulation.sites.sites}
    dead = {
        (site.what, site.title, site.span.start.line)
        for site in simulation.sites.sites
        if is_dead(site, simulation.totals)
    }
    lines = PLANTED.splitlines()

    def line(text: str) -> int:
        return next(number for number, each in enumerate(lines, 1) if text in each)

    assert ("card", "Dragon", line("| Dragon")) in dead  # too dear
    assert ("card", "Ghost", line("| Ghost")) in dead  # never leaves the box
    assert ("row", "worth", line("| 7 ")) in dead or ("cell", "worth", line("| 7 ")) in dead
    assert ("option", "Surrender", line('"Surrender"')) in dead
    assert ("card", "Dagger", line("| Dagger")) in found - dead
    assert ("option", "Play {w}", line('"Play {w}"')) in found - dead
    assert {what for what, _, _ in dead} <= {"card", "row", "cell", "option", "statement"}


def test_outcomes_are_those_of_sessions_played_with_the_same_picks(planted: Rules) -> None:
    simulation = simulated(planted, 25, keeps=True)
    results = list(simulation_of(simulation.job, planted, 0, 25).play(Here()))
    records = [record for result in results if result is not None for record in result.records]
    assert [record.seed for record in records] == list(range(25))
    for record in records[:8]:
        found = reproduce(planted, simulation.job.seats, record.seed, record.decisions, faulty=False)
        assert found is not None and found.session.is_over
        outcome = found.session.outcome
        assert outcome is not None
        assert sum(1 << player for player in outcome.winners) == record.winners
        assert outcome.scores == record.scores
        assert len(found.session.history.steps) == record.decisions


def test_bots_play_with_the_seeds_they_were_given(planted: Rules) -> None:
    seats = ("greedy", "random")
    simulation = simulated(planted, 6, seats)
    assert simulation.totals == simulated(planted, 6, seats).totals
    assert simulation.totals.wins(0) >= simulation.totals.wins(1)
    player = Player(simulation.job)
    for seed in range(3):
        found = reproduce(planted, seats, seed, len(list(player.positions(seed))), faulty=False)
        assert found is not None and found.session.is_over


def test_rates_of_a_known_game() -> None:
    rules = load("kuhn_poker")
    simulation = simulated(rules, 4000)
    estimates = {metric.key: metric.estimate(simulation.totals, 0.001) for metric in of_outcomes(rules.program)}
    first = estimates["score 0"]
    assert first is not None and first.low <= 0.125 <= first.high  # worked out by hand: an eighth of a chip
    assert estimates["branching"] is not None and estimates["branching"].value == 2
    length = estimates["length"]
    assert length is not None and length.low <= 2.25 <= length.high


FAULTY = """language 1

game "Faulty"
    players 1

track depth: 0..9

state dug: 0..3

play
    repeat
        choose
            "Dig"
                set dug to dug + 1
            "Rest"
                depth +1
            "Leave"
                end game "left"
"""


def test_faults_are_counted_and_can_be_played_up_to(tmp_path: Path) -> None:
    path = tmp_path / "faulty.rules"
    path.write_text(FAULTY, encoding="utf-8")
    rules = load(path)
    simulation = simulated(rules, 400, limit=7)
    totals = simulation.totals
    ((code, span),) = totals.faults
    trouble = totals.faults[code, span]
    assert code == "D710" and rules.program.spans[span].start.line == 14
    assert simulated(rules, 200, limit=7, backend="python").totals.faults[code, span].examples == trouble.examples
    assert totals.games == 400 == totals.ended + totals.endless.games + totals.faulty
    assert totals.endless.games > 0
    seen = trouble.examples[0]
    found = reproduce(rules, simulation.job.seats, seen.seed, seen.decisions, faulty=True)
    assert found is not None and found.leads_to == "Dig"
    with pytest.raises(RulesError):
        found.session.choose(found.leads_to)
    assert all(status != RUNNING or not winners for status, winners in totals.ends)


MIDDLE = """language 1

## The scores can only be worked out at the end.
game "Late"
    players 2
    scored by share

state shares: 0..9

value share = 12 div shares

play
    turns
        choose
            "Go on"
                leave
            "End"
                set shares to 3
                end game
        choose "Stay": n from Player
            if n = player: set shares to 0
"""


def test_scores_that_fault_in_the_middle_leave_out_who_is_ahead(tmp_path: Path) -> None:
    path = tmp_path / "late.rules"
    path.write_text(MIDDLE.replace("                leave\n", "                shares +0\n"), encoding="utf-8")
    rules = load(path)
    simulation = simulated(rules, 40)
    assert not simulation.totals.leads
    assert simulation.totals.ended == 40 and not simulation.totals.faults
    assert simulation.totals == simulated(rules, 40, backend="python").totals


SETTLED = """language 1

## Who is named first wins, after some more turns.
game "Settled"
    players 2: Ann, Bob

state hero: Player or none

play
    choose "Name {p}": p from Player
        set hero to p
    repeat 5 times
        choose
            "Nod"
                leave
            "Shake your head"
                leave
    hero wins
"""


def test_how_far_a_game_was_settled_at_half(tmp_path: Path) -> None:
    path = tmp_path / "settled.rules"
    early = SETTLED.replace("                leave\n", "                set hero to hero\n")
    late = early.replace("    hero wins\n", '    choose "Then {p}": p from Player\n        p wins\n')
    found = []
    for text in (early, late):
        path.write_text(text, encoding="utf-8")
        rules = load(path)
        found.append(simulated(rules, 1000).totals)
        assert simulated(rules, 60, backend="python").totals == simulated(rules, 60).totals
    assert [totals.looked_at for totals in found] == [20, 20]
    assert found[0].foreseen == {1000: 20} and found[0].turned == 0
    middle = sum(chance * count for chance, count in found[1].foreseen.items()) / 20
    assert 400 < middle < 600 and 2 < found[1].turned < 18


# ------------------------------------------------------------------------------------------------ statistics


def test_intervals_of_shares_and_means() -> None:
    half = share_of(50, 100, 0.05)
    assert half is not None and (round(half.low, 4), round(half.high, 4)) == (0.4038, 0.5962)
    none = share_of(0, 100, 0.05)
    assert none is not None and (none.low, round(none.high, 4)) == (0.0, 0.037)
    assert share_of(0, 0, 0.05) is None
    mean = mean_of({1: 50, 3: 50}, 0.05)
    assert mean is not None and (mean.value, round(mean.high - mean.low, 3)) == (2.0, 0.394)
    assert [quantile({1: 3, 5: 1}, share) for share in (0.25, 0.75, 1.0)] == [1, 1, 5]


@pytest.mark.parametrize(
    ("freedom", "tail", "t"), [(10, 0.05, 2.2281), (20, 0.01, 2.8453), (30, 0.001, 3.6460), (100, 0.0001, 4.0533)]
)
def test_the_tails_of_student_are_near_those_of_the_tables(freedom: int, tail: float, t: float) -> None:
    assert student_value(tail, freedom) == pytest.approx(t, rel=2e-3)
    assert student_tail(t, freedom) == pytest.approx(tail, rel=2e-2)


def test_holm_judges_the_smallest_first_and_stops_at_the_first_that_falls() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005], 0.05) == [
        (True, 0.05 / 3),
        (False, 0.05),
        (False, 0.05 / 2),
        (True, 0.05 / 4),
    ]
    assert holm([], 0.05) == []
