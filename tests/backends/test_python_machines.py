"""Games as generated Python: they play, stop, fault and report as the words of the operations say."""

import gc
import linecache
import traceback
from collections.abc import Sequence
from random import Random

import pytest
from random_programs import random_function, random_machine
from reference import Recorder, Reference, TooLong
from tiny_programs import SLOTS, SPANS, V, choose, counter_game, dice_game, function, options, program

from interpreter.backends.api import Fault, draw, seeded
from interpreter.backends.python import PythonBackend, generate
from interpreter.diagnostics import InternalError
from interpreter.ir import code as c
from interpreter.ir.passes import run_passes
from interpreter.ir.program import DECISION, PC, PLAYER, RNG, STATUS, WINNERS, WON, Program

# ------------------------------------------------------------------------------------------------ whole games


def test_counter_game() -> None:
    backend = PythonBackend(counter_game(4))
    state = backend.new_state(1)
    assert backend.run(state) == [0, 1, 2]
    assert backend.options(state) == [0, 1, 2]
    assert state[DECISION] == 0
    saved = list(state)
    assert backend.apply(state, 2) == [0]
    assert (state[V], state[PLAYER]) == (3, 1)
    assert backend.apply(state, 0) is None
    assert (state[STATUS], state[WINNERS], state[DECISION]) == (WON, 2, -1)
    assert backend.options(state) == []
    assert backend.run(state) is None  # over is over
    assert backend.apply(saved, 0) == [0, 1, 2]  # a copy goes on by itself


def test_counter_game_watched() -> None:
    backend = PythonBackend(counter_game(4))
    state, watcher = backend.new_state(1), Recorder()
    backend.run(state, watcher)
    backend.apply(state, 2, watcher)
    assert watcher.log == [("mark", 3), ("event", 0, 0, 3), ("mark", 3)]


def test_playout() -> None:
    backend = PythonBackend(run_passes(counter_game(30)))
    state = backend.new_state(1)
    assert backend.playout(state, lambda n: n - 1, 100) == 10
    assert (state[STATUS], state[WINNERS]) == (WON, 2)
    assert backend.playout(state, lambda n: 0, 100) == 0
    state = backend.new_state(1)
    assert backend.playout(state, lambda n: 0, 7) == -1
    assert state[V] == 7
    assert backend.playout(state, lambda n: 0, 100) == 23  # goes on where it stopped
    state = backend.new_state(1)
    backend.run(state)
    assert backend.playout(state, lambda n: 0, 30) == 30


def test_call() -> None:
    backend = PythonBackend(counter_game())
    state = backend.new_state(1)
    state[PLAYER] = 1
    assert backend.call("actor", state) == 1
    assert backend.call("actor", state, watcher=Recorder()) == 1
    with pytest.raises(InternalError):
        backend.call("nobody", state)


def test_new_state_has_what_the_program_says() -> None:
    made = counter_game()
    made.initial = (0, -1, 0, 0, -1, 1, 0)
    state = PythonBackend(made).new_state(3)
    assert len(state) == made.layout.size
    assert state[PC : PLAYER + 1] == [0, -1, 0, 0, -1, 1]
    assert state[RNG : RNG + 4] == list(seeded(3))


# ------------------------------------------------------------------------------------------------ chance


def test_xoshiro_vector() -> None:
    """The words that the published C code of xoshiro128** gives for the state 1, 2, 3, 4."""
    state = [0] * RNG + [1, 2, 3, 4]
    words = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804]
    assert [draw(state, 2**32) for _ in words] == words


def test_draws_are_even_and_within() -> None:
    state = [0] * RNG + list(seeded(7))
    counts = [0] * 6
    for _ in range(6000):
        counts[draw(state, 6)] += 1
    assert all(850 < n < 1150 for n in counts)
    assert draw(state, 1) == draw(state, 0) == 0


