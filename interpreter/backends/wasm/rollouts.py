"""Looking ahead within a module: who decides, and random games from any state.

`rollouts` plays on from the record of the state as often as it is told, and counts how the games ended: by status and
by who stood first, with the sum of the last scores. Where scores decide, or a game was given up at the limit, those
with the most points stand first. The judge of it is `interpreter.backends.lookahead`.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.backends.lookahead import has_chance
from interpreter.backends.wasm.loops import filled, places, score_of
from interpreter.backends.wasm.memory import Memory
from interpreter.backends.wasm.text import const
from interpreter.ir.program import DECISION, DRAWN, STATUS, WON, Program
from interpreter.ir.ranges import Ranges, words

_ROLLOUTS = """
(func (export "rollouts") (param $games i64) (param $limit i64) (param $seed i64) (result i64)
    (local $decisions i64) (local $left i64) (local $next i32) (local $won i32) (local $points i64) (local $most i64)
  (global.set $seed (local.get $seed))
  (memory.fill (i32.const {tallies}) (i32.const 0) (i32.const {tallies_size}))
  (memory.copy (i32.const {kept}) (i32.const {state}) (i32.const {state_size}))
  (block $done (loop $game
    (br_if $done (i64.le_s (local.get $games) (i64.const 0)))
    (local.set $games (i64.sub (local.get $games) (i64.const 1)))
    (memory.copy (i32.const {state}) (i32.const {kept}) (i32.const {state_size}))
    {chance}
    (if (i32.ge_s (i32.load offset={decision} (i32.const 0)) (i32.const 0))
      (then (call $ask) (local.set $next (i32.const -1)))
      (else (local.set $next (call $run))))
    (local.set $left (local.get $limit))
    (block $over (loop $decide
      (br_if $over (i32.ne (local.get $next) (i32.const -1)))
      (br_if $over (i64.eqz (local.get $left)))
      (local.set $left (i64.sub (local.get $left) (i64.const 1)))
      (local.set $decisions (i64.add (local.get $decisions) (i64.const 1)))
      {take_any}
      (local.set $next (call $run))
      (br $decide)))
    (local.set $won (i32.and (i32.load offset={winners} (i32.const 0)) (i32.const {outcome_mask})))
    {scores}
    (local.set $next (i32.shl (i32.add
      (i32.mul (i32.load offset={status} (i32.const 0)) (i32.const {outcomes})) (local.get $won)) (i32.const 3)))
    (i64.store offset={tallies} (local.get $next)
      (i64.add (i64.load offset={tallies} (local.get $next)) (i64.const 1)))
    (br $game)))
  (local.get $decisions))
"""


_DECIDED = """(if (i32.and (i32.ne (i32.load offset={status} (i32.const 0)) (i32.const {won}))
      (i32.ne (i32.load offset={status} (i32.const 0)) (i32.const {drawn}))) (then {leaders}))"""

_SCORE = """{begin} (global.set $sp (i32.const {stack}))
    (local.set $points {score})
    (i64.store offset={at} (i32.const 0) (i64.add (i64.load offset={at} (i32.const 0)) (local.get $points)))
    {leader}"""
_FIRST = "(local.set $most (local.get $points)) {set}"
_LATER = """(if (i64.ge_s (local.get $points) (local.get $most)) (then
      (if (i64.gt_s (local.get $points) (local.get $most)) (then {clear}))
      (local.set $most (local.get $points)) {set}))"""


def rollouts(
    program: Program, ranges: Ranges, memory: Memory, names: Mapping[str, str], option_kind: int, begin: str
) -> str:
    """The exports `actor` and `rollouts`; `names`: what functions of the program are called in the module; `begin`:
    what is to be done before each decision."""
    return _actor(program, ranges, memory, names, begin) + _loop(program, ranges, memory, names, option_kind, begin)


def _actor(program: Program, ranges: Ranges, memory: Memory, names: Mapping[str, str], begin: str) -> str:
    lines = ['(func (export "actor") (result i32)', begin, f"(global.set $sp {const(memory.stack)})"]
    waits = f"(i32.load offset={memory.slot(DECISION)[0]} (i32.const 0))"
    for number, decision in enumerate(program.decisions):
        call = f"(call {names[decision.actor]})"
        if words(ranges.results[decision.actor] or (0, 0)):
            call = f"(i32.wrap_i64 {call})"
        lines.append(f"(if (i32.eq {waits} {const(number)}) (then (return {call})))")
    return "\n".join([*lines, "(i32.const -1))"])


def _loop(
    program: Program, ranges: Ranges, memory: Memory, names: Mapping[str, str], option_kind: int, begin: str
) -> str:
    values = {
        "scores": _scores(program, ranges, memory, names, begin),
        "chance": "{new_chance}" if has_chance(program) else "",
        "tallies_size": memory.points - memory.tallies + 8 * len(program.players),
        "kept": memory.before_setup,
        **places(memory, option_kind),
    }
    return filled(_ROLLOUTS, values)


def _scores(program: Program, ranges: Ranges, memory: Memory, names: Mapping[str, str], begin: str) -> str:
    """Adds up the scores of a game that is over or given up, and finds who leads."""
    if not program.score:
        return ""
    status = memory.slot(STATUS)[0]
    lines = []
    for player in range(len(program.players)):
        bit = const(1 << player & memory.outcomes - 1)
        set_ = f"(local.set $won (i32.or (local.get $won) {bit}))"
        clear = "(local.set $won (i32.const 0))"
        leader = (f"{clear} {_FIRST}" if player == 0 else _LATER).format(set=set_, clear=clear)
        lines.append(
            _SCORE.format(
                begin=begin,
                stack=memory.stack,
                score=score_of(ranges, names[program.score], player),
                at=memory.points + 8 * player,
                leader=_DECIDED.format(status=status, won=WON, drawn=DRAWN, leaders=leader),
            )
        )
    return "\n    ".join(lines)


__all__ = ["rollouts"]
