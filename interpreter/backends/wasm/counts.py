"""How a module counts what is used: the two statements of counting programs as text, and the loop over games.

`count_games` plays the games of consecutive seeds, each from before its set-up so that set-up is counted too. Options
are picked by the generator of the seed, or taken at given positions. At the end of each game what it used is added to
the sums, once it is known who won. A fault leaves the loop; what the broken game used is forgotten by the next call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.backends.counted import RECORDED, SUMS
from interpreter.backends.counting import Lead, Tally
from interpreter.backends.wasm.loops import score_of
from interpreter.backends.wasm.text import const
from interpreter.ir import code as c
from interpreter.ir.program import WINNERS

if TYPE_CHECKING:
    from interpreter.backends.wasm.expressions import ExpressionPrinter
    from interpreter.backends.wasm.memory import Memory

WRONG_POSITION = 999
"""The number of a fault of ours: a given position at which there is no option."""


def counted_text(x: ExpressionPrinter, stmt: Tally | Lead) -> list[str]:
    """The text of a statement that counts."""
    if isinstance(stmt, Lead):
        return [f"(call $lead {x.number(stmt.leaders, 0)})"]
    area = x.memory.counting
    player = f"(i32.shl (i32.const 1) {x.number(stmt.player, 0)})"
    if isinstance(stmt.counter, c.Int):
        at, lines = "(i32.const 0)", []
        times, users = (base + 4 * stmt.counter.value for base in (area.times, area.users))
    else:
        local = x.locals.fresh("i32", "counter")
        at, lines = f"(local.get {local})", [f"(local.set {local} (i32.shl {x.number(stmt.counter, 0)} (i32.const 2)))"]
        times, users = area.times, area.users
    return [
        *lines,
        f"(i32.store offset={times} {at} (i32.add (i32.load offset={times} {at}) (i32.const 1)))",
        f"(i32.store offset={users} {at} (i32.or (i32.load offset={users} {at}) {player}))",
    ]


_TEXT = """
(global $game (export "game") (mut i32) (i32.const 0))
(global $taken (export "taken") (mut i32) (i32.const 0))
(global $asking (export "asking") (mut i32) (i32.const 0))
(global $last (mut i32) (i32.const 0))
(global $changes (mut i32) (i32.const 0))
(global $offered (mut i64) (i64.const 0))
(global $most (mut i32) (i32.const 0))
(func $lead (param $leaders i32)
  (global.set $asking (i32.eq (local.get $leaders) (i32.const -1)))
  (if (global.get $asking) (then (return)))
  (i32.store offset={leads} (i32.shl (global.get $taken) (i32.const 2)) (local.get $leaders))
  (if (i32.eqz (local.get $leaders)) (then (return)))
  (if (i32.and (i32.ne (global.get $last) (i32.const 0)) (i32.ne (global.get $last) (local.get $leaders)))
    (then (global.set $changes (i32.add (global.get $changes) (i32.const 1)))))
  (global.set $last (local.get $leaders)))
(func $word_of (param $seed i64) (param $number i64) (result i64) (local $x i64)
  (local.set $x (i64.add (local.get $seed) (i64.mul (local.get $number) (i64.const 0x9E3779B97F4A7C15))))
  (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 30)))
    (i64.const 0xBF58476D1CE4E5B9)))
  (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 27)))
    (i64.const 0x94D049BB133111EB)))
  (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 31))))
(func $seed_game (param $seed i64)
  (i64.store offset={r0} (i32.const 0) (i64.and (call $word_of (local.get $seed) (i64.const 1)) (i64.const 0xffffffff)))
  (i64.store offset={r1} (i32.const 0) (i64.and (call $word_of (local.get $seed) (i64.const 2)) (i64.const 0xffffffff)))
  (i64.store offset={r2} (i32.const 0) (i64.and (call $word_of (local.get $seed) (i64.const 3)) (i64.const 0xffffffff)))
  (i64.store offset={r3} (i32.const 0)
    (i64.or (i64.and (call $word_of (local.get $seed) (i64.const 4)) (i64.const 0xffffffff)) (i64.const 1)))
  (global.set $seed (i64.or (call $word_of (local.get $seed) (i64.const 5)) (i64.const 1))))
