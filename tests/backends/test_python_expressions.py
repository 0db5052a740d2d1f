"""What an expression means, it means as Python too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import Reference
from tiny_programs import SLOTS, V, expressions, function, program

from interpreter.backends.api import Fault
from interpreter.backends.python import PythonBackend, generate
from interpreter.ir import code as c
from interpreter.ir.passes import fold
from interpreter.ir.program import Program

HELPER = function("helper", (c.Return(c.Compare("<", c.Var("p"), c.Var("q"))),), "p", "q")
STOP = [c.Block((), c.Stop())]


def outcome(made: Program, name: str, state: list[int], *arguments: int) -> int | str:
    try:
        value = PythonBackend(made).call(name, state, *arguments)
    except Fault as fault:
        return fault.code
    assert type(value) is int
    return value


@given(expressions(("x", "y"), functions=True), st.lists(st.integers(-9, 9), min_size=SLOTS + 2, max_size=SLOTS + 2))
def test_value_and_condition(expr: c.Expr, numbers: list[int]) -> None:
    as_value = function("value", (c.Return(expr),), "x", "y")
    as_condition = function("truth", (c.If(expr, (c.Return(c.Int(1)),)), c.Return(c.Int(0))), "x", "y")
    stored = function("stored", (c.Store(V, expr),), "x", "y", returns="nothing")
    made = program(STOP, HELPER, as_value, as_condition, stored)
    state = [0] * V + numbers[2:]
    try:
        expected: int | str = Reference(made, list(state)).expr(expr, {"x": numbers[0], "y": numbers[1]})
    except Fault as fault:
        expected = fault.code
    assert outcome(made, "value", state, *numbers[:2]) == expected
    truth = expected if isinstance(expected, str) else int(expected != 0)
    assert outcome(made, "truth", state, *numbers[:2]) == truth
    folded = fold(made)
    assert outcome(folded, "value", state, *numbers[:2]) == expected
    assert outcome(folded, "truth", state, *numbers[:2]) == truth
    if outcome(made, "stored", state, *numbers[:2]) == 0 and not isinstance(expected, str):
        assert state[V] == expected
        assert type(state[V]) is int


X, Y = c.Var("x"), c.Var("y")


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (c.Binary("+", X, c.Binary("*", Y, c.Int(2))), "x + y * 2"),
        (c.Binary("*", c.Binary("+", X, Y), c.Int(2)), "(x + y) * 2"),
        (c.Binary("-", X, c.Binary("-", Y, c.Int(2))), "x - (y - 2)"),
        (c.Binary("+", X, c.Binary("+", Y, c.Int(-1))), "x + y - 1"),
        (c.Binary("&~", X, c.Binary("|", Y, c.Int(1))), "x & ~(y | 1)"),
        (c.Binary("&", c.Compare("=", X, Y), X), "(1 if x == y else 0) & x"),
        (c.Binary("+", c.Compare("=", X, Y), X), "(x == y) + x"),
        (c.Binary("min", X, c.Int(3)), "x if x < 3 else 3"),
        (c.Binary("max", X, c.Binary("+", Y, X)), "max(x, y + x)"),
        (c.Compare("=", c.Compare("<", X, Y), c.Int(1)), "1 if (x < y) == 1 else 0"),
        (c.Not(c.And(X, c.Or(Y, X))), "0 if x and (y or x) else 1"),
        (c.Binary("mod", c.Not(c.Not(X)), c.Int(3)), "(0 if not x else 1) % 3"),
        (c.LoadAt(20, c.Binary("-", X, c.Int(1))), "S[20 + x - 1]"),
        (c.LoadAt(20, c.Binary("<<", c.Int(1), X)), "S[20 + (1 << x)]"),
        (c.LoadAt(0, X), "S[x]"),
        (c.HasBit(X, Y), "x >> y & 1"),
        (c.PopCount(c.Binary("&", X, Y)), "(x & y).bit_count()"),
        (c.Pick(c.Compare("<", X, Y), X, c.Pick(X, Y, c.Int(0))), "x if x < y else y if x else 0"),
        (c.CallValue("helper", (X, c.Not(Y))), "helper(S, x, 0 if y else 1)"),
        (c.ArrayGet("squares", c.Binary("mod", X, c.Int(4))), "SQUARES[x % 4]"),
    ],
)
def test_text(expr: c.Expr, text: str) -> None:
    made = program(STOP, HELPER, function("value", (c.Return(expr),), "x", "y"))
    assert f"    return {text}\n" in generate(made, watched=False)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (c.HasBit(X, c.Int(3)), "x & 8"),
        (c.Not(c.Compare("<", X, Y)), "x >= y"),
        (c.Not(X), "not x"),
        (c.And(c.Or(X, Y), c.Not(c.Or(X, Y))), "(x or y) and not (x or y)"),
    ],
)
def test_condition_text(expr: c.Expr, text: str) -> None:
    made = program(STOP, function("value", (c.If(expr, (c.Return(c.Int(7)),)), c.Return(X)), "x", "y"))
    assert f"    if {text}:\n" in generate(made, watched=False)
