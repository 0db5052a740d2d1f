"""The functions that every module has beside those of its program: faults, the stack, wide sets, chance, the loops.

Text with `{...}` filled in from the plan of the memory. What is called in the innermost loops of a game is not here
but printed in place.
"""

from __future__ import annotations

from interpreter.backends.api import FUEL
from interpreter.backends.wasm.counts import loop_text
from interpreter.backends.wasm.loops import filled, places
from interpreter.backends.wasm.memory import Memory
from interpreter.backends.wasm.module import STOP, TOLD
from interpreter.ir.code import LIMIT
from interpreter.ir.program import PC

STOPPED = 998
"""The number of a fault of nobody: a loop of games was told to stop."""
_BASIC = """
(func $fault (param $code i32) (param $span i32)
  (global.set $fault_code (local.get $code))
  (global.set $fault_span (local.get $span))
  (unreachable))
(func $beside (param $slot i64) (param $span i32)
  (if (i64.ge_u (i64.add (local.get $slot) (i64.const {slots})) (i64.const {twice})) (then
    (call $fault (i32.const 703) (local.get $span)))))
(func $take (param $bytes i32) (param $span i32) (result i32) (local $old i32)
  (local.set $old (global.get $sp))
  (global.set $sp (i32.add (local.get $old)
    (i32.and (i32.add (local.get $bytes) (i32.const 7)) (i32.const -8))))
  (if (i32.gt_u (global.get $sp) (i32.const {end})) (then (call $fault (i32.const 703) (local.get $span))))
  (local.get $old))
(func $grow (param $begin i32) (param $end i32) (param $span i32) (result i32) (local $bytes i32) (local $new i32)
  (local.set $bytes (i32.sub (local.get $end) (local.get $begin)))
  (global.set $grown (local.get $bytes))
  (if (i32.eq (local.get $end) (global.get $sp)) (then
    (drop (call $take (local.get $bytes) (local.get $span)))
    (return (local.get $begin))))
  (local.set $new (call $take (i32.shl (local.get $bytes) (i32.const 1)) (local.get $span)))
  (memory.copy (local.get $new) (local.get $begin) (local.get $bytes))
  (local.get $new))
(func $in_limit (param $a i64) (param $span i32) (result i64)
  (if (i64.gt_u (i64.add (local.get $a) (i64.const {limit})) (i64.const {twice_limit})) (then
    (call $fault (i32.const 703) (local.get $span))))
  (local.get $a))
(func $many (param $turns i64) (result i64)
  (select (local.get $turns) (i64.const {many}) (i64.lt_u (local.get $turns) (i64.const {many}))))
(func $multiply (param $a i64) (param $b i64) (param $span i32) (result i64) (local $c i64)
  (if (i64.eqz (local.get $a)) (then (return (i64.const 0))))
  (local.set $c (i64.mul (local.get $a) (local.get $b)))
  (if (i64.eq (local.get $a) (i64.const -1))
    (then (drop (call $in_limit (local.get $b) (local.get $span))))
    (else (if (i64.ne (i64.div_s (local.get $c) (local.get $a)) (local.get $b)) (then
      (call $fault (i32.const 703) (local.get $span))))))
  (call $in_limit (local.get $c) (local.get $span)))
(func $sum (param $a i64) (param $b i64) (param $span i32) (result i64) (local $c i64)
  (local.set $c (i64.add (local.get $a) (local.get $b)))
  (if (i64.lt_s (i64.and (i64.xor (local.get $a) (local.get $c)) (i64.xor (local.get $b) (local.get $c)))
      (i64.const 0)) (then (call $fault (i32.const 703) (local.get $span))))
  (call $in_limit (local.get $c) (local.get $span)))
(func $difference (param $a i64) (param $b i64) (param $span i32) (result i64) (local $c i64)
  (local.set $c (i64.sub (local.get $a) (local.get $b)))
  (if (i64.lt_s (i64.and (i64.xor (local.get $a) (local.get $b)) (i64.xor (local.get $a) (local.get $c)))
      (i64.const 0)) (then (call $fault (i32.const 703) (local.get $span))))
  (call $in_limit (local.get $c) (local.get $span)))
(func $shift_right_u (param $a i64) (param $by i64) (param $span i32) (result i64)
  (if (i64.lt_s (local.get $by) (i64.const 0)) (then (call $fault (i32.const 703) (local.get $span))))
  (if (i64.gt_s (local.get $by) (i64.const 63)) (then (return (i64.const 0))))
  (i64.shr_u (local.get $a) (local.get $by)))
(func $shift_right_s (param $a i64) (param $by i64) (param $span i32) (result i64)
  (if (i64.lt_s (local.get $by) (i64.const 0)) (then (call $fault (i32.const 703) (local.get $span))))
  (if (i64.gt_s (local.get $by) (i64.const 63)) (then (return (i64.shr_s (local.get $a) (i64.const 63)))))
  (i64.shr_s (local.get $a) (local.get $by)))
"""

