"""The text form of a program: complete, stable, readable."""

from attrs import evolve
from random_programs import random_machine
from tiny_programs import V, counter_game, function, program

from interpreter.ir import code as c
from interpreter.ir.dump import dump, dump_function

COUNTER = """\
program 'Tiny' for A, B

layout 19
  0..6 control control -1..1000
  7..10 chance chance 0..4294967295
  11..18 variable v -2147483648..2147483648

arrays
  squares: 0, 1, 4, 9
  array pairs: ((0, 1), (1, 2)), (), ((2, 3),)
  rows: (1, 2, 3), (), (4,)

function actor() gives value
  return [5]

function options of add() gives list
  list o
  for n from 0 below 3
    if ([11] + (n + 1)) <= 10
      push o, n
  return list o

block 0 set-up (start)
  [11] = 0
  jump 1

block 1 turn
  mark @3
  ask 0: 2 else 5

block 2 added
  n.1 = [2] + 1
  [11] = [11] + n.1
  event 0([5], n.1)
  branch [11] = 10: 3 else 4

block 3 won
  [3] = 1
  [4] = 1 << [5]
  jump 5

block 4 next
  [5] = 1 - [5]
  jump 1

block 5 over
  stop

decision 0 choose in play
  actor actor, options options of add
  branch from 0: take
    one n of 3 from 1

events
  0 say: hello
"""


def test_dump_of_a_game() -> None:
    assert dump(counter_game()) == COUNTER


def test_dump_knows_every_program() -> None:
    for seed in range(100):
        assert dump(random_machine(seed)) == dump(random_machine(seed))


def test_long_arrays_are_shortened() -> None:
    made = program([c.Block((), c.Stop())], arrays={"long": tuple(range(200)), "short": (1,)})
    assert "  long: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10" in dump(made)
    assert ", ... (200)\n  short: 1\n" in dump(made)


def test_slots_at_first() -> None:
    made = evolve(program([c.Block((), c.Stop())]), initial=(0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 5, 5, 5, 0))
    assert f"  at first 1: -1, 4: -1, {V}..{V + 2}: 5\n" in dump(made)


def test_brackets() -> None:
    x = c.Var("x")
    then, otherwise = c.Binary("+", x, c.Binary("*", x, c.Int(2))), c.HasBit(x, c.Binary("-", x, c.Int(1)))
    body = c.Return(c.Pick(c.Not(x), then, otherwise))
    assert dump_function(function("f", (body,), "x")) == (
        "function f(x) gives value\n  return (x + (x * 2)) if (not x) else bit(x, x - 1)\n"
    )
