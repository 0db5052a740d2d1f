"""Small programs built by hand, and a strategy for expressions."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve
from hypothesis import strategies as st

from interpreter.diagnostics import Position, Span
from interpreter.ir import code as c
from interpreter.ir.program import (
    CHOICE,
    FIRST_FREE,
    PLAYER,
    STATUS,
    WINNERS,
    WON,
    BinderInfo,
    BranchInfo,
    DecisionInfo,
    EventInfo,
    FunctionCode,
    Layout,
    Program,
    SlotGroup,
)
from interpreter.semantics.types import NUMBER, NumberType

V = FIRST_FREE
"""The first variable of every program here."""
SLOTS = 8
"""How many variables there are."""


def span(line: int) -> Span:
    return Span("tiny.rules", Position(line, 1, line), Position(line, 2, line + 1))


SPANS = [span(line) for line in range(20)]


def function(name: str, body: c.Body, *parameters: str, returns: str = "value") -> FunctionCode:
    return FunctionCode(name, parameters, body, returns)  # type: ignore[arg-type]


def options(name: str, codes: Sequence[c.Expr]) -> FunctionCode:
    """A function that offers fixed codes."""
    body = (c.NewList("o"), *(c.Push("o", code) for code in codes), c.ReturnList("o"))
    return function(name, body, returns="list")


ACTOR = function("actor", (c.Return(c.Load(PLAYER)),))


def choose(options: str, codes: int) -> DecisionInfo:
    """A decision with one branch and so many codes."""
    branch = BranchInfo(("take",), (BinderInfo("n", "one", NUMBER, codes, 1),), 0, (codes,), SPANS[1])
    return DecisionInfo("choose", "actor", options, (branch,), SPANS[1], "play")


def program(
    blocks: Sequence[c.Block], *functions: FunctionCode, decisions: Sequence[DecisionInfo] = (), **other: Any
) -> Program:
    """A program with `SLOTS` variables."""
    layout = Layout()
    layout.add(SlotGroup("control", "control", 0, 7, -1, 1000))
    layout.add(SlotGroup("chance", "chance", 7, 4, 0, 2**32 - 1))
    layout.add(SlotGroup("v", "variable", V, SLOTS, -(2**31), 2**31, (NumberType(low=0, high=SLOTS - 1),)))
    made = Program(
        title="Tiny",
        fingerprint="0",
        players=("A", "B"),
        layout=layout,
        arrays={
            "squares": (0, 1, 4, 9),
            "array pairs": (((0, 1), (1, 2)), (), ((2, 3),)),
            "rows": ((1, 2, 3), (), (4,)),
        },
        functions={f.name: f for f in (ACTOR, *functions)},
        blocks=list(blocks),
        decisions=list(decisions),
        events=[EventInfo("say", ("hello",), SPANS[2])],
        spans=list(SPANS),
        places={},
        names={},
        texts=(),
        start=0,
        entries={},
        score="",
        score_halves=False,
    )
    return evolve(made, **other)


def counter_game(target: int = 10) -> Program:
    """Two players add 1, 2 or 3 in turn; who reaches the target wins."""
    total = c.Load(V)
    offer = function(
        "options of add",
        (
            c.NewList("o"),
            c.ForRange("n", c.Int(0), c.Int(3), (
                c.If(
                    c.Compare("<=", c.Binary("+", total, c.Binary("+", c.Var("n"), c.Int(1))), c.Int(target)),
                    (c.Push("o", c.Var("n")),),
                ),
            )),
            c.ReturnList("o"),
        ),
        returns="list",
    )  # fmt: skip
    other = c.Store(PLAYER, c.Binary("-", c.Int(1), c.Load(PLAYER)))
    return program(
        [
            c.Block((c.Store(V, c.Int(0)),), c.Jump(1), "set-up"),
            c.Block((c.Mark(3),), c.Ask(0, 2, 5), "turn"),
            c.Block(
                (
                    c.Assign("n.1", c.Binary("+", c.Load(CHOICE), c.Int(1))),
                    c.Store(V, c.Binary("+", total, c.Var("n.1"))),
                    c.Emit(0, (c.Load(PLAYER), c.Var("n.1"))),
                ),
                c.Branch(c.Compare("=", total, c.Int(target)), 3, 4),
                "added",
            ),
            c.Block(
                (c.Store(STATUS, c.Int(WON)), c.Store(WINNERS, c.Binary("<<", c.Int(1), c.Load(PLAYER)))),
                c.Jump(5),
                "won",
            ),
            c.Block((other,), c.Jump(1), "next"),
            c.Block((), c.Stop(), "over"),
        ],
        offer,
        decisions=[choose("options of add", 3)],
    )


def dice_game() -> Program:
    """Rolls two dice into variables 0 and 1, until they are equal; variable 2 counts the rolls."""
    return program(
        [
            c.Block(
                (
                    c.Chance("first die", c.Int(6)),
                    c.Chance("second die", c.Int(6)),
                    c.Store(V, c.Var("first die")),
                    c.Store(V + 1, c.Var("second die")),
                    c.Store(V + 2, c.Binary("+", c.Load(V + 2), c.Int(1))),
                ),
                c.Branch(c.Compare("=", c.Load(V), c.Load(V + 1)), 1, 0),
                "roll",
            ),
            c.Block((), c.Stop()),
        ]
    )


# ------------------------------------------------------------------------------------------------ by chance

NUMBERS = st.integers(-6, 6).map(c.Int)


def _bounded(part: c.Expr, size: int) -> c.Expr:
    """The expression made to lie within 0..size-1."""
    return c.Binary("mod", part, c.Int(size))


def expressions(names: Sequence[str], functions: bool = False) -> st.SearchStrategy[c.Expr]:
    """Expressions over some variables and the slots; may divide by 0, never shift or index out of bounds."""
    leaves = [NUMBERS, st.integers(V, V + SLOTS - 1).map(c.Load)]
    if names:
        leaves.append(st.sampled_from(names).map(c.Var))

    def larger(inner: st.SearchStrategy[c.Expr]) -> st.SearchStrategy[c.Expr]:
        plain = st.sampled_from(["+", "-", "div", "mod", "min", "max", "&", "|", "&~"])
        parts = [
            st.builds(c.Binary, plain, inner, inner),
            st.builds(lambda a, b: c.Binary("*", _bounded(a, 1000), _bounded(b, 1000)), inner, inner),
            st.builds(lambda a, b: c.Binary("<<", _bounded(a, 1000), _bounded(b, 8)), inner, inner),
            st.builds(lambda a, b: c.Binary(">>", a, _bounded(b, 8)), inner, inner),
            st.builds(c.Compare, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), inner, inner),
            st.builds(c.And, inner, inner),
            st.builds(c.Or, inner, inner),
            st.builds(c.Not, inner),
            st.builds(c.Pick, inner, inner, inner),
            st.builds(lambda a, b: c.HasBit(a, _bounded(b, 8)), inner, inner),
            st.builds(lambda a: c.PopCount(c.Binary("&", a, c.Int(255))), inner),
            st.builds(lambda a, k: c.LoadAt(V + k, _bounded(a, 4)), inner, st.integers(0, 4)),
            st.builds(lambda a: c.ArrayGet("squares", _bounded(a, 4)), inner),
        ]
        if functions:
            parts.append(st.builds(lambda a, b: c.CallValue("helper", (a, b)), inner, inner))
        return st.one_of(parts)

    return st.recursive(st.one_of(leaves), larger, max_leaves=8)