_DIVISIONS = """
(func $quotient_{t} (param $a {t}) (param $b {t}) (param $span i32) (result {t}) (local $q {t})
  (if ({t}.eqz (local.get $b)) (then (call $fault (i32.const 703) (local.get $span))))
  (if ({t}.eq (local.get $b) ({t}.const -1)) (then (return ({t}.sub ({t}.const 0) (local.get $a)))))
  (local.set $q ({t}.div_s (local.get $a) (local.get $b)))
  (if (i32.and ({t}.ne ({t}.mul (local.get $q) (local.get $b)) (local.get $a))
      ({t}.lt_s ({t}.xor (local.get $a) (local.get $b)) ({t}.const 0)))
    (then (return ({t}.sub (local.get $q) ({t}.const 1)))))
  (local.get $q))
(func $rest_{t} (param $a {t}) (param $b {t}) (param $span i32) (result {t}) (local $r {t})
  (if ({t}.eqz (local.get $b)) (then (call $fault (i32.const 703) (local.get $span))))
  (local.set $r ({t}.rem_s (local.get $a) (local.get $b)))
  (if (i32.and ({t}.ne (local.get $r) ({t}.const 0))
      ({t}.lt_s ({t}.xor (local.get $r) (local.get $b)) ({t}.const 0)))
    (then (return ({t}.add (local.get $r) (local.get $b)))))
  (local.get $r))
(func $in_list_{t} (param $at i32) (param $end i32) (param $value {t}) (result i32)
  (if (i32.eq (local.get $at) (local.get $end)) (then (return (i32.const 0))))
  (loop $again
    (if ({t}.eq ({t}.load (local.get $at)) (local.get $value)) (then (return (i32.const 1))))
    (local.set $at (i32.add (local.get $at) (i32.const {size})))
    (br_if $again (i32.ne (local.get $at) (local.get $end))))
  (i32.const 0))
"""

