"""What the WebAssembly backend has of its own: wide sets, faults and bounds, random games, the cache."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import evolve
from tiny_programs import V, choose, counter_game, dice_game, function, options, program

from interpreter.backends.api import Fault
from interpreter.backends.conformance import compare_games, compare_lookahead, compare_playouts
from interpreter.backends.python import PythonBackend
from interpreter.backends.wasm import WasmBackend, cache, calls
from interpreter.backends.wasm.expressions import ExpressionPrinter
from interpreter.backends.wasm.generate import generate
from interpreter.backends.wasm.statements import StatementPrinter
from interpreter.diagnostics import InternalError
from interpreter.ir import code as c
from interpreter.ir.passes import guard
from interpreter.ir.program import Program, SlotGroup
from interpreter.source import store


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))


def running(*body: c.Stmt, slots: int = 0, functions: tuple[object, ...] = ()) -> Program:
    """A program that does this and is over. With `slots` there are so many more of which nothing is known."""
    made = program([c.Block((c.Mark(7), *body), c.Stop())], *functions)  # type: ignore[arg-type]
    for i in range(slots):
        made.layout.add(SlotGroup(f"x{i}", "frame", made.layout.size, 1, -(2**63), 2**63 - 1))
    return made


def both(made: Program) -> list[list[int]]:
    states = []
    for backend in (PythonBackend(made), WasmBackend(made)):
        state = backend.new_state(3)
        assert backend.run(state) is None
        states.append(state)
    return states


X = V + 8
"""The first slot of which nothing is known."""


@pytest.mark.parametrize("bits", [70, 121, 279, 1000, 4096])
def test_sets_of_any_width(bits: int) -> None:
    odd, low = sum(1 << i for i in range(1, bits, 2)), (1 << 65) - 1
    var = c.Var
    made = running(
        c.Assign("a", c.Int(odd)),
        c.Assign("b", c.Int(0)),
        c.ForRange("i", c.Int(0), c.Int(bits), (
            c.If(c.HasBit(var("a"), var("i")), (
                c.Assign("b", c.Binary("|", var("b"), c.Binary("<<", c.Int(1), c.Binary("-", var("i"), c.Int(1))))),
            )),
        )),
        c.Store(X, c.Binary("&", c.Binary("|", var("a"), var("b")), c.Int(low))),
        c.Store(X + 1, c.Binary("&~", var("a"), c.Binary(">>", var("b"), c.Int(66)))),
        c.Store(X + 2, c.Binary("-", c.Binary("<<", c.Int(1), c.Int(bits)), c.Int(1))),
        c.Store(X + 3, c.Binary("<<", c.Binary("&", var("b"), c.Int(7)), c.Int(64))),
        c.Store(X + 4, c.Binary("+", var("b"), var("a"))),
        c.Store(V, c.PopCount(var("b"))),
        c.Store(V + 1, c.Compare("=", c.Binary("<<", var("b"), c.Int(1)), var("a"))),
        c.Store(V + 2, c.Compare("<", var("b"), var("a"))),
        c.Store(V + 3, c.Compare("!=", c.Binary("&", var("a"), var("b")), c.Int(0))),
        c.Store(V + 4, c.Int(0)),
        c.ForBits("j", c.Pick(c.Load(V + 2), var("a"), var("b")), (
            c.If(c.Compare("=", var("j"), c.Int(3)), (c.Continue(),)),
            c.If(c.Compare(">", var("j"), c.Int(bits - 4)), (c.Break(),)),
            c.Store(V + 4, c.Binary("+", c.Load(V + 4), var("j"))),
        )),
        slots=5,
    )  # fmt: skip
    judged, native = both(made)
    assert native == judged


def test_what_a_function_is_given_is_not_changed_by_it() -> None:
    wide = c.Int(1 << 100)
    empties = function(
        "empties",
        (c.Store(X, c.Int(0)), c.Store(V, c.PopCount(c.Var("s"))), c.Assign("s", c.Int(0))),
        "s",
        returns="nothing",
    )
    same = function("same", (c.Return(c.Binary("|", c.Var("s"), c.Int(1))),), "s")
    made = running(
        c.Store(X, wide),
        c.CallEffect("empties", (c.Load(X),)),
        c.Store(X, c.Binary("|", c.CallValue("same", (wide,)), c.CallValue("same", (c.Int(1 << 90),)))),
        slots=1,
        functions=(empties, same),
    )
    judged, native = both(made)
    assert native == judged
    assert native[V] == 1
    assert native[X] == 1 << 100 | 1 << 90 | 1


def test_a_list_that_changes_while_it_is_gone_through() -> None:
    made = running(
        c.NewList("l"),
        c.ForRange("i", c.Int(0), c.Int(200), (c.Push("l", c.Var("i")), c.Push("l", c.Int(-5)))),
        c.ForList("x", "l", (c.Push("l", c.Var("x")), c.Store(V, c.Binary("+", c.Load(V), c.Var("x"))))),
        c.Pop("l", "y"),
        c.Store(V + 1, c.Var("y")),
        c.Store(V + 2, c.InList("l", c.Int(199))),
        c.Store(V + 3, c.InList("l", c.Int(1 << 40))),
        c.NewList("l"),
        c.IfEmpty("l", (c.Store(V + 4, c.Int(9)),)),
    )
    judged, native = both(made)
    assert native == judged


# ------------------------------------------------------------------------------------------------ faults and bounds


def fault_of(made: Program) -> tuple[str, int]:
    backend = WasmBackend(made)
    state = backend.new_state(1)
    before = list(state)
    with pytest.raises(Fault) as raised:
        backend.run(state)
    assert state == before
    with pytest.raises(Fault):  # the instance lives on
        backend.run(state)
    return raised.value.code, raised.value.span


N = c.Load(V)
NOTHING = c.Binary("-", N, c.Int(1))


@pytest.mark.parametrize(
    "stmt",
    [
        c.Store(V + 1, c.Binary("div", c.Int(1), N)),
        c.Store(V + 1, c.Binary("mod", c.Int(1), N)),
        c.Store(V + 1, c.ArrayGet("squares", c.Binary("+", N, c.Int(4)))),
        c.Store(V + 1, c.LoadAt(V, c.Binary("+", N, c.Int(100)))),
        c.Store(V + 1, c.Binary("<<", c.Int(1), NOTHING)),
        c.Store(V + 1, c.Binary(">>", c.Int(1), NOTHING)),
        c.ForRow(("x",), "rows", c.Binary("+", N, c.Int(3)), (c.Store(V, c.Var("x")),)),
    ],
)
def test_what_has_no_result_is_a_fault_at_its_line(stmt: c.Stmt) -> None:
    assert fault_of(running(stmt)) == ("D703", 7)


def test_a_check_is_a_fault_with_its_code_and_line() -> None:
    assert fault_of(running(c.Check(N, "D705", 9))) == ("D705", 9)


def test_an_endless_loop_is_stopped() -> None:
    assert fault_of(running(c.Forever((c.Store(V, c.Int(1)),), 5))) == ("D702", 5)


def test_blocks_without_a_decision_are_stopped() -> None:
    made = program([c.Block((c.Mark(4),), c.Jump(1)), c.Block((c.Mark(6),), c.Jump(0))])
    code, span = fault_of(made)
    assert code == "D701"
    assert span in (4, 6)


def test_endless_recursion_is_stopped() -> None:
    again = function("again", (c.Mark(8), c.Return(c.CallValue("again", (c.Binary("+", c.Var("n"), c.Int(1)),)))), "n")
    code, _ = fault_of(running(c.Store(V, c.CallValue("again", (c.Int(0),))), functions=(again,)))
    assert code == "D704"


def test_an_endless_list_is_stopped() -> None:
    grow = c.Forever((c.ForRange("i", c.Int(0), c.Int(1000), (c.Push("l", c.Var("i")),)),), 5)
    code, _ = fault_of(running(c.NewList("l"), grow))
    assert code == "D703"


POWER = (c.Assign("n", c.Int(10)), *[c.Assign("n", c.Binary("*", c.Var("n"), c.Var("n")))] * 6)
LARGE = c.Assign("n", c.Binary("*", c.Load(V), c.Int(2**46)))  # 2^61 where the variable is 2^15


@pytest.mark.parametrize(
    ("body", "fails"),
    [
        ((*POWER, c.Store(V, c.Binary("mod", c.Var("n"), c.Int(7)))), True),
        ((LARGE, c.Assign("n", c.Binary("+", c.Var("n"), c.Var("n")))), False),  # the limit itself
        ((LARGE, *[c.Assign("n", c.Binary("+", c.Var("n"), c.Var("n")))] * 2), True),
        ((LARGE, *[c.Assign("n", c.Binary("-", c.Int(0), c.Var("n")))] * 3), False),
        ((LARGE, c.Assign("m", c.Binary("-", c.Int(0), c.Binary("*", c.Var("n"), c.Load(V + 1)))),
          c.Assign("m", c.Binary("-", c.Var("m"), c.Var("n")))), True),
        ((LARGE, c.Store(V + 2, c.Binary("div", c.Var("n"), c.Load(V + 1)))), False),
        ((c.Store(V + 2, c.PopCount(c.Binary("<<", c.Int(1), c.Load(V)))),), True),
        ((c.Store(V + 2, c.PopCount(c.Binary("<<", c.Int(1), c.Binary("div", c.Load(V), c.Int(5))))),), False),
        ((c.Assign("s", c.Binary("<<", c.Int(3), c.Load(V + 3))), c.Store(V + 2, c.PopCount(c.Var("s")))), True),
    ],
)  # fmt: skip
def test_numbers_and_sets_have_an_end_which_both_backends_find(body: c.Body, fails: bool) -> None:
    values = (c.Store(V, c.Int(2**15)), c.Store(V + 1, c.Int(2)), c.Store(V + 3, c.Int(8191)))
    made = guard(running(*values, c.Mark(9), *body, c.Store(V + 4, c.Compare(">", c.Var("n"), c.Int(0)))
                         if any(isinstance(s, c.Assign) and s.var == "n" for s in body) else c.Mark(9)))  # fmt: skip
    if fails:
        assert fault_of(made) == ("D703", 9)
        with pytest.raises(Fault) as judged:
            PythonBackend(made).run(PythonBackend(made).new_state(1))
        assert (judged.value.code, judged.value.span) == ("D703", 9)
    else:
        judged_state, native = both(made)
        assert native == judged_state


def test_a_code_that_no_option_can_have_is_refused() -> None:
    backend = WasmBackend(counter_game())
    state = backend.new_state(1)
    backend.run(state)
    with pytest.raises(InternalError, match="no code 99"):
        backend.apply(state, 99)


# ------------------------------------------------------------------------------------------------ games


@pytest.mark.parametrize("made", [counter_game(), dice_game()], ids=["without chance", "with chance"])
def test_tiny_games_play_alike(made: Program) -> None:
    compare_games(made, WasmBackend(made), games=20)
    compare_playouts(made, WasmBackend(made), games=50)


def test_random_games_are_the_same_for_the_same_seed_and_others_for_another() -> None:
    backend = WasmBackend(counter_game(30))
    first = backend.random_playouts(1, 200, 1000)
    assert backend.random_playouts(1, 200, 1000) == first
    assert backend.random_playouts(2, 200, 1000) != first
    assert sum(first.ends.values()) == first.games == 200
    assert backend.random_playouts(1, 10, 3).unfinished == 10


def test_options_of_the_same_game_asked_twice() -> None:
    made = program(
        [c.Block((), c.Ask(0, 1, 1)), c.Block((), c.Stop())],
        options("offer", [c.Int(i * 3) for i in range(300)]),
        decisions=[choose("offer", 1000)],
    )
    backend = WasmBackend(made)
    state = backend.new_state(1)
    assert list(backend.run(state) or ()) == list(range(0, 900, 3)) == list(backend.options(state))


# ------------------------------------------------------------------------------------------------ the cache


def files() -> list[Path]:
    place = store.folder("wasm")
    return sorted(place.iterdir()) if place is not None else []


def test_a_module_is_compiled_once() -> None:
    made = counter_game()
    cache.compiled(made)
    (file,) = files()
    known, _, _ = cache.compiled(made)
    assert known.text == ""  # it came from the file
    assert file == files()[0]
    compare_games(made, WasmBackend(made))
    cache.compiled(counter_game(11))
    assert len(files()) == 2


def test_a_module_that_cannot_be_used_is_made_anew() -> None:
    made = counter_game()
    cache.compiled(made)
    (file,) = files()
    store.keep("wasm", file.name, b"\0\0\0\2{}no code")
    known, _, _ = cache.compiled(made)
    assert known.text
    assert cache.compiled(made)[0].text == ""
    compare_games(made, WasmBackend(made))


def test_a_program_is_known_by_its_digest_if_it_has_one() -> None:
    made, other = counter_game(), counter_game(11)
    made.digest = other.digest = "the same"
    cache.compiled(made)
    assert cache.compiled(other)[0].text == ""
    assert cache.compiled(other, 1)[0].text
    assert cache.compiled(evolve(made, start=0))[0].text
    assert len(files()) == 3


def test_without_a_cache_it_is_only_slower(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setenv("LOCALAPPDATA", str(blocked))
    made = counter_game()
    compare_games(made, WasmBackend(made))
    assert blocked.stat().st_size == 0


# ------------------------------------------------------------------------------------------------ calls


def package(without: tuple[str, str] | None = None) -> SimpleNamespace:
    """What is needed of `wasmtime`, as an older or later release may have it."""
    whole = {
        "_ffi": dict.fromkeys(("wasmtime_func_call_unchecked", "wasm_trap_t"), None)
        | {"wasmtime_val_raw_t": SimpleNamespace(i32=0, i64=0)},
        "Store": {"_context": None},
        "Trap": {"_from_ptr": None},
        "WasmtimeError": {"_from_ptr": None},
    }
    if without is not None:
        del whole[without[0]][without[1]]
    return SimpleNamespace(**{name: SimpleNamespace(**kept) for name, kept in whole.items()})


def test_the_short_way_is_taken_where_all_of_it_is_there() -> None:
    assert calls.has_short_way()
    assert calls.has_short_way(package())
    for place, names in vars(package()).items():
        for name in vars(names):
            assert not calls.has_short_way(package(without=(place, name)))
    assert not calls.has_short_way(SimpleNamespace())


def test_without_the_short_way_it_is_only_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_SHORT", False)
    monkeypatch.setattr(calls, "_short", None)
    made = dice_game()
    backend = WasmBackend(made)
    compare_games(made, backend, games=5)
    compare_playouts(made, backend, games=20)
    compare_lookahead(made, backend, games=2)
    assert fault_of(running(c.Check(N, "D705", 9))) == ("D705", 9)


def test_an_instance_is_closed_with_the_last_that_uses_it() -> None:
    backend = WasmBackend(counter_game())
    backend.run(backend.new_state(1))
    kept = backend.instance.store
    del backend
    gc.collect()
    with pytest.raises(ValueError, match="closed"):
        kept.ptr()


# ------------------------------------------------------------------------------------------------ every operation


def operations(kind: type) -> Iterator[str]:
    for sub in kind.__subclasses__():
        placed = sub.__name__.startswith("Frame")  # placed into the state before any backend sees them
        if not placed and sub.__module__ == c.__name__:
            yield sub.__name__


@pytest.mark.parametrize("printer", ["python", "wasm"])
@pytest.mark.parametrize("name", [*operations(c.Expr), *operations(c.Stmt), *operations(c.Terminator)])
def test_every_operation_has_its_place_in_each_printer(printer: str, name: str) -> None:
    folder = Path(sys.modules["interpreter.backends"].__path__[0]) / printer
    text = (folder / "expressions.py").read_text("utf-8") + (folder / "statements.py").read_text("utf-8")
    assert re.search(rf"\b{name}\(", text)


def test_the_text_can_be_read() -> None:
    text = generate(counter_game())
    assert text.startswith("(module")
    assert "(; turn ;)" in text
    assert ExpressionPrinter.__module__ != StatementPrinter.__module__