def test_dice_game() -> None:
    backend = PythonBackend(run_passes(dice_game()))
    plain, watched, watcher = backend.new_state(9), backend.new_state(9), Recorder()
    assert backend.run(plain) is None
    assert backend.run(watched, watcher) is None
    assert plain == watched
    assert plain[V] == plain[V + 1]
    assert [entry[0] for entry in watcher.log] == ["chance"] * (2 * plain[V + 2])


def test_given_dice() -> None:
    class Given(Recorder):
        dice = iter([3, 2, 5, 5])

        def chance(self, state: list[int], sides: int) -> int:
            return next(self.dice)

    backend = PythonBackend(dice_game())
    state = backend.new_state(9)
    backend.run(state, Given())
    assert state[V : V + 3] == [5, 5, 2]
    assert state[RNG : RNG + 4] == list(seeded(9))


# ------------------------------------------------------------------------------------------------ decisions


def asking(codes: Sequence[int], form: str, skip: bool) -> PythonBackend:
    first = choose("offer", 3)
    pick = choose("offer", 3)
    pick = type(pick)("pick", "actor", "offer", (), SPANS[1], "play", parent=0)
    choosing = type(pick)("choose", "actor", "offer", first.branches, SPANS[1], "play", may=True, pass_code=9)
    blocks = [
        c.Block((), c.Ask(1, 1, 2, skip)),
        c.Block((c.Store(V, c.Int(1)),), c.Stop()),
        c.Block((c.Store(V, c.Int(2)),), c.Stop()),
    ]
    offer = options("offer", [c.Int(code) for code in codes])
    return PythonBackend(program(blocks, offer, decisions=[first, pick if form == "pick" else choosing]))


@pytest.mark.parametrize(
    ("codes", "form", "skip", "asked"),
    [
        ([0, 3], "pick", True, True),
        ([3], "pick", True, False),
        ([3], "pick", False, True),
        ([2], "pick", True, True),
        ([], "pick", False, False),
        ([9], "choose", True, False),
        ([0], "choose", True, True),
    ],
)
def test_skipping(codes: list[int], form: str, skip: bool, asked: bool) -> None:
    backend = asking(codes, form, skip)
    state = backend.new_state(1)
    assert backend.run(state) == (codes if asked else None)
    assert state[V] == (0 if asked else 2)


# ------------------------------------------------------------------------------------------------ faults


def fault_of(made: Program) -> tuple[str, int]:
    found = set()
    for watcher in (None, Recorder()):
        backend = PythonBackend(made)
        with pytest.raises(Fault) as caught:
            backend.run(backend.new_state(1), watcher)
        found.add((caught.value.code, caught.value.span))
    assert len(found) == 1
    return found.pop()


def effect(name: str, *body: c.Stmt) -> Program:
    blocks = [c.Block((c.Mark(2), c.CallEffect(name, ())), c.Stop())]
    return program(blocks, function(name, body, returns="nothing"))


def test_fuel() -> None:
    ring = [c.Block((c.Mark(4),), c.Jump(1)), c.Block((c.Mark(5), c.Store(V, c.Int(1))), c.Jump(1))]
    assert fault_of(program(ring)) == ("D701", 5)
    assert fault_of(program([c.Block((), c.Jump(0))])) == ("D701", 0)
    backend = PythonBackend(program(ring))
    with pytest.raises(Fault):
        backend.playout(backend.new_state(1), lambda n: 0, 5)


def test_endless_loop() -> None:
    assert fault_of(effect("f", c.Forever((c.If(c.Load(V), (c.Break(),)),), 6))) == ("D702", 6)


def test_check() -> None:
    assert fault_of(effect("f", c.Check(c.Compare("<", c.Int(3), c.Load(V)), "D999", 7))) == ("D999", 7)