_WORDS = """
(func $has_bit (param $set i32) (param $words i32) (param $bit i64) (param $span i32) (result i32)
  (if (i64.lt_s (local.get $bit) (i64.const 0)) (then (call $fault (i32.const 703) (local.get $span))))
  (if (i64.ge_u (local.get $bit) (i64.extend_i32_u (i32.shl (local.get $words) (i32.const 6))))
    (then (return (i32.const 0))))
  (i32.wrap_i64 (i64.and (i64.const 1) (i64.shr_u
    (i64.load (i32.add (local.get $set)
      (i32.shl (i32.wrap_i64 (i64.shr_u (local.get $bit) (i64.const 6))) (i32.const 3))))
    (local.get $bit)))))
(func $one_bit (param $set i32) (param $words i32) (param $bit i64) (param $span i32)
  (memory.fill (local.get $set) (i32.const 0) (i32.shl (local.get $words) (i32.const 3)))
  (if (i64.ge_u (local.get $bit) (i64.extend_i32_u (i32.shl (local.get $words) (i32.const 6))))
    (then (call $fault (i32.const 703) (local.get $span))))
  (i64.store
    (i32.add (local.get $set) (i32.shl (i32.wrap_i64 (i64.shr_u (local.get $bit) (i64.const 6))) (i32.const 3)))
    (i64.shl (i64.const 1) (local.get $bit))))
(func $any (param $set i32) (param $words i32) (result i32)
  (loop $again
    (if (i64.ne (i64.load (local.get $set)) (i64.const 0)) (then (return (i32.const 1))))
    (local.set $set (i32.add (local.get $set) (i32.const 8)))
    (local.set $words (i32.sub (local.get $words) (i32.const 1)))
    (br_if $again (local.get $words)))
  (i32.const 0))
(func $count (param $set i32) (param $words i32) (result i32) (local $sum i64)
  (loop $again
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.load (local.get $set)))))
    (local.set $set (i32.add (local.get $set) (i32.const 8)))
    (local.set $words (i32.sub (local.get $words) (i32.const 1)))
    (br_if $again (local.get $words)))
  (i32.wrap_i64 (local.get $sum)))
(func $compare (param $a i32) (param $b i32) (param $words i32) (result i32) (local $at i32)
  (loop $again
    (local.set $words (i32.sub (local.get $words) (i32.const 1)))
    (local.set $at (i32.shl (local.get $words) (i32.const 3)))
    (if (i64.ne (i64.load (i32.add (local.get $a) (local.get $at))) (i64.load (i32.add (local.get $b) (local.get $at))))
      (then (return (select (i32.const -1) (i32.const 1)
        (i64.lt_u (i64.load (i32.add (local.get $a) (local.get $at)))
          (i64.load (i32.add (local.get $b) (local.get $at))))))))
    (br_if $again (local.get $words)))
  (i32.const 0))
(func $word (param $set i32) (param $words i32) (param $at i32) (result i64)
  (if (i32.ge_u (local.get $at) (local.get $words)) (then (return (i64.const 0))))
  (i64.load (i32.add (local.get $set) (i32.shl (local.get $at) (i32.const 3)))))
(func $over (param $set i32) (param $words i32) (param $at i32) (param $bits i64) (result i64)
  (if (i64.eqz (local.get $bits)) (then (return (i64.const 0))))
  (i64.shr_u (call $word (local.get $set) (local.get $words) (local.get $at))
    (i64.sub (i64.const 64) (local.get $bits))))
(func $shift_words_left (param $to i32) (param $set i32) (param $words i32) (param $by i64) (param $span i32)
    (local $at i32) (local $skip i32) (local $bits i64)
  (if (i64.lt_s (local.get $by) (i64.const 0)) (then (call $fault (i32.const 703) (local.get $span))))
  (if (i64.ge_u (local.get $by) (i64.extend_i32_u (i32.shl (local.get $words) (i32.const 6)))) (then
    (if (call $any (local.get $set) (local.get $words)) (then (call $fault (i32.const 703) (local.get $span))))
    (local.set $by (i64.const 0))))
  (local.set $skip (i32.wrap_i64 (i64.shr_u (local.get $by) (i64.const 6))))
  (local.set $bits (i64.and (local.get $by) (i64.const 63)))
  (if (local.get $skip) (then (if (call $any
      (i32.add (local.get $set) (i32.shl (i32.sub (local.get $words) (local.get $skip)) (i32.const 3)))
      (local.get $skip)) (then (call $fault (i32.const 703) (local.get $span))))))
  (if (i64.ne (call $over (local.get $set) (local.get $words)
      (i32.sub (i32.sub (local.get $words) (local.get $skip)) (i32.const 1)) (local.get $bits)) (i64.const 0))
    (then (call $fault (i32.const 703) (local.get $span))))
  (local.set $at (local.get $words))
  (loop $again
    (local.set $at (i32.sub (local.get $at) (i32.const 1)))
    (i64.store (i32.add (local.get $to) (i32.shl (local.get $at) (i32.const 3))) (i64.or
      (i64.shl (call $word (local.get $set) (local.get $words) (i32.sub (local.get $at) (local.get $skip)))
        (local.get $bits))
      (call $over (local.get $set) (local.get $words)
        (i32.sub (i32.sub (local.get $at) (local.get $skip)) (i32.const 1)) (local.get $bits))))
    (br_if $again (local.get $at))))
(func $shift_words_right (param $to i32) (param $set i32) (param $words i32) (param $by i64) (param $span i32)
    (local $at i32) (local $skip i32) (local $bits i64)
  (if (i64.lt_s (local.get $by) (i64.const 0)) (then (call $fault (i32.const 703) (local.get $span))))
  (if (i64.ge_u (local.get $by) (i64.extend_i32_u (i32.shl (local.get $words) (i32.const 6)))) (then
    (memory.fill (local.get $to) (i32.const 0) (i32.shl (local.get $words) (i32.const 3)))
    (return)))
  (local.set $skip (i32.wrap_i64 (i64.shr_u (local.get $by) (i64.const 6))))
  (local.set $bits (i64.and (local.get $by) (i64.const 63)))
  (loop $again
    (i64.store (i32.add (local.get $to) (i32.shl (local.get $at) (i32.const 3))) (i64.or
      (i64.shr_u (call $word (local.get $set) (local.get $words) (i32.add (local.get $at) (local.get $skip)))
        (local.get $bits))
      (if (result i64) (i64.eqz (local.get $bits)) (then (i64.const 0)) (else (i64.shl
        (call $word (local.get $set) (local.get $words)
          (i32.add (i32.add (local.get $at) (local.get $skip)) (i32.const 1)))
        (i64.sub (i64.const 64) (local.get $bits)))))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $at) (local.get $words)))))
(func $set_add (param $to i32) (param $a i32) (param $b i32) (param $bytes i32)
    (local $at i32) (local $x i64) (local $sum i64) (local $carry i64)
  (loop $again
    (local.set $x (i64.load (i32.add (local.get $a) (local.get $at))))
    (local.set $sum (i64.add (local.get $x) (i64.load (i32.add (local.get $b) (local.get $at)))))
    (i64.store (i32.add (local.get $to) (local.get $at)) (i64.add (local.get $sum) (local.get $carry)))
    (local.set $carry (i64.or
      (i64.extend_i32_u (i64.lt_u (local.get $sum) (local.get $x)))
      (i64.extend_i32_u (i64.lt_u (i64.add (local.get $sum) (local.get $carry)) (local.get $sum)))))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br_if $again (i32.lt_u (local.get $at) (local.get $bytes)))))
(func $set_subtract (param $to i32) (param $a i32) (param $b i32) (param $bytes i32)
    (local $at i32) (local $x i64) (local $y i64) (local $less i64)
  (loop $again
    (local.set $x (i64.load (i32.add (local.get $a) (local.get $at))))
    (local.set $y (i64.load (i32.add (local.get $b) (local.get $at))))
    (i64.store (i32.add (local.get $to) (local.get $at))
      (i64.sub (i64.sub (local.get $x) (local.get $y)) (local.get $less)))
    (local.set $less (i64.extend_i32_u (i32.or (i64.lt_u (local.get $x) (local.get $y))
      (i32.and (i64.eq (local.get $x) (local.get $y)) (i32.wrap_i64 (local.get $less))))))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br_if $again (i32.lt_u (local.get $at) (local.get $bytes)))))
"""

