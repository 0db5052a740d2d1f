"""What all loops over games inside a module share: the places they look at, how they draw, and what a score is."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.backends.wasm.locals import type_of
from interpreter.backends.wasm.memory import Memory, size_of
from interpreter.backends.wasm.module import STATE
from interpreter.backends.wasm.text import const
from interpreter.diagnostics import InternalError
from interpreter.ir.program import CHOICE, DECISION, RNG, STATUS, WINNERS
from interpreter.ir.ranges import Ranges, words

__all__ = ["filled", "places", "score_of"]

_TAKE_ANY = """({choice_type}.store offset={choice} (i32.const 0) ({option_type}.load (i32.add
        (global.get $options)
        (i32.shl (i32.wrap_i64 (i64.shr_u (i64.mul
          (i64.shr_u (call $random) (i64.const 32))
          (i64.extend_i32_u (i32.shr_u (i32.sub (global.get $options_end) (global.get $options))
            (i32.const {option_shift}))))
          (i64.const 32))) (i32.const {option_shift})))))"""
"""Puts any option, each as likely, into the slot of the choice."""
_NEW_CHANCE = """(i64.store offset={r0} (i32.const 0) (i64.shr_u (call $random) (i64.const 32)))
      (i64.store offset={r1} (i32.const 0) (i64.shr_u (call $random) (i64.const 32)))
      (i64.store offset={r2} (i32.const 0) (i64.shr_u (call $random) (i64.const 32)))
      (i64.store offset={r3} (i32.const 0) (i64.or (i64.shr_u (call $random) (i64.const 32)) (i64.const 1)))"""
"""Gives the generator in the state other words."""


def places(memory: Memory, option_kind: int) -> dict[str, object]:
    """What is filled in for `{...}`; the pieces of text first, since they have places in them."""
    choice, choice_kind = memory.slot(CHOICE)
    return {
        "take_any": _TAKE_ANY,
        "new_chance": _NEW_CHANCE,
        "state": STATE,
        "state_size": memory.state_size,
        "decision": memory.slot(DECISION)[0],
        "choice": choice,
        "choice_type": type_of(choice_kind),
        "option_type": type_of(option_kind),
        "option_shift": size_of(option_kind).bit_length() - 1,
        "status": memory.slot(STATUS)[0],
        "winners": memory.slot(WINNERS)[0],
        "outcomes": memory.outcomes,
        "outcome_mask": memory.outcomes - 1,
        "tallies": memory.tallies,
        **{f"r{i}": memory.slot(RNG + i)[0] for i in range(4)},
    }


def filled(text: str, values: Mapping[str, object]) -> str:
    """A text with what stands for its `{...}`, in the order of the values."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def score_of(ranges: Ranges, function: str, player: int) -> str:
    """The score of a player as an i64; `function` is the name in the module of that which gives it."""
    score = ranges.program.score
    kind = words(ranges.results[score] or (0, 0))
    if kind > 1:
        raise InternalError("a score wider than 64 bits", "backends")
    input_kind = words((ranges.parameters[score] or [None])[0] or (0, 0))
    call = f"(call {function} {const(player, min(input_kind, 1))})"
    return call if kind else f"(i64.extend_i32_s {call})"