def test_division_by_zero_finds_the_last_place_known() -> None:
    divide = c.Store(V, c.Binary("div", c.Int(1), c.Load(V)))
    assert fault_of(effect("f", divide)) == ("D703", 2)  # where it was called
    assert fault_of(effect("f", c.Mark(8), divide)) == ("D703", 8)
    branch = c.If(c.Load(V), (c.Mark(9),), (divide,))
    assert fault_of(effect("f", c.Mark(8), branch)) == ("D703", 8)


def test_index_out_of_array() -> None:
    assert fault_of(effect("f", c.Mark(8), c.Store(V, c.ArrayGet("squares", c.Int(99))))) == ("D703", 8)


def test_endless_recursion() -> None:
    assert fault_of(effect("f", c.Mark(8), c.CallEffect("f", ()))) == ("D704", 8)


def test_errors_of_the_caller_stay_their_own() -> None:
    class Broken(Recorder):
        def mark(self, span: int) -> None:
            raise ZeroDivisionError("mine")

    backend = PythonBackend(counter_game())
    with pytest.raises(ZeroDivisionError, match="mine"):
        backend.run(backend.new_state(1), Broken())
    with pytest.raises(IndexError):
        backend.playout(backend.new_state(1), lambda n: n, 5)


def test_traceback_shows_generated_lines() -> None:
    backend = PythonBackend(effect("f", c.Store(V, c.Binary("div", c.Int(1), c.Load(V)))))
    with pytest.raises(Fault) as caught:
        backend.run(backend.new_state(1))
    assert caught.value.__cause__ is not None
    shown = "".join(traceback.format_exception(caught.value.__cause__))
    assert f"S[{V}] = 1 // S[{V}]" in shown


def test_text_is_forgotten_with_its_backend() -> None:
    def kept() -> set[str]:
        gc.collect()
        return {name for name in linecache.cache if name.startswith("<")}

    before = kept()
    backend = PythonBackend(counter_game())
    backend.run(backend.new_state(1))
    added = kept() - before
    assert len(added) == 1
    del backend
    assert not added & kept()


# ------------------------------------------------------------------------------------------------ text


def test_text_of_a_game() -> None:
    text = generate(counter_game(), watched=False)
    assert (
        """def block_2_added(S):
    n_1 = S[2] + 1
    S[11] += n_1
    if S[11] == 10:
        S[3] = 1
        S[4] = 1 << S[5]
        return 5
    S[5] = 1 - S[5]
    return 1
"""
        in text
    )
    assert "BLOCKS = (block_0_set_up, block_1_turn, block_2_added, None, None, block_5_over)" in text
    assert "T.event(0, (S[5], n_1))" in generate(counter_game(), watched=True)


def test_names_are_valid_and_hide_nothing() -> None:
    awkward = [
        "S",
        "T",
        "print",
        "while",
        "a.1",
        "a 1",
        "a_1",
        "1st",
        "é",
        "",
        "__debug__",
        "rows",
        "ROWS",
        "helper 1",
    ]
    body = tuple(c.Assign(name, c.Int(i)) for i, name in enumerate(awkward))
    total: c.Expr = c.Int(0)
    for name in awkward:
        total = c.Binary("+", c.Binary("*", total, c.Int(20)), c.Var(name))
    helper = function("helper 1", (c.Return(c.Binary("-", c.Var("S"), c.Var("T"))),), "S", "T")
    rows = c.ForRow(("rows",), "rows", c.CallValue("helper 1", (c.Int(5), c.Int(3))), (c.Store(V, c.Var("rows")),))
    made = program(
        [c.Block((), c.Stop())],
        helper,
        function("f", (*body, c.Return(total))),
        function("g", (rows,), returns="nothing"),
    )
    expected = 0
    for i in range(len(awkward)):
        expected = expected * 20 + i
    backend = PythonBackend(made)
    state = backend.new_state(1)
    assert backend.call("f", state) == expected
    assert backend.call("f", state, watcher=Recorder()) == expected
    backend.call("g", state)
    assert state[V] == 4