_BITWISE = """
(func $set_{name} (param $to i32) (param $a i32) (param $b i32) (param $bytes i32) (local $at i32)
  (loop $again
    (i64.store (i32.add (local.get $to) (local.get $at)) {word})
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br_if $again (i32.lt_u (local.get $at) (local.get $bytes)))))
"""

_CHANCE = """
(func $next (result i32) (local $x i32) (local $t i32) (local $s0 i32) (local $s1 i32) (local $s2 i32) (local $s3 i32)
  (local.set $s0 (i32.load offset={r0} (i32.const 0)))
  (local.set $s1 (i32.load offset={r1} (i32.const 0)))
  (local.set $s2 (i32.load offset={r2} (i32.const 0)))
  (local.set $s3 (i32.load offset={r3} (i32.const 0)))
  (local.set $x (i32.mul (i32.rotl (i32.mul (local.get $s1) (i32.const 5)) (i32.const 7)) (i32.const 9)))
  (local.set $t (i32.shl (local.get $s1) (i32.const 9)))
  (local.set $s2 (i32.xor (local.get $s2) (local.get $s0)))
  (local.set $s3 (i32.xor (local.get $s3) (local.get $s1)))
  (local.set $s1 (i32.xor (local.get $s1) (local.get $s2)))
  (local.set $s0 (i32.xor (local.get $s0) (local.get $s3)))
  (local.set $s2 (i32.xor (local.get $s2) (local.get $t)))
  (local.set $s3 (i32.rotl (local.get $s3) (i32.const 11)))
  (i64.store offset={r0} (i32.const 0) (i64.extend_i32_u (local.get $s0)))
  (i64.store offset={r1} (i32.const 0) (i64.extend_i32_u (local.get $s1)))
  (i64.store offset={r2} (i32.const 0) (i64.extend_i32_u (local.get $s2)))
  (i64.store offset={r3} (i32.const 0) (i64.extend_i32_u (local.get $s3)))
  (local.get $x))
(func $draw_below (param $sides i32) (param $limit i64) (result i32) (local $x i32)
  (loop $again
    (local.set $x (call $next))
    (br_if $again (i64.ge_u (i64.extend_i32_u (local.get $x)) (local.get $limit))))
  (i32.rem_u (local.get $x) (local.get $sides)))
(func $draw (param $sides i64) (result i32)
  (if (i64.le_s (local.get $sides) (i64.const 1)) (then (return (i32.const 0))))
  (call $draw_below (i32.wrap_i64 (local.get $sides))
    (i64.sub (i64.const 4294967296) (i64.rem_u (i64.const 4294967296) (local.get $sides)))))
"""