(func $play_game (param $limit i32) (param $given i32) (result i32) (local $next i32) (local $count i32) (local $at i32)
  (local.set $next (call $run))
  (block $over (loop $decide
    (br_if $over (i32.ne (local.get $next) (i32.const -1)))
    (br_if $over (i32.eq (global.get $taken) (local.get $limit)))
    (local.set $count (i32.shr_u (i32.sub (global.get $options_end) (global.get $options)) (i32.const {option_shift})))
    (global.set $offered (i64.add (global.get $offered) (i64.extend_i32_u (local.get $count))))
    (if (i32.gt_u (local.get $count) (global.get $most)) (then (global.set $most (local.get $count))))
    (if (local.get $given)
      (then
        (local.set $at (i32.load offset={given} (i32.shl (global.get $taken) (i32.const 2))))
        (if (i32.ge_u (local.get $at) (local.get $count)) (then (call $fault (i32.const {wrong}) (i32.const 0)))))
      (else (local.set $at (i32.wrap_i64 (i64.shr_u (i64.mul
        (i64.shr_u (call $random) (i64.const 32)) (i64.extend_i32_u (local.get $count))) (i64.const 32))))))
    ({choice_type}.store offset={choice} (i32.const 0) ({option_type}.load
      (i32.add (global.get $options) (i32.shl (local.get $at) (i32.const {option_shift})))))
    (global.set $taken (i32.add (global.get $taken) (i32.const 1)))
    (local.set $next (call $run))
    (br $decide)))
  (local.get $next))
(func $put (param $record i32) (param $number i32) (param $value i64)
  (i64.store (i32.add (local.get $record) (i32.shl (local.get $number) (i32.const 3))) (local.get $value)))
(func $add (param $sums i32) (param $number i32) (param $value i64) (local $at i32)
  (local.set $at (i32.add (local.get $sums) (i32.shl (local.get $number) (i32.const 3))))
  (i64.store (local.get $at) (i64.add (i64.load (local.get $at)) (local.get $value))))
(func $fold (param $record i32) (param $ended i32) (param $winners i32)
    (local $at i32) (local $sums i32) (local $users i32) (local $player i32) (local $score i64) (local $square i64)
  (local.set $sums (i32.const {sums}))
  (loop $counter
    (if (i32.load offset={times} (local.get $at)) (then
      (call $add (local.get $sums) (i32.const 0) (i64.extend_i32_u (i32.load offset={times} (local.get $at))))
      (call $add (local.get $sums) (i32.const 1) (i64.const 1))
      (local.set $users (i32.and (i32.load offset={users} (local.get $at)) (i32.const {everybody})))
      (block $done (loop $user
        (br_if $done (i32.eqz (local.get $users)))
        (local.set $player (i32.ctz (local.get $users)))
        (local.set $users (i32.and (local.get $users) (i32.sub (local.get $users) (i32.const 1))))
        (call $add (local.get $sums) (i32.const 2) (i64.const 1))
        (br_if $user (i32.eqz (local.get $ended)))
        (call $add (local.get $sums) (i32.const 3) (i64.const 1))
        (call $add (local.get $sums) (i32.const 4)
          (i64.extend_i32_u (i32.and (i32.const 1) (i32.shr_u (local.get $winners) (local.get $player)))))
        (local.set $score (i64.load offset={record_scores} (i32.add (local.get $record)
          (i32.shl (local.get $player) (i32.const 3)))))
        (call $add (local.get $sums) (i32.const 5) (local.get $score))
        (if (i64.gt_s (local.get $score) (i64.const 0x7fffffff)) (then (local.set $score (i64.const 0x7fffffff))))
        (if (i64.lt_s (local.get $score) (i64.const -0x80000000)) (then (local.set $score (i64.const -0x80000000))))
        (local.set $square (i64.mul (local.get $score) (local.get $score)))
        (call $add (local.get $sums) (i32.const 6) (i64.and (local.get $square) (i64.const 0xffffffff)))
        (call $add (local.get $sums) (i32.const 7) (i64.shr_u (local.get $square) (i64.const 32)))
        (br $user)))))
    (local.set $sums (i32.add (local.get $sums) (i32.const {sums_of_one})))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (br_if $counter (i32.lt_u (local.get $at) (i32.const {counted})))))
