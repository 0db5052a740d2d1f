"""What the WebAssembly printer does to be quick, and that it stays what the judge says."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from tiny_programs import V, choose, function, program

from interpreter.backends.api import Fault
from interpreter.backends.python import PythonBackend
from interpreter.backends.wasm import WasmBackend
from interpreter.backends.wasm.generate import generate
from interpreter.backends.wasm.outline import outline
from interpreter.backends.wasm.shared import share_calls
from interpreter.ir import code as c
from interpreter.ir.program import FunctionCode, Program, SlotGroup
from interpreter.ir.rewrite import visit_body
from interpreter.runtime import load

BEYOND = 500
"""An index outside of any state here."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))


def running(*body: c.Stmt, functions: tuple[FunctionCode, ...] = ()) -> Program:
    return program([c.Block((c.Mark(7), *body), c.Stop())], *functions)


def played(made: Program) -> list[object]:
    """What both backends come to: their state, or their fault."""
    ends: list[object] = []
    for backend in (PythonBackend(made), WasmBackend(made)):
        state = backend.new_state(3)
        try:
            assert backend.run(state) is None
            ends.append(state)
        except Fault as fault:
            ends.append((fault.code, fault.span))
    return ends


def alike(made: Program) -> object:
    judged, native = played(made)
    assert native == judged
    return judged


def of(text: str, name: str) -> str:
    """The text of one function."""
    start = text.index(f"(func ${name}")
    return text[start : text.index("\n  (func", start + 1)] if "\n  (func" in text[start + 1 :] else text[start:]


def search(var: str, high: int, condition: c.Expr, flag: str = "found") -> c.Body:
    found = (c.Mark(9), c.Assign(flag, c.Int(1)), c.Break())
    return (c.Assign(flag, c.Int(0)), c.ForRange(var, c.Int(0), c.Int(high), (c.If(condition, found),)))


def slot(index: c.Expr) -> c.Expr:
    return c.LoadAt(V, index)


# ------------------------------------------------------------------------------------------------ searches


def test_a_search_gets_a_function_of_its_own() -> None:
    body = (*search("i", 8, c.Compare("=", slot(c.Var("i")), c.Var("x"))), c.Return(c.Var("found")))
    some = function("some", body, "x")
    made = running(
        c.Store(V + 3, c.Int(5)),
        c.Store(V, c.CallValue("some", (c.Int(5),))),
        c.Store(V + 1, c.CallValue("some", (c.Int(6),))),
        functions=(some,),
    )
    outlined = outline(made)
    assert set(outlined.functions) - set(made.functions) == {"some: search 1"}
    assert not any(isinstance(stmt, c.ForRange) for stmt in outlined.functions["some"].body)
    state = alike(made)
    assert isinstance(state, list)
    assert state[V : V + 2] == [1, 0]


@pytest.mark.parametrize(
    "after",
    [
        (c.Return(c.Var("i")),),  # the loop variable is read behind it
        (c.Assign("found", c.Int(1)), c.Return(c.Var("found"))),  # set elsewhere too
    ],
)
def test_what_is_no_search_stays(after: c.Body) -> None:
    body = (c.Assign("i", c.Int(0)), *search("i", 4, c.Compare("=", slot(c.Var("i")), c.Int(7))), *after)
    made = running(c.Store(V + 2, c.Int(7)), c.Store(V, c.CallValue("f", ())), functions=(function("f", body),))
    assert set(outline(made).functions) == set(made.functions)
    alike(made)


# ------------------------------------------------------------------------------------------------ expressions


def guarded(*tests: c.Expr) -> c.Body:
    """A relation: not the first, not the second ..., but the last."""
    *against, needed = tests
    none = tuple(c.If(test, (c.Mark(4), c.Return(c.Int(0)))) for test in against)
    return (*none, c.If(needed, (c.Mark(5), c.Return(c.Int(1)))), c.Return(c.Int(0)))


def dear(condition: c.Expr) -> FunctionCode:
    return function("dear", (*search("i", 8, condition), c.Return(c.Var("found"))), "x")