_LOOPS = """
(func $run (result i32) (local $block i32) (local $fuel i32)
  {begin}
  (if (i32.load (i32.const {stop})) (then (call $fault (i32.const {stopped}) (i32.const 0))))
  (local.set $block (i32.load offset={pc} (i32.const 0)))
  (if (i32.lt_s (local.get $block) (i32.const 0)) (then (return (i32.const -2))))
  (local.set $fuel (i32.const {fuel}))
  (loop $again
    (global.set $sp (i32.const {stack}))
    (local.set $block (call_indirect $functions (type $block) (local.get $block)))
    (if (i32.lt_s (local.get $block) (i32.const 0)) (then (return (local.get $block))))
    (local.set $fuel (i32.sub (local.get $fuel) (i32.const 1)))
    (br_if $again (local.get $fuel)))
  (call $fault (i32.const 701) (i32.load offset={spans} (i32.shl (local.get $block) (i32.const 2))))
  (unreachable))
(func $ask
  {begin}
  (global.set $sp (i32.const {stack}))
  (call_indirect $functions (type $list)
    (i32.add (i32.load offset={decision} (i32.const 0)) (i32.const {blocks}))))
(func $tell
  (i32.store (i32.const {told}) (global.get $options))
  (i32.store offset=4 (i32.const {told}) (global.get $options_end)))
(func (export "run") (result i32) (local $next i32)
  (local.set $next (call $run))
  (call $tell)
  (local.get $next))
(func (export "ask") (result i32)
  (call $ask)
  (call $tell)
  (i32.const -1))
(func $random (result i64) (local $x i64)
  (local.set $x (global.get $seed))
  (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
  (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 7))))
  (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 17))))
  (global.set $seed (local.get $x))
  (local.get $x))
(func (export "playouts") (param $from i32) (param $begun i32) (param $drawn i32) (param $games i64)
    (param $limit i64) (param $seed i64) (result i64)
    (local $decisions i64) (local $left i64) (local $next i32) (local $at i32)
  (global.set $seed (local.get $seed))
  (memory.fill (i32.const {tallies}) (i32.const 0) (i32.const {tallies_size}))
  (block $done (loop $game
    (br_if $done (i64.le_s (local.get $games) (i64.const 0)))
    (local.set $games (i64.sub (local.get $games) (i64.const 1)))
    (memory.copy (i32.const {state}) (local.get $from) (i32.const {state_size}))
    (if (local.get $drawn) (then
      {new_chance}))
    (if (local.get $begun)
      (then (call $ask) (local.set $next (i32.const -1)))
      (else (local.set $next (call $run))))
    (local.set $left (local.get $limit))
    (block $over (loop $decide
      (br_if $over (i32.ne (local.get $next) (i32.const -1)))
      (if (i64.eqz (local.get $left)) (then
        (i64.store offset={unfinished} (i32.const 0)
          (i64.add (i64.load offset={unfinished} (i32.const 0)) (i64.const 1)))
        (br $game)))
      (local.set $left (i64.sub (local.get $left) (i64.const 1)))
      (local.set $decisions (i64.add (local.get $decisions) (i64.const 1)))
      {take_any}
      (local.set $next (call $run))
      (br $decide)))
    (local.set $at (i32.shl (i32.add
      (i32.mul (i32.load offset={status} (i32.const 0)) (i32.const {outcomes}))
      (i32.and (i32.load offset={winners} (i32.const 0)) (i32.const {outcome_mask}))) (i32.const 3)))
    (i64.store offset={tallies} (local.get $at)
      (i64.add (i64.load offset={tallies} (local.get $at)) (i64.const 1)))
    (br $game)))
  (local.get $decisions))
"""