def test_unwatched_text_has_no_watching() -> None:
    silent = c.If(c.Load(V), (c.Mark(1),), (c.Emit(0, (c.Int(1),)),))
    text = generate(effect("f", silent, c.If(c.Load(V), (c.Mark(1),), (c.Store(V, c.Int(1)),))), watched=False)
    assert "def f(S):\n    if not S[11]:\n        S[11] = 1\n" in text


# ------------------------------------------------------------------------------------------------ lists


def test_lists() -> None:
    o, x = c.Var("o"), c.Var("x")
    double = c.Binary("*", o, c.Int(2))
    body = (
        c.NewList("seen"),
        c.IfEmpty("seen", (c.Push("seen", c.Int(2)),), (c.Push("seen", c.Int(9)),)),
        c.ForRange("o", c.Int(0), c.Int(4), (c.If(c.Not(c.InList("seen", o)), (c.Push("seen", double),)),)),
        c.ForList("x", "seen", (c.Push("seen", x), c.Store(V, c.Binary("+", c.Load(V), x)))),
        c.Pop("seen", "last"),
        c.Push("seen", c.Compare("=", c.Var("last"), c.Int(6))),
        c.ReturnList("seen"),
    )
    offer = function("offer", body, returns="list")
    made = program([c.Block((), c.Ask(0, 0, 0))], offer, decisions=[choose("offer", 9)])
    backend = PythonBackend(made)
    state = backend.new_state(1)
    codes = backend.run(state)
    assert codes == [2, 0, 2, 6, 2, 0, 2, 1]
    assert all(type(code) is int for code in codes)
    assert state[V] == 10


# ------------------------------------------------------------------------------------------------ by chance


def test_random_machines_play_like_the_reference() -> None:
    compared = 0
    for seed in range(400):
        made = random_machine(seed)
        ready = run_passes(made)
        expected = play_by_reference(made, seed)
        if expected is None:
            continue
        compared += 1
        for watched in (False, True):
            assert play(ready, seed, watched) == (expected if watched else expected[:-1]), f"seed {seed}"
    assert compared > 150


def choices(seed: int) -> list[int]:
    return [Random(seed).randrange(6) for _ in range(6)]


def play_by_reference(made: Program, seed: int) -> list[object] | None:
    game = Reference(made, PythonBackend(made).new_state(seed))
    told: list[object] = []
    try:
        codes = game.run()
        for choice in choices(seed):
            told.append((codes, game.state[V : V + SLOTS], game.state[RNG : RNG + 4]))
            if codes is None:
                break
            codes = game.apply(codes[choice % len(codes)])
    except Fault as fault:
        told.append((fault.code, fault.span if fault.code == "D999" else "?", game.state[V : V + SLOTS]))
    except TooLong:
        return None
    return [*told, game.log]


def play(made: Program, seed: int, watched: bool) -> list[object]:
    backend = PythonBackend(made)
    state, watcher = backend.new_state(seed), Recorder() if watched else None
    told: list[object] = []
    try:
        codes = backend.run(state, watcher)
        for choice in choices(seed):
            told.append((codes, state[V : V + SLOTS], state[RNG : RNG + 4]))
            if codes is None:
                break
            codes = backend.apply(state, codes[choice % len(codes)], watcher)
    except Fault as fault:
        told.append((fault.code, fault.span if fault.code == "D999" else "?", state[V : V + SLOTS]))
    assert all(type(number) is int for number in state)
    return [*told, watcher.log] if watcher else told


def test_random_functions_do_as_the_reference() -> None:
    for seed in range(400):
        made = random_function(seed)
        backend = PythonBackend(made)
        game, recorder = Reference(made, backend.new_state(seed)), Recorder()
        state = list(game.state)
        expected = got = ""
        try:
            game.call("f", [])
        except Fault as fault:
            expected = fault.code
        except TooLong:
            continue
        try:
            backend.call("f", state, watcher=recorder)
        except Fault as fault:
            got = fault.code
        assert (state, got, recorder.log) == (game.state, expected, game.log), f"seed {seed}"