def test_cheap_conditions_are_asked_first() -> None:
    costly = dear(c.Compare("=", slot(c.Var("i")), c.Binary("+", c.Var("x"), c.Int(40))))
    cheap = c.Compare(">", slot(c.Var("x")), c.Int(2))
    may = function("may", guarded(c.CallValue("dear", (c.Var("x"),)), cheap), "x")
    made = running(
        c.Store(V + 5, c.Int(3)),
        c.ForRange("u", c.Int(0), c.Int(6), (
            c.If(c.CallValue("may", (c.Var("u"),)), (c.Store(V + 7, c.Var("u")),)),
        )),
        functions=(costly, may),
    )  # fmt: skip
    state = alike(made)
    assert isinstance(state, list)
    assert state[V + 7] == 5
    block = of(generate(made), "block_0")
    assert block.index("(i64.const 2)") < block.index("(local.set $found")


def test_a_condition_that_may_fault_keeps_its_place() -> None:
    wild = dear(c.Compare("=", slot(c.Binary("*", c.Var("i"), c.Int(BEYOND))), c.Int(9)))
    may = function("may", guarded(c.CallValue("dear", (c.Var("x"),)), c.Compare("=", c.Var("x"), c.Int(99))), "x")
    made = running(c.Store(V, c.CallValue("may", (c.Load(V + 1),))), functions=(wild, may))
    assert alike(made) == ("D703", 7)


def test_a_value_that_may_fault_is_worked_out_although_nobody_needs_it() -> None:
    body = (
        c.Mark(3),
        c.Assign("y", slot(c.Binary("*", c.Var("x"), c.Int(BEYOND)))),
        c.If(c.Compare("=", c.Var("x"), c.Int(1)), (c.Return(c.Int(2)),)),
        c.Return(c.Var("y")),
    )
    made = running(
        c.Store(V + 1, c.Int(1)),
        c.Store(V, c.CallValue("f", (c.Load(V + 1),))),
        functions=(function("f", body, "x"),),
    )
    assert alike(made) == ("D703", 3)


# ------------------------------------------------------------------------------------------------ loops


def turns(body: c.Body) -> Program:
    return running(c.Store(V + 2, c.Int(4)), c.Store(V + 1, c.Int(2)), c.ForRange("i", c.Int(0), c.Int(6), body))


SAME = c.LoadAt(V, c.Binary("&", c.Load(V + 1), c.Int(7)))
"""A slot that a slot says."""


def added(value: c.Expr) -> c.Stmt:
    return c.Assign("sum", c.Binary("+", c.Var("sum"), value))


def test_what_a_loop_leaves_alone_is_read_before_it() -> None:
    made = turns((added(SAME),))
    made.blocks[0] = evolve(
        made.blocks[0], body=(c.Assign("sum", c.Int(0)), *made.blocks[0].body, c.Store(V, c.Var("sum")))
    )
    state = alike(made)
    assert isinstance(state, list)
    assert state[V] == 24
    block = of(generate(made), "block_0")
    assert block.index("(local.set $same") < block.index("(loop")


@pytest.mark.parametrize(
    "change",
    [c.Store(V + 2, c.Binary("+", c.Load(V + 2), c.Int(1))), c.Fill(V, 4, 1), c.CallEffect("grow", ())],
    ids=["store", "fill", "call"],
)
def test_what_a_loop_changes_is_read_again(change: c.Stmt) -> None:
    made = turns((added(SAME), change))
    grow = function("grow", (c.Store(V + 2, c.Binary("+", c.Load(V + 2), c.Int(1))),), returns="nothing")
    body = (c.Assign("sum", c.Int(0)), *made.blocks[0].body, c.Store(V + 6, c.Var("sum")))
    made = evolve(made, functions={**made.functions, "grow": grow}, blocks=[c.Block(body, c.Stop())])
    alike(made)
    assert "$same" not in generate(made)


