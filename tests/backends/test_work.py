"""What has to be counted while a game runs, and what need not be."""

from __future__ import annotations

import pytest
from attrs import evolve
from tiny_programs import V, counter_game, function, options, program

from interpreter.backends.api import DEEPEST, FUEL, Fault
from interpreter.backends.python import PythonBackend, generate, meter
from interpreter.backends.work import MANY, QUICK, SLOW, Work, declared_turns, in_rings, work_of
from interpreter.ir import code as c
from interpreter.ir.program import FunctionCode, Program

STEP = c.Store(V, c.Int(1))


def work(made: Program) -> Work:
    return work_of(made, declared_turns(made))


def turns(count: int, *body: c.Stmt) -> c.ForRange:
    return c.ForRange("x", c.Int(0), c.Int(count), body or (STEP,))


def doing(*body: c.Stmt, functions: tuple[FunctionCode, ...] = ()) -> Program:
    return program([c.Block((c.Mark(3), *body), c.Stop())], *functions)


def test_a_small_game_counts_nothing() -> None:
    made = counter_game()
    assert not work(made).is_anything()
    assert "METER.left" not in generate(made, watched=False).split("def run(S)")[0]


def test_a_loop_is_counted_from_where_it_may_be_long() -> None:
    short, long = turns(QUICK // 2), turns(QUICK // 2 + 1)
    assert work(doing(short)).loops == {}
    assert work(doing(long)).loops == {id(long): 2}
    assert not work(doing(long)).slow


def test_what_a_loop_counts_is_not_counted_again_by_the_one_around_it() -> None:
    inner = turns(1000)
    outer = turns(1000, inner, STEP)
    found = work(doing(outer))
    assert found.loops == {
        id(inner): 2,
        id(outer): 4,
    }  # itself, what stands before the inner one, that it begins, a step
    assert found.slow == set()
    outer = turns(SLOW // 2000 + 1, inner)
    assert work(doing(outer)).slow == {id(outer)}


def test_of_two_branches_the_dearer_one_counts() -> None:
    branch = c.If(c.Load(V), (STEP,) * 9, (STEP,) * 2)
    loop = turns(100, branch)
    assert work(doing(loop)).loops == {id(loop): 1 + 1 + 9}


def test_a_loop_of_which_nobody_knows_how_long_it_is_counts_always() -> None:
    unknown = c.ForRange("x", c.Int(0), c.LoadAt(V, c.Load(V)), (STEP,))
    declared = c.ForRange("x", c.Int(0), c.Load(V), (STEP,))
    forever = c.Forever((STEP, c.Break()), 1)
    found = work(doing(unknown, declared, forever))
    assert found.loops == {id(unknown): 2, id(declared): 2, id(forever): 3}
    assert found.slow == {id(unknown), id(declared)}
    assert FUEL * 3 < SLOW


def chain(length: int) -> Program:
    """Functions of which each calls the next two times."""
    first = function("f0", (c.Return(c.Load(V)),))
    others = [
        function(f"f{i}", (c.Return(c.Binary("+", c.CallValue(f"f{i - 1}", ()), c.CallValue(f"f{i - 1}", ()))),))
        for i in range(1, length)
    ]
    return doing(c.Store(V, c.CallValue(f"f{length - 1}", ())), functions=(first, *others))


def test_functions_that_call_others_count_when_it_becomes_too_much() -> None:
    found = work(chain(30))
    assert "f6" not in found.functions
    assert "f29" in found.functions
    assert 0 in found.blocks
    assert not found.too_deep
    assert work(chain(DEEPEST + 2)).too_deep == {f"f{DEEPEST}", f"f{DEEPEST + 1}"}


def test_long_lists_count_each_thing() -> None:
    def offering(count: int) -> Program:
        made = options("offer", ())
        body = (c.NewList("o"), turns(count, c.Push("o", c.Var("x"))), c.ReturnList("o"))
        return doing(functions=(evolve(made, body=body),))

    assert work(offering(MANY)).lists == set()
    assert work(offering(MANY + 1)).lists == {"offer"}


def test_functions_in_a_ring_are_found() -> None:
    def calling(name: str, *others: str) -> FunctionCode:
        return function(name, tuple(c.CallEffect(other, ()) for other in others), returns="nothing")

    made = doing(functions=(calling("a", "b"), calling("b", "c"), calling("c", "b", "d"), calling("d")))
    assert in_rings(made) == {"b", "c"}
    assert set(work(made).functions) == {"a", "b", "c"}  # and who calls them asks too


def test_the_judge_begins_anew_at_each_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "WORK", 3 * QUICK)
    made = doing(turns(QUICK))
    backend = PythonBackend(made)
    for _ in range(5):
        assert backend.run(backend.new_state(1)) is None
    twice = PythonBackend(doing(turns(QUICK), turns(SLOW)))
    with pytest.raises(Fault, match="D707"):
        twice.run(twice.new_state(1))
    assert backend.run(backend.new_state(1)) is None


def test_a_question_in_the_middle_of_a_run_does_not_begin_it_anew() -> None:
    counts = meter.Meter()
    counts.left = 7
    before = counts.begin()
    counts.left = 1
    counts.back(before)
    assert counts.left == 7
    counts.left = -1
    with pytest.raises(Fault, match="D707"):
        counts.ask(3)