def helpers(memory: Memory, blocks: int, spans: int, option_kind: int, score: str, begin: str) -> str:
    """All of them. `spans`: the address of the spans of blocks; `option_kind`: how wide codes of options are; `score`:
    the function of the module that gives a player's score, or ""; `begin`: what is to be done before each decision."""
    outcomes = memory.outcomes
    values = {
        **places(memory, option_kind),
        "end": memory.end,
        "stack": memory.stack,
        "fuel": FUEL,
        "many": 2**32,  # turns that are too many in any case
        "begin": begin,
        "stop": STOP,
        "stopped": STOPPED,
        "limit": LIMIT,
        "twice_limit": 2 * LIMIT - 2**64,
        "blocks": blocks,
        "spans": spans,
        "slots": memory.ranges.program.layout.size,
        "twice": 2 * memory.ranges.program.layout.size,
        "told": TOLD,
        "pc": memory.slot(PC)[0],
        "tallies_size": 8 * (4 * outcomes + 1),
        "unfinished": memory.tallies + 8 * 4 * outcomes,
    }
    parts = [filled(_BASIC, values), _WORDS]
    for type_, size in (("i32", 4), ("i64", 8)):
        parts.append(filled(_DIVISIONS, {"t": type_, "size": size}))
    a, b = (f"(i64.load (i32.add (local.get ${side}) (local.get $at)))" for side in "ab")
    for name, word in (
        ("and", f"(i64.and {a} {b})"),
        ("or", f"(i64.or {a} {b})"),
        ("without", f"(i64.and {a} (i64.xor {b} (i64.const -1)))"),
    ):
        parts.append(filled(_BITWISE, {"name": name, "word": word}))
    parts.extend((filled(_CHANCE, values), filled(_LOOPS, values)))
    if memory.counters:
        text, more = loop_text(memory, score)
        parts.append(filled(text, {**values, **more}))
    return "".join(parts)


__all__ = ["helpers"]