def test_nothing_that_may_fault_is_read_before_a_loop() -> None:
    wild = c.LoadAt(V, c.Binary("*", c.Load(V + 1), c.Int(BEYOND)))
    guard = c.If(c.Compare("=", c.Load(V + 1), c.Int(0)), (added(wild),))
    made = turns((guard,))
    made = evolve(made, blocks=[c.Block((c.Assign("sum", c.Int(0)), *made.blocks[0].body), c.Stop())])
    assert isinstance(alike(made), list)


# ------------------------------------------------------------------------------------------------ sets of spaces


@pytest.mark.parametrize("value", [0, 1, 2])
def test_searches_among_neighbours_use_sets(value: int) -> None:
    """Which of eight spaces have a neighbour with a value: by a set of such spaces, made once."""
    ring = tuple(tuple(sorted({(i - 1) % 8, (i + 1) % 8, (i + 4) % 8})) for i in range(8))
    near = c.If(c.Compare("=", c.Var("v"), c.Load(V + 8)), (c.Assign("found", c.Int(1)), c.Break()))
    body: c.Body = (
        c.Assign("found", c.Int(0)),
        c.ForRow(("t",), "ring", c.Var("s"), (c.Assign("v", slot(c.Var("t"))), near)),
        c.Return(c.Var("found")),
    )
    made = running(
        *(c.Store(V + i, c.Int(int(i in (2, 3)))) for i in range(8)),
        c.Store(V + 8, c.Int(value)),
        c.Assign("all", c.Int(0)),
        c.ForRange("s", c.Int(0), c.Int(8), (
            c.If(c.CallValue("near", (c.Var("s"),)), (
                c.Assign("all", c.Binary("|", c.Var("all"), c.Binary("<<", c.Int(1), c.Var("s")))),
            )),
        )),
        c.Store(V, c.Var("all")),
        functions=(function("near", body, "s"),),
    )  # fmt: skip
    made.layout.add(SlotGroup("x", "variable", made.layout.size, 1, 0, 9))
    made = evolve(made, arrays={**made.arrays, "ring": ring})
    state = alike(made)
    assert isinstance(state, list)
    holds = {i for i in range(8) if int(i in (2, 3)) == value}
    assert state[V] == sum(1 << s for s in range(8) if holds.intersection(ring[s]))
    block = of(generate(made), "block_0")
    assert block.count("(loop") == 2  # one for the set, one over the spaces


def test_a_search_that_may_fault_keeps_its_order() -> None:
    """Of 6, 1, 2 the first is found; to look at 1 would be a division by nothing."""
    late = c.Compare(">=", c.Binary("div", c.Int(10), c.Binary("-", c.Var("t"), c.Int(1))), c.Int(0))
    near = c.If(c.And(c.Compare("=", slot(c.Var("t")), c.Int(0)), late), (c.Assign("found", c.Int(1)), c.Break()))
    body: c.Body = (c.Assign("found", c.Int(0)), c.ForRow(("t",), "far", c.Var("s"), (near,)), c.Return(c.Var("found")))
    made = running(
        c.Assign("sum", c.Int(0)),
        c.ForRange("s", c.Int(0), c.Int(8), (
            c.Assign("sum", c.Binary("+", c.Var("sum"), c.CallValue("near", (c.Var("s"),)))),
        )),
        c.Store(V, c.Var("sum")),
        functions=(function("near", body, "s"),),
    )  # fmt: skip
    made = evolve(made, arrays={**made.arrays, "far": ((6, 1, 2),) * 8})
    state = alike(made)
    assert isinstance(state, list)
    assert state[V] == 8


def test_a_game_with_pieces_on_a_board_uses_all_of_it() -> None:
    text = of(generate(load("lords_of_war").program), "f5_options_1")
    assert "$all_space" in text
    assert "$same" in text
    assert "$beside" not in text


# ------------------------------------------------------------------------------------------------ what is asked twice


