"""Passes change how a program is written, never what it does."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from random_programs import S, random_function, random_machine
from reference import Reference, TooLong
from tiny_programs import SLOTS, V, counter_game, expressions, function, program

from interpreter.backends.api import Fault, seeded
from interpreter.diagnostics import InternalError
from interpreter.ir import code as c
from interpreter.ir.invariants import check_program
from interpreter.ir.passes import fold, guard, merge, place_locals, run_passes
from interpreter.ir.program import RNG, Entry, Program, SlotGroup
from interpreter.ir.rewrite import visit_program


def start_state(made: Program) -> list[int]:
    state = [*made.initial, *[0] * (made.layout.size - len(made.initial))]
    state[0], state[1], state[4] = made.start, -1, -1
    state[RNG : RNG + 4] = seeded(5)
    return state


def story(made: Program, choices: list[int], steps: int = 500) -> list[object]:
    """Everything that can be seen of a game: variables and options at each decision, events, faults."""
    game = Reference(made, start_state(made), steps)
    told: list[object] = []
    try:
        options = game.run()
        for choice in choices:
            told.append((options, game.state[V : V + SLOTS], game.state[S : S + 3], game.state[RNG : RNG + 4]))
            if options is None:
                break
            options = game.apply(options[choice % len(options)])
    except Fault as fault:
        told.append((fault.code, fault.span, game.state[V : V + SLOTS]))
    return [*told, game.log]


@pytest.mark.parametrize("change", [fold, merge, place_locals, run_passes])
def test_behaviour_is_kept(change: Callable[[Program], Program]) -> None:
    halting = 0
    for seed in range(400):
        made = random_machine(seed)
        check_program(made, "test", placed=False)
        choices = [Random(seed).randrange(6) for _ in range(6)]
        changed = change(made)
        check_program(changed, change.__name__, placed=change in (place_locals, run_passes))
        try:
            expected = story(made, choices)
        except TooLong:
            continue
        halting += 1
        assert story(changed, choices, steps=1000) == expected, f"seed {seed}"
    assert halting > 150


def test_fold_keeps_functions() -> None:
    def told(made: Program) -> tuple[object, ...]:
        game = Reference(made, start_state(made))
        try:
            game.call("f", [])
        except Fault as fault:
            return fault.code, fault.span, game.state, game.log
        return game.state, game.log

    for seed in range(800):
        made = random_function(seed)
        check_program(made, "test")
        try:
            expected = told(made)
        except TooLong:
            continue
        assert told(fold(made)) == expected, f"seed {seed}"


@given(expressions(("x", "y"), functions=True))
def test_folding_is_done_at_once(expr: c.Expr) -> None:
    helper = function("helper", (c.Return(c.Var("x")),), "x", "y")
    once = fold(program([c.Block((), c.Stop())], helper, function("f", (c.Return(expr),), "x", "y")))
    assert fold(once) == once


X = c.Var("x")


@pytest.mark.parametrize(
    ("expr", "folded"),
    [
        (c.Binary("+", c.Int(2), c.Binary("+", X, c.Int(3))), c.Binary("+", X, c.Int(5))),
        (c.Binary("div", c.Int(1), c.Int(0)), c.Binary("div", c.Int(1), c.Int(0))),
        (c.And(c.Int(1), c.Compare("<", X, c.Int(2))), c.Compare("<", X, c.Int(2))),
        (c.And(X, c.Int(0)), c.Int(0)),
        (c.Or(X, c.Int(7)), c.Int(1)),
        (c.And(c.Int(3), X), c.Compare("!=", X, c.Int(0))),
        (c.Not(c.Compare("<", X, c.Int(2))), c.Compare(">=", X, c.Int(2))),
        (c.Pick(c.Not(X), c.Int(4), c.Int(5)), c.Pick(X, c.Int(5), c.Int(4))),
        (c.Pick(c.Int(0), X, c.Int(5)), c.Int(5)),
        (c.ArrayGet("squares", c.Int(3)), c.Int(9)),
        (c.ArrayGet("squares", c.Int(4)), c.ArrayGet("squares", c.Int(4))),
        (c.LoadAt(V, c.Binary("+", X, c.Int(2))), c.LoadAt(V + 2, X)),
        (c.LoadAt(V, c.Int(2)), c.Load(V + 2)),
        (c.PopCount(c.Int(7)), c.Int(3)),
    ],
)
def test_folded_expressions(expr: c.Expr, folded: c.Expr) -> None:
    made = fold(program([c.Block((), c.Stop())], function("f", (c.Return(expr),), "x")))
    assert made.functions["f"].body == (c.Return(folded),)


SET, OTHER = c.Store(V, c.Int(1)), c.Store(V, c.Int(2))


@pytest.mark.parametrize(
    ("stmt", "folded"),
    [
        (c.If(c.Int(1), (SET,), (OTHER,)), (SET,)),
        (c.If(X, (), (SET,)), (c.If(c.Not(X), (SET,)),)),
        (c.If(X, (c.If(c.Var("y"), (SET,)),)), (c.If(c.And(X, c.Var("y")), (SET,)),)),
        (c.If(X, (), ()), ()),
        (c.If(c.Binary("div", X, X), (), ()), (c.If(c.Binary("div", X, X), (), ()),)),
        (c.ForRange("i", c.Int(3), c.Int(3), (SET,)), ()),
        (c.ForRow(("i",), "rows", c.Int(1), (SET,)), ()),
        (c.ForItems("i", (c.Int(3),), (SET,)), (c.Assign("i", c.Int(3)), SET)),
        (c.ForBits("i", c.Int(5), (SET,)), (c.ForItems("i", (c.Int(0), c.Int(2)), (SET,)),)),
        (c.ForRange("i", c.Int(0), c.Int(3), (c.Break(), SET)), (c.ForRange("i", c.Int(0), c.Int(3), (c.Break(),)),)),
        (c.Check(c.Int(1), "D999", 1), ()),
        (c.StoreAt(V, c.Int(1), X), (c.Store(V + 1, X),)),
    ],
)
def test_folded_statements(stmt: c.Stmt, folded: c.Body) -> None:
    made = fold(program([c.Block((), c.Stop())], function("f", (stmt,), "x", "y", returns="nothing")))
    assert made.functions["f"].body == folded


# ------------------------------------------------------------------------------------------------ merging


def test_merge_makes_one_block_of_a_row() -> None:
    blocks = [c.Block((SET,), c.Jump(2), "first"), c.Block((), c.Stop(), "lost"), c.Block((OTHER,), c.Jump(3))]
    merged = merge(program([*blocks, c.Block((), c.Stop())]))
    assert merged.blocks == [c.Block((SET, OTHER), c.Stop(), "first")]
    assert merged.start == 0


def test_merge_returns_plainly_from_a_procedure_called_once() -> None:
    back = V + SLOTS
    made = program(
        [
            c.Block((SET, c.Store(back, c.BlockNumber(2))), c.Jump(1)),
            c.Block((OTHER,), c.JumpSlot(back)),
            c.Block((), c.Stop()),
        ]
    )
    made.layout.add(SlotGroup("back", "frame", back, 1, 0, 9))
    assert merge(made).blocks == [c.Block((SET, OTHER), c.Stop())]


def test_merge_renumbers_everywhere() -> None:
    back = V + SLOTS
    calls = [c.Block((c.Store(back, c.BlockNumber(n)),), c.Jump(4)) for n in (2, 3)]
    made = program(
        [
            c.Block((), c.Stop(), "lost"),
            calls[0],
            calls[1],
            c.Block((SET,), c.Stop(), "end"),
            c.Block((OTHER,), c.JumpSlot(back), "procedure"),
        ],
        start=1,
        entries={"fight": Entry(4, ((back, 3),))},
    )
    made.layout.add(SlotGroup("back", "frame", back, 1, 0, 9))
    merged = merge(made)
    assert [block.label for block in merged.blocks] == ["", "", "end", "procedure"]
    assert merged.blocks[0] == c.Block((c.Store(back, c.BlockNumber(1)),), c.Jump(3))
    assert merged.start == 0
    assert merged.entries == {"fight": Entry(3, ((back, 2),))}


def test_merge_keeps_a_ring_of_empty_blocks() -> None:
    merged = merge(program([c.Block((), c.Jump(1)), c.Block((), c.Jump(0))]))
    check_program(merged, "merge")


# ------------------------------------------------------------------------------------------------ placing


def test_place_locals_gives_slots_only_where_needed() -> None:
    made = program(
        [
            c.Block(
                (c.Assign("here", c.Int(1)), c.Assign("there", c.Var("here")), c.Chance("die", c.Int(6))), c.Jump(1)
            ),
            c.Block((c.Store(V, c.Binary("+", c.Var("there"), c.Var("die"))), c.Assign("asked", c.Int(2))), c.Stop()),
        ]
    )
    placed = place_locals(made, {"asked"})
    frames = {group.name: group.base for group in placed.layout.groups if group.what == "frame"}
    assert list(frames) == ["there", "die", "asked"]
    assert placed.layout.size == V + SLOTS + 3
    assert made.layout.size == V + SLOTS
    assert placed.blocks[0].body == (
        c.Assign("here", c.Int(1)),
        c.Store(frames["there"], c.Var("here")),
        c.Chance("die", c.Int(6)),
        c.Store(frames["die"], c.Var("die")),
    )
    check_program(placed, "place_locals")


def test_place_locals_serves_functions_and_arrays() -> None:
    made = program(
        [
            c.Block(
                (c.FrameStoreAt("order", c.Int(1), c.Int(5)), c.ForRange("i", c.Int(0), c.Int(3), (SET,))),
                c.Jump(1),
            ),
            c.Block((), c.Stop()),
        ],
        function("f", (c.Return(c.Binary("+", c.FrameVar("i"), c.FrameAt("order", c.FrameVar("i")))),)),
        initial=tuple(range(V + SLOTS)),
    )
    placed = place_locals(made, arrays={"order": 4})
    frames = {group.name: group for group in placed.layout.groups if group.what == "frame"}
    order, i = frames["order"].base, frames["i"].base
    assert frames["order"].count == 4
    assert placed.functions["f"].body == (c.Return(c.Binary("+", c.Load(i), c.LoadAt(order, c.Load(i)))),)
    assert placed.blocks[0].body == (
        c.Store(order + 1, c.Int(5)),
        c.ForRange("i", c.Int(0), c.Int(3), (c.Store(i, c.Var("i")), SET)),
    )
    assert placed.initial == (*range(V + SLOTS), 0, 0, 0, 0, 0)
    check_program(placed, "place_locals")


def test_passes_leave_a_small_game_small() -> None:
    ready = run_passes(counter_game())
    assert not any(isinstance(node, c.FrameVar) for node in visit_program(ready))
    assert story(ready, [1, 2, 0, 2, 1]) == story(counter_game(), [1, 2, 0, 2, 1])


# ------------------------------------------------------------------------------------------------ invariants


@pytest.mark.parametrize(
    "made",
    [
        program([c.Block((), c.Jump(1))]),
        program([c.Block((c.Store(V + SLOTS, c.Int(0)),), c.Stop())]),
        program([c.Block((c.Assign("a", c.Var("b")),), c.Stop())]),
        program([c.Block((c.Assign("a", c.CallValue("actor", (c.Int(1),))),), c.Stop())]),
        program([c.Block((c.CallEffect("nobody", ()),), c.Stop())]),
        program([c.Block((c.Break(),), c.Stop())]),
        program([c.Block((c.Return(c.Int(1)),), c.Stop())]),
        program([c.Block((c.Mark(99),), c.Stop())]),
        program([c.Block((c.Emit(4, ()),), c.Stop())]),
        program([c.Block((c.Push("o", c.Int(1)),), c.Stop())]),
        program([c.Block((c.Store(V, c.BlockNumber(7)),), c.Stop())]),
        program([c.Block((c.Store(V, c.FrameVar("a")),), c.Stop())]),
        program([c.Block((c.Store(V, c.ArrayGet("rows", c.Int(0))),), c.Stop())]),
        program([c.Block((), c.Ask(0, 0, 0))]),
        program([c.Block((c.Assign("a", c.Int(1)),), c.Jump(1)), c.Block((c.Store(V, c.Var("a")),), c.Stop())]),
    ],
)
def test_broken_programs_are_found(made: Program) -> None:
    with pytest.raises(InternalError) as caught:
        check_program(made, "test")
    assert caught.value.stage == "test"


# ------------------------------------------------------------------------------------------------ guard


def checked(made: Program) -> list[c.Expr]:
    return [node for node in visit_program(guard(made)) if isinstance(node, c.Binary) and node.checked]


def doing(*body: c.Stmt) -> Program:
    return program([c.Block(body, c.Stop())])


SQUARE = c.Binary("*", X, X)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ((c.Assign("x", c.Load(V)), c.Store(V, SQUARE)), []),  # 62 bits: declared below 2^31
        ((c.Assign("x", c.Load(V)), c.Assign("x", SQUARE), c.Store(V, SQUARE)), [SQUARE, SQUARE]),
        ((c.Assign("x", c.Load(V)), c.Forever((c.Assign("x", c.Binary("+", X, c.Int(6))),), 1)), []),
        ((c.Assign("x", c.Load(V)), c.Forever((c.Assign("x", c.Binary("+", X, X)),), 1)), [c.Binary("+", X, X)]),
        ((c.Assign("x", c.Load(V)), c.Store(V, c.Binary("<<", c.Int(1), X))), [c.Binary("<<", c.Int(1), X)]),
        ((c.Assign("x", c.LoadAt(V, c.Int(0))), c.Store(V, c.Binary("<<", c.Int(1), c.PopCount(X)))), []),
    ],
)
def test_what_may_grow_too_large_is_checked(body: c.Body, expected: list[c.Expr]) -> None:
    found = checked(doing(*body))
    assert [c.Binary(e.op, e.left, e.right) for e in found if isinstance(e, c.Binary)] == expected


def test_what_only_explains_is_checked_without_ranges() -> None:
    label = function("label", (c.Return(c.Binary("+", SQUARE, c.Int(1))),), "x")
    assert checked(program([c.Block((), c.Stop())], label)) == [SQUARE]


def test_constants_that_are_no_number_are_left_to_play() -> None:
    large = c.Binary("*", c.Int(10**15), c.Int(10**15))
    made = doing(c.Store(V, c.Compare(">", large, c.Int(0))))
    assert checked(fold(made)) == [large]