(func (export "count_games") (param $first i64) (param $from i32) (param $games i32) (param $limit i32)
    (param $given i32) (result i32) (local $record i32) (local $ended i32) (local $winners i32)
  (if (i32.eqz (local.get $from)) (then (memory.fill (i32.const {sums}) (i32.const 0) (i32.const {sums_size}))))
  (global.set $game (local.get $from))
  (block $done (loop $next_game
    (br_if $done (i32.ge_s (global.get $game) (local.get $games)))
    (memory.fill (i32.const {times}) (i32.const 0) (i32.const {game_size}))
    (global.set $taken (i32.const 0))
    (global.set $asking (i32.const 0))
    (global.set $last (i32.const 0))
    (global.set $changes (i32.const 0))
    (global.set $offered (i64.const 0))
    (global.set $most (i32.const 0))
    (i32.store (i32.const {leads}) (i32.const 0))
    (memory.copy (i32.const {state}) (i32.const {before_setup}) (i32.const {state_size}))
    (call $seed_game (i64.add (local.get $first) (i64.extend_i32_u (global.get $game))))
    (local.set $ended (i32.ne (call $play_game (local.get $limit) (local.get $given)) (i32.const -1)))
    (local.set $ended (i32.and (local.get $ended) (i32.ne (i32.load offset={status} (i32.const 0)) (i32.const 0))))
    (local.set $record (i32.add (i32.const {records})
      (i32.mul (global.get $game) (i32.const {record_size}))))
    (local.set $winners (i32.and {winners} (i32.const {everybody})))
    (call $put (local.get $record) (i32.const 0) (i64.extend_i32_u (global.get $taken)))
    (call $put (local.get $record) (i32.const 1) (global.get $offered))
    (call $put (local.get $record) (i32.const 2) (i64.extend_i32_u (global.get $most)))
    (call $put (local.get $record) (i32.const 3) (i64.extend_i32_s (i32.load offset={status} (i32.const 0))))
    (call $put (local.get $record) (i32.const 4) (i64.extend_i32_u (local.get $winners)))
    (call $put (local.get $record) (i32.const 5) (i64.extend_i32_u (global.get $changes)))
    (call $put (local.get $record) (i32.const 6) (i64.extend_i32_u (i32.load offset={leads}
      (i32.shl (i32.shr_u (i32.add (global.get $taken) (i32.const 1)) (i32.const 1)) (i32.const 2)))))
    (memory.fill (i32.add (local.get $record) (i32.const {scores})) (i32.const 0) (i32.const {scores_size}))
    (if (local.get $ended) (then {all_scores}))
    (call $fold (local.get $record) (local.get $ended) (local.get $winners))
    (global.set $game (i32.add (global.get $game) (i32.const 1)))
    (br $next_game)))
  (global.get $game))
"""


def loop_text(memory: Memory, score: str) -> tuple[str, dict[str, object]]:
    """The functions of a module that counts, and what is to be filled in beside what every module has; `score` is the
    name of the function that gives the score of a player in this module, or ""."""
    area = memory.counting
    scores = [f"(global.set $sp {const(memory.stack)})"] if score else []
    for player in range(area.players if score else 0):
        result = score_of(memory.ranges, score, player)
        scores.append(f"(call $put (local.get $record) {const(RECORDED + player)} {result})")
    address, kind = memory.slot(WINNERS)
    winners = f"({'i64' if kind else 'i32'}.load offset={address} (i32.const 0))"
    values: dict[str, object] = {
        "leads": area.leads,
        "given": area.given,
        "wrong": WRONG_POSITION,
        "sums": area.sums,
        "sums_size": area.sums_size,
        "sums_of_one": 8 * SUMS,
        "times": area.times,
        "users": area.users,
        "counted": 4 * area.counters,
        "game_size": 8 * area.counters,
        "everybody": (1 << area.players) - 1,
        "records": area.records,
        "record_size": area.record_size,
        "record_scores": 8 * RECORDED,
        "scores": 8 * RECORDED,
        "scores_size": 8 * area.players,
        "before_setup": memory.before_setup,
        "all_scores": " ".join(scores),
        "winners": f"(i32.wrap_i64 {winners})" if kind else winners,
    }
    return _TEXT, values


__all__ = ["WRONG_POSITION", "counted_text", "loop_text"]