def test_what_is_asked_twice_is_worked_out_once() -> None:
    call = c.CallValue("sum", (c.Load(V + 1),))
    sum_ = function("sum", (
        c.Assign("total", c.Int(0)),
        c.ForRange("i", c.Int(0), c.Int(8), (
            c.Assign("total", c.Binary("+", c.Var("total"), c.Binary("*", slot(c.Var("i")), c.Var("x")))),
        )),
        c.Return(c.Var("total")),
    ), "x")  # fmt: skip
    both_times = function("twice", (
        c.Assign("is", c.And(c.Compare(">", call, c.Int(3)), c.Compare("!=", call, c.Int(9)))),
        c.If(c.Var("is"), (c.Return(c.Binary("-", call, c.Int(1))),)),
        c.Return(c.Int(0)),
    ))  # fmt: skip
    made = running(
        c.Store(V + 1, c.Int(2)), c.Store(V + 2, c.Int(5)), c.Store(V, c.CallValue("twice", ())),
        functions=(sum_, both_times),
    )  # fmt: skip
    shared = share_calls(made).functions["twice"]
    assert sum(isinstance(node, c.CallValue) for node in visit_body(shared.body)) == 1
    state = alike(made)
    assert isinstance(state, list)
    assert state[V] == 2 * (2 + 5) - 1


@pytest.mark.parametrize(
    "between",
    [c.Assign("x", c.Int(3)), c.Store(V + 1, c.Int(4)), c.CallEffect("change", ()), c.Chance("other", c.Int(6))],
    ids=["variable", "store", "effect", "chance"],
)
def test_what_may_have_changed_is_asked_again(between: c.Stmt) -> None:
    call = c.CallValue("at", (c.Var("x"),))
    at = function("at", (c.Mark(4), c.Return(slot(c.Binary("&", c.Var("x"), c.Int(7))))), "x")
    change = function("change", (c.Store(V + 1, c.Int(8)),), returns="nothing")
    made = running(
        c.Store(V + 1, c.Int(2)), c.Store(V + 3, c.Int(6)), c.Assign("x", c.Int(1)), c.Assign("other", c.Int(0)),
        c.Assign("a", call), between, c.Store(V + 5, call), c.Store(V + 6, c.Var("a")),
        functions=(at, change),
    )  # fmt: skip
    assert sum(isinstance(node, c.CallValue) for node in visit_body(share_calls(made).blocks[0].body)) == 2
    state = alike(made)
    assert isinstance(state, list)
    assert state[V + 6] == 2


# ------------------------------------------------------------------------------------------------ lists


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 300])
def test_lists_with_a_bound_have_room_for_all_of_it(count: int) -> None:
    made = program(
        [c.Block((c.Store(V, c.Int(0)),), c.Ask(0, 1, 1)), c.Block((), c.Stop())],
        function("offer", (
            c.NewList("o"),
            c.ForRange("i", c.Int(0), c.Int(count), (
                c.If(c.Compare("!=", c.Binary("mod", c.Var("i"), c.Int(7)), c.Int(3)), (c.Push("o", c.Var("i")),)),
            )),
            c.ForBits("j", c.Binary("&", c.Load(V), c.Int(255)), (c.Push("o", c.Var("j")),)),
            c.ReturnList("o"),
        ), returns="list"),
        decisions=[choose("offer", 1000)],
    )  # fmt: skip
    expected = [i for i in range(count) if i % 7 != 3]
    for backend in (PythonBackend(made), WasmBackend(made)):
        state = backend.new_state(1)
        assert list(backend.run(state) or ()) == expected
    assert "$grow" not in of(generate(made), "f1_offer")


def test_loops_over_rows_that_are_all_empty() -> None:
    """A board so small that no line of two lies on it."""
    pairs = c.ForRow(("a", "b"), "none", c.Load(V + 1), (c.Store(V, c.Binary("+", c.Var("a"), c.Var("b"))),))
    made = running(c.Store(V, c.Int(7)), c.Store(V + 1, c.Int(1)), pairs)
    made = evolve(made, arrays={**made.arrays, "none": ((), (), ())})
    state = alike(made)
    assert isinstance(state, list)
    assert state[V] == 7
